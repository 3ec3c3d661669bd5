"""Beliefs put into rulings: what a round's hypotheses mean in words others can use.

Knows a round and its weighing. Decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.game.rules import Ending
from companion.referee.departure import Departure
from companion.referee.open_round import OpenRound
from companion.referee.ruling import (
    PLAYED,
    PLAYED_TWO,
    RETURNED,
    Evidence,
    JudgedGuess,
    Option,
    Question,
    Ruling,
    Status,
)
from companion.referee.weighed import Weighed
from companion.referee.weighing.confidence import measured_rate
from companion.referee.weighing.hypothesis import Hypothesis
from companion.referee.weighing.weigh import NOTHING_LEFT

FRESH = Weighed((), {NOTHING_LEFT: 1.0})
"""What is known of a round that has just been dealt."""

LONGEST_S = 20.0
"""A guess is dated in the middle of the time in which its card left, the last so many seconds of it
at most."""

AFTER_MISSED = "after_missed"
"""Why of the first ruling of a round before which another one seems to have gone by unseen."""

AFTER_SEVERAL = "after_several_missed"
"""The same where more than one had time to."""


def open_ruling(round_: OpenRound, weighed: Weighed, t_s: float) -> Ruling:
    """What is believed while cards still lie: the wrong guesses so far."""
    wrong, share = weighed.shown_wrong_count(len(round_.constraints.set_aside))
    return _ruling(round_, weighed, wrong, "open", share, "tentative", t_s)


def first_ruling(round_: OpenRound, t_s: float, missed: int) -> Ruling:
    """The round lies; `missed`: so many others may have gone by unseen before it."""
    ruling = open_ruling(round_, FRESH, t_s)
    if not missed:
        return ruling
    why = AFTER_MISSED if missed == 1 else AFTER_SEVERAL
    return replace(ruling, evidence=replace(ruling.evidence, why=why))


def missed_ruling(number: int, cards: int, t_s: float, several: bool = False) -> Ruling:
    """Round `number` went by unseen: played, or its cards picked up again; or, where `several` had
    time to, two of them? Nothing that was seen tells."""
    keys = (PLAYED, PLAYED_TWO, RETURNED) if several else (PLAYED, RETURNED)
    options = tuple(Option(key, 0, (), "void", 1 / len(keys)) for key in keys)
    evidence = Evidence(t_s, t_s, (), "missed_round")
    question = Question(f"m{number}", "missed_round", options, t_s)
    return Ruling(number, (None,) * cards, (), "void", None, 0.5, "asked", evidence, question)


def entered_ruling(round_: OpenRound, weighed: Weighed, t_s: float) -> Ruling:
    """The likeliest hypothesis, entered."""
    best = weighed.by_likelihood[0]
    share = weighed.shares[best] if not round_.constraints.final else 1.0
    return _ruling(
        round_,
        weighed,
        best.wrong_count,
        ending_of(round_, best.wrong_count),
        share,
        "settled",
        t_s,
    )


def asked_ruling(round_: OpenRound, weighed: Weighed, t_s: float) -> Ruling:
    """The likeliest hypothesis, with the question whether it was that one or the second."""
    named = min(len(round_.constraints.set_aside), round_.attempts)
    best = weighed.by_likelihood or [Hypothesis(named, "ended")]
    options = tuple(
        _option(round_, weighed, hypothesis, weighed.shares.get(hypothesis, 1.0))
        for hypothesis in best[:2]
    )
    if round_.deal.unread and best[0].wrong_count < round_.attempts:
        options = (options[0], _with_unread(round_, options[0]))
    question = Question(f"r{round_.number}", "who_took", options, t_s)
    share = weighed.shares.get(best[0], 0.5)
    return _ruling(
        round_,
        weighed,
        best[0].wrong_count,
        ending_of(round_, best[0].wrong_count),
        share,
        "asked",
        t_s,
        question,
    )


def withdrawn_ruling(round_: OpenRound, t_s: float) -> Ruling:
    """The deal was not one: more cards lie there."""
    evidence = Evidence(round_.began_s, t_s, round_.cards, "surplus")
    return Ruling(round_.number, (), (), "open", None, 1.0, "tentative", evidence)


def person_ruling(
    number: int,
    dealt: tuple[int | None, ...],
    set_aside: tuple[int | None, ...],
    ending: Ending,
    claimed: int | None,
    t_s: float,
) -> Ruling:
    """A person's word about a round that is over."""
    guesses = [JudgedGuess(card, False, t_s, 1.0) for card in set_aside]
    if ending == "claimed":
        guesses.append(JudgedGuess(None, True, t_s, 1.0))
    evidence = Evidence(t_s, t_s, tuple(card for card in dealt if card is not None), "person")
    return Ruling(
        number, dealt, set_aside, ending, claimed, 1.0, "settled", evidence, None, tuple(guesses)
    )


def ending_of(round_: OpenRound, wrong_count: int) -> Ending:
    """How a round with so many wrong guesses ended."""
    if round_.constraints.ending in ("claimed", "lookout"):
        return round_.constraints.ending
    return "lookout" if wrong_count >= round_.attempts else "claimed"


def says_the_same(a: Ruling, b: Ruling) -> bool:
    """True when two rulings say the same, whatever their times and exact confidence."""

    def gist(r: Ruling) -> tuple[object, ...]:
        options = tuple(option.wrong_count for option in r.question.options) if r.question else ()
        return r.round, r.dealt, r.set_aside, r.ending, r.claimed, r.status, options

    return gist(a) == gist(b)


def _option(round_: OpenRound, weighed: Weighed, hypothesis: Hypothesis, share: float) -> Option:
    wrong = hypothesis.wrong_count
    ending = ending_of(round_, wrong)
    aside = _named(round_, weighed.row, wrong)[:wrong]
    return Option("lookout" if ending == "lookout" else "claimed", wrong, aside, ending, share)


def _with_unread(round_: OpenRound, option: Option) -> Option:
    """The same with the card that was never read among those set aside: as likely for it as for any
    other."""
    wrong = option.wrong_count + 1
    ending = ending_of(round_, wrong)
    share = wrong / len(round_.dealt)
    return Option(
        "lookout" if ending == "lookout" else "claimed",
        wrong,
        (*option.set_aside, None),
        ending,
        share,
    )


def _ruling(
    round_: OpenRound,
    weighed: Weighed,
    wrong: int,
    ending: Ending,
    share: float,
    status: Status,
    t_s: float,
    question: Question | None = None,
) -> Ruling:
    row = weighed.row
    sure = 1.0 if round_.constraints.final else measured_rate(share, weighed.witness)
    aside = _named(round_, row, wrong)
    at_s = {d.card: (max(d.low_s, d.high_s - LONGEST_S) + d.high_s) / 2 for d in row}
    guesses = [
        JudgedGuess(card, False, at_s.get(card, t_s) if card is not None else t_s, sure)
        for card in aside
    ]
    if ending == "claimed":
        claimed_s = at_s[row[wrong].card] if wrong < len(row) else t_s
        guesses.append(JudgedGuess(None, True, claimed_s, sure))
    from_s = row[0].low_s if row else round_.began_s
    return Ruling(
        round=round_.number,
        dealt=round_.dealt,
        set_aside=aside,
        ending=ending,
        claimed=None,
        confidence=sure,
        status=status,
        evidence=Evidence(from_s, t_s, tuple(d.card for d in row), round_.why),
        question=question,
        guesses=tuple(guesses),
        posterior=share,
    )


def _named(round_: OpenRound, row: Sequence[Departure], wrong: int) -> tuple[int | None, ...]:
    """The first `wrong` set-aside cards: as a person told them, the gaps filled with what was seen. As
    many as were never read may be gaps for that reason, and stay."""
    told = round_.constraints.set_aside
    seen = [d.card for d in row[: max(wrong, len(told))] if d.card not in told]
    named: list[int | None] = []
    for card in told:
        if card is None and seen and named.count(None) >= round_.deal.unread:
            named.append(seen.pop(0))
        else:
            named.append(card)
    return (*named, *seen[: max(0, wrong - len(named))])

"""Beliefs put into rulings: what a round's tellings mean in words others can use.  Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.game.rules import Ending
from companion.referee.open_round import OpenRound
from companion.referee.ruling import (
    PLAYED,
    RETURNED,
    Evidence,
    Guess,
    Option,
    Question,
    Ruling,
    Status,
)
from companion.referee.weighing.confidence import rate
from companion.referee.weighing.weigh import Departure, Telling

FRESH: Mapping[Telling, float] = {Telling(0, "open"): 1.0}

LONGEST_S = 20.0
"""A guess is dated in the middle of the time in which its card left, the last so many seconds of it
at most."""

AFTER_MISSED = "after_missed"
"""Why of the first ruling of a round before which another one seems to have gone by unseen."""


def open_ruling(
    round_: OpenRound, row: Sequence[Departure], tellings: Mapping[Telling, float], t_s: float
) -> Ruling:
    """What is believed while cards still lie: the wrong guesses so far."""
    w, share = round_.shown(tellings)
    return _ruling(round_, row, w, "open", share, "tentative", t_s)


def first_ruling(round_: OpenRound, t_s: float, missed: bool) -> Ruling:
    """The round lies; `missed`: another one seems to have gone by unseen before it."""
    ruling = open_ruling(round_, (), FRESH, t_s)
    return (
        replace(ruling, evidence=replace(ruling.evidence, why=AFTER_MISSED)) if missed else ruling
    )


def missed_ruling(number: int, cards: int, t_s: float) -> Ruling:
    """Round `number` went by unseen: played, or its cards picked up again? Nothing that was seen
    tells."""
    options = tuple(Option(key, 0, (), "void", 0.5) for key in (PLAYED, RETURNED))
    evidence = Evidence(t_s, t_s, (), "missed_round")
    question = Question(f"m{number}", "missed_round", options, t_s)
    return Ruling(number, (None,) * cards, (), "void", None, 0.5, "asked", evidence, question)


def entered_ruling(
    round_: OpenRound, row: Sequence[Departure], tellings: Mapping[Telling, float], t_s: float
) -> Ruling:
    """The best telling, entered."""
    best = best_of(tellings)[0]
    share = tellings[best] if not round_.constraints.final else 1.0
    return _ruling(round_, row, best.w, ending_of(round_, best.w), share, "settled", t_s)


def asked_ruling(
    round_: OpenRound, row: Sequence[Departure], tellings: Mapping[Telling, float], t_s: float
) -> Ruling:
    """The best telling, with the question whether it was that one or the second best."""
    best = best_of(tellings) or [
        Telling(min(len(round_.constraints.set_aside), round_.attempts), "ended")
    ]
    options = tuple(
        _option(round_, row, telling, tellings.get(telling, 1.0)) for telling in best[:2]
    )
    if round_.unread and best[0].w < round_.attempts:
        options = (options[0], _with_unread(round_, options[0]))
    question = Question(f"r{round_.number}", "who_took", options, t_s)
    share = tellings.get(best[0], 0.5)
    return _ruling(
        round_, row, best[0].w, ending_of(round_, best[0].w), share, "asked", t_s, question
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
    guesses = [Guess(card, False, t_s, 1.0) for card in set_aside]
    if ending == "claimed":
        guesses.append(Guess(None, True, t_s, 1.0))
    evidence = Evidence(t_s, t_s, tuple(card for card in dealt if card is not None), "person")
    return Ruling(
        number, dealt, set_aside, ending, claimed, 1.0, "settled", evidence, None, tuple(guesses)
    )


def best_of(tellings: Mapping[Telling, float]) -> list[Telling]:
    """The tellings, the likeliest first."""
    return sorted(tellings, key=lambda telling: -tellings[telling])


def ending_of(round_: OpenRound, w: int) -> Ending:
    """How a round with `w` wrong guesses ended."""
    if round_.constraints.ending in ("claimed", "lookout"):
        return round_.constraints.ending
    return "lookout" if w >= round_.attempts else "claimed"


def same(a: Ruling, b: Ruling) -> bool:
    """True when two rulings say the same, whatever their times and exact confidence."""

    def gist(r: Ruling) -> tuple[object, ...]:
        options = tuple(option.wrong_count for option in r.question.options) if r.question else ()
        return r.round, r.dealt, r.set_aside, r.ending, r.claimed, r.status, options

    return gist(a) == gist(b)


def _option(round_: OpenRound, row: Sequence[Departure], telling: Telling, share: float) -> Option:
    ending = ending_of(round_, telling.w)
    aside = _named(round_.constraints.set_aside, row, telling.w, round_.unread)[: telling.w]
    return Option("lookout" if ending == "lookout" else "claimed", telling.w, aside, ending, share)


def _with_unread(round_: OpenRound, option: Option) -> Option:
    """The same with the card that was never read among those set aside: as likely for it as for any
    other."""
    ending, w = ending_of(round_, option.wrong_count + 1), option.wrong_count + 1
    share = w / len(round_.dealt)
    return Option(
        "lookout" if ending == "lookout" else "claimed", w, (*option.set_aside, None), ending, share
    )


def _ruling(
    round_: OpenRound, row: Sequence[Departure], w: int, ending: Ending, share: float, status: Status, t_s: float,
    question: Question | None = None,
) -> Ruling:  # fmt: skip
    sure = rate(share, round_.testimony) if not round_.constraints.final else 1.0
    aside = _named(round_.constraints.set_aside, row, w, round_.unread)
    at = {d.card: (max(d.low_s, d.high_s - LONGEST_S) + d.high_s) / 2 for d in row}
    guesses = [
        Guess(card, False, at.get(card, t_s) if card is not None else t_s, sure) for card in aside
    ]
    if ending == "claimed":
        guesses.append(Guess(None, True, at[row[w].card] if w < len(row) else t_s, sure))
    from_s = row[0].low_s if row else round_.began_s
    evidence = Evidence(from_s, t_s, tuple(d.card for d in row), round_.why)
    told = tuple(guesses)
    return Ruling(
        round_.number,
        round_.dealt,
        aside,
        ending,
        None,
        sure,
        status,
        evidence,
        question,
        told,
        share,
    )


def _named(
    told: Sequence[int | None], row: Sequence[Departure], w: int, unread: int = 0
) -> tuple[int | None, ...]:
    """The first `w` set-aside cards: as a person told them, the gaps filled with what was seen. As
    many as were never read may be gaps for that reason, and stay."""
    seen = [d.card for d in row[: max(w, len(told))] if d.card not in told]
    named: list[int | None] = []
    for card in told:
        named.append(
            card
            if card is not None
            else seen.pop(0)
            if seen and named.count(None) >= unread
            else None
        )
    return (*named, *seen[: max(0, w - len(named))])

"""Log -> ledger: every effective entry applied in the order of the table, as far as they fit.

The order of the table is not the order of entering: a round corrected long after still comes before
the next one, so entries are sorted by round, by place in the round, and a person's before the
camera's. Nothing here raises for what people did; the first entry that does not fit is named and
the rest left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from companion.game import evening_reducers, round_reducers
from companion.game.events import (
    CardSetAside,
    CardsMissing,
    CloudNamed,
    CloudsClaimed,
    DeckCounted,
    EveningBegun,
    EveningEnded,
    EveningPaused,
    EveningResumed,
    LookoutTook,
    PlayersChanged,
    QuestionAsked,
    RoundAwaited,
    RoundDealt,
    RoundInserted,
    RoundVoided,
    RulesChosen,
    Scoring,
)
from companion.game.ledger import Ledger
from companion.game.log import ANSWERED, REDO, UNDO, Entry, Log, Retraction
from companion.game.rules import Refusal
from companion.game.seats import attempts

Step = Ledger | Refusal


@dataclass(frozen=True, slots=True)
class Misfit:
    """The first entry that no longer fits, and why."""

    entry: Entry
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Replay:
    """A ledger as far as the log is valid; `misfit` names the first entry left out, or is None."""

    ledger: Ledger
    misfit: Misfit | None = None


def fold(log: Log) -> Replay:
    """What the log adds up to, as far as it is valid.  Never raises for what the entries say."""
    ledger = Ledger()
    for entry in sorted(_as_played(log), key=_place):
        after = apply_entry(ledger, entry)
        if isinstance(after, Refusal):
            return Replay(_marked(ledger, log), Misfit(entry, after))
        ledger = after
    return Replay(_marked(ledger, log))


def ledger_before(log: Log, round_number: int) -> Ledger:
    """What the log added up to when the cards of a round were drawn that was never entered and gets
    this number: the circle is the one of then."""
    ledger = Ledger()
    for entry in sorted(log.effective, key=_place):
        first_circle = isinstance(entry.event, PlayersChanged) and entry.round == round_number == 1
        if _place(entry)[0] >= round_number and not first_circle:
            break
        after = apply_entry(ledger, entry)
        if isinstance(after, Refusal):
            break
        ledger = after
    return ledger


def steps(log: Log) -> Iterator[tuple[Entry, Ledger]]:
    """Every effective entry in the order of the table, a cloud's name as soon as its cards lie, each
    with what the log adds up to with it; as far as it is valid."""
    ledger = Ledger()
    for entry in sorted(_as_played(log), key=_place_seen):
        after = apply_entry(ledger, entry)
        if isinstance(after, Refusal):
            return
        ledger = after
        yield entry, ledger


@dataclass(frozen=True, slots=True)
class GrowingFold:
    """A fold that keeps no log: `ledger` after the entries so far, and where at the table the last
    of them belongs."""

    ledger: Ledger = field(default_factory=Ledger)
    last_place: tuple[float, int, int, int, int] = (-1.0, 0, 0, 0, 0)

    def extend(self, entry: Entry) -> GrowingFold | None:
        """The fold with this next entry; None where the whole log must be folded anew: the entry
        takes something back, may stand in place of what was or have happened before, belongs before the
        last one, or does not fit."""
        if isinstance(entry.event, Retraction | RoundInserted | RoundVoided):
            return None
        if entry.source == "person" and entry.batch != entry.number:
            return None
        place = _place(entry)
        if place < self.last_place:
            return None
        after = apply_entry(self.ledger, entry)
        return None if isinstance(after, Refusal) else GrowingFold(after, place)


def grown(log: Log) -> GrowingFold | None:
    """The fold of this log so that it can grow; None where an entry of it does not fit."""
    replay = fold(log)
    if replay.misfit is not None:
        return None
    return GrowingFold(
        replay.ledger, max(map(_place, log.effective), default=GrowingFold().last_place)
    )


def _as_played(log: Log) -> tuple[Entry, ...]:
    """The effective entries, each dated when it happened at the table, long before a person said it: a
    correction or an answer when what it took back did, all that is told of a round before what had
    followed it by then, and a round that is written in at the end when what was known by then had happened."""
    then: dict[tuple[int, int | None, bool], float] = {}
    for retraction, taken in log.retractions():
        if not isinstance(retraction.event, Retraction) or retraction.source != "person":
            continue
        if retraction.event.reason in (UNDO, REDO):
            continue
        for old in taken:
            if isinstance(old.event, Scoring | QuestionAsked):
                about = _about(retraction.batch, old)
                then[about] = max(then.get(about, 0.0), then.get(_about(old.batch, old), old.at_s))
    played: list[Entry] = []
    course: list[tuple[tuple[float, ...], float]] = []  # where at the table, and when
    written_in: set[int] = set()  # acts by which somebody wrote in a round: it was over by then
    furthest: tuple[float, ...] = (-1.0,)
    for entry in log.effective:
        at_s = then.get(_about(entry.batch, entry), entry.at_s)
        place = _place_seen(entry)
        if entry.source == "person" and entry.round is not None and place < furthest:
            at_s = min([at_s, *(when for where, when in course if where > place)])
        if isinstance(entry.event, RoundInserted):
            written_in.add(entry.batch)
        if entry.batch in written_in and course:
            at_s = min(at_s, max(when for _, when in course))
        if isinstance(entry.event, RoundVoided):  # a round that was over is spoiled from its end on
            at_s = min([at_s, *_when_over([one for one in played if one.round == entry.round])])
        if isinstance(entry.event, Scoring | RoundAwaited | EveningEnded):
            course.append((place, at_s))
            furthest = max(furthest, place)
        played.append(entry if at_s == entry.at_s else replace(entry, at_s=at_s))
    return tuple(played)


def _when_over(told: Sequence[Entry]) -> list[float]:
    """When a round ended of which this was told, as often as that was told; a last wrong guess ends it
    where nobody told that the Lookout took the clouds. Empty while it goes on."""
    last = {attempts(len(one.event.cards)) for one in told if isinstance(one.event, RoundDealt)}
    return [one.at_s for one in told if _ends(one)] or [
        one.at_s
        for one in told
        if isinstance(one.event, CardSetAside) and one.event.attempt in last
    ]


def _about(batch: int, entry: Entry) -> tuple[int, int | None, bool]:
    """Of which act and round, and whether it tells the deal or what came of it."""
    return batch, entry.round, isinstance(entry.event, RoundDealt)


_RANK: dict[type, int] = {
    RoundInserted: 0,
    PlayersChanged: 0,
    RoundAwaited: 1,
    RoundDealt: 2,
    CardSetAside: 3,
    CloudsClaimed: 3,
    LookoutTook: 4,
    RoundVoided: 5,
    CloudNamed: 6,
    QuestionAsked: 7,
}
_FACTS = (EveningBegun, DeckCounted, RulesChosen, CardsMissing)


def _place(entry: Entry) -> tuple[float, int, int, int, int]:
    event = entry.event
    if isinstance(event, _FACTS):
        return (0, 0 if isinstance(event, EveningBegun) else 1, 0, 0, entry.number)
    if entry.round is None:
        return (float("inf"), 0, 0, 0, entry.number)
    return (
        entry.round,
        _RANK[type(event)],
        getattr(event, "attempt", 0),
        entry.source != "person",
        entry.number,
    )


def _place_seen(entry: Entry) -> tuple[float, ...]:
    place = _place(entry)
    named = isinstance(entry.event, CloudNamed)
    return (place[0], _RANK[RoundDealt] + 0.5, *place[2:]) if named else place


def apply_entry(ledger: Ledger, entry: Entry) -> Step:
    """The ledger after one more event in the order of the table, or the Refusal that says why it
    cannot be."""
    if not ledger.begun and not isinstance(entry.event, EveningBegun):
        return Refusal("no_evening")
    return _APPLY[type(entry.event)](ledger, entry, entry.event)


_APPLY: dict[type, Callable[..., Step]] = {
    EveningBegun: evening_reducers.apply_evening_begun,
    DeckCounted: evening_reducers.apply_deck_counted,
    RulesChosen: evening_reducers.apply_rules_chosen,
    CardsMissing: evening_reducers.apply_cards_missing,
    PlayersChanged: evening_reducers.apply_players_changed,
    RoundInserted: round_reducers.apply_round_inserted,
    RoundAwaited: round_reducers.apply_round_awaited,
    RoundDealt: round_reducers.apply_round_dealt,
    CardSetAside: round_reducers.apply_guess,
    CloudsClaimed: round_reducers.apply_guess,
    LookoutTook: round_reducers.apply_lookout_took,
    RoundVoided: round_reducers.apply_round_voided,
    CloudNamed: round_reducers.apply_cloud_named,
    QuestionAsked: round_reducers.apply_question_asked,
    EveningPaused: evening_reducers.apply_evening_paused,
    EveningResumed: evening_reducers.apply_evening_resumed,
    EveningEnded: evening_reducers.apply_evening_ended,
}


def _marked(ledger: Ledger, log: Log) -> Ledger:
    """The ledger with `corrected` set on every round of which a version was replaced after the
    fact.  What was asked and answered is no correction: what stood till then was for the time being."""
    touched: set[int | None] = set()
    for retraction, taken in log.retractions():
        if isinstance(retraction.event, Retraction) and retraction.event.reason not in (
            UNDO,
            REDO,
            ANSWERED,
        ):
            touched |= {
                old.round
                for old in taken
                if (retraction.source == "person" and not _beside(old)) or _ends(old)
            }
    rounds = tuple(
        replace(round_, corrected=True) if round_.number in touched else round_
        for round_ in ledger.rounds
    )
    return replace(ledger, rounds=rounds)


def _ends(entry: Entry) -> bool:
    return isinstance(entry.event, CloudsClaimed | LookoutTook | RoundVoided)


def _beside(entry: Entry) -> bool:
    """True for what says nothing of how the round went."""
    return isinstance(entry.event, QuestionAsked | CloudNamed)

"""Changes to a log: what to take back and what to add, for a tap, an undo, a correction.

Pure: a change is a value; `propose` answers with the longer log and its ledger, or with the
Refusal, and decides nothing about clocks or disks. A change that would make any later entry
impossible is refused as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.game.events import (
    Card,
    CardSetAside,
    CloudNamed,
    CloudsClaimed,
    EveningBegun,
    EveningPaused,
    EveningResumed,
    Event,
    GuessEvent,
    LookoutTook,
    QuestionAsked,
    RoundAwaited,
    RoundDealt,
    RoundInserted,
    Scoring,
    Source,
)
from companion.game.fold import Replay, fold
from companion.game.ledger import Ledger
from companion.game.log import REDO, UNDO, Entry, Log, Retraction
from companion.game.rules import Refusal

CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class Changes:
    """What to retract and what to append in one act; `outranked` = the person's entries that
    forbade a camera's ruling."""

    append: tuple[Event, ...] = ()
    retract: tuple[int, ...] = ()
    reason: str = CORRECTED
    outranked: tuple[int, ...] = ()

    @property
    def empty(self) -> bool:
        """True when there is nothing to do."""
        return not self.append and not self.retract


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that fits: the new `entries`, the `log` with them, and what it adds up to."""

    entries: tuple[Entry, ...]
    log: Log
    replay: Replay

    @property
    def ledger(self) -> Ledger:
        """The ledger with the change."""
        return self.replay.ledger


def propose(
    log: Log,
    changes: Changes,
    at_s: float,
    source: Source,
    author: str | None = None,
    confidence: float = 1.0,
    evidence: dict[str, object] | None = None,
    before: Replay | None = None,
) -> Proposal | Refusal:
    """The log with these changes at its end, as one batch; a Refusal when they, or anything after
    them, would not fit. `before` is what the log adds up to so far, where that is known already."""
    before = before or fold(log)
    number = log.next_number
    events: list[Event | Retraction] = (
        [Retraction(changes.retract, changes.reason)] if changes.retract else []
    )
    events += changes.append
    entries = tuple(
        Entry(number + at, at_s, source, event, author, confidence, evidence, batch=number)
        for at, event in enumerate(events)
    )
    grown = log.append(*entries)
    after = fold(grown)
    if after.misfit is not None and (
        before.misfit is None or after.misfit.entry != before.misfit.entry
    ):
        return Refusal(
            after.misfit.refusal.reason,
            after.misfit.refusal.params | {"entry": after.misfit.entry.number},
        )
    spoiled = _void(before) & _void(after)
    if late := [
        event
        for event in changes.append
        if isinstance(event, GuessEvent) and event.round in spoiled
    ]:
        return Refusal("round_over", {"round": late[0].round})
    if before.ledger.over and len(after.ledger.rounds) > len(before.ledger.rounds):
        return Refusal(
            "game_over", {"deck_left": before.ledger.deck_left, "draw": before.ledger.draw}
        )
    return Proposal(entries, grown, after)


def _void(replay: Replay) -> set[int]:
    return {round_.number for round_ in replay.ledger.rounds if round_.voided}


def scoring_of(log: Log, round_number: int) -> tuple[Entry, ...]:
    """The effective entries that decide a round: deal, guesses, ending; in the order they were
    entered."""
    return tuple(
        entry
        for entry in log.effective
        if entry.round == round_number and isinstance(entry.event, Scoring)
    )


def undo_target(log: Log) -> Entry | None:
    """The entry an undo would take back: the last effective one by a person or the camera that
    changed anything.

    A person's correction counts as one act. The camera's changes of mind do not: there the last
    event it now believes is meant. A cloud's name is passed by: it belongs to no step, may be kept
    by the very tap that goes on, and is written anew at any time; that it was taken away is an act.
    """
    live = log.live
    return next(
        (entry for entry in reversed(live) if _undoable(entry) and not _only_supplies(entry, live)),
        None,
    )


def _undoable(entry: Entry) -> bool:
    if isinstance(entry.event, Retraction):
        return entry.source == "person" and entry.event.reason not in (UNDO, REDO)
    return not isinstance(
        entry.event,
        EveningBegun
        | EveningPaused
        | EveningResumed
        | RoundAwaited
        | LookoutTook
        | QuestionAsked
        | CloudNamed,
    )


def _only_supplies(entry: Entry, live: tuple[Entry, ...]) -> bool:
    return entry.source != "person" and any(
        other.source == "person" and slot(other) == slot(entry) is not None for other in live
    )


def slot(entry: Entry) -> tuple[int | None, int] | None:
    """The place in a round that an entry fills: 0 for the deal, the attempt for a guess; None for
    anything else."""
    if isinstance(entry.event, RoundDealt):
        return (entry.round, 0)
    return (
        (entry.round, entry.event.attempt)
        if isinstance(entry.event, CardSetAside | CloudsClaimed)
        else None
    )


def undo(log: Log) -> Changes | Refusal:
    """Take back the last act: a person's correction as a whole, else the last event and what rests
    on it in its round; that the next round was waited for since goes too, so that the result is shown
    again."""
    target = undo_target(log)
    if target is None:
        return Refusal("nothing_to_undo")
    batch = tuple(entry for entry in log.live if entry.batch == target.batch)
    if target.source == "person" and any(
        isinstance(entry.event, Retraction | RoundInserted) for entry in batch
    ):
        return Changes((), (*(entry.number for entry in batch), *_named_since(log, batch)), UNDO)
    awaited = {
        entry.number
        for entry in log.live
        if isinstance(entry.event, RoundAwaited) and entry.number > target.number
    }
    return Changes((), tuple(sorted({target.number, *_resting_on(log, target), *awaited})), UNDO)


def _named_since(log: Log, batch: tuple[Entry, ...]) -> tuple[int, ...]:
    """The names that the rounds written in by this batch were given since."""
    rounds = {entry.round for entry in batch if isinstance(entry.event, RoundInserted)}
    return tuple(
        entry.number
        for entry in log.live
        if isinstance(entry.event, CloudNamed)
        and entry.round in rounds
        and entry.number > batch[-1].number
    )


def _resting_on(log: Log, target: Entry) -> tuple[int, ...]:
    at = slot(target)
    if at is None:
        return ()
    rest = [entry for entry in scoring_of(log, at[0] or 0) if (slot(entry) or (0, 99))[1] >= at[1]]
    return tuple(entry.number for entry in rest)


def redo(log: Log) -> Changes | Refusal:
    """Take back the last undo that was not, as long as nothing but clouds' names was entered after it."""
    last = next((entry for entry in reversed(log.live) if not _passed_by_redo(entry)), None)
    if last is None or not isinstance(last.event, Retraction) or last.event.reason != UNDO:
        return Refusal("nothing_to_redo")
    return Changes((), (last.number,), REDO)


def _passed_by_redo(entry: Entry) -> bool:
    event = entry.event
    return isinstance(event, CloudNamed) or (isinstance(event, Retraction) and event.reason == REDO)


def correct_round(
    log: Log,
    round_number: int,
    guesses: tuple[tuple[Card, bool], ...],
    cards: tuple[Card, ...] | None = None,
) -> Changes | Refusal:
    """Make a round have exactly these guesses (card, right), and these cards if given; what already
    agrees stays."""
    now = scoring_of(log, round_number)
    deals = [entry.event.cards for entry in now if isinstance(entry.event, RoundDealt)]
    if not deals and cards is None:
        return Refusal("no_round", {"round": round_number})
    lie = cards if cards is not None else min(deals, key=lambda deal: deal.count(None))
    wanted = _told(round_number, guesses, lie)[cards is None :]
    left_out = {card for deal in deals for card in deal}.difference(lie)
    kept = {
        entry.number: event
        for entry in now
        for event in wanted
        if _agrees(entry.event, event, lie, left_out)
    }
    gone = (
        entry
        for entry in now
        if entry.number not in kept and not (cards is None and isinstance(entry.event, RoundDealt))
    )
    return Changes(
        tuple(event for event in wanted if event not in kept.values()),
        tuple(entry.number for entry in gone),
    )


def take_name_away(log: Log, round_number: int) -> Changes:
    """Every version of the round's name goes, in one act; nothing where it has none."""
    named = (
        entry.number
        for entry in log.effective
        if entry.round == round_number and isinstance(entry.event, CloudNamed)
    )
    return Changes((), tuple(named))


def insert_round(
    round_number: int, guesses: tuple[tuple[Card, bool], ...], cards: tuple[Card, ...]
) -> Changes:
    """A round that was played and never entered, as number `round_number`; every later round and
    its roles move on by one."""
    return Changes((RoundInserted(round_number), *_told(round_number, guesses, cards)))


def _told(
    number: int, guesses: tuple[tuple[Card, bool], ...], cards: tuple[Card, ...]
) -> tuple[Event, ...]:
    said = [
        (CloudsClaimed if right else CardSetAside)(number, at, card)
        for at, (card, right) in enumerate(guesses, 1)
    ]
    return (RoundDealt(number, cards), *said)


def _agrees(
    old: Event | Retraction, new: Event, lie: tuple[Card, ...], left_out: set[Card]
) -> bool:
    """True where what is told now says the same: also where a guess's card has no number any more, but may
    be one of those that `lie`, and is none that was `left_out`."""
    if isinstance(old, RoundDealt) and isinstance(new, RoundDealt):
        return sorted(map(str, old.cards)) == sorted(map(str, new.cards))
    if (
        not isinstance(old, CardSetAside | CloudsClaimed)
        or type(old) is not type(new)
        or old.attempt != new.attempt
    ):
        return False
    may_lie = old.card in lie or (None in lie and old.card not in left_out)
    return old.card == new.card or (new.card is None and may_lie)


def rematch(ledger: Ledger, first: int | None = None) -> EveningBegun | Refusal:
    """The beginning of another evening with the same seats; the seat `first` of this one begins, by
    default the roles pass on as if it were the next round."""
    players = tuple(ledger.names[seat] for seat in ledger.circle)
    begins = ledger.next_daydreamer if first is None else first
    if begins not in ledger.circle:
        return Refusal("unknown_daydreamer", {"daydreamer": begins})
    daydreamer = ledger.circle.index(begins)
    return EveningBegun(players, daydreamer, ledger.edition, ledger.deck_tonight, ledger.handling)

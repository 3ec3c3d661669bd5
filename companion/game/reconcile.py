"""A referee's ruling as a change: the fewest entries to take back and add so that the log says what
the camera saw.

A person's word outranks the camera for good: an entry by a person is never touched, what a person
took back of the camera's is never entered again by it, and a ruling that contradicts a person changes
nothing. A tap that was taken back says nothing.
"""

from __future__ import annotations

from companion.game.change import Changes, scoring_of, slot
from companion.game.events import (
    Card,
    CardSetAside,
    CloudsClaimed,
    LookoutTook,
    RoundDealt,
    RoundVoided,
    Scoring,
)
from companion.game.log import Entry, Log
from companion.game.rules import Ending
from companion.game.seats import attempts

REREAD = "reread"


def reconcile(
    log: Log,
    round_number: int,
    dealt: tuple[Card, ...],
    set_aside: tuple[Card, ...],
    ending: Ending,
    claimed: Card = None,
) -> Changes:
    """The changes that make a round's effective entries equal to a ruling; `outranked` names what
    forbade it.

    While the ending is open the last attempt is held back, for it would end the round: nothing is
    banked before the middle is empty.
    """
    wanted = _events(round_number, dealt, set_aside, ending, claimed)
    now = scoring_of(log, round_number)
    persons = [entry for entry in now if entry.source == "person"]
    against = tuple(entry.number for entry in persons if _contradicts(entry, wanted, dealt))
    if against:
        return Changes(reason=REREAD, outranked=against)
    confirmed = max((place[1] for entry in persons if (place := slot(entry))), default=-1)
    kept = [entry for entry in now if _stays(entry, wanted, confirmed)]
    held = _taken_back(log, round_number)
    return Changes(
        _fitting(wanted, kept, held),
        tuple(entry.number for entry in now if entry not in kept),
        REREAD,
        tuple(number for number, event in held if any(_same_belief(event, new) for new in wanted)),
    )


def _events(
    number: int, dealt: tuple[Card, ...], set_aside: tuple[Card, ...], ending: Ending, claimed: Card
) -> list[Scoring]:
    most = attempts(len(dealt))
    aside = set_aside[: most - 1] if ending == "open" else set_aside
    if ending == "lookout":
        aside = aside + (None,) * (most - len(aside))
    events: list[Scoring] = [RoundDealt(number, dealt)]
    events += [CardSetAside(number, attempt, card) for attempt, card in enumerate(aside, 1)]
    if ending == "claimed":
        events.append(CloudsClaimed(number, len(aside) + 1, claimed))
    if ending == "lookout":
        events.append(LookoutTook(number))
    return events


def _contradicts(entry: Entry, wanted: list[Scoring], dealt: tuple[Card, ...]) -> bool:
    said = entry.event
    if isinstance(said, RoundVoided):
        return True
    if isinstance(said, RoundDealt):
        return len(said.cards) != len(dealt) or not set(said.cards) - {None} <= set(dealt)
    if isinstance(said, LookoutTook):
        return any(isinstance(new, CloudsClaimed) for new in wanted)
    if not isinstance(said, CardSetAside | CloudsClaimed):
        return False
    claim = next((new.attempt for new in wanted if isinstance(new, CloudsClaimed)), None)
    same = next(
        (
            new
            for new in wanted
            if isinstance(new, CardSetAside | CloudsClaimed) and new.attempt == said.attempt
        ),
        None,
    )
    if same is None:
        return claim is not None and said.attempt > claim
    other_card = None not in (same.card, said.card) and same.card != said.card
    return type(same) is not type(said) or other_card


def _stays(entry: Entry, wanted: list[Scoring], confirmed: int) -> bool:
    place = slot(entry)
    if entry.source == "person" or entry.event in wanted:
        return True
    told = any(_place(new) == place for new in wanted)
    return place is not None and place[1] <= confirmed and not told


def _place(event: Scoring) -> tuple[int | None, int] | None:
    return slot(Entry(0, 0.0, "camera", event))


def _taken_back(log: Log, round_number: int) -> list[tuple[int, Scoring]]:
    """(number of the retraction, event) for everything of the round that the camera entered and a person
    took back."""
    return [
        (retraction.number, old.event)
        for retraction, taken in log.retractions()
        if retraction.source == "person"
        for old in taken
        if isinstance(old.event, Scoring) and old.round == round_number and old.source == "camera"
    ]


def _same_belief(old: Scoring, new: Scoring) -> bool:
    if isinstance(old, RoundDealt) and isinstance(new, RoundDealt):
        return set(old.cards) == set(new.cards)
    if isinstance(old, CloudsClaimed) and isinstance(new, CloudsClaimed):
        return old.attempt == new.attempt
    return old == new


def _fitting(
    wanted: list[Scoring], kept: list[Entry], held: list[tuple[int, Scoring]]
) -> tuple[Scoring, ...]:
    """The wanted events that are new, up to the first that a person took back and nothing replaced."""
    fresh: list[Scoring] = []
    for event in wanted:
        mine = [entry for entry in kept if _fills(entry, event)]
        if any(
            entry.event == event or (entry.source == "person" and not _supplies(event, entry))
            for entry in mine
        ):
            continue
        if not mine and any(_same_belief(old, event) for _, old in held):
            break
        if not any(entry.source != "person" for entry in mine):
            fresh.append(event)
    return tuple(fresh)


def _fills(entry: Entry, event: Scoring) -> bool:
    place = slot(entry)
    return (
        type(entry.event) is type(event)
        and not isinstance(event, RoundDealt | CardSetAside | CloudsClaimed)
    ) or (place is not None and place == _place(event))


def _supplies(event: Scoring, entry: Entry) -> bool:
    """True when a camera's event knows a number that the person's entry in the same place does not
    have."""
    said = entry.event
    if isinstance(said, RoundDealt) and isinstance(event, RoundDealt):
        return set(said.cards) == {None} and None not in event.cards
    return getattr(said, "card", None) is None and getattr(event, "card", None) is not None

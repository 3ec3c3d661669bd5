"""An evening with gaps, made to add up again: entries at its end that stand in for the lost ones.

Pure. Nothing of what is left is changed: a round whose deal is lost has unknown cards, a wrong guess
that is lost has an unknown card, a round whose ending is lost is void, and what still does not fit is
taken back. People see it in the ledger and can correct it.
"""

from __future__ import annotations

from companion.game.events import CardSetAside, Event, RoundDealt, RoundVoided
from companion.game.fold import Replay, fold
from companion.game.log import Entry, Log, Retraction

LOST = "lost"
"""The reason of an entry that stands for one nobody can read any more."""


def mend_gaps(log: Log) -> tuple[Entry, ...]:
    """The entries that make the whole log valid again, to be put at its end; none where it is."""
    said: list[Event] = []
    unfit: list[int] = []
    tried: list[Event] = []
    for _ in range(2 * len(log.entries) + 1):  # each step puts in or takes back at least one
        mending = _entries(log, said, unfit)
        replay = fold(Log(log.entries + mending))
        if replay.misfit is None:
            break
        event = _stand_in(replay)
        number = replay.misfit.entry.number
        if number >= log.next_number:  # what stands in does not fit itself
            del said[number - log.next_number]
        elif event is not None and event not in tried:
            said.append(event)
            tried.append(event)
        else:
            unfit.append(number)
    return mending


def _entries(log: Log, said: list[Event], unfit: list[int]) -> tuple[Entry, ...]:
    events: list[Event | Retraction] = [*said]
    if unfit:
        events.append(Retraction(tuple(sorted(set(unfit))), LOST))
    first, at_s = log.next_number, log.entries[-1].at_s
    return tuple(
        Entry(number, at_s, "rule", event, batch=first)
        for number, event in enumerate(events, first)
    )


def _stand_in(replay: Replay) -> Event | None:
    """What must have been entered before the first entry that does not fit; None for no idea."""
    assert replay.misfit is not None
    ledger, event, refusal = replay.ledger, replay.misfit.entry.event, replay.misfit.refusal
    if refusal.reason == "round_open":
        return RoundVoided(int(str(refusal.params["round"])), cards_return=False)
    if refusal.reason == "attempt_skipped" and isinstance(refusal.params["next"], int):
        return CardSetAside(int(str(refusal.params["round"])), refusal.params["next"])
    missing = refusal.reason in ("wrong_round", "no_round") and ledger.begun
    if missing and not isinstance(event, Retraction) and (event_round := replay.misfit.entry.round):
        if ledger.open_round is not None and event_round > ledger.open_round.number:
            return RoundVoided(ledger.open_round.number, cards_return=False)
        if event_round >= ledger.next_number:
            return RoundDealt(ledger.next_number, (None,) * ledger.draw)
    return None

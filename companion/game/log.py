"""The log: entries and retractions, numbered from 1; it only grows.

Knows order, source and author; judges nothing (that is the fold's part) and touches no disk (that
is the journal's). A Retraction is itself an entry, so taking back a taking back brings the old
entry to life again. Entries are kept as they were entered; where a missing round was inserted
later, they are read with the number their round has now.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from companion.game.events import Event, PlayersChanged, RoundInserted, Source, round_of

UNDO = "undo"
REDO = "redo"
ANSWERED = "answered"
"""Reasons of retractions: a step back, a step forth, and the answer to a question; every other reason says
that the first version was wrong."""


LAST_S = 32_503_680_000.0
"""The year 3000, in seconds since 1970: what happens is dated before it, and not before 1970. Everywhere
on earth that can be said."""

_DAY_S = 86_400.0


def in_time(at_s: float) -> float:
    """The moment (seconds since 1970) as a calendar has it: a clock that is before 1970, or after
    `LAST_S`, tells no more than the time of day, on the first or the last of all days."""
    if 0 <= at_s <= LAST_S:
        return at_s
    return at_s % _DAY_S + (0.0 if at_s < 0 else LAST_S - _DAY_S)


@dataclass(frozen=True, slots=True)
class Retraction:
    """The entries with these numbers no longer count; `reason` is a short key or a person's words."""

    numbers: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log.  Entries of one act share `batch`, the number of the first of them. `at_s`,
    in seconds since 1970, is always `in_time`, whatever clock told it."""

    number: int
    at_s: float
    source: Source
    event: Event | Retraction
    author: str | None = None
    confidence: float = 1.0
    evidence: dict[str, object] | None = None
    batch: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.at_s <= LAST_S:
            object.__setattr__(self, "at_s", in_time(self.at_s))

    @property
    def round(self) -> int | None:
        """The round of the entry's event, or None."""
        return round_of(self.event)


@dataclass(frozen=True, slots=True)
class Log:
    """Everything that was ever entered in one evening, in order."""

    entries: tuple[Entry, ...] = ()

    @property
    def next_number(self) -> int:
        """The number the next entry gets."""
        return self.entries[-1].number + 1 if self.entries else 1

    @property
    def as_now(self) -> tuple[Entry, ...]:
        """Every entry ever made, in order, with the round numbers of now; the entry with number n
        is at n - 1."""
        if not any(isinstance(entry.event, RoundInserted) for entry in self.entries):
            return self.entries
        now = _insertions(self.entries)
        then: tuple[Entry, ...] = ()
        read = []
        for entry in self.entries:
            read.append(_as_now(entry, then, now))
            if isinstance(entry.event, RoundInserted | Retraction):
                then = _insertions(self.entries[: entry.number])
        return tuple(read)

    @property
    def inserted(self) -> tuple[int, ...]:
        """Where rounds that nobody had entered were written in, in the order of entering, each by its
        number at that time: with each one the rounds from there on count one higher."""
        return tuple(
            entry.event.round for entry in self._alive if isinstance(entry.event, RoundInserted)
        )

    @property
    def live(self) -> tuple[Entry, ...]:
        """The entries nobody took back, retractions included, in order, with the round numbers of
        now."""
        now = self.as_now
        return tuple(now[entry.number - 1] for entry in self._alive)

    @property
    def _alive(self) -> tuple[Entry, ...]:
        return _alive_of(self.entries)

    @property
    def effective(self) -> tuple[Entry, ...]:
        """The events nobody took back, in the order they were entered."""
        return tuple(entry for entry in self.live if not isinstance(entry.event, Retraction))

    def append(self, *entries: Entry) -> Log:
        """The log with these entries at its end. Raises ValueError when a number is not the next
        one."""
        for number, entry in enumerate(entries, self.next_number):
            if entry.number != number:
                raise ValueError(f"entry {entry.number} cannot follow entry {number - 1}")
        return Log(self.entries + entries)

    def entry(self, number: int) -> Entry:
        """The entry with this number, with the round number of now. Raises KeyError when there is
        none."""
        if not 1 <= number < self.next_number:
            raise KeyError(number)
        return self.as_now[number - 1]

    def retractions(self) -> Iterator[tuple[Entry, tuple[Entry, ...]]]:
        """Every retraction that counts, in order, with the earlier entries it names, round numbers
        as of now."""
        entries = self.as_now
        for entry in self.live:
            if isinstance(entry.event, Retraction):
                yield (
                    entry,
                    tuple(entries[at - 1] for at in entry.event.numbers if 0 < at < entry.number),
                )

    def history(self, round_number: int) -> tuple[Entry, ...]:
        """Every version of one round: all its entries, taken back or not, and the retractions that
        touched them."""
        mine = {entry.number for entry in self.as_now if entry.round == round_number}
        return tuple(
            entry
            for entry in self.as_now
            if entry.number in mine
            or (isinstance(entry.event, Retraction) and mine & set(entry.event.numbers))
        )


def _alive_of(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    dead: set[int] = set()
    alive = []
    for entry in reversed(entries):
        if entry.number in dead:
            continue
        alive.append(entry)
        if isinstance(entry.event, Retraction):
            dead.update(entry.event.numbers)
    return tuple(reversed(alive))


def _insertions(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    return tuple(entry for entry in _alive_of(entries) if isinstance(entry.event, RoundInserted))


def _as_now(entry: Entry, then: tuple[Entry, ...], now: tuple[Entry, ...]) -> Entry:
    """The entry by the numbers of now: it was made by those of `then`, each with the rounds that had
    been written in and still counted."""
    number = entry.round
    if number is None or (isinstance(entry.event, PlayersChanged) and number == 1):
        return (
            entry  # who sits there from the first deal on: also from one that is written in later
        )
    for gone in reversed([one for one in then if one not in now]):
        number -= number > (gone.round or 0)
    for added in (one for one in now if one not in then and one is not entry):
        number += number >= (added.round or 0)
    if number == entry.round:
        return entry
    return replace(entry, event=replace(cast("Any", entry.event), round=number))

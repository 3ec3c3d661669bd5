"""What is known of one card in the tray: read there in passing or at rest, for how long in view,
and whether it is there still.

Knows readings in the tray. Must not know the card's place in the middle, nor whether it was a wrong
guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.referee.departure import AT_REST
from companion.referee.observing.indexed_glimpse import IndexedGlimpse
from companion.table.resting import REST_REACH, Rest
from companion.table.sighting import Point
from companion.table.zones import distance_mm


@dataclass(frozen=True, slots=True)
class TrayModel:
    """How a card's stay in the tray is known; chosen on the simulator's piles, in which readings scatter
    by 1 to 3 mm and a marker stays unread for 0.6 s at a time.

    At rest: two readings within `rests_mm` over `rests_s` (a flying card is read once, or twice further
    apart); for good: three over `settled_s`; readings further apart than `kept_s` are two stays. The
    latest card in an open tray, unread for `silent_s`, may have been taken back. A card within
    `cover_mm`, laid later, may hide another's marker: one unread for `hidden_s` lies under another that
    came to rest within `over_s` of its last reading. Later than `watched_s` the tray may have been
    emptied: not seeing a card there says no more. An open tray in which nothing is read for `lost_s`
    may have been left again by the card that lay there (half a second of it passes after the middle is
    empty); where the card's place is not known either, nothing else would tell.
    """

    rests_mm: float = REST_REACH.outside_mm
    rests_s: float = 0.08
    settled_s: float = 0.5
    kept_s: float = 5.0
    silent_s: float = 2.0
    cover_mm: float = 45.0
    hidden_s: float = 1.0
    over_s: float = 0.3
    watched_s: float = 10.0
    lost_s: float = 1.8


TRAY_MODEL = TrayModel()


class TrayExposure:
    """For how long the tray has been in plain view since a card left, and surely not emptied
    meanwhile."""

    __slots__ = ("awaited_s", "watched_s")

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """The card is back: nothing has been watched since."""
        self.watched_s = 0.0
        self.awaited_s = 0.0
        """Time that counts once the cards known to be in the tray are read there again."""

    def count_time(self, glimpse: IndexedGlimpse, dt_s: float) -> None:
        """Take one glimpse; the Lookout may empty the tray before the middle, and an empty tray is no
        witness."""
        if glimpse.tray_open and self.watched_s < TRAY_MODEL.watched_s:
            self.awaited_s += dt_s
        if glimpse.tray_read:
            self.watched_s += self.awaited_s
            self.awaited_s = 0.0


@dataclass(frozen=True, slots=True)
class ReadingSpell:
    """A card's readings in the tray since it was hidden last: when it was read last before that, since
    when it is read now, and how often."""

    hidden_since_s: float = 0.0
    from_s: float = 0.0
    readings: int = 0


class _Silence:
    """For how long the open tray has not shown a card since it was read there: in all, and while no other
    card had left the middle, where some still lay, so that nothing can have come to lie on it."""

    __slots__ = ("in_all_s", "uncovered_s")

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """It is read there."""
        self.in_all_s = 0.0
        self.uncovered_s = 0.0


class TrayStay:
    """One card's stay in the tray."""

    def __init__(self, card: int) -> None:
        self._rest = Rest(card, TRAY_MODEL.rests_mm)
        self.exposure = TrayExposure()
        self._silence = _Silence()
        self.forget_stay()

    def forget_stay(self) -> None:
        """It lies in the middle again: whatever was known is void."""
        self._rest.forget_readings()
        self.exposure.restart()
        self.level = 0
        self.lifted_off = False
        """Whether it was lifted off those beneath."""
        self.newest = False
        """Whether it is the one of those in the tray that left the middle last,"""
        self.left_last = False
        """and whether no other card has left it since, read in the tray or not."""
        self.left_s = 0.0
        self.first_s = 0.0
        self.seen_s = 0.0
        self._awaited_s = 0.0
        self._silence.restart()
        self._spell = ReadingSpell()

    def forget_readings(self) -> None:
        """It was read in the middle: two readings in the tray must follow one another to be a stay."""
        self._rest.forget_readings()

    @property
    def came_s(self) -> tuple[float, float]:
        """When it was first read there, and for how long the tray had been in plain view without it
        by then."""
        return self.first_s, self._awaited_s

    @property
    def centre_mm(self) -> Point:
        """Where it was read last."""
        return self._rest.centre_mm

    @property
    def since_s(self) -> float:
        """Since when it has been read where it was read last."""
        return self._rest.since_s

    @property
    def at_rest(self) -> bool:
        """True when it was read at rest there."""
        return self.level >= AT_REST

    @property
    def settled(self) -> bool:
        """True when it was read at rest there for half a second or more."""
        return self.level > AT_REST

    @property
    def unread_s(self) -> float:
        """For how long the open tray has not shown it since it was read there, though nothing can have come
        to lie on it."""
        return self._silence.uncovered_s

    @property
    def doubtful(self) -> bool:
        """True when it may have been taken out of the tray again: what it covered is read, or
        nothing is while the tray is open."""
        return self.at_rest and (self.lifted_off or self._silence.in_all_s > TRAY_MODEL.silent_s)

    def read_in_tray(self, t_s: float, point: Point) -> int:
        """Take a reading there; 1 for one in passing, 2 at rest, 3 at rest for half a second or
        more."""
        if not self.level:
            self.first_s = t_s
            self._awaited_s = self.exposure.watched_s + self.exposure.awaited_s
        if not self.level or t_s - self.seen_s > TRAY_MODEL.hidden_s:
            self._spell = ReadingSpell(self.seen_s, t_s)
        self._spell = replace(self._spell, readings=self._spell.readings + 1)
        self.seen_s = t_s
        self._silence.restart()
        self.lifted_off = False
        self._rest.add_reading(t_s, point, forget_s=TRAY_MODEL.kept_s)
        level = (
            3
            if self._rest.rests(3, TRAY_MODEL.settled_s)
            else 2
            if self._rest.rests(2, TRAY_MODEL.rests_s)
            else 1
        )
        self.level = max(self.level, level)
        return level

    def watch_tray(self, glimpse: IndexedGlimpse, dt_s: float) -> None:
        """Take one glimpse at the tray."""
        self.exposure.count_time(glimpse, dt_s)
        if self.newest and glimpse.tray_open:
            self._silence.in_all_s += dt_s
            if glimpse.in_play and self.left_last:  # afterwards the tray may be emptied
                self._silence.uncovered_s += dt_s

    def was_lifted_off(self, other: TrayStay) -> bool:
        """True when the other one, which had left the middle before this one came to rest on it and
        was not read since, is read now, and this one is not: it was lifted off."""
        before = (
            other.left_s < self.first_s
            and other._spell.hidden_since_s <= self.first_s + TRAY_MODEL.over_s
        )
        shows = (
            other._spell.readings >= 2
            and other._spell.from_s > self.seen_s
            and self.seen_s - self.first_s > TRAY_MODEL.over_s
        )
        return (
            before
            and shows
            and distance_mm(self._rest.centre_mm, other._rest.centre_mm) < TRAY_MODEL.cover_mm
        )


def note_lifted_off(stays: Sequence[TrayStay]) -> None:
    """Note which of the cards in the tray came there last, and which no longer lie on those
    beneath."""
    there = [stay for stay in stays if stay.at_rest]
    latest = max(there, key=lambda stay: stay.left_s, default=None)
    last = max(stays, key=lambda stay: stay.left_s, default=None)
    for stay in there:
        stay.newest = stay is latest
        stay.left_last = stay is last
        stay.lifted_off = stay.lifted_off or any(
            stay.was_lifted_off(other) for other in there if other is not stay
        )

"""When one card left, as far as is known: between its last reading and the first look that
contradicted its lying there.

Knows looks at its place and the hands near it.  Must not know where the card went.
"""

from __future__ import annotations

from companion.referee.observing.belief import Shown
from companion.referee.observing.indexed_glimpse import Look
from companion.referee.observing.off_place import ARM_MM, LONG_AGO_S
from companion.referee.observing.visits import Stay, Visit
from companion.table.sighting import Point
from companion.table.zones import nearest_mm

SOON_S, INTERVALS = 0.4, 4.0
"""A card that is only not read any more left so long after its last reading at most, or so many
times its usual interval."""

BEFORE_S, AFTER_S = 0.3, 0.2
"""The hand that took a card was near so long before its last reading and after it was gone."""


class Leaving:
    """The interval in which a card left, whose hand was there, and how it is known."""

    def __init__(self, read_s: float) -> None:
        self.low_s = self.high_s = read_s
        self.noticed_s = 0.0
        self.firm = False
        """False when nothing but its not being read says that it left."""
        self.contrary_s: float | None = None
        self._stay: Stay | None = None
        self._reach_deg: float | None = None
        self._hidden = self._belied = False

    @property
    def visit(self) -> Visit | None:
        """The hand that was there."""
        return self._stay.visit(self._reach_deg) if self._stay is not None else None

    def read_again(self) -> None:
        """Its marker was read in its place: what contradicted that was a misreading."""
        self.contrary_s, self._hidden, self._belied = None, False, False

    def come_back(self) -> None:
        """It lies again."""
        self.read_again()
        self._stay = None

    def prove(self, since_s: float) -> None:
        """It rests elsewhere since then: also a card that had left by a single look at its place is
        gone for certain now."""
        if self.contrary_s is None:
            self.contrary_s = since_s

    def note(self, look: Look, shown: Shown, place: Point, left: bool) -> None:
        """Take what its `place` shows; a look at the bare table that the next ones belie, no hand
        being near, is none."""
        if shown in (Shown.TABLE, Shown.BACK) and (self.contrary_s is None or self._belied):
            self.contrary_s = look.t_s
            if left and self._belied:
                self.high_s = look.t_s
                self._see_hands(look, place)
            self._belied = False
        elif (
            shown is Shown.OTHER
            and self.contrary_s is not None
            and nearest_mm(place, look.tips) > ARM_MM
        ):
            self._belied = True
        self._hidden = self._hidden or shown in (Shown.OTHER, Shown.MOVING)

    def leave(
        self, look: Look, place: Point, read_s: float, interval_s: float, ever_read: bool
    ) -> None:
        """It counts as gone from now on; it was read last at `read_s`, usually every `interval_s`."""
        self.noticed_s, self.firm = look.t_s, self.contrary_s is not None
        unread_s = read_s + max(SOON_S, INTERVALS * interval_s)
        self.low_s = read_s
        self.high_s = max(
            read_s, min(look.t_s, self.contrary_s if self.contrary_s is not None else unread_s)
        )
        if self._hidden and not self.firm:
            self.high_s = look.t_s
        if not ever_read:
            self.low_s, self.high_s = read_s - LONG_AGO_S, look.t_s
        self._see_hands(look, place)

    def set(self, low_s: float, high_s: float, firm: bool) -> None:
        """It left between these times, by somebody's word or because the round is over."""
        self.low_s, self.high_s, self.noticed_s, self.firm = low_s, high_s, high_s, firm

    def turned_up(self) -> None:
        """It lay face down for a while and is gone now: when it went is known by the last contrary
        look only."""
        if self.contrary_s is not None:
            self.high_s = max(self.high_s, self.contrary_s)

    def _see_hands(self, look: Look, place: Point) -> None:
        from_s, to_s = self.low_s - BEFORE_S, self.high_s + AFTER_S
        self._stay = look.visits.over(place, from_s, to_s)
        self._reach_deg = (
            self._stay.reach_deg(place, from_s, to_s) if self._stay is not None else None
        )

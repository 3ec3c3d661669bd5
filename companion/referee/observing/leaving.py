"""When one card left, as far as is known: between its last reading and the first look that
contradicted its lying there.

Knows looks at its place and the hands near it.  Must not know where the card went.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.referee.departure import HandVisit
from companion.referee.observing.belief import Observation
from companion.referee.observing.hand_visits import HandStay
from companion.referee.observing.indexed_glimpse import IndexedGlimpse
from companion.referee.observing.off_place import LONG_AGO_S
from companion.table.sighting import Point
from companion.table.zones import nearest_mm


@dataclass(frozen=True, slots=True)
class LeavingModel:
    """How narrowly a leaving is known; chosen on the simulator's reader.

    A card that is only not read any more left `unread_s` after its last reading at most, or after
    `unread_intervals` of its usual intervals. The hand that took a card was near from `before_s` before
    its last reading to `after_s` after it was gone. A hand within `arm_mm` may have laid on its place
    what shows there.
    """

    unread_s: float = 0.4
    unread_intervals: float = 4.0
    before_s: float = 0.3
    after_s: float = 0.2
    arm_mm: float = 200.0


LEAVING_MODEL = LeavingModel()


class LeavingInterval:
    """The interval in which a card left, whose hand was there, and how it is known."""

    def __init__(self, read_s: float) -> None:
        self.low_s = read_s
        self.high_s = read_s
        self.noticed_s = 0.0
        self.firm = False
        """False when nothing but its not being read says that it left."""
        self.contrary_s: float | None = None
        self._stay: HandStay | None = None
        self._reach_deg: float | None = None
        self._hidden = False
        self._belied = False

    @property
    def visit(self) -> HandVisit | None:
        """The hand that was there."""
        return self._stay.as_visit(self._reach_deg) if self._stay is not None else None

    def note_marker_read(self) -> None:
        """Its marker was read in its place: what contradicted that was a misreading."""
        self.contrary_s = None
        self._hidden = False
        self._belied = False

    def forget_leaving(self) -> None:
        """It lies again."""
        self.note_marker_read()
        self._stay = None

    def prove_gone(self, since_s: float) -> None:
        """It rests elsewhere since then: also a card that had left by a single look at its place is
        gone for certain now."""
        if self.contrary_s is None:
            self.contrary_s = since_s

    def note_place(
        self, glimpse: IndexedGlimpse, shown: Observation, place: Point, left: bool
    ) -> None:
        """Take what its `place` shows; a look at the bare table that the next ones belie, no hand
        being near, is none."""
        if shown in (Observation.TABLE, Observation.BACK) and (
            self.contrary_s is None or self._belied
        ):
            self.contrary_s = glimpse.t_s
            if left and self._belied:
                self.high_s = glimpse.t_s
                self._find_hand(glimpse, place)
            self._belied = False
        elif (
            shown is Observation.OTHER
            and self.contrary_s is not None
            and nearest_mm(place, glimpse.tips) > LEAVING_MODEL.arm_mm
        ):
            self._belied = True
        self._hidden = self._hidden or shown in (Observation.OTHER, Observation.MOVING)

    def count_as_gone(
        self,
        glimpse: IndexedGlimpse,
        place: Point,
        read_s: float,
        interval_s: float,
        ever_read: bool,
    ) -> None:
        """It counts as gone from now on; it was read last at `read_s`, usually every `interval_s`."""
        self.noticed_s = glimpse.t_s
        self.firm = self.contrary_s is not None
        unread_s = read_s + max(LEAVING_MODEL.unread_s, LEAVING_MODEL.unread_intervals * interval_s)
        self.low_s = read_s
        self.high_s = max(
            read_s, min(glimpse.t_s, self.contrary_s if self.contrary_s is not None else unread_s)
        )
        if self._hidden and not self.firm:
            self.high_s = glimpse.t_s
        if not ever_read:
            self.low_s = read_s - LONG_AGO_S
            self.high_s = glimpse.t_s
        self._find_hand(glimpse, place)

    def set_interval(self, low_s: float, high_s: float, firm: bool) -> None:
        """It left between these times, by somebody's word or because the round is over."""
        self.low_s = low_s
        self.high_s = high_s
        self.noticed_s = high_s
        self.firm = firm

    def note_turned_up(self) -> None:
        """It lay face down for a while and is gone now: when it went is known by the last contrary
        look only."""
        if self.contrary_s is not None:
            self.high_s = max(self.high_s, self.contrary_s)

    def _find_hand(self, glimpse: IndexedGlimpse, place: Point) -> None:
        from_s, to_s = self.low_s - LEAVING_MODEL.before_s, self.high_s + LEAVING_MODEL.after_s
        self._stay = glimpse.visits.stay_over(place, from_s, to_s)
        self._reach_deg = (
            self._stay.reach_deg(place, from_s, to_s) if self._stay is not None else None
        )

"""The place of a card that left: for how long it was seen bare or with a back in it, and whether the
card may have come back unread.

Nothing comes or goes without a hand: between two hands something lies there all the time or never,
and what is seen more rarely is the eye's error. Knows one place. Must not know where the card is,
but for whether it was read in the tray.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.referee.observing.indexed_glimpse import IndexedGlimpse
from companion.table.sighting import PlaceState, Point
from companion.table.zones import nearest_mm

Span = tuple[float, float]
"""From when to when, in seconds."""


@dataclass(frozen=True, slots=True)
class VacatedModel:
    """When something that lies on a bare place may be the card, come back unread; chosen, the errors'
    length as the simulator's reader has it.

    A hand laid something there, which lay `filled_s` and went again; `filled_back_s` where a named back
    no longer shows, `filled_tray_s` where the card was in the tray and is not read there any more. A
    hand within `arm_mm` may have laid it there; a card read within `heap_mm` is what lies there. For
    `brief_s` the eye may take a card whose marker it cannot read for the bare table, for its errors come
    in bursts of 0.4 s; nobody takes a card and lays another thing in its place within `momentary_s` (the
    look that told of its leaving not counted).
    """

    filled_s: float = 0.8
    filled_back_s: float = 0.4
    filled_tray_s: float = 0.2
    arm_mm: float = 200.0
    heap_mm: float = 60.0
    brief_s: float = 0.6
    momentary_s: float = 0.15


VACATED_MODEL = VacatedModel()


@dataclass(frozen=True, slots=True)
class LaidThere:
    """What was seen on a bare place since a hand reached there: for how long something (`filled_s`) or
    nothing (`bare_s`) lay there, and between which times something lay there for certain (`lay_s`) and
    went again (`went_s`)."""

    reached_s: float | None = None
    filled_s: float = 0.0
    bare_s: float = 0.0
    lay_s: Span | None = None
    went_s: Span | None = None


class VacatedPlace:
    """The place of one card since it left."""

    def __init__(self) -> None:
        self.forget_place()

    def forget_place(self) -> None:
        """The card is back."""
        self.bare_s = 0.0
        """For how long it was seen bare."""
        self.back_s = 0.0
        """For how long a card's back was seen there."""
        self._touched = False
        self._near = False
        self.card_is_elsewhere()

    def card_is_elsewhere(self) -> None:
        """The card was read elsewhere: what lay there was not the card."""
        self._laid = LaidThere()
        self.again_s: Span | None = None
        """Between which times the card left again, if it came back unread."""

    @property
    def barely_seen(self) -> bool:
        """True when it was seen bare only for a moment and nobody has reached there since; or for a
        glance, too short to lay anything there, and no hand is there now."""
        longest_s = VACATED_MODEL.momentary_s if self._touched else VACATED_MODEL.brief_s
        return not self._near and self.bare_s < longest_s

    def watch_place(
        self,
        glimpse: IndexedGlimpse,
        dt_s: float,
        place: Point,
        state: PlaceState,
        back_seen: bool,
        off_tray: bool | None,
    ) -> None:
        """Take one glimpse of the `place`, which shows `state`; `back_seen`: the card lay there face
        down; `off_tray`: it lay in the tray and may not any more (None: it never lay there)."""
        self._near = (
            nearest_mm(place, glimpse.tips) <= VACATED_MODEL.arm_mm or state is PlaceState.MOVING
        )
        self._touched = self._touched or self._near
        if state is PlaceState.BACK:
            self._laid = replace(self._laid, filled_s=0.0, lay_s=None)
        if self._near and (self.bare_s > 0 or back_seen):
            self._laid = replace(self._laid, reached_s=glimpse.t_s, filled_s=0.0, bare_s=0.0)
        elif self._laid.reached_s is not None:
            least_s = VACATED_MODEL.filled_s if off_tray is None else VACATED_MODEL.filled_tray_s
            least_s = min(least_s, VACATED_MODEL.filled_back_s) if back_seen else least_s
            self._count_time(glimpse, dt_s, place, state, least_s)
        self._tell_again(glimpse, state, off_tray)
        self.bare_s += dt_s if state is PlaceState.TABLE else 0.0
        self.back_s += dt_s if state is PlaceState.BACK else 0.0

    def _count_time(
        self, glimpse: IndexedGlimpse, dt_s: float, place: Point, state: PlaceState, least_s: float
    ) -> None:
        """Since the last hand something was seen to lie there, and nothing else, for so long;
        unless it is another card."""
        laid = self._laid
        if state is PlaceState.TABLE:
            self._laid = replace(laid, bare_s=laid.bare_s + dt_s)
        elif (
            state is PlaceState.OTHER
            and glimpse.in_play
            and not glimpse.reads_near(place, VACATED_MODEL.heap_mm)
        ):
            laid = replace(laid, filled_s=laid.filled_s + dt_s)
            if laid.filled_s > max(least_s, laid.bare_s):
                laid = replace(laid, lay_s=(laid.reached_s or 0.0, glimpse.t_s))
            self._laid = laid

    def _tell_again(
        self, glimpse: IndexedGlimpse, state: PlaceState, off_tray: bool | None
    ) -> None:
        """Put together between which times the card left again, if it lay there."""
        laid, bare = self._laid, state is PlaceState.TABLE
        if laid.lay_s is not None and (bare or not glimpse.in_play):
            laid = replace(laid, went_s=(laid.lay_s[1], glimpse.t_s))
        if off_tray is not None and laid.bare_s > laid.filled_s > 0:
            # what lay there was none, and the card was seen in the tray
            laid = replace(laid, lay_s=None, went_s=None)
            self.again_s = None
        if off_tray:
            still_there = (laid.lay_s[0], glimpse.t_s) if laid.lay_s is not None else self.again_s
            self.again_s = laid.went_s or still_there
        elif off_tray is None:
            self.again_s = laid.went_s
        if bare and laid.lay_s is not None:
            laid = replace(laid, lay_s=None)
        self._laid = laid

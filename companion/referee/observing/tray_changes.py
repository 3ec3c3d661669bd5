"""What came to the tray, whether or not it could be read: changes of the tray's quiet picture, and
for how long it stayed as it was.

Knows the tray as a picture (`TrayReport`) over time. Must not know cards, places or what a change
means for the round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from statistics import median

from companion.referee.departure import TrayPicture
from companion.table.sighting import Hand, Point, TrayReport

GONE_MM2 = -2500.0
"""A change that bares more of the tray than this took something away: a disc that lay free bares
5,700 square millimetres; the area of what lies there is known to 1,500 or so."""

TRAVEL_S = 0.5
"""No card lies quiet in the tray sooner after it left its place."""

LONGEST_STEP_S = 0.5
"""A longer pause between two looks counts as so long."""

CHANGES = 40
"""So many changes are kept: no round has more cards than 8."""

REACHES = 400
"""So many looks with fingertips over the tray are kept: 16 s at 25 a second."""


@dataclass(frozen=True, slots=True)
class TrayChange:
    """The tray's quiet picture changed between two times, and so much more of the tray is covered
    since (negative: bared)."""

    low_s: float
    high_s: float
    more_mm2: float

    @property
    def came(self) -> bool:
        """True unless something was only taken away."""
        return self.more_mm2 >= GONE_MM2


class TrayChanges:
    """Hand it every look at the tray of one round, oldest first."""

    def __init__(self) -> None:
        self._changes: deque[TrayChange] = deque(maxlen=CHANGES)
        self._quiet: list[tuple[float, float]] = []
        self._visits: list[tuple[float, float]] = []
        self._reaches: list[tuple[float, Hand]] = []
        self._lost_s: list[float] = []
        self._watched = False
        self._in_view = 1.0
        self._last: TrayReport | None = None
        self._quiet_s: float | None = None
        self._before_s: float | None = None

    @property
    def changes(self) -> tuple[TrayChange, ...]:
        """All changes so far, oldest first."""
        return tuple(self._changes)

    def observe_tray(
        self, t_s: float, report: TrayReport | None, reaching: Sequence[Hand] = ()
    ) -> None:
        """Take one look at the tray; `reaching`: the hands whose fingertips are over it. An unquiet look says nothing;
        None: what the tray looked like before is not known any more, and whatever came meanwhile was
        not seen."""
        if reaching:
            self._reaches = [*self._reaches, *((t_s, hand) for hand in reaching)][-REACHES:]
        if report is None:
            if self._last is not None:
                self._lost_s = [*self._lost_s, self._quiet_s or t_s][-CHANGES:]
            self._last = None
            self._quiet_s = None
            self._before_s = None
            return
        self._watched = True
        self._in_view = report.in_view
        if report.quiet:
            last = self._last
            if last is not None and report.version != last.version and self._quiet_s is not None:
                more_mm2 = report.covered_mm2 - last.covered_mm2
                self._changes.append(TrayChange(self._quiet_s, t_s, more_mm2))
            elif self._before_s is not None:
                self._note_quiet(self._before_s, t_s)
            if self._before_s is None and self._quiet_s is not None:
                self._visits = [*self._visits, (self._quiet_s, t_s)][-CHANGES:]
            self._last, self._quiet_s = report, t_s
            self._before_s = t_s
        else:
            self._before_s = None

    def _note_quiet(self, from_s: float, to_s: float) -> None:
        """It was seen unchanged between these times."""
        from_s = max(from_s, to_s - LONGEST_STEP_S)
        if self._quiet and from_s - self._quiet[-1][1] < 1e-6:
            self._quiet[-1] = (self._quiet[-1][0], to_s)
        else:
            self._quiet.append((from_s, to_s))
            del self._quiet[:-CHANGES]

    def pictures_of(
        self,
        left_s: Sequence[tuple[float, float]],
        read_s: Sequence[float | None],
        places_mm: Sequence[Point] = (),
    ) -> list[TrayPicture]:
        """What the tray's picture says of each of the departures, which left between these times
        (in order); `read_s`: when each was first read in the tray, if it was; `places_mm`: where each
        lay.

        A change is explained by the card that left last before it; where several may have come
        in one change, by the first of them, and of the others nothing is known.
        """
        came = [False] * len(left_s)
        lay_until_s = [0.0] * len(left_s)
        silent_until = [
            min((lost for lost in self._lost_s if lost >= low), default=float("inf"))
            for low, _ in left_s
        ]
        silent_from = [high for _, high in left_s]
        hidden = [False] * len(left_s)
        for change in self._changes:
            if not change.came:
                lay_until_s = [min(until_s, change.low_s) for until_s in lay_until_s]
                continue
            left = [i for i, (low, _) in enumerate(left_s) if low + TRAVEL_S <= change.high_s]
            fresh = [i for i in left if left_s[i][1] > change.low_s]
            if not left:
                continue
            owner = next((i for i in fresh if not came[i]), left[-1])
            read = read_s[owner]
            if read is None or read >= change.low_s - LATE_S:
                came[owner] = True
                if change.more_mm2 > -GONE_MM2:
                    lay_until_s[owner] = silent_until[owner]
            for i in fresh:
                if i != owner:
                    silent_from[i] = max(silent_from[i], change.high_s)
                    hidden[i] = True
            for i in left:
                if i < owner:
                    silent_until[i] = min(silent_until[i], change.low_s)
        places = list(zip(left_s, places_mm, strict=False))
        return [
            TrayPicture(
                came[i],
                self._still_s(silent_from[i], silent_until[i]),
                self._watched and (came[i] or not hidden[i]),
                self._visited(*left_s[i]),
                self._reached(*left_s[i]),
                bool(places) and self._passing(*left_s[i], places),
                in_view=self._in_view,
                lay_until_s=lay_until_s[i],
            )
            for i in range(len(left_s))
        ]

    def _visited(self, low_s: float, high_s: float) -> bool:
        """Whether something moved over the tray while a card that left between these times may have
        come there."""
        visits = self._visits
        if self._before_s is None and self._quiet_s is not None:
            visits = [*visits, (self._quiet_s, float("inf"))]
        return any(to_s > low_s + TRAVEL_S and from_s < high_s + VISIT_S for from_s, to_s in visits)

    def _reached(self, low_s: float, high_s: float) -> bool:
        """Whether fingertips were over the tray meanwhile."""
        return any(low_s < at_s < high_s + VISIT_S for at_s, _ in self._reaches)

    def _passing(
        self, low_s: float, high_s: float, departures: Sequence[tuple[tuple[float, float], Point]]
    ) -> bool:
        """Whether those fingertips lay on the straight way home along their arm from the place of a
        card that left then, this one or the next: who sits behind the tray draws all across it."""
        until_s = high_s + VISIT_S
        places = [at for left, at in departures if left[1] >= low_s and left[0] <= until_s + 1.0]
        asides = [
            min(_aside_mm(hand.tip_mm, hand.from_deg, place) for place in places)
            for at_s, hand in self._reaches
            if low_s < at_s < until_s and hand.from_deg is not None
        ]
        return bool(asides) and median(asides) <= ON_THE_WAY_MM

    def _still_s(self, from_s: float, to_s: float) -> float:
        return sum(max(0.0, min(high, to_s) - max(low, from_s)) for low, high in self._quiet)


def _aside_mm(tip: Point, from_deg: float, place: Point) -> float:
    """How far the `place` lies beside the line of an arm that comes from there."""
    east, south = sin(radians(from_deg)), -cos(radians(from_deg))
    return abs((tip[0] - place[0]) * south - (tip[1] - place[1]) * east)


ON_THE_WAY_MM = 80.0
"""A hand that goes straight home lies on the line of its arm from the card's place, but for what a
tip and a direction are known to: the median tip lay further beside it for 303 of 376 cards that came
to the tray and for none of 908 others."""

VISIT_S = 2.5
"""A hand that brings a card comes to the tray so soon after it left."""

LATE_S = 0.6
"""A card may be read in the tray so long before its picture is quiet again."""

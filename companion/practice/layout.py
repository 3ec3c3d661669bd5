"""How a table is laid: tokens, tray, deck and seats, in the table frame.

Knows paper sizes and places; knows nothing of pictures or rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from random import Random

from card_printables.marker import DISC_MM
from card_printables.token import TOKEN_MM, TRAY_HEIGHT_MM, TRAY_WIDTH_MM
from companion.practice.acting.motion import Point, Pose, polar

TRAY_SIDES = ("right", "left", "bottom", "none")
_GAP_MM = 12.0
_CARD_GAP_MM = 4.0


@dataclass(frozen=True, slots=True)
class TableLayout:
    """One laid table: poses of the four tokens (empty without tokens) and the tray (None without),
    the deck's place, the width and height that the tokens span, and the seats' shoulders clockwise,
    seat 0 first."""

    width_mm: float
    height_mm: float
    tokens: tuple[Pose, ...]
    tray: Pose | None
    deck: Pose | None
    shoulders_mm: tuple[Point, ...]
    tray_shown: float = 1.0
    """Share of the tray that the camera is made to see."""

    @property
    def centre_mm(self) -> Point:
        """The middle's centre."""
        return self.width_mm / 2, self.height_mm / 2

    def shows(self, point: Point, margin_mm: float = 0.0) -> bool:
        """False for what the picture cuts off of a tray that the camera sees in part."""
        if self.tray is None or self.tray_shown >= 1.0:
            return True
        x, y = self.tray.point_mm
        cut = self.tray_shown - 0.5
        if y > self.height_mm:
            return point[1] + margin_mm <= y + cut * TRAY_HEIGHT_MM
        if x > self.width_mm:
            return point[0] + margin_mm <= x + cut * TRAY_WIDTH_MM
        return point[0] - margin_mm >= x - cut * TRAY_WIDTH_MM

    def corners_mm(self) -> tuple[Point, ...]:
        """Points that a camera must see for this table: the tokens' and the tray's outlines."""
        reach = TOKEN_MM / 2 + 4
        w, h = self.width_mm, self.height_mm
        points = [
            (-reach, -reach),
            (w + reach, -reach),
            (w + reach, h + reach),
            (-reach, h + reach),
        ]
        if self.tray:
            x, y = self.tray.point_mm
            dx, dy = TRAY_WIDTH_MM / 2 + 6, TRAY_HEIGHT_MM / 2 + 6
            left, right, top, foot = x - dx, x + dx, y - dy, y + dy
            if self.tray_shown < 1.0:
                hidden = 1.0 - self.tray_shown
                if y > h:
                    foot -= TRAY_HEIGHT_MM * hidden + 12
                elif x > w:
                    right -= TRAY_WIDTH_MM * hidden + 12
                else:
                    left += TRAY_WIDTH_MM * hidden + 12
            points += [(left, top), (right, top), (right, foot), (left, foot)]
        return tuple(points)

    def places(self, count: int, rng: Random) -> list[Pose]:
        """`count` places in the middle where discs lie apart from one another and from the tokens."""
        least = DISC_MM + _CARD_GAP_MM
        for attempt in range(4000):
            found: list[Pose] = []
            shrink = attempt / 4000 * 6
            for _ in range(60 * count):
                pose = self._anywhere(rng)
                if all(_apart(pose, other) > least - shrink for other in found):
                    found.append(pose)
                if len(found) == count:
                    return found
        raise ValueError(
            f"{count} discs do not fit in a middle of {self.width_mm:.0f} x {self.height_mm:.0f} mm"
        )

    def free_place(self, taken: list[Pose], rng: Random) -> Pose | None:
        """A place in the middle that touches none of `taken`, or None when there is none."""
        for _ in range(400):
            pose = self._anywhere(rng)
            if all(_apart(pose, other) > DISC_MM + 2 for other in taken):
                return pose
        return None

    def is_free(self, pose: Pose, taken: list[Pose]) -> bool:
        """True when a disc at `pose` lies in the middle and touches no token and none of `taken`."""
        reach = DISC_MM / 2
        inside = (
            reach <= pose.x_mm <= self.width_mm - reach
            and reach <= pose.y_mm <= self.height_mm - reach
        )
        off_tokens = all(_apart(pose, token) > TOKEN_MM * 0.72 + reach for token in self.tokens)
        return inside and off_tokens and all(_apart(pose, other) > DISC_MM + 2 for other in taken)

    def slot(self, index: int, rng: Random, overlapping: bool) -> Pose:
        """The tray's place for the card set aside as number `index` (from 0), in two rows of three."""
        if self.tray is None:
            raise ValueError("this table has no tray")
        if overlapping:
            dx, dy = -70 + index * 22 + rng.uniform(-8, 8), rng.uniform(-18, 18)
        else:
            dx, dy = (
                (index % 3 - 1) * 86.5 + rng.uniform(-0.5, 0.5),
                (index // 3 - 0.5) * 92 + rng.uniform(-2, 2),
            )
        return Pose(self.tray.x_mm + dx, self.tray.y_mm + dy, rng.uniform(0, 360))

    def away(self, seat: int) -> Pose:
        """A place out of view on the side of `seat`."""
        x, y = self.shoulders_mm[seat]
        cx, cy = self.centre_mm
        return Pose(cx + (x - cx) * 1.15, cy + (y - cy) * 1.15, away=True)

    def body(self, seat: int) -> Point:
        """Where the player of `seat` sits: farther out than any hand goes."""
        x, y = self.shoulders_mm[seat]
        cx, cy = self.centre_mm
        return cx + (x - cx) * 1.7, cy + (y - cy) * 1.7

    def edge(self, seat: int, rng: Random) -> Pose:
        """A place at the table's edge before `seat`, just outside the tokens."""
        x, y = self.shoulders_mm[seat]
        cx, cy = self.centre_mm
        reach = DISC_MM / 2 + 8
        scale = min((cx + reach) / max(abs(x - cx), 1), (cy + reach) / max(abs(y - cy), 1))
        place = (cx + (x - cx) * scale, cy + (y - cy) * scale)
        return Pose(
            place[0] + rng.uniform(-6, 6), place[1] + rng.uniform(-6, 6), rng.uniform(0, 360)
        )

    def edge_is_free(self, pose: Pose) -> bool:
        """True when a disc at `pose` touches no token, not the tray and not the deck."""
        far = all(_apart(pose, token) > TOKEN_MM * 0.72 + DISC_MM / 2 for token in self.tokens)
        off_deck = self.deck is None or _apart(pose, self.deck) > DISC_MM + 6
        return far and off_deck and not self._on_tray(pose)

    def _on_tray(self, pose: Pose) -> bool:
        if self.tray is None:
            return False
        return (
            abs(pose.x_mm - self.tray.x_mm) < (TRAY_WIDTH_MM + DISC_MM) / 2 + 4
            and abs(pose.y_mm - self.tray.y_mm) < (TRAY_HEIGHT_MM + DISC_MM) / 2 + 4
        )

    def _anywhere(self, rng: Random) -> Pose:
        margin = DISC_MM / 2 + 6
        while True:
            pose = Pose(
                rng.uniform(margin, self.width_mm - margin),
                rng.uniform(margin, self.height_mm - margin),
                rng.uniform(0, 360),
            )
            if all(_apart(pose, token) > TOKEN_MM * 0.72 + DISC_MM / 2 for token in self.tokens):
                return pose


def lay_table(
    players: int,
    rng: Random,
    tray_side: str = "right",
    tokens: bool = True,
    deck_in_view: bool = True,
    width_mm: float = 480.0,
    height_mm: float = 310.0,
) -> TableLayout:
    """A table for `players`, laid by eye: tokens a few millimetres and degrees off, seats spread
    round it."""
    w, h = width_mm, height_mm
    low = [(x + rng.uniform(-6, 6), h + rng.uniform(-6, 6)) for x in (w, 0.0)]
    corners = [(0.0, 0.0), (w, 0.0), *low]
    laid = tuple(Pose(x, y, rng.uniform(-4, 4)) for x, y in corners) if tokens else ()
    start = rng.uniform(0, 360)
    seats = [start + 360 / players * (i + rng.uniform(-0.18, 0.18)) for i in range(players)]
    tray = _tray(tray_side, w, h, rng)
    centre = (
        (w + (tray.x_mm + TRAY_WIDTH_MM / 2 if tray and tray_side == "right" else w)) / 4,
        h / 2,
    )
    shoulders = tuple(polar(centre, angle, 720, 520) for angle in seats)
    shown = deck_in_view and tray is not None and tray_side == "right"
    deck = Pose(w + 110, h + 6, rng.uniform(0, 360), 14.0, False) if shown else None
    return TableLayout(w, h, laid, tray, deck, shoulders)


def _tray(side: str, w: float, h: float, rng: Random) -> Pose | None:
    beside = TOKEN_MM / 2 + _GAP_MM + TRAY_WIDTH_MM / 2
    turn = rng.uniform(-3, 3)
    if side == "none":
        return None
    if side == "bottom":
        return Pose(
            w / 2 + rng.uniform(-8, 8), h + TOKEN_MM / 2 + _GAP_MM + TRAY_HEIGHT_MM / 2, turn
        )
    return Pose(w + beside if side == "right" else -beside, h / 2 + rng.uniform(-10, 10), turn)


def _apart(a: Pose, b: Pose) -> float:
    return hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)

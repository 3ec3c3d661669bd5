"""The place report on a small drawn table: a flat camera straight above, discs with a marker,
hands, cups and lamps."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
import pytest

from companion.table.sighting import PlaceState
from companion.vision.frame.illumination import fit_illumination
from companion.vision.frame.log_colour import log_colour_of
from companion.vision.frame.raster import Raster
from companion.vision.places.ground import Ground
from companion.vision.places.place_watch import PlaceResult, PlaceWatch

PX = 1.25
TABLE, MARKER, MOVING, BACK, OTHER, UNKNOWN = (
    PlaceState(s) for s in ("table", "marker", "moving", "back", "other", "unknown")
)
SPOT, NEXT = (260.0, 210.0), (380.0, 230.0)


class Overhead:
    """A plane seen straight from above, `PX` pixels a millimetre."""

    width_px, height_px = 800, 500
    tray_mm = middle_mm = None

    def __init__(self) -> None:
        self.tokens_mm = {"a": (60.0, 60.0), "b": (580.0, 340.0)}

    def to_px(self, points: np.ndarray) -> np.ndarray:
        return np.asarray(points, dtype=float).reshape(-1, 2) * PX

    def to_mm(self, points: np.ndarray) -> np.ndarray:
        return np.asarray(points, dtype=float).reshape(-1, 2) / PX


@cache
def cloth(kind: str) -> np.ndarray:
    rng = np.random.default_rng(4)
    base = {"wood": (90, 130, 170), "white": (226, 229, 232), "black": (17, 15, 16)}[kind]
    image = np.ones((500, 800, 3)) * base
    if kind == "wood":
        grain = cv2.resize(rng.normal(0, 1, (120, 12)), (800, 500), interpolation=cv2.INTER_CUBIC)
        image *= (1 + 0.12 * grain)[..., None]
    return image.astype(np.float32)


@cache
def grain() -> np.ndarray:
    return np.random.default_rng(3).normal(0, 3, (532, 832, 3)).astype(np.float32)


@dataclass
class Table:
    """What lies on the drawn table; `picture` photographs it."""

    kind: str = "wood"
    cards: dict[int, tuple[tuple[float, float], str]] = field(default_factory=dict)
    cups: list[tuple[tuple[float, float], float, tuple[int, int, int]]] = field(
        default_factory=list
    )
    arm: tuple[tuple[float, float], tuple[float, float]] | None = None
    light: float = 1.0
    blur: float = 0.0
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(11))

    def picture(self) -> np.ndarray:
        image = cloth(self.kind).copy()
        for x, y in ((60, 60), (580, 340)):
            self._tag(image, x, y)
        for number, (centre, side) in self.cards.items():
            self._card(image, number, centre, side)
        for centre, size, colour in self.cups:
            cv2.circle(image, self._at(centre), int(size * PX), colour, -1, cv2.LINE_AA)
        if self.arm:
            cv2.line(
                image,
                self._at(self.arm[0]),
                self._at(self.arm[1]),
                (120, 160, 205),
                int(75 * PX),
                cv2.LINE_AA,
            )
        image = cv2.GaussianBlur(image * self.light, (0, 0), 0.6 + self.blur)
        y, x = self.rng.integers(0, 32, 2)
        return np.clip(image + grain()[y : y + 500, x : x + 800], 0, 255).astype(np.uint8)

    def _at(self, point: tuple[float, float]) -> tuple[int, int]:
        return round(point[0] * PX), round(point[1] * PX)

    def _tag(self, image: np.ndarray, x: float, y: float) -> None:
        a, b = self._at((x - 30, y - 30)), self._at((x + 30, y + 30))
        cv2.rectangle(image, a, b, (235, 235, 235), -1)
        for k in range(0, 60, 15):
            cv2.rectangle(
                image,
                self._at((x - 26 + k, y - 22)),
                self._at((x - 20 + k, y + 22)),
                (10, 10, 10),
                -1,
            )

    def _card(self, image: np.ndarray, number: int, centre: tuple[float, float], side: str) -> None:
        r = int(42.5 * PX)
        sky = (235, 190, 140) if side == "up" else (150, 40, 160)
        cv2.circle(image, self._at(centre), r, sky, -1, cv2.LINE_AA)
        if side == "up":
            x, y = centre
            cv2.circle(
                image,
                self._at((x + number % 7 - 3, y - 8)),
                int(15 * PX),
                (245, 240, 235),
                -1,
                cv2.LINE_AA,
            )
            cv2.rectangle(
                image, self._at((x - 11, y + 14)), self._at((x + 11, y + 36)), (250, 250, 250), -1
            )
            code = np.random.default_rng(number).random((9, 9)) > 0.5
            for i, j in zip(*np.nonzero(code), strict=True):
                corner = (x - 9 + 2 * j, y + 16 + 2 * i)
                cv2.rectangle(
                    image,
                    self._at(corner),
                    self._at((corner[0] + 1.6, corner[1] + 1.6)),
                    (15, 15, 15),
                    -1,
                )


class Evening:
    """A table and its watch, played frame by frame; a marker is read when its card lies face up and
    nothing is over it."""

    def __init__(self, kind: str = "wood") -> None:
        self.table, self.watch, self.plane, self.t = Table(kind), PlaceWatch(), Overhead(), 0.0
        self.places: dict[int, tuple[float, float]] = {}
        self.reads = True

    def play(self, seconds: float) -> list[PlaceResult]:
        return [self.step() for _ in range(round(seconds * 10))]

    def step(self) -> PlaceResult:
        read = (
            {n: (c, 0.0) for n, (c, side) in self.table.cards.items() if side == "up"}
            if self.reads
            else {}
        )
        self.places |= {n: centre for n, (centre, _) in read.items()}
        look = self.watch.report_places(self.table.picture(), self.plane, self.t, read, self.places)
        self.t += 0.1
        return look

    def lay(self, number: int = 7, centre: tuple[float, float] = SPOT, side: str = "up") -> None:
        self.table.cards[number] = (centre, side)


def said(looks: list[PlaceResult], card: int = 7) -> set[PlaceState]:
    return {look.states[card] for look in looks}


@pytest.mark.parametrize("kind", ["wood", "white", "black"])
def test_a_card_taken_away_is_called_table_within_half_a_second(kind: str) -> None:
    """On wood, plain white and near-black cloth alike the place is marker while the card lies and
    table soon after."""
    evening = Evening(kind)
    evening.play(1.5)
    evening.lay()
    assert said(evening.play(1)) == {MARKER}
    evening.table.cards.clear()
    evening.play(0.4)
    assert said(evening.play(0.5)) == {TABLE}


@pytest.mark.parametrize(
    ("kind", "over"),
    [("wood", (60, 110, 150)), ("white", (205, 205, 205)), ("black", (40, 40, 44))],
)
def test_a_covered_card_is_never_called_table(kind: str, over: tuple[int, int, int]) -> None:
    """A cup as large as the disc over an unread card is not the table, however long it stands
    there."""
    evening = Evening(kind)
    evening.play(1.5)
    evening.lay()
    evening.play(1)
    evening.reads = False
    evening.table.cups.append((SPOT, 44.0, over))
    assert TABLE not in said(evening.play(5))


def test_light_alone_changes_nothing() -> None:
    """Steps of half a stop up and down leave a lying card lying and a bare place bare."""
    evening = Evening("wood")
    evening.play(1.5)
    evening.lay(7)
    evening.lay(8, NEXT)
    evening.play(1)
    del evening.table.cards[8]
    evening.play(1)
    evening.reads = False
    for light in (1.25, 0.75, 1.1):
        evening.table.light = light
        looks = evening.play(0.8)
        assert said(looks, 7) == {MARKER}
        assert said(looks[4:], 8) == {TABLE}


def test_a_blurred_frame_is_no_evidence() -> None:
    """While the focus hunts every unread place is unknown and the look says it is not usable."""
    evening = Evening("wood")
    evening.play(1.5)
    evening.lay()
    evening.play(1)
    evening.reads, evening.table.blur = False, 4.0
    looks = evening.play(0.6)
    assert {look.usable for look in looks} == {False}
    assert said(looks) == {UNKNOWN}


def test_a_hand_over_a_card_moves_and_comes_from_its_side() -> None:
    """A hand that reaches in from the left over a card is moving there, and its direction is the
    left."""
    evening = Evening("wood")
    evening.play(1.5)
    evening.lay()
    evening.play(1)
    evening.reads = False
    looks = []
    for k in range(6):
        evening.table.arm = ((-60.0, 210.0), (150.0 + 30 * k, 210.0 + 3 * k))
        looks.append(evening.step())
    assert looks[-1].states[7] is MOVING
    assert abs((looks[-1].hands[0].from_deg or 0) - 270) < 20
    assert abs(looks[-1].hands[0].tip_mm[0] - 330) < 45


def test_a_back_is_learnt_in_one_look_and_told_from_other_discs() -> None:
    """A card turned over a little off its place is a back; a cup of another colour on another place
    is not."""
    evening = Evening("white")
    evening.play(1.5)
    evening.lay(9, (450.0, 150.0), "down")
    evening.watch.learn_back(evening.table.picture(), evening.plane, (450.0, 150.0))
    evening.table.cards.clear()
    evening.lay(7)
    evening.lay(8, NEXT)
    evening.play(1)
    evening.table.cards[7] = ((SPOT[0] + 9, SPOT[1] - 7), "down")
    del evening.table.cards[8]
    evening.table.cups.append((NEXT, 42.5, (60, 140, 60)))
    evening.play(0.8)
    looks = evening.play(1)
    assert said(looks, 7) == {BACK}
    assert said(looks, 8) == {OTHER}


@pytest.mark.parametrize("kind", ["white", "wood"])
def test_a_place_whose_table_was_never_seen_is_judged_by_what_surrounds_it(kind: str) -> None:
    """Footage that begins with a card lying: unread it is never table; taken away it is, within a
    second and a half."""
    evening = Evening(kind)
    evening.lay()
    evening.play(1.5)
    evening.reads = False
    evening.table.cups.append((SPOT, 43.0, (70, 90, 60)))
    assert TABLE not in said(evening.play(3))
    evening.table.cups.clear()
    evening.table.cards.clear()
    evening.play(1.4)
    assert said(evening.play(0.6)) == {TABLE}


def test_a_card_that_lay_unread_is_not_learnt_as_the_table() -> None:
    """A card that lay unread for long, then was read once, is not called table when it is unread
    again."""
    evening = Evening("wood")
    evening.reads = False
    evening.lay()
    evening.play(3)
    evening.reads = True
    evening.play(1)
    evening.reads = False
    assert TABLE not in said(evening.play(2))


def test_a_card_under_another_is_not_called_table() -> None:
    """In the tray the lower of two cards is never table while the upper one lies over it."""
    evening = Evening("wood")
    evening.play(1.5)
    evening.lay(7)
    evening.play(1)
    del evening.table.cards[7]
    evening.lay(8, (SPOT[0] + 30, SPOT[1]))
    assert TABLE not in said(evening.play(2))


def test_nothing_is_done_twice_on_a_still_table() -> None:
    """When all is settled and nothing moves, the same look is handed out again, and it says still."""
    evening = Evening("wood")
    evening.play(1.5)
    evening.lay()
    evening.play(3)
    looks = evening.play(0.5)
    assert sum(look.still for look in looks) >= 4
    assert {look.states[7] for look in looks} == {MARKER}


def test_rounding_is_no_hand() -> None:
    """Black print that flickers by a single grey level, as rounding makes it, counts as still; a
    step of five does not."""
    raster = Raster((0.0, 0.0, 300.0, 200.0), 6.0)
    raster.inside[:] = True
    ground, rng = Ground(Raster((0.0, 0.0, 300.0, 200.0), 2.0), raster), np.random.default_rng(5)
    shape = (raster.height, raster.width, 3)
    for i in range(20):
        still_s = ground.observe_cells(
            log_colour_of(rng.integers(0, 2, shape).astype(np.uint8)), 0.1 * i, 0.01
        )
    assert still_s.min() > 1.8
    assert ground.observe_cells(log_colour_of(np.full(shape, 6, np.uint8)), 2.0, 0.01).max() == 0


@pytest.mark.parametrize("kind", ["wood", "white"])
def test_a_sheet_over_card_and_table_for_long_is_not_the_table(kind: str) -> None:
    """A plain sheet that lies over a card and far round it long enough to be learnt as ground does
    not make the card gone."""
    evening = Evening(kind)
    evening.play(1.5)
    evening.lay()
    evening.play(1)
    evening.table.cups.append((SPOT, 120.0, (53, 139, 219)))
    evening.reads = False
    assert TABLE not in said(evening.play(8))
    evening.table.cups.clear()
    evening.reads = True
    assert said(evening.play(0.5)) == {MARKER}


def test_a_lamp_at_the_side_does_not_make_one_dark_thing_the_measure_of_the_light() -> None:
    """White cloth with the light falling off steeply to one corner, and one large even thing on it:
    the light found is the cloth's, a third darker in the middle, not the thing's."""
    y, x = np.mgrid[0:66, 0:106].astype(np.float32)
    across, down = x / 53 - 1, y / 33 - 1
    brighter = np.log(0.7 * (1 + 0.24 * across + 0.21 * down)).astype(np.float32)
    brighter[(x - 80) ** 2 + (y - 22) ** 2 < 18**2] = -1.45
    ones = np.ones_like(across)
    basis = np.stack([ones, across, down, across**2, across * down, down**2], axis=-1)
    field, near = fit_illumination(basis, brighter, np.ones((66, 106), bool))
    assert abs(field[33, 53] - np.log(0.7)) < 0.1
    assert near.mean() > 0.8

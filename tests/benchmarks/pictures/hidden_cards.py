"""Tables on which cards lie unread in the tray: half under one another, under a finger, burnt out,
blotted, cut off by the picture's edge; and discs that are none of ours. With known truth.

Real printed faces through the reader benchmark's camera (`reader_scenes`), in linear light.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from card_printables.marker import DISC_MM, MarkerPlace
from card_printables.output.piece_pictures import face_rgba
from companion.table.sighting import Point
from tests.benchmarks.scenes.reader_scenes import (
    CONDITIONS,
    FACE_PX_PER_MM,
    GAMMA,
    SHARES,
    TABLES,
    View,
    _cloth,
    cloud,
    develop,
    lay,
)

WAYS = ("half on", "half under", "finger", "burnt out", "blotted", "cut off", "foreign")
PLACE = MarkerPlace()
TRAY_HALF_MM = (131.0, 88.0)
MODULE_MM = 18 / 21
RADIUS_MM = DISC_MM / 2
REACH_MM = np.array([100.0, 60.0])
ASIDE_MM = np.array([50.0, 0.0])


@dataclass(frozen=True, slots=True)
class Lying:
    """A disc: its card (0: none of ours), where it lies and how turned, and the share of it in plain
    view."""

    card: int
    centre_mm: Point
    turn_deg: float
    shows: float = 1.0


@dataclass(frozen=True, slots=True)
class Hidden:
    """One picture: how cards are hidden in it, and what lies in the tray, the lowest first."""

    way: str
    image: np.ndarray
    tray: tuple[Lying, ...]


class ToldPlane:
    """The plane as the companion would know it: a millimetre or so beside the true one."""

    def __init__(self, view: View, rng: np.random.Generator, tray: np.ndarray) -> None:
        self.width_px = view.width
        self.height_px = view.height
        self.tray_mm = tuple((float(x), float(y)) for x, y in tray)
        self._view = view
        self._shift = rng.normal(0, 0.7, 2)
        turn, scale = rng.normal(0, 0.002), 1 + rng.normal(0, 0.002)
        self._turn = np.array([[1, turn], [-turn, 1]]) * scale

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        return self._view.to_px(np.asarray(points_mm, float) @ self._turn + self._shift)

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        true = self._view.to_mm(np.asarray(points_px, float))
        return (true - self._shift) @ np.linalg.inv(self._turn)


@lru_cache(maxsize=100)
def printed_face(card: int) -> np.ndarray:
    """A card's printed face in linear light, square, `FACE_PX_PER_MM`."""
    size = round(DISC_MM * FACE_PX_PER_MM)
    painted = face_rgba(card, dpi=FACE_PX_PER_MM * 25.4)
    art = cv2.resize(painted, (size, size), interpolation=cv2.INTER_AREA)[..., :3]
    return (art.astype(np.float32) / 255) ** GAMMA


class PictureTable:
    """One table, its camera and light, with the cards of a round lying in the middle: `middle`, the
    picture of that; `hidden` shows some of them in the tray."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng([seed, 77])
        self._seed = seed
        self._light = int(rng.integers(1_000_000_000))
        size = [(1280, 720), (1920, 1080)][int(rng.integers(2))]
        self.condition = str(rng.choice(list(SHARES), p=list(SHARES.values())))
        self.px_per_module = float(rng.choice([1.0, 1.25, 1.6, 2.0]))
        tilt, focal = rng.uniform(0, 38), 0.78 * size[0] * rng.uniform(0.85, 1.2)
        distance = focal * np.sqrt(np.cos(np.radians(tilt))) * MODULE_MM / self.px_per_module
        self.view = View(size, focal, tilt, distance, float(rng.uniform(-0.1, 0.06)))
        self._cloth = _cloth(rng, TABLES[int(rng.integers(4))], self.view, self.px_per_module)
        wide, high = (side * MODULE_MM / self.px_per_module for side in size)
        self._middle_of_tray = np.array([wide * 0.28, 0.0])
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * TRAY_HALF_MM
        if rng.random() < 0.7:
            sheet = self.view.to_px(corners + self._middle_of_tray)
            cv2.fillPoly(self._cloth, [sheet.astype(np.int32)], (0.8, 0.85, 0.86))
        self.plane = ToldPlane(self.view, rng, corners + self._middle_of_tray)
        cards = [int(card) for card in rng.permutation(80)[:14] + 1]
        self._spare = cards[8:]
        places: list[Point] = []
        for _ in range(int(rng.integers(4, 9)) * 200):
            at = (rng.uniform(-wide * 0.45, wide * 0.05), rng.uniform(-high, high) * 0.38)
            if all(np.hypot(at[0] - x, at[1] - y) > 90 for x, y in places):
                places.append((float(at[0]), float(at[1])))
            if len(places) == 8:
                break
        self.dealt = [
            Lying(card, at, float(rng.uniform(0, 360)))
            for card, at in zip(cards, places, strict=False)
        ]
        self.middle = self._shoot([(printed_face(d.card), d) for d in self.dealt])

    def hidden(self, way: str) -> Hidden:
        """Some of the cards in the tray, hidden in this `way`."""
        rng = np.random.default_rng([self._seed, WAYS.index(way)])
        if way == "foreign":
            return self._foreign(rng)
        piled = way.startswith("half")
        many = int(rng.integers(2, min(5, len(self.dealt)) + 1)) if piled else 1
        if way in ("finger", "burnt out", "blotted"):
            many = int(rng.integers(1, 3))
        moved = [self.dealt[int(i)] for i in rng.permutation(len(self.dealt))[:many]]
        spots = self._pile(rng, many) if piled else self._apart(rng, many, way)
        discs = [
            Lying(d.card, (float(x), float(y)), float(rng.uniform(0, 360)))
            for d, (x, y) in zip(moved, spots, strict=True)
        ]
        if way == "half under":
            discs.reverse()
        faces = [printed_face(d.card) for d in discs]
        if way == "blotted":
            faces = [_blotted(face, rng) for face in faces]
        glare = np.zeros(self._cloth.shape[:2], np.float32)
        fingers: list[Finger] = []
        for disc in discs:
            if way == "burnt out":
                self._burn(glare, _code_at(disc) + rng.normal(0, 3, 2), rng)
            if way == "finger":
                fingers.append(_finger_on(_code_at(disc), rng))
        rest = [(printed_face(d.card), d) for d in self.dealt if d not in moved]
        image = self._shoot([*rest, *zip(faces, discs, strict=True)], glare, fingers)
        shown = self._shown(discs, glare, fingers)
        return Hidden(way, image, shown)

    def _pile(self, rng: np.random.Generator, many: int) -> list[np.ndarray]:
        """Spots 20 to 60 mm apart, in a wavering row."""
        spots = [self._middle_of_tray + rng.uniform(-60, 60, 2) * (1, 0.5)]
        way = rng.uniform(0, 2 * np.pi)
        for _ in range(many - 1):
            turn = way + rng.uniform(-0.7, 0.7)
            step = rng.uniform(20, 60) * np.array([np.cos(turn), np.sin(turn)])
            low, high = self._middle_of_tray - REACH_MM, self._middle_of_tray + REACH_MM
            spots.append(np.clip(spots[-1] + step, low, high))
        return spots

    def _apart(self, rng: np.random.Generator, many: int, way: str) -> list[np.ndarray]:
        if way == "cut off":
            at_px = [[self.view.width - 1, self.view.height * rng.uniform(0.2, 0.8)]]
            x, y = self.view.to_mm(np.array(at_px))[0]
            return [np.array([x - rng.uniform(-5, 20), y])]
        sides = ((-55.0, 0.0), (55.0, 0.0))
        return [self._middle_of_tray + sides[k] + rng.uniform(-8, 8, 2) for k in range(many)]

    def _foreign(self, rng: np.random.Generator) -> Hidden:
        """Two discs that are none of the round's: other cards with their codes pasted over, other
        clouds, coasters; half of the time one on the other. Two of the round's cards are gone."""
        one = self._middle_of_tray - ASIDE_MM + rng.uniform(-8, 8, 2)
        other = self._middle_of_tray + ASIDE_MM + rng.uniform(-8, 8, 2)
        if rng.random() < 0.5:
            other = one + np.array([rng.uniform(30, 50), rng.uniform(-20, 20)])
        discs = [
            Lying(0, (float(x), float(y)), float(rng.uniform(0, 360))) for x, y in (one, other)
        ]
        faces = [_foreign_face(rng, card) for card in self._spare[:2]]
        gone = {int(i) for i in rng.permutation(len(self.dealt))[:2]}
        rest = [(printed_face(d.card), d) for i, d in enumerate(self.dealt) if i not in gone]
        image = self._shoot([*rest, *zip(faces, discs, strict=True)])
        return Hidden("foreign", image, tuple(discs))

    def _burn(self, glare: np.ndarray, at_mm: np.ndarray, rng: np.random.Generator) -> None:
        x, y = self.view.to_px(at_mm[None])[0]
        reach = self.view.px_per_mm((float(at_mm[0]), float(at_mm[1]))) * rng.uniform(9, 16)
        v, u = np.mgrid[0 : glare.shape[0], 0 : glare.shape[1]].astype(np.float32)
        glare += np.float32(rng.uniform(1.2, 2.5)) * np.exp(
            -0.5 * ((u - x) ** 2 + (v - y) ** 2) / reach**2
        )

    def _shoot(
        self,
        discs: Sequence[tuple[np.ndarray, Lying]],
        glare: np.ndarray | None = None,
        fingers: Sequence[Finger] = (),
    ) -> np.ndarray:
        light = self._cloth.copy()
        for face, disc in discs:
            lay(light, self.view, face, disc.centre_mm, disc.turn_deg)
        for finger in fingers:
            ends = self.view.to_px(np.stack([finger.far_mm, finger.tip_mm]))
            mask = np.zeros(light.shape[:2], np.uint8)
            tip = (float(finger.tip_mm[0]), float(finger.tip_mm[1]))
            wide = max(2, int(finger.wide_mm * self.view.px_per_mm(tip)))
            far, near = (tuple(int(v) for v in end) for end in ends)
            cv2.line(mask, far, near, 255, wide, cv2.LINE_AA)
            cover = cv2.GaussianBlur(mask, (0, 0), 1).astype(np.float32)[..., None] / 255
            light = light * (1 - cover) + np.array(finger.skin, np.float32) * cover
        if glare is None:
            glare = np.zeros(light.shape[:2], np.float32)
        rng = np.random.default_rng(self._light)
        return develop(rng, light, CONDITIONS[self.condition], glare)

    def _shown(
        self, discs: Sequence[Lying], glare: np.ndarray, fingers: Sequence[Finger]
    ) -> tuple[Lying, ...]:
        """The discs with the share of each that nothing hides."""
        axis = np.arange(-42.0, 43.0, 2.0)
        grid = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
        grid = grid[np.hypot(grid[:, 0], grid[:, 1]) < RADIUS_MM]
        shown = []
        for height, disc in enumerate(discs):
            at = grid + disc.centre_mm
            free = np.ones(len(at), bool)
            for above in discs[height + 1 :]:
                free &= np.hypot(*(at - above.centre_mm).T) > RADIUS_MM
            for finger in fingers:
                along = finger.far_mm - finger.tip_mm
                share = np.clip((at - finger.tip_mm) @ along / (along @ along), 0, 1)
                off = at - (finger.tip_mm + share[:, None] * along)
                free &= np.hypot(*off.T) > finger.wide_mm / 2
            px = self.view.to_px(at)
            size = np.array([self.view.width, self.view.height])
            free &= ((px > 3) & (px < size - 4)).all(axis=1)
            column, row = np.clip(px.astype(int), 0, size - 1).T
            free &= glare[row, column] < 0.35
            shown.append(Lying(disc.card, disc.centre_mm, disc.turn_deg, float(free.mean())))
        return tuple(shown)


@dataclass(frozen=True, slots=True)
class Finger:
    """A straight finger over the table."""

    far_mm: np.ndarray
    tip_mm: np.ndarray
    wide_mm: float
    skin: tuple[float, float, float]


def _finger_on(code_mm: np.ndarray, rng: np.random.Generator) -> Finger:
    turn = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(turn), np.sin(turn)])
    skin = np.array([0.15, 0.25, 0.45]) * rng.uniform(0.6, 1.6, 3)
    blue, green, red = (float(part) for part in skin)
    tip_mm = code_mm - rng.uniform(0, 9) * away
    return Finger(code_mm + 300 * away, tip_mm, float(rng.uniform(15, 40)), (blue, green, red))


def _code_at(disc: Lying) -> np.ndarray:
    turn = np.radians(disc.turn_deg)
    x, y = PLACE.centre_mm
    spun = (x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn))
    return np.array(disc.centre_mm) + spun


def _blotted(face: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    x, y = (PLACE.centre_mm + rng.normal(0, 1, 2) + RADIUS_MM) * FACE_PX_PER_MM
    ink = tuple(float(part) for part in rng.uniform(0.02, 0.3, 3))
    reach = int(rng.uniform(6, 14) * FACE_PX_PER_MM)
    return np.asarray(cv2.circle(face.copy(), (int(x), int(y)), reach, ink, -1))


def _foreign_face(rng: np.random.Generator, card: int) -> np.ndarray:
    """Another card with its code pasted over, another cloud, or a coaster."""
    face = printed_face(card).copy()
    kind = rng.choice(["card", "card", "cloud", "coaster"])
    if kind == "card":
        half = PLACE.plate_mm / 2
        x, y = PLACE.centre_mm
        corners = np.array([x - half, y - half, x + half, y + half]) + RADIUS_MM
        left, top, right, bottom = (corners * FACE_PX_PER_MM).astype(int)
        face[top:bottom, left:right] = rng.uniform(0.08, 0.8)
        return face
    if kind == "cloud":
        size = (face.shape[1], face.shape[0])
        return np.asarray(cv2.resize(cloud(rng), size) ** GAMMA, np.float32)
    face[:] = rng.uniform(0.05, 0.8, 3)
    middle = (len(face) // 2, len(face) // 2)
    for share in rng.uniform(0.1, 0.5, 4):
        ink = tuple(float(part) for part in rng.uniform(0, 1, 3))
        cv2.circle(face, middle, int(share * len(face)), ink, int(rng.uniform(4, 30)))
    return face

"""Does a card lie face down at a place, or near it? Finds the disc by what differs from the ground,
and knows its back.

Knows one ground, the disc and backs; knows no card numbers. Looking for a disc is dear, so it is
done now and then; where a back was seen it is looked at first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.table.sighting import Point
from companion.vision.places.backs import (
    Back,
    back_score,
    best_correlations,
    disc_centre,
    polar_colours,
    polar_colours_at,
)
from companion.vision.places.bare import DiscGrid, PlacePatch
from companion.vision.places.ground import Ground
from companion.vision.places.place_context import PlaceContext, PlaceRecord

BACK_REACH_MM = 26.0
"""A card turned over where it lies may end up so far from where it lay."""

BACK_EVERY_S = 0.25
"""So often a place is searched for a back; chosen."""

BACK_GRID_MM = tuple(
    (5.0 * i, 5.0 * j) for i in range(-3, 4) for j in range(-3, 4) if i * i + j * j < 14
)
BACK_STEPS_MM = ((0.0, 0.0), (2.0, 0.0), (-2.0, 0.0), (0.0, 2.0), (0.0, -2.0))

SEARCHES = 1
"""So many places are searched in one look: it takes three milliseconds where no disc shows."""

HOPELESS = 0.4
"""What is so much less like a back than a back must be is not looked at again two millimetres off.
"""


class _Turns:
    """Whose turn it is to be searched: a few in one look, first those that had to wait in the look
    before."""

    def __init__(self) -> None:
        self._look_s = -1e9
        self._left = 0
        self._first: set[int] = set()
        self._waiting: set[int] = set()

    def mine(self, who: int, t_s: float) -> bool:
        if t_s != self._look_s:
            self._look_s = t_s
            self._left = SEARCHES
            self._first = self._waiting
            self._waiting = set()
        if self._left > (0 if who in self._first else len(self._first)):
            self._left -= 1
            self._first.discard(who)
            return True
        self._waiting.add(who)
        return False


class FaceDownSearch:
    """Looks for cards lying face down on one ground."""

    def __init__(self, disc: DiscGrid, ground: Ground, is_round: bool = True) -> None:
        """`is_round`: the cards are; of a rectangle what differs from the ground does not tell where
        its middle is, and places all about are compared with the back."""
        self.disc = disc
        self._round = is_round
        self.ground = ground
        self._spacing = disc.step * ground.fine.step_mm
        self._turns = _Turns()

    def shows_back(
        self,
        record: PlaceRecord,
        context: PlaceContext,
        others: list[Point],
        moves: bool,
        backs: Sequence[Back],
    ) -> bool:
        """Whether a card lies face down at or near the place: where it lay before, else where a
        disc shows."""
        if record.back_mm is not None and self._like_back(record.back_mm, context, backs) > 1.0:
            return True
        record.back_mm = None
        if (
            moves
            or context.t_s - record.searched_s < BACK_EVERY_S
            or not self._turns.mine(id(record), context.t_s)
        ):
            return False
        record.searched_s = context.t_s
        start = self._disc_near(record, context, others) if self._round else None
        x, y = (
            start
            if start is not None
            else self._likeliest(record.centre_mm, BACK_GRID_MM, context, backs)
        )
        for dx, dy in BACK_STEPS_MM:
            like = self._like_back((x + dx, y + dy), context, backs)
            if like > 1.0:
                record.back_mm = (x + dx, y + dy)
                return True
            if like < HOPELESS:
                break
        return False

    def _likeliest(
        self, centre: Point, steps: Sequence[Point], context: PlaceContext, backs: Sequence[Back]
    ) -> Point:
        points = [(centre[0] + dx, centre[1] + dy) for dx, dy in steps]
        views = polar_colours_at(
            context.picture, context.shrink, context.plane, points, self.disc.radius_mm
        )
        scores = np.max([best_correlations(back, views) for back in backs], axis=0)
        return points[int(scores.argmax())]

    def _like_back(self, at: Point, context: PlaceContext, backs: Sequence[Back]) -> float:
        seen = polar_colours(
            context.picture, context.shrink, context.plane, at, self.disc.radius_mm
        )
        return max(
            back_score(back, seen, context.illumination.blue, context.illumination.red)
            for back in backs
        )

    def surroundings(
        self, record: PlaceRecord, context: PlaceContext, others: list[Point], wider: int
    ) -> tuple[PlacePatch, np.ndarray] | None:
        """A patch wider than the ring, and its pixels in view and free of other cards; None at the
        raster's edge."""
        patch = self.disc.cut_patch(context.picture, self.ground.fine, record.centre_mm, wider)
        if patch is None:
            return None
        free, middle = patch.inside.copy(), self.disc.reach + wider
        y, x = np.ogrid[-middle : middle + 1, -middle : middle + 1]
        for ox, oy in others:
            dx, dy = ox - record.centre_mm[0], oy - record.centre_mm[1]
            free &= (
                np.hypot(x * self._spacing - dx, y * self._spacing - dy) > self.disc.radius_mm + 2
            )
        return patch, free

    def _disc_near(
        self, record: PlaceRecord, context: PlaceContext, others: list[Point]
    ) -> Point | None:
        """The centre of the disc that lies at or near a place, by what differs from the ground;
        None where none shows."""
        wider = int(BACK_REACH_MM / self._spacing)
        wide = self.surroundings(record, context, others, wider)
        if wide is None:
            return None
        patch, free = wide
        base = self.ground.ground_patch(patch.rows, patch.columns)
        if np.count_nonzero(base.known) < 0.8 * base.known.size:
            return None
        unlike = free & self.disc.pixels_unlike_ground(
            patch,
            base,
            context.illumination,
            context.illumination.gain_at(*self.ground.coarse.cell_at(record.centre_mm)),
        )
        found = disc_centre(unlike, self.disc.radius_mm / self._spacing)
        if found is None:
            return None
        middle = self.disc.reach + wider
        dx, dy = (found[1] - middle) * self._spacing, (found[0] - middle) * self._spacing
        return record.centre_mm[0] + dx, record.centre_mm[1] + dy

"""Looks at one still camera's pictures, gathered: tags pooled, light, flicker, and which places
were really read.

Knows pictures and tags; must not know what is told of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.cameras.grey import grey_of
from calibration.geometry.tag_pool import TagPool
from calibration.tags.find import SeenTag, find_all_tags
from calibration.tags.illumination import (
    FAINT_CONTRAST,
    TagLight,
    tag_light,
    tag_light_inside,
)
from calibration.tags.refine import refined_tags
from card_printables.token import tag_cells

_LEVELS = 30
_READS = 2000
_SAME_CARD_PX = 8.0
"""A code read so near to where one was lies there still (chosen)."""
_SAME_LIGHT_TIMES = (0.65, 1.5)
"""A picture so much darker or brighter, by its mean grey, is in another light than before (chosen: a lamp
that was switched off takes a half and more; hands and cards on a third of the table less)."""

_FEWEST_LEVELS = 4
_FAINT_INSIDE = 2 * FAINT_CONTRAST
"""Noise makes faint modules look darker and brighter than they are."""
_STEP_TO_SPREAD = 2.0
"""A light that alternates steps by twice its spread."""


@dataclass(slots=True)
class Survey:
    """What the pictures so far showed; `image` is the last one, `grey` its grey (H, W) uint8."""

    pool: TagPool = field(default_factory=lambda: TagPool((1, 1)))
    every: list[SeenTag] = field(default_factory=list)
    lights: list[TagLight] = field(default_factory=list)
    levels: list[float] = field(default_factory=list)
    image: np.ndarray = field(default_factory=lambda: np.zeros((1, 1), np.uint8))
    grey: np.ndarray = field(default_factory=lambda: np.zeros((1, 1), np.uint8))
    proofs: list[tuple[float, float, float]] = field(default_factory=list)
    """Where cards were read (x, y, px), and how bright the picture was then (its mean grey)."""
    codes_px: list[np.ndarray] = field(default_factory=list)

    def add_picture(self, image: np.ndarray, codes_px: Sequence[np.ndarray] = ()) -> None:
        """Take in one picture (H, W, 3) or (H, W) uint8, and the corners (4, 2) px of cards' codes
        that were really read in it.

        Pictures of another size than the first are left out. Where most of the tags lie elsewhere than
        before, the camera moved: what earlier pictures showed is forgotten."""
        grey = grey_of(image)
        size = (grey.shape[1], grey.shape[0])
        if not self.pool.count:
            self.pool = TagPool(size)
        if self.pool.size_px != size:
            return
        found = refined_tags(grey, find_all_tags(grey))
        tags = {tag.id: tag.corners_px for tag in reversed(found)}
        self._forget_what_moved(tags)
        self.image = image
        self.grey = grey
        self.pool.add_look(tags)
        self.levels = [*self.levels[1 - _LEVELS :], float(grey[::4, ::4].mean())]
        self.every = found if len(found) > len(self.every) else self.every
        self.lights = [light for tag in found if (light := _light(grey, tag))] or self.lights
        self.add_codes(codes_px)

    def _forget_what_moved(self, tags: Mapping[int, np.ndarray]) -> None:
        """Begin anew where the camera moved; of one token that was laid elsewhere forget where it lay."""
        known, moved = self.pool.seen_before(tags), self.pool.moved(tags)
        if 2 * len(moved) > len(known):
            self.pool = TagPool(self.pool.size_px)
            self.every, self.lights, self.levels = [], [], []
            self.proofs, self.codes_px = [], []
        elif moved:
            self.pool.forget(moved)

    def show_picture(self, image: np.ndarray, codes_px: Sequence[np.ndarray] = ()) -> None:
        """Take in one picture as `add_picture` does, and let only it say what lies there: for people
        who see this picture beside what is said of it. What was seen before makes sizes and places
        more certain, and proves places; it says of nothing that it is still there."""
        self.every, self.lights, self.codes_px = [], [], []
        self.add_picture(image, codes_px)
        self.pool.forget_others({tag.id for tag in self.every})

    def add_codes(self, codes_px: Sequence[np.ndarray]) -> None:
        """Cards' codes that were read in the last picture: corners (4, 2) px each."""
        self.codes_px = [
            np.asarray(code, float).reshape(4, 2) for code in codes_px
        ] or self.codes_px
        middles = [(float(x), float(y)) for x, y in (np.mean(code, axis=0) for code in codes_px)]
        known = [(x, y) for x, y, level in self.proofs if not self._is_light_of(level)]
        fresh = [one for one in middles if not _lies_at(one, known)]
        self.proofs = [*self.proofs, *((x, y, self.levels[-1]) for x, y in fresh)][-_READS:]

    @property
    def reads_px(self) -> list[tuple[float, float]]:
        """Where cards were read (x, y, px) in light as it is now: in another one they may not be. A card that
        has lain there since another light is known again by much less than it takes to read it."""
        return [(x, y) for x, y, level in self.proofs if self._is_light_of(level)]

    def _is_light_of(self, level: float) -> bool:
        """True while the picture is about as bright as when its mean grey was this."""
        darker, brighter = _SAME_LIGHT_TIMES
        return darker * level <= max(self.levels[-1], 1.0) <= brighter * level

    @property
    def flicker(self) -> float:
        """How much the brightness changes from picture to picture, as a share of it; a lamp that was
        switched on once is no flicker. 0 for fewer than four pictures."""
        if len(self.levels) < _FEWEST_LEVELS:
            return 0.0
        steps = float(np.median(np.abs(np.diff(self.levels))))
        return steps / _STEP_TO_SPREAD / max(float(np.mean(self.levels)), 1.0)


def _lies_at(at_px: tuple[float, float], known_px: Sequence[tuple[float, float]]) -> bool:
    return any(np.hypot(at_px[0] - x, at_px[1] - y) < _SAME_CARD_PX for x, y in known_px)


def _light(grey: np.ndarray, tag: SeenTag) -> TagLight | None:
    """A tag cut along its border has no white beside its black to measure blur on, and a faint one no
    edge: their modules show how dark it is all the same."""
    dark = tag_cells(tag.id)
    inside = tag_light_inside(grey, tag.corners_px, dark)
    if tag.trimmed:
        return inside
    is_faint = inside is not None and inside.contrast < _FAINT_INSIDE
    return tag_light(grey, tag.corners_px, dark) or (inside if is_faint else None)

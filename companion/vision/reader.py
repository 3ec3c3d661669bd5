"""The reader: a grey picture in, the cards in it out.  Composes the known-deck decoder and zxing-cpp.

Knows which numbers belong to this evening's deck.  Knows no time: what was there a moment ago is handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from card_printables.deck import DECKS, PUBLISHED_SIZE, Word, word_of, words
from card_printables.marker import SYMBOL_MM
from companion.vision import zxing_reader
from companion.vision.detect import Box, Conflict, Corners, Detection, Expected, Foreign, Reading
from companion.vision.known_deck import SIGMAS, compare
from companion.vision.pose import Levels, corners_of, pose_of, px_per_module, refine

LOOSE = np.array([2.0, 2.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5])


class PlaneLike(Protocol):
    """What the reader asks of the table plane."""

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Pixels of table points (N, 2)."""
        ...

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        """Table points of pixels (N, 2)."""
        ...


def grey_of(image: np.ndarray) -> np.ndarray | None:
    """The picture as (H, W) uint8 grey, or None when it is no picture: grey, BGR or BGRA; 8 or 16 bits or floats."""
    if not isinstance(image, np.ndarray) or image.size == 0 or image.ndim not in (2, 3):
        return None
    if image.ndim == 3:
        if image.shape[2] not in (1, 3, 4):
            return None
        image = image[:, :, 0] if image.shape[2] == 1 else image[:, :, :3] @ np.array([0.114, 0.587, 0.299], np.float32)
    if image.dtype == np.uint16:
        image = image / np.float32(257)
    if image.dtype != np.uint8:
        finite = np.nan_to_num(image.astype(np.float32), nan=0.0, posinf=255.0, neginf=0.0)
        image = np.clip(finite * (255.0 if finite.max(initial=0.0) <= 1.0 else 1.0), 0, 255).astype(np.uint8)
    return np.ascontiguousarray(image)


class Reader:
    """Reads the cards of one deck in single pictures."""

    def __init__(
        self, numbers: Iterable[int] = range(1, PUBLISHED_SIZE + 1), deck: str = DECKS[0], symbol_mm: float = SYMBOL_MM
    ) -> None:
        """Take `numbers` of `deck` as this table's cards; every other word is foreign."""
        self.numbers = frozenset(numbers)
        self.deck = deck
        self.symbol_mm = symbol_mm

    def read(
        self,
        grey: np.ndarray,
        plane: PlaneLike | None = None,
        expected: Sequence[Expected] = (),
        region: Sequence[Box] | None = None,
    ) -> Reading:
        """All cards and backs in `grey` ((H, W) uint8), and what does not count; a frame of any other kind gives nothing.

        `plane` says how large a code is where.  `expected` are confirmed first, where they lay.  `region` are boxes
        (left, top, right, bottom px) where new cards may have come; None is everywhere, () nowhere.
        """
        picture = grey_of(grey)
        if picture is None or min(picture.shape) < 21:
            return Reading()
        levels = Levels(picture)
        found: list[Detection] = []
        foreign: list[Foreign] = []
        reads = zxing_reader.read_codes(picture)
        if max(picture.shape) <= 2000:
            reads += zxing_reader.read_codes(picture, enlarge=2)
        for read in reads:
            word = word_of(read.payload)
            if word is None or not self._ours(word):
                foreign.append(Foreign(read.payload[:64], _corners(read.corners_px)))
                continue
            detection = _settle(levels, word, read.corners_px)
            if not any(_same_place(detection, other) for other in found):
                found.append(detection)
        return _sorted_out(found, foreign)

    def _ours(self, word: Word) -> bool:
        return word.is_back or (word.deck == self.deck and word.card in self.numbers)


def _corners(points: np.ndarray) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)


def _settle(levels: Levels, word: Word, corners_px: np.ndarray) -> Detection:
    """A zxing read with its corners refined on the word's modules; where that fails the rough corners stay."""
    upright = len(words())
    index = words().index(word)
    pose = pose_of(corners_px[None])
    scale = float(px_per_module(pose)[0])
    sigma = min(SIGMAS, key=lambda s: abs(s - 0.9 / min(max(scale, 0.8), 2.0)))
    both = np.array([index, index + upright])
    poses, patches = refine(levels, np.repeat(pose, 2, axis=0), both, sigma, LOOSE, rounds=8)
    likeness = compare(patches, sigma)
    right = likeness.word == both
    if not right.any():
        return Detection(word.card, word.deck, word.is_back, _corners(corners_px), 0.3, "zxing")
    best = int(np.argmax(np.where(right, likeness.own, -1)))
    corners = corners_of(poses[best : best + 1])[0]
    if best == 1:  # a mirrored print: its own top-right is what zxing took for the bottom-left
        corners = corners[[0, 3, 2, 1]]
    score = float(likeness.own[best])
    return Detection(word.card, word.deck, word.is_back, _corners(corners), score, "zxing", mirrored=best == 1)


def _same_place(one: Detection, other: Detection) -> bool:
    (ax, ay), (bx, by) = one.centre_px, other.centre_px
    (cx, cy), (dx, dy) = one.corners_px[0], one.corners_px[2]
    return float(np.hypot(ax - bx, ay - by)) < 0.5 * float(np.hypot(cx - dx, cy - dy))


def _sorted_out(found: list[Detection], foreign: list[Foreign]) -> Reading:
    """The reading without anything that cannot be true."""
    upright = [d for d in found if not d.mirrored]
    counts: dict[int, list[Detection]] = {}
    for detection in upright:
        if detection.card is not None:
            counts.setdefault(detection.card, []).append(detection)
    twice = {card: places for card, places in counts.items() if len(places) > 1}
    conflicts = tuple(Conflict("twice", (card,), tuple(d.corners_px for d in places)) for card, places in twice.items())
    kept = tuple(d for d in upright if d.card not in twice)
    return Reading(kept, conflicts, tuple(foreign), tuple(d for d in found if d.mirrored))

"""Which word of the family a dark square shows, told from its light as a whole.

Knows grey pixels and the family's words; must not know which tags the table set has for what.

OpenCV decides each module for itself and counts the wrong ones. Small or blurred tags have many, and
yet resemble only one word: so the light of all modules, border and margin included, is correlated
with every word in its four turns.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.tags.edges import refine_corners

LEAST_LIKENESS = 0.77
LEAST_LEAD = 0.1
"""Correlation with the best word, and its lead over every other word. On photographs of 36h11 tags,
with all 587 words allowed, true words of squares that OpenCV had given up reached 0.71 to 0.94 and
led by 0.11 to 0.27; of 2,083 other squares none came beyond 0.66
(`tests/benchmarks/real_pictures`). Of 400 made-up tags in a perfect border one was taken for one
of the 587 words. All words are compared, also where eight alone are looked for: beside seven others a
real tag of another family led by enough."""

_WORTH_SHARPENING = 0.4
"""A square that resembles some word so much is looked at again with sharpened corners (chosen)."""

_MOST_SHARPENED = 60
"""So many of them at most: a checked cloth has hundreds of squares (chosen; OpenCV maps at most
32,767 rows at once, which are 170 squares' sides)."""

_MARGIN_WEIGHT = 0.25
"""What a module of the white margin counts for beside one of the tag: scissors and shadows reach
there (chosen)."""

_INNER = 0.2
"""Each module's light is the mean of four points so far from its middle, in modules."""


@dataclass(frozen=True, slots=True)
class WordPatterns:
    """The words (W,) of a family with `modules` inner modules a side, each in four turns, ready to
    be compared: rows (4 W, N) of zero mean and unit length under the weights (N,)."""

    rows: np.ndarray
    weights: np.ndarray
    side: int

    @classmethod
    def of(cls, words: cv2.aruco.Dictionary) -> WordPatterns:
        """The patterns of an OpenCV dictionary's words."""
        modules = int(words.markerSize)
        count = len(words.bytesList)
        light = np.ones((count, modules + 4, modules + 4))
        light[:, 1:-1, 1:-1] = 0
        for i in range(count):
            bits = cv2.aruco.Dictionary.getBitsFromByteList(words.bytesList[i : i + 1], modules)
            light[i, 2:-2, 2:-2] = bits
        weights = np.full(light.shape[1:], _MARGIN_WEIGHT)
        weights[1:-1, 1:-1] = 1
        weights /= weights.sum()
        turned = np.stack([np.rot90(light, k, (1, 2)) for k in range(4)], axis=1)
        flat = weights.ravel()
        return cls(_normal(turned.reshape(4 * count, -1), flat), flat, modules + 2)


def identified(
    grey: np.ndarray, squares_px: np.ndarray, patterns: WordPatterns
) -> list[tuple[int, np.ndarray]]:
    """Which of `squares_px` (n, 4, 2), clockwise, show a word: its number, and the corners (4, 2) px
    from the word's top-left. `grey` is (H, W) uint8."""
    if not len(squares_px):
        return []
    squares = np.asarray(squares_px, float)
    likeness, _, _ = _compared(grey, squares, patterns)
    likest = np.argsort(-likeness)[:_MOST_SHARPENED]
    squares = squares[likest[likeness[likest] >= _WORTH_SHARPENING]]
    if not len(squares):
        return []
    sharp = refine_corners(grey, squares)
    usable = np.isfinite(sharp).all(axis=(1, 2))
    every = np.concatenate([squares, sharp[usable]])
    likeness, lead, best = _compared(grey, every, patterns)
    sure = np.flatnonzero((likeness >= LEAST_LIKENESS) & (lead >= LEAST_LEAD))
    order = sure[np.argsort(-likeness[sure])]
    return [(int(best[i] // 4), np.roll(every[i], int(best[i] % 4), axis=0)) for i in order]


def _compared(
    grey: np.ndarray, squares: np.ndarray, patterns: WordPatterns
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each square (n, 4, 2) px the likeness of the best word, its lead over the next, and the
    row of `patterns` it is."""
    scores = (_normal(_light(grey, squares, patterns.side), patterns.weights)) * patterns.weights
    words = (scores @ patterns.rows.T).reshape(len(squares), -1, 4)
    by_word = words.max(axis=2)
    word = by_word.argmax(axis=1)
    each = np.arange(len(squares))
    likeness = by_word[each, word]
    by_word[each, word] = -1
    return likeness, likeness - by_word.max(axis=1), word * 4 + words[each, word].argmax(axis=1)


def _light(grey: np.ndarray, squares: np.ndarray, side: int) -> np.ndarray:
    """The light of each module of the squares and of the margin round them, (n, (side + 2)^2)."""
    places = np.arange(-1, side + 1) + 0.5
    v, u = np.meshgrid(places, places, indexing="ij")
    near = [(du, dv) for du in (-_INNER, _INNER) for dv in (-_INNER, _INNER)]
    at = np.concatenate(
        [np.column_stack([u.ravel() + du, v.ravel() + dv, np.ones(u.size)]) for du, dv in near]
    )
    printed = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    maps = [cv2.getPerspectiveTransform(printed, s.astype(np.float32)) for s in squares]
    rays = np.einsum("pk,njk->npj", at, np.array(maps))
    with np.errstate(divide="ignore", invalid="ignore"):
        points = np.nan_to_num(rays[..., :2] / rays[..., 2:], nan=-1.0, posinf=-1.0, neginf=-1.0)
    points = np.clip(points, -1e4, 1e5).astype(np.float32)
    light = cv2.remap(
        grey, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(light.reshape(len(squares), len(near), -1).astype(float).mean(axis=1))


def _normal(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The rows with zero mean and unit length under the weights; zero where they are flat."""
    off = rows - (rows * weights).sum(axis=1, keepdims=True)
    length = np.sqrt((off**2 * weights).sum(axis=1, keepdims=True))
    return np.asarray(off / np.maximum(length, 1e-6))

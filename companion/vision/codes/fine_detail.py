"""Fine detail in a rectified picture: where there is so much of it that a code may lie there, and
where it is only stripes.

Knows a code's modules and how large they are; knows no words, no table.
"""

from __future__ import annotations

import cv2
import numpy as np

STRIPED_SHARE = 0.8
"""How much of all light and dark goes one way where a place is stripes: cloths of stripes two to
six modules wide have 0.6 to 0.95."""

CODE_SHARE = 0.45
"""The same where it may be a code: codes have 0.14 at the median, 0.46 at most (330 in good,
typical and hard pictures, motion and all, `tests/benchmarks/reader.py` seeds 20-33)."""

STRIPES_KEEP_SHARE = 0.1
"""So much of its detail stripes keep; chosen."""


def _odd(length: float) -> int:
    return 2 * round((length - 1) / 2) + 1


def detail_density(smooth: np.ndarray, pitch: float) -> np.ndarray:
    """How evenly fine dark detail fills a code's disc round each place: half the size of `smooth`,
    float32.

    Dark detail is what a closing of five modules fills: every module of a code, no card's rim, no
    check of a cloth. The least of nine windows counts, so that a dark strip beside a plate does not
    pass for a code.
    """
    window = np.ones((_odd(5 * pitch),) * 2, np.uint8)
    dark = cv2.subtract(cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, window), smooth)
    half = cv2.resize(dark, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    part = cv2.blur(np.sqrt(half, dtype=np.float32), (_odd(4 * pitch),) * 2)
    near, far = round(2.25 * pitch), round(3.0 * pitch)
    candidates = np.zeros((2 * far + 1,) * 2, np.uint8)
    for x, y in (
        (near, near),
        (near, -near),
        (-near, near),
        (-near, -near),
        (far, 0),
        (-far, 0),
        (0, far),
        (0, -far),
    ):
        candidates[far + y, far + x] = 1
    return cv2.erode(part, candidates)


def many_ways_share(smooth: np.ndarray, pitch: float) -> np.ndarray:
    """How much detail keeps of its weight: 1 where light and dark go every way, as in a code, LEFT
    where they go one way only, as in a striped cloth; half the size of `smooth`, float32."""
    rows, columns = (2 * (length // 2) for length in smooth.shape)
    here, right, below = (
        smooth[y:rows:2, x:columns:2].astype(np.float32) for y, x in ((0, 0), (0, 1), (1, 0))
    )
    across, down = right - here, below - here
    ways = cv2.merge([across * across, down * down, across * down])
    ways = cv2.resize(ways, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    xx, yy, xy = cv2.split(cv2.blur(ways, (_odd(1.5 * pitch),) * 2))
    one = ((xx - yy) ** 2 + 4 * xy * xy) / np.maximum(xx + yy, 0.1) ** 2
    kept = np.clip((STRIPED_SHARE - one) / (STRIPED_SHARE - CODE_SHARE), STRIPES_KEEP_SHARE, 1)
    return np.asarray(
        cv2.resize(
            kept,
            (round(smooth.shape[1] / 2), round(smooth.shape[0] / 2)),
            interpolation=cv2.INTER_LINEAR,
        )
    )

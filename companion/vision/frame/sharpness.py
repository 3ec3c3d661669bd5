"""Is this frame sharp and lit well enough to be believed?

Compares the steepest edges on the tokens with how steep they were before. Without tokens a picture
in which a marker was read is sharp enough, and one in which none was is compared, as a whole, with
others of its kind: how steep a plain cloth's edges are depends on how many cards lie on it.
Logarithms make it blind to exposure.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from companion.vision.frame.log_colour import LOGARITHM

SHARP_STEEPNESS_SHARE = 0.6
"""Edges must keep so much of their usual steepness; 1.5 px of defocus leaves about half."""

WHOLE_STEEPNESS_SHARE = 0.45
"""The same of a whole picture without tokens; chosen."""

TOKEN_CROP_MM = 34.0
"""Round a token's middle: its tag and no more."""

TOKEN_FADE = 0.998
"""By so much what is usual on a token is forgotten with each look; chosen."""

WHOLE_FADE = 0.98
"""The same on a whole picture in which no marker was read: soon, for cards that lay there unread
make it steeper than a plain cloth ever is again."""
TOO_DARK_GREY = 7.0
"""Where not even the brightest pixel reaches it nothing can be told; chosen."""

_STEEP = np.round(LOGARITHM * 45).astype(np.uint8)


def steepness(green: np.ndarray) -> float:
    """The 98th percentile of the horizontal steps two pixels apart, in log units, of a (h, w) uint8
    picture."""
    if green.shape[1] < 8 or green.shape[0] < 1:
        return 0.0
    logs = _STEEP[green].astype(np.int16)
    counts = np.bincount(np.abs(logs[:, 2:] - logs[:, :-2]).ravel(), minlength=256)
    return float(np.searchsorted(np.cumsum(counts), 0.98 * counts.sum())) / 45.0


class Sharpness:
    """Remembers how steep the edges usually are."""

    def __init__(self) -> None:
        self._usual: dict[str, float] = {}

    def judge_sharpness(self, image_bgr: np.ndarray, plane: Any, read: bool) -> str:
        """ "" when the picture can be believed, else "blurred" or "dark"; `read`: a marker was read
        in it."""
        if float(image_bgr[::16, ::16].max()) < TOO_DARK_GREY:
            return "dark"
        shares = [self._share(name, crop) for name, crop in self._crops(image_bgr, plane)]
        if shares:
            return "" if max(shares) >= SHARP_STEEPNESS_SHARE else "blurred"
        return (
            ""
            if read or self._share("all", image_bgr[::8, :, 1], WHOLE_FADE) >= WHOLE_STEEPNESS_SHARE
            else "blurred"
        )

    def _share(self, name: str, green: np.ndarray, fade: float = TOKEN_FADE) -> float:
        now = steepness(green)
        usual = max(self._usual.get(name, 0.0) * fade, now)
        self._usual[name] = usual
        return now / usual if usual > 0 else 1.0

    def _crops(self, image: np.ndarray, plane: Any) -> list[tuple[str, np.ndarray]]:
        out = []
        for name, centre in (getattr(plane, "tokens_mm", None) or {}).items():
            c = np.asarray(centre, dtype=np.float64)
            corners = c + TOKEN_CROP_MM * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
            px = np.asarray(plane.to_px(corners), dtype=np.float64).reshape(-1, 2)
            if not np.isfinite(px).all():
                continue
            x0, y0 = np.maximum(px.min(axis=0), 0).astype(int)
            x1, y1 = np.minimum(px.max(axis=0), (image.shape[1], image.shape[0])).astype(int)
            if x1 - x0 > 12 and y1 - y0 > 12:
                out.append((str(name), image[y0:y1:2, x0:x1, 1]))
        return out

"""Is this frame sharp and lit well enough to be believed?

Compares the steepest edges on the tokens with how steep they were before. Without tokens a picture
in which a marker was read is sharp enough, and one in which none was is compared, as a whole, with
others of its kind: how steep a plain cloth's edges are depends on how many cards lie on it.
Logarithms make it blind to exposure.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from calibration.cameras.grey import grey_of
from calibration.cameras.saturation import SATURATION
from calibration.check.picture_problems import blur_where_nothing_is_found
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

DIM_WHITE_GREY = 64.0
"""Where the tokens' white is darker than this a picture without clear edges is too dark; chosen: by
then sharp edges are no longer steep, the logarithm being tamed."""

DIMMED_SHARE = 0.6
"""A picture in which no token is seen became darker when its middle grey is less than this of what it
was while they were; chosen."""

NARROW_SHARE = 0.55
"""An edge is narrow when so much of the way from black to white lies within two pixels; chosen: a
defocus of 2 px leaves less."""

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
    """Remembers how steep the edges usually are, and how light the picture."""

    def __init__(self) -> None:
        self._usual: dict[str, float] = {}
        self._lit_grey = 0.0
        """How light the picture was while tokens were seen clearly."""

    def judge_sharpness(self, image_bgr: np.ndarray, plane: Any, read: bool) -> str:
        """ "" when the picture can be believed, else "blurred" or "dark"; `read`: a marker was read
        in it."""
        if float(image_bgr[::16, ::16].max()) < TOO_DARK_GREY:
            return "dark"
        shares = [self._share(name, crop) for name, crop in _token_crops(image_bgr, plane)]
        if shares and max(shares) < SHARP_STEEPNESS_SHARE:
            return "blurred"
        if shares:
            self._lit_grey = max(self._lit_grey * TOKEN_FADE, _middle_grey(image_bgr))
            return ""
        return (
            ""
            if read or self._share("all", image_bgr[::8, :, 1], WHOLE_FADE) >= WHOLE_STEEPNESS_SHARE
            else "blurred"
        )

    def fault_of(self, image_bgr: np.ndarray, plane: Any) -> str:
        """What people are told of a picture without clear edges: "dark", "bright" (burnt out) or
        "blurred".

        `plane`: where the tokens are; None where none is seen, and then "" too: what lies where their
        edges were may be a cloth, a plate or a wall. A black cloth is not dark for that: the picture
        must have become darker."""
        crops = [crop for _, crop in _token_crops(image_bgr, plane)]
        halved = image_bgr[::2, ::2]
        levels = [np.percentile(green, (50, 98)) for green in crops or [halved[..., 1]]]
        darker = bool(crops) or _middle_grey(image_bgr) < DIMMED_SHARE * self._lit_grey
        if max(white for _, white in levels) < DIM_WHITE_GREY and darker:
            return "dark"
        if max(middle for middle, _ in levels) >= SATURATION.pixel_grey:
            return "bright"
        if crops:
            return "bright" if any(map(_is_sharp_and_burnt, crops)) else "blurred"
        return "" if blur_where_nothing_is_found(grey_of(halved)) is None else "blurred"

    def _share(self, name: str, green: np.ndarray, fade: float = TOKEN_FADE) -> float:
        now = steepness(green)
        usual = max(self._usual.get(name, 0.0) * fade, now)
        self._usual[name] = usual
        return now / usual if usual > 0 else 1.0


def _middle_grey(image_bgr: np.ndarray) -> float:
    return float(np.median(image_bgr[::16, ::16, 1]))


def _is_sharp_and_burnt(green: np.ndarray) -> bool:
    """Whether the white is burnt out while edges are narrow: only black that is too bright can then
    have made them less steep."""
    black, white = np.percentile(green, (2, 98))
    steps = np.abs(green[:, 2:].astype(np.int16) - green[:, :-2])
    narrow = np.percentile(steps, 98) >= NARROW_SHARE * (white - black)
    return bool(white >= SATURATION.pixel_grey and narrow)


def _token_crops(image: np.ndarray, plane: Any) -> list[tuple[str, np.ndarray]]:
    """The tokens' tags in green, by the tokens' names."""
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

"""What is wrong with the picture itself: too dark, burnt out, hazy, soft, smeared, glared at,
shaken, flickering.

Knows grey pixels, what the tags show of light, and the plane; must not know advice or the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.cameras.saturation import SATURATION
from calibration.check.problem import Problem, burnt_out_white, faint, where_of
from calibration.check.readability import GREEN_CHANCE, read_chance
from calibration.geometry.plane import Plane
from calibration.tags.illumination import TagLight
from card_printables.marker import MODULES, SYMBOL_MM, MarkerPlace
from card_printables.token import TAG_MODULES, TOKEN_MM, TOKEN_NAMES, TOKENS


@dataclass(frozen=True, slots=True)
class PictureThresholds:
    """From where on a picture has something wrong with it.

    A room is dim below `dim_contrast` grey levels between black and white print (chosen: a lit room
    gives 100 to 180), and below `lost_contrast` sides are no longer where they seem: with 13 to 16
    levels flat tokens looked bent (tests/calibration/check/test_darkness.py). Where white has `lit_white`
    levels (chosen: with black print of a clean lens a contrast of 90) and it is hazy, it is not the room
    that is dark. It is burnt out where the tokens' white is, and either black has more than
    `burnt_black_share` of white's light (print and a clean lens give 0.1 at most) or `burnt_table_share` of
    the table is burnt out beside them (chosen), or cards are not read at once where `burnt_exposure`
    times the light that burns out white falls on the tokens: of that light on white spreads into
    black (tests/calibration/check/test_brightness.py). A picture is soft above `soft_px` of median edge blur: from 0.7 to 1.2 px of
    blur readers need a whole pixel a module more (tests/benchmarks/fits/read_curve.py). Where that is
    also `unclear_modules` of the tokens' modules, sides are no longer where they seem: from 0.15 on
    flat tokens of true size looked bent or misprinted, and from `lost_modules` on some are not found
    at all, however few pixels that is (tests/calibration/check/test_softness.py). Where nothing is found, the picture is soft when its
    clearest edges, of `edge_grey` levels or more, are blurred by `lost_share` of its width: from there
    on tokens that fill the picture are not found. It has moved where the softer pair of a tag's sides is
    `moved_px` soft, and `moved_times` the blur of both together, as where one is 1.5 times the other; which way it moved
    cannot be told where it moved across both alike: from `smeared_px` of softness on nothing is told by a token's
    sides (tests/calibration/check/test_movement.py). It is hazy
    when black print has more than `haze_share` of white's light: print and a clean lens give 0.02 to
    0.1, a breathed-on one 0.3. It is smeared when one token is `smear_times` softer than the middle
    one, and softer than `smear_from_px`: a finger's print on that part of the lens. A glare is
    `glare_share` of the middle burnt out: a disc of 3 cm on a table of 70 by 45 cm. A lamp of its own burns
    out the tray where the tags on it have had `lamp_exposure` times the light that burns out white, and
    `lamp_times` that of the others (both chosen), or where a lamp's veil brightens black on it by `lamp_haze` of
    white's light (chosen; what cards it hides: tests/calibration/check/test_brightness.py). The camera
    shakes when corners jump by `shaky_px` from frame to frame (1080p); still ones show 0.05 to 0.1.
    A light flickers when brightness changes by `flicker_share` from frame to frame (chosen).
    """

    dim_contrast: float = 80.0
    lit_white: float = 120.0
    lost_contrast: float = 20.0
    burnt_black_share: float = 0.12
    burnt_table_share: float = 0.8
    burnt_exposure: float = 1.5
    soft_px: float = 1.4
    unclear_modules: float = 0.14
    lost_modules: float = 0.22
    moved_px: float = 0.8
    moved_times: float = 1.15
    smeared_px: float = 1.3
    lost_share: float = 0.0024
    edge_grey: float = 20.0
    haze_share: float = 0.2
    smear_times: float = 1.7
    smear_from_px: float = 1.3
    glare_share: float = 0.002
    lamp_exposure: float = 2.2
    lamp_times: float = 1.5
    lamp_haze: float = 0.03
    shaky_px: float = 1.0
    flicker_share: float = 0.05


THRESHOLDS = PictureThresholds()

_ROUND = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 24, endpoint=False)])
"""Points round a circle of radius 1."""

_CALMED_PX = 1.0
"""Blur that calms a picture's noise before its edges are measured."""
_BLURRED_AGAIN_PX = 3.0
_CLEAREST = 0.998
"""Of all pixels those that are steepest: a table's tokens and the edges of things on it."""

_GAP_SHARE = 0.004
"""Of the picture's width: what is burnt out on both sides of so narrow a gap is one white thing, which
noise at the very edge of white would tear into pieces."""

SPILL_MM = 1.5
"""How far burnt-out paper spills over its rim."""


def picture_problems(
    grey: np.ndarray,
    lights: Sequence[TagLight],
    plane: Plane,
    codes_px: Sequence[np.ndarray] = (),
) -> list[Problem]:
    """What the light and the lens do to (H, W) uint8; the worst of each kind only."""
    if not lights:
        return []
    dull = _faint(lights, plane)
    lens = _soft(lights) or ([] if dull else _hazy(lights)) or _smeared(lights, plane)
    return (dull or _dim(lights)) + lens + glares(grey, lights, plane, codes_px)


def glares(
    grey: np.ndarray,
    lights: Sequence[TagLight],
    plane: Plane,
    codes_px: Sequence[np.ndarray] = (),
) -> list[Problem]:
    """A lamp mirrored in (H, W) uint8, the worst one only."""
    return _glare(burnt_out(grey, lights, plane, codes_px), plane)


def burnt_out(
    grey: np.ndarray,
    lights: Sequence[TagLight],
    plane: Plane,
    codes_px: Sequence[np.ndarray] = (),
) -> np.ndarray:
    """Where the picture is burnt out, (H, W) bool: nobody can tell whether a card would be read
    there, also where nothing lies. Where white paper burns out too, the pieces that are seen and the
    cards whose codes (4, 2) px are read are left out: there the black is still black."""
    spots = (grey >= SATURATION.pixel_grey).astype(np.uint8)
    if max((one.white for one in lights), default=0.0) >= SATURATION.white_paper_grey:
        for paper in _papers_px(plane, lights, codes_px):
            cv2.fillConvexPoly(spots, np.clip(paper, -1e5, 1e5).astype(np.int32), 0)
    side = max(3, grey.shape[1] // 320) | 1
    return cv2.morphologyEx(spots, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)).astype(bool)


def _papers_px(
    plane: Plane, lights: Sequence[TagLight], codes_px: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Outlines (n, 2) px of paper that was read: tokens as large as they may be turned, cards, and the
    tray where no lamp of its own burns it out."""
    papers = [
        plane.to_px(np.array(plane.tokens_mm[name]) + TOKEN_MM / np.sqrt(2) * _ROUND)
        for name in TOKEN_NAMES
        if name in plane.seen
    ]
    if plane.tray_mm is not None:
        tray_px = plane.to_px(np.array(plane.tray_mm))
        papers += [] if _under_a_lamp(tray_px, lights) else [tray_px]
    papers += [plane.to_px(_disc_mm(plane.to_mm(np.asarray(code, float)))) for code in codes_px]
    return [paper for paper in papers if np.isfinite(paper).all()]


def _under_a_lamp(paper_px: np.ndarray, lights: Sequence[TagLight]) -> bool:
    """Whether light falls on this paper (n, 2) px that does not fall on the rest of the table, so that codes
    in its middle are burnt out: its tags are burnt out further than the others, or black is bright on them,
    or only some of them are burnt out."""
    if not np.isfinite(paper_px).all():
        return False
    outline = paper_px.astype(np.float32)
    on_it = [one for one in lights if cv2.pointPolygonTest(outline, one.at_px, False) >= 0]
    others = [one for one in lights if one not in on_it]
    if not on_it or not others:
        return False
    if np.median([one.white for one in on_it]) < SATURATION.white_paper_grey:
        return True
    exposure = np.median([one.exposure for one in on_it])
    further = exposure > THRESHOLDS.lamp_times * np.median([one.exposure for one in others])
    return bool(
        (further and exposure > THRESHOLDS.lamp_exposure)
        or _haze(on_it) > _haze(others) + THRESHOLDS.lamp_haze
    )


def _disc_mm(code_mm: np.ndarray) -> np.ndarray:
    """The rim (n, 2) mm of the card whose code's corners are (4, 2) mm, with what it spills over."""
    place = MarkerPlace()
    down = code_mm[2:].mean(axis=0) - code_mm[:2].mean(axis=0)
    down /= max(float(np.hypot(*down)), 1e-6)
    centre = code_mm.mean(axis=0) - place.centre_mm[1] * down
    disc: np.ndarray = centre + (place.disc_mm / 2 + SPILL_MM) * _ROUND
    return disc


def unsteady(jitter_px: float, flicker: float, width_px: int) -> list[Problem]:
    """What only several pictures show: shaking and flicker."""
    found = []
    if jitter_px > THRESHOLDS.shaky_px * max(1.0, width_px / 1920):
        found.append(
            Problem(
                "shaky",
                "The camera shakes: put it on something firm.",
                params={"px": round(jitter_px, 1)},
            )
        )
    if flicker > THRESHOLDS.flicker_share:
        percent = round(100 * flicker)
        found.append(
            Problem(
                "flicker",
                f"The light flickers ({percent} %): choose 50 or 60 Hz as your mains has, or "
                "another lamp.",
                params={"percent": percent},
            )
        )
    return found


def too_bright(
    grey: np.ndarray,
    lights: Sequence[TagLight],
    plane: Plane,
    codes_px: Sequence[np.ndarray] = (),
    symbol_mm: float = SYMBOL_MM,
) -> list[Problem]:
    """The picture (H, W) uint8 is burnt out as a whole: white paper is, and the black print is hardly
    darker, or the table about it burnt out too, or white has spread so far into black that codes of
    `symbol_mm` are not read at once. Nobody can tell then where the paper's sides are, nor how dark or
    hazy it is."""
    white = float(np.median([one.white for one in lights])) if lights else 0.0
    if white < SATURATION.white_paper_grey:
        return []
    table = _share_of_middle(burnt_out(grey, lights, plane, codes_px), plane)
    exposure = float(np.median([one.exposure for one in lights]))
    if (
        _haze(lights) > THRESHOLDS.burnt_black_share
        or table > THRESHOLDS.burnt_table_share
        or (
            exposure > THRESHOLDS.burnt_exposure
            and _chance(lights, plane, symbol_mm) < GREEN_CHANCE
        )
    ):
        return [burnt_out_white()]
    return []


def _chance(lights: Sequence[TagLight], plane: Plane, symbol_mm: float) -> float:
    """The chance that one frame reads codes of `symbol_mm` where the tokens lie: the median one."""
    px = plane.px_per_mm_at(plane.to_mm(np.array([one.at_px for one in lights])))
    return float(
        np.median(
            [
                read_chance(
                    float(px_per_mm) * symbol_mm / MODULES,
                    one.blur_px,
                    one.contrast,
                    exposure=one.exposure,
                )
                for px_per_mm, one in zip(px, lights, strict=True)
            ]
        )
    )


def too_dark(lights: Sequence[TagLight]) -> list[Problem]:
    """The picture is so dark that nobody can tell where the paper's sides are, nor how soft it is."""
    dim = _dim(lights) if lights else []
    return [one for one in dim if _contrast(lights) < THRESHOLDS.lost_contrast]


def _contrast(lights: Sequence[TagLight]) -> float:
    return float(np.median([one.contrast for one in lights]))


def _dim(lights: Sequence[TagLight]) -> list[Problem]:
    contrast = _contrast(lights)
    if contrast >= THRESHOLDS.dim_contrast or _is_veiled(lights):
        return []
    return [
        Problem(
            "dim",
            f"The table is dark (contrast {contrast:.0f} of 255): switch on a light.",
            params={"contrast": round(contrast)},
        )
    ]


def _faint(lights: Sequence[TagLight], plane: Plane) -> list[Problem]:
    """Where the room would be called dark or the lens hazy, but another piece shows black and white as
    clearly as in a lit room: the tokens that do not, which lie in shade, under a smear, or are printed pale
    or on dark paper."""
    clearest = max(lights, key=lambda one: one.contrast)
    is_lit = clearest.contrast >= THRESHOLDS.dim_contrast and (
        _haze([clearest]) <= THRESHOLDS.burnt_black_share
    )
    if not is_lit or not (_dim(lights) or _hazy(lights)):
        return []
    dull = [one for one in lights if _dim([one]) or _hazy([one])]
    return [faint(name) for name in TOKEN_NAMES if _lies_at(plane, name, dull)]


def _lies_at(plane: Plane, token: str, lights: Sequence[TagLight]) -> bool:
    """True where one of these was measured on the token of that name."""
    if token not in plane.seen:
        return False
    at_mm = plane.to_mm(np.array([one.at_px for one in lights]))
    off_mm = np.linalg.norm(at_mm - np.array(plane.tokens_mm[token]), axis=1)
    return bool((off_mm < TOKEN_MM / 2).any())


def _is_veiled(lights: Sequence[TagLight]) -> bool:
    """True where haze takes the contrast, not darkness: white is as bright as in a lit room."""
    white = float(np.median([one.white for one in lights]))
    return _haze(lights) > THRESHOLDS.haze_share and white >= THRESHOLDS.lit_white


def _soft(lights: Sequence[TagLight]) -> list[Problem]:
    blur_px = _softness_px(lights)
    return [soft_by(blur_px)] if blur_px > THRESHOLDS.soft_px else []


def softness(lights: Sequence[TagLight]) -> Problem:
    """How soft the picture is, said as the one thing that is wrong with it."""
    return soft_by(_softness_px(lights))


def soft_by(blur_px: float) -> Problem:
    """The picture is soft, its edges blurred by so much (sigma, px)."""
    return Problem(
        "soft",
        f"The picture is soft ({blur_px:.1f} px): wipe the lens, let the camera focus on the table.",
        params={"blur_px": round(blur_px, 1)},
    )


def _softness_px(lights: Sequence[TagLight]) -> float:
    return float(np.median([one.softest_px for one in lights])) if lights else 0.0


def is_unclear(lights: Sequence[TagLight], tags: Mapping[int, np.ndarray]) -> bool:
    """True in a picture so soft that nobody can tell by the corners (4, 2) px of its `tags` how large
    a piece is or whether it lies flat, nor why one is not found."""
    tokens = [tags[piece.tags[0].id] for piece in TOKENS if piece.tags[0].id in tags]
    sides = [
        np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()
        for corners in tokens or tags.values()
    ]
    if not sides:
        return False
    blur_px, module_px = _softness_px(lights), float(np.median(sides)) / TAG_MODULES
    is_soft = blur_px > THRESHOLDS.soft_px and blur_px > THRESHOLDS.unclear_modules * module_px
    return is_soft or blur_px > THRESHOLDS.lost_modules * module_px


def sides_unsure(lights: Sequence[TagLight]) -> bool:
    """True in a picture that is smeared, most of its tags one way or all of it: white has spread into
    black along one side of a token more than along another, and flat tokens look bent."""
    one_way = [
        one.softest_px > THRESHOLDS.moved_px
        and one.softest_px > THRESHOLDS.moved_times * one.blur_px
        for one in lights
    ]
    return sum(one_way) > len(one_way) / 2 or _softness_px(lights) > THRESHOLDS.smeared_px


def blur_where_nothing_is_found(grey: np.ndarray) -> float | None:
    """How soft (sigma, px) the clearest edges of (H, W) uint8 are, where they are so soft that tokens
    would not be found; None in any other picture.

    Blurred once more, a soft edge loses less of its slope than a sharp one."""
    calm = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), _CALMED_PX)
    slope, again = _slope(calm), _slope(cv2.GaussianBlur(calm, (0, 0), _BLURRED_AGAIN_PX))
    clearest = slope >= np.quantile(slope, _CLEAREST)
    ratio = float(np.median(slope[clearest] / np.maximum(again[clearest], 1e-3)))
    sigma = _BLURRED_AGAIN_PX / np.sqrt(max(ratio**2 - 1, 1e-3))
    edge_grey = float(np.median(slope[clearest])) * np.sqrt(2 * np.pi) * sigma
    blur_px = float(np.sqrt(max(sigma**2 - _CALMED_PX**2, 0.0)))
    is_lost = blur_px > THRESHOLDS.lost_share * grey.shape[1] and edge_grey > THRESHOLDS.edge_grey
    return blur_px if is_lost else None


def _slope(grey: np.ndarray) -> np.ndarray:
    """How steep (H, W) float32 is at each pixel, in grey levels a pixel."""
    return np.hypot(
        cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125),
        cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125),
    )


def _haze(lights: Sequence[TagLight]) -> float:
    """Black print's share of white's light."""
    return float(np.median([(max(one.black, 1.0) / max(one.white, 1.0)) ** 2.2 for one in lights]))


def _hazy(lights: Sequence[TagLight]) -> list[Problem]:
    haze = _haze(lights)
    if haze > THRESHOLDS.haze_share:
        return [
            Problem(
                "dirty",
                f"The lens is hazy (black shows {100 * haze:.0f} % of white): wipe it, and keep lamps "
                "from shining into it.",
                params={"percent": round(100 * haze)},
            )
        ]
    return []


def _smeared(lights: Sequence[TagLight], plane: Plane) -> list[Problem]:
    worst = max(lights, key=lambda one: one.blur_px)
    if len(lights) > 2 and worst.blur_px > max(
        THRESHOLDS.smear_from_px,
        THRESHOLDS.smear_times * float(np.median([one.blur_px for one in lights])),
    ):
        where = where_of(plane.size_px, worst.at_px)
        return [Problem("dirty", f"The lens is smeared {where}: wipe it.", params={"where": where})]
    return []


def _middle_of(burnt: np.ndarray, plane: Plane) -> np.ndarray:
    """Where the middle of the table lies in a picture, (H, W) bool."""
    middle = np.zeros(burnt.shape, np.uint8)
    if plane.middle_mm is not None:
        rim = np.nan_to_num(plane.to_px(np.array(plane.middle_mm)), nan=0.0)
        cv2.fillConvexPoly(middle, np.clip(rim, -1e5, 1e5).astype(np.int32), 1)
    return middle.astype(bool)


def _share_of_middle(burnt: np.ndarray, plane: Plane) -> float:
    """How much of the middle of the table is burnt out, 0 to 1."""
    middle = _middle_of(burnt, plane)
    return float((burnt & middle).sum()) / max(int(middle.sum()), 1)


def _glare(burnt: np.ndarray, plane: Plane) -> list[Problem]:
    share = _share_of_middle(burnt, plane)
    if share < THRESHOLDS.glare_share:
        return []
    spots = (burnt & _middle_of(burnt, plane)).astype(np.uint8)
    gap_px = 2 * round(_GAP_SHARE * plane.size_px[0]) + 1
    whole = cv2.morphologyEx(spots, cv2.MORPH_CLOSE, np.ones((gap_px, gap_px), np.uint8))
    _, _, about, centres = cv2.connectedComponentsWithStats(whole)
    x, y = centres[1 + int(about[1:, cv2.CC_STAT_AREA].argmax())]
    where = where_of(plane.size_px, (float(x), float(y)))
    return [
        Problem(
            "glare",
            f"Lamp glare or bright white {where}: turn the lamp away, or take the white thing off.",
            params={"where": where, "percent": round(100 * float(share), 1)},
        )
    ]

"""Pieces that are not as they were printed to be: of another size, shown on a screen, cut into, not
flat.

Knows tags, planes, light and the codes of cards that were read; must not know the game or files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.check.problem import Problem, hidden, spoken
from calibration.errors import PlaneNotSeen
from calibration.geometry.fit import fit_plane
from calibration.geometry.layout import CLEAR_SIDE_PX
from calibration.geometry.plane import Plane
from calibration.geometry.solve import PRIORS
from calibration.tags.find import SeenTag
from calibration.tags.flatness import TENT_MM, margin_covered, pattern_there, rise_of
from calibration.tags.illumination import TagLight, side_of
from card_printables.token import PIECES, TAG_MODULES, TOKEN_TAG_MM, TOKENS, TRAY, Piece


@dataclass(frozen=True, slots=True)
class SizeTolerances:
    """How far sizes may be off before a piece is not what was printed.

    Pieces whose sizes disagree by `scale_off_share` were not all printed at 100 per cent (or one is
    shown on a screen); in small pictures sides are known to half a pixel at best, so by at least
    `scale_off_px`. Further off than `screen_share`, more than "fit to page" makes it (3 to 6 per
    cent), it is shown on a screen or enlarged. Cards' codes `codes_off_share` larger than printed
    beside the tokens, and by `codes_off_px` of their sides: these were all made smaller; codes
    further off than `fit_to_page_share` are of another size on purpose (stickers). `fewest_codes` must
    agree to `codes_agree_share`: at 1 px a module codes beside true tokens measure 0.5 % too large, give
    or take 0.4 %, in pictures blurred or sharpened after the lens 0.6 to 0.8 px; in soft pictures they differ by 3 %, and
    prove nothing.
    """

    scale_off_share: float = 0.02
    scale_off_px: float = 0.8
    screen_share: float = 0.12
    codes_off_share: float = 0.02
    codes_off_px: float = 0.9
    fit_to_page_share: float = 0.065
    fewest_codes: int = 4
    codes_agree_share: float = 0.01


@dataclass(frozen=True, slots=True)
class ScreenSigns:
    """By what light a token that is shown on a screen is known among printed ones.

    A screen shines: `brighter_times` the light of the other tokens' paper, while a leaning room lamp
    gives up to 1.3, and so much brighter also against what lies about it (`about_shares`, in token
    sides from its middle): where the others lie in a shadow, the table about them is dark as well. Or
    it is bluer: its logarithm of blue over red is off by `bluer` (daylight beside
    a warm lamp: 0.4 and more), while the others agree to half of it; what is also darker than
    `not_shaded_times` the others lies in a shadow, where the sky's blue is all there is.
    """

    brighter_times: float = 1.6
    about_shares: tuple[float, float] = (1.0, 1.3)
    bluer: float = 0.25
    not_shaded_times: float = 0.8


@dataclass(frozen=True, slots=True)
class MisfitRules:
    """When a piece is to blame that the pieces do not fit one plane.

    Below `doubtful_mm` of misfit every piece has its size: photographed sets show 0.02 to 0.1, one
    token of 97 per cent 0.2. Three pieces that agree only through a strange lens agree less: by
    `odd_focal_mm` for a focal length e times what webcams have. Where all agree, but the others
    alone tell a focal length that is off by `other_lens_share`, they tell nothing of the one left out.
    A piece that alone is to blame leaves `spoilt_share` of the misfit. Sides shorter than `bends_from_px` do not tell bowed paper: 3 mm
    bend them by less than half a pixel, and flat ones of 44 to 57 px (rendered pictures of 640 and 800 px) seemed to rise
    by 2 to 4 mm. A token with modules of `large_module_px`, and blur of at most
    `sharp_share` of them, is found if it lies flat.
    """

    doubtful_mm: float = 0.12
    odd_focal_mm: float = 0.2
    other_lens_share: float = 0.05
    spoilt_share: float = 0.35
    bends_from_px: float = 60.0
    large_module_px: float = 4.5
    sharp_share: float = 0.25


SIZES = SizeTolerances()
SCREEN = ScreenSigns()
MISFIT = MisfitRules()


def misprints(
    image: np.ndarray,
    grey: np.ndarray,
    tags: Mapping[int, np.ndarray],
    every: Sequence[SeenTag],
    lights: Sequence[TagLight],
    plane: Plane,
    codes_px: Sequence[np.ndarray],
    symbol_mm: float,
) -> list[Problem]:
    """What is wrong with the pieces seen in a picture (H, W, 3) or (H, W) uint8 whose grey is (H,
    W) uint8.

    `codes_px` are the corners (4, 2) px of cards' codes of `symbol_mm` that were read."""
    odd = (
        screens(image, grey, lights, tags)
        or _misfit(grey, tags, plane)
        or _all_small(codes_px, plane, symbol_mm)
    )
    return odd + _tents(grey, lights, plane) + _trimmed(every)


def _tents(grey: np.ndarray, lights: Sequence[TagLight], plane: Plane) -> list[Problem]:
    """Tokens that are not found though their pattern is there, large and sharp: their sides are bent, or
    their margin or their black is not as it was printed to be."""
    if not plane.tokens_mm:
        return []
    blur_px = float(np.median([one.blur_px for one in lights])) if lights else np.inf
    module_px = (
        TOKEN_TAG_MM
        / TAG_MODULES
        * float(np.nan_to_num(plane.px_per_mm_at(np.array([*plane.tokens_mm.values()])).min()))
    )
    if module_px < MISFIT.large_module_px or blur_px > MISFIT.sharp_share * module_px:
        return []
    return [
        _unread(token)
        for token in TOKENS
        if token.name not in plane.seen and pattern_there(grey, plane, token)
    ]


def _unread(piece: Piece) -> Problem:
    says = (
        f"The {spoken(piece.name)} lies there, but cannot be recognised: lay it flat, with its white margin, "
        "printed in black."
    )
    return Problem("token-unread", says, piece.name)


def _trimmed(every: Sequence[SeenTag]) -> list[Problem]:
    """Tokens cut along their black border: they are measured by their pattern, but need their white
    on dark cloths."""
    names = {t.tags[0].id: t.name for t in TOKENS}
    cut = sorted({tag.id for tag in every if tag.trimmed and tag.id in names})
    return [
        Problem(
            "trimmed",
            f"The {spoken(names[i])} was cut too close to its black square: lay one with its whole white margin.",
            names[i],
        )
        for i in cut
    ]


def _all_small(codes_px: Sequence[np.ndarray], plane: Plane, symbol_mm: float) -> list[Problem]:
    """All tokens are of one size, but not of that of the cards lying beside them."""
    if len(codes_px) < SIZES.fewest_codes or not plane.middle_from_tokens:
        return []
    ratios = np.array([side_mm(plane, corners) for corners in codes_px]) / symbol_mm
    ratio = float(np.median(ratios))
    agreeing = np.abs(ratios / ratio - 1) < SIZES.codes_agree_share
    side_px = float(np.median([side_of(corners) for corners in codes_px]))
    least = max(SIZES.codes_off_share, SIZES.codes_off_px / side_px)
    if not least < ratio - 1 < SIZES.fit_to_page_share or agreeing.sum() < max(
        SIZES.fewest_codes, 0.7 * len(ratios)
    ):
        return []
    return [_shrunk(1 / ratio, "cards")]


def _shrunk(ratio: float, beside: str) -> Problem:
    says = f"Beside the {beside} the tokens have {100 * ratio:.0f} % of their size: print them at 100 %, not fitted to the page."
    return Problem("all-small", says, params={"percent": round(100 * ratio)})


def _misfit(grey: np.ndarray, tags: Mapping[int, np.ndarray], plane: Plane) -> list[Problem]:
    """The piece that does not fit the others: not flat, or not of its printed size.

    Where the pieces disagree, the odd one is that without which the rest agree best (it bends the
    plane under all of them, so that others may look odd); where they agree, only paper that bows
    without moving its corners is left to be found."""
    if len(plane.seen) < 3:
        return []
    seen = [piece for piece in PIECES if piece.name in plane.seen]
    rests = [(piece, rest) for piece in seen if (rest := _without(tags, plane, piece)) is not None]
    if plane.rms_mm < MISFIT.doubtful_mm or not rests:
        return _curled(grey, tags, [one for one in rests if _knows_lens(one[1], plane)])
    odd = min(
        rests,
        key=lambda one: (
            one[1].rms_mm
            + MISFIT.odd_focal_mm
            * abs(np.log(one[1].focal_px / (PRIORS.focal_of_long_side * max(plane.size_px))))
        ),
    )
    return (
        _curled(grey, tags, [odd])
        or _too_bent(grey, tags, plane, *odd)
        or _size(tags, plane, *odd)
        or _moved_side(grey, tags, plane, *odd)
    )


def _knows_lens(rest: Plane, plane: Plane) -> bool:
    """True where these pieces, one left out, tell the same lens as all that agree: by another one flat paper
    beyond them looks bowed."""
    return bool(abs(np.log(rest.focal_px / plane.focal_px)) < MISFIT.other_lens_share)


def _moved_side(
    grey: np.ndarray, tags: Mapping[int, np.ndarray], plane: Plane, piece: Piece, rest: Plane
) -> list[Problem]:
    """A token that spoils the plane because what lies over its margin moves a side or a corner of it."""
    if piece not in TOKENS or rest.rms_mm > MISFIT.spoilt_share * plane.rms_mm:
        return []
    is_covered = margin_covered(grey, tags[piece.tags[0].id])
    return [hidden(piece.name)] if is_covered else []


def _too_bent(
    grey: np.ndarray, tags: Mapping[int, np.ndarray], plane: Plane, piece: Piece, rest: Plane
) -> list[Problem]:
    """A token that spoils the plane, and alone has sides that are too bent to be followed; in a
    soft picture all have."""
    if piece not in TOKENS or rest.rms_mm > MISFIT.spoilt_share * plane.rms_mm:
        return []
    unfollowed = [
        t.name
        for t in TOKENS
        if t.name in plane.seen and rise_of(grey, tags[t.tags[0].id], rest) is None
    ]
    return [_bent(piece, TENT_MM)] if unfollowed == [piece.name] else []


def _size(tags: Mapping[int, np.ndarray], plane: Plane, piece: Piece, rest: Plane) -> list[Problem]:
    """This piece, left out, makes the others fit much better, and on their plane it is too small or
    too large."""
    own = [t for t in piece.tags if t.id in tags]
    ratio = float(np.median([side_mm(rest, tags[t.id]) / t.size_mm for t in own]))
    side_px = float(np.median([side_of(tags[t.id]) for t in own]))
    if (
        abs(ratio - 1) < max(SIZES.scale_off_share, SIZES.scale_off_px / side_px)
        or side_px < CLEAR_SIDE_PX
        or rest.rms_mm > 0.7 * plane.rms_mm
    ):
        return []
    if piece is TRAY and ratio > 1 and len(plane.seen) > 2:  # nobody enlarges a tray
        return [_shrunk(1 / ratio, "tray sheet")]
    if abs(ratio - 1) > SIZES.screen_share:
        return [_on_a_screen(piece.name, ratio)]
    return [
        Problem(
            "wrong-scale",
            f"The {spoken(piece.name)} has not the printed size of the others ({100 * ratio:.0f} %): "
            "print all at 100 %, not fitted to the page.",
            piece.name,
            {"percent": round(100 * ratio)},
        )
    ]


def _on_a_screen(piece: str, ratio: float) -> Problem:
    return Problem(
        "screen",
        f"The {spoken(piece)} is shown on a screen or has not its printed size ({100 * ratio:.0f} %): lay one "
        "that was printed at 100 %.",
        piece,
        {"percent": round(100 * ratio)},
    )


def screens(
    image: np.ndarray,
    grey: np.ndarray,
    lights: Sequence[TagLight],
    tags: Mapping[int, np.ndarray],
) -> list[Problem]:
    """A token that shines unlike the others: its white has far more light than every other's, or light of
    another colour and not less of it. It is on a screen, or its paper is another."""
    names = {t.tags[0].id: t.name for t in TOKENS if t.tags[0].id in tags}
    seen = [(i, one) for one in lights if (i := _whose(one, tags, names)) is not None]
    if len(seen) < 3:
        return []
    glow = np.array([(one.white / 255) ** 2.2 for _, one in seen])
    shine = glow / [_light_about(grey, tags[i]) for i, _ in seen]
    blue = np.array([_blueness(image, tags[i]) for i, _ in seen])
    for k, (i, _) in enumerate(seen):
        others = np.delete(np.arange(len(seen)), k)
        strange = (
            abs(blue[k] - np.median(blue[others])) > SCREEN.bluer
            and np.ptp(blue[others]) < SCREEN.bluer / 2
        )
        shines = all(
            light[k] >= SCREEN.brighter_times * light[others].max() for light in (glow, shine)
        )
        if shines or (strange and glow[k] > SCREEN.not_shaded_times * np.median(glow[others])):
            return [
                Problem(
                    "unlike",
                    f"The {spoken(names[i])} shines unlike the others: lay four printed on the same white "
                    "paper, none on a screen.",
                    names[i],
                )
            ]
    return []


def _light_about(grey: np.ndarray, corners_px: np.ndarray) -> float:
    """How much light, 0 to 1, comes from what lies about a token with these corners (4, 2) px."""
    middle = corners_px.mean(axis=0)
    ways = np.vstack([corners_px, (corners_px + np.roll(corners_px, 1, axis=0)) / 2]) - middle
    points = np.vstack(
        [middle + 2 * share * ways for share in np.linspace(*SCREEN.about_shares, 4)]
    ).round()
    height, width = grey.shape
    x, y = points.astype(int).T
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    about = grey[y[inside], x[inside]] if inside.any() else np.zeros(1)
    return float((np.median(np.maximum(about, 1.0)) / 255) ** 2.2)


def _whose(light: TagLight, tags: Mapping[int, np.ndarray], names: Mapping[int, str]) -> int | None:
    """The token's tag that this light was measured on."""
    return next((i for i in names if np.linalg.norm(tags[i].mean(axis=0) - light.at_px) < 3), None)


def _blueness(image: np.ndarray, corners_px: np.ndarray) -> float:
    """Logarithm of blue over red of the white modules of a tag in (H, W, 3) uint8; 0 in a grey
    picture."""
    if image.ndim == 2:
        return 0.0
    left, top = np.maximum(np.floor(corners_px.min(axis=0)).astype(int), 0)
    right, bottom = np.ceil(corners_px.max(axis=0)).astype(int) + 1
    patch = image[top:bottom, left:right].reshape(-1, 3).astype(float)
    if not len(patch):
        return 0.0
    white = patch[patch[:, 1] >= np.percentile(patch[:, 1], 75)].mean(axis=0)
    return float(np.log((white[0] + 1) / (white[2] + 1)))


def _without(tags: Mapping[int, np.ndarray], plane: Plane, piece: Piece) -> Plane | None:
    own = {tag.id for tag in piece.tags}
    try:
        return fit_plane({i: c for i, c in tags.items() if i not in own}, plane.size_px)
    except PlaneNotSeen:
        return None


def side_mm(plane: Plane, corners_px: np.ndarray) -> float:
    """The mean side in mm of a square seen with these corners (4, 2) px."""
    corners = plane.to_mm(corners_px)
    return float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())


def _curled(
    grey: np.ndarray, tags: Mapping[int, np.ndarray], rests: Sequence[tuple[Piece, Plane]]
) -> list[Problem]:
    """Of these tokens the one that rises most, if one does not lie flat."""
    large = [
        (piece, rest)
        for piece, rest in rests
        if piece in TOKENS and side_of(tags[piece.tags[0].id]) > MISFIT.bends_from_px
    ]
    rises = [
        (rise.height_mm, piece)
        for piece, rest in large
        if (rise := rise_of(grey, tags[piece.tags[0].id], rest)) is not None and rise.curled
    ]
    if not rises:
        return []
    height, piece = max(rises, key=lambda one: one[0])
    return [_bent(piece, round(height))]


def _bent(piece: Piece, mm: int) -> Problem:
    says = f"The {spoken(piece.name)} does not lie flat (it rises by about {mm} mm): lay a book on it for a while."
    return Problem("curled", says, piece.name, {"mm": mm})

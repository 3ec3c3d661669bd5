"""What is painted on each piece: the face and the back of a card, the corner tokens, the tray.

Knows colours and places in millimetres; knows neither pixels nor PDF nor pages.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import cache

import numpy as np

from card_printables.artwork import clouds, lettering
from card_printables.artwork.ink import (
    INDIGO,
    NIGHT,
    WHITE,
    Area,
    Art,
    Design,
    Disc,
    Line,
    Mark,
    Modules,
    Rgb,
    Words,
    rectangle,
)
from card_printables.artwork.ornament import Outline, cloud, moon, star, sun_rays, turned
from card_printables.artwork.tray_sky import TRAY_GROUND, tray_sky
from card_printables.deck import DECKS, back_word, word_for
from card_printables.marker import (
    ART_BLEED_MM,
    DISC_MM,
    FORMER_BACK_SYMBOL_MM,
    MODULES,
    QUIET_MODULES,
    SMALLEST_SYMBOL_MM,
    SYMBOL_MM,
    BackPlace,
    MarkerPlace,
    largest_symbol_mm,
    modules,
)
from card_printables.order import LANGUAGES
from card_printables.token import (
    TRAY,
    TRAY_TAG_INSET_MM,
    TRAY_TAG_MM,
    Piece,
    Tag,
    tag_cells,
)

MIST: Rgb = (0x93, 0xA2, 0xCB)
"""Words beside a tag: light enough that no tag border is seen in them."""
BACK_LINE: Rgb = (0x5C, 0x6C, 0xAC)
BACK_LIGHT: Rgb = (0x8D, 0x9B, 0xCF)
BACK_MOON: Rgb = (0xFD, 0xFA, 0xF1)
_HALO_MM = (0.8, 2.2)
_HALO_INKS: tuple[Rgb, ...] = ((0x3E, 0x4D, 0x8A), (0x55, 0x62, 0x9B))
"""Two rings of light round the moon of the backs, mm beyond its edge, the outer one painted first."""


PLATE_RADIUS_MM = 3.0

PLATE_LEAST_GREY = 243.0
"""A plate is at least so light (0 to 255): darker skies are mixed with white. Under the code itself it
is white. What was measured is in the room's README."""

_SMALL_PX = 128
"""Side of the picture in which colours of a sky are looked up."""


@cache
def plate_ink(card: int) -> Rgb:
    """Ink of the plate round the code of `card`: the lightest tone of its sky, whitened to
    `PLATE_LEAST_GREY` where the sky is darker."""
    small = clouds.picture(card, _SMALL_PX)
    y, x = np.mgrid[:_SMALL_PX, :_SMALL_PX] - (_SMALL_PX - 1) / 2
    away = np.hypot(x, y) * (DISC_MM + 2 * ART_BLEED_MM) / _SMALL_PX
    # No cloud comes within 3 mm of the rim.
    sky = small[(away < DISC_MM / 2) & (away > DISC_MM / 2 - 3.0)].astype(np.float64)
    grey = sky @ (0.114, 0.587, 0.299)
    lightest = sky[grey >= np.percentile(grey, 92)].mean(0)
    level = float(lightest @ (0.114, 0.587, 0.299))
    white = min(1.0, max(0.0, (PLATE_LEAST_GREY - level) / (255.0 - level)))
    blue, green, red = (round(float(c + (255.0 - c) * white)) for c in lightest)
    return (red, green, blue)


def _plate(place: MarkerPlace, ink: Rgb) -> tuple[Area, Area]:
    """The plate in that ink, and under the code itself paper white."""
    radius = min(PLATE_RADIUS_MM, place.plate_mm / 6)
    side = place.symbol_mm
    return (
        Area(rectangle(place.centre_mm, place.plate_mm, place.plate_mm, radius), ink),
        Area(rectangle(place.centre_mm, side, side), WHITE),
    )


def _sky_at(picture: np.ndarray, turn_deg: float, reach: float) -> np.ndarray:
    """The mean colour (3,) BGR of the sky near that place of the rim, counted from the foot to the
    right; `reach` is the rim in half pictures."""
    half = picture.shape[0] / 2
    x = int(half + half * reach * math.sin(math.radians(turn_deg)))
    y = int(half + half * reach * math.cos(math.radians(turn_deg)))
    return np.asarray(picture[max(y - 3, 0) : y + 4, max(x - 3, 0) : x + 4].mean((0, 1)))


def _ink_on(picture: np.ndarray, turn_deg: float, reach: float) -> Rgb:
    """White or night blue, whichever has more contrast with the sky at that place of the rim (they
    are equal at grey 127)."""
    grey = float(_sky_at(picture, turn_deg, reach) @ (0.114, 0.587, 0.299))
    return WHITE if grey < 125 else NIGHT


_NAME_SHARE = 0.027
_NUMBER_SHARE = 0.066
"""Em of the deck's name and of the card's number, shares of the disc: 2.3 and 5.6 mm on 85."""

_SIGNED_GAP_SHARE = 0.02
_SIGNED_RIM_SHARE = 0.045
"""So far from the plate they begin, so far from the cut they end: 1.7 and 3.8 mm on 85."""


def _signature(card: int, deck: str, place: MarkerPlace) -> tuple[Words, Words]:
    """The deck's name left of the plate and the card's number right of it, upright on one line, as
    low as the rim allows."""
    disc = place.disc_mm
    number_mm, name_mm = _NUMBER_SHARE * disc, _NAME_SHARE * disc
    width = lettering.width_mm("88", number_mm, bold=True)
    beside = place.plate_mm / 2 + _SIGNED_GAP_SHARE * disc
    reach = disc / 2 - _SIGNED_RIM_SHARE * disc
    line = math.sqrt(max(0.0, reach**2 - (beside + width) ** 2))
    small = clouds.picture(card, _SMALL_PX)
    turn = math.degrees(math.atan2(beside + width / 2, line))
    share = math.hypot(beside + width / 2, line) / (disc / 2 + ART_BLEED_MM)
    left, right = (_ink_on(small, side * turn, share) for side in (-1, 1))
    return (
        Words(deck, (-beside, line), name_mm, left, 1),
        Words(f"{card}", (beside, line), number_mm, right, -1, 0.0, True),
    )


_CUT_MM = 0.15
_CUT_STEP_DEG = 5
CUT_TINT_SHARE = 0.25
"""So far the hairline to cut along goes from the sky's colour towards night or white: enough to be
followed with scissors, gone on the table."""


def _tinted(sky_bgr: np.ndarray) -> Rgb:
    """The colour of a hairline on this sky."""
    grey = float(sky_bgr @ (0.114, 0.587, 0.299))
    towards = np.array(NIGHT if grey > 110 else WHITE, float)[::-1]
    blue, green, red = (round(float(c)) for c in sky_bgr + (towards - sky_bgr) * CUT_TINT_SHARE)
    return (red, green, blue)


def face_cut(card: int, disc_mm: float = DISC_MM) -> tuple[Line, ...]:
    """The hairline to cut a face out along, about its centre: arcs, each in its own sky's colour,
    a quarter darker or lighter."""
    small = clouds.picture(card, _SMALL_PX)
    radius, reach = disc_mm / 2, disc_mm / (disc_mm + 2 * ART_BLEED_MM)
    arcs = []
    for start in range(0, 360, _CUT_STEP_DEG):
        turns = [math.radians(start + _CUT_STEP_DEG * k / 4) for k in range(5)]
        ink = _tinted(_sky_at(small, start + _CUT_STEP_DEG / 2, reach))
        points = tuple((radius * math.sin(t), radius * math.cos(t)) for t in turns)
        arcs.append(Line(points, ink, _CUT_MM))
    return tuple(arcs)


def back_cut(disc_mm: float = DISC_MM) -> tuple[Disc, ...]:
    """The hairline to cut a back out along, about its centre."""
    return (Disc((0.0, 0.0), disc_mm / 2, _tinted(np.array(INDIGO[::-1], float)), _CUT_MM),)


def face(
    card: int, deck: str = DECKS[0], disc_mm: float = DISC_MM, symbol_mm: float = SYMBOL_MM
) -> Design:
    """The printed face of `card`: cloud, light plate with the code near the rim, deck and number in
    small type.

    Raises:
        ValueError: no such card or deck, or the code does not fit the disc; the message says what
        fits.
    """
    _check_symbol(disc_mm, symbol_mm)
    place = MarkerPlace(disc_mm, symbol_mm)
    code = Modules(modules(word_for(card, deck)), place.centre_mm, symbol_mm)
    sky = Art(card, disc_mm + 2 * ART_BLEED_MM)
    plate = _plate(place, plate_ink(card))
    return Design(disc_mm, disc_mm, True, (sky, *_signature(card, deck, place), *plate, code))


def _check_symbol(disc_mm: float, symbol_mm: float) -> None:
    largest = largest_symbol_mm(disc_mm)
    if not SMALLEST_SYMBOL_MM <= symbol_mm <= largest:
        raise ValueError(
            f"a marker of {symbol_mm:g} mm does not fit a disc of {disc_mm:g} mm: choose {SMALLEST_SYMBOL_MM:g} to {largest:g} mm"
        )


Free = Callable[[float, float, float, float], bool]
"""Whether a mark of this middle and half size (x, y, half width, half height) may be drawn there."""


def _back_pattern(reach_mm: float, free: Free) -> list[Mark]:
    """Rows of small clouds and stars, all over where it is free, so that a back printed a little
    aside shows no ring out of true."""
    marks: list[Mark] = []
    dice = random.Random(2)
    for row in range(-9, 10):
        for column in range(-5, 6):
            x, y = 17.0 * column + 8.5 * (row % 2), 7.4 * row
            if math.hypot(x, y) > reach_mm + 9:
                continue
            if free(x + 8.5, y, 1.5, 1.5):
                marks.append(Disc((x + 8.5, y + dice.uniform(-0.6, 0.6)), 0.3, BACK_LINE))
            if not free(x, y, 6.2, 2.7):
                continue
            if (column + 2 * row) % 5 == 0:
                marks.append(Area(turned(star(1.5), dice.uniform(-20, 20), (x, y)), BACK_LIGHT))
            else:
                shape = turned(
                    cloud(11.0 + dice.uniform(-1.5, 1.0)), 0, (x + dice.uniform(-0.7, 0.7), y)
                )
                marks.append(Line(shape, BACK_LINE, 0.45, True))
    return marks


def back(
    disc_mm: float = DISC_MM, symbol_mm: float = SYMBOL_MM, bleed_mm: float = ART_BLEED_MM
) -> Design:
    """The one back of all cards: a night of drawn clouds, and near the rim a moon that carries the
    back's code. The ground reaches over the edge by `bleed_mm`.

    Raises:
        ValueError: the code does not fit the disc; the message says what fits.
    """
    _check_symbol(disc_mm, symbol_mm)
    reach = disc_mm / 2 + bleed_mm
    place = BackPlace(disc_mm, symbol_mm)
    middle, moon_mm = place.centre_mm, place.moon_mm

    def free(x: float, y: float, half_width: float, half_height: float) -> bool:
        across = max(abs(x - middle[0]) - half_width, 0.0)
        down = max(abs(y - middle[1]) - half_height, 0.0)
        return math.hypot(across, down) > moon_mm + _HALO_MM[-1]

    halo = [
        Disc(middle, moon_mm + wide, ink)
        for wide, ink in zip(reversed(_HALO_MM), _HALO_INKS, strict=True)
    ]
    ground: list[Mark] = [Disc((0.0, 0.0), reach, INDIGO), *_back_pattern(reach, free), *halo]
    code = Modules(modules(back_word()), middle, symbol_mm)
    return Design(disc_mm, disc_mm, True, (*ground, Disc(middle, moon_mm, BACK_MOON), code))


def former_back(disc_mm: float = DISC_MM, bleed_mm: float = ART_BLEED_MM) -> Design:
    """The back of decks printed before the backs had a moon: a large code on white in the middle.
    Cards of such a deck are printed again with it."""
    reach = disc_mm / 2 + bleed_mm
    symbol = min(FORMER_BACK_SYMBOL_MM, largest_symbol_mm(disc_mm))
    plate = symbol * (1 + 2 * QUIET_MODULES / MODULES)

    def free(x: float, y: float, half_width: float, half_height: float) -> bool:
        return max(abs(x) - half_width, abs(y) - half_height) >= plate / 2

    ground: list[Mark] = [Disc((0.0, 0.0), reach, INDIGO), *_back_pattern(reach, free)]
    inner = Area(rectangle((0.0, 0.0), plate, plate, plate / MODULES), WHITE)
    return Design(
        disc_mm, disc_mm, True, (*ground, inner, Modules(modules(back_word()), (0.0, 0.0), symbol))
    )


def drawn_back(
    drawing: str,
    disc_mm: float = DISC_MM,
    symbol_mm: float = SYMBOL_MM,
    bleed_mm: float = ART_BLEED_MM,
) -> Design:
    """The back of that drawing, "moon" or "square"."""
    if drawing == "square":
        return former_back(disc_mm, bleed_mm)
    return back(disc_mm, symbol_mm, bleed_mm)


def _tag(tag: Tag) -> Modules:
    return Modules(tag_cells(tag.id), tag.centre_mm, tag.size_mm)


TOKEN_WORDS = {
    "token-top-left": ("TOP LEFT", "OBEN LINKS", "VLEVO NAHOŘE"),
    "token-top-right": ("TOP RIGHT", "OBEN RECHTS", "VPRAVO NAHOŘE"),
    "token-bottom-right": ("BOTTOM RIGHT", "UNTEN RECHTS", "VPRAVO DOLE"),
    "token-bottom-left": ("BOTTOM LEFT", "UNTEN LINKS", "VLEVO DOLE"),
}
"""What a token says, in each of `LANGUAGES`."""

SUN_INK: Rgb = (0xE9, 0xA6, 0x1F)
MOON_INK: Rgb = (0x83, 0x9A, 0xD8)
STAR_INK: Rgb = (0xE8, 0x7C, 0x74)
CLOUD_INK: Rgb = (0x5F, 0xAC, 0xDB)
"""Full colours that are yet light (grey 150 to 172): beside a tag nothing is darker, so that no edge of
it is sought there."""

TOKEN_RIMS: dict[str, Rgb] = {
    "token-top-left": (0xFD, 0xEB, 0xBE),
    "token-top-right": (0xDC, 0xE3, 0xF6),
    "token-bottom-right": (0xFA, 0xDF, 0xDA),
    "token-bottom-left": (0xD3, 0xE9, 0xF1),
}
"""Sun, moon, dusk, sky: outside the quiet zone, and pale all the same."""


def emblem(name: str, radius_mm: float, at: tuple[float, float]) -> list[Mark]:
    """The sign of the corner that the token of this name lies in: sun, moon, star or cloud."""
    if name == "token-top-left":
        rays: list[Outline] = [turned(ray, 0, at) for ray in sun_rays(radius_mm)]
        return [*(Area(ray, SUN_INK) for ray in rays), Disc(at, 0.6 * radius_mm, SUN_INK)]
    if name == "token-top-right":
        return [Area(turned(moon(0.95 * radius_mm), 0, at), MOON_INK)]
    if name == "token-bottom-right":
        return [Area(turned(star(radius_mm), 0, at), STAR_INK)]
    return [Area(turned(cloud(2.0 * radius_mm), 0, at), CLOUD_INK)]


_EMBLEM_MM = 4.4
_MEDAL_MM = 5.2
"""Radii of a token's sign and of the white it stands on: the sign ends 2 mm from the tag's corner."""


def token(piece: Piece, language: str = LANGUAGES[0]) -> Design:
    """A corner token: its tag on white, a rim and a sign of its own in the table's corner, the
    corner's name in that language."""
    half = piece.width_mm / 2
    toward = (-1 if "left" in piece.name else 1, -1 if "top" in piece.name else 1)
    name = TOKEN_WORDS[piece.name][LANGUAGES.index(language)]
    rim = Area(rectangle((0.0, 0.0), piece.width_mm, piece.height_mm), TOKEN_RIMS[piece.name])
    plate = Area(rectangle((0.0, 0.0), piece.width_mm - 4.4, piece.height_mm - 4.4, 4.0), WHITE)
    corner = (toward[0] * (half - 1.0 - _EMBLEM_MM), toward[1] * (half - 1.0 - _EMBLEM_MM))
    medal = (Disc(corner, _MEDAL_MM, WHITE), *emblem(piece.name, _EMBLEM_MM, corner))
    words = Words(name, (0.0, -half + 7.0), 5.2, MIST, 0, 0.0, True)
    return Design(
        piece.width_mm,
        piece.height_mm,
        False,
        (rim, plate, *medal, words, *(_tag(tag) for tag in piece.tags)),
    )


def tray() -> Design:
    """The set-aside tray: pale, six moons for six cards, a tag on white in each corner."""
    ground = Area(rectangle((0.0, 0.0), TRAY.width_mm, TRAY.height_mm), TRAY_GROUND)
    plate = TRAY_TAG_MM + 2 * TRAY_TAG_INSET_MM
    plates = [Area(rectangle(tag.centre_mm, plate, plate), WHITE) for tag in TRAY.tags]
    return Design(
        TRAY.width_mm,
        TRAY.height_mm,
        False,
        (ground, *tray_sky(), *plates, *(_tag(tag) for tag in TRAY.tags)),
    )

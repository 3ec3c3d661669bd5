"""What is painted on each piece: the face and the back of a card, the corner tokens, the tray.

Knows colours and places in millimetres; knows neither pixels nor PDF nor pages.
"""

from __future__ import annotations

import math
import random

import cv2
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
    BACK_SYMBOL_MM,
    DISC_MM,
    MODULES,
    QUIET_MODULES,
    SMALLEST_SYMBOL_MM,
    SYMBOL_MM,
    MarkerPlace,
    largest_symbol_mm,
    modules,
)
from card_printables.token import (
    TRAY,
    TRAY_TAG_INSET_MM,
    TRAY_TAG_MM,
    Piece,
    Tag,
    tag_cells,
)

GOLD: Rgb = (0xFB, 0xDF, 0x9C)
SILVER: Rgb = (0xD3, 0xDC, 0xF2)
ROSE: Rgb = (0xF8, 0xD5, 0xD0)
SKY: Rgb = (0xC4, 0xE0, 0xEC)
MIST: Rgb = (0x93, 0xA2, 0xCB)
"""Words beside a tag: light enough that no tag border is seen in them."""
BACK_LINE: Rgb = (0x5C, 0x6C, 0xAC)
BACK_LIGHT: Rgb = (0x8D, 0x9B, 0xCF)


def _plate(place: MarkerPlace) -> Area:
    return Area(
        rectangle(place.centre_mm, place.plate_mm, place.plate_mm, place.plate_mm / MODULES), WHITE
    )


def _ink_on(picture: np.ndarray, turn_deg: float, reach: float) -> Rgb:
    """White or night blue, whichever has more contrast with the sky at that place of the rim (they
    are equal at grey 127); `reach` is the rim in half pictures."""
    half = picture.shape[0] / 2
    x = int(half + half * reach * math.sin(math.radians(turn_deg)))
    y = int(half + half * reach * math.cos(math.radians(turn_deg)))
    patch = picture[max(y - 6, 0) : y + 7, max(x - 6, 0) : x + 7]
    return WHITE if float(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).mean()) < 125 else NIGHT


def _signature(card: int, deck: str, disc_mm: float) -> tuple[Words, ...]:
    """The deck's name left of the foot and the card's number right of it, along the rim."""
    small = clouds.picture(card, 128)
    radius, reach = disc_mm / 2 - 2.2, (disc_mm / 2 - 3.2) / (disc_mm / 2 + ART_BLEED_MM)
    name = lettering.around(deck, radius, -38, 2.9, _ink_on(small, -38, reach))
    number = lettering.around(f"{card}", radius, 38, 3.4, _ink_on(small, 38, reach), bold=True)
    return name + number


def face(
    card: int, deck: str = DECKS[0], disc_mm: float = DISC_MM, symbol_mm: float = SYMBOL_MM
) -> Design:
    """The printed face of `card`: cloud, white plate with the code near the rim, deck and number in
    small type.

    Raises:
        ValueError: no such card or deck, or the code does not fit the disc; the message says what
        fits.
    """
    largest = largest_symbol_mm(disc_mm)
    if not SMALLEST_SYMBOL_MM <= symbol_mm <= largest:
        raise ValueError(
            f"a marker of {symbol_mm:g} mm does not fit a disc of {disc_mm:g} mm: choose {SMALLEST_SYMBOL_MM:g} to {largest:g} mm"
        )
    place = MarkerPlace(disc_mm, symbol_mm)
    code = Modules(modules(word_for(card, deck)), place.centre_mm, symbol_mm)
    sky = Art(card, disc_mm + 2 * ART_BLEED_MM)
    return Design(
        disc_mm, disc_mm, True, (sky, *_signature(card, deck, disc_mm), _plate(place), code)
    )


def _back_pattern(reach_mm: float, plate_mm: float) -> list[Mark]:
    """Rows of small clouds and stars, all over but the plate, so that a back printed a little aside
    shows no ring out of true."""
    marks: list[Mark] = []
    dice = random.Random(2)
    for row in range(-9, 10):
        for column in range(-5, 6):
            x, y = 17.0 * column + 8.5 * (row % 2), 7.4 * row
            if math.hypot(x, y) > reach_mm + 9:
                continue
            if max(abs(x + 8.5), abs(y)) > plate_mm / 2 + 1.5:
                marks.append(Disc((x + 8.5, y + dice.uniform(-0.6, 0.6)), 0.3, BACK_LINE))
            if max(abs(x) - 6.2, abs(y) - 2.7) < plate_mm / 2:
                continue
            if (column + 2 * row) % 5 == 0:
                marks.append(Area(turned(star(1.5), dice.uniform(-20, 20), (x, y)), BACK_LIGHT))
            else:
                shape = turned(
                    cloud(11.0 + dice.uniform(-1.5, 1.0)), 0, (x + dice.uniform(-0.7, 0.7), y)
                )
                marks.append(Line(shape, BACK_LINE, 0.45, True))
    return marks


def back(disc_mm: float = DISC_MM, bleed_mm: float = ART_BLEED_MM) -> Design:
    """The one back of all cards: indigo with drawn clouds, the back's code in the middle. The
    ground reaches over the edge by `bleed_mm`."""
    reach = disc_mm / 2 + bleed_mm
    symbol = min(BACK_SYMBOL_MM, largest_symbol_mm(disc_mm))
    plate = symbol * (1 + 2 * QUIET_MODULES / MODULES)
    ground: list[Mark] = [Disc((0.0, 0.0), reach, INDIGO), *_back_pattern(reach, plate)]
    inner = Area(rectangle((0.0, 0.0), plate, plate, plate / MODULES), WHITE)
    return Design(
        disc_mm, disc_mm, True, (*ground, inner, Modules(modules(back_word()), (0.0, 0.0), symbol))
    )


def _tag(tag: Tag) -> Modules:
    return Modules(tag_cells(tag.id), tag.centre_mm, tag.size_mm)


TOKEN_WORDS = {
    "token-top-left": ("TOP LEFT", "OBEN LINKS", "VLEVO NAHOŘE"),
    "token-top-right": ("TOP RIGHT", "OBEN RECHTS", "VPRAVO NAHOŘE"),
    "token-bottom-right": ("BOTTOM RIGHT", "UNTEN RECHTS", "VPRAVO DOLE"),
    "token-bottom-left": ("BOTTOM LEFT", "UNTEN LINKS", "VLEVO DOLE"),
}
"""What a token says, in English, German and Czech."""

TOKEN_RIMS: dict[str, Rgb] = {
    "token-top-left": (0xFD, 0xEB, 0xBE),
    "token-top-right": (0xDC, 0xE3, 0xF6),
    "token-bottom-right": (0xFA, 0xDF, 0xDA),
    "token-bottom-left": (0xD3, 0xE9, 0xF1),
}
"""Sun, moon, dusk, sky: outside the quiet zone, and pale all the same."""


def _emblem(name: str, radius_mm: float, at: tuple[float, float]) -> list[Mark]:
    if name == "token-top-left":
        rays: list[Outline] = [turned(ray, 0, at) for ray in sun_rays(radius_mm)]
        return [*(Area(ray, GOLD) for ray in rays), Disc(at, 0.55 * radius_mm, GOLD)]
    if name == "token-top-right":
        return [Area(turned(moon(0.95 * radius_mm), 0, at), SILVER)]
    if name == "token-bottom-right":
        return [Area(turned(star(radius_mm), 0, at), ROSE)]
    return [Area(turned(cloud(2.5 * radius_mm), 0, at), SKY)]


def token(piece: Piece) -> Design:
    """A corner token: its tag on white, a rim and an emblem of its own, the corner's name in three
    languages."""
    half = piece.width_mm / 2
    toward = (-1 if "left" in piece.name else 1, -1 if "top" in piece.name else 1)
    english, german, czech = TOKEN_WORDS[piece.name]
    rim = Area(rectangle((0.0, 0.0), piece.width_mm, piece.height_mm), TOKEN_RIMS[piece.name])
    plate = Area(rectangle((0.0, 0.0), piece.width_mm - 4.4, piece.height_mm - 4.4, 4.0), WHITE)
    emblem = _emblem(piece.name, 3.3, (toward[0] * (half - 6.3), toward[1] * (half - 6.3)))
    words = (
        Words(english, (0.0, -half + 6.4), 4.2, MIST, 0, 0.0, True),
        Words(f"{german}  ·  {czech}", (0.0, half - 4.1), 3.3, MIST, 0, 0.0, True),
    )
    return Design(
        piece.width_mm,
        piece.height_mm,
        False,
        (rim, plate, *emblem, *words, *(_tag(tag) for tag in piece.tags)),
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

"""A deck that was learnt by its pictures: its name, the cards' size, and looks of each card.

A pure value and its file. Knows pixels of stored looks; must not know tables, cameras or folders.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import unicodedata
import warnings
import zipfile
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from PIL import Image

from card_printables.deck import DECKS
from card_printables.files import opened_zip
from companion.errors import BadInput
from companion.vision.card_outline import CardOutline

LOOK_STEP_MM = 0.8
"""One pixel of a look."""

LOOK_RIM_MM = 3.0
"""So much more than the card a look shows: what lies beside its edge, filled with the edge."""

SMALLEST_MM = 40.0
LARGEST_MM = 130.0
"""How large a card is across, a rectangle along either side."""

MOST_CARDS = 150
MOST_LOOKS = 4
DECK_FORMAT = 1
RECTANGLES_FORMAT = 2
"""Decks of round cards are written as they always were, so that an older companion reads them."""
ID_BYTES = 8

WEBP_QUALITY = 90
"""A look of a card 85 mm across takes about 2 kB."""

LARGEST_FILE = 8_000_000
LARGEST_PART = 100_000
NAME = re.compile(r"[^\W_][\w .,'&+-]{0,39}", re.UNICODE)


@dataclass(frozen=True, slots=True)
class LearntCard:
    """One card: looks (h, w, 3) uint8 BGR at `LOOK_STEP_MM`, all upright the same way."""

    looks: tuple[np.ndarray, ...]
    id: str = field(init=False)
    """Tells this card from every other one, however the numbers move: made of its first look."""

    def __post_init__(self) -> None:
        first = hashlib.blake2b(self.looks[0].tobytes(), digest_size=ID_BYTES)
        object.__setattr__(self, "id", first.hexdigest())


@dataclass(frozen=True, slots=True)
class LearntDeck:
    """A deck learnt by its pictures; a card's number is its place in `cards`, from 1 on."""

    name: str
    outline: CardOutline
    cards: tuple[LearntCard, ...] = ()

    @property
    def disc_mm(self) -> float:
        """How large a disc a card holds."""
        return 2 * self.outline.radius_mm

    @property
    def numbers(self) -> range:
        """The cards' running numbers."""
        return range(1, len(self.cards) + 1)

    def number_of(self, card_id: str) -> int | None:
        """The number of the card with this id; None where it is not in the deck."""
        ids = [card.id for card in self.cards]
        return ids.index(card_id) + 1 if card_id in ids else None

    def with_look(self, number: int, look: np.ndarray) -> LearntDeck:
        """The deck with one more look of a card; the next free number is a new card. Beyond
        `MOST_LOOKS` looks a card has enough."""
        if number == len(self.cards) + 1:
            return replace(self, cards=(*self.cards, LearntCard((look,))))
        known = self.cards[number - 1]
        if len(known.looks) >= MOST_LOOKS:
            return self
        more = LearntCard((*known.looks, look))
        return replace(self, cards=(*self.cards[: number - 1], more, *self.cards[number:]))

    def without(self, number: int) -> LearntDeck:
        """The deck without this card; the numbers after it move up."""
        return replace(self, cards=(*self.cards[: number - 1], *self.cards[number:]))


def is_card_size(outline: CardOutline) -> bool:
    """Whether cards of this outline can be learnt; a deck's file of others is not opened again."""
    return outline.width_mm >= SMALLEST_MM and outline.height_mm <= LARGEST_MM


def look_size(outline: CardOutline) -> tuple[int, int]:
    """How wide and how high a look of such a card is, pixels."""
    width, height = (
        2 * int((side / 2 + LOOK_RIM_MM) / LOOK_STEP_MM) + 1
        for side in (outline.width_mm, outline.height_mm)
    )
    return width, height


def bare_look(outline: CardOutline, look: np.ndarray) -> np.ndarray:
    """A look (h, w, 3) without what lies beside the card; of a round card the square about it."""
    if outline.round:
        return look
    rim = int(LOOK_RIM_MM / LOOK_STEP_MM)
    return look[rim:-rim, rim:-rim]


def middle_of(look: np.ndarray) -> np.ndarray:
    """The square in the middle of a look (h, w, 3), as large as its shorter side."""
    side = min(look.shape[:2])
    top, left = ((long - side) // 2 for long in look.shape[:2])
    return look[top : top + side, left : left + side]


def check_name(name: str) -> str:
    """A name for a deck.

    Raises:
        BadInput: it cannot be the name of a file everywhere, or is a printed deck's.
    """
    name = unicodedata.normalize("NFC", name)
    stem = name.split(".")[0].rstrip().casefold()
    if stem in _RESERVED:
        raise BadInput(
            f"a deck cannot be called {name[:40]!r}, which is taken {_RESERVED[stem]}: choose another name"
        )
    if NAME.fullmatch(name) is None or name.endswith((" ", ".")):
        raise BadInput(
            f"a deck cannot be called {name[:40]!r}: use up to 40 letters, digits, spaces and - . , ' & +"
        )
    return name


_OF_SYSTEMS = (
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{p}{n}" for p in ("com", "lpt") for n in range(1, 10)),
)
_RESERVED = {
    **dict.fromkeys(_OF_SYSTEMS, "by Windows"),
    **{printed.casefold(): "by a printed deck" for printed in DECKS},
}
"""Names that one of the systems keeps for itself, or a printed deck has, and by whom they are taken."""


def deck_to_bytes(deck: LearntDeck) -> bytes:
    """The deck as one file: a zip with `deck.json` and a picture of every look."""
    made = io.BytesIO()
    outline = deck.outline
    size: dict[str, object] = {"format": DECK_FORMAT, "disc_mm": round(outline.width_mm, 2)}
    if not outline.round:
        sides = [round(outline.width_mm, 2), round(outline.height_mm, 2)]
        size = {"format": RECTANGLES_FORMAT, "sides_mm": sides}
    told = {**size, "name": deck.name, "looks": [len(card.looks) for card in deck.cards]}
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as file:
        file.writestr(zipfile.ZipInfo("deck.json"), json.dumps(told))
        for number, card in enumerate(deck.cards, start=1):
            for at, look in enumerate(card.looks, start=1):
                _, picture = cv2.imencode(".webp", look, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])
                file.writestr(zipfile.ZipInfo(_part(number, at)), picture.tobytes())
    return made.getvalue()


def deck_from_bytes(data: bytes) -> LearntDeck:
    """The deck in a file's bytes, whoever made it.

    Raises:
        BadInput: it is none; one sentence says what to do.
    """
    try:
        return _read(data)
    except BadInput:
        raise
    except Exception as error:  # zipfile, json and Pillow raise many kinds for bytes that are none
        raise BadInput(NO_DECK) from error


NO_DECK = "this is no deck that the companion has learnt: export it once more where it was learnt"


def _read(data: bytes) -> LearntDeck:
    if len(data) > LARGEST_FILE:
        raise BadInput(NO_DECK)
    with opened_zip(io.BytesIO(data)) as file:
        told = json.loads(_bounded(file, "deck.json"))
        if told["format"] not in (DECK_FORMAT, RECTANGLES_FORMAT):
            raise BadInput(
                "this deck was learnt by a newer companion: bring this one up to date first"
            )
        outline, looks = _outline_in(told), told["looks"]
        if not isinstance(looks, list) or len(looks) > MOST_CARDS:
            raise BadInput(NO_DECK)
        if any(type(many) is not int or not 1 <= many <= MOST_LOOKS for many in looks):
            raise BadInput(NO_DECK)
        cards = tuple(
            LearntCard(
                tuple(
                    _opened(_bounded(file, _part(number, at)), look_size(outline))
                    for at in range(1, many + 1)
                )
            )
            for number, many in enumerate(looks, start=1)
        )
    return LearntDeck(check_name(str(told["name"])), outline, cards)


def _outline_in(told: dict[str, Any]) -> CardOutline:
    """The cards' size and shape as a file tells them."""
    if told["format"] == DECK_FORMAT:
        sides = [float(told["disc_mm"])]
    else:
        sides = [float(side) for side in told["sides_mm"]]
    outline = (
        CardOutline.disc(*sides) if told["format"] == DECK_FORMAT else CardOutline.rectangle(*sides)
    )
    if not all(map(math.isfinite, sides)) or not is_card_size(outline):
        raise BadInput(NO_DECK)
    return outline


def _part(number: int, at: int) -> str:
    return f"cards/{number:03d}-{at}.webp"


def _bounded(file: zipfile.ZipFile, name: str) -> bytes:
    with file.open(name) as part:
        data = part.read(LARGEST_PART + 1)
    if len(data) > LARGEST_PART:
        raise BadInput(NO_DECK)
    return data


def _opened(data: bytes, size: tuple[int, int]) -> np.ndarray:
    """A look's picture, whose size is asked before it is decoded."""
    with warnings.catch_warnings(), Image.open(io.BytesIO(data), formats=("WEBP",)) as picture:
        warnings.simplefilter("ignore")
        if picture.size != size or getattr(picture, "n_frames", 1) != 1:
            raise BadInput(NO_DECK)
        return np.ascontiguousarray(np.asarray(picture.convert("RGB"))[:, :, ::-1])

"""The evening on paper and as a picture to give away: its clouds, the words people gave them, who had the
sky; with first names, initials or no names at all.

Knows pages in millimetres (card_printables); knows no screen, and sends nothing anywhere. Who is
forgotten, or has a name that the shipped letters cannot write, is told by their seat; a place or a
cloud's name that cannot be written is left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import cv2
import numpy as np

from calibration.cameras.picture_file import LIMITS, jpeg_size
from card_printables.artwork.ink import (
    GREY,
    NIGHT,
    Area,
    Art,
    Design,
    Disc,
    Mark,
    Photo,
    Rgb,
    Words,
    rectangle,
)
from card_printables.artwork.lettering import can_write, width_mm, wrapped
from card_printables.deck import LARGEST
from card_printables.output.pdf import pdf_bytes
from card_printables.output.pixels import page_bgr
from card_printables.output.png_files import png_bytes
from card_printables.pages.paper import PAPERS_MM, Page, Placed
from companion.findings.played import PlayedEvening, PlayedRound
from companion.game.events import Card
from companion.years.calling import is_somebody

Naming = Literal["names", "initials", "nothing"]
NAMINGS: tuple[Naming, ...] = ("names", "initials", "nothing")

SHARE_MM = (108.0, 135.0)
SHARE_DPI = 254.0
"""Ten pixels a millimetre: the share picture is 1080 x 1350 of them."""

HOURS: tuple[tuple[float, Rgb, Rgb], ...] = (
    (0.0, (0x58, 0xA3, 0xDC), (0xE2, 0xF2, 0xF6)),
    (0.38, (0x5F, 0x8F, 0xD4), (0xFC, 0xD6, 0xA4)),
    (0.52, (0x5B, 0x72, 0xC2), (0xFC, 0xA9, 0x85)),
    (0.66, (0x40, 0x4C, 0x9C), (0xEA, 0x97, 0x9C)),
    (0.82, (0x21, 0x2F, 0x74), (0x9C, 0x80, 0xB8)),
    (1.0, (0x0B, 0x12, 0x36), (0x3B, 0x4D, 0x8E)),
)
"""The sky's top and bottom by how far the evening is, as on the screens."""

CREAM: Rgb = (0xFF, 0xF6, 0xE6)
PAPER_RIM: Rgb = (0xFC, 0xFA, 0xF5)
BANDS = 64
ROUNDS_A_PAGE = 6

STANDING_MM = (4.0, 3.4, 2.9, 2.5, 2.0, 1.6, 1.2)
"""How large the standing of the share picture may be written, the largest first that fits."""

STANDING_ROOM_MM = 10.5
SEPARATOR = "  ·  "
ZE = re.compile(r"\bz (?=(?:1?[23467]|[23467]\d{1,2}|1\d\d)\b)")
"""Czech "z" before a number that is spoken with "ze": 4, 13, 16, 20, but neither 5 nor 10."""


@dataclass(frozen=True, slots=True)
class AlbumWords:
    """The sentences of one language, each with its places to fill in."""

    language: str
    one_winner: str
    many_winners: str
    between: str
    round: str
    pictureless: str
    player: str
    date: str
    months: tuple[str, ...]
    quotes: tuple[str, str]

    def round_of(self, number: int, rounds: int) -> str:
        """Which round it was of how many."""
        told = self.round.format(n=number, of=rounds)
        return ZE.sub("ze ", told) if self.language == "cs" else told


def album_words(catalogue: Mapping[str, Any], language: str) -> AlbumWords:
    """The album's words out of a catalogue of the screens."""
    left, right = str(catalogue["album.quotes"]).split(" ")
    return AlbumWords(
        language,
        catalogue["end.one"],
        catalogue["end.many"],
        catalogue["end.and"],
        catalogue["round"],
        catalogue["album.pictureless"],
        catalogue["album.player"],
        catalogue["album.date"],
        tuple(str(catalogue["album.months"]).split(",")),
        (left, right),
    )


@dataclass(frozen=True, slots=True)
class Album:
    """One evening, ready to be laid out; `names` by seat as they are called now, `place` may be empty,
    `photos` has the kept pictures of rounds as JPEG, by the rounds' numbers."""

    evening: PlayedEvening
    names: tuple[str, ...]
    place: str
    naming: Naming
    words: AlbumWords
    photos: Mapping[int, bytes] = field(default_factory=dict)
    looks: Mapping[int, bytes] | None = None
    """Of a learnt deck its cards' pictures as square JPEGs, by number; who has none is a plain disc.
    None: the cards are printed ones."""

    def share_png(self) -> bytes:
        """The picture to give away, 1080 x 1350 pixels."""
        page = Page("", *SHARE_MM, tuple(self._share(1.0)))
        return png_bytes(page_bgr(page, SHARE_DPI), SHARE_DPI)

    def pdf(self, language: str) -> bytes:
        """The whole evening as PDF: the picture, every round that somebody won, and the pictures of the
        table that were kept."""
        width, height = PAPERS_MM["a4"]
        by = width / SHARE_MM[0]
        cover = Page(self._day(), width, SHARE_MM[1] * by, tuple(self._share(by)))
        won = [one for one in self.evening.rounds if one.ending in ("claimed", "lookout")]
        pages = [cover]
        for at in range(0, len(won), ROUNDS_A_PAGE):
            items: list[Mark | Placed] = []
            for cell, one in enumerate(won[at : at + ROUNDS_A_PAGE]):
                middle = (width * (1 + 2 * (cell % 2)) / 4, 50 + 96.0 * (cell // 2))
                items += self._round(one, middle, len(self.evening.finished))
            pages.append(
                Page(f"{self._day()} {at // ROUNDS_A_PAGE + 2}", width, height, tuple(items))
            )
        for at, items in enumerate(self._photo_pages(width)):
            pages.append(Page(f"{self._day()} {at + 1}a", width, height, tuple(items)))
        return pdf_bytes(pages, f"Cloud Mine, {self._day()}", "", language=language)

    def _photo_pages(self, width: float) -> Iterator[list[Mark | Placed]]:
        """The photographs of the table, each with its round, its words and its place on a page."""
        room = (width / 2 - 12, 62.0)
        sizes = {number: _fitted_in(room, jpeg) for number, jpeg in self.photos.items()}
        taken = [one for one in self.evening.finished if sizes.get(one.number)]
        for at in range(0, len(taken), ROUNDS_A_PAGE):
            items: list[Mark | Placed] = []
            for cell, one in enumerate(taken[at : at + ROUNDS_A_PAGE]):
                x, y = width * (1 + 2 * (cell % 2)) / 4, 50 + 96.0 * (cell // 2)
                jpeg = self.photos[one.number]
                size = sizes[one.number] or room
                title = self.words.round_of(one.number, len(self.evening.finished))
                items += [
                    Photo(jpeg, (x, y), *size),
                    *_fitted(title, (x, y + size[1] / 2 + 6), 3.6, 90, GREY),
                    *self._cloud_name(one, (x, y + size[1] / 2 + 12.5)),
                ]
            yield items

    def _day(self) -> str:
        day = datetime.fromtimestamp(self.evening.began_s)
        month = self.words.months[day.month - 1]
        return self.words.date.format(day=day.day, month=month, year=day.year)

    def called(self, seat: int) -> str:
        """What the album calls somebody: nothing where no name may stand, the seat's number where there
        is none that can be written. Nobody is called like another."""
        if self.naming == "nothing":
            return ""
        shortest = _first_names if self.naming == "names" else _initials
        told = _told_apart(self.names, seat, shortest)
        if is_somebody(self.names[seat]) or not can_write(told):
            return self.words.player.format(n=seat + 1)
        return told

    def _headline(self) -> str:
        winners = [self.called(seat) for seat in self.evening.winners]
        if not winners or not all(winners):
            return self._day()
        if len(winners) == 1:
            return self.words.one_winner.format(name=winners[0])
        names = ", ".join(winners[:-1]) + self.words.between + winners[-1]
        return self.words.many_winners.format(names=names)

    def _standing(self, by: float) -> tuple[float, list[str]]:
        """Everybody's clouds: how large they are written, and the lines."""
        order = sorted(range(len(self.names)), key=lambda seat: -self.evening.totals[seat])
        told = [self._line(self.called(seat), self.evening.totals[seat]) for seat in order]
        size, lines = 0.0, [""]
        for size in (one * by for one in STANDING_MM):
            lines = _rows(told, size, 98 * by)
            if 1.3 * size * len(lines) <= STANDING_ROOM_MM * by:
                break
        return size, lines

    def _line(self, called: str, clouds: int) -> str:
        """Somebody and their clouds; a colon between where they are called by a number."""
        return f"{called}{':' if called[-1:].isdigit() else ''} {clouds}".strip()

    def _best_name(self) -> str:
        """The last named cloud that nobody found, else the one that took most guesses."""
        named = [
            one
            for one in self.evening.rounds
            if one.name and can_write(one.name) and one.ending in ("claimed", "lookout")
        ]
        best = max(
            named,
            key=lambda one: (one.ending == "lookout", len(one.guesses), one.number),
            default=None,
        )
        return "" if best is None or best.name is None else best.name.join(self.words.quotes)

    def _share(self, by: float) -> list[Mark | Placed]:
        width, height = SHARE_MM[0] * by, SHARE_MM[1] * by
        items: list[Mark | Placed] = [
            *_sky((width / 2, height / 2), width, height, 1.0),
            *_fitted(self._headline(), (width / 2, 14 * by), 9.5 * by, 98 * by, CREAM, bold=True),
        ]
        below = [self._day()] if self._headline() != self._day() else []
        placed = self.naming != "nothing" and self.place and can_write(self.place)
        below += [self.place] if placed else []
        items += _fitted("  ·  ".join(below), (width / 2, 21 * by), 4.2 * by, 98 * by, CREAM)
        cards = [card for one in self.evening.rounds for card in _won(one)]
        place = (width / 2, 69 * by)
        items += _window(cards, self.looks, place, 43 * by, 0.6, f"evening-{by:.2f}")
        items += _fitted(self._best_name(), (width / 2, 120.5 * by), 6 * by, 98 * by, CREAM)
        size, lines = self._standing(by)
        for at, line in enumerate(lines):
            height_mm = 125.5 * by + 1.3 * size * at + size / 4
            items += _fitted(line, (width / 2, height_mm), size, 98 * by, CREAM)
        return items

    def _round(
        self, one: PlayedRound, middle: tuple[float, float], rounds: int
    ) -> list[Mark | Placed]:
        x, y = middle
        hour = (one.number - 1) / max(1, rounds - 1)
        winner = one.lookout if one.claimer is None else one.claimer
        who = f"{self.called(winner)} +{one.gains[winner]}".strip()
        title = self.words.round_of(one.number, rounds)
        return [
            *_window(list(one.cards), self.looks, (x, y), 34.0, hour, f"round-{one.number}"),
            *_fitted(title, (x, y + 40), 3.6, 90, GREY),
            *_fitted(self._pictureless(one), (x, y + 58), 3.0, 90, GREY),
            *self._cloud_name(one, (x, y + 46.5)),
            *_fitted(who, (x, y + 53), 5.0, 90, NIGHT, bold=True),
        ]

    def _cloud_name(self, one: PlayedRound, at: tuple[float, float]) -> list[Mark | Placed]:
        """What the cloud was called, a long name in two lines."""
        if not one.name or not can_write(one.name):
            return []
        name = one.name.join(self.words.quotes)
        if width_mm(name, 5.4) <= 90:
            return _fitted(name, at, 5.4, 90, NIGHT)
        first, *more = wrapped(name, 4.2, 90)
        x, y = at
        return [
            *_fitted(first, (x, y - 1.6), 4.2, 90, NIGHT),
            *_fitted(" ".join(more), (x, y + 2.9), 4.2, 90, NIGHT),
        ]

    def _pictureless(self, one: PlayedRound) -> str:
        """How many clouds of a round have no number, if any: they are the plain discs."""
        many = one.cards.count(None)
        return self.words.pictureless.format(n=many) if many else ""


def _first_names(name: str) -> Iterator[str]:
    """What a name may be shortened to, the shortest first: Anna, Anna B., Anna Berg."""
    first, *more = name.split()
    yield first
    if more:
        yield f"{first} {more[-1][:1].upper()}."
    yield name


def _initials(name: str) -> Iterator[str]:
    """The same by letters: A., A. B., A. Be., ... then An., Ann., ... and the name itself."""
    first, *more = name.split()
    initial, last = first[:1].upper(), more[-1] if more else ""
    yield f"{initial}."
    yield from (f"{initial}. {last[:letters].capitalize()}." for letters in range(1, len(last) + 1))
    yield from (f"{first[:letters].capitalize()}." for letters in range(2, len(first) + 1))
    yield name


def _told_apart(names: Sequence[str], seat: int, shortened: Callable[[str], Iterator[str]]) -> str:
    """The shortest that nobody else is shortened to."""
    of_others = {one for at, name in enumerate(names) if at != seat for one in shortened(name)}
    own = tuple(shortened(names[seat]))
    return next((one for one in own if one not in of_others), own[-1])


def _fitted_in(room: tuple[float, float], jpeg: bytes) -> tuple[float, float] | None:
    """The size of a photograph that is as large as fits into `room`; None for one that is damaged, or
    larger than a camera's."""
    size = jpeg_size(jpeg)
    if size is None or not 0 < size[0] * size[1] <= LIMITS.streamed_px:
        return None
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return None
    height, width = image.shape[:2]
    by = min(room[0] / width, room[1] / height)
    return width * by, height * by


def _rows(told: list[str], size: float, room: float) -> list[str]:
    """These in lines that fit `room`; none of them is broken."""
    rows = [told[0]]
    for one in told[1:]:
        longer = f"{rows[-1]}{SEPARATOR}{one}"
        if width_mm(longer, size) > room:
            rows.append(one)
        else:
            rows[-1] = longer
    return rows


def _won(one: PlayedRound) -> tuple[Card, ...]:
    """The cards of a round that somebody gained; none of a void or open one."""
    return one.cards if any(one.gains) else ()


def _mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _hour(hour: float) -> tuple[Rgb, Rgb]:
    """The sky's top and bottom, 0 the first round and 1 the last."""
    at = max(k for k in range(len(HOURS) - 1) if HOURS[k][0] <= max(0.0, hour))
    (first, top, bottom), (last, next_top, next_bottom) = HOURS[at], HOURS[at + 1]
    share = min(1.0, max(0.0, (hour - first) / (last - first)))
    return _mixed(top, next_top, share), _mixed(bottom, next_bottom, share)


def _sky(middle: tuple[float, float], width: float, height: float, hour: float) -> list[Area]:
    """A gradient from top to bottom, in bands that overlap so that no seam shows."""
    top, bottom = _hour(hour)
    step = height / BANDS
    bands = []
    for band in range(BANDS):
        tall = min(2 * step, height - band * step)
        centre = (middle[0], middle[1] - height / 2 + band * step + tall / 2)
        bands.append(Area(rectangle(centre, width, tall), _mixed(top, bottom, band / (BANDS - 1))))
    return bands


def _window(
    cards: list[Card],
    looks: Mapping[int, bytes] | None,
    middle: tuple[float, float],
    radius: float,
    hour: float,
    name: str,
) -> list[Mark | Placed]:
    """A round sky with these clouds in it as a sunflower: each 137.5 degrees from the last."""
    side = 2 * radius
    sky = Design(side, side, True, tuple(_sky((0.0, 0.0), side, side, hour)))
    step = min(radius * 0.3, radius * 0.96 / (math.sqrt(max(1, len(cards)) - 0.65) + 0.88))
    size = min(radius * 0.52, step * 1.76)
    items: list[Mark | Placed] = [
        Disc(middle, radius + 0.02 * radius, PAPER_RIM),
        Placed(f"{name}-sky", sky, middle),
    ]
    for at, card in enumerate(cards):
        angle, away = math.radians(at * 137.508), step * math.sqrt(at + 0.35)
        place = (middle[0] + away * math.cos(angle), middle[1] + away * math.sin(angle))
        items.append(Disc(place, size / 2 * 1.05, PAPER_RIM))
        picture = _picture(card, looks, size)
        if picture is None:
            items.append(Disc(place, size / 2, _mixed(*_hour(hour), 0.7)))
        else:
            items.append(Placed(f"{name}-{card}", Design(size, size, True, (picture,)), place))
    return items


def _picture(card: Card, looks: Mapping[int, bytes] | None, size: float) -> Mark | None:
    """What is on a card, `size` mm across; None where nobody knows it, as of a number that a stranger's
    file has and no printed card."""
    if card is None:
        return None
    if looks is None:
        return Art(card, size) if 1 <= card <= LARGEST else None
    return Photo(looks[card], (0.0, 0.0), size, size) if card in looks else None


def _fitted(
    text: str, at: tuple[float, float], size: float, room: float, ink: Rgb, bold: bool = False
) -> list[Mark | Placed]:
    """One line, centred, smaller where it would not fit; none for no text."""
    if not text:
        return []
    fits = min(size, size * room / max(1e-6, width_mm(text, size, bold)))
    return [Words(text, at, fits, ink, align=0, bold=bold)]

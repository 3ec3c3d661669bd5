"""Small drawings that say what to do, without words: print at full size, measure, turn over, fold,
cut, lay out.

Each is a tuple of marks about its middle, at most 36 mm wide and 25 mm high. Knows lines only; no
pages.
"""

from __future__ import annotations

import math

from card_printables.artwork.ink import (
    BLACK,
    GREY,
    INDIGO,
    NIGHT,
    WHITE,
    Area,
    Disc,
    Line,
    Mark,
    Point,
    Rgb,
    Words,
    rectangle,
)
from card_printables.artwork.ornament import cloud, star, turned
from card_printables.artwork.pieces import CLOUD_INK, MOON_INK, STAR_INK, SUN_INK, emblem
from card_printables.artwork.tray_sky import RING_MM
from card_printables.token import TOKEN_NAMES, TRAY_PLACES_MM, TRAY_WIDTH_MM

Drawing = tuple[Mark, ...]

SKY: Rgb = (0xBF, 0xDB, 0xF0)
WOOD: Rgb = (0xF1, 0xE4, 0xD3)
CUT: Rgb = (0x8A, 0xB4, 0xD6)
RED: Rgb = (0xC2, 0x3B, 0x3B)
GREEN: Rgb = (0x2E, 0x7D, 0x4F)
_PEN = 0.35


def _arc(centre: Point, radius: float, start_deg: float, end_deg: float) -> tuple[Point, ...]:
    turns = [math.radians(start_deg + (end_deg - start_deg) * k / 24) for k in range(25)]
    return tuple(
        (centre[0] + radius * math.cos(t), centre[1] + radius * math.sin(t)) for t in turns
    )


def _arrow(points: tuple[Point, ...], ink: Rgb = INDIGO) -> Drawing:
    (x0, y0), (x1, y1) = points[-2], points[-1]
    heading = math.atan2(y1 - y0, x1 - x0)
    wing = [
        (x1 - 2.4 * math.cos(heading + s * 0.5), y1 - 2.4 * math.sin(heading + s * 0.5))
        for s in (-1, 1)
    ]
    tip = (x1 + 0.6 * math.cos(heading), y1 + 0.6 * math.sin(heading))
    return (Line(points, ink, 0.6), Area((wing[0], tip, wing[1]), ink))


def _sheet(centre: Point, width: float, height: float) -> Drawing:
    outline = rectangle(centre, width, height)
    return (Area(outline, WHITE), Line(outline, NIGHT, _PEN, True))


def _no(radius: float = 10.0, at: Point = (0.0, 0.0)) -> Drawing:
    slant = radius * math.sqrt(0.5)
    return (
        Disc(at, radius, RED, 0.9),
        Line(((at[0] - slant, at[1] + slant), (at[0] + slant, at[1] - slant)), RED, 0.9),
    )


def _yes(at: Point) -> Drawing:
    x, y = at
    return (Line(((x - 2.2, y), (x - 0.6, y + 2), (x + 2.8, y - 2.6)), GREEN, 0.9),)


def code_idea(at: Point, side: float) -> Drawing:
    """The idea of a code: three finder squares on white."""
    plate = Area(rectangle(at, side * 1.3, side * 1.3), WHITE)
    eyes = [
        (at[0] + sx * side / 3, at[1] + sy * side / 3) for sx, sy in ((-1, -1), (1, -1), (-1, 1))
    ]
    marks: list[Mark] = [plate]
    for eye in eyes:
        marks += [
            Area(rectangle(eye, side * part / 21, side * part / 21), ink)
            for part, ink in ((7, BLACK), (5, WHITE), (3, BLACK))
        ]
    dots = (
        (1, 1),
        (3, 2),
        (2, 3),
        (1, 4),
        (4, 4),
        (0, -4),
        (-4, 0),
        (5, 1),
        (1, -1),
        (-1, 3),
        (4, -1),
        (0, 6),
        (6, 5),
    )
    return (
        *marks,
        *(
            Area(
                rectangle((at[0] + x * side / 15, at[1] + y * side / 15), side / 15, side / 15),
                BLACK,
            )
            for x, y in dots
        ),
    )


def small_card(at: Point, radius: float, code: bool = True, turn_deg: float = 0.0) -> Drawing:
    """A face in miniature: sky, a cloud, the code near the rim."""
    marks: list[Mark] = [Disc(at, radius, SKY), Disc(at, radius, NIGHT, _PEN)]
    puff = turned(turned(cloud(radius * 1.15), 0, (0, -radius * 0.3)), turn_deg, at)
    marks.append(Area(puff, WHITE))
    if code:
        turn = math.radians(turn_deg)
        place = (at[0] - math.sin(turn) * radius * 0.6, at[1] + math.cos(turn) * radius * 0.6)
        marks += code_idea(place, radius * 0.42)
    return tuple(marks)


def full_size() -> Drawing:
    """A sheet that says 100 %, ticked."""
    return (
        *_sheet((0, 0), 18, 24),
        Words("100 %", (0, 1.5), 5.6, NIGHT, 0, 0.0, True),
        *_yes((13.5, 8)),
    )


def first_page() -> Drawing:
    """A plain page on top of label sheets."""
    labels = [
        Line(rectangle((4.0 + x, 2.5 + y), 4.6, 4.6, 0.6), GREY, 0.25, True)
        for x in (-4.6, 0, 4.6)
        for y in (-2.5, 2.3, 7.1)
    ]
    return (
        *_sheet((4, 2), 17, 20),
        *labels,
        *_sheet((-4.5, -2), 15, 20),
        Words("1", (-4.5, 1.6), 10.0, NIGHT, 0, 0.0, True),
    )


def measure() -> Drawing:
    """A ruler laid against the printed one."""
    marks: list[Mark] = [Line(((-15, -3), (15, -3)), NIGHT, _PEN)]
    marks += [Line(((x, -3), (x, -6 if x % 5 == 0 else -4.6)), NIGHT, 0.25) for x in range(-15, 16)]
    marks += [
        Area(rectangle((1.0, 4.5), 34, 9, 0.8), SUN_INK),
        Line(rectangle((1.0, 4.5), 34, 9, 0.8), NIGHT, _PEN, True),
    ]
    marks += [Line(((x, 0), (x, 3 if x % 5 == 0 else 1.6)), NIGHT, 0.25) for x in range(-15, 16)]
    return (*marks, Words("100 mm", (0, 7), 4.0, NIGHT, 0, 0.0, True))


def one_side() -> Drawing:
    """A sheet of faces."""
    discs = [(x, y) for x in (-3.6, 3.6) for y in (-7.2, 0.0, 7.2)]
    return (
        *_sheet((0, 0), 16, 23),
        *(Disc(at, 3.2, SKY) for at in discs),
        *(Disc(at, 3.2, GREY, 0.25) for at in discs),
    )


def turn_over(long_edge: bool) -> Drawing:
    """A sheet of discs that is turned over its long or its short edge."""
    way = _arc((8, 0), 7.5, 205, 335) if long_edge else _arc((8.5, -8.5), 6.5, 80, -140)
    return (*one_side(), *_arrow(way))


def fold_over() -> Drawing:
    """A sheet folded down its middle, faces to the left, backs to the right."""
    flap = ((0.0, -11.0), (11.0, -7.5), (11.0, 13.5), (0.0, 11.0))
    left = ((-12.0, -11.0), (0.0, -11.0), (0.0, 11.0), (-12.0, 11.0))
    marks: list[Mark] = [
        Area(left, WHITE),
        Line(left, NIGHT, _PEN, True),
        Area(flap, WHITE),
        Line(flap, NIGHT, _PEN, True),
    ]
    marks += [Disc((-6, y), 3.2, SKY) for y in (-7.0, 0.0, 7.0)] + [
        Disc((5.4, y + 1.2), 2.9, INDIGO) for y in (-7.0, 0.0, 7.0)
    ]
    marks.append(Line(((0, -12.5), (0, 12.5)), RED, 0.4, False, (1.4, 1.0)))
    return (*marks, *_arrow(_arc((3, -6), 8.5, -25, -150)))


def matte() -> Drawing:
    """A card with a glaring light on it, crossed out."""
    glare = turned(star(4.2, 8, 0.4), 0, (3.0, -3.0))
    return (
        *small_card((0, 0), 10.5),
        Area(glare, SUN_INK),
        Line(glare, NIGHT, 0.2, True),
        *_no(12.2),
    )


def cut() -> Drawing:
    """Scissors on the thin line round a disc."""
    ring = (Disc((-4.5, 0), 11.0, SKY), Disc((-4.5, 0), 9.6, CUT, 0.3))
    blades = (
        Line(((5.5, -1.6), (14.0, 4.2)), NIGHT, 0.9),
        Line(((5.5, 1.6), (14.0, -4.2)), NIGHT, 0.9),
        Disc((15.6, 5.4), 2.0, NIGHT, 0.8),
        Disc((15.6, -5.4), 2.0, NIGHT, 0.8),
    )
    return (*ring, *blades)


def _six_places(centre: Point, width: float) -> list[Mark]:
    """The rings of the tray's six places, on a small tray of this width."""
    share = width / TRAY_WIDTH_MM
    at = [(centre[0] + share * x, centre[1] + share * y) for x, y in TRAY_PLACES_MM]
    return [Disc(place, share * RING_MM, GREY, 0.25) for place in at]


def lay_tokens() -> Drawing:
    """A table from above: the four tokens in their corners, cards in the middle, the tray beside
    them."""
    marks: list[Mark] = [
        Area(rectangle((0, 0), 36, 25, 3), WOOD),
        Line(rectangle((0, 0), 36, 25, 3), NIGHT, _PEN, True),
    ]
    corners: tuple[tuple[Point, Rgb], ...] = (
        ((-14.4, -9), SUN_INK),
        ((14.4, -9), MOON_INK),
        ((14.4, 9), STAR_INK),
        ((-14.4, 9), CLOUD_INK),
    )
    for at, ink in corners:
        marks += [
            Area(rectangle(at, 4.6, 4.6), WHITE),
            Area(rectangle(at, 3.0, 3.0), NIGHT),
            Disc(at, 0.8, ink),
        ]
    marks += [
        Area(rectangle((8.2, 0.4), 11.5, 8.4), (0xF4, 0xF6, 0xFA)),
        Line(rectangle((8.2, 0.4), 11.5, 8.4), GREY, 0.25, True),
    ]
    marks += _six_places((8.2, 0.4), 11.5)
    for at in ((-9.5, -3.6), (-4.0, 1.0), (-9.8, 4.0), (-2.8, -5.2), (-3.4, 7.0)):
        marks += small_card(at, 2.4, False)
    return tuple(marks)


def fold_tray() -> Drawing:
    """The tray's sheet, its white edges folded back along dashed lines."""
    marks: list[Mark] = [
        *_sheet((0, 0), 33, 22),
        Area(rectangle((0, 0), 26, 16), (0xEC, 0xF0, 0xF6)),
    ]
    marks += _six_places((0, 0), 26)
    marks += [
        Area(rectangle((sx * 11.2, sy * 6.2), 2.4, 2.4), NIGHT) for sx in (-1, 1) for sy in (-1, 1)
    ]
    marks += [Line(((x, -10.6), (x, 10.6)), RED, 0.35, False, (1.2, 0.9)) for x in (-13.0, 13.0)]
    marks += [Line(((-16.2, y), (16.2, y)), RED, 0.35, False, (1.2, 0.9)) for y in (-8.0, 8.0)]
    marks += [
        *_arrow(_arc((13.0, -0.5), 4.4, 10, -150)),
        *_arrow(_arc((-13.0, -0.5), 4.4, 170, 330)),
    ]
    return tuple(marks)


def use_tray() -> Drawing:
    """The tray with two cards on it, its corner squares free."""
    marks: list[Mark] = [
        Area(rectangle((0, 0), 34, 24), (0xEC, 0xF0, 0xF6)),
        Line(rectangle((0, 0), 34, 24), GREY, _PEN, True),
    ]
    marks += _six_places((0, 0), 34)
    marks += [
        Area(rectangle((sx * 14.6, sy * 9.6), 3.2, 3.2), NIGHT) for sx in (-1, 1) for sy in (-1, 1)
    ]
    (ax, ay), (bx, by) = (TRAY_PLACES_MM[i] for i in (0, 4))
    share = 34 / TRAY_WIDTH_MM
    return (
        *marks,
        *small_card((share * ax, share * ay), 5.3, True, 20),
        *small_card((share * bx, share * by), 5.3, True, -35),
    )


def emblems() -> Drawing:
    """Sun, moon, star and cloud in the corners of a table, with the order they are laid in."""
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    marks: list[Mark] = [Line(rectangle((0, 0), 35, 24.5, 3), NIGHT, _PEN, True)]
    for name, (right, down) in zip(TOKEN_NAMES, corners, strict=True):
        marks += emblem(name, 4.2, (11.5 * right, 6.5 * down))
    return tuple(marks)


def stick() -> Drawing:
    """A sticker that goes to the foot of a face, close to the rim."""
    sticker = (
        Line(rectangle((10.5, -3.0), 7.4, 7.4), GREY, 0.25, True),
        *code_idea((10.5, -3.0), 5.2),
    )
    target = Line(rectangle((-6.0, 6.2), 7.4, 7.4), RED, 0.4, True, (1.0, 0.7))
    return (
        *small_card((-6, 0), 11.8, False),
        target,
        *sticker,
        *_arrow(((8.5, 2.5), (5.5, 6.2), (0.5, 6.8))),
    )


def same_place() -> Drawing:
    """Three faces, the sticker at the same place on each."""
    return tuple(mark for x in (-12.0, 0.0, 12.0) for mark in small_card((x, 0), 5.6))


def never_backs() -> Drawing:
    """A back with a sticker on it, crossed out."""
    return (
        Disc((0, 0), 10.5, INDIGO),
        Disc((0, 0), 10.5, NIGHT, _PEN),
        *code_idea((0, 4), 6),
        *_no(12.2),
    )

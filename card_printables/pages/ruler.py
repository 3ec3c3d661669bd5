"""Rulers, squares and crosses: what a person measures to know whether the printer told the truth.

Knows millimetres on a page; nothing of what else is printed there.
"""

from __future__ import annotations

from card_printables.artwork.ink import GREY, NIGHT, Line, Mark, Point, Words, rectangle

RULER_MM = 100
SQUARE_MM = 50.0
CROSS_INSET_MM = 15.0
"""Distance of the corner crosses from the paper's edges."""

_HAIR_MM = 0.15


def ruler(start_mm: Point, down: bool = False) -> tuple[Mark, ...]:
    """A ruler of 100 mm from `start_mm`, to the right or down, with a mark each millimetre and
    words each centimetre."""
    x0, y0 = start_mm
    marks: list[Mark] = []

    def at(along: float, aside: float) -> Point:
        return (x0 + aside, y0 + along) if down else (x0 + along, y0 - aside)

    marks.append(Line((at(0, 0), at(RULER_MM, 0)), NIGHT, _HAIR_MM))
    for k in range(RULER_MM + 1):
        tall = 4.5 if k % 10 == 0 else 3.2 if k % 5 == 0 else 2.0
        marks.append(Line((at(k, 0), at(k, tall)), NIGHT, _HAIR_MM))
        if k % 10 == 0:
            x, y = at(k, 5.5)
            marks.append(
                Words(str(k), (x, y + 1) if down else (x, y), 2.8, NIGHT, -1 if down else 0)
            )
    return tuple(marks)


def square(corner_mm: Point) -> tuple[Mark, ...]:
    """A square of 50 mm with its top-left corner at `corner_mm`; the line's middle is the measure."""
    x, y = corner_mm
    middle = (x + SQUARE_MM / 2, y + SQUARE_MM / 2)
    outline = Line(rectangle(middle, SQUARE_MM, SQUARE_MM), NIGHT, _HAIR_MM, True)
    return (outline, Words("50 × 50 mm", (middle[0], y + SQUARE_MM - 3), 4.0, GREY, 0))


def cross(at_mm: Point, graduated: bool = False) -> tuple[Mark, ...]:
    """A cross of 10 mm; graduated, it has a tick each millimetre."""
    x, y = at_mm
    marks: list[Mark] = [
        Line(((x - 5, y), (x + 5, y)), NIGHT, _HAIR_MM),
        Line(((x, y - 5), (x, y + 5)), NIGHT, _HAIR_MM),
    ]
    if graduated:
        for k in (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5):
            marks.append(Line(((x + k, y - 0.6), (x + k, y + 0.6)), NIGHT, _HAIR_MM))
            marks.append(Line(((x - 0.6, y + k), (x + 0.6, y + k)), NIGHT, _HAIR_MM))
    return tuple(marks)


def corner_crosses(paper_mm: tuple[float, float], graduated: bool = False) -> tuple[Mark, ...]:
    """A cross in each corner of the sheet, its middle 15 mm from both edges."""
    far = (paper_mm[0] - CROSS_INSET_MM, paper_mm[1] - CROSS_INSET_MM)
    places = [(x, y) for y in (CROSS_INSET_MM, far[1]) for x in (CROSS_INSET_MM, far[0])]
    return tuple(mark for place in places for mark in cross(place, graduated))

"""What is painted on the tray between its tags: a month of six moons, one for each card that may lie
there.

Knows places in millimetres and colours; knows neither tags nor cards. Faint all of it: a card is told
from the bare sheet by its colours, and paper that is pale all over costs little ink.
"""

from __future__ import annotations

import math

from card_printables.artwork.ink import Area, Disc, Mark, Rgb, Words
from card_printables.artwork.ornament import Outline, star, turned
from card_printables.token import TRAY_PLACES_MM

TRAY_GROUND: Rgb = (0xEC, 0xF0, 0xF6)
TRAY_MOON: Rgb = (0xFA, 0xF3, 0xDC)
TRAY_LINE: Rgb = (0xD6, 0xDE, 0xEC)
TRAY_WORDS: Rgb = (0xB4, 0xBF, 0xD6)

RING_MM = 41.0
"""Radius of a place's ring: a card that lies there hides it."""

MOON_MM = 15.0

LIT_SHARES = (0.16, 0.5, 0.84, 1.0, -0.84, -0.5)
"""How much of each moon is lit, in the order of the places; waning ones negative."""

STARS = (
    (0.0, -72.0, 4.2),
    (0.0, 74.0, 3.2),
    (-92.0, -60.0, 2.8),
    (90.0, 58.0, 3.4),
    (-66.0, 84.0, 2.2),
    (74.0, -86.0, 2.0),
)
"""x, y, size in mm."""


def phase(radius_mm: float, lit_share: float) -> Outline:
    """The lit part of a moon about the origin: its right side, or with a negative share its left."""
    side = 1.0 if lit_share > 0 else -1.0
    terminator = 1.0 - 2.0 * abs(lit_share)
    turns = [math.pi * (step / 48 - 0.5) for step in range(49)]
    limb = [(side * radius_mm * math.cos(t), radius_mm * math.sin(t)) for t in turns]
    edge = [
        (side * terminator * radius_mm * math.cos(t), radius_mm * math.sin(t))
        for t in reversed(turns)
    ]
    return (*limb, *edge)


def tray_sky() -> list[Mark]:
    """Rings and moons of the six places, a few stars, and what the sheet is for."""
    marks: list[Mark] = [
        Area(turned(star(size), 8 * x % 30 - 15, (x, y)), TRAY_MOON) for x, y, size in STARS
    ]
    for at, lit in zip(TRAY_PLACES_MM, LIT_SHARES, strict=True):
        marks.append(Disc(at, RING_MM, TRAY_LINE, 0.7))
        marks.append(Disc(at, MOON_MM, TRAY_LINE, 0.35))
        marks.append(Area(turned(phase(MOON_MM, lit), 20, at), TRAY_MOON))
    words = "set aside  ·  beiseite  ·  odloženo"
    return [*marks, Words(words, (0.0, 1.8), 5.2, TRAY_WORDS, 0, 0.0, True)]

"""Type: the two fonts that are shipped, and how wide words are.

Knows fonts and millimetres; knows no page. Alegreya Sans, SIL Open Font License (`fonts/OFL.txt`),
has the Czech letters; its figures are the lining ones, as high as capitals.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from PIL import ImageFont

FONT_FILES = {False: "AlegreyaSans-Medium.ttf", True: "AlegreyaSans-ExtraBold.ttf"}

_EM = 1000


def font_path(bold: bool) -> str:
    """Path of the shipped font file."""
    return str(files("card_printables.artwork") / "fonts" / FONT_FILES[bold])


@cache
def _at_em(bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_path(bold), _EM, layout_engine=ImageFont.Layout.BASIC)


def width_mm(text: str, size_mm: float, bold: bool = False) -> float:
    """How wide a line of type runs."""
    return sum(_at_em(bold).getlength(letter) for letter in text) * size_mm / _EM


def wrapped(text: str, size_mm: float, room_mm: float, bold: bool = False) -> list[str]:
    """The lines of `text`, broken at spaces so that each fits `room_mm`; a single longer word keeps
    a line of its own."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_mm(longer, size_mm, bold) > room_mm:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@cache
def _small(bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_path(bold), 40, layout_engine=ImageFont.Layout.BASIC)


@cache
def _has(letter: str) -> bool:
    """Whether the fonts draw this letter, and not what stands for all that they lack."""
    lacking = bytes(_small(False).getmask("\U0010fffd"))
    return letter == " " or bytes(_small(False).getmask(letter)) != lacking


def can_write(text: str) -> bool:
    """True where the shipped fonts have every letter of `text`."""
    return all(_has(letter) for letter in text)

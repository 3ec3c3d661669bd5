"""Pictures that must not be believed, and what is said of each: mirrored, too dark, burnt out, blurred.
Good pictures stay believed. Rendered tables, through the eye."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from calibration.cameras.port import Frame
from calibration.geometry.place import PiecePlace
from calibration.simulator.develop import STEADY
from calibration.simulator.photograph import CameraModel, Exposure, Sheet, Studio
from card_printables.output.piece_pictures import face_rgba
from card_printables.token import TOKEN_NAMES
from companion.table.sighting import Glimpse
from companion.vision.eye import Eye
from tests.support.calibration_scene import Layout, framed, sheets_of

CORNERS = ((-280.0, -165.0), (280.0, -165.0), (280.0, 165.0), (-280.0, 165.0))
LAYOUT: Layout = {
    name: PiecePlace(x, y, 0.0) for name, (x, y) in zip(TOKEN_NAMES, CORNERS, strict=True)
}
"""Alike on both sides: in a mirror tokens lie where tokens lay."""

CAMERA = framed(CameraModel(1280, 720, 940, tilt_deg=18, blur_px=0.6), LAYOUT)
CARDS_AT = {3: (-120.0, 40.0), 7: (0.0, 0.0), 12: (120.0, -30.0)}
EVERY_S = 0.4
SETTLED = 8


@cache
def studio(cloth: str) -> Studio:
    return Studio(CAMERA, cloth, 0)


def table(cloth: str = "wood", exposure: Exposure = STEADY, over: int = 0) -> np.ndarray:
    """The table with cards; `over`: so many tokens are covered."""
    faces = [Sheet(face_rgba(card, dpi=100), 85.0, at) for card, at in CARDS_AT.items()]
    green = np.full((40, 40, 3), (90, 140, 60), np.uint8)
    plates = [Sheet(green, 90.0, at, 30.0, 1.0) for at in CORNERS[:over]]
    sheets = [*sheets_of(LAYOUT), *faces, *plates]
    return studio(cloth).shoot(sheets, exposure)


def turned_over(picture: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(picture[:, ::-1])


def seen_after(good: np.ndarray, picture: np.ndarray) -> list[Glimpse]:
    """What is said of `picture`, shown for two seconds after good ones."""
    eye, rng = Eye(), np.random.default_rng(1)
    glimpses = []
    for number in range(SETTLED + 5):
        shown = good if number < SETTLED else picture
        grain = rng.integers(-2, 3, shown.shape, np.int16)
        frame = Frame(np.clip(shown + grain, 0, 255).astype(np.uint8), EVERY_S * number, number)
        glimpses.append(eye.read_frame(frame).glimpse)
    assert glimpses[SETTLED - 1].usable
    return glimpses[SETTLED:]


@pytest.mark.parametrize("cloth", ["wood", "white"])
def test_nothing_is_believed_of_a_picture_in_a_mirror(cloth: str) -> None:
    """Mirroring is switched on in mid-evening, on a table that is alike on both sides: the ledger
    gets no card and no place of it, and it is called nothing but mirrored."""
    told = seen_after(table(cloth), turned_over(table(cloth)))
    assert not any(glimpse.usable for glimpse in told)
    assert {glimpse.sightings for glimpse in told} == {()}
    for glimpse in told[1:]:
        assert glimpse.places == ()
        assert glimpse.notices == ("mirrored",)


WRONG = {
    "a fifth of the light": (0.2, 0, "dark"),
    "an eighth of the light": (0.12, 0, "dark"),
    "next to no light": (0.03, 0, "dark"),
    "a veil of light": (1.0, 90, "bright"),
    "a bright veil": (1.0, 150, "bright"),
    "hardly a shadow left": (1.0, 220, "bright"),
    "all white": (0.0, 255, "bright"),
}


@pytest.mark.parametrize("cloth", ["wood", "white"])
@pytest.mark.parametrize("scene", WRONG)
def test_too_little_and_too_much_light_are_not_called_blur(scene: str, cloth: str) -> None:
    """Edges that are as narrow as ever lack light, or have too much of it."""
    share, veil, said = WRONG[scene]
    wrong = np.clip(table(cloth) * share + veil, 0, 255).astype(np.uint8)
    for glimpse in seen_after(table(cloth), wrong):
        assert not glimpse.usable
        assert glimpse.notices == (said,)


@pytest.mark.parametrize("gain", [1.0, 2.0])
@pytest.mark.parametrize("defocus_px", [2.0, 3.0, 9.0])
def test_blur_is_called_blur_in_a_bright_room_too(defocus_px: float, gain: float) -> None:
    """Out of focus, with white print burnt out or not."""
    good = table(exposure=Exposure(gain=gain))
    soft = table(exposure=Exposure(gain=gain, defocus_px=defocus_px))
    for glimpse in seen_after(good, soft)[1:]:
        assert not glimpse.usable
        assert glimpse.notices == ("blurred",)


GOOD = {
    "a dim lamp": lambda: (table(), (table() * 0.4).astype(np.uint8)),
    "a white tablecloth": lambda: (table("white"), table("white")),
    "a bright one": lambda: (table("white"), table("white", Exposure(gain=3.0))),
    "three tokens covered": lambda: (table(), table(over=3)),
}


@pytest.mark.parametrize("scene", GOOD)
def test_good_pictures_stay_believed(scene: str) -> None:
    """Cards are read, and nothing is said."""
    for glimpse in seen_after(*GOOD[scene]()):
        assert glimpse.usable
        assert glimpse.notices == ()
        assert {sighting.card for sighting in glimpse.sightings} == set(CARDS_AT)


def test_cards_are_read_while_all_tokens_are_covered() -> None:
    """Whether the rest of such a picture is believed is another matter; nothing is said to be
    wrong with it."""
    for glimpse in seen_after(table(), table(over=4)):
        assert glimpse.notices == ()
        assert {sighting.card for sighting in glimpse.sightings} == set(CARDS_AT)


def test_a_black_cloth_is_not_dark() -> None:
    """Everything is taken off it in the same light: no token is seen, and nothing is said of light; with
    the lamp out as well it is."""
    bare = studio("black").shoot([], STEADY)
    for glimpse in seen_after(table("black"), bare):
        assert glimpse.notices == ()
    dark = (bare * 0.2).astype(np.uint8)
    assert seen_after(table("black"), dark)[-1].notices == ("dark",)

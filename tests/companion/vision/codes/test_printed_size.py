"""Decks printed at another size than was told: noticed on the table, read all the same; one odd
code changes nothing."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.cameras.picture_file import PictureLimits
from calibration.cameras.port import Frame
from calibration.simulator.photograph import CameraModel, Sheet, Studio
from card_printables.output.piece_pictures import face_rgba, token_rgba
from card_printables.token import TOKEN_NAMES, TOKENS
from companion.__main__ import main
from companion.commands import read as command
from companion.vision.codes.detection import Reading
from companion.vision.codes.printed_size import (
    LOOKS_AT_THE_SAME,
    SEARCH_ANY_SIZE_EVERY_S,
    PrintedSizeWatch,
)
from companion.vision.codes.reader import Reader
from companion.vision.codes.whole_picture import read_cards
from companion.vision.eye import Eye
from tests.support.calibration_scene import framed, laid_by_eye

LAYOUT = laid_by_eye(np.random.default_rng(5), tray=False)
CAMERA = framed(CameraModel(1280, 720, tilt_deg=20.0, focal_px=1000.0), LAYOUT)
SPOTS = {7: (-150.0, -40.0), 12: (-50.0, 60.0), 33: (60.0, -50.0), 48: (160.0, 50.0)}


@cache
def studio() -> Studio:
    return Studio(CAMERA, "pale", 2)


@cache
def table(symbol_mm: float, odd: int = 0, odd_mm: float = 26.0) -> np.ndarray:
    """Four tokens and four cards with codes of this size; the first `odd` of them with codes of
    `odd_mm`."""
    sheets = [Sheet(token_rgba(t, 100), t.width_mm, (LAYOUT[n].x_mm, LAYOUT[n].y_mm), LAYOUT[n].turn_deg)
              for n, t in zip(TOKEN_NAMES, TOKENS, strict=True)]  # fmt: skip
    for i, (card, at) in enumerate(SPOTS.items()):
        side = odd_mm if i < odd else symbol_mm
        sheets.append(Sheet(face_rgba(card, symbol_mm=side, dpi=100), 85.0, at, 70.0 * i))
    return studio().shoot(sheets)


def test_a_whole_picture_of_codes_of_another_size_is_read() -> None:
    """Codes of 18 mm are all read by a reader that was told 12."""
    reading, plane = read_cards(table(18.0), Reader(symbol_mm=12.0))
    assert plane is not None
    assert set(reading.cards) == set(SPOTS)


def test_the_eye_finds_out_the_printed_size() -> None:
    """After some frames of larger codes the eye has their size to two per cent, and places their
    cards by it."""
    eye = Eye()
    for k in range(6):
        look = eye.read_frame(Frame(table(23.0), k * 0.8, k))
    assert abs(eye.place.symbol_mm / 23.0 - 1) < 0.02
    assert {s.card for s in look.glimpse.sightings} == set(SPOTS)


def test_one_odd_code_does_not_change_the_size() -> None:
    """A single larger code among right ones leaves the size as it was told."""
    eye = Eye()
    for k in range(4):
        eye.read_frame(Frame(table(18.0, odd=1), k * 0.2, k))
    assert eye.place.symbol_mm == 18.0


def test_a_card_held_up_does_not_lie_anywhere() -> None:
    """A code much larger than the printed one, as of a card held near the camera or on a screen, is
    read but is no card on the table; the others lie there as ever."""
    eye, held = Eye(symbol_mm=32.0), min(SPOTS)
    seen = table(32.0, odd=1, odd_mm=42.0)
    assert set(read_cards(seen, Reader(symbol_mm=32.0))[0].cards) == set(SPOTS)
    for k in range(4):
        look = eye.read_frame(Frame(seen, k * 0.8, k))
    assert {s.card for s in look.glimpse.sightings} == set(SPOTS) - {held}


def test_a_panorama_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A picture longer than the reader warps ended in a traceback."""
    cv2.imwrite(str(tmp_path / "a.png"), np.full((64, 33_000, 3), 90, np.uint8))
    assert main(["read", "--json", str(tmp_path / "a.png")]) == 0
    assert json.loads(capsys.readouterr().out)[0]["cards"] == []


def test_a_picture_too_large_for_the_reader_is_read_smaller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`companion read` halves a picture of more pixels than the reader takes, and tells corners in
    its own pixels."""
    cv2.imwrite(
        str(tmp_path / "a.png"),
        cv2.resize(table(18.0), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC),
    )
    cv2.imwrite(str(tmp_path / "b.png"), table(18.0))
    monkeypatch.setattr(command, "LIMITS", PictureLimits(searched_px=1280 * 720))
    assert main(["read", "--json", str(tmp_path / "a.png"), str(tmp_path / "b.png")]) == 0
    large, small = (
        {card["card"]: np.array(card["corners_px"]) for card in told["cards"]}
        for told in json.loads(capsys.readouterr().out)
    )
    assert set(large) == set(small) == set(SPOTS)
    for number in SPOTS:
        assert np.abs((large[number] + 0.5) / 2 - 0.5 - small[number]).max() < 0.5


class NoTilt:
    """A plane of one pixel a millimetre."""

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        return points_mm

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        return points_px


def test_a_table_that_stays_as_it_is_is_not_searched_again_and_again() -> None:
    """The search takes seconds on a small computer: a few looks, and again once something moved. It had
    gone on for as long as no card lay there, and a dealt card waited for it."""
    watch, searched = PrintedSizeWatch(), []

    def look(t_s: float, still: bool) -> None:
        def search() -> Reading:
            searched.append(t_s)
            return Reading()

        assert watch.measure_size(Reading(), NoTilt(), 23.0, search, t_s, still) is None

    for number in range(40):
        look(number * SEARCH_ANY_SIZE_EVERY_S, still=number > 0)
    assert len(searched) == LOOKS_AT_THE_SAME
    look(41 * SEARCH_ANY_SIZE_EVERY_S, still=False)
    look(42 * SEARCH_ANY_SIZE_EVERY_S, still=True)
    assert len(searched) == LOOKS_AT_THE_SAME + 2

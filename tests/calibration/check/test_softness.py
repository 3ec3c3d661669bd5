"""A soft picture is said to be soft, whatever else it looks like; in a clear one true misprints are
named. Rendered pictures, blurred by a lens out of focus, by its disc and by movement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.check.report import report_on
from calibration.simulator.photograph import CameraModel, photograph
from card_printables.token import TOKEN_NAMES, TRAY
from tests.support.calibration_scene import framed, laid_by_eye, picture_of, sheets_of

CAMERAS = {
    "480p": CameraModel(640, 480, 470, blur_px=0.6),
    "720p": CameraModel(1280, 720, 940, blur_px=0.6),
    "1080p": CameraModel(1920, 1080, 1410, blur_px=0.6),
}


def _gaussian(image: np.ndarray, sigma_px: float) -> np.ndarray:
    return cv2.GaussianBlur(image, (0, 0), sigma_px)


def _disc(image: np.ndarray, sigma_px: float) -> np.ndarray:
    """A lens out of focus spreads each point over a disc, whose sigma is half its radius."""
    reach = int(np.ceil(2 * sigma_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    spread = np.clip(2 * sigma_px + 0.5 - np.hypot(x, y), 0, 1)
    return cv2.filter2D(image, -1, spread / spread.sum())


def _moved(image: np.ndarray, sigma_px: float) -> np.ndarray:
    """A camera that moves while it looks: each point becomes a line, some 20 degrees askew."""
    length = round(sigma_px * np.sqrt(12)) | 1
    line = np.zeros((length, length), np.float32)
    line[length // 2] = 1
    turn = cv2.getRotationMatrix2D((length // 2, length // 2), 20, 1)
    line = cv2.warpAffine(line, turn, (length, length))
    return cv2.filter2D(image, -1, line / line.sum())


BLURS: dict[str, Callable[[np.ndarray, float], np.ndarray]] = {
    "gaussian": _gaussian,
    "disc": _disc,
    "moved": _moved,
}


@cache
def _clear(size: str, tilt_deg: float) -> np.ndarray:
    """A good picture of a table with tokens and tray."""
    layout = laid_by_eye(np.random.default_rng(round(tilt_deg)), 620, 360)
    return picture_of(layout, framed(replace(CAMERAS[size], tilt_deg=tilt_deg), layout))


@pytest.mark.parametrize("tilt_deg", [8.0, 33.0])
@pytest.mark.parametrize("blur", BLURS)
@pytest.mark.parametrize("size", CAMERAS)
def test_a_soft_picture_is_said_to_be_soft(size: str, blur: str, tilt_deg: float) -> None:
    """From 4 px at 720p, and as much of the other sizes: nothing is said of paper that is bent or of
    a wrong size, of covered tokens or of a table beyond the picture, and the advice is to make it
    sharp; out of focus also where no token can be found any more."""
    clear = _clear(size, tilt_deg)
    for sigma_px in (4.0, 5.0) if blur == "moved" else (4.0, 5.0, 5.5, 8.0):
        report = report_on([BLURS[blur](clear, sigma_px * clear.shape[1] / 1280)])
        assert [p["key"] for p in report["problems"]] == ["soft"], sigma_px
        assert (report["advice_key"], report["verdict"]) == ("soft", "poor"), sigma_px


@pytest.mark.parametrize("blur", BLURS)
def test_flat_tokens_in_a_slightly_soft_picture_are_not_blamed(blur: str) -> None:
    """1 to 2.5 px at 720p: whatever is said, it is not that a sheet is bent or of a wrong size."""
    clear = _clear("720p", 33.0)
    for sigma_px in (1.0, 1.5, 2.0, 2.5):
        report = report_on([BLURS[blur](clear, sigma_px)])
        assert {p["key"] for p in report["problems"]} <= {"soft"}, sigma_px


@pytest.mark.parametrize("blur_px", [0.0, 1.0])
@pytest.mark.parametrize("size", CAMERAS)
def test_a_wrong_size_is_said_of_a_clear_picture(size: str, blur_px: float) -> None:
    """One token at 94 %, all others true: it is named, also where the picture is not quite sharp."""
    layout = laid_by_eye(np.random.default_rng(4), 560, 330, tray=False)
    sheets = [
        replace(sheet, width_mm=sheet.width_mm * (0.94 if name == TOKEN_NAMES[1] else 1))
        for name, sheet in zip(
            sorted(layout, key=lambda n: n != TRAY.name), sheets_of(layout), strict=True
        )
    ]
    image = photograph(sheets, framed(replace(CAMERAS[size], tilt_deg=15), layout))
    soft = _gaussian(image, blur_px * image.shape[1] / 1280) if blur_px else image
    report = report_on([soft])
    assert [(p["key"], p["piece"]) for p in report["problems"]] == [("wrong-scale", TOKEN_NAMES[1])]
    assert report["advice_key"] == "wrong-scale"


def test_a_sharp_picture_without_tokens_is_not_called_soft() -> None:
    """A table on which no token lies, and a soft one that shows hardly anything: no token is in view."""
    layout = laid_by_eye(np.random.default_rng(2), 560, 330, tray=False)
    camera = framed(CAMERAS["720p"], layout)
    card = replace(sheets_of(layout)[0], image=np.full((40, 40, 3), (60, 140, 90), np.uint8))
    for cloth in ("wood", "checked", "white"):
        assert report_on([photograph([card], camera, cloth)])["advice_key"] == "no-tokens", cloth

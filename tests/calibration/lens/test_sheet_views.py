"""The printed test sheet, photographed: slid to six places it tells the table; lazy views of it are
refused."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.__main__ import main
from calibration.lens.sheet_views import lens_report, plane_of_views, table_report, view_of
from calibration.simulator.photograph import CameraModel, Sheet, photograph
from card_printables.output import pixels
from card_printables.pages import lens_target

CAMERA = CameraModel(1280, 720, 950.0, distance_mm=760, tilt_deg=28, k1=-0.12, blur_px=0.6)
PLACES = (
    (-200, -90, 10),
    (200, -100, 95),
    (0, 30, 170),
    (-190, 110, 60),
    (210, 100, -20),
    (20, -130, 30),
)


@cache
def _print() -> np.ndarray:
    return pixels.paint(lens_target.design(), 150)


def _picture(camera: CameraModel, x: float = 0.0, y: float = 0.0, turn: float = 0.0) -> np.ndarray:
    return photograph(
        [Sheet(_print(), lens_target.COLUMNS * lens_target.SQUARE_MM, (x, y), turn, height_mm=0.0)],
        camera,
    )


@cache
def _slid() -> tuple[np.ndarray, ...]:
    return tuple(_picture(CAMERA, *place) for place in PLACES)


def test_a_sheet_slid_to_six_places_tells_the_table_to_a_millimetre() -> None:
    """Distances between pixels all over the table are right, whatever the lens."""
    views = [view for image in _slid() if (view := view_of(image)) is not None]
    plane, residuals = plane_of_views(views, CAMERA.size_px)
    points = np.array([(x, y) for x in (-230, 0, 230) for y in (-120, 0, 120)], float)
    found = plane.to_mm(CAMERA.to_px(points))
    gaps, true = (np.linalg.norm(p[:, None] - p[None], axis=2) for p in (found, points))
    assert np.abs(gaps - true).max() < 1.0
    assert np.abs(residuals[:, 2:]).mean() < 0.15


def test_the_halves_agree_and_the_table_is_accepted() -> None:
    """Six places: accepted, with the halves' difference in mm and a picture of residuals."""
    told, picture = table_report(_slid())
    assert told["accepted"]
    assert told["places"] == 6
    assert told["halves_differ_mm"] <= 2.0
    assert (picture < 200).any()


def test_a_sheet_that_was_not_slid_is_refused() -> None:
    """Two places, one of them twice: three more are asked for."""
    told, _ = table_report([_slid()[0], _slid()[1], _slid()[1]])
    assert not told["accepted"]
    assert "3 more" in told["says"]


def test_lazy_views_are_refused_with_what_to_do() -> None:
    """Facing, in the middle, a little aside each time: too alike to count, and never accepted."""
    lazy = [
        _picture(replace(CAMERA, tilt_deg=2, distance_mm=700 + 12 * k), 6.0 * k) for k in range(4)
    ]
    told, _ = lens_report(lazy)
    assert not told["accepted"]
    assert "tilted" in told["says"]


def test_the_command_writes_json_and_picture_and_ends_with_1_when_refused(tmp_path: Path) -> None:
    """`companion calibrate --from ... --sheet --json --picture`."""
    for i, image in enumerate(_slid()[:2]):
        cv2.imwrite(str(tmp_path / f"{i}.png"), image)
    out, shown = tmp_path / "out.json", tmp_path / "residuals.png"
    assert (
        main(["--from", str(tmp_path), "--sheet", "--json", str(out), "--picture", str(shown)]) == 1
    )
    assert json.loads(out.read_text())["places"] == 2
    assert shown.exists()


@pytest.mark.parametrize("way", ["--sheet", "--lens"])
def test_without_pictures_the_command_says_what_to_give(
    way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2 and one sentence."""
    assert main([way]) == 2
    assert "--from" in capsys.readouterr().err

"""A tag's corners from all of its edges: right under tone curves, sharpening and blur that move the
edges."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.cameras.grey import grey_of
from calibration.geometry.fit import fit_plane
from calibration.geometry.optics import Optics
from calibration.simulator.photograph import CameraModel
from calibration.tags.find import find_tags
from calibration.tags.fit import fit_tag
from calibration.tags.refine import seen_tags
from tests.support.calibration_scene import (
    between_tokens,
    framed,
    laid_by_eye,
    picture_of,
    true_tags,
)

LAYOUT = laid_by_eye(np.random.default_rng(12), 520, 300, tray=False)
PLAIN = CameraModel(
    1280, 720, 940, tilt_deg=40, azimuth_deg=12, k1=-0.2, blur_px=0.7, noise=2.5, jpeg_quality=92
)
CAMERA = framed(PLAIN, LAYOUT)


@cache
def _grey(camera: CameraModel) -> np.ndarray:
    return grey_of(picture_of(LAYOUT, camera, "pale", 5))


CAMERAS = [
    CAMERA,
    replace(CAMERA, gamma=1.8, sharpening=0.0),
    replace(CAMERA, gamma=2.6, sharpening=1.0),
]


@pytest.mark.parametrize("camera", CAMERAS)
def test_corners_hold_under_any_tone_curve(camera: CameraModel) -> None:
    """Gamma 1.8 to 2.6, sharpening 0 to 1: corners at 40 degrees are right to 0.06 px, better than
    the outline's."""
    truth, outline, fitted = (
        true_tags(camera, LAYOUT),
        find_tags(_grey(camera)),
        seen_tags(_grey(camera)),
    )
    off, before = (
        [float(np.sqrt(((found[i] - truth[i]) ** 2).mean())) for i in truth]
        for found in (fitted, outline)
    )
    assert np.sqrt(np.mean(np.square(off))) < 0.06
    assert np.mean(off) < 0.7 * np.mean(before)


def test_one_look_puts_a_tilted_table_right() -> None:
    """A barrel lens and 40 degrees of tilt: every place between the tokens is right to 1.5 mm."""
    points, truth = between_tokens(LAYOUT)
    plane = fit_plane(seen_tags(_grey(CAMERA)), CAMERA.size_px)
    assert np.linalg.norm(plane.to_mm(CAMERA.to_px(points)) - truth, axis=1).max() < 1.5


def test_a_finger_on_a_tag_leaves_its_corners_to_its_sides() -> None:
    """A tag a third of which is covered does not look as it should: nothing is fitted to it."""
    grey = _grey(CAMERA).copy()
    corners = find_tags(grey)[102]
    x, y = corners.mean(axis=0).astype(int)
    grey[y - 30 : y + 30, x - 4 : x + 40] = 150
    assert fit_tag(grey, 102, corners, _optics()) is None


def test_another_tag_s_pattern_is_not_fitted() -> None:
    """The right corners under the wrong number find nothing."""
    assert fit_tag(_grey(CAMERA), 101, find_tags(_grey(CAMERA))[102], _optics()) is None


def test_a_tag_of_a_few_pixels_is_left_as_it_is() -> None:
    """Below 22 px a side, blur and pattern cannot be told apart."""
    corners = np.array([(100.0, 100), (118, 100), (118, 118), (100, 118)])
    assert fit_tag(_grey(CAMERA), 100, corners, _optics()) is None


def _optics() -> Optics:
    return fit_plane(find_tags(_grey(CAMERA)), CAMERA.size_px).optics

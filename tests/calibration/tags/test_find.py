"""Finding the table set's tags in photographed pictures, and how exact their corners are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.geometry.fit import fit_plane
from calibration.geometry.place import PiecePlace, tag_corners_mm
from calibration.simulator.photograph import CameraModel, Sheet
from calibration.tags.find import TOKEN_TAGS, find_all_tags, find_tags
from card_printables.token import TOKEN_NAMES
from tests.support.calibration_scene import (
    between_tokens,
    framed,
    laid_by_eye,
    picture_of,
    print_of,
    true_tags,
)


@pytest.mark.parametrize(
    ("size", "tilt_deg", "k1", "blur_px", "cloth"),
    [
        ((1920, 1080), 20, -0.25, 1.1, "wood"),
        ((1280, 720), 45, -0.1, 0.5, "checked"),
        ((3840, 2160), 30, 0.1, 1.6, "woven"),
        ((1920, 1080), 40, 0.0, 0.7, "black"),
    ],
)
def test_photographed_tokens_put_the_table_right_to_2_mm(
    size: tuple[int, int], tilt_deg: float, k1: float, blur_px: float, cloth: str
) -> None:
    """Real prints through lens, blur, tone curve, noise, JPEG and a lamp on one side: every place
    right to 2 mm."""
    layout = laid_by_eye(np.random.default_rng(size[0] + int(tilt_deg)))
    lens = CameraModel(
        *size, 0.73 * size[0], tilt_deg=tilt_deg, k1=k1, blur_px=blur_px, noise=4, lean=(0.5, -0.2)
    )
    camera = framed(lens, layout)
    tags = find_tags(picture_of(layout, camera, cloth))
    assert set(tags) >= TOKEN_TAGS
    points, truth = between_tokens(layout)
    off = fit_plane(tags, size).to_mm(camera.to_px(points)) - truth
    assert np.linalg.norm(off, axis=1).max() < 2.0


def test_corners_are_exact_also_without_a_tone_curve() -> None:
    """A picture blurred after its tones were set has no bloom: the corners are right to a tenth of
    a pixel, too."""
    place = PiecePlace(300.0, 200.0, 17.0)
    big = np.full((1600, 2400), 205, np.uint8)
    art = cv2.cvtColor(print_of(TOKEN_NAMES[0]), cv2.COLOR_BGRA2GRAY)
    turn = cv2.getRotationMatrix2D(
        (art.shape[1] / 2 - 0.5, art.shape[0] / 2 - 0.5), -place.turn_deg, 1
    )
    turn[:, 2] += np.array([1200.0, 800.0]) - (art.shape[1] / 2 - 0.5)
    cv2.warpAffine(art, turn, (2400, 1600), big, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    small = cv2.GaussianBlur(cv2.resize(big, (600, 400), interpolation=cv2.INTER_AREA), (0, 0), 0.9)
    scale = art.shape[0] / 80.0 / 4
    corners = tag_corners_mm((0, 0), 60.0) * scale
    cos, sin = np.cos(np.radians(17)), np.sin(np.radians(17))
    truth = corners @ np.array([[cos, sin], [-sin, cos]]) + (np.array([1200.5, 800.5]) / 4 - 0.5)
    assert np.abs(find_tags(small)[100] - truth).max() < 0.15


def test_a_hand_on_a_corner_of_a_tag_does_not_pull_the_others() -> None:
    """A partly covered tag is either left out or right to half a pixel."""
    layout = laid_by_eye(np.random.default_rng(4), tray=False)
    camera = framed(CameraModel(tilt_deg=15), layout)
    name = TOKEN_NAMES[1]
    thumb = Sheet(
        np.full((20, 20, 4), (120, 150, 205, 255), np.uint8),
        26.0,
        (layout[name].x_mm + 42, layout[name].y_mm),
        0.0,
        12.0,
        soft=True,
    )
    tags = find_tags(picture_of(layout, camera, more=(thumb,)))
    truth = true_tags(camera, layout)
    assert max(float(np.abs(tags[i] - truth[i]).max()) for i in tags) < 0.5


def test_two_tags_of_one_id_are_both_reported() -> None:
    """Two printed sets on one table: find_all_tags shows both, find_tags takes one."""
    layout = laid_by_eye(np.random.default_rng(5), tray=False)
    camera = framed(CameraModel(tilt_deg=10), layout)
    second = Sheet(print_of(TOKEN_NAMES[0]), 80.0, (20.0, 10.0), 40.0)
    image = picture_of(layout, camera, more=(second,))
    assert [tag.id for tag in find_all_tags(image)].count(100) == 2
    assert find_tags(image).keys() == TOKEN_TAGS


def test_dusk_and_an_empty_table() -> None:
    """At a tenth of the light the tokens are found; a bare table has none."""
    layout = laid_by_eye(np.random.default_rng(6), tray=False)
    camera = framed(CameraModel(tilt_deg=10, exposure=0.03, noise=5), layout)
    assert set(find_tags(picture_of(layout, camera))) >= TOKEN_TAGS
    assert find_tags(picture_of({}, CameraModel(), "checked")) == {}

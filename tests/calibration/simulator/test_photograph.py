"""The inverse camera: its truth functions, its averaging, its film shortcuts."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.simulator.camera_model import CameraModel
from calibration.simulator.photograph import CLOTHS, Exposure, Sheet, Studio, photograph
from calibration.simulator.sheet import table_grid

CLEAN = CameraModel(
    960, 540, 800.0, blur_px=0.4, noise=0, jpeg_quality=None, sharpening=0, vignette=0
)
BENT = replace(
    CLEAN, tilt_deg=32, azimuth_deg=140, roll_deg=5, k1=-0.12, k2=0.03, aim_mm=(300.0, 150.0)
)


def blob(size: int = 201) -> np.ndarray:
    """A grey square with a black disc in its middle."""
    image = np.full((size, size, 4), 255, np.uint8)
    cv2.circle(image, (size // 2, size // 2), size // 3, (0, 0, 0, 255), -1, cv2.LINE_AA)
    return image


def test_to_mm_undoes_to_px() -> None:
    """A pixel's table point photographs onto that pixel, at every height, also through a bent lens."""
    pixels = np.array([[0, 0], [959, 0], [480, 270], [100, 500], [900, 530]], float)
    for height in (0.0, 40.0):
        assert np.allclose(BENT.to_px(BENT.to_mm(pixels, height), height), pixels, atol=1e-6)


def test_axes_are_as_the_table_frame_says() -> None:
    """From straight above with azimuth 0, x runs right and y down; azimuth 90 has the table's +x at
    the top."""
    centre, right, down = CLEAN.to_px(np.array([[0, 0], [10, 0], [0, 10]]))
    assert right[0] > centre[0]
    assert down[1] > centre[1]
    assert right[1] == pytest.approx(centre[1])
    turned = replace(CLEAN, azimuth_deg=90).to_px(np.array([[0, 0], [10, 0]]))
    assert turned[1, 1] < turned[0, 1]


def test_a_tilted_camera_stands_on_the_pictures_lower_side() -> None:
    """With tilt, what lies at the picture's foot is nearer and larger."""
    camera = replace(CLEAN, tilt_deg=35)
    assert camera.position_mm[1] > 0
    assert camera.px_per_mm((0.0, 150.0)) > camera.px_per_mm((0.0, -150.0))


def test_the_grid_between_exact_points_is_exact_enough() -> None:
    """The interpolated table points of a whole picture, also of a bent and tilted one, are within
    0.03 px of the exact ones."""
    window = (0, 0, BENT.width_px, BENT.height_px)
    grid = table_grid(BENT, window, 1)
    ys, xs = np.mgrid[0:540:37, 0:960:41]
    back = BENT.to_px(grid[ys.ravel(), xs.ravel()])
    assert np.abs(back - np.column_stack([xs.ravel(), ys.ravel()])).max() < 0.03


@pytest.mark.parametrize("camera", [CLEAN, BENT])
def test_a_disc_lies_where_the_truth_says(camera: CameraModel) -> None:
    """The centre of gravity of a small black disc is within 0.1 px of its centre's truth."""
    camera = replace(camera, distance_mm=500.0)
    place = camera.to_mm(np.array([[700.0, 180.0]]))[0]
    sheet = Sheet(blob(), 20.0, (float(place[0]), float(place[1])), 25.0, shadow=0)
    grey = photograph([sheet], camera, "white")[..., 1].astype(float)
    x, y = camera.to_px(place[None], sheet.height_mm)[0]
    patch = grey[int(y) - 14 : int(y) + 15, int(x) - 14 : int(x) + 15]
    dark = np.where(patch < 150, (230 / 255) ** 2.2 - (patch / 255) ** 2.2, 0)
    rows, columns = np.mgrid[int(y) - 14 : int(y) + 15, int(x) - 14 : int(x) + 15]
    found = np.array([(dark * columns).sum(), (dark * rows).sum()]) / dark.sum()
    assert np.linalg.norm(found - [x, y]) < 0.1


def test_fine_stripes_become_their_mean_light_not_moire() -> None:
    """Black and white stripes far finer than a pixel photograph as the even grey of half the light."""
    stripes = np.full((400, 400, 3), 255, np.uint8)
    stripes[::2] = 0
    camera = replace(CLEAN, focal_px=400.0, distance_mm=800.0)
    image = photograph([Sheet(stripes, 80.0, (0.0, 0.0), 13.0)], camera, "white").astype(int)
    inside = image[262:278, 472:488]
    white = photograph(
        [Sheet(np.full((9, 9, 3), 255, np.uint8), 80.0, (0.0, 0.0))], camera, "white"
    )[270, 480].astype(int)
    assert np.ptp(inside[..., 1]) <= 6
    assert inside.mean() == pytest.approx(white.mean() * 0.5 ** (1 / 2.2), abs=5)


def test_only_what_moved_is_worked_on_and_the_picture_is_the_same() -> None:
    """A studio that has followed moves gives the same picture as a fresh one, to one grey level."""
    sheets = [Sheet(blob(), 60.0, (x, 10.0), x) for x in (-120.0, -30.0, 40.0)]
    studio = Studio(BENT, "woven", 4)
    base = replace(sheets[0], centre_mm=(330.0, 170.0))
    near = [
        base,
        replace(base, centre_mm=(350.0, 190.0), turn_deg=40.0),
        replace(base, centre_mm=(200.0, 120.0)),
    ]
    moved = [near[1], replace(near[2], centre_mm=(240.0, 150.0), height_mm=30.0), near[0]]
    for scene in (near, sheets, moved):
        film = studio.shoot(scene)
    fresh = photograph(moved, BENT, "woven", 4)
    assert np.abs(film.astype(int) - fresh).max() <= 1


def test_sheets_cover_and_throw_shadows() -> None:
    """The last sheet lies on top, and beside a lifted sheet the table is darker."""
    red, blue = np.zeros((50, 50, 3), np.uint8), np.zeros((50, 50, 3), np.uint8)
    red[..., 2], blue[..., 0] = 255, 255
    pair = [Sheet(red, 50.0, (0.0, 0.0)), Sheet(blue, 50.0, (10.0, 0.0))]
    image = photograph(pair, CLEAN, "white")
    assert image[270, 480, 0] > 200 > 60 > image[270, 480, 2]
    bare = photograph([], CLEAN, "white")
    lifted = photograph([Sheet(red, 50.0, (0.0, 0.0), height_mm=40.0)], CLEAN, "white")
    x, y = np.rint(CLEAN.to_px(np.array([[36.0, 12.0]]))[0]).astype(int)
    assert lifted[y, x].mean() < bare[y, x].mean() - 15


def test_every_cloth_is_itself_and_unknown_ones_are_named() -> None:
    """Each table is deterministic in its seed, no two look alike, and a wrong name is answered with
    the right ones."""
    camera = replace(CLEAN, width_px=320, height_px=180)
    means = {}
    for cloth in CLOTHS:
        image = photograph([], camera, cloth, 5)
        assert np.array_equal(image, photograph([], camera, cloth, 5))
        means[cloth] = tuple(np.round(image.mean(axis=(0, 1))).astype(int))
    assert len(set(means.values())) == len(CLOTHS)
    with pytest.raises(ValueError, match="woven"):
        photograph([], camera, "marble")


def test_exposure_changes_the_picture_and_not_the_table() -> None:
    """Half the light is the gamma's root darker; defocus spares the mean; the next steady picture
    is as before."""
    studio = Studio(CLEAN, "pale", 1)
    steady = studio.shoot([])
    dim = studio.shoot([], Exposure(gain=0.5)).astype(float)
    assert (dim / steady).mean() == pytest.approx(0.5 ** (1 / 2.2), abs=0.01)
    soft = studio.shoot([], Exposure(defocus_px=3.0))
    assert soft.mean() == pytest.approx(steady.mean(), abs=1)
    assert soft.std() < steady.std()
    assert np.array_equal(studio.shoot([]), steady)


def test_noise_has_the_stated_sigma_and_is_new_each_time() -> None:
    """Two pictures of the same table differ by noise of the camera's sigma."""
    studio = Studio(replace(CLEAN, noise=4.0), "pale", 1)
    first, second = studio.shoot([]).astype(float), studio.shoot([]).astype(float)
    assert (first - second).std() / 2**0.5 == pytest.approx(4.0, rel=0.1)


def test_framing_just_sees_all_the_points() -> None:
    """A framed camera sees every point, and would not from any nearer."""
    area = np.array([[-60, -60], [760, -60], [760, 400], [-60, 400]], float)
    for tilt, azimuth in ((0, 0), (30, 15), (45, 180)):
        camera = replace(CLEAN, tilt_deg=tilt, azimuth_deg=azimuth, k1=-0.1).framing(area, 10)
        assert camera.sees(area, 9.9)
        assert not replace(camera, distance_mm=camera.distance_mm * 0.97).sees(area, 10)

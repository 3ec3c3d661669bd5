"""Profiles: what was kept comes back, and what has changed is named."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from calibration.check.profile import Profile, compare_with_profile, load_profile, save_profile
from calibration.geometry.fit import fit_plane
from calibration.geometry.place import PiecePlace
from calibration.geometry.plane import Plane
from calibration.simulator.photograph import CameraModel
from card_printables.token import TOKEN_NAMES
from tests.support.calibration_scene import Layout, framed, laid_by_eye, true_tags

LAYOUT = laid_by_eye(np.random.default_rng(1))
CAMERA = framed(CameraModel(focal_px=1400, tilt_deg=20), LAYOUT)


def _plane(layout: Layout = LAYOUT, camera: CameraModel = CAMERA) -> Plane:
    return fit_plane(true_tags(camera, layout), camera.size_px)


def _profile() -> Profile:
    spot = {"px_per_module": 3.0, "blur_px": 0.5}
    return Profile("Cam", "2026-11-21 20:00", _plane(), "ready", (spot,))


def test_a_kept_profile_maps_points_as_before(tmp_path: Path) -> None:
    """Saved and loaded, the plane puts every pixel where it did."""
    save_profile(_profile(), tmp_path / "deep" / "profile.json")
    again = load_profile(tmp_path / "deep" / "profile.json")
    assert again is not None
    points = np.array([[100.0, 100.0], [1800.0, 900.0]])
    assert np.array_equal(again.plane.to_mm(points), _plane().to_mm(points))
    assert again.plane.tray_mm == _plane().tray_mm


def test_a_damaged_or_missing_profile_is_none(tmp_path: Path) -> None:
    """Half a file, another format, no file: None, never an error."""
    path = tmp_path / "profile.json"
    assert load_profile(path) is None
    save_profile(_profile(), path)
    path.write_text(path.read_text()[:200])
    assert load_profile(path) is None
    path.write_text('{"format": 99}')
    assert load_profile(path) is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("places", {}),
        ("places", []),
        ("width_px", math.inf),
        ("centre_px", []),
        ("lens", 1e308),
    ],
)
def test_a_profile_that_no_look_can_be_compared_with_is_none(
    tmp_path: Path, key: str, value: object
) -> None:
    """One letter that the disk made another is enough: a token that was seen lies nowhere."""
    path = tmp_path / "profile.json"
    save_profile(_profile(), path)
    told = json.loads(path.read_text())
    told["plane"][key] = value
    path.write_text(json.dumps(told))
    assert load_profile(path) is None


@pytest.mark.parametrize(
    "spots",
    [
        [{}],
        [3],
        ["x"],
        [{"px_per_module": 3.0, "blur_px": math.nan}],
        [{"px_per_module": 3e-320, "blur_px": 0.5}],
    ],
)
def test_a_profile_whose_map_cannot_be_used_is_none(tmp_path: Path, spots: list[object]) -> None:
    """The print room asks it how large the codes must be."""
    path = tmp_path / "profile.json"
    save_profile(_profile(), path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"map": spots}))
    assert load_profile(path) is None


def test_an_untouched_set_up_is_the_same_as_last_time() -> None:
    """With a little noise in the corners."""
    rng = np.random.default_rng(2)
    noisy = {i: c + rng.normal(0, 0.1, c.shape) for i, c in true_tags(CAMERA, LAYOUT).items()}
    assert (
        compare_with_profile(_profile(), "Cam", fit_plane(noisy, CAMERA.size_px)).says
        == "Same as last time: ready."
    )


def test_what_has_changed_is_named() -> None:
    """Another camera, a moved camera, tokens laid elsewhere."""
    moved = framed(CameraModel(focal_px=1400, tilt_deg=30), LAYOUT)
    wider = LAYOUT | {TOKEN_NAMES[1]: PiecePlace(500.0, -200.0, 0.0)}
    assert "Another camera" in compare_with_profile(_profile(), "Other", _plane()).says
    assert (
        "camera stands differently"
        in compare_with_profile(_profile(), "Cam", _plane(camera=moved)).says
    )
    assert "tokens lie differently" in compare_with_profile(_profile(), "Cam", _plane(wider)).says

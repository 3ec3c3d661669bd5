"""A swaying stand: after a moment the picture's way is known and play goes on; a knock is still a
knock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry.fit import fit_plane
from calibration.simulator.develop import STEADY
from calibration.simulator.photograph import CameraModel, Studio
from calibration.tags.find import find_tags
from calibration.tracking.drift import Drift, DriftKind, DriftWatch
from calibration.tracking.sway import USUAL_S
from tests.support.calibration_scene import framed, laid_by_eye, sheets_of

FPS = 8


def _watched(
    seed: int, way_px: Callable[[float], tuple[float, float]], seconds: float
) -> list[tuple[float, Drift]]:
    """What the watch says while the camera's picture goes that way."""
    layout = laid_by_eye(np.random.default_rng(seed), tray=True)
    camera = framed(CameraModel(1280, 720, 940, tilt_deg=18, k1=-0.05), layout)
    studio, sheets = Studio(camera, "wood", seed), sheets_of(layout)
    image = studio.shoot(sheets)
    watch = DriftWatch(fit_plane(find_tags(image), camera.size_px), image)
    times = np.arange(int(seconds * FPS)) / FPS
    return [
        (t, watch.check(studio.shoot(sheets, replace(STEADY, shift_px=way_px(t))), t))
        for t in times
    ]


def _swing(t_s: float) -> tuple[float, float]:
    slow, quick = 2.1 * np.sin(2 * np.pi * 0.43 * t_s + 0.4), 0.6 * np.sin(2 * np.pi * 2.9 * t_s)
    return (slow + quick, 1.3 * np.sin(2 * np.pi * 0.71 * t_s))


@pytest.mark.parametrize("seed", [11, 12])
def test_a_swaying_camera_is_understood_after_a_moment(seed: int) -> None:
    """Two pixels to and fro all evening: said to sway, and told how far each picture is off, to a
    third of a pixel."""
    told = [(t, drift) for t, drift in _watched(seed, _swing, 7.0) if t > USUAL_S + 0.5]
    assert all(drift.kind is not DriftKind.STIRRING for _, drift in told)
    swaying = [(t, drift) for t, drift in told if drift.kind is DriftKind.SWAYING]
    assert len(swaying) > 0.5 * len(told)
    off_px = [np.hypot(*(np.array(drift.sway_px) - _swing(t))) for t, drift in swaying]
    assert max(off_px) < 0.3


def test_a_knocked_stand_is_no_swaying_one() -> None:
    """Nobody decides anything while a knocked camera swings out, and then the plane is found anew."""

    def knocked(t_s: float) -> tuple[float, float]:
        return (
            (0.0, 0.0)
            if t_s < 1
            else (5 - 5 * np.exp(-6 * (t_s - 1)) * np.cos(14 * (t_s - 1)), 0.0)
        )

    kinds = [drift.kind for _, drift in _watched(13, knocked, 4.0)]
    assert DriftKind.SWAYING not in kinds
    assert DriftKind.STIRRING in kinds
    assert DriftKind.BUMPED in kinds
    assert kinds[-1] is DriftKind.STILL


def test_a_camera_that_swings_far_is_not_followed() -> None:
    """Twenty pixels to and fro: nothing is decided."""
    kinds = {
        drift.kind for t, drift in _watched(14, lambda t: (20 * np.sin(2.7 * t), 0.0), 5.0) if t > 2
    }
    assert DriftKind.SWAYING not in kinds

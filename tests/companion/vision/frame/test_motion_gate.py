"""The motion gate: noise, lamps and flicker are no motion; a marker that moves a little is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.frame.motion_gate import MotionGate


def scene(dx: int = 0) -> np.ndarray:
    image = np.full((360, 640, 3), (90, 120, 150), np.uint8)
    cv2.rectangle(image, (300 + dx, 150), (341 + dx, 191), (205, 205, 205), -1)
    code = np.kron(np.random.default_rng(5).random((21, 21)) > 0.5, np.ones((2, 2))).astype(bool)
    image[150:192, 300 + dx : 342 + dx][code] = 20
    return image


def noisy(image: np.ndarray, seed: int) -> np.ndarray:
    grain = np.random.default_rng(seed).normal(0, 5, image.shape)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def test_noise_is_no_motion() -> None:
    """Sensor noise of 5 grey levels leaves the gate still."""
    gate = MotionGate()
    gate.detect_motion(noisy(scene(), 0))
    assert all(gate.detect_motion(noisy(scene(), k)).still for k in range(1, 8))


@pytest.mark.parametrize("gain", [0.9, 1.1, 1.2])
def test_a_brighter_room_is_no_motion(gain: float) -> None:
    """When the whole picture turns brighter or darker, nothing has moved."""
    gate = MotionGate()
    gate.detect_motion(scene())
    assert gate.detect_motion(np.clip(scene() * gain, 0, 255).astype(np.uint8)).still


def test_flicker_bands_are_no_motion() -> None:
    """Rows that beat with the mains are no motion."""
    gate = MotionGate()
    gate.detect_motion(scene())
    bands = (6 * np.sin(np.arange(360) / 20))[:, None, None]
    assert gate.detect_motion(np.clip(scene() + bands, 0, 255).astype(np.uint8)).still


def test_a_marker_that_moves_is_motion_where_it_is() -> None:
    """A code of 2 px a module that moves by 4 px is seen, and the box that is named holds it."""
    gate = MotionGate()
    gate.detect_motion(noisy(scene(), 0))
    gate.detect_motion(noisy(scene(), 1))
    motion = gate.detect_motion(noisy(scene(4), 2))
    assert not motion.still
    assert any(x0 <= 320 <= x1 and y0 <= 170 <= y1 for x0, y0, x1, y1 in motion.boxes_px)
    assert all((x1 - x0) * (y1 - y0) < 640 * 360 / 4 for x0, y0, x1, y1 in motion.boxes_px)


def test_creeping_counts_as_motion() -> None:
    """A marker that creeps by one pixel a frame is motion before it has gone far."""
    gate = MotionGate()
    gate.detect_motion(scene())
    assert not all(gate.detect_motion(scene(k)).still for k in range(1, 6))

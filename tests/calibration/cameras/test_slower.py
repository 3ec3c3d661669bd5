"""A camera from which fewer pictures are taken."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.cameras.port import Frame
from calibration.cameras.slower import SlowerCamera


class Counted:
    name = "counted"
    mode = "30 a second"

    def __init__(self, fps: float) -> None:
        self.times = iter(np.arange(0, 3, 1 / fps))
        self.closed = False

    def read(self) -> Frame | None:
        t_s = next(self.times, None)
        return None if t_s is None else Frame(np.zeros((1, 1, 3), np.uint8), float(t_s), 0)

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("fps", "every_s", "left"),
    [
        (30, 0.2, 15),
        (10, 0.2, 15),
        (5, 0.2, 15),
        (4, 0.2, 12),
        (1, 0.2, 3),
        (30, 0.25, 12),
        (10, 0.25, 12),
        (7, 0.25, 12),
        (4, 0.25, 12),
        (3, 0.25, 9),
    ],
)
def test_so_many_pictures_are_taken(fps: float, every_s: float, left: int) -> None:
    """Of 30 or 10 a second four or five are left, of fewer all; in the rest it is the same camera."""
    camera = Counted(fps)
    slower = SlowerCamera(camera, every_s)
    frames = []
    while (frame := slower.read()) is not None:
        frames.append(frame)
    assert len(frames) == left
    assert (slower.name, slower.mode) == ("counted", "30 a second")
    assert getattr(slower, "rest", None) is None
    slower.close()
    assert camera.closed

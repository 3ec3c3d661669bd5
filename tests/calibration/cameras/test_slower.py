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


@pytest.mark.parametrize(("fps", "left"), [(30, 15), (10, 15), (5, 15), (4, 12), (1, 3)])
def test_at_most_one_picture_a_pause_is_taken(fps: float, left: int) -> None:
    """Of 30 or 10 a second five are left, of four all; in the rest it is the same camera."""
    camera = Counted(fps)
    slower = SlowerCamera(camera, 0.2)
    frames = []
    while (frame := slower.read()) is not None:
        frames.append(frame)
    assert len(frames) == left
    assert (slower.name, slower.mode) == ("counted", "30 a second")
    assert getattr(slower, "rest", None) is None
    slower.close()
    assert camera.closed

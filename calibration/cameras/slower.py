"""A camera from which fewer pictures are taken: for small computers.

Knows the port and time as data; must not know what the pictures show.
"""

from __future__ import annotations

import math
from typing import Any

from calibration.cameras.port import Camera, Frame

EARLY_SHARE = 0.1
"""A picture that comes so much of the pause early is taken: cameras are not that punctual."""


class SlowerCamera:
    """Gives of `camera`'s frames on average at most one every `every_s`; in everything else it is that
    camera."""

    def __init__(self, camera: Camera, every_s: float) -> None:
        self.name = camera.name
        self._camera = camera
        self._every_s = every_s
        self._last_s = -math.inf
        self._due_s = -math.inf

    def read(self) -> Frame | None:
        """The next frame that is due, or None at the end; those before it are let go, undecoded
        where they came as JPEG."""
        early_s = self._every_s * EARLY_SHARE
        while (frame := self._camera.read()) is not None:
            if frame.t_s >= self._due_s - early_s or frame.t_s < self._last_s:
                late = frame.t_s >= self._due_s + self._every_s or frame.t_s < self._last_s
                self._due_s = (frame.t_s if late else self._due_s) + self._every_s
                self._last_s = frame.t_s
                return frame
        return None

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()

    def __getattr__(self, name: str) -> Any:
        """What only some cameras have: a mode, a rest, an interruption."""
        return getattr(self._camera, name)

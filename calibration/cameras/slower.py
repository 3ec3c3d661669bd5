"""A camera from which fewer pictures are taken: for small computers.

Knows the port and time as data; must not know what the pictures show.
"""

from __future__ import annotations

from typing import Any

from calibration.cameras.port import Camera, Frame

EARLY_SHARE = 0.1
"""A picture that comes so much of the pause early is taken: cameras are not that punctual."""


class SlowerCamera:
    """Gives of `camera`'s frames at most one every `every_s`; in everything else it is that camera."""

    def __init__(self, camera: Camera, every_s: float) -> None:
        self.name = camera.name
        self._camera = camera
        self._every_s = every_s
        self._last_s: float | None = None

    def read(self) -> Frame | None:
        """The next frame that is due, or None at the end; those before it are let go, undecoded
        where they came as JPEG."""
        least_s = self._every_s * (1 - EARLY_SHARE)
        while (frame := self._camera.read()) is not None:
            if self._last_s is None or not 0 <= frame.t_s - self._last_s < least_s:
                self._last_s = frame.t_s
                return frame
        return None

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()

    def __getattr__(self, name: str) -> Any:
        """What only some cameras have: a mode, a rest, an interruption."""
        return getattr(self._camera, name)

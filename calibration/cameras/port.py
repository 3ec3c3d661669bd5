"""The camera port: what a frame is, and what every camera can do.

Webcams, network streams, recordings and the practice table are equal plugs behind `Camera`. Time is
data: a frame carries its own `t_s`, and nothing above reads a clock to know when a picture was
taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: `image` (H, W, 3) uint8 BGR, `t_s` seconds since the camera or footage began,
    `number` from 0.

    Pixel coordinates everywhere: (0, 0) is the centre of the top-left pixel, x right, y down.
    """

    image: np.ndarray
    t_s: float
    number: int


class Camera(Protocol):
    """Anything that gives frames, oldest first."""

    name: str

    def read(self) -> Frame | None:
        """The next frame, or None when the footage has ended; a live camera waits for its next
        picture.

        Raises:
            CameraStopped: the camera gives no more pictures though it should.
        """
        ...

    def close(self) -> None:
        """Let go of the device or file; calling it twice is fine."""
        ...

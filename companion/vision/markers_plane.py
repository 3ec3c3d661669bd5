"""The table plane where no token tells it: from the cards' own markers.

Knows readings and the printed size of a marker. By the time there is a plane the first cards hide
the table they lie on, so the pictures from before are kept until then.
"""

from __future__ import annotations

import numpy as np

from calibration.errors import PlaneNotSeen
from calibration.geometry.fit import plane_from_markers
from calibration.geometry.plane import Plane
from companion.vision.codes.detection import Reading
from companion.vision.frame.motion_gate import Motion
from companion.vision.places.place_watch import PlaceWatch
from companion.vision.pre_plane import PrePlaneBuffer

ENOUGH_MARKERS = 4
"""The plane is made anew with each marker more until so many lie there."""


class MarkersPlane:
    """The plane of the markers that were seen at once, made anew as more of them come into view."""

    def __init__(self) -> None:
        self.plane: Plane | None = None
        self._markers = 0
        self._pre_plane = PrePlaneBuffer()

    def keep_picture(self, image_bgr: np.ndarray, motion: Motion, t_s: float) -> None:
        """Keep this picture (H, W, 3) uint8 BGR of a table whose plane is not known."""
        self._pre_plane.keep_picture(image_bgr, motion, t_s)

    def follow_markers(self, reading: Reading, size_px: tuple[int, int], symbol_mm: float) -> bool:
        """Take the reading of a picture of `size_px` (width, height); True when the plane was made
        anew."""
        if self.plane is not None and self.plane.size_px != size_px:
            self.plane = None
            self._markers = 0
            self._pre_plane = PrePlaneBuffer()
        corners = [np.asarray(d.corners_px, float) for d in reading.detections if not d.is_back]
        if len(corners) <= self._markers or self._markers >= ENOUGH_MARKERS:
            return False
        try:
            self.plane = plane_from_markers(corners, symbol_mm, size_px)
        except PlaneNotSeen:
            return False
        self._markers = len(corners)
        return True

    def teach_places(self, watch: PlaceWatch) -> None:
        """Let the place report learn the table anew on the plane just made, from the pictures kept;
        with markers enough they are let go."""
        assert self.plane is not None
        self._pre_plane.teach_places(watch, self.plane)
        if self._markers >= ENOUGH_MARKERS:
            self._pre_plane.drop_pictures()

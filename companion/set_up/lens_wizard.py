"""The expert's full lens calibration, view by view: the printed test sheet held still, tilted,
near, in every corner.

Knows pictures and the calibration's verdict; knows no HTTP and no game. Nothing of it is needed to
play.
"""

from __future__ import annotations

import base64
import threading
from typing import Any

import cv2
import numpy as np

from calibration.lens.halves import FEWEST_VIEWS, SheetView, calibrate_lens, residual_picture
from calibration.lens.sheet_views import different, moved_px, view_of

STILL_PX = 2.0
"""A sheet whose corners moved by less since the last look is held still (1080p); a moving one is
smeared."""

MOST_VIEWS = 40
_COLUMNS, _ROWS = 4, 3


class LensWizard:
    """The views taken so far and what they tell; any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._size_px = (1, 1)
        self._views: list[SheetView] = []
        self._last: SheetView | None = None
        self._result: dict[str, Any] = {}

    def begin_anew(self) -> dict[str, Any]:
        """Forget every view."""
        with self._lock:
            self._forget_views()
            return self._state_json("anew")

    def take_view(self, picture: np.ndarray) -> dict[str, Any]:
        """Take this picture (H, W, 3) uint8 as a view if the sheet is held still in a new place;
        what is known by now.

        `why` is "no_sheet", "moving", "same", "taken" or "enough"."""
        with self._lock:
            size = (picture.shape[1], picture.shape[0])
            if size != self._size_px:
                self._size_px = size
                self._forget_views()
            view = view_of(picture)
            before, self._last = self._last, view
            if view is None:
                return self._state_json("no_sheet")
            moved = moved_px(before, view) if before is not None else None
            if moved is None or moved > STILL_PX * max(1.0, size[0] / 1920):
                return self._state_json("moving")
            if len(self._views) >= MOST_VIEWS:
                return self._state_json("enough")
            if len(different([*self._views, view], size[0])) == len(self._views):
                return self._state_json("same")
            self._views.append(view)
            self._judge()
            return self._state_json("taken")

    def _forget_views(self) -> None:
        self._views = []
        self._last = None
        self._result = {}

    def _judge(self) -> None:
        if len(self._views) < FEWEST_VIEWS:
            return
        report = calibrate_lens(self._views, self._size_px)
        small = cv2.resize(
            residual_picture(report.residuals_px, self._size_px),
            (960, 960 * self._size_px[1] // self._size_px[0]),
            interpolation=cv2.INTER_AREA,
        )
        picture = base64.b64encode(cv2.imencode(".png", small)[1].tobytes()).decode()
        known = np.isfinite(report.halves_differ_px)
        self._result = {
            "accepted": report.accepted,
            "halves_px": round(report.halves_differ_px, 1) if known else None,
            "rms_px": round(report.rms_px, 2),
            "residuals": f"data:image/png;base64,{picture}",
        }

    def _state_json(self, why: str) -> dict[str, Any]:
        return {
            "why": why,
            "views": len(self._views),
            "wanted": FEWEST_VIEWS,
            "cover": self._cover(),
            **self._result,
        }

    def _cover(self) -> list[bool]:
        """Which twelfths of the picture (row by row) some view has reached."""
        if not self._views:
            return [False] * (_COLUMNS * _ROWS)
        px = np.concatenate([view.points_px for view in self._views])
        column = np.clip(px[:, 0] * _COLUMNS / self._size_px[0], 0, _COLUMNS - 1).astype(int)
        row = np.clip(px[:, 1] * _ROWS / self._size_px[1], 0, _ROWS - 1).astype(int)
        reached = set((row * _COLUMNS + column).tolist())
        return [i in reached for i in range(_COLUMNS * _ROWS)]

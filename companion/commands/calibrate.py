"""The command `companion calibrate`: `python -m calibration`, and the cards in its pictures are
really read.

Knows the reader; measures nothing.
"""

from __future__ import annotations

import argparse

import numpy as np

from calibration import __main__ as calibrating
from calibration.geometry.plane import Plane
from companion.vision.codes.reader import Reader

__doc__ = calibrating.__doc__

configure = calibrating.configure


def run(args: argparse.Namespace) -> int:
    """Look, report and return 0; the JSON's sentences stay English, its keys and numbers serve
    every language."""
    reader = Reader(symbol_mm=args.marker_mm)

    def codes_px(grey: np.ndarray, plane: Plane) -> list[np.ndarray]:
        """The corners (4, 2) px of the cards' codes that are read in (H, W) uint8."""
        return [
            np.array(card.corners_px, float)
            for card in reader.read_codes(grey, plane).detections
            if not card.is_back
        ]

    return calibrating.run(args, codes_px)

"""The command `companion calibrate`: `python -m calibration`, and the cards in its pictures are
really read.

Knows the reader; measures nothing.
"""

from __future__ import annotations

import argparse

import numpy as np

from calibration import __main__ as calibrating
from calibration.geometry.plane import Plane
from companion.commands.shared.progress import say_reader_lost
from companion.vision.codes.reader import Reader
from companion.vision.second_reader.guarded import GuardedReader

__doc__ = calibrating.__doc__

configure = calibrating.configure


def run(args: argparse.Namespace) -> int:
    """Look, report and return 0; the JSON's sentences stay English, its keys and numbers serve
    every language."""
    with GuardedReader(on_lost=say_reader_lost) as second_reader:
        reader = Reader(symbol_mm=args.marker_mm, second_reader=second_reader)
        return calibrating.run(args, _codes_read_by(reader))


def _codes_read_by(reader: Reader) -> calibrating.Codes:
    def codes_px(grey: np.ndarray, plane: Plane) -> list[np.ndarray]:
        """The corners (4, 2) px of the cards' codes that are read in (H, W) uint8."""
        return [
            np.array(card.corners_px, float)
            for card in reader.read_codes(grey, plane).detections
            if not card.is_back
        ]

    return codes_px

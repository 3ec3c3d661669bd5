"""Where a card lies whose back is read."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from calibration.geometry.fit import fit_plane
from calibration.simulator.photograph import CameraModel, Exposure, Sheet, Studio
from calibration.tags.find import find_tags
from card_printables.marker import MarkerPlace
from card_printables.order import BACK_DRAWINGS
from card_printables.output.piece_pictures import back_rgba, token_rgba
from card_printables.token import TOKEN_NAMES, TOKENS
from companion.vision.codes.reader import Reader
from companion.vision.locate import centre_of_back
from tests.support.calibration_scene import framed, in_table_frame, laid_by_eye

TURNS_DEG = (15.0, 100.0, 200.0, 290.0)
SPOTS = ((-150.0, -60.0), (-40.0, 30.0), (60.0, -50.0), (150.0, 40.0))


@pytest.mark.parametrize("drawing", BACK_DRAWINGS)
def test_the_middle_of_a_back_is_found_by_its_code(drawing: str) -> None:
    """At any turn, under a slanting camera: backs with a moon, whose code lies near the rim, and
    those printed before, with the large code in the middle, are located to 3 mm."""
    layout = laid_by_eye(np.random.default_rng(5), tray=False)
    camera = framed(CameraModel(tilt_deg=25.0, noise=4, blur_px=0.6), layout)
    tokens = [
        Sheet(token_rgba(t, 100), t.width_mm, (layout[n].x_mm, layout[n].y_mm), layout[n].turn_deg)
        for n, t in zip(TOKEN_NAMES, TOKENS, strict=True)
    ]
    back = back_rgba(dpi=150, drawing=drawing)
    cards = [Sheet(back, 85.0, at, turn) for at, turn in zip(SPOTS, TURNS_DEG, strict=True)]
    grey = cv2.cvtColor(
        Studio(camera, "wood", 3).shoot([*tokens, *cards], Exposure()), cv2.COLOR_BGR2GRAY
    )
    plane = fit_plane(find_tags(grey), (grey.shape[1], grey.shape[0]))
    found = [
        centre_of_back(d, plane, MarkerPlace()) for d in Reader().read_codes(grey, plane).backs
    ]
    assert len(found) == len(SPOTS)
    for truth in in_table_frame(np.array(SPOTS), layout):
        assert min(math.dist(truth, at) for at in found) < 3.0

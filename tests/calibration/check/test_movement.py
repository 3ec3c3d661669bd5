"""A picture that moved while it was taken: no more is promised than is read, and no token is called bent
for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.cameras.grey import grey_of
from calibration.check.report import report_of
from calibration.check.survey import Survey
from calibration.simulator.photograph import Sheet, photograph
from card_printables.marker import DISC_MM
from tests.calibration.check.test_brightness import CAMERAS, GOOD, PLACES, face, reader
from tests.support.calibration_scene import framed, laid_by_eye, sheets_of

WAYS = {"along": 0.0, "aslant": 0.4, "across": 0.79}


@pytest.mark.parametrize("size", ["720p", "sharp 1080p"])
@pytest.mark.parametrize("way", sorted(WAYS))
def test_a_moved_picture_promises_no_more_than_it_reads(size: str, way: str) -> None:
    """Over 3 to 11 pixels, two cameras: where fewer than eight of nine cards are read the table is not
    called playable, where few are it is called poor; every token lies flat and is called so."""
    rng = np.random.default_rng(7)
    layout = laid_by_eye(rng, 520, 320, tray=False)
    cards = [
        Sheet(face(number), DISC_MM, place, float(rng.uniform(0, 360)))
        for number, place in enumerate(PLACES, 1)
    ]
    for moved_px in (3.0, 7.0, 11.0):
        motion = (moved_px * np.cos(WAYS[way]), moved_px * np.sin(WAYS[way]))
        camera = framed(replace(CAMERAS[size], exposure=0.7, motion_px=motion), layout)
        image = photograph([*sheets_of(layout), *cards], camera, "wood")
        survey = Survey()
        survey.add_picture(image)
        found = reader().read_codes(grey_of(image), survey.pool.plane()).detections
        survey.add_codes([one.corners_px for one in found])
        report = report_of(survey)
        read = len({one.card for one in found} & set(range(1, len(cards) + 1)))
        told = {problem["key"] for problem in report["problems"]}
        assert not told & {"curled", "wrong-scale"}, moved_px
        if read < 8:
            assert report["verdict"] not in GOOD, (moved_px, read)
        if read < 3:
            assert report["verdict"] == "poor", (moved_px, read)

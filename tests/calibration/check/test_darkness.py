"""A dark picture is said to be dark, whatever else it looks like: rendered pictures with little light and
a sensor's noise."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.check.report import report_on
from calibration.simulator.photograph import CameraModel
from tests.support.calibration_scene import framed, laid_by_eye, picture_of

LIGHTS = (0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1)


@pytest.mark.parametrize("noise", [0.5, 2.0, 4.0])
def test_a_dark_picture_is_said_to_be_dark(noise: float) -> None:
    """From a tenth of a lit room's light down it is never ready, and nothing is said of paper that is
    bent, cut or of a wrong size."""
    rng = np.random.default_rng(5)
    layout = laid_by_eye(rng, 560, 330)
    camera = framed(CameraModel(1280, 720, 940, blur_px=0.6, tilt_deg=33), layout)
    lit = picture_of(layout, camera).astype(float)
    for light in LIGHTS:
        dark = np.clip(light * lit + noise * rng.standard_normal(lit.shape), 0, 255)
        report = report_on([dark.astype(np.uint8)])
        assert {p["key"] for p in report["problems"]} <= {"dim", "dark"}, light
        assert report["advice_key"] in ("dim", "dark"), light
        assert report["verdict"] in ("patient", "poor", "blind"), light

"""A dark picture is said to be dark, whatever else it looks like: rendered pictures with little light and
a sensor's noise."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.cameras.grey import grey_of
from calibration.check.report import report_on
from calibration.check.survey import Survey
from calibration.simulator.photograph import CameraModel, Sheet, photograph
from card_printables.marker import DISC_MM
from tests.calibration.check.test_brightness import PLACES, face, reader
from tests.support.calibration_scene import framed, laid_by_eye, picture_of, sheets_of

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


def noisy_table(seed: int, light: float) -> np.ndarray:
    """Nine cards under a near camera, with a share of a lit room's light and a noise of 8 levels."""
    rng = np.random.default_rng(seed)
    layout = laid_by_eye(rng, 520, 320)
    cards = [Sheet(face(number), DISC_MM, place, 0.0) for number, place in enumerate(PLACES, 1)]
    camera = framed(CameraModel(1920, 1080, 1410, blur_px=0.6, tilt_deg=10), layout)
    lit = photograph([*sheets_of(layout), *cards], camera, "black").astype(float)
    noise = 8 * rng.standard_normal(lit.shape[:2])[..., None]
    return np.clip(light * lit + 6 + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("light", "verdicts"), [(0.12, ("patient", "poor")), (0.2, ("ready", "playable"))]
)
def test_noise_costs_pixels(light: float, verdicts: tuple[str, ...]) -> None:
    """Three and a half sigmas of contrast: some cards are not read, which was called ready; with six
    all are."""
    dark = noisy_table(1, light)
    survey = Survey()
    survey.add_picture(dark)
    found = reader().read_codes(grey_of(dark), survey.pool.plane()).detections
    are_all_read = len({one.card for one in found}) == len(PLACES)
    assert are_all_read == ("ready" in verdicts)
    assert report_on([dark])["verdict"] in verdicts


@pytest.mark.parametrize("seed", [1, 2])
def test_where_print_drowns_in_noise_no_place_is_promised(seed: int) -> None:
    """White is twice the noise brighter than black: the tokens of a near camera are found, hardly a card
    is read."""
    dark = noisy_table(seed, 0.08)
    survey = Survey()
    survey.add_picture(dark)
    report = report_on([dark])
    assert report["verdict"] in ("poor", "blind")
    assert not report["read_at_once"] or report["read_at_once"]["n"] == 0
    plane = survey.pool.plane() if survey.pool.tags() else None
    found = reader().read_codes(grey_of(survey.image), plane).detections
    assert len({one.card for one in found}) <= len(PLACES) / 3

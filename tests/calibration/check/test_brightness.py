"""What too much light does is told, and no more is promised than is read: rendered pictures with cards on
the table, under up to eight times the light that burns out white paper."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

from calibration.cameras.grey import grey_of
from calibration.check.report import report_of
from calibration.check.survey import Survey
from calibration.geometry.place import PiecePlace
from calibration.simulator.photograph import CameraModel, Sheet, photograph
from card_printables.marker import DISC_MM
from card_printables.output.piece_pictures import face_rgba
from card_printables.token import TRAY
from companion.vision.codes.reader import Reader
from tests.support.calibration_scene import framed, laid_by_eye, sheets_of

CAMERAS = {
    "720p": CameraModel(1280, 720, 940, blur_px=0.6, tilt_deg=20),
    "soft 1080p": CameraModel(1920, 1080, 1410, blur_px=1.1, tilt_deg=10),
    "sharp 1080p": CameraModel(1920, 1080, 1410, blur_px=0.4, tilt_deg=10, sharpening=0.8),
}
EXPOSURES = (0.6, 1.5, 2.5, 4.0, 8.0)
"""On wood; a black cloth, under which white spreads the same, is looked at where the exposure is told."""
GOOD = ("ready", "part", "playable")
PLACES = [(x, y) for y in (-90.0, 0.0, 90.0) for x in (-150.0, 0.0, 150.0)]


@dataclass(frozen=True)
class Looked:
    """What is said of a picture of nine cards, the share of them that is read in it, and the exposure
    (times what burns out white paper) that its tokens' edges tell."""

    verdict: str
    problems: set[str]
    advice: str
    read: float
    exposure: float


@cache
def face(number: int) -> np.ndarray:
    return face_rgba(number, dpi=150)


@cache
def reader() -> Reader:
    return Reader()


@cache
def _looked(size: str, cloth: str, exposure: float) -> Looked:
    rng = np.random.default_rng(7)
    layout = laid_by_eye(rng, 520, 320, tray=False)
    cards = [
        Sheet(face(number), DISC_MM, place, float(rng.uniform(0, 360)))
        for number, place in enumerate(PLACES, 1)
    ]
    camera = framed(replace(CAMERAS[size], exposure=exposure), layout)
    image = photograph([*sheets_of(layout), *cards], camera, cloth)
    survey = Survey()
    survey.add_picture(image)
    found = reader().read_codes(grey_of(image), survey.pool.plane()).detections
    survey.add_codes([one.corners_px for one in found])
    report = report_of(survey)
    return Looked(
        report["verdict"],
        {problem["key"] for problem in report["problems"]},
        report["advice_key"],
        len({one.card for one in found} & set(range(1, len(cards) + 1))) / len(cards),
        float(np.median([light.exposure for light in survey.lights])),
    )


@pytest.mark.parametrize("size", sorted(CAMERAS))
def test_no_more_is_promised_than_is_read(size: str) -> None:
    """Where burnt-out white hides codes the table is not called playable, and the light is blamed."""
    for exposure in EXPOSURES:
        looked = _looked(size, "wood", exposure)
        if looked.read < 0.9:
            assert looked.verdict not in GOOD, exposure
            assert looked.advice == "bright", exposure


def test_these_pictures_hold_both_kinds() -> None:
    """Under eight times the light a soft camera reads nothing and a sharp one everything."""
    assert _looked("soft 1080p", "wood", 8.0).read == 0
    assert _looked("720p", "wood", 8.0).read == 0
    assert _looked("sharp 1080p", "wood", 8.0).read == 1


@pytest.mark.parametrize("size", sorted(CAMERAS))
def test_burnt_out_cards_are_no_lamp(size: str) -> None:
    """Pale cards burn out with the tokens, long before the table does; where their codes are read no glare
    is told of them."""
    for exposure in EXPOSURES:
        looked = _looked(size, "wood", exposure)
        if looked.read == 1 and exposure <= 4:
            assert "glare" not in looked.problems, exposure
            assert looked.verdict != "poor", exposure


@pytest.mark.parametrize("size", ["720p", "soft 1080p"])
def test_clipped_edges_tell_the_exposure(size: str) -> None:
    """Within half as much again up to four times the light; a picture that is not burnt out has none. A
    sharp, sharpened edge tells too little, and codes are read there."""
    for exposure in (1.0, 2.0, 3.0, 4.0):
        told = _looked(size, "black", exposure).exposure
        assert max(1.0, exposure) / 1.5 <= told <= max(1.0, exposure) * 1.5, exposure


@pytest.mark.parametrize("times", [2.2, 2.6, 3.2])
def test_an_empty_burnt_out_table_promises_no_patience(times: float) -> None:
    """Also where a camera's own contrast burns the picture out, and its edges stay sharp: no card lies
    there that would prove that it is read."""
    layout = laid_by_eye(np.random.default_rng(7), 520, 320)
    camera = framed(CAMERAS["720p"], layout)
    image = photograph(sheets_of(layout), camera, "wood").astype(float)
    survey = Survey()
    survey.add_picture(np.clip(image * times, 0, 255).astype(np.uint8))
    report = report_of(survey)
    assert report["verdict"] in ("poor", "blind")
    assert report["advice_key"] == "bright"


@pytest.mark.parametrize("size", ["720p", "sharp 1080p"])
def test_a_lamp_that_burns_out_the_tray_is_told(size: str) -> None:
    """It was taken for white paper that burns out: everything could be read, and no card in the tray was."""
    layout = laid_by_eye(np.random.default_rng(3), 760, 360, tray=False)
    layout[TRAY.name] = PiecePlace(230.0, 0.0, 4.0)
    camera = framed(CAMERAS[size], layout)
    lying = [Sheet(face(number), DISC_MM, (180.0 + 50 * number, -10.0)) for number in (1, 2)]
    pictures = [
        photograph(sheets, camera, "wood")
        for sheets in (sheets_of(layout), [*sheets_of(layout), *lying])
    ]
    told = {}
    for grey in (0, 130, 250, 400):
        empty, played = (_under_lamp(picture, camera, grey) for picture in pictures)
        survey = Survey()
        survey.add_picture(empty)
        keys = {problem["key"] for problem in report_of(survey)["problems"]}
        codes = reader().read_codes(grey_of(played), survey.pool.plane()).detections
        told[grey] = (len({one.card for one in codes} & {1, 2}), bool(keys & {"glare", "bright"}))
        assert told[grey][0] == 2 or told[grey][1], grey
    assert told[0] == (2, False)
    assert told[400] == (0, True)


def _under_lamp(image: np.ndarray, camera: CameraModel, grey: float) -> np.ndarray:
    """The picture (H, W, 3) uint8 with a lamp's light over the tray, so many grey levels in its middle."""
    centre, rim = camera.to_px(np.array([[230.0, 0.0], [360.0, 0.0]]))
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    far = np.hypot(x - centre[0], y - centre[1]) / np.linalg.norm(rim - centre)
    lit: np.ndarray = image + grey * np.exp(-(far**2))[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)

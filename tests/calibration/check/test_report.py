"""`companion calibrate` without a person: the JSON, named problems, one advice, files that cannot
be used."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.__main__ import main
from calibration.check.readability import px_needed, read_chance
from calibration.check.report import report_of, report_on
from calibration.check.sentences import sentences_in
from calibration.check.survey import Survey
from calibration.geometry.place import PiecePlace
from calibration.simulator.photograph import CameraModel, Sheet
from calibration.tags.find import find_tags
from calibration.tags.illumination import tag_light
from card_printables.token import TOKEN_NAMES, TRAY, tag_cells
from tests.support.calibration_scene import Layout, framed, laid_by_eye, picture_of, print_of

CAMERA = CameraModel(1280, 720, 940, tilt_deg=15)


def _laid(seed: int = 1, width_mm: float = 560, depth_mm: float = 330) -> Layout:
    return laid_by_eye(np.random.default_rng(seed), width_mm, depth_mm, tray=False)


def _keys(report: dict) -> set[str]:
    return {problem["key"] for problem in report["problems"]}


def test_the_json_has_the_promised_shape(tmp_path: Path) -> None:
    """verdict, advice, plane, tokens, camera, map, problems; from pictures on disk, in pixels and
    millimetres."""
    layout = _laid()
    camera = framed(CAMERA, layout)
    cv2.imwrite(str(tmp_path / "table.png"), picture_of(layout, camera))
    assert main(["--from", str(tmp_path / "table.png"), "--json", str(tmp_path / "out.json")]) == 0
    report = json.loads((tmp_path / "out.json").read_text())
    assert report["camera"]["width"] == 1280
    assert report["camera"]["height"] == 720
    assert report["plane"]["rms_mm"] < 0.5
    assert abs(report["plane"]["lens"]) < 0.05
    assert [token["name"] for token in report["tokens"]] == list(TOKEN_NAMES)
    assert all(token["seen"] and len(token["corners_px"]) == 4 for token in report["tokens"])
    a, b = (np.array([layout[n].x_mm, layout[n].y_mm]) for n in TOKEN_NAMES[:2])
    assert report["tokens"][1]["centre_mm"] == pytest.approx(
        [float(np.linalg.norm(b - a)), 0.0], abs=1.5
    )
    spot = report["map"][0]
    assert {"x_mm", "y_mm", "px_per_module", "blur_px", "read_chance", "verdict"} <= set(spot)
    assert {s["verdict"] for s in report["map"]} <= {"green", "amber", "red"}
    assert isinstance(report["verdict"], str)
    assert isinstance(report["advice"], str)


def test_blur_is_measured_to_a_quarter_of_a_pixel() -> None:
    """The edge blur told is the lens' own."""
    layout = _laid()
    for blur_px in (0.6, 1.0, 1.5):
        camera = framed(CameraModel(1280, 720, 940, blur_px=blur_px, sharpening=0.0), layout)
        grey = cv2.cvtColor(picture_of(layout, camera), cv2.COLOR_BGR2GRAY)
        found = [
            light.blur_px
            for tag_id, corners in find_tags(grey).items()
            if (light := tag_light(grey, corners, tag_cells(tag_id)))
        ]
        assert np.median(found) == pytest.approx(blur_px, abs=0.26)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (lambda image: image[:, ::-1], "mirrored"),
        (lambda image: np.zeros_like(image), "dark"),
        (lambda image: np.full_like(image, 128), "blank"),
    ],
)
def test_pictures_that_show_no_table_are_named(change: object, key: str) -> None:
    """Mirrored, covered, blank: each with its own key, verdict blind."""
    layout = _laid()
    report = report_on([change(picture_of(layout, framed(CAMERA, layout)))])
    assert _keys(report) == {key}
    assert report["verdict"] == "blind"
    assert report["plane"] is None
    said = sentences_in("en").of_report(report)
    assert said.startswith("0 of 4 tokens found. The table is not found. ")


def test_an_empty_table_has_no_tokens() -> None:
    """Only wood: the tokens are not in view."""
    assert _keys(report_on([picture_of({}, CAMERA)])) == {"no-tokens"}


def test_two_sets_of_tokens_are_named() -> None:
    """A second top-left token on the table."""
    layout = _laid()
    second = Sheet(print_of(TOKEN_NAMES[0]), 80.0, (20.0, 10.0), 40.0)
    assert "two-sets" in _keys(
        report_on([picture_of(layout, framed(CAMERA, layout), more=(second,))])
    )


def test_tokens_in_each_other_s_corners_are_named() -> None:
    """Top right and bottom right swapped."""
    layout = _laid()
    layout[TOKEN_NAMES[1]], layout[TOKEN_NAMES[2]] = layout[TOKEN_NAMES[2]], layout[TOKEN_NAMES[1]]
    assert "swapped" in _keys(report_on([picture_of(layout, framed(CAMERA, layout))]))


def test_a_token_of_another_scale_is_named() -> None:
    """One token printed at 94 per cent."""
    layout = _laid()
    camera = framed(CAMERA, layout)
    small = layout.pop(TOKEN_NAMES[2])
    sheet = Sheet(
        print_of(TOKEN_NAMES[2]), 80.0 * 0.94, (small.x_mm, small.y_mm), small.turn_deg, 0.0
    )
    report = report_on([picture_of(layout, camera, more=(sheet,))])
    assert [p["piece"] for p in report["problems"] if p["key"] == "wrong-scale"] == [TOKEN_NAMES[2]]


def test_a_hidden_token_is_said_in_every_language() -> None:
    """Three tokens are enough, the fourth is asked for: tokens, verdict and the one advice, in each
    language the same three sentences."""
    layout = _laid()
    camera = framed(CAMERA, layout)
    del layout[TOKEN_NAMES[3]]
    report = report_on([picture_of(layout, camera)])
    assert report["plane"]
    assert (
        sentences_in("en")
        .of_report(report)
        .startswith(
            "3 of 4 tokens found. Ready to play. One token (bottom left) is not wholly seen: when you "
            "can, lay or uncover it in the camera’s view"
        )
    )
    assert (
        sentences_in("de")
        .of_report(report)
        .startswith("3 von 4 Eckmarken gefunden. Bereit zum Spielen. Eine Eckmarke (unten links)")
    )


@pytest.mark.parametrize("gain", [1.0, 1.5])
@pytest.mark.parametrize("radius_px", [70, 250])
def test_a_table_that_a_lamp_burns_out_is_never_ready(gain: float, radius_px: int) -> None:
    """Nothing lies in the lamp's spot, and white paper may be burnt out too: no headline says that
    everything can be read, the advice is the lamp, and no place in the pure white reads."""
    layout = _laid(2, 380, 200)
    camera = framed(CameraModel(1920, 1080, 1400, tilt_deg=5, blur_px=0.5), layout)
    y, x = np.mgrid[:1080, :1920]
    lamp = 500 * np.exp(-((x - 1020) ** 2 + (y - 560) ** 2) / (2 * radius_px**2))
    picture = np.clip(gain * picture_of(layout, camera) + lamp[..., None], 0, 255).astype(np.uint8)
    report = report_on([picture])
    assert report["verdict"] in ("playable", "poor")
    assert report["advice_key"] == "glare"
    assert "Everything" not in sentences_in("en").of_report(report)
    white = [p for p in report["map"] if lamp[round(p["y_px"]), round(p["x_px"])] > 350]
    assert all(place["verdict"] == "red" for place in white)
    assert radius_px < 200 or white


def test_a_card_read_before_proves_no_place_that_light_hides_now() -> None:
    """Cards were read at every place; then a lamp burns some out, or hardly any light is left."""
    layout = _laid(2, 380, 200)
    camera = framed(CameraModel(1920, 1080, 1400, tilt_deg=5, blur_px=0.5), layout)
    lit = picture_of(layout, camera)
    y, x = np.mgrid[:1080, :1920]
    lamp = 500 * np.exp(-((x - 1020) ** 2 + (y - 560) ** 2) / (2 * 250**2))
    survey = Survey()
    survey.show_picture(lit)
    survey.proofs = [
        (spot["x_px"], spot["y_px"], survey.levels[-1]) for spot in report_of(survey)["map"]
    ]
    for picture in (lit + lamp[..., None], 0.03 * lit):
        survey.show_picture(np.clip(picture, 0, 255).astype(np.uint8))
        report = report_of(survey)
        hidden = [one["verdict"] == "red" for one in report["map"]]
        assert any(hidden)
        assert [one["reads"] == "no" for one in report["places"]] == hidden


@pytest.mark.parametrize("light", [0.13, 2.2])
def test_what_was_read_in_another_light_proves_nothing_now(light: float) -> None:
    """The lamp is switched off, or the sun comes: what is said is of this light; then it is as before. A card
    that lies there since is known again in it, but proves nothing; one that is laid now does."""
    layout = _laid(2, 380, 200)
    camera = framed(CameraModel(1920, 1080, 1400, tilt_deg=5, blur_px=0.5), layout)
    lit = picture_of(layout, camera)
    survey = Survey()
    survey.show_picture(lit)
    spots = report_of(survey)["map"]
    survey.proofs = [(spot["x_px"], spot["y_px"], survey.levels[-1]) for spot in spots]
    still = np.add([(-4, -4), (4, -4), (4, 4), (-4, 4)], (spots[20]["x_px"], spots[20]["y_px"]))
    survey.show_picture(np.clip(light * lit.astype(float), 0, 255).astype(np.uint8), [still])
    assert not any(place["read"] for place in report_of(survey)["places"])
    survey.add_codes([still + 30])
    assert sum(place["read"] for place in report_of(survey)["places"]) == 1
    survey.show_picture(lit)
    assert all(place["read"] for place in report_of(survey)["places"])


def test_white_paper_that_burns_out_is_no_lamp() -> None:
    """A bright picture in which only the printed tokens are pure white: their black is black."""
    layout = _laid(2, 380, 200)
    camera = framed(CameraModel(1920, 1080, 1400, tilt_deg=5, blur_px=0.5), layout)
    picture = np.clip(1.25 * picture_of(layout, camera).astype(float), 0, 255).astype(np.uint8)
    report = report_on([picture])
    assert (report["verdict"], report["advice_key"]) == ("ready", "ready")


def test_a_good_table_is_ready_and_a_far_one_is_told_how_much_nearer() -> None:
    """A sharp near camera: ready. Twice as far: an advice with centimetres in it, and following it
    helps."""
    layout = _laid(2, 380, 200)
    near = framed(CameraModel(1920, 1080, 1400, tilt_deg=5, blur_px=0.5), layout)
    assert report_on([picture_of(layout, near)])["verdict"] == "ready"
    far = CameraModel(1280, 720, 940, tilt_deg=5, aim_mm=near.aim_mm, distance_mm=1500)
    report = report_on([picture_of(layout, far)])
    assert report["verdict"] in ("playable", "poor")
    assert report["advice_key"] == "nearer"
    followed = CameraModel(
        1280,
        720,
        940,
        tilt_deg=5,
        aim_mm=near.aim_mm,
        distance_mm=1500 - 10 * report["params"]["cm"],
    )
    better = report_on([picture_of(layout, followed)])
    assert np.mean([s["read_chance"] for s in better["map"]]) > np.mean(
        [s["read_chance"] for s in report["map"]]
    )


def test_the_tray_is_in_the_report_and_the_map() -> None:
    """A tray in view: its corners, and its places in the map."""
    layout = _laid() | {TRAY.name: PiecePlace(0.0, 0.0, 30.0)}
    camera = framed(CAMERA, layout)
    with_tray, without = (
        report_on([picture_of(layout, camera)]),
        report_on([picture_of(_laid(), camera)]),
    )
    assert len(with_tray["tray_mm"]) == 4
    assert len(with_tray["map"]) == len(without["map"]) + 3


def test_the_chance_falls_with_blur_distance_and_dusk() -> None:
    """More pixels never hurt; blur and darkness never help; px_needed is the inverse."""
    for blur in (0.4, 0.9, 1.4):
        chances = [read_chance(p, blur) for p in np.arange(0.5, 3, 0.1)]
        assert chances == sorted(chances)
        assert read_chance(1.3, blur, contrast=20) < read_chance(1.3, blur)
        assert read_chance(px_needed(blur, 0.9), blur) == pytest.approx(0.9, abs=1e-6)


@pytest.mark.parametrize("name", ["missing.png", "text.png", "folder"])
def test_files_that_cannot_be_used_end_with_2_and_a_sentence(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No such file, no picture, an empty folder."""
    (tmp_path / "text.png").write_text("this is no picture")
    (tmp_path / "folder").mkdir()
    assert main(["--from", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err.startswith("calibration: ")


@pytest.mark.parametrize("shape", [(1, 5000), (5000, 1), (1, 1), (3, 3)])
def test_odd_pictures_end_in_a_report(shape: tuple[int, int]) -> None:
    """A line of pixels is no table, and no crash; the report is strict JSON."""
    report = report_on([np.full((*shape, 3), 90, np.uint8)])
    assert report["verdict"] == "blind"
    assert json.dumps(report, allow_nan=False)


def test_tokens_are_found_and_measured_in_a_soft_picture() -> None:
    """A blur of 2.2 px at 720p: all four are seen, nothing but the softness is wrong, and it is the
    advice."""
    layout = _laid()
    report = report_on([picture_of(layout, framed(replace(CAMERA, blur_px=2.2), layout))])
    assert all(token["seen"] for token in report["tokens"])
    assert report["advice_key"] == "soft"


def test_a_small_tray_bends_no_table() -> None:
    """Its tags are 17 px large, and bloom: the tokens' distances stay right to a millimetre, and no
    print is blamed."""
    layout = _laid() | {TRAY.name: PiecePlace(0.0, 0.0, 30.0)}
    camera = framed(replace(CAMERA, blur_px=0.9), layout, spare_mm=200)
    report = report_on([picture_of(layout, camera)])
    found = np.array([token["centre_mm"] for token in report["tokens"]])
    true = np.array(
        [(layout[token["name"]].x_mm, layout[token["name"]].y_mm) for token in report["tokens"]]
    )
    gaps = [np.linalg.norm(points[:, None] - points[None], axis=2) for points in (found, true)]
    assert np.abs(gaps[0] - gaps[1]).max() < 1.0
    assert not {p["key"] for p in report["problems"]} & {"wrong-scale", "all-small", "curled"}


def test_a_table_on_which_cards_were_read_everywhere_is_ready() -> None:
    """From so far that no place is sure to read: each that is proved counts, and once all are there
    is nothing left to advise."""
    layout = _laid(2, 380, 200)
    near = framed(CameraModel(1920, 1080, 1400, tilt_deg=5, blur_px=0.5), layout)
    far = CameraModel(1280, 720, 940, tilt_deg=5, aim_mm=near.aim_mm, distance_mm=1200)
    survey = Survey()
    survey.add_picture(picture_of(layout, far))
    before = report_of(survey)
    assert before["verdict"] == "patient"
    assert before["read_at_once"] == {"n": 0, "all": 45}
    assert before["advice_key"] == "nearer"
    survey.proofs = [
        (place["x"] * 1280, place["y"] * 720, survey.levels[-1]) for place in before["places"]
    ]
    report = report_of(survey)
    assert report["read_at_once"] == {"n": 45, "all": 45}
    assert (report["verdict"], report["advice_key"]) == ("ready", "ready")

"""What is wrong with a set-up is named: curled, screened, cut off, glared at, hazy, dim, soft,
shaken. Rendered pictures."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from calibration.check.report import report_of, report_on
from calibration.check.survey import Survey
from calibration.geometry.place import PiecePlace
from calibration.simulator.photograph import CameraModel, Sheet, photograph
from card_printables.token import TOKEN_MM, TOKEN_NAMES, TRAY
from companion.practice.things import back_image
from tests.support.calibration_scene import (
    Layout,
    framed,
    laid_by_eye,
    picture_of,
    print_of,
    sheets_of,
)

CAMERA = CameraModel(1280, 720, 940, tilt_deg=18, blur_px=0.6)


def _laid(seed: int = 1) -> Layout:
    return laid_by_eye(np.random.default_rng(seed), 560, 330, tray=False)


def _keys(report: dict) -> set[str]:
    return {problem["key"] for problem in report["problems"]}


def _curled(layout: Layout, name: str, rises_mm: float) -> list[Sheet]:
    """A token bowed up in its middle, as sixteen strips, each at its own height."""
    place, whole = layout[name], print_of(name)
    cut = np.linspace(0, whole.shape[1], 17).astype(int)
    cos, sin = np.cos(np.radians(place.turn_deg)), np.sin(np.radians(place.turn_deg))
    strips = []
    for left, right in pairwise(cut):
        u = ((left + right) / 2 / whole.shape[1] - 0.5) * TOKEN_MM
        height = rises_mm * (1 - (2 * u / TOKEN_MM) ** 2)
        centre = (place.x_mm + cos * u, place.y_mm + sin * u)
        width = (right - left) / whole.shape[1] * TOKEN_MM
        strips.append(
            Sheet(
                np.ascontiguousarray(whole[:, left:right]),
                width,
                centre,
                place.turn_deg,
                height_mm=height,
            )
        )
    return strips


def test_a_bowed_token_is_named_with_how_far_it_rises() -> None:
    """Bowed by 5 mm (in steps, as sixteen strips): the token is named, and some millimetres."""
    layout = _laid()
    name = TOKEN_NAMES[2]
    flat = {n: p for n, p in layout.items() if n != name}
    report = report_on(
        [photograph([*sheets_of(flat), *_curled(layout, name, 5.0)], framed(CAMERA, layout))]
    )
    found = [p for p in report["problems"] if p["key"] == "curled"]
    assert [p["piece"] for p in found] == [name]
    assert found[0]["params"]["mm"] == pytest.approx(5, abs=3.5)


@pytest.mark.parametrize("seed", range(3))
def test_flat_tokens_are_not_called_curled(seed: int) -> None:
    """Another lens, tilt and cloth each: nothing is wrong with the pieces."""
    layout = _laid(seed)
    camera = framed(replace(CAMERA, k1=(-0.15, 0.1, -0.1)[seed], tilt_deg=15.0 * seed), layout)
    assert not _keys(
        report_on([picture_of(layout, camera, ("wood", "checked", "white")[seed], seed)])
    ) & {"curled", "wrong-scale", "screen", "unlike", "glare", "dirty"}


@pytest.mark.parametrize(("width", "height", "seed"), [(640, 480, 1), (640, 480, 5), (800, 600, 5)])
def test_flat_tokens_in_a_small_picture_are_not_called_curled(
    width: int, height: int, seed: int
) -> None:
    """Of so few pixels a side does not tell bowed paper: flat ones were to rise by 2 to 4 mm."""
    layout = laid_by_eye(np.random.default_rng(seed + 50), tray=True)
    camera = framed(CameraModel(width_px=width, height_px=height, tilt_deg=12), layout)
    assert "curled" not in _keys(report_on([picture_of(layout, camera, "wood", seed)]))


def test_where_it_is_so_dark_that_a_token_is_not_found_a_light_is_asked_for() -> None:
    """ "3 of 4 tokens found", and below it that everything can be read, and nothing else."""
    layout = _laid()
    camera = framed(CameraModel(1920, 1080, 1400, tilt_deg=18, blur_px=0.4), layout)
    rng = np.random.default_rng(1)

    def advised(laid: Layout, share: float) -> str:
        picture = picture_of(laid, camera) * share + rng.normal(0, 2, (1080, 1920, 3))
        return report_on([np.clip(picture, 0, 255).astype(np.uint8)])["advice_key"]

    three = {name: place for name, place in layout.items() if name != TOKEN_NAMES[0]}
    assert (advised(layout, 0.12), advised(three, 0.06)) == ("ready", "dim")


def test_a_token_shown_much_smaller_is_on_a_screen() -> None:
    """Three quarters of its size: not a printer's mistake."""
    layout = _laid()
    camera = framed(CAMERA, layout)
    place = layout.pop(TOKEN_NAMES[1])
    shown = Sheet(
        print_of(TOKEN_NAMES[1]), TOKEN_MM * 0.75, (place.x_mm, place.y_mm), place.turn_deg, 0.0
    )
    report = report_on([picture_of(layout, camera, more=(shown,))])
    assert [p["piece"] for p in report["problems"] if p["key"] == "screen"] == [TOKEN_NAMES[1]]


def _away_mm(layout: Layout, camera: CameraModel, x_mm: float) -> dict:
    aim = (camera.aim_mm[0] + x_mm, camera.aim_mm[1])
    return report_on([picture_of(layout, replace(camera, aim_mm=aim))])


def test_an_edge_is_outside_the_picture_where_three_tokens_tell_that() -> None:
    """The camera looks too far to the left: the last corner's place is out of the picture, and known."""
    layout = _laid()
    report = _away_mm(layout, framed(CAMERA, layout), -110)
    assert [t["seen"] for t in report["tokens"]] == [True, True, False, True]
    assert [(p["key"], p["piece"]) for p in report["problems"]] == [("outside", "right")]


@pytest.mark.parametrize("beyond", [0.0, 0.5])
def test_a_tray_that_is_partly_beyond_the_picture_is_told(beyond: float) -> None:
    """Cards that are laid there are not seen: what is in the picture reads, and that is all that is said."""
    layout = _laid()
    camera = framed(CAMERA, layout)
    edge = camera.to_mm(np.array([[camera.width_px / 2, camera.height_px - 1.0]]))[0]
    depth = TRAY.height_mm
    layout[TRAY.name] = PiecePlace(edge[0], edge[1] - depth / 2 - 20 + beyond * depth, 0.0)
    report = report_on([picture_of(layout, camera)])
    assert _keys(report) == ({"outside"} if beyond else set())
    assert report["verdict"] == ("part" if beyond else "ready")


@pytest.mark.parametrize("x_mm", [0, -190])
def test_of_two_tokens_that_are_not_seen_nobody_says_where_they_lie(x_mm: float) -> None:
    """Not laid, or beyond the picture: the same is said of both, and their places are not told."""
    layout = _laid()
    camera = framed(CAMERA, layout)
    seen = {n: layout[n] for n in (TOKEN_NAMES[0], TOKEN_NAMES[3])} if x_mm == 0 else layout
    report = _away_mm(seen, camera, x_mm)
    assert [(p["key"], p["piece"], p["params"]["n"]) for p in report["problems"]] == [
        ("token-hidden", name, 2) for name in TOKEN_NAMES[1:3]
    ]
    assert [t["centre_mm"] is None for t in report["tokens"]] == [False, True, True, False]


def test_a_lamp_s_glare_is_named_and_its_places_do_not_read() -> None:
    """A burnt-out spot in the middle: where it is, and red places there."""
    layout = _laid()
    image = picture_of(layout, framed(replace(CAMERA, exposure=0.6), layout)).astype(np.float32)
    y, x = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    spot = 400 * np.exp(-((x - 640) ** 2 + (y - 360) ** 2) / (2 * 60.0**2))
    report = report_on([np.clip(image + spot[..., None], 0, 255).astype(np.uint8)])
    assert [p["params"]["where"] for p in report["problems"] if p["key"] == "glare"] == ["centre"]
    near = min(report["map"], key=lambda s: np.hypot(s["x_px"] - 640, s["y_px"] - 360))
    assert near["verdict"] == "red"


def test_a_white_thing_that_noise_tears_is_told_where_it_lies_as_a_whole() -> None:
    """A sheet from 200 to 600 of 1280 px lies on the left, though the larger of its two halves is in
    the centre."""
    layout = _laid()
    image = picture_of(layout, framed(replace(CAMERA, exposure=0.6), layout))
    image[250:480, 200:600] = 255
    image[250:480, 320:324] = 246
    report = report_on([image])
    assert [p["params"]["where"] for p in report["problems"] if p["key"] == "glare"] == ["left"]


@pytest.mark.parametrize("spare_mm", [34.0, 37.0, 40.0])
@pytest.mark.parametrize("cloth", ["wood", "black"])
def test_tokens_whose_paper_touches_the_edge_are_found(spare_mm: float, cloth: str) -> None:
    """Their black squares are whole in the picture, the rim of their paper is not: they lie flat."""
    layout = _laid(3)
    report = report_on([picture_of(layout, framed(CAMERA, layout, spare_mm), cloth)])
    assert [t["seen"] for t in report["tokens"]] == [True] * 4
    assert not _keys(report) & {"curled", "token-hidden", "wrong-scale"}


def _from_token(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A good picture (H, W, 3) float32, and how far right and down of this token each pixel lies."""
    layout = _laid()
    camera = framed(CAMERA, layout)
    image = picture_of(layout, camera).astype(np.float32)
    x, y = camera.to_px(np.array([(layout[name].x_mm, layout[name].y_mm)]))[0]
    rows, columns = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    return image, columns - x, rows - y


@pytest.mark.parametrize("dark", [0.5, 0.35, 0.2])
def test_a_token_in_the_light_beside_three_in_a_shadow_is_on_no_screen(dark: float) -> None:
    """The table about it is as much brighter."""
    image, right, down = _from_token(TOKEN_NAMES[1])
    in_light = 1 / (1 + np.exp((np.hypot(right, down) - 300) / 15))
    image *= (dark + (1 - dark) * in_light)[..., None]
    assert not {"screen", "unlike"} & _keys(report_on([image.astype(np.uint8)]))


@pytest.mark.parametrize("below_px", [-56, -48, -8])
def test_a_shadow_that_ends_on_a_token_is_no_smear_on_the_lens(below_px: int) -> None:
    """Its edge softens the sides that it runs along, and leaves those across from them clear."""
    image, right, down = _from_token(TOKEN_NAMES[2])
    image[down - below_px > 0.6 * right] *= 0.35
    assert "dirty" not in _keys(report_on([image.astype(np.uint8)]))


@pytest.mark.parametrize(("tilt_deg", "spare_mm"), [(56.0, 200), (62.0, 450), (66.0, 450)])
def test_a_flat_look_is_called_neither_dark_nor_hazy(tilt_deg: float, spare_mm: float) -> None:
    """Print that is squeezed loses its contrast in any light."""
    layout = laid_by_eye(np.random.default_rng(1), 560, 330)
    away = framed(replace(CAMERA, tilt_deg=tilt_deg), layout, spare_mm)
    assert report_on([picture_of(layout, away)])["advice_key"] in ("steep", "token-hidden")


def test_with_one_token_the_others_are_asked_for() -> None:
    """How far the table goes is not known: no camera is told to come nearer, which loses more of it."""
    layout = laid_by_eye(np.random.default_rng(1), 560, 330)
    camera = framed(CAMERA, layout, 130)
    kept = {TOKEN_NAMES[1], TRAY.name}
    seen = {name: place for name, place in layout.items() if name in kept}
    for blur_px in (0.6, 1.4):
        report = report_on([picture_of(seen, replace(camera, blur_px=blur_px))])
        assert report["advice_key"] in ("token-hidden", "soft"), blur_px


def test_haze_dusk_and_softness_are_named() -> None:
    """Each with its own key."""
    layout = _laid()
    clear = picture_of(layout, framed(CAMERA, layout))
    hazy = cv2.addWeighted(clear, 0.4, np.full_like(clear, 255), 0.5, 0)
    assert "dirty" in _keys(report_on([hazy]))
    assert "dim" in _keys(
        report_on([picture_of(layout, framed(replace(CAMERA, exposure=0.06), layout))])
    )
    assert "soft" in _keys(
        report_on([picture_of(layout, framed(replace(CAMERA, blur_px=2.2), layout))])
    )


def test_a_shaking_camera_is_named() -> None:
    """Four pictures that jump about by two pixels; a still one's noise is no shaking."""
    layout = _laid()
    image = picture_of(layout, framed(CAMERA, layout))
    shaken = [np.roll(image, shift, axis=(0, 1)) for shift in ((0, 0), (2, -2), (-2, 1), (1, 2))]
    assert "shaky" in _keys(report_on(shaken))
    assert "shaky" not in _keys(report_on([image] * 4))


@pytest.mark.parametrize("seed", [1, 4])
def test_a_token_bowed_beyond_finding_lies_there_and_is_not_hidden(seed: int) -> None:
    """Bowed by 10 mm: its tag is not found any more, its pattern is."""
    layout = _laid(seed)
    name = TOKEN_NAMES[seed % 4]
    flat = {n: p for n, p in layout.items() if n != name}
    report = report_on(
        [photograph([*sheets_of(flat), *_curled(layout, name, 10.0)], framed(CAMERA, layout))]
    )
    assert [(p["key"], p["piece"]) for p in report["problems"]] == [("token-unread", name)]


def test_a_covered_token_is_hidden_not_curled() -> None:
    """A card lies on it."""
    layout = _laid()
    place = layout[TOKEN_NAMES[1]]
    cover = Sheet(
        np.full((40, 40, 3), (90, 140, 60), np.uint8), 90.0, (place.x_mm, place.y_mm), 30.0, 1.0
    )
    report = report_on([picture_of(layout, framed(CAMERA, layout), more=(cover,))])
    assert [(p["key"], p["piece"]) for p in report["problems"]] == [
        ("token-hidden", TOKEN_NAMES[1])
    ]


@pytest.mark.parametrize("off_mm", [30.0, 45.0, 60.0])
@pytest.mark.parametrize("turn_deg", [0.0, 100.0])
@pytest.mark.parametrize("what", ["hand", "card"])
def test_a_token_that_is_covered_in_part_is_hidden_not_curled(
    what: str, turn_deg: float, off_mm: float
) -> None:
    """A hand or a card reaches over more or less of it: its pattern is half seen, and nothing
    rises."""
    layout = _laid()
    place = layout[TOKEN_NAMES[1]]
    image = np.full((40, 40, 3), (120, 150, 205), np.uint8)
    if what == "card":
        patches = np.random.default_rng(3).integers(0, 255, (8, 8, 3), dtype=np.uint8)
        image = cv2.resize(patches, (80, 80), interpolation=cv2.INTER_CUBIC)
    turn = np.radians(turn_deg)
    centre = (place.x_mm + off_mm * np.cos(turn), place.y_mm + off_mm * np.sin(turn))
    cover = Sheet(image, 85.0, (float(centre[0]), float(centre[1])), 25.0, 1.0)
    report = report_on([picture_of(layout, framed(CAMERA, layout), more=(cover,))])
    assert [(p["key"], p["piece"]) for p in report["problems"]] == [
        ("token-hidden", TOKEN_NAMES[1])
    ]


@pytest.mark.parametrize("width_mm", [14.0, 20.0])
@pytest.mark.parametrize("turn_deg", [45.0, 135.0, 225.0])
@pytest.mark.parametrize("reach_mm", [20.0, 28.0])
def test_a_finger_over_a_tokens_corner_hides_it_and_bows_nothing(
    reach_mm: float, turn_deg: float, width_mm: float
) -> None:
    """Its tip lies so far from the token's middle: nowhere is a side hidden for long."""
    layout = _laid()
    place = layout[TOKEN_NAMES[1]]
    turn = np.radians(turn_deg + place.turn_deg)
    skin, length_mm = np.full((440, round(4 * width_mm), 3), (48, 64, 92), np.uint8), 110.0
    centre = (
        float(place.x_mm + (reach_mm + length_mm / 2) * np.cos(turn)),
        float(place.y_mm + (reach_mm + length_mm / 2) * np.sin(turn)),
    )
    finger = Sheet(skin, width_mm, centre, float(np.degrees(turn)) - 90.0, 1.0)
    report = report_on([picture_of(layout, framed(CAMERA, layout), more=(finger,))])
    assert [(p["key"], p["piece"]) for p in report["problems"]] == [
        ("token-hidden", TOKEN_NAMES[1])
    ]


@pytest.mark.parametrize(("turn_deg", "off_mm"), [(110.0, 77.0), (270.0, 73.0), (280.0, 71.0)])
def test_a_token_whose_margin_is_covered_is_hidden_and_counts_for_nothing(
    turn_deg: float, off_mm: float
) -> None:
    """A card over its white margin moves one side by some pixels: nothing is said of its size, it is
    not counted, and the table is measured by the others."""
    layout = _laid()
    place = layout[TOKEN_NAMES[1]]
    turn = np.radians(turn_deg)
    centre = (place.x_mm + off_mm * np.cos(turn), place.y_mm + off_mm * np.sin(turn))
    card = Sheet(back_image(150), 90.0, (float(centre[0]), float(centre[1])), 25.0, 1.0)
    report = report_on([picture_of(layout, framed(CAMERA, layout), more=(card,))])
    assert [(p["key"], p["piece"]) for p in report["problems"]] == [
        ("token-hidden", TOKEN_NAMES[1])
    ]
    assert [t["name"] for t in report["tokens"] if not t["seen"]] == [TOKEN_NAMES[1]]
    assert report["plane"]["rms_mm"] < 0.1


def test_the_size_of_a_token_with_a_covered_margin_is_not_told() -> None:
    """It is printed at 95 %, and a hand lies over its margin: first it is to be uncovered."""
    layout = _laid()
    small = _scaled(layout, (TOKEN_NAMES[1],), 0.95)
    place = layout[TOKEN_NAMES[1]]
    skin = np.full((40, 40, 3), (90, 140, 60), np.uint8)
    turn = np.radians(place.turn_deg)
    centre = (place.x_mm + 74.5 * np.cos(turn), place.y_mm + 74.5 * np.sin(turn))
    hand = Sheet(skin, 90.0, (float(centre[0]), float(centre[1])), place.turn_deg, 1.0)
    for more, keys in (([], ["wrong-scale"]), ([hand], ["token-hidden"])):
        report = report_on([photograph([*small, *more], framed(CAMERA, layout))])
        assert [p["key"] for p in report["problems"]] == keys


def _scaled(layout: Layout, names: tuple[str, ...], share: float) -> list[Sheet]:
    """The pieces, those of these names printed at a share of their size."""
    return [
        replace(sheet, width_mm=sheet.width_mm * (share if name in names else 1))
        for name, sheet in zip(
            sorted(layout, key=lambda n: n != TRAY.name), sheets_of(layout), strict=True
        )
    ]


def test_tokens_fitted_to_the_page_are_named_beside_a_true_tray() -> None:
    """All four at 97 %: not the tray is blamed."""
    layout = laid_by_eye(np.random.default_rng(5), 560, 330)
    image = photograph(_scaled(layout, TOKEN_NAMES, 0.97), framed(CAMERA, layout))
    assert [(p["key"], p["params"]["percent"]) for p in report_on([image])["problems"]] == [
        ("all-small", 97)
    ]


def test_tokens_printed_far_too_small_are_named_beside_a_true_tray() -> None:
    """At 70 per cent: nobody enlarges a tray, and it is not shown on a screen."""
    layout = laid_by_eye(np.random.default_rng(5), 560, 330)
    image = photograph(_scaled(layout, TOKEN_NAMES, 0.7), framed(CAMERA, layout))
    assert [(p["key"], p["params"]["percent"]) for p in report_on([image])["problems"]] == [
        ("all-small", pytest.approx(70, abs=2))
    ]


def test_codes_that_a_soft_picture_makes_larger_do_not_blame_the_tokens() -> None:
    """By 0.7 px of their side, as a picture that was blurred or sharpened after the lens shows them."""
    layout = _laid(3)
    camera = framed(CAMERA, layout)
    code = np.array([(-9, -9), (9, -9), (9, 9), (-9, 9)])
    codes = []
    for place in ((-90.0, 0.0), (0.0, 40.0), (90.0, -30.0), (0.0, -60.0)):
        corners = camera.to_px(code + place)
        middle = corners.mean(axis=0)
        side_px = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()
        codes.append(middle + (corners - middle) * (1 + 0.7 / side_px))
    survey = Survey()
    survey.add_picture(photograph(sheets_of(layout), camera), codes)
    assert not report_of(survey)["problems"]


def test_tokens_fitted_to_the_page_are_named_beside_cards() -> None:
    """No tray: the codes of cards that are read tell; true tokens beside the same cards are not
    blamed."""
    layout = _laid(3)
    camera = framed(CAMERA, layout)
    code = np.array([(-9, -9), (9, -9), (9, 9), (-9, 9)])
    codes = [
        camera.to_px(code + place)
        for place in ((-90.0, 0.0), (0.0, 40.0), (90.0, -30.0), (0.0, -60.0))
    ]
    for share, keys in ((0.95, ["all-small"]), (1.0, [])):
        survey = Survey()
        survey.add_picture(photograph(_scaled(layout, TOKEN_NAMES, share), camera), codes)
        assert [p["key"] for p in report_of(survey)["problems"]] == keys


@pytest.mark.parametrize("cloth", ["wood", "white"])
def test_tokens_cut_into_their_black_square_are_named_and_measured_by_their_pattern(
    cloth: str,
) -> None:
    """58 mm are left of 60: all four are named, and the table's size is right to half a millimetre."""
    layout = _laid(1)
    camera = framed(CAMERA, layout)
    off = round(len(print_of(TOKEN_NAMES[0])) * 11 / TOKEN_MM)
    cut = [
        replace(sheet, image=sheet.image[off:-off, off:-off].copy(), width_mm=58.0)
        for sheet in sheets_of(layout)
    ]
    report = report_on([photograph(cut, camera, cloth)])
    assert [p["piece"] for p in report["problems"] if p["key"] == "trimmed"] == list(TOKEN_NAMES)
    width = np.linalg.norm(np.subtract(*(report["tokens"][i]["centre_mm"] for i in (0, 1))))
    true = np.hypot(*np.subtract(*((layout[n].x_mm, layout[n].y_mm) for n in TOKEN_NAMES[:2])))
    assert width == pytest.approx(true, abs=0.5)


def test_a_token_on_a_screen_of_true_size_is_named_by_its_light() -> None:
    """No brighter than paper, but blue beside a lamp's light."""
    layout = _laid(2)
    name = TOKEN_NAMES[3]
    sheets = sheets_of({n: p for n, p in layout.items() if n != name})
    shown = sheets_of({name: layout[name]})[0]
    light = shown.image.astype(float)
    light[..., 2] *= 0.75
    blue = replace(shown, image=light.astype(np.uint8))
    report = report_on([photograph([*sheets, blue], framed(CAMERA, layout))])
    assert [(p["key"], p["piece"]) for p in report["problems"]] == [("unlike", name)]

"""What is wrong with a set-up is named: curled, screened, cut off, glared at, hazy, dim, soft, shaken.  Rendered pictures."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from calibration.photograph import CameraModel, Sheet, photograph
from calibration.report import report_on
from card_printables.token import TOKEN_MM, TOKEN_NAMES
from tests.calibration_scene import Layout, framed, laid_by_eye, picture_of, print_of, sheets_of

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
        strips.append(Sheet(np.ascontiguousarray(whole[:, left:right]), width, centre, place.turn_deg, height_mm=height))
    return strips


def test_a_bowed_token_is_named_with_how_far_it_rises() -> None:
    """Bowed by 5 mm (in steps, as sixteen strips): the token is named, and some millimetres."""
    layout = _laid()
    name = TOKEN_NAMES[2]
    flat = {n: p for n, p in layout.items() if n != name}
    report = report_on([photograph([*sheets_of(flat), *_curled(layout, name, 5.0)], framed(CAMERA, layout))])
    found = [p for p in report["problems"] if p["key"] == "curled"]
    assert [p["piece"] for p in found] == [name]
    assert found[0]["params"]["mm"] == pytest.approx(5, abs=3.5)


@pytest.mark.parametrize("seed", range(3))
def test_flat_tokens_are_not_called_curled(seed: int) -> None:
    """Another lens, tilt and cloth each: nothing is wrong with the pieces."""
    layout = _laid(seed)
    camera = framed(replace(CAMERA, k1=(-0.15, 0.1, -0.1)[seed], tilt_deg=15.0 * seed), layout)
    assert not _keys(report_on([picture_of(layout, camera, ("wood", "checked", "white")[seed], seed)])) & {
        "curled", "wrong-scale", "screen", "glare", "dirty"}


def test_a_token_shown_much_smaller_is_on_a_screen() -> None:
    """Three quarters of its size: not a printer's mistake."""
    layout = _laid()
    camera = framed(CAMERA, layout)
    place = layout.pop(TOKEN_NAMES[1])
    shown = Sheet(print_of(TOKEN_NAMES[1]), TOKEN_MM * 0.75, (place.x_mm, place.y_mm), place.turn_deg, 0.0)
    report = report_on([picture_of(layout, camera, more=(shown,))])
    assert [p["piece"] for p in report["problems"] if p["key"] == "screen"] == [TOKEN_NAMES[1]]


def test_a_token_beyond_the_picture_is_an_edge_outside_it() -> None:
    """The camera looks too far to the left: the right edge is named, no token is called covered."""
    layout = _laid()
    camera = framed(CAMERA, layout)
    report = report_on([picture_of(layout, replace(camera, aim_mm=(camera.aim_mm[0] - 190, camera.aim_mm[1])))])
    assert {p["piece"] for p in report["problems"] if p["key"] == "outside"} == {"right"}


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


def test_haze_dusk_and_softness_are_named() -> None:
    """Each with its own key."""
    layout = _laid()
    clear = picture_of(layout, framed(CAMERA, layout))
    hazy = cv2.addWeighted(clear, 0.4, np.full_like(clear, 255), 0.5, 0)
    assert "dirty" in _keys(report_on([hazy]))
    assert "dim" in _keys(report_on([picture_of(layout, framed(replace(CAMERA, exposure=0.06), layout))]))
    assert "soft" in _keys(report_on([picture_of(layout, framed(replace(CAMERA, blur_px=2.2), layout))]))


def test_a_shaking_camera_is_named() -> None:
    """Four pictures that jump about by two pixels; a still one's noise is no shaking."""
    layout = _laid()
    image = picture_of(layout, framed(CAMERA, layout))
    shaken = [np.roll(image, shift, axis=(0, 1)) for shift in ((0, 0), (2, -2), (-2, 1), (1, 2))]
    assert "shaky" in _keys(report_on(shaken))
    assert "shaky" not in _keys(report_on([image] * 4))

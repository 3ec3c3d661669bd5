"""The set-up page's survey: kept for next time, compared with last time, and proved by cards that
are really read."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibration.cameras.grey import grey_of
from calibration.check.survey import Survey
from calibration.geometry.fit import fit_plane
from calibration.simulator.photograph import CameraModel, Sheet, photograph
from calibration.tags.refine import seen_tags
from card_printables.output import pixels
from card_printables.pages import lens_target
from companion.set_up.lens_wizard import LensWizard
from companion.set_up.readiness import SetUp
from tests.support.calibration_scene import framed, laid_by_eye, picture_of

LAYOUT = laid_by_eye(np.random.default_rng(3), 420, 250, tray=False)
CAMERA = framed(CameraModel(1280, 720, 940, tilt_deg=10, blur_px=0.5), LAYOUT)


@cache
def _picture() -> np.ndarray:
    return picture_of(LAYOUT, CAMERA)


def _watching(reads: tuple[tuple[float, float], ...] = (), camera: str = "Desk Cam") -> Any:
    codes = [
        np.array([(x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 9), (x - 9, y + 9)]) for x, y in reads
    ]
    eye = SimpleNamespace(
        plane_tracker=SimpleNamespace(plane=None), place=SimpleNamespace(symbol_mm=18.0)
    )
    return SimpleNamespace(
        camera=SimpleNamespace(name=camera),
        eye=eye,
        practice=False,
        frames=SimpleNamespace(codes_px=lambda: codes),
        granted=lambda: {"name": camera, "fps": 10.0, "mode": {"fourcc": "MJPG"}},
    )


def _told(
    set_up: SetUp,
    picture: np.ndarray | None = None,
    reads: tuple[tuple[float, float], ...] = (),
) -> dict[str, Any]:
    shown = _picture() if picture is None else picture
    return set_up.survey_picture(_watching(reads), shown)[0]


class Clock:
    """A clock that goes on by a second whenever it is asked."""

    now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_a_good_set_up_is_kept_and_known_again(tmp_path: Path) -> None:
    """First evening: nothing to compare with. Next evening, the first look: same as last time,
    ready. No picture is kept, and one that was kept once goes."""
    kept_once = tmp_path / "calibration" / "desk-cam.jpg"
    kept_once.parent.mkdir()
    kept_once.write_bytes(b"who sat there")
    first = SetUp(tmp_path, Clock())
    looks = [_told(first) for _ in range(5)]
    assert looks[-1]["last"] is None
    assert (tmp_path / "calibration" / "desk-cam.json").exists()
    assert [file.suffix for file in tmp_path.rglob("*.*")] == [".json"]
    again = _told(SetUp(tmp_path, Clock()))
    assert again["last"]["same"]
    assert again["last"]["key"] == "same"


def test_what_is_told_is_of_the_picture_beside_it(tmp_path: Path) -> None:
    """Ready; then the camera looks at a wall, at two tokens, at the table again, at two sets of one:
    nothing of an earlier picture is said of a later one."""
    set_up = SetUp(tmp_path, Clock())
    wall = np.full_like(_picture(), 90)
    half = _picture().copy()
    half[:, 640:] = 90
    said = []
    for picture in (_picture(), _picture(), wall, half, _picture()):
        told, told_of = set_up.survey_picture(_watching(), picture)
        assert told_of is picture
        seen = [token["name"] for token in told["tokens"] if token["seen"]]
        said.append((told["verdict"] == "blind", len(seen)))
    assert said == [(False, 4), (False, 4), (True, 0), (False, 2), (False, 4)]


def _turned_away(picture: np.ndarray, share: float) -> np.ndarray:
    """The picture of a camera that was turned by this share of its width."""
    off = round(share * picture.shape[1])
    return np.concatenate([picture[:, off:], np.full_like(picture[:, :off], 60)], axis=1)


def _hand_over(token: str) -> np.ndarray:
    """A hand, flat and of skin's colour, over a token."""
    place = LAYOUT[token]
    skin = np.full((200, 200, 3), (90, 140, 60), np.uint8)
    hand = Sheet(skin, 90.0, (place.x_mm, place.y_mm), 30.0, 1.0)
    return picture_of(LAYOUT, CAMERA, more=(hand,))


@pytest.mark.parametrize("share", [0.2, 0.02])
@pytest.mark.parametrize("looks", [1, 3, 5])
def test_a_camera_that_moved_is_surveyed_anew(tmp_path: Path, share: float, looks: int) -> None:
    """The camera is turned while the page is open, and a hand comes over one token: what is said, and
    where the others are drawn, is that of the picture now."""
    hand = _hand_over("token-top-right")
    alone = _told(SetUp(tmp_path, Clock()), hand)
    set_up = SetUp(tmp_path, Clock())
    for _ in range(looks):
        _told(set_up, _turned_away(_picture(), share))
    for _ in range(2):
        told = _told(set_up, hand)
    assert told["problems"] == alone["problems"]
    assert told["tokens"] == alone["tokens"]
    assert [p["piece"] for p in told["problems"]] == ["token-top-right"]


def test_a_token_that_was_laid_elsewhere_is_where_it_lies_now(tmp_path: Path) -> None:
    """The others stay: of this one what was seen before is forgotten."""
    place = LAYOUT["token-bottom-left"]
    other = LAYOUT | {"token-bottom-left": replace(place, x_mm=place.x_mm + 25)}
    moved = picture_of(other, CAMERA)
    set_up = SetUp(tmp_path, Clock())
    for _ in range(3):
        _told(set_up)
    told, alone = _told(set_up, moved), _told(SetUp(tmp_path, Clock()), moved)
    assert told["problems"] == alone["problems"] == []
    (now,) = (t for t in told["tokens"] if t["name"] == "token-bottom-left")
    (as_seen,) = (t for t in alone["tokens"] if t["name"] == "token-bottom-left")
    assert now["corners_px"] == as_seen["corners_px"]


def test_a_second_look_at_once_shows_the_picture_of_the_first(tmp_path: Path) -> None:
    """Where several screens ask, all get one verdict and the picture that it is of."""
    set_up = SetUp(tmp_path, lambda: 5.0)
    told, told_of = set_up.survey_picture(_watching(), _picture())
    again, again_of = set_up.survey_picture(_watching(), np.zeros_like(_picture()))
    assert again is told
    assert again_of is told_of


def test_a_report_tells_how_old_its_picture_is(tmp_path: Path) -> None:
    """From when the picture was taken up, not from when the report on it was ready."""
    now = [100.0]
    set_up = SetUp(tmp_path, lambda: now[0])
    _told(set_up)
    now[0] += 7.0
    assert set_up.age_s == 7.0


def test_a_table_that_is_moved_is_no_more_as_last_time(tmp_path: Path) -> None:
    """The same at the first look, and not after the camera was pushed; nothing while it is away."""
    first = SetUp(tmp_path, Clock())
    for _ in range(5):
        _told(first)
    again = SetUp(tmp_path, Clock())
    assert _told(again)["last"]["same"]
    assert _told(again, np.full_like(_picture(), 90))["last"] is None
    pushed = SetUp(tmp_path, Clock())
    assert _told(pushed)["last"]["same"]
    pushed._survey = Survey()  # as when the eye finds a new plane
    assert (
        _told(pushed, np.ascontiguousarray(np.roll(_picture(), 9, axis=1)))["last"]["key"]
        == "stands"
    )


def test_what_has_changed_since_last_time_is_named(tmp_path: Path) -> None:
    """The camera was turned a little overnight."""
    first = SetUp(tmp_path, Clock())
    for _ in range(5):
        first.survey_picture(_watching(), _picture())
    turned = np.ascontiguousarray(np.roll(_picture(), 9, axis=1))
    told = _told(SetUp(tmp_path, Clock()), turned)["last"]
    assert not told["same"]
    assert told["key"] == "stands"


def test_the_report_can_be_drawn(tmp_path: Path) -> None:
    """Middle, tokens and a rim for the seats lie in the picture's shares; the camera's mode is
    told."""
    told = _told(SetUp(tmp_path, Clock()))
    lines = told["outlines"]
    assert len(lines["tokens"]) == 4
    assert len(lines["rim"]) == 36
    assert all(-0.2 < x < 1.2 and -0.2 < y < 1.2 for x, y in lines["middle"] + lines["rim"])
    assert told["camera"]["mode"] == {"fourcc": "MJPG"}


def test_a_card_that_is_read_proves_its_place(tmp_path: Path) -> None:
    """The place nearest to where a card is read is proved, a far one is not."""
    set_up = SetUp(tmp_path, Clock())
    place = _told(set_up)["places"][20]
    told = _told(set_up, reads=((place["x"] * 1280, place["y"] * 720),))
    assert told["places"][20]["read"]
    assert not told["places"][0]["read"]


def test_the_expert_s_desk_asks_for_the_sheet() -> None:
    """A picture without the test sheet is no view."""
    told = LensWizard().take_view(_picture())
    assert told["why"] == "no_sheet"
    assert told["views"] == 0
    assert len(told["cover"]) == 12


def test_the_expert_s_desk_takes_a_sheet_that_is_held_still_once() -> None:
    """First look: is it still?  Second: taken.  Third: taken already.  Anew: nothing is left."""
    sheet = Sheet(
        pixels.paint(lens_target.design(), 150),
        lens_target.COLUMNS * lens_target.SQUARE_MM,
        (0.0, 0.0),
        20.0,
        height_mm=0.0,
    )
    picture = photograph([sheet], CameraModel(1280, 720, 950.0, distance_mm=420, tilt_deg=25))
    wizard = LensWizard()
    assert [wizard.take_view(picture)["why"] for _ in range(3)] == ["moving", "taken", "same"]
    told = wizard.take_view(picture)
    assert told["views"] == 1
    assert sum(told["cover"]) >= 4
    assert wizard.begin_anew()["views"] == 0


def test_one_camera_keeps_two_tables(tmp_path: Path) -> None:
    """The kitchen's table after the living room's: both are kept, and each is
    known again."""
    other = laid_by_eye(np.random.default_rng(8), 360, 300, tray=False)
    kitchen = picture_of(other, framed(CAMERA, other), "checked")
    for picture in (_picture(), kitchen):
        evening = SetUp(tmp_path, Clock())
        for _ in range(5):
            evening.survey_picture(_watching(), picture)
    kept = sorted(file.name for file in (tmp_path / "calibration").iterdir())
    assert kept == ["desk-cam--2.json", "desk-cam.json"]
    for picture in (_picture(), kitchen):
        assert _told(SetUp(tmp_path, Clock()), picture)["last"]["key"] == "same"


def test_an_evening_greets_the_table_it_knows_at_the_first_look(tmp_path: Path) -> None:
    """The same table: said at once. Another: said once it is certain. A camera nobody knows:
    nothing."""
    first = SetUp(tmp_path, Clock())
    for _ in range(5):
        first.survey_picture(_watching(), _picture())
    again = SetUp(tmp_path, Clock())
    plane = fit_plane(seen_tags(grey_of(_picture())), CAMERA.size_px)
    same = again.compare_with_last_time("Desk Cam", plane, 0.0)
    assert same is not None
    assert same.same
    turned = fit_plane(
        seen_tags(np.ascontiguousarray(np.roll(grey_of(_picture()), 9, axis=1))), CAMERA.size_px
    )
    assert again.compare_with_last_time("Desk Cam", turned, 0.0) is None
    late = again.compare_with_last_time("Desk Cam", turned, 2.0)
    assert late is not None
    assert late.key == "stands"
    assert again.compare_with_last_time("Unknown", plane, 9.0) is None
    assert again.compare_with_last_time("Desk Cam", None, 9.0) is None

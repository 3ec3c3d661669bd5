"""The practice table as a camera: its time, its pictures, its faults, and that the product's own
eyes can read them."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.simulator.photograph import Sheet
from card_printables.deck import word_of
from card_printables.token import TAG_FAMILY, TOKEN_TAG_MM
from companion.errors import BadInput
from companion.practice.acting.people import Arm
from companion.practice.faults import Faults
from companion.practice.film import film
from companion.practice.hands import HAND_SHAPES, hand_rgba, tip_offset_mm
from companion.practice.room import FAIR_PX_PER_MODULE, Room, parlour, random_room
from companion.practice.script import write_script
from companion.practice.table import PracticeTable
from companion.practice.things import look_of

ARM = Arm((132, 166, 218), (92, 66, 48), 1.0, False)


@cache
def small_parlour(players: int = 4) -> Room:
    """The parlour through a camera of half the size, quick to render."""
    room = parlour(players, 1)
    return replace(room, camera=replace(room.camera, width_px=960, height_px=540, focal_px=800.0))


def table(faults: Faults | None = None, seed: int = 2, **wishes: object) -> PracticeTable:
    """One round at a small parlour table."""
    room = small_parlour()
    script = write_script(
        4,
        rounds=1,
        seed=seed,
        faults=faults or Faults(),
        layout=room.layout,
        temper_name="rowdy",
        **wishes,
    )
    return PracticeTable(script, room.camera, room.cloth, seed)


def test_frames_carry_the_scripts_time() -> None:
    """Frames come at the asked rate, numbered from 0, until the evening is over; then None, again
    and again."""
    camera = table()
    camera.fps = 2.0
    frames = [camera.read() for _ in range(4)]
    assert [(frame.number, frame.t_s) for frame in frames if frame] == [
        (0, 0.0),
        (1, 0.5),
        (2, 1.0),
        (3, 1.5),
    ]
    camera.seek(camera.duration_s - 0.6)
    last = camera.read()
    assert last is not None
    assert last.t_s < camera.duration_s
    assert camera.read() is None
    assert camera.read() is None
    camera.close()


def test_the_same_table_gives_the_same_pictures() -> None:
    """Pictures are deterministic in script and seed."""
    one, two = table(), table()
    at = one.truth.rounds[0].dealt_s
    assert np.array_equal(one.picture_at(at), two.picture_at(at))


def test_tokens_are_seen_where_the_camera_model_says() -> None:
    """OpenCV finds all four tokens and the tray's tags, the tokens' centres within 0.15 px of the
    truth.

    Each corner of a black square looks up to 0.7 px too far in: light is blurred before gamma, as
    in real cameras.
    """
    room = parlour(4, 1)
    camera = PracticeTable(
        write_script(4, rounds=1, seed=2, layout=room.layout), room.camera, room.cloth
    )
    wishes = cv2.aruco.DetectorParameters()
    wishes.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, TAG_FAMILY)), wishes
    )
    corners, ids, _ = detector.detectMarkers(camera.picture_at(0.5))
    found = {int(tag): quad[0] for tag, quad in zip(ids.ravel(), corners, strict=True)}
    assert set(found) == {100, 101, 102, 103, 110, 111, 112, 113}
    for index, pose in enumerate(room.layout.tokens):
        token = Sheet(
            np.zeros((9, 9, 3), np.uint8),
            TOKEN_TAG_MM,
            pose.point_mm,
            pose.turn_deg,
            pose.height_mm,
        )
        truth = camera.camera_at(0.5).to_px(token.corners_mm(), token.height_mm)
        off = found[100 + index] - truth
        assert np.linalg.norm(off.mean(axis=0)) < 0.15
        assert np.linalg.norm(off, axis=1).max() < 0.8


def test_a_stranger_reads_the_cards() -> None:
    """zxing reads every card that lies in the parlour, and nothing else of the deck."""
    zxingcpp = pytest.importorskip("zxingcpp")
    room = parlour(4, 1)
    camera = PracticeTable(
        write_script(4, rounds=1, seed=2, layout=room.layout, faults=Faults()),
        room.camera,
        room.cloth,
    )
    line = camera.truth.rounds[0]
    picture = cv2.resize(
        camera.picture_at(line.dealt_s + 2.0), None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC
    )
    words = [
        word_of(bytes(code.bytes))
        for code in zxingcpp.read_barcodes(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    ]
    assert {word.card for word in words if word and word.card} == set(line.cards)


def test_a_hand_covers_what_it_reaches_for() -> None:
    """While a hand carries a card its pixels differ from the empty table's; afterwards nothing of
    it is left."""
    camera = table()
    line = camera.truth.rounds[0]
    reach = next(reach for reach in camera.script.reaches if reach.start_s > line.dealt_s + 0.5)
    before, during = (
        camera.picture_at(0.5).astype(int),
        camera.picture_at(reach.stops[1].t_s).astype(int),
    )
    tip, body = np.array(reach.stops[1].point_mm), np.array(reach.body_mm)
    x, y = np.rint(
        camera.camera.to_px(tip + 90 * (body - tip) / np.linalg.norm(body - tip))[0]
    ).astype(int)
    assert np.abs(during - before)[y - 4 : y + 5, x - 4 : x + 5].mean() > 20
    after = camera.picture_at(camera.duration_s - 0.1).astype(int)
    assert np.abs(after - before).mean() < 4


def _level(picture: np.ndarray) -> float:
    return float(picture.mean())


def _effect_times(camera: PracticeTable, kind: str) -> tuple[float, float]:
    effect = next(effect for effect in camera.script.effects if effect.kind == kind)
    return effect.start_s, effect.end_s


def test_a_black_picture_is_black() -> None:
    """While the camera is black every pixel is 0."""
    camera = table(Faults.only("picture_black"))
    start, end = _effect_times(camera, "picture_black")
    assert camera.picture_at((start + end) / 2).max() == 0
    assert camera.picture_at(end + 0.05).max() > 100


def test_a_frozen_picture_repeats_to_the_bit() -> None:
    """While the camera is frozen its pictures are one and the same; live ones never are."""
    camera = table(Faults.only("picture_freezes"))
    start, end = _effect_times(camera, "picture_freezes")
    assert np.array_equal(camera.picture_at(start + 0.2), camera.picture_at(end - 0.2))
    assert not np.array_equal(camera.picture_at(end + 0.2), camera.picture_at(end + 0.3))


def test_a_stalled_camera_jumps_in_time() -> None:
    """After a stall the next frame is seconds later than the last."""
    camera = table(Faults.only("camera_stalls"))
    start, end = _effect_times(camera, "camera_stalls")
    camera.seek(start - 0.15)
    before, after = camera.read(), camera.read()
    while after is not None and after.t_s < end:
        before, after = after, camera.read()
    assert before is not None
    assert after is not None
    assert before.t_s < start
    assert after.t_s - before.t_s > 1.8


def test_an_idle_table_is_photographed_less_often() -> None:
    """With a slower rate for idle times frames are left out, and none while a hand is at work."""
    camera = table()
    camera.fps, camera.idle_fps = 8.0, 2.0
    assert [frame.t_s for _ in range(3) if (frame := camera.read())] == [0.0, 0.5, 1.0]
    reach = camera.script.reaches[0]
    camera.seek(reach.start_s)
    busy = [frame.t_s for _ in range(4) if (frame := camera.read())]
    assert busy[-1] - busy[0] == pytest.approx(3 / 8)
    assert not camera.script.idle(reach.end_s + 1.0)


def test_a_swaying_stand_moves_the_whole_picture_by_a_little() -> None:
    """A phone on a bendy arm: the tokens wander by some pixels and come back; nothing on the table
    has moved."""
    camera = table(Faults.only("shaky"))
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, TAG_FAMILY))
    )
    found = []
    for t_s in (0.2, 0.8, 1.4):
        corners, ids, _ = detector.detectMarkers(camera.picture_at(t_s))
        found.append(
            {int(tag): quad[0].mean(axis=0) for tag, quad in zip(ids.ravel(), corners, strict=True)}
        )
    moved = np.array(
        [[np.linalg.norm(there[tag] - found[0][tag]) for tag in (100, 102)] for there in found[1:]]
    )
    assert 0.4 < moved.max() < 6
    assert np.ptp(moved, axis=1).max() < 0.5


def test_a_bump_moves_the_truth_with_the_picture() -> None:
    """After a bump the tokens are elsewhere in the picture, and `camera_at` knows where."""
    camera = table(Faults.only("bump_camera"))
    start, end = _effect_times(camera, "bump_camera")
    place = np.array([camera.script.layout.centre_mm])
    moved = camera.camera_at(end).to_px(place) - camera.camera_at(start - 0.1).to_px(place)
    assert np.linalg.norm(moved) > 0.5
    assert camera.camera_at(end) == camera.camera_at(end + 0.3)
    assert np.abs(camera.picture_at(end).astype(int) - camera.picture_at(start - 0.1)).mean() > 1


@pytest.mark.parametrize(("fault", "least"), [("lamp_switch", 4.0), ("exposure_hunt", 4.0)])
def test_light_changes_the_level(fault: str, least: float) -> None:
    """A lamp or an exposure hunt changes the picture's level and later lets it be as before."""
    camera = table(Faults.only(fault))
    start, end = _effect_times(camera, fault)
    steady = _level(camera.picture_at(0.5))
    assert abs(_level(camera.picture_at((start + end) / 2)) - steady) > least
    assert _level(camera.picture_at(1.0)) == pytest.approx(steady, abs=0.5)


def test_focus_goes_and_comes_back() -> None:
    """In the middle of a focus hunt the picture has lost its edges."""
    camera = table(Faults.only("focus_hunt"))
    start, end = _effect_times(camera, "focus_hunt")
    sharp, soft = (
        cv2.Laplacian(camera.picture_at(t), cv2.CV_32F, ksize=5).std()
        for t in (0.5, (start + end) / 2)
    )
    assert soft < 0.7 * sharp


def test_dusk_darkens_the_whole_evening() -> None:
    """With dusk the last picture is much darker than the first."""
    camera = table(Faults.only("dusk"))
    assert _level(camera.picture_at(camera.duration_s - 0.1)) < 0.75 * _level(
        camera.picture_at(0.1)
    )


def test_glare_burns_out_a_marker() -> None:
    """Where the lamp is reflected the picture is white."""
    camera = table(Faults.only("glare"))
    start, _ = _effect_times(camera, "glare")
    effect = next(effect for effect in camera.script.effects if effect.kind == "glare")
    x, y = np.rint(camera.camera.to_px(np.array([effect.at_mm]))[0]).astype(int)
    assert camera.picture_at(start + 0.05)[y - 3 : y + 4, x - 3 : x + 4].min() > 225


@pytest.mark.parametrize("shape", HAND_SHAPES)
@pytest.mark.parametrize("left", [False, True])
def test_a_hands_tip_is_where_it_is_said_to_be(shape: str, left: bool) -> None:
    """The image is opaque 6 mm below the fingertip and transparent 12 mm above it, right- and
    left-handed."""
    arm = replace(ARM, left=left)
    alpha = hand_rgba(arm, shape)[..., 3]
    x, y = tip_offset_mm(arm)
    scale = alpha.shape[1] / 200.0
    column, row = round(alpha.shape[1] / 2 - x * scale), round(alpha.shape[0] / 2 - y * scale)
    assert alpha[row + round(6 * scale), column] > 250
    assert alpha[row - round(12 * scale), column] == 0


@pytest.mark.parametrize("thing", ["CM1/7", "CM2/7#3", "cup#1", "slip#1", "phone#1", "book#1"])
def test_every_thing_has_a_look(thing: str) -> None:
    """Whatever a script may bring is drawn in colour, with some of it opaque, at a size that fits a
    table."""
    image, width_mm = look_of(thing, True, 150)
    assert image.ndim == 3
    assert image.shape[2] == 4
    assert image[..., 3].max() == 255
    assert 30 < width_mm * max(1.0, image.shape[0] / image.shape[1]) < 300


def test_random_rooms_are_fair_and_different() -> None:
    """Fair rooms see every marker with enough pixels and all the tokens; seeds differ in camera and
    cloth."""
    rooms = [random_room(seed) for seed in range(12)]
    for room in rooms:
        assert room.px_per_module >= FAIR_PX_PER_MODULE
        assert room.camera.sees(np.array(room.layout.corners_mm()))
    assert len({room.cloth for room in rooms}) >= 3
    assert len({room.camera.size_px for room in rooms}) >= 2
    assert random_room(3) == rooms[3]
    assert random_room(3, size_px=(1280, 720)).px_per_module >= FAIR_PX_PER_MODULE


def test_a_film_has_all_frames_and_its_truth_beside_it(tmp_path: Path) -> None:
    """The footage has a frame for every tick, a stall included, and the truth beside it names the
    evening's totals."""
    camera = table(Faults.only("camera_stalls"), seed=5, haste=4.0)
    camera.fps = 2.0
    written = film(camera, tmp_path / "evening.avi")
    footage = cv2.VideoCapture(str(tmp_path / "evening.avi"))
    assert abs(written - camera.duration_s * 2) <= 1
    assert int(footage.get(cv2.CAP_PROP_FRAME_COUNT)) == written
    truth = json.loads((tmp_path / "evening.json").read_text(encoding="utf-8"))
    assert truth["totals"] == dict(zip(camera.truth.players, camera.truth.totals, strict=True))
    with pytest.raises(BadInput, match="folder that exists"):
        film(camera, tmp_path / "nowhere" / "evening.avi")

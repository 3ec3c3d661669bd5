"""A still table costs no looks; whatever comes slowly, or is no motion at all, is seen
nevertheless."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from math import dist

import cv2
import numpy as np

from calibration.cameras.jpeg_frame import JpegFrame, frame_of_jpeg
from calibration.simulator.photograph import CameraModel, Sheet, Studio
from card_printables.marker import SYMBOL_MM
from card_printables.output.piece_pictures import back_rgba, face_rgba, token_rgba
from card_printables.token import TOKEN_NAMES, TOKENS
from companion.table.sighting import Attention, Glimpse, PlaceState
from companion.vision.eye import Eye
from companion.vision.frame.idle_policy import (
    DOUBT_LOOK_EVERY_S,
    IDLE_AFTER_DOUBT_S,
    IDLE_AFTER_S,
    IDLE_LOOK_EVERY_S,
    UNCHANGED_LOOK_EVERY_S,
    UNPLAYED_LOOK_EVERY_S,
    IdlePolicy,
    Unfinished,
)
from companion.vision.frame.motion_gate import Motion
from tests.support.calibration_scene import framed, laid_by_eye

LAYOUT = laid_by_eye(np.random.default_rng(5), tray=False)
CAMERA = framed(CameraModel(1280, 720, tilt_deg=20.0, focal_px=1000.0), LAYOUT)
SPOTS = {7: (-150.0, -40.0), 12: (-50.0, 60.0), 33: (60.0, -50.0), 48: (160.0, 50.0)}
FPS = 5.0
STILL = Motion(True, (), np.zeros((1, 1, 3), np.uint8), np.zeros((1, 1), bool), 1.0)
MOVED = Motion(False, ((0, 0, 8, 8),), STILL.small, STILL.changed, 1.0)


@cache
def studio() -> Studio:
    return Studio(CAMERA, "wood", 2)


def table(
    slid_mm: float = 0.0, away: tuple[int, ...] = (), over: tuple[int, ...] = ()
) -> np.ndarray:
    """Four tokens and four cards, the last one slid to the left; without those `away`, and with those
    turned `over`."""
    sheets = [Sheet(token_rgba(t, 100), t.width_mm, (LAYOUT[n].x_mm, LAYOUT[n].y_mm), LAYOUT[n].turn_deg)
              for n, t in zip(TOKEN_NAMES, TOKENS, strict=True)]  # fmt: skip
    for i, (card, (x, y)) in enumerate(SPOTS.items()):
        if card in over:
            sheets.append(Sheet(back_rgba(dpi=100), 85.0, (x, y), 70.0 * i))
        if card in away:
            continue
        sheets.append(
            Sheet(
                face_rgba(card, symbol_mm=SYMBOL_MM, dpi=100),
                85.0,
                (x - slid_mm * (card == 48), y),
                70.0 * i,
            )
        )
    return studio().shoot(sheets)


@cache
def shots() -> tuple[np.ndarray, ...]:
    return tuple(table() for _ in range(4))


@dataclass
class Watched:
    """An eye at a table that has long been still, while an evening is played there or not."""

    eye: Eye = field(default_factory=Eye)
    number: int = 0
    played: bool = True

    def see(self, image: np.ndarray) -> tuple[JpegFrame, Glimpse]:
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
        frame = frame_of_jpeg(data, (1280, 720), self.number / FPS, self.number)
        assert frame is not None
        self.number += 1
        attention = Attention(len(SPOTS)) if self.played else Attention()
        return frame, self.eye.read_frame(frame, attention).glimpse

    def rest(self, seconds: float) -> list[tuple[JpegFrame, Glimpse]]:
        return [self.see(shots()[self.number % 4]) for _ in range(round(seconds * FPS))]


@cache
def _long_watched() -> Watched:
    watched = Watched()
    watched.rest(9.0)
    return watched


def rested() -> Watched:
    """An eye of one's own that has watched a still table for nine seconds."""
    return deepcopy(_long_watched())


def test_a_still_table_is_left_alone() -> None:
    """Nine of ten pictures of it are never decoded, and each says of every card what the last look
    said."""
    seen = rested().rest(7.0)
    assert np.mean([frame.decoded for frame, _ in seen]) < 0.1
    for _, glimpse in seen:
        assert {s.card for s in glimpse.sightings} == set(SPOTS)
        assert all(place.state is PlaceState.MARKER for place in glimpse.places)
    assert seen[-1][1].t_s == seen[-1][0].t_s


def test_a_card_slid_slowly_is_followed() -> None:
    """Pushed by a millimetre a picture, it is never reported farther than 8 mm from where it lies,
    and in the end there."""
    watched = rested()
    begun = {s.card: s.centre_mm for s in watched.rest(1 / FPS)[0][1].sightings}[48]
    for slid_mm in [*np.arange(0.0, 24.0, 1.0), *[24.0] * 6]:
        _, glimpse = watched.see(table(float(slid_mm)))
        gone = [dist(begun, s.centre_mm) for s in glimpse.sightings if s.card == 48]
        assert not gone or abs(gone[0] - slid_mm) < 8.0
    assert abs(gone[0] - 24.0) < 2.0


def test_a_lamp_that_is_switched_or_fades_is_seen_though_nothing_moves() -> None:
    """A third less light at once is looked at in the same picture; light that fades slowly, every
    few seconds; no card goes."""
    watched = rested()
    frame, _ = watched.see((shots()[0] * 0.66).astype(np.uint8))
    assert frame.decoded
    watched = rested()
    seen = [watched.see((shots()[i % 4] * 0.99 ** (i + 1)).astype(np.uint8)) for i in range(40)]
    assert sum(frame.decoded for frame, _ in seen) >= 40 / FPS / IDLE_LOOK_EVERY_S
    assert all({place.card for place in glimpse.places} == set(SPOTS) for _, glimpse in seen)
    assert not any(
        place.state is PlaceState.TABLE for _, glimpse in seen for place in glimpse.places
    )


def test_rest_begins_later_where_something_is_in_doubt_and_never_while_something_is_learnt() -> (
    None
):
    """Without doubt after `IDLE_AFTER_S`, with doubt after `IDLE_AFTER_DOUBT_S`; what is busy, moves or shows
    something new begins anew."""

    def begins(left: Unfinished, upset: Motion | None = None) -> float:
        rest, t_s = IdlePolicy(), 0.0
        while t_s < 30.0:
            motion = upset if upset is not None and abs(t_s - 3.0) < 0.05 else STILL
            if rest.last_result_stands(motion, t_s):
                return t_s
            rest.note_result(motion, t_s, left)
            t_s += 0.1
        return t_s

    assert abs(begins(Unfinished(False, False, 1)) - IDLE_AFTER_S) < 0.2
    assert abs(begins(Unfinished(False, True, 1)) - IDLE_AFTER_DOUBT_S) < 0.2
    assert abs(begins(Unfinished(False, False, 1), MOVED) - IDLE_AFTER_S - 3.0) < 0.2
    assert begins(Unfinished(True, False, 1)) >= 30.0
    assert (
        IDLE_AFTER_DOUBT_S - 0.2
        < begins(Unfinished(False, False, 1, learning=True))
        < IDLE_AFTER_DOUBT_S + 1.0
    )


def test_a_table_at_rest_is_looked_at_seldom_where_nothing_changed_faintly_and_soon_where_it_did() -> (
    None
):
    """In doubt after `DOUBT_LOOK_EVERY_S`, otherwise after `IDLE_LOOK_EVERY_S`; after
    `UNCHANGED_LOOK_EVERY_S` in any case."""

    def looked_again_after_s(doubt: bool, changed: bool) -> float:
        rest, left, t_s = IdlePolicy(), Unfinished(False, doubt, 1), 0.0
        while t_s < 20.0:
            if not rest.last_result_stands(STILL, t_s, lambda: changed):
                rest.note_result(STILL, t_s, left)
                looked_s = t_s
            t_s += 0.1
        begun_s = looked_s
        while rest.last_result_stands(STILL, t_s, lambda: changed):
            t_s += 0.1
        return t_s - begun_s

    assert abs(looked_again_after_s(True, True) - DOUBT_LOOK_EVERY_S) < 0.2
    assert abs(looked_again_after_s(False, True) - IDLE_LOOK_EVERY_S) < 0.2
    assert abs(looked_again_after_s(True, False) - UNCHANGED_LOOK_EVERY_S) < 0.2
    assert abs(looked_again_after_s(False, False) - UNCHANGED_LOOK_EVERY_S) < 0.2


def test_a_table_where_nobody_plays_is_looked_at_more_seldom_until_somebody_does() -> None:
    """Nothing changed: after `UNPLAYED_LOOK_EVERY_S`, or in the first picture of an evening."""
    watched = rested()
    watched.played = False
    while not watched.rest(1 / FPS)[0][0].decoded:
        assert watched.number < 40.0 * FPS
    watched.rest(UNCHANGED_LOOK_EVERY_S + 1.0)
    begun = deepcopy(watched)
    more = watched.rest(UNPLAYED_LOOK_EVERY_S - UNCHANGED_LOOK_EVERY_S)
    looks = [frame.t_s for frame, _ in more if frame.decoded]
    assert len(looks) == 1
    assert more[-1][0].t_s - looks[0] < 1.5
    begun.played = True
    assert begun.rest(1 / FPS)[0][0].decoded


@cache
def grains() -> tuple[np.ndarray, ...]:
    """The noise of faint light in sixteen pictures (720, 1280, 3) float32."""
    rng = np.random.default_rng(12)
    return tuple(2.5 * rng.standard_normal((720, 1280, 3), np.float32) for _ in range(16))


def dim(image: np.ndarray, number: int) -> np.ndarray:
    """The picture of this number in faint light, with the noise of that."""
    return np.clip(image * np.float32(0.22) + grains()[number % 16], 0, 255).astype(np.uint8)


def test_a_card_that_comes_goes_or_is_turned_over_in_faint_light_is_looked_at_at_once() -> None:
    """A fifth of the light: the very picture that shows it is looked at as a whole."""
    with_all, without = table(), table(away=(33,))
    turned = table(away=(33,), over=(33,))
    for before, afters in (
        (with_all, (without, turned)),
        (without, (with_all,)),
        (turned, (with_all,)),
    ):
        watched = Watched()
        for k in range(round(12.0 * FPS)):
            resting = not watched.see(dim(before, k))[0].decoded
        assert resting or watched.eye.resting
        for after in afters:
            frame, _ = deepcopy(watched).see(dim(after, k + 1))
            assert frame.decoded


def test_a_card_like_the_table_is_looked_at_as_soon_as_ever() -> None:
    """A plain card three grey levels from the table, laid just after a look: too faint for the gate, and
    looked at after `IDLE_LOOK_EVERY_S` by the mean of the pictures; without it nothing is."""
    watched = rested()
    while not watched.rest(1 / FPS)[0][0].decoded:
        assert watched.number < 20.0 * FPS
    disc = cv2.circle(np.zeros((720, 1280), np.float32), (200, 600), 45, 3.0, -1)[..., None]

    def first_look_s(more: np.ndarray | float) -> float:
        after = deepcopy(watched)
        for k in range(round(UNCHANGED_LOOK_EVERY_S * FPS)):
            shot = np.clip(shots()[k % 4] + more, 0, 255).astype(np.uint8)
            if after.see(shot)[0].decoded:
                return (k + 1) / FPS
        return np.inf

    assert abs(first_look_s(disc) - IDLE_LOOK_EVERY_S) < 2 / FPS
    assert first_look_s(0.0) > UNCHANGED_LOOK_EVERY_S - 2 / FPS

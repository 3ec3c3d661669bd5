"""The aim: one plane object while nothing moves, a bump found in half a second, a moved token
learned. Rendered films."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.geometry.place import PiecePlace
from calibration.simulator.photograph import CameraModel, Studio
from calibration.tags.find import SeenTag, find_tags_quickly
from card_printables.token import TOKEN_NAMES
from companion.vision.frame import table_plane
from companion.vision.frame.table_plane import POOL_TAGS_S, SEARCH_TOKENS_EVERY_S, PlaneTracker
from tests.support.calibration_scene import Layout, between_tokens, framed, laid_by_eye, sheets_of

FPS = 10.0


class Film:
    """A table filmed at ten pictures a second, followed by an aim."""

    def __init__(self, seed: int) -> None:
        self.layout = laid_by_eye(np.random.default_rng(seed), tray=False)
        self.camera = framed(CameraModel(1280, 720, 940, tilt_deg=20, k1=-0.1), self.layout)
        self.studio, self.aim, self.number = Studio(self.camera, "wood", seed), PlaneTracker(), 0

    def run(self, frames: int, layout: Layout | None = None) -> list[float]:
        """Times at which something was stirring or told."""
        busy = []
        for _ in range(frames):
            t_s = self.number / FPS
            self.aim.track_plane(
                cv2.cvtColor(
                    self.studio.shoot(sheets_of(layout or self.layout)), cv2.COLOR_BGR2GRAY
                ),
                t_s,
            )
            if self.aim.stirring or self.aim.bumped_at_s == t_s:
                busy.append(t_s)
            self.number += 1
        return busy

    def settle(self) -> None:
        self.run(int(POOL_TAGS_S * FPS) + 2)

    def worst_mm(self) -> float:
        points, truth = between_tokens(self.layout)
        assert self.aim.plane is not None
        return float(
            np.linalg.norm(
                self.aim.plane.to_mm(self.studio.camera.to_px(points)) - truth, axis=1
            ).max()
        )


def test_a_still_camera_keeps_the_very_same_plane() -> None:
    """Pooled at first, then one object for as long as nothing moves; right to 2 mm."""
    film = Film(1)
    film.settle()
    plane = film.aim.plane
    assert film.run(12) == []
    assert film.aim.plane is plane
    assert film.worst_mm() < 2.0


def test_a_small_bump_is_mended_silently_within_half_a_second() -> None:
    """A tenth of a degree: nothing is decided meanwhile, nothing is said, and every place is right
    again."""
    film = Film(2)
    film.settle()
    film.studio.aim(replace(film.camera, roll_deg=film.camera.roll_deg + 0.1))
    busy = film.run(5)
    assert busy
    assert film.aim.bumped_at_s < 0
    assert not film.aim.stirring
    assert film.worst_mm() < 2.0


def test_a_large_bump_is_told_once() -> None:
    """Three centimetres: stirring at once, told within half a second, right again."""
    film = Film(3)
    film.settle()
    x, y = film.camera.aim_mm
    film.studio.aim(replace(film.camera, aim_mm=(x + 30, y - 10)))
    began = film.number / FPS
    film.run(8)
    assert 0 <= film.aim.bumped_at_s - began <= 0.5
    assert film.worst_mm() < 2.0


def test_a_pushed_token_is_no_bump() -> None:
    """The token's new place is learned; the table stays."""
    film = Film(4)
    film.settle()
    old = film.layout[TOKEN_NAMES[2]]
    assert film.aim.plane is not None
    before = film.aim.plane.tokens_mm[TOKEN_NAMES[2]]
    assert (
        film.run(
            16, film.layout | {TOKEN_NAMES[2]: PiecePlace(old.x_mm - 25, old.y_mm, old.turn_deg)}
        )
        == []
    )
    after = film.aim.plane.tokens_mm[TOKEN_NAMES[2]]
    assert 20 < np.hypot(after[0] - before[0], after[1] - before[1]) < 30
    assert film.worst_mm() < 2.0


def test_a_camera_of_another_size_is_looked_at_anew() -> None:
    """After a restart in another mode the old plane is forgotten."""
    film = Film(5)
    film.settle()
    small = cv2.resize(
        film.studio.shoot(sheets_of(film.layout)), (960, 540), interpolation=cv2.INTER_AREA
    )
    plane = film.aim.track_plane(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), film.number / FPS)
    assert plane is not None
    assert plane.size_px == (960, 540)


def searches_of(film: Film, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When the tokens are looked for in the picture turned over, from now on."""
    searched: list[float] = []

    def noted(grey: np.ndarray) -> list[SeenTag]:
        searched.append(film.number / FPS)
        return find_tags_quickly(grey)

    monkeypatch.setattr(table_plane, "find_tags_quickly", noted)
    return searched


def shown(film: Film, picture: np.ndarray, frames: int) -> list[bool]:
    """Whether these frames of one picture are said to be mirrored."""
    said = []
    for _ in range(frames):
        film.aim.track_plane(picture, film.number / FPS)
        said.append(film.aim.mirrored)
        film.number += 1
    return said


@pytest.mark.parametrize("settled", [True, False])
def test_a_mirrored_picture_is_told_from_one_without_tokens(
    settled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mirrored from the first frame on, or in mid-evening: it is noticed within half a second, and so
    is its end. The search for it costs nothing while a token is seen upright, and is no more often
    made than the one for tokens."""
    film = Film(6)
    searched = searches_of(film, monkeypatch)
    if settled:
        film.settle()
    upright = cv2.cvtColor(film.studio.shoot(sheets_of(film.layout)), cv2.COLOR_BGR2GRAY)
    bare = cv2.cvtColor(film.studio.shoot([]), cv2.COLOR_BGR2GRAY)
    assert searched == []
    assert not any(shown(film, bare, 10))
    assert all(shown(film, np.ascontiguousarray(upright[:, ::-1]), 15)[5:])
    gaps = np.diff(searched)
    assert len(gaps) > 3
    assert gaps.min() > SEARCH_TOKENS_EVERY_S - 0.5 / FPS
    assert not any(shown(film, upright, 15)[5:])
    before = len(searched)
    assert not any(shown(film, upright, 10))
    assert len(searched) == before


def test_one_token_seen_turned_over_makes_no_mirrored_picture() -> None:
    """A pattern of the cloth may look like one."""
    film = Film(7)
    film.settle()
    one = {TOKEN_NAMES[0]: film.layout[TOKEN_NAMES[0]]}
    grey = cv2.cvtColor(film.studio.shoot(sheets_of(one)), cv2.COLOR_BGR2GRAY)
    assert not any(shown(film, np.ascontiguousarray(grey[:, ::-1]), 10))

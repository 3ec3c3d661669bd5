"""Drift: bumps are found and mended, moved tokens named, hands are no alarm. Real rendered
pictures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry.fit import fit_plane
from calibration.geometry.place import PiecePlace
from calibration.simulator.photograph import CameraModel, Sheet, Studio
from calibration.tags.find import SeenTag, find_tags, sharpened_tags
from calibration.tracking.drift import DriftKind, DriftWatch
from card_printables.token import TOKEN_NAMES, TRAY
from tests.support.calibration_scene import Layout, between_tokens, framed, laid_by_eye, sheets_of

HAND = Sheet(
    np.full((40, 40, 4), (120, 150, 205, 255), np.uint8), 95.0, (0.0, 0.0), 20.0, 30.0, soft=True
)


class Table:
    """A watched table in a studio: shoot, change, shoot again."""

    def __init__(self, seed: int) -> None:
        self.layout = laid_by_eye(np.random.default_rng(seed), tray=True)
        self.camera = framed(CameraModel(1280, 720, 940, tilt_deg=22, k1=-0.1), self.layout)
        self.studio = Studio(self.camera, "wood", seed)
        image = self.studio.shoot(sheets_of(self.layout))
        self.watch = DriftWatch(fit_plane(find_tags(image), self.camera.size_px), image)

    def kinds(
        self, frames: int, layout: Layout | None = None, more: tuple[Sheet, ...] = ()
    ) -> list[DriftKind]:
        sheets = [*sheets_of(layout or self.layout), *more]
        return [self.watch.check(self.studio.shoot(sheets)).kind for _ in range(frames)]

    def worst_mm(self) -> float:
        points, truth = between_tokens(self.layout)
        return float(
            np.linalg.norm(
                self.watch.plane.to_mm(self.studio.camera.to_px(points)) - truth, axis=1
            ).max()
        )


def test_nothing_moves_and_nothing_is_said() -> None:
    """A still camera's noise is no movement."""
    assert set(Table(1).kinds(12)) == {DriftKind.STILL}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_where_no_piece_was_laid_elsewhere_no_corner_is_sharpened(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Corners as the detector gives them are near enough to tell that, in every look of three seconds;
    a token pushed by 4 mm is sharpened, and found."""
    table, sharpened = Table(seed), []

    def noted(grey: np.ndarray, tags: list[SeenTag]) -> list[SeenTag]:
        sharpened.append(len(tags))
        return sharpened_tags(grey, tags)

    monkeypatch.setattr("calibration.tracking.drift.sharpened_tags", noted)
    assert set(table.kinds(30)) == {DriftKind.STILL}
    assert not sharpened
    place = table.layout["token-top-left"]
    pushed = {**table.layout, "token-top-left": replace(place, x_mm=place.x_mm + 4.0)}
    assert DriftKind.PIECE_MOVED in table.kinds(25, pushed)
    assert sharpened


@pytest.mark.parametrize(
    "change",
    [
        {"roll_deg": 0.1},
        {"aim_mm": (1.0, 0.0)},
        {"aim_mm": (0.0, -1.5)},
        {"aim_mm": (18.0, 9.0), "roll_deg": 2.0},
    ],
)
def test_a_bump_is_found_within_five_frames_and_mended(change: dict) -> None:
    """0.1 degree or 1 mm and more: said to be a bump in under half a second, and every place is
    right again to 2 mm."""
    table = Table(2)
    moved = {
        k: (table.camera.aim_mm[0] + v[0], table.camera.aim_mm[1] + v[1])
        if k == "aim_mm"
        else table.camera.roll_deg + v
        for k, v in change.items()
    }
    table.studio.aim(replace(table.camera, **moved))
    kinds = table.kinds(5)
    assert DriftKind.BUMPED in kinds
    assert kinds[-1] is DriftKind.STILL
    assert table.worst_mm() < 2.0


def test_a_large_bump_is_worth_a_word_a_small_one_is_not() -> None:
    """Above 2 mm people are told."""
    for push_mm, told in ((1.2, False), (25.0, True)):
        table = Table(3)
        table.studio.aim(
            replace(table.camera, aim_mm=(table.camera.aim_mm[0] + push_mm, table.camera.aim_mm[1]))
        )
        sheets = sheets_of(table.layout)
        drifts = [table.watch.check(table.studio.shoot(sheets)) for _ in range(6)]
        assert [d.worth_a_word for d in drifts if d.kind is DriftKind.BUMPED] == [told]


def test_hands_over_tokens_are_no_alarm() -> None:
    """One, two or three tokens covered: still. All four covered: unsure, and still again
    afterwards."""
    table = Table(4)
    places = [(table.layout[name].x_mm, table.layout[name].y_mm) for name in TOKEN_NAMES]
    for count in (1, 2, 3):
        hands = tuple(replace(HAND, centre_mm=(x + 8.0 * count, y)) for x, y in places[:count])
        assert set(table.kinds(3, more=hands)) == {DriftKind.STILL}
    hands = tuple(replace(HAND, centre_mm=place) for place in places)
    assert set(table.kinds(4, more=hands)) == {DriftKind.UNSURE}
    assert set(table.kinds(3)) == {DriftKind.STILL}


@pytest.mark.parametrize("push_mm", [3.0, 30.0])
def test_one_token_pushed_is_a_moved_token_not_a_bump(push_mm: float) -> None:
    """The token's new place is learned, the table stays where it was."""
    table = Table(5)
    name = TOKEN_NAMES[2]
    old = table.layout[name]
    pushed = table.layout | {name: PiecePlace(old.x_mm + push_mm, old.y_mm, old.turn_deg)}
    before = table.watch.plane.tokens_mm[name]
    kinds = table.kinds(24, pushed)
    assert DriftKind.PIECE_MOVED in kinds
    assert DriftKind.BUMPED not in kinds
    after = table.watch.plane.tokens_mm[name]
    assert np.hypot(after[0] - before[0], after[1] - before[1]) == pytest.approx(push_mm, abs=1.0)
    assert table.worst_mm() < 2.0


def test_a_pushed_tray_is_followed() -> None:
    """The tray may be pushed during play; its new place is known within two slow looks."""
    table = Table(6)
    old = table.layout[TRAY.name]
    pushed = table.layout | {TRAY.name: PiecePlace(old.x_mm + 50, old.y_mm - 20, old.turn_deg + 10)}
    before = np.mean(table.watch.plane.tray_mm, axis=0)
    kinds = table.kinds(22, pushed)
    assert kinds.count(DriftKind.PIECE_MOVED) == 1
    after = np.mean(table.watch.plane.tray_mm, axis=0)
    assert np.hypot(*(after - before)) == pytest.approx(np.hypot(50, 20), abs=1.5)


@pytest.mark.parametrize(("token", "side_deg"), [(0, 150), (1, 0), (2, 300), (3, 180), (3, 270)])
def test_a_finger_that_rests_on_a_tokens_side_moves_no_token(token: int, side_deg: float) -> None:
    """However far it lies over the black square: the token was not pushed, and the plane stays the
    very same."""
    table = Table(7)
    place, plane = table.layout[TOKEN_NAMES[token]], table.watch.plane
    way = np.array([np.cos(np.radians(side_deg)), np.sin(np.radians(side_deg))])
    for over_mm in np.arange(66.0, 86.0, 3.0):
        x, y = np.array([place.x_mm, place.y_mm]) + over_mm * way
        hand = replace(HAND, centre_mm=(float(x), float(y)), turn_deg=side_deg + 20.0)
        assert DriftKind.PIECE_MOVED not in table.kinds(4, more=(hand,)), over_mm
    assert table.watch.plane is plane

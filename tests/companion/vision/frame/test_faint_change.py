"""A change too faint for one picture shows in the mean of a few; noise, lamps and flicker do not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.frame.faint_change import LEAST_FAINT_GREY, MEAN_OF, FaintChange
from companion.vision.frame.motion_gate import LEAST_CHANGE_GREY, MotionGate, shrink


def table(disc_grey: float = 0.0, at: tuple[int, int] = (300, 180)) -> np.ndarray:
    """A dim table of 640 by 360 px with a thing on it, and a disc of 40 px so much brighter than it;
    float32."""
    image = np.full((360, 640, 3), (40, 46, 52), np.float32)
    cv2.rectangle(image, (60, 60), (160, 140), (150, 140, 130), -1)
    disc = np.zeros((360, 640), np.float32)
    cv2.circle(disc, at, 20, 1.0, -1)
    return image + disc_grey * disc[..., None]


class Watched:
    """A camera of so much noise whose table was still, and was looked at as a whole."""

    def __init__(self, noise_grey: float, seed: int = 1) -> None:
        self._rng = np.random.default_rng(seed)
        self._noise_grey = noise_grey
        self.gate = MotionGate()
        self.faint = FaintChange()
        self.stills: list[bool] = []
        self.see(*[table()] * MEAN_OF)
        self.faint.note_look()

    def see(self, *pictures: np.ndarray) -> bool:
        """Whether anything changed faintly, after these pictures."""
        for picture in pictures:
            grain = self._rng.normal(0, self._noise_grey, picture.shape)
            shot = np.clip(picture + grain, 0, 255).astype(np.uint8)
            coded = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
            small = shrink(np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR)))
            self.stills.append(self.gate.detect_motion_in_small(small, shot.shape).still)
            self.faint.add_picture(small)
        return self.faint.changed


@pytest.mark.parametrize("noise_grey", [0.0, 2.0, 4.0, 10.0])
def test_fresh_noise_is_no_change(noise_grey: float) -> None:
    """Forty pictures of a still table, and at none of them anything changed."""
    watched = Watched(noise_grey)
    assert not any(watched.see(table()) for _ in range(40))


@pytest.mark.parametrize("noise_grey", [2.0, 4.0])
def test_a_disc_too_faint_for_the_gate_is_a_change(noise_grey: float) -> None:
    """A disc of half a card's size that is three grey levels brighter than a dim table: the gate stays
    still, and a second later it is told."""
    watched = Watched(noise_grey)
    assert LEAST_FAINT_GREY < 3.0 < LEAST_CHANGE_GREY
    assert watched.see(*[table(3.0)] * MEAN_OF)
    assert all(watched.stills[1:])


def test_a_disc_that_moves_by_a_few_millimetres_in_faint_light_is_a_change() -> None:
    """Eight levels from the table, moved by an eighth of its width."""
    watched = Watched(2.0)
    watched.see(*[table(8.0)] * MEAN_OF)
    watched.faint.note_look()
    assert not watched.see(*[table(8.0)] * MEAN_OF)
    assert watched.see(*[table(8.0, (305, 180))] * MEAN_OF)


def test_what_changed_is_told_until_it_was_looked_at() -> None:
    """A new look is what everything after is compared with: a changed table does not ask for ever."""
    watched = Watched(2.0)
    assert watched.see(*[table(4.0)] * (3 * MEAN_OF))
    watched.faint.note_look()
    assert not watched.see(*[table(4.0)] * MEAN_OF)


def test_a_dusk_hides_nothing_and_asks_only_where_it_is_uneven() -> None:
    """The whole picture a twentieth darker is no change; a disc that comes meanwhile is one; and so is
    light that leaves one side alone, unless it fades as slowly as daylight."""
    watched = Watched(2.0)
    assert not watched.see(*[0.95 * table()] * MEAN_OF)
    assert watched.see(*[0.95 * table(4.0)] * MEAN_OF)
    watched = Watched(2.0)
    slope = np.linspace(1.0, 0.85, 640, dtype=np.float32)[None, :, None]
    assert watched.see(*[slope * table()] * MEAN_OF)
    watched = Watched(2.0)
    assert not watched.see(*[(0.02 * slope + 0.98) * table()] * (5 * MEAN_OF))


def test_flicker_bands_are_no_change() -> None:
    """Rows that beat with the mains, each picture elsewhere."""
    watched = Watched(2.0)
    rows = np.arange(360)
    bands = [(3 * np.sin(rows / 20 + k))[:, None, None] for k in range(8)]
    assert not any(watched.see(table() + band) for band in bands)


def test_too_few_pictures_and_another_size_tell_nothing_and_count_as_change() -> None:
    """Nothing stands on what was not seen."""
    faint = FaintChange()
    small = shrink(table().astype(np.uint8))
    assert faint.changed
    faint.add_picture(small)
    faint.note_look()
    for _ in range(MEAN_OF):
        faint.add_picture(small)
    assert faint.changed
    faint.note_look()
    assert not faint.changed
    faint.add_picture(small[:20])
    assert faint.changed

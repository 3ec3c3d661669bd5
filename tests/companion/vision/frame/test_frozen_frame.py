"""Pictures that a hanging camera repeats: told from a still table, and nothing is seen in them."""

from __future__ import annotations

import numpy as np

from calibration.cameras.port import Frame
from companion.vision.eye import Eye
from companion.vision.frame.frozen_frame import FrozenFrameCheck

RNG = np.random.default_rng(7)


def grainy(level: int = 120) -> np.ndarray:
    return np.clip(RNG.normal(level, 2.0, (120, 160, 3)), 0, 255).astype(np.uint8)


def test_a_living_camera_that_repeats_itself_hangs() -> None:
    """After pictures with grain the first repetition is stale, is told after a while, and the next
    new one is believed."""
    watch = FrozenFrameCheck()
    for i in range(8):
        watch.observe_picture(grainy(), 0.1 * i)
    last = grainy()
    said = [watch.observe_picture(last, 0.8 + 0.1 * i) for i in range(12)]
    assert said[0] == said[5] == ""
    assert said[-1] == "frozen"
    assert watch.frozen
    assert watch.observe_picture(grainy(), 2.1) == ""
    assert not watch.frozen


def test_a_long_hang_does_not_make_the_next_one_credible() -> None:
    """The repetitions of one hang are no proof that this camera always repeats itself."""
    watch, last = FrozenFrameCheck(), grainy()
    for i in range(10):
        watch.observe_picture(grainy(), 0.1 * i)
    for i in range(60):
        watch.observe_picture(last, 1.0 + 0.1 * i)
    for i in range(4):
        watch.observe_picture(grainy(), 7.0 + 0.1 * i)
    again = grainy()
    watch.observe_picture(again, 7.5)
    watch.observe_picture(again, 7.6)
    assert watch.frozen


def test_a_film_without_grain_is_believed() -> None:
    """Where a still table always gives the same picture to the bit, repetition says nothing."""
    watch, scenes = FrozenFrameCheck(), [grainy() for _ in range(30)]
    for i in range(300):
        watch.observe_picture(scenes[i // 10], 0.1 * i)
        assert not watch.frozen


def test_a_buffer_used_again_is_no_repetition() -> None:
    """A camera that writes each picture into the same memory is not taken for a frozen one."""
    watch, buffer = FrozenFrameCheck(), grainy()
    for i in range(20):
        buffer[:] = grainy()
        watch.observe_picture(buffer, 0.1 * i)
        assert not watch.frozen


def test_nothing_is_seen_in_a_stale_picture() -> None:
    """The eye's glimpse of a repeated picture cannot be used, and says why once it lasts."""
    eye = Eye()
    for i in range(8):
        assert eye.read_frame(Frame(grainy(), 0.1 * i, i)).glimpse.usable
    last = grainy()
    glimpses = [eye.read_frame(Frame(last, 0.8 + 0.1 * i, 8 + i)).glimpse for i in range(12)]
    assert glimpses[0].usable
    assert not any(g.usable for g in glimpses[1:])
    assert glimpses[-1].notices == ("frozen",)
    assert not glimpses[-1].sightings


def test_pictures_may_come_coded_and_decoded_in_turn() -> None:
    """A camera whose pictures change their size is handed on both ways: nothing is compared across,
    and a coded one that is repeated is still found."""
    watch = FrozenFrameCheck()
    for i in range(8):
        watch.observe_picture(grainy(), 0.2 * i)
        assert watch.observe_jpeg(bytes([i]) * 20, 0.2 * i + 0.1) == ""
        assert not watch.frozen
    for i in range(8):
        watch.observe_jpeg(bytes([i]) * 30, 2.0 + 0.1 * i)
    watch.observe_jpeg(bytes([7]) * 30, 3.0)
    assert watch.frozen

"""Pictures put together from parts: to the bit those of a camera that develops the whole of each."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from calibration.simulator.camera_model import CameraModel
from calibration.simulator.develop import Developer
from calibration.simulator.takes import TAKES, WEARS, Takes


def _levels(rng: np.random.Generator) -> np.ndarray:
    return np.kron(rng.integers(0, 255, (27, 48, 3)), np.ones((20, 20, 1))).astype(np.uint8)


@pytest.mark.parametrize("halved", [True, False])
def test_a_picture_of_changed_parts_is_to_the_bit_the_picture_developed_whole(halved: bool) -> None:
    """After many small changes each picture equals its light developed as a whole with the same
    grain, JPEG and all."""
    rng = np.random.default_rng(3)
    developer = Developer(
        CameraModel(960, 540, noise=3.0, jpeg_quality=80, chroma_halved=halved), 1
    )
    levels, fresh = _levels(rng), _levels(rng)
    takes = Takes(developer, levels.shape)
    for _ in range(3 * TAKES):
        x, y = (int(v) for v in rng.integers(0, (880, 480)))
        levels[y : y + 57, x : x + 71] = fresh[y : y + 57, x : x + 71]
        takes.changed((x, y, x + 71, y + 57))
        assert np.array_equal(takes.picture(levels), developer.part(levels, takes.grain, (0, 0)))


def test_no_two_pictures_in_a_row_share_their_grain_and_none_lasts() -> None:
    """A still table's pictures differ from one to the next, and over a long time there are many
    more than are kept."""
    developer = Developer(CameraModel(320, 180, noise=3.0), 1)
    takes, levels = Takes(developer, (180, 320, 3)), np.full((180, 320, 3), 120, np.uint8)
    pictures = [takes.picture(levels) for _ in range(3 * TAKES * WEARS)]
    assert all(not np.array_equal(a, b) for a, b in pairwise(pictures))
    assert len({picture.tobytes() for picture in pictures}) > 2 * TAKES

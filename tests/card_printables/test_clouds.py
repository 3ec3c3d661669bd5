"""The clouds: painted files that are there, and a painter that keeps off the rim, the marker and
its own other work."""

from __future__ import annotations

from importlib.resources import files

import cv2
import numpy as np
import pytest

from card_printables.artwork import clouds
from card_printables.deck import LARGEST, PUBLISHED_SIZE
from card_printables.marker import ART_BLEED_MM, DISC_MM, MarkerPlace
from card_printables.workshop.painting import likeness, painting, place

WORST_LIKENESS = 0.75
"""Above every pair of the published deck; `python -m card_printables.workshop.paint_clouds
--likeness` prints the worst."""


def _mm(side: int) -> tuple[np.ndarray, np.ndarray]:
    """Where each pixel of a picture of that side lies on the card, x and y in mm from the disc's
    centre."""
    span = DISC_MM / 2 + ART_BLEED_MM
    y, x = ((np.mgrid[0:side, 0:side] + 0.5) / side * 2 - 1) * span
    return x, y


@pytest.mark.parametrize("card", [1, 40, LARGEST])
def test_a_picture_has_the_size_asked_for_and_the_same_bytes_twice(card: int) -> None:
    """The file of a card is read at any size, each caller gets a copy of their own, and nothing is
    random about it."""
    first = clouds.picture(card, 200)
    first_bytes = first.tobytes()
    first[:] = 0
    assert first.shape == (200, 200, 3)
    assert first.dtype == np.uint8
    assert clouds.picture(card, 200).tobytes() == first_bytes


def test_every_card_has_a_sharp_picture_of_its_own_and_the_deck_stays_light() -> None:
    """99 different files of 300 dots an inch over disc and bleed, together under 6 MB."""
    pictures = sorted((files("card_printables.artwork") / "art").iterdir(), key=lambda f: f.name)
    data = [f.read_bytes() for f in pictures]
    assert [f.name for f in pictures] == [f"card-{card:02d}.webp" for card in range(1, LARGEST + 1)]
    assert len(set(data)) == LARGEST
    assert sum(map(len, data)) < 6_000_000
    assert clouds._original(1).shape[0] >= round((DISC_MM + 2 * ART_BLEED_MM) / 25.4 * 300)


def test_a_number_without_a_picture_is_named() -> None:
    """Asking for card 100 says which cards there are."""
    with pytest.raises(ValueError, match="card 100: cards are 1 to 99"):
        clouds.picture(100, 64)


def test_a_card_painted_twice_is_the_same_picture_and_looks_like_the_shipped_one() -> None:
    """The painter has no dice of its own: the same number paints the same bytes, and what it paints
    is what is shipped."""
    small = painting.paint(7, fine=1).image
    assert small.tobytes() == painting.paint(7, fine=1).image.tobytes()
    shipped = clouds.picture(7, len(small))
    blurred = [cv2.GaussianBlur(image.astype(np.float32), (0, 0), 4) for image in (small, shipped)]
    assert np.abs(blurred[0] - blurred[1]).mean() < 4


@pytest.mark.parametrize("card", [3, 17, 30, 44, 58, 71])
def test_no_body_touches_the_rim_or_the_plate(card: int) -> None:
    """With its billows and mist a body leaves 3 mm of sky inside the rim and 1 mm round the
    marker's white plate."""
    cover = painting.paint(card, fine=1).cover
    x, y = _mm(len(cover))
    plate = MarkerPlace()
    centre_x, centre_y = plate.centre_mm
    half = plate.plate_mm / 2 + 1.0
    near_plate = (np.abs(x - centre_x) < half) & (np.abs(y - centre_y) < half)
    near_rim = np.hypot(x, y) > DISC_MM / 2 - 3.0
    assert cover[near_plate | near_rim].max() < 0.06
    assert cover.max() > 0.99


def test_all_outlines_keep_their_room_and_fill_it() -> None:
    """Every body stays inside the room above the plate and covers between a tenth and half of the
    disc."""
    for card in range(1, LARGEST + 1, 2):
        block = painting.body(card, grid=90)
        shape = block.depth.max(axis=0) > 0
        row, column = np.nonzero(shape)
        x = (column + block.corner[0] + 0.5 - 90 / 2) * block.cell
        y = (row + block.corner[1] + 0.5 - 90 / 2) * block.cell
        assert place.room(x, y).min() > 0, f"card {card} leaves its room"
        share = shape.sum() * block.cell**2 / np.pi
        assert 0.1 < share < 0.5, f"card {card} covers {share:.2f} of the disc"


def test_no_two_outlines_of_the_published_deck_are_alike() -> None:
    """Over all 3160 pairs, any turn and mirrored, the shared area stays under the stated share of
    the joined area."""
    value, card, other = likeness.worst_pairs(list(range(1, PUBLISHED_SIZE + 1)))[0]
    assert value < WORST_LIKENESS, f"cards {card} and {other}"


def test_the_measure_knows_a_turned_mirror_image_again() -> None:
    """A body mirrored and turned by a quarter is, for the measure, the same body; a bar is not."""
    shape = np.pad(likeness.outline(3), 30)
    mirrored = np.rot90(shape[:, ::-1])
    bar = np.zeros((90, 90), np.uint8)
    bar[40:50, 5:85] = 255
    assert (
        likeness.likenesses(
            likeness.poses(shape), likeness.poses(np.ascontiguousarray(mirrored))[:1]
        )[0]
        > 0.93
    )
    assert likeness.likenesses(likeness.poses(shape), likeness.poses(bar)[:1])[0] < 0.6

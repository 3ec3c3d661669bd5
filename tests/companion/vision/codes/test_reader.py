"""The reader on pictures of cards: who is read, where, and who is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from card_printables.deck import word_for
from card_printables.marker import modules
from companion.vision.codes.detection import Expected
from companion.vision.codes.reader import Reader
from companion.vision.codes.zxing_reader import zxing_claims
from companion.vision.frame.image_pyramid import ImagePyramid
from companion.vision.second_reader.zxing import RawCode
from tests.support.reader_pictures import HEIGHT, WIDTH, Disc, back, card, corners, photograph, view

THREE = [card(7, -120, -20, 10), card(33, 0, 30, 133), card(80, 120, -10, 261)]


def expected(number: int, place: np.ndarray) -> Expected:
    a, b, c, d = ((float(x), float(y)) for x, y in place)
    return Expected(number, (a, b, c, d))


@pytest.mark.parametrize("px_per_module", [1.1, 1.6, 3.0])
def test_cards_are_read_from_one_pixel_a_module_up(px_per_module: float) -> None:
    """Three cards at any turn are named, at sizes no ordinary reader reads and at sizes every
    reader reads."""
    seen = view(px_per_module)
    discs = THREE if px_per_module < 2 else [card(7, -60, 0, 10), card(33, 60, 10, 133)]
    reading = Reader().read_codes(photograph(seen, discs, "typical"), seen)
    assert set(reading.cards) == ({7, 33, 80} if px_per_module < 2 else {7, 33})
    assert (reading.conflicts, reading.foreign, reading.mirrored) == ((), (), ())


def test_corners_are_the_codes_own_in_the_printed_order() -> None:
    """Corners lie within 0.6 px of the truth, top-left first, and the middle within 0.3 mm."""
    seen = view(1.6)
    reading = Reader().read_codes(photograph(seen, THREE), seen)
    for disc, number in zip(THREE, (7, 33, 80), strict=True):
        found, true = np.array(reading.cards[number].corners_px), corners(seen, disc)
        assert np.abs(found - true).max() < 0.6
        assert np.linalg.norm(seen.to_mm(found).mean(0) - seen.to_mm(true).mean(0)) < 0.3


@pytest.mark.parametrize("turn", range(0, 360, 45))
def test_every_turn_is_read_as_it_lies(turn: int) -> None:
    """The first corner is the printed top-left at every turn of the card."""
    seen = view(1.5, tilt_deg=35)
    disc = card(12, 10, 0, turn)
    reading = Reader().read_codes(photograph(seen, [disc], seed=turn), seen)
    assert np.linalg.norm(np.array(reading.cards[12].corners_px[0]) - corners(seen, disc)[0]) < 1.0


def test_a_known_place_is_confirmed_without_a_search() -> None:
    """With no region to search, exactly the cards whose places are handed in are reported, as
    tracked."""
    seen = view(1.1)
    picture = photograph(seen, THREE, "typical")
    places = [expected(n, corners(seen, d) + 2.5) for n, d in zip((7, 33), THREE, strict=False)]
    reading = Reader().read_codes(picture, seen, places, ())
    assert set(reading.cards) == {7, 33}
    assert {d.reader for d in reading.detections} == {"tracked"}


def test_a_known_place_that_shows_another_card_or_none_is_not_confirmed() -> None:
    """Expecting a card does not make it so: another card there, or bare table, confirms nothing."""
    seen = view(1.3)
    picture = photograph(seen, THREE, "typical")
    elsewhere = corners(seen, card(50, 60, -60))
    places = [expected(8, corners(seen, THREE[0])), expected(50, elsewhere)]
    assert Reader().read_codes(picture, seen, places, ()).detections == ()


def test_only_the_region_is_searched() -> None:
    """A box round one card finds that card alone."""
    seen = view(1.3)
    at = corners(seen, THREE[1])
    box = (*(at.min(0) - 10), *(at.max(0) + 10))
    found = Reader().read_codes(photograph(seen, THREE), seen, (), [box])
    assert set(found.cards) == {33}


def test_the_same_card_twice_is_a_conflict_and_counts_for_nothing() -> None:
    """Two cards of one number are both dropped and reported; the others stay."""
    seen = view(1.5)
    reading = Reader().read_codes(
        photograph(seen, [card(7, -100, 0, 10), card(7, 100, 0, 200), card(9, 0, 20, 60)]), seen
    )
    assert set(reading.cards) == {9}
    assert [(c.why, c.cards) for c in reading.conflicts] == [("twice", (7,))]


def test_other_decks_and_other_numbers_are_foreign() -> None:
    """A second box's card and a number that is not of this evening are named as foreign, never as
    cards."""
    seen = view(1.5)
    picture = photograph(
        seen, [card(7, -100, 0, 10, "CM2"), card(90, 100, 0, 200), card(9, 0, 20, 60)]
    )
    reading = Reader().read_codes(picture, seen)
    assert set(reading.cards) == {9}
    assert sorted(f.payload[:6] for f in reading.foreign) == [b"CM1-90", b"CM2-07"]


@pytest.mark.parametrize("former", [False, True], ids=["as printed now", "as printed before"])
def test_a_back_is_a_back_and_no_card(former: bool) -> None:
    """The back's mark is found, as large as the faces' or, on decks printed before, larger, and has
    no number."""
    seen = view(1.4)
    discs = [back(-60, 0, 77, former), card(9, 60, 0, 60)]
    reading = Reader().read_codes(photograph(seen, discs), seen)
    assert set(reading.cards) == {9}
    assert [b.card for b in reading.backs] == [None]


def test_a_mirrored_picture_is_said_to_be_mirrored() -> None:
    """A camera that mirrors its picture yields no sightings, but says what it saw."""
    seen = view(3.2, tilt_deg=10)
    picture = photograph(seen, [card(7, -60, 0, 10), card(33, 60, 10, 133)])
    reading = Reader().read_codes(np.ascontiguousarray(picture[:, ::-1]))
    assert reading.detections == ()
    assert {d.card for d in reading.mirrored} == {7, 33}


def test_small_mirrored_codes_are_seen_as_mirrored_too() -> None:
    """The known-deck decoder knows mirrored codes where other readers read nothing."""
    seen = view(1.4, tilt_deg=0)
    upright = photograph(seen, [Disc(THREE[0].ink.T, (-60, 0), 10)])
    reading = Reader().read_codes(upright, seen)
    assert reading.detections == ()
    assert [d.card for d in reading.mirrored] == [7]


def test_without_a_plane_patience_reads_small_codes() -> None:
    """Nothing is known of the table; a patient search over sizes and slants still names the cards,
    and no other."""
    seen = view(1.5, tilt_deg=20)
    reading = Reader().read_codes(photograph(seen, THREE), None, patient=True)
    assert {7, 33} <= set(reading.cards) <= {7, 33, 80}


def test_without_a_plane_a_camera_low_over_the_table_is_read_too() -> None:
    """Seen 62 degrees off the upright, where codes are half as high as wide, patience still names
    the cards."""
    seen = view(2.0, tilt_deg=62)
    near = [card(7, -60, 0, 10), card(33, 60, 10, 133)]
    reading = Reader().read_codes(photograph(seen, near), None, patient=True)
    assert set(reading.cards) == {7, 33}


def test_while_nothing_is_known_the_second_reader_sees_the_picture_halved_too() -> None:
    """A large, noisy code is only read halved; its corners come in the whole picture's pixels."""
    halved = np.zeros((100, 200), np.uint8)

    def reads_halved_only(picture: memoryview | np.ndarray) -> list[RawCode]:
        small = np.asarray(picture).shape == halved.shape
        return [RawCode(b"?", ((10, 20), (60, 20), (60, 70), (10, 70)), None)] if small else []

    whole = np.kron(halved, np.ones((2, 2), np.uint8))
    (claim,) = zxing_claims(ImagePyramid(whole), [], None, None, reads_halved_only)
    assert claim.corners_px[0] == (19.5, 39.5)
    assert claim.corners_px[2] == (119.5, 139.5)


def under_a_lamp(picture: np.ndarray, place: np.ndarray, strength: float) -> np.ndarray:
    """The picture with a lamp's reflection that burns out one corner of the code at `place` (4, 2)
    px."""
    side = float(np.linalg.norm(place[0] - place[1]))
    y, x = np.indices(picture.shape)
    lamp = strength * np.exp(
        -0.5 * (((x - place[1, 0]) / side) ** 2 + ((y - place[1, 1]) / side) ** 2)
    )
    return (np.clip((picture / 255) ** 2.2 + lamp, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)


def test_a_card_partly_burnt_out_by_a_lamp_is_found_and_confirmed() -> None:
    """What the reflection leaves of a code's contrast is enough, for the search and for a place
    known already."""
    seen = view(1.5, tilt_deg=20)
    place = corners(seen, THREE[1])
    picture = under_a_lamp(photograph(seen, THREE, "typical"), place, 0.8)
    code = picture[
        round(place[:, 1].min()) : round(place[:, 1].max()),
        round(place[:, 0].min()) : round(place[:, 0].max()),
    ]
    assert (code >= 250).mean() > 0.2
    assert set(Reader().read_codes(picture, seen).cards) == {7, 33, 80}
    assert set(Reader().read_codes(picture, seen, [expected(33, place + 1.5)], ()).cards) == {33}


def test_clouds_and_an_empty_table_name_nobody() -> None:
    """Discs without codes give no card, no back, no mirrored card."""
    seen = view(1.2)
    reading = Reader().read_codes(
        photograph(seen, [Disc(None, (x, y)) for x in (-90, 0, 90) for y in (-45, 45)], "hard"),
        seen,
    )
    assert (reading.detections, reading.mirrored, reading.foreign) == ((), (), ())


@pytest.mark.parametrize("period_mm", [1.8, 2.6, 4.0])
def test_a_striped_cloth_hides_no_card(period_mm: float) -> None:
    """Fine stripes all over the table have as much fine detail as a code; the cards are found
    beside them."""
    seen = view(1.4)
    v, u = np.mgrid[:HEIGHT, :WIDTH]
    mm = seen.to_mm(np.stack([u.ravel(), v.ravel()], 1)).reshape(HEIGHT, WIDTH, 2)
    stripes = np.sin((mm[:, :, 0] + 0.6 * mm[:, :, 1]) * 2 * np.pi / period_mm) > 0
    cloth = np.where(stripes[:, :, None], (0.5, 0.52, 0.55), (0.05, 0.06, 0.1)).astype(np.float32)
    cards = {7: (-150, -60), 12: (-60, 50), 33: (60, -50), 48: (150, 40)}
    picture = photograph(
        seen, [card(n, x, y, 40.0 * n) for n, (x, y) in cards.items()], cloth=cloth
    )
    assert set(Reader().read_codes(picture, seen).cards) == set(cards)


class Curled:
    """A plane on which square codes are seen too long or too short, as codes on curled paper are."""

    def __init__(self, px_per_module: float, x: float, y: float) -> None:
        self.seen, self.by = view(px_per_module), (x, y)

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        return self.seen.to_px(points_mm * self.by)

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        return self.seen.to_mm(points_px) / self.by


def test_curled_cards_are_read() -> None:
    """A code that is named beyond doubt need not be a flat square on the table."""
    plane = Curled(1.6, 1.0, 0.88)
    picture = photograph(plane.seen, [card(7, -60, 0, 10), card(33, 60, 10, 133)])
    assert set(Reader().read_codes(picture, plane).cards) == {7, 33}


def bled(number: int) -> np.ndarray:
    """A card's modules, six to the module's side, after the ink ran a third of a module to every
    side."""
    fine = np.kron(np.pad(modules(word_for(number)), 1), np.ones((6, 6), np.uint8)).astype(np.uint8)
    return cv2.dilate(fine, np.ones((5, 5), np.uint8))[6:-6, 6:-6] > 0


def test_bled_ink_on_curled_paper_is_read() -> None:
    """Of eighteen cards whose dark modules have grown, on paper that is not flat, at most one is
    missed in a single picture."""
    plane = Curled(1.2, 0.94, 1.06)
    places = [(-150, -60), (-60, 50), (60, -50), (150, 40), (-10, -20), (-170, 60)]
    found = 0
    for seed in range(3):
        numbers = [int(n) for n in np.random.default_rng(seed).permutation(80)[:6] + 1]
        discs = [Disc(bled(n), at, 37.0 * n) for n, at in zip(numbers, places, strict=True)]
        read = set(Reader().read_codes(photograph(plane.seen, discs, "typical", seed), plane).cards)
        assert read <= set(numbers)
        found += len(read)
    assert found >= 17

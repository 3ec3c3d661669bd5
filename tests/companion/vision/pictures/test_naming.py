"""Cards told by their pictures: what shows of them names them, and nothing else is named."""

from __future__ import annotations

import cv2
import numpy as np

from card_printables.marker import DISC_MM, MarkerPlace
from card_printables.output.piece_pictures import back_rgba, face_rgba
from companion.table.sighting import (
    Hand,
    PictureReport,
    PictureSays,
    PlaceState,
    Point,
    Sighting,
    TrayReport,
)
from companion.vision.pictures.field_stretch import StretchSampler, shrunk_stretch
from companion.vision.pictures.look import Look, look_at
from companion.vision.pictures.naming import Named, name_discs
from companion.vision.pictures.picture_watch import PictureWatch
from companion.vision.pictures.search import DiscPose

PX_PER_MM = 1.5
WIDTH, HEIGHT = 960, 540
PLACE = MarkerPlace()
TRAY = ((330.0, 90.0), (592.0, 90.0), (592.0, 270.0), (330.0, 270.0))
BOUNDS = (290.0, 50.0, 635.0, 310.0)

Disc = tuple[int, Point, float]
"""A card (0: a card's back), where it lies, and how turned."""

ROUND: tuple[Disc, ...] = (
    (12, (60.0, 70.0), 20.0),
    (34, (160.0, 70.0), 130.0),
    (56, (60.0, 180.0), 250.0),
    (7, (160.0, 180.0), 310.0),
    (41, (60.0, 290.0), 80.0),
)


class FlatPlane:
    """A camera straight above."""

    width_px, height_px, tray_mm = WIDTH, HEIGHT, TRAY

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        return np.asarray(points_mm, float) * PX_PER_MM

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        return np.asarray(points_px, float) / PX_PER_MM


def picture(*discs: Disc, gain: float = 1.0, finger_mm: Point | None = None) -> np.ndarray:
    """A wooden table with these discs, the first lowest, in a light that falls off to one side."""
    rng = np.random.default_rng(5)
    image = np.full((HEIGHT, WIDTH, 3), (70, 100, 140), np.float32)
    for card, centre_mm, turn_deg in discs:
        dpi = PX_PER_MM * 25.4
        painted = (face_rgba(card, dpi=dpi) if card else back_rgba(dpi=dpi)).astype(np.float32)
        to = cv2.getRotationMatrix2D(((len(painted) - 1) / 2,) * 2, -turn_deg, 1.0)
        to[:, 2] += np.array(centre_mm) * PX_PER_MM - (len(painted) - 1) / 2
        laid = cv2.warpAffine(painted, to, (WIDTH, HEIGHT))
        cover = laid[..., 3:] / 255
        image = image * (1 - cover) + laid[..., :3] * cover
    if finger_mm is not None:
        x, y = (round(v * PX_PER_MM) for v in finger_mm)
        cv2.line(image, (x, y), (x + 200, y + 260), (110, 140, 200), 40)
    slope = np.linspace(1.1, 0.8, WIDTH, dtype=np.float32)[None, :, None] * gain
    noisy = cv2.GaussianBlur(image, (0, 0), 0.8) * slope + rng.normal(0, 3, image.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def looks() -> dict[int, Look]:
    """The looks of the round's cards, learnt where they lie in the middle."""
    image = picture(*ROUND)
    learnt = {card: look_at(image, 1, FlatPlane(), at, turn, PLACE) for card, at, turn in ROUND}
    return {card: look for card, look in learnt.items() if look is not None}


def named_in(
    image: np.ndarray, read: tuple[Disc, ...] = (), candidates: tuple[int, ...] = (12, 34, 56, 7)
) -> list[Named]:
    scene = StretchSampler(BOUNDS).sample_stretch(image, 1, FlatPlane())
    there = {card: DiscPose(*at, turn) for card, at, turn in read}
    return name_discs(scene, looks(), there, candidates, DISC_MM)


def test_only_the_stretch_that_is_looked_at_is_shrunk_and_nothing_else_differs() -> None:
    """The look of a card, also at the picture's rim, out of the shrunk stretch is that out of the whole
    picture shrunk; far away nothing was worked out."""
    at_rim: Disc = (12, (44.0, 44.0), 33.0)
    large = cv2.resize(picture(at_rim, ROUND[3]), None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    whole = cv2.resize(large, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)

    class LargePlane(FlatPlane):
        width_px, height_px = WIDTH * 3, HEIGHT * 3

        def to_px(self, points_mm: np.ndarray) -> np.ndarray:
            return super().to_px(points_mm) * 3

    for _, (x, y), turn in (at_rim, ROUND[3]):
        bounds = (x - 55, y - 55, x + 55, y + 55)
        part = shrunk_stretch(large, 3, LargePlane(), bounds)
        assert part.shape == whole.shape
        assert not part[-100:, -100:].any()
        of_part, of_whole = (
            look_at(p, 3, LargePlane(), (x, y), turn, PLACE) for p in (part, whole)
        )
        assert of_part is not None
        assert of_whole is not None
        assert np.array_equal(of_part.fine, of_whole.fine)
        assert np.array_equal(of_part.coarse, of_whole.coarse)


def test_a_card_half_under_another_is_named_by_the_half_that_shows() -> None:
    """Its code is hidden, and the light is another: half of its picture is enough, at any turn."""
    above, below = (56, (450.0, 180.0), 15.0), (34, (410.0, 180.0), 200.0)
    [found] = named_in(picture(below, above, gain=0.7), read=(above,), candidates=(12, 34, 7))
    assert found.card == 34
    assert np.hypot(found.match.pose.x_mm - 410, found.match.pose.y_mm - 180) < 3
    assert abs((found.match.pose.heading_deg - 200 + 180) % 360 - 180) < 3


def test_two_unread_cards_on_one_another_are_both_named() -> None:
    """The upper one is named first and taken out of the picture; the rest names the lower one."""
    image = picture((34, (410.0, 180.0), 200.0), (7, (455.0, 170.0), 60.0))
    assert {found.card for found in named_in(image)} == {7, 34}


def test_a_finger_over_a_part_does_not_matter() -> None:
    """What is no part of the card is left out, though nobody knows what it is."""
    image = picture((12, (450.0, 180.0), 300.0), finger_mm=(455.0, 190.0))
    assert [found.card for found in named_in(image)] == [12]


def test_discs_that_are_none_of_the_rounds_get_no_name() -> None:
    """A card of no round of ours, a back, the bare table: nothing is named."""
    for strange in ((70, (450.0, 180.0), 40.0), (0, (450.0, 180.0), 40.0)):
        assert all(found.card is None for found in named_in(picture(strange)))
    assert named_in(picture()) == []


def test_only_a_card_that_must_lie_somewhere_is_named() -> None:
    """A card that is read elsewhere is not looked for, however much a disc looks like it."""
    image = picture((34, (450.0, 180.0), 0.0))
    assert all(found.card != 34 for found in named_in(image, candidates=(12, 56, 7)))


def sighting(disc: Disc) -> Sighting:
    return Sighting(disc[0], disc[1], disc[2], ((0.0, 0.0),) * 4, 1.0)


class Watched:
    """A picture watch before which a round lies that it has learnt."""

    def __init__(self) -> None:
        self.watch, self.t_s = PictureWatch(PLACE), 0.0
        for _ in range(60):
            self.look(picture(*ROUND), ROUND)

    def look(
        self,
        image: np.ndarray,
        read: tuple[Disc, ...],
        version: int = 0,
        quiet: bool = True,
        hands: tuple[Hand, ...] = (),
        covered: tuple[int, ...] = (),
    ) -> tuple[PictureReport, ...]:
        self.t_s += 0.1
        states = dict.fromkeys(covered, PlaceState.OTHER)
        states |= {disc[0]: PlaceState.MARKER for disc in read}
        tray = TrayReport(1.0, quiet, version, 0.0)
        return self.watch.observe_frame(
            image, FlatPlane(), self.t_s, [sighting(disc) for disc in read], states, hands, tray,
            frozenset(),
        )  # fmt: skip


BLOTTED: Disc = (34, (450.0, 180.0), 77.0)


def test_a_card_that_left_the_middle_is_named_in_the_tray_once_the_tray_is_quiet() -> None:
    """Its look was learnt in this very round; while something moves over the tray nothing is said."""
    watched, rest = Watched(), tuple(disc for disc in ROUND if disc[0] != 34)
    image = picture(*rest, BLOTTED)
    for _ in range(10):
        assert watched.look(image, rest, version=0, quiet=False) == ()
    for _ in range(20):
        told = watched.look(image, rest, version=1)
    [report] = told
    assert (report.says, report.card) == (PictureSays.NAMED, 34)


def test_a_code_that_is_read_outranks_the_picture_and_the_contradiction_is_said_once() -> None:
    """A card is read on the disc that its picture named otherwise: the name falls, and people hear of
    the card for some seconds; not again when the disc is named and read so once more."""
    watched, rest = Watched(), tuple(disc for disc in ROUND if disc[0] != 34)
    image = picture(*rest, BLOTTED)
    for _ in range(5):
        watched.look(image, rest, version=0, quiet=False)
    for _ in range(20):
        watched.look(image, rest, version=1)
    other = (77, BLOTTED[1], BLOTTED[2])
    assert watched.look(image, (*rest, other), version=1) == ()
    assert watched.watch.contradicted(watched.t_s) == (77,)
    watched.t_s += 10.0
    for _ in range(20):
        told = watched.look(image, rest, version=2)
    assert [report.card for report in told] == [34]
    assert watched.look(image, (*rest, other), version=2) == ()
    assert watched.watch.contradicted(watched.t_s) == ()


def test_a_look_is_not_learnt_under_a_hand() -> None:
    """A hand near a card may lie over its picture: the card waits."""
    watch = PictureWatch(PLACE)
    hand = Hand((100.0, 120.0), None)
    for step in range(30):
        watch.observe_frame(
            picture(*ROUND), FlatPlane(), step / 10, [sighting(disc) for disc in ROUND[:4]],
            {}, (hand,), None, frozenset(),
        )  # fmt: skip
    assert not watch.learnt_cards


def test_a_place_says_whether_its_card_still_lies_there_unread() -> None:
    """Something half over a card: it is still that card. Another card in its place: it is not."""
    watched, rest = Watched(), tuple(disc for disc in ROUND if disc[0] != 34)
    half = picture(*ROUND, finger_mm=(160.0, 90.0))
    for _ in range(8):
        told = watched.look(half, rest, covered=(34,))
    assert [(p.says, p.card) for p in told] == [(PictureSays.NAMED, 34)]
    another = picture(*rest, (77, (160.0, 70.0), 30.0))
    for _ in range(14):
        told = watched.look(another, rest, covered=(34,))
    assert [(p.says, p.card) for p in told] == [(PictureSays.OTHER, 34)]

"""The tray as a picture: what comes, what goes, what is only light or an arm. On flat pictures."""

from __future__ import annotations

import cv2
import numpy as np

from companion.table.sighting import TrayReport
from companion.vision.places.place_watch import PlaceWatch
from companion.vision.places.tray_watch import TrayWatch

PX_PER_MM = 0.5
WIDTH, HEIGHT = 300, 250
TRAY = ((150.0, 150.0), (412.0, 150.0), (412.0, 340.0), (150.0, 340.0))


class FlatPlane:
    """A camera straight above, half a pixel a millimetre."""

    width_px, height_px, tray_mm = WIDTH, HEIGHT, TRAY

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        return np.asarray(points_mm, float) * PX_PER_MM

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        return np.asarray(points_px, float) / PX_PER_MM


def picture(
    *discs: tuple[float, float, tuple[int, int, int]], gain: float = 1.0, arm: bool = False
) -> np.ndarray:
    """A wooden table with a white tray and these discs (x, y in mm, colour), the first lowest."""
    rng = np.random.default_rng(3)
    image = np.full((HEIGHT, WIDTH, 3), (60, 90, 130), np.uint8)
    low, high = (np.array(TRAY[i]) * PX_PER_MM for i in (0, 2))
    cv2.rectangle(image, _whole(low), _whole(high), (215, 220, 225), -1)
    for x, y, colour in discs:
        cv2.circle(image, _whole(np.array((x, y)) * PX_PER_MM), round(42.5 * PX_PER_MM), colour, -1)
    if arm:
        cv2.line(image, (140, HEIGHT), (140, 110), (110, 140, 200), 32)
    noisy = image.astype(np.float32) * gain + rng.normal(0, 1.5, image.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def _whole(point: np.ndarray) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


BLUE, ORANGE = (200, 150, 90), (110, 150, 220)


def after(*pictures: np.ndarray) -> list[TrayReport]:
    """What is said once each of these pictures has been quiet for half a second."""
    watch, said, t_s = TrayWatch(), list[TrayReport](), 0.0
    for image in pictures:
        for _ in range(5):
            report = watch.observe_tray(image, 1, FlatPlane(), t_s)
            t_s += 0.125
        assert report is not None
        said.append(report)
    return said


def test_a_disc_that_comes_is_seen_without_being_read() -> None:
    """A disc more in the tray makes another picture, and covers what a disc covers."""
    bare, one = after(picture(), picture((250.0, 240.0, BLUE)))
    assert one.quiet
    assert one.version == bare.version + 1
    assert 4500 < one.covered_mm2 < 7000


def test_a_disc_slid_under_another_is_seen_by_what_shows_of_it() -> None:
    """Twenty millimetres of a disc pushed under another are enough."""
    _, one, two = after(
        picture(),
        picture((250.0, 240.0, BLUE)),
        picture((270.0, 240.0, ORANGE), (250.0, 240.0, BLUE)),
    )
    assert two.version == one.version + 1
    assert two.covered_mm2 > one.covered_mm2 + 800


def test_light_that_changes_is_no_disc() -> None:
    """A lamp a quarter darker leaves the tray's picture as it was."""
    one, dark = after(picture((250.0, 240.0, BLUE)), picture((250.0, 240.0, BLUE), gain=0.75))
    assert dark.quiet
    assert dark.version == one.version


def test_an_arm_that_rests_over_the_tray_hides_it() -> None:
    """A still arm that reaches in from beside is not taken for cards, and leaves no trace."""
    bare, under, free = after(picture(), picture(arm=True), picture())
    assert not under.quiet
    assert (free.quiet, free.version) == (True, bare.version)


def test_a_disc_taken_away_bares_the_tray() -> None:
    """The picture is another one, and less is covered."""
    _, two, one = after(
        picture(),
        picture((220.0, 240.0, BLUE), (340.0, 240.0, ORANGE)),
        picture((220.0, 240.0, BLUE)),
    )
    assert one.version == two.version + 1
    assert one.covered_mm2 < two.covered_mm2 - 4000


def test_a_shaken_picture_says_nothing_of_the_tray() -> None:
    """While the table swings the tray's picture is shifted: that is no change, and nothing is quiet;
    once it stands still again it is what it was."""

    def look(image: np.ndarray, steady: bool = True) -> TrayReport:
        nonlocal t_s
        said = None
        for _ in range(14):
            t_s += 0.125
            result = watch.report_places(image, FlatPlane(), t_s, {}, {}, steady=steady)
            assert not result.why
            said = result.tray
        assert said is not None
        return said

    watch, t_s = PlaceWatch(), 0.0
    lies = picture((250.0, 240.0, BLUE), (330.0, 260.0, ORANGE))
    swung = picture((260.0, 252.0, BLUE), (340.0, 272.0, ORANGE))
    before = look(lies)
    assert not look(swung, steady=False).quiet
    assert look(lies).version == before.version
    assert look(swung).version == before.version + 1

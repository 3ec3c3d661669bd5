"""The PNG files and the pictures behind them, as a camera or a print service gets them."""

from __future__ import annotations

import io
import itertools
import math
from pathlib import Path

import cv2
import numpy as np
import pytest
import zxingcpp
from PIL import Image

from card_printables.artwork.pieces import PLATE_LEAST_GREY, PLATE_RADIUS_MM, plate_ink
from card_printables.deck import LARGEST, back_word, word_for
from card_printables.marker import DISC_MM, BackPlace, MarkerPlace
from card_printables.order import BACK_DRAWINGS, Order
from card_printables.output import pixels
from card_printables.output.piece_pictures import back_rgba, face_rgba, token_rgba, tray_rgba
from card_printables.output.png_files import png_bytes
from card_printables.print_job import write
from card_printables.token import TAG_FAMILY, TAG_MODULES, TOKENS, TRAY, TRAY_PLACES_MM


def _grey(bgra: np.ndarray) -> np.ndarray:
    alpha = bgra[..., 3:].astype(float) / 255
    return cv2.cvtColor(
        (bgra[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8), cv2.COLOR_BGR2GRAY
    )


def _read(bgra: np.ndarray) -> list[bytes]:
    found = zxingcpp.read_barcodes(_grey(bgra), formats=zxingcpp.BarcodeFormat.QRCodeModel2)
    return [code.bytes for code in found]


def _tags(bgra: np.ndarray) -> dict[int, np.ndarray]:
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, TAG_FAMILY))
    )
    detector.setDetectorParameters(_subpixel())
    corners, ids, _ = detector.detectMarkers(
        cv2.copyMakeBorder(_grey(bgra), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=90)
    )
    flat = [] if ids is None else np.asarray(ids).reshape(-1)
    return {int(i): np.asarray(c).reshape(4, 2) - 40 for i, c in zip(flat, corners, strict=True)}


def _subpixel() -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return parameters


@pytest.mark.parametrize(("dpi", "side"), [(300, 1004), (150, 502), (96, 321)])
def test_a_disc_of_85_mm_is_as_many_pixels_as_its_dots_an_inch_say(dpi: int, side: int) -> None:
    """The face is round(85 / 25.4 * dpi) pixels wide and its disc has the area of 85 mm."""
    face = face_rgba(7, dpi=dpi)
    assert face.shape == (side, side, 4)
    area = face[..., 3].astype(float).sum() / 255
    assert 2 * np.sqrt(area / np.pi) / dpi * 25.4 == pytest.approx(85.0, abs=0.02)


def test_outside_the_disc_the_file_is_transparent_and_inside_opaque() -> None:
    """The corners are clear, the middle and the rim's inside are not, the edge is soft over about a
    pixel."""
    alpha = face_rgba(7)[..., 3]
    assert alpha[0, 0] == alpha[-1, -1] == alpha[3, 400] == 0
    assert alpha[502, 502] == alpha[502, 2] == alpha[2, 502] == 255
    assert 0.3 * 3154 < ((alpha > 0) & (alpha < 255)).sum() < 2.5 * 3154


@pytest.mark.parametrize("card", [1, 23, 80])
@pytest.mark.parametrize("deck", ["CM1", "CM4"])
def test_every_face_says_its_word(card: int, deck: str) -> None:
    """Face, deck and number agree with the code that is read from the picture."""
    assert _read(face_rgba(card, deck)) == [word_for(card, deck).payload]


def test_the_code_lies_at_the_marker_place_to_a_tenth_of_a_pixel() -> None:
    """The black modules' outer edges, weighed by their grey, are where `MarkerPlace` says at a
    resolution that fits nothing."""
    dpi = 217
    plate = float(np.array(plate_ink(3)) @ (0.299, 0.587, 0.114))
    grey = 255 * (1 - _grey(face_rgba(3, dpi=dpi)).astype(float) / plate)
    x, y = MarkerPlace().centre_mm
    scale, middle = dpi / 25.4, (grey.shape[0] - 1) / 2
    left = (x - 9) * scale + middle
    row = round((y - 9 + 3 * 18 / 21) * scale + middle)
    ink = grey[row, round(left) - 4 : round(left) + 5] / 255
    edge = round(left) + 4.5 - ink.sum()
    assert edge == pytest.approx(left, abs=0.1)


def test_the_plate_round_the_code_is_three_modules_wide() -> None:
    """No cloud, no letter comes nearer to the code than its quiet zone, which has one light tone."""
    place = MarkerPlace()
    face = _grey(face_rgba(44))
    scale, middle = 300 / 25.4, (face.shape[0] - 1) / 2
    x, y = ((c * scale + middle) for c in place.centre_mm)
    outer, inner = place.plate_mm / 2 * scale - 2, 9 * scale + 1
    window = face[int(y - outer) : int(y + outer) + 1, int(x - outer) : int(x + outer) + 1].copy()
    cut = int(outer - inner)
    plate = window[cut // 2, len(window) // 2]
    window[cut:-cut, cut:-cut] = plate
    corner = round(PLATE_RADIUS_MM * scale)
    for rows in (slice(0, corner), slice(-corner, None)):
        for columns in (slice(0, corner), slice(-corner, None)):
            window[rows, columns] = plate
    assert window.min() == window.max() == plate


def test_every_plate_is_light_and_of_its_own_sky() -> None:
    """The tones of the plates are at least as light as the reader was measured with, and those of a
    blue and of a golden sky are told apart."""
    tones = {card: np.array(plate_ink(card)) for card in range(1, LARGEST + 1)}
    assert min(tone @ (0.299, 0.587, 0.114) for tone in tones.values()) > PLATE_LEAST_GREY - 1
    assert tones[32][2] - tones[32][0] > 10
    assert tones[14][0] - tones[14][2] > 20


def test_the_back_says_that_it_is_a_back_and_nothing_else() -> None:
    """One code, the back's word; no card is told apart by its back, neither one printed now nor one
    printed before."""
    for drawing in BACK_DRAWINGS:
        assert _read(back_rgba(drawing=drawing)) == [back_word().payload]


def test_the_back_is_pattern_but_for_a_moon_near_the_rim() -> None:
    """Three quarters of the back are night, and what is light lies in one disc of 29 mm, its middle
    above the back's and nowhere nearer to the rim than 2.5 mm."""
    grey = _grey(back_rgba(dpi=100))
    y, x = (np.mgrid[: grey.shape[0], : grey.shape[1]] - (grey.shape[0] - 1) / 2) / 100 * 25.4
    on_disc = np.hypot(x, y) < 42.0
    assert (grey[on_disc] < 120).mean() > 0.75
    moon = on_disc & (grey > 200)
    assert np.hypot(x, y)[moon].max() < 42.5 - 2.4
    middle = BackPlace().centre_mm
    assert np.hypot(x - middle[0], y - middle[1])[moon].max() < 14.6
    assert middle[1] < -25


def test_bleed_makes_the_file_larger_and_moves_nothing() -> None:
    """With 3 mm bleed the middle of the picture is the picture without it."""
    plain, wide = face_rgba(12, dpi=254), face_rgba(12, dpi=254, bleed_mm=3)
    assert wide.shape[0] == plain.shape[0] + 60
    inside = wide[30:-30, 30:-30]
    opaque = plain[..., 3] == 255
    assert np.abs(inside[opaque].astype(int) - plain[opaque].astype(int)).max() <= 2


@pytest.mark.parametrize("piece", TOKENS, ids=lambda piece: piece.name)
def test_a_token_shows_its_own_tag_in_its_middle(piece) -> None:
    """The tag is found, has the token's number, and its corners lie 60 mm apart about the middle."""
    tags = _tags(token_rgba(piece, 150))
    assert set(tags) == {piece.tags[0].id}
    side, middle = 60 / 25.4 * 150, (token_rgba(piece, 150).shape[0] - 1) / 2
    want = middle + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
    assert np.abs(tags[piece.tags[0].id] - want).max() < 0.6


@pytest.mark.parametrize("piece", [*TOKENS, TRAY], ids=lambda piece: piece.name)
def test_nothing_dark_is_printed_in_a_tags_quiet_zone(piece) -> None:
    """One module round every tag there is nothing darker than a pale tint."""
    dpi = 150
    picture = _grey(tray_rgba(dpi) if piece is TRAY else token_rgba(piece, dpi))
    for tag in piece.tags:
        x, y = (
            c / 25.4 * dpi + (n - 1) / 2
            for c, n in zip(tag.centre_mm, picture.shape[::-1], strict=True)
        )
        half, module = tag.size_mm / 2 / 25.4 * dpi, tag.size_mm / TAG_MODULES / 25.4 * dpi
        outer = picture[
            int(y - half - module) + 1 : int(y + half + module),
            int(x - half - module) + 1 : int(x + half + module),
        ].copy()
        cut = int(module) - 2
        outer[cut:-cut, cut:-cut] = 255
        assert outer.min() > 140


def test_the_tray_shows_its_four_tags_and_is_pale() -> None:
    """All four tags are found, and away from them nothing on the tray competes with a card."""
    tray = tray_rgba(100)
    assert set(_tags(tray)) == {tag.id for tag in TRAY.tags}
    middle = _grey(tray)[:, 140:-140]
    assert middle.min() > 150
    assert middle.std() < 12


def test_cards_on_the_trays_places_cover_no_tag() -> None:
    """A card on each of the six places, two millimetres beside it: all four tags are still found; the
    first four lie apart from one another."""
    tray = tray_rgba(100)
    half_mm = np.array([TRAY.width_mm, TRAY.height_mm]) / 2
    for place in TRAY_PLACES_MM:
        beside = np.array(place) * (1 + 2 / np.hypot(*place))
        centre = tuple(int(v) for v in (beside + half_mm) * 100 / 25.4)
        cv2.circle(tray, centre, round(DISC_MM / 2 * 100 / 25.4), (90, 120, 150, 255), -1)
    assert set(_tags(tray)) == {tag.id for tag in TRAY.tags}
    apart = [math.dist(a, b) for a, b in itertools.combinations(TRAY_PLACES_MM[:4], 2)]
    assert min(apart) > DISC_MM


def test_a_png_tells_its_dots_an_inch() -> None:
    """Programs that honour the file's resolution print 85 mm."""
    image = Image.open(io.BytesIO(png_bytes(face_rgba(7), 300)))
    assert image.mode == "RGBA"
    assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)


def test_the_files_have_the_promised_names(tmp_path: Path) -> None:
    """cards: card-NN.png and back.png; table: the four tokens and the tray."""
    cards = write(Order(format="png", dpi=60, cards=(1, 80), out=tmp_path / "c"))
    table = write(Order(kind="table", format="png", dpi=60, out=tmp_path / "t"))
    assert [path.name for path in cards] == ["card-01.png", "card-80.png", "back.png"]
    assert [path.name for path in table] == [f"{piece.name}.png" for piece in (*TOKENS, TRAY)]


def test_the_same_card_gives_the_same_file() -> None:
    """Pictures hold nothing of the clock or of chance."""
    assert png_bytes(face_rgba(5, dpi=100), 100) == png_bytes(face_rgba(5, dpi=100), 100)


def test_words_of_many_sizes_fill_no_memory() -> None:
    """Whoever asks for ever new sizes and texts: of what was drawn only the newest is kept."""
    for number in range(pixels.WORDS_KEPT + 40):
        pixels._strip(f"{number}", False, 6)
    assert pixels._strip.cache_info().currsize == pixels.WORDS_KEPT

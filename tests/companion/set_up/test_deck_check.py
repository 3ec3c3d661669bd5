"""Counting the deck: what was seen, missing, doubled, hard to read; from pictures, photos and the
running camera."""

from __future__ import annotations

import io
import json
import struct
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from calibration.cameras.picture_file import jpeg_size
from calibration.cameras.port import Frame
from calibration.simulator.photograph import CameraModel, Sheet, photograph
from card_printables.order import cards_from
from card_printables.output.piece_pictures import face_rgba, token_rgba
from card_printables.token import TOKENS
from companion.__main__ import main
from companion.capture.watching import Watching
from companion.commands.check_deck import listed
from companion.evening.session import Session
from companion.journal import Journal
from companion.limited_process import WorkEnded
from companion.set_up.deck_check import DeckCheck
from companion.set_up.deck_count import DIM, DeckCount
from companion.set_up.photo_file import BadPhoto, opened_photo
from companion.vision.codes.detection import Conflict, Detection, Foreign, Reading
from companion.vision.codes.reader import Reader
from companion.vision.eye import Eye
from companion.web import Door, Rule, create_app
from tests.support.kept_evening import KeptEvening, played

NUMBERS = frozenset(range(1, 13))
ORIGIN = {"Origin": "http://localhost"}


def square(at: float, side: float = 40.0) -> tuple[tuple[float, float], ...]:
    return ((at, 0.0), (at + side, 0.0), (at + side, side), (at, side))


def reading(
    *cards: int, twice: tuple[int, ...] = (), foreign: int = 0, side: float = 40.0
) -> Reading:
    found = tuple(
        Detection(card, "CM1", False, square(50.0 * card, side), 0.9, "known") for card in cards
    )
    pairs = tuple(Conflict("twice", (card,), (square(0.0), square(90.0))) for card in twice)
    return Reading(found, pairs, (Foreign(b"CM2-01.AAA", square(0.0)),) * foreign)


def counted(*cards: int, low: tuple[int, ...] = (), most: float = 0.95) -> DeckCount:
    count = DeckCount(NUMBERS)
    count.add_reading(reading(*cards), {card: 0.7 if card in low else most for card in cards})
    return count


def spread(cards: list[int], spoilt: int | None = None) -> np.ndarray:
    """A photo of cards lying in rows of four between the tokens; the code of one of them was wiped
    while wet."""
    corners = ((-250.0, -165.0), (250.0, -165.0), (250.0, 165.0), (-250.0, 165.0))
    sheets = [
        Sheet(token_rgba(token, 100), 80.0, at) for token, at in zip(TOKENS, corners, strict=True)
    ]
    for k, card in enumerate(cards):
        face = face_rgba(card, dpi=150)
        if card == spoilt:
            face[380:, 150:350, :3] = cv2.blur(face[380:, 150:350, :3], (9, 1))
        sheets.append(Sheet(face, 85.0, (-138.0 + 92 * (k % 4), -92.0 + 92 * (k // 4)), 40.0 * k))
    return photograph(
        sheets,
        CameraModel(1280, 960, focal_px=1100.0, distance_mm=560.0, tilt_deg=6.0, blur_px=0.6),
    )


@pytest.fixture(scope="module")
def whole() -> np.ndarray:
    """Twelve cards in one picture, card 7 hard to read."""
    return spread(sorted(NUMBERS), spoilt=7)


def test_cards_are_ticked_off_in_any_number_and_order() -> None:
    """Each picture adds what it shows; what no picture showed is missing; nothing is counted twice."""
    count = DeckCount(NUMBERS)
    assert count.add_reading(reading(3, 1), {}) == {1, 3}
    assert count.add_reading(reading(3, 12), {}) == {12}
    assert count.missing == [2, 4, 5, 6, 7, 8, 9, 10, 11]
    assert not count.whole


def test_a_card_lying_twice_is_seen_and_named() -> None:
    """Two cards of one number in one picture: the number is there, and the deck is not right."""
    count = counted(*NUMBERS - {5})
    count.add_reading(reading(twice=(5,)), {})
    assert (count.missing, count.doubled, count.whole) == ([], {5}, False)


def test_codes_of_another_box_are_counted_apart() -> None:
    """The most of them that lay in one picture."""
    count = counted(1)
    count.add_reading(reading(2, foreign=3), {})
    count.add_reading(reading(4, foreign=1), {})
    assert count.to_json()["foreign"] == 3


def test_a_print_that_reads_worse_than_its_peers_is_named_until_it_reads_well_once() -> None:
    """Compared with the others, and by its best look."""
    count = counted(*NUMBERS, low=(7,))
    assert count.weak == [7]
    count.add_reading(reading(7), {7: 0.94})
    assert count.weak == []


def test_no_single_print_is_blamed_for_a_distant_camera() -> None:
    """Cards farther away are compared with each other; when all read weakly that is said instead."""
    near, far = sorted(NUMBERS)[:6], sorted(NUMBERS)[6:]
    count = DeckCount(NUMBERS)
    count.add_reading(reading(*near, side=60.0), dict.fromkeys(near, 0.99))
    count.add_reading(reading(*far, side=25.0), dict.fromkeys(far, 0.88))
    assert (count.weak, count.too_dim) == ([], False)
    dark = counted(*NUMBERS, low=(7,), most=DIM - 0.05)
    assert (dark.weak, dark.too_dim) == ([], True)


def test_too_few_cards_are_not_compared() -> None:
    """With three cards seen nobody knows which is the odd one."""
    assert counted(1, 2, 3, low=(3,)).weak == []


def test_a_smeared_print_is_named_from_a_real_picture(whole: np.ndarray) -> None:
    """All twelve cards are seen in one look, and only the wiped code is to be printed again."""
    told = DeckCheck(Reader(NUMBERS)).check_picture(whole)
    assert told["seen"] == sorted(NUMBERS)
    assert told["weak"] == [7]


@pytest.mark.parametrize(
    ("blur_px", "light", "dim"), [(0.0, 1.0, False), (2.0, 1.0, True), (0.0, 0.05, True)]
)
def test_the_deck_is_said_to_read_weakly_only_where_it_does(
    whole: np.ndarray, blur_px: float, light: float, dim: bool
) -> None:
    """By a soft lens or by night it is, and then no single print is blamed; otherwise the wiped code
    is."""
    seen = cv2.GaussianBlur(whole, (0, 0), blur_px) if blur_px else whole
    told = DeckCheck(Reader(NUMBERS)).check_picture((seen * light).astype(np.uint8))
    assert (told["dim"], told["weak"]) == (dim, [] if dim else [7])


def test_the_command_counts_pictures(
    whole: np.ndarray, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`companion check-deck` tells missing and weak cards with the command that prints them, and
    exits 1 or 0."""
    picture = tmp_path / "deck.png"
    cv2.imwrite(str(picture), whole)
    assert main(["check-deck", str(picture), "--deck-size", "13"]) == 1
    said = capsys.readouterr().out
    assert "companion print cards --cards 13" in said
    assert "reprint: 7" in said
    assert main(["check-deck", str(picture), "--deck-size", "12", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["missing"] == []


def test_numbers_are_listed_as_the_print_command_takes_them() -> None:
    """Runs are written as ranges, and read back they are the same cards."""
    assert listed({12, 7, 40, 41, 42, 43, 44, 50, 51}) == "7,12,40-44,50,51"
    assert cards_from(listed(NUMBERS)) == tuple(sorted(NUMBERS))


# --- over HTTP


def enter(app: Flask, role: Rule = Rule.CONTROL) -> FlaskClient:
    client = app.test_client()
    client.get(f"/in/{app.extensions['companion'].door.invite(role)}")
    return client


def jpeg(image: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def huge_png() -> bytes:
    """The header of a PNG of 60,000 x 60,000 pixels, in 57 bytes."""
    head = b"IHDR" + struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + chunk + b"\x00\x00\x00\x00IEND\xaeB`\x82"


def test_a_photo_from_the_tablet_is_counted(whole: np.ndarray) -> None:
    """Without any camera a photo ticks its cards off; counting anew forgets them."""
    client = enter(create_app(KeptEvening().session, Door()))
    told = client.post("/api/deck/photo", data=jpeg(whole), headers=ORIGIN).get_json()
    assert (told["photo"], len(told["seen"]), told["deck_size"]) == (12, 12, 80)
    assert client.post("/api/deck/anew", headers=ORIGIN).get_json()["seen"] == []


def test_a_photo_tells_every_card_that_lies_in_it() -> None:
    """Also those whose number lies there twice."""
    client = enter(create_app(KeptEvening().session, Door()))
    photo = jpeg(spread([1, 1, 2, 3, 3, 4]))
    told = client.post("/api/deck/photo", data=photo, headers=ORIGIN).get_json()
    assert (told["photo"], told["seen"], told["doubled"]) == (6, [1, 2, 3, 4], [1, 3])


def test_a_good_photo_whose_process_was_ended_is_not_called_bad(
    whole: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody's memory ran out: come back; nothing is said of the photo."""

    def ended(*_: object) -> None:
        raise WorkEnded("ended")

    client = enter(create_app(KeptEvening().session, Door()))
    with monkeypatch.context() as busy:
        busy.setattr("companion.web.views.deck_check.heavy_result", ended)
        answer = client.post("/api/deck/photo", data=jpeg(whole), headers=ORIGIN)
    assert answer.status_code == 503
    told = client.post("/api/deck/photo", data=jpeg(whole), headers=ORIGIN).get_json()
    assert told["photo"] == 12


def test_the_count_before_an_evening_is_not_the_count_after_it(whole: np.ndarray) -> None:
    """When the evening is over nothing is ticked off yet."""
    evening = KeptEvening()
    client = enter(create_app(evening.session, Door()))
    assert (
        client.post("/api/deck/photo", data=jpeg(whole), headers=ORIGIN).get_json()["photo"] == 12
    )
    evening.begin().do("end")
    assert client.post("/api/deck", headers=ORIGIN).get_json()["seen"] == []


def many_scans() -> bytes:
    """A progressive JPEG that would send the decoder over the whole picture four hundred times."""
    flags = [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    sound = cv2.imencode(".jpg", np.full((300, 400, 3), 120, np.uint8), flags)[1].tobytes()
    return sound[:-2] + sound[sound.rindex(b"\xff\xda") : -2] * 400 + b"\xff\xd9"


@pytest.mark.parametrize(
    "data", [b"", b"no picture", huge_png(), many_scans(), b"RIFF\x00\x00\x00\x00WEBPVP8 "]
)
def test_what_is_no_photo_is_refused(data: bytes) -> None:
    """Empty, words, a picture that would fill the memory or take minutes, half a file: told so, nothing
    counted."""
    with pytest.raises(BadPhoto):
        DeckCheck(Reader(NUMBERS)).check_photo(data)
    assert (
        enter(create_app(KeptEvening().session, Door()))
        .post("/api/deck/photo", data=data, headers=ORIGIN)
        .status_code
        == 415
    )


def two_sizes(data: bytes) -> bytes:
    """The same JPEG with a second frame header, of another size, before its pixels."""
    at = data.index(b"\xff\xc0")
    header = bytearray(data[at : at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")])
    header[5:9] = struct.pack(">HH", 8000, 12_000)
    return data[:at] + bytes(header) + data[at:]


def test_a_photo_that_tells_two_sizes_is_refused(
    whole: np.ndarray, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither counted nor opened at the size it hides; no library says anything in the terminal."""
    check = DeckCheck(Reader(NUMBERS))
    for spoiled in (two_sizes(jpeg(whole)), jpeg(whole)[: len(jpeg(whole)) // 2]):
        with pytest.raises(BadPhoto):
            check.check_photo(spoiled)
    assert jpeg_size(two_sizes(jpeg(whole))) is None
    assert jpeg_size(jpeg(whole)) == whole.shape[1::-1]
    assert capfd.readouterr().err == ""


def test_a_large_photo_is_decoded_small() -> None:
    """A photo of 32 million pixels comes out at most 3000 across, in less than 300 MB; a progressive
    one of that size, which must be taken in whole, is refused."""
    photo = Image.new("RGB", (8000, 4000), (90, 120, 80))
    plain, progressive = io.BytesIO(), io.BytesIO()
    photo.save(plain, "JPEG")
    photo.save(progressive, "JPEG", progressive=True)
    assert max(opened_photo(plain.getvalue()).shape) == 3000
    with pytest.raises(BadPhoto, match="too large"):
        opened_photo(progressive.getvalue())


def test_no_number_is_told_during_a_game() -> None:
    """While a round may be open the count answers nothing, whatever lies under the camera."""
    client = enter(create_app(played().session, Door()))
    for path in ("/api/deck", "/api/deck/anew", "/api/deck/photo"):
        assert client.post(path, data=b"x", headers=ORIGIN).status_code == 409


def test_only_those_who_control_may_count() -> None:
    """A watching screen and a stranger may not, nor another site's page."""
    app = create_app(KeptEvening().session, Door())
    assert app.test_client().post("/api/deck", headers=ORIGIN).status_code == 401
    assert enter(app, Rule.WATCH).post("/api/deck", headers=ORIGIN).status_code == 403
    assert enter(app).post("/api/deck", headers={"Origin": "http://elsewhere"}).status_code == 403


class Showing:
    """A live camera that shows whatever a test holds before it."""

    name = "a test's camera"

    def __init__(self) -> None:
        self.image = np.full((960, 1280, 3), 90, np.uint8)
        self._number = 0

    def read(self) -> Frame:
        """The picture with a little noise, as every real one has."""
        time.sleep(0.1)
        self._number += 1
        noisy = self.image.copy()
        noisy[self._number % 7 :: 7] ^= 1
        return Frame(noisy, time.monotonic(), self._number)

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Showing, Session]]:
    """The real session with a camera under the test's hand."""
    camera, session = Showing(), Session(Journal(tmp_path), NUMBERS)
    watching = Watching(camera, Eye(NUMBERS))
    session.attach(watching)
    watching.start(session)
    yield camera, session
    session.close()


def test_the_running_camera_counts_and_stops_when_the_game_begins(
    table: tuple[Showing, Session], whole: np.ndarray
) -> None:
    """Cards under the session's own camera are ticked off; from "begin" on the same question is
    refused."""
    camera, session = table
    camera.image = whole
    client = enter(create_app(session, Door()))
    told = {"seen": []}
    for _ in range(100):
        told = client.post("/api/deck", headers=ORIGIN).get_json()
        if len(told["seen"]) == 12:
            break
        time.sleep(0.1)
    assert (told["live"], told["missing"]) == (True, [])
    begin = {"do": "begin", "players": ["Ada", "Ben", "Cleo"], "daydreamer": 0, "deck_size": 12}
    assert session.command({"id": "begin-01", "version": session.version, **begin})[0] == 200
    assert client.post("/api/deck", headers=ORIGIN).status_code == 409


def test_what_was_counted_stays_when_another_size_is_found_out(whole: np.ndarray) -> None:
    """The eye notices that the codes are larger than was told: the cards seen before stay seen."""
    check = DeckCheck(Reader(NUMBERS))
    check.check_picture(whole)
    check.look_for(21.5)
    assert check.check_picture(None)["seen"] == sorted(NUMBERS)


def test_two_screens_share_one_count(whole: np.ndarray) -> None:
    """A look that comes while another is being read answers at once with what is known."""
    check = DeckCheck(Reader(NUMBERS))
    first = threading.Thread(target=check.check_picture, args=(whole,))
    first.start()
    answers = [check.check_picture(whole.copy())["seen"]]
    first.join()
    assert answers[0] in ([], sorted(NUMBERS))
    assert check.check_picture(None)["seen"] == sorted(NUMBERS)

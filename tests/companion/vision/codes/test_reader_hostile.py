"""What people and machines put before the reader that is no card: it stays calm, and reads the next
frame."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.cameras.grey import checked_grey
from card_printables.deck import word_for
from companion.vision.codes.reader import Reader
from tests.support import reader_codes as codes
from tests.support.reader_pictures import card, photograph, view

PAYLOADS = {
    "NUL": b"CM1-07.UB4\x00",
    "NUL inside": b"CM1-07\x00UB4",
    "prefix": b"CM1-07",
    "lower case": b"cm1-07.ub4",
    "other digits": "CM1-０７.UB4".encode(),
    "arabic digits": "CM1-٠٧.UB4".encode(),
    "control": b"\x1b[2J\r\nCM1-07",
    "space": b" CM1-07.UB4",
    "bell": b"\x07" * 9,
}


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_a_code_that_is_almost_a_card_is_foreign(payload: bytes) -> None:
    """Words are compared whole, as raw bytes: nothing is trimmed, folded or read up to a NUL."""
    reading = Reader().read_codes(codes.picture(payload, 5))
    assert (reading.detections, reading.mirrored) == ((), ())
    assert [f.payload for f in reading.foreign] == [payload[:64]]


def hostile_payloads() -> list[bytes]:
    """Some two hundred of them: each of several cards' words changed in the ways people, scanners and
    alphabets change words, cards that do not exist, and what other codes hold."""
    changed: list[bytes] = []
    for number in (1, 7, 10, 40, 79, 80):
        word = word_for(number).payload.decode("ascii")
        wide = "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in word)
        arabic = "".join(chr(0x660 + int(c)) if c.isdigit() else c for c in word)
        alike = word.replace("C", "\u0421").replace("M", "\u041c")
        around = (
            "\ufeff",
            "\u202e",
            "\u200b",
            "\x00",
            "\n",
            "\r\n",
            "\t",
            " ",
            "=",
            "'",
            '"',
            "\\",
            "../",
        )
        texts = [edge + word for edge in around] + [word + edge for edge in around]
        texts += [wide, arabic, alike, word.lower(), word[:-1], word[1:], word + word, word[::-1]]
        changed += [text.encode() for text in texts]
        changed += [word.encode("utf-16"), word.encode("utf-16-be"), b"\xff" + word.encode()]
    numbers = ("00", "81", "99", "-1", "1e1", "007", "7", "0x7", "+7")
    strangers = (
        "<script>alert(1)</script>", "' OR 1=1 --", "/etc/passwd", "http://localhost/api/command",
        "file:///etc/passwd", "javascript:alert(1)", "WIFI:S:home;T:WPA;P:secret;;", "BEGIN:VCARD", "%00",
    )  # fmt: skip
    return [*changed, *(f"CM1-{n}.UB4".encode() for n in numbers), *(s.encode() for s in strangers)]


def test_two_hundred_hostile_payloads_are_no_card() -> None:
    """Whatever is nearly a card's word names none; at most its first bytes are kept, as bytes."""
    payloads = hostile_payloads()
    assert len(set(payloads)) > 200
    named = []
    for payload in payloads:
        reading = Reader().read_codes(codes.picture(payload, 4))
        if reading.detections or reading.mirrored:
            named.append(payload)
        assert all(payload.startswith(foreign.payload) for foreign in reading.foreign)
    assert named == []


@pytest.mark.parametrize("mirrored", [False, True], ids=["upright", "mirrored"])
def test_our_word_in_another_programs_print_is_foreign(mirrored: bool) -> None:
    """A word of ours that somebody else wrote into a code, with another mask, is no card, whichever
    way round it is."""
    picture = codes.picture(word_for(7).payload, 5)
    for patient in (False, True):
        reading = Reader().read_codes(
            cv2.flip(picture, 1) if mirrored else picture, patient=patient
        )
        assert (reading.detections, reading.mirrored) == ((), ())
        assert {f.payload for f in reading.foreign} == {word_for(7).payload}


def test_a_payload_of_three_kilobytes_is_cut() -> None:
    """The largest code there is: foreign, and only its first bytes are kept."""
    reading = Reader().read_codes(codes.picture(b"A" * 2950, 3))
    assert reading.detections == ()
    assert all(len(f.payload) <= 64 for f in reading.foreign)


ODD = {
    "empty": np.zeros((0, 0), np.uint8),
    "no columns": np.zeros((40, 0, 3), np.uint8),
    "one row": np.zeros((1, 500), np.uint8),
    "one column": np.zeros((500, 1, 3), np.uint8),
    "five channels": np.zeros((60, 60, 5), np.uint8),
    "four dimensions": np.zeros((2, 60, 60, 3), np.uint8),
    "text": np.full((60, 60), "x"),
    "objects": np.full((60, 60), None),
    "complex": np.zeros((60, 60), complex),
    "NaN": np.full((60, 60), np.nan),
    "infinite": np.full((60, 60, 3), np.inf),
    "noise": np.random.default_rng(1).integers(0, 256, (200, 300), np.uint8),
    "negative": np.full((60, 60), -5, np.int32),
    "too large": np.lib.stride_tricks.as_strided(np.zeros(1, np.uint8), (40_000, 40_000), (0, 0)),
    "too long": np.zeros((64, 33_000, 3), np.uint8),
}


@pytest.mark.parametrize("frame", ODD.values(), ids=ODD)
def test_odd_frames_give_no_card_and_the_next_is_read(frame: np.ndarray) -> None:
    """No crash, no card; the same reader then reads an ordinary picture."""
    reader, seen = Reader(), view(1.5)
    assert reader.read_codes(frame).detections == ()
    assert reader.read_codes(frame, seen).detections == ()
    assert set(reader.read_codes(CARDS, SEEN).cards) == {7, 33}


SEEN = view(1.5)
CARDS = photograph(SEEN, [card(7, -60, 0, 10), card(33, 60, 10, 133)])


@pytest.mark.parametrize(
    "kind", ["BGR", "BGRA", "one channel", "16 bits", "float 0..1", "float 0..255", "slices"]
)
def test_every_kind_of_picture_is_read_alike(kind: str) -> None:
    """Colour, alpha, 16 bits and floats are taken for what they are."""
    frames = {
        "BGR": np.dstack([CARDS] * 3),
        "BGRA": np.dstack([CARDS] * 3 + [np.full_like(CARDS, 255)]),
        "one channel": CARDS[:, :, None],
        "16 bits": CARDS.astype(np.uint16) * 257,
        "float 0..1": CARDS.astype(np.float64) / 255,
        "float 0..255": CARDS.astype(np.float32),
        "slices": np.dstack([CARDS] * 3)[:, :, ::-1],
    }
    assert set(Reader().read_codes(frames[kind], SEEN).cards) == {7, 33}


def test_grey_is_none_for_what_is_no_picture() -> None:
    """Lists, text and None are no pictures."""
    for thing in ([[1, 2]], "x", None, 5):
        assert checked_grey(thing) is None

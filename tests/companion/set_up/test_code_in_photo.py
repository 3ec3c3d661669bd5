"""A hall is joined with a photo of its code, and nothing else that is sent as one does harm."""

from __future__ import annotations

import io
import json
import struct
import zlib
from pathlib import Path

import pytest
import qrcode
from PIL import Image

from companion.evening.session import Session
from companion.journal import Journal
from companion.outbox.link import LinkFile
from companion.outbox.sender import Sender
from companion.set_up.code_in_photo import code_in
from companion.web import Door, create_app
from tests.support.companion_web_client import HOME, JSON, enter

ADDRESS = "http://192.168.1.9:8770/table/abcdefgh"


def png_header(side: int) -> bytes:
    """The header of a PNG so large."""
    head = b"IHDR" + struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + chunk + b"\x00\x00\x00\x00IEND\xaeB`\x82"


def bmp_header(side: int) -> bytes:
    """The header of a BMP so large."""
    return b"BM" + struct.pack(
        "<IIIIiiHHIIiiII", 54, 0, 54, 40, side, side, 1, 24, 0, 0, 0, 0, 0, 0
    )


NONE = {
    "nothing": b"",
    "words": b"no picture",
    "huge": png_header(40_000),
    "large": png_header(12_000),
    "huge BMP": bmp_header(40_000),
    "large PBM": b"P4 50000 50000\n",
    "large PFM": b"Pf 40000 40000 -1.0\n",
}


def written(kind: str, picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind)
    return file.getvalue()


def test_the_code_of_an_address_is_read() -> None:
    """From a JPEG or a PNG; other codes and pictures without one are none."""
    for kind in ("JPEG", "PNG"):
        assert code_in(written(kind, qrcode.make(ADDRESS).convert("RGB"))) == ADDRESS
    assert code_in(written("PNG", qrcode.make("WIFI:S:home;;").convert("RGB"))) is None
    assert code_in(written("PNG", Image.new("RGB", (1, 1)))) is None


@pytest.mark.parametrize("what", NONE)
def test_what_is_no_photo_has_no_code(what: str) -> None:
    """However large its header says it is."""
    assert code_in(NONE[what]) is None


def test_what_is_no_hall_is_refused_in_words(tmp_path: Path) -> None:
    """As an address and as a photo."""
    session = Session(Journal(tmp_path))
    sender = Sender(LinkFile(tmp_path), session.journal)
    tablet = enter(create_app(session, Door(), hall_sender=sender))
    for address in (
        "http://[x",
        "http://\u2100.com:80/table/abcdefgh",
        "http://a b:80/table/abcdefgh",
    ):
        asked = json.dumps({"do": "join", "address": address})
        answer = tablet.post("/api/hall-link", data=asked, headers=JSON)
        assert (answer.status_code, answer.json["error"]) == (422, "hall")
    answer = tablet.post("/api/hall-link/photo", data=NONE["huge"], headers={"Origin": HOME})
    assert (answer.status_code, answer.json["error"]) == (422, "photo")
    session.close()

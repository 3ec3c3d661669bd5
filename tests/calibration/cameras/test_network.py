"""A phone as a camera: a stream over the network that stalls, breaks off in half a picture, and
comes back."""

from __future__ import annotations

import base64
import io
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.cameras.device import DeviceReader
from calibration.cameras.network import (
    LARGEST_JPEG_BYTES,
    JpegCutter,
    JpegStream,
    decoded_within_limits,
    open_jpegs,
)
from calibration.cameras.webcam import open_stream
from calibration.errors import CameraStopped
from companion.capture.live import LiveCamera
from companion.errors import CameraTrouble


class Phone:
    """Serves a multipart stream of noisy pictures on this machine; `mode` is well, stall, half (the
    stream ends in a picture), torn (each picture ends halfway) or mixed (every third does)."""

    def __init__(self) -> None:
        phone = self
        self.mode = "well"
        self.visits = 0
        self.kind = "multipart/x-mixed-replace; boundary=frame"
        self.secret, self.asks = "", 'Basic realm="phone"'
        self.over = threading.Event()
        rng = np.random.default_rng(3)
        self.pictures = [
            cv2.imencode(".jpg", rng.integers(40, 220, (120, 160, 3), np.uint8))[1].tobytes() for _ in range(16)
        ]  # fmt: skip

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                phone.visits += 1
                if phone.secret not in self.headers.get("Authorization", ""):
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", phone.asks)
                    self.end_headers()
                else:
                    phone.stream(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = (
            False  # closing then waits for every visitor: no socket is left to be found open later
        )
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/video"

    def stream(self, to: BaseHTTPRequestHandler) -> None:
        """Send pictures until the fault of the moment."""
        to.send_response(200)
        to.send_header("Content-Type", self.kind)
        to.end_headers()
        try:
            for number in range(100_000):
                picture = self.pictures[number % len(self.pictures)]
                if self.mode == "torn" or (self.mode == "mixed" and number % 3 == 0):
                    picture = picture[: len(picture) // 2]
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n".encode()
                if self.mode == "half":
                    to.wfile.write(head + picture[: len(picture) // 2])
                    return
                while self.mode == "stall" and not self.over.wait(0.05):
                    pass
                to.wfile.write(head + picture + b"\r\n")
                time.sleep(0.04)
        except OSError:
            return

    def close(self) -> None:
        """Hang up."""
        self.over.set()
        self.mode = "half"
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def phone() -> Iterator[Phone]:
    """A phone that streams."""
    phone = Phone()
    yield phone
    phone.close()


def drain(camera: LiveCamera) -> None:
    """Read until the camera complains."""
    while camera.read() is not None:
        pass


@pytest.mark.parametrize("fault", ["stall", "half"])
def test_a_network_camera_that_fails_comes_back_by_itself(phone: Phone, fault: str) -> None:
    """A stalled stream and one that ends in half a picture are told; after that it connects anew
    and gives pictures."""
    camera = LiveCamera(open_stream, phone.address, "127.0.0.1", silence_s=1.0)
    try:
        first = camera.read()
        assert first is not None
        assert first.image.shape == (120, 160, 3)
        phone.mode = fault
        with pytest.raises(CameraTrouble):
            drain(camera)
        visits = phone.visits
        phone.mode = "well"
        again = camera.read()
        assert again is not None
        assert again.t_s > first.t_s
        assert phone.visits > visits
    finally:
        camera.close()


def test_a_lower_half_is_never_an_older_one(phone: Phone) -> None:
    """A stream that breaks every third picture off gives only whole ones, both halves of the same
    moment; one that breaks all off gives none, and that is told."""
    camera = LiveCamera(open_stream, phone.address, "127.0.0.1", silence_s=1.0)
    sent = [
        cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) for data in phone.pictures
    ]
    try:
        assert camera.read() is not None
        phone.mode = "mixed"
        for _ in range(12):
            frame = camera.read()
            assert frame is not None
            assert any(np.array_equal(frame.image, picture) for picture in sent)
        phone.mode = "torn"
        with pytest.raises(CameraTrouble):
            drain(camera)
    finally:
        camera.close()


def test_a_camera_with_a_password_gets_it_and_nobody_else_sees_it(phone: Phone) -> None:
    """Without the password the sentence says where to put it; with it there are pictures; the
    camera's name never shows it."""
    phone.secret = "Basic " + base64.b64encode(b"me:pass word").decode("ascii")
    with pytest.raises(CameraStopped, match="http://name:password@"):
        open_stream(phone.address)
    with pytest.raises(CameraStopped) as refused:
        open_stream(phone.address.replace("//", "//me:wrong1@"))
    assert "wrong1" not in str(refused.value)
    camera = open_stream(phone.address.replace("//", "//me:pass%20word@"))
    assert camera.read().image.shape == (120, 160, 3)
    assert "pass" not in camera.name
    camera.close()
    phone.secret, phone.asks = (
        'Digest username="me"',
        'Digest realm="phone", nonce="8f2c", qop="auth", algorithm=MD5',
    )
    camera = open_stream(phone.address.replace("//", "//me:pass%20word@"))
    assert camera.read().image.shape == (120, 160, 3)
    camera.close()


def test_a_page_for_people_is_told_from_a_stream_and_from_silence(phone: Phone) -> None:
    """The address of a camera's page is a usual slip: the sentence says that it answers, and what
    to give instead."""
    phone.kind = "text/html"
    with pytest.raises(CameraStopped, match="page, not with pictures"):
        open_stream(phone.address)


def framed(pictures: list[bytes]) -> bytes:
    """The pictures as a stream sends them, with lengths that are all wrong."""
    return b"".join(
        b"--frame\r\nContent-Length: 7\r\n\r\n" + picture + b"\r\n" for picture in pictures
    )


@pytest.mark.parametrize("step", [1, 7, 1000, 10**6])
def test_whole_pictures_are_cut_out_whatever_the_stream_says(phone: Phone, step: int) -> None:
    """In pieces of any size, with wrong lengths, a thumbnail inside and a picture that breaks off:
    the whole ones, unchanged."""
    one, two, three = phone.pictures[:3]
    thumbnail = (
        one[:2]
        + b"\xff\xe1"
        + (len(two) % 60_000 + 2).to_bytes(2, "big")
        + two[: len(two) % 60_000]
        + one[2:]
    )
    stream, cutter = framed([one, thumbnail, two[: len(two) // 2], three]), JpegCutter()
    cut = [
        whole for at in range(0, len(stream), step) for whole in cutter.feed(stream[at : at + step])
    ]
    assert cut == [one, thumbnail, three]


def test_endless_bytes_fill_no_memory(phone: Phone) -> None:
    """A picture without an end is thrown away; the next whole one is cut out."""
    cutter, endless = JpegCutter(), b"\x00" * (1 << 20)
    assert cutter.feed(phone.pictures[0][:-2]) == []
    assert [whole for _ in range(40) for whole in cutter.feed(endless)] == []
    assert len(cutter._bytes) <= LARGEST_JPEG_BYTES
    assert cutter.feed(phone.pictures[1] + phone.pictures[2]) == phone.pictures[1:3]


def test_pictures_too_large_for_a_frame_are_halved_and_bombs_refused() -> None:
    """A phone's 12 million pixels come at half the size; what is larger than any camera films is no picture,
    nor is a header that promises gigabytes."""
    large = cv2.imencode(".jpg", np.full((3000, 4000, 3), 90, np.uint8))[1].tobytes()
    halved = decoded_within_limits(large)
    assert halved is not None
    assert halved.shape == (1500, 2000, 3)
    larger = cv2.imencode(".jpg", np.full((5000, 8192, 3), 90, np.uint8))[1].tobytes()
    assert decoded_within_limits(larger) is None
    at = large.index(b"\xff\xc0") + 5
    assert (
        decoded_within_limits(large[:at] + (65_500).to_bytes(2, "big") * 2 + large[at + 4 :])
        is None
    )


@contextmanager
def served(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server on this machine that answers so."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("size", [(1, 640), (480, 1), (63, 63)])
def test_a_picture_of_a_few_pixels_is_none(size: tuple[int, int]) -> None:
    """What looks for a table in it finds rows that are not there."""
    jpeg = cv2.imencode(".jpg", np.full(size, 128, np.uint8))[1].tobytes()
    assert decoded_within_limits(jpeg) is None
    stream = JpegStream(io.BufferedReader(io.BytesIO(2 * jpeg)))
    assert DeviceReader(stream, is_webcam=False).next_frame(time.monotonic(), 1) is None


@pytest.mark.parametrize("container", ["avi", "mp4", "mkv"])
def test_a_film_over_http_is_read_as_a_stream(tmp_path: Path, container: str) -> None:
    """What is no JPEG stream and no playlist goes through FFmpeg as before."""
    codec = "mp4v" if container == "mp4" else "MJPG"
    film = cv2.VideoWriter(
        str(tmp_path / f"film.{container}"), cv2.VideoWriter.fourcc(*codec), 10, (320, 240)
    )
    for level in range(0, 200, 20):
        film.write(np.full((240, 320, 3), level, np.uint8))
    film.release()
    serve = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with served(serve) as address:
        camera = open_stream(f"{address}/film.{container}")
        assert camera.read() is not None
        camera.close()


def test_a_playlist_sends_nobody_to_another_machine() -> None:
    """It is refused in words, and nobody is contacted where it says."""
    trap = socket.create_server(("0.0.0.0", 0))
    trap.settimeout(0.5)
    there = f"http://127.0.0.2:{trap.getsockname()[1]}/film"
    told = f"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n{there}.ts\n#EXT-X-ENDLIST\n".encode()

    class Lists(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/vnd.apple.mpegurl")
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *_: object) -> None:
            """Silent."""

    with trap, served(Lists) as address:
        with pytest.raises(CameraStopped):
            open_stream(f"{address}/live")
        with pytest.raises(TimeoutError):
            trap.accept()


@pytest.mark.parametrize(
    "there", ["ftp://127.0.0.1", "http://127.0.0.2", "http://localhost", "//127.0.0.2"]
)
def test_a_redirect_to_another_kind_of_address_or_another_host_is_not_followed(there: str) -> None:
    """A camera that sends us to ftp://, or to the neighbour's router, is refused in words, and nobody is
    contacted there: only the camera that was given is."""
    trap = socket.create_server(("0.0.0.0", 0))
    trap.settimeout(0.2)

    class Sends(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", f"{there}:{trap.getsockname()[1]}/video")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Silent."""

    with trap, served(Sends) as address:
        with pytest.raises(CameraStopped, match="answers 302"):
            open_jpegs(f"{address}/")
        with pytest.raises(TimeoutError):
            trap.accept()

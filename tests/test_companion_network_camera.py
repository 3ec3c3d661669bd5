"""A phone as a camera: a stream over the network that stalls, breaks off in half a picture, and comes back."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from calibration.webcam import open_stream
from companion.capture import LiveCamera
from companion.errors import CameraTrouble


class Phone:
    """Serves a multipart stream of noisy pictures on this machine; `mode` is well, stall, half (the stream ends in a picture) or
    torn (each picture ends halfway)."""

    def __init__(self) -> None:
        phone = self
        self.mode = "well"
        self.visits = 0
        self.over = threading.Event()
        rng = np.random.default_rng(3)
        self.pictures = [
            cv2.imencode(".jpg", rng.integers(40, 220, (120, 160, 3), np.uint8))[1].tobytes() for _ in range(16)
        ]  # fmt: skip

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                phone.visits += 1
                phone.stream(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/video"

    def stream(self, to: BaseHTTPRequestHandler) -> None:
        """Send pictures until the fault of the moment."""
        to.send_response(200)
        to.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        to.end_headers()
        try:
            for number in range(100_000):
                picture = self.pictures[number % len(self.pictures)]
                if self.mode == "torn":
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
    """A stalled stream and one that ends in half a picture are told; after that it connects anew and gives pictures."""
    camera = LiveCamera(open_stream, phone.address, "at 127.0.0.1", silence_s=1.0)
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


def test_a_picture_of_which_half_is_missing_is_none(phone: Phone) -> None:
    """Of a stream that sends half of each picture, the rest filled with one colour, nothing is passed on; it is told."""
    phone.mode = "torn"
    camera = LiveCamera(open_stream, phone.address, "at 127.0.0.1", silence_s=1.0)
    try:
        with pytest.raises(CameraTrouble):
            camera.read()
        phone.mode = "well"
        assert camera.read() is not None
    finally:
        camera.close()

"""Pictures that are still coded: small at once, whole when asked, and never worse than the decoded
ones."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from calibration.cameras import webcam
from calibration.cameras.device import jpeg_in
from calibration.cameras.jpeg_frame import JpegFrame, frame_of_jpeg
from calibration.cameras.port import Frame
from calibration.cameras.webcam import Webcam
from companion.vision.frame.motion_gate import shrink


def scene(width: int = 640, height: int = 360) -> np.ndarray:
    y, x = np.mgrid[:height, :width]
    plain = np.stack([90 + 0.1 * x, 120 + 0.2 * y, 150 + 20 * np.sin(x / 30)], axis=-1)
    return np.clip(plain + np.random.default_rng(2).normal(0, 3, plain.shape), 0, 255).astype(
        np.uint8
    )


def jpeg_of(image: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()


def coded(image: np.ndarray) -> JpegFrame:
    frame = frame_of_jpeg(jpeg_of(image), (image.shape[1], image.shape[0]), 2.5, 7)
    assert frame is not None
    return frame


def test_a_coded_frame_is_a_frame() -> None:
    """Time, number and picture are those of the decoded one, and the picture is decoded only when
    asked for."""
    frame = coded(scene())
    assert isinstance(frame, Frame)
    assert (frame.t_s, frame.number, frame.decoded) == (2.5, 7, False)
    assert np.array_equal(
        frame.image, cv2.imdecode(np.frombuffer(frame.jpeg, np.uint8), cv2.IMREAD_COLOR)
    )
    assert frame.decoded
    assert frame.image is frame.image


def test_the_small_picture_is_what_the_motion_gate_makes_of_the_whole() -> None:
    """Sizes that are no multiple of eight included, no cell is off by more than two grey levels."""
    for size in ((640, 360), (637, 355)):
        frame = coded(scene(*size))
        by_gate = shrink(frame.image)
        assert frame.small.shape == by_gate.shape
        inner = np.abs(frame.small.astype(int) - by_gate.astype(int))[:-1, :-1]
        assert inner.max() <= 2


def test_what_is_no_picture_makes_no_frame_and_half_a_one_no_crash() -> None:
    """Nonsense and a head alone give None; a picture cut off in the middle is one of the size that
    its head told."""
    whole = jpeg_of(scene())
    assert frame_of_jpeg(b"nonsense", (640, 360), 0.0, 0) is None
    assert frame_of_jpeg(whole[:300], (640, 360), 0.0, 0) is None
    assert frame_of_jpeg(whole, (6400, 3600), 0.0, 0) is None
    broken = frame_of_jpeg(whole[: len(whole) // 2], (640, 360), 0.0, 0)
    assert broken is None or broken.image.shape == (360, 640, 3)


def test_a_drivers_row_of_bytes_is_a_jpeg_only_when_it_is_one() -> None:
    """Padding is cut off; a decoded picture, two bytes a pixel and a broken picture are none."""
    whole = jpeg_of(scene())
    row = np.frombuffer(whole + bytes(40), np.uint8)
    assert jpeg_in(row[None]) == jpeg_in(row[:, None]) == jpeg_in(row) == whole
    assert jpeg_in(scene()) is None
    assert jpeg_in(np.zeros((360, 640, 2), np.uint8)) is None
    assert jpeg_in(row[None, :2000]) is None


def test_a_webcams_picture_without_its_tables_is_decoded() -> None:
    """Webcams leave the standard Huffman tables out of their JPEGs; small and whole picture are the
    same without them."""
    image = scene()
    whole = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_OPTIMIZE, 0])[1].tobytes()
    bare, at = bytearray(whole[:2]), 2
    while whole[at + 1] != 0xDA:
        length = 2 + int.from_bytes(whole[at + 2 : at + 4], "big")
        bare += b"" if whole[at + 1] == 0xC4 else whole[at : at + length]
        at += length
    bare += whole[at:]
    assert len(bare) < len(whole)
    frames = [frame_of_jpeg(data, (640, 360), 0.0, 0) for data in (whole, bytes(bare))]
    assert frames[0] is not None
    assert frames[1] is not None
    assert np.array_equal(frames[0].small, frames[1].small)
    assert np.array_equal(frames[0].image, frames[1].image)


class Driver:
    """A webcam's driver that gives JPEGs when it is asked for them; `gives` is what it gives then."""

    def __init__(self, gives: list[np.ndarray]) -> None:
        self.gives, self.converts, self.grabbed = gives, True, 0

    def get(self, prop: int) -> float:
        return float(cv2.VideoWriter.fourcc(*"MJPG")) if prop == cv2.CAP_PROP_FOURCC else 640.0

    def set(self, prop: int, value: float) -> bool:
        if prop == cv2.CAP_PROP_CONVERT_RGB:
            self.converts = bool(value)
        return True

    def read(self) -> tuple[bool, np.ndarray]:
        return True, scene() if self.converts else self.gives.pop(0) if len(
            self.gives
        ) > 1 else self.gives[0]

    def grab(self) -> bool:
        self.grabbed += 1
        return True

    def release(self) -> None:
        pass


def plugged(monkeypatch: pytest.MonkeyPatch, gives: list[np.ndarray]) -> tuple[Webcam, Driver]:
    driver = Driver(gives)
    monkeypatch.setattr(webcam, "_opened", lambda number: driver)
    monkeypatch.setattr(webcam, "set_mains", lambda *_: 50)
    monkeypatch.setattr("platform.system", lambda: "Linux")
    return Webcam("0"), driver


def test_a_webcam_that_gives_jpegs_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its frames come coded, and their picture is the camera's."""
    camera, _ = plugged(monkeypatch, [np.frombuffer(jpeg_of(scene()), np.uint8)[None]])
    frame = camera.read()
    assert isinstance(frame, JpegFrame)
    assert not frame.decoded
    assert frame.image.shape == (360, 640, 3)


def test_a_driver_that_gives_something_else_decodes_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two bytes a pixel, or JPEGs that break: after a few pictures at most it is asked for decoded
    ones, and gives them."""
    broken = np.frombuffer(b"\xff\xd8\xff" + bytes(500) + b"\xff\xd9", np.uint8)[None]
    for gives in ([np.zeros((360, 640, 2), np.uint8)], [broken]):
        camera, driver = plugged(monkeypatch, gives)
        frame = camera.read()
        assert not isinstance(frame, JpegFrame)
        assert frame.image.shape == (360, 640, 3)
        assert driver.converts


def test_pictures_that_are_not_due_are_let_go_undecoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once its controls are locked a webcam gives what is asked for and no more; it still tells how many
    it takes."""
    now_s = 100.0

    def later() -> float:
        nonlocal now_s
        now_s += 1 / 60  # asked twice a picture
        return now_s

    monkeypatch.setattr("time.monotonic", later)
    camera, driver = plugged(monkeypatch, [np.frombuffer(jpeg_of(scene()), np.uint8)[None]])
    camera.every_s = 0.5
    while not driver.grabbed:
        camera.read()
    locked_s = now_s - 100.0
    before = driver.grabbed
    times = [camera.read().t_s for _ in range(4)]
    assert locked_s > 2.0, "while exposure settles every picture counts"
    assert min(b - a for a, b in itertools.pairwise(times)) > 0.4
    assert driver.grabbed - before > 4 * 5
    assert camera.mode.fps > 10

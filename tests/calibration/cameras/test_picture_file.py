"""Pictures as bytes that nobody vouches for."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.cameras import picture_file
from calibration.cameras.network import decoded_within_limits
from calibration.cameras.picture_file import decode_image, jpeg_size, read_image
from calibration.errors import BadPicture


def test_a_damaged_picture_is_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    """Half a JPEG is refused in our words; the decoder's own never reach the terminal."""
    image = np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8)
    whole = cv2.imencode(".jpg", image)[1].tobytes()
    with pytest.raises(BadPicture, match="give another picture"):
        decode_image(whole[: len(whole) // 2])
    for damaged in (whole[:400] + whole[700:], whole[:2000] + b"\x17" * 900 + whole[2900:]):
        with contextlib.suppress(BadPicture):
            decode_image(damaged)
    assert capfd.readouterr() == ("", "")


def test_what_has_no_end_is_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that gives bytes for ever, and a file larger than any picture, are refused in words."""
    endless = Path("/dev/zero")
    if endless.exists():
        with pytest.raises(BadPicture, match="it is no file"):
            read_image(endless)
    with pytest.raises(BadPicture, match="it is a folder"):
        read_image(tmp_path)
    monkeypatch.setattr(picture_file, "LIMITS", replace(picture_file.LIMITS, file_bytes=1000))
    (large := tmp_path / "large.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(2000))
    with pytest.raises(BadPicture, match="larger than any picture"):
        read_image(large)


def test_a_picture_of_too_many_scans_is_none() -> None:
    """A progressive JPEG may send the decoder over the whole picture again and again, thirty bytes each
    time: minutes of a core. What cameras send has a dozen scans."""
    image = np.random.default_rng(2).integers(0, 255, (64, 96, 3), np.uint8)
    sound = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
    scan = sound[sound.rindex(b"\xff\xda") : -2]
    restarted = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_RST_INTERVAL, 1])[1].tobytes()
    assert jpeg_size(sound) == jpeg_size(restarted) == (96, 64)
    assert jpeg_size(sound + scan * 200) == (96, 64), "what follows the picture is not looked at"
    hidden = b"\xff\x01" + (2 + 50 * len(scan)).to_bytes(2, "big") + scan * 50
    for bomb in (
        sound[:-2] + scan * 200 + b"\xff\xd9",
        sound[:-2] + hidden * 4,
        sound[:-2] + scan * 200,
    ):
        assert jpeg_size(bomb) is None
        assert decoded_within_limits(bomb) is None
        with pytest.raises(BadPicture):
            decode_image(bomb)

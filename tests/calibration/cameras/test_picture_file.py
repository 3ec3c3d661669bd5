"""Pictures as bytes that nobody vouches for."""

from __future__ import annotations

import contextlib

import cv2
import numpy as np
import pytest

from calibration.cameras.picture_file import decode_image
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

"""Cameras that are not there: one sentence, no crash, no secret of an address told."""

from __future__ import annotations

import platform

import pytest

from calibration.cameras.webcam import CameraName, open_stream, open_webcam
from calibration.errors import CameraStopped


def test_a_camera_that_is_not_there_is_said_in_a_sentence() -> None:
    """A number far out of range, and a name nobody has: nobody is sent to close other programs."""
    missing = "there is no camera 97" if platform.system() == "Linux" else "does not open"
    with pytest.raises(CameraStopped, match=missing):
        open_webcam("97")
    with pytest.raises(CameraStopped, match="no camera called 'nobody'"):
        open_webcam("nobody")


def test_an_address_that_does_not_answer_is_told_without_its_password() -> None:
    """Nothing listens there; the sentence names the host only."""
    with pytest.raises(CameraStopped) as error:
        open_stream("http://ida:secret@127.0.0.1:9/video")
    assert "127.0.0.1:9/video" in str(error.value)
    assert "secret" not in str(error.value)


def test_a_camera_is_listed_as_number_and_name() -> None:
    """What `companion doctor` prints."""
    assert str(CameraName(0, "HD Webcam")) == "0  HD Webcam"

"""The tree of things that stop calibration. Knows sentences for people; must not know the game or
the command line.

CalibrationError          every error a person can act on; its text says what to do next
├── PlaneNotSeen          the picture does not show the table plane
├── BadPicture            a file that is no picture or footage this product opens
└── CameraStopped         a camera that does not open, or gives no more pictures
"""

from __future__ import annotations


class CalibrationError(Exception):
    """Raised when calibration cannot go on; the text is one sentence for a person and says what to
    do next."""


class PlaneNotSeen(CalibrationError):
    """Raised when the tokens, the tray or the markers in a picture do not give the table plane."""


class BadPicture(CalibrationError):
    """Raised when a file is missing, unreadable, too large, or no picture or footage."""


class CameraStopped(CalibrationError):
    """Raised when a camera does not open, or gives no picture though it should."""

"""Until when the table was watched: what a restart must know to tell what may have gone by unseen.

A file of one number, seconds since 1970, and its check sum: a copy of the folder says the same. Only a
note: without it, or where its sum does not hold, the last entry's time has to do, and a question more
may be asked.
"""

from __future__ import annotations

import contextlib
import math
from pathlib import Path

from card_printables.files import read_regular
from companion.journal.side import check_sum

FILE = "journal.watched"

NOTED_S = 4.0
"""So often it is written: a pause so long hides nothing (`companion.dealing.long_pause`)."""

LONGEST = 40
"""No number with its sum is longer."""


class Watched:
    """The note of one data folder; called by the watching thread only."""

    def __init__(self, folder: Path) -> None:
        self._at = folder / FILE
        self.until_s = _told_s(self._at)
        """When somebody looked last, as entries are dated; -inf where nobody knows."""
        self._noted_s = -math.inf

    def note_look(self, at_s: float) -> None:
        """The table was looked at; a disk that fails changes nothing."""
        self.until_s = at_s
        if 0.0 <= at_s - self._noted_s < NOTED_S:
            return
        self._noted_s = at_s
        with contextlib.suppress(OSError):
            if self._at.exists() and not self._at.is_file():
                return
            told = f"{at_s:.1f}"
            self._at.write_text(f"{told} {check_sum(told.encode())}", encoding="ascii")


def _told_s(at: Path) -> float:
    try:
        told, _, sum_ = read_regular(at, LONGEST + 1).partition(b" ")
        told_s = float(told)
    except (OSError, ValueError):
        return -math.inf
    whole = sum_ == check_sum(told).encode() and math.isfinite(told_s)
    return told_s if whole else -math.inf

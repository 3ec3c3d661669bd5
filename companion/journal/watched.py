"""Until when the table was watched: what a restart must know to tell what may have gone by unseen.

A file of one number, seconds since 1970: a copy of the folder says the same. Only a note: without it, or
where it is none, the last entry's time has to do, and a question more may be asked.
"""

from __future__ import annotations

import contextlib
import math
from pathlib import Path

FILE = "journal.watched"

NOTED_S = 4.0
"""So often it is written: a pause so long hides nothing (`companion.dealing.long_pause`)."""


LONGEST = 40
"""No number is longer."""


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
            self._at.write_text(f"{at_s:.1f}", encoding="ascii")


def _told_s(at: Path) -> float:
    try:
        if not at.is_file():
            return -math.inf
        with at.open("rb") as file:
            told = file.read(LONGEST + 1)
        told_s = float(told) if len(told) <= LONGEST else -math.inf
    except (OSError, ValueError):
        return -math.inf
    return told_s if math.isfinite(told_s) else -math.inf

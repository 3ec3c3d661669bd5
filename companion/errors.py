"""The tree of things that stop the companion. Illegal play is no exception: it is a `Refusal` value
in the game.

CompanionError            every error a person can act on; its text says what to do next
├── BadInput              a file, an option or a name that cannot be used
├── CameraTrouble         no camera, or it does not open
├── TooMuch               work takes more memory or time than it may (`limited_process`)
│   └── WorkEnded         its process is gone before it was done
├── HallTrouble           the hall's database cannot be used
│   └── HallAway          it is not there just now
└── JournalTrouble        the evening's log cannot be written or read
"""

from __future__ import annotations


class CompanionError(Exception):
    """Raised when the companion cannot go on; the text is one sentence for a person and says what
    to do next."""


class BadInput(CompanionError):
    """Raised when a file, an option or a name cannot be used."""


class CameraTrouble(CompanionError):
    """Raised when there is no such camera or it gives no picture. `shows` says what it gives instead of
    new ones: "black", "still" for the same picture all the time, or "" for nothing."""

    def __init__(self, text: str, shows: str = "") -> None:
        super().__init__(text)
        self.shows = shows


class JournalTrouble(CompanionError):
    """Raised when the evening's log cannot be opened, written or understood."""


class HallTrouble(CompanionError):
    """Raised when the hall's database cannot be reached, made or understood."""


class HallAway(HallTrouble):
    """Raised when the hall's database is not there just now: the same may be asked again."""

"""What people write (names, places, clouds' names) as one line that every screen can show."""

from __future__ import annotations

import unicodedata

_JOINING = frozenset(("\u200c", "\u200d", *map(chr, range(0xE0020, 0xE0080))))
"""Unseen characters that Persian names, families of emoji and flags need. Of the others some turn
the direction of everything after them, and some make two names that look the same."""

_UNSEEN = ("Cf", "Cs")
"""Signs that only steer, and halves of characters, which no file can hold."""


def one_line(text: str) -> str:
    """The text without control characters (a terminal would obey them) and unseen ones, each letter
    written one way (é is one sign, never an e and an accent); empty when nothing of it can be seen."""
    seen = [
        c
        for c in unicodedata.normalize("NFC", text)
        if c in _JOINING or unicodedata.category(c) not in _UNSEEN
    ]
    kept = "".join(" " if unicodedata.category(c) == "Cc" else c for c in seen)
    if all(c in _JOINING or c.isspace() for c in kept):
        return ""
    return unicodedata.normalize("NFC", " ".join(kept.split()))  # what was unseen stood between

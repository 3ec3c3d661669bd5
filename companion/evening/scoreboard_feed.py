"""The screens' side of a session: every scoreboard once and in order, for as many screens as look on.

Knows boards and their stamps; must not know the game, and holds nothing for any one screen.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

Board = dict[str, Any]

RECENT_BOARDS = 32
"""So many scoreboards are kept for screens that are slow; 1.6 s of an evening at 20 events a
second."""


class ScoreboardFeed:
    """The scoreboards in the order in which they were published; one that equals the one before is
    none. Thread-safe, with a lock of its own: a screen that waits never holds up a command."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._stamp = 0
        self._woken = 0
        self._newest: Board = {}
        self._recent: deque[Board] = deque(maxlen=RECENT_BOARDS)

    @property
    def newest(self) -> Board:
        """The present scoreboard."""
        return self._newest

    def publish(self, board: Board) -> None:
        """Show this scoreboard to every screen, where it differs from the last one."""
        with self._changed:
            if board == self._newest:
                return
            self._newest = board
            self._stamp += 1
            self._recent.append(board)
            self._changed.notify_all()

    def wake(self) -> None:
        """Let nobody wait any longer: the server stops."""
        with self._changed:
            self._woken += 1
            self._changed.notify_all()

    def wait_for_change(self, seen: int, timeout_s: float) -> tuple[Board | None, int]:
        """The scoreboard after the one stamped `seen`, and its stamp; the newest for a screen that
        is new (-1) or far behind; (None, seen) after `timeout_s`, or woken."""
        with self._changed:
            woken = self._woken
            self._changed.wait_for(lambda: self._stamp != seen or self._woken != woken, timeout_s)
            if self._stamp == seen:
                return None, seen
            behind = self._stamp - seen
            if seen < 0 or not 0 < behind <= len(self._recent):
                return self._newest, self._stamp
            return self._recent[-behind], seen + 1

"""One screen's view of the session: the scoreboards it has not been given yet, in order. Holds
nothing but a number."""

from __future__ import annotations

from typing import Any, Protocol


class Changing(Protocol):
    """The part of the session that a screen waits for."""

    def wait_for_change(self, seen: int, timeout_s: float) -> tuple[dict[str, Any] | None, int]:
        """The scoreboard after the one stamped `seen`, and its stamp."""


class Subscription:
    """One screen: `get` waits for the next scoreboard; a screen that fell `RECENT` behind goes on
    with the newest."""

    def __init__(self, session: Changing) -> None:
        self._session = session
        self._seen = -1

    def get(self, timeout_s: float) -> dict[str, Any] | None:
        """The next scoreboard, or None when nothing changed for `timeout_s`."""
        board, self._seen = self._session.wait_for_change(self._seen, timeout_s)
        return board

    def close(self) -> None:
        """Nothing is held for a screen; there to be called."""

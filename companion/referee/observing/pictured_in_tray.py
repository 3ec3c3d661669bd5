"""A card told in the tray by its picture, its code unread: since when, and for how long.

Knows what pictures say of one card in the tray. Must not know its place in the middle.
"""

from __future__ import annotations

SURE_S = 0.25
"""A name that stands for less long may be of a look that the next one did not bear out; chosen."""


class PicturedInTray:
    """One card's picture in the tray."""

    __slots__ = ("_first_s", "_shown_s")

    def __init__(self) -> None:
        self.forget_picture()

    def forget_picture(self) -> None:
        """It lies in the middle again: whatever was told is void."""
        self._first_s: float | None = None
        self._shown_s = 0.0

    def note_picture(self, t_s: float, dt_s: float) -> None:
        """It was told there in this look, `dt_s` after the look before."""
        if self._first_s is None:
            self._first_s = t_s
        else:
            self._shown_s += dt_s

    @property
    def pictured_s(self) -> float | None:
        """Since when it has been told there by its picture; None: it was not."""
        return self._first_s if self._shown_s >= SURE_S else None

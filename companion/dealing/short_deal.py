"""A deal of which one card is never read: played all the same, for the others lay long and then
began to leave.

A marker may be too far, too dark or lie under something for a whole round. Knows which fresh cards
lie; must not know rounds, players or points.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.table.resting import Placement

PATIENCE_S = 8.0
"""So long the cards lay before one of them was missed (which takes some seconds): a card forgotten
or a mis-deal is mended sooner. Cards that all go at once may as well have been picked up again:
they are no deal here."""

GONE_S = 2.0
"""A card that was lifted to be laid better comes back sooner (it has been unread for some seconds
by then)."""


class ShortDeal:
    """Watches for a deal of all cards but one."""

    def __init__(self) -> None:
        self._full: dict[int, Placement] = {}
        self._since_s = 0.0
        self._now_s = 0.0
        self._fell_s: float | None = None

    def observe_lying(self, lying: Sequence[Placement], t_s: float) -> None:
        """Take the fresh cards that lie at rest in the middle now."""
        now = {placement.card: placement for placement in lying}
        if not now or not now.keys() <= self._full.keys():
            self._full = now
            self._since_s = t_s
            self._fell_s = None
        elif len(now) == len(self._full):
            self._fell_s = None
        elif self._fell_s is None:
            self._fell_s = t_s
        self._now_s = t_s

    def find_deal(self, expected: int) -> tuple[Placement, ...]:
        """The cards of a deal of `expected` that is being played with one of them unread; else
        nothing."""
        if (
            len(self._full) != expected - 1
            or self._fell_s is None
            or self._fell_s - self._since_s < PATIENCE_S
        ):
            return ()
        gone = self._now_s - self._fell_s >= GONE_S
        return tuple(sorted(self._full.values(), key=lambda p: (p.since_s, p.card))) if gone else ()

    def forget_deal(self) -> None:
        """Wait for another deal."""
        self._full = {}
        self._fell_s = None

"""The curtain: no card number passes before the whole round lies face up.

Sits between the eye and everything else.  Knows readings and how many cards a deal has; must not know who plays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.table.laid import Laid
from companion.table.sighting import Glimpse, Sighting
from companion.table.zones import Zone, zone_of

REVEALED = "revealed"
"""The notice on the one glimpse that lifts the curtain: it holds a sighting of every card of the deal."""


class Curtain:
    """Withholds fresh card numbers until exactly `expected` of them lie at rest together in the middle."""

    def __init__(self, expected: int) -> None:
        self._laid = Laid(expected)
        self._latest: dict[int, Sighting] = {}
        self._shown: frozenset[int] = frozenset()
        self._was_open = False

    @property
    def expected(self) -> int:
        """How many cards a whole deal has."""
        return self._laid.expected

    @expected.setter
    def expected(self, count: int) -> None:
        self._laid.expected = count

    def draw(self, glimpse: Glimpse, is_fresh: Callable[[int], bool], open: bool) -> Glimpse:
        """The glimpse as others may see it: numbers of fresh cards are left out, `unnamed` counts those at rest.

        When the deal is whole, or `open` turns True while fresh cards lie (a mis-deal that people accept), the glimpse
        carries the latest sighting of every lying card and the notice "revealed"; from then on those cards pass.
        """
        if not glimpse.usable:
            return self._hide(glimpse, is_fresh)
        self._laid.see(glimpse, is_fresh)
        self._latest.update((s.card, s) for s in glimpse.sightings if is_fresh(s.card) and self._on_table(s))
        accepted = open and not self._was_open
        self._was_open = open
        if self._laid.whole or (accepted and self._laid.lying):
            return self._reveal(glimpse, is_fresh)
        return self._hide(glimpse, is_fresh)

    def _on_table(self, sighting: Sighting) -> bool:
        return zone_of(sighting.centre_mm, self._laid.table) is not Zone.EDGE

    def _reveal(self, glimpse: Glimpse, is_fresh: Callable[[int], bool]) -> Glimpse:
        self._was_open = True
        released = tuple(replace(self._latest[p.card], centre_mm=p.centre_mm) for p in self._laid.placements())
        self._shown = frozenset(s.card for s in released)
        self._laid.clear()
        self._latest.clear()
        shown = self._hide(glimpse, is_fresh)
        others = tuple(s for s in shown.sightings if s.card not in self._shown)
        return replace(shown, sightings=others + released, notices=(*shown.notices, REVEALED), unnamed=0)

    def _hide(self, glimpse: Glimpse, is_fresh: Callable[[int], bool]) -> Glimpse:
        def passes(card: int) -> bool:
            return card in self._shown or not is_fresh(card)

        return replace(
            glimpse,
            sightings=tuple(s for s in glimpse.sightings if passes(s.card)),
            places=tuple(p for p in glimpse.places if passes(p.card)),
            notices=tuple(n for n in glimpse.notices if _number(n) is None or passes(_number(n) or 0)),
            unnamed=len(self._laid.lying - self._shown),
        )


def _number(notice: str) -> int | None:
    """The card number at the end of a notice such as "twice:17", or None."""
    tail = notice.rpartition(":")[2]
    return int(tail) if ":" in notice and tail.isdigit() else None

"""The fresh cards that were met in the middle lately, whether or not they ever lay together.

Knows where and when each was read. Must not know which of them lie now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from companion.dealing.laid_model import LAID_MODEL
from companion.table.resting import Placement
from companion.table.sighting import Point
from companion.table.zones import distance_mm, nearest_mm

NOWHERE_MM = (1e6, 1e6)


class MetCards:
    """Where each card was met last, and where, without tokens, cards lie in a pile of taken ones."""

    def __init__(self) -> None:
        self._met: dict[int, Placement] = {}
        self._taken: dict[int, Point] = {}

    def placement(self, card: int) -> Placement | None:
        """Where this card was met; None if it was not."""
        return self._met.get(card)

    def note_met(self, now: Placement) -> None:
        """Remember where it was met; two readings are enough, also when it was pushed or taken in
        between."""
        known = self._met.get(now.card)
        if known is None or now.readings > 1:
            self._met[now.card] = now
        elif known.readings == 1:
            again = now.seen_s - known.seen_s < LAID_MODEL.twice_s
            self._met[now.card] = replace(known, readings=2) if again else now

    def is_taken(self, card: int, centre_mm: Point) -> bool:
        """Without tokens: true for a card that lay among the others and is read far from all of them
        now; it is one of a pile of taken cards, and stays there."""
        known = self._met.get(card)
        others = [p.centre_mm for p in self._met.values() if p.card != card and p.readings > 1]
        went = (
            known is not None
            and bool(others)
            and nearest_mm(centre_mm, (*others, known.centre_mm)) > LAID_MODEL.taken_mm
        )
        if not went:
            pile_mm = self._taken.get(card, NOWHERE_MM)
            went = distance_mm(pile_mm, centre_mm) < LAID_MODEL.taken_mm
        if went:
            self._taken[card] = centre_mm
        return went

    def met_since(self, early_s: float, lying: frozenset[int]) -> dict[int, Placement]:
        """The cards that lie, or were read twice and not before `early_s` for the last time."""
        return {
            card: met
            for card, met in self._met.items()
            if card in lying or (met.readings > 1 and met.seen_s > early_s)
        }

    def forget_surplus(self, gone: Iterable[int], expected: int) -> None:
        """Of more cards than a deal has, the first to leave was one too many."""
        left = [met for card in gone if (met := self._met.get(card)) is not None]
        if left and len(self._met) > expected:
            del self._met[min(left, key=lambda met: met.seen_s).card]

    def forget_cards(self, cards: frozenset[int]) -> None:
        """These were none."""
        self._met = {card: met for card, met in self._met.items() if card not in cards}

    def forget_old(self, t_s: float, is_fresh: Callable[[int], bool]) -> None:
        """Forget those met too long ago, and those that are no longer awaited."""
        self._met = {
            card: met
            for card, met in self._met.items()
            if t_s - met.seen_s <= LAID_MODEL.late_kept_s and is_fresh(card)
        }

    def forget_met(self) -> None:
        """Forget where cards were met; a pile of taken ones lies there still."""
        self._met.clear()

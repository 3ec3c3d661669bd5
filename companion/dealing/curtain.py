"""The curtain: no card number passes before the whole round lies face up.

Sits between the eye and everything else. Knows readings and how many cards a deal has; must not
know who plays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.dealing.laid import Laid
from companion.dealing.short_deal import ShortDeal
from companion.table.resting import Placement
from companion.table.sighting import Glimpse, Sighting
from companion.table.zones import Zone, zone_of

REVEALED = "revealed"
"""The notice on the one glimpse that lifts the curtain: it holds a sighting of every card of the
deal."""

SHORT = "card_unread"
"""The notice beside it where one card of the deal was never read."""

UNSEEN = "missed_round"
"""The notice beside it where nearly a whole deal of other cards has come and gone before."""

LEFT_ALREADY = 0.0
"""The score of a released sighting whose card had left before all were recognised: when it left is
not known."""


class Curtain:
    """Withholds fresh card numbers until exactly `expected` of them lie at rest together in the
    middle."""

    def __init__(self, expected: int) -> None:
        self._laid = Laid(expected)
        self._short = ShortDeal()
        self._latest: dict[int, Sighting] = {}
        self._shown: frozenset[int] = frozenset()
        self._was_open = self._all_pass = False

    @property
    def expected(self) -> int:
        """How many cards a whole deal has."""
        return self._laid.expected

    @expected.setter
    def expected(self, count: int) -> None:
        self._laid.expected = count

    def draw(self, glimpse: Glimpse, is_fresh: Callable[[int], bool], open: bool) -> Glimpse:
        """The glimpse as others may see it: numbers of fresh cards are left out, `unnamed` counts
        those at rest.

        `is_fresh` is False for cards of finished rounds; cards of the round that lies `open` pass
        whatever it says. When the deal is whole, or `open` turns True while fresh cards lie (a
        mis-deal that people accept, a deal entered by touch), the glimpse carries the latest
        sighting of every lying card and the notice "revealed". A deal that is played with one card
        unread is revealed once its cards begin to leave, with the notice "card_unread" beside it.
        """

        def hidden(card: int) -> bool:
            return is_fresh(card) and not (open and (self._all_pass or card in self._shown))

        by_word = self._opened_by_word(open, is_fresh)
        if glimpse.usable:
            self._laid.see(glimpse, hidden)
            self._latest.update(
                (s.card, s) for s in glimpse.sightings if hidden(s.card) and self._on_table(s)
            )
            if self._laid.whole or (by_word and self._laid.lying):
                return self._reveal(glimpse, hidden, self._laid.placements())
            self._short.see(self._laid.at_rest, glimpse.t_s)
            if not open and (dealt := self._short.dealt(self.expected)):
                return self._reveal(glimpse, hidden, dealt, (SHORT,))
        self._all_pass = open and (self._all_pass or (by_word and not self._laid.lying))
        return self._hide(glimpse, hidden)

    def _opened_by_word(self, open: bool, is_fresh: Callable[[int], bool]) -> bool:
        """True when the round lies open by somebody's word: a resumed evening, a touch, an accepted
        mis-deal."""
        turned, self._was_open = open and not self._was_open, open
        return turned and not any(is_fresh(card) for card in self._shown)

    def _on_table(self, sighting: Sighting) -> bool:
        return zone_of(sighting.centre_mm, self._laid.table) is not Zone.EDGE

    def _reveal(
        self,
        glimpse: Glimpse,
        hidden: Callable[[int], bool],
        dealt: tuple[Placement, ...],
        how: tuple[str, ...] = (),
    ) -> Glimpse:
        shown = self._hide(glimpse, hidden)
        released = tuple(self._release(p) for p in dealt)
        unread_s = tuple((p.card, max(0.0, glimpse.t_s - p.seen_s)) for p in dealt)
        self._shown = frozenset(s.card for s in released)
        unseen = (UNSEEN,) if self._laid.went and not self._laid.went & self._shown else ()
        self._was_open, self._all_pass = True, False
        self._laid.clear()
        self._short.clear()
        self._latest.clear()
        notices = (*shown.notices, REVEALED, *how, *unseen)
        return replace(
            shown,
            sightings=shown.sightings + released,
            notices=notices,
            unnamed=0,
            unread_s=unread_s,
        )

    def _release(self, placement: Placement) -> Sighting:
        sighting = replace(self._latest[placement.card], centre_mm=placement.centre_mm)
        in_tray = zone_of(placement.centre_mm, self._laid.table) is Zone.TRAY
        lies = placement.card in self._laid.lying or in_tray
        return sighting if lies else replace(sighting, score=LEFT_ALREADY)

    def _hide(self, glimpse: Glimpse, hidden: Callable[[int], bool]) -> Glimpse:
        def passes(card: int | None) -> bool:
            return card is None or not hidden(card)

        return replace(
            glimpse,
            sightings=tuple(s for s in glimpse.sightings if passes(s.card)),
            places=tuple(p for p in glimpse.places if passes(p.card)),
            notices=tuple(n for n in glimpse.notices if passes(_number(n))),
            unnamed=len(self._laid.lying),
        )


def _number(notice: str) -> int | None:
    """The card number at the end of a notice such as "twice:17", or None."""
    tail = notice.rpartition(":")[2]
    return int(tail) if ":" in notice and tail.isdigit() else None

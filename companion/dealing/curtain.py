"""The curtain: no card number passes before the whole round lies face up.

Between the eye and everything else: what the eye read goes in (`RawGlimpse`), what everyone may see
comes out (`Glimpse`), and with one of them the deal. Knows readings and how many cards a deal has;
must not know who plays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.dealing.laid import Laid
from companion.dealing.other_things import OtherThings
from companion.dealing.short_deal import ShortDeal
from companion.table.resting import Placement
from companion.table.sighting import (
    Attention,
    Deal,
    DealtCard,
    Glimpse,
    Point,
    RawGlimpse,
    Sighting,
)
from companion.table.zones import Zone, zone_of

IsHidden = Callable[[int], bool]


class Curtain:
    """Withholds fresh card numbers until exactly a deal of them lies at rest together in the
    middle."""

    def __init__(self) -> None:
        self._things = OtherThings()
        self._laid = Laid(0, self._things)
        self._short = ShortDeal()
        self._latest: dict[int, Sighting] = {}
        self._shown: frozenset[int] = frozenset()
        self._shown_s = 0.0
        self._shown_mm: tuple[Point, ...] = ()
        self._was_open = False
        self._asked_by_word = False

    def draw_curtain(self, raw: RawGlimpse, attention: Attention, is_open: bool) -> Glimpse:
        """The glimpse as others may see it: numbers of fresh cards are left out, `unnamed` counts
        those at rest.

        Fresh are all cards that finished rounds have not used up; those of the round that lies open
        (`is_open`) pass all the same. When the deal is whole, or a round opens by somebody's word
        while fresh cards lie (a mis-deal that people accept, a deal entered by touch), the glimpse
        carries the `Deal` and the latest sighting of each of its cards. A deal that is played with
        one card unread is revealed once its cards begin to leave.
        """
        open_cards = self._shown | attention.round_cards if is_open else frozenset()
        turned = self._opens_by_word(is_open, attention.gone_cards)
        self._asked_by_word = is_open and (self._asked_by_word or turned)
        by_word = self._asked_by_word
        # what a word has opened was hidden until this glimpse, and is named with the others
        before = frozenset[int]() if by_word else open_cards

        def is_awaited(card: int) -> bool:
            used = card in attention.gone_cards or card in before
            return not used and not self._things.holds(card)

        def is_hidden(card: int) -> bool:
            return card not in attention.gone_cards and card not in open_cards

        glimpse = raw.uncurtained
        self._laid.expected = attention.deal_size
        if glimpse.usable:
            self._asked_by_word = False
            self._things.learn_names(glimpse.names)
            self._laid.observe_glimpse(glimpse, is_awaited)
            if not by_word:
                self._tell_things(glimpse, before)
            self._latest.update(
                (s.card, s) for s in glimpse.sightings if is_awaited(s.card) and self._on_table(s)
            )
            if self._laid.whole or (by_word and self._laid.lying):
                return self._reveal(glimpse, is_awaited, self._laid.placements())
            self._short.observe_lying(self._laid.at_rest, glimpse.t_s)
            if not is_open and (dealt := self._short.find_deal(attention.deal_size)):
                return self._reveal(glimpse, is_awaited, dealt, one_unread=True)
        return self._hide(glimpse, is_hidden)

    def _tell_things(self, glimpse: Glimpse, open_cards: frozenset[int]) -> None:
        """What lies there without a name may be no card."""
        laid = self._laid
        if open_cards:
            of_round = sum(
                sighting.card in open_cards
                and zone_of(sighting.centre_mm, laid.table) is Zone.MIDDLE
                for sighting in glimpse.sightings
            )
            open_s = glimpse.t_s - self._shown_s
            found = self._things.beside_round(laid.lying, laid.steady_s, of_round, open_s)
            found |= self._things.over_round(laid.at_rest, self._shown_mm)
        else:
            found = self._things.lying_alone(laid.lying, laid.steady_s) | laid.beside_deal()
        self._things.add(found)
        laid.leave_out(found)

    def draw_over_recording(
        self, recorded: Glimpse, attention: Attention, is_open: bool
    ) -> Glimpse:
        """A glimpse that was behind a curtain when it was recorded, as others may see it: its own
        deal stands. What it names besides (footage without a curtain, a resumed round of an older
        recording) is withheld and waited for like any other."""
        if recorded.deal is not None:
            self._lift(frozenset(recorded.deal.places_mm))
            return recorded
        drawn = self.draw_curtain(RawGlimpse(recorded), attention, is_open)
        return replace(drawn, unnamed=max(drawn.unnamed, recorded.unnamed))

    def name_what_lies(self) -> None:
        """People accept what lies there, whatever its number: the next usable glimpse names it."""
        self._asked_by_word = True

    def _opens_by_word(self, is_open: bool, gone_cards: frozenset[int]) -> bool:
        """True when the round has just opened by somebody's word: a resumed evening, a touch, an
        accepted mis-deal."""
        turned = is_open and not self._was_open
        self._was_open = is_open
        return turned and self._shown <= gone_cards

    def _on_table(self, sighting: Sighting) -> bool:
        return zone_of(sighting.centre_mm, self._laid.table) is not Zone.EDGE

    def _reveal(
        self,
        glimpse: Glimpse,
        is_hidden: IsHidden,
        dealt: tuple[Placement, ...],
        one_unread: bool = False,
    ) -> Glimpse:
        shown = self._hide(glimpse, is_hidden)
        released = tuple(
            replace(self._latest[placement.card], centre_mm=placement.centre_mm)
            for placement in dealt
        )
        cards = tuple(self._dealt_card(placement, glimpse.t_s) for placement in dealt)
        dealt_cards = frozenset(placement.card for placement in dealt)
        self._shown_s = glimpse.t_s
        self._shown_mm = tuple(placement.centre_mm for placement in dealt)
        after_missed = bool(self._laid.went) and not self._laid.went & dealt_cards
        self._lift(dealt_cards)
        return replace(
            shown,
            sightings=shown.sightings + released,
            unnamed=0,
            deal=Deal(cards, one_unread, after_missed) if cards else None,
        )

    def _lift(self, dealt_cards: frozenset[int]) -> None:
        """These cards are the open round from now on; another deal is waited for."""
        self._shown = dealt_cards
        self._was_open = True
        self._laid.forget_deal()
        self._short.forget_deal()
        self._latest.clear()

    def _dealt_card(self, placement: Placement, now_s: float) -> DealtCard:
        in_tray = zone_of(placement.centre_mm, self._laid.table) is Zone.TRAY
        return DealtCard(
            placement.card,
            placement.centre_mm,
            max(0.0, now_s - placement.seen_s),
            had_left=placement.card not in self._laid.lying and not in_tray,
        )

    def _hide(self, glimpse: Glimpse, is_hidden: IsHidden) -> Glimpse:
        def passes(card: int | None) -> bool:
            return card is None or not is_hidden(card)

        return replace(
            glimpse,
            sightings=tuple(s for s in glimpse.sightings if passes(s.card)),
            places=tuple(p for p in glimpse.places if passes(p.card)),
            pictures=tuple(p for p in glimpse.pictures if passes(p.card)),
            names=tuple(pair for pair in glimpse.names if passes(pair[0])),
            notices=tuple(
                dict.fromkeys(
                    told
                    for notice in glimpse.notices
                    if (told := notice if passes(_number(notice)) else _unnumbered(notice))
                )
            ),
            unnamed=len(self._laid.lying),
        )


def _unnumbered(notice: str) -> str | None:
    """What may be said of a card that may not be named: that one lies there twice; else nothing."""
    return "one_twice" if notice.startswith("twice:") else None


def _number(notice: str) -> int | None:
    """The card number at the end of a notice such as "twice:17", or None."""
    tail = notice.rpartition(":")[2]
    return int(tail) if ":" in notice and tail.isdigit() else None

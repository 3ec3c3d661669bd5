"""The fresh cards read in the middle: each where it rests, and for how long it has been silent.

Knows readings and place reports. Must not know how many cards a deal has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from companion.dealing.laid_model import LAID_MODEL
from companion.table.resting import REST_REACH, Placement, Rest
from companion.table.sighting import Glimpse, PlaceReport, PlaceState, Point
from companion.table.zones import distance_mm, nearest_mm


@dataclass(frozen=True, slots=True)
class Together:
    """The cards that lie together, since when exactly these, and how many have left since one came."""

    cards: frozenset[int] = frozenset()
    since_s: float = 0.0
    falls: int = 0

    def followed_by(self, cards: frozenset[int], t_s: float) -> Together:
        """The same once these cards lie at `t_s`."""
        if cards == self.cards:
            return self
        left = len(self.cards - cards)
        return Together(cards, t_s, self.falls + left if cards < self.cards else 0)

    def forgotten(self) -> Together:
        """No card lies, for as long as before."""
        return replace(self, cards=frozenset(), falls=0)


@dataclass(slots=True)
class LyingCard:
    """One card read in the middle: its readings there, where it `settled` (None: not yet), and the
    seconds for which it has been silent, and its place bare."""

    rest: Rest
    settled: Placement | None = None
    silent_s: float = 0.0
    bare_s: float = 0.0

    def still_lies(self, surplus: bool) -> bool:
        """True while nothing says that it has gone; with one too many (`surplus`) less is needed."""
        if surplus:
            bare = self.bare_s >= LAID_MODEL.bare_s
            return not bare and self.silent_s <= LAID_MODEL.silence_surplus_s
        return self.silent_s <= LAID_MODEL.silence_s


class LyingCards:
    """The cards read in the middle."""

    def __init__(self) -> None:
        self._by_card: dict[int, LyingCard] = {}

    def read_card(self, card: int, t_s: float, centre_mm: Point, needed: int) -> Placement:
        """Take a reading; it has settled once it was read `needed` times. Where it rests by now."""
        lying = self._by_card.get(card)
        if lying is None:
            lying = self._by_card[card] = LyingCard(Rest(card, REST_REACH.dealt_mm))
        lying.rest.add_reading(t_s, centre_mm)
        lying.silent_s = 0.0
        if lying.rest.rests(needed, LAID_MODEL.span_s):
            lying.settled = lying.rest.placement()
        return lying.rest.placement()

    def note_unread(self, glimpse: Glimpse, dt_s: float, read: set[int]) -> None:
        """Note for how long each card has been silent, and its place bare; what is silent for too
        long, hidden or not, is forgotten."""
        tips = [hand.tip_mm for hand in glimpse.hands]
        filled = self._shown_as(PlaceState.OTHER, glimpse.places)
        for card, lying in list(self._by_card.items()):
            handled = nearest_mm(lying.rest.centre_mm, tips) <= LAID_MODEL.hand_reach_mm
            if card not in read and card not in filled and not handled:
                lying.silent_s += dt_s
            if glimpse.t_s - lying.rest.seen_s > LAID_MODEL.silence_hidden_s:
                self.forget_card(card)
        bare = self._shown_as(PlaceState.TABLE, glimpse.places)
        for card, lying in self._by_card.items():
            away = card in bare and nearest_mm(bare[card], tips) > LAID_MODEL.hand_reach_mm
            lying.bare_s = lying.bare_s + dt_s if away else 0.0

    def _shown_as(self, state: PlaceState, reports: Iterable[PlaceReport]) -> dict[int, Point]:
        """Where the reports show this state at the places of these cards."""
        return {
            report.card: report.centre_mm
            for report in reports
            if report.state is state
            and report.card in self._by_card
            and distance_mm(self._by_card[report.card].rest.centre_mm, report.centre_mm)
            <= LAID_MODEL.report_mm
        }

    def forget_card(self, card: int) -> None:
        """It lies in the middle no more."""
        self._by_card.pop(card, None)

    def forget_all(self) -> None:
        """No card lies in the middle."""
        self._by_card.clear()

    def lying(self, is_fresh: Callable[[int], bool], surplus: bool) -> frozenset[int]:
        """The fresh cards that lie at rest; `surplus`: one too many lies or has lain."""
        return frozenset(
            card
            for card, lying in self._by_card.items()
            if lying.settled is not None and is_fresh(card) and lying.still_lies(surplus)
        )

    def settled_count(self) -> int:
        """How many cards have settled, whether or not they still lie."""
        return sum(lying.settled is not None for lying in self._by_card.values())

    def settled(self, card: int) -> Placement | None:
        """Where it settled; None for a card that has not, or that is not read in the middle."""
        lying = self._by_card.get(card)
        return lying.settled if lying is not None else None

    def placements(self, cards: Iterable[int]) -> list[Placement]:
        """Where these settled cards lie."""
        return [place for card in cards if (place := self.settled(card)) is not None]

    def read_within(self, cards: Iterable[int], fresh_s: float) -> bool:
        """True when each of these cards has been silent for so long at most."""
        return all(self._by_card[card].silent_s <= fresh_s for card in cards)

    def read_since(self, cards: Iterable[int], since_s: float) -> bool:
        """True when each of these cards was read since then, whatever lies over it."""
        return all(self._by_card[card].rest.seen_s >= since_s for card in cards)

    def read_briefly(self, now_s: float) -> Placement | None:
        """The one card that was read a moment ago, at rest but too briefly to have settled."""
        brief = [
            lying.rest
            for lying in self._by_card.values()
            if lying.settled is None
            and lying.rest.rests(LAID_MODEL.readings - 1, LAID_MODEL.glimpsed_span_s)
            and now_s - lying.rest.seen_s < LAID_MODEL.glimpsed_ago_s
        ]
        return brief[0].placement() if len(brief) == 1 else None

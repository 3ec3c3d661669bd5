"""A round that people keep by touch because the camera did not see its deal: what lies there
meanwhile is no other round.

Knows what was tapped and how many fresh cards lie; must not know which, nor what they are worth.
Without it the cards of such a round, still lying after the last tap, would be taken for the next
deal, or the next deal for this round.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.game.change import scoring_of
from companion.game.ledger import Ledger
from companion.game.log import Log
from companion.table.sighting import Glimpse
from companion.table.zones import Zone, zone_of

BLIND_S = 3.0
"""A longer pause between two glimpses hides a claim (people hear of a stopped camera after so
long)."""

BARE_S = 1.5
"""The middle seen without any card for so long is bare; a hand over the last card is gone sooner.
"""

CLEARING_S, LONGEST_CLEARING_S = 20.0, 60.0
"""So long after the last tap of a round its cards may still lie: where the camera was away
meanwhile, and where it was not (no longer, for without tokens won cards that stay in view would
hold it for ever). Clearing up, drawing and looking in secret take some 20 s (`practice.people`)."""

LAY_S = 4.0
"""Half of a round's cards that lay so long, and then none, were that round."""


@dataclass(slots=True)
class ManualRound:
    """The newest round, dealt by touch with unknown cards: whether it is `over`, how many guesses
    were tapped, when the last tap was, and what the camera has seen since. All times are the wall
    clock's."""

    over: bool
    guesses: int
    cards: int
    tapped_s: float
    seen_s: float
    unseen: bool = False
    """True once the camera was away since the last tap, or at it."""
    bare: bool = False
    _bare_since_s: float | None = None
    _lain_s: float = 0.0
    _lying: int = 0

    def follow_clock(self, by_s: float) -> None:
        """The clock was set by so much: what was before happened no earlier and no later for that."""
        self.tapped_s += by_s
        self.seen_s += by_s
        if self._bare_since_s is not None:
            self._bare_since_s += by_s

    def observe_glimpse(self, glimpse: Glimpse, now_s: float) -> None:
        """Take one glimpse."""
        if not glimpse.usable:
            return
        self.tapped_s = min(
            self.tapped_s, now_s
        )  # what is still to come was tapped at another clock
        step_s, self.seen_s = max(0.0, now_s - self.seen_s), now_s
        self.unseen = self.unseen or step_s > BLIND_S
        had_left = glimpse.deal.had_left if glimpse.deal is not None else ()
        there = [s for s in glimpse.sightings if s.card not in had_left]
        named = sum(zone_of(s.centre_mm, glimpse.table) is Zone.MIDDLE for s in there)
        self._lying = max(named, glimpse.unnamed)
        if self._lying:
            self._bare_since_s = None
            self._lain_s += min(step_s, 1.0) if 2 * self._lying >= self.cards else 0.0
        elif self._bare_since_s is None or step_s > BLIND_S:
            self._bare_since_s = now_s
        self.bare = self.bare or (
            self._bare_since_s is not None and now_s - self._bare_since_s >= BARE_S
        )

    def holds(self, now_s: float) -> bool:
        """True while what lies may be the cards of this round, which is over."""
        longest_s = CLEARING_S if self.unseen else LONGEST_CLEARING_S
        return self.over and not self.bare and now_s - self.tapped_s < longest_s

    def ended_unseen(self) -> bool:
        """True when a deal found now cannot be this round, though nobody said how it ended: the
        middle was bare meanwhile, or more cards lie there than the wrong guesses left."""
        went = self.bare and (self.unseen or self._lain_s >= LAY_S)
        return not self.over and (went or self._lying > self.cards - self.guesses)


def manual_round_of(log: Log, ledger: Ledger, seen_s: float) -> ManualRound | None:
    """The newest round, if people dealt it and nobody knows its cards; `seen_s`: when the camera
    gave its last glimpse."""
    newest = ledger.rounds[-1] if ledger.rounds else None
    if newest is None or newest.dealt_by != "person" or None not in newest.known_cards:
        return None
    said = [entry.at_s for entry in scoring_of(log, newest.number) if entry.source == "person"]
    tapped_s = max(said, default=newest.dealt_at_s)
    away = tapped_s - seen_s > BLIND_S
    return ManualRound(
        newest.ending != "open",
        len(newest.guesses),
        len(newest.cards),
        tapped_s,
        max(seen_s, tapped_s),
        away,
    )

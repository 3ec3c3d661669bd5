"""The count of a deck: cards ticked off picture by picture, the missing, the doubled, and the ones
that read weakly.

Pure: takes readings in any number and order. Knows card numbers and likeness; knows no camera, no
page, no game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from companion.vision.codes.detection import Conflict, Detection, Reading

SOUND = 0.92
"""A likeness from which a print is as good as any; it is not measured again."""

WEAK_SHARE = 0.9
"""A card whose best likeness stays below this share of its peers' should be printed again: none of
1,000 sound prints did, and all 262 spoilt ones that could be read (`python -m
tests.benchmarks.deck_check --seeds 100`)."""

PEERS, FEWEST_PEERS = 8, 5
"""A card is compared with so many others whose codes were nearest in size in the picture: likeness
falls with distance, blur and light, so that no fixed number tells a bad print from a distant
camera. With fewer peers nothing is said."""

DIM = 0.87
"""When half of all cards stay below this likeness the camera sees the whole deck badly, and no
single print is to blame: sound ones have 0.95 at the median at 1.4 pixels a module, 0.81 at 1.3
with a soft lens (the same benchmark)."""


@dataclass(frozen=True, slots=True)
class Best:
    """The best look at one card: its likeness 0..1 and the side of its code in px."""

    score: float
    side_px: float


@dataclass(slots=True)
class DeckCount:
    """Which cards of `numbers` were seen so far; `doubled` lay twice in one picture; `foreign` is
    the most codes of other boxes in one picture."""

    numbers: frozenset[int]
    best: dict[int, Best] = field(default_factory=dict)
    doubled: set[int] = field(default_factory=set)
    foreign: int = 0

    @property
    def sound(self) -> frozenset[int]:
        """The cards known to be printed well."""
        return frozenset(card for card, best in self.best.items() if best.score >= SOUND)

    def add_reading(self, reading: Reading, quality: Mapping[int, float]) -> frozenset[int]:
        """Tick off one picture's cards, `quality` says how like the print is to what it should be
        where that was measured; the numbers that are new."""
        twice = {card for conflict in _twice(reading) for card in conflict.cards}
        new = frozenset((reading.cards.keys() | twice) - self.seen)
        for card, detection in reading.cards.items():
            look = Best(quality.get(card, -1.0), _side_px(detection))
            if card not in self.best or look.score > self.best[card].score:
                self.best[card] = look
        self.doubled |= twice
        self.foreign = max(self.foreign, len(reading.foreign))
        return new

    @property
    def seen(self) -> frozenset[int]:
        """All cards seen, the doubled ones among them."""
        return frozenset(self.best) | self.doubled

    @property
    def missing(self) -> list[int]:
        """The cards of the deck that no picture showed."""
        return sorted(self.numbers - self.seen)

    @property
    def too_dim(self) -> bool:
        """True when the camera reads the whole deck so weakly that single cards cannot be judged."""
        return len(self.best) >= FEWEST_PEERS and median(b.score for b in self.best.values()) < DIM

    @property
    def weak(self) -> list[int]:
        """The cards that read so much worse than others of their size that they should be printed
        again."""
        return [] if self.too_dim else sorted(card for card in self.best if self._is_weak(card))

    def _is_weak(self, card: int) -> bool:
        own = self.best[card]
        others = [best for number, best in self.best.items() if number != card]
        peers = sorted(others, key=lambda best: abs(math.log(best.side_px / own.side_px)))[:PEERS]
        usual = median(best.score for best in peers) if len(peers) >= FEWEST_PEERS else 0.0
        return usual >= DIM and own.score < WEAK_SHARE * usual

    @property
    def whole(self) -> bool:
        """True when every card was seen and none twice."""
        return not self.missing and not self.doubled

    def to_json(self) -> dict[str, Any]:
        """The count as plain JSON."""
        return {
            "deck_size": len(self.numbers),
            "seen": sorted(self.seen),
            "missing": self.missing,
            "doubled": sorted(self.doubled),
            "weak": self.weak,
            "dim": self.too_dim,
            "foreign": self.foreign,
        }


def cards_lying(reading: Reading) -> int:
    """How many cards one picture shows, those with the same number each."""
    return len(reading.cards) + sum(len(conflict.corners_px) for conflict in _twice(reading))


def _twice(reading: Reading) -> list[Conflict]:
    return [conflict for conflict in reading.conflicts if conflict.why == "twice"]


def _side_px(detection: Detection) -> float:
    """The side of the code as a square of the same area, never 0."""
    corners: Iterable[tuple[tuple[float, float], tuple[float, float]]]
    corners = zip(
        detection.corners_px, (*detection.corners_px[1:], detection.corners_px[0]), strict=True
    )
    return max(1.0, math.sqrt(abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in corners)) / 2))

"""What was last seen of the table, as one frozen value: the watching thread puts a new one in its
place with every glimpse, and any other thread may read the one that is there.

Knows glimpses, which have been behind the curtain. Must not know the camera's state or the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.table.sighting import Glimpse, PlaceState, Polygon, Sighting

SEEN_S = 1.2
"""A card read within so long counts as seen (chosen: longer than a hand takes over it would
flicker)."""

MOST_SIGHTINGS = 100
"""More cards than a deck has are misreadings: the oldest are dropped."""

TABLE_GONE_S = 8.0
"""A table of which neither a token nor a card was seen for so long is no more in view (chosen: people
who lean over it are away sooner)."""

FRAMES_COUNTED = 20
"""The frames a second are counted over so many of them."""


@dataclass(frozen=True, slots=True)
class LastSeen:
    """The newest glimpse, each card's newest sighting with its time, the notices that hold, the
    corners of the codes being read just now ((4, 2) px each), the middle's outline, when (on the
    computer's own clock) the last frames were looked at, and when something of the table was seen
    last (None: never)."""

    glimpse: Glimpse | None = None
    first_s: float = 0.0
    sightings: Mapping[int, tuple[Sighting, float]] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    codes_px: tuple[np.ndarray, ...] = ()
    middle: Polygon | None = None
    looked_s: tuple[float, ...] = ()
    table_at_s: float | None = None

    def with_glimpse(
        self,
        glimpse: Glimpse,
        notices: tuple[str, ...],
        codes_px: Sequence[np.ndarray],
        now_s: float,
        out_of_sight: bool = False,
    ) -> LastSeen:
        """The same with one glimpse more; `out_of_sight`: none of the tokens is seen in it."""
        read = {sighting.card: (sighting, glimpse.t_s) for sighting in glimpse.sightings}
        sightings = {**self.sightings, **read}
        known = glimpse.table is not None or self.middle is not None
        shows_table = known and (not out_of_sight or bool(glimpse.sightings))
        newest = sorted(sightings, key=lambda card: sightings[card][1])[-MOST_SIGHTINGS:]
        return replace(
            self,
            glimpse=glimpse,
            first_s=glimpse.t_s if self.glimpse is None else self.first_s,
            sightings=(
                sightings
                if len(sightings) <= MOST_SIGHTINGS
                else {card: sightings[card] for card in newest}
            ),
            notices=notices,
            codes_px=tuple(codes_px),
            middle=glimpse.table.middle if glimpse.table is not None else self.middle,
            looked_s=(*self.looked_s[1 - FRAMES_COUNTED :], now_s),
            table_at_s=glimpse.t_s if shows_table else self.table_at_s,
        )

    def cards_read_within(self, seconds: float) -> frozenset[int]:
        """The cards read in the last seconds, wherever they lie."""
        if self.glimpse is None:
            return frozenset()
        now_s = self.glimpse.t_s
        return frozenset(
            card for card, (_, at_s) in self.sightings.items() if now_s - at_s < seconds
        )

    @property
    def cards_seen(self) -> frozenset[int]:
        """The cards that are seen just now: read a moment ago, or known by their place."""
        if self.glimpse is None:
            return frozenset()
        lying = {r.card for r in self.glimpse.places if r.state is PlaceState.MARKER}
        return self.cards_read_within(SEEN_S) | lying

    @property
    def sees_table(self) -> bool:
        """True while the table is in view, as far as anybody can tell."""
        if self.glimpse is None or self.table_at_s is None:
            return False
        return self.glimpse.t_s - self.table_at_s < TABLE_GONE_S

    @property
    def frames_per_s(self) -> float:
        """Frames a second that are really looked at, a whole number; 0.0 while there is no
        second one."""
        if len(self.looked_s) < 2 or self.looked_s[-1] <= self.looked_s[0]:
            return 0.0
        return float(round((len(self.looked_s) - 1) / (self.looked_s[-1] - self.looked_s[0])))

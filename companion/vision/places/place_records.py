"""The records of all places: begun, kept and let go as cards come, move and leave.

Knows where cards are asked for and where they are read; knows no pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from companion.table.sighting import PlaceState, Point
from companion.vision.frame.raster import Raster
from companion.vision.places.place_context import (
    SAME_PLACE_MM,
    PlaceContext,
    PlaceRecord,
    within_mm,
)

SAME_RECORD_MM = 2.0
"""A place whose centre jumps by more is another place: what was remembered of it is dropped."""

KEPT_RECORD_S = 20.0
"""So long the ground is not learnt where a card lay that nobody asks for any more and that was not
seen to leave."""

OWN_PICTURE_EVERY_S = 0.4
"""A card's own picture is taken so often; chosen."""

OWN_PICTURE_WITHIN_MM = 2.5
"""...if it is read so near to its place."""

HANDLED_SHARE = 0.1
"""Share of a card's disc that a hand must cover to have touched it; chosen."""


class PlaceRecords:
    """One record for each card's place, `by_card`."""

    def __init__(self, disc_mm: float) -> None:
        self.by_card: dict[int, PlaceRecord] = {}
        self._radius_mm = disc_mm / 2

    def follow_places(
        self, places: Mapping[int, Point], read: Mapping[int, tuple[Point, float]], t_s: float
    ) -> None:
        """Keep one record a place; records nobody asks for stay until the card is known to be
        elsewhere, or for a while."""
        records = self.by_card
        for card, centre in places.items():
            record = records.get(card)
            if record is None or not within_mm(record.centre_mm, centre, SAME_RECORD_MM):
                record = records[card] = PlaceRecord(centre, t_s)
            record.centre_mm = centre
            record.asked_s = t_s
        for card in [card for card in records if card not in places]:
            record = records[card]
            away = card in read and not within_mm(read[card][0], record.centre_mm, SAME_PLACE_MM)
            old = t_s - record.asked_s > KEPT_RECORD_S
            if record.state is PlaceState.TABLE or away or old:
                del records[card]

    def lying(
        self, places: Mapping[int, Point], read: Mapping[int, tuple[Point, float]]
    ) -> dict[int, Point]:
        """Where cards lie as far as is known: read now, or at a place that was not yet seen bare."""
        lying = {}
        for card, centre in places.items():
            away = card in read and not within_mm(read[card][0], centre, SAME_PLACE_MM)
            if not away and self.by_card[card].state is not PlaceState.TABLE:
                lying[card] = centre
        lying.update({card: centre for card, (centre, _) in read.items()})
        return lying

    def not_bare(self) -> list[Point]:
        """The centres of all places, asked for or not, that were not seen bare."""
        records = self.by_card.values()
        return [record.centre_mm for record in records if record.state is not PlaceState.TABLE]

    def waiting_for_own_picture(self, places: Iterable[int], context: PlaceContext) -> list[int]:
        """The cards read at their places whose own picture is due, the longest waiting first."""
        due = []
        for card in places:
            record = self.by_card[card]
            if card not in context.read or context.t_s - record.own.taken_s <= OWN_PICTURE_EVERY_S:
                continue
            if within_mm(context.read[card][0], record.centre_mm, OWN_PICTURE_WITHIN_MM):
                due.append((record.own.taken_s, card))
        return [card for _, card in sorted(due)]

    def note_hands(self, reaching: np.ndarray, coarse: Raster, t_s: float) -> None:
        """Note which places a hand covers; `reaching`: the coarse cells of hands, bool."""
        for record in self.by_card.values() if reaching.any() else ():
            box, disc = coarse.disc_box(record.centre_mm, self._radius_mm)
            least = max(1.0, HANDLED_SHARE * np.count_nonzero(disc))
            if np.count_nonzero(reaching[box][disc]) >= least:
                record.handled_s = t_s

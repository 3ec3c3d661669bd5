"""Where in the next picture is it worth looking for new cards?

Where something moved lately, where a faint card has votes, and now and then everywhere. Knows boxes
and time; knows no pictures.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.vision.codes.detection import Box
from companion.vision.codes.temporal_vote import TemporalVote

FULL_SEARCH_EVERY_S = 2.0
"""The whole picture is searched this often, whatever moved; in between only where something did."""

SEARCH_AGAIN_S = 0.15
"""Where something moves it is searched for new cards so often at most: every other picture at ten a
second, each at five."""

SETTLING_S = 0.7
"""So long after something moved a new card is still searched there: a picture settles after a hand
has left."""


class SearchPlan:
    """Says for each picture where new cards may have come to lie."""

    def __init__(self) -> None:
        self.vote = TemporalVote()
        self._moved: list[tuple[float, Box]] = []
        self._searched_s = -1e9
        self._searched_moved_s = -1e9

    def note_motion(self, boxes_px: Sequence[Box], t_s: float) -> None:
        """Something moved in these boxes."""
        self._moved += [(t_s, box) for box in boxes_px]

    def search_all_next(self) -> None:
        """Search the next picture everywhere: what is looked for has changed."""
        self._searched_s = -1e9

    def boxes_to_search(self, t_s: float) -> tuple[Box, ...] | None:
        """Boxes in px where new cards may have come to lie; None for everywhere, now and then."""
        self._moved = [(at_s, box) for at_s, box in self._moved if 0 <= t_s - at_s < SETTLING_S]
        if t_s - self._searched_s >= FULL_SEARCH_EVERY_S or t_s < self._searched_s:
            self._searched_s = self._searched_moved_s = t_s
            return None
        faint = self.vote.boxes_to_search()
        if 0 <= t_s - self._searched_moved_s < SEARCH_AGAIN_S:
            return faint
        self._searched_moved_s = t_s
        return tuple(dict.fromkeys(box for _, box in self._moved)) + faint

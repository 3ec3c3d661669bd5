"""When was the tray or the middle last hidden by a hand, or not looked at again since one left?

Knows hands and the tray's quiet picture over time. Must not know cards, guesses or questions.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.referee.observing.indexed_glimpse import IndexedGlimpse
from companion.table.zones import Zone, zone_of


@dataclass(frozen=True, slots=True)
class HiddenViewModel:
    """What counts as hidden; chosen.

    Hidden is the tray while a hand is over it or its picture is not quiet (a hand near it, a card on
    its way, its picture not yet compared), and the middle while a hand is over it. `reads_s` after that
    all that lies there has been looked for: the eye searches where something moved for 0.7 s and
    everything every 2 s, and a picture counts as quiet after 0.22 s.
    """

    reads_s: float = 1.2


HIDDEN_VIEW_MODEL = HiddenViewModel()


class HiddenView:
    """Hand it every glimpse of one round, oldest first."""

    def __init__(self) -> None:
        self._hidden_s = float("-inf")

    def observe_glimpse(self, glimpse: IndexedGlimpse) -> None:
        """Take one glimpse: is a hand in the way?"""
        zones = {zone_of(tip, glimpse.table) for tip in glimpse.tips}
        unquiet = glimpse.tray is not None and not glimpse.tray.quiet
        if unquiet or not zones.isdisjoint((Zone.TRAY, Zone.MIDDLE)):
            self._hidden_s = glimpse.t_s

    def may_tell_more(self, now_s: float) -> bool:
        """True while something is hidden, or was a moment ago: what lies there may still be read."""
        return now_s - self._hidden_s < HIDDEN_VIEW_MODEL.reads_s

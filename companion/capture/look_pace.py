"""How often a camera is looked at: as often as the play needs, and no more than this computer can.

Knows times only. A camera gives thirty pictures a second; ten are enough to follow a table, four to
notice that a hand comes to one on which nothing moves, and one where no evening is played.
"""

from __future__ import annotations

from dataclasses import dataclass

EVERY_S = 0.1
"""While something moves: what the referee's times were counted at
(`tests/benchmarks/README.md`, evening)."""

RESTING_S = 0.25
"""While the last look stands for the next picture; a hand is over a card for longer (chosen)."""

UNPLAYED_S = 1.0
"""The same while no evening is played: before it begins, once it is over and while it is paused there is
nothing to keep the score of. Something that moves is followed as ever from the next look on; a camera
that hangs is still told within three seconds (chosen)."""

SLOWEST_S = 0.25
"""On the slowest computer; rounds were told as truly at four pictures a second
(`tests/benchmarks/README.md`, evening: `--fps 4`)."""

BUSY_SHARE = 0.6
"""Of one core, at most, where that allows it: the pages, the phone and the heat are there too."""

_FORGETS = 0.1


@dataclass(slots=True)
class LookPace:
    """Told how long each look took, says how long after a picture the next one is wanted."""

    took_s: float = 0.0
    """What a whole look takes, over the last ten or so."""

    def after_look(self, took_s: float, resting: bool, played: bool) -> float:
        """Seconds from this picture to the next one; `resting`: the last look stood for it, and it
        was not looked at as a whole; `played`: an evening is being played."""
        if resting:
            return RESTING_S if played else UNPLAYED_S
        self.took_s += _FORGETS * (took_s - self.took_s)
        return min(max(EVERY_S, self.took_s / BUSY_SHARE), SLOWEST_S)

"""When a camera's exposure, focus and white balance may be locked, and when they must be let go
again.

Knows the pictures' mean brightness and time; must not know drivers.

A camera that goes on adjusting itself makes every place of the table look changed; one that is
locked at noon is blind at dusk. So: locked once it has settled, let go when the room's light has
really changed, settled and locked again.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

SETTLE_S = 2.0
"""Exposure and focus of webcams come to rest within one to two seconds."""

LATEST_S = 6.0
"""Locked by then however restless the room is."""

STILL_SHARE = 0.03
"""Change of brightness in a second below which a camera has settled."""

CHANGED_SHARE = 0.35
"""Brightness this far from the locked one, for `CHANGED_S`: a lamp was switched, or the sun has
gone."""
CHANGED_S = 2.0

BEATS_SHARE = 0.05
_KEPT = 30


@dataclass(slots=True)
class ControlLock:
    """Hand it every picture's brightness; it says "lock", "free", "mains" (the other frequency is
    worth a try) or nothing."""

    locked: bool = False
    _began_s: float | None = None
    _locked_level: float = 0.0
    _off_since_s: float | None = None
    _levels: list[tuple[float, float]] = field(default_factory=list)
    _tried_mains: bool = False

    def after_picture(self, level: float, t_s: float) -> str:
        """What to do after a picture of mean brightness `level` (0..255) at `t_s`; an empty string
        for nothing."""
        if self._began_s is None:
            self._began_s = t_s
        self._levels = [*self._levels[1 - _KEPT :], (t_s, level)]
        return self._watch(level, t_s) if self.locked else self._settle(level, t_s)

    def _settle(self, level: float, t_s: float) -> str:
        age = t_s - (self._began_s or 0.0)
        if age < SETTLE_S or (age < LATEST_S and self._changing(t_s)):
            return ""
        self.locked = True
        self._locked_level = level
        self._off_since_s = None
        return "lock"

    def _watch(self, level: float, t_s: float) -> str:
        if abs(level - self._locked_level) <= CHANGED_SHARE * max(self._locked_level, 1.0):
            self._off_since_s = None
            return self._mains()
        self._off_since_s = t_s if self._off_since_s is None else self._off_since_s
        if t_s - self._off_since_s < CHANGED_S:
            return ""
        self.locked = False
        self._began_s = t_s
        self._levels = []
        return "free"

    def _changing(self, t_s: float) -> bool:
        last = [value for at_s, value in self._levels if t_s - at_s <= 1.0]
        return max(last) - min(last) > STILL_SHARE * max(max(last), 1.0)

    def _mains(self) -> str:
        """Brightness that beats up and down while everything is locked is the mains' flicker."""
        if self._tried_mains or len(self._levels) < _KEPT:
            return ""
        values = [value for _, value in self._levels]
        middle = sum(values) / len(values)
        crossings = sum((a - middle) * (b - middle) < 0 for a, b in itertools.pairwise(values))
        spread = (sum((v - middle) ** 2 for v in values) / len(values)) ** 0.5
        if spread < BEATS_SHARE * max(middle, 1.0) or crossings < 6:
            return ""
        self._tried_mains = True
        return "mains"

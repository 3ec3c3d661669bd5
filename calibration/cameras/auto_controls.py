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


@dataclass(frozen=True, slots=True)
class LockRules:
    """When a camera has settled and when the room's light has changed; all chosen.

    Exposure and focus of webcams come to rest within one to two seconds (`settle_s`): locked then,
    once the brightness changes by less than `still_share` in a second, and by `latest_s` however
    restless the room is. Brightness off by `changed_share` for `changed_s` means that a lamp was
    switched, or the sun has gone. Brightness that beats by `beats_share` while all is locked, in the
    last `pictures`, is the mains.
    """

    settle_s: float = 2.0
    latest_s: float = 6.0
    still_share: float = 0.03
    changed_share: float = 0.35
    changed_s: float = 2.0
    beats_share: float = 0.05
    pictures: int = 30


RULES = LockRules()


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

    @property
    def at_rest(self) -> bool:
        """True once fewer pictures are enough: everything is locked, and the lamp's beat has been
        looked for, which takes every one of them."""
        return self.locked and len(self._levels) == RULES.pictures

    def after_picture(self, level: float, t_s: float) -> str:
        """What to do after a picture of mean brightness `level` (0..255) at `t_s`; an empty string
        for nothing."""
        if self._began_s is None:
            self._began_s = t_s
        self._levels = [*self._levels[1 - RULES.pictures :], (t_s, level)]
        return self._watch(level, t_s) if self.locked else self._settle(level, t_s)

    def _settle(self, level: float, t_s: float) -> str:
        age = t_s - (self._began_s or 0.0)
        if age < RULES.settle_s or (age < RULES.latest_s and self._changing(t_s)):
            return ""
        self.locked = True
        self._locked_level = level
        self._off_since_s = None
        return "lock"

    def _watch(self, level: float, t_s: float) -> str:
        if abs(level - self._locked_level) <= RULES.changed_share * max(self._locked_level, 1.0):
            self._off_since_s = None
            return self._mains()
        self._off_since_s = t_s if self._off_since_s is None else self._off_since_s
        if t_s - self._off_since_s < RULES.changed_s:
            return ""
        self.locked = False
        self._began_s = t_s
        self._levels = []
        return "free"

    def _changing(self, t_s: float) -> bool:
        last = [value for at_s, value in self._levels if t_s - at_s <= 1.0]
        return max(last) - min(last) > RULES.still_share * max(max(last), 1.0)

    def _mains(self) -> str:
        """Brightness that beats up and down while everything is locked is the mains' flicker."""
        if self._tried_mains or len(self._levels) < RULES.pictures:
            return ""
        values = [value for _, value in self._levels]
        middle = sum(values) / len(values)
        crossings = sum((a - middle) * (b - middle) < 0 for a, b in itertools.pairwise(values))
        spread = (sum((v - middle) ** 2 for v in values) / len(values)) ** 0.5
        if spread < RULES.beats_share * max(middle, 1.0) or crossings < 6:
            return ""
        self._tried_mains = True
        return "mains"

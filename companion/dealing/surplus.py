"""More cards than a deal has: whether so many lie, or lay a moment ago, and what is known once one has
left.

Knows counts and names. Must not know places.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from companion.dealing.laid_model import LAID_MODEL


@dataclass(slots=True)
class Surplus:
    """When one too many lay last; `unsure` where one with a name has left since and one without a name
    lies on: guessed or taken back, nobody knows."""

    lay_s: float = -inf
    unsure: bool = False

    def lately(self, now_s: float) -> bool:
        """True while one too many lies, or lay a moment ago."""
        return now_s - self.lay_s < LAID_MODEL.surplus_kept_s

    def follow_lying(
        self, too_many: bool, named_left: bool, nameless_lie: bool, t_s: float
    ) -> None:
        """So it is at `t_s`: one too many lies, a card with a name has just left, one without a name
        lies."""
        if too_many:
            self.lay_s = t_s
        if too_many or not nameless_lie:
            self.unsure = False
        elif named_left and self.lately(t_s):
            self.unsure = True

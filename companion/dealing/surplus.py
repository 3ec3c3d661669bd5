"""More cards than a deal has: whether so many lie, or lay a moment ago, and what is known once one has
left.

Knows counts, names and how the tray looks. Must not know places.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from companion.dealing.laid_model import LAID_MODEL
from companion.table.sighting import TrayReport


@dataclass(slots=True)
class Surplus:
    """When one too many lay last; `unsure` where one with a name has left since and one without a name
    lies on: guessed or taken back, nobody knows until the tray has told."""

    lay_s: float = -inf
    unsure: bool = False
    _before: TrayReport | None = None

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

    def watch_tray(self, tray: TrayReport | None, all_read: bool, steady_s: float) -> None:
        """Take one look at the tray; `all_read`: every card that lies was read just now; the same ones
        have lain for `steady_s`. A wrong guess comes to the tray, and after a right one the others go as
        well: where the tray looks as it did when one too many lay, and nothing more goes, the one that
        left was taken back."""
        told = tray if tray is not None and tray.whole and tray.quiet else None
        if not self.unsure:
            if tray is None or (told is not None and all_read):
                self._before = told
        elif tray is None or (told and self._before and told.version != self._before.version):
            self._before = None
        elif told and self._before and steady_s >= LAID_MODEL.taken_back_s:
            self.unsure = False

"""When a still table need not be looked at: nothing moved, nothing is waited for, and the last look
still holds.

Knows time, motion and what the last look left open; knows no pictures and no cards' names. A card
that is slid in slowly, a light that creeps: the gate compares with the last picture that had moved,
so that they count as motion in the end, and now and then a still table is looked at all the same: soon
where anything changed faintly, seldom where nothing did.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from companion.vision.frame.motion_gate import Motion

IDLE_AFTER_S = 4.5
"""So long nothing moved before a table is left alone: two searches of the whole picture found
nothing more."""

IDLE_AFTER_DOUBT_S = 10.0
"""The same where some place or card is in doubt: five searches, and every wait of the place report
is over."""

AFTER_LEARNING_S = 0.6
"""So long after something was learnt of a table on which nothing moves."""

IDLE_LOOK_EVERY_S = 3.0
"""So often a table that is left alone is looked at all the same, where anything changed faintly."""

DOUBT_LOOK_EVERY_S = 1.0
"""The same where some place or card is in doubt."""

UNCHANGED_LOOK_EVERY_S = 5.0
"""The same where not even the mean of several pictures shows a change (`faint_change`), in doubt or not:
another look at the same picture tells the same. A back that one such look misses is still remembered at
the next (`BACK_STAYS_S` in `companion/vision/places/memory.py`)."""

UNPLAYED_LOOK_EVERY_S = 20.0
"""The same while no evening is played: nothing is kept then, and when one begins the table is looked at at
once (chosen)."""

LAMP_CHANGE_LOG = 0.04
"""Log units by which the whole picture's brightness may change meanwhile: every place is judged
anew under a lamp that was switched, though nothing moved."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What a whole look left open: `busy`, something is being worked out; `doubt`, a place is not
    certain or cards are missing; `shows`, what it showed, for comparing only; `learning`, parts of
    the table are being learnt: that takes four seconds, and what is still being learnt after
    `IDLE_AFTER_DOUBT_S` is an edge that flickers."""

    busy: bool
    doubt: bool
    shows: Hashable
    learning: bool = False


class IdlePolicy:
    """Says of every picture whether the last look at the table may stand for it."""

    def __init__(self) -> None:
        self._quiet_since_s: float | None = None
        self._looked_s = -1e9
        self._busy_s = -1e9
        self._brightness = 0.0
        self._open = Unfinished(True, True, None)

    def last_result_stands(
        self,
        motion: Motion,
        t_s: float,
        changed_faintly: Callable[[], bool] = lambda: True,
        *,
        played: bool = True,
    ) -> bool:
        """Whether the last look stands for this picture, of which the gate says `motion`;
        `changed_faintly` since that look is only asked where it matters; `played`: an evening is being
        played."""
        since = self._quiet_since_s
        if (
            not motion.still
            or since is None
            or self._busy(t_s - since)
            or abs(motion.brightness - self._brightness) > LAMP_CHANGE_LOG
        ):
            return False
        doubt = self._open.doubt
        rested = (
            t_s - since >= (IDLE_AFTER_DOUBT_S if doubt else IDLE_AFTER_S)
            and not 0 <= t_s - self._busy_s < AFTER_LEARNING_S
        )
        age_s = t_s - self._looked_s
        longest_s = UNCHANGED_LOOK_EVERY_S if played else UNPLAYED_LOOK_EVERY_S
        if not rested or not 0 <= age_s < longest_s:
            return False
        return age_s < (DOUBT_LOOK_EVERY_S if doubt else IDLE_LOOK_EVERY_S) or not changed_faintly()

    def note_result(self, motion: Motion, t_s: float, left: Unfinished) -> None:
        """Take note of a whole look and what it left open."""
        changed = left.shows != self._open.shows or t_s < self._looked_s
        if not motion.still or changed or self._quiet_since_s is None:
            self._quiet_since_s = t_s
        self._looked_s = t_s
        self._brightness = motion.brightness
        self._open = left
        if self._busy(t_s - self._quiet_since_s):
            self._busy_s = t_s

    def _busy(self, quiet_s: float) -> bool:
        return self._open.busy or (self._open.learning and quiet_s < IDLE_AFTER_DOUBT_S)

"""One card of the round: does it lie, lie covered, is it gone, is it face down?

A filter of four states fed by what its place shows. Frames are not independent witnesses: an
observation like the one before says little (the persistence likelihood of `reference/referee.md`
3a). Knows no round, no people, no geometry.
"""

from __future__ import annotations

from enum import StrEnum


class Shown(StrEnum):
    """What one frame shows of a card's place: the states of a place report, and UNREAD where only
    reading failed."""

    MARKER = "marker"
    TABLE = "table"
    MOVING = "moving"
    BACK = "back"
    OTHER = "other"
    UNREAD = "unread"


LIES, COVERED, GONE, DOWN = range(4)

LIKELIHOOD: dict[Shown, tuple[float, float, float, float]] = {
    Shown.MARKER: (0.75, 0.02, 0.0004, 0.0004),
    Shown.TABLE: (0.008, 0.012, 0.80, 0.02),
    Shown.OTHER: (0.22, 0.45, 0.12, 0.30),
    Shown.MOVING: (0.02, 0.52, 0.08, 0.15),
    Shown.BACK: (0.001, 0.01, 0.002, 0.60),
}
"""P(shown | lies, covered, gone, face down): `reference/referee.md` 3a."""

OTHER_IF_DOWN_UNNAMED = 0.65
"""P(other | face down) where the reader knows no backs; where nobody turns cards over, only a named
back tells a card face down from a covered one."""

REPEAT = 0.5
"""Share of frames, at 0.1 s, that merely repeat the last; .5 measured best, .9 harmful
(`reference/referee.md` 5)."""

REPEAT_UNREAD = 0.8
"""Not reading a marker comes in bursts: this repeats more."""

UNREAD_COVERED = 0.7
"""P(unread | covered), with no hand near: things on cards are rarer than cards that left."""

LEAST_UNREAD = 0.25
"""P(unread | lies) is never taken for smaller: a lying card may lose its light."""

STEP_S = 0.1
TO_COVERED, TO_SEEN, TO_GONE, FROM_COVERED_GONE, BACK_FROM_GONE = 0.011, 0.05, 0.004, 0.02, 0.002
TO_DOWN, TO_DOWN_RARELY = 0.004, 0.00002
"""Chances in 0.1 s."""

FORGET_REPEAT_S = 1.0
"""After so long without a frame the last observation is no longer repeated."""


class Belief:
    """The four probabilities of one card."""

    __slots__ = ("_last", "_last_s", "named_backs", "read_rate", "share", "turns_over")

    def __init__(self, turns_over: bool = False, lies: float = 0.97) -> None:
        rest = 1.0 - lies
        self.share = [lies, rest * 0.5, rest * 0.5, 0.0]
        self.turns_over = turns_over
        self.named_backs = False
        self.read_rate = 0.7
        self._last: Shown | None = None
        self._last_s = 0.0

    @property
    def left(self) -> float:
        """Probability that it no longer lies face up."""
        return self.share[GONE] + self.share[DOWN]

    @property
    def gone(self) -> float:
        """Probability that it is not in its place at all."""
        return self.share[GONE]

    @property
    def covered(self) -> float:
        """Probability that something lies on it."""
        return self.share[COVERED]

    @property
    def down(self) -> float:
        """Probability that it lies face down in its place."""
        return self.share[DOWN]

    def be_gone(self) -> None:
        """Take it for certain that it left (it was read at rest elsewhere)."""
        self.share = [0.001, 0.001, 0.998, 0.0]
        self._last = None

    def be_lying(self) -> None:
        """Take it for certain that it lies (it was read at rest in the middle)."""
        self.share = [0.98, 0.01, 0.01, 0.0]
        self._last = None

    def pass_time(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass unseen."""
        if dt_s <= 0:
            return
        steps = dt_s / STEP_S
        lies, covered, gone, down = self.share
        to_down = TO_DOWN if self.turns_over else TO_DOWN_RARELY
        a, b, c, d, e, f = (
            1.0 - (1.0 - rate) ** steps
            for rate in (TO_COVERED, TO_GONE, to_down, TO_SEEN, FROM_COVERED_GONE, BACK_FROM_GONE)
        )
        self.share = [
            lies * (1 - a - b - c) + covered * d + gone * f,
            covered * (1 - d - e - c) + lies * a + gone * f,
            gone * (1 - 2 * f) + lies * b + covered * e + down * f,
            down * (1 - f) + (lies + covered) * c,
        ]

    def show(self, shown: Shown, t_s: float) -> None:
        """Weigh one observation of the place at `t_s`."""
        dt = t_s - self._last_s
        repeats = self._last is shown and dt < FORGET_REPEAT_S
        base = REPEAT_UNREAD if shown is Shown.UNREAD else REPEAT
        rho = base ** (dt / STEP_S) if self._last is not None and dt < FORGET_REPEAT_S else 0.0
        weights = self._likelihood(shown)
        told = [
            p * (rho * repeats + (1.0 - rho) * w) for p, w in zip(self.share, weights, strict=True)
        ]
        total = sum(told)
        if total > 0:
            self.share = [p / total for p in told]
        self._last, self._last_s = shown, t_s

    def _likelihood(self, shown: Shown) -> tuple[float, float, float, float]:
        if shown is Shown.UNREAD:
            return (max(LEAST_UNREAD, 1.0 - self.read_rate), UNREAD_COVERED, 1.0, 1.0)
        if shown is Shown.OTHER:
            if not self.turns_over:
                return (*LIKELIHOOD[shown][:3], LIKELIHOOD[shown][GONE])
            if not self.named_backs:
                return (*LIKELIHOOD[shown][:3], OTHER_IF_DOWN_UNNAMED)
        return LIKELIHOOD[shown]

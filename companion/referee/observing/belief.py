"""One card of the round: does it lie, lie covered, is it gone, is it face down?

A filter of four states fed by what its place shows. Frames are not independent witnesses: an
observation like the one before says little (a persistence likelihood). Knows no round, no people, no geometry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import pow


class Observation(StrEnum):
    """What one frame shows of a card's place: the states of a place report, and UNREAD where only
    reading failed."""

    MARKER = "marker"
    TABLE = "table"
    MOVING = "moving"
    BACK = "back"
    OTHER = "other"
    UNREAD = "unread"


LIES, COVERED, GONE, DOWN = range(4)

StateShares = tuple[float, float, float, float]
"""One number for each state: lies, covered, gone, face down."""


@dataclass(frozen=True, slots=True)
class BeliefModel:
    """What a place shows in each state, how often a frame merely repeats the last, and how often the
    state changes.

    The table of likelihoods was made for the simulator's reports and checked against the practice
    table's. `repeat_share` at 0.1 s was varied on 180 rowdy rounds a setting: face down 89 % exact with
    0, 91 % with .5, 84 % with .8, 73 % with .9, which is slow and wrong; beside a tray it makes no
    difference. Not reading a marker comes in bursts of about 0.6 s and repeats more. Where the reader
    names no backs, "something else" is all that a card face down shows; where nobody turns cards over,
    only a named back tells one from a covered card, and then it is as likely as for a gone one.
    Changes are chances in `step_s`.
    """

    likelihood: Mapping[Observation, StateShares] = field(
        default_factory=lambda: {
            Observation.MARKER: (0.75, 0.02, 0.0004, 0.0004),
            Observation.TABLE: (0.008, 0.012, 0.80, 0.02),
            Observation.OTHER: (0.22, 0.45, 0.12, 0.30),
            Observation.MOVING: (0.02, 0.52, 0.08, 0.15),
            Observation.BACK: (0.001, 0.01, 0.002, 0.60),
        }
    )
    """P(observation | lies, covered, gone, face down)."""
    other_if_down_unnamed: float = 0.65
    repeat_share: float = 0.5
    repeat_unread_share: float = 0.8
    unread_if_covered: float = 0.7
    """With no hand near: things on cards are rarer than cards that left."""
    least_unread_if_lying: float = 0.25
    """Never taken for smaller: a lying card may lose its light."""
    step_s: float = 0.1
    lying_to_covered: float = 0.011
    covered_to_lying: float = 0.05
    lying_to_gone: float = 0.004
    covered_to_gone: float = 0.02
    gone_to_seen: float = 0.002
    to_down: float = 0.004
    to_down_rarely: float = 0.00002
    forget_repeat_s: float = 1.0
    """After so long without a frame the last observation is no longer repeated."""


BELIEF_MODEL = BeliefModel()


class Belief:
    """The four probabilities of one card."""

    __slots__ = ("_last", "_last_s", "named_backs", "read_rate", "share", "turns_over")

    def __init__(self, turns_over: bool = False, lies: float = 0.97) -> None:
        rest = 1.0 - lies
        self.share = [lies, rest * 0.5, rest * 0.5, 0.0]
        self.turns_over = turns_over
        self.named_backs = False
        self.read_rate = 0.7
        self._last: Observation | None = None
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

    def assume_gone(self) -> None:
        """Take it for certain that it left (it was read at rest elsewhere)."""
        self.share = [0.001, 0.001, 0.998, 0.0]
        self._last = None

    def assume_lying(self) -> None:
        """Take it for certain that it lies (it was read at rest in the middle)."""
        self.share = [0.98, 0.01, 0.01, 0.0]
        self._last = None

    def pass_time(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass unseen."""
        if dt_s <= 0:
            return
        steps = dt_s / BELIEF_MODEL.step_s
        lies, covered, gone, down = self.share
        to_down_rate = BELIEF_MODEL.to_down if self.turns_over else BELIEF_MODEL.to_down_rarely

        def chance(rate: float) -> float:
            return 1.0 - pow(1.0 - rate, steps)

        to_covered = chance(BELIEF_MODEL.lying_to_covered)
        to_gone = chance(BELIEF_MODEL.lying_to_gone)
        to_down = chance(to_down_rate)
        uncovered = chance(BELIEF_MODEL.covered_to_lying)
        covered_to_gone = chance(BELIEF_MODEL.covered_to_gone)
        back = chance(BELIEF_MODEL.gone_to_seen)
        self.share = [
            lies * (1 - to_covered - to_gone - to_down) + covered * uncovered + gone * back,
            covered * (1 - uncovered - covered_to_gone - to_down) + lies * to_covered + gone * back,
            gone * (1 - 2 * back) + lies * to_gone + covered * covered_to_gone + down * back,
            down * (1 - back) + (lies + covered) * to_down,
        ]

    def weigh_observation(self, shown: Observation, t_s: float) -> None:
        """Weigh one observation of the place at `t_s`."""
        dt = t_s - self._last_s
        repeats = self._last is shown and dt < BELIEF_MODEL.forget_repeat_s
        base = (
            BELIEF_MODEL.repeat_unread_share
            if shown is Observation.UNREAD
            else BELIEF_MODEL.repeat_share
        )
        rho = (
            base ** (dt / BELIEF_MODEL.step_s)
            if self._last is not None and dt < BELIEF_MODEL.forget_repeat_s
            else 0.0
        )
        weights = self._likelihood(shown)
        told = [
            p * (rho * repeats + (1.0 - rho) * w) for p, w in zip(self.share, weights, strict=True)
        ]
        total = sum(told)
        if total > 0:
            self.share = [p / total for p in told]
        self._last = shown
        self._last_s = t_s

    def _likelihood(self, shown: Observation) -> StateShares:
        if shown is Observation.UNREAD:
            return (
                max(BELIEF_MODEL.least_unread_if_lying, 1.0 - self.read_rate),
                BELIEF_MODEL.unread_if_covered,
                1.0,
                1.0,
            )
        if shown is Observation.OTHER:
            if not self.turns_over:
                return (*BELIEF_MODEL.likelihood[shown][:3], BELIEF_MODEL.likelihood[shown][GONE])
            if not self.named_backs:
                return (*BELIEF_MODEL.likelihood[shown][:3], BELIEF_MODEL.other_if_down_unnamed)
        return BELIEF_MODEL.likelihood[shown]

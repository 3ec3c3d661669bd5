"""How people play: their tempo, their habits of taking, their hands.

Knows seconds and chances; the figures are those of the referee's study (no real group has been
timed yet).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from random import Random

TEMPERS = ("calm", "ordinary", "rowdy")

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Temper:
    """A group's ways: median think time and its spread, chance of a quick guess, shares of the
    three ways to claim (swept into a pile, card by card, several grabs), pause between grabs, how
    often a Spectator points first."""

    think_s: float
    spread: float
    quick: float
    sweep: float
    by_card: float
    grab_pause_s: Span
    points: float
    bare_s: Span

    def think(self, rng: Random) -> float:
        """Seconds before the next guess."""
        if rng.random() < self.quick:
            return rng.uniform(0.5, 1.2)
        return min(rng.lognormvariate(log(self.think_s), self.spread), 30.0)

    def way(self, rng: Random) -> str:
        """How this claim is taken: "sweep", "by_card" or "grabs"."""
        draw = rng.random()
        return (
            "sweep"
            if draw < self.sweep
            else "by_card"
            if draw < self.sweep + self.by_card
            else "grabs"
        )


_BY_NAME = {
    "calm": Temper(7.0, 0.45, 0.0, 0.60, 0.25, (0.3, 2.0), 0.6, (7.0, 11.0)),
    "ordinary": Temper(5.0, 0.5, 0.04, 0.45, 0.25, (0.3, 3.0), 0.45, (6.0, 10.0)),
    "rowdy": Temper(2.8, 0.55, 0.15, 0.30, 0.25, (0.3, 4.0), 0.3, (4.0, 8.0)),
}


def temper(name: str) -> Temper:
    """The group's ways by name.

    Raises:
        ValueError: there is no such temper; the message names them.
    """
    if name not in _BY_NAME:
        raise ValueError(f"there is no temper {name!r}: choose one of {', '.join(TEMPERS)}")
    return _BY_NAME[name]


@dataclass(frozen=True, slots=True)
class Arm:
    """One player's hand: `skin` and `sleeve` as BGR (sleeve None for a bare arm), size as a share
    of a grown-up's, and whether it is the left one."""

    skin: tuple[int, int, int]
    sleeve: tuple[int, int, int] | None
    size: float
    left: bool


_SKINS = (
    (158, 188, 232),
    (132, 166, 218),
    (112, 146, 200),
    (84, 118, 172),
    (58, 84, 128),
    (42, 60, 92),
)
_SLEEVES = (
    (92, 66, 48),
    (60, 72, 128),
    (86, 96, 64),
    (150, 150, 156),
    (44, 42, 48),
    (120, 156, 196),
    (188, 196, 206),
    None,
    None,
)


def arm(rng: Random) -> Arm:
    """Some player's hand."""
    return Arm(
        rng.choice(_SKINS),
        rng.choice(_SLEEVES),
        rng.choice((0.8, 0.92, 1.0, 1.0, 1.08)),
        rng.random() < 0.12,
    )

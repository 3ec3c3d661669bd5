"""The weighing of one round: how likely is each `w`, the number of first leavers that were wrong
guesses?

Knows departures (when a card left, and what testifies that it was set aside), paces, habits and
directions of hands. Must not know glimpses. The formula is `reference/referee.md` 3b, with the
three ways of setting aside weighed over the whole round at once: what its other cards did tells how
this table does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Literal

from companion.referee.observing.in_tray import log_claimed
from companion.referee.observing.visits import Visit
from companion.referee.weighing.hand_evidence import AMID_CLAIM, log_pointed, reaches
from companion.referee.weighing.pace import Pace
from companion.referee.weighing.rest_outside import log_seen_outside, seen_outside
from companion.referee.weighing.seating import Seating
from companion.table.sighting import Point
from companion.table.zones import distance_mm

RIGHT = 0.3
"""Chance that a guess is right."""

MISSED = 0.004
"""Chance that a card set aside is never seen where it was put."""

TRAY_TIME_S = 0.55
DOWN_TIME_S = 0.5
"""Times within which a card set aside is seen in the tray; seconds of bare table in its place that
speak against a card turned over there."""

TRAY_MISSED_S, TRAY_NEVER = 4.0, 0.2
"""A card missed in a tray in view (unread, under a sleeve) shows up with this time constant; so
large a share never does."""

FLOWN_ONLY, FLOWN_ALONE = 0.1, 0.02
"""Chance that a card set aside in the tray is read there once and never again: another one lies on
it soon; the same where no other one came to the tray after it."""

STRAYED = 0.02
"""Chance that a table which sets aside in one way is seen doing it another way."""

CLAIMED_DOWN, CLAIMED_LAIN, LAIN_S = -6.0, -9.0, 1.5
"""Log weight against a claimed card that was turned over; also where the back lay there in plain
view for so long."""
ONE_PILE_MM, TWO_PILES_MM = 100.0, 250.0
AGAINST_PILES = -3.0
"""Log weight against wrong cards that lie in the taker's pile, or a claim that lies in two places.
"""

LIFT_CHANCE = 0.25
LIFT_NOT_AFTER_TRAY = -4.0

ELSEWHERE = 0.4
"""Share of tables that lay a wrong card anywhere but before the Daydreamer."""

FLIGHTS = 3
"""However many cards of a claim were seen to go to one side, they testify as so many hands."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A card that left: between which times, and what testifies that it was set aside.

    `tray`: 0 never read there, 1 read once in passing, 2 at rest, 3 for half a second or more;
    `down`: 0 to 1, how surely it lay face down in its place; `tray_watched_s`, `place_watched_s`:
    since it left, how long the tray (its place) was in plain view, `tray_before_s`: and how long
    before that, since it was last read; `firm` False: nothing but its not being read says that it
    left; `again_s`: between which times it left again, if it came back unread; `edge_mm`: where it
    was read at rest outside the middle and the tray; `flown_deg`: to which side of the table it was
    seen to go; `off_tray`: what it covered in the tray is read again; `back_s`: for how long a back
    was seen in its place; `tray_came_s`: when it was first read there, after how long.
    """

    card: int
    low_s: float
    high_s: float
    tray: int = 0
    down: float = 0.0
    tray_watched_s: float = 0.0
    place_watched_s: float = 0.0
    visit: Visit | None = None
    firm: bool = True
    pinned: bool = False
    denied: bool = False
    again_s: tuple[float, float] | None = None
    tray_before_s: float = 0.0
    edge_mm: Point | None = None
    flown_deg: float | None = None
    off_tray: bool = False
    back_s: float = 0.0
    tray_came_s: tuple[float, float] = (0.0, 0.0)

    @property
    def known_aside(self) -> bool:
        """True when it was seen set aside."""
        return self.tray >= 2 or self.down > 0.9 or self.pinned


Stage = Literal["ended", "open", "taking", "lifted"]


@dataclass(frozen=True, slots=True)
class Telling:
    """One story: the first `w` leavers were wrong; then the round `ended` with a taking of all the
    rest, is still `open`, somebody is `taking` the rest just now, or the last leaver was only
    `lifted`."""

    w: int
    stage: Stage


@dataclass(frozen=True, slots=True)
class Scene:
    """What the weighing needs besides the departures."""

    cards: int
    attempts: int
    began_s: float
    now_s: float
    pace: Pace
    seating: Seating | None
    ways: tuple[float, float, float]
    least: int = 0
    most: int = 99
    idle: tuple[tuple[float, float], ...] = ()
    """When hands came over the cards that took none, and from where, in degrees."""


def in_order(departures: Sequence[Departure]) -> tuple[Departure, ...]:
    """The departures as they happened; a card known to be set aside goes before a neighbour whose
    interval overlaps."""
    row = sorted(departures, key=lambda d: (d.high_s, d.low_s, d.card))
    for end in range(1, len(row)):
        at = end
        while (
            at
            and row[at].known_aside
            and not row[at - 1].known_aside
            and row[at].low_s < row[at - 1].high_s
        ):
            row[at - 1], row[at] = row[at], row[at - 1]
            at -= 1
    return tuple(row)


def mixed_piles(row: Sequence[Departure], w: int) -> bool:
    """True when one of the first `w` cards and one of the others were read at rest in one place
    outside the middle."""
    aside = [d.edge_mm for d in row[:w] if d.edge_mm is not None]
    return any(
        d.edge_mm is not None and distance_mm(a, d.edge_mm) < ONE_PILE_MM
        for a in aside
        for d in row[w:]
    )


def weigh(departures: Sequence[Departure], scene: Scene) -> dict[Telling, float]:
    """The probability of every telling of these departures (already in order); they add up to 1."""
    return weigh_orders([(0.0, tuple(departures))], scene)[1]


def weigh_orders(
    orders: Sequence[tuple[float, tuple[Departure, ...]]], scene: Scene
) -> tuple[tuple[Departure, ...], dict[Telling, float]]:
    """The probability of every telling, whichever of these orders (log share, departures) was the
    true one, and the order that fits the likeliest telling best."""
    if not orders[0][1]:
        return (), {Telling(0, "open"): 1.0}
    weighed = [(row, share, _Weighing(row, scene).tellings()) for share, row in orders]
    logs = {
        t: _log_sum([share + told[t] for _, share, told in weighed if t in told])
        for t in weighed[0][2]
    }
    shares = _normal(logs)
    best = max(shares, key=lambda t: shares[t], default=None)
    fits = (
        max(weighed, key=lambda order: order[1] + order[2].get(best, 0.0))
        if best is not None
        else weighed[0]
    )
    return fits[0], shares


def _normal(logs: dict[Telling, float]) -> dict[Telling, float]:
    top = max(logs.values(), default=0.0)
    if not logs or top == float("-inf"):
        return {}
    shares = {telling: exp(value - top) for telling, value in logs.items()}
    total = sum(shares.values())
    return {telling: share / total for telling, share in shares.items()}


class _Weighing:
    """Per departure its log factors, added up by telling."""

    def __init__(self, row: Sequence[Departure], scene: Scene) -> None:
        self.row = row
        self.scene = scene
        pace = scene.pace
        self.gaps = [self._gap(i) for i in range(len(row))]
        self.think = [pace.think.log_density(*gap) for gap in self.gaps]
        self.grabs = [
            (log(share), [t.log_density(*gap) for gap in self.gaps]) for share, t in pace.rhythms()
        ]
        self.collected = [
            pace.collecting().log_density(*gap) for gap in self.gaps[scene.attempts + 1 :]
        ]
        empty_s = row[-1].high_s if len(row) >= scene.cards else float("inf")
        self.claimed = [_against_claim(d, empty_s) for d in row]
        self._reached = reaches([d.visit for d in row])
        at_rest = [None if d.known_aside else d.edge_mm is not None for d in row]
        self._outside = seen_outside(at_rest, [(d.low_s, d.high_s) for d in row], scene.now_s)
        last = max((i for i, d in enumerate(row) if d.tray), default=0)
        self.aside = [
            tuple(log(p) for p in _aside(d, FLOWN_ONLY if i < last else FLOWN_ALONE))
            for i, d in enumerate(row)
        ]

    def _gap(self, i: int) -> tuple[float, float]:
        if i == 0:
            return self.row[0].low_s - self.scene.began_s, self.row[0].high_s - self.scene.began_s
        before, this = self.row[i - 1], self.row[i]
        return this.low_s - before.high_s, this.high_s - before.low_s

    def tellings(self) -> dict[Telling, float]:
        n, scene = len(self.row), self.scene
        logs: dict[Telling, float] = {}
        if n >= scene.cards:
            for w in range(scene.attempts + 1):
                logs[Telling(w, "ended")] = self._wrong(w) + self._taken(w)
        else:
            idle = scene.now_s - self.row[-1].high_s
            if n <= scene.attempts:
                logs[Telling(n, "open")] = (
                    self._wrong(n) + self._hands(n, n) + scene.pace.think.log_longer(idle)
                )
            for w in range(min(n - 1, scene.attempts) + 1):
                logs[Telling(w, "taking")] = (
                    self._wrong(w) + self._taken(w) + scene.pace.grab.log_longer(idle)
                )
            if n - 1 <= scene.attempts:
                logs[Telling(n - 1, "lifted")] = self._lifted(n, idle)
        return {
            t: value + self._idle(t)
            for t, value in logs.items()
            if scene.least <= t.w <= scene.most
        }

    def _wrong(self, w: int) -> float:
        """Log weight of the first `w` being wrong guesses."""
        if any(d.denied for d in self.row[:w]) or any(d.pinned for d in self.row[w:]):
            return float("-inf")
        times = sum(self.think[:w]) + w * log(1.0 - RIGHT)
        ways = [
            log(share) + sum(aside[way] for aside in self.aside[:w])
            for way, share in enumerate(self.scene.ways)
            if share > 0
        ]
        return times + _log_sum(ways) + self._piles(w)

    def _piles(self, w: int) -> float:
        """Log weight of where cards were read at rest outside: one claim makes one pile, and the
        wrong ones go elsewhere."""
        taken = [d.edge_mm for d in self.row[w:] if d.edge_mm is not None]
        torn = any(distance_mm(a, b) > TWO_PILES_MM for a in taken for b in taken)
        return AGAINST_PILES * (mixed_piles(self.row, w) + torn) + log_seen_outside(
            self._outside, w
        )

    def _taken(self, w: int) -> float:
        """Log weight of everything after the first `w` being one claim, or the Lookout's
        collecting."""
        nobody = w >= self.scene.attempts
        against = sum(self.claimed[w:]) * (0.5 if nobody else 1.0)
        against += self._hands(w, len(self.row))
        if nobody:
            return (
                self.scene.pace.collect.log_density(*self.gaps[w]) + sum(self.collected) + against
            )
        return (
            log(RIGHT)
            + self.think[w]
            + _log_sum([share + sum(times[w + 1 :]) for share, times in self.grabs])
            + against
        )

    def _lifted(self, n: int, idle: float) -> float:
        tray = LIFT_NOT_AFTER_TRAY if self.row[-1].tray >= 2 else 0.0
        story = self._wrong(n - 1) + self._hands(n - 1, n - 1) + self.think[n - 1]
        return story + log(LIFT_CHANCE) + tray + self.scene.pace.lift.log_longer(idle)

    def _hands(self, w: int, until: int) -> float:
        """Log weight of the hands' directions: the movers' of wrong cards, and the taker's."""
        seating = self.scene.seating
        if seating is None:
            return 0.0
        total = sum(
            seating.log_moved_aside(i, deg) * weight
            for (i, deg), weight in self._reached
            if i < min(w, until)
        )
        total += sum(
            seating.log_likelihood(d.flown_deg, seating.dealer, ELSEWHERE)
            for d in self.row[: min(w, until)]
        )
        taken = [(deg, weight) for (i, deg), weight in self._reached if w <= i < until]
        flown = [d.flown_deg for d in self.row[w:until] if d.flown_deg is not None][:FLIGHTS]
        told = taken + [(deg, 1.0) for deg in flown]
        return total + seating.log_fit(
            [deg for deg, _ in told], self._taker(seating, w), weights=[n for _, n in told]
        )

    def _taker(self, seating: Seating, w: int) -> int:
        return seating.lookout if w >= self.scene.attempts else seating.spectator(w)

    def _idle(self, telling: Telling) -> float:
        """Log weight of the hands that took nothing: whose turn was it then, or was somebody taking
        the rest?"""
        seating, total = self.scene.seating, 0.0
        for at_s, from_deg in self.scene.idle:
            gone = sum(d.high_s <= at_s for d in self.row)
            guessing = gone <= telling.w and gone < self.scene.attempts
            if seating is not None and (guessing or gone < self.scene.cards):
                seat = seating.spectator(gone) if guessing else self._taker(seating, telling.w)
                amid = 0.0 if guessing or telling.stage == "lifted" else log(AMID_CLAIM)
                total += log_pointed(seating, from_deg, seat) + amid
        return total


def _aside(d: Departure, flown_only: float) -> tuple[float, float, float]:
    """P(what was seen of this card | it was set aside) for a table using the tray, another place,
    or turning over."""
    missed = MISSED * (TRAY_NEVER + (1.0 - TRAY_NEVER) * exp(-d.tray_watched_s / TRAY_MISSED_S))
    unseen_tray = missed + (1.0 - missed) * exp(-d.tray_watched_s / TRAY_TIME_S)
    unseen_down = MISSED + (1.0 - MISSED) * exp(-d.place_watched_s / DOWN_TIME_S)
    rests, flew = d.tray >= 2, d.tray == 1
    tray = 1.0 if rests else max(unseen_tray, flown_only if flew else 0.0)
    down = d.down + (1.0 - d.down) * unseen_down
    elsewhere = STRAYED if rests or d.down > 0.5 else 1.0
    return (
        max(missed, tray * (STRAYED if d.down > 0.5 else 1.0)),
        elsewhere,
        max(MISSED, down * (STRAYED if rests else 1.0)),
    )


def _against_claim(d: Departure, empty_s: float) -> float:
    """Log weight of this card being claimed after all; the middle was empty at `empty_s`."""
    turned = CLAIMED_LAIN if d.back_s >= LAIN_S else CLAIMED_DOWN
    return log_claimed(d.tray, d.tray_came_s, empty_s) + turned * d.down


def _log_sum(values: Sequence[float]) -> float:
    top = max(values, default=float("-inf"))
    return top if top == float("-inf") else top + log(sum(exp(value - top) for value in values))

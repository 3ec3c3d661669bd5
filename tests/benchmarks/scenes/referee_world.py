"""A table of people in millimetres, without pixels: cards, hands and accidents over time, and what
an eye would say of it.

Two choreographies play the same game with other people: `first` (calm, ordinary and
rowdy: `TEMPERS`) and `second` (other timings, other ways of claiming). All chance
comes from one `random.Random`, so a seed is an evening.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, field
from random import Random

from companion.game.seats import deal_size
from companion.table.sighting import (
    Glimpse,
    Hand,
    PlaceReport,
    PlaceState,
    Point,
    Sighting,
    TableView,
)

MIDDLE = ((0.0, 0.0), (900.0, 0.0), (900.0, 600.0), (0.0, 600.0))
TRAY = ((630.0, 205.0), (892.0, 205.0), (892.0, 395.0), (630.0, 395.0))
CENTRE = (330.0, 300.0)
HIDDEN = (5000.0, 5000.0)
FORGET_S = 12.0


@dataclass(frozen=True)
class Temper:
    think: float
    spread: float
    quick: float
    incidents: float
    claims: tuple[float, float, float]
    unread: tuple[float, float]
    pauses: tuple[float, float] = (0.3, 4.0)
    one_by_one: tuple[float, float] = (0.3, 1.2)


TEMPERS = {
    "calm": Temper(7.0, 0.45, 0.0, 0.0, (0.60, 0.25, 0.15), (0.02, 0.10)),
    "ordinary": Temper(5.0, 0.50, 0.04, 0.10, (0.45, 0.25, 0.30), (0.02, 0.25)),
    "rowdy": Temper(2.8, 0.55, 0.15, 0.25, (0.30, 0.25, 0.45), (0.05, 0.40)),
}
SECOND = {
    "calm": Temper(9.0, 0.30, 0.0, 0.0, (0.70, 0.20, 0.10), (0.01, 0.08), (0.5, 1.5), (0.4, 0.8)),
    "ordinary": Temper(
        6.0, 0.35, 0.02, 0.08, (0.55, 0.30, 0.15), (0.02, 0.20), (0.5, 2.0), (0.4, 0.9)
    ),
    "rowdy": Temper(
        4.0, 0.40, 0.08, 0.20, (0.40, 0.30, 0.30), (0.05, 0.30), (0.4, 2.5), (0.3, 0.8)
    ),
}
INCIDENTS = ("rest", "forearm", "lift", "set_back", "nudge", "unread", "mug")


@dataclass
class Segment:
    """A card from `t_s` on: `kind` up (face up at rest), fly (to `end` until `until_s`), down,
    hidden."""

    t_s: float
    kind: str
    place: Point
    end: Point = HIDDEN
    until_s: float = 0.0


@dataclass
class Reach:
    """A hand over `tip` between two times, coming from `from_deg`; the eye knows the direction or
    not."""

    t_s: float
    until_s: float
    tip: Point
    from_deg: float
    known: bool
    wide: bool = False


@dataclass
class Round:
    """The truth of one round."""

    number: int
    cards: tuple[int, ...]
    aside: tuple[int, ...] = ()
    ending: str = "claimed"
    dealt_s: float = 0.0
    last_left_s: float = 0.0
    incidents: set[str] = field(default_factory=set)


@dataclass
class Table:
    """One group: players, how they set aside, their temper and pace."""

    players: int
    handling: str
    temper: Temper
    seed: int
    rounds: int = 3
    named_backs: bool = True
    tray_in_view: bool = True
    tokens: bool = True
    reader_errors: float = 1.0
    reports: bool = True

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        r = self.random
        self.turn_deg = r.uniform(0, 360)
        self.seat_deg = [
            self.turn_deg + 360 * k / self.players + r.gauss(0, 10) for k in range(self.players)
        ]
        self.own_think = self.temper.think * math.exp(r.gauss(0, 0.25))
        self.unread = r.uniform(*self.temper.unread)
        self.face_up_piles = r.random() < 0.4
        self.in_person = r.choice((0.0, 0.2, 0.6))
        self.pile_in_tray = r.random() < 0.3
        self.lookout_first = r.random() < 0.3
        self.life: dict[int, list[Segment]] = {}
        self.hands: list[Reach] = []
        self.mugs: list[tuple[float, float, Point]] = []
        self.blinds: list[tuple[float, float, bool]] = []
        self.truth: list[Round] = []
        self.deck = list(range(1, 81))
        r.shuffle(self.deck)
        now = 1.0
        for number in range(1, self.rounds + 1):
            now = self._play(number, now)
        self.end_s = now + 2.0
        self._starts = {card: [s.t_s for s in life] for card, life in self.life.items()}

    @property
    def n(self) -> int:
        return deal_size(self.players)

    def view(self) -> TableView | None:
        if not self.tokens:
            return None
        return TableView(MIDDLE, TRAY if self.tray_in_view else None)

    # -- choreography

    def _edge(self, seat: int) -> Point:
        a = math.radians(self.seat_deg[seat])
        return (CENTRE[0] + 640 * math.sin(a) + 120, CENTRE[1] - 520 * math.cos(a))

    def _put(
        self, card: int, t: float, kind: str, place: Point, end: Point = HIDDEN, until: float = 0.0
    ) -> None:
        life = self.life.setdefault(card, [])
        while life and life[-1].t_s >= t:
            life.pop()
        life.append(Segment(t, kind, place, end, until))

    def _at(self, card: int, t: float) -> Segment:
        return [s for s in self.life[card] if s.t_s <= t][-1]

    def _fly(self, card: int, t: float, to: Point, then: str) -> float:
        here = self._at(card, t).place
        until = t + self.random.uniform(0.35, 0.8)
        self._put(card, t, "fly", here, to, until)
        self._put(card, until, then, to)
        return until

    def _hand(self, seat: int, t0: float, t1: float, tip: Point, wide: bool = False) -> None:
        r = self.random
        from_deg = self.seat_deg[seat] + math.degrees(r.gauss(0, 0.45))
        self.hands.append(Reach(t0, t1, tip, from_deg, r.random() < 0.85, wide))

    def _play(self, number: int, now: float) -> float:
        r, n = self.random, self.n
        dealer = (-(number - 1)) % self.players
        cards = [self.deck.pop() for _ in range(n)]
        columns = math.ceil(n / 2)
        left, top = CENTRE[0] - (columns - 1) * 60, CENTRE[1] - 65
        spots = [
            (left + i % columns * 120 + r.gauss(0, 8), top + i // columns * 130 + r.gauss(0, 8))
            for i in range(n)
        ]
        truth = Round(number, tuple(cards))
        self.truth.append(truth)
        t = now
        for card, spot in zip(cards, spots, strict=True):
            t += r.choice((0.25, 0.4, 0.8)) * r.uniform(0.7, 1.4)
            self._put(card, t, "up", spot)
            self._hand(dealer, t - 0.25, t + 0.12, spot)
        if r.random() < (0.03 if self.temper.incidents > 0.15 else 0.0):
            extra = self.deck.pop()
            spot = (CENTRE[0] + 250, CENTRE[1])
            self._put(extra, t + 0.3, "up", spot)
            self._hand(dealer, t + 0.05, t + 0.42, spot)  # no card comes or goes by itself
            t += r.uniform(1.5, 4.0)
            self._put(extra, t, "hidden", HIDDEN)
            self._hand(dealer, t - 0.3, t + 0.12, spot)
            self.deck.insert(0, extra)
            truth.incidents.add("extra")
        truth.dealt_s = t
        return self._guesses(truth, dealer, list(cards), t) + r.uniform(2.5, 7.0)

    def _guesses(self, truth: Round, dealer: int, lying: list[int], t: float) -> float:
        r = self.random
        attempts = self.n - 2
        aside: list[int] = []
        for turn in range(attempts):
            spectator = (dealer + 1 + turn % (self.players - 2)) % self.players
            t = self._incident(truth, lying, aside, spectator, dealer, t)
            quick = r.random() < self.temper.quick
            t += (
                r.uniform(0.5, 1.2)
                if quick
                else self.own_think * math.exp(r.gauss(0, self.temper.spread))
            )
            if quick:
                truth.incidents.add("quick")
            card = r.choice(lying)
            if r.random() < 0.3:
                truth.aside, truth.ending = tuple(aside), "claimed"
                return self._claim(truth, card, lying, aside, spectator, dealer, t)
            who = spectator if r.random() < self.in_person else dealer
            t = self._set_aside(card, aside, who, dealer, t)
            lying.remove(card)
            aside.append(card)
        truth.aside, truth.ending = tuple(aside), "lookout"
        t += 2.5 * math.exp(r.gauss(0, 0.8))
        return self._collect(truth, lying, aside, (dealer - 1) % self.players, t)

    def _tray_spot(self, count: int) -> Point:
        r = self.random
        if self.pile_in_tray:
            return (760 + r.gauss(0, 6), 300 + r.gauss(0, 6))
        return (675 + (count % 3) * 88 + r.gauss(0, 4), 250 + (count // 3 % 2) * 92 + r.gauss(0, 4))

    def _set_aside(self, card: int, aside: list[int], who: int, dealer: int, t: float) -> float:
        r = self.random
        spot = self._at(card, t).place
        self._hand(who, t - r.uniform(0.3, 0.8), t + 0.15, spot)
        if self.handling == "tray":
            to = self._tray_spot(len(aside))
            until = self._fly(card, t, to, "up")
            self._hand(who, t + 0.2, until + 0.2, to)
            return until
        if self.handling == "away":
            return self._fly(card, t, self._edge(dealer), "hidden")
        self._hand(who, t, t + 0.5, spot)
        self._put(card, t, "fly", spot, spot, t + 0.5)
        self._put(card, t + 0.5, "down", spot)
        return t + 0.5

    def _claim(
        self,
        truth: Round,
        card: int,
        lying: list[int],
        aside: list[int],
        who: int,
        dealer: int,
        t: float,
    ) -> float:
        r = self.random
        truth.incidents.add(
            kind := r.choices(("pile", "one_by_one", "grabs"), self.temper.claims)[0]
        )
        rest = [c for c in lying if c != card]
        r.shuffle(rest)
        order = [card, *rest]
        then = "up" if self.face_up_piles else "hidden"
        if kind == "pile":
            spot = self._at(card, t).place
            for c in order:
                t += r.uniform(0.05, 0.2)
                self._hand(who, t - 0.2, t + 0.25, self._at(c, t).place)
                self._put(c, t, "fly", self._at(c, t).place, spot, t + 0.2)
                self._put(c, t + 0.2, "up", (spot[0] + r.gauss(0, 5), spot[1] + r.gauss(0, 5)))
            t += r.uniform(0.2, 0.8)
            self._hand(who, t - 0.3, t + 0.2, spot)
            self._take_all(order, who, t, then)
        elif kind == "one_by_one":
            for c in order:
                self._take(c, who, t, then)
                t += r.uniform(*self.temper.one_by_one)
            t -= self.temper.one_by_one[0]
        else:
            groups = min(len(order), r.randint(2, 5))
            cuts = sorted(r.sample(range(1, len(order)), groups - 1))
            parts = [order[a:b] for a, b in zip([0, *cuts], [*cuts, len(order)], strict=True)]
            for i, part in enumerate(parts):
                if i:
                    t += r.uniform(*self.temper.pauses)
                for c in part:
                    self._take(c, who, t, then)
                    t += r.uniform(0.0, 0.12)
        return self._clear(truth, aside, dealer, t)

    def _take(self, card: int, who: int, t: float, then: str) -> None:
        self._hand(who, t - 0.3, t + 0.12, self._at(card, t).place)
        self._fly(card, t, self._edge(who) if then == "up" else HIDDEN, then)

    def _take_all(self, cards: list[int], who: int, t: float, then: str) -> None:
        for c in cards:
            self._fly(c, t, self._edge(who) if then == "up" else HIDDEN, then)

    def _collect(
        self, truth: Round, lying: list[int], aside: list[int], lookout: int, t: float
    ) -> float:
        r = self.random
        then = "up" if self.face_up_piles else "hidden"
        if self.lookout_first and self.handling != "away":
            truth.incidents.add("tray_first")
            for c in aside:
                self._take(c, lookout, t, then)
                t += r.uniform(0.1, 0.4)
            aside = []
        for c in lying:
            self._take(c, lookout, t, then)
            t += r.uniform(0.05, 0.5)
        return self._clear(truth, aside, lookout, t)

    def _clear(self, truth: Round, aside: list[int], who: int, t: float) -> float:
        """The set-aside cards are collected after the round."""
        truth.last_left_s = max(
            s.t_s
            for c in truth.cards
            if c not in truth.aside
            for s in self.life[c]
            if s.kind == "fly" and self._leaves(s)
        )
        if self.handling == "face-down":
            truth.last_left_s = max(truth.last_left_s, truth.last_left_s)
        t += self.random.uniform(0.6, 2.5)
        for c in aside:
            if self.handling == "away":
                continue
            self._take(c, who, t, "hidden")
            t += self.random.uniform(0.1, 0.3)
        return t

    def _leaves(self, segment: Segment) -> bool:
        x, y = segment.end
        return not (0 <= x <= 600 and 0 <= y <= 600)

    def _incident(
        self,
        truth: Round,
        lying: list[int],
        aside: list[int],
        spectator: int,
        dealer: int,
        t: float,
    ) -> float:
        r = self.random
        for kind in INCIDENTS:
            if r.random() >= self.temper.incidents / 2:
                continue
            truth.incidents.add(kind)
            t = self._happen(kind, lying, aside, spectator, dealer, t + r.uniform(0.2, 1.0))
        return t

    def _happen(
        self, kind: str, lying: list[int], aside: list[int], spectator: int, dealer: int, t: float
    ) -> float:
        r = self.random
        card = r.choice(lying)
        place = self._at(card, t).place
        if kind in ("rest", "forearm"):
            self._hand(spectator, t, t + (d := r.uniform(1, 4)), place, wide=kind == "forearm")
            return t + d
        if kind == "lift":
            self._hand(spectator, t - 0.3, t + 0.2, place)
            back = t + r.uniform(0.8, 3.5)
            self._put(card, t, "hidden", place)
            self._put(card, back, "up", (place[0] + r.gauss(0, 8), place[1] + r.gauss(0, 8)))
            self._hand(spectator, back - 0.3, back + 0.2, place)
            return back
        if kind == "set_back":
            out = self._set_aside(card, aside, dealer, dealer, t)
            back = out + r.uniform(1.0, 4.0)
            self._hand(dealer, back - 0.3, back + 0.6, place)
            self._put(card, back, "hidden", place)
            self._put(card, back + 0.5, "up", place)
            return back + 0.6
        if kind == "nudge":
            self._hand(spectator, t - 0.2, t + 0.3, place)
            to = (
                min(560.0, max(50.0, place[0] + r.gauss(0, 25))),
                min(550.0, max(50.0, place[1] + r.gauss(0, 25))),
            )
            self._put(card, t, "fly", place, to, t + 0.2)
            self._put(card, t + 0.2, "up", to)
            return t + 0.3
        if kind == "unread":
            self.blinds.append((t, t + (d := r.uniform(0.4, 2.0)), r.random() < 0.5))
            return t + d
        self.mugs.append((t, t + (d := r.uniform(2.5, 8.0)), place))
        return t + r.uniform(0, d)

    # -- the eye

    def segment(self, card: int, t: float) -> Segment | None:
        at = bisect_right(self._starts[card], t)
        return self.life[card][at - 1] if at else None


class Eye:
    """What an eye says of a table at given times: bursts of unread markers, errors in bursts,
    hands, ghosts."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.random = Random(table.seed ^ 0x5EED)
        self.early = Random(table.seed ^ 0xEA71)
        self.blind: dict[int, bool] = {}
        self.lies: dict[int, PlaceState | None] = {}
        self.met: dict[int, Point] = {}
        self.seen: dict[int, tuple[Point, float]] = {}
        self.last_s = 0.0
        self.lying: list[Segment] = []
        self.down: list[Point] = []

    def look(self, t: float, places: dict[int, Point]) -> Glimpse:
        """The glimpse at `t`; `places` are the places to report on."""
        table, r = self.table, self.random
        dt, self.last_s = t - self.last_s, t
        blind = [full for a, b, full in table.blinds if a <= t <= b]
        if blind and blind[0]:
            return Glimpse(t, usable=False)
        hands = [h for h in table.hands if h.t_s <= t <= h.until_s]
        up: dict[int, Point] = {}
        sightings = []
        now = {
            card: s for card in table.life if (s := table.segment(card, t)) and s.kind != "hidden"
        }
        self.lying = [s for s in now.values() if s.kind == "up"]
        self.down = [s.place for s in now.values() if s.kind == "down"]
        for card, segment in now.items():
            if segment.kind == "down":
                continue
            if segment.kind == "fly":
                share = min(1.0, (t - segment.t_s) / max(0.01, segment.until_s - segment.t_s))
                p = tuple(
                    a + (b - a) * share for a, b in zip(segment.place, segment.end, strict=True)
                )
                if r.random() < 0.15 and segment.end is not HIDDEN:
                    sightings.append(self._sight(card, (p[0], p[1])))
                continue
            up[card] = segment.place
            if not blind and self._reads(card, segment, t, dt, hands):
                sightings.append(self._sight(card, segment.place))
        if r.random() < 0.002:
            sightings.append(self._sight(r.randint(1, 80), (r.uniform(0, 900), r.uniform(0, 600))))
        read = {s.card for s in sightings}
        reports = tuple(
            self._report(r, c, p, t, dt, hands, up, read, bool(blind)) for c, p in places.items()
        )
        self._remember(sightings, places, t)
        reports += tuple(
            self._report(self.early, c, p, t, dt, hands, up, read, bool(blind))
            for c, p in self.met.items()
        )
        backs = ()
        if table.named_backs and table.handling == "face-down" and not blind:
            backs = tuple(
                q for q in self.down if not self._hand_over(q, hands) and r.random() < 0.6
            )
        seen = tuple(
            Hand(h.tip, (h.from_deg + r.gauss(0, 6)) % 360 if h.known else None) for h in hands
        )
        return Glimpse(
            t, tuple(sightings), reports if table.reports else (), backs, seen, table.view()
        )

    def _remember(self, sightings: list[Sighting], places: dict[int, Point], t: float) -> None:
        """Before a deal is known the eye remembers by itself where cards came to rest (as
        `vision.memory` does)."""
        for s in sightings:
            before, _ = self.seen.get(s.card, (HIDDEN, t))
            if math.dist(before, s.centre_mm) < 8 and s.centre_mm[0] < 620:
                self.met[s.card] = s.centre_mm
            self.seen[s.card] = (s.centre_mm, t)
        self.met = {
            c: p for c, p in self.met.items() if c not in places and t - self.seen[c][1] < FORGET_S
        }

    def _sight(self, card: int, p: Point) -> Sighting:
        r = self.random
        return Sighting(
            card, (p[0] + r.gauss(0, 1), p[1] + r.gauss(0, 1)), 0.0, ((0.0, 0.0),) * 4, 1.0
        )

    def _flip(
        self, chance: float, mean_s: float, dt: float, now: bool, chance_of: Random | None = None
    ) -> bool:
        """A two-state chain that is on `chance` of the time, in runs of `mean_s`."""
        r = chance_of or self.random
        if now:
            return r.random() >= dt / mean_s
        return r.random() < chance / (1 - chance) * dt / mean_s

    def _reads(self, card: int, segment: Segment, t: float, dt: float, hands: list[Reach]) -> bool:
        table = self.table
        self.blind[card] = self._flip(table.unread, 0.6, dt, self.blind.get(card, False))
        if self.blind[card] or self._hand_over(segment.place, hands) or self._mug(segment.place, t):
            return False
        return not any(
            s.t_s > segment.t_s and math.dist(s.place, segment.place) < 45 for s in self.lying
        )

    def _hand_over(self, p: Point, hands: list[Reach]) -> bool:
        return any(math.dist(h.tip, p) < (170 if h.wide else 60) for h in hands)

    def _mug(self, p: Point, t: float) -> bool:
        return any(a <= t <= b and math.dist(p, q) < 40 for a, b, q in self.table.mugs)

    def _report(
        self, r: Random, card: int, p: Point, t: float, dt: float, hands: list[Reach],
        up: dict[int, Point], read: set[int], blind: bool,
    ) -> PlaceReport:  # fmt: skip
        table = self.table
        if blind or p[0] > 1e5:
            return PlaceReport(card, p, PlaceState.UNKNOWN)
        if card in read and card in up and math.dist(up[card], p) < 30:
            return PlaceReport(card, p, PlaceState.MARKER)
        if self._hand_over(p, hands):
            return PlaceReport(card, p, PlaceState.MOVING if r.random() < 0.6 else PlaceState.OTHER)
        if any(math.dist(q, p) < 30 for q in self.down):
            state = PlaceState.BACK if table.named_backs and r.random() < 0.8 else PlaceState.OTHER
            return PlaceReport(card, p, state)
        occupied = self._mug(p, t) or any(math.dist(q, p) < 60 for q in up.values())
        wrong = self._flip(
            (0.015 if occupied else 0.03) * table.reader_errors,
            0.4,
            dt,
            self.lies.get(card) is not None,
            r,
        )
        self.lies[card] = PlaceState.OTHER if wrong else None
        if occupied:
            return PlaceReport(card, p, PlaceState.TABLE if wrong else PlaceState.OTHER)
        return PlaceReport(card, p, PlaceState.OTHER if wrong else PlaceState.TABLE)

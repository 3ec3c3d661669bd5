"""One round after another, acted out: the deal, the guesses, the claim, the clearing up.

Knows the rules' course and people's ways with cards; writes deeds onto a stage and notes what
really happened.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import Literal

from card_printables.deck import DECKS
from companion.game.events import Handling
from companion.game.seats import guess_order, lookout_of, spectators_of
from companion.practice.acting import incidents
from companion.practice.acting.incidents import Scene
from companion.practice.acting.motion import Pose
from companion.practice.acting.people import Temper
from companion.practice.acting.piles import PileHabit, place_in_tray, pushed
from companion.practice.acting.stage import Stage
from companion.practice.faults import AT_THE_TRAY, PER_GUESS, Faults
from companion.practice.truth import GuessTruth, RoundTruth

_RIGHT = 0.3
"""How often a guess is right, as in the referee's study."""

HIDDEN_S = 16.0
"""So long nobody sees the table then: after as much a tray with one wrong card tells no more how many were
wrong (`referee.observing.round_watch.CLEARED_S`)."""

UNTIL_ANSWERED_S = 20.0
"""So long people wait after a round that nobody saw: the question is asked some seconds later, and
is to be read and answered (chosen)."""


@dataclass(slots=True)
class _Round:
    """The round being played: what lies, what was set aside, what was guessed."""

    daydreamer: int
    cards: list[int]
    lying: list[int]
    aside: list[int] = field(default_factory=list)
    guesses: list[GuessTruth] = field(default_factory=list)


@dataclass(slots=True)
class Play:
    """The players at their table; `one_round` acts out one round.

    Many attributes: nine say how these people play, the others what they have done so far."""

    stage: Stage
    players: int
    handling: Handling
    temper: Temper
    faults: Faults
    rng: Random
    piles: PileHabit = field(default_factory=PileHabit)
    pushes: float = 0.2
    haste: float = 1.0
    chance: Random = field(default_factory=Random)
    """Decides what befalls the tray."""
    won: list[str] = field(default_factory=list)
    done: list[RoundTruth] = field(default_factory=list)
    befell: list[tuple[int, str]] = field(default_factory=list)

    def one_round(
        self, daydreamer: int, cards: list[int], spare: int | None, unseen: bool = False
    ) -> RoundTruth:
        """Play a round with these cards; `spare` is a card of the deck for one laid too many. Of an
        `unseen` one the picture stands still after the first guess, which is wrong, until it is over."""
        circle = tuple(range(self.players))
        now = _Round(daydreamer, cards, list(cards))
        self._draw(daydreamer)
        order = guess_order(spectators_of(daydreamer, circle), len(cards))
        dealt_s = self._deal(now, spare, order[0])
        lookout = lookout_of(daydreamer, circle)
        if unseen:
            ended_s = self._unseen_guesses(now, order[len(now.guesses) :])
        else:
            ended_s = self._guesses(now, order[len(now.guesses) :])
            if not now.guesses[-1].right:
                ended_s = self._lookout_takes(now, lookout)
            self._collect(now, daydreamer)
        self.won += [thing_of(card) for card in cards]
        ending: Literal["claimed", "lookout"] = "claimed" if now.guesses[-1].right else "lookout"
        line = RoundTruth(
            len(self.done) + 1,
            daydreamer,
            lookout,
            tuple(cards),
            tuple(now.guesses),
            ending,
            dealt_s,
            ended_s,
        )
        self.done.append(line)
        return line

    def _pause(self, seconds: float) -> None:
        self.stage.wait(seconds / self.haste)

    def _draw(self, daydreamer: int) -> None:
        """Between rounds the table is bare: cards are drawn, looked at and shuffled out of view."""
        low, high = self.temper.bare_s
        if self.stage.layout.deck:
            self._pause(self.rng.uniform(0.5, 1.5))
            self.stage.touch(daydreamer, [self.stage.layout.deck.point_mm], 0.4, "grip")
        self._pause(self.rng.uniform(low, high))
        if self._befalls("cup_stays"):
            incidents.play(self.stage, "cup_stays", Scene(daydreamer, (), (), tuple(self.won)))
            self._pause(self.rng.uniform(0.3, 6.0))

    def _deal(self, now: _Round, spare: int | None, hasty: int) -> float:
        """Lay the cards one after another; the moment in which the last one lies is returned.
        `hasty` is the seat that may guess before all lie."""
        miss = self._befalls("one_too_few")
        extra = spare if not miss and spare is not None and self._befalls("one_too_many") else None
        laid = [*now.cards] if extra is None else [*now.cards, extra]
        places = self.stage.layout.places(len(laid), self.rng)
        incidents.clear_cup(self.stage, now.daydreamer, places)
        early = self.rng.randrange(1, len(laid) - 1) if self._befalls("early_card") else -1
        at_s = 0.0
        for index, (card, pose) in enumerate(zip(laid, places, strict=True)):
            if miss and index == len(laid) - 1:
                self._pause(self.rng.uniform(3, 7))
            at_s = self._lay(now.daydreamer, card, pose)
            if index == early:
                self._take_early(now, laid[index])
            elif index == len(now.cards) - 2 and extra is None and self._befalls("early_guess"):
                self._set_aside(now, hasty, laid[index])
            if self.rng.random() < 0.2:
                self._pause(self.rng.uniform(0.3, 1.2))
        if extra is not None:
            self._pause(self.rng.uniform(2, 5))
            self.stage.carry(
                now.daydreamer, thing_of(extra), self.stage.layout.away(now.daydreamer)
            )
        return at_s

    def _lay(self, seat: int, card: int, pose: Pose) -> float:
        thing = self.stage.add(thing_of(card), self.stage.layout.away(seat))
        return self.stage.bring(seat, thing, pose)

    def _take_early(self, now: _Round, card: int) -> None:
        """A card goes before all lie, is missed, and is put back."""
        seat = self.rng.choice([seat for seat in range(self.players) if seat != now.daydreamer])
        pose = self.stage.where(thing_of(card))
        self.stage.carry(seat, thing_of(card), self.stage.layout.away(seat))
        self._pause(self.rng.uniform(1, 3))
        self.stage.bring(seat, thing_of(card), pose)

    def _guesses(self, now: _Round, order: tuple[int, ...]) -> float:
        """All guesses of the round, and the claim if one is right; when the middle was empty, or
        the last card aside."""
        ended_s = self.stage.now_s
        waiting: tuple[int, int] | None = None
        for turn, seat in enumerate(order):
            self._before(now, seat)
            card = self.rng.choice([c for c in now.lying if waiting is None or c != waiting[1]])
            if self.rng.random() < self.temper.points:
                spot = self.stage.where(thing_of(card)).point_mm
                self.stage.touch(seat, [spot], self.rng.uniform(0.6, 1.6), "point")
                self._pause(self.rng.uniform(0.2, 1.0))
            if self.rng.random() < _RIGHT:
                if waiting is not None:
                    self._set_aside(now, *waiting)
                return self._claim(now, seat, card)
            if waiting is not None:
                ended_s = self._set_both_aside(now, waiting, (seat, card))
                waiting = None
            elif turn < len(order) - 1 and self._befalls_tray("two_at_once"):
                waiting = (seat, card)
            else:
                ended_s = self._set_aside(now, seat, card)
        return ended_s

    def _unseen_guesses(self, now: _Round, order: tuple[int, ...]) -> float:
        """The first guess is wrong; then the picture stands still while the next one is right and
        everything is taken. Then people look at the question for a while."""
        first, second = order[:2]
        self._before(now, first)
        self._set_aside(now, first, self.rng.choice(now.lying))
        self._pause(self.rng.uniform(2, 3))
        self.stage.befall("picture_freezes", HIDDEN_S)
        seen_s = self.stage.now_s + HIDDEN_S
        ended_s = self._claim(now, second, self.rng.choice(now.lying))
        self._collect(now, now.daydreamer)
        self.stage.now_s = max(self.stage.now_s, seen_s) + UNTIL_ANSWERED_S
        return ended_s

    def _before(self, now: _Round, seat: int) -> None:
        """Think, while incidents may befall the table."""
        aside = tuple(thing_of(card) for card in now.aside)
        scene = Scene(seat, tuple(thing_of(card) for card in now.lying), aside, tuple(self.won))
        think_s = self.temper.think(self.rng)
        for name in PER_GUESS:
            if not self._befalls(name):
                continue
            self._pause(self.rng.uniform(0.3, 1.0))
            if name == "second_thoughts":
                self._second_thoughts(now, seat)
            else:
                incidents.play(self.stage, name, scene)
        for name in AT_THE_TRAY:
            if self._befalls_tray(name):
                self._pause(self.rng.uniform(0.3, 1.0))
                incidents.play(self.stage, name, scene)
        self._pause(think_s)

    def _befalls(self, name: str) -> bool:
        """Whether this switch is thrown now; if so it is written down with the number of the round."""
        rate: float = getattr(self.faults, name)
        thrown = rate > 0 and self.rng.random() < rate
        if thrown:
            self.befell.append((len(self.done) + 1, name))
        return thrown

    def _befalls_tray(self, name: str) -> bool:
        """The same of what befalls only tables that set aside on a tray."""
        rate: float = getattr(self.faults, name)
        thrown = self.handling == "tray" and rate > 0 and self.chance.random() < rate
        if thrown:
            self.befell.append((len(self.done) + 1, name))
        return thrown

    def _second_thoughts(self, now: _Round, seat: int) -> None:
        """A card is set aside and comes back: no guess."""
        card = self.rng.choice(now.lying)
        pose = self.stage.where(thing_of(card))
        self._put_aside(now, seat, card)
        self._pause(self.rng.uniform(0.8, 4))
        if self.handling == "face-down":
            self.stage.turn_over(now.daydreamer, thing_of(card))
        else:
            others = [
                self.stage.where(thing_of(other))
                for other in (*now.lying, *now.aside)
                if other != card
            ]
            to = self.stage.layout.free_place(others, self.rng) if self.rng.random() < 0.4 else None
            self.stage.carry(now.daydreamer, thing_of(card), to or pose)
        self._pause(self.rng.uniform(0.5, 2))

    def _put_aside(self, now: _Round, seat: int, card: int) -> float:
        hand = seat if (self.pushes > 0 and self.rng.random() < self.pushes) else now.daydreamer
        if self.handling == "face-down":
            return self.stage.turn_over(hand, thing_of(card))
        if self.handling == "away":
            return self.stage.carry(
                now.daydreamer, thing_of(card), self.stage.layout.away(now.daydreamer)
            )
        return self._lay_in_tray(now, hand, card)

    def _lay_in_tray(self, now: _Round, hand: int, card: int) -> float:
        """A card is carried to the tray, beside, on or under those that lie there, which it may
        push; when it left its place is returned."""
        there = [thing_of(other) for other in now.aside]
        lying = [self.stage.where(thing) for thing in there]
        to = place_in_tray(self.stage.layout, self.piles, lying, self.rng)
        if self._befalls_tray("turned_in_tray"):
            to = replace(to, up=False)
        left_s = self.stage.carry(hand, thing_of(card), to)
        puts_s = self.stage.reaches[-1].stops[-3].t_s
        for thing, pose in zip(there, pushed(lying, self.piles, self.stage.rng), strict=True):
            if pose != self.stage.where(thing):
                self.stage.move(thing, puts_s - 0.25, puts_s + 0.05, pose)
        if self._befalls_tray("hand_lingers"):
            self.stage.linger(self.chance.uniform(2.0, 9.0))
        return left_s

    def _set_both_aside(
        self, now: _Round, first: tuple[int, int], second: tuple[int, int]
    ) -> float:
        """Two wrong cards are carried to the tray in one hand; when the second left its place."""
        there = [self.stage.where(thing_of(other)) for other in now.aside]
        to = place_in_tray(self.stage.layout, self.piles, there, self.rng)
        things = [thing_of(card) for _, card in (first, second)]
        left_s = self.stage.gather(now.daydreamer, things, to)
        for (seat, card), at_s in zip((first, second), left_s, strict=True):
            now.lying.remove(card)
            now.aside.append(card)
            now.guesses.append(GuessTruth(seat, card, False, at_s))
        return left_s[-1]

    def _set_aside(self, now: _Round, seat: int, card: int) -> float:
        left_s = self._put_aside(now, seat, card)
        now.lying.remove(card)
        now.aside.append(card)
        now.guesses.append(GuessTruth(seat, card, False, left_s))
        return left_s

    def _claim(self, now: _Round, seat: int, card: int) -> float:
        rest = [other for other in now.lying if other != card]
        self.rng.shuffle(rest)
        left = self._take(seat, [thing_of(item) for item in (card, *rest)], self._pile(seat))
        now.lying.clear()
        now.guesses.append(GuessTruth(seat, card, True, left[0]))
        return left[-1]

    def _pile(self, seat: int) -> Pose:
        """Where this player's new cards go: out of view, or face up before them at the table's
        edge."""
        if self._befalls("edge_pile"):
            pose = self.stage.layout.edge(seat, self.rng)
            if self.stage.layout.edge_is_free(pose):
                return pose
        return self.stage.layout.away(seat)

    def _take(self, seat: int, things: list[str], to: Pose) -> list[float]:
        """Things are taken, the first one first, in one of the three ways; when each left its
        place, a heap's last one the table."""
        way = self._way()
        if way == "by_card":
            return [self.stage.carry(seat, thing, to) for thing in things]
        if way == "sweep":
            return self._sweep(seat, things, to)
        left: list[float] = []
        rest = things
        while rest:
            take = 1 if not left else self.rng.randint(1, len(rest))
            left += self.stage.gather(seat, rest[:take], to)
            rest = rest[take:]
            if rest:
                self.stage.wait(*self.temper.grab_pause_s)
        return left

    def _way(self) -> str:
        if self._befalls("pile_sweep"):
            return "sweep"
        return "grabs" if self._befalls("several_grabs") else self.temper.way(self.rng)

    def _sweep(self, seat: int, things: list[str], to: Pose) -> list[float]:
        """The cards are pushed into one heap in the middle, farthest first, and the heap is taken."""
        x, y = self.stage.layout.shoulders_mm[seat]
        poses = {thing: self.stage.where(thing) for thing in things}
        far = sorted(
            things, key=lambda thing: -((poses[thing].x_mm - x) ** 2 + (poses[thing].y_mm - y) ** 2)
        )
        heap = replace(poses[far[-1]], height_mm=0.6)
        left = self.stage.gather(seat, far, heap, 0.0, "flat")
        self.stage.wait(0, 0.5)
        return [*left[:-1], self.stage.take_heap(seat, far, to)]

    def _lookout_takes(self, now: _Round, lookout: int) -> float:
        """Nobody was right: the Lookout takes everything; when the middle was empty is returned."""
        self._pause(self.rng.lognormvariate(0.9, 0.5))
        pile = self._pile(lookout)
        rest = [thing_of(card) for card in now.lying]
        aside = [thing_of(card) for card in now.aside if self.handling != "away"]
        if self.handling == "face-down":
            left = self._take(lookout, [*rest, *aside], pile)
        elif aside and self.rng.random() < 0.3:
            self._take(lookout, aside, pile)
            left = self._take(lookout, rest, pile)
        else:
            left = self._take(lookout, rest, pile)
            self._pause(self.rng.uniform(0.3, 2))
            if aside:
                self._take(lookout, aside, pile)
        now.aside.clear()
        return left[-1]

    def _collect(self, now: _Round, daydreamer: int) -> None:
        """The Daydreamer takes what was set aside, where it still lies on the table."""
        if now.aside and self.handling != "away":
            self._pause(self.rng.uniform(1.0, 3.0))
            self.stage.gather(
                daydreamer, [thing_of(card) for card in now.aside], self._pile(daydreamer)
            )
        self._pause(self.rng.uniform(0.5, 2))


def thing_of(card: int) -> str:
    """The stage's name of a card of this deck."""
    return f"{DECKS[0]}/{card}"

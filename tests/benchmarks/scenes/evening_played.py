"""One evening of the benchmark: a table, a game, a camera, kept from pixels by the real eye and
referee, then judged.

Knows the practice table's truth; the benchmark `evening.py` chooses evenings and counts.
"""

from __future__ import annotations

import argparse
import functools
import time
from dataclasses import dataclass, field, replace
from random import Random

import cv2

from calibration.cameras.port import Camera
from calibration.cameras.slower import SlowerCamera
from calibration.geometry.fit import fit_plane
from calibration.tags.find import find_tags
from card_printables.marker import SYMBOL_MM, MarkerPlace
from companion.commands.shared.options import LIGHT_EVERY_S
from companion.evening.loop import Source, keep_score
from companion.evening.questions import PendingQuestion
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes
from companion.game.events import CloudsClaimed, EveningBegun, LookoutTook
from companion.game.rules import Round
from companion.practice.evening import learn_practice_deck
from companion.practice.faults import EVERYDAY, LIVING_ROOM, NO_FAULTS, Faults
from companion.practice.lesson import back_picture
from companion.practice.room import Room, random_room
from companion.practice.script import Script, write_script
from companion.practice.table import PracticeTable
from companion.practice.truth import RoundTruth, Truth
from companion.practice.witness import Witness, moments_of
from companion.referee.ruling import Option
from companion.table.sighting import FIRST_STAND_IN, Attention, RawGlimpse, Sighting
from companion.vision.eye import Eye
from companion.vision.learnt.deck import LearntDeck
from companion.vision.learnt.deck_reader import DeckReader
from companion.vision.learnt.recognise import Recogniser
from companion.vision.places.back_lesson import learn_lone_back

HANDLINGS = ("tray", "face-down", "away", "bare")
CAMERAS = {"4k": (3840, 2160), "1080p": (1920, 1080), "720p": (1280, 720), "phone": (1280, 720)}


@dataclass(frozen=True, slots=True)
class Order:
    """One evening to play: everything follows from these.  `rounds` 0: to the end of the deck."""

    seed: int
    rounds: int
    players: int
    edition: str
    handling: str
    temper: str
    camera: str
    faults: str
    rate: float
    fps: float
    idle_fps: float
    eye: str
    light: bool = False
    """Looked at as with `--light`."""
    cloth: str | None = None
    """What the table is made of; None: as the room has it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One round: "exact", "asked", "wrong" (entered so, and nobody asked), "open" (not entered by
    the end of the film) or "missed" (never seen), what befell it, whether a question held the
    true answer, how surely it was entered or asked, and whether that likeliest story was so."""

    number: int
    verdict: str
    incidents: tuple[str, ...]
    answerable: bool = True
    note: str = ""
    stated: float | None = None
    right: bool = False


@dataclass(slots=True)
class Outcome:
    """What became of an evening: its rounds, the entries' delays, and processor milliseconds a
    frame."""

    order: Order
    room: str
    rounds: list[Judged] = field(default_factory=list)
    delays_s: list[float] = field(default_factory=list)
    film_s: float = 0.0
    frames: int = 0
    render_ms: float = 0.0
    read_ms: float = 0.0


def play(order: Order) -> Outcome:
    """Play one evening and judge every round of it."""
    cv2.setNumThreads(1)
    script, room = written(order)
    outcome = Outcome(order, str(room), film_s=script.duration_s)
    keeper = keep(script, room, outcome)
    judged = [judge(keeper, script, line) for line in script.truth.rounds]
    invented = len(keeper.ledger.rounds) - len([r for r in judged if r.verdict != "missed"])
    outcome.rounds = judged
    for number, pending in keeper.book.pending_questions.items():
        # a round that nobody saw whole: people are asked whether it was played
        unseen = next((r for r in judged if (r.number, r.verdict) == (number, "missed")), None)
        if pending.question.asks == "missed_round" and unseen is not None:
            judged[judged.index(unseen)] = replace(unseen, verdict="asked", answerable=True)
            invented -= 1
    outcome.rounds += [Judged(99, "wrong", (), note="a round that never was")] * max(0, invented)
    return outcome


SETTLED = {"none": NO_FAULTS, "everyday": EVERYDAY, "living": LIVING_ROOM}

GROUPS = {
    "piles": (
        "pile_on_top",
        "pile_under",
        "pile_fan",
        "pile_heap",
        "tray_edge",
        "tray_cut_off",
        "tray_far",
    ),
    "unruly": (
        "hand_lingers",
        "two_at_once",
        "turned_in_tray",
        "tray_nudged",
        "bowl_on_tray",
        "pile_slips",
        "lean_shadow",
        "exposure_follows",
    ),
}
"""Of these each evening throws one switch."""


def faults_of(order: Order) -> Faults:
    """What may go wrong in this evening."""
    if order.faults in SETTLED:
        return SETTLED[order.faults]
    group = GROUPS.get(order.faults)
    switch = group[order.seed % len(group)] if group else order.faults
    return Faults.only(switch, order.rate)


def written(order: Order) -> tuple[Script, Room]:
    """The script and the room of an order."""
    side = {"tray": None, "face-down": "right"}.get(order.handling, "none")
    faults = faults_of(order)
    room = random_room(
        order.seed,
        order.players,
        size_px=CAMERAS[order.camera],
        tray_side=side,
        tokens=order.handling != "bare",
        cloth=order.cloth,
        faults=faults,
    )
    if order.camera == "phone":
        faults = replace(faults, shaky=1.0)
    script = write_script(
        order.players, order.edition, order.rounds or None, order.seed, order.temper,
        "away" if order.handling == "bare" else order.handling, faults, room.layout,
    )  # fmt: skip
    return script, room


def begun(truth: Truth, handling: str) -> EveningBegun:
    """What the group says at set-up: how wrong cards are set aside only where they go out of view."""
    told = "away" if handling in ("away", "bare") else "auto"
    return EveningBegun(truth.players, truth.daydreamer, truth.edition, len(truth.deck), told)


def keep(script: Script, room: Room, outcome: Outcome) -> Scorekeeper:
    """Keep the score of the whole film with nobody to ask, as `companion score` does."""
    keeper = Scorekeeper()
    keeper.change(Changes((begun(script.truth, outcome.order.handling),)), 0.0)
    order = outcome.order
    if order.eye in ("witness", "nameless"):
        fps = min(order.fps, 1 / LIGHT_EVERY_S) if order.light else order.fps
        source = moments_of(Witness(script, order.seed), fps)
        if order.eye == "nameless":
            source = _with_nameless(source, script, order.seed)
    else:
        source = eye_of(script, room, outcome)
    for step in keep_score(source, keeper):
        for entry in step.entries:
            if isinstance(entry.event, CloudsClaimed | LookoutTook):
                outcome.delays_s += _delay(
                    keeper, script.truth, entry.event.round, step.glimpse.t_s
                )
    return keeper


NAMELESS, NAMED_LATER = 0.1, 0.5
"""Of the cards of a learnt deck so many have no name when they come to lie, and so many of those get
theirs later."""


STOOD_S = 1.0
"""A thing of a card's size is taken for a card without a name once it has stood so long."""


def cups_as_cards(script: Script, t_s: float) -> tuple[Sighting, ...]:
    """The cups that stand on the table, as an eye takes them that reads cards by their pictures."""
    cups = [track for track in script.tracks if track.thing.startswith("cup#")]
    found = []
    for index, track in enumerate(cups):
        then, now = (track.at(max(0.0, at_s))[0] for at_s in (t_s - STOOD_S, t_s))
        came = bool(track.keys) and t_s - STOOD_S > track.keys[0].start_s
        if came and then == now and not now.away:
            found.append(Sighting(FIRST_STAND_IN + 100 + index, now.point_mm, 0.0, (), 0.5))
    return tuple(found)


def _with_nameless(source: Source, script: Script, seed: int) -> Source:
    """The same as an eye would say it that knows the cards by their pictures alone: some lie there
    without a name, and of some it is told after a while; a cup is one more of them."""
    rng = Random(f"nameless {seed}")
    dealt = [card for line in script.truth.rounds for card in line.cards]
    stand_ins = {card: FIRST_STAND_IN + card for card in dealt if rng.random() < NAMELESS}
    waits_s = {card: rng.uniform(0, 40) for card in stand_ins if rng.random() < NAMED_LATER}
    first_s: dict[int, float] = {}

    def number(card: int) -> int:
        return stand_ins.get(card, card)

    def read_next(attention: Attention) -> RawGlimpse | None:
        raw = source(attention)
        if raw is None:
            return None
        told = raw.uncurtained
        for sighting in told.sightings:
            first_s.setdefault(sighting.card, told.t_s)
        names = tuple(
            (stand_ins[card], card)
            for card, wait_s in waits_s.items()
            if card in first_s and told.t_s > first_s[card] + wait_s
        )
        return RawGlimpse(
            replace(
                told,
                sightings=(
                    *(replace(s, card=number(s.card)) for s in told.sightings),
                    *cups_as_cards(script, told.t_s),
                ),
                places=tuple(replace(p, card=number(p.card)) for p in told.places),
                names=names,
            )
        )

    return read_next


def eye_of(script: Script, room: Room, outcome: Outcome) -> Source:
    """Glimpses of the real eye, from pictures; what they cost is noted."""
    order = outcome.order
    coded = order.eye != "learnt"
    eye = Eye() if coded else _eye_without_codes(room)
    table = PracticeTable(
        script, room.camera, room.cloth, order.seed, order.fps, order.idle_fps or None, coded
    )
    camera: Camera = SlowerCamera(table, LIGHT_EVERY_S) if order.light else table

    def read_next(attention: Attention) -> RawGlimpse | None:
        """The next frame's glimpse."""
        start = time.thread_time()
        frame = camera.read()
        rendered = time.thread_time()
        raw = eye.read_frame(frame, attention).raw if frame is not None else None
        outcome.frames += 1
        outcome.render_ms += 1000 * (rendered - start)
        outcome.read_ms += 1000 * (time.thread_time() - rendered)
        return raw

    return read_next


@functools.cache
def _deck_learnt() -> tuple[LearntDeck, Recogniser]:
    """The practice deck without codes, learnt once, at another table than any evening's."""
    parlour_table = argparse.Namespace(players=5, seed=0, room="parlour")
    deck = learn_practice_deck(parlour_table, "benchmark", lambda _: None)
    return deck, Recogniser(deck)


def _eye_without_codes(room: Room) -> Eye:
    """An eye that knows the deck by its pictures, and its back from one look on this table."""
    deck, known = _deck_learnt()
    eye = Eye(deck.numbers, reader=DeckReader(deck, SYMBOL_MM, known))
    image = back_picture(room)
    plane = fit_plane(find_tags(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)), room.camera.size_px)
    place, reader = MarkerPlace(deck.disc_mm, SYMBOL_MM), DeckReader(deck, SYMBOL_MM, known)
    if plane is not None:
        eye.know_back(learn_lone_back(image, plane, reader, place).back)
    return eye


def _delay(keeper: Scorekeeper, truth: Truth, number: int, t_s: float) -> list[float]:
    kept = keeper.ledger.rounds[number - 1]
    return [t_s - line.ended_s for line in truth.rounds if _is_of(kept, line)]


def judge(keeper: Scorekeeper, script: Script, line: RoundTruth) -> Judged:
    """What became of this round of the script."""
    incidents = tuple(sorted({name for number, name in script.incidents if number == line.number}))
    kept = next((r for r in keeper.ledger.rounds if _is_of(r, line)), None)
    if kept is None:
        return Judged(line.number, "missed", incidents)
    pending = keeper.book.pending_questions.get(kept.number)
    if pending is not None:
        best = _is_told(pending.question.options[0], line)
        stated = pending.ruling.confidence
        return Judged(line.number, "asked", incidents, _holds(pending, line), "", stated, best)
    if kept.ending == "open":
        return Judged(line.number, "open", incidents)
    exact = _same(keeper, kept, line, len(script.truth.players), "two_at_once" in incidents)
    return Judged(
        line.number,
        "exact" if exact else "wrong",
        incidents,
        note="" if exact else f"{kept} was {line}",
        stated=_stated(keeper, kept.number),
        right=exact,
    )


def _is_of(kept: Round, line: RoundTruth) -> bool:
    """True when the ledger's round has this one's cards, but for those that were never read."""
    read = set(kept.known_cards) - {None}
    return bool(read) and read <= set(line.cards) and len(kept.known_cards) == len(line.cards)


def _aside(line: RoundTruth) -> tuple[int, ...]:
    return tuple(guess.card for guess in line.guesses if not guess.right)


def _place_in(card: int | None, cards: tuple[int, ...]) -> int:
    return cards.index(card) if card in cards else len(cards)


def _same(keeper: Scorekeeper, kept: Round, line: RoundTruth, players: int, together: bool) -> bool:
    """True when the ledger's round has the wrong guesses, the ending and the gains of the truth;
    after a missed round people would have put the roles right, so then the gains are not compared
    by seat. Of cards that were carried `together` nobody can tell the order, and no point hangs on it.
    A card without a name may be any."""
    gains, true = keeper.ledger.gains(kept), line.gains(players)
    if kept.number != line.number:
        gains, true = tuple(sorted(gains)), tuple(sorted(true))
    aside = kept.set_aside
    if together:
        aside = tuple(sorted(aside, key=lambda card: _place_in(card, _aside(line))))
    same = len(aside) == len(_aside(line)) and (
        all(card is None or card == was for card, was in zip(aside, _aside(line), strict=True))
        or (together and None in aside and set(aside) - {None} <= set(_aside(line)))
    )
    return same and kept.ending == line.ending and tuple(gains) == tuple(true)


def _holds(pending: PendingQuestion, line: RoundTruth) -> bool:
    """True when one of the question's buttons is what happened."""
    return any(_is_told(option, line) for option in pending.question.options)


def _is_told(option: Option, line: RoundTruth) -> bool:
    return len(option.set_aside) == len(_aside(line)) and option.ending == line.ending


def _stated(keeper: Scorekeeper, number: int) -> float | None:
    """How surely the end of this round was entered; None where a person or nobody entered it."""
    ends = [
        entry
        for entry in keeper.log.effective
        if entry.round == number and isinstance(entry.event, CloudsClaimed | LookoutTook)
    ]
    return ends[-1].confidence if ends and ends[-1].source == "camera" else None


def some_order(rng: Random, seed: int, wishes: dict[str, object]) -> Order:
    """A random evening; what `wishes` holds is not left to chance."""
    handling = str(wishes.get("handling") or rng.choice(("tray", "tray", "face-down")))
    edition = "de" if handling == "face-down" else rng.choice(("en", "en", "cs", "de"))
    drawn: dict[str, object] = {
        "players": rng.randint(3, 8), "edition": edition, "handling": handling,
        "temper": rng.choice(("calm", "ordinary", "ordinary", "rowdy")), "camera": rng.choice(("1080p", "1080p", "720p")),
    }  # fmt: skip
    return Order(
        seed=seed,
        **{**drawn, **{name: value for name, value in wishes.items() if value is not None}},
    )

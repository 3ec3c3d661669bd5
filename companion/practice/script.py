"""A scripted evening: what hands do, when, and what really happened.

Knows everything of the evening in millimetres and seconds, before the first picture is taken; knows
nothing of pixels. A script is deterministic in its seed, and any moment of it can be asked for, in
any order.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from companion.errors import BadInput
from companion.game.events import EDITIONS, HANDLINGS, Edition, Handling
from companion.game.seats import FEWEST_PLAYERS, MOST_PLAYERS, deal_size, right_of
from companion.practice.acting.motion import Pose, Reach, Track
from companion.practice.acting.people import Arm, arm, temper
from companion.practice.acting.piles import PILE_FAULTS, PileHabit, pile_habit
from companion.practice.acting.play import Play
from companion.practice.acting.stage import Effect, Stage
from companion.practice.faults import EVERYDAY, Faults
from companion.practice.layout import TableLayout, lay_table
from companion.practice.truth import Truth

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana")
PUBLISHED_DECK = tuple(range(1, 81))
_LOST = 3
RESTED_S = 1.5
"""So long after the last hand has gone a table may still be told something: cards settle, rounds
are entered."""


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    """An evening, written down: the table, the ways of all things, all visits of hands, what
    befalls the picture, the truth, and which incident befell which round (number, switch)."""

    layout: TableLayout
    tracks: tuple[Track, ...]
    reaches: tuple[Reach, ...]
    effects: tuple[Effect, ...]
    arms: tuple[Arm, ...]
    truth: Truth
    duration_s: float
    flicker: bool = False
    dusk: bool = False
    shaky: bool = False
    incidents: tuple[tuple[int, str], ...] = ()
    tray: Track | None = None
    """The tray's way, where it has one."""
    exposure_follows: bool = False

    def tray_at(self, t_s: float) -> Pose | None:
        """Where the tray lies at `t_s`, None without one."""
        return self.tray.at(t_s)[0] if self.tray is not None else self.layout.tray

    def hands_at(self, t_s: float) -> tuple[Reach, ...]:
        """The hands on their way at `t_s`."""
        return tuple(reach for reach in self.reaches if reach.start_s <= t_s < reach.end_s)

    def idle(self, t_s: float) -> bool:
        """True while nobody has touched the table for `RESTED_S` and nothing befalls the picture."""
        touched = any(reach.start_s <= t_s < reach.end_s + RESTED_S for reach in self.reaches)
        return not touched and not any(e.start_s <= t_s < e.end_s + RESTED_S for e in self.effects)

    def effects_at(self, t_s: float) -> tuple[Effect, ...]:
        """What befalls the picture at `t_s`."""
        return tuple(effect for effect in self.effects if effect.start_s <= t_s < effect.end_s)


def write_script(
    players: int = 5,
    edition: Edition = "en",
    rounds: int | None = None,
    seed: int = 0,
    temper_name: str = "ordinary",
    handling: Handling = "auto",
    faults: Faults = EVERYDAY,
    layout: TableLayout | None = None,
    daydreamer: int | None = None,
    haste: float = 1.0,
    unseen_round: int | None = None,
) -> Script:
    """A random evening of `rounds` rounds (None: to the end of the deck).

    `handling` "auto" is what the edition says: the tray, or face down in place for the German one.
    `haste` divides the pauses in which nobody touches the table. In `unseen_round` the picture
    stands still while it ends, so that the companion must ask.

    Raises:
        BadInput: players, edition or handling are not among those possible, or there is no tray to
        use.
        ValueError: there is no such temper.
    """
    _check(players, edition, handling)
    rng = Random(f"{seed}/{players}/{edition}/{handling}")
    table = layout or lay_table(players, rng)
    used = used_handling(edition, handling)
    if used == "tray" and table.tray is None:
        raise BadInput("this table has no tray: choose handling away or face-down, or lay a tray")
    stage = Stage(table, Random(rng.random()))
    ways = temper(temper_name)
    play = Play(
        stage,
        players,
        used,
        ways,
        faults,
        rng,
        _piles(faults, rng.random() < faults.overlapping_tray, seed),
        0.0 if temper_name == "calm" else 0.2,
        haste,
        Random(f"tray {seed}"),
    )
    first = rng.randrange(players) if daydreamer is None else daydreamer
    deck = _deck(faults, rng)
    stage.wait(3.0, 5.0)
    _play_rounds(play, list(deck), first, rounds, unseen_round)
    truth = Truth(NAMES[:players], first, edition, used, deck, tuple(play.done))
    arms = tuple(arm(rng) for _ in range(players))
    reaches = tuple(sorted(stage.reaches, key=lambda reach: reach.start_s))
    tracks = tuple(stage.tracks.values())
    return Script(
        table,
        tracks,
        reaches,
        tuple(stage.effects),
        arms,
        truth,
        stage.now_s + 4.0,
        rng.random() < faults.flicker,
        rng.random() < faults.dusk,
        rng.random() < faults.shaky,
        tuple(play.befell),
        stage.tray_track,
        play.chance.random() < faults.exposure_follows,
    )


def used_handling(edition: Edition, handling: Handling) -> Handling:
    """The handling that "auto" stands for in this edition."""
    if handling != "auto":
        return handling
    return "face-down" if edition == "de" else "tray"


def _piles(faults: Faults, overlapping: bool, seed: int) -> PileHabit:
    """How this table piles cards in the tray; chance has its own row of numbers, so that evenings
    without piles stay what they were."""
    rng = Random(f"piles {seed}")
    way = next((way for name, way in PILE_FAULTS if rng.random() < getattr(faults, name)), None)
    return pile_habit(way or ("overlapping" if overlapping else "apart"), rng)


def _check(players: int, edition: str, handling: str) -> None:
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise BadInput(f"{players} players: the game is for {FEWEST_PLAYERS} to {MOST_PLAYERS}")
    if edition not in EDITIONS:
        raise BadInput(f"there is no edition {edition!r}: choose one of {', '.join(EDITIONS)}")
    if handling not in HANDLINGS:
        raise BadInput(f"there is no handling {handling!r}: choose one of {', '.join(HANDLINGS)}")


def _deck(faults: Faults, rng: Random) -> tuple[int, ...]:
    """The cards in the box, some lost if the evening has that fault."""
    deck = list(PUBLISHED_DECK)
    if rng.random() < faults.missing_cards:
        for card in rng.sample(deck, _LOST):
            deck.remove(card)
    return tuple(deck)


def _play_rounds(
    play: Play, deck: list[int], first: int, rounds: int | None, unseen: int | None
) -> None:
    """Play until the deck is too small for another round, or as many rounds as wanted."""
    play.rng.shuffle(deck)
    size, daydreamer = deal_size(play.players), first
    while len(deck) >= size and (rounds is None or len(play.done) < rounds):
        cards, deck = deck[:size], deck[size:]
        number = len(play.done) + 1
        play.one_round(daydreamer, cards, deck[-1] if deck else None, unseen=number == unseen)
        daydreamer = right_of(daydreamer, tuple(range(play.players)))

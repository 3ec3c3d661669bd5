"""An evening for tests: the real session with a real journal, and what people and a camera do at it.

States are reached as they are in a home: by commands, and by what a camera sees. Long ones are kept
as logs and read again, so that a test that begins in the fifth round is quick.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from card_printables.deck import DECKS
from card_printables.marker import SYMBOL_MM
from companion.capture.view import View
from companion.evening.session import Session
from companion.game.change import Changes
from companion.game.events import EveningBegun, EveningEnded
from companion.game.log import Entry
from companion.journal import Journal
from companion.table.sighting import Glimpse, PlaceReport, PlaceState, Point, RawGlimpse, TableView
from tests.support.game_evening import Told
from tests.support.picture import MIDDLE, _sighting, slot_mm

NAMES = ("Tomáš", "Ben", "Ida", "Oskar", "Mia", "Livia", "Anna", "Opa Karel")
LONG = (
    "Jo",
    "Oma Hannelore",
    "Wolfgang-Amadeus",
    "Kateřina Nováková",
    "Bartholomäus",
    "Přemysl Otakar",
    "Anne-Sophie-Charlotte",
    "Maximilian-Alexander",
)

CALLED = (
    "a door left open",
    None,
    "grandmother’s lost slipper",
    "shy elephant on ice",
    "camel waiting for rain",
)
"""What the clouds of the rounds are called, over and over."""

TODAY_S = 1_000_000.0
"""When the tests' evenings begin: long after the evenings that the journal knows already."""


@dataclass
class ShownCamera:
    """A camera that is in whatever state the test says, and looks at what the test lays before it."""

    state: str = "live"
    practice: bool = False
    picture: np.ndarray | None = None
    lying: set[int] = field(default_factory=set)
    notices: tuple[str, ...] = ()
    shows: str = ""
    on: bool = True
    back_known: bool = False

    def __post_init__(self) -> None:
        reader = SimpleNamespace(deck=DECKS[0], symbol_mm=SYMBOL_MM, second_reader=None)
        self.camera = SimpleNamespace(name="Webcam")
        self.eye = SimpleNamespace(reader=reader, know_back=lambda back: None)
        self.frames = self  # what was seen is asked of it too

    @property
    def playing(self) -> bool:
        """True while it gives pictures."""
        return self.on and self.state == "live"

    def view(self, secret: bool, result_read: bool) -> View:
        """What the screens show of it."""
        awake = "closed" if secret else "practice" if self.practice else "live"
        over = self.state == "ended"
        camera = {
            "state": awake if self.playing else "off" if over else self.state,
            "notices": list(self.notices),
            "shows": self.shows if self.state == "stopped" else "",
            "fps": 9.9 if self.playing else 0.0,
            "name": "" if over else self.camera.name,
        }
        return View(
            camera=camera,
            practice=self.practice and not over,
            practice_over=self.practice and over,
            result_read=result_read,
        )

    def in_view(self) -> frozenset[int] | None:
        """The cards that lie under it."""
        return frozenset(self.lying)

    def stop(self) -> None:
        """Nothing runs."""


class KeptEvening:
    """One table whose evenings the session keeps; `past` played here another time."""

    def __init__(
        self,
        past: tuple[str, ...] = ("Anna", "Opa Karel", *NAMES[:6]),
        numbers: frozenset[int] = frozenset(range(1, 81)),
    ) -> None:
        self.now_s = 0.0
        self._folder = Path(tempfile.mkdtemp(prefix="companion-test-"))
        self.journal = Journal(self._folder, lambda: self.now_s)
        if past:
            self.journal.append(_over(past))
            self.journal.close()
            self.journal = Journal(self._folder, lambda: self.now_s)
        self.now_s = TODAY_S
        self.session = Session(self.journal, numbers, lambda: self.now_s)
        self.camera: ShownCamera | None = None
        self._sent = 0
        self._film_s = 0.0
        _OPEN.append(self)

    def close(self) -> None:
        """Give the folder back."""
        self.session.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def close_and_open(self) -> KeptEvening:
        """The companion stops and starts again."""
        self.session.close()
        self.journal = Journal(self._folder, lambda: self.now_s)
        self.session = Session(self.journal, self.session.numbers, lambda: self.now_s)
        return self

    # --- what screens see

    @property
    def board(self) -> dict[str, Any]:
        """The present scoreboard."""
        return self.session.scoreboard()

    @property
    def version(self) -> int:
        """The version a command must carry."""
        return self.session.version

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries of the evening."""
        return self.session.log.entries

    # --- what people do

    def ask(self, do: str, **more: Any) -> tuple[int, dict[str, Any]]:
        """Send one command with the present version: (status, answer)."""
        self._sent += 1
        self.now_s += 10.0
        asked = {"id": f"elsewhere-{self._sent:06d}", "version": self.version, "do": do, **more}
        return self.session.command(asked)

    def do(self, what: str, **more: Any) -> KeptEvening:
        """Send one command that fits."""
        status, answer = self.ask(what, **more)
        assert status == 200, answer
        return self

    def begin(
        self,
        names: tuple[str, ...] = NAMES[:6],
        daydreamer: int = 0,
        edition: str = "en",
        deck_size: int = 80,
        handling: str = "auto",
    ) -> KeptEvening:
        """These people sit down; an evening that was not over is ended."""
        if self.board["phase"] not in ("setup", "over"):
            self.do("end")
        return self.do(
            "begin",
            players=list(names),
            daydreamer=daydreamer,
            edition=edition,
            deck_size=deck_size,
            handling=handling,
        )

    @property
    def fresh_cards(self) -> list[int]:
        """The lowest cards that were not dealt yet, as many as the next deal takes."""
        ledger = self.session.keeper.ledger
        return [card for card in range(1, 81) if card not in ledger.seen][: ledger.draw]

    @property
    def lying(self) -> list[int]:
        """The cards that lie face up in the middle."""
        return [place["card"] for place in self.board["round"]["middle"] if not place["down"]]

    def play_round(self, wrong: int, name: str | None = None) -> KeptEvening:
        """One round by touch: laid, so many wrong guesses, and where one is left the right one."""
        self.do("laid", cards=self.fresh_cards)
        if name:
            self.do("name", words=name)
        for _ in range(wrong):
            self.do("set_aside", card=self.lying[0])
        return self.do("right", card=self.lying[-1]) if self.board["phase"] == "guessing" else self

    def play(
        self,
        names: tuple[str, ...] = NAMES[:6],
        rounds: int = 4,
        wrong: int = 2,
        *,
        edition: str = "en",
        handling: str = "auto",
        phase: str = "guessing",
    ) -> KeptEvening:
        """A new evening with `rounds` played; then, in `phase` "guessing", one open with `wrong`
        wrong guesses in it; "result": that one won; "secret": the next cards are drawn; "over": played to the end."""
        self.journal.append(_played(names, rounds, wrong, edition, handling, phase))
        self.now_s = max(self.now_s, self.journal.log.entries[-1].at_s)
        self.session.follow_journal()
        return self

    def finish(self) -> KeptEvening:
        """Play on to the end of the evening."""
        if self.board["phase"] == "guessing":
            self.do("right", card=self.lying[-1])
        number = 0
        while self.board["phase"] != "over":
            if self.board["phase"] == "secret":
                most = self.board["round"]["attempts"]
                self.play_round(number % (most + 1), None if number % 3 else "a whale on a bicycle")
            number += 1
            self.do("next")
        return self

    # --- what the camera does

    def watched(self, **how: Any) -> KeptEvening:
        """A camera watches from now on."""
        self.camera = ShownCamera(**how)
        self.session.attach(self.camera)
        return self

    def camera_is(self, state: str) -> KeptEvening:
        """The camera is in another state now."""
        assert self.camera is not None
        self.camera.state = state
        self.session.camera_changed()
        return self

    def unwatched(self) -> KeptEvening:
        """No camera any more."""
        self.camera = None
        self.session.camera.detach()
        self.session.camera_changed()
        return self

    def lie(
        self,
        seconds: float,
        *middle: int | None,
        covered: tuple[int, ...] = (),
        every_s: float = 0.1,
    ) -> KeptEvening:
        """The camera sees these cards in the slots of the middle (None: bare) for so long, with so
        much time between two looks; those that are `covered` cannot be read."""
        spots = {card: slot_mm(at) for at, card in enumerate(middle) if card is not None}
        for _ in range(round(seconds / every_s)):
            self._film_s += every_s
            raw = RawGlimpse(self._glimpse(spots, covered))
            self.session.observe_glimpse(self.session.draw_curtain(raw), self.now_s)
        return self

    def _glimpse(self, spots: dict[int, Point], covered: tuple[int, ...]) -> Glimpse:
        referee = self.session.keeper.referee
        places = referee.places if referee is not None else {}
        reports = [
            PlaceReport(
                card,
                spots.get(card, at),
                PlaceState.OTHER
                if card in covered
                else PlaceState.MARKER
                if card in spots
                else PlaceState.TABLE,
            )
            for card, at in places.items()
        ]
        seen = tuple(_sighting(card, at) for card, at in spots.items() if card not in covered)
        return Glimpse(self._film_s, seen, tuple(reports), table=TableView(MIDDLE, None))


def played(*names_and_counts: Any, **how: Any) -> KeptEvening:
    """A table of its own with `KeptEvening.play`."""
    return KeptEvening().play(*names_and_counts, **how)


_OPEN: list[KeptEvening] = []


def close_all() -> None:
    """Close every evening that a test opened."""
    while _OPEN:
        _OPEN.pop().close()


def _over(players: tuple[str, ...]) -> tuple[Entry, ...]:
    """An evening of another time."""
    told = Told()
    told.change(Changes((EveningBegun(players, 0, "en", 80),)))
    told.change(Changes((EveningEnded(),)))
    return told.log.entries


@lru_cache(maxsize=64)
def _played(
    names: tuple[str, ...], rounds: int, wrong: int, edition: str, handling: str, phase: str
) -> tuple[Entry, ...]:
    """The log of an evening played by touch."""
    evening = KeptEvening(past=()).begin(names, edition=edition, handling=handling)
    for number in range(rounds):
        most = evening.board["round"]["attempts"]
        evening.play_round((number * 3 + 1) % (most + 1), CALLED[number % 5]).do("next")
    if phase in ("guessing", "result"):
        evening.do("laid", cards=evening.fresh_cards).do("name", words=CALLED[4])
        laid = evening.lying
        for guess in range(wrong):
            evening.do("set_aside", card=laid[3 * guess % len(laid)])
    if phase == "result":
        evening.do("right", card=evening.lying[-1])
    if phase == "over":
        evening.finish()
    return evening.entries

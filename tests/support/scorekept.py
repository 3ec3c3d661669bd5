"""A table behind the curtain whose score is kept, laid card by card: for tests of whole evenings
without pixels."""

from __future__ import annotations

from collections.abc import Iterable

from companion.evening.loop import keep_glimpse
from companion.evening.player_commands import perform_command
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes
from companion.game.events import EveningBegun
from companion.game.log import Entry
from companion.game.rules import Refusal, Round
from companion.table.sighting import (
    Glimpse,
    Hand,
    PlaceReport,
    PlaceState,
    Point,
    RawGlimpse,
    TableView,
)
from tests.support.picture import MIDDLE, TRAY, _sighting, slot_mm

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva")
FIRST, SECOND, THIRD = (10, 20, 30, 40, 50), (11, 21, 31, 41, 51), (12, 22, 32, 42, 52)
BARE = (None,) * 5


class Evening:
    """A scorekeeper at a table that the test lays card by card, behind the curtain."""

    def __init__(self, handling: str = "away", tray: bool = False) -> None:
        self.keeper = Scorekeeper()
        self.keeper.change(Changes((EveningBegun(NAMES, 0, "en", 80, handling),)), 0.0)
        self.view = TableView(MIDDLE, TRAY if tray else None)
        self.t_s = 0.0

    def lie(
        self,
        seconds: float,
        middle: Iterable[int | None],
        tray: Iterable[int] = (),
        *,
        shown: dict[int, PlaceState] | None = None,
        moved_mm: Point = (0.0, 0.0),
        elsewhere: dict[int, Point] | None = None,
        hands: tuple[Hand, ...] = (),
    ) -> Evening:
        """Hold this picture: the middle's slots (None: bare) and the cards in the tray.

        `shown`: cards of the middle that are not read, and what their places show instead;
        `moved_mm`: how far all of the middle lies from its slots; `elsewhere`: other cards and
        where they lie.
        """
        shown, spots = (
            shown or {},
            {card: self._moved(at, moved_mm) for at, card in enumerate(middle) if card is not None},
        )
        spots |= {card: (680.0 + 80.0 * at, 260.0) for at, card in enumerate(tray)} | (
            elsewhere or {}
        )
        for _ in range(round(seconds * 10)):
            self.t_s += 0.1
            referee = self.keeper.referee
            assert referee is not None
            reports = tuple(
                self._report(card, at, spots, shown) for card, at in referee.places.items()
            )
            sightings = tuple(
                _sighting(card, at) for card, at in spots.items() if card not in shown
            )
            glimpse = Glimpse(self.t_s, sightings, reports, hands=hands, table=self.view)
            keep_glimpse(RawGlimpse(glimpse), self.keeper)
        return self

    def _moved(self, slot: int, by_mm: Point) -> Point:
        x, y = slot_mm(slot)
        return x + by_mm[0], y + by_mm[1]

    def _report(
        self, card: int, at: Point, spots: dict[int, Point], shown: dict[int, PlaceState]
    ) -> PlaceReport:
        """As the eye does: where the card was last seen lying."""
        if card in shown:
            return PlaceReport(card, at, shown[card])
        return PlaceReport(
            card, spots.get(card, at), PlaceState.MARKER if card in spots else PlaceState.TABLE
        )

    @property
    def round(self) -> Round:
        """The newest round of the ledger."""
        return self.keeper.ledger.rounds[-1]

    @property
    def said(self) -> list[tuple[str, dict[str, int]]]:
        """What the referee tells people just now."""
        assert self.keeper.referee is not None
        return [(message.key, dict(message.params)) for message in self.keeper.referee.messages]

    def restart(self) -> Evening:
        """The process ends and begins again with the log that the disk kept."""
        self.keeper = Scorekeeper(self.keeper.log)
        return self

    def answer(self, option: int) -> tuple[Entry, ...] | Refusal:
        """A person taps an answer of the question that stands."""
        assert self.keeper.book.question is not None
        asked = {
            "do": "answer",
            "question": self.keeper.book.question.question.id,
            "option": option,
        }
        return perform_command(asked, self.keeper, self.t_s)

    def asked(self) -> Evening:
        """One card leaves, two seconds later the rest: nobody can tell who took it."""
        self.lie(6, FIRST).lie(2, (10, 20, None, 40, 50)).lie(5, BARE)
        assert self.keeper.book.question is not None
        return self

"""What was believed before a person's act, kept until the camera goes on: an act that is taken back, or
an Undo that is redone, costs no round.

Knows the referee and the log. Must not know glimpses' contents, clocks or screens.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field

from companion.dealing.curtain import Curtain
from companion.evening.book import FilmTime
from companion.evening.manual_round import ManualRound
from companion.game.events import CloudNamed
from companion.game.log import Log
from companion.referee.referee import Referee
from companion.referee.ruling import Ruling
from companion.table.sighting import Attention, Glimpse

DrawCurtain = Callable[[Curtain, Attention, bool], Glimpse]
"""Draws this curtain over the newest glimpse, given what is worth looking for and whether a round lies
open."""


@dataclass(slots=True, eq=False)
class KeptBelief:
    """Curtain and referee as they were before a person's act, with the last rulings; they go on looking,
    and what is ruled meanwhile waits. Nothing of it is shown or entered until the act is taken back."""

    said: tuple[int, ...]
    referee: Referee
    curtain: Curtain
    latest: dict[int, Ruling]
    manual_round: ManualRound | None
    waiting: list[tuple[tuple[Ruling, ...], FilmTime]] = field(default_factory=list)
    _drawn: Glimpse | None = None

    @classmethod
    def of(
        cls,
        log: Log,
        referee: Referee,
        curtain: Curtain,
        latest: dict[int, Ruling],
        manual_round: ManualRound | None,
    ) -> KeptBelief:
        """The belief as it is now; what becomes of the originals changes nothing in it."""
        return cls(
            said(log),
            deepcopy(referee),
            deepcopy(curtain),
            dict(latest),
            deepcopy(manual_round),
        )

    def draw_curtain(self, draw: DrawCurtain) -> None:
        """Look on, from behind its own curtain."""
        self._drawn = draw(self.curtain, self.referee.attention, self.referee.curtain_open)

    def follow(self, when: FilmTime) -> None:
        """Think on about what was drawn last, unless a round that was begun by touch waits for its
        cards."""
        glimpse, self._drawn = self._drawn, None
        if glimpse is None:
            return
        if self.manual_round is not None:
            self.manual_round.observe_glimpse(glimpse, when.wall_s)
            if self.manual_round.holds(when.wall_s):
                return
        rulings = self.referee.observe_glimpse(glimpse)
        if rulings:
            self.waiting.append((rulings, when))

    def holds(self, log: Log) -> bool:
        """True once the log says again what it said then."""
        return said(log) == self.said


def said(log: Log) -> tuple[int, ...]:
    """The numbers of the entries that count, without the names of clouds."""
    return tuple(entry.number for entry in log.effective if not isinstance(entry.event, CloudNamed))

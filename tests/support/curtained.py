"""A referee behind its curtain, as the scorekeeper has it, for tests without entries and players."""

from __future__ import annotations

from companion.dealing.curtain import Curtain
from companion.referee.referee import Referee
from companion.referee.ruling import Ruling
from companion.table.sighting import Glimpse, RawGlimpse


class CurtainedReferee:
    """Hears of each glimpse what the curtain lets pass."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.curtain = Curtain()

    def observe(self, read: Glimpse) -> tuple[Ruling, ...]:
        """What the referee rules on what an eye has read."""
        raw = RawGlimpse(read)
        seen = self.curtain.draw_curtain(raw, self.referee.attention, self.referee.curtain_open)
        return self.referee.observe_glimpse(seen)

    def accept_count(self) -> None:
        """People accept the number of cards that lies there."""
        self.referee.accept_count()
        self.curtain.name_what_lies()

"""The one count of the deck that all screens share."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from companion.set_up.deck_check import DeckCheck
from companion.web.table_session import TableSession


@dataclass(slots=True)
class DeckCheckService:
    """Hands out the count; made when it is first asked for, and anew for another deck or another
    evening.  Thread-safe."""

    check: DeckCheck | None = None
    made_for: tuple[object, ...] = ()
    lock: Lock = field(default_factory=Lock)

    def count_of(self, session: TableSession, phase: str) -> DeckCheck:
        """The one count of this session's deck, before this evening or after it."""
        deck, symbol_mm = session.camera.printed_codes
        wanted = (session.numbers, deck, phase, session.evening)
        with self.lock:
            if self.check is None or self.made_for != wanted:
                self.check = DeckCheck(session.camera.reader_for(session.numbers))
                self.made_for = wanted
            self.check.look_for(symbol_mm)
            return self.check

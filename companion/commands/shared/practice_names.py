"""What the people of the practice table call their clouds: the Daydreamer's words are typed in a
moment after the cards lie, as somebody at a real table would do.

Knows the session's commands; the camera and the score know nothing of it.
"""

from __future__ import annotations

import contextlib
import secrets
import threading

from companion.errors import JournalTrouble
from companion.evening.scorekeeper import Scorekeeper
from companion.evening.session import Session
from companion.game.events import Edition, RoundDealt
from companion.game.log import Entry

TYPED_AFTER_S = 4.0
"""So long after the deal the name stands there: the cards have been looked at."""

CLOUD_NAMES: dict[Edition, tuple[str, ...]] = {
    "en": (
        "a door left open",
        "grandmother’s lost slipper",
        "camel waiting for rain",
        "shy elephant on ice",
        "a whale on a bicycle",
        "Sunday without a plan",
        "the piano next door",
        "bread that got away",
        "a fox with manners",
        "somebody’s winter coat",
        "the last bus home",
        "a very small volcano",
        "an owl before breakfast",
        "one sock too many",
        "the teapot’s daydream",
        "a letter never sent",
    ),
    "de": (
        "eine offene Tür",
        "Omas verlorener Pantoffel",
        "Kamel wartet auf Regen",
        "schüchterner Elefant auf Eis",
        "ein Wal auf dem Rad",
        "Sonntag ohne Plan",
        "das Klavier von nebenan",
        "entlaufenes Brot",
        "ein Fuchs mit Manieren",
        "jemandes Wintermantel",
        "der letzte Bus heim",
        "ein sehr kleiner Vulkan",
        "Eule vor dem Frühstück",
        "eine Socke zu viel",
        "der Tagtraum der Teekanne",
        "ein nie verschickter Brief",
    ),
    "cs": (
        "dveře dokořán",
        "babiččin ztracený pantofel",
        "velbloud čeká na déšť",
        "plachý slon na ledě",
        "velryba na kole",
        "neděle bez plánu",
        "piano od sousedů",
        "chléb na útěku",
        "liška s dobrými způsoby",
        "něčí zimní kabát",
        "poslední autobus domů",
        "docela malá sopka",
        "sova před snídaní",
        "o ponožku víc",
        "sen čajové konvice",
        "neodeslaný dopis",
    ),
}


class PracticeNames:
    """Types the name of each round's cloud; `stop` lets go of one that is still to come."""

    def __init__(self) -> None:
        self.session: Session | None = None
        self._timer: threading.Timer | None = None

    def hear(self, entry: Entry, keeper: Scorekeeper) -> None:
        """An entry of the practice evening was made: after a deal a name follows."""
        if not isinstance(entry.event, RoundDealt) or entry.source == "person":
            return
        ledger, number = keeper.ledger, entry.event.round
        names = CLOUD_NAMES[ledger.edition]
        author = ledger.names[keeper.ledger.roles.daydreamer] if keeper.ledger.roles else None
        self.stop()
        words = names[(number - 1) % len(names)]
        self._timer = threading.Timer(TYPED_AFTER_S, self._type, (number, words, author))
        self._timer.daemon = True
        self._timer.start()

    def stop(self) -> None:
        """Nothing is typed any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _type(self, number: int, words: str, author: str | None) -> None:
        session = self.session
        if session is None:
            return
        asked = {"do": "name", "words": words, "round": number, "author": author}
        with contextlib.suppress(JournalTrouble):  # the evening is being closed
            session.command({**asked, "id": secrets.token_hex(8), "version": session.version})

"""What the people of the practice table say to the tablet: the Daydreamer's words for the cloud are
typed in a moment after the cards lie, a question that nobody answers is answered, and the evening is
ended once their film is over.

Knows the session's commands; the camera and the score know nothing of it.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Callable
from typing import Any

from companion.errors import JournalTrouble
from companion.evening.scorekeeper import Scorekeeper
from companion.evening.session import Session
from companion.game.events import RoundDealt
from companion.game.log import Entry
from companion.practice.truth import Truth

TYPED_AFTER_S = 4.0
"""So long after the deal the name stands there: the cards have been looked at."""

ANSWERED_AFTER_S = 60.0
"""So long the practice table stands still for an answer of whoever watches (chosen: long enough to see
the question, read it and both answers, and think); the page says a minute."""

STALE = 409
MOST_TRIES = 5
"""So often they say a thing again where somebody was quicker."""

CLOUD_NAMES: dict[str, tuple[str, ...]] = {
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


class PracticePeople:
    """Types the name of each round's cloud, and answers the camera's question where nobody who
    watches does; `stop` lets go of what is still to come."""

    def __init__(self, truth: Truth | None = None) -> None:
        """`truth` is what really happens at their table; without it questions stay for others."""
        self.session: Session | None = None
        self.language: Callable[[], str | None] = lambda: None
        """What whoever watches reads; until that is known they speak the edition's language."""
        self._truth = truth
        self._typing: threading.Timer | None = None
        self._answering: threading.Timer | None = None
        self._ending: threading.Timer | None = None
        self._asked: int | None = None
        self._left: set[int] = set()
        """Rounds whose question they could not answer, and leave to others."""
        self._film_over = False

    def hear(self, entry: Entry, keeper: Scorekeeper) -> None:
        """An entry of the practice evening was made: after a deal a name follows, after a question
        an answer."""
        self._mind_questions(set(keeper.book.pending_questions) - self._left)
        if entry.source == "person":
            return
        ledger = keeper.ledger
        if isinstance(entry.event, RoundDealt):
            number = entry.event.round
            names = CLOUD_NAMES[self.language() or ledger.edition]
            author = ledger.names[ledger.roles.daydreamer] if ledger.roles else None
            words = names[(number - 1) % len(names)]
            asked = {"do": "name", "words": words, "round": number, "author": author}
            _cancel(self._typing)
            self._typing = _later(TYPED_AFTER_S, lambda: self._tell(asked))

    def _mind_questions(self, waiting: set[int]) -> None:
        """Questions about these rounds wait, asked by the camera or come back with an Undo: the newest
        is left to whoever watches for a minute."""
        if self._asked is not None and self._asked not in waiting:
            _cancel(self._answering)  # somebody was quicker
            self._asked = None
            if self._film_over and not waiting:
                self._ending = _later(0.0, self.end_game)
        if waiting and self._asked != max(waiting):
            _cancel(self._answering)
            self._asked = max(waiting)
            self._answering = _later(ANSWERED_AFTER_S, self._answer_at_last)

    @property
    def wait_for_answer(self) -> bool:
        """True while a question is left to whoever watches: nobody plays on meanwhile."""
        return self._asked is not None

    def stop(self) -> None:
        """Nothing is typed any more."""
        _cancel(self._typing)
        _cancel(self._answering)
        _cancel(self._ending)

    def end_game(self) -> None:
        """Their film is over: the evening ends, once no question waits for whoever watches."""
        self._film_over = True
        if self._asked is None:
            self._tell({"do": "end"})

    def _answer_at_last(self) -> None:
        number, self._asked = self._asked, None
        if number is not None:
            told = self._answer(number)
            if told is None:
                self._left.add(number)
            self._tell(told)
        if self._film_over:
            self.end_game()

    def _tell(self, asked: dict[str, Any] | None) -> None:
        session = self.session
        if session is None or asked is None:
            return
        with contextlib.suppress(JournalTrouble):  # the evening is being closed
            for _ in range(MOST_TRIES):
                told = {**asked, "id": secrets.token_hex(8), "version": session.version}
                if session.command(told)[0] != STALE:
                    return

    def _answer(self, number: int) -> dict[str, Any] | None:
        """What they say to the question about this round; None where it is settled, or what really
        happened is not offered."""
        question = self.session.scoreboard()["question"] if self.session is not None else None
        if question is None or self._truth is None or question["round"] != number:
            return None
        line = self._truth.rounds[number - 1]
        wrong = sum(not guess.right for guess in line.guesses)
        for option in question["options"]:
            if option["set_aside"] == wrong and (option["key"] == "lookout") == (
                line.ending == "lookout"
            ):
                author = self._truth.players[line.daydreamer]
                told = {"question": question["id"], "option": option["option"], "author": author}
                return {"do": "answer", **told}
        return None


def _later(wait_s: float, act: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(wait_s, act)
    timer.daemon = True
    timer.start()
    return timer


def _cancel(timer: threading.Timer | None) -> None:
    if timer is not None:
        timer.cancel()

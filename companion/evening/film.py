"""An evening of before as a film: what the round window showed, step by step.

The log is the film. It is told as it was in the end: a corrected round is played as corrected. Pure;
how fast it runs is the screen's.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Protocol

from companion.capture.view import View
from companion.evening.scoreboard import ledger_board
from companion.game.events import EveningPaused, EveningResumed, QuestionAsked, RoundAwaited
from companion.game.fold import steps
from companion.game.log import Log

_UNSEEN = (EveningPaused, EveningResumed, QuestionAsked)
_LIVE = {"state": "live", "notices": [], "fps": 0.0, "name": ""}


class SignsAtTable(Protocol):
    """Everybody's sign at a table as it was then."""

    def at_table(self, names: Sequence[str], sitting: Collection[int]) -> tuple[int, ...]:
        """The signs of these, by seat; of whom these seats sit there."""


def film_of(log: Log, signs: SignsAtTable) -> list[dict[str, Any]]:
    """One board for each thing that happened, with when; of the rounds each board has only the one it
    shows, the last has all. What it takes grows by the square of the evening's length, for each board
    counts everybody's clouds."""
    film: list[dict[str, Any]] = []
    for entry, ledger in steps(log):
        if isinstance(entry.event, _UNSEEN):
            continue
        unseen = film and film[-1]["board"]["phase"] in ("secret", "over")
        if isinstance(entry.event, RoundAwaited) and unseen:
            continue
        shown = ledger.rounds if ledger.phase == "over" else ledger.rounds[-1:]
        seen = View(camera=_LIVE)
        of_seats = signs.at_table(ledger.names, ledger.seats_now)
        board = ledger_board(ledger, len(film), seen, of_seats, shown)
        at_s = max(entry.at_s, film[-1]["at_s"]) if film else entry.at_s
        film.append({"at_s": at_s, "board": board})
    return film

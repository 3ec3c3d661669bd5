"""A season of forty evenings at the practice table, played without a picture: the scripts' own truth
as the log that a companion would have kept."""

from __future__ import annotations

from functools import cache

from companion.game.events import EveningEnded
from companion.game.log import Entry, Log
from companion.practice.script import write_script

FIRST_S = 1_700_000_000.0
WEEK_S = 7 * 86_400.0


@cache
def season(evenings: int = 40) -> tuple[Log, ...]:
    """The logs, one a week, of three to eight players and all editions."""
    return tuple(_evening(at) for at in range(evenings))


def _evening(at: int) -> Log:
    editions = ("en", "de", "cs")
    script = write_script(
        players=3 + at % 6, edition=editions[at % 3], rounds=4 + at % 3, seed=7000 + at
    )
    began_s = FIRST_S + at * WEEK_S
    told = [(began_s + when, event) for when, event in script.truth.events()]
    told.append((told[-1][0] + 5, EveningEnded()))
    return Log(
        tuple(
            Entry(number, when, "camera", event, batch=number)
            for number, (when, event) in enumerate(told, 1)
        )
    )

"""An evening at the practice table, as the command line asks for it: script, room and camera in
one.

Knows the options' names; knows no server and no clock.
"""

from __future__ import annotations

import argparse
import secrets

from companion.errors import BadInput
from companion.game.events import EveningBegun
from companion.practice.faults import EVERYDAY, Faults
from companion.practice.room import parlour, random_room
from companion.practice.script import write_script
from companion.practice.table import PracticeTable
from companion.practice.truth import Truth

FRAMES_A_SECOND = 8.0
"""Enough for the referee (it lives at 2.5) and what a small computer renders and reads while people
watch."""

IDLE_FRAMES_A_SECOND = 2.0
"""Where nobody watches (--fast), a table that nobody has touched for a while is photographed so
often."""

SHOWN_HASTE = 1.6
"""Newcomers watch with less patience than players think: pauses are this much shorter."""


class PracticeEvening(PracticeTable):
    """A practice table that also says how its evening begins."""

    @property
    def begun(self) -> EveningBegun:
        """Who sits down, and by which rules."""
        truth: Truth = self.script.truth
        return EveningBegun(
            truth.players, truth.daydreamer, truth.edition, len(truth.deck), truth.handling
        )


def open_practice(args: argparse.Namespace | None = None) -> PracticeEvening:
    """The table that `companion practice` options describe; without options a quiet game of five in
    a wooden parlour.

    Raises:
        BadInput: a fault's name is not known.
    """
    players = getattr(args, "players", 5)
    given = getattr(args, "seed", None)
    seed = secrets.randbelow(1_000_000) if given is None else given
    fast = getattr(args, "fast", False)
    faults = _faults(getattr(args, "fault", []))
    script = write_script(
        players,
        getattr(args, "edition", "en"),
        getattr(args, "rounds", None),
        seed,
        getattr(args, "temper", "ordinary"),
        getattr(args, "set_aside", "auto"),
        faults,
        layout=(
            room := random_room(seed, players, faults=faults)
            if getattr(args, "room", "parlour") == "random"
            else parlour(players)
        ).layout,
        haste=1.0 if fast else SHOWN_HASTE,
    )
    return PracticeEvening(
        script,
        room.camera,
        room.cloth,
        seed,
        FRAMES_A_SECOND,
        IDLE_FRAMES_A_SECOND if fast else None,
    )


def _faults(names: list[str]) -> Faults:
    if not names:
        return EVERYDAY
    try:
        rates = dict.fromkeys(names, 0.25)
        for name in names:
            Faults.only(name)
        return Faults(**rates)
    except ValueError as error:
        raise BadInput(str(error)) from error

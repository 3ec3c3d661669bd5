"""What the web sees of a session: one table with its evenings and its camera, and nothing below it.

`companion.evening.session.Session` is one. Every method may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

from companion.evening.table_recording import KeptRecordings
from companion.game.log import Log
from companion.game.rules import Refusal
from companion.journal.round_pictures import RoundPictures
from companion.set_up.deck_learning import TablePicture
from companion.set_up.lens_wizard import LensWizard
from companion.vision.codes.reader import Reader
from companion.years.book import BookOfEvenings


class CameraOfSession(Protocol):
    """The camera over the table, or none, and what of it may be shown."""

    @property
    def may_show(self) -> bool:
        """True while a picture of the table shows nobody's secret."""

    @property
    def name(self) -> str | None:
        """The name of the camera that watches; None without one."""

    @property
    def is_practice(self) -> bool:
        """True where the camera is the practice table's, also once its game is over."""

    @property
    def printed_codes(self) -> tuple[str, float]:
        """The deck whose codes the camera reads, and how large they are printed, mm."""

    def learnt_look(self, deck: str, card: int) -> np.ndarray | None:
        """How a card of the learnt deck of this name looks; None where it is not here any more."""

    def reader_for(self, numbers: Iterable[int]) -> Reader:
        """A reader of its own of what the camera reads, for `numbers`."""

    def newest_picture(self) -> np.ndarray | None:
        """The newest picture of the camera that plays, (H, W, 3) uint8 BGR; None without one."""

    def table_picture(self) -> TablePicture | None:
        """The newest picture of the camera that plays with the table's plane; None without one."""

    def picture_jpeg(self, max_width_px: int) -> bytes | None:
        """The newest picture as JPEG; None while cards may be looked at in secret, or without a
        camera."""

    def calibration(self, picture_width_px: int = 0) -> dict[str, Any]:
        """How the camera sees the table; empty without a camera or while cards may be secret. With a
        width, `picture` is the picture it is told of, as JPEG."""

    def cards_in_view(self) -> list[int] | None:
        """The cards read just now, once the game is over; None without a camera."""

    @property
    def lens_wizard(self) -> LensWizard:
        """The expert's lens calibration."""


class RecordingOfSession(Protocol):
    """Whether this evening is recorded ("off", "asked" or "on"), and why not any more."""

    trouble: str

    @property
    def state(self) -> Literal["off", "asked", "on"]:
        """What people said of the evening that is played now."""

    def switch(self, on: bool) -> None:
        """People said yes, or no."""

    def kept(self) -> KeptRecordings:
        """What lies there."""

    def delete_all(self) -> None:
        """Stop, and delete everything recorded. Raises OSError where the disk keeps some."""


class StillsOfSession(Protocol):
    """Small stills of the round that lies open, to look again at what is disputed."""

    @property
    def on(self) -> bool:
        """Whether people want it this evening."""

    def switch(self, on: bool) -> None:
        """People want it, or not any more."""

    def around_guess(self, index: int) -> dict[str, Any] | None:
        """The stills around a guess of the newest round; None where there are none."""

    def around_question(self) -> dict[str, Any] | None:
        """The stills around what the question about the newest round is about."""


class PicturesOfSession(Protocol):
    """A picture of each round's clouds, where people want them kept."""

    store: RoundPictures
    trouble: str

    @property
    def on(self) -> bool:
        """Whether people want it this evening."""

    def switch(self, on: bool) -> None:
        """People want it, or not any more."""


class TableSession(Protocol):
    """One table: its scoreboard and commands, its log and its camera."""

    def scoreboard(self) -> dict[str, Any]:
        """All that a screen shows, with its version."""

    def wait_for_change(self, seen: int, timeout_s: float) -> tuple[dict[str, Any] | None, int]:
        """The scoreboard after the one stamped `seen` (-1: none yet), and its stamp; (None, seen)
        after `timeout_s`."""

    def wake_screens(self) -> None:
        """Let no screen wait for a change any longer: the server stops."""

    def command(
        self, asked: dict[str, Any], may_still: Callable[[], bool]
    ) -> tuple[int, dict[str, Any]]:
        """Do what a person asked, once per command id: an HTTP status and the answer. Who may not any
        more when their turn has come, `may_still`, is answered 401."""

    def let_commands_end(self) -> None:
        """Return when no command is under way that began before this was called."""

    def renamed_people(self) -> dict[str, str]:
        """Of those who sit at the table, who is called otherwise since, by the name of that night."""

    def past_players(self) -> list[tuple[str, int]]:
        """Names from other evenings, the newest first, each with the person's sign."""

    def past_scoreboard(self, number: int) -> dict[str, Any] | None:
        """What the screens showed at the end of an evening of before; None where there is none."""

    def film(
        self, number: int, apart: Callable[..., list[dict[str, Any]]]
    ) -> list[dict[str, Any]] | None:
        """An evening of before, board by board; None where there is none. `apart` does what takes time."""

    def go_on(
        self, number: int, author: str | None, may_still: Callable[[], bool]
    ) -> Refusal | None:
        """Put an evening that was broken off back on the table; the Refusal when that cannot be, or who
        asks may not any more when their turn has come, `may_still`."""

    def last_table(self) -> list[str]:
        """Who sat at the newest evening, by seat."""

    @property
    def log(self) -> Log:
        """The log of the evening."""

    @property
    def evening(self) -> int | None:
        """The number of the evening; None before the first one."""

    @property
    def numbers(self) -> frozenset[int]:
        """The cards of the deck."""

    @property
    def folder(self) -> Path:
        """Where the evenings and what was learnt of the table are kept."""

    @property
    def recording(self) -> RecordingOfSession:
        """Whether this evening is recorded."""

    @property
    def stills(self) -> StillsOfSession:
        """What can be looked at again of the newest round."""

    @property
    def pictures(self) -> PicturesOfSession:
        """The pictures of rounds that are kept."""

    @property
    def book(self) -> BookOfEvenings:
        """Every evening that is kept."""

    @property
    def camera(self) -> CameraOfSession:
        """The camera over the table, or none."""

"""What the web sees of a session: one table with its evenings and its camera, and nothing below it.

`companion.evening.session.Session` is one. Every method may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from companion.game.log import Log
from companion.set_up.lens_wizard import LensWizard
from companion.vision.codes.reader import Reader


class CameraOfSession(Protocol):
    """The camera over the table, or none, and what of it may be shown."""

    @property
    def may_show(self) -> bool:
        """True while a picture of the table shows nobody's secret."""

    @property
    def name(self) -> str | None:
        """The name of the camera that watches; None without one."""

    @property
    def printed_codes(self) -> tuple[str, float]:
        """The deck whose codes the camera reads, and how large they are printed, mm."""

    def reader_for(self, numbers: Iterable[int]) -> Reader:
        """A reader of its own of what the camera reads, for `numbers`."""

    def newest_picture(self) -> np.ndarray | None:
        """The newest picture of the camera that plays, (H, W, 3) uint8 BGR; None without one."""

    def picture_jpeg(self, max_width_px: int) -> bytes | None:
        """The newest picture as JPEG; None while cards may be looked at in secret, or without a
        camera."""

    def calibration(self) -> dict[str, Any]:
        """How the camera sees the table; empty without a camera or while cards may be secret."""

    def cards_in_view(self) -> list[int] | None:
        """The cards read just now, once the game is over; None without a camera."""

    @property
    def lens_wizard(self) -> LensWizard:
        """The expert's lens calibration."""


class TableSession(Protocol):
    """One table: its scoreboard and commands, its log and its camera."""

    def scoreboard(self) -> dict[str, Any]:
        """All that a screen shows, with its version."""

    def wait_for_change(self, seen: int, timeout_s: float) -> tuple[dict[str, Any] | None, int]:
        """The scoreboard after the one stamped `seen` (-1: none yet), and its stamp; (None, seen)
        after `timeout_s`."""

    def command(self, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Do what a person asked, once per command id: an HTTP status and the answer."""

    def past_players(self) -> list[tuple[str, int]]:
        """Names from other evenings, the newest first, each with the person's sign."""

    def past_evenings(self) -> list[dict[str, Any]]:
        """The finished evenings, the newest first: number, when, who, with how many clouds."""

    def past_scoreboard(self, number: int) -> dict[str, Any] | None:
        """What the screens showed at the end of a finished evening; None where there is none."""

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
    def camera(self) -> CameraOfSession:
        """The camera over the table, or none."""

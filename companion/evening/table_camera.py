"""The camera's side of a session, as people see it: which camera watches, and what of it may be
shown while cards may be a secret.

Knows the watching camera, its set-up and whether anything is secret; must not know HTTP, commands
or the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from card_printables.deck import DECKS
from card_printables.marker import SYMBOL_MM
from companion.capture.jpeg import encode_jpeg
from companion.capture.view import View
from companion.capture.watching import Watching
from companion.evening.scorekeeper import Scorekeeper
from companion.game.rules import Refusal
from companion.set_up import card_back_store
from companion.set_up.lens_wizard import LensWizard
from companion.set_up.readiness import SetUp
from companion.vision.codes.reader import Reader


class TableCamera:
    """The camera over one table, or none. Any thread may ask."""

    def __init__(self, folder: Path, keeper: Callable[[], Scorekeeper]) -> None:
        """What was learnt of the table lies in `folder`; `keeper` gives the scorekeeper of the
        evening, who knows what is secret."""
        self.watching: Watching | None = None
        self.set_up = SetUp(folder)
        self._folder = folder
        self._keeper = keeper

    # --- which camera

    def attach(self, watching: Watching) -> None:
        """Let this camera watch the table from now on."""
        card_back_store.recall_back(watching, self._folder)
        watching.frames.may_keep = lambda: self.may_show
        self.watching = watching

    def detach(self) -> None:
        """No camera watches any more."""
        self.watching = None

    def switch(self, on: bool) -> tuple[()] | Refusal:
        """Switch the camera on or off; a Refusal without one."""
        if self.watching is None:
            return Refusal("no_camera")
        self.watching.on = on
        return ()

    def teach_back(self, command: str) -> tuple[()] | Refusal:
        """Learn or forget the box's own back (`card_back_store.COMMANDS`)."""
        return card_back_store.teach_back(command, self.watching, self._folder)

    def stop(self) -> None:
        """End the watching."""
        if self.watching is not None:
            self.watching.stop()

    @property
    def playing(self) -> bool:
        """True while a camera keeps the score."""
        return self.watching is not None and self.watching.playing

    @property
    def name(self) -> str | None:
        """The name of the camera that watches; None without one."""
        return self.watching.camera.name if self.watching is not None else None

    @property
    def printed_codes(self) -> tuple[str, float]:
        """The deck whose codes the camera reads, and how large they are printed, mm."""
        if self.watching is None:
            return DECKS[0], SYMBOL_MM
        reader = self.watching.eye.reader
        return reader.deck, reader.symbol_mm

    def reader_for(self, numbers: Iterable[int]) -> Reader:
        """A reader beside the watching eye's own, of what the camera reads at this size, for
        `numbers`."""
        if self.watching is None:
            return Reader(numbers)
        reader = self.watching.eye.reader
        return Reader(numbers, reader.deck, reader.symbol_mm, reader.second_reader)

    # --- what is shown

    def view(self, result_read: bool) -> View:
        """What the scoreboard says of the camera; `result_read`: the next roles are shown."""
        if self.watching is None:
            return View(camera={"state": "off", "notices": [], "tokens": 0, "fps": 0.0, "name": ""})
        secret = self._keeper().ledger.phase == "secret" or result_read
        return self.watching.view(secret, result_read)

    @property
    def may_show(self) -> bool:
        """True while a picture of the table shows nobody's secret (the practice table has none)."""
        practice = self.watching is not None and self.watching.practice
        return self._keeper().nothing_secret or practice

    def picture_jpeg(self, max_width_px: int) -> bytes | None:
        """The newest picture of the table as JPEG; None while cards may be looked at in secret, or
        without a camera."""
        watching = self.watching
        if watching is None or not watching.on or not self.may_show:
            return None
        return encode_jpeg(watching.frames.picture, max_width_px)

    def newest_picture(self) -> np.ndarray | None:
        """The newest picture of the camera that plays, (H, W, 3) uint8 BGR; None without one. Who
        asks sees to it that it is nobody's secret."""
        watching = self.watching
        return watching.frames.picture if watching is not None and watching.playing else None

    def calibration(self) -> dict[str, Any]:
        """How the camera sees the table, for the page that shows it; empty without a camera or
        while cards may be secret."""
        watching = self.watching
        # Taken once: the watching thread may take the picture away any moment.
        picture = watching.frames.picture if watching is not None else None
        if watching is None or picture is None or not self.may_show:
            return {}
        return self.set_up.survey_picture(watching, picture)

    def cards_in_view(self) -> list[int] | None:
        """The cards the camera reads just now, for counting piles once the game is over; during a
        game there are none. None without a camera."""
        if self.watching is None:
            return None
        return sorted(self.watching.frames.in_view()) if self._keeper().ledger.over else []

    @property
    def lens_wizard(self) -> LensWizard:
        """The expert's lens calibration."""
        return self.set_up.lens_wizard

"""The camera's side of a session, as people see it: which camera watches, and what of it may be
shown while cards may be a secret.

Knows the watching camera, its set-up and whether anything is secret; must not know HTTP, commands
or the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from card_printables.deck import DECKS
from card_printables.marker import SYMBOL_MM
from companion.capture.frame_watch import KeepStill
from companion.capture.jpeg import encode_jpeg
from companion.capture.view import View
from companion.capture.watching import Watching
from companion.errors import BadInput
from companion.evening.scorekeeper import Scorekeeper
from companion.game.rules import Refusal
from companion.set_up import card_back_store, deck_store
from companion.set_up.deck_learning import TablePicture
from companion.set_up.lens_wizard import LensWizard
from companion.set_up.readiness import SetUp
from companion.vision.codes.reader import Reader
from companion.vision.eye import Eye
from companion.vision.learnt.deck import bare_look, middle_of
from companion.vision.learnt.deck_reader import DeckReader


class TableCamera:
    """The camera over one table, or none. Any thread may ask."""

    def __init__(
        self,
        folder: Path,
        keeper: Callable[[], Scorekeeper],
        keep_stills: tuple[KeepStill, ...] = (),
    ) -> None:
        """What was learnt of the table lies in `folder`; `keeper` gives the scorekeeper of the
        evening, who knows what is secret; each of `keep_stills` gets the frames of open rounds."""
        self.watching: Watching | None = None
        self.set_up = SetUp(folder)
        self._folder = folder
        self._keeper = keeper
        self._keep_stills = keep_stills

    # --- which camera

    def attach(self, watching: Watching) -> None:
        """Let this camera watch the table from now on."""
        card_back_store.recall_back(watching, self._folder)
        watching.frames.may_keep = lambda: self.may_show
        watching.frames.keep_stills = self._keep_stills
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
    def is_practice(self) -> bool:
        """True where the camera is the practice table's, also once its game is over."""
        return self.watching is not None and self.watching.practice

    @property
    def plays_practice(self) -> bool:
        """True while the practice table plays its game."""
        return self.is_practice and self.playing

    @property
    def practice_over(self) -> bool:
        """True once the practice table has played its game to the end."""
        watching = self.watching
        return watching is not None and watching.practice and watching.state == "ended"

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

    def read_with(self, eye: Eye) -> None:
        """Read the table with this eye from the next picture on."""
        if self.watching is not None:
            self.watching.frames.eye = eye
            card_back_store.recall_back(self.watching, self._folder)

    def learnt_look(self, deck: str, card: int) -> np.ndarray | None:
        """How a card of the learnt deck of this name looks, (n, n, 3) uint8 BGR, of a rectangle the middle;
        None where it is neither read nor kept here any more, or has no such card."""
        reader = self.watching.eye.reader if self.watching is not None else None
        if isinstance(reader, DeckReader) and reader.deck == deck:
            learnt = reader.deck_learnt
        else:
            try:
                learnt = deck_store.opened_deck(self._folder, deck)
            except BadInput:
                return None
        if card not in learnt.numbers:
            return None
        return middle_of(bare_look(learnt.outline, learnt.cards[card - 1].looks[0]))

    def reader_for(self, numbers: Iterable[int]) -> Reader:
        """A reader beside the watching eye's own, of what the camera reads at this size, for
        `numbers`."""
        reader = self.watching.eye.reader if self.watching is not None else None
        if not isinstance(reader, Reader):
            return Reader(numbers)
        return Reader(numbers, reader.deck, reader.symbol_mm, reader.second_reader)

    # --- what is shown

    def view(self, result_read: bool) -> View:
        """What the scoreboard says of the camera; `result_read`: the next roles are shown."""
        if self.watching is None:
            return View(camera={"state": "off", "notices": [], "fps": 0.0, "name": ""})
        phase = self._keeper().ledger.phase
        secret = phase == "secret" or (phase == "result" and result_read)
        view = self.watching.view(secret, result_read)
        known = self.watching.back_known
        return replace(view, camera={**view.camera, "back_known": known})

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

    def table_picture(self) -> TablePicture | None:
        """The newest picture of the camera that plays, with the table's plane; None without one. Who
        asks sees to it that it is nobody's secret."""
        image = self.newest_picture()
        plane = self.watching.frames.plane if self.watching is not None else None
        return TablePicture(image, plane) if image is not None and plane is not None else None

    def calibration(self, picture_width_px: int = 0) -> dict[str, Any]:
        """How the camera sees the table, for the page that shows it; empty without a camera or
        while cards may be secret. With a width, `picture` is the very picture that it is of, as
        JPEG."""
        watching = self.watching
        # Taken once: the watching thread may take the picture away any moment.
        picture = watching.frames.picture if watching is not None else None
        if watching is None or picture is None or not self.may_show:
            return {}
        told, told_of = self.set_up.survey_picture(watching, picture)
        told = told | {"age_s": round(self.set_up.age_s, 1)}
        if not picture_width_px:
            return told
        return told | {"picture": encode_jpeg(told_of, picture_width_px)}

    def cards_in_view(self) -> list[int] | None:
        """The cards the camera reads just now, for counting piles once the game is over; during a
        game there are none. None without a camera, and while it sees neither card nor table."""
        if self.watching is None or not self.watching.playing:
            return None
        lying = self.watching.frames.in_view() if self._keeper().ledger.over else frozenset()
        return sorted(lying) if lying is not None else None

    @property
    def lens_wizard(self) -> LensWizard:
        """The expert's lens calibration."""
        return self.set_up.lens_wizard

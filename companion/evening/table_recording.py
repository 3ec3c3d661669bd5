"""Whether this evening is recorded, which the people at the table decide on a screen, and where.

Knows glimpses, the ledger and the disk; must not know cameras, screens or HTTP. Without a yes nothing
is kept, and the yes is for one evening: the next one is asked anew.
"""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from companion.errors import BadInput
from companion.game.ledger import Ledger
from companion.journal.recording import RECORDINGS, RecordedGame, Recorder, new_recording
from companion.table.sighting import Glimpse

PICTURE_EVERY_S = 1.0
"""Between two kept pictures: an evening of three hours takes about a gigabyte (chosen)."""

State = Literal["off", "asked", "on"]


@dataclass(frozen=True, slots=True)
class KeptRecordings:
    """What lies in the folder: how many recordings, pictures and bytes."""

    recordings: int
    pictures: int
    size_bytes: int


class TableRecording:
    """The recordings of one table, each in a folder of its own.

    `record_glimpse` is the watching thread's alone; any other thread sets the state, which is one
    reference, or deletes. Files are opened, written and deleted one at a time.
    """

    def __init__(
        self,
        home: Path,
        game: Callable[[], tuple[int | None, Ledger]],
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        """The table's data lie in `home`; `game` gives the evening's number and its ledger; `on_change`
        hears of every other state."""
        self.folder = home / RECORDINGS
        self.trouble = ""
        self._said: State = "off"
        self._said_for: int | None = None
        self._home = home
        self._game = game
        self._on_change = on_change
        self._recorder: Recorder | None = None
        self._files = threading.Lock()

    @property
    def state(self) -> State:
        """What people said of the evening that is played now; a yes for an earlier one asks anew."""
        evening = self._game()[0]
        if self._said == "on" and self._said_for not in (None, evening):
            return "asked"
        return self._said

    def ask_people(self) -> None:
        """Ask on the screens whether this evening may be recorded."""
        self._enter_state("asked")

    def switch(self, on: bool) -> None:
        """People said yes, or no: of the evening that is played, or of the first one to begin."""
        self.trouble = ""
        self._said_for = self._game()[0]
        self._enter_state("on" if on else "off")

    def record_glimpse(
        self, glimpse: Glimpse, take_picture: Callable[[], np.ndarray | None]
    ) -> None:
        """Keep this glimpse, and now and then a picture of the table, while people allow it and an
        evening is being played."""
        evening, ledger = self._game()
        if self.state == "on" and self._said_for is None:
            self._said_for = evening
        if self.state != "on":
            self.close()
            return
        if not ledger.begun or ledger.over or evening is None:
            return
        recorder = self._recorder
        wanted = recorder is None or recorder.wants_picture(glimpse.t_s)
        picture = take_picture() if wanted else None
        with self._files:
            if self.state != "on":  # said since
                return
            trouble = self._keep(glimpse, picture, evening, ledger)
        if trouble:
            self._stop(trouble)

    def kept(self) -> KeptRecordings:
        """What lies in the folder."""
        folders = [path for path in _inside(self.folder) if path.is_dir()]
        pictures = size_bytes = 0
        for file in (file for one in folders for file in _inside(one)):
            with contextlib.suppress(OSError):  # deleted meanwhile
                size_bytes += file.stat().st_size
                pictures += file.suffix == ".jpg"
        return KeptRecordings(len(folders), pictures, size_bytes)

    def delete_all(self) -> None:
        """Stop recording, and delete every recording of this table. Raises OSError where the disk keeps
        one, once all others are gone."""
        self.switch(False)
        with self._files:
            self._close()
            shutil.rmtree(self.folder, ignore_errors=True)
            if self.folder.exists():
                shutil.rmtree(self.folder)

    def close(self) -> None:
        """Close what is open; what was recorded stays."""
        if self._recorder is not None:
            with self._files:
                self._close()

    def _close(self) -> None:
        if self._recorder is not None:
            self._recorder.close()
        self._recorder = None

    def _keep(
        self, glimpse: Glimpse, picture: np.ndarray | None, evening: int, ledger: Ledger
    ) -> str:
        """Why it cannot be kept; "" where it is."""
        if self._recorder is None:
            try:
                folder = new_recording(self._home, evening)
                self._recorder = Recorder(folder, True, _game_of(ledger), PICTURE_EVERY_S)
            except BadInput as error:
                return str(error)
        self._recorder.record_glimpse(glimpse, picture)
        return "the disk is full" if self._recorder.closed else ""

    def _stop(self, why: str) -> None:
        self.close()
        self.trouble = why
        self._enter_state("off")

    def _enter_state(self, state: State) -> None:
        if state != self._said or state == "on":
            self._said = state
            self._on_change()


def _inside(folder: Path) -> list[Path]:
    """What lies in a folder; nothing once it is gone, or cannot be read."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _game_of(ledger: Ledger) -> RecordedGame:
    """What is played from the next deal on: a round that lies open is not in the recording as a whole."""
    at = ledger.circle.index(min(ledger.circle))
    circle = ledger.circle[at:] + ledger.circle[:at]
    return RecordedGame(
        len(circle),
        circle.index(ledger.next_daydreamer),
        ledger.edition,
        ledger.handling,
        ledger.deck_size,
        before=len(ledger.finished),
        in_round=ledger.open_round is not None,
    )

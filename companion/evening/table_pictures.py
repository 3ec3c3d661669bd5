"""One picture of each round's clouds for the album, where the people at the table want it.

Off by default, and off again with the evening's end. Kept is the table alone (people about it are cut
away) at a moment when no hand is over it and as many of the round's own cards as can be are read face up
in its middle: then nothing secret lies there. Knows glimpses, pictures, the ledger and where pictures
are kept; must not know screens or HTTP.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from calibration.geometry.plane import Plane
from companion.capture.jpeg import encode_jpeg
from companion.capture.table_area import small_table
from companion.evening.scorekeeper import Scorekeeper
from companion.evening.table_stills import LYING_CARDS, lying_cards
from companion.journal.round_pictures import RoundPictures
from companion.table.sighting import Glimpse

WIDTH_PX = 1280
"""So wide at most (chosen): a page of the album on a large tablet."""

QUALITY = 85

_Round = tuple[int, int, float]
"""A round: its evening, its number, and when it was dealt."""


class TablePictures:
    """What is kept of one table's rounds. `keep_picture` is the watching thread's; all else any
    thread's.

    Many attributes: what people said, and the best picture of which round there is so far.
    """

    def __init__(
        self,
        store: RoundPictures,
        game: Callable[[], tuple[int | None, Scorekeeper]],
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        """`game` gives the evening's number and its scorekeeper; `on_change` hears when it is
        switched."""
        self.store = store
        self.trouble = ""
        self._game = game
        self._on_change = on_change
        self._lock = threading.Lock()
        self._on = False
        self._said_for: int | None = None
        self._round: _Round | None = None
        self._best = 0
        self._best_ms = 0

    @property
    def on(self) -> bool:
        """Whether people want it, of the evening that is played or of the first one to begin."""
        evening, keeper = self._game()
        playing = bool(keeper.ledger.rounds) and not keeper.ledger.over
        with self._lock:
            if self._on and playing and self._said_for is None:
                self._said_for = evening
            elif self._on and self._said_for is not None:
                self._on = playing and evening == self._said_for
            return self._on

    def switch(self, on: bool) -> None:
        """People want it for one evening, or not any more; what was kept stays until it is deleted."""
        evening, keeper = self._game()
        playing = bool(keeper.ledger.rounds) and not keeper.ledger.over
        with self._lock:
            self._on, self._said_for = on, evening if playing else None
            self._round = None
            self.trouble = ""
        self._on_change()

    def keep_picture(
        self, glimpse: Glimpse, image: np.ndarray, plane: Plane | None, at_s: float
    ) -> None:
        """Keep this frame where it shows more of the open round than what was kept of it, and no
        hand."""
        if not self._on or not self.on:
            return
        evening, keeper = self._game()
        now = keeper.ledger.open_round
        if now is None or evening is None or glimpse.hands:
            return
        if not (keeper.curtain_open and keeper.nothing_secret):
            return
        lying = lying_cards(glimpse, now)
        at = (evening, now.number, now.dealt_at_s)
        with self._lock:
            best = self._best if at == self._round else 0
        if lying < LYING_CARDS or lying <= best:
            return
        area = small_table(image, plane, WIDTH_PX)
        jpeg = encode_jpeg(area.image, WIDTH_PX, QUALITY) if area is not None else None
        if jpeg is not None:
            self._store(at, lying, round(at_s * 1000), jpeg)

    def _store(self, at: _Round, lying: int, at_ms: int, jpeg: bytes) -> None:
        """The better picture is on the disk before the one of before goes; so is that of a round that is
        laid anew."""
        try:
            self.store.keep(at[0], at_ms, jpeg)
        except OSError as error:
            self.trouble = error.strerror or str(error)
            with self._lock:
                self._on = False
            self._on_change()
            return
        with self._lock:
            before = self._round
            if before is not None and at[:2] == before[:2] and self._best_ms != at_ms:
                self.store.let_go(at[0], self._best_ms)
            self._round, self._best, self._best_ms = at, lying, at_ms

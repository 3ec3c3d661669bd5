"""The session: the imperative shell around one table. One writer; everything that happens goes
through here.

Camera -> eye -> scorekeeper -> journal -> scoreboard -> screens. Owns the threads and the clock;
decides nothing about the game (that is the scorekeeper's and the referee's) and nothing about HTTP.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from card_printables.deck import DECKS
from card_printables.marker import SYMBOL_MM
from companion.capture.jpeg import encode_jpeg
from companion.capture.view import View
from companion.capture.watching import Watching
from companion.errors import JournalTrouble
from companion.evening import player_commands as commanding
from companion.evening.scoreboard import scoreboard
from companion.evening.scorekeeper import Scorekeeper
from companion.game.log import Entry, Log
from companion.game.rules import Refusal
from companion.journal import Journal
from companion.set_up import card_back_store as back_keeping
from companion.set_up.lens_wizard import LensWizard
from companion.set_up.readiness import SetUp
from companion.table.sighting import Attention, Glimpse, RawGlimpse

RESULT_SHOWN_S = 9.0
"""So long a result stands on the screen by itself; then the next roles are shown (the camera plays
without taps)."""

LAST_SHOWN_S = 6 * 3600.0
"""So long after its end an evening is shown when the companion starts again; later the table is set
anew."""

RECENT = 32
"""So many scoreboards are kept for screens that are slow; 1.6 s of an evening at 20 events a
second."""

EVENING_STEP = 1_000_000
"""Versions of another evening start here apart, so that a version never comes back."""


class Session:
    """One table and its evenings. Thread-safe; every public method may be called from any thread."""

    def __init__(
        self,
        journal: Journal,
        numbers: frozenset[int] = frozenset(range(1, 81)),
        clock: Callable[[], float] = time.time,
        told: Callable[[Entry, Scorekeeper], None] | None = None,
    ) -> None:
        """Go on with the journal's unfinished evening, if there is one. `told` hears of every entry
        as it is entered."""
        _show_last(journal, clock())
        self.journal = journal
        self.clock = clock
        self.numbers = numbers
        self.keeper = Scorekeeper(journal.log, numbers)
        self.watching: Watching | None = None
        self.set_up = SetUp(journal.folder)
        self._told = told
        self._changed = threading.Condition(threading.RLock())
        self._stamp = 0
        self._board: dict[str, Any] = {}
        self._recent: deque[dict[str, Any]] = deque(maxlen=RECENT)
        self._trouble: str | None = None
        self._ended_at: float | None = None
        with self._changed:
            self._refresh()

    # --- what screens need
    # -----------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """Grows with every entry; a command must carry the one it saw."""
        return (self.journal.evening or 0) * EVENING_STEP + len(self.keeper.log.entries)

    def scoreboard(self) -> dict[str, Any]:
        """All that a screen shows."""
        with self._changed:
            return self._board

    def wait_for_change(self, seen: int, timeout_s: float) -> tuple[dict[str, Any] | None, int]:
        """The scoreboard after the one stamped `seen`, and its stamp; the newest for a screen that
        is new or far behind; (None, seen) after `timeout_s`."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._stamp != seen, timeout_s):
                return None, seen
            behind = self._stamp - seen
            if seen < 0 or not 0 < behind <= len(self._recent):
                return self._board, self._stamp
            return self._recent[-behind], seen + 1

    def command(self, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Do what a person asked, once per command id: (HTTP status, answer)."""
        with self._changed:
            try:
                return self._command(asked)
            except JournalTrouble as error:
                self.follow_journal()
                return 503, {
                    "error": "cannot_save",
                    "reason": str(error),
                    "scoreboard": self._board,
                }

    def _command(self, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        known = self.journal.answer_to(asked["id"])
        if known is not None:
            return 200, known
        if asked["version"] != self.version:
            return 409, {"error": "stale", "scoreboard": self._board}
        done = self._do(asked)
        if isinstance(done, Refusal):
            self.follow_journal()
            return 422, {"error": "refused", "reason": done.reason, "params": done.params}
        answer = self._store(done, asked["id"])
        return 200, answer

    def _do(self, asked: dict[str, Any]) -> tuple[Entry, ...] | Refusal:
        now = self.clock()
        if asked["do"] == "camera":
            return self._switch_camera(bool(asked.get("on")))
        if asked["do"] in back_keeping.COMMANDS:
            return back_keeping.perform(asked["do"], self.watching, self.journal.folder)
        if asked["do"] in ("begin", "rematch"):
            begun = commanding.beginning(asked, self.keeper)
            if isinstance(begun, Refusal):
                return begun
            self.keeper = Scorekeeper(Log(), self.numbers, self.keeper.curtain)
            return self.keeper.change(begun, now, asked.get("author"))
        return commanding.perform(asked, self.keeper, now)

    def _switch_camera(self, on: bool) -> tuple[Entry, ...] | Refusal:
        if self.watching is None:
            return Refusal("no_camera")
        self.watching.on = on
        return ()

    def _store(self, entries: tuple[Entry, ...], command_id: str | None) -> dict[str, Any]:
        """Write to disk first, then show: nobody sees what could be lost."""
        begins = bool(entries) and entries[0].number == 1
        evening = self.journal.next_evening if begins else self.journal.evening or 0
        answer = {
            "ok": True,
            "scoreboard": self._project(evening * EVENING_STEP + len(self.keeper.log.entries)),
        }
        self.journal.append(entries, command_id, answer)
        self._refresh(entries)
        return answer

    def follow_journal(self) -> None:
        """Memory follows the disk: what is not stored there did not happen, and what is did."""
        with self._changed:
            if self.keeper.log.entries != self.journal.log.entries:
                self.keeper = Scorekeeper(self.journal.log, self.numbers, self.keeper.curtain)
                self._refresh()

    # --- the camera's side
    # -----------------------------------------------------------------------------------------

    @property
    def attention(self) -> Attention:
        """What is worth looking for in the next frame."""
        with self._changed:
            return self.keeper.attention

    @property
    def curtain_open(self) -> bool:
        """True while a round lies face up."""
        return self.keeper.curtain_open

    def draw_curtain(self, raw: RawGlimpse) -> Glimpse:
        """What everyone may see of what the eye has read."""
        with self._changed:
            return self.keeper.draw_curtain(raw)

    def observe_glimpse(self, glimpse: Glimpse, offset_s: float) -> None:
        """One glimpse from the watching thread; what it led to is stored and shown."""
        self._keep_score(lambda keeper: keeper.observe_glimpse(glimpse, offset_s))

    def finish_footage(self, t_s: float, offset_s: float) -> None:
        """The footage has ended: what can be decided is entered, what cannot stays a question."""
        self._keep_score(lambda keeper: keeper.finish(t_s, offset_s))

    def _keep_score(self, rule: Callable[[Scorekeeper], tuple[Entry, ...]]) -> None:
        with self._changed:
            try:
                entries = self._enter(rule(self.keeper))
            except Exception:
                self.follow_journal()
                raise
            self._refresh(entries)

    def _enter(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """What could be stored of these: all or nothing."""
        try:
            if entries:
                self.journal.append(entries)
                self._trouble = None
            return entries
        except JournalTrouble as error:
            self._trouble = str(error)
            self.follow_journal()
            return ()

    def attach(self, watching: Watching) -> None:
        """Let this camera watch the table from now on."""
        back_keeping.remember(watching, self.journal.folder)
        watching.may_keep = lambda: self.may_show
        with self._changed:
            self.watching = watching
            self.keeper.look_anew()
            self._refresh()

    def camera_changed(self) -> None:
        """The camera's state changed: show it."""
        with self._changed:
            self._refresh()

    # --- showing
    # ---------------------------------------------------------------------------------------------------

    def _view(self) -> View:
        if self.watching is None:
            return View(camera={"state": "off", "notices": [], "tokens": 0, "fps": 0.0, "name": ""})
        shown_for = self.clock() - self._ended_at if self._ended_at is not None else 0.0
        by_itself = self.watching.playing and shown_for > RESULT_SHOWN_S
        return self.watching.view(self.keeper.ledger.phase == "secret" or by_itself, by_itself)

    def _project(self, version: int | None = None) -> dict[str, Any]:
        referee = self.keeper.referee
        messages = (
            referee.messages
            if referee is not None and self.watching is not None and self.watching.playing
            else ()
        )
        board = scoreboard(
            self.keeper, self.version if version is None else version, self._view(), messages
        )
        if self._trouble:
            board["notices"].append({"key": "cannot_save", "params": {}})
        return board

    def _refresh(self, entries: tuple[Entry, ...] = ()) -> None:
        if self.keeper.ledger.phase != "result":
            self._ended_at = None
        elif self._ended_at is None:
            self._ended_at = self.clock()
        board = self._project()
        if board != self._board:
            self._board = board
            self._stamp += 1
            self._recent.append(board)
            self._changed.notify_all()
        if self._told is not None:
            with contextlib.suppress(
                OSError, ValueError
            ):  # a terminal that was closed must not stop the evening
                for entry in entries:
                    self._told(entry, self.keeper)

    # --- pictures, names, files
    # ------------------------------------------------------------------------------------

    def picture_jpeg(self, max_width: int) -> bytes | None:
        """The newest picture of the table as JPEG; None while cards may be looked at in secret, or
        without a camera."""
        shown = (
            self.watching
            if self.may_show and self.watching is not None and self.watching.on
            else None
        )
        return encode_jpeg(shown.picture, max_width) if shown is not None else None

    @property
    def may_show(self) -> bool:
        """True while a picture of the table shows nobody's secret (the practice table has none)."""
        return self.keeper.nothing_secret or (self.watching is not None and self.watching.practice)

    def past_players(self) -> list[str]:
        """Names from other evenings, the newest first."""
        return list(self.journal.known_players())

    def calibration(self) -> dict[str, Any]:
        """How the camera sees the table, for the page that shows it; empty without a camera or
        while cards may be secret."""
        watching = self.watching
        picture = (
            watching.picture if watching is not None else None
        )  # the watching thread may take it away any moment
        if watching is None or picture is None or not self.may_show:
            return {}
        return self.set_up.look(watching, picture)

    def cards_in_view(self) -> list[int] | None:
        """The cards the camera reads just now, for counting piles once the game is over; during a
        game there are none. None without a camera."""
        if self.watching is None:
            return None
        return sorted(self.watching.in_view()) if self._board.get("phase") == "over" else []

    def newest_picture(self) -> np.ndarray | None:
        """The newest picture of the camera that plays, (H, W, 3) uint8 BGR; None without one."""
        watching = self.watching
        return watching.picture if watching is not None and watching.playing else None

    @property
    def camera_name(self) -> str | None:
        """The name of the camera that watches; None without one."""
        return self.watching.camera.name if self.watching is not None else None

    @property
    def printed_codes(self) -> tuple[str, float]:
        """The deck whose codes the camera reads, and how large they are printed, mm."""
        if self.watching is None:
            return DECKS[0], SYMBOL_MM
        reader = self.watching.eye.reader
        return reader.deck, reader.symbol_mm

    @property
    def lens_wizard(self) -> LensWizard:
        """The expert's lens calibration."""
        return self.set_up.lens_wizard

    # --- what is kept
    # ------------------------------------------------------------------------------------

    @property
    def log(self) -> Log:
        """The log of the evening."""
        with self._changed:
            return self.keeper.log

    @property
    def evening(self) -> int | None:
        """The number of the evening; None before the first one."""
        return self.journal.evening

    @property
    def folder(self) -> Path:
        """Where the evenings and what was learnt of the table are kept."""
        return self.journal.folder

    def close(self) -> None:
        """Stop watching and close the journal."""
        if self.watching is not None:
            self.watching.stop()
        self.journal.close()


def _show_last(journal: Journal, now_s: float) -> None:
    """An evening that ended a short while ago stands on the screens again after a restart: its
    winner, its ledger."""
    evenings = journal.evenings() if journal.evening is None else ()
    if evenings and 0 <= now_s - evenings[-1].changed_s < LAST_SHOWN_S:
        journal.resume(evenings[-1].number)

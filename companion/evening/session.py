"""The session: the imperative shell around one table. One writer; everything that happens goes
through here.

Camera -> eye -> scorekeeper -> journal -> scoreboard -> screens. Owns the lock and the clock;
decides nothing about the game (that is the scorekeeper's and the referee's) and nothing about HTTP.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.capture.view import View
from companion.capture.watching import Watching
from companion.errors import JournalTrouble
from companion.evening.command_shapes import read_command
from companion.evening.film import film_of
from companion.evening.player_commands import begin_evening, go_on_with, perform_command
from companion.evening.scoreboard import scoreboard
from companion.evening.scoreboard_feed import Board, ScoreboardFeed
from companion.evening.scorekeeper import Scorekeeper
from companion.evening.table_camera import TableCamera
from companion.evening.table_pictures import TablePictures
from companion.evening.table_recording import TableRecording
from companion.evening.table_stills import TableStills
from companion.game.change import Changes, undo_target
from companion.game.events import EveningBegun, EveningEnded
from companion.game.fold import fold
from companion.game.ledger import Ledger
from companion.game.log import Entry, Log, in_time
from companion.game.rules import Refusal
from companion.journal import Journal
from companion.journal.people_signs import PeopleSigns
from companion.journal.round_pictures import RoundPictures
from companion.journal.watched import Watched
from companion.limited_process import done_here
from companion.set_up import card_back_store
from companion.table.sighting import Attention, Glimpse, RawGlimpse
from companion.vision.eye import Eye
from companion.years.book import BookOfEvenings, known_now

RESULT_SHOWN_S = 9.0
"""So long a result stands on the screen by itself; then the next roles are shown (the camera plays
without taps)."""

LAST_SHOWN_S = 6 * 3600.0
"""So long after its end an evening is shown when the companion starts again; later the table is set
anew."""

FIXED_IN_PRACTICE = ("begin", "rematch", "players", "rules", "deck", "end")
"""The practice table plays a game that is written down: with other people, other rules or after its end
its cards would belong to no round."""

BY_THE_BOOK = ("begin", "rematch", "players", "undo")
"""What seats people or lays an evening on the table by what the book of evenings says of them: meanwhile
nothing is done to the book."""

EVENING_STEP = 1_000_000
"""Versions of another evening start here apart, so that a version never comes back."""

OnEntry = Callable[[Entry, Scorekeeper], None]


class Session:
    """One table and its evenings. Thread-safe; every public method may be called from any thread.

    Many methods: it is the one door for the screens, the camera's thread and people's commands, and
    each does one thing under its lock; what they do is the scorekeeper's, the journal's, the feed's.
    Many attributes: each of the rooms it brings together is one.
    """

    def __init__(
        self,
        journal: Journal,
        numbers: frozenset[int] = frozenset(range(1, 81)),
        clock: Callable[[], float] = time.time,
        on_entry: OnEntry | None = None,
        learnt_deck: str = "",
    ) -> None:
        """Go on with the journal's unfinished evening, if there is one. `on_entry` hears of every
        entry as it is entered. `numbers` are those of the cards, of a `learnt_deck` or (empty) printed."""
        self.clock: Callable[[], float] = lambda: in_time(clock())
        _show_last(journal, self.clock())
        self.journal = journal
        self.numbers = numbers
        self.learnt_deck = learnt_deck
        self._watched = Watched(journal.folder)
        self.keeper = Scorekeeper(journal.log, numbers, looked_until_s=self._watched.until_s)
        self.stills = TableStills(lambda: self.keeper, self.camera_changed)
        self.pictures = TablePictures(
            RoundPictures(journal.folder),
            lambda: (self.journal.evening, self.keeper),
            self.camera_changed,
        )
        self.camera = TableCamera(
            journal.folder,
            lambda: self.keeper,
            (self.stills.keep_still, self.pictures.keep_picture),
        )
        self.recording = TableRecording(
            journal.folder,
            lambda: (self.journal.evening, self.keeper.ledger),
            self.camera_changed,
        )
        past = [evening.players for evening in journal.evenings()]
        self._signs = PeopleSigns(journal.folder, past)
        self.book = BookOfEvenings(journal, self._signs, self.clock, self.camera_changed)
        self._feed = ScoreboardFeed()
        self._on_entry = on_entry
        self._lock = threading.RLock()
        self._trouble: str | None = None
        self._result_since_s: float | None = None
        self._played_before: int | None = None
        """The evening that the same people sat down again after: until their first cards lie, undo leads
        back to it."""
        self._learnt_chosen = False
        """A learnt deck was chosen since the evening on the table began: more of it may be known by now."""
        with self._lock:
            self._show()

    # --- the screens' side

    @property
    def version(self) -> int:
        """Grows with every entry; a command must carry the one it saw."""
        return _version(self.journal.evening or 0, self.keeper.log)

    def scoreboard(self) -> Board:
        """All that a screen shows."""
        return self._feed.newest

    def wait_for_change(self, seen: int, timeout_s: float) -> tuple[Board | None, int]:
        """The scoreboard after the one stamped `seen` (-1: none yet), and its stamp; (None, seen)
        after `timeout_s`."""
        return self._feed.wait_for_change(seen, timeout_s)

    def wake_screens(self) -> None:
        """Let no screen wait for a change any longer: the server stops."""
        self._feed.wake()

    def let_commands_end(self) -> None:
        """Return when no command is under way that began before this was called."""
        with self._lock:
            return

    def past_players(self) -> list[tuple[str, int]]:
        """Names from other evenings, the newest first, each with the person's sign."""
        names = known_now(self.journal.known_players(), self.book.persons)
        return [(name, self._signs.at_table((name,))[0]) for name in names]

    def renamed_people(self) -> dict[str, str]:
        """Of those who sit at the table, who is called otherwise since, by the name of that night."""
        with self._lock:
            return self._renamed()

    def past_scoreboard(self, number: int) -> Board | None:
        """What the screens showed at the end of an evening of before; None where there is none."""
        log = self.book.log(number)
        if log is None:
            return None
        keeper = Scorekeeper(log, self.numbers)
        signs = self._signs_of(keeper.ledger)
        return scoreboard(keeper, 0, View(camera={"state": "off"}), signs)

    def film(
        self, number: int, apart: Callable[..., list[dict[str, Any]]] = done_here
    ) -> list[dict[str, Any]] | None:
        """An evening of before, board by board; None where there is none. `apart` does what takes time:
        here, or in a process of its own."""
        log = self.book.log(number)
        return None if log is None else apart(film_of, log, self._signs)

    def go_on(
        self, number: int, author: str | None, may_still: Callable[[], bool] = lambda: True
    ) -> Refusal | None:
        """Put an evening that was broken off back on the table, where it was left; the Refusal when
        it was played to its end, another is being played, or who asks may not any more when their turn
        has come, `may_still`. Raises JournalTrouble."""
        with self._lock, self.book.unchanged():
            if not may_still():
                return Refusal("sent_away")
            log = None if number in self.book.persons.deleted else self.journal.find_evening(number)
            if log is None:
                return Refusal("no_such_evening")
            if self.camera.plays_practice:
                return Refusal("practice_plays")
            if (
                self.keeper.ledger.begun
                and not self.keeper.ledger.over
                and self.keeper.ledger.rounds
            ):
                return Refusal("evening_begun")
            keeper = Scorekeeper(log, self.numbers, self.keeper.curtain)
            if keeper.ledger.learnt_deck != self.learnt_deck:
                return Refusal("other_cards")
            entries = go_on_with(keeper, self.clock(), author)
            if isinstance(entries, Refusal):
                return entries
            ending = self._ending(author) if number != self.journal.evening else ()
            self.journal.go_on_with(number, entries, keeper.ledger, author, ending)
            if self.camera.practice_over:
                self.camera.detach()
            self.keeper = keeper
            self._played_before = None
            self._show()
            self._tell(entries)
            return None

    def _ending(self, author: str | None) -> tuple[Entry, ...]:
        """What ends the evening on the table, of which nothing was played: else it would lie there again
        after a restart, in the place of the one that is gone on with."""
        now = Scorekeeper(self.keeper.log, self.numbers)
        ended = now.change(Changes((EveningEnded(),)), self.clock(), author)
        return () if isinstance(ended, Refusal) else ended

    def last_table(self) -> list[str]:
        """Who sat at the newest evening when it was left, clockwise."""
        newest = self.journal.newest_evening()
        log = self.book.log(newest.number) if newest is not None else None
        if log is None:
            return []
        ledger = fold(log).ledger
        return known_now([ledger.names[seat] for seat in ledger.seats_now], self.book.persons)

    @property
    def log(self) -> Log:
        """The log of the evening."""
        with self._lock:
            return self.keeper.log

    @property
    def evening(self) -> int | None:
        """The number of the evening; None before the first one."""
        return self.journal.evening

    @property
    def folder(self) -> Path:
        """Where the evenings and what was learnt of the table are kept."""
        return self.journal.folder

    # --- the commands' side

    def command(
        self, asked: dict[str, Any], may_still: Callable[[], bool] = lambda: True
    ) -> tuple[int, dict[str, Any]]:
        """Do what a person asked, once per command id: (HTTP status, answer). Who may not any more
        when their turn has come, `may_still`, is answered 401."""
        with self._lock:
            if not may_still():
                return 401, {"error": "unauthorized"}
            try:
                return self._answer_command(asked)
            except JournalTrouble as error:
                self.follow_journal()
                trouble = {"error": "cannot_save", "reason": str(error)}
                return 503, {**trouble, "scoreboard": self.scoreboard()}
            except Exception:
                self.follow_journal()  # a fault of our own leaves nothing behind that is not stored
                raise

    def _answer_command(self, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if self.journal.answer_to(asked["id"]) is not None:
            return 200, {"ok": True, "scoreboard": self.scoreboard()}
        if asked["version"] != self.version:
            return 409, {"error": "stale", "scoreboard": self.scoreboard()}
        if asked["do"] in BY_THE_BOOK:
            with self.book.unchanged():
                return self._done(asked)
        return self._done(asked)

    def _done(self, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if asked["do"] == "undo" and self._sat_down_again:
            self._leave_rematch(asked)
            return 200, {"ok": True, "scoreboard": self.scoreboard()}
        ended = self.journal.evening
        done = self._do_command(asked)
        if isinstance(done, Refusal):
            self.follow_journal()
            return 422, {"error": "refused", "reason": done.reason, "params": done.params}
        if asked["do"] in ("begin", "rematch") and self.camera.practice_over:
            self.camera.detach()
        if asked["do"] in ("begin", "rematch"):
            self._learnt_chosen = False
            self._played_before = ended if asked["do"] == "rematch" else None
        ledger = self.keeper.ledger
        self._signs.keep_names(ledger.names, _signs_shown(asked), ledger.circle)
        self._store_command(done, asked["id"])
        return 200, {"ok": True, "scoreboard": self.scoreboard()}

    def _do_command(self, asked: dict[str, Any]) -> tuple[Entry, ...] | Refusal:
        now_s = self.clock()
        if asked["do"] in FIXED_IN_PRACTICE and self.camera.plays_practice:
            return Refusal("practice_plays")
        if asked["do"] == "camera":
            told = read_command(asked)
            if isinstance(told, Refusal):
                return told
            return self.camera.switch(told.get("on", False))
        if asked["do"] in card_back_store.COMMANDS:
            return self.camera.teach_back(asked["do"])
        if asked["do"] in ("begin", "players") and (refused := self._refuse_one_person(asked)):
            return refused
        if asked["do"] in ("begin", "rematch"):
            begun = begin_evening(asked, self.keeper, self.learnt_deck)
            if isinstance(begun, Refusal):
                return begun
            if asked["do"] == "rematch":
                begun = self._as_it_is_now(begun)
            self.keeper = Scorekeeper(Log(), self.numbers, self.keeper.curtain)
            return self.keeper.change(begun, now_s, asked.get("author"))
        return perform_command(asked, self.keeper, now_s)

    def _refuse_one_person(self, asked: dict[str, Any]) -> Refusal | None:
        """Why these names cannot sit down together: two of them are one person's in the book, or one is of
        somebody who was forgotten just now, and would be nobody on this evening, too."""
        told = read_command(asked)
        if isinstance(told, Refusal):
            return None
        persons = self.book.persons
        if twice := persons.twice(told["players"]):
            return Refusal("person_twice", {"name": twice[0], "other": twice[1]})
        forgotten = (name for name in told["players"] if persons.person(name).name is None)
        name = next(forgotten, None)
        return None if name is None else Refusal("person_forgotten", {"name": name})

    def _as_it_is_now(self, begun: Changes) -> Changes:
        """The same people, by the names that the book has for them since, with the cards that lie here
        now."""
        now = self._renamed()
        return replace(
            begun,
            append=tuple(
                replace(
                    one,
                    players=tuple(now.get(name, name) for name in one.players),
                    deck_size=self._coming_deck_size,
                )
                if isinstance(one, EveningBegun)
                else one
                for one in begun.append
            ),
        )

    @property
    def _coming_deck_size(self) -> int:
        """How many cards the next evening is set up with: as many as this one, where its cards are those
        that are played with now."""
        ledger = self.keeper.ledger
        same = ledger.learnt_deck == self.learnt_deck and not self._learnt_chosen
        return ledger.deck_tonight if ledger.begun and same else len(self.numbers)

    def _renamed(self) -> dict[str, str]:
        """Of those who sit at the table, who is called otherwise since, by the name of that night."""
        written = self.keeper.ledger.names
        now = {name: self.book.persons.person(name).name or name for name in written}
        distinct = len(set(now.values())) == len(now)
        return {name: new for name, new in now.items() if new != name} if distinct else {}

    @property
    def _sat_down_again(self) -> bool:
        """True after a rematch of which nothing is left to take back but that people sat down."""
        before, ledger = self._played_before, self.keeper.ledger
        if before is None or not ledger.begun or ledger.over or ledger.rounds:
            return False
        return undo_target(self.keeper.log) is None and before not in self.book.persons.deleted

    def _leave_rematch(self, asked: dict[str, Any]) -> None:
        """The evening that ended is on the table again; the rematch, of which nothing was played, is
        over."""
        over = self.keeper.change(Changes((EveningEnded(),)), self.clock(), asked.get("author"))
        if isinstance(over, Refusal) or self._played_before is None:
            return
        self.journal.append(over, asked["id"], {"ok": True, "version": self.version})
        log = self.journal.resume(self._played_before)
        self.keeper = Scorekeeper(log, self.numbers, self.keeper.curtain)
        self._played_before = None
        self._show()
        self._tell(over)

    def _store_command(self, entries: tuple[Entry, ...], command_id: str) -> None:
        """Write to disk first, then show: nobody sees what could be lost. The board is made before,
        so that nothing can fail between the two."""
        begins = bool(entries) and entries[0].number == 1
        evening = self.journal.next_evening if begins else self.journal.evening or 0
        version = _version(evening, self.keeper.log)
        board = self._project(version)
        done = {"ok": True, "version": version}
        self.book.let_others_read()
        self.journal.append(entries, command_id, done, self.keeper.ledger)
        self._say_kept_once(board)
        self._feed.publish(board)
        self._tell(entries)

    def _say_kept_once(self, board: Board) -> None:
        """Say on the board whether the disk takes no second copy: known once the entries are written."""
        others = [one for one in board["notices"] if one["key"] != "kept_once"]
        once = [{"key": "kept_once", "params": {}}] if self.journal.kept_once else []
        board["notices"] = others + once

    def follow_journal(self) -> None:
        """Memory follows the disk: what is not stored there did not happen, and what is did."""
        with self._lock:
            if self.keeper.log.entries != self.journal.log.entries:
                self.keeper = Scorekeeper(
                    self.journal.log,
                    self.numbers,
                    self.keeper.curtain,
                    self._watched.until_s,
                )
                self._show()

    # --- the camera's side

    @property
    def attention(self) -> Attention:
        """What is worth looking for in the next frame."""
        with self._lock:
            return self.keeper.attention

    @property
    def curtain_open(self) -> bool:
        """True while a round lies face up."""
        return self.keeper.curtain_open

    @property
    def is_played(self) -> bool:
        """True while an evening is played: begun, neither over nor paused."""
        return self.keeper.is_played

    def draw_curtain(self, raw: RawGlimpse) -> Glimpse:
        """What everyone may see of what the eye has read."""
        with self._lock:
            return self.keeper.draw_curtain(raw)

    def observe_glimpse(self, glimpse: Glimpse, offset_s: float) -> None:
        """One glimpse from the watching thread; what it led to is stored and shown."""
        self._keep_score(lambda keeper: keeper.observe_glimpse(glimpse, offset_s))
        self._watched.note_look(glimpse.t_s + offset_s)

    def finish_footage(self, t_s: float, offset_s: float) -> None:
        """The footage has ended: what can be decided is entered, what cannot stays a question."""
        self._keep_score(lambda keeper: keeper.finish(t_s, offset_s))

    def _keep_score(self, rule: Callable[[Scorekeeper], tuple[Entry, ...]]) -> None:
        with self._lock:
            try:
                entries = self._enter(rule(self.keeper))
            except Exception:
                self.follow_journal()
                raise
            self._show()
            self._tell(entries)

    def _enter(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """What could be stored of these: all or nothing."""
        try:
            if entries:
                self.book.let_others_read()
                self.journal.append(entries, ledger=self.keeper.ledger)
                self._trouble = None
            return entries
        except JournalTrouble as error:
            self._trouble = str(error)
            self.follow_journal()
            return ()

    def attach(self, watching: Watching) -> None:
        """Let this camera watch the table from now on."""
        with self._lock:
            self.camera.attach(watching)
            self.keeper.look_anew()
            self._show()

    def play_with(self, eye: Eye, numbers: frozenset[int], learnt_deck: str = "") -> Refusal | None:
        """Read another deck's cards from now on, `numbers` of this `learnt_deck` or (empty) printed
        ones; the Refusal while an evening is being played."""
        with self._lock:
            ledger = self.keeper.ledger
            if ledger.begun and not ledger.over:
                return Refusal("evening_begun")
            self.numbers = numbers
            self.learnt_deck = learnt_deck
            self._learnt_chosen = bool(learnt_deck)
            self.keeper = Scorekeeper(self.keeper.log, numbers)
            self.camera.read_with(eye)
            self._show()
            return None

    def camera_changed(self) -> None:
        """Something beside the game changed, the camera's state or the book: show it."""
        with self._lock:
            self._show()

    def close(self) -> None:
        """Stop watching and close the journal."""
        self.camera.stop()
        self.recording.close()
        self.book.stop_settling()
        self.journal.close()

    # --- showing

    def _show(self) -> None:
        self._feed.publish(self._project(self.version))

    def _project(self, version: int) -> Board:
        playing = self.camera.playing
        result_read = self._result_read() and playing
        referee = self.keeper.referee if playing else None
        messages = referee.messages if referee is not None else ()
        ledger = self.keeper.ledger
        signs = self._signs_of(ledger)
        board = scoreboard(self.keeper, version, self.camera.view(result_read), signs, messages)
        board["evening"] = version // EVENING_STEP
        board["book_acts"] = len(self.journal.acts.acts)
        board["recording"] = self.recording.state
        board["learnt_deck"] = self.learnt_deck or None
        board["coming_deck_size"] = self._coming_deck_size
        if not ledger.begun:
            board["played_deck"] = board["learnt_deck"]
            board["deck_size"] = board["coming_deck_size"]
        board["stills"] = self.stills.told()
        if self._sat_down_again:
            board["undo"] = {"what": "rematch", "seat": None}
        board["pictures"] = self.pictures.on
        if self._trouble:
            board["notices"].append({"key": "cannot_save", "params": {}})
        self._say_kept_once(board)
        return board

    def _signs_of(self, ledger: Ledger) -> tuple[int, ...]:
        """Everybody's sign, by seat."""
        return self._signs.at_table(ledger.names, ledger.seats_now)

    def _result_read(self) -> bool:
        """True once the last result has stood on the screens long enough, also while the evening rests."""
        now_s = self.clock()
        if self.keeper.ledger.phase_ignoring_pause != "result":
            self._result_since_s = None
        elif self._result_since_s is None or now_s < self._result_since_s:  # the clock was set back
            self._result_since_s = now_s
        since_s = self._result_since_s
        return since_s is not None and now_s - since_s > RESULT_SHOWN_S

    def _tell(self, entries: tuple[Entry, ...]) -> None:
        if self._on_entry is None:
            return
        try:
            for entry in entries:
                self._on_entry(entry, self.keeper)
        except (OSError, ValueError):
            pass  # a terminal that was closed must not stop the evening
        except Exception:  # it is stored: a line that cannot be said takes nothing back
            logging.getLogger(__name__).exception("an entry could not be told")


def _signs_shown(asked: dict[str, Any]) -> tuple[int, ...]:
    """The signs that a screen showed beside the people who begin."""
    told = read_command(asked) if asked["do"] == "begin" else {}
    return () if isinstance(told, Refusal) else told.get("signs", ())


def _version(evening: int, log: Log) -> int:
    return evening * EVENING_STEP + len(log.entries)


def _show_last(journal: Journal, now_s: float) -> None:
    """An evening that ended a short while ago stands on the screens again after a restart: its
    winner, its ledger. One of which nothing was played has nothing to show."""
    if journal.evening is not None:
        return
    played = [one for one in journal.evenings() if one.rounds and not one.imported]
    last = max(played, key=lambda one: one.changed_s, default=None)
    if last is not None and 0 <= now_s - last.changed_s < LAST_SHOWN_S:
        journal.resume(last.number)

"""The book of evenings: every evening of a folder, found, opened, and changed in the few ways one may.

Names, places and deletions are acts of their own log; for a minute each can be taken back, and only
then does anything leave the disk. Safe to call from several threads. It knows journal and index; it
must not know HTTP.
"""

from __future__ import annotations

import logging
import math
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from companion.errors import CompanionError, JournalTrouble
from companion.findings.claims import GUESTS, Findings, findings
from companion.findings.counted import Counted, count
from companion.findings.pictured import told_findings
from companion.findings.played import PlayedEvening
from companion.game.event_json import UnknownEvent
from companion.game.events import CloudNamed, QuestionAsked
from companion.game.fold import fold
from companion.game.log import ANSWERED, REDO, UNDO, Entry, Log, Retraction
from companion.game.rules import Refusal
from companion.game.words import one_line
from companion.journal import Journal
from companion.journal.acts import GO_ON, SHAPES, Act, is_understood
from companion.journal.people_signs import PeopleSigns, person_key
from companion.journal.round_pictures import RoundPictures, pictures_by_round
from companion.years import bgstats
from companion.years.album import Album, AlbumWords, Naming
from companion.years.calling import called_now, is_somebody
from companion.years.index import IndexedEvening, YearsIndex
from companion.years.leaving_disk import LeavingDisk, is_still_open
from companion.years.persons import (
    WAY_BACK_S,
    Persons,
    fold_acts,
    is_guest,
    undone,
)

LONGEST = 40
"""Letters of a name or a place that people type."""

AT_ONCE_WAITED = 20
"""So few new evenings are taken into the index while the page waits; more in the background."""

AT_A_LOOK_S = 1.0
"""So long somebody who looks at the book waits for what is to leave the disk (chosen)."""

AFTER_START_S = 2.0
"""So long after a start what was to leave the disk does so: the first screen is not kept waiting."""

DAY_S = 86_400.0

BREAK_S = 6 * 3600.0
"""After so long without a game the next one is another evening's (chosen)."""

LONGEST_NIGHT_S = 3 * DAY_S
MOST_AROUND = 300
"""Games of the days around a night (chosen: a club of many tables in one folder has fewer)."""

PAGE = 24
"""Evenings of one answer."""

MOST_PAGE = 120

MOST_NUMBER = 1_000_000_000
"""No evening, act or year has a greater one."""


class StillReading(CompanionError):
    """Raised where an answer needs every evening, and not all are in the index yet."""


class BookTurn:
    """One does something at a time, and it is known how many wait for it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.waiting = 0
        self._counting = threading.Lock()

    @contextmanager
    def awaited(self) -> Iterator[None]:
        """Wait for the turn, and have it inside."""
        with self._counting:
            self.waiting += 1
        with self.lock:
            with self._counting:
                self.waiting -= 1
            yield


class BookOfEvenings:
    """All evenings of one journal."""

    def __init__(
        self,
        journal: Journal,
        signs: PeopleSigns,
        clock: Callable[[], float],
        on_act: Callable[[], object] = lambda: None,
    ) -> None:
        """`on_act` hears that something was done to the book."""
        self._on_act = on_act
        self._journal = journal
        self._signs = signs
        self._clock = clock
        self._pictures = RoundPictures(journal.folder)
        self._turn = BookTurn()
        """Who does something to the book: what takes long gives way to those that wait for it."""
        self._index: YearsIndex | None = None
        self._reading = threading.Event()
        self._leaving = LeavingDisk(
            journal, signs, self._pictures, clock, lambda: self._turn.waiting > 0
        )
        self._timer: threading.Timer | None = None
        self._found: tuple[object, dict[str, Any]] | None = None
        if self._leaving.left:
            self._settle_later(AFTER_START_S)

    def close(self) -> None:
        """Let go of the index."""
        with self._turn.lock:
            if self._index is not None:
                self._index.close()
                self._index = None

    @property
    def persons(self) -> Persons:
        """Who is who, and what is deleted."""
        return fold_acts(self._journal.acts.acts)

    # --- the index

    def index(self) -> YearsIndex:
        """The index, with every evening that can be taken in at once; the others follow in a thread of
        their own (`reading` says how many are left)."""
        with self.unchanged():
            self._settle(AT_A_LOOK_S)
            self.let_others_read()
            if self._index is None:
                self._index = YearsIndex(self._journal.folder)
            if not self._reading.is_set():
                if self._few_stale(self._index):
                    self._index.refresh()
                else:
                    self._reading.set()
                    threading.Thread(
                        target=self._read_on, args=(self._index,), name="years", daemon=True
                    ).start()
            return self._index

    def let_others_read(self) -> None:
        """Where the journal's log was taken away, let go of the journal until it has begun another one. Who
        looks at the book just now is not waited for: the next act or look is soon enough."""
        if not self._journal.log_lost or not self._turn.lock.acquire(blocking=False):
            return
        try:
            if self._index is None:
                self._journal.let_others_read()
            else:
                self._index.let_go_while(self._journal.let_others_read)
        except (JournalTrouble, sqlite3.Error):  # opened anew the next time
            self.close()
        finally:
            self._turn.lock.release()

    def _few_stale(self, index: YearsIndex) -> bool:
        """Whether so few evenings are to be read that somebody waits for them. An index that cannot tell
        is opened anew the next time: what it was made of may be in order by then."""
        try:
            return len(index.stale()) <= AT_ONCE_WAITED
        except JournalTrouble:
            index.close()
            self._index = None
            raise

    def _read_on(self, index: YearsIndex) -> None:
        try:
            index.refresh()
        except (JournalTrouble, sqlite3.Error):  # closed meanwhile, or the disk is full: next time
            logging.getLogger(__name__).exception("the index of the evenings was not finished")
        finally:
            self._reading.clear()

    def settled_index(self) -> YearsIndex:
        """The index with every evening in it. Raises StillReading where that takes longer than people
        wait."""
        index = self.index()
        if not self._reading.is_set():
            index.refresh()
        if self._reading.is_set() or index.gave_up:
            raise StillReading("The evenings are still being read: do it again once that is done.")
        return index

    def stop_reading(self) -> None:
        """The companion ends: evenings that are not in the index yet are read the next time."""
        index = self._index
        if index is not None:
            index.give_up()

    # --- what the pages show

    def page(
        self,
        person: str | None = None,
        year: int | None = None,
        place: str | None = None,
        after: int = 0,
        count: int = PAGE,
    ) -> dict[str, Any]:
        """Evenings, the newest first, where `person` played, of a `year`, at a `place`; and what can
        be asked for."""
        index, persons = self.index(), self.persons
        hidden = self._hidden(persons)
        only = (
            None
            if place is None
            else [n for n, told in persons.places.items() if told.casefold() == place.casefold()]
        )
        found, total = index.find(
            keys=None if person is None else persons.keys_of(person),
            year=None if year is None else min(abs(year), MOST_NUMBER),
            only=only,
            without=hidden,
            after=max(0, min(after, MOST_NUMBER)),
            count=max(1, min(count, MOST_PAGE)),
        )
        left = len(index.stale()) if self._reading.is_set() else 0
        return {
            "evenings": [self._line(one, persons, index, hidden) for one in found],
            "total": total,
            "people": self._people(index, persons, hidden),
            "years": [year for year, _ in index.years(hidden)],
            "places": sorted(
                {place for number, place in persons.places.items() if number not in hidden},
                key=str.casefold,
            ),
            "reading": left,
            "acts": self._way_back(),
        }

    def _hidden(self, persons: Persons) -> list[int]:
        """What is not in the book: deleted, or played just now."""
        now = self._journal.evening
        playing = now is not None and not self._journal.is_over(now)
        return [*persons.deleted, *([now] if playing and now is not None else [])]

    def _line(
        self, one: IndexedEvening, persons: Persons, index: YearsIndex, hidden: list[int]
    ) -> dict[str, Any]:
        names = persons.names(one.names)
        signs = self._signs.at_table(names)
        most = max(one.totals, default=0)
        return {
            "number": one.number,
            "began_s": one.began_s,
            "played_s": one.played_s,
            "players": [
                {
                    "name": name,
                    "sign": signs[seat],
                    "cards": total,
                    "winner": total == most and most > 0,
                }
                for seat, (name, total) in enumerate(zip(names, one.totals, strict=True))
            ],
            "rounds": one.rounds,
            "over": one.over,
            "place": persons.places.get(one.number, ""),
            "sky": [[card, at] for card, at in one.sky],
            "deck": one.learnt_deck or None,
            "night": self._night(one, persons, index, hidden),
        }

    def _night(
        self, one: IndexedEvening, persons: Persons, index: YearsIndex, hidden: list[int]
    ) -> dict[str, Any] | None:
        """Where several games were played in one night: which of them this is, the numbers of all, and
        everybody's clouds of all together; None where it was the only one, and for a game that still
        lies on the table."""
        if one.number in hidden:
            return None
        games = self._games_of_night(one, persons, index, hidden)
        if len(games) < 2:
            return None
        together: dict[str, int] = {}
        for game in games:
            for name, total in zip(persons.names(game.names), game.totals, strict=True):
                together[name] = together.get(name, 0) + total
        names = tuple(together)
        signs = self._signs.at_table(names)
        order = sorted(range(len(names)), key=lambda at: -together[names[at]])
        return {
            "nth": 1 + [game.number for game in games].index(one.number),
            "games": [game.number for game in games],
            "players": [
                {"name": names[at], "sign": signs[at], "cards": together[names[at]]} for at in order
            ],
        }

    def _games_of_night(
        self, one: IndexedEvening, persons: Persons, index: YearsIndex, hidden: list[int]
    ) -> list[IndexedEvening]:
        """The games of the night of `one`, the oldest first. A night's first and last game may know
        nothing of each other, so it is looked a day around all that is found, until no more is. What goes
        on for longer than `LONGEST_NIGHT_S`, or among more games than people play, is no night: a clock
        or a file from elsewhere told it, and each game stands alone."""
        first_s = last_s = one.began_s
        while last_s - first_s <= LONGEST_NIGHT_S:
            around = index.near(first_s - DAY_S, last_s + DAY_S, hidden, MOST_AROUND + 1)
            if len(around) > MOST_AROUND:
                break
            games = nights(around, lambda name: _key_of(persons, name)).get(one.number)
            if games is None:  # it has changed since it was found
                break
            if (games[0].began_s, games[-1].began_s) == (first_s, last_s):
                return games
            first_s, last_s = games[0].began_s, games[-1].began_s
        return [one]

    def fair_start(self, names: Sequence[str]) -> dict[str, Any] | None:
        """Who of these people should begin the next game: whoever has begun least, beside how often it
        would have been their turn; of equals, who began longest ago; and whether nobody else has begun as
        seldom, strangers, who never have, among them. None where none of them ever sat down to a game."""
        index, persons = self.index(), self.persons
        hidden = self._hidden(persons)
        told = [
            (name, index.begun(persons.keys_of(persons.person(name).name or name), hidden))
            for name in names
            if not is_guest(name) and not is_somebody(name)
        ]
        known = [(name, one) for name, one in told if one.games]
        if not known:
            return None
        name, least = min(
            known, key=lambda one: (round(one[1].begun - one[1].fair, 6), one[1].last_s)
        )
        less_than_strangers = least.begun == 0 or len(known) == len(names)
        alone = less_than_strangers and all(
            one.begun * least.games > least.begun * one.games
            for other, one in known
            if other != name
        )
        return {"name": name, "begun": least.begun, "games": least.games, "alone": alone}

    def _people(
        self, index: YearsIndex, persons: Persons, without: Sequence[int] = ()
    ) -> list[dict[str, Any]]:
        """Everybody whose name is known, the most frequent first, from all evenings but those `without`."""
        often: dict[str, int] = {}
        called: dict[str, str] = {}
        for written, evenings in index.people(without):
            one = persons.person(written)
            if one.name is None or is_somebody(one.name) or is_guest(one.name):
                continue
            key = person_key(one.name)
            called.setdefault(key, one.name)
            often[key] = often.get(key, 0) + evenings
        order = sorted(often, key=lambda key: (-often[key], key))
        return [
            {
                "name": called[key],
                "evenings": often[key],
                "sign": self._signs.at_table((called[key],))[0],
            }
            for key in order
        ]

    def line(self, number: int) -> dict[str, Any] | None:
        """One evening as it stands in the list, with what the log tells beside the ledger: questions,
        corrections, and the play for another app; None where there is none."""
        index, persons = self.index(), self.persons
        number = min(number, MOST_NUMBER)
        one = None if number in persons.deleted else index.line(number)
        if one is None or not one.rounds:
            return None
        told = self._line(one, persons, index, self._hidden(persons))
        log = self.log(number)
        if log is not None:
            told |= _questions_and_corrections(log)
            told["broken_off"] = _is_broken_off(log)
        for _, played in index.played(only=[number]):
            told["bgstats"] = bgstats.link(played, told["place"], persons)
            told["pictures"] = self._pictures_of(number, played)
        return told | {"acts": self._way_back()}

    def _pictures_of(self, number: int, played: PlayedEvening) -> dict[str, int]:
        """Of each round that has a kept picture, by its number, the picture's moment (ms)."""
        found = pictures_by_round(
            self._pictures.moments_ms(number),
            [(one.began_s, one.ended_s) for one in played.finished],
        )
        return {str(played.finished[at].number): at_ms for at, at_ms in found.items()}

    def picture(self, number: int, at_ms: int) -> bytes | None:
        """A kept picture of an evening's round as JPEG; None where there is none."""
        if number in self.persons.deleted:
            return None
        return self._pictures.read(min(number, MOST_NUMBER), at_ms)

    def log(self, number: int) -> Log | None:
        """The log of an evening, with everybody's name of now; None where there is none to be read."""
        if number in self.persons.deleted:
            return None
        try:
            return called_now(self._journal.read_evening(number), self.persons)
        except (JournalTrouble, UnknownEvent):
            return None

    def album(self, number: int, naming: Naming, words: AlbumWords) -> Album | None:
        """One evening to be laid out as pictures; None where there is none."""
        index, persons = self.index(), self.persons
        number = min(number, MOST_NUMBER)
        if number in persons.deleted:
            return None
        for _, one in index.played(only=[number]):
            if one.finished:
                names = persons.names(one.names)
                kept = self._pictures_of(number, one).items()
                photos = {int(at): self._pictures.read(number, ms) for at, ms in kept}
                place = persons.places.get(number, "")
                good = {at: jpeg for at, jpeg in photos.items() if jpeg}
                return Album(one, names, place, naming, words, good)
        return None

    def highest_card(self, deck: str) -> int:
        """The highest number of a card of this learnt deck that lay at an evening; 0 where none did."""
        index = self.index()
        lay = (
            card
            for _, evening in index.played(only=index.with_deck(deck))
            for one in evening.rounds
            for card in one.cards
        )
        return max((card for card in lay if card is not None), default=0)

    # --- what was found out

    def findings(self) -> Findings:
        """What may be said about people and clouds, from every evening that is in the book."""
        return findings(self._counted()[0])

    def found_out(self) -> dict[str, Any]:
        """The same for the page of pictures, with what can simply be counted; worked out anew only
        when an evening or a name changed."""
        mark = (self.index().mark(), len(self._journal.acts.acts), self._journal.evening)
        with self._turn.lock:
            kept = self._found
        if kept is None or kept[0] != mark:
            counted, numbers = self._counted()
            persons = self.persons
            names = {
                persons.person(one["name"]).id: (one["name"], one["sign"])
                for one in self._people(self.index(), persons)
            }
            told = told_findings(counted, findings(counted), names, numbers)
            for close in told["closest"]:
                line = self.index().line(close["number"])
                close["began_s"] = 0.0 if line is None else line.began_s
            kept = mark, told
            with self._turn.lock:
                self._found = kept
        return kept[1] | {"reading": len(self.index().stale()) if self._reading.is_set() else 0}

    def _counted(self) -> tuple[Counted, list[int]]:
        """Everything that was counted, and the numbers of the evenings in their order."""
        index, persons = self.index(), self.persons
        hidden = self._hidden(persons)
        numbers: list[int] = []

        def evenings() -> Iterator[PlayedEvening]:
            for number, one in index.played(hidden):
                if one.finished:
                    numbers.append(number)
                    yield one

        counted = count(
            evenings(),
            lambda name: GUESTS if is_guest(name) else persons.person(name).id,
            lambda at_s: datetime.fromtimestamp(at_s).year,
            index.between_s(hidden),
        )
        return counted, numbers

    # --- what may be done

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """While this is held nobody does anything to the book, and nothing leaves the disk: for whoever
        lays an evening on the table, or seats people, by what the book says."""
        with self._turn.awaited():
            yield

    def act(
        self,
        asked: dict[str, Any],
        author: str | None,
        check: Callable[[], object] = lambda: None,
    ) -> Act | Refusal:
        """Rename, merge or forget a person, delete or place an evening, or take such an act back.

        Raises:
            JournalTrouble: the disk refuses; nothing was done.
            What `check` raises, which is asked when nobody else does anything to the book any more: then
                nothing was done.
        """
        done = self._act(asked, author, check)
        if isinstance(done, Act):
            self._on_act()  # the table may wait for the book: not while it is held
        return done

    def _act(
        self, asked: dict[str, Any], author: str | None, check: Callable[[], object]
    ) -> Act | Refusal:
        with self.unchanged():
            check()
            try:
                index = self.settled_index()
            except StillReading:
                return Refusal("still_reading")
            told = _read_act(asked)
            refused = told if isinstance(told, Refusal) else self._refused(told, index)
            if refused is not None or isinstance(told, Refusal):
                return refused or Refusal("command_shape")
            if told["do"] == "rename":
                sign = self._signs.at_table((told["person"],))
                self._signs.keep_names((told["name"],), sign)
            act = self._journal.acts.append(told, author)
            if told["do"] in ("delete", "forget"):
                self._settle_later(WAY_BACK_S + 1.0)
            return act

    def _refused(self, told: dict[str, Any], index: YearsIndex) -> Refusal | None:
        persons = self.persons
        do = told["do"]
        if do == "undo":
            return self._refused_undo(told["act"])
        if do in ("delete", "place"):
            if told["evening"] in persons.deleted or index.line(told["evening"]) is None:
                return Refusal("no_such_evening")
            if do == "delete" and told["evening"] == self._journal.evening:
                return Refusal("evening_on_table")
            return None
        known = {person_key(one["name"]) for one in self._people(index, persons)}
        if person_key(told["person"]) not in known:
            return Refusal("no_such_person")
        keys = persons.keys_of(told["person"])
        if do == "forget":
            now = self._journal.evening
            return Refusal("person_on_table") if now in index.with_keys(keys) else None
        other = told["name"] if do == "rename" else told["into"]
        same = person_key(other) == person_key(told["person"])
        if do == "rename":
            return Refusal("name_taken") if not same and person_key(other) in known else None
        if same or person_key(other) not in known:
            return Refusal("no_such_person")
        return Refusal("were_together") if index.together(keys, persons.keys_of(other)) else None

    def _refused_undo(self, number: int) -> Refusal | None:
        acts = self._journal.acts.acts
        act = next((one for one in acts if one.number == number), None)
        if act is None or number in undone(acts) or act.what.get("do") in ("undo", GO_ON):
            return Refusal("nothing_to_undo")
        return None if is_still_open(act, self._clock()) else Refusal("too_late")

    def _way_back(self) -> list[dict[str, Any]]:
        """The acts that can still be taken back, the newest first, each with how long."""
        acts, now_s = self._journal.acts.acts, self._clock()
        back = undone(acts)
        return [
            {
                "act": act.number,
                "left_s": round(WAY_BACK_S - max(0.0, now_s - act.at_s)),
                **act.what,
            }
            for act in reversed(acts)
            if is_still_open(act, now_s)
            and act.number not in back
            and is_understood(act.what)
            and act.what["do"] not in ("undo", GO_ON)
        ]

    # --- what leaves the disk

    def tell_forgotten(self, elsewhere: Callable[[Callable[[str], bool]], object]) -> None:
        """This is told, too, which names to forget as soon as they leave the disk. It may raise BadInput."""
        self._leaving.elsewhere.append(elsewhere)

    def _settle(self, most_s: float = math.inf) -> None:
        self._leaving.settle(self._index, self._reading.is_set(), most_s)

    def _settle_later(self, seconds: float) -> None:
        """Nobody need look at the book for something to leave the disk."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(seconds, self._settle_by_itself)
        self._timer.daemon = True
        self._timer.start()

    def _settle_by_itself(self) -> None:
        with self._turn.lock:
            if self._timer is not threading.current_thread():
                return
            try:
                self._settle()
                if self._leaving.left:
                    self._settle_later(WAY_BACK_S)
            except Exception:
                logging.getLogger(__name__).exception("not off the disk yet")

    def stop_settling(self) -> None:
        """The companion ends: what is still to leave the disk does so after the next start."""
        with self.unchanged():
            if self._timer is not None:
                self._timer.cancel()
            self._timer = None


def nights(
    games: Sequence[IndexedEvening], key_of: Callable[[str], str | None]
) -> dict[int, list[IndexedEvening]]:
    """The night of each of these games (the oldest first), by the game's number: the games that are
    connected by somebody who sat down again soon after. `key_of` says whose a written name is; None
    for whoever connects nothing.

    Games that share nobody are of one night where others between them do, so of two games either both
    name the same night or neither names the other.
    """
    night_of: dict[int, list[IndexedEvening]] = {}
    left_last: dict[str, IndexedEvening] = {}
    for game in games:
        night_of[game.number] = [game]
        for key in {key for key in map(key_of, game.names) if key is not None}:
            before = left_last.get(key)
            if before is not None and game.began_s - _left_s(before) <= BREAK_S:
                _join(night_of, before, game)
            if before is None or _left_s(before) <= _left_s(game):
                left_last[key] = game
    for night in night_of.values():
        night.sort(key=lambda game: (game.began_s, game.number))
    return night_of


def _join(
    night_of: dict[int, list[IndexedEvening]], one: IndexedEvening, other: IndexedEvening
) -> None:
    """Make one night of the nights of these two games."""
    longer, shorter = night_of[one.number], night_of[other.number]
    if longer is shorter:
        return
    if len(longer) < len(shorter):
        longer, shorter = shorter, longer
    longer += shorter
    for game in shorter:
        night_of[game.number] = longer


def _key_of(persons: Persons, written: str) -> str | None:
    """Whose a name is, where it is anybody's: guests and the forgotten of two games are two people."""
    one = persons.person(written)
    nobody = one.name is None or is_guest(one.name) or is_somebody(one.name)
    return None if nobody else one.id


def _left_s(game: IndexedEvening) -> float:
    """When people left the table: a game that was gone on with next week did not last till then."""
    return min(game.ended_s, game.began_s + DAY_S / 2)


def _is_broken_off(log: Log) -> bool:
    """True where cards for another round were left when the table stopped."""
    return replace(fold(log).ledger, ended=False).more > 0


def _questions_and_corrections(log: Log) -> dict[str, Any]:
    """Which rounds the camera asked about and where the question waits still, which questions a person
    answered, and which rounds one changed afterwards, each with when. What was tapped and taken back again
    is no correction, nor is a name that was taken away."""
    asked = [
        {"round": one.round, "at_s": one.at_s, "waits": _waits(one, log)}
        for one in log.as_now
        if isinstance(one.event, QuestionAsked)
    ]
    told: dict[str, list[dict[str, Any]]] = {"answers": [], "corrections": []}
    for one, old in log.retractions():
        if not isinstance(one.event, Retraction) or one.source != "person":
            continue
        rounds = [of.round for of in old if of.round and not isinstance(of.event, CloudNamed)]
        if rounds and one.event.reason not in (UNDO, REDO):
            what = "answers" if one.event.reason == ANSWERED else "corrections"
            told[what].append({"round": rounds[0], "at_s": one.at_s, "author": one.author})
    return {"questions": asked, **told}


def _waits(asked: Entry, log: Log) -> bool:
    """True for a question that was never taken back, and nobody entered anything about its round since."""
    since = [one for one in log.effective if one.number > asked.number]
    entered = any(one.source == "person" and one.round == asked.round for one in since)
    return asked in log.effective and not entered


def _read_act(asked: dict[str, Any]) -> dict[str, Any] | Refusal:
    """What was asked, and nothing else that stood beside it."""
    shape = SHAPES.get(str(asked.get("do")))
    if shape is None or asked["do"] == GO_ON:
        return Refusal("command_shape", {"field": "do"})
    told: dict[str, Any] = {"do": asked["do"]}
    for name, kind in shape.items():
        value = asked.get(name)
        if type(value) is not kind or (isinstance(value, int) and not 0 < value < MOST_NUMBER):
            return Refusal("command_shape", {"field": name})
        if isinstance(value, str):
            if any("\ud800" <= letter <= "\udfff" for letter in value):
                return Refusal("player_unnamed")
            typed = name in ("name", "place")
            value = one_line(value) if typed else " ".join(value.split())
            if typed and len(value) > LONGEST:
                return Refusal("too_long", {"most": LONGEST})
            if not value and name != "place":
                return Refusal("player_unnamed")
        told[name] = value
    if is_somebody(str(told.get("name", ""))):
        return Refusal("name_taken")
    return told


def known_now(names: Sequence[str], persons: Persons) -> list[str]:
    """What these people are called now, each once, without who is forgotten."""
    called = (persons.person(name).name for name in names)
    known = (name for name in called if name and not is_somebody(name) and not is_guest(name))
    return list(dict.fromkeys(known))

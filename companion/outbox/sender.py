"""The sender: a thread that brings the hall what it does not have yet, and never makes the table wait.

It is told of news by a flag. Knows the journal by what it reads of it; must not know the session.
"""

from __future__ import annotations

import contextlib
import json
import logging
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.errors import BadInput, CompanionError, JournalTrouble
from companion.game.event_json import entry_to_dict
from companion.game.log import Log
from companion.outbox.letters import (
    HallSilent,
    NotJoined,
    NumberedEvenings,
    ask,
    join_hall,
    read_address,
    reason_of,
)
from companion.outbox.link import Check, HallLink, LinkFile, unchecked
from companion.outbox.told import names_in, told_entry

MOST_BYTES_A_LETTER = 15_000
"""A hall takes 16 kB."""

MOST_NAMES_A_LETTER = 400
"""A hall takes no more."""

MOST_ENTRIES = 1_000_000_000
"""No hall has more of an evening, nor less than none."""

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0
"""A hall that does not answer is asked again after 1, 2, 4 ... 60 s, each a little by chance, so that
many tables do not come back at once."""

LOOK_S = 10.0
"""So often the sender looks whether the camera's state changed."""

BEAT_S = 60.0
"""A table with an open evening and no news says so often that it is there. Ten thousand tables of which none
has news are 167 letters a second; a hall takes 288 of them (`python -m tests.benchmarks.hall --tables 10000`)."""

OFFERED_AGAIN_S = 60.0
"""An evening that the hall refused is offered again after so long: another may have answered in its place,
or it was put right. What truly is another evening is refused again."""


class _SentAway(HallSilent):
    """Raised where the hall knows this table no more, as `how_far` says: it is asked again, but not as
    one that is silent."""


class _AnotherHall(HallSilent):
    """Raised where the table belongs to another hall by now, or to none: what this one says counts for
    nothing any more."""


class NamesStay(BadInput):
    """Raised where a hall cannot be left yet, because names may stand there that it must hear of first;
    `why` is the word by which a page finds its own sentence."""

    why = "names_stay"


class Evenings(NumberedEvenings, Protocol):
    """What the sender reads of a journal."""

    def log_of(self, evening: int) -> Log | None:
        """The log of an evening; None where there is none."""


@dataclass(frozen=True, slots=True)
class HowFar:
    """How it stands with the hall, for screens: "sent", "waiting" (it does not answer), "refused"
    or "away" (this table was sent away), with the hall's sentence."""

    state: str = "sent"
    reason: str = ""
    left: int = 0
    """Entries that it does not have yet, of all evenings."""


@dataclass(slots=True)
class _Known:
    """What is known of one hall, by the id that this table has there: another hall begins with another
    one, and what the one of before still answers is written into its own."""

    table: str = ""
    how_far: HowFar = HowFar()
    have: dict[int, int] | None = None
    """How many entries of each evening it has; None: it was not asked yet."""
    compared: set[int] = field(default_factory=set)
    """The evenings of which it has what this table has, as far as it has them."""
    given_up: dict[int, str] = field(default_factory=dict)
    """The evenings that it refuses, each with its sentence."""
    again_s: float = 0.0
    """When these are offered again."""
    names_told: dict[str, str] | None = None
    state_told: str | None = None

    def give_up(self, evening: int, why: str, again_s: float) -> None:
        """It refuses this evening."""
        self.given_up[evening] = why
        self.again_s = again_s
        self.how_far = HowFar("refused", why, self.how_far.left)

    def offer_again(self) -> None:
        """What it has, and takes, is asked anew."""
        self.given_up.clear()
        self.ask_anew()

    def ask_anew(self) -> None:
        """It may have been put back to a backup: what it has, and shows, is asked or told again."""
        self.have = self.names_told = None
        self.compared.clear()


class Sender:
    """The thread and what it knows of the hall. Every public method returns at once, but for those that
    join or leave a hall; only one of these is under way at a time, and no name is on its way meanwhile."""

    def __init__(
        self,
        links: LinkFile,
        evenings: Evenings,
        camera_state: Callable[[], str | None] = lambda: None,
        send: Callable[..., tuple[int, dict[str, Any]]] = ask,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.links = links
        self._evenings = evenings
        self._camera_state = camera_state
        self._ask = send
        self._now = now
        self._news = threading.Event()
        self._ended = threading.Event()
        self._moved = threading.Event()
        """Set when a hall is joined or left: nobody waits for the one of before."""
        self._lock = threading.RLock()
        self._changing = threading.Lock()
        """Held while a hall is joined or left."""
        self._known = _Known()
        self._thread: threading.Thread | None = None

    @property
    def how_far(self) -> HowFar:
        """How it stands with the hall."""
        return self._known.how_far

    def begin(self) -> None:
        """Begin to send, where this table belongs to a hall; a second call only wakes the thread."""
        with self._lock:
            if self.links.link is None or self._ended.is_set():
                return
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="hall-sender", daemon=True)
                self._thread.start()
        self.notice_news()

    def follow_camera(self, camera_state: Callable[[], str | None]) -> None:
        """The hall is told this state of the camera from now on."""
        self._camera_state = camera_state

    def notice_news(self) -> None:
        """There is something new; waits for nothing."""
        self._news.set()

    def join(self, address: str, check: Check = unchecked) -> None:
        """Join the hall at this address and begin to send. Waits for the hall's answer.

        Raises:
            NotJoined: it cannot be joined; the sentence says what to do.
            NamesStay: see `change_hall`.
            BadInput: the disk does not take the link.
            What `check` raises after each wait: then nothing more is asked or changed.
        """
        self.change_hall(address, check)
        self.begin()

    def change_hall(self, address: str, check: Check = unchecked) -> HallLink:
        """Belong to the hall at this address, and to no other; nothing is sent yet. A hall of before
        takes the names back first.

        Raises:
            NotJoined: it cannot be joined; the sentence says what to do.
            NamesStay: the hall of before does not answer and may show names; who asks once more leaves
                them there.
            BadInput: the disk does not take the link.
            What `check` raises, see `join`.
        """
        with self._alone():
            check()
            before = self.links.link
            if before is not None and before.address != read_address(address).base:
                self._take_names_back(before, check)
                check()
            link = join_hall(self.links, self._evenings, address, check)
            self._known = _Known(link.table)
            self._moved.set()
        return link

    def leave(self, check: Check = unchecked) -> None:
        """Belong to no hall any more; the names it shows are taken back.

        Raises:
            NamesStay: the hall does not answer and may show names. They are taken back when it does;
                who leaves once more leaves them there.
            NotJoined: another device joins or leaves a hall just now.
            BadInput: the disk refuses.
            What `check` raises, see `join`.
        """
        with self._alone():
            check()
            link = self.links.link
            if link is not None:
                self._take_names_back(link, check)
            self.links.forget(check)
            self._moved.set()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else joins or leaves meanwhile: a queue at a silent hall would keep the companion from
        ending. Raises NotJoined."""
        if not self._changing.acquire(blocking=False):
            raise NotJoined(
                "busy", "another device is asking a hall: wait a moment, then do it again"
            )
        try:
            with self._lock:
                yield
        finally:
            self._changing.release()

    def _take_names_back(self, link: HallLink, check: Check) -> None:
        """Let this hall show no names any more. Raises like `leave`."""
        known = self._known_of(link)
        known.names_told = None
        try:
            self._answered(known, link, "POST", "/api/table/names", {"names": {}})
        except _SentAway:
            pass  # it lets this table say nothing any more
        except HallSilent as silent:
            if link.names_may_stand and not link.leaving:
                self.links.take_names_back(check)
                self.notice_news()
                raise NamesStay(
                    f"the hall at {link.address} does not answer ({silent}) and may still show your names: they "
                    "are taken back when it does; do the same once more to leave them there"
                ) from silent

    def stop(self) -> None:
        """End; what was not sent is sent next time."""
        self._ended.set()
        self._moved.set()
        self._news.set()

    def _known_of(self, link: HallLink) -> _Known:
        """What is known of this hall."""
        known = self._known
        if known.table != link.table:
            known = self._known = _Known(link.table)
        return known

    def _check_hall(self, link: HallLink) -> None:
        """Raises _AnotherHall where the table does not belong to this hall any more."""
        now = self.links.link
        if now is None or now.table != link.table:
            raise _AnotherHall("this table belongs to another hall, or to none")

    def _next_link(self) -> HallLink | None:
        """The hall to send to now; None where there is none, and the thread ends."""
        self._news.clear()
        self._moved.clear()
        with self._lock:
            if self.links.link is None:
                self._thread = None
            return self.links.link

    def _run(self) -> None:
        wait_s = FIRST_WAIT_S
        quiet_s = 0.0
        while not self._ended.is_set():
            link = self._next_link()
            if link is None:
                return
            known = self._known_of(link)
            try:
                self.send_once(link, beat=quiet_s >= BEAT_S)
                wait_s = FIRST_WAIT_S
                quiet_s = 0.0 if quiet_s >= BEAT_S else quiet_s
            except _AnotherHall:
                wait_s = FIRST_WAIT_S
                continue
            except HallSilent as error:
                if not isinstance(error, _SentAway):
                    known.how_far = HowFar("waiting", str(error), known.how_far.left)
                moved = self._moved.wait(wait_s * random.uniform(0.75, 1.0))
                wait_s = FIRST_WAIT_S if moved else min(wait_s * 2, LONGEST_WAIT_S)
                continue
            except CompanionError as error:  # the disk, or the journal
                known.how_far = HowFar("waiting", str(error), known.how_far.left)
                self._moved.wait(LONGEST_WAIT_S)
                continue
            except Exception:
                logging.getLogger(__name__).exception("the hall could not be told")
                self._moved.wait(LONGEST_WAIT_S)
                continue
            if self._news.wait(LOOK_S):
                quiet_s = 0.0
            else:
                quiet_s += LOOK_S

    def send_once(self, link: HallLink, beat: bool = False) -> None:
        """Send all that the hall does not have.

        Raises:
            HallSilent: it does not answer, or wants to be left alone for a while.
        """
        known = self._known_of(link)
        try:
            self._send_all(known, link, beat)
        except HallSilent:
            known.ask_anew()
            raise

    def _send_all(self, known: _Known, link: HallLink, beat: bool) -> None:
        if known.given_up and self._now() >= known.again_s:
            known.offer_again()
        if known.have is None:
            answer = self._answered(known, link, "GET", "/api/table/progress")
            if answer is None:
                return
            known.have = _entries_by_evening(answer)
        lengths = self._evenings.own_lengths(link.since)
        unread: JournalTrouble | None = None
        for evening in _not_sent(known, lengths):
            try:
                log = self._evenings.log_of(evening)
            except (
                JournalTrouble
            ) as trouble:  # a newer companion's: the others are sent all the same
                unread = trouble
                continue
            if log is None:  # deleted meanwhile
                del lengths[evening]
                continue
            lengths[evening] = len(log.entries)
            if not self._send_evening(known, link, evening, log, lengths):
                return
        now = self._evenings.evening if self._evenings.evening in lengths else None
        self._tell_names(known, link, now)
        if now is not None and (beat or self._camera_state() != known.state_told):
            self._beat(known, link, now)
        if unread is not None:
            known.how_far = HowFar("waiting", str(unread), _left(known, lengths))
        elif known.given_up:
            newest = known.given_up[max(known.given_up)]
            known.how_far = HowFar("refused", newest, _left(known, lengths))
        else:
            known.how_far = HowFar()

    def _send_evening(
        self, known: _Known, link: HallLink, evening: int, log: Log, lengths: Mapping[int, int]
    ) -> bool:
        """False where nothing more can be sent now. The first letter begins with the last entry the hall
        has: in a data folder that was put back to an older one another evening has gone on from there."""
        assert known.have is not None
        if known.have.get(evening, 0) > len(log.entries):
            self._give_up(known, evening, "it has more of this evening than this table")
            return True
        letters = 0
        while (have := known.have.get(evening, 0)) < len(log.entries):
            letters += 1
            if letters > len(log.entries) + 2:
                raise HallSilent("it does not get on")
            known.how_far = HowFar(known.how_far.state, known.how_far.reason, _left(known, lengths))
            told = self._letter(log, have if evening in known.compared else max(0, have - 1))
            if not self._send_letter(known, link, evening, told):
                return evening in known.given_up
        return True

    def _letter(self, log: Log, have: int) -> list[dict[str, Any]]:
        """The entries that follow, as many as a letter takes."""
        told: list[dict[str, Any]] = []
        size = 100
        for entry in log.entries[have:]:
            one = entry_to_dict(told_entry(entry, self.links.pseudonym_of))
            size += len(json.dumps(one))
            if told and size > MOST_BYTES_A_LETTER:
                break
            told.append(one)
        return told

    def _send_letter(
        self, known: _Known, link: HallLink, evening: int, entries: list[dict[str, Any]]
    ) -> bool:
        """True where the hall has them now; False where this evening or this table is refused."""
        assert known.have is not None
        state = self._camera_state()
        letter = {"evening": evening, "entries": entries, "camera": state}
        answer = self._answered(known, link, "POST", "/api/table/entries", letter)
        if answer is None:
            if known.how_far.state == "refused":
                self._give_up(known, evening, known.how_far.reason)
            return False
        if answer.get("status") == "other":
            self._give_up(known, evening, f"it has another entry {_count(answer.get('number'))}")
            return False
        have = _count(answer.get("have", 0))
        if have < known.have.get(evening, 0):
            raise HallSilent("it has less than it had before, and is asked what it has")
        known.state_told = state
        known.have[evening] = have
        if answer.get("status") == "stored":
            known.compared.add(evening)
        else:
            known.compared.discard(evening)
        return True

    def _give_up(self, known: _Known, evening: int, why: str) -> None:
        known.give_up(evening, why, self._now() + OFFERED_AGAIN_S)

    def _tell_names(self, known: _Known, link: HallLink, evening: int | None) -> None:
        """The names, where people want the hall to show them, with those of this evening, which is sent;
        none where they do not any more."""
        shown: dict[str, str] = {}
        if link.names:
            newest = None if evening is None else self._evenings.log_of(evening)
            entries = () if newest is None else newest.entries
            first = [self.links.pseudonym_of(name) for entry in entries for name in names_in(entry)]
            now = self.links.link
            shown = _that_fit(now.known_as, first) if now is not None else {}
        if known.names_told is None and link.names is None:
            return
        with self._lock:  # who leaves takes back what has arrived
            self._check_hall(link)
            if shown != known.names_told:
                told = {"names": shown}
                if self._answered(known, link, "POST", "/api/table/names", told) is None:
                    return
                known.names_told = shown
            self.links.note_names_told(bool(link.names))

    def _beat(self, known: _Known, link: HallLink, evening: int) -> None:
        """Say that the table is there, and how its camera is: this evening's last entry once more."""
        log = self._evenings.log_of(evening)
        if log is None or not log.entries or evening in known.given_up:
            return
        self._send_letter(known, link, evening, self._letter(log, len(log.entries) - 1))

    def _answered(
        self, known: _Known, link: HallLink, method: str, path: str, told: Any = None
    ) -> dict[str, Any] | None:
        """The hall's answer; None where it refuses for good, and why is in `how_far`.

        Raises:
            HallSilent: it does not answer, is to be asked again later, or has sent this table away.
        """
        cookie = f"{link.cookie}={link.token}"
        self._check_hall(link)
        status, answer = self._ask(link.address, method, path, told, cookie, link.certificate)
        self._check_hall(link)
        if status in (200, 409):
            return answer
        reason = reason_of(answer, status)
        if status in (401, 403, 404):
            known.how_far = HowFar("away", reason, known.how_far.left)
            raise _SentAway(reason)
        if status in (400, 413, 415, 422):
            known.how_far = HowFar("refused", reason)
            return None
        raise HallSilent(reason)


def _not_sent(known: _Known, lengths: Mapping[int, int]) -> list[int]:
    """The evenings of which the hall has less than the table, or more, but for those given up."""
    have = known.have or {}
    return [
        evening
        for evening, length in lengths.items()
        if evening not in known.given_up and have.get(evening, 0) != length
    ]


def _that_fit(known_as: dict[str, str], first: Sequence[str]) -> dict[str, str]:
    """The names that one letter takes: those of the pseudonyms `first`, then the others, the newest
    first. A hall that is told too many refuses all of them."""
    shown: dict[str, str] = {}
    size = 100
    for pseudonym in [*first, *reversed(known_as)]:
        if pseudonym in shown or pseudonym not in known_as:
            continue
        size += len(json.dumps({pseudonym: known_as[pseudonym]}))
        if size > MOST_BYTES_A_LETTER or len(shown) == MOST_NAMES_A_LETTER:
            break
        shown[pseudonym] = known_as[pseudonym]
    return shown


def _left(known: _Known, lengths: Mapping[int, int]) -> int:
    """How many entries the hall does not have yet."""
    have = known.have or {}
    return sum(max(0, length - have.get(one, 0)) for one, length in lengths.items())


def _entries_by_evening(answer: dict[str, Any]) -> dict[int, int]:
    """How many entries of each evening a hall has. Raises HallSilent where it does not say so."""
    told = answer.get("evenings")
    if not isinstance(told, dict) or not all(re.fullmatch("[0-9]{1,9}", one) for one in told):
        raise HallSilent("it answers, but not as a hall")
    return {int(evening): _count(have) for evening, have in told.items()}


def _count(told: object) -> int:
    """A number that a hall tells. Raises HallSilent where it is none that counts entries."""
    if type(told) is not int or not 0 <= told <= MOST_ENTRIES:
        raise HallSilent("it answers, but not as a hall")
    return told

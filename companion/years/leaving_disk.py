"""Takes off the disk what was deleted or forgotten in the book, once it cannot be taken back any more.

Not safe to call from several threads: the book of evenings calls it under its lock.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable

from companion.errors import BadInput, JournalTrouble
from companion.game.log import Log
from companion.journal import Journal
from companion.journal.acts import Act, is_understood
from companion.journal.people_signs import PeopleSigns, person_key
from companion.journal.round_pictures import RoundPictures
from companion.years.calling import with_names, written_names
from companion.years.index import YearsIndex
from companion.years.persons import SOMEBODY, WAY_BACK_S, fold_acts, undone


class LeavingDisk:
    """What is to leave the disk of one journal's folder."""

    def __init__(
        self,
        journal: Journal,
        signs: PeopleSigns,
        pictures: RoundPictures,
        clock: Callable[[], float],
        waited_for: Callable[[], bool],
    ) -> None:
        """`waited_for`: whether somebody waits; then the evenings that are left are read, and rewritten, later."""
        self._journal = journal
        self._signs = signs
        self._pictures = pictures
        self._clock = clock
        self._waited_for = waited_for
        self._until_s = math.inf
        self._trouble = ""
        self.elsewhere: list[Callable[[Callable[[str], bool]], object]] = []
        """What else holds names: each is told which of them to forget, and raises BadInput where the disk
        refuses."""

    @property
    def left(self) -> tuple[Act, ...]:
        """The acts of which something is to leave the disk, or will be once the minute is over."""
        acts = self._journal.acts.acts
        back = undone(acts)
        return tuple(
            act
            for act in acts
            if act.number not in back
            and is_understood(act.what)
            and (
                act.what["do"] == "forget"
                or (act.what["do"] == "delete" and "settled" not in act.what)
            )
        )

    def settle(self, index: YearsIndex | None, reading: bool, most_s: float = math.inf) -> None:
        """Take it off the disk as far as that can be now, in about `most_s` seconds; the rest at the next
        call. `index`: one that is open; `reading`: it is not whole yet. A disk that refuses shuts no book: what is deleted or
        forgotten is hidden all the same, and leaves the disk as soon as it can."""
        why = ""
        self._until_s = time.monotonic() + most_s
        self._journal.acts.catch_up()
        for act in self.left:
            if is_still_open(act, self._clock()):
                continue
            try:
                if act.what["do"] == "delete":
                    self._remove(act)
                elif not reading:  # while it is read, nobody knows where the name stands
                    self._forget(act, index)
            except (JournalTrouble, BadInput) as trouble:  # the others can be done all the same
                why = str(trouble)
        if why and why != self._trouble:
            logging.getLogger(__name__).warning("not off the disk yet: %s", why)
        self._trouble = why

    def _read_whole(self, index: YearsIndex) -> bool:
        """Read what is new, as far as nobody waits; whether every evening is in the index."""
        index.refresh(self._gives_way)
        return not (index.gave_up or index.stale())

    def _gives_way(self) -> bool:
        """Whether somebody waits for this to end."""
        return self._waited_for() or time.monotonic() > self._until_s

    def _remove(self, act: Act) -> None:
        """Take a deleted evening off the disk: what a stop left of it, too."""
        if act.what["evening"] != self._journal.evening:
            self._journal.remove_evening(act.what["evening"])
            self._pictures.remove(act.what["evening"])
            if not self._journal.empty_log():
                return  # somebody reads: at the next look
            self._journal.acts.blank({act.number: act.what | {"settled": True}})

    def _forget(self, act: Act, index: YearsIndex | None) -> None:
        """Write "somebody" where the name stands, everywhere, and then forget whom that was about."""
        if index is None:
            with YearsIndex(self._journal.folder) as opened:
                self._forget(act, opened)
            return
        if not self._read_whole(index):
            return  # nobody knows where the name stands: at the next look
        persons = fold_acts(self._journal.acts.acts)
        forgotten = persons.person(act.what["person"])
        mine = {key for key, one in persons.by_key.items() if one == forgotten}
        unread: JournalTrouble | None = None
        for evening in index.with_keys(mine):
            if evening == self._journal.evening:
                return  # it lies on the table again: as soon as it does not
            try:
                log = self._journal.read_evening(evening)
            except JournalTrouble as trouble:  # a newer companion's: that one takes the name off
                unread = trouble
                continue
            self._journal.rewrite_evening(evening, with_names(log, _somebody_for(log, mine)))
            if self._gives_way():
                return  # the others at the next look
        if unread is not None:
            raise unread
        if not self._read_whole(index) or not self._journal.empty_log():
            return  # the rest at the next look
        self._signs.forget(mine)
        for forget in self.elsewhere:
            forget(lambda name: person_key(name) in mine)
        self._journal.acts.blank(
            {
                one.number: {"do": one.what.get("do")}
                for one in self._journal.acts.acts
                if mine
                & {person_key(str(one.what.get(name, ""))) for name in ("person", "name", "into")}
            }
        )


def is_still_open(act: Act, now_s: float) -> bool:
    """True while it may be taken back. One dated after now is older than the clock, which was set back
    since: by seconds, and the minute is as much longer; by more, and it must not stay on the disk until
    that day comes."""
    return abs(now_s - act.at_s) < WAY_BACK_S


def _somebody_for(log: Log, keys: set[str]) -> dict[str, str]:
    """For each name of a log what stands there once those of `keys` are forgotten."""
    written = written_names(log)
    left = {name for name in written if person_key(name) not in keys}
    names: dict[str, str] = {}
    for name in written:
        free = (SOMEBODY, *(f"{SOMEBODY} {number}" for number in range(2, len(written) + 2)))
        taken = left | set(names.values())
        names[name] = name if name in left else next(one for one in free if one not in taken)
    return names

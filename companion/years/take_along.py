"""Evenings out to a file and in from one, whatever its kind.

Knows the kinds of files (`tables`, `json_file`, `bgstats`, `backup`) and the journal; decides which
evenings of a file are new: one that is there already, by what it is called everywhere, stays as it is.
"""

from __future__ import annotations

import csv
import io
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from companion.errors import BadInput
from companion.findings.played import PlayedEvening, evening_id
from companion.game.events import CloudNamed, Event
from companion.game.fold import fold
from companion.game.log import Log, Retraction
from companion.game.words import one_line
from companion.journal import Journal
from companion.years import backup, bgstats, json_file, tables
from companion.years.calling import called_now, with_names, written_names
from companion.years.index import YearsIndex
from companion.years.persons import Persons, fold_acts

FILE_KINDS = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "bgsplay": "application/json",
}
"""What evenings are written as, with the type that a browser is told."""


def exported(
    index: YearsIndex,
    persons: Persons,
    kind: str,
    only: Iterable[int] | None = None,
    now_s: float = 0.0,
    say_left_out: Callable[[int], object] = lambda _: None,
) -> Iterator[str]:
    """The evenings (all, or `only` these) as a file of this kind, piece by piece; for a spreadsheet
    with the mark at its front. Deleted ones are left out, and those that do not count (`counted` of the
    index) are in JSON alone; of those that cannot be read (`unread`) the table has the names, JSON
    what is JSON: an evening that is none is told to `say_left_out`, by its number."""
    if kind == "json":
        return json_file.lines(_written(index, persons, only, say_left_out), persons)
    counted = index.counted(persons.deleted, only)
    if kind == "csv":
        return _csv(index, persons, counted)
    plays = (
        (one, persons.places.get(number, ""))
        for number, one in index.played(only=counted)
        if one.finished
    )
    return bgstats.play_file(plays, persons, now_s)


def _written(
    index: YearsIndex,
    persons: Persons,
    only: Iterable[int] | None,
    say_left_out: Callable[[int], object],
) -> Iterator[tuple[str, str, list[str]]]:
    for number, key, place in _kept(index, persons, only):
        try:
            texts = [entry.decode("utf-8") for entry in index.raw(number)]
        except UnicodeDecodeError:
            texts = []
        if texts and json_file.can_be_written(texts):
            yield key, place, texts
        else:
            say_left_out(number)


def _kept(
    index: YearsIndex, persons: Persons, only: Iterable[int] | None
) -> Iterator[tuple[int, str, str]]:
    """Number, name everywhere and place of the evenings that are neither deleted nor taken back."""
    wanted, gone = None if only is None else set(only), persons.deleted | index.taken_back()
    for key, number in sorted(index.ids().items(), key=lambda one: one[1]):
        if number not in gone and (wanted is None or number in wanted):
            yield number, key, persons.places.get(number, "")


def _csv(index: YearsIndex, persons: Persons, numbers: list[int]) -> Iterator[str]:
    most = index.most_seats(numbers)
    out = io.StringIO(newline="")
    written = csv.writer(out, lineterminator="\r\n")
    told = (
        (_called(one, persons), persons.places.get(number, ""))
        for number, one in index.played(only=numbers)
    )
    yield tables.MARK
    for row in tables.rows(told, max(tables.LEAST_SEATS, most)):
        written.writerow(row)
        yield out.getvalue()
        out.seek(0)
        out.truncate()


def _called(evening: PlayedEvening, persons: Persons) -> PlayedEvening:
    return replace(evening, names=persons.names(evening.names))


LONGEST_LINE = 16_000_000
"""Letters of one line of a file, an evening at most."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How many evenings came, how many were here already, and how many acts on a backup's book were left
    out because they are none."""

    new: int
    known: int
    unread_acts: int = 0


def import_file(journal: Journal, known: dict[str, int], path: Path) -> Imported:
    """Put the evenings of a file beside our own; `known` has those that are here, by what they are
    called everywhere. All that are new come, or none.

    Raises:
        BadInput: the file cannot be used; nothing was changed.
        JournalTrouble: the disk refuses; nothing was changed.
    """
    seen = dict(known)
    already = 0
    unread_acts: list[int] = []
    places: list[str] = []

    def new_ones(came: Iterator[tuple[Log, str]]) -> Iterator[Log]:
        nonlocal already
        for log, place in came:
            key = evening_id(log.entries)
            if key in seen:
                already += 1
                continue
            seen[key] = 0
            places.append(one_line(place))
            yield _in_one_line(log)

    first = journal.next_evening

    def where() -> list[dict[str, Any]]:
        return [
            {"do": "place", "evening": number, "place": place}
            for number, place in enumerate(places, first)
            if place
        ]

    try:
        new = journal.import_evenings(new_ones(_read(path, unread_acts.append)), where)
    except BadInput as error:
        about = "" if str(error).startswith(str(path)) else f"{path}: "
        raise BadInput(f"{about}{error}; nothing was changed") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is no export of a companion; nothing was changed") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror or error})") from error
    return Imported(new, already, sum(unread_acts))


def _in_one_line(log: Log) -> Log:
    """The log with every text as if it had been typed on a tablet.

    Raises:
        BadInput: a name is none then, or another's.
    """
    names = {name: one_line(name) for name in written_names(log)}
    entries = tuple(
        replace(entry, author=entry.author and one_line(entry.author), event=_shown(entry.event))
        for entry in with_names(log, names).entries
    )
    if entries == log.entries:
        return log
    cleaned = Log(entries)
    if not all(names.values()) or fold(cleaned).misfit is not None:
        raise BadInput("it has a name that cannot be seen, or twice the same")
    return cleaned


def _shown(event: Event | Retraction) -> Event | Retraction:
    return replace(event, words=one_line(event.words)) if isinstance(event, CloudNamed) else event


def _read(path: Path, say_unread: Callable[[int], None]) -> Iterator[tuple[Log, str]]:
    if zipfile.is_zipfile(path):
        yield from _read_backup(path, say_unread)
        return
    with path.open(encoding="utf-8-sig", newline="") as file:
        begin = file.read(1)
        file.seek(0)
        lines = _bounded(file)
        yield from json_file.logs(lines) if begin in "{[" and begin else tables.logs(lines)


def _bounded(file: TextIO) -> Iterator[str]:
    """The lines of a stranger's file. Raises BadInput at one that would fill the memory."""
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise BadInput("it has a line longer than any evening")
        yield line


def _read_backup(path: Path, say_unread: Callable[[int], None]) -> Iterator[tuple[Log, str]]:
    with tempfile.TemporaryDirectory(prefix=backup.passing_prefix()) as apart:
        folder, told = backup.restore(path, Path(apart) / "backup")
        say_unread(told[backup.UNREAD_ACTS])
        with YearsIndex(folder) as index:
            index.refresh()
            persons = fold_acts(index.acts())
            for at, (number, _, place) in enumerate(_kept(index, persons, None), 1):
                try:
                    texts = [entry.decode("utf-8") for entry in index.raw(number)]
                except UnicodeDecodeError as error:
                    raise BadInput(f"its evening {at} cannot be read") from error
                told = {"entries": list(map(json_file.loaded, texts)), "place": place}
                log, _ = json_file.read_evening(told, at)
                yield called_now(log, persons), place

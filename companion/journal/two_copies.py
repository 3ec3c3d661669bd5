"""Where the database and the lines beside it do not say the same: whom to believe, entry by entry.

A line has a check sum and a row has none, so the line is believed where its sum holds; else the row,
where it can be understood, and said to be unproven where its line is damaged; and where neither can,
the entry is lost. What a newer release wrote is never mended. Reads; writes nothing.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any

from companion.game.evening_reducers import is_writable
from companion.game.event_json import UnknownEvent, entry_from_dict
from companion.game.log import Entry, Retraction
from companion.journal.mending import LOST
from companion.journal.rows import Row
from companion.journal.side import (
    SUM,
    Kept,
    NewerText,
    kept_lines,
    sum_of,
    summed_lines,
)

LATEST_EVENING_S = 253_402_300_799.0
"""The last second of the year 9999: no evening is later, and none as long before 1970, however wrong the
clock."""


@dataclass(frozen=True, slots=True)
class Believed:
    """What both copies make of an evening."""

    entries: tuple[Entry, ...]
    began_s: float
    corrected: tuple[int, ...] = ()
    """Whose line was believed, and not the row."""
    lost: tuple[int, ...] = ()
    """Those that neither copy has any more."""
    came_back: tuple[int, ...] = ()
    """Those behind the last row, which only the lines still have."""
    unproven: tuple[int, ...] = ()
    """Whose line is damaged; the row was believed, which nothing proves."""
    differing: tuple[int, ...] = ()
    """Whose line, one of before without a sum, says something else; the row was believed."""
    in_lines: int = 0
    """How many entries the lines tell of."""
    spoilt: bool = False
    """True where a row is another than it was, or in another's place."""
    imported: bool = False
    """True where the lines say that it came from another companion."""


@dataclass(slots=True)
class _Judged:
    entries: list[Entry] = field(default_factory=list)
    corrected: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    unproven: list[int] = field(default_factory=list)


def says_the_same(rows: list[Row], data: bytes) -> bool:
    """True where the side file's lines are these rows word for word, all in their order, and each sum
    holds."""
    lines = data.splitlines()
    return 0 < len(rows) == len(lines) and all(
        number == at and b'"entry":' + text in line and _sum_holds(line)
        for at, ((number, text), line) in enumerate(zip(rows, lines, strict=True), 1)
    )


def _sum_holds(line: bytes) -> bool:
    at = line.rfind(SUM)
    return at < 0 or line[at:] == sum_of(line[:at])


def believed(evening: int, rows: list[Row], data: bytes) -> Believed:
    """What to believe of an evening's rows and its side file. Raises NewerText."""
    beside = summed_lines(data, evening)
    kept = kept_lines(evening, data) or Kept(evening, 0.0, ())
    in_lines = {one.number: one for one in kept.entries if one.number not in kept.lost}
    read = {number: _read(number, text) for number, text in rows}
    most = max(len(rows), *beside, 0)
    last = max((number for number in read if 1 <= number <= most), default=0)
    judged = _Judged()
    lines = max(data.count(b"\n"), *beside, 0)
    for number in range(1, last + 1):
        row, line, of_before = read.get(number), beside.get(number), in_lines.get(number)
        is_damaged = line is None and of_before is None and number <= lines
        if is_damaged and isinstance(row, NewerText) and beside:
            row = None  # whoever wrote it would have kept a line of it
        if is_damaged and row is not None:
            judged.unproven.append(number)
        _judge(number, row, line, of_before, judged)
    displaced = any(not 1 <= number <= last for number in read)
    spoilt = bool(judged.corrected or judged.lost) or displaced
    differing = tuple(
        mine.number
        for mine in judged.entries
        if in_lines.get(mine.number, mine) != mine and mine.number not in judged.lost
    )
    came_back: list[int] = []
    if not differing:
        judged.entries += kept.entries[last:]
        judged.lost += [number for number in kept.lost if number > last]
        came_back += [one.number for one in judged.entries[last:] if one.number in in_lines]
    if displaced and len(judged.entries) == last:
        judged.lost.append(last + 1)
    return Believed(
        tuple(judged.entries),
        kept.began_s if in_lines else judged.entries[0].at_s if judged.entries else 0.0,
        tuple(judged.corrected),
        tuple(judged.lost),
        tuple(came_back),
        tuple(judged.unproven),
        differing,
        len(in_lines),
        spoilt,
        kept.imported,
    )


def _judge(
    number: int,
    row: Entry | NewerText | None,
    line: Entry | None,
    of_before: Entry | None,
    judged: _Judged,
) -> None:
    """`of_before`: what the line says where it is one of before, without a sum."""
    if line is None and row is None:
        line = of_before
    if line is not None:
        if row != line:
            judged.corrected.append(number)
        judged.entries.append(line)
    elif isinstance(row, NewerText):
        raise row
    elif row is not None:
        judged.entries.append(row)
    else:
        at_s = judged.entries[-1].at_s if judged.entries else 0.0
        judged.lost.append(number)
        judged.entries.append(Entry(number, at_s, "rule", Retraction((), LOST), batch=number))


def _read(number: int, text: bytes) -> Entry | NewerText | None:
    """None for what cannot be understood at all, or stands in another's place."""
    try:
        entry = entry_from_dict(json.loads(text))
    except UnknownEvent as error:
        return NewerText(str(error))
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None
    return entry if entry.number == number else None


def is_name(told: object) -> bool:
    """True for text that a file and a terminal can hold."""
    return isinstance(told, str) and is_writable(told)


def is_understood(began_s: Any, changed_s: Any, players: bytes, totals: bytes) -> bool:
    """True where what stands over an evening in the database can be what it should."""
    try:
        names, points = json.loads(players), json.loads(totals)
    except (ValueError, RecursionError):
        return False
    return (
        isinstance(names, list)
        and isinstance(points, list)
        and all(is_name(name) for name in names)
        and all(type(point) is int for point in points)
        and len(names) == len(points)
        and all(
            math.isfinite(at_s) and abs(at_s) <= LATEST_EVENING_S for at_s in (began_s, changed_s)
        )
    )

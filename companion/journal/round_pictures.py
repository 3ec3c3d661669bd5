"""The pictures of rounds that people asked to have kept: on this disk only, in the table's data folder.

One picture a round at most, of the table alone, each a file called by its evening and its moment. Where
people said so they go after some days. Knows the disk; must not know cameras, screens or rules.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from card_printables.files import read_regular

PICTURES = "pictures"
"""The folder, in a table's data folder, with a folder an evening in it."""

_EVENING = re.compile(r"[0-9]{4}|[1-9][0-9]{4,8}")
_MOMENT = re.compile(r"(0|[1-9][0-9]{0,14})\.jpg")

LARGEST_PICTURE = 20_000_000
"""Bytes of one picture of the table; none of ours has as many."""

SETTINGS = "keep.json"
MOST_SETTINGS = 1000
"""Bytes of the settings."""

MOST_DAYS = 3650
DAY_S = 86_400.0

BEFORE_S = 1.0
"""A picture may be so much older than the entry of its deal: frames and entries are timed apart."""


@dataclass(frozen=True, slots=True)
class KeptPictures:
    """What lies there: of how many evenings, how many pictures and bytes."""

    evenings: int
    pictures: int
    size_bytes: int


class RoundPictures:
    """The kept pictures of one data folder; holds nothing in memory, so that any number of these may be
    used from any thread."""

    def __init__(self, home: Path) -> None:
        """`home` is the table's data folder; nothing is made there before a picture is kept."""
        self.folder = home / PICTURES

    def keep(self, evening: int, at_ms: int, jpeg: bytes) -> None:
        """Keep this picture of the evening. Raises OSError where the disk refuses; then nothing is
        left of it."""
        file = self._file(evening, at_ms)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        try:
            part.write_bytes(jpeg)
            part.replace(file)
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()
            raise

    def clear_halves(self) -> None:
        """Delete what a stop left of pictures on their way to the disk: nobody would see it or let it go.
        Before anybody keeps one."""
        with contextlib.suppress(OSError):
            for half in self.folder.glob("*/*.part"):
                with contextlib.suppress(OSError):
                    half.unlink()

    def let_go(self, evening: int, at_ms: int) -> None:
        """Delete one picture; no matter if there is none."""
        with contextlib.suppress(OSError):
            self._file(evening, at_ms).unlink()

    def read(self, evening: int, at_ms: int) -> bytes | None:
        """One picture as JPEG; None where there is none."""
        try:
            return read_regular(self._file(evening, at_ms), LARGEST_PICTURE)
        except OSError:
            return None

    def moments_ms(self, evening: int) -> list[int]:
        """When each kept picture of this evening was taken, in ms since 1970, the oldest first."""
        return sorted(at_ms for _, at_ms, _ in self._all(evening))

    def remove(self, evening: int) -> None:
        """Delete every picture of an evening."""
        shutil.rmtree(self._of(evening), ignore_errors=True)

    def delete_all(self) -> None:
        """Delete every picture; what was said of the days stays. Raises OSError where the disk keeps
        one, once all others are gone."""
        folders = list(self._evenings())
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        for folder in folders:
            if folder.exists():
                shutil.rmtree(folder)

    def kept(self) -> KeptPictures:
        """What lies there."""
        size_bytes = pictures = 0
        evenings = set()
        for evening, _, file in self._all():
            with contextlib.suppress(OSError):  # deleted meanwhile
                size_bytes += file.stat().st_size
                pictures += 1
                evenings.add(evening)
        return KeptPictures(len(evenings), pictures, size_bytes)

    # --- for how long

    @property
    def days(self) -> int | None:
        """After so many days a picture goes; None: it stays."""
        try:
            told = read_regular(self.folder / SETTINGS, MOST_SETTINGS)
            days = json.loads(told.decode("utf-8"))["days"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return days if type(days) is int and 1 <= days <= MOST_DAYS else None

    def keep_for(self, days: int | None) -> None:
        """Say after how many days pictures go. Raises OSError where the disk refuses."""
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self.folder / f"{SETTINGS}.part"
        part.write_text(json.dumps({"days": days}) + "\n", encoding="utf-8")
        part.replace(self.folder / SETTINGS)

    def sweep(self, now_s: float) -> int:
        """Delete what is older than people wanted; how many pictures that were."""
        days = self.days
        if days is None:
            return 0
        old = [
            (evening, at_ms)
            for evening, at_ms, _ in self._all()
            if now_s - at_ms / 1000 > days * DAY_S
        ]
        for evening, at_ms in old:
            self.let_go(evening, at_ms)
        for folder in self._evenings():
            with contextlib.suppress(OSError):  # something is left in it
                folder.rmdir()
        return len(old)

    # --- files

    def files(self) -> list[Path]:
        """Every picture as a file, by evening and moment."""
        return [file for _, _, file in sorted(self._all())]

    def _of(self, evening: int) -> Path:
        return self.folder / f"{evening:04d}"

    def _file(self, evening: int, at_ms: int) -> Path:
        return self._of(evening) / f"{at_ms}.jpg"

    def _evenings(self) -> list[Path]:
        try:
            return [path for path in self.folder.iterdir() if _EVENING.fullmatch(path.name)]
        except OSError:
            return []

    def _all(self, evening: int | None = None) -> Iterator[tuple[int, int, Path]]:
        """Each picture with its evening and moment."""
        for folder in self._evenings() if evening is None else [self._of(evening)]:
            with contextlib.suppress(OSError):
                for file in folder.iterdir():
                    if _MOMENT.fullmatch(file.name) and file.is_file():
                        yield int(folder.name), int(file.stem), file


def is_picture(name: str) -> bool:
    """True for the name, from the data folder on, of a picture as it is kept here; whatever else lies
    there is somebody else's and left alone."""
    folder, *inside = name.split("/")
    return (
        folder == PICTURES
        and len(inside) == 2
        and _EVENING.fullmatch(inside[0]) is not None
        and _MOMENT.fullmatch(inside[1]) is not None
    )


def pictures_by_round(
    moments_ms: Sequence[int], lay_s: Sequence[tuple[float, float | None]]
) -> dict[int, int]:
    """Of each round (from 0) its picture: the newest taken while it lay there, from its deal to its
    end (None: not yet), which may have been found out later, but before the next deal; rounds without
    are left out."""
    found: dict[int, int] = {}
    deals_s = [from_s for from_s, _ in lay_s]
    for at, (from_s, to_s) in enumerate(lay_s):
        later_s = [deal_s - BEFORE_S for deal_s in deals_s[at + 1 :] if deal_s > from_s]
        until_s = min([math.inf if to_s is None else to_s, *later_s])
        mine = [ms for ms in moments_ms if from_s - BEFORE_S <= ms / 1000 <= until_s]
        if mine:
            found[at] = max(mine)
    return found

"""A recorded evening: a folder with `glimpses.jsonl` (one line a frame) and, where it is known,
`game.json` (who sat there, without names), as `companion record` and `companion play --record DIR`
write it, and as `replay`, `score` and `fit` read it again; packed in a problem report as well.

What is recorded has been behind the curtain: only a `Glimpse` can be, never what the eye has read.
Knows the disk and the line of a glimpse; must not know what a recording is for.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import shutil
import sys
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import IO

import cv2
import numpy as np

from card_printables.files import opened_zip, read_regular, require_regular
from companion.errors import BadInput
from companion.game.events import EDITIONS, HANDLINGS
from companion.game.seats import FEWEST_PLAYERS, MOST_PLAYERS
from companion.journal.data_folder import KEPT_FREE
from companion.table.glimpse_json import glimpse_from_dict, glimpse_to_dict
from companion.table.sighting import Glimpse

LINES = "glimpses.jsonl"
GAME = "game.json"
LONGEST_LINE = 1_000_000
"""Bytes of one line, a glimpse of eighty cards at most; and of what says who played."""

NO_ZIP = (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError)
"""What is raised for bytes that are no zip that can be read."""

RECORDINGS = "recordings"
"""The folder, in a table's data folder, in which each recording has one of its own."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """What was played while it was recorded, without names: how many people, the seat of the first
    Daydreamer, the edition's rules, how wrong cards are set aside, the size of the deck; how many
    rounds of the evening were over `before` it began, and whether it began `in_round`: the Daydreamer
    is then the next round's."""

    players: int
    daydreamer: int
    edition: str
    handling: str
    deck_size: int
    before: int = 0
    in_round: bool = False


class Recorder:
    """Writes glimpses as they come; pictures too when asked, as JPEG beside them."""

    def __init__(
        self,
        folder: Path,
        pictures: bool = False,
        game: RecordedGame | None = None,
        every_s: float = 0.0,
    ) -> None:
        """Begin a new recording in `folder`, with `pictures` one every `every_s` at most.

        Raises:
            BadInput: it cannot be written, or it holds a recording already.
        """
        if folder.exists() and not folder.is_dir():
            raise BadInput(f"{folder} is a file: choose a folder with --record")
        try:
            _leave_room(folder)
            folder.mkdir(parents=True, exist_ok=True)
            self._file = (folder / LINES).open("x", encoding="utf-8", buffering=1)
            if game is not None:
                (folder / GAME).write_text(json.dumps(asdict(game)) + "\n", encoding="utf-8")
        except FileExistsError as error:
            raise BadInput(
                f"{folder} holds a recording already: choose another folder with --record"
            ) from error
        except OSError as error:
            raise BadInput(
                f"{folder} cannot be written ({error.strerror}): choose another folder with --record"
            ) from error
        self._folder = folder
        self._pictures = pictures
        self._every_s = every_s
        self._kept_s = -math.inf
        self._count = 0

    @property
    def closed(self) -> bool:
        """True once nothing more is kept: it was closed, or the disk was full."""
        return self._file.closed

    def wants_picture(self, t_s: float) -> bool:
        """Whether a picture of this moment would be kept."""
        return self._pictures and not 0 <= t_s - self._kept_s < self._every_s

    def record_glimpse(self, glimpse: Glimpse, image: np.ndarray | None) -> None:
        """Keep one glimpse, and its picture (None while cards are looked at in secret) when
        pictures were asked for.

        A disk that is nearly full ends the recording: what is left of it is the evening's.
        """
        if self._file.closed:
            return
        try:
            _leave_room(self._folder)
            self._file.write(json.dumps(glimpse_to_dict(glimpse), separators=(",", ":")) + "\n")
            self._count += 1
            if self.wants_picture(glimpse.t_s) and image is not None:
                self._kept_s = glimpse.t_s
                self._keep_picture(image)
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.close()
            print(
                f"the recording in {self._folder} ends here ({error.strerror or error}); the evening goes on",
                file=sys.stderr,
            )

    def _keep_picture(self, image: np.ndarray) -> None:
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])
        if done:
            (self._folder / f"{self._count:07d}.jpg").write_bytes(data.tobytes())

    def close(self) -> None:
        """Close the file; what was recorded stays."""
        with contextlib.suppress(OSError):
            self._file.close()


def _leave_room(folder: Path) -> None:
    """Raises OSError where the disk has no more than what is kept free for the evening."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if shutil.disk_usage(there).free < KEPT_FREE:
        raise OSError(errno.ENOSPC, f"less than {KEPT_FREE // 1_000_000} MB of the disk are free")


def new_recording(home: Path, evening: int) -> Path:
    """The folder for a new recording of this evening of the table whose data lie in `home`."""
    names = (home / RECORDINGS / f"{evening:04d}-{n:03d}" for n in count(1))
    return next(name for name in names if not name.exists())


def newest_recording(home: Path, evening: int) -> Path | None:
    """The newest recording of this evening; None without one."""
    return max((home / RECORDINGS).glob(f"{evening:04d}-*"), default=None)


def read_recording(path: str | Path) -> Iterator[Glimpse]:
    """The glimpses of a recording (its folder, its lines, or a problem report), in order; a
    half-written last line (the power went) is left out.

    Raises:
        BadInput: there is no such recording, or a line in it is damaged.
    """
    source = Path(path)
    source = source / LINES if source.is_dir() else source
    try:
        for number, line in enumerate(_lines(source), 1):
            if line.endswith("\n"):
                yield _read_line(line, number, source)
    except (OSError, UnicodeDecodeError, KeyError, *NO_ZIP) as error:
        raise _no_recording(source) from error


def read_rounds(path: str | Path, game: RecordedGame | None) -> Iterator[Glimpse]:
    """The glimpses of a recording's rounds: what it shows of a round that lay open when it began is
    left out, for nobody saw how that round went until then.

    Raises:
        BadInput: as `read_recording`; or no other round was dealt.
    """
    glimpses = read_recording(path)
    if game is None or not game.in_round:
        yield from glimpses
        return
    dealt = False
    for glimpse in glimpses:
        dealt = dealt or glimpse.deal is not None
        if dealt:
            yield glimpse
    if not dealt:
        raise BadInput(
            f"{path} begins in the middle of a round, and no other was dealt: "
            "say yes to the recording before the cards are laid"
        )


def read_game(path: str | Path) -> RecordedGame | None:
    """What was played in a recording or a problem report; None where it does not say, or says what
    cannot be."""
    source = Path(path)
    try:
        if source.suffix == ".zip":
            with opened_zip(source) as report, report.open(GAME) as file:
                told = file.read(LONGEST_LINE)
        else:
            beside = (source if source.is_dir() else source.parent) / GAME
            told = read_regular(beside, LONGEST_LINE)
        game = RecordedGame(**json.loads(told))
    except (OSError, KeyError, ValueError, TypeError, RecursionError, *NO_ZIP):
        return None
    return game if _can_be(game) else None


def _can_be(game: RecordedGame) -> bool:
    """Whether a companion can have written it: the file may be a stranger's."""
    numbers = (game.players, game.daydreamer, game.deck_size, game.before)
    return (
        all(type(number) is int and number >= 0 for number in numbers)
        and FEWEST_PLAYERS <= game.players <= MOST_PLAYERS
        and game.daydreamer < game.players
        and game.edition in EDITIONS
        and game.handling in HANDLINGS
        and isinstance(game.in_round, bool)
    )


def _no_recording(source: Path) -> BadInput:
    return BadInput(
        f"{source} is no recording: give the folder that was recorded, or a report's .zip"
    )


def _lines(source: Path) -> Iterator[str]:
    if source.suffix != ".zip":
        require_regular(source)
        with source.open("rb") as file:
            yield from _bounded(file, source)
        return
    with opened_zip(source) as report:
        if LINES not in report.namelist():
            raise BadInput(
                f"there is no recording in {source}: give a report of an evening that was recorded"
            )
        with report.open(LINES) as packed:
            yield from _bounded(packed, source)


def _bounded(file: IO[bytes], source: Path) -> Iterator[str]:
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise _no_recording(source)
        yield line.decode("utf-8")


def _read_line(line: str, number: int, source: Path) -> Glimpse:
    try:
        return glimpse_from_dict(json.loads(line))
    except (ValueError, TypeError, RecursionError) as error:
        if number == 1:
            raise _no_recording(source) from error
        raise BadInput(
            f"line {number} of {source} is damaged ({error}): replay a copy without that line"
        ) from error

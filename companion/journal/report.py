"""The parts of a problem report: the evening's log without names, a recording, versions.

Knows the log's entries and the recorder's files; must not know who asked for the report.
"""

from __future__ import annotations

import json
import platform
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any

from card_printables.files import pack
from companion.game.event_json import entry_to_dict
from companion.game.events import CloudNamed, EveningBegun, PlayersChanged
from companion.game.log import Entry
from companion.journal.recording import GAME, LINES

PACKAGES = (
    "opencv-python",
    "opencv-python-headless",
    "numpy",
    "flask",
    "cheroot",
    "zxing-cpp",
    "qrcode",
    "reportlab",
)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_KEY = re.compile(r"[a-z_]{1,40}")
_PICTURE = re.compile(r"\d{7,}\.jpg")
"""As the recorder names them."""


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def versions() -> dict[str, str]:
    """What runs here, by name: the companion, Python and its system, the packages that are there."""
    found = {"companion": _version("cloud-mine-companion") or "not installed"}
    found["python"] = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    return found | {package: known for package in PACKAGES if (known := _version(package))}


def write_report(
    file: str | Path | IO[bytes],
    about: Mapping[str, Any],
    entries: Iterable[Entry],
    recorded: Iterable[tuple[Path, str]],
) -> None:
    """Pack a report: what is told `about` it, the log without names, the recorded files (path and
    name in the report).

    Raises:
        FileExistsError: there is such a file.
        OSError: it cannot be written.
    """
    with zipfile.ZipFile(file, "x", zipfile.ZIP_DEFLATED) as report:
        pack(report, "report.json", json.dumps(about, indent=1))
        lines = (json.dumps(line) + "\n" for line in without_names(entries))
        pack(report, "log.jsonl", "".join(lines))
        for path, name in recorded:
            pack(report, name, path)


def recorded_files(folder: Path, pictures: bool) -> Iterator[tuple[Path, str]]:
    """The files of a recording, each with its name in a report; its pictures only if asked for."""
    for name in (LINES, GAME):
        if (folder / name).is_file():
            yield folder / name, name
    if pictures:
        for path in sorted(folder.glob("*.jpg")):
            # others are not ours, and may tell where and by whom they were taken
            if _PICTURE.fullmatch(path.name) and path.is_file():
                yield path, f"pictures/{path.name}"


def without_names(entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    """The entries as plain dicts in which nobody is named: players are letters in the order they
    sat down, devices numbers."""
    letters: dict[str, str] = {}
    devices: dict[str, str] = {}
    for entry in entries:
        for name in _names(entry):
            letters.setdefault(
                name, LETTERS[len(letters) % len(LETTERS)] * (1 + len(letters) // len(LETTERS))
            )
        if entry.author is not None:
            devices.setdefault(entry.author, f"device {len(devices) + 1}")
        yield _veiled(entry, letters, devices)


def _names(entry: Entry) -> tuple[str, ...]:
    return entry.event.players if isinstance(entry.event, EveningBegun | PlayersChanged) else ()


def _veiled(entry: Entry, letters: dict[str, str], devices: dict[str, str]) -> dict[str, Any]:
    line = entry_to_dict(entry)
    event = line["event"]
    line["author"] = devices.get(entry.author) if entry.author is not None else None
    if isinstance(entry.event, EveningBegun | PlayersChanged):
        event["players"] = [letters[name] for name in entry.event.players]
    if "learnt_deck" in event:
        event["learnt_deck"] = "deck"
    if isinstance(entry.event, PlayersChanged):
        event["daydreamer"] = (
            None if event["daydreamer"] is None else letters.get(event["daydreamer"], "?")
        )
        event["dealt_back"] = [letters.get(name, "?") for name in entry.event.dealt_back]
    if isinstance(entry.event, CloudNamed):
        event["words"] = " ".join("word" for _ in entry.event.words.split())
    if "reason" in event and (not _KEY.fullmatch(event["reason"]) or event["reason"] in letters):
        event["reason"] = "words"
    return line

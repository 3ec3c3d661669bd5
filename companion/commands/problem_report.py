"""Packs a problem report: one .zip file with the evening's log, the recorded glimpses and this
machine's versions.

The players' names are replaced by A, B, C; devices, clouds' names and folders are left out;
pictures only with --pictures. Nothing is sent anywhere: look into the file, then give it to whoever
helps you.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from companion.commands.doctor import versions
from companion.commands.shared.sources import practice_folder
from companion.errors import BadInput
from companion.game.event_json import entry_to_dict
from companion.game.events import CloudNamed, EveningBegun, PlayersChanged
from companion.game.log import Entry
from companion.journal.data_folder import data_folder
from companion.journal.recording import LINES
from companion.journal.side import Kept, read_from

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_KEY = re.compile(r"[a-z_]{1,40}")
_PICTURE = re.compile(r"\d{7,}\.jpg")
"""As the recorder names them."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Which evening, which recording, where to."""
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE.zip",
        help="the file to make; an existing one is left alone",
    )
    parser.add_argument(
        "--recording", metavar="DIR", help="the folder that `companion play --record DIR` wrote"
    )
    parser.add_argument(
        "--pictures",
        action="store_true",
        help="with --recording: the pictures too (they show your table)",
    )
    parser.add_argument("--evening", type=int, help="number of the evening (default: the newest)")
    parser.add_argument("--practice", action="store_true", help="the evening at the practice table")
    parser.add_argument(
        "--data", metavar="DIR", help="folder for evenings (default: the user's data folder)"
    )


def run(args: argparse.Namespace) -> int:
    """Make the file; nothing is made when something is missing."""
    evening = _evening(args)
    recorded = list(_recorded(args))
    try:
        with zipfile.ZipFile(args.out, "x", zipfile.ZIP_DEFLATED) as report:
            report.writestr(
                "report.json",
                json.dumps({"versions": versions(), "evening": evening.evening}, indent=1),
            )
            report.writestr(
                "log.jsonl",
                "".join(json.dumps(line) + "\n" for line in without_names(evening.entries)),
            )
            for path, name in recorded:
                report.write(path, name)
    except FileExistsError as error:
        raise BadInput(f"{args.out} is there already: choose another file with --out") from error
    except OSError as error:
        with contextlib.suppress(OSError):  # a full disk: half a report helps nobody
            Path(args.out).unlink()
        raise BadInput(
            f"{args.out} cannot be written ({error.strerror or error}): choose another file with --out"
        ) from error
    print(
        f"{args.out}: evening {evening.evening}, {len(evening.entries)} entries, {len(recorded)} recorded files, no names"
    )
    return 0


def _evening(args: argparse.Namespace) -> Kept:
    home = data_folder(args.data)
    folder = practice_folder(home) if args.practice else home
    kept = list(read_from(folder, 0))
    if not kept:
        raise BadInput(
            f"there is no evening in {folder}: choose the folder with --data, or --practice"
        )
    found = (
        kept[-1]
        if args.evening is None
        else next((one for one in kept if one.evening == args.evening), None)
    )
    if found is None:
        raise BadInput(
            f"there is no evening {args.evening} in {folder}: choose --evening 1 to {kept[-1].evening}"
        )
    return found


def _recorded(args: argparse.Namespace) -> Iterator[tuple[Path, str]]:
    if args.recording is None:
        return
    folder = Path(args.recording)
    if not (folder / LINES).is_file():
        raise BadInput(
            f"{folder} is no recording: give the folder that `companion play --record` wrote"
        )
    yield folder / LINES, LINES
    if args.pictures:
        for path in sorted(folder.glob("*.jpg")):
            if _PICTURE.fullmatch(
                path.name
            ):  # others are not ours, and may tell where and by whom they were taken
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

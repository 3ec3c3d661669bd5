"""Which camera watches the table: a live one, a network one, footage, or the practice table."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from calibration.camera import Camera
from companion.errors import BadInput
from companion.game.events import EveningBegun
from companion.session import Session

SCHEMES = ("http", "https", "rtsp")


def _nothing(session: Session) -> None:
    """Nothing to prepare: the tablet sets the evening up."""


@dataclass(frozen=True, slots=True)
class Source:
    """A camera ready to watch, the sentence that says so, and what must be entered before it starts."""

    camera: Camera | None
    said: str
    practice: bool = False
    paced: bool = False
    prepare: Callable[[Session], None] = _nothing


def open_source(chosen: str) -> Source:
    """The source people chose.

    Raises:
        BadInput, CameraTrouble, CalibrationError: there is no such camera or file; the message says what to do.
    """
    if chosen == "off":
        return Source(None, "No camera: the score is kept by touch on the tablet.")
    if chosen == "practice":
        return practice_source("The practice table is open: a game plays itself, as a camera would see it.")
    if chosen == "auto":
        return _first_camera() or practice_source("No camera was found, so the practice table is open (`--camera` chooses one).")
    if chosen.isdigit():
        return _live(chosen, f"camera {chosen}")
    if urlsplit(chosen).scheme in SCHEMES:
        return _network(chosen)
    if Path(chosen).exists():
        return _footage(chosen)
    named = _by_name(chosen)
    if named is not None:
        return named
    raise BadInput(f"there is no camera or file {chosen!r}: `companion doctor` lists the cameras")


def _first_camera() -> Source | None:
    from calibration.webcam import list_cameras

    found = list_cameras()
    return _live(str(found[0].number), found[0].name) if found else None


def _by_name(name: str) -> Source | None:
    from calibration.webcam import list_cameras

    match = next((c for c in list_cameras() if name.casefold() in c.name.casefold()), None)
    return _live(str(match.number), match.name) if match else None


def _live(source: str, name: str) -> Source:
    from calibration.webcam import open_webcam

    from companion.capture import LiveCamera

    return Source(LiveCamera(open_webcam, source, name), f"Watching through {name}.")


def _network(url: str) -> Source:
    from calibration.webcam import open_stream

    from companion.capture import LiveCamera

    parts = urlsplit(url)
    if not parts.hostname:
        raise BadInput(f"the camera's address {url!r} names no host: give it as http://192.168.1.20:8080/video")
    return Source(LiveCamera(open_stream, url, parts.hostname), f"Watching through the camera at {parts.hostname}.")


def _footage(path: str) -> Source:
    from calibration.recording import Recording

    return Source(Recording(path), f"Watching the film {path}.", paced=True)


def practice_source(said: str, args: argparse.Namespace | None = None) -> Source:
    """The practice table with a game of its own (`args` as `companion practice` takes them); its evening begins by itself."""
    from companion.practice.evening import open_practice

    table = open_practice(args)

    def begin(session: Session) -> None:
        begin_practice(session, table.begun)

    return Source(table, said, practice=True, paced=True, prepare=begin)


def begin_practice(session: Session, begun: EveningBegun) -> None:
    """Sit the practice table's players down; an evening that was left open is ended first, it was practice too."""
    name = f"practice-{session.clock():.6f}"
    if session.keeper.ledger.begun and not session.keeper.ledger.over:
        session.command({"id": name + "-end", "version": session.version, "do": "end", "author": "practice"})
    session.command({
        "id": name,
        "version": session.version,
        "author": "practice",
        "do": "begin",
        "players": list(begun.players),
        "daydreamer": begun.daydreamer,
        "edition": begun.edition,
        "deck_size": begun.deck_size,
        "handling": begun.handling,
    })  # fmt: skip

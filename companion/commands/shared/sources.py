"""Which camera watches the table: a live one, a network one, footage, the practice table, or
nobody."""

from __future__ import annotations

import argparse
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from calibration.cameras.port import Camera, Frame
from calibration.cameras.recording import Recording
from companion.capture.phone import PhoneCamera
from companion.commands.shared.practice_restart import (
    UnfinishedPractice,
    keep_table,
    kept_options,
    mark_of,
    options_of,
    unfinished,
)
from companion.errors import BadInput, CameraTrouble
from companion.evening.session import Session
from companion.game.events import EveningBegun
from companion.journal.data_folder import looked_into

SCHEMES = ("http", "https", "rtsp")

WORDS = ("off", "phone", "practice", "auto")
"""What is a source before any file of that name."""

LIKE_A_CAMERA = "The practice table is open: a game plays itself, as a camera would see it."


def _nothing(session: Session) -> None:
    """Nothing to prepare: the tablet sets the evening up."""


@dataclass(frozen=True, slots=True)
class Source:
    """A camera ready to watch, the sentence that says so, what must be entered before it starts, and
    its first frame where that may be shown unread."""

    camera: Camera | None
    said: str
    practice: bool = False
    paced: bool = False
    prepare: Callable[[Session], None] = _nothing
    look_ahead: Callable[[], Frame | None] | None = None

    def close(self) -> None:
        """Let go of the camera; twice is fine."""
        if self.camera is not None:
            self.camera.close()


def open_source(chosen: str, folder: Path | None = None) -> Source:
    """The source people chose; `folder` is where evenings are kept, if any are.

    Raises:
        BadInput, CameraTrouble, CalibrationError: there is no such camera or file; the message says
        what to do.
    """
    if chosen == "off":
        return Source(None, "No camera: the score is kept by touch on the tablet.")
    if chosen == "phone":
        return Source(PhoneCamera(), "Waiting for a phone or tablet: there open More, Camera.")
    if chosen == "practice":
        return practice_source(LIKE_A_CAMERA, None, folder)
    if chosen == "auto":
        return _found(folder)
    if chosen.isdigit():
        return _live(chosen)
    scheme, colons, rest = chosen.partition("://")
    if colons and scheme.lower() in SCHEMES:
        return _network(f"{scheme.lower()}://{rest}")
    if Path(chosen).exists():
        return _footage(chosen)
    if _cameras_called(chosen):
        return _live(chosen)
    raise _no_source(chosen)


def lasting_source(chosen: str) -> str:
    """The same source told so that it means the same from every folder; nothing is opened.

    Raises:
        BadInput: there is no such camera or file.
    """
    scheme, colons, _ = chosen.partition("://")
    if chosen in WORDS or chosen.isdigit():
        return chosen
    if colons and scheme.lower() in SCHEMES:
        _host_of(chosen)
        return chosen
    if Path(chosen).exists():
        return str(Path(chosen).resolve())
    if _cameras_called(chosen):
        return chosen
    raise _no_source(chosen)


def _no_source(chosen: str) -> BadInput:
    if re.match(r"[\w.-]+:\d+(/|$)", chosen):
        return BadInput(
            f"an address says how to call it: give http://{chosen} (or rtsp://{chosen})"
        )
    return BadInput(f"there is no camera or file {chosen!r}: `companion doctor` lists the cameras")


def _found(folder: Path | None) -> Source:
    """The first camera that gives a picture; without one an evening that was begun goes on by
    touch, else it is practice."""
    from calibration.cameras.webcam import list_cameras

    why = "No camera was found"
    for camera in list_cameras():
        try:
            return _live(str(camera.number))
        except CameraTrouble:
            why = "No camera gives a picture"
    if folder is not None and unfinished(folder) is not None:
        return Source(
            None,
            f"{why}, so your evening goes on by touch (`--camera practice` opens the practice table).",
        )
    return practice_source(
        f"{why}, so the practice table is open (`--camera` chooses one).", None, folder
    )


def _cameras_called(name: str) -> list[str]:
    from calibration.cameras.webcam import list_cameras

    return [camera.name for camera in list_cameras() if name.casefold() in camera.name.casefold()]


def _live(chosen: str) -> Source:
    """A camera of this machine, by number or name; opened again it is found by its name, whatever
    number it has then."""
    from calibration.cameras.webcam import list_cameras, open_webcam
    from companion.capture.live import LiveCamera

    name = next((camera.name for camera in list_cameras() if str(camera.number) == chosen), None)
    alone = name is not None and not name.isdigit() and len(_cameras_called(name)) == 1
    shown = name or (f"camera {chosen}" if chosen.isdigit() else chosen)
    camera = LiveCamera(open_webcam, name if alone and name else chosen, shown).open()
    return Source(camera, f"Watching through {shown}.")


def _network(url: str) -> Source:
    from calibration.cameras.webcam import open_stream
    from companion.capture.live import LiveCamera

    host = _host_of(url)
    return Source(
        LiveCamera(open_stream, url, host).open(), f"Watching through the camera at {host}."
    )


def _host_of(url: str) -> str:
    try:
        host = urlsplit(url).hostname
    except ValueError:
        host = None
    if not host:
        raise BadInput(
            f"the camera's address {url!r} names no host: give it as http://192.168.1.20:8080/video"
        )
    return host


def _footage(path: str) -> Source:
    from calibration.cameras.recording import Recording

    return Source(Recording(path), f"Watching the film {path}.", paced=True)


def practice_source(
    said: str, args: argparse.Namespace | None = None, folder: Path | None = None
) -> Source:
    """The practice table with a game of its own (`args` as `companion practice` takes them); its
    evening begins by itself.

    An unfinished practice evening in `folder`/practice goes on at the exact moment, unless another
    table is asked for.
    """
    home = practice_folder(folder) if folder is not None else None
    open_evening = unfinished(home) if home is not None else None
    if home is not None and open_evening is not None:
        going_on = _going_on(home, open_evening, args, said)
        if going_on is not None:
            return going_on
    return _new_table(said, args, home)


def practice_folder(folder: Path) -> Path:
    """Where practice evenings are kept: never among the real ones. Raises BadInput where it may not be
    looked into."""
    return looked_into(folder / "practice")


def _going_on(
    home: Path, evening: UnfinishedPractice, args: argparse.Namespace | None, said: str
) -> Source | None:
    from companion.practice.evening import open_practice

    options = kept_options(home, evening.evening, options_of(args))
    if options is None:
        return None
    mark = options.pop("mark")
    table = open_practice(argparse.Namespace(**options))
    if mark_of(table.truth) != mark:
        return None
    table.seek(evening.film_s)
    return Source(table, said, practice=True, paced=True, look_ahead=table.look_ahead)


def _new_table(said: str, args: argparse.Namespace | None, home: Path | None) -> Source:
    from companion.practice.evening import open_practice

    options = options_of(args)
    if options["seed"] is None:
        options["seed"] = secrets.randbelow(1_000_000)
    table = open_practice(argparse.Namespace(**options))

    def begin(session: Session) -> None:
        begin_practice(session, table.begun)
        if home is not None and session.journal.evening is not None:
            keep_table(home, session.journal.evening, options, table.truth)

    return Source(
        table, said, practice=True, paced=True, prepare=begin, look_ahead=table.look_ahead
    )


def begin_practice(session: Session, begun: EveningBegun) -> None:
    """Sit the practice table's players down; an evening that was left open is ended first, it was
    practice too."""
    name = f"practice-{session.clock():.6f}"
    if session.keeper.ledger.begun and not session.keeper.ledger.over:
        session.command(
            {"id": name + "-end", "version": session.version, "do": "end", "author": "practice"}
        )
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


def cameras_or_pictures(args: argparse.Namespace) -> list[Camera]:
    """The films or folders of pictures that `args.pictures` names, else the camera `args.camera`.

    Raises:
        BadInput: there are none of the one, and none of the other.
    """
    if args.pictures:
        return [Recording(path) for path in args.pictures]
    source = open_source(args.camera)
    if source.camera is None or source.practice:
        source.close()
        raise BadInput("no camera was found: give pictures of the cards, or a camera with --camera")
    return [source.camera]

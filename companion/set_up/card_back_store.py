"""The box's own back, taught from the tablet: `learn_back` and `forget_back`, and the file that
keeps it for next time.

Stands between a session's commands and the eye; knows no HTTP and no pictures. The file `back.json`
lies in the folder that keeps the evenings, so that the back is known again after a restart.
"""

from __future__ import annotations

import json
from pathlib import Path

from card_printables.files import read_regular, write_beside_then_replace
from companion.capture.watching import Watching
from companion.game.rules import Refusal
from companion.vision.places.backs import Back

COMMANDS = ("learn_back", "forget_back")
FILE = "back.json"


def teach_back(command: str, watching: Watching | None, folder: Path) -> tuple[()] | Refusal:
    """Do `learn_back` or `forget_back`: () when it is done and kept, else a Refusal.

    `learn_back` looks once at the card that lies face down under the camera. Its refusals are
    "no_camera", "cannot_keep_back" (known until the companion stops), and "back_" with one of the
    keys of `vision.places.back_lesson.BackLesson`.
    """
    if command == "forget_back":
        try:
            (folder / FILE).unlink(missing_ok=True)
        except OSError:
            return Refusal("cannot_keep_back")
        if watching is not None:
            watching.eye.know_back(None)
        return ()
    if watching is None or watching.frames.picture is None:
        return Refusal("no_camera")
    lesson = watching.eye.learn_back(watching.frames.picture)
    if lesson.back is None:
        return Refusal(f"back_{lesson.why}")
    watching.eye.know_back(lesson.back)
    try:
        store_back(folder, lesson.back)
    except OSError:
        return Refusal("cannot_keep_back")
    return ()


def store_back(folder: Path, back: Back) -> None:
    """Write the back to its file in `folder`, whole or not at all. Raises OSError when it cannot be
    written."""
    write_beside_then_replace(folder / FILE, json.dumps(back.to_json()).encode())


def stored_back(folder: Path) -> Back | None:
    """The back kept in `folder`; None when there is none, or none that can be understood."""
    try:
        return Back.from_json(json.loads(read_regular(folder / FILE).decode("utf-8")))
    except (
        OSError,
        ArithmeticError,
        ValueError,
        TypeError,
        AttributeError,
        LookupError,
        RecursionError,
    ):
        return None


def recall_back(watching: Watching, folder: Path) -> None:
    """Let a camera that begins to watch know the back that was learnt another time."""
    back = stored_back(folder)
    if back is not None:
        watching.eye.know_back(back)

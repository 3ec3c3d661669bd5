"""Where the companion keeps its evenings."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from platformdirs import user_data_path

from companion.errors import BadInput

KEPT_FREE = 100_000_000
"""So many bytes of the disk are left to whoever plays meanwhile."""


def data_folder(chosen: str | None) -> Path:
    """The folder for logs and profiles: `chosen`, else the system's usual place for this user. Does
    not create it.

    Raises:
        BadInput: it names the home of somebody who has none here, or may not be looked into.
    """
    return looked_into(data_path(chosen))


def data_path(chosen: str | None) -> Path:
    """The same, whether or not it may be looked into. Raises BadInput."""
    if not chosen:
        return user_data_path("cloud-mine-companion", appauthor=False)
    try:
        return Path(chosen).expanduser()
    except RuntimeError as error:
        raise BadInput(
            f"there is no home for the ~ in {chosen}: give --data the whole path of a folder"
        ) from error


def looked_into(folder: Path) -> Path:
    """This folder, which may be none. Raises BadInput where nobody can say what is in it, which is
    another thing than a folder with nothing in it."""
    try:
        (folder / os.pardir).stat()
    except PermissionError as error:
        raise BadInput(
            f"the data folder {folder} may not be looked into ({error.strerror}): allow it to this user, or "
            "choose another with --data"
        ) from error
    except (OSError, ValueError):  # whoever wants something of it says what it is
        pass
    return folder


def open_folder(chosen: str | None) -> Path:
    """The data folder, made if needed.

    Raises:
        BadInput: it cannot be made or written; the message says what to do.
    """
    folder = data_path(chosen)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        if isinstance(error, FileExistsError):
            reason = "a link that leads nowhere" if folder.is_symlink() else "it is no folder"
        raise BadInput(
            f"the data folder {folder} cannot be written ({reason}): choose another with --data"
        ) from error
    return folder

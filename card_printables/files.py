"""The one writer of files that must never be half written, the one reader of those that may have become
something else, and the one way to put what cannot be read out of the way.

Knows bytes and file names; must not know what is in them.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path


def write_beside_then_replace(path: Path, data: bytes, *, private: bool = False) -> None:
    """Put `data` into the file at `path`, whole or not at all: whoever reads finds the old file or
    the new one, also after the power has gone.

    It is written beside its place under another name, carried to the disk, and only then given its
    name. Nothing is left beside it when that fails (a full disk). `private` files may be read by
    their owner alone.

    Raises:
        OSError: it cannot be written; what was at `path` is untouched.
    """
    beside = path.with_name(path.name + ".new")
    try:
        with open(beside, "wb", opener=_open_private if private else None) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def read_regular(path: Path, most: int = -1) -> bytes:
    """The bytes of a file, at most `most` of them.

    Raises:
        OSError: it cannot be read, or a folder, a pipe or a socket stands in its place; whoever opened a
        pipe would wait for ever.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no file", str(path))
    with path.open("rb") as file:
        return file.read(most)


def move_aside(path: Path) -> str:
    """Rename what stands at `path` (a file, or a folder in its place) to `NAME.broken-N`, every byte of
    it kept, and return that name; the old name where it cannot be moved."""
    at = next(n for n in range(1, 10_000) if not os.path.lexists(f"{path}.broken-{n}"))
    kept = path.with_name(f"{path.name}.broken-{at}")
    try:
        path.rename(kept)
    except OSError:
        return path.name
    return kept.name

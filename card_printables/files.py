"""The one writer of files that must never be half written, the one reader of those that may have become
something else, and the one way to put what cannot be read out of the way.

Knows bytes and file names; must not know what is in them.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO


def write_beside_then_replace(path: Path, data: bytes, *, private: bool = False) -> None:
    """Put `data` into the file at `path`, whole or not at all: whoever reads finds the old file or
    the new one, also after the power has gone.

    It is written beside its place under another name, carried to the disk, and only then given its
    name, which is carried there as well. Nothing is left beside it when that fails (a full disk), nor of
    a process that was killed meanwhile. Of two processes that write it at once the later one's stands. `private` files may be
    read by their owner alone.

    Raises:
        OSError: it cannot be written; what was at `path` stands there as before. Where the disk failed at the
        very last, when the file had its name, the one of before has it again, unless the file system knows no
        second names.
    """
    beside, before = _beside(path, "new"), _beside(path, "old")
    try:
        _write_to_disk(beside, data, private)
        way_back = _second_name(path, before)
        beside.replace(path)
    except OSError:
        _remove(beside, before)
        raise
    try:
        carry_names_to_disk(path.parent)
    except OSError:
        with contextlib.suppress(OSError):
            way_back()
        raise
    finally:
        _remove(before)


def _write_to_disk(path: Path, data: bytes, private: bool) -> None:
    with open(path, "wb", opener=_open_private if private else None) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _second_name(path: Path, before: Path) -> Callable[[], object]:
    """Call what is at `path` now `before` as well; what puts it back without opening or writing anything, for
    a disk that refuses both: what was refused must not be there after the next start."""
    before.unlink(missing_ok=True)
    try:
        os.link(path, before, follow_symlinks=False)
    except FileNotFoundError:
        return path.unlink
    except (OSError, NotImplementedError):
        return lambda: None
    return lambda: before.replace(path)


def _remove(*files: Path) -> None:
    with contextlib.suppress(OSError):
        for file in files:
            file.unlink(missing_ok=True)


def _beside(path: Path, ending: str = "new") -> Path:
    """Where this process keeps what is to stand at `path`, or stood there; what killed ones left is gone."""
    sweep(path.parent, path.name, ending)
    return path.with_name(f"{path.name}.{os.getpid()}.{ending}")


def sweep(folder: Path, name: str, ending: str) -> None:
    """Remove what killed processes left beside the file of this name: it may hold what was forgotten since."""
    with contextlib.suppress(OSError):
        for left in folder.glob(f"{glob.escape(name)}.*.{ending}"):
            number = left.name[len(name) + 1 : -len(ending) - 1]
            if number.isascii() and number.isdecimal() and not is_running(int(number)):
                with contextlib.suppress(OSError):
                    left.unlink()


def is_running(process: int) -> bool:
    """Whether a process of this number runs. On Windows nobody can be asked without harm, and a file
    that is being written is not taken away."""
    if os.name == "nt":
        return process == os.getpid()
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Inside, where to write a new file: it is called `path` once all of it is on the disk, so that no
    stop leaves half of it under its name. What was written until an error is gone again.

    Raises:
        FileExistsError: there is such a file; it is left alone.
        OSError: it cannot be written.
    """
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    beside = _beside(path)
    beside.unlink(missing_ok=True)  # of a process of that number that was killed
    try:
        yield beside
        carry_to_disk(beside)
        give_name(beside, path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def carry_to_disk(path: Path) -> None:
    """What is said to be kept must be there after the power has gone. Raises OSError."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def carry_names_to_disk(folder: Path) -> None:
    """The same for the names that files in `folder` were given: a file system may write these later than
    the files. Windows, a folder that may not be read and file systems that cannot be asked do it in their
    own time. Raises OSError."""
    if os.name == "nt":
        return
    try:
        names = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(names)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(names)


def give_name(made: Path, to: Path) -> None:
    """Call this file `to`, on the disk as well, never over what came there meanwhile; where the disk refuses
    it is not called so. Raises FileExistsError, OSError."""
    try:
        os.link(made, to)
    except FileExistsError:
        raise
    except OSError:  # a memory stick knows no second names
        if os.path.lexists(to):
            raise FileExistsError(to) from None
        made.rename(to)
    try:
        carry_names_to_disk(to.parent)
    except OSError:
        with contextlib.suppress(OSError):
            to.unlink()
        raise


LARGEST_WHOLE = 100_000_000
"""Bytes of a file that is read whole; none of ours comes near."""


def require_regular(path: Path) -> None:
    """Raises OSError where a folder, a pipe or a socket stands in the place of a file: whoever opened a
    pipe would wait for ever."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no file", str(path))


def read_regular(path: Path, most: int | None = None) -> bytes:
    """The bytes of a file: at most `most` of them, or all.

    Raises:
        OSError: it cannot be read, it is no file (`require_regular`), or all of it would be more than
        `LARGEST_WHOLE`. Asked twice: a disk that failed once has damaged nothing.
    """
    try:
        return _read_regular(path, most)
    except FileNotFoundError:
        raise
    except OSError:
        return _read_regular(path, most)


def _read_regular(path: Path, most: int | None) -> bytes:
    require_regular(path)
    with path.open("rb") as file:
        data = file.read(LARGEST_WHOLE + 1 if most is None else most)
    if most is None and len(data) > LARGEST_WHOLE:
        raise OSError(errno.EFBIG, "it is larger than any file of ours", str(path))
    return data


@contextlib.contextmanager
def opened_zip(source: Path | IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """A zip to read from, whose parts are packed as ours are: other ways of packing raise errors of
    their own, and may want much memory.

    Raises:
        OSError: it cannot be read, or is no file.
        zipfile.BadZipFile: it is none, or packed in another way.
    """
    if isinstance(source, Path):
        require_regular(source)
    with zipfile.ZipFile(source) as packed:
        ways = {part.compress_type for part in packed.infolist()}
        if not ways <= {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise zipfile.BadZipFile("packed in another way")
        yield packed


def pack(packed: zipfile.ZipFile, name: str, source: Path | str) -> None:
    """Put a file, or a text, into a zip under this name, with the one date that every zip can hold: a
    file's own may lie before 1980, as may a computer's clock."""
    part = zipfile.ZipInfo(name)
    part.compress_type = packed.compression
    if isinstance(source, str):
        packed.writestr(part, source)
        return
    part.file_size = source.stat().st_size
    with source.open("rb") as file, packed.open(part, "w") as written:
        shutil.copyfileobj(file, written)


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

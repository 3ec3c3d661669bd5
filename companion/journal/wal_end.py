"""Whether the write-ahead log beside the database holds acts that SQLite could not read.

SQLite reads a log up to the first frame whose check sum does not hold, and takes that for its end: so one
wrong bit loses all acts behind it, and nothing is said. A frame of this log carries its salts, and the
last of an act how large the database is after it: what has both, behind the end, was once stored.
Knows the file's format only (sqlite.org/fileformat2.html#walformat); reads, and writes nothing.
"""

from __future__ import annotations

from pathlib import Path

HEADER_BYTES = 32
FRAME_HEAD_BYTES = 24
_MAGIC = {b"\x37\x7f\x06\x82": "little", b"\x37\x7f\x06\x83": "big"}
"""How such a file begins, and the order of bytes in which it is summed."""


def acts_behind(wal: Path, page_bytes: int, frames_read: int) -> int:
    """How many acts stand in the file behind the frames that SQLite read; 0 where it cannot be
    read."""
    try:
        with wal.open("rb") as file:
            header = file.read(HEADER_BYTES)
            first = file.read(FRAME_HEAD_BYTES)
            salts = header[16:24] if _header_holds(header) else first[8:16]
            frame_bytes = FRAME_HEAD_BYTES + page_bytes
            acts = 0
            for frame in range(frames_read, (wal.stat().st_size - HEADER_BYTES) // frame_bytes):
                file.seek(HEADER_BYTES + frame * frame_bytes)
                head = file.read(FRAME_HEAD_BYTES)
                acts += any(head[4:8]) and head[8:16] == salts
    except OSError:
        return 0
    return acts if acts > 1 else 0


def _header_holds(header: bytes) -> bool:
    """True where the header's sum is that of what stands before it."""
    order = _MAGIC.get(header[:4])
    if order is None or len(header) < HEADER_BYTES:
        return False
    first = second = 0
    for at in range(0, 24, 8):
        first = (first + _word(header[at : at + 4], order) + second) & 0xFFFFFFFF
        second = (second + _word(header[at + 4 : at + 8], order) + first) & 0xFFFFFFFF
    return (first, second) == (_word(header[24:28], "big"), _word(header[28:32], "big"))


def _word(four: bytes, order: str) -> int:
    return int.from_bytes(four, "little" if order == "little" else "big")

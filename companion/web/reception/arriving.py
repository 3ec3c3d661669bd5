"""What has come of a request: where its head ends, how long it is, and what is refused unread.

Knows the bytes of HTTP/1; knows no socket. Deliberately narrow: a browser sends one length, no
chunks and no folded line, and what sends something else is refused before any of it is read twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

MOST_HEAD_BYTES = 16_384
"""Browsers send one or two thousand. What is in a head is taken apart more than once (cookies, kinds of
answers that are taken), at a microsecond a byte."""

MOST_FIELDS = 100
"""Lines of a head; browsers send some twenty."""

MOST_BODY_BYTES = 3_000_000
"""The largest body any route takes is a phone's picture; each route has its own limit below this."""

END = b"\r\n\r\n"


class Refused(Exception):
    """Raised for a request that will not be served; its text is the status line."""


@dataclass(frozen=True, slots=True)
class Head:
    """What decides whose turn a request is: its method, its decoded path, its cookies, and how many
    bytes of head and body it has."""

    method: bytes
    path: bytes
    cookies: str
    head_bytes: int
    body_bytes: int

    @property
    def whole_bytes(self) -> int:
        """How many bytes must have come before it is served."""
        return self.head_bytes + self.body_bytes


def read_head(came: bytes | bytearray) -> Head | None:
    """The head of the request that these bytes begin with; None while it is not all there.

    Raises:
        Refused: the head is too long, or tells path or body's length in another way than browsers do.
    """
    end = came.find(END)
    if end < 0 or end > MOST_HEAD_BYTES:
        if len(came) > MOST_HEAD_BYTES:
            raise Refused("413 Request Entity Too Large")
        return None
    first, *lines = bytes(came[:end]).lstrip(b"\r\n").split(b"\r\n")
    if len(lines) > MOST_FIELDS:
        raise Refused("431 Request Header Fields Too Large")
    fields = _fields(lines)
    if b"transfer-encoding" in fields:
        raise Refused("411 Length Required")
    if b"expect" in fields:
        raise Refused("417 Expectation Failed")
    words = first.split(b" ")
    path = words[1].partition(b"?")[0] if len(words) > 1 else b""
    if words[0] == b"CONNECT":
        raise Refused("405 Method Not Allowed")
    if not path.startswith(b"/") or path.startswith(b"//"):  # a host where a path should stand
        raise Refused("400 Bad Request")
    return Head(
        method=words[0],
        path=unquote_to_bytes(path),
        cookies=b"; ".join(fields.get(b"cookie", ())).decode("latin-1"),
        head_bytes=end + len(END),
        body_bytes=_length(fields.get(b"content-length", ())),
    )


def _fields(lines: list[bytes]) -> dict[bytes, list[bytes]]:
    """The values of each header, by its lower-case name."""
    fields: dict[bytes, list[bytes]] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if not colon or not name or name != name.strip():  # also a line that goes on the one before
            raise Refused("400 Bad Request")
        fields.setdefault(name.lower(), []).append(value.strip())
    return fields


def _length(told: Sequence[bytes]) -> int:
    if not told:
        return 0
    if len(told) > 1 or not told[0].isdigit() or len(told[0]) > 15:
        raise Refused("400 Bad Request")
    length = int(told[0])
    if length > MOST_BODY_BYTES:
        raise Refused("413 Request Entity Too Large")
    return length

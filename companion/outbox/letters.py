"""One letter to a hall, and its answer.

Over HTTPS the hall's own certificate authority is learnt when the table joins, and known by the
fingerprint that stands in the hall's code. Knows HTTP; knows nothing of entries.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import io
import json
import re
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard
from urllib.parse import urlsplit

from companion.errors import BadInput
from companion.outbox.link import Check, HallLink, LinkFile, new_table_id, unchecked

TIMEOUT_S = 10.0
"""So long a hall may take to answer whole; only who joins one or leaves it waits for it."""

KNOCK_S = 3.0
"""So long a table that starts waits to hear whether its hall still knows it."""

MOST_ANSWER = 1_000_000
MOST_TAKEN = 2 * MOST_ANSWER
"""Bytes that are taken from the line for one answer, its head and what divides it into chunks included."""

MOST_REASON = 200
MOST_TABLES = 9999

LATER = (429, 500, 503)
"""A hall's answers that say nothing of the code: too many tables knock, or its database is away."""

CERTIFICATE = "/cloud-mine-companion.crt"


class HallSilent(Exception):
    """Raised when a hall does not answer, or not as a hall: the letter is sent again later."""


class NotJoined(BadInput):
    """Raised when a hall cannot be joined. `why` is one word for it, by which a page finds its own
    sentence: "no_address", "cut_off", "silent", "code", "later", "update", "fingerprint" or "busy"."""

    def __init__(self, why: str, sentence: str) -> None:
        super().__init__(sentence)
        self.why = why


@dataclass(frozen=True, slots=True)
class HallAddress:
    """What stands in a hall's code: where it is, the code that lets a table in, and the fingerprint
    of its certificate where it is secure."""

    base: str
    code: str | None
    fingerprint: str | None


def read_address(text: str) -> HallAddress:
    """The address of a hall, as its screen shows it. Raises NotJoined."""
    try:
        parts = urlsplit(text.strip())
        known = parts.scheme in ("http", "https") and parts.port is not None
    except ValueError:
        known = False
    if not known or not re.fullmatch(r"[\w.:%-]+", parts.hostname or ""):
        raise NotJoined(
            "no_address",
            f"{text[:80]!r} is no hall's address: it looks like http://192.168.1.9:8770/table/..., as the "
            "hall's screen shows it",
        )
    found = re.fullmatch(r"/table/([A-Za-z0-9_-]{8,64})", parts.path)
    fingerprint = parts.fragment.upper().replace(":", "") or None
    if fingerprint is not None and not re.fullmatch("[0-9A-F]{64}", fingerprint):
        raise NotJoined(
            "cut_off",
            "the end of the hall's address is cut off: take it whole, as its screen shows it",
        )
    return HallAddress(f"{parts.scheme}://{parts.netloc}", found[1] if found else None, fingerprint)


def ask(
    base: str,
    method: str,
    path: str,
    told: Any = None,
    cookie: str = "",
    certificate: str | None = None,
    timeout_s: float = TIMEOUT_S,
) -> tuple[int, dict[str, Any]]:
    """The hall's answer: its status and its JSON.

    Raises:
        HallSilent: there is none, or it is none of a hall's.
    """
    status, data = _exchange(
        base,
        method,
        path,
        None if told is None else json.dumps(told, separators=(",", ":")).encode(),
        cookie,
        certificate,
        timeout_s,
    )
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise HallSilent("it answers, but not as a hall")
    return status, answer


def _exchange(
    base: str,
    method: str,
    path: str,
    body: bytes | None,
    cookie: str,
    certificate: str | None,
    timeout_s: float,
) -> tuple[int, bytes]:
    headers = {"Origin": base, "Connection": "close"}
    if cookie:
        headers["Cookie"] = cookie
    if body is not None:
        headers["Content-Type"] = "application/json"
    try:
        with contextlib.closing(_connection_to(base, certificate, timeout_s)) as connection:
            connection.response_class = _BoundedAnswer
            connection.connect()
            with _cut_off_after(timeout_s, connection.sock):
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                return answer.status, answer.read(MOST_ANSWER)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise HallSilent(printable(str(error)) or type(error).__name__) from error


class _BoundedAnswer(http.client.HTTPResponse):
    """An answer that ends after `MOST_TAKEN` bytes, whatever it says of its own length: to `http.client` a
    chunk of -1 bytes is all that ever comes."""

    def __init__(self, sock: socket.socket, *given: Any, **named: Any) -> None:
        super().__init__(sock, *given, **named)
        self.fp = io.BufferedReader(_Counted(self.fp.detach()))


class _Counted(io.RawIOBase):
    """The line, of which so many bytes are read and no more."""

    def __init__(self, line: io.RawIOBase) -> None:
        self._line = line
        self._left = MOST_TAKEN

    def readable(self) -> bool:
        """True: that is all it is for."""
        return True

    def readinto(self, room: Any) -> int | None:
        """How many bytes came; 0 at the end, or once it was enough."""
        many: int | None = self._line.readinto(memoryview(room)[: self._left])
        self._left -= many or 0
        return many

    def close(self) -> None:
        """Close the line."""
        self._line.close()
        super().close()


@contextlib.contextmanager
def _cut_off_after(seconds: float, sock: socket.socket) -> Iterator[None]:
    """Shut this socket down unless what is done with it has ended by then: a socket's own time-out
    begins anew with each byte, and a hall that sends a byte a second would never be done."""

    def cut_off() -> None:
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut_off)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def printable(text: str) -> str:
    """What a hall says, without what a terminal would obey, and not without end."""
    return "".join(c for c in text[:MOST_REASON] if c.isprintable())


def reason_of(answer: dict[str, Any], status: int) -> str:
    """Why a hall refuses, in its own words."""
    return printable(str(answer.get("reason") or answer.get("error") or status))


def _connection_to(
    base: str, certificate: str | None, timeout_s: float
) -> http.client.HTTPConnection:
    """Not open yet. ValueError, OSError or HTTPException for an address or a certificate that is none."""
    parts = urlsplit(base)
    host = parts.hostname or ""
    if parts.scheme != "https":
        return http.client.HTTPConnection(host, parts.port, timeout=timeout_s)
    context = ssl.create_default_context(cadata=certificate)
    return http.client.HTTPSConnection(host, parts.port, timeout=timeout_s, context=context)


def join(address: HallAddress, since: int, name: str = "") -> HallLink:
    """Let this table in by its code, with a new id of its own; the evenings from `since` on are sent.

    Raises:
        NotJoined: the code is not good, or the hall does not answer; the sentence says what to do.
    """
    if address.code is None:
        raise NotJoined(
            "cut_off", "this table is not in that hall yet: take the whole address from its screen"
        )
    table = new_table_id()
    try:
        certificate = _learn_certificate(address)
        status, answer = ask(
            address.base,
            "POST",
            "/api/table/join",
            {"code": address.code, "table": table, "name": name},
            certificate=certificate,
        )
    except HallSilent as error:
        raise NotJoined(
            "silent",
            f"the hall at {address.base} does not answer ({error}): is it in the same network?",
        ) from error
    if status in LATER:
        raise NotJoined(
            "later",
            f"the hall can take no table in just now ({reason_of(answer, status)}): do it again in a minute",
        )
    if status != 200:
        raise NotJoined(
            "code",
            f"the hall lets this table not in ({reason_of(answer, status)}): take a fresh code from "
            "its screen",
        )
    cookie, token, number = (answer.get(name) for name in ("cookie", "token", "number"))
    if not (_is_word(cookie) and _is_word(token) and _is_table_number(number)):
        raise NotJoined("update", "the hall answers in another way: update the companion")
    return HallLink(address.base, cookie, token, number, table, since, certificate=certificate)


def _is_word(told: object) -> TypeGuard[str]:
    """Whether this can be a cookie's name or what it holds."""
    return isinstance(told, str) and re.fullmatch(r"[A-Za-z0-9_.~-]{1,200}", told) is not None


def _is_table_number(told: object) -> TypeGuard[int]:
    return type(told) is int and 0 < told <= MOST_TABLES


def join_hall(
    links: LinkFile, evenings: NumberedEvenings, text: str, check: Check = unchecked
) -> HallLink:
    """The link to the hall at this address; joined by the code in it, unless this table is there
    already. What is being played now is sent, and what comes; nothing from before, also where one of
    before was put back on the table or lies there still though it is over: a hall that had it under
    another address would count it twice.

    Raises:
        NotJoined: it cannot be joined; the sentence says what to do.
        BadInput: the disk does not take the link.
        What `check` raises once the hall has answered: then nothing is changed.
    """
    address = read_address(text)
    if links.link is not None and links.link.address == address.base and _is_known(links.link):
        return links.link
    link = join(address, _first_to_send(evenings))
    links.keep(link, check)
    return link


def _first_to_send(evenings: NumberedEvenings) -> int:
    now = evenings.evening
    if (
        now is not None
        and not evenings.is_over(now)
        and max(evenings.own_lengths(now), default=0) == now
    ):
        return now
    return evenings.next_evening


def _is_known(link: HallLink) -> bool:
    """False where the hall says that it does not know this table (any more)."""
    cookie = f"{link.cookie}={link.token}"
    try:
        status, _ = ask(
            link.address,
            "GET",
            "/api/table/progress",
            cookie=cookie,
            certificate=link.certificate,
            timeout_s=KNOCK_S,
        )
    except HallSilent:
        return True
    return status != 401


class NumberedEvenings(Protocol):
    """What joining asks of a journal."""

    @property
    def evening(self) -> int | None:
        """The evening that is being played, or None."""

    @property
    def next_evening(self) -> int:
        """The number the next new evening will get."""

    def is_over(self, evening: int, /) -> bool:
        """Whether the game of this evening is over."""

    def own_lengths(self, first: int) -> dict[int, int]:
        """How many entries each evening of this table has, from number `first` on; those that came from
        another companion are not among them."""


def _learn_certificate(address: HallAddress) -> str | None:
    """The hall's certificate, as PEM; None for a hall that is not secure. Raises NotJoined."""
    if not address.base.startswith("https:"):
        return None
    if address.fingerprint is None:
        raise NotJoined(
            "cut_off",
            "a secure hall's address ends in its fingerprint: take it whole from its screen",
        )
    plain = "http" + address.base.removeprefix("https")
    status, der = _exchange(plain, "GET", CERTIFICATE, None, "", None, TIMEOUT_S)
    if status != 200 or hashlib.sha256(der).hexdigest().upper() != address.fingerprint:
        raise NotJoined(
            "fingerprint",
            "the certificate of that hall is another one than its screen says: somebody else may answer "
            "in its place",
        )
    return ssl.DER_cert_to_PEM_cert(der)

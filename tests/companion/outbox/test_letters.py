"""Letters to a hall that is none, or that means ill: each ends in time, and nothing it says is obeyed."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from pathlib import Path

import pytest

from companion.outbox.letters import HallSilent, NotJoined, ask, join, read_address
from companion.outbox.link import HallLink
from companion.outbox.sender import Sender
from tests.companion.outbox.test_sender import GrowingEvenings, linked
from tests.support.hall.tables import played_log

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n"
DROPS = {
    "its body": (b" ", HEAD),
    "its head": (b"x", b"HTTP/1.1 200 OK\r\nX-Long: "),
    "go on, go on": (b"HTTP/1.1 100 Continue\r\n\r\n", b""),
}
"""What comes for ever, after what came first."""


@contextmanager
def answering(first: bytes, then: Iterator[bytes]) -> Iterator[str]:
    """A server that says the first, and what follows every 20 ms; its address."""
    ended = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        while not ended.is_set():
            try:
                asked, _ = listening.accept()
            except OSError:
                return
            with asked:
                asked.recv(4096)
                try:
                    for said in chain([first], then):
                        asked.sendall(said)
                        if ended.wait(0.02):
                            break
                except OSError:
                    continue

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        ended.set()
        listening.close()


def test_a_hall_that_sends_without_end_is_not_read_without_end() -> None:
    """To Python's own client a chunk of -1 bytes is all that ever comes: 30 MB are not taken."""
    taken = 0

    def megabytes() -> Iterator[bytes]:
        nonlocal taken
        for _ in range(30):
            taken += 1
            yield b" " * 1_000_000

    first = b"HTTP/1.1 200 .\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n"
    with answering(first, megabytes()) as base, pytest.raises(HallSilent):
        ask(base, "GET", "/api/table/progress")
    assert taken < 20  # what lies in the sockets' own buffers comes on top


def test_an_answer_in_chunks_is_an_answer() -> None:
    """A server between table and hall may pass it on like that."""
    said = b'HTTP/1.1 200 .\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n3\r\n:1}\r\n0\r\n\r\n'
    with answering(said, iter(())) as base:
        assert ask(base, "GET", "/api/table/progress") == (200, {"a": 1})


def whole(status: int, told: object) -> bytes:
    body = json.dumps(told).encode()
    return b"HTTP/1.1 %d .\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)


@pytest.mark.parametrize("which", DROPS)
def test_a_hall_that_answers_in_drops_is_silent(which: str) -> None:
    """A byte now and then keeps a socket's own time-out from ever coming: the whole answer has one."""
    drop, first = DROPS[which]
    with answering(first, repeat(drop)) as base, pytest.raises(HallSilent):
        ask(base, "GET", "/api/table/progress", timeout_s=0.4)


@pytest.mark.parametrize(
    "spoilt",
    [
        {"token": "\ud800"},
        {"cookie": "a=b; c"},
        {"token": "a\r\nX: y"},
        {"token": 7},
        {"token": "a" * 100_000},
        {"number": 10**4000},
        {"number": True},
        {"number": -1},
        {"cookie": None},
    ],
)
def test_what_is_no_token_is_not_kept(spoilt: dict[str, object]) -> None:
    """Half a character, a line break, a number of 4,000 digits: no hall of ours says so."""
    told = {"cookie": "c", "token": "t", "number": 1} | spoilt
    with answering(whole(200, told), iter(())) as base, pytest.raises(NotJoined) as refused:
        join(read_address(f"{base}/table/abcdefgh"), 1)
    assert refused.value.why == "update"


def test_a_terminal_obeys_no_hall() -> None:
    """A refusal's reason is shown without what a terminal would obey, and not without end."""
    told = {"reason": "\x1b]0;mine\x07\x1b[2J\nNo.\u202e" + "a" * 500_000}
    with answering(whole(403, told), iter(())) as base, pytest.raises(NotJoined) as refused:
        join(read_address(f"{base}/table/abcdefgh"), 1)
    assert str(refused.value).isprintable()
    assert "No." in str(refused.value)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    "progress",
    [
        {"evenings": [1]},
        {"evenings": {"a": 1}},
        {"evenings": {"1": "b"}},
        {"evenings": {"1": -1}},
        {"evenings": {"1": 10**4000}},
        {},
    ],
)
def test_an_answer_of_another_shape_is_no_halls(progress: object, tmp_path: Path) -> None:
    """The table waits, and says so, instead of believing that all was sent."""
    sender = Sender(linked(tmp_path), GrowingEvenings({1: played_log(3, 9)}))
    with answering(whole(200, progress), iter(())) as base, pytest.raises(HallSilent):
        sender.send_once(HallLink(base, "c", "t", 1, "ab" * 16, 1))

"""Requests come in whole, and each asker holds but a few of the threads."""

from __future__ import annotations

import pytest

from companion.web.reception.arriving import Refused, read_head
from companion.web.reception.lanes import Asker, Lanes, Shares, Turn, Work, WorkKind

SHARES = Shares(streams=6, streams_kept=1, others=8, streams_a_device=2, kept_for_commands=2)
STRANGER = Asker("10.0.0.9")
TABLET = Asker("tablet", let_in=True, controls=True)


def turns(lanes: Lanes[str], work: Work, names: str) -> list[Turn]:
    """What becomes of so many requests of one kind."""
    return [lanes.ask(name, work, 0.0) for name in names]


def other(key: str) -> Work:
    """A question of a device that may tap."""
    return Work(Asker(key, let_in=True, controls=True), WorkKind.OTHER)


def looked_on(key: str) -> Work:
    """A question of a device that may only look on."""
    return Work(Asker(key, let_in=True), WorkKind.OTHER)


def test_a_request_is_whole_with_its_last_byte() -> None:
    """The head is read once it is all there, and says how long the body is."""
    request = b"POST /api/%63ommand?a=b HTTP/1.1\r\nCookie: a=1\r\nCOOKIE: b=2\r\ncontent-length: 5\r\n\r\n12"
    assert read_head(request[:40]) is None
    head = read_head(request)
    assert head is not None
    assert (head.method, head.path, head.cookies) == (b"POST", b"/api/command", "a=1; b=2")
    assert head.whole_bytes == len(request) + 3


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ("Transfer-Encoding: chunked", "411"),
        ("Content-Length: 5\r\nContent-Length: 6", "400"),
        ("Content-Length: +5", "400"),
        ("Content-Length : 5", "400"),
        ("Content-Length: 5\r\n 6", "400"),
        ("Content-Length: 3000001", "413"),
        ("Content-Length: 99999999999999999999", "400"),
        ("Expect: 100-continue", "417"),
        ("no colon", "400"),
        ("X: " + "a" * 40_000, "413"),
        ("\r\n".join(["a:"] * 200), "431"),
    ],
)
def test_a_head_no_browser_sends_is_refused_unread(lines: str, status: str) -> None:
    """Another length, chunks, a folded line: a status, before any body is taken."""
    with pytest.raises(Refused, match=status):
        read_head(f"POST / HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n\r\n".encode())


def test_strangers_share_a_few_threads() -> None:
    """Two of one address, four in all; the next one waits, and comes when one has left."""
    lanes: Lanes[str] = Lanes(SHARES)
    work = Work(STRANGER, WorkKind.OTHER)
    assert turns(lanes, work, "abc") == [Turn.NOW, Turn.NOW, Turn.LATER]
    assert turns(lanes, Work(Asker("10.0.0.8"), WorkKind.OTHER), "de") == [Turn.NOW, Turn.NOW]
    assert turns(lanes, Work(Asker("10.0.0.7"), WorkKind.OTHER), "f") == [Turn.LATER]
    assert lanes.leave("a", 1.0) == ["c"]
    assert lanes.leave("d", 1.0) == ["f"]


def test_a_tap_finds_a_thread_whatever_else_is_asked() -> None:
    """With every other thread held by greedy devices those kept for commands are free."""
    lanes: Lanes[str] = Lanes(SHARES)
    assert turns(lanes, other("a"), "12345") == [Turn.NOW] * 4 + [Turn.LATER]
    assert turns(lanes, other("b"), "6789") == [Turn.NOW] * 2 + [Turn.LATER] * 2
    assert turns(lanes, Work(STRANGER, WorkKind.OTHER), "s") == [Turn.LATER]
    assert turns(lanes, Work(TABLET, WorkKind.COMMAND), "t") == [Turn.NOW]


def test_whoever_asks_for_streams_again_and_again_leaves_one_for_who_holds_none() -> None:
    """Twelve devices that control, too: 28 of 30 streams of the tablet that keeps the score were refused."""
    lanes: Lanes[str] = Lanes(Shares(streams=64, streams_kept=8, others=20))
    asked = [
        lanes.ask(f"{key}{number}", Work(Asker(key, True, True), WorkKind.STREAM), 0.0)
        for number in range(12)
        for key in "abcdefghijkl"
    ]
    assert asked.count(Turn.NOW) == 60
    assert turns(lanes, Work(TABLET, WorkKind.STREAM), "tu") == [Turn.NOW, Turn.NEVER]


def test_who_does_not_take_his_answers_leaves_a_place_for_who_holds_none() -> None:
    """Six devices that control and never read held every thread with the answers of their taps: the page of a
    tablet that came back was refused. One that asks while it holds none is served."""
    lanes: Lanes[str] = Lanes(Shares(streams=6, streams_kept=1, others=20))
    taps = [
        lanes.ask(f"{key}{number}", Work(Asker(key, let_in=True, controls=True), kind), 0.0)
        for number in range(8)
        for kind in (WorkKind.COMMAND, WorkKind.OTHER)
        for key in "abcdef"
    ]
    assert taps.count(Turn.NOW) == 17
    assert turns(lanes, other("tablet"), "12") == [Turn.NOW, Turn.LATER]
    assert turns(lanes, Work(Asker("phone", True, True), WorkKind.COMMAND), "34") == [
        Turn.NOW,
        Turn.LATER,
    ]


def test_however_many_look_on_who_may_tap_is_served() -> None:
    """One guest is let in as often as his browser asks: all who look on share a few threads, and what
    they leave is there for a tablet's pages and a phone's pictures. He held all of them for minutes."""
    lanes: Lanes[str] = Lanes(
        Shares(streams=6, streams_kept=1, others=12, kept_for_commands=4, watchers=3)
    )
    assert turns(lanes, looked_on("a"), "12") == [Turn.NOW] * 2
    assert turns(lanes, looked_on("b"), "34") == [Turn.NOW, Turn.LATER]
    assert turns(lanes, other("t"), "5678") == [Turn.NOW] * 4
    assert lanes.leave("1", 1.0) == ["4"]


def test_a_stream_too_many_is_refused_at_once() -> None:
    """It never waits: the screen is told when to come again."""
    lanes: Lanes[str] = Lanes(SHARES)
    assert turns(lanes, Work(TABLET, WorkKind.STREAM), "abc") == [Turn.NOW, Turn.NOW, Turn.NEVER]
    assert lanes.leave("a", 1.0) == []
    assert turns(lanes, Work(TABLET, WorkKind.STREAM), "d") == [Turn.NOW]


def test_however_many_look_on_the_tablets_stream_finds_a_thread() -> None:
    """Twelve browsers that asked for streams again and again held every thread of them, ended ones too: 35 of
    39 streams of the tablet that keeps the score were refused."""
    lanes: Lanes[str] = Lanes(SHARES)
    onlookers = [Work(Asker(key, let_in=True), WorkKind.STREAM) for key in "abc"]
    asked = [
        turn
        for work, names in zip(onlookers, ("12", "34", "56"), strict=True)
        for turn in turns(lanes, work, names)
    ]
    assert asked.count(Turn.NOW) == 5
    assert turns(lanes, Work(TABLET, WorkKind.STREAM), "t") == [Turn.NOW]


def test_nobody_waits_for_ever() -> None:
    """After some seconds who waits is named, once; one asker has but so many that wait."""
    lanes: Lanes[int] = Lanes(SHARES)
    asked = [lanes.ask(number, Work(STRANGER, WorkKind.OTHER), 0.0) for number in range(40)]
    assert asked.count(Turn.LATER) == SHARES.waiting_of_one
    assert asked[-1] is Turn.NEVER
    assert lanes.give_up(9.0) == []
    assert len(lanes.give_up(10.1)) == SHARES.waiting_of_one
    assert lanes.give_up(19.0) == []


def test_a_stranger_who_does_not_take_his_answer_is_named() -> None:
    """After ten seconds; a device that was let in may be slow."""
    lanes: Lanes[str] = Lanes(SHARES)
    turns(lanes, Work(STRANGER, WorkKind.OTHER), "s")
    turns(lanes, other("a"), "a")
    assert (lanes.overdue(9.0), lanes.overdue(11.0)) == ([], ["s"])

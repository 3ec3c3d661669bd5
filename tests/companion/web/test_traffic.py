"""What the tablet's server reads and sends: bodies of commands, pictures, files, and the streams of
states."""

from __future__ import annotations

import http.client
import json
import socket
import time
from contextlib import ExitStack

import numpy as np
import pytest
from cheroot.workers.threadpool import WorkerThread
from flask import Flask, g
from werkzeug.exceptions import ServiceUnavailable

from companion.web import Door, Rule, Server, create_app, heavy_work
from companion.web.guards import strict_json as strict
from companion.web.guards.access import Device
from companion.web.guards.headers import HEADERS
from companion.web.reception import connections
from companion.web.reception.lanes import Lanes, Shares
from companion.web.views import print_room
from tests.support.companion_web_client import HOME, JSON, enter, send
from tests.support.kept_evening import KeptEvening, played


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"[" * 20_000, "long"),
        (b"[" * 500 + b"]" * 500, "deep"),
        (b'{"a":NaN}', "number"),
        (b'{"a":-Infinity}', "number"),
        (b'{"a":1e999}', "number"),
        (b'{"a":1,"a":2}', "twice"),
        (b'{"a":"\\ud800"}', "surrogate"),
        (b'{"\\udfff":1}', "surrogate"),
        (b"\xff\xfe", "utf8"),
        (b'{"a":' + b"9" * 5000 + b"}", "number"),
        (b"{", "syntax"),
        (b"", "syntax"),
        (b'{"a":"' + b"x" * 401 + b'"}', "long"),
    ],
)
def test_json_that_no_page_of_ours_sends_is_refused(app: Flask, body: bytes, reason: str) -> None:
    """Odd JSON gets 400 and its reason, never a 5xx."""
    with pytest.raises(strict.BadJson, match=reason):
        strict.loads(body)
    answer = enter(app).post("/api/command", data=body, headers=JSON)
    assert (answer.status_code, answer.json["reason"]) == (400, reason)


@pytest.mark.parametrize(
    "body",
    [
        "[]",
        "3",
        '"x"',
        "null",
        "{}",
        '{"do":1,"id":"12345678","version":1}',
        '{"do":"wrong","id":"1","version":1}',
        '{"do":"wrong","id":"12345678","version":true}',
    ],
)
def test_a_command_without_its_id_and_version_is_refused(app: Flask, body: str) -> None:
    """A body of another shape is a 400."""
    assert enter(app).post("/api/command", data=body, headers=JSON).status_code == 400


def test_only_json_bodies_of_a_moderate_size_are_read(app: Flask) -> None:
    """A form is 415, a body beyond the limit 413."""
    client = enter(app)
    assert (
        client.post(
            "/api/command", data="do=wrong", headers={"Origin": HOME, "Content-Type": "text/plain"}
        ).status_code
        == 415
    )
    assert client.post("/api/command", data=b"x" * 70_000, headers=JSON).status_code == 413


def test_a_command_carries_the_name_of_its_device(app: Flask, evening: KeptEvening) -> None:
    """What is written into the log says which screen asked, whatever the body claims."""
    assert send(enter(app), evening, "wrong", author="somebody else").status_code == 200
    assert evening.entries[-1].author == "Computer"


def test_a_command_sent_twice_is_done_once_and_an_old_one_is_told_the_present(
    app: Flask, evening: KeptEvening
) -> None:
    """The same id gives the same answer; a version that was overtaken gives 409 with the present
    state."""
    client, version = enter(app), evening.version
    first = send(client, evening, "wrong", version=version)
    again = send(client, evening, "wrong", version=version)
    assert first.data == again.data
    stale = send(client, evening, "wrong", id="command-0002", version=version)
    assert (stale.status_code, stale.json["scoreboard"]["version"]) == (409, version + 1)


def test_a_fault_of_the_session_is_told_without_details(
    app: Flask, evening: KeptEvening, caplog: pytest.LogCaptureFixture
) -> None:
    """An exception in the session is a plain 500 for the screen and a logged one for the host."""
    evening.session.past_players = lambda: 1 / 0
    answer = enter(app).get("/api/people")
    assert (answer.status_code, answer.json) == (500, {"error": "failure"})
    assert "division" in caplog.text


def test_the_picture_is_shut_in_the_secret_part(app: Flask, evening: KeptEvening) -> None:
    """No picture leaves while the session gives none; when it gives one it is a JPEG that no cache
    keeps."""
    client = enter(app)
    assert client.get("/api/picture").status_code == 204
    evening.watched(picture=np.zeros((72, 128, 3), np.uint8))
    assert evening.board["phase"] == "guessing"
    answer = client.get("/api/picture?w=99999")
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("image/jpeg", "no-store")
    assert answer.data[:2] == b"\xff\xd8"
    evening.do("right").do("next")
    assert client.get("/api/picture").status_code == 204


def test_card_art_is_served_for_cards_that_exist(app: Flask) -> None:
    """A card's picture may be kept by the screen; a card there is none of is a 404."""
    client = enter(app)
    answer = client.get("/art/7")
    assert (answer.status_code, answer.mimetype) == (200, "image/webp")
    assert "max-age" in answer.headers["Cache-Control"]
    assert client.get("/art/100").status_code == 404


def test_the_evening_can_be_taken_home(app: Flask) -> None:
    """The ledger comes as a file with a name."""
    answer = enter(app).get("/api/export/csv")
    assert answer.headers["Content-Disposition"] == "attachment; filename=cloud-mine-evening.csv"
    assert enter(app).get("/api/export/exe").status_code == 404


def test_a_stream_begins_with_the_whole_state_and_its_version(
    app: Flask, evening: KeptEvening
) -> None:
    """The first message is everything, with the version as its id; the next one is the next state."""
    answer = enter(app).get("/api/stream")
    parts = answer.iter_encoded()
    first = next(parts).decode()
    assert f"id: {evening.version}\n" in first
    assert json.loads(first.split("data: ")[1]) == evening.board
    send(enter(app), evening, "wrong")
    assert f"id: {evening.version}\n" in next(parts).decode()
    answer.close()
    assert len(app.extensions["companion"].streams) == 0


def test_the_stream_beyond_the_cap_is_told_to_come_back(app: Flask) -> None:
    """With every place taken the next screen gets 503 and a time to try again; a place that is
    given back is free."""
    held = [enter(app).get("/api/stream") for _ in range(2)]
    refused = enter(app).get("/api/stream")
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    held[0].close()
    again = enter(app).get("/api/stream")
    assert again.status_code == 200
    again.close()
    held[1].close()


def test_a_device_has_one_stream_a_tab(app: Flask) -> None:
    """A screen that reconnects takes over its own place instead of a second one; another tab has a
    place of its own."""
    client, streams = enter(app), app.extensions["companion"].streams
    first, second = client.get("/api/stream?tab=a"), client.get("/api/stream?tab=a")
    assert (first.status_code, second.status_code, len(streams)) == (200, 200, 1)
    first.close()
    assert len(streams) == 1
    other = client.get("/api/stream?tab=b")
    assert len(streams) == 2
    other.close()
    second.close()
    assert len(streams) == 0


def test_a_tablet_that_slept_without_a_word_is_right_again(evening: KeptEvening) -> None:
    """Each time it wakes its old connection is still open and unread; the new one begins with the
    present state, and the old one's stream ends: one stream for the tablet, however often it slept."""
    app = create_app(evening.session, Door())
    door, streams = app.extensions["companion"].door, app.extensions["companion"].streams
    server = Server(app, "127.0.0.1", 0).start()
    cookie = f"companion_device={door.enter(door.invite(), 'Tablet')}"
    asked = (
        f"GET /api/stream?tab=a HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode()
    )
    asleep: list[socket.socket] = []
    for number in range(20):
        line = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        line.sendall(asked)
        came = b""
        while b"\n\n" not in came.partition(b"id: ")[2]:
            came += line.recv(65_536)
        assert f"id: {evening.session.version}\n".encode() in came
        assert len(streams) == 1
        asleep.append(line)
        named = {"do": "name", "round": 1, "words": f"cloud {number}"}
        named |= {"id": f"while-asleep-{number}", "version": evening.session.version}
        assert evening.session.command(named)[0] == 200
    for line in asleep[:-1]:  # what it finds when it reads on
        came = b""
        while b"event: closed" not in came:
            part = line.recv(65_536)
            assert part
            came += part
    for line in asleep:
        line.close()
    server.stop()


def test_one_device_cannot_take_every_stream(app: Flask) -> None:
    """A device with many tabs keeps its newest four; another device still finds a place."""
    app.extensions["companion"].streams.cap = 6
    greedy, streams = enter(app), app.extensions["companion"].streams
    held = [greedy.get(f"/api/stream?tab={i}") for i in range(9)]
    assert {answer.status_code for answer in held} == {200}
    assert len(streams) == 4
    other = enter(app).get("/api/stream")
    assert other.status_code == 200
    for answer in (*held, other):
        answer.close()
    assert len(streams) == 0


def test_onlookers_leave_places_for_those_who_keep_the_score(app: Flask) -> None:
    """With a room full of watching screens the next one is sent away, and a tablet that controls
    still gets its stream."""
    streams = app.extensions["companion"].streams
    streams.cap = 16
    watching = [enter(app, Rule.WATCH).get("/api/stream") for _ in range(15)]
    assert [answer.status_code for answer in watching] == [200] * 14 + [503]
    keeping = enter(app).get("/api/stream")
    assert keeping.status_code == 200
    for answer in (*watching[:14], keeping):
        answer.close()


def test_fifty_screens_may_look_on_as_it_ships(evening: KeptEvening) -> None:
    """An app made with nothing said has a stream for each of fifty onlookers and for the tablet."""
    app = create_app(evening.session, Door())
    watching = [enter(app, Rule.WATCH).get("/api/stream") for _ in range(50)]
    keeping = enter(app).get("/api/stream")
    assert {answer.status_code for answer in (*watching, keeping)} == {200}
    for answer in (*watching, keeping):
        answer.close()


def ask(port: int, **more: str) -> int:
    """The status of a plain GET."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    line.request("GET", "/", headers=more)
    status = line.getresponse().status
    line.close()
    return status


def test_slow_requests_hold_up_nobody() -> None:
    """Forty connections that send half a request, sixty that send nothing: the same address is
    answered."""
    server = Server(create_app(played().session), "127.0.0.1", 0).start()
    lines = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(100)]
    for line in lines[:40]:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
    assert ask(server.port) == 401
    for line in lines:
        line.close()
    server.stop()


def test_slow_bodies_hold_up_nobody() -> None:
    """Eighty connections that send a body drop by drop, as many as there are threads: the same
    address is answered within two seconds."""
    server = Server(create_app(played().session), "127.0.0.1", 0).start()
    lines = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(80)]
    head = b"POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for line in lines:
        line.sendall(head + b"Content-Length: 9000\r\n\r\n{")
    began_s = time.monotonic()
    assert ask(server.port) == 401
    assert time.monotonic() - began_s < 2.0
    for line in lines:
        line.close()
    server.stop()


def test_more_connections_than_there_is_room_for_send_the_silent_away() -> None:
    """Three hundred silent connections of a stranger: the longest silent ones are closed, a request
    is answered."""
    server = Server(create_app(played().session), "127.0.0.1", 0).start()
    lines = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(300)]
    assert ask(server.port) == 401
    assert lines[0].recv(10) == b""
    for line in lines:
        line.close()
    server.stop()


def test_a_hundred_streams_of_one_device_are_held_or_refused_at_once(evening: KeptEvening) -> None:
    """A few are held, every other one gets 503 and when to come again; commands go on."""
    app = create_app(evening.session, Door())
    door = app.extensions["companion"].door
    cookie = f"Cookie: companion_device={door.enter(door.invite(), 'Greedy')}"
    server = Server(app, "127.0.0.1", 0).start()
    lines = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(100)]
    for tab, line in enumerate(lines):
        line.sendall(
            f"GET /api/stream?tab={tab} HTTP/1.1\r\nHost: localhost\r\n{cookie}\r\n\r\n".encode()
        )
    answers = [line.recv(2000) for line in lines]
    refused = [said for said in answers if said.startswith(b"HTTP/1.1 503")]
    assert len(refused) >= 80
    assert all(b"Retry-After: 5\r\n" in said for said in refused)
    assert any(said.startswith(b"HTTP/1.1 200") for said in answers)
    assert ask(server.port, **dict([cookie.split(": ")])) == 200
    for line in lines:
        line.close()
    server.stop()


def test_a_strangers_stream_is_refused_without_a_thread() -> None:
    """However busy the places of strangers are, who was never let in and asks for the stream hears at once
    that it is not for them."""
    server = Server(create_app(played().session), "127.0.0.1", 0).start()
    server._server.lanes = Lanes(Shares(streams=4, streams_kept=0, others=4, strangers=0))
    for cookie in ("", "Cookie: companion_device=x\r\n"):
        asked = f"GET /api/stream?tab=a HTTP/1.1\r\nHost: localhost\r\n{cookie}\r\n"
        said = raw_answer(server.port, asked.encode())
        assert said.startswith("HTTP/1.1 401 ")
        assert "Content-Security-Policy: " in said
    server.stop()


def raw_answer(port: int, request: bytes, then: bytes = b"") -> str:
    """All that comes back for these bytes until the server hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=15) as line:
        line.sendall(request)
        if then:
            line.sendall(then)
        said = b""
        while part := line.recv(65_536):
            said += part
    return said.decode("latin-1")


def test_a_body_that_never_comes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """408 after the deadline, however often a drop comes; one that comes in two parts is read."""
    monkeypatch.setattr(connections, "WHOLE_S", 0.3)
    server = Server(create_app(played().session), "127.0.0.1", 0).start()
    head = b"POST /api/command HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 6\r\n\r\n"
    assert raw_answer(server.port, head + b"{").startswith("HTTP/1.1 408")
    assert raw_answer(server.port, head + b"{", b"     ").startswith("HTTP/1.1 403")
    server.stop()


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", "405"),
        (b"CONNECT //] HTTP/1.1\r\nHost: localhost\r\n\r\n", "405"),
        (b"NONSENSE\r\n\r\n", "400"),
        (b"GET //]/api HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
        (b"GET //evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
        (b"GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
        (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 60_000 + b"\r\n\r\n", "413"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n", "400"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n", "413"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", "411"),
    ],
)
def test_the_servers_own_refusals_carry_the_strict_headers(
    request_bytes: bytes, status: str
) -> None:
    """What never reaches the app is refused with the same headers as every answer."""
    server = Server(create_app(played().session), "127.0.0.1", 0).start()
    answer = raw_answer(server.port, request_bytes)
    server.stop()
    assert answer.startswith(f"HTTP/1.1 {status}")
    for name, value in HEADERS.items():
        assert f"{name}: {value}\r\n" in answer


def test_heavy_work_is_done_one_at_a_time(
    app: Flask, evening: KeptEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one page is drawn, photos, previews and looks at the table are told to come back; a tap
    is taken as ever, and sheets of cards, which are counted undrawn, too."""
    monkeypatch.setattr(heavy_work, "WAIT_S", 0.01)
    print_room._preview.cache_clear()  # a page that another test had drawn would be no work
    client = enter(app)
    with heavy_work._turn:
        for path in ("/api/print?kind=table", "/api/print/page/1", "/api/calibration"):
            answer = client.get(path)
            assert (path, answer.status_code, answer.headers["Retry-After"]) == (path, 503, "5")
        assert send(client, evening, "pause").status_code == 200
        assert client.get("/api/print").status_code == 200
    assert client.get("/api/print?kind=table").status_code == 200


def test_who_looks_on_leaves_heavy_work_to_who_keeps_the_score() -> None:
    """However many pages watching devices ask for at once, the deck can be counted all the while."""

    def device(role: Rule) -> Device:
        return Device("key", "Screen", role, "0" * 64)

    app = create_app(played().session)
    with app.test_request_context("/"), ExitStack() as held:
        g.device = device(Rule.WATCH)
        for _ in range(heavy_work.MOST_WATCHING):
            held.enter_context(heavy_work._place_to_wait())
        with pytest.raises(ServiceUnavailable), heavy_work._place_to_wait():
            pass
        g.device = device(Rule.CONTROL)
        with heavy_work._place_to_wait():
            pass


def test_endless_headers_are_refused() -> None:
    """A head of 300 kB is 413, whoever sends it."""
    server = Server(create_app(played().session), "127.0.0.1", 0).start()
    assert ask(server.port, **{"X-Long": "a" * 60_000}) == 413
    server.stop()


def test_codes_that_ended_are_forgotten() -> None:
    """A thousand invitations that ran out take no room."""
    clock = [0.0]
    door = Door(now=lambda: clock[0])
    for _ in range(1000):
        door.invite(Rule.WATCH, minutes=30)
    clock[0] = 31 * 60
    door.invite(Rule.WATCH, minutes=30)
    assert len(door._invitations) == 1


def test_a_silent_stream_beats(
    app: Flask, evening: KeptEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When nothing happens a beat is sent, so that a screen that vanished frees its thread."""
    from companion.web import stream as streaming

    streams = app.extensions["companion"].streams
    ended = streams.enter("x")
    wait = evening.session.wait_for_change
    parts = streaming.messages(streams, "x", ended, wait, wait(-1, 0.0), beat_s=0.01)
    got = [next(parts) for _ in range(2)]
    assert got[1] == b"event: beat\ndata: 1\n\n"
    streams.end("x")
    assert b"closed" in b"".join(parts)
    assert len(streams) == 0


def test_no_stream_begins_once_the_server_stops(app: Flask) -> None:
    """A screen whose stream ended asks anew at once: it would hold its thread for ever."""
    server = Server(app, "127.0.0.1", 0).start()
    streams = app.extensions["companion"].streams
    ended = streams.enter("x:1")
    server.stop()
    assert ended.is_set()
    assert streams.enter("x:1") is None
    assert streams.enter("y:1") is None


def test_a_stream_of_a_device_that_was_sent_away_tells_no_more() -> None:
    """What happens between the sending away and the stream's end is not told to it."""
    from companion.web import stream as streaming

    streams = streaming.Streams()
    ended = streams.enter("x:1")

    def next_board(seen: int, _: float) -> tuple[dict[str, int], int]:
        streams.end("x")
        return {"version": seen + 1}, seen + 1

    told = list(streaming.messages(streams, "x:1", ended, next_board, ({"version": 1}, 1)))
    assert b'"version":1' in told[0]
    assert told[1:] == [b"event: closed\ndata: 1\n\n"]


def test_too_few_threads_for_the_streams_are_refused(app: Flask) -> None:
    """A server whose threads could all be held by streams is never started."""
    with pytest.raises(ValueError, match="streams"):
        Server(app, threads=2)


def test_a_port_in_use_is_one_sentence() -> None:
    """The second server on a port says which port and what to do."""
    from companion.errors import BadInput

    first = Server(create_app(played().session), "127.0.0.1", 0).start()
    with pytest.raises(BadInput, match="--port"):
        Server(create_app(played().session), "127.0.0.1", first.port).start()
    first.stop()


def test_a_server_that_gets_too_few_threads_leaves_nothing_behind(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threads that wait for ever would keep the process alive, with its port taken and nobody answering."""
    begin = WorkerThread.start

    def begin_five(worker: WorkerThread) -> None:
        if len(begun) == 5:
            raise RuntimeError("can't start new thread")
        worker.daemon = True  # the tests' own process must end
        begin(worker)
        begun.append(worker)

    begun: list[WorkerThread] = []
    monkeypatch.setattr(WorkerThread, "start", begin_five)
    server = Server(app, "127.0.0.1", 0)
    with pytest.raises(RuntimeError):
        server.start()
    assert [worker.is_alive() for worker in begun] == [False] * 5
    assert not server.running()
    with pytest.raises(OSError, match=r".+"):
        socket.create_connection(("127.0.0.1", server.port), 5).close()

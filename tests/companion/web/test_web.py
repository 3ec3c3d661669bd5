"""The tablet's server: who may do what, what a stranger gets, what every answer carries."""

from __future__ import annotations

import errno
import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.exceptions import Unauthorized

from companion.errors import JournalTrouble
from companion.web import Door, Rule, pairing_address
from companion.web.guards.access import MOST_INVITATIONS
from companion.web.guards.headers import bare_host, known_hosts, same_origin
from companion.web.heavy_work import heavy_work
from tests.support.companion_web_client import HOME, JSON, enter, send
from tests.support.kept_evening import KeptEvening


def test_every_route_declares_who_may_use_it(app: Flask) -> None:
    """A route without a rule cannot exist: every endpoint of the app is in the table of rules."""
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
    assert endpoints == set(app.extensions["companion"].rules)


def test_a_route_added_past_the_table_is_closed(app: Flask) -> None:
    """A view somebody adds without a rule answers nobody, not even a device that controls."""
    app.add_url_rule("/sneaky", "sneaky", lambda: "names")
    assert app.test_client().get("/sneaky").status_code == 401
    assert enter(app).get("/sneaky").status_code == 404


def test_an_unpaired_device_gets_nothing(app: Flask) -> None:
    """Without a cookie every guarded route answers 401 and says no name, no picture, no card."""
    rules = app.extensions["companion"].rules
    for rule in app.url_map.iter_rules():
        if rules[rule.endpoint] is Rule.OPEN:
            continue
        path = re.sub(r"<[^>]+>", "csv" if "export" in rule.rule else "7", rule.rule)
        for method in sorted((rule.methods or set()) - {"OPTIONS"}):
            answer = app.test_client().open(path, method=method, headers=JSON, data="{}")
            assert answer.status_code == 401, (method, path)
            assert not any(
                name.encode() in answer.data for name in ("Ida", "Livia", "Tom", "camel")
            )


def test_each_route_answers_each_role_by_its_rule(app: Flask) -> None:
    """Every route by three methods from every role: 401 for who was never let in, was sent away or belongs to
    another evening, 403 for a watcher where one must control, never a failure."""
    rules, door = app.extensions["companion"].rules, app.extensions["companion"].door
    sent_away = enter(app)
    door.revoke(door.devices[-1].key)
    elsewhere = app.test_client()
    elsewhere.set_cookie(
        "companion_device", Door().enter(Door().invite(), "x") or "of-another-evening"
    )
    clients = {"stranger": app.test_client(), "sent away": sent_away, "elsewhere": elsewhere,
               "watches": enter(app, Rule.WATCH), "controls": enter(app)}  # fmt: skip
    for route in app.url_map.iter_rules():
        path = re.sub(r"<[^>]+>", "csv" if "export" in route.rule else "7", route.rule)
        if path.startswith(("/api/stream", "/in/")):
            continue
        endless = re.sub(r"<[^>]+>", "9" * 30, route.rule)
        answer = clients["controls"].get(endless, buffered=True)
        assert answer.status_code < 500 or answer.status_code == 503, endless
        for method in ("GET", "POST", "PUT"):
            for role, client in clients.items():
                answer = client.open(path, method=method, headers=JSON, data="{}", buffered=True)
                status, known = answer.status_code, method in (route.methods or ())
                assert status < 500 or status == 503, (method, path, role, status)
                if not known or rules[route.endpoint] is Rule.OPEN:
                    continue
                if role in ("stranger", "sent away", "elsewhere"):
                    assert status == 401, (method, path, role, status)
                elif role == "watches" and rules[route.endpoint] is Rule.CONTROL:
                    assert status == 403, (method, path, role, status)
                else:
                    assert status not in (401, 403), (method, path, role, status)


@pytest.mark.parametrize("cookie", ["", "x", "a" * 43, "None", "\xff"])
def test_a_made_up_cookie_is_no_cookie(app: Flask, cookie: str) -> None:
    """A token that was never given out opens nothing."""
    client = app.test_client()
    client.set_cookie("companion_device", cookie)
    assert client.get("/api/scoreboard").status_code == 401


def test_the_code_works_once_and_leaves_the_address(app: Flask) -> None:
    """The pairing address gives one device a strict cookie, sends it on by 303, and is then worth
    nothing."""
    address = pairing_address(app, "http://localhost:8000")
    path = address.removeprefix("http://localhost:8000")
    first = app.test_client().get(path)
    cookie = first.headers["Set-Cookie"]
    assert (first.status_code, first.headers["Location"]) == (303, "/")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    second = app.test_client().get(path)
    assert second.status_code == 403
    assert "Set-Cookie" not in second.headers


def test_a_code_is_not_spent_on_a_program_that_looks_ahead(app: Flask) -> None:
    """A HEAD request, a prefetch or a link's preview gets no cookie; the person who then opens the
    address does."""
    path = pairing_address(app, "")
    ahead = ({"Sec-Purpose": "prefetch;prerender"}, {"Purpose": "prefetch"}, {"X-Moz": "prefetch"})
    for method, headers in (("HEAD", {}), *(("GET", headers) for headers in ahead)):
        answer = app.test_client().open(path, method=method, headers=headers)
        expected = 200 if method == "HEAD" else 503
        assert (answer.status_code, answer.headers.get("Set-Cookie")) == (expected, None)
    assert app.test_client().get(path).headers.get("Set-Cookie")


def test_a_device_that_is_in_stays_in_and_uses_up_no_code(app: Flask) -> None:
    """Scanning a fresh code with a paired tablet leaves the code for the next device."""
    client = enter(app)
    path = pairing_address(app, "")
    assert client.get(path).status_code == 303
    assert app.test_client().get(path).headers.get("Set-Cookie")


def test_devices_are_remembered_by_the_file_and_the_file_holds_no_token(tmp_path: Path) -> None:
    """After a restart the same cookie still opens the door; the file is private and holds only
    digests."""
    path = tmp_path / "devices.json"
    token = Door(path).enter("nonsense", "Tablet")
    assert token is None
    door = Door(path)
    token = door.enter(door.invite(), "Tablet")
    assert token is not None
    assert Door(path).device(token) == door.devices[0]
    assert token not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_invitation_ends() -> None:
    """A code shown on a tablet is worth nothing after its minutes."""
    clock = [0.0]
    door = Door(now=lambda: clock[0])
    code = door.invite(Rule.WATCH, uses=5, minutes=30)
    assert door.enter(code, "Phone")
    clock[0] = 30 * 60 + 1
    assert door.enter(code, "Phone") is None


def test_invitations_without_end_fill_no_memory() -> None:
    """A tablet that asks for one after the other holds the newest ones; the host's own code stays good."""
    door = Door()
    hosts = door.invite()
    codes = [door.invite(Rule.WATCH, minutes=30) for _ in range(MOST_INVITATIONS + 10)]
    assert len(door._invitations) == MOST_INVITATIONS + 1
    assert [door.enter(code, "TV") is not None for code in (codes[0], codes[9], codes[10])] == [
        False,
        False,
        True,
    ]
    assert door.enter(hosts, "Tablet")


def test_a_revoked_device_is_out_at_once(app: Flask) -> None:
    """One tablet sends another away; its cookie is worth nothing from that moment."""
    host, guest = enter(app), enter(app, Rule.WATCH)
    key = guest.get("/api/hello").json["device"]["key"]
    assert (
        host.post(
            "/api/devices", json={"do": "revoke", "key": key}, headers={"Origin": HOME}
        ).status_code
        == 200
    )
    assert guest.get("/api/scoreboard").status_code == 401


def test_a_device_that_is_sent_away_does_not_come_back_by_its_own_invitations(app: Flask) -> None:
    """Codes that it made before, or that another tablet shows, let nobody in any more; the host's does."""
    host, guest = enter(app), enter(app)
    door = app.extensions["companion"].door
    for_nobody_yet = door.invite(Rule.CONTROL)
    addresses = [
        client.post("/api/invite", json={"role": role}, headers={"Origin": HOME}).json["address"]
        for client in (host, guest)
        for role in ("watch", "control")
    ]
    used = host.post("/api/invite", json={"role": "control"}, headers={"Origin": HOME}).json
    assert app.test_client().get(f"/in/{used['address'].rpartition('/')[2]}").status_code == 303
    key = guest.get("/api/hello").json["device"]["key"]
    gone = {"do": "revoke", "key": key}
    assert host.post("/api/devices", json=gone, headers={"Origin": HOME}).status_code == 200
    assert host.get(f"/api/devices?invitation={used['key']}").json["invitation"]["state"] == "used"
    for code in (address.rpartition("/")[2] for address in addresses):
        assert app.test_client().get(f"/in/{code}").status_code == 403
    assert app.test_client().get(f"/in/{for_nobody_yet}").status_code == 303


@pytest.mark.parametrize("what", ["invite", "rename", "revoke"])
def test_a_device_that_is_sent_away_while_it_acts_gets_no_code_and_changes_no_device(
    app: Flask, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Its request was let through, then waited until the device was gone."""
    host, guest = enter(app), enter(app)
    door = app.extensions["companion"].door
    key, others = (c.get("/api/hello").json["device"]["key"] for c in (guest, host))
    act, send_away = getattr(door, what), door.revoke

    def late(*asked: object, **more: object) -> object:
        send_away(key)
        return act(*asked, **more)

    monkeypatch.setattr(door, what, late)
    path, asked = {
        "invite": ("/api/invite", {"role": "control"}),
        "rename": ("/api/devices", {"do": "rename", "key": others, "name": "Mine"}),
        "revoke": ("/api/devices", {"do": "revoke", "key": others}),
    }[what]
    before = host.get("/api/hello").json["device"]
    assert guest.post(path, json=asked, headers={"Origin": HOME}).status_code == 401
    assert host.get("/api/hello").json["device"] == before


def test_a_tap_that_waits_while_its_device_is_sent_away_enters_nothing(
    app: Flask, evening: KeptEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let through before, its turn comes after; when the other tablet has its answer it is decided."""
    host, guest = enter(app), enter(app)
    key = guest.get("/api/hello").json["device"]["key"]
    session = app.extensions["companion"].session
    do, entries = session.command, len(session.log.entries)

    def late(*asked: Any) -> Any:
        gone = {"do": "revoke", "key": key}
        assert host.post("/api/devices", json=gone, headers={"Origin": HOME}).status_code == 200
        return do(*asked)

    monkeypatch.setattr(session, "command", late)
    assert send(guest, evening, "set_aside").status_code == 401
    assert len(session.log.entries) == entries


@pytest.mark.parametrize("do", ["place", "go_on"])
def test_the_book_takes_nothing_of_a_device_that_was_sent_away_meanwhile(
    app: Flask, monkeypatch: pytest.MonkeyPatch, do: str
) -> None:
    """Its turn comes after it is gone: nothing is done, and it hears that it is out."""
    host, guest = enter(app), enter(app)
    key = guest.get("/api/hello").json["device"]["key"]
    shared = app.extensions["companion"]
    book, turn, acts = shared.session.book, shared.session.book.unchanged, []

    def late() -> Any:
        if not acts:
            acts.append(do)
            shared.door.revoke(key)
        return turn()

    monkeypatch.setattr(book, "unchanged", late)
    before = shared.session.journal.acts.acts, len(shared.session.log.entries)
    asked = {"do": do, "evening": 1, "place": "At home"}
    assert guest.post("/api/book", json=asked, headers={"Origin": HOME}).status_code == 401
    assert before == (shared.session.journal.acts.acts, len(shared.session.log.entries))
    assert host.get("/api/scoreboard").status_code == 200


def test_heavy_work_is_not_begun_for_a_device_that_was_sent_away_while_it_waited(
    app: Flask,
) -> None:
    """A lesson, a photo of the deck, a page to print: each waits for its turn."""
    shared = app.extensions["companion"]
    token = shared.door.enter(shared.door.invite(), "Tablet")
    with app.test_request_context("/", headers={"Cookie": f"{shared.cookie}={token}"}):
        with heavy_work():
            pass
        shared.door.revoke(shared.door.devices[-1].key)
        with pytest.raises(Unauthorized), heavy_work():
            pass


def test_a_device_is_sent_away_once_its_tap_is_entered(app: Flask, evening: KeptEvening) -> None:
    """A tap that is being entered is first; only then the other tablet hears that it is done."""
    host, guest = enter(app), enter(app)
    key = guest.get("/api/hello").json["device"]["key"]
    session = app.extensions["companion"].session
    answered = threading.Event()

    def send_away() -> None:
        gone = {"do": "revoke", "key": key}
        host.post("/api/devices", json=gone, headers={"Origin": HOME})
        answered.set()

    other = threading.Thread(target=send_away)
    with session._lock:
        other.start()
        assert not answered.wait(0.3)
    other.join(10)
    assert answered.is_set()
    assert guest.get("/api/scoreboard").status_code == 401


def test_a_device_that_is_sent_away_while_it_opens_a_stream_gets_none(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between being let through and its place: nobody would ever end that stream."""
    guest = enter(app, Rule.WATCH)
    shared = app.extensions["companion"]
    open_place = shared.streams.enter

    def sent_away(key: str, looks_on: bool) -> object:
        device = key.partition(":")[0]
        shared.door.revoke(device)
        shared.end_of(device)
        return open_place(key, looks_on)

    monkeypatch.setattr(shared.streams, "enter", sent_away)
    assert guest.get("/api/stream").status_code == 401
    assert len(shared.streams) == 0


def test_a_device_gets_a_name_that_is_what_it_looks_like(app: Flask) -> None:
    """Nothing that a terminal would obey or that turns the text around; a name of such alone is none."""
    tablet = enter(app)
    me = tablet.get("/api/devices").json["me"]

    def rename(name: str, key: str = me) -> int:
        asked = json.dumps({"do": "rename", "key": key, "name": name})
        return tablet.post("/api/devices", data=asked, headers=JSON).status_code

    assert rename(" Kit\x1bchen\0 \u202ewall\n") == 200
    assert rename("\u202e\u200b") == 404
    assert rename("Hall", "unknown") == 404
    assert tablet.get("/api/hello").json["device"]["name"] == "Kit chen wall"


def test_a_watcher_sees_but_changes_nothing(app: Flask, evening: KeptEvening) -> None:
    """A spectator's screen gets the scoreboard and is refused every command, invitation and list of
    devices."""
    guest = enter(app, Rule.WATCH)
    assert guest.get("/api/scoreboard").json["version"] == evening.version
    version = evening.version
    assert send(guest, evening, "wrong").status_code == 403
    assert guest.post("/api/invite", json={}, headers={"Origin": HOME}).status_code == 403
    assert guest.get("/api/devices").status_code == 403
    assert evening.version == version


def test_an_invitation_from_a_tablet_lets_guests_watch_only(app: Flask) -> None:
    """The QR code a tablet shows opens the door to watch, and its address is the one given for this
    home."""
    answer = enter(app).post("/api/invite", json={"role": "watch"}, headers={"Origin": HOME}).json
    rows = answer["rows"]
    assert len(rows) == len(rows[0]) >= 21
    guest = app.test_client()
    guest.get(answer["address"].removeprefix("http://localhost"))
    assert guest.get("/api/hello").json["device"]["role"] == "watch"


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "[::1].evil.example",
        "[::1]x:80",
        "localhost.evil.example",
        "x@localhost",
        "",
        "127.0.0.1@evil",
        "localhost:80:80",
        "[::1",
        "192.168.1.6",
        "LOCALHOST/",
        "localhost, evil",
        "2130706433",
        "localhost#.evil.example",
        "localhost?.evil.example",
    ],
)
def test_a_foreign_host_name_is_turned_away(app: Flask, host: str) -> None:
    """Rebinding: whatever the cookie, a name that is not ours gets 421 and a sentence."""
    client = enter(app)
    for path in ("/", "/api/scoreboard", "/static/main.js", "/nothing"):
        assert client.get(path, headers={"Host": host}, buffered=True).status_code == 421


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8000",
        "127.0.0.1",
        "[::1]:8000",
        "192.168.1.5:8000",
        "companion.local.",
        "Companion.Local",
    ],
)
def test_our_own_names_are_answered(app: Flask, host: str) -> None:
    """Our addresses work in every spelling a browser sends."""
    assert app.test_client().get("/", headers={"Host": host}).status_code == 401
    assert bare_host(host) in known_hosts(["192.168.1.5", "companion.local"])


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        "https://localhost",
        "http://localhost:81",
        "http://localhost.evil",
    ],
)
def test_a_foreign_origin_changes_nothing(
    app: Flask, evening: KeptEvening, origin: str | None
) -> None:
    """A request that changes something must come from our own page, cookie or not."""
    client, version = enter(app), evening.version
    headers = {"Content-Type": "application/json"} | ({"Origin": origin} if origin else {})
    body = json.dumps({"id": "command-0001", "version": version, "do": "wrong"})
    assert client.post("/api/command", data=body, headers=headers).status_code == 403
    assert evening.version == version
    assert not same_origin(origin, "http", "localhost")


def test_getting_changes_nothing(app: Flask, evening: KeptEvening) -> None:
    """Every GET of a device that controls leaves the evening as it was."""
    client, version = enter(app), evening.version
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or set()) and rule.endpoint not in ("enter", "stream"):
            path = re.sub(r"<any\(([a-z]+)[^>]*>", r"\1", rule.rule)
            client.get(re.sub(r"<[^>]+>", "7", path), buffered=True)
    assert evening.version == version


def test_every_answer_carries_the_strict_headers(app: Flask) -> None:
    """Page, file, refusal and error all forbid inline scripts, framing and sniffing, and are not
    kept by caches."""
    client = enter(app)
    for path in ("/", "/static/main.js", "/api/scoreboard", "/nothing", "/words/de.json"):
        headers = client.get(path, buffered=True).headers
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
    assert client.get("/api/scoreboard").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "name",
    [
        "../app.py",
        "..%2fapp.py",
        "%2e%2e/app.py",
        "....//app.py",
        "/etc/passwd",
        "fonts/../../app.py",
        "..\\app.py",
        "main.js\0.css",
    ],
)
def test_no_file_leaves_but_the_pages_own(app: Flask, name: str) -> None:
    """No spelling of a path reaches a file outside the static folder."""
    assert app.test_client().get("/static/" + name, buffered=True).status_code in (
        308,
        400,
        401,
        404,
    )


def test_a_full_disk_is_a_sentence_and_the_code_stays_good(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let in or sent away while the disk is full: 503 in words, nothing changed, and the same again
    works when there is room."""
    host = enter(app)
    door = app.extensions["companion"].door
    key, code = door.devices[0].key, door.invite()
    gone = {"do": "revoke", "key": key}
    with monkeypatch.context() as broken:
        broken.setattr(door, "_path", tmp_path / "nowhere" / "devices.json")
        page = app.test_client().get(f"/in/{code}")
        assert (page.status_code, page.headers.get("Set-Cookie")) == (503, None)
        assert "same code again" in page.text
        refused = host.post("/api/devices", json=gone, headers={"Origin": HOME})
        assert (refused.status_code, refused.json["error"]) == (503, "cannot_save")
        assert "nothing was changed" in refused.json["reason"]
    assert host.get("/api/hello").status_code == 200
    assert app.test_client().get(f"/in/{code}").headers.get("Set-Cookie")


@pytest.mark.parametrize("path", ["/api/book", "/api/book/export/json", "/api/backup"])
def test_a_disk_that_does_not_answer_is_a_sentence(
    app: Flask, path: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As a stick that was pulled out: 503 in words, one line for the host. It was a failure of ours, with a
    traceback."""

    def pulled_out(at: Path) -> bool:
        raise OSError(errno.EIO, "Input/output error", str(at))

    guest = enter(app)
    monkeypatch.setattr(Path, "is_file", pulled_out)
    answer = guest.get(path)
    assert (answer.status_code, answer.json["error"]) == (503, "cannot")
    assert "Input/output error" in answer.json["reason"]
    assert [(one.levelname, one.exc_info) for one in caplog.records] == [("WARNING", None)]


@pytest.mark.parametrize("header", ["If-Modified-Since", "If-Unmodified-Since", "If-Range"])
@pytest.mark.parametrize("path", ["/static/main.js", "/words/en.json"])
def test_a_date_that_no_calendar_has_is_no_failure(app: Flask, header: str, path: str) -> None:
    """A stranger's conditional request whose date has any number of digits gets the file."""
    for date in ("Mon, 99999999999 Jan 99999999999999999999 99:99:99 GMT", "9" * 5000, "\xff"):
        headers = {header: date, "Range": "bytes=0-1"}
        answer = app.test_client().get(path, headers=headers, buffered=True)
        assert answer.status_code in (200, 206)


def test_no_room_for_a_backup_is_a_sentence(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk takes no file, a backup and what the book cannot read are 503 in words."""

    def full(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    def trouble(*_: object) -> None:
        raise JournalTrouble("The disk is full: free some space.")

    host = enter(app)
    monkeypatch.setattr("companion.web.views.book.tempfile.mkdtemp", full)
    monkeypatch.setattr("companion.years.book.BookOfEvenings.page", trouble)
    for path in ("/api/backup", "/api/book"):
        answer = host.get(path)
        assert (answer.status_code, "free some space" in answer.json["reason"]) == (503, True)


def test_the_page_speaks_the_language_a_browser_asks_for(app: Flask) -> None:
    """A wish without end is not taken apart: one of 16 kB cost 25 ms of a processor."""
    tablet = enter(app)
    for wish, language in (
        ("de-AT,de;q=0.9", "de"),
        ("fr,cs;q=0.5", "cs"),
        ("cs," + "a," * 7000, "en"),
    ):
        page = tablet.get("/", headers={"Accept-Language": wish}).get_data(as_text=True)
        assert f'<html lang="{language}"' in page

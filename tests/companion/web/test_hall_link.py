"""Joining a hall from the tablet: where it cannot be, the page says why in its own language."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from companion.evening.session import Session
from companion.journal import Journal
from companion.outbox.letters import HallSilent
from companion.outbox.link import HallLink, LinkFile
from companion.outbox.sender import NamesStay, Sender
from companion.web import Door, Server, create_app
from tests.companion.web.test_palette import WORDS
from tests.support.companion_web_client import JSON, enter
from tests.support.tablet_in_chromium import hold

CODE = "abcdefgh"
LET_IN = {"token": "t", "cookie": "c", "number": 1}


class Hall(BaseHTTPRequestHandler):
    """Answers as the test says: a status, and what stands in the body."""

    status, body = 200, b"{}"
    meanwhile: Callable[[], object] = staticmethod(lambda: None)
    """What happens at the table while the hall is asked."""

    def do_POST(self) -> None:
        """The answer to whoever knocks."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.meanwhile()
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(self.body)

    def do_GET(self) -> None:
        """What is asked for in plain HTTP: the certificate."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"another certificate")

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@pytest.fixture
def hall() -> Iterator[str]:
    """A hall that answers as `Hall` says, at this host and port."""
    server = HTTPServer(("127.0.0.1", 0), Hall)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    Hall.status, Hall.body, Hall.meanwhile = 200, b"{}", staticmethod(lambda: None)


@pytest.fixture
def linked(tmp_path: Path) -> Iterator[tuple[Session, Sender]]:
    """A table that may join a hall."""
    journal = Journal(tmp_path)
    sender = Sender(LinkFile(tmp_path), journal)
    session = Session(journal)
    yield session, sender
    sender.stop()
    session.close()


REFUSALS = {
    "no_address": ("the red door", 200, {}),
    "cut_off": ("http://{hall}/", 200, {}),
    "silent": ("http://127.0.0.1:9/table/" + CODE, 200, {}),
    "code": ("http://{hall}/table/" + CODE, 403, {"error": "code", "reason": "No more."}),
    "later": ("http://{hall}/table/" + CODE, 503, {"error": "away", "reason": "no database"}),
    "update": ("http://{hall}/table/" + CODE, 200, {"number": "one"}),
    "fingerprint": ("https://{hall}/table/" + CODE + "#" + "A" * 64, 200, {}),
    "disk": ("http://{hall}/table/" + CODE, 200, LET_IN),
}
"""What is typed, and how the hall answers."""


@pytest.mark.parametrize("why", REFUSALS)
def test_a_refusal_says_why(
    hall: str, linked: tuple[Session, Sender], why: str, tmp_path: Path
) -> None:
    """In one word, for which each language has a sentence of its own; the disk's is told as well."""
    address, Hall.status, said = REFUSALS[why]
    Hall.body = json.dumps(said).encode()
    session, sender = linked
    if why == "disk":
        sender.links._path = tmp_path / "nowhere" / "link.json"
    tablet = enter(create_app(session, Door(), hall_sender=sender))
    asked = json.dumps({"do": "join", "address": address.format(hall=hall)})
    answer = tablet.post("/api/hall-link", data=asked, headers=JSON)
    assert (answer.status_code, answer.get_json()) == (422, {"error": "hall", "why": why})


@pytest.mark.parametrize("do", ["join", "leave"])
def test_a_device_that_is_sent_away_while_the_hall_is_asked_changes_no_hall(
    hall: str, linked: tuple[Session, Sender], do: str
) -> None:
    """A slow hall of its own choosing would get the evening under way; and none is left for it."""
    session, sender = linked
    link = HallLink(f"http://{hall}", "c", "t", 1, "ab" * 16, 1)
    if do == "leave":
        sender.links.keep(link)
    tablet = enter(create_app(session, door := Door(), hall_sender=sender))
    Hall.body = json.dumps(LET_IN).encode()
    Hall.meanwhile = staticmethod(lambda: door.revoke(door.devices[-1].key))
    asked = json.dumps({"do": do, "address": f"http://{hall}/table/{CODE}"})
    assert tablet.post("/api/hall-link", data=asked, headers=JSON).status_code == 401
    assert sender.links.link == (link if do == "leave" else None)


def test_a_change_of_hall_that_waits_for_another_asks_no_hall_for_who_was_sent_away(
    hall: str, linked: tuple[Session, Sender]
) -> None:
    """The door is asked once its turn has come."""
    _, sender = linked
    asked: list[str] = []
    Hall.meanwhile = staticmethod(lambda: asked.append("join"))

    def is_out() -> None:
        raise PermissionError

    with pytest.raises(PermissionError):
        sender.join(f"http://{hall}/table/{CODE}", is_out)
    assert asked == []


def test_each_refusal_has_its_sentence() -> None:
    """Neither more nor fewer than there are ways to be refused."""
    for words in WORDS.values():
        assert {key for key in words if key.startswith("hall.why_")} == {
            f"hall.why_{why}" for why in (*REFUSALS, "busy", NamesStay.why)
        }


@pytest.mark.browser
def test_the_page_says_what_names_the_hall_shows(
    browser: Any, linked: tuple[Session, Sender]
) -> None:
    """Pseudonyms as long as nobody said otherwise, then the people's own names, and back: each once the
    hall has heard it, and until then that it has not. Leaving a hall that may show names waits for it
    once."""
    session, sender = linked
    away = threading.Event()

    def asked(*_: object) -> tuple[int, dict[str, Any]]:
        if away.is_set():
            raise HallSilent("away")
        return 200, {"evenings": {}}

    sender._ask = asked
    sender.links.keep(HallLink("http://127.0.0.1:9", "c", "t", 1, "ab" * 16, 1))
    server = Server(create_app(session, door := Door(), hall_sender=sender), "127.0.0.1", 0).start()
    context = browser.new_context(locale="en-GB")
    try:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/in/{door.invite()}")
        page.wait_for_selector(".page")
        page.evaluate("location.hash = 'hall'")
        page.wait_for_selector("text=have pseudonyms there")
        away.set()
        page.click("button:has-text('Our names')")
        page.wait_for_selector("text=the hall has not heard it yet")
        assert page.locator("text=have their own names there").count() == 0
        away.clear()
        sender.send_once(sender.links.link)
        page.wait_for_selector("text=have their own names there")
        assert page.locator("text=have pseudonyms there").count() == 0
        away.set()
        page.click("button:has-text('Pseudonyms')")
        page.wait_for_selector("text=goes on showing what it showed")
        assert page.locator("text=have pseudonyms there").count() == 0
        hold(page, "button:has-text('leave the hall')")
        page.wait_for_selector("text=may still show your names")
        assert sender.links.link is not None
        away.clear()
        sender.send_once(sender.links.link)
        page.wait_for_selector("text=have pseudonyms there")
        hold(page, "button:has-text('leave the hall')")
        page.wait_for_selector("h2:has-text('Join a hall')")
        assert sender.links.link is None
    finally:
        context.close()
        server.stop()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en-GB", "The hall does not answer."),
        ("de-DE", "Die Halle antwortet nicht."),
        ("cs-CZ", "Sál neodpovídá."),
    ],
)
def test_the_page_says_it_in_its_own_language(
    browser: Any, linked: tuple[Session, Sender], locale: str, words: str
) -> None:
    """A hall that is not there: one sentence in the screen's language, and nothing of the machine's."""
    session, sender = linked
    server = Server(create_app(session, door := Door(), hall_sender=sender), "127.0.0.1", 0).start()
    context = browser.new_context(locale=locale)
    try:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/in/{door.invite()}")
        page.wait_for_selector(".page")
        page.evaluate("location.hash = 'hall'")
        page.fill("#address", REFUSALS["silent"][0])
        page.click("form button")
        page.wait_for_selector(f"[role=alert]:has-text('{words}')")
        assert "Errno" not in page.inner_text(".sheet")
        assert "http" not in page.inner_text("[role=alert] strong")
    finally:
        context.close()
        server.stop()

"""Locks are taken in one order, so that no two threads ever wait for each other."""

from __future__ import annotations

import json
import re
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.capture.phone import PhoneCamera, PhoneCameraLease
from companion.capture.watching import Watching
from companion.evening.session import Session
from companion.journal import Journal
from companion.vision.eye import Eye
from companion.web import Door, Server, create_app, heavy_work
from tests.house.lock_order import Held, WatchedLock, recorded
from tests.house.sources import ROOT

README = ROOT / "companion" / "evening" / "README.md"


class Tablet:
    """A device that is in and does what people do, as fast as it is answered."""

    def __init__(self, port: int, cookie: str, name: str) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self.cookie = cookie
        self.name = name
        self.sent = 0

    def ask(self, path: str, body: Any = None, kind: str = "application/json") -> Any:
        """The answer's JSON or bytes; None for a refusal."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        headers = {"Cookie": self.cookie, "Origin": self.base, "Content-Type": kind}
        asked = urllib.request.Request(self.base + path, data, headers)
        try:
            with urllib.request.urlopen(asked, timeout=20) as answer:
                said = answer.read(200 if "stream" in path else -1)
                return json.loads(said) if "json" in answer.headers["Content-Type"] else said
        except TimeoutError as late:
            raise AssertionError(path) from late
        except urllib.error.HTTPError as refused:
            refused.close()
            return None

    def tap(self, do: str, **more: Any) -> None:
        """One command with the present version; somebody else may have been faster."""
        self.sent += 1
        version = self.ask("/api/scoreboard")["version"]
        asked = {"id": f"{self.name}-{self.sent:06d}", "version": version, "do": do, **more}
        self.ask("/api/command", asked)


def played_by_many(folder: Path) -> None:
    """A short evening by two tablets at once, with a phone as camera, prints, photographs, screens
    and devices that come and go."""
    session = Session(Journal(folder))
    session._on_entry = lambda entry, keeper: None
    door = Door(folder / "devices.json")

    def begin(camera: PhoneCamera) -> None:
        watching = Watching(camera, Eye())
        session.attach(watching)
        watching.start(session)

    lease = PhoneCameraLease(begin, back=session.camera.detach)
    app = create_app(session, door, phone_lease=lease)
    shared = app.extensions["companion"]
    shared.deck_check.lock = threading.Lock()
    server = Server(app, "127.0.0.1", 0).start()
    tablets = [
        Tablet(server.port, f"companion_device={door.enter(door.invite(), name)}", name)
        for name in ("tablet-one", "tablet-two")
    ]
    picture = cv2.imencode(".jpg", np.full((360, 640, 3), 90, np.uint8))[1].tobytes()
    players = ["Ada", "Ben", "Cleo"]

    def around(tablet: Tablet) -> None:
        tablet.ask("/api/deck/photo", picture, "image/jpeg")
        tablet.ask("/api/lens", {"do": "take"})
        for _ in range(3):
            tablet.ask("/api/lens/frame", picture, "image/jpeg")
        tablet.ask("/api/deck", b"{}")
        tablet.ask("/api/calibration")
        tablet.ask("/api/expert", b"{}")
        tablet.ask("/api/print?kind=ruler")
        tablet.ask("/api/print", {"kind": "ruler"})
        tablet.ask("/api/people")
        tablet.ask("/api/picture")
        tablet.tap("begin", players=players, daydreamer=0)
        for word in ("one", "two"):
            tablet.tap("laid")
            tablet.ask("/api/stream?tab=a")
            tablet.tap("set_aside", card=None)
            tablet.ask("/api/lens/frame", picture, "image/jpeg")
            tablet.tap("right", card=None)
            tablet.tap("name", words=word)
            tablet.tap("undo")
            tablet.tap("next")
        tablet.tap("camera", on=False)
        made = tablet.ask("/api/invite", {"role": "watch"})
        tablet.ask("/in/" + made["address"].rsplit("/", 1)[1])
        for device in tablet.ask("/api/devices")["devices"][2:]:
            tablet.ask("/api/devices", {"do": "rename", "key": device["key"], "name": "TV"})
            tablet.ask("/api/devices", {"do": "revoke", "key": device["key"]})
        tablet.ask("/api/history/1")
        tablet.ask("/api/export/csv")
        tablet.tap("end")
        tablet.ask("/api/book/findings")
        tablet.ask("/api/fair-start?name=Ada")
        for evening in tablet.ask("/api/book")["evenings"]:
            tablet.ask(f"/api/book/{evening['number']}")
            tablet.ask("/api/book", {"do": "place", "evening": evening["number"], "place": "here"})
            tablet.ask("/api/book", {"do": "go_on", "evening": evening["number"]})
        tablet.ask("/api/book", {"do": "rename", "person": "Cleo", "name": "Clio"})
        tablet.ask("/api/lens", {"do": "leave"})

    tablets[0].tap("begin", players=players, daydreamer=0)
    for do, more in (("laid", {}), ("right", {"card": None}), ("end", {})):
        tablets[0].tap(do, **more)
    threads = [threading.Thread(target=around, args=(tablet,)) for tablet in tablets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    time.sleep(0.3)
    assert session.book.persons.places, "nothing was done to the book"
    server.stop()
    session.close()


def watch_module_locks(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one lock that is made when its module is loaded."""
    turn = WatchedLock(threading.Lock(), "web/heavy_work", held)
    monkeypatch.setattr(heavy_work, "_turn", turn)


def told_order() -> list[str]:
    """The locks' order as the README has it, the outermost first."""
    found = re.search(r"Locks, the outermost first: (.*?)\.\s", README.read_text(), re.DOTALL)
    assert found is not None
    return re.findall(r"`([\w/]+)`", found[1])


def test_locks_are_taken_in_the_order_the_readme_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evening of two tablets, a phone camera, prints and photographs at once: no circle, and
    every lock stands where the README puts it."""
    with recorded(monkeypatch) as held:
        watch_module_locks(held, monkeypatch)
        played_by_many(tmp_path)
    assert held.circle() == []
    order = told_order()
    assert held.taken <= set(order)
    wrong = [
        (outer, inner)
        for outer, inners in held.pairs.items()
        for inner in inners
        if order.index(outer) >= order.index(inner)
    ]
    assert wrong == []
    assert "journal/evenings" in held.pairs["evening/session"]


def test_every_lock_of_the_product_has_its_place() -> None:
    """A module that makes a lock stands in the README's order."""
    modules = {
        path.relative_to(ROOT / "companion").with_suffix("").as_posix()
        for path in (ROOT / "companion").rglob("*.py")
        if re.search(
            r"(\b(Lock|RLock|Condition)\(\))|(default_factory=(threading\.)?Lock)",
            path.read_text(),
        )
    }
    assert modules <= set(told_order())


def test_a_circle_is_found() -> None:
    """Two locks taken in both orders are told, whoever took them."""
    held = Held()
    one, two = (WatchedLock(threading.Lock(), name, held) for name in ("one", "two"))
    with one, two:
        pass
    assert held.circle() == []
    with two, one:
        pass
    assert held.circle() in (["one", "two", "one"], ["two", "one", "two"])


def test_a_lock_that_is_held_already_is_not_waited_for() -> None:
    """Taken again inside another it makes no circle: its thread has it."""
    held = Held()
    again, inner = (WatchedLock(threading.RLock(), name, held) for name in ("again", "inner"))
    with again, inner, again:
        pass
    assert held.circle() == []
    with inner, again:
        pass
    assert held.circle() in (["again", "inner", "again"], ["inner", "again", "inner"])

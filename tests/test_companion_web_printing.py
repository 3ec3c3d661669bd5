"""The print page's server side: what may be ordered, by whom, one at a time, and in which words it is refused."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import numpy as np
import pytest
from companion_web_evening import played
from flask import Flask
from flask.testing import FlaskClient

from card_printables.job import pages
from card_printables.order import CannotPrint, Order
from companion.web import Door, Rule, create_app, printing
from companion.web.pages import HERE

JSON = {"Origin": "http://localhost", "Content-Type": "application/json"}
CARDS = "/api/print?kind=cards&cards=7,12&backs=none"


@pytest.fixture
def app() -> Flask:
    return create_app(played(), Door())


def enter(app: Flask, role: Rule = Rule.CONTROL) -> FlaskClient:
    client = app.test_client()
    client.get(f"/in/{app.extensions['companion'].door.invite(role)}")
    return client


def order(client: FlaskClient, **fields: Any) -> Any:
    return client.post("/api/print", data=json.dumps(fields), headers=JSON)


def finished(client: FlaskClient, key: str) -> dict[str, Any]:
    for _ in range(600):
        told: dict[str, Any] = client.get(f"/api/print/making/{key}").get_json()
        if told["ready"] or "trouble" in told:
            return told
        time.sleep(0.05)
    raise AssertionError(told)


def test_the_preview_shows_the_pages_that_will_be_printed(app: Flask) -> None:
    """As many pages as the print room makes, each a picture of its shape with ink on it; none beyond the last."""
    import cv2

    client = enter(app)
    count = client.get(CARDS).get_json()["pages"]
    assert count == len(pages(Order(cards=(7, 12), backs="none")))
    answer = client.get(CARDS.replace("print?", f"print/page/{count}?"))
    image = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape == (702, 496, 3)
    assert image.min() < 80
    assert client.get(CARDS.replace("print?", f"print/page/{count + 1}?")).status_code == 404


def test_a_pdf_is_made_with_progress_and_taken_home(app: Flask) -> None:
    """The order becomes a PDF in the background; all its pieces are counted; the file is offered under a plain name."""
    client = enter(app)
    begun = order(client, kind="cards", cards="7,12", backs="none", symbol_mm="18,5")
    assert begun.status_code == 200
    told = finished(client, begun.get_json()["key"])
    assert told["ready"]
    assert told["done"] == told["of"]
    file = client.get(f"/api/print/file/{told['key']}")
    assert file.data.startswith(b"%PDF-")
    assert len(file.data) == told["bytes"]
    assert "cloud-mine-cards.pdf" in file.headers["Content-Disposition"]
    assert client.get("/api/print/file/nothing").status_code == 404


def test_one_pdf_at_a_time(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second order while the first is being made is told so, and may come again afterwards."""
    gate = threading.Event()
    monkeypatch.setattr(printing, "pdf", lambda order, progress: b"%PDF-" if gate.wait(20) else b"")
    client = enter(app)
    first = order(client, kind="ruler")
    assert order(client, kind="table").status_code == 409
    gate.set()
    finished(client, first.get_json()["key"])
    assert order(client, kind="table").status_code == 200


def test_a_fault_while_drawing_is_told_and_frees_the_press(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is not left waiting when a PDF cannot be made."""

    def breaks(order: Order, progress: Any) -> bytes:
        raise MemoryError

    monkeypatch.setattr(printing, "pdf", breaks)
    client = enter(app)
    key = order(client, kind="ruler").get_json()["key"]
    assert finished(client, key)["trouble"]["key"] == "any"
    assert order(client, kind="ruler").status_code == 200


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ("cards=7&symbol_mm=80", "no_fit_disc"),
        ("kind=stickers&sheet=rayfilm-5003&symbol_mm=30", "no_fit_label"),
        ("cards=seven", "numbers"),
        ("cards=400", "no_cards"),
        ("across=80", "ruler"),
        ("kind=stickers&sheet=nonsense", "sheet"),
        ("kind=stickers&sheet=rayfilm-5003&start=999", "start"),
        ("symbol_mm=big", "number"),
        ("symbol_mm=nan", "number"),
        ("across=1e999", "number"),
    ],
)
def test_an_odd_choice_has_a_sentence_of_its_own(app: Flask, fields: str, key: str) -> None:
    """Each way an order can be refused comes with the key of a translated sentence, for the plan and for the PDF alike."""
    client = enter(app)
    plan = client.get(f"/api/print?{fields}")
    assert (plan.status_code, plan.get_json()["trouble"]["key"]) == (422, key)
    asked = dict(part.split("=") for part in fields.split("&"))
    assert order(client, **asked).get_json()["trouble"]["key"] == key
    words = json.loads((HERE / "translations" / "cs.json").read_text(encoding="utf-8"))["print.cannot." + key]
    assert all("{" + name + "}" in words for name in plan.get_json()["trouble"]["params"])


def test_an_unknown_sentence_is_shown_as_it_is() -> None:
    """What the page has no words for is still said."""
    assert printing.trouble_of(CannotPrint("the moon is full")) == {"key": "any", "params": {}, "says": "the moon is full"}


def test_only_those_who_control_may_print(app: Flask) -> None:
    """A watching screen and a stranger get no plan, no page, no PDF."""
    for client, status in ((app.test_client(), 401), (enter(app, Rule.WATCH), 403)):
        assert client.get(CARDS).status_code == status
        assert client.get(CARDS.replace("print?", "print/page/1?")).status_code == status
        assert order(client, kind="ruler").status_code == status

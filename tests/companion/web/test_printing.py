"""The print page's server side: what may be ordered, by whom, one at a time, and in which words it
is refused."""

from __future__ import annotations

import io
import json
import math
import threading
import time
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from calibration.check.profile import Profile, path_for, save_profile
from calibration.check.readability import px_needed
from calibration.check.report import report_on
from calibration.geometry.fit import fit_plane
from calibration.simulator.photograph import CameraModel, Sheet, photograph
from calibration.tags.find import find_tags
from card_printables.__main__ import main
from card_printables.marker import SYMBOL_MM
from card_printables.order import CannotPrint, Order, cards_from
from card_printables.output.piece_pictures import face_rgba, token_rgba
from card_printables.output.png_files import png_bytes
from card_printables.pages.sticker import label_sheets
from card_printables.print_job import pages, pdf
from card_printables.token import TOKENS
from companion.evening.session import Session
from companion.journal import Journal
from companion.limited_process import LimitedProcess
from companion.web import Door, Rule, create_app, print_order, print_queue
from companion.web.print_queue import FILES_KEPT, PIECE, PrintQueue, PrintTask
from companion.web.views import print_room
from companion.web.views.page_files import HERE
from tests.support.kept_evening import ShownCamera, played

JSON = {"Origin": "http://localhost", "Content-Type": "application/json"}
CARDS = "/api/print?kind=cards&cards=7,12&backs=none"
CUSTOM = (
    "kind=stickers&sheet=custom&label_side=25.4&label_columns=6&label_rows=11&label_left=16.05&label_top=8.8"
    "&label_across=30.5&label_down=25.4"
)


@pytest.fixture
def app() -> Flask:
    return create_app(played().session, Door())


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


def directly(process: LimitedProcess, work: Any, *given: Any, progress: Any = None) -> Any:
    """Do a work here, where a test may change what it is."""
    return work(*given, progress) if progress else work(*given)


def test_the_preview_shows_the_pages_that_will_be_printed(app: Flask) -> None:
    """As many pages as the print room makes, each a picture of its shape with ink on it; none
    beyond the last."""
    client = enter(app)
    count = client.get(CARDS).get_json()["pages"]
    assert count == len(pages(Order(cards=(7, 12), backs="none")))
    answer = client.get(CARDS.replace("print?", f"print/page/{count}?"))
    image = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape == (702, 496, 3)
    assert image.min() < 80
    assert client.get(CARDS.replace("print?", f"print/page/{count + 1}?")).status_code == 404


def test_a_pdf_is_made_with_progress_and_taken_home(app: Flask) -> None:
    """The order becomes a PDF in the background; all its pieces are counted; the file is offered
    under a plain name."""
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


def test_a_file_is_read_as_it_is_sent() -> None:
    """Ten devices that took a deck of 40 MB slowly held 1.6 GB: each request held the whole file. One
    that is still being sent stays whole when the next one has taken its place."""
    queue = PrintQueue()
    queue.tasks.append(PrintTask("key", "cards.pdf"))
    data = bytes(range(256)) * 1000
    queue.tasks[0].keep(data)
    one, other = queue.tasks[0].pieces(), queue.tasks[0].pieces()
    begun = [next(one), next(other)]
    queue.tasks.extend(PrintTask(f"next {i}", "cards.pdf") for i in range(FILES_KEPT))
    rests = [list(one), list(other)]
    assert [first + b"".join(rest) for first, rest in zip(begun, rests, strict=True)] == [data] * 2
    assert max(len(piece) for rest in rests for piece in rest) <= PIECE < len(data)


@pytest.mark.parametrize("backs", ["long", "short", "fold", "none"])
@pytest.mark.parametrize("cards", ["7", "1-80", "3,5,9-30"])
def test_sheets_of_cards_are_counted_without_drawing_one(
    app: Flask, monkeypatch: pytest.MonkeyPatch, cards: str, backs: str
) -> None:
    """As many as there will be, for any cards and backs, and no process has to begin for it; a
    printer's correction is looked at with the pages drawn."""
    began: list[Any] = []

    def apart(work: Any, *given: Any) -> Any:
        began.append(given)
        return work(*given)

    monkeypatch.setattr(print_room, "heavy_result", apart)
    client = enter(app)
    query = f"/api/print?kind=cards&cards={cards}&backs={backs}&disc_mm=80"
    count = client.get(query).get_json()["pages"]
    assert began == []
    wanted = Order(cards=cards_from(cards), backs=backs, disc_mm=80.0)
    assert count == len(pages(wanted))
    assert client.get(f"{query}&across=99").get_json()["pages"] == count
    assert len(began) == 1


def test_one_pdf_at_a_time(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second order while the first is being made is told to wait, and is made afterwards; the first file can
    still be taken then."""
    gate = threading.Event()
    monkeypatch.setattr(LimitedProcess, "do", directly)
    monkeypatch.setattr(print_queue, "file_of", lambda order, progress: gate.wait(20) and b"%PDF-")
    client = enter(app)
    first = order(client, kind="ruler")
    assert order(client, kind="table").get_json() == {"waits": True}
    gate.set()
    key = first.get_json()["key"]
    finished(client, key)
    finished(client, order(client, kind="table").get_json()["key"])
    assert client.get(f"/api/print/file/{key}").data == b"%PDF-"


def test_a_fault_while_drawing_is_told_and_frees_the_press(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is not left waiting when a PDF cannot be made."""

    def breaks(order: Order, progress: Any) -> bytes:
        raise MemoryError

    monkeypatch.setattr(LimitedProcess, "do", directly)
    monkeypatch.setattr(print_queue, "file_of", breaks)
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
        ("cards=7-3,x", "backwards"),
        (f"{CUSTOM}&shift_down=10&down=90", "lost_codes"),
        ("across=80", "ruler"),
        ("kind=stickers&sheet=nonsense", "sheet"),
        ("kind=stickers&sheet=rayfilm-5003&start=999", "start"),
        ("symbol_mm=big", "number"),
        ("symbol_mm=nan", "number"),
        ("across=1e999", "number"),
        ("disc_mm=500", "disc"),
        ("shift_right=40", "shift"),
        ("format=png&bleed_mm=9", "bleed"),
        (f"{CUSTOM}&label_across=3", "overlap"),
        (f"{CUSTOM}&label_columns=40", "sheet"),
        (f"{CUSTOM}&label_side=5", "small_label"),
        (f"{CUSTOM}&label_side=60&label_columns=1&label_rows=1", "large_label"),
        (f"{CUSTOM}&label_left=-2", "number"),
        (f"{CUSTOM}&label_rows=many", "number"),
    ],
)
def test_an_odd_choice_has_a_sentence_of_its_own(app: Flask, fields: str, key: str) -> None:
    """Each way an order can be refused comes with the key of a translated sentence, for the plan
    and for the PDF alike."""
    client = enter(app)
    asked = dict(
        part.split("=") for part in fields.split("&")
    )  # of a name given twice the last one, as in the address below
    plan = client.get("/api/print", query_string=asked)
    assert (plan.status_code, plan.get_json()["trouble"]["key"]) == (422, key)
    assert order(client, **asked).get_json()["trouble"]["key"] == key
    words = json.loads((HERE / "translations" / "cs.json").read_text(encoding="utf-8"))[
        "print.cannot." + key
    ]
    assert all("{" + name + "}" in words for name in plan.get_json()["trouble"]["params"])


def test_the_pages_fields_are_the_options_of_the_command(tmp_path: Path) -> None:
    """A sheet measured by hand, a correction and another box: the page orders what the same words
    order at the terminal."""
    asked = dict(part.split("=") for part in CUSTOM.split("&")) | {
        "label_shape": "round",
        "label_side": "25,4",
        "start": "3",
    }
    more = {
        "cards": "7,12",
        "across": "98,5",
        "down": "99",
        "shift_right": "−1",
        "shift_down": "0.5",
        "deck": "CM2",
        "disc_mm": "80",
    }
    told = print_order.order_from(asked | more)
    words = [
        "stickers",
        "--cards",
        "7,12",
        "--sheet",
        "25.4round 6x11 16.05,8.8 30.5,25.4",
        "--start",
        "3",
        "--measured-mm",
        "98.5,99",
    ]
    words += [
        "--shift-mm",
        "-1,0.5",
        "--deck",
        "CM2",
        "--diameter-mm",
        "80",
        "--out",
        str(tmp_path / "typed.pdf"),
    ]
    assert main(words) == 0
    assert (tmp_path / "typed.pdf").read_bytes() == pdf(told)


def test_lost_cards_are_printed_with_their_decks_back_and_in_the_pages_language() -> None:
    """The page asks for the backs of decks printed before, and its language comes with every order;
    what is no language or drawing is as usual."""
    told = print_order.order_from({"cards": "7", "back_drawing": "square", "language": "cs"})
    assert (told.back_drawing, told.language) == ("square", "cs")
    odd = print_order.order_from({"back_drawing": "cat", "language": "xx"})
    assert (odd.back_drawing, odd.language) == ("moon", "en")


def test_png_pictures_come_as_one_zip(app: Flask) -> None:
    """Faces and back for a print service: previewed one by one, made with bleed, the same bytes as
    the command's files."""
    client = enter(app)
    asked = {"kind": "cards", "format": "png", "cards": "7", "bleed_mm": "2"}
    assert client.get("/api/print", query_string=asked).get_json() == {"pages": 2}
    assert client.get("/api/print/page/2", query_string=asked).data.startswith(b"\x89PNG")
    told = finished(client, order(client, **asked).get_json()["key"])
    file = client.get(f"/api/print/file/{told['key']}")
    assert "cloud-mine-cards.zip" in file.headers["Content-Disposition"]
    with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
        assert archive.namelist() == ["card-07.png", "back.png"]
        assert archive.read("card-07.png") == png_bytes(face_rgba(7, bleed_mm=2.0), 300)


def test_the_page_knows_the_label_sheets_and_what_the_camera_needs(app: Flask) -> None:
    """Every sheet of the table is offered; the marker's size is told once the calibration has a
    map."""
    client = enter(app)
    told = client.get("/api/print/options").get_json()
    assert {sheet["name"] for sheet in told["sheets"]} == set(label_sheets())
    assert told["marker"] is None
    places = [{"px_per_module": 1.0, "blur_px": 0.8}, {"px_per_module": 0.8, "blur_px": 0.8}]
    app.extensions["companion"].session.camera.calibration = lambda *_: {"map": places}
    assert client.get("/api/print/options").get_json()["marker"]["mm"] == math.ceil(
        18 * px_needed(0.8) / 0.8
    )
    for state in ("live", "ended"):  # the practice table's camera hangs over nobody's table
        app.extensions["companion"].session.attach(ShownCamera(state=state, practice=True))
        assert client.get("/api/print/options").get_json()["marker"] is None


@pytest.fixture(scope="module")
def far_table() -> np.ndarray:
    """The four tokens seen by a 720p camera that stands too far away for 18 mm markers."""
    corners = ((-330.0, -200.0), (330.0, -200.0), (330.0, 200.0), (-330.0, 200.0))
    tokens = [
        Sheet(token_rgba(token, 100), 80.0, at) for token, at in zip(TOKENS, corners, strict=True)
    ]
    return photograph(
        tokens, CameraModel(1280, 720, focal_px=900.0, distance_mm=1150.0, tilt_deg=20.0)
    )


def test_a_marker_of_the_size_that_is_advised_reads_at_once(far_table: np.ndarray) -> None:
    """Printed that large, the worst place of the same table is green; a fourteenth smaller and it
    is not."""
    advised = print_room.marker_needed(report_on([far_table])["map"])
    assert advised is not None
    assert 18 < advised["mm"] < 40
    for mm, green in ((advised["mm"], True), (0.93 * advised["mm"], False)):
        assert (
            all(spot["verdict"] == "green" for spot in report_on([far_table], mm)["map"]) == green
        )


@pytest.mark.parametrize(("away_mm", "answer"), [(560.0, "enough"), (2600.0, "too_far")])
def test_the_usual_marker_is_enough_near_by_and_none_is_from_afar(
    away_mm: float, answer: str
) -> None:
    """Near by every place is green at the usual size; from afar not even the largest that fits a card
    is."""
    corners = ((-200.0, -110.0), (200.0, -110.0), (200.0, 110.0), (-200.0, 110.0))
    tokens = [
        Sheet(token_rgba(token, 100), 80.0, at) for token, at in zip(TOKENS, corners, strict=True)
    ]
    picture = photograph(tokens, CameraModel(1280, 720, focal_px=900.0, distance_mm=away_mm))
    advised = print_room.marker_needed(report_on([picture])["map"])
    assert advised is not None
    said = (
        "enough"
        if advised["mm"] <= SYMBOL_MM
        else "too_far"
        if advised["mm"] > advised["most"]
        else "advice"
    )
    assert said == answer
    printed_mm = SYMBOL_MM if answer == "enough" else advised["most"]
    green = [spot["verdict"] == "green" for spot in report_on([picture], printed_mm)["map"]]
    assert all(green) == (answer == "enough")


def test_without_a_camera_last_times_set_up_advises(far_table: np.ndarray, tmp_path: Path) -> None:
    """The deck is printed on another day than the table was measured: what was kept then is used. A link
    beside it that leads nowhere made the answer 500."""
    table = report_on([far_table])["map"]
    grey = cv2.cvtColor(far_table, cv2.COLOR_BGR2GRAY)
    plane = fit_plane(find_tags(grey), (grey.shape[1], grey.shape[0]))
    session = Session(Journal(tmp_path))
    client = enter(create_app(session, Door()))
    assert client.get("/api/print/options").get_json()["marker"] is None
    save_profile(
        Profile("a webcam", "2026-11-20 19:00", plane, "poor", tuple(table)),
        path_for(tmp_path, "a webcam"),
    )
    (tmp_path / "calibration" / "of-before.json").symlink_to("nowhere")
    assert client.get("/api/print/options").get_json()["marker"] == print_room.marker_needed(table)
    session.close()


def test_an_unknown_sentence_is_shown_as_it_is() -> None:
    """What the page has no words for is still said."""
    assert print_order.trouble_of(CannotPrint("the moon is full")) == {
        "key": "any",
        "params": {},
        "says": "the moon is full",
    }


def test_only_those_who_control_may_print(app: Flask) -> None:
    """A watching screen and a stranger get no plan, no page, no PDF."""
    for client, status in ((app.test_client(), 401), (enter(app, Rule.WATCH), 403)):
        assert client.get(CARDS).status_code == status
        assert client.get(CARDS.replace("print?", "print/page/1?")).status_code == status
        assert order(client, kind="ruler").status_code == status

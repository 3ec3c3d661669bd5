"""An evening recorded because the table said yes, taken home in one tap, and learnt from."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flask import Flask

from calibration.geometry.plane import Plane
from companion.__main__ import main
from companion.capture.table_area import table_only
from companion.evening.session import Session
from companion.game.events import EveningBegun
from companion.game.ledger import Ledger
from companion.journal import Journal
from companion.journal.recording import GAME, LINES, Recorder
from companion.practice.faults import EVERYDAY
from companion.practice.script import write_script
from companion.practice.witness import Witness, moments_of
from companion.web import Door, Rule, create_app
from tests.support.companion_web_client import JSON, enter

SCRIPT = write_script(5, rounds=3, seed=4711, handling="tray", faults=EVERYDAY)
SQUARE = ((100.0, 100.0), (300.0, 100.0), (300.0, 250.0), (100.0, 250.0))


def plane(middle_from_tokens: bool = True) -> Plane:
    """A camera straight above: a pixel a millimetre, no lens."""
    looks = np.eye(3)
    return Plane(
        500, 400, looks, 0.0, 0.0, (0.0, 0.0), 500.0, (0.0, 0.0, -500.0), 0.1,
        middle_mm=SQUARE, middle_from_tokens=middle_from_tokens,
    )  # fmt: skip


def test_a_kept_picture_shows_the_table_and_nobody_about_it() -> None:
    """Outside the tokens and their margin every pixel is black; without tokens there is no
    picture."""
    image = np.full((400, 500, 3), 200, np.uint8)
    kept = table_only(image, plane())
    assert kept is not None
    assert kept[175, 200].tolist() == [200, 200, 200]
    assert not kept[:25].any()
    assert not kept[:, 375:].any()
    assert kept[100:250, 100:300].all()
    assert table_only(image, plane(middle_from_tokens=False)) is None
    assert table_only(image, None) is None
    assert table_only(image[:200], plane()) is None


def test_a_picture_is_kept_now_and_then(tmp_path: Path) -> None:
    """One a second at most, and each is called like its line."""
    recorder = Recorder(tmp_path / "rec", pictures=True, every_s=1.0)
    raw = moments_of(Witness(SCRIPT), 4.0)(None)
    assert raw is not None
    for tick in range(9):
        recorder.record_glimpse(
            replace(raw.uncurtained, t_s=tick / 4), np.zeros((8, 8, 3), np.uint8)
        )
    recorder.close()
    assert sorted(p.name for p in (tmp_path / "rec").glob("*.jpg")) == [
        "0000001.jpg",
        "0000005.jpg",
        "0000009.jpg",
    ]


class Table:
    """A table with its session, its tablet and a film that a witness tells."""

    def __init__(self, folder: Path) -> None:
        self.session = Session(Journal(folder / "data"))
        self.app: Flask = create_app(self.session, Door())
        self.tablet = enter(self.app)
        self._moments = moments_of(Witness(SCRIPT), 6.0)
        self.pictures_taken = 0

    def say(self, what: str) -> dict:
        answer = self.tablet.post("/api/recording", data=json.dumps({"do": what}), headers=JSON)
        assert answer.status_code == 200
        return answer.get_json()

    def begin(self, begun: EveningBegun) -> None:
        status, _ = self.session.command(
            {"id": f"begin-{self.session.version:06d}", "version": self.session.version, "do": "begin",
             "players": list(begun.players), "daydreamer": begun.daydreamer, "edition": begun.edition,
             "deck_size": begun.deck_size, "handling": begun.handling}
        )  # fmt: skip
        assert status == 200

    def take_picture(self) -> np.ndarray:
        self.pictures_taken += 1
        return np.zeros((8, 8, 3), np.uint8)

    def watch(self, until_round: int) -> None:
        """Look on until so many rounds are over."""
        self._watch_until(lambda ledger: len(ledger.finished) >= until_round)

    def watch_into_round(self, number: int) -> None:
        """Look on until somebody has guessed wrong in this round."""
        self._watch_until(
            lambda ledger: len(ledger.rounds) >= number and bool(ledger.rounds[-1].guesses)
        )

    def _watch_until(self, reached: Callable[[Ledger], bool]) -> None:
        while (raw := self._moments(self.session.attention)) is not None:
            glimpse = self.session.draw_curtain(raw)
            self.session.recording.record_glimpse(glimpse, self.take_picture)
            self.session.observe_glimpse(glimpse, 0.0)
            if reached(self.session.keeper.ledger):
                return


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def truth() -> EveningBegun:
    told = SCRIPT.truth
    return EveningBegun(told.players, told.daydreamer, told.edition, len(told.deck), told.handling)


def test_a_recorded_evening_is_taken_home_and_learnt_from(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked, allowed, recorded, packed with one tap, replayed to the same totals and fitted, without
    anybody saying who played; and deleted."""
    recordings = table.session.recording.folder
    table.session.recording.ask_people()
    assert table.session.scoreboard()["recording"] == "asked"
    table.begin(truth())
    table.watch(1)
    assert not recordings.exists(), "nobody has said yes"

    assert table.say("yes")["state"] == "on"
    table.watch(3)
    board = table.session.scoreboard()
    assert board["recording"] == "on"
    kept = table.say("no")
    assert kept["recordings"] == 1
    assert kept["pictures"] == table.pictures_taken > 5

    answer = table.tablet.get("/api/report")
    assert answer.status_code == 200
    report = tmp_path / "report.zip"
    report.write_bytes(answer.data)
    with zipfile.ZipFile(io.BytesIO(answer.data)) as packed:
        assert sorted(packed.namelist()) == sorted([LINES, GAME, "log.jsonl", "report.json"])
        text = "".join(packed.read(name).decode() for name in packed.namelist())
        assert not [name for name in truth().players if f'"{name}"' in text]

    gained = [line["gains"] for line in board["rounds"]][1:3]
    assert main(["replay", str(report), "--json", str(tmp_path / "again.json")]) == 0
    again = json.loads((tmp_path / "again.json").read_text(encoding="utf-8"))
    told = [[line["gains"][letter] for letter in "ABCDE"] for line in again["rounds"]]
    assert told[:2] == gained
    assert main(["fit", str(report)]) == 0
    assert "rounds are sure enough" in capsys.readouterr().out

    assert table.say("delete")["recordings"] == 0
    assert not recordings.exists()
    table.session.close()


def test_a_yes_in_the_middle_of_a_round(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody saw how that round went until then: it is left out, and that is said; the rounds after it
    are told as they were, roles and all."""
    table.begin(truth())
    table.watch_into_round(1)
    table.say("yes")
    table.watch(3)
    board = table.session.scoreboard()
    report = tmp_path / "report.zip"
    report.write_bytes(table.tablet.get("/api/report").data)
    assert main(["replay", str(report), "--json", str(tmp_path / "again.json")]) == 0
    assert "in the middle of round 1 of the evening" in capsys.readouterr().err
    again = json.loads((tmp_path / "again.json").read_text(encoding="utf-8"))
    told = [[line["gains"][letter] for letter in "ABCDE"] for line in again["rounds"]]
    assert told == [line["gains"] for line in board["rounds"]][1:3]
    assert "in the middle of round 1 of the evening" in again["warnings"][-1]
    table.session.close()


def test_a_recording_of_no_whole_round(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It begins in the middle of the last round: it has no piles, and the sentence says why."""
    table.begin(truth())
    table.watch(2)
    table.watch_into_round(3)
    table.say("yes")
    table.watch(3)
    report = tmp_path / "report.zip"
    report.write_bytes(table.tablet.get("/api/report").data)
    for command in ("replay", "fit"):
        assert main([command, str(report)]) == 2
        assert "before the cards are laid" in capsys.readouterr().err
    table.session.close()


def test_a_recording_of_a_part_says_so(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It begins after a round and stops in the middle of another one: both are said."""
    table.begin(truth())
    table.watch(1)
    table.say("yes")
    table.watch(2)
    table.watch_into_round(3)
    report = tmp_path / "report.zip"
    report.write_bytes(table.tablet.get("/api/report").data)
    assert main(["replay", str(report)]) == 0
    said = capsys.readouterr().err
    assert "begins after round 1 of the evening" in said
    assert "ends in the middle of a round" in said
    table.session.close()


def test_a_yes_is_for_one_evening(table: Table) -> None:
    """When another evening begins the screens ask again, and nothing of it is kept before."""
    table.begin(truth())
    table.say("yes")
    table.watch(1)
    before = table.session.recording.kept()
    assert before.recordings == 1
    table.session.command({"id": "end-000001", "version": table.session.version, "do": "end"})
    table.begin(truth())
    table.watch(1)
    assert table.session.scoreboard()["recording"] == "asked"
    assert table.session.recording.kept().recordings == 1
    table.session.close()


def test_who_only_watches_is_told_nothing_of_it(table: Table) -> None:
    """A screen that may not tap neither sees what lies there nor takes the report."""
    watcher = enter(table.app, Rule.WATCH)
    assert watcher.get("/api/recording").status_code == 403
    assert watcher.get("/api/report").status_code == 403
    assert table.tablet.get("/api/report").status_code == 404, "no evening has begun"
    table.session.close()

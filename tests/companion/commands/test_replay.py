"""Recorded evenings: the same ledger again from the glimpses, and a problem report that names
nobody."""

from __future__ import annotations

import json
import os
import shutil
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.cameras.port import Frame
from calibration.geometry.plane import Plane
from companion.__main__ import main
from companion.capture.watching import Watching
from companion.errors import BadInput
from companion.evening.session import Session
from companion.journal import Journal
from companion.journal.recording import LINES, Recorder, read_recording
from companion.table.glimpse_json import glimpse_to_dict
from companion.table.sighting import (
    Attention,
    Glimpse,
    PlaceReport,
    PlaceState,
    RawGlimpse,
    Sighting,
    TableView,
)
from companion.vision.eye import FrameResult
from companion.vision.places.memory import PlaceMemory
from tests.support import picture
from tests.support.kept_evening import NAMES as PEOPLE
from tests.support.kept_evening import KeptEvening

NAMES = ["Wilhelmine", "Bohumil", "Xaver", "Dorothea", "Eustach"]
MIDDLE = ((0.0, 0.0), (700.0, 0.0), (700.0, 400.0), (0.0, 400.0))
TRAY = ((750.0, 0.0), (950.0, 0.0), (950.0, 300.0), (750.0, 300.0))
GAME = ["--players", ",".join(NAMES), "--daydreamer", NAMES[0]]
PICTURE = np.full((4, 4, 3), 90, np.uint8)
SEEN = Plane(
    4, 4, np.eye(3), 0.0, 0.0, (0.0, 0.0), 4.0, (0.0, 0.0, -9.0), 0.1,
    middle_mm=((0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (0.0, 3.0)), middle_from_tokens=True,
)  # fmt: skip


def lie(
    t_s: float, cards: dict[int, tuple[float, float]], spots: dict[int, tuple[float, float]]
) -> Glimpse:
    """A glimpse of these cards, and of the bare table where others lay."""
    seen = tuple(
        Sighting(c, at, 0.0, ((0, 0), (1, 0), (1, 1), (0, 1)), 0.9) for c, at in cards.items()
    )
    places = [PlaceReport(c, at, PlaceState.MARKER) for c, at in cards.items()]
    places += [PlaceReport(c, at, PlaceState.TABLE) for c, at in spots.items() if c not in cards]
    return Glimpse(t_s, seen, tuple(places), table=TableView(MIDDLE, TRAY))


def glimpses() -> list[Glimpse]:
    """A round of five: one card goes to the tray, the other four are taken."""
    spots = {card: (100.0 * card, 150.0) for card in range(1, 6)}
    told = []
    for tick in range(300):
        cards = dict(spots)
        if tick > 80:
            cards[3] = (850.0, 100.0)
        if tick > 150:
            cards = {3: cards[3]}
        told.append(lie(tick / 10, cards, spots))
    return told


@pytest.fixture
def evening(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """An evening kept live and recorded: the folder with `data` and `rec`, and the scoreboard at
    its end."""
    session = Session(Journal(tmp_path / "data"))
    begin = {
        "players": NAMES,
        "daydreamer": 0,
        "edition": "en",
        "deck_size": 80,
        "handling": "auto",
    }
    session.command(
        {"id": "begin-0001", "version": 0, "do": "begin", "author": "Wilhelmine's tablet", **begin}
    )
    recorder = Recorder(tmp_path / "rec", pictures=True)
    for read in glimpses():
        glimpse = session.draw_curtain(RawGlimpse(read))
        recorder.record_glimpse(glimpse, PICTURE)
        session.observe_glimpse(glimpse, 1000.0)
    session.command(
        {
            "id": "name-00001",
            "version": session.version,
            "do": "name",
            "words": "Bohumil asleep",
            "round": 1,
        }
    )
    board = session.scoreboard()
    recorder.close()
    session.close()
    return tmp_path, board


def test_a_recording_gives_the_same_ledger_again(
    evening: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """`replay` of the folder and `score` of its file agree with each other and with what was shown
    live."""
    folder, board = evening
    for command, source in (("replay", "rec"), ("score", f"rec/{LINES}")):
        assert (
            main([command, str(folder / source), *GAME, "--json", str(folder / f"{command}.json")])
            == 0
        )
    told = json.loads((folder / "replay.json").read_text(encoding="utf-8"))
    assert told == json.loads((folder / "score.json").read_text(encoding="utf-8"))
    assert told["totals"] == {player["name"]: player["cards"] for player in board["players"]}
    assert [sorted(line["cards"]) for line in board["rounds"]] == [
        line["cards"] for line in told["rounds"]
    ]
    assert sum(told["totals"].values()) == 5
    assert capsys.readouterr().err == "", "nothing is missing, nothing was asked"


def test_where_no_round_was_played_it_is_said(
    evening: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Zeros alone would say that nobody won anything."""
    file = evening[0] / "rec" / LINES
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:6]))
    assert main(["score", str(file), *GAME]) == 0
    assert "no whole round" in capsys.readouterr().out


def test_what_ends_in_the_middle_of_a_round_is_said(
    evening: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """The piles look like those of a whole evening; both commands say so, and their JSON does."""
    file = evening[0] / "rec" / LINES
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:130]))
    for command, source in (("replay", file.parent), ("score", file)):
        out = file.parent / f"{command}.json"
        assert main([command, str(source), *GAME, "--json", str(out)]) == 0
        told = json.loads(out.read_text(encoding="utf-8"))
        assert [one["ending"] for one in told["rounds"]] == ["open"]
        assert "ends in the middle of a round" in told["warnings"][-1]
        assert told["warnings"][-1] in capsys.readouterr().err


def test_a_half_written_last_line_is_left_out(evening: tuple[Path, dict[str, Any]]) -> None:
    """The power went in the middle of a line: everything before it is replayed."""
    file = evening[0] / "rec" / LINES
    whole = file.read_bytes()
    file.write_bytes(whole[:-9])
    assert len(list(read_recording(file.parent))) == len(glimpses()) - 1


@pytest.mark.parametrize("encrypted", [False, True])
def test_a_report_that_unpacks_without_end_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], encrypted: bool
) -> None:
    """A stranger's report of few bytes whose one line has no end, or that is locked, is refused; not a
    tenth of it is ever in memory."""
    file = tmp_path / "report.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as report:
        report.writestr(LINES, b"[" * 20_000_000)
        report.writestr("game.json", b"[" * 20_000_000)
    if encrypted:
        file.write_bytes(file.read_bytes().replace(b"PK\3\4\x14\0\0", b"PK\3\4\x14\0\1").replace(
            b"PK\1\2\x14\3\x14\0\0", b"PK\1\2\x14\3\x14\0\1"))  # fmt: skip
    tracemalloc.start()
    try:
        assert main(["replay", str(file), *GAME]) == 2
        most_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert capsys.readouterr().err.count("\n") == 1
    assert most_bytes < 20_000_000


def test_a_full_disk_ends_the_recording_and_not_the_evening(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """When a line cannot be written it says so once; later glimpses are let go."""

    class Full:
        closed = False

        def write(self, text: str) -> None:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            self.closed = True

    recorder = Recorder(tmp_path / "rec")
    recorder.close()
    recorder._file = Full()
    for glimpse in glimpses()[:3]:
        recorder.record_glimpse(glimpse, PICTURE)
    assert capsys.readouterr().err.count("the evening goes on") == 1


def test_no_picture_is_kept_while_cards_are_looked_at_in_secret(tmp_path: Path) -> None:
    """The watching hands pictures to a recorder only while a round lies face up."""

    class Once:
        name = "once"

        def __init__(self) -> None:
            self.left = 3

        def read(self) -> Frame | None:
            self.left -= 1
            return Frame(PICTURE, 3.0 - self.left, 3 - self.left) if self.left else None

        def close(self) -> None:
            """Nothing to let go of."""

    class Blind:
        class plane_tracker:
            out_of_sight = False
            plane = None

        memory = PlaceMemory()

        def read_frame(self, frame: Frame, attention: Attention) -> FrameResult:
            return FrameResult.of(Glimpse(frame.t_s), SEEN)

    class Kept(Session):
        lies_open = False

        @property
        def curtain_open(self) -> bool:
            return self.lies_open

    for opened, kept in ((False, 0), (True, 2)):
        recorder = Recorder(tmp_path / f"open-{opened}", pictures=True)
        watching = Watching(
            Once(),
            Blind(),
            record_glimpse=lambda glimpse, take, kept_by=recorder: kept_by.record_glimpse(
                glimpse, take()
            ),
        )
        session = Kept(Journal(tmp_path / f"data-{opened}"))
        session.lies_open = opened
        watching.start(session)
        assert watching.wait(30)
        watching.stop()
        session.close()
        recorder.close()
        assert len(list((tmp_path / f"open-{opened}").glob("*.jpg"))) == kept
        assert len(list(read_recording(tmp_path / f"open-{opened}"))) == 2


def test_a_problem_report_names_nobody(evening: tuple[Path, dict[str, Any]]) -> None:
    """One file with log, glimpses and versions; no player, no device, no cloud's name, no folder,
    no picture."""
    folder, _ = evening
    out = folder / "report.zip"
    words = [
        "report",
        "--data",
        str(folder / "data"),
        "--recording",
        str(folder / "rec"),
        "--out",
        str(out),
    ]
    assert main(words) == 0
    with zipfile.ZipFile(out) as report:
        assert sorted(report.namelist()) == sorted(["report.json", "log.jsonl", LINES])
        text = "".join(report.read(name).decode("utf-8") for name in report.namelist())
        log = [json.loads(line) for line in report.read("log.jsonl").decode().splitlines()]
        assert "companion" in json.loads(report.read("report.json"))["versions"]
    assert log[0]["event"]["players"] == ["A", "B", "C", "D", "E"]
    assert log[0]["author"] == "device 1"
    for secret in (*NAMES, "tablet", "asleep", str(folder)):
        assert secret.casefold() not in text.casefold(), secret


def test_a_report_is_of_the_evening_that_was_played_last(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of before was gone on with since, and people sat down for another of which nothing was played."""
    kept = KeptEvening(past=()).begin(PEOPLE[:3]).play_round(1).do("end")
    kept.begin(PEOPLE[:4]).play_round(1).do("end").begin(PEOPLE[:5])
    assert kept.session.go_on(1, None) is None
    kept.do("next").play_round(0).do("end").begin(PEOPLE[:5])
    words = ["report", "--data", str(kept.journal.folder), "--out", str(tmp_path / "report.zip")]
    assert main(words) == 0
    assert "evening 1," in capsys.readouterr().out


def test_pictures_go_into_a_report_only_when_asked_for(
    evening: tuple[Path, dict[str, Any]],
) -> None:
    """With --pictures they are there, every one of ours, and no other that somebody put beside
    them."""
    folder, _ = evening
    (folder / "rec" / "IMG_Ada.jpg").write_bytes(b"Ada was here")
    words = [
        "report",
        "--data",
        str(folder / "data"),
        "--recording",
        str(folder / "rec"),
        "--pictures",
    ]
    assert main([*words, "--out", str(folder / "report.zip")]) == 0
    with zipfile.ZipFile(folder / "report.zip") as report:
        assert sum(name.startswith("pictures/") for name in report.namelist()) == len(glimpses())
        assert not [name for name in report.namelist() if "Ada" in name]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--out", "there.zip"], "already"),
        (["--out", "no/such/folder.zip"], "--out"),
        (["--out", "new.zip", "--evening", "7"], "--evening"),
        (["--out", "new.zip", "--practice"], "no evening"),
        (["--out", "new.zip", "--recording", "nowhere"], "--record"),
    ],
)
def test_reports_that_cannot_be_made(
    evening: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    words: list[str], said: str,
) -> None:  # fmt: skip
    """A file that is there, a folder that is not, an evening or a recording nobody kept: nothing is
    made or overwritten."""
    folder, _ = evening
    monkeypatch.chdir(folder)
    (folder / "there.zip").write_text("mine")
    assert main(["report", "--data", "data", *words]) == 2
    assert said in capsys.readouterr().err
    assert (folder / "there.zip").read_text() == "mine"
    assert not (folder / "new.zip").exists()


def test_files_of_before_1980_are_packed_like_others(
    evening: tuple[Path, dict[str, Any]],
) -> None:
    """A zip has no such dates: a computer whose clock begins in 1970 leaves files of then."""
    folder, _ = evening
    for path in (folder / "rec").rglob("*"):
        os.utime(path, (3.0, 3.0))
    words = ["report", "--data", str(folder / "data"), "--recording", str(folder / "rec")]
    assert main([*words, "--out", str(folder / "report.zip")]) == 0
    with zipfile.ZipFile(folder / "report.zip") as report:
        assert "glimpses.jsonl" in report.namelist()
        assert {part.date_time[0] for part in report.infolist()} == {1980}


def test_a_report_on_a_full_disk_leaves_nothing_half(
    evening: tuple[Path, dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """When the disk is full in the middle it says so, and there is no broken file in the way of the
    next try."""
    folder, _ = evening

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    out = folder / "report.zip"
    assert (
        main(
            [
                "report",
                "--data",
                str(folder / "data"),
                "--recording",
                str(folder / "rec"),
                "--out",
                str(out),
            ]
        )
        == 2
    )
    assert "No space left" in capsys.readouterr().err
    assert not out.exists()


def test_where_only_practice_was_played_the_report_is_of_it(
    evening: tuple[Path, dict[str, Any]],
) -> None:
    """The guide's trial needs no other words than the guide; with an evening of their own it is that
    one."""
    folder, _ = evening
    words = ["report", "--data", str(folder / "home"), "--out", str(folder / "report.zip")]
    shutil.copytree(folder / "data", folder / "home" / "practice")
    shutil.copytree(folder / "rec", folder / "home" / "practice" / "recordings" / "0001-001")
    assert main(words) == 0
    with zipfile.ZipFile(folder / "report.zip") as report:
        assert LINES in report.namelist()
    shutil.copytree(folder / "data", folder / "home", dirs_exist_ok=True)
    assert main([*words[:-1], str(folder / "own.zip")]) == 0
    with zipfile.ZipFile(folder / "own.zip") as report:
        assert LINES not in report.namelist(), "this evening was not recorded"


def no_recordings(folder: Path) -> list[Path]:
    """Files that somebody may take for recordings."""
    (folder / "users.txt").write_text("root:x:0:0:root:/root:/bin/sh\nbin:x:1:1::/:\n")
    (folder / "list.txt").write_text("{}\n{}\n")
    (folder / "long.txt").write_text("x" * 2_000_000)
    (folder / "bad.zip").write_bytes(b"no zip at all")
    (folder / "folder").mkdir()
    return [
        folder / name
        for name in ("users.txt", "list.txt", "long.txt", "bad.zip", "folder", "nowhere")
    ]


@pytest.mark.parametrize("command", ["replay", "fit"])
def test_what_is_no_recording_is_called_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """Whether or not somebody says who played; and nobody is told to change a file that is not ours."""
    for file in no_recordings(tmp_path):
        for game in ([], GAME):
            assert main([command, str(file), *game]) == 2
            said = capsys.readouterr().err
            assert "is no recording" in said, file
            assert "remove" not in said


def test_a_round_that_was_asked_about_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """People may have told more than the camera saw: where nobody answers, that is said."""
    text = (Path(__file__).parents[2] / "stories" / "ambiguous.txt").read_text(encoding="utf-8")
    lines = [
        json.dumps(glimpse_to_dict(glimpse)) + "\n"
        for _, glimpse in picture.glimpses(picture.read(text))
    ]
    (tmp_path / LINES).write_text("".join(lines), encoding="utf-8")
    assert main(["replay", str(tmp_path), *GAME]) == 0
    assert "round 1 of the recording was asked about" in capsys.readouterr().err


def test_a_report_without_a_recording_says_so(
    evening: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody said yes that evening."""
    folder, _ = evening
    out = str(folder / "report.zip")
    assert main(["report", "--data", str(folder / "data"), "--out", out]) == 0
    assert main(["replay", out]) == 2
    assert "there is no recording in" in capsys.readouterr().err


def test_a_damaged_line_is_named(
    evening: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """In the middle of a recording that begins well."""
    file = evening[0] / "rec" / LINES
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    lines[4] = "{]\n"
    file.write_text("".join(lines), encoding="utf-8")
    assert main(["replay", str(file.parent), *GAME]) == 2
    assert "line 5 of" in capsys.readouterr().err


SOUND_GAME = {
    "players": 3, "daydreamer": 0, "edition": "en", "handling": "auto", "deck_size": 80,
}  # fmt: skip


@pytest.mark.parametrize("command", ["replay", "fit"])
@pytest.mark.parametrize(
    "strange",
    [
        *({"players": value} for value in ("5", 10**9, -1, None, [], 2.5, True)),
        *({"daydreamer": value} for value in ("0", 3, -1, None, 1.0)),
        *({"edition": value} for value in ("xx", None, [])),
        *({"handling": value} for value in ("xx", None, [])),
        *({"deck_size": value} for value in ("80", None, 80.0)),
        {"before": "x"},
        {"in_round": None},
    ],
    ids=str,
)
def test_a_game_that_cannot_be_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, strange: dict[str, Any]
) -> None:
    """The report may be a stranger's: it is asked who played, as where nobody wrote it down."""
    (tmp_path / LINES).write_text('{"v":1,"t":0.0}\n', encoding="utf-8")
    (tmp_path / "game.json").write_text(json.dumps(SOUND_GAME | strange), encoding="utf-8")
    assert main([command, str(tmp_path)]) == 2
    assert "does not say who played" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["replay", "fit"])
@pytest.mark.parametrize(
    "strange",
    [
        {"t": 10**400},
        {"t": float("nan")},
        {"seen": [[float("inf"), 0, 0, 0, 1, None]]},
        {"seen": [[1, float("nan"), 0, 0, 1, None]]},
        {"places": [[1, 1e300, 0, "table"], [1, 0, 0, "table"]]},
        {"hands": [[0, 0, {"a": 1}]]},
        {"hands": [[0, 0, "x"]]},
        {"table": [[], []]},
        {"seen": {"a": 1}},
        {"tray": [1e308, 2, 10**400, -1e308]},
        {"unnamed": float("inf")},
        {"unread": [[1, float("inf")]], "notices": ["revealed"]},
    ],
    ids=str,
)
def test_a_line_with_what_nobody_measures_is_damaged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, strange: dict[str, Any]
) -> None:
    """Numbers without end, corners that a table lacks, a direction that is none: a sentence, and no
    traceback from whoever reckons with them."""
    lines = [{"v": 1, "t": 0.0}, {"v": 1, "t": 0.1} | strange]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / LINES).write_text(text, encoding="utf-8")
    assert main([command, str(tmp_path), *GAME]) == 2
    assert "line 2 of" in capsys.readouterr().err


def test_a_recording_needs_a_folder(tmp_path: Path) -> None:
    """The name of a file is refused as what it is."""
    (tmp_path / "film.avi").write_bytes(b"film")
    with pytest.raises(BadInput, match="is a file"):
        Recorder(tmp_path / "film.avi")

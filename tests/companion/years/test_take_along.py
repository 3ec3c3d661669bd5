"""Evenings leave as files and come back: nothing is lost, nothing comes twice, nothing bad comes in."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from companion.__main__ import main
from companion.errors import BadInput
from companion.findings.played import PlayedEvening, played_evening
from companion.game.events import EveningEnded, PlayersChanged, RoundAwaited, RoundDealt
from companion.game.fold import fold
from companion.game.log import Log
from companion.journal import Journal, acts
from companion.journal.round_pictures import RoundPictures
from companion.journal.store import FILE
from companion.years import backup, bgstats, json_file, tables
from companion.years.index import INDEX, YearsIndex
from companion.years.persons import Persons, fold_acts
from companion.years.take_along import exported, import_file
from tests.support.game_evening import begun
from tests.support.kept_evening import NAMES, KeptEvening
from tests.support.years.generated import evenings
from tests.support.years.recount import recount
from tests.support.years.season import season

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """A command typed in a shell: its exit code and all it said."""

    def typed(*words: object) -> tuple[int, str]:
        try:
            code = main([str(word) for word in words])
        except SystemExit as left:
            code = int(left.code or 0)
        told = capsys.readouterr()
        return code, told.out + told.err

    return typed


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the season was kept."""
    return keep(tmp_path_factory.mktemp("season"), season())


def keep(folder: Path, logs: tuple[Log, ...]) -> Path:
    with Journal(folder) as journal:
        journal.import_evenings(logs)
    return folder


def all_bytes(folder: Path) -> dict[str, bytes]:
    """What is kept, without what SQLite itself puts beside it and the index that can be made anew."""
    with sqlite3.connect(folder / FILE) as db:
        rows = repr(db.execute("SELECT * FROM entries").fetchall()).encode()
        rows += repr(db.execute("SELECT * FROM evenings").fetchall()).encode()
    return {"rows": rows} | {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix in (".json", ".jsonl")
    }


def test_a_season_goes_to_the_table_and_back_and_is_counted_again(
    run: Run, kept: Path, tmp_path: Path
) -> None:
    """Forty evenings of the practice table: an independent count of the table has every pile, and the
    table alone brings back the same evenings, rounds and points; twice is once."""
    table = tmp_path / "season.csv"
    assert run("export", table, "--data", kept) == (0, f"{table}: 40 evenings\n")
    text = table.read_text(encoding="utf-8")
    assert text.startswith("\ufeff")
    told = {one.id: one for one in map(played_evening, season())}
    assert recount(text) == {
        key: dict(zip(one.names, one.totals, strict=True)) for key, one in told.items()
    }
    other = tmp_path / "other"
    assert "40 evenings came, 0 here" in run("import", table, "--data", other)[1]
    assert "0 evenings came, 40 here" in run("import", table, "--data", other)[1]
    with YearsIndex(other) as index:
        index.refresh()
        back = {one.id: one for _, one in index.played()}
    assert {key: comparable(one) for key, one in back.items()} == {
        key: comparable(one) for key, one in told.items()
    }
    again = tmp_path / "again.csv"
    run("export", again, "--data", other)
    assert again.read_bytes() == table.read_bytes()


@pytest.mark.parametrize("kind", ["csv", "json", "bgsplay"])
def test_an_evening_that_was_undone_is_not_counted(run: Run, tmp_path: Path, kind: str) -> None:
    """Nor is it a line of the table: the book has one evening, and so many are said to be in the file."""
    kept = KeptEvening(past=()).begin(NAMES[:4]).play_round(0).do("end")
    kept.begin(NAMES[1:5]).do("laid").do("undo").do("end")
    file = tmp_path / f"evenings.{kind}"
    folder = kept.journal.folder
    assert run("export", file, "--data", folder) == (0, f"{file}: 1 evening\n")
    if kind != "json":
        assert NAMES[4] not in file.read_text(encoding="utf-8-sig")


def comparable(evening: PlayedEvening) -> list[object]:
    """Names, points and rounds of an evening, times to the millisecond."""
    return [
        evening.names,
        evening.totals,
        evening.over,
        [(r.circle, r.cards, r.guesses, r.ending, r.gains, r.name) for r in evening.rounds],
        round(evening.began_s * 1000),
    ]


def test_everything_goes_to_another_companion_entry_for_entry(
    run: Run, kept: Path, tmp_path: Path
) -> None:
    """JSON brings every entry as it was; an evening twice is one; what is there stays."""
    file = tmp_path / "all.json"
    assert run("export", file, "--data", kept)[0] == 0
    assert len(json.loads(file.read_text(encoding="utf-8"))["evenings"]) == 40
    other = keep(tmp_path / "other", season()[:3])
    assert "37 evenings came, 3 here" in run("import", file, "--data", other)[1]
    with Journal(other) as journal:
        logs = [journal.read_evening(one.number) for one in journal.evenings()]
        assert sorted(logs, key=lambda log: log.entries[0].at_s) == list(season())
        assert journal.evening is None


def test_an_import_never_goes_on_with_the_others_evening(tmp_path: Path) -> None:
    """An unfinished evening of another companion lies beside our own unfinished one, and after a
    restart ours goes on."""
    with Journal(tmp_path) as journal:
        journal.append(begun(4).log.entries)
        unfinished = Log(season()[5].entries[:9])
        assert journal.import_evenings([unfinished]) == 1
    with Journal(tmp_path) as journal:
        assert (journal.evening, len(journal.log.entries)) == (1, 1)
        assert journal.known_players()[:4] == ("Ada", "Ben", "Cleo", "Dan")
    (tmp_path / FILE).unlink()
    with Journal(tmp_path) as journal:  # rebuilt from the lines beside it
        assert len(journal.evenings()) == 2


@pytest.mark.parametrize(
    "name", ["=1+1", "@SUM(A1)", "+49 30", "-Ida", "＝x", 'a;b, "c"', "\tTab", "नमिता", "'quoted"]
)
def test_names_that_spreadsheets_would_run_come_back_as_they_were(name: str) -> None:
    """A formula is plain text in the table, and the same name again when it is read."""
    log = evenings(1, 5, people=(name, "Ben", "Cleo", "Dan", "Eva", "Finn", "Gerd"))[0]
    one = played_evening(log)
    out = io.StringIO(newline="")
    csv.writer(out).writerows(tables.rows([(one, name)]))
    for row in csv.reader(io.StringIO(out.getvalue())):
        assert not any(value.lstrip(" ").startswith(tuple("=+-@\t＝")) for value in row)
    (back, place), *_ = tables.logs(io.StringIO(out.getvalue(), newline=""))
    assert (fold(back).ledger.names, place) == (one.names, name)


def test_who_joins_and_leaves_is_in_the_table(tmp_path: Path) -> None:
    """An evening in which people come and go between rounds, a round is void and roles try again adds
    up to the same points when it is read back."""
    from companion.game.events import RoundVoided

    told = begun(4)
    told.play(told.next_cards(), 1)
    told.enter(PlayersChanged(2, ("Ada", "Ben", "Eva", "Cleo", "Dan")))
    told.play(told.next_cards(), 2)
    told.play(told.next_cards(), 0)
    told.enter(PlayersChanged(4, ("Ada", "Eva", "Dan"), "Dan"))
    told.play(told.next_cards(), 2)
    told.play(told.next_cards(), 0)
    told.enter(RoundVoided(5, cards_return=True, roles_pass=False))
    told.play(told.next_cards(), 1)
    one = played_evening(told.log)
    out = io.StringIO(newline="")
    csv.writer(out).writerows(tables.rows([(one, "")]))
    (back, _), *_ = tables.logs(io.StringIO(out.getvalue(), newline=""))
    assert comparable(played_evening(back))[:2] == comparable(one)[:2]
    assert [r.circle for r in played_evening(back).rounds] == [r.circle for r in one.rounds]


def test_any_order_of_coming_and_going_is_read_back() -> None:
    """Somebody who began leaves before the first round and comes later, two take seats one after the other
    for the same round, one is entered who never plays: the table is read back with the same points."""
    told = begun(4)
    told.enter(PlayersChanged(1, ("Ben", "Cleo", "Dan", "Eva"), "Dan"))
    told.play(told.next_cards(), 1)
    told.enter(PlayersChanged(2, ("Ben", "Cleo", "Finn", "Dan", "Eva")))
    told.enter(PlayersChanged(2, ("Ben", "Ada", "Cleo", "Finn", "Dan", "Eva")))
    told.play(told.next_cards(), 2)
    told.enter(PlayersChanged(3, ("Ben", "Ada", "Cleo", "Finn", "Dan", "Eva", "Gus")))
    one = played_evening(told.log)
    out = io.StringIO(newline="")
    csv.writer(out).writerows(tables.rows([(one, "")]))
    (back, _), *_ = tables.logs(io.StringIO(out.getvalue(), newline=""))
    again = played_evening(back)
    assert dict(zip(again.names, again.totals, strict=True)) == dict(
        zip(one.names, one.totals, strict=True)
    )
    assert "Gus" not in one.names


def test_an_evening_that_was_ended_in_the_middle_of_a_round_is_over_when_it_is_read_back() -> None:
    """It came back as one that is not over, and nobody had won."""
    told = begun(4)
    told.play(told.next_cards(), 1)
    told.enter(RoundDealt(2, told.next_cards()), EveningEnded())
    one = played_evening(told.log)
    assert one.over
    out = io.StringIO(newline="")
    csv.writer(out).writerows(tables.rows([(one, "")]))
    (back, _), *_ = tables.logs(io.StringIO(out.getvalue(), newline=""))
    assert played_evening(back).over
    assert comparable(played_evening(back)) == comparable(one)


def test_a_set_up_that_was_taken_back_is_no_evening_of_the_file(tmp_path: Path, run: Run) -> None:
    """Export said one evening, import that two had come, with the names of the one that was undone."""
    kept = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo")).play_round(1).finish()
    kept.do("rematch").do("players", players=["Ada", "Ben", "Zoe"]).do("undo").do("undo")
    home = kept.journal.folder
    kept.session.close()
    file = tmp_path / "all.json"
    assert "1 evening\n" in run("export", file, "--data", home)[1]
    assert "Zoe" not in file.read_text(encoding="utf-8")
    assert "1 evening came" in run("import", file, "--data", tmp_path / "other")[1]


def test_a_table_with_somebody_who_played_no_round_is_read() -> None:
    """As companions of before wrote it: a column of nothing for somebody who was entered and never sat."""
    told = begun(4)
    told.play(told.next_cards(), 1)
    head, *lines = tables.rows([(played_evening(told.log), "")])
    at = head.index("player_5")
    out = io.StringIO(newline="")
    csv.writer(out).writerows([head, *([*row[:at], "Eva", "0", *row[at + 2 :]] for row in lines)])
    (back, _), *_ = tables.logs(io.StringIO(out.getvalue(), newline=""))
    assert fold(back).ledger.names == ("Ada", "Ben", "Cleo", "Dan")


def test_bg_stats_gets_what_it_demands() -> None:
    """Every truth value is there, the end is in UTC, ids are the same for the same people, play and
    game, and stay when somebody is renamed; the link goes to the app and to no web address."""
    first, second = map(
        played_evening, evenings(2, 3, people=("Ida", "Ben", "Zoë", "Jo", "A", "B", "C"))
    )
    link = bgstats.link(first, "Omas Küche & Garten", Persons())
    assert link.startswith("bgstats://app.bgstatsapp.com/createPlay.html?data=")
    assert not set(link.partition("data=")[2]) & set(' "&#+=?')
    play = json.loads(unquote(link.partition("data=")[2]))
    assert play == bgstats.play(first, "Omas Küche & Garten", Persons())
    assert set(play) >= {"sourceName", "sourcePlayId", "playDate", "game", "players"}
    assert play["game"] == {
        "name": "Cloud Mine", "sourceGameId": "cloud-mine", "highestWins": True, "noPoints": False,
    }  # fmt: skip
    assert len(play["playDate"]) == 19
    assert play["playDate"][10] == " "
    for player in play["players"]:
        assert type(player["winner"]) is bool
        assert type(player["startPlayer"]) is bool
        assert isinstance(player["score"], str)
        assert type(player["rank"]) is int
    assert sum(player["startPlayer"] for player in play["players"]) == 1
    assert bgstats.play_date(0.0) == "1970-01-01 00:00:00"
    acts = act_log({"do": "rename", "person": first.names[0], "name": "Somebody Else"})
    renamed = bgstats.play(first, "", fold_acts(acts))
    assert renamed["players"][0]["name"] == "Somebody Else"
    assert [p["sourcePlayerId"] for p in renamed["players"]] == [
        p["sourcePlayerId"] for p in play["players"]
    ]
    file = json.loads("".join(bgstats.play_file([(first, "x"), (second, "")], Persons(), 5.0)))
    people = {one["id"]: one for one in file["players"]}
    assert len({one["sourcePlayerId"] for one in people.values()}) == len(people)
    for told, evening in zip(file["plays"], (first, second), strict=True):
        assert [people[s["playerRefId"]]["name"] for s in told["playerScores"]] == list(
            evening.names
        )
        assert [int(s["score"]) for s in told["playerScores"]] == list(evening.totals)
    assert "bggId" not in json.dumps(file)


def act_log(*told: dict[str, object]) -> list[object]:
    from companion.journal.acts import Act

    return [Act(number, 0.0, None, what) for number, what in enumerate(told, 1)]


def test_a_backup_of_a_running_game_is_whole_and_never_laid_over_anything(
    run: Run, tmp_path: Path
) -> None:
    """While a companion writes, the backup is of one moment; it comes back beside what is there."""
    home, file = tmp_path / "home", tmp_path / "all.zip"
    game = begun(4)
    game.enter(RoundAwaited(1))
    with Journal(keep(home, season()[:5])) as journal:
        for entry in game.log.entries:
            journal.append((entry,))
        assert run("backup", file, "--data", home)[0] == 0
        journal.append(begun(3).log.entries)  # the game goes on
    assert run("backup", file, "--data", home)[0] == 2  # never over a file
    before = all_bytes(home)
    assert "5 evenings" in run("restore", file, "--check", "--data", home)[1]
    code, said = run("restore", file, "--data", home)
    assert (code, all_bytes(home)) == (0, before)
    beside = home.with_name("home-restored-1")
    assert str(beside) in said
    with Journal(beside) as journal:
        assert len(journal.evenings()) == 6
    assert run("restore", file, "--data", tmp_path / "fresh")[0] == 0
    with Journal(tmp_path / "fresh") as journal:
        assert [journal.read_evening(n) for n in range(1, 6)] == list(season()[:5])
        assert journal.evening == 6
        assert not journal.notices  # no line beside it was damaged: none came
    assert "0 evenings came, 6 here" in run("import", file, "--data", home)[1]


def test_files_of_before_1980_are_in_the_backup_too(run: Run, kept: Path, tmp_path: Path) -> None:
    """A zip has no such dates: a computer whose clock begins in 1970 leaves files of then, and packs
    by its clock of then."""
    home, file = tmp_path / "home", tmp_path / "all.zip"
    shutil.copytree(kept, home)
    (home / "people.json").write_text("[]")
    os.utime(home / "people.json", (3.0, 3.0))
    assert run("backup", file, "--data", home)[0] == 0
    with zipfile.ZipFile(file) as packed:
        assert "people.json" in packed.namelist()
        assert {part.date_time[0] for part in packed.infolist()} == {1980}
    assert run("restore", file, "--data", tmp_path / "fresh")[0] == 0


def test_the_pictures_of_rounds_are_in_the_backup_too(run: Run, tmp_path: Path) -> None:
    """They come back where they lay; a backup without any is one that companions of before read; a name
    that leads elsewhere is refused and nothing is written."""
    home, file = keep(tmp_path / "home", season()[:2]), tmp_path / "all.zip"
    run("backup", tmp_path / "bare.zip", "--data", home)
    with zipfile.ZipFile(tmp_path / "bare.zip") as packed:
        assert json.loads(packed.read("backup.json"))["version"] == 1
    pictures = RoundPictures(home)
    pictures.keep(2, 1_700_000_000_123, b"\xff\xd8 one")
    pictures.keep(1, 1_700_000_000_456, b"\xff\xd8 two")
    assert run("backup", file, "--data", home)[0] == 0
    assert run("restore", file, "--data", tmp_path / "fresh")[0] == 0
    back = RoundPictures(tmp_path / "fresh")
    assert back.moments_ms(2) == [1_700_000_000_123]
    assert back.read(1, 1_700_000_000_456) == b"\xff\xd8 two"
    assert "0 evenings came, 2 here" in run("import", file, "--data", home)[1]
    evil = tmp_path / "evil.zip"
    with zipfile.ZipFile(file) as packed, zipfile.ZipFile(evil, "w") as written:
        told = json.loads(packed.read("backup.json"))
        told["files"]["pictures/../../0001/7.jpg"] = told["files"][
            "pictures/0001/1700000000456.jpg"
        ]
        for name in set(packed.namelist()) - {"backup.json"}:
            written.writestr(name, packed.read(name))
        written.writestr("backup.json", json.dumps(told))
        written.writestr("pictures/../../0001/7.jpg", b"\xff\xd8 two")
    code, said = run("restore", evil, "--data", tmp_path / "other")
    assert (code, said.count("\n")) == (2, 1)
    assert not (tmp_path / "other").exists()


FOREIGN = (
    "0001/12345.jpg/",
    "1/12345.jpg",
    "00001/12345.jpg",
    "20240102030405/1.jpg",
    f"0001/{'9' * 200}.jpg",
    "0001/١٢٣٤٥.jpg",
    "holiday/1.jpg",
)
"""What a person may put among the kept pictures; the first is a folder."""


@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_no_picture_of_ours_is_left_alone(run: Run, tmp_path: Path, name: str) -> None:
    """It is not counted, not backed up, not deleted, and stops no backup; the picture beside it is there."""
    home, file = keep(tmp_path / "home", season()[:1]), tmp_path / "all.zip"
    pictures = RoundPictures(home)
    pictures.keep(1, 1_700_000_000_123, b"\xff\xd8 one")
    foreign = pictures.folder / name
    foreign.parent.mkdir(exist_ok=True)
    if name.endswith("/"):
        foreign.mkdir()
    else:
        foreign.write_bytes(b"\xff\xd8 theirs")
    assert (pictures.kept().evenings, pictures.kept().pictures) == (1, 1)
    assert pictures.moments_ms(1) == [1_700_000_000_123]
    code, said = run("backup", file, "--data", home)
    assert (code, said.count("\n")) == (0, 1), said
    with zipfile.ZipFile(file) as packed:
        assert [one for one in packed.namelist() if "pictures" in one] == [
            "pictures/0001/1700000000123.jpg"
        ]
    pictures.keep_for(1)
    assert pictures.sweep(1_900_000_000.0) == 1
    assert foreign.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit of a file's size")
def test_a_backup_for_which_there_is_no_room_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """No picture fits where it is put together: one sentence, and nothing is left of it."""
    home, file = keep(tmp_path / "home", season()[:1]), tmp_path / "all.zip"
    RoundPictures(home).keep(1, 1_700_000_000_123, os.urandom(1_000_000))
    words = ("backup", str(file), "--data", str(home))
    limited = (
        "import resource, sys; from companion.__main__ import main; "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000)); sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited, *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "free some space" in done.stderr
    assert not file.exists()


def spoiled(tmp_path: Path, kept: Path) -> Iterator[tuple[str, bytes]]:
    """Files that are no evenings, each with its name."""
    with YearsIndex(kept) as index:
        index.refresh()
        good = "".join(exported(index, Persons(), "json", [1, 2]))
        table = "".join(exported(index, Persons(), "csv", [1, 2]))
    first = good.splitlines(keepends=True)
    yield "nothing", b""
    yield "letters", "not an export\n".encode("utf-16")
    yield "a picture", b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    yield "other json", b'{"format": "something", "version": 1}'
    yield "a list", b"[1, 2, 3]"
    yield "deep", b"[" * 200_000
    yield "cut", good[: len(good) // 2].encode()
    yield "no end", "".join(first[:-1]).encode()
    yield "newer", good.replace('"version": 1', '"version": 2', 1).encode()
    yield "newer entries", good.replace('"v":1', '"v":7').encode()
    yield "unknown kind", good.replace('"round-dealt"', '"round-dreamt"', 1).encode()
    yield (
        "impossible",
        good.replace('"round-dealt","v":1,"round":2', '"round-dealt","v":1,"round":4').encode(),
    )
    yield (
        "second is bad",
        good[::-1]
        .replace('"tlaed-dnuor"'[::-1], '"x"', 1)[::-1]
        .replace('"card-set-aside"', '"card-lost"')
        .encode(),
    )
    yield "a long name", good.replace('"Ada"', '"' + "A" * 10_000 + '"').encode()
    yield "no time", good.replace('"at_s":17', '"at_s":NaN,"x":17', 1).encode()
    yield "no table", b"a,b,c\n1,2,3\n"
    yield "cut table", table[: len(table) // 2 + 7].encode()
    lines = table.splitlines()
    began = lines[1].split(",")[1]
    yield "the last second", table.replace(began, "9999-12-31T23:59:59Z").encode()
    yield "the first second", table.replace(began, "0001-01-01T00:00:00+14:00").encode()
    yield "an edition", table.replace(",en,", ",fr,").encode()
    yield (
        "an author",
        good.replace('"author":"Ada"', '"author":5')
        .replace('"author":null', '"author":5')
        .encode(),
    )
    yield "a name unseen", good.replace('"Ada"', '"\\u001b\\u202e"').encode()
    yield "a card twice", table.replace(table.splitlines()[1].split(",")[12], "5 5 5 5").encode()
    claimed = next(line for line in lines if ",claimed," in line)
    cells = claimed.split(",")
    first_gain = cells.index(next(gain for gain in cells[20::2] if gain not in ("", "0")), 19)
    more = [*cells[:first_gain], "77", *cells[first_gain + 1 :]]
    yield "other points", table.replace(claimed, ",".join(more)).encode()
    yield "another ending", table.replace(",claimed,", ",lookout,", 1).encode()
    yield "another seat", table.replace(cells[13], "8" + cells[13][1:], 1).encode()
    yield "long name table", table.replace("Ada", "A" * 10_000).encode()
    yield "a zip of something", _zip({"a.txt": b"a"})
    yield "a broken zip", _zip({"backup.json": b"{}"})[:-30]
    yield (
        "a false backup",
        _zip({"backup.json": b'{"format": "cloud-mine-companion/backup", "version": 1}'}),
    )
    yield (
        "a newer backup",
        _zip(
            {"backup.json": b'{"format": "cloud-mine-companion/backup", "version": 9, "files": {}}'}
        ),
    )
    yield (
        "a backup with a way out",
        _zip(
            {
                "backup.json": json.dumps(
                    {
                        "format": "cloud-mine-companion/backup",
                        "version": 1,
                        "files": {"journal.sqlite3": "0", "../outside": "0"},
                    }
                ).encode(),
            }
        ),
    )


def _zip(files: dict[str, bytes], way: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", way) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return out.getvalue()


@pytest.mark.skipif(sys.platform == "win32", reason="nobody can be asked there whether he lives")
def test_what_a_killed_process_left_among_passing_files_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evenings with names that a backup was being made of lie there no longer than until the next start;
    those of a process that lives, and what is called otherwise, stay."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    with tempfile.TemporaryDirectory(prefix=backup.passing_prefix()) as ours:
        left = tmp_path / f"{backup.PASSING}{dead.pid}-x"
        (left / "deeper").mkdir(parents=True)
        (left / "deeper" / FILE).write_bytes(b"evenings")
        other = tmp_path / f"{backup.PASSING}photos-x"
        other.mkdir()
        backup.sweep_passing()
        assert sorted(tmp_path.iterdir()) == sorted([Path(ours), other])


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
def test_a_killed_backup_leaves_no_half_file_and_the_next_one_is_made(tmp_path: Path) -> None:
    """Killed while it packs: nothing stands under the name, and the same command does it; what it had
    put beside is swept up once no backup can be at work on it any more."""
    home, file = keep(tmp_path / "home", season()[:1]), tmp_path / "all.zip"
    for at_ms in range(1, 40):
        RoundPictures(home).keep(1, 1_700_000_000_000 + at_ms, os.urandom(1_000_000))
    words = [sys.executable, "-m", "companion", "backup", str(file), "--data", str(home)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as making:
        while making.poll() is None and not list(tmp_path.glob(".backing-up-*/backup.zip")):
            time.sleep(0.002)
        making.kill()
    assert not file.exists()
    (left,) = tmp_path.glob(".backing-up-*")
    long_ago_s = time.time() - 2 * 86_400
    os.utime(left, (long_ago_s, long_ago_s))
    assert subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode == 0
    assert (file.exists(), left.exists()) == (True, False)


@pytest.mark.parametrize("at", range(4))
def test_a_restore_that_was_stopped_between_its_files_gave_all_or_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """What people did to the book of the evenings of before says nothing of those that begin after it."""
    home, file, to = keep(tmp_path / "home", season()[:2]), tmp_path / "all.zip", tmp_path / "to"
    with Journal(home) as journal:
        journal.acts.append({"do": "place", "evening": 1, "place": "at the lake"}, None)
    (home / "people.json").write_text("{}", encoding="utf-8")
    run("backup", file, "--data", home)
    renamed: list[Path] = []

    def rename(self: Path, name: Path) -> Path:
        if len(renamed) == at:
            raise KeyboardInterrupt
        renamed.append(self)
        return self.replace(name)

    monkeypatch.setattr(Path, "rename", rename)
    with contextlib.suppress(KeyboardInterrupt):
        backup.restore(file, to)
    monkeypatch.undo()
    with Journal(to) as journal:
        assert (len(journal.evenings()), len(journal.acts.acts)) in ((0, 0), (2, 1))
        assert not journal.notices


def test_a_restore_that_was_refused_left_nothing(
    run: Run, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fails when the evenings lie in their places: they stood there, though it was said that they
    cannot, and done again they came into another folder."""
    file, to = tmp_path / "all.zip", tmp_path / "to"
    RoundPictures(kept).keep(1, 1_700_000_000_000, b"\xff\xd8 a picture")
    run("backup", file, "--data", kept)

    def failing(folder: Path) -> None:
        raise OSError(5, "Input/output error", str(folder))

    monkeypatch.setattr(backup, "carry_names_to_disk", failing)
    with pytest.raises(BadInput, match="Input/output error"):
        backup.restore(file, to)
    monkeypatch.undo()
    with Journal(to) as journal:
        assert journal.evenings() == ()
    assert not list(to.glob("pictures*"))
    shutil.rmtree(to)
    with monkeypatch.context() as disk:
        disk.setattr(backup, "carry_names_to_disk", failing)
        with pytest.raises(BadInput):
            backup.restore(file, to)
    assert backup.restore(file, to)[0] == to


@pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="nobody tells what was carried there"
)
def test_what_was_restored_is_there_after_the_power_has_gone(
    run: Run, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The names of the files, and that of a new folder, are carried to the disk once all are given."""
    file, to = tmp_path / "all.zip", tmp_path / "home" / "new"
    run("backup", file, "--data", kept)
    fsync, carried = os.fsync, {}

    def noted(number: int) -> None:
        at = Path(f"/proc/self/fd/{number}").readlink()
        carried[at] = {path.name for path in at.iterdir()} if at.is_dir() else set()
        fsync(number)

    monkeypatch.setattr(os, "fsync", noted)
    _, told = backup.restore(file, to)
    assert carried[to] >= {Path(name).parts[0] for name in told["files"]}
    assert "new" in carried[to.parent]


def test_what_a_killed_restore_left_is_swept_up(run: Run, kept: Path, tmp_path: Path) -> None:
    """The next one removes it, where it is older than any restore that may still be under way."""
    file, home = tmp_path / "all.zip", tmp_path / "home" / "new"
    home.parent.mkdir()
    run("backup", file, "--data", kept)
    old, fresh = (home.parent / f".restoring-{name}" for name in ("old", "fresh"))
    for left in (old, fresh):
        left.mkdir()
        (left / FILE).write_bytes(b"half")
    long_ago_s = time.time() - 2 * 86_400
    os.utime(old, (long_ago_s, long_ago_s))
    assert run("restore", file, "--data", home)[0] == 0
    assert sorted(path.name for path in home.parent.iterdir()) == [".restoring-fresh", "new"]


@pytest.mark.parametrize("way", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_backup_packed_in_another_way_is_none(run: Run, tmp_path: Path, way: int) -> None:
    """No companion packs so, and each way of packing has errors of its own: one sentence, whole or
    damaged."""
    home, ours = keep(tmp_path / "home", season()[:1]), tmp_path / "ours.zip"
    run("backup", ours, "--data", home)
    with zipfile.ZipFile(ours) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    whole = _zip(files, way)
    middle = len(whole) // 2
    for data in (whole, whole[:middle] + b"\x00" * 40 + whole[middle + 40 :]):
        file = tmp_path / "other.zip"
        file.write_bytes(data)
        for words, folder in (
            (("import", file), home),
            (("restore", file), tmp_path / "none"),
            (("restore", "--check", file), home),
        ):
            code, said = run(*words, "--data", folder)
            assert (code, said.count("\n")) == (2, 1), (words, said)
        assert not (tmp_path / "none").exists()


def test_what_is_no_evening_gives_one_sentence_and_changes_nothing(
    run: Run, kept: Path, tmp_path: Path
) -> None:
    """Whatever the file: exit 2, one sentence without a trace of the program, every byte as before."""
    home = keep(tmp_path / "home", season()[10:12])
    before = all_bytes(home)
    for name, data in spoiled(tmp_path, kept):
        file = tmp_path / "file.any"
        file.write_bytes(data)
        code, said = run("import", file, "--data", home)
        assert code == 2, (name, said)
        assert said.startswith("companion import: "), (name, said)
        assert said.count("\n") == 1, (name, said)
        assert len(said) < 500, (name, said)
        assert all_bytes(home) == before, name
        if data[:2] == b"PK" or name == "nothing":
            code, said = run("restore", file, "--data", tmp_path / "none")
            assert (code, said.count("\n"), (tmp_path / "none").exists()) == (2, 1, False), name
    for words in (
        ("import", tmp_path / "nowhere.json"),
        ("export", tmp_path / "x.txt"),
        ("export", tmp_path / "x.csv", "--evening", "77"),
        ("export", tmp_path / "no" / "folder.csv"),
        ("restore", tmp_path / "nowhere.zip"),
        ("backup", tmp_path / "no" / "folder.zip"),
    ):
        code, said = run(*words, "--data", home)
        assert (code, said.count("\n")) == (2, 1), said
    for command in (("evenings",), ("export", tmp_path / "y.csv"), ("backup", tmp_path / "y.zip")):
        assert run(*command, "--data", tmp_path / "empty")[0] == 2
    assert all_bytes(home) == before


def test_an_evening_that_cannot_be_mended_keeps_no_other_out_of_the_file(
    run: Run, tmp_path: Path
) -> None:
    """A newer companion's field, a letter that is none, and no lines beside: the start leaves it alone.
    JSON of all was refused then, with a sentence that sent people to the start."""
    home = keep(tmp_path / "home", season()[:3])
    shutil.rmtree(home / "evenings")
    with sqlite3.connect(home / FILE) as db:
        for number, word in ((4, b'"roupd"'), (6, b'"ro\xffnd"')):
            row = (number,)
            (told,) = db.execute(
                "SELECT CAST(entry AS BLOB) FROM entries WHERE evening = 2 AND number = ?", row
            ).fetchone()
            db.execute(
                "UPDATE entries SET entry = CAST(? AS TEXT) WHERE evening = 2 AND number = ?",
                (told.replace(b'"round"', word, 1), number),
            )
    db.close()
    with Journal(home) as journal:
        for _ in journal.prove_rest():
            pass
        assert any("update the companion; nothing was changed" in one for one in journal.notices)
    code, said = run("export", tmp_path / "all.json", "--data", home)
    assert code == 0, said
    assert said.splitlines() == [
        f"{tmp_path / 'all.json'}: 2 evenings",
        "Evening 2 cannot be read by this companion and is not in the file: keep a backup too.",
    ]
    assert len(json.loads((tmp_path / "all.json").read_bytes())["evenings"]) == 2
    code, said = run("export", "-", "--as", "json", "--evening", 2, "--data", home)
    assert (code, "Evening 2 cannot be read by this companion and is not" in said) == (0, True), (
        said
    )
    assert run("backup", tmp_path / "a.zip", "--data", home)[0] == 0
    code, said = run("import", tmp_path / "a.zip", "--data", tmp_path / "other")
    assert (code, "its evening 2 cannot be read; nothing was changed" in said) == (2, True), said
    assert "start the companion" not in said


def test_an_index_is_made_anew_where_it_is_missing_or_no_index(kept: Path) -> None:
    """The index is made of the journal alone: gone, damaged or another program's, the same evenings
    are found again."""

    def found() -> list[str]:
        with YearsIndex(kept) as index:
            index.refresh()
            return [one.id for one in index.find(count=-1)[0]]

    whole = found()
    assert len(whole) == 40
    for spoil in (lambda p: p.unlink(), lambda p: p.write_bytes(b"nonsense" * 999)):
        for path in kept.glob(f"{INDEX}*"):
            spoil(path)
        assert found() == whole


def test_evenings_are_listed_by_player_and_year(run: Run, kept: Path) -> None:
    """`companion evenings` finds by person and year, and tells each as JSON."""
    told = json.loads(run("evenings", "--json", "--data", kept)[1])
    assert [one["number"] for one in told] == list(range(40, 0, -1))
    some = json.loads(run("evenings", "--player", "hana", "--json", "--data", kept)[1])
    assert some == [one for one in told if "Hana" in one["players"]]
    assert 0 < len(some) < 40
    year = json.loads(run("evenings", "--year", "2024", "--json", "--data", kept)[1])
    assert year == [one for one in told if one["began"].startswith("2024")]
    assert 0 < len(year) < 40
    for nobodys in (("--player", "Nobody"), ("--year", "9" * 30)):
        assert run("evenings", *nobodys, "--data", kept)[1] == "no evening\n"
    assert "rounds" in run("evenings", "--data", kept)[1]


def test_a_single_evening_of_the_ledgers_button_comes_in_too(run: Run, tmp_path: Path) -> None:
    """The JSON that the tablet's ledger gives is an export as well."""
    from companion.journal.export import evening_file

    file = tmp_path / "one.json"
    file.write_bytes(evening_file(season()[4], "json")[1])
    assert "1 evening came" in run("import", file, "--data", tmp_path / "home")[1]


def test_reading_a_file_line_by_line_is_reading_it_whole(kept: Path) -> None:
    """An export that somebody's editor laid out anew is read as well."""
    with YearsIndex(kept) as index:
        index.refresh()
        text = "".join(exported(index, Persons(), "json", [3, 4]))
    laid_out = json.dumps(json.loads(text), indent=2).splitlines(keepends=True)
    one = list(json_file.logs(io.StringIO(text)))
    assert one == list(json_file.logs(laid_out))
    assert len(one) == 2


def test_what_people_did_to_the_book_holds_in_every_file(run: Run, tmp_path: Path) -> None:
    """Renamed, merged, forgotten, deleted, placed: `evenings`, every export and an import of the backup
    tell it so, and the name of who was forgotten stands in none of them."""
    told = [played_evening(log) for log in season()[:6]]
    gone, renamed = told[0].names[:2]
    by_hers = tuple(replace(entry, author=gone) for entry in season()[0].entries)
    home = keep(tmp_path / "home", (Log(by_hers), *season()[1:6]))
    with Journal(home) as journal:
        for what in (
            {"do": "forget", "person": gone},
            {"do": "rename", "person": renamed, "name": "Somebody Else"},
            {"do": "delete", "evening": 2},
            {"do": "place", "evening": 1, "place": "At the lake"},
            {"do": "delete"},  # says too little: counts for nothing
            {"do": "place", "evening": 3, "place": 5},
        ):
            journal.acts.append(what, None)
    files = [tmp_path / f"all.{kind}" for kind in ("csv", "json", "bgsplay")]
    said = [run("evenings", "--data", home)[1], run("evenings", "--json", "--data", home)[1]]
    for file in files:
        assert run("export", file, "--data", home) == (0, f"{file}: 5 evenings\n")
        said.append(file.read_text(encoding="utf-8"))
    for text in said:
        assert gone not in text
        assert renamed not in text
        assert "Somebody Else" in text
        assert "somebody" in text
        assert "At the lake" in text
    assert told[1].id not in said[1] + said[2] + said[3]
    run("backup", tmp_path / "all.zip", "--data", home)
    other = tmp_path / "other"
    assert "5 evenings came" in run("import", tmp_path / "all.zip", "--data", other)[1]
    came = run("evenings", "--json", "--data", other)[1]
    assert gone not in came
    with Journal(other) as journal:
        assert gone not in {entry.author for entry in journal.read_evening(1).entries}
    assert "At the lake" in came
    assert "At the lake" in run("evenings", "--place", "at the lake", "--data", other)[1]


def test_imported_texts_are_as_if_they_had_been_typed(run: Run, tmp_path: Path) -> None:
    """What a terminal would obey, what turns the writing and half characters do not come in; what older
    companions let in is not printed."""
    bad = "Ada\x1b[31m\u202e\n\x9b\ud800"
    logs = season()[:2]
    name = played_evening(logs[0]).names[0]
    file = tmp_path / "all.json"
    with YearsIndex(keep(tmp_path / "clean", logs)) as index:
        index.refresh()
        text = "".join(exported(index, Persons(places={1: "PLACE", 2: "PLACE"}), "json"))
    spoilt = json.dumps(bad)[1:-1]
    file.write_text(text.replace("PLACE", spoilt).replace(f'"{name}"', f'"{spoilt[:-6]}"'))
    home = tmp_path / "home"
    assert "2 evenings came" in run("import", file, "--data", home)[1]
    with Journal(home) as journal:
        assert "Ada [31m" in journal.read_evening(1).entries[0].event.players
        assert {act.what["place"] for act in journal.acts.acts} == {"Ada [31m"}
        journal.acts.append({"do": "place", "evening": 1, "place": bad}, None)
        journal.acts.append({"do": "rename", "person": "Ada [31m", "name": bad}, None)
    for words in (("evenings",), ("evenings", "--json")):
        code, said = run(*words, "--data", home)
        assert (code, said.count("Ada [31m") > 2) == (0, True)
        assert not set(said) & set("\x1b\u202e\x9b\ud800")


def test_a_folder_with_a_time_no_calendar_has_is_read(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evening that came with the last second of the year 9999 blocks nothing, east of Greenwich
    either."""
    monkeypatch.setenv("TZ", "Europe/Prague")
    time.tzset()
    log = season()[0]
    late = Log(tuple(replace(entry, at_s=253_402_300_799.0) for entry in log.entries))
    home = keep(tmp_path / "home", (late, season()[1]))
    assert run("evenings", "--data", home)[1].count("rounds") == 2
    assert run("export", tmp_path / "all.csv", "--data", home)[0] == 0
    monkeypatch.undo()
    time.tzset()


def test_a_backup_is_believed_for_what_is_in_it(run: Run, tmp_path: Path) -> None:
    """How many evenings there are is counted, not told; entries that nobody can read are no whole
    backup, and no import."""
    home, file, bare = keep(tmp_path / "home", season()[:2]), tmp_path / "a.zip", tmp_path / "b.zip"
    assert run("backup", file, "--data", home)[0] == 0
    with zipfile.ZipFile(file) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    told = json.loads(parts["backup.json"])
    parts["backup.json"] = json.dumps(
        {name: told[name] for name in ("format", "version", "files")}
    ).encode()
    bare.write_bytes(_zip(parts))
    assert "2 evenings" in run("restore", bare, "--check", "--data", home)[1]
    assert "2 evenings back" in run("restore", bare, "--data", tmp_path / "fresh")[1]
    for number, entry in enumerate(
        ("[]", "x", '{"event": 5}', "[" * 200_000, '{"event": {"players": 1}}')
    ):
        with sqlite3.connect(home / FILE) as db:
            db.execute("UPDATE entries SET entry = ? WHERE number = 1 AND evening = 1", (entry,))
        file = tmp_path / f"broken-{number}.zip"
        assert run("backup", file, "--data", home)[0] == 0
        for words in (("restore", file, "--check"), ("import", file)):
            code, said = run(*words, "--data", tmp_path / "other")
            assert (code, said.count("\n")) == (2, 1), said
        assert run("evenings", "--data", home)[0] == 0
        out = tmp_path / f"{number}.json"
        code, said = run("export", out, "--data", home)
        assert (code, "Evening 1 cannot be read" in said) == (0, True)
        json.loads(out.read_text(encoding="utf-8"))


def test_a_folder_in_the_index_place_stops_nothing(run: Run, tmp_path: Path) -> None:
    """Where the index cannot be kept it is made in memory."""
    home = keep(tmp_path / "home", season()[:2])
    (home / INDEX).mkdir()
    assert run("evenings", "--data", home)[1].count("rounds") == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes in the file system")
@pytest.mark.parametrize("beside", ["", "-journal", "-wal", "-shm"])
def test_a_pipe_in_the_place_of_the_index_or_beside_it_stops_nothing(
    run: Run, tmp_path: Path, beside: str
) -> None:
    """SQLite waits for a pipe for ever: every look into the book held up one of the tablets' workers."""
    home = keep(tmp_path / "home", season()[:2])
    (home / f"{INDEX}{beside}").unlink(missing_ok=True)
    os.mkfifo(home / f"{INDEX}{beside}")
    told = subprocess.run(
        [sys.executable, "-m", "companion", "evenings", "--data", home],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert told.stdout.count("rounds") == 2, told.stderr


STRANGE = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
    "a view without end": "ALTER TABLE evenings RENAME TO e; CREATE VIEW evenings AS WITH RECURSIVE "
    "c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
    "another column": "ALTER TABLE entries RENAME COLUMN entry TO e",
    "rows that it checks": "DROP TABLE commands; CREATE TABLE commands "
    "(command TEXT PRIMARY KEY, evening INTEGER NOT NULL, answer TEXT NOT NULL CHECK (0)) STRICT",
    "rows that it drops": "DROP TABLE commands; CREATE TABLE commands "
    "(command TEXT PRIMARY KEY ON CONFLICT IGNORE, evening INTEGER NOT NULL, answer TEXT NOT NULL) STRICT",
    "the last number there is": "UPDATE entries SET evening = 9223372036854775807; "
    "UPDATE evenings SET evening = 9223372036854775807",
    "a number whose commands are too long": "UPDATE entries SET evening = 999999999; "
    "UPDATE evenings SET evening = 999999999",
    "the last act there is": "INSERT INTO acts VALUES (1000000000, 1.0, NULL, "
    """'{"do":"place","evening":1,"place":"At the lake"}')""",
    "an evening without a beginning": "DELETE FROM entries",
    "an endless entry": "UPDATE entries SET entry = printf('%.*c', 2000000, '[')",
}


@pytest.mark.parametrize("what", STRANGE)
def test_a_backup_whose_database_no_companion_made_is_refused(
    run: Run, tmp_path: Path, what: str
) -> None:
    """A stranger's backup with a database that acts by itself, never ends or leaves no room for another
    evening, its commands or another act on the book is one sentence, and nothing is written."""
    home, file = keep(tmp_path / "home", season()[:1]), tmp_path / "a.zip"
    with sqlite3.connect(home / FILE) as db:
        db.executescript(STRANGE[what])
    db.close()
    _packed_anew(run, keep(tmp_path / "sound", season()[:1]), file, (home / FILE).read_bytes())
    for words in (("restore", file, "--check"), ("restore", file), ("import", file)):
        code, said = run(*words, "--data", tmp_path / "fresh")
        assert (code, said.count("\n")) == (2, 1), said
        assert "none that a companion made" in said
    assert run("evenings", "--data", tmp_path / "fresh")[0] in (0, 2)
    assert not (tmp_path / "fresh" / "people.json").exists()


def test_a_backup_whose_letters_are_written_otherwise_is_refused(run: Run, tmp_path: Path) -> None:
    """The book reads the file's own letters: it said for ever that the next start mends it."""
    home, file = keep(tmp_path / "home", season()[:1]), tmp_path / "a.zip"
    with contextlib.closing(sqlite3.connect(home / FILE)) as db:
        script = "\n".join(db.iterdump())
        version, ours = (
            db.execute(f"PRAGMA {told}").fetchone()[0]
            for told in ("user_version", "application_id")
        )
    other = tmp_path / "other.sqlite3"
    with contextlib.closing(sqlite3.connect(other)) as db:
        db.executescript(
            f"PRAGMA encoding = 'UTF-16le'; {script} PRAGMA user_version = {version}; "
            f"PRAGMA application_id = {ours}"
        )
    _packed_anew(run, keep(tmp_path / "sound", season()[:1]), file, other.read_bytes())
    for words in (("restore", file, "--check"), ("restore", file), ("import", file)):
        code, said = run(*words, "--data", tmp_path / "fresh")
        assert (code, "none that a companion made" in said) == (2, True), said


@pytest.mark.parametrize("act", ["[]", '{"do":"go_on"}', "no JSON", '{"do":"undo","act":[]}'])
def test_a_backup_whose_acts_are_none_starts_and_says_so(
    run: Run, tmp_path: Path, act: str
) -> None:
    """Restored it starts, imported its evenings come; what could not be understood is one sentence."""
    home, file = keep(tmp_path / "home", season()[:1]), tmp_path / "a.zip"
    with Journal(home) as journal:
        journal.acts.append({"do": "place", "evening": 1, "place": "At the lake"}, None)
    sound = tmp_path / "sound"
    shutil.copytree(home, sound)
    with sqlite3.connect(home / FILE) as db:
        db.execute("INSERT INTO acts VALUES (2, 1.0, NULL, ?)", (act,))
    db.close()
    _packed_anew(run, sound, file, (home / FILE).read_bytes())
    for words in (("restore", file, "--check"), ("restore", file)):
        code, said = run(*words, "--data", tmp_path / "fresh")
        assert (code, said.count("\n"), "1 of the things" in said) == (0, 2, True), said
    with Journal(tmp_path / "fresh") as journal:
        assert [one.number for one in journal.acts.acts] == [1]
        assert "the acts 2 could not be understood" in journal.notices[0]
    code, said = run("import", file, "--data", tmp_path / "other")
    assert (code, "1 evenings came" in said or "1 evening came" in said) == (0, True), said
    assert "1 of the things" in said


def _packed_anew(run: Run, home: Path, file: Path, database: bytes) -> None:
    """A backup of `home` with another database in it, its sums as they should be."""
    assert run("backup", file, "--data", home)[0] == 0
    with zipfile.ZipFile(file) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    told = json.loads(parts["backup.json"])
    parts[FILE] = database
    told["files"][FILE] = hashlib.sha256(database).hexdigest()
    parts["backup.json"] = json.dumps(told).encode()
    file.write_bytes(_zip(parts))


@pytest.mark.parametrize(
    "much",
    [
        "UPDATE entries SET entry = replace(hex(zeroblob(450000)), '0', 'ä')",
        "UPDATE evenings SET players = printf('%1000001s', ']')",
        "UPDATE evenings SET players = printf('%9000000s', ']')",
        "INSERT INTO acts SELECT a.number * 100 + b.number, 1.0, NULL, "
        "json_object('do', 'later', 'a', printf('%900000s', 'x')) "
        "FROM entries a JOIN entries b WHERE b.number < 3",
    ],
)
def test_a_small_backup_that_would_fill_the_memory_is_refused(
    run: Run, tmp_path: Path, much: str
) -> None:
    """A zip of 1.5 MB took 1.2 GB: one evening, one row or the acts on the book are in memory as a whole."""
    home, file = keep(tmp_path / "home", season()[:1]), tmp_path / "a.zip"
    with Journal(home) as journal:
        journal.acts.append({"do": "place", "evening": 1, "place": "At the lake"}, None)
    with sqlite3.connect(home / FILE) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute(much)
    db.close()
    _packed_anew(run, home, file, (home / FILE).read_bytes())
    for words in (("restore", file, "--check"), ("restore", file), ("import", file)):
        code, said = run(*words, "--data", tmp_path / "fresh")
        assert code == 2, said
        assert "more than anybody plays" in said or "is damaged" in said


def test_a_small_backup_that_unpacks_to_a_full_disk_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture larger than any, and a whole that leaves no room for who plays meanwhile, are refused
    before a byte is written."""
    home, file = keep(tmp_path / "home", season()[:1]), tmp_path / "a.zip"
    RoundPictures(home).keep(1, 1_700_000_000_123, b"\0" * 20_000_001)
    with monkeypatch.context() as theirs:
        theirs.setattr(backup, "LARGEST_PICTURE", 30_000_000)
        assert run("backup", file, "--data", home)[0] == 0
    assert file.stat().st_size < 100_000
    code, said = run("restore", file, "--data", tmp_path / "fresh")
    assert (code, "too large" in said) == (2, True)
    RoundPictures(home).delete_all()
    file.unlink()
    assert run("backup", file, "--data", home)[0] == 0
    left = type("Left", (), {"free": 100_000_010})
    monkeypatch.setattr("companion.years.backup.shutil.disk_usage", lambda _: left)
    code, said = run("restore", file, "--data", tmp_path / "fresh")
    assert (code, "does not fit" in said) == (2, True)
    assert not (tmp_path / "fresh").exists()


def test_the_index_goes_on_in_memory_where_the_disk_is_full(tmp_path: Path) -> None:
    """An evening that is new while the disk is full is found in the book all the same."""
    home = keep(tmp_path / "home", season()[:2])
    with YearsIndex(home) as index:
        assert index.refresh() == 2
        (pages,) = index._db.execute("PRAGMA page_count").fetchone()
        index._db.execute(f"PRAGMA max_page_count = {pages}")  # more are refused as on a full disk
        keep(home, season()[2:40])
        index.refresh()
        assert index.find(count=100)[1] == index.find(only=index.ids().values())[1]
        assert len(index.ids()) == len(season()[:40])
        assert index.stale() == []


@pytest.mark.parametrize("name", ["a.json", "b.json", "c.csv"])
def test_a_line_without_end_is_not_read_to_its_end(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """An import whose line is longer than any evening is refused at that length, not in the memory."""
    monkeypatch.setattr("companion.years.take_along.LONGEST_LINE", 100_000)
    home, whole = keep(tmp_path / "home", season()[:1]), tmp_path / f"whole{Path(name).suffix}"
    assert run("export", whole, "--data", home)[0] == 0
    head = whole.read_text(encoding="utf-8").splitlines(keepends=True)[0]
    begin = '{"format": "' if name == "a.json" else head
    (tmp_path / name).write_text(begin + "a" * 3_000_000, encoding="utf-8")
    code, said = run("import", tmp_path / name, "--data", tmp_path / "fresh")
    assert (code, said.count("\n"), "line longer" in said) == (2, 1, True), said


def test_an_evening_that_begins_during_a_restore_is_not_laid_over(
    run: Run, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large backup takes a while to unpack. Who sits down meanwhile keeps what was entered, whether
    that companion still runs or was stopped; doing it again puts the backup beside."""
    file, home = tmp_path / "season.zip", tmp_path / "home"
    assert run("backup", file, "--data", kept)[0] == 0
    unpacked = backup._unpacked
    running: list[Journal] = []

    def sit_down(*given: Any) -> Any:
        told = unpacked(*given)
        running.append(Journal(home))
        running[0].append(begun().log.entries)
        return told

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(backup, "_unpacked", sit_down)
        code, said = run("restore", file, "--data", home)
    assert (code, "Another companion" in said) == (2, True)
    running[0].close()
    code, said = run("restore", file, "--data", home)
    assert (code, "home-restored-1" in said) == (0, True)
    with Journal(home) as journal:
        assert journal.log.entries == begun().log.entries


def test_a_copy_of_the_acts_that_cannot_be_written_refuses_nothing(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in the database counts: it was called refused, came all the same, and the places of
    imported evenings never did. The copy is there again with the next act."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    exported_to = tmp_path / "season.json"
    persons = Persons({}, frozenset(), dict.fromkeys(range(1, 41), "At Ada's"))
    with YearsIndex(kept) as index:
        index.refresh()
        exported_to.write_text("".join(exported(index, persons, "json")), encoding="utf-8")
    with Journal(tmp_path / "home") as journal:
        with monkeypatch.context() as disk:
            disk.setattr(acts, "write_beside_then_replace", full)
            assert import_file(journal, {}, exported_to).new == 40
        assert len(fold_acts(journal.acts.acts).places) == 40
        assert not (journal.folder / acts.BESIDE).exists()
        journal.acts.append({"do": "place", "evening": 1, "place": "home"}, None)
        assert len(json.loads((journal.folder / acts.BESIDE).read_bytes())) == 41

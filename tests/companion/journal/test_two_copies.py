"""The disk changes what the database or a file beside the evenings says: the copy whose check sum holds
is believed, what was changed is kept and said, and nothing stops the start."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from pathlib import Path
from threading import RLock

import pytest

from companion.errors import JournalTrouble
from companion.game.events import CardSetAside
from companion.game.fold import fold
from companion.game.log import Log, Retraction
from companion.journal import Journal
from companion.journal.acts import ActLog, read_acts
from companion.journal.people_signs import PeopleSigns
from companion.journal.store import FILE
from companion.outbox.link import LinkFile
from tests.support.victims.journal_victim import story

ACTS = 24
DEEP = b"[" * 200_000


@pytest.fixture
def whole(tmp_path: Path) -> Log:
    """The second evening of a folder; the first has the same entries."""
    for _ in range(2):
        with Journal(tmp_path) as journal:
            for act, entries in enumerate(story()[:ACTS]):
                journal.append(entries, f"{journal.next_evening}-{act}", {"ok": True})
            log = journal.log
    return log


def damage(folder: Path, sql: str, *values: object) -> None:
    """Change the database behind the journal's back."""
    database = sqlite3.connect(folder / FILE)
    database.execute(sql, values)
    database.commit()
    database.close()


def text_of(file: Path, evening: int, number: int) -> bytes:
    """What a database says there."""
    database = sqlite3.connect(file)
    row = database.execute(
        "SELECT CAST(entry AS BLOB) FROM entries WHERE evening = ? AND number = ?",
        (evening, number),
    ).fetchone()
    database.close()
    return bytes(row[0])


@pytest.mark.parametrize("evening", [1, 2])
@pytest.mark.parametrize(
    "spoil",
    [
        "replace(entry, '\"attempt\":1', '\"attempt\":3')",
        "replace(entry, '\"kind\"', '\"kinf\"')",
        "replace(entry, '{', '[')",
        "CAST(x'fffe7b' AS TEXT)",
    ],
)
def test_an_entry_that_the_disk_changed_is_as_it_was(
    tmp_path: Path, whole: Log, evening: int, spoil: str
) -> None:
    """Another attempt, a kind nobody knows, no JSON, no text: the line beside it counts, tonight and in
    an evening of before; said once, and the database as it was is kept."""
    at = next(e.number for e in whole.entries if isinstance(e.event, CardSetAside))
    side = tmp_path / "evenings" / f"{evening:04d}.jsonl"
    lines = side.read_bytes()
    damage(
        tmp_path,
        f"UPDATE entries SET entry = {spoil} WHERE evening = ? AND number = ?",
        evening,
        at,
    )
    changed = text_of(tmp_path / FILE, evening, at)
    with Journal(tmp_path) as journal:
        assert journal.read_evening(evening) == journal.log == whole
        assert f"Evening {evening}" in journal.notices[0]
        assert f"entries {at};" in journal.notices[0]
        assert journal.kept is not None
        assert text_of(journal.kept, evening, at) == changed
    assert side.read_bytes() == lines
    with Journal(tmp_path) as again:
        assert (again.log, again.notices, again.kept) == (whole, (), None)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("replace(entry, '\"attempt\":1', '\"attempt\":3')", "nothing proves there"),
        ("replace(entry, '\"kind\"', '\"kinf\"')", "only damaged lines"),
        ('replace(entry, \'"kind":"\', \'"kind":"x\')', "only damaged lines"),
    ],
)
@pytest.mark.parametrize("over", [False, True])
def test_one_wrong_bit_in_each_copy_of_an_entry_is_said(
    tmp_path: Path, whole: Log, spoil: str, said: str, over: bool
) -> None:
    """Whether the row can still be read or not, tonight and in an evening of before; it is no newer
    companion's, whose line would hold its sum."""
    at = next(e.number for e in whole.entries if isinstance(e.event, CardSetAside))
    evening = 1 if over else 2
    side = tmp_path / "evenings" / f"{evening:04d}.jsonl"
    lines = side.read_bytes().splitlines(keepends=True)
    side.write_bytes(
        b"".join([*lines[: at - 1], lines[at - 1].replace(b"attempt", b"attempu"), *lines[at:]])
    )
    update = f"UPDATE entries SET entry = {spoil} WHERE evening = ? AND number = ?"
    damage(tmp_path, update, evening, at)
    with Journal(tmp_path) as journal:
        journal.read_evening(evening)
        assert [told for told in journal.notices if said in told and f"entries {at}" in told]
    with Journal(tmp_path) as again:
        assert not again.notices


def test_what_both_copies_lost_is_said(tmp_path: Path, whole: Log) -> None:
    """No JSON in the database and a spoiled line: that entry alone is lost."""
    at = next(e.number for e in whole.entries if isinstance(e.event, CardSetAside))
    side = tmp_path / "evenings" / "0002.jsonl"
    lines = side.read_bytes().splitlines(keepends=True)
    side.write_bytes(b"".join([*lines[: at - 1], b"?\n", *lines[at:]]))
    damage(tmp_path, "UPDATE entries SET entry = '{' WHERE evening = 2 AND number = ?", at)
    with Journal(tmp_path) as journal:
        assert journal.log.entries[at - 1].event == Retraction((), "lost")
        for mine, was in zip(journal.log.entries, whole.entries, strict=False):
            assert mine == was or mine.number == at
        assert f"entries {at} only damaged lines" in journal.notices[0]
        assert fold(journal.log).misfit is None


def test_one_copy_is_enough(tmp_path: Path, whole: Log) -> None:
    """A spoiled line and another spoiled row: nothing is lost."""
    side = tmp_path / "evenings" / "0002.jsonl"
    lines = side.read_bytes().splitlines(keepends=True)
    side.write_bytes(b"".join([*lines[:6], b"?\n", *lines[7:]]))
    damage(tmp_path, "UPDATE entries SET entry = '{' WHERE evening = 2 AND number = 9")
    with Journal(tmp_path) as journal:
        assert journal.log == whole


@pytest.mark.parametrize(
    "column",
    [
        "players = '{'",
        "totals = '[1}'",
        "players = CAST(x'ff' AS TEXT)",
        "began_s = 1e300",
        'players = \'["\\ud800", "b", "c"]\'',
    ],
)
def test_what_stands_over_an_evening_is_counted_anew(
    tmp_path: Path, whole: Log, column: str
) -> None:
    """Players, totals or times that are none: from the entries, and said."""
    with Journal(tmp_path) as journal:
        before = journal.evenings()
    damage(tmp_path, f"UPDATE evenings SET {column} WHERE evening = 2")
    with Journal(tmp_path) as journal:
        assert journal.log == whole
        now = journal.evenings()[1]
        assert (now.players, now.totals) == (before[1].players, before[1].totals)
        assert abs(now.began_s - before[1].began_s) < 1
        assert "counted anew" in journal.notices[0]


def test_an_evening_that_only_seems_over_goes_on(tmp_path: Path, whole: Log) -> None:
    """One wrong bit says that it is over: its entries know better."""
    damage(tmp_path, "UPDATE evenings SET over = 1, rounds = 9 WHERE evening = 2")
    with Journal(tmp_path) as journal:
        assert (journal.evening, journal.log) == (2, whole)


@pytest.mark.parametrize("seed", range(4))
def test_forty_wrong_bits_lose_nothing(tmp_path: Path, whole: Log, seed: int) -> None:
    """Anywhere in the database behind its first header, with the lines beside it whole."""
    dice, file = random.Random(seed), tmp_path / FILE
    data = bytearray(file.read_bytes())
    for _ in range(40):
        data[dice.randrange(100, len(data))] ^= 1 << dice.randrange(8)
    file.write_bytes(data)
    with Journal(tmp_path) as journal:
        assert journal.log == journal.read_evening(1) == whole
        assert journal.evening == 2
        assert journal.kept is not None


@pytest.mark.parametrize("gone", [False, True])
@pytest.mark.parametrize("lines", [9, None])
def test_a_database_without_evenings_is_said(
    tmp_path: Path, whole: Log, gone: bool, lines: int | None
) -> None:
    """Nothing of it is left: what the lines have comes back, all or the first of them, and people hear
    of it."""
    (tmp_path / FILE).write_bytes(b"")
    if gone:
        (tmp_path / FILE).unlink()
    side = tmp_path / "evenings" / "0002.jsonl"
    side.write_bytes(b"".join(side.read_bytes().splitlines(keepends=True)[:lines]))
    with Journal(tmp_path) as journal:
        assert journal.log.entries == whole.entries[:lines]
        assert "held no evening any more" in journal.notices[0]


def test_a_damaged_answer_is_still_an_answer(tmp_path: Path, whole: Log) -> None:
    """The same command does nothing twice, whatever the disk made of what was said."""
    damage(tmp_path, "UPDATE commands SET answer = '['")
    with Journal(tmp_path) as journal:
        assert journal.answer_to("2-3") == {"ok": True}


def test_a_long_number_in_a_line_is_a_damaged_line(tmp_path: Path, whole: Log) -> None:
    """A time of 400 digits."""
    with (tmp_path / "evenings" / "0002.jsonl").open("ab") as file:
        file.write(
            b'{"evening":2,"began_s":1,"entry":{"number":99,"at_s":' + b"9" * 400 + b',"source":'
            b'"person","event":{"kind":"evening-ended","v":1}}}\n'
        )
    with Journal(tmp_path) as journal:
        assert journal.log == whole


def test_lines_that_a_forgotten_name_stood_in_go_first(
    tmp_path: Path, whole: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stop between the two would bring it back otherwise; where the disk refuses, both copies stay."""
    side = tmp_path / "evenings" / "0001.jsonl"
    lines = side.read_bytes()
    with Journal(tmp_path) as journal:

        def refuse(_: object) -> None:
            assert not side.exists()
            raise JournalTrouble("full")

        with monkeypatch.context() as full:
            full.setattr(journal, "_between", refuse)
            with pytest.raises(JournalTrouble):
                journal.rewrite_evening(1, whole)
        assert journal.read_evening(1) == whole
    assert len(side.read_bytes().splitlines()) == len(lines.splitlines())


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ([[1, 1, None, {"do": "rename"}], [1, 1, None, {}]], 1),
        ([[10**20, 1, None, {}]], 0),
        ([[1, 1, None, {"do": "delete"}]], 0),
        ([[1, 1, None, {"do": "undo", "act": "x"}], [2, 1, None, {"do": "merge"}]], 1),
        (b"[[1e999,1,null,{}]]", 0),
        (b"[[1,1e999,null,{}]]", 0),
        (DEEP, 0),
    ],
)
def test_acts_that_cannot_be_understood_stop_nobody(
    tmp_path: Path, whole: Log, told: object, kept: int
) -> None:
    """What can be understood is taken, the file is kept, and the next evening gets its number."""
    data = told if isinstance(told, bytes) else json.dumps(told).encode()
    (tmp_path / "acts.json").write_bytes(data)
    with Journal(tmp_path) as journal:
        assert (len(journal.acts.acts), journal.next_evening) == (kept, 3)
        assert "acts.json.broken-1" in journal.notices[0]
    assert (tmp_path / "acts.json.broken-1").read_bytes() == data


def test_damaged_acts_come_from_the_file_beside(tmp_path: Path, whole: Log) -> None:
    """A row without sense: the acts as `acts.json` has them, and said."""
    with Journal(tmp_path) as journal:
        acts = journal.acts.append_all([{"do": "place", "evening": 1, "place": "home"}] * 2, None)
    damage(tmp_path, "UPDATE acts SET act = '{' WHERE number = 1")
    with Journal(tmp_path) as journal:
        assert journal.acts.acts == acts
        assert "acts.json" in journal.notices[0]


@pytest.mark.parametrize("what", ["wrong bit", "cut", "away"])
def test_acts_that_were_lost_with_the_log_come_from_the_file_beside(
    tmp_path: Path, whole: Log, what: str
) -> None:
    """Stopped hard, and then the write-ahead log is damaged: acts that were acknowledged were gone, though
    `acts.json` had them all, and the next one took their numbers."""
    living, folder = tmp_path / "living", tmp_path / "stopped"
    place = {"do": "place", "evening": 1, "place": "home"}
    with Journal(living) as journal:
        journal.acts.append(place, None)
    with Journal(living) as journal:
        for _ in range(8):
            journal.acts.append(place, None)
        acts = journal.acts.acts
        shutil.copytree(living, folder)
    log = folder / f"{FILE}-wal"
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    if what == "away":
        log.unlink()
    else:
        log.write_bytes(data if what == "wrong bit" else data[: len(data) // 2])
    with Journal(folder) as journal:
        assert journal.acts.acts == acts
        assert any("acts.json was believed" in notice for notice in journal.notices)
        done = journal.acts.append(place, None)
    with Journal(folder) as journal:
        assert (journal.acts.acts, journal.notices) == ((*acts, done), ())


ACTED = (
    {"do": "rename", "person": "Ada", "name": "Adéla"},
    {"do": "go_on", "evening": 1},
    {"do": "place", "evening": 2, "place": "home"},
)


def test_any_wrong_bit_in_an_act_is_found(tmp_path: Path, whole: Log) -> None:
    """Each bit of the text of each act, flipped in the database: it starts, the acts are as they were, and
    where another act stood there that is said; the next start finds nothing."""
    with Journal(tmp_path) as journal:
        acts = journal.acts.append_all(ACTED, "tablet")
    beside = (tmp_path / "acts.json").read_bytes()
    for act in acts:
        text = json.dumps(act.what).encode()
        for at in range(len(text) * 8):
            spoilt = bytearray(text)
            spoilt[at // 8] ^= 1 << at % 8
            damage(
                tmp_path,
                "UPDATE acts SET act = CAST(? AS TEXT) WHERE number = ?",
                bytes(spoilt),
                act.number,
            )
            database = sqlite3.connect(tmp_path / FILE, isolation_level=None)
            log = ActLog(database, RLock(), tmp_path, float, lambda: None, lambda: None)
            assert log.acts == acts
            says_it_too = spoilt.replace(b"\\u00E9", b"\\u00e9") == text
            said = [f"(the acts {act.number})" in notice for notice in log.notices]
            assert said == ([] if says_it_too else [True])
            assert read_acts(database) == acts
            database.close()
    with Journal(tmp_path) as journal:
        assert (journal.acts.acts, journal.notices) == (acts, ())
    assert (tmp_path / "acts.json").read_bytes() == beside


NO_ACTS = (
    "[]",
    "5",
    '{"do":"go_on"}',
    '{"do":"go_on","evening":"1"}',
    '{"do":"delete","evening":true}',
    '{"do":["rename"]}',
    '{"do":"rename","person":"Ada","name":"\\ud800"}',
    '{"do":"place","evening":1,"place":"home","m":NaN}',
    "no JSON",
    "[" * 100_000,
)


@pytest.mark.parametrize("text", NO_ACTS, ids=range(len(NO_ACTS)))
@pytest.mark.parametrize("where", ["database", "beside"])
def test_what_is_no_act_is_left_out_and_said(
    tmp_path: Path, whole: Log, where: str, text: str
) -> None:
    """Neither copy has it any more: the start and every later one succeed, the act beside it counts, and
    the next one has a number of its own."""
    with Journal(tmp_path) as journal:
        (place,) = journal.acts.append_all([ACTED[2]], None)
    (tmp_path / "acts.json").unlink()
    if where == "database":
        damage(tmp_path, "INSERT INTO acts VALUES (2, 1.0, 'x', ?)", text)
    else:
        damage(tmp_path, "DELETE FROM acts")
        line = json.dumps([1, place.at_s, None, place.what])
        (tmp_path / "acts.json").write_text(f'[{line},[2,1.0,"x",{text}]]')
    with Journal(tmp_path) as journal:
        assert len(journal.notices) == 1
        if where == "database":
            assert "the acts 2 could not be understood" in journal.notices[0]
            assert journal.kept is not None
            assert journal.acts.acts == (place,)
        kept = journal.acts.acts
        done = journal.acts.append(ACTED[1], None)
    with Journal(tmp_path) as journal:
        assert (journal.acts.acts, journal.notices) == ((*kept, done), ())


def test_half_a_character_in_the_authors_name_stops_no_start(tmp_path: Path, whole: Log) -> None:
    """No database takes it."""
    line = '[1,1.0,"\\ud800",{"do":"forget","person":"Ada"}]'
    (tmp_path / "acts.json").write_text(f"[{line}]")
    with Journal(tmp_path) as journal:
        assert journal.acts.acts == ()
        assert "acts.json.broken-1" in journal.notices[0]


def test_a_copy_that_was_not_written_brings_no_forgotten_name_back(
    tmp_path: Path, whole: Log
) -> None:
    """The power went between the database and `acts.json`: what was blanked, settled or done last stays so,
    and the copy follows at the start."""
    with Journal(tmp_path) as journal:
        journal.acts.append_all((ACTED[0], {"do": "delete", "evening": 1}), None)
        before = (tmp_path / "acts.json").read_bytes()
        settled = {"do": "delete", "evening": 1, "settled": True}
        journal.acts.blank({1: {"do": "rename"}, 2: settled})
        journal.acts.append(ACTED[2], None)
        acts, beside = journal.acts.acts, (tmp_path / "acts.json").read_bytes()
    (tmp_path / "acts.json").write_bytes(before)
    with Journal(tmp_path) as journal:
        assert (journal.acts.acts, journal.notices) == (acts, ())
    assert (tmp_path / "acts.json").read_bytes() == beside


def test_a_folder_in_the_place_of_the_acts_shuts_nothing(tmp_path: Path, whole: Log) -> None:
    """It came while the companion ran: what is forgotten is blanked all the same."""
    with Journal(tmp_path) as journal:
        journal.acts.append(ACTED[0], None)
        (tmp_path / "acts.json").unlink()
        (tmp_path / "acts.json").mkdir()
        journal.acts.blank({1: {"do": "rename"}})
    assert b"Ada" not in (tmp_path / "acts.json").read_bytes()
    assert (tmp_path / "acts.json.broken-1").is_dir()


def test_people_whose_file_is_nonsense_get_signs(tmp_path: Path) -> None:
    """Brackets without end."""
    (tmp_path / "people.json").write_bytes(DEEP)
    assert PeopleSigns(tmp_path).at_table(("Ida", "Ben")) == (0, 1)


LINK = {"address": "http://a:1", "cookie": "c", "token": "t", "number": 1, "table": "a", "since": 1}


@pytest.mark.parametrize(
    "data",
    [
        DEEP,
        *(
            json.dumps(LINK | odd).encode()
            for odd in (
                {"address": "http://[x"},
                {"address": 5},
                {"since": "x"},
                {"number": 1.5},
                {"token": {}},
                {"pseudonyms": []},
                {"known_as": {"x": 1}},
            )
        ),
    ],
)
def test_a_hall_that_cannot_be_understood_is_set_aside(tmp_path: Path, data: bytes) -> None:
    """Brackets without end, or values that are none of a link's; a link that is one is read."""
    (tmp_path / "hall.json").write_bytes(data)
    links = LinkFile(tmp_path)
    assert (links.link, links.set_aside) == (None, "hall.json.broken-1")
    (tmp_path / "hall.json").write_text(json.dumps(LINK))
    assert LinkFile(tmp_path).link is not None

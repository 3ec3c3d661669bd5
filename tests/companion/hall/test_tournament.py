"""A tournament: checking in, drawn heats, results that are the fold of entries, corrections, places."""

from __future__ import annotations

import csv
import io
import itertools
import json
import time
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.change import undo
from companion.game.events import EveningBegun, EveningEnded
from companion.hall import season_book, tournament_book
from companion.hall.context import Hall
from companion.hall.database import Database
from companion.hall.season import EveningResult, PersonsEvening
from companion.hall.seating import draw_seating, table_sizes
from companion.hall.standing import stand
from companion.hall.tournament import (
    Heat,
    HeatTable,
    Participant,
    ResultVersion,
    Seated,
    Tournament,
    TournamentRefusal,
    clean_name,
    points_of,
    seated_results,
    tournament_table,
)
from companion.outbox.told import pseudonym_for
from companion.web.guards.access import Rule
from tests.support.game_evening import NAMES, Told
from tests.support.hall.tables import JSON, TableAtHall, as_letters, hall_on, let_in

BEGUN_S: dict[int, tuple[Told, float]] = {}
"""By its id an evening of one test, kept so that no later one is given its id, and when it began by its
table's clock."""


@pytest.fixture(autouse=True)
def _look_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    BEGUN_S.clear()
    monkeypatch.setattr(tournament_book, "LOOKS_AGAIN_S", -1.0)
    monkeypatch.setattr(season_book, "FRESH_S", -1.0)


def host_of(app: Flask, shared: Hall) -> FlaskClient:
    client = app.test_client()
    assert client.get(f"/in/{shared.door.invite(Rule.CONTROL)}").status_code == 303
    return client


def do(host: FlaskClient, what: str, **asked: Any) -> Any:
    body = json.dumps({"do": what, **asked})
    return host.post("/api/host/tournament", data=body, headers=JSON)


def done(host: FlaskClient, what: str, **asked: Any) -> dict[str, Any]:
    """The tournament after this was done."""
    answer = do(host, what, **asked)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json["tournament"]
    return told


def refused(host: FlaskClient, what: str, **asked: Any) -> str:
    answer = do(host, what, **asked)
    assert answer.status_code == 409, answer.text
    return str(answer.json["reason"])


def begun_with(host: FlaskClient, *names: str) -> dict[str, Any]:
    done(host, "begin", name="Spring")
    for name in names:
        told = done(host, "add", name=name)
    return told


def play(
    table: TableAtHall,
    names: tuple[str, ...],
    evening: int = 1,
    end: bool = True,
    later_s: float = 60,
    rounds: int = 2,
) -> Told:
    """The table plays some rounds with people of these names, which it shows."""
    told = Told()
    told.enter(EveningBegun(tuple(NAMES[: len(names)]), 0, "en", 80))
    for wrong in range(rounds):
        told.play(told.next_cards(), wrong)
    if end:
        told.enter(EveningEnded())
    send(table, told, evening, later_s)
    shown = dict(zip(NAMES, names, strict=False))
    assert table.post("/api/table/names", {"names": shown}).status_code == 200
    return told


def send(table: TableAtHall, told: Told, evening: int = 1, later_s: float = 60) -> None:
    """Its first entry was made so much `later_s` than it is now at the first sending, by the table's clock;
    the others within a second."""
    _, first_s = BEGUN_S.setdefault(id(told), (told, time.time() + later_s))
    entries = tuple(replace(one, at_s=first_s + one.number / 100) for one in told.log.entries)
    answer = table.send(as_letters(entries), evening=evening)
    assert answer.status_code == 200, answer.text


def state_of(host: FlaskClient, heat: int = 0) -> str:
    told = host.get("/api/host/tournament").json["tournament"]
    return str(told["told"][heat]["tables"][0]["state"])


def people_of(told: dict[str, Any], heat: int = 0) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for table in told["told"][heat]["tables"] for one in table["people"]}


def drawn_names(told: dict[str, Any], heat: int = 0, table: int = 0) -> tuple[str, ...]:
    return tuple(one["name"] for one in told["told"][heat]["tables"][table]["people"])


# Pure: points, places, who is who.


def test_a_table_gives_fifty_points_a_head_whatever_its_size_and_however_many_are_equal() -> None:
    """So nobody is better off at a large or a small one; the first of a table has 100, the last 0."""
    for size in range(2, 9):
        for clouds in itertools.islice(itertools.product((0, 3, 7), repeat=size), 300):
            points = points_of(dict(enumerate(clouds)))
            assert sum(points.values()) == 50 * size
    assert points_of({1: 9, 2: 4, 3: 4}) == {1: 100, 2: 25, 3: 25}
    assert points_of({1: 9}) == {1: 50}


def test_equal_ones_share_a_place_and_a_correction_counts_in_place_of_what_it_corrects() -> None:
    """Places by points, then clouds, then found; a bye gives 50; who has no result has no points."""
    corrected = Seated(1, "Ada", (ResultVersion(3, 1), ResultVersion(9, 1, "host")))
    others = [Seated(n, name, (), ResultVersion(5, 1)) for n, name in ((2, "Ben"), (3, "Cleo"))]
    table = HeatTable("t", 1, "reported", (corrected, *others, Seated(5, "Eve")))
    people = tuple(
        Participant(n, name) for n, name in enumerate(("Ada", "Ben", "Cleo", "Dan", "Eve"), 1)
    )
    told = Tournament(1, "T", False, None, people, (Heat(1, True, (table,), (4,)),))
    lines = [(line.place, line.name, line.points, line.clouds) for line in tournament_table(told)]
    assert lines == [
        (1, "Ada", 100, 9), (2, "Dan", 50, 0), (3, "Ben", 25, 5), (3, "Cleo", 25, 5), (5, "Eve", 0, 0)
    ]  # fmt: skip


def evening(*people: tuple[str, int]) -> EveningResult:
    return EveningResult(1.0, tuple(PersonsEvening(name, name, won, 0) for name, won in people))


DRAWN = [(1, "Ada"), (2, "Ben"), (3, "Cleo"), (4, "Dan")]


def who(told: dict[int, tuple[ResultVersion, bool]] | None) -> dict[int, tuple[int, bool]] | None:
    return None if told is None else {one: (said.clouds, by) for one, (said, by) in told.items()}


def test_who_is_who_is_told_by_name_then_by_seat_and_never_guessed() -> None:
    """Names in any order and case; whoever the table calls otherwise by where they sit between those,
    and that is said; another number of people, or nobody known, is nobody's result: a circle has no
    first seat."""
    told = seated_results(DRAWN, evening(("cleo", 7), ("ADA", 5), ("Ben", 3), ("dan", 1)))
    assert who(told) == {1: (5, False), 2: (3, False), 3: (7, False), 4: (1, False)}
    told = seated_results(DRAWN, evening(("D.", 1), ("A.", 2), ("Ben", 3), ("Cleo", 4)))
    assert who(told) == {1: (2, True), 2: (3, False), 3: (4, False), 4: (1, True)}
    told = seated_results(DRAWN, evening(("Dan", 1), ("Cleo", 2), ("somebody", 3), ("Ada", 4)))
    assert who(told) == {1: (4, False), 2: (3, True), 3: (2, False), 4: (1, False)}
    for others in (
        (("Ada", 1), ("Ben", 2)),
        [(f"P{n}", n) for n in range(4)],
        [(f"P{n}", n) for n in range(5)],
        (("Ada", 1), ("Cleo", 2), ("X", 3), ("Y", 4)),  # nobody sits as drawn
        (("Ada", 1), ("Ada", 2), ("Ada", 3), ("Ada", 4)),
    ):
        assert seated_results(DRAWN, evening(*others)) is None, others


@pytest.mark.parametrize("first", range(4))
def test_pseudonyms_are_whose_they_are_whoever_was_typed_first(first: int) -> None:
    """A table that shows no names calls each drawn person by a pseudonym of its own, which the hall can
    tell from the name; nobody gets another's clouds because the ring was typed from another seat."""
    names = [name for _, name in DRAWN]
    called: dict[str, str] = {}
    for name in names[first:] + names[:first]:
        called[name] = pseudonym_for(name, "a table", called)
    played = evening(*((called[name], len(name)) for name in names[first:] + names[:first]))
    told = seated_results(DRAWN, played, "a table")
    assert who(told) == {one: (len(name), False) for one, name in DRAWN}
    assert seated_results(DRAWN, played, "another table") is None


def test_whoever_has_no_seat_has_a_bye_and_byes_go_around() -> None:
    """With one number at each table, or too few tables: nobody has a second bye before all had one."""
    assert table_sizes(11, 5, exact=True) == (5, 5)
    assert table_sizes(30, 5, tables=2) == (8, 8)
    assert table_sizes(30, 5, tables=4) == (8, 8, 7, 7)
    assert table_sizes(2, 5) == table_sizes(30, 5, tables=0) == ()
    people = [str(n) for n in range(11)]
    had: Counter[str] = Counter()
    for seed in range(11):
        drawn = draw_seating(people, {}, seed, 5, exact=True, byes_had=had)
        assert sorted(itertools.chain(drawn.byes, *drawn.tables)) == sorted(people)
        assert len(drawn.byes) == 1
        had.update(drawn.byes)
    assert set(had.values()) == {1}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (" \x1b[31mAda\u202e ", "[31mAda"),
        ("<b>Ada</b>", "<b>Ada</b>"),
        ("A" + "\u0301" * 30 + "da", "\u00c1\u0301\u0301da"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_name_is_cleaned(text: str, kept: str) -> None:
    """No control characters, no tower of accents; markup is only text."""
    assert clean_name(text) == kept


@pytest.mark.parametrize(
    "text", ["", "  ", "\u202e", "x" * 41, "x" * 10_000, None, 7, ["Ada"], "\u200b"]
)
def test_a_name_that_is_none_or_too_long_is_refused(text: object) -> None:
    """Nobody is called so; ten thousand letters are not even looked at."""
    with pytest.raises(TournamentRefusal, match="name_"):
        clean_name(text)


# On a real database.


def test_two_heats_from_the_draw_to_the_final_table(url: str) -> None:
    """Eight people, two tables: everybody sits once a heat, results are the fold of the entries, the
    files and the board say the same, and a hall that starts again has all of it."""
    names = [f"P{n}" for n in range(1, 9)]
    with hall_on(url) as (shared, app):
        host, tables = host_of(app, shared), [let_in(shared, app) for _ in range(2)]
        told = begun_with(host, *names)
        assert refused(host, "close") == "no_heat"
        clouds: Counter[str] = Counter()
        for heat in range(2):
            told = done(host, "draw", size=4)
            assert refused(host, "draw", size=4) == "heat_open"
            seated = [drawn_names(told, heat, at) for at in range(2)]
            assert sorted(itertools.chain(*seated)) == names
            for table, people in zip(tables, seated, strict=True):
                ledger = play(table, people, evening=heat + 1).ledger
                clouds.update(dict(zip(people, ledger.totals, strict=True)))
            told = done(host, "close")
            assert {one["state"] for one in told["told"][heat]["tables"]} == {"reported"}
        assert {line["name"]: line["clouds"] for line in told["lines"]} == dict(clouds)
        assert sum(line["points"] for line in told["lines"]) == pytest.approx(2 * 8 * 50, abs=0.5)
        told = done(host, "end")
        assert told["ended"]
        assert do(host, "draw", size=4).json["reason"] == "none"
        rows = list(
            csv.DictReader(io.StringIO(host.get("/api/tournament.csv").data.decode("utf-8-sig")))
        )
        assert [row["name"] for row in rows] == [line["name"] for line in told["lines"]]
        assert [int(row["clouds"]) for row in rows] == [line["clouds"] for line in told["lines"]]
        assert host.get("/api/tournament").json["tournament"]["lines"] == told["lines"]
        assert host.get("/api/tournament.json").json["lines"] == told["lines"]
    with hall_on(url) as (shared, app):
        assert host_of(app, shared).get("/api/host/tournament").json["tournament"] == told


def test_people_who_sat_together_are_drawn_apart(url: str) -> None:
    """Nine people, three tables of three, two heats: nobody meets anybody twice."""
    with hall_on(url) as (shared, app):
        host = host_of(app, shared)
        for _ in range(3):
            let_in(shared, app)
        begun_with(host, *[f"P{n}" for n in range(9)])
        met: Counter[frozenset[str]] = Counter()
        for heat in range(2):
            told = done(host, "draw", size=3)
            for at in range(3):
                pairs = itertools.combinations(drawn_names(told, heat, at), 2)
                met.update(frozenset(pair) for pair in pairs)
            done(host, "close")
        assert set(met.values()) == {1}


def test_a_correction_is_kept_beside_what_the_table_said_and_late_news_are_taken_only_by_the_host(
    url: str,
) -> None:
    """Both versions are shown and filed; what the table says afterwards is told and changes nothing
    until it is taken; the same correction again adds nothing."""
    with hall_on(url) as (shared, app):
        host, table = host_of(app, shared), let_in(shared, app)
        told = begun_with(host, "Ada", "Ben", "Cleo")
        told = done(host, "draw", size=3)
        names = drawn_names(told)
        played = play(table, names)
        said = dict(zip(names, played.ledger.totals, strict=True))
        who = people_of(done(host, "close"))["Ada"]["id"]
        assert refused(host, "take", heat=1, who=who) == "nothing_new"
        for _ in range(2):
            told = done(host, "correct", heat=1, who=who, clouds=17, found=2)
        ada = people_of(told)["Ada"]
        assert (ada["clouds"], ada["points"], ada["otherwise"]) == (17, 100, False)
        assert ada["versions"][0][0::2] == [said["Ada"], "table"]
        assert ada["versions"][1] == [17, 2, "host"]
        assert len(ada["versions"]) == 2
        kept = people_of(host.get("/api/tournament.json").json)["Ada"]["versions"]
        assert kept == ada["versions"]
        for _ in range(2):
            played.change(undo(played.log))
        played.enter(EveningEnded())
        send(table, played)
        after = dict(zip(names, played.ledger.totals, strict=True))
        changed = next(name for name in names if after[name] != said[name])
        told = host.get("/api/host/tournament").json["tournament"]
        one = people_of(told)[changed]
        assert one["otherwise"]
        assert one["now"][0] == after[changed]
        assert one["clouds"] == (17 if changed == "Ada" else said[changed])
        told = done(host, "take", heat=1, who=one["id"])
        assert people_of(told)[changed]["clouds"] == after[changed]
        assert not people_of(told)[changed]["otherwise"]


def test_a_result_is_told_by_the_seat_only_while_it_is_the_tables(url: str) -> None:
    """Whoever the table calls otherwise is told by the seat; what the host wrote is not, before the heat
    is closed and after it; what the host takes of the table is again."""
    with hall_on(url) as (shared, app):
        host, table = host_of(app, shared), let_in(shared, app)
        begun_with(host, "Ada", "Ben", "Cleo")
        names = drawn_names(done(host, "draw", size=3))
        played = play(table, ("Someone", *names[1:]))
        told = done(host, "close")
        assert {name for name, one in people_of(told).items() if one["by_seat"]} == {names[0]}
        who = people_of(told)[names[0]]["id"]
        told = done(host, "correct", heat=1, who=who, clouds=17, found=2)
        assert not people_of(told)[names[0]]["by_seat"]
        told = done(host, "take", heat=1, who=who)
        assert people_of(told)[names[0]]["clouds"] == played.ledger.totals[0]
        assert people_of(told)[names[0]]["by_seat"]


def test_an_evening_of_before_the_draw_or_one_without_a_round_is_no_result(url: str) -> None:
    """One that by the table's clock was over before and only arrived now is told as such: it may be late,
    or the clock behind. A table that never reports leaves its people without points until the host says
    what they had."""
    with hall_on(url) as (shared, app):
        host, table = host_of(app, shared), let_in(shared, app)
        names = ("Ada", "Ben", "Cleo")
        play(table, names, evening=1)
        begun_with(host, *names)
        done(host, "draw", size=3)
        empty = Told()
        empty.enter(EveningBegun(tuple(NAMES[:3]), 0, "en", 80))
        empty.enter(EveningEnded())
        send(table, empty, evening=2)
        assert state_of(host) == "waiting"
        play(table, names, evening=3, later_s=-5000)
        assert state_of(host) == "early"
        told = done(host, "close")
        assert {line["points"] for line in told["lines"]} == {0}
        for name, clouds in (("Ada", 4), ("Ben", 9), ("Cleo", 1)):
            who = people_of(told)[name]["id"]
            told = done(host, "correct", heat=1, who=who, clouds=clouds, found=0)
        assert [line["name"] for line in told["lines"]] == ["Ben", "Ada", "Cleo"]
        assert people_of(told)["Ben"]["versions"] == [[9, 0, "host"]]
        play(table, names, evening=4)
        told = host.get("/api/host/tournament").json["tournament"]
        assert [line["name"] for line in told["lines"]] == ["Ben", "Ada", "Cleo"]
        assert people_of(told)["Ada"]["otherwise"]


def test_a_table_whose_clock_is_ahead_brings_no_evening_of_before_into_a_heat(url: str) -> None:
    """Over before the draw, it arrived after it, and by that table's clock ended after it: so much is
    seen by what came at once, and what is played after the draw counts."""
    with hall_on(url) as (shared, app):
        host, table = host_of(app, shared), let_in(shared, app)
        names = ("Ada", "Ben", "Cleo")
        begun_with(host, *names)
        done(host, "draw", size=3)
        on = Told()
        on.enter(EveningBegun(tuple(NAMES[:3]), 0, "en", 80))
        send(table, on, evening=2, later_s=7200)
        play(table, names, evening=1, later_s=3600)
        assert state_of(host) != "reported"
        play(table, names, evening=3, later_s=7200)
        assert state_of(host) == "reported"


def test_an_evening_counts_for_one_heat(url: str) -> None:
    """A table told nothing of a heat, and it was closed: what it plays after the next draw is not of that
    one too, nor whoever then sits there the ones who were drawn before."""
    with hall_on(url) as (shared, app):
        host, table = host_of(app, shared), let_in(shared, app)
        begun_with(host, "Ada", "Ben", "Cleo", "Dora", "Emil")
        done(host, "draw", size=3, exact=True)
        done(host, "close")
        second = drawn_names(done(host, "draw", size=3, exact=True), heat=1)
        on = Told()
        on.enter(EveningBegun(tuple(NAMES[:3]), 0, "en", 80))
        send(table, on, evening=2)
        while state_of(host, heat=1) != "playing":
            time.sleep(0.02)
        assert state_of(host) == "waiting"
        play(table, second, evening=3)
        told = done(host, "close")
        assert {one["now"] for one in people_of(told).values()} == {None}
        assert {one["clouds"] for one in people_of(told).values()} == {None}
        assert all(one["clouds"] is not None for one in people_of(told, 1).values())
        heats = {line["name"]: line["heats"] for line in told["lines"]}
        assert heats == {name: int(name in second) for name in heats}


def test_evenings_that_arrive_together_are_each_of_their_own_heat(url: str) -> None:
    """The table had no network while it played; the host went on."""
    with hall_on(url) as (shared, app):
        host, table = host_of(app, shared), let_in(shared, app)
        begun_with(host, "Ada", "Ben", "Cleo")
        names = drawn_names(done(host, "draw", size=3))
        first_s = time.time()
        time.sleep(0.5)
        done(host, "close")
        done(host, "draw", size=3)
        second_s = time.time()
        time.sleep(0.5)
        first = play(table, names, evening=1, later_s=first_s - time.time(), rounds=1)
        second = play(table, names, evening=2, later_s=second_s - time.time())
        told = host.get("/api/host/tournament").json["tournament"]
        for heat, played in enumerate((first, second)):
            clouds = {name: one["now"][0] for name, one in people_of(told, heat).items()}
            assert clouds == dict(zip(names, played.ledger.totals, strict=True))


def test_what_a_table_tells_after_its_heat_was_closed_is_taken_only_by_the_host(url: str) -> None:
    """Nobody has points of it until then, and the final table stays as it is."""
    with hall_on(url) as (shared, app):
        host, table = host_of(app, shared), let_in(shared, app)
        begun_with(host, "Ada", "Ben", "Cleo")
        names = drawn_names(done(host, "draw", size=3))
        done(host, "close")
        played = play(table, names)
        told = host.get("/api/host/tournament").json["tournament"]
        assert {line["points"] for line in told["lines"]} == {0}
        assert all(one["otherwise"] for one in people_of(told).values())
        for name, clouds in zip(names, played.ledger.totals, strict=True):
            told = done(host, "take", heat=1, who=people_of(told)[name]["id"])
            assert people_of(told)[name]["clouds"] == clouds
        assert sum(line["points"] for line in told["lines"]) == 150


def test_other_people_than_were_drawn_are_nobodys_result(url: str) -> None:
    """Four play where three were drawn: the table is unclear, and the host decides."""
    with hall_on(url) as (shared, app):
        host, table = host_of(app, shared), let_in(shared, app)
        begun_with(host, "Ada", "Ben", "Cleo")
        done(host, "draw", size=3)
        play(table, ("Ada", "Ben", "Cleo", "Dan"))
        told = done(host, "close")
        assert told["told"][0]["tables"][0]["state"] == "unclear"
        assert all(line["points"] == 0 for line in told["lines"])


def test_who_comes_late_plays_from_the_next_heat_and_who_left_is_not_drawn(url: str) -> None:
    """Who left keeps their points; who never sat is forgotten; a draw nobody played can be dropped."""
    with hall_on(url) as (shared, app):
        host, table = host_of(app, shared), let_in(shared, app)
        told = begun_with(host, "Ada", "Ben", "Cleo", "Dan")
        done(host, "draw", size=4)
        told = done(host, "add", name="Eve")
        ids = {line["name"]: line["id"] for line in told["lines"]}
        play(table, drawn_names(told))
        assert refused(host, "drop") == "played"
        done(host, "close")
        told = done(host, "leave", who=ids["Ada"])
        assert next(line for line in told["lines"] if line["name"] == "Ada")["gone"]
        told = done(host, "draw", size=4)
        assert sorted(drawn_names(told, 1)) == ["Ben", "Cleo", "Dan", "Eve"]
        assert done(host, "drop")["heats"] == 1
        done(host, "back", who=ids["Ada"])
        told = done(host, "leave", who=done(host, "add", name="Fay")["lines"][-1]["id"])
        assert "Fay" not in {line["name"] for line in told["lines"]}
        told = done(host, "draw", size=4, exact=True)
        assert len(told["told"][1]["byes"]) == 1
        bye = told["told"][1]["byes"][0]
        assert next(line for line in told["lines"] if line["name"] == bye)["byes"] == 1
        assert refused(host, "leave", who=12345) == "nobody"


def test_what_makes_no_sense_is_refused_and_changes_nothing(url: str) -> None:
    """Each with a reason that the page has words for; numbers of other kinds, doubled taps."""
    with hall_on(url) as (shared, app):
        host = host_of(app, shared)
        assert host.get("/api/tournament").json == {"tournament": None}
        assert refused(host, "draw", size=4) == "none"
        assert refused(host, "begin", name="") == "name_none"
        begun_with(host, "Ada", "Ben", "Cleo")
        assert refused(host, "begin", name="Another") == "goes_on"
        assert refused(host, "add", name="ＡＤＡ") == "name_taken"
        assert refused(host, "draw", size=4) == "no_tables"
        let_in(shared, app)
        for size in (2, 9, "4", True, None, 4.0):
            assert refused(host, "draw", size=size) == "size"
        assert refused(host, "draw", size=5, exact=True) == "too_few"
        told = done(host, "draw", size=3)
        who = told["lines"][0]["id"]
        for clouds in (-1, 201, "7", True, None, 1.5):
            assert refused(host, "correct", heat=1, who=who, clouds=clouds, found=0) == "clouds"
        for heat, one in ((2, who), ("1", who), (1, 10**9), (1, True), (None, None)):
            assert refused(host, "correct", heat=heat, who=one, clouds=1, found=0) == "nobody"
        assert refused(host, "end") == "heat_open"
        assert do(host, "x; drop table tournament").status_code == 400
        assert do(host, ["end"]).status_code == 400
        table = let_in(shared, app)
        assert table.client.get("/api/tournament").status_code == 403
        watcher = app.test_client()
        watcher.get(f"/in/{shared.door.invite(Rule.WATCH)}")
        assert watcher.get("/api/tournament").status_code == 200
        assert do(watcher, "close").status_code == 403
        assert app.test_client().get("/api/tournament.csv").status_code == 401


def test_a_file_holds_no_formula(url: str) -> None:
    """A name that a spreadsheet would run is text there."""
    with hall_on(url) as (shared, app):
        host = host_of(app, shared)
        begun_with(host, "=HYPERLINK(1)", "＝2+2", "Ada")
        rows = list(
            csv.DictReader(io.StringIO(host.get("/api/tournament.csv").data.decode("utf-8-sig")))
        )
        assert sorted(row["name"] for row in rows) == ["'=HYPERLINK(1)", "'＝2+2", "Ada"]


def test_a_late_tap_is_not_for_the_next_heat(url: str) -> None:
    """It closed what another host's screen had drawn meanwhile, or forgot it; also under the same number."""
    with hall_on(url) as (shared, app):
        host, _ = host_of(app, shared), let_in(shared, app)
        begun_with(host, "Ada", "Ben", "Cleo")
        seen = done(host, "draw", size=3)["told"][0]["drawn_s"]
        done(host, "drop", drawn_s=seen)
        now = done(host, "draw", size=3)["told"][0]["drawn_s"]
        for late in (seen, str(now), {}):
            assert refused(host, "close", drawn_s=late) == "other_heat"
            assert refused(host, "drop", drawn_s=late) == "other_heat"
        assert done(host, "close", drawn_s=now)["told"][0]["closed"]
        assert refused(host, "close", drawn_s=now) == "no_heat"


# Phones.


def phone(app: Flask) -> FlaskClient:
    return app.test_client()


def check_in(client: FlaskClient, code: Any, name: Any, address: str = "10.0.0.1") -> Any:
    body = json.dumps({"code": code, "name": name})
    return client.post(
        "/api/check-in", data=body, headers=JSON, environ_base={"REMOTE_ADDR": address}
    )


def code_of(host: FlaskClient) -> str:
    address: str = done(host, "open")["check_in"]["address"]
    return address.rpartition("/")[2]


def test_a_phone_checks_in_is_told_its_seat_and_leaves(url: str) -> None:
    """By the code on the wall; the same phone again changes its name and adds nobody; another one
    cannot take a name; when the host shuts the door nobody comes in."""
    with hall_on(url) as (shared, app):
        host, table, mine, other = host_of(app, shared), let_in(shared, app), phone(app), phone(app)
        assert check_in(mine, "x" * 16, "Ada").json["reason"] == "none"
        begun_with(host, "Ben", "Cleo")
        assert check_in(mine, "x" * 16, "Ada").json["reason"] == "closed"
        code = code_of(host)
        assert mine.get(f"/check-in/{code}").status_code == 200
        assert check_in(mine, code, "x" * 10_000).status_code == 400
        assert check_in(mine, code, "x" * 41).json["reason"] == "name_long"
        assert check_in(mine, code, " A\x1bda ").json["me"]["name"] == "A da"
        assert check_in(mine, code, "Ada").json["me"]["name"] == "Ada"
        assert check_in(other, code, "ada").json["reason"] == "name_taken"
        assert len(host.get("/api/tournament").json["tournament"]["lines"]) == 3
        told = done(host, "draw", size=3)
        me = mine.get("/api/check-in/mine").json["me"]
        assert me["seat"]["table"] == table.table.number
        assert me["seat"]["people"] == list(drawn_names(told))
        assert me["seat"]["people"][me["seat"]["mine"]] == "Ada"
        assert me["place"] is None  # nothing was played
        play(table, tuple(drawn_names(told)))
        done(host, "close")
        assert mine.get("/api/check-in/mine").json["me"]["place"] in (1, 2, 3)
        left = mine.post("/api/check-in/leave", data='{"gone": true}', headers=JSON)
        assert left.json["me"]["gone"]
        assert check_in(mine, code, "Ada").json["me"]["gone"] is False
        done(host, "shut")
        assert check_in(other, code, "Dan").json["reason"] == "closed"
        assert other.get("/api/check-in/mine").json["me"] is None
        other.set_cookie("companion_check_in", "made-up", path="/api/check-in")
        gone = other.post("/api/check-in/leave", data='{"gone": true}', headers=JSON)
        assert (gone.status_code, gone.json["reason"]) == (409, "nobody")
        old, new = code, code_of(host)
        assert check_in(other, old, "Dan").json["reason"] == "closed"
        assert check_in(other, new, "Dan").status_code == 200


def test_a_phone_whose_answer_was_lost_is_in(url: str) -> None:
    """Its second try was told that the name is taken, by itself; also where it was in the tournament before."""
    with hall_on(url) as (shared, app):
        host, mine = host_of(app, shared), phone(app)
        for name in ("Spring", "Summer"):
            done(host, "begin", name=name)
            code = code_of(host)
            assert mine.get("/api/check-in/mine").json["me"] is None  # as its page asks
            kept = mine.get_cookie("companion_check_in", path="/api/check-in")
            assert kept is not None
            assert check_in(mine, code, "Ada").status_code == 200
            mine.set_cookie("companion_check_in", kept.value, path="/api/check-in")
            assert mine.get("/api/check-in/mine").json["me"]["name"] == "Ada"
            assert check_in(mine, code, "Ada").status_code == 200
            assert len(host.get("/api/tournament").json["tournament"]["lines"]) == 1
            done(host, "end")


def test_a_flood_of_check_ins_is_slowed_and_leaves_the_host_room(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One address is slowed after some; many addresses fill the phones' places and not the host's; the
    answers are refusals, and who is in stays in."""
    monkeypatch.setattr(tournament_book, "MOST_BY_PHONE", 30)
    with hall_on(url) as (shared, app):
        host, honest = host_of(app, shared), phone(app)
        begun_with(host, "Ben")
        code = code_of(host)
        assert check_in(honest, code, "Ada").status_code == 200
        answers = Counter(
            check_in(phone(app), code, f"Bot {n}", "10.6.6.6").status_code for n in range(60)
        )
        assert answers[200] < 30
        assert answers[429] > 20
        shared.knocks_of_all.limit = type(shared.knocks_of_all.limit)(10_000, 10_000)
        answers.update(
            check_in(phone(app), code, f"Bot {n}", f"10.7.0.{n}").status_code
            for n in range(60, 120)
        )
        assert set(answers) == {200, 409, 429}
        assert answers[200] == 29
        told = done(host, "add", name="Cleo")
        assert len(told["lines"]) == 32
        assert honest.get("/api/check-in/mine").json["me"]["name"] == "Ada"


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "{",
        "null",
        '{"code": 7, "name": "Ada"}',
        '{"code": {}, "name": []}',
        '{"code": "\\ud800", "name": "A"}',
    ],
)
def test_a_check_in_that_is_none_is_refused(url: str, body: str) -> None:
    """Never a failure of ours."""
    with hall_on(url) as (shared, app):
        host = host_of(app, shared)
        begun_with(host, "Ben")
        code_of(host)
        answer = phone(app).post("/api/check-in", data=body, headers=JSON)
        assert answer.status_code in (400, 409, 415)
        stranger = phone(app).post(
            "/api/check-in", data=body, headers={"Content-Type": "text/plain"}
        )
        assert stranger.status_code == 403
        large = phone(app).post("/api/check-in", data=b"x" * 70_000, headers=JSON)
        assert large.status_code in (400, 413)


def test_a_result_is_read_from_the_database_while_the_floor_is_behind(url: str) -> None:
    """The season's book believes the floor only about entries that it has folded."""
    with hall_on(url) as (shared, app):
        table = let_in(shared, app)
        told = play(table, ("Ada", "Ben", "Cleo"))
        letters = told.log.entries
        behind = stand(1, letters[:-1])

        class Behind:
            def standing(self, _: str) -> Any:
                return behind

            def names_of(self, _: str) -> dict[str, str]:
                return {}

        book = season_book.SeasonBook(Database(url, "behind"), shared.register, Behind())
        ((number, result),) = book.finished_after(table.table.id, 0)
        assert number == 1
        assert [one.clouds for one in result.people] == list(told.ledger.totals)
        assert len(book.results()) == 1
        book.close()


def test_points_are_exact_fractions() -> None:
    """Three heats of a third make the whole: places do not hang on rounding."""
    assert 3 * points_of({1: 2, 2: 1, 3: 3, 4: 4})[1] == Fraction(100)

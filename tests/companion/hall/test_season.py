"""The season and the next tables: who is how strong, how sure that is, and who sits with whom."""

from __future__ import annotations

import csv
import io
import itertools
import json
import random
import time
from collections import Counter
from dataclasses import replace

import pytest

from companion.game.events import EveningEnded, PlayersChanged
from companion.hall.season import EveningResult, PersonsEvening, result_of, season, who_met
from companion.hall.seating import draw_seating, table_sizes
from companion.web.guards.access import Rule
from tests.support.game_evening import begun
from tests.support.hall.tables import JSON, as_letters, hall_on, let_in


def evening(at_s: float, **clouds: int) -> EveningResult:
    people = tuple(PersonsEvening(f"name:{who}", who, won, 1) for who, won in clouds.items())
    return EveningResult(at_s, people)


def test_who_wins_more_is_rated_higher_and_with_more_evenings_more_surely() -> None:
    """Ada wins eight evenings of eight; Dan played once and is less sure than they are."""
    results = [evening(at, Ada=20, Ben=10, Cleo=5) for at in range(8)] + [evening(9, Ben=9, Dan=3)]
    lines = {line.name: line for line in season(results)}
    assert lines["Ada"].rating > lines["Ben"].rating > lines["Cleo"].rating
    assert lines["Dan"].unsure > lines["Cleo"].unsure
    assert (lines["Ada"].evenings, lines["Ada"].clouds, lines["Ada"].found) == (8, 160, 8)
    assert season(results)[0].name == "Ada"
    assert season(reversed(results)) == season(results)


def test_who_played_no_round_has_no_evening() -> None:
    """Eva comes for a round that is never dealt: her season does not begin, and she is rated by nothing."""
    told = begun(4)
    told.play(told.next_cards(), 1)
    told.enter(PlayersChanged(2, ("Ada", "Ben", "Cleo", "Dan", "Eva")), EveningEnded())
    result = result_of("one", told.at_s, told.ledger, {})
    assert result is not None
    assert [one.name for one in result.people] == ["Ada", "Ben", "Cleo", "Dan"]


def test_a_rating_tells_the_stronger_one_among_many_evenings() -> None:
    """Twelve people of known strength, sixty evenings of four: the order of ratings is nearly theirs."""
    rng = random.Random(5)
    strength = {f"P{n:02}": n for n in range(12)}
    results = []
    for at in range(60):
        table = rng.sample(sorted(strength), 4)
        results.append(evening(at, **{who: 5 + strength[who] + rng.randint(0, 6) for who in table}))
    rated = sorted(season(results), key=lambda line: line.rating)
    order = [strength[line.name] for line in rated]
    wrong = sum(a > b for a, b in itertools.combinations(order, 2))
    assert wrong <= 8, order


@pytest.mark.parametrize("wanted", [3, 5, 8])
def test_everybody_has_a_seat_at_a_table_of_three_to_eight(wanted: int) -> None:
    """However many come; one or two alone have a bye; each sits once."""
    for number in range(81):
        people = [f"P{n}" for n in range(number)]
        drawn = draw_seating(people, {}, number, wanted)
        sizes = [len(table) for table in drawn.tables]
        assert sorted(itertools.chain(drawn.byes, *drawn.tables)) == sorted(people)
        assert all(3 <= size <= 8 for size in sizes)
        assert tuple(sizes) == table_sizes(number, wanted)
        assert len(drawn.byes) == (number if number < 3 else 0)
        assert not sizes or max(sizes) - min(sizes) <= 1


def test_people_do_not_sit_together_again_while_that_can_be() -> None:
    """Twenty-five people at five tables, four rounds: nobody meets anybody twice or hardly; chance
    alone would let dozens."""
    people = [f"P{n:02}" for n in range(25)]
    met: Counter[frozenset[str]] = Counter()
    again = []
    for number in range(4):
        drawn = draw_seating(people, met, number, 5)
        again.append(drawn.again)
        for table in drawn.tables:
            met.update(frozenset(pair) for pair in itertools.combinations(table, 2))
    assert again[0] == 0
    assert sum(again) <= 12, again
    assert draw_seating(people, met, 7, 5) == draw_seating(people, met, 7, 5)


def test_a_season_is_counted_from_entries_and_a_table_set_aside_counts_no_more(url: str) -> None:
    """Two tables play and end; one shows its names, the other keeps pseudonyms. The screen, the file
    and the drawn tables say the same; set aside, a table's people are gone."""
    told = begun(4)
    told.play(told.next_cards(), 0)
    told.play(told.next_cards(), 1)
    told.enter(EveningEnded())
    now_s = time.time()
    entries = tuple(replace(one, at_s=now_s + one.number) for one in told.log.entries)
    with hall_on(url) as (shared, app):
        one, two = let_in(shared, app), let_in(shared, app)
        for table in (one, two):
            assert table.send(as_letters(entries)).status_code == 200
        one.post("/api/table/names", {"names": {"Ada": "Adelheid"}})
        host = app.test_client()
        host.get(f"/in/{shared.door.invite(Rule.CONTROL)}")

        def people() -> list[dict[str, object]]:
            return list(host.get("/api/season").json["people"])

        assert len(people()) == 8
        assert {line["name"] for line in people()} == {"Adelheid", "Ada", "Ben", "Cleo", "Dan"}
        assert sum(int(str(line["clouds"])) for line in people()) == 2 * sum(told.ledger.totals)
        rows = list(csv.DictReader(io.StringIO(host.get("/api/season.csv").text)))
        assert [row["name"] for row in rows] == [line["name"] for line in people()]
        asked = json.dumps({"size": 4})
        drawn = host.post("/api/host/next-tables", data=asked, headers=JSON).json
        assert sorted(map(len, drawn["tables"])) == [4, 4]
        assert one.client.get("/api/season").status_code == 403
        body = json.dumps({"table": two.table.number, "do": "set_aside"})
        host.post("/api/host/tables", data=body, headers=JSON)
        assert len(people()) == 4
        assert len(who_met(shared.season.results())) == 6


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "＝2+2", "@SUM(1)"])
def test_a_season_file_holds_no_formula(url: str, name: str) -> None:
    """A name that a spreadsheet would run is text there, as in the tournament's file."""
    told = begun(3)
    told.play(told.next_cards(), 0)
    told.enter(EveningEnded())
    with hall_on(url) as (shared, app):
        table = let_in(shared, app)
        assert table.send(as_letters(told.log.entries)).status_code == 200
        assert table.post("/api/table/names", {"names": {"Ada": name}}).status_code == 200
        host = app.test_client()
        host.get(f"/in/{shared.door.invite(Rule.CONTROL)}")
        rows = csv.DictReader(io.StringIO(host.get("/api/season.csv").text))
        assert {row["name"] for row in rows} == {f"'{name}", "Ben", "Cleo"}

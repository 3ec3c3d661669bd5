"""A table that means harm spoils its own rows and nobody else's."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from companion.game.events import PlayersChanged, RoundDealt, RoundVoided
from companion.hall.arriving import MOST_ENTRIES, NotTaken, read_batch, read_names
from companion.hall.context import TABLE_COOKIE
from companion.hall.standing import MOST_SHOWN, stand, window_of
from companion.web.guards.access import Rule
from companion.web.server import _asker
from tests.support.game_evening import begun
from tests.support.hall.tables import JSON, as_letters, hall_on, let_in, played_log

GOOD = as_letters(played_log(4, 2).entries)


def letter(**changed: Any) -> bytes:
    return json.dumps({"evening": 1, "entries": GOOD[:3], "camera": None} | changed).encode()


def entry(**changed: Any) -> list[dict[str, Any]]:
    return [GOOD[0] | changed]


def event(**changed: Any) -> list[dict[str, Any]]:
    return [GOOD[0] | {"event": GOOD[0]["event"] | changed}]


BAD = {
    "no json": b"{",
    "a list": b"[]",
    "nothing": b"",
    "too long": letter(camera="x" * 20_000),
    "one field more": letter(more=1),
    "evening 0": letter(evening=0),
    "evening true": letter(evening=True),
    "evening as text": letter(evening="1"),
    "an endless evening": letter(evening=10**14),
    "no entries": letter(entries=[]),
    "a camera nobody has": letter(camera="; drop table entry"),
    "an entry that is text": letter(entries=["x"]),
    "a jump": letter(entries=[GOOD[0], GOOD[2]]),
    "number 0": letter(entries=entry(number=0)),
    "beyond the last": letter(entries=[GOOD[1] | {"number": MOST_ENTRIES + 1}]),
    "a field more": letter(entries=entry(extra=1)),
    "an author": letter(entries=entry(author="Ada's phone")),
    "evidence": letter(entries=entry(evidence={"a": 1})),
    "a batch to come": letter(entries=entry(batch=7)),
    "before time": letter(entries=entry(at_s=-1)),
    "after time": letter(entries=entry(at_s=1e300)),
    "time as truth": letter(entries=entry(at_s=True)),
    "too sure": letter(entries=entry(confidence=2)),
    "confidence as text": letter(entries=entry(confidence="much")),
    "an unknown source": letter(entries=entry(source="god")),
    "an unknown kind": letter(entries=event(kind="jackpot")),
    "a later version": letter(entries=event(v=99)),
    "a long name": letter(entries=event(players=["x" * 41, "Ben", "Cleo"])),
    "a name with a zero": letter(entries=event(players=["A\x00da", "Ben", "Cleo"])),
    "a half letter": b'{"evening":1,"camera":null,"entries":[{"a":"\\ud800"}]}',
    "not the beginning": letter(entries=[GOOD[1] | {"number": 1, "batch": 1}]),
    "a card without end": letter(
        entries=[GOOD[2] | {"event": GOOD[2]["event"] | {"cards": [10**9]}}]
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_letter_is_refused_in_one_sentence(what: str) -> None:
    """Each with words for the people at that table, and no traceback."""
    with pytest.raises(NotTaken) as refused:
        read_batch(BAD[what])
    said = str(refused.value)
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 200


def test_a_letter_as_a_companion_writes_it_is_taken() -> None:
    """The refusals above are of what was changed in it."""
    assert len(read_batch(letter()).entries) == 3
    assert read_names(b'{"names":{"Cirrus 101":" Ada \\u001b\\u202e B "}}') == {
        "Cirrus 101": "Ada B"
    }
    for bad in (
        b"{}",
        b'{"names":{"a":1}}',
        b'{"names":{"a":"\\u202e"}}',
        b'{"names":{"a":"' + b"x" * 50 + b'"}}',
        b'{"names":[]}',
    ):
        with pytest.raises(NotTaken):
            read_names(bad)


def mutated(rng: random.Random, value: Any) -> Any:
    """The value with one place of it made strange."""
    value = copy.deepcopy(value)
    strange = [
        None,
        -1,
        0,
        10**15,
        1.5,
        True,
        "",
        "x" * 39,
        [],
        {},
        "💥",
        "' or 1=1 --",
        [[[]]],
        -0.0,
    ]
    node = value
    for _ in range(rng.randint(1, 6)):
        if isinstance(node, dict) and node:
            key = rng.choice(sorted(node))
            if rng.random() < 0.5 or not isinstance(node[key], dict | list):
                node[key] = rng.choice(strange)
                break
            node = node[key]
        elif isinstance(node, list) and node:
            at = rng.randrange(len(node))
            if rng.random() < 0.5 or not isinstance(node[at], dict | list):
                node[at] = rng.choice(strange)
                break
            node = node[at]
    return value


def test_a_scripted_attack_leaves_the_neighbours_as_they_were(url: str) -> None:
    """Hundreds of strange letters: each is answered with a refusal or stored as the attacker's own;
    the neighbour's rows and board stay, and it goes on sending meanwhile."""
    rng = random.Random(21)
    with hall_on(url) as (shared, app):
        shared.letter_limiter.limit = type(shared.letter_limiter.limit)(10_000, 10_000)
        bad, good = let_in(shared, app), let_in(shared, app)
        sent = 0
        for at in range(400):
            told = mutated(
                rng, {"evening": 1, "entries": GOOD[: rng.randint(1, 8)], "camera": None}
            )
            answer = bad.client.post("/api/table/entries", data=json.dumps(told), headers=JSON)
            assert answer.status_code in (200, 400, 409, 422), (told, answer.text)
            if at % 40 == 0 and sent < len(GOOD):
                assert good.send(GOOD[sent : sent + 2]).status_code == 200
                sent += 2
        rows = dict(shared.database.rows("select table_id, count(*) from entry group by table_id"))
        assert rows[good.table.id] == min(sent, len(GOOD))
        kept = shared.database.rows(
            "select entry from entry where table_id = %s order by number", good.table.id
        )
        assert [row[0] for row in kept] == GOOD[:sent]
        assert shared.register.tables[0].id == bad.table.id


def test_a_table_of_hundreds_of_people_takes_no_more_room_on_the_boards_than_one() -> None:
    """Whoever comes and goes: the board shows who plays and some who left."""
    told = begun(8)
    for at in range(1, 41):
        told.enter(PlayersChanged(at, tuple(f"P{at}-{n}" for n in range(8))))
        told.enter(RoundDealt(at, (None,) * 8))
        told.enter(RoundVoided(at, cards_return=True))
    window = window_of(stand(1, told.log.entries), {})
    assert len(window["players"]) == MOST_SHOWN
    assert [one["name"] for one in window["players"] if not one["away"]] == [
        f"P40-{n}" for n in range(8)
    ]


def test_a_table_that_floods_is_told_to_slow_down(url: str) -> None:
    """429 with how long to wait; its neighbour is served as ever."""
    with hall_on(url) as (shared, app):
        bad, good = let_in(shared, app), let_in(shared, app)
        answers = [bad.send(GOOD[:1]).status_code for _ in range(60)]
        assert answers.count(429) > 10
        assert good.send(GOOD[:1]).status_code == 200


def test_a_table_cannot_fill_the_halls_disk(url: str) -> None:
    """Beyond some evenings at once it stores no faster than a fast table plays, however many evenings it
    makes up; its neighbour goes on."""
    with hall_on(url) as (shared, app):
        shared.letter_limiter.limit = type(shared.letter_limiter.limit)(10_000, 10_000)
        shared.entry_limiter.limit = type(shared.entry_limiter.limit)(100, 5)
        bad, good = let_in(shared, app), let_in(shared, app)
        answers = [bad.send(GOOD[:10], evening=n).status_code for n in range(1, 40)]
        assert answers[:10] == [200] * 10
        assert answers.count(429) > 20
        assert good.send(GOOD).status_code == 200
        stored = dict(
            shared.database.rows("select table_id, count(*) from entry group by table_id")
        )
        assert stored[bad.table.id] < 200
        assert stored[good.table.id] == len(GOOD)


def test_a_table_that_changes_its_names_all_the_time_has_nobody_elses_evenings_folded_anew(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept of the others' evenings stays."""
    from companion.hall import season_book

    monkeypatch.setattr(season_book, "FRESH_S", -1.0)
    folded: list[str] = []
    real = season_book.SeasonBook._result

    def counted(book: Any, table_id: str, evening: int, have: int) -> Any:
        folded.append(table_id)
        return real(book, table_id, evening, have)

    monkeypatch.setattr(season_book.SeasonBook, "_result", counted)
    with hall_on(url) as (shared, app):
        bad, good = let_in(shared, app), let_in(shared, app)
        for table in (bad, good):
            table.send(GOOD)
        for n in range(5):
            assert bad.post("/api/table/names", {"names": {"Ada": f"A{n}"}}).status_code == 200
            shared.season.results()
        assert folded.count(good.table.id) == 1
        assert folded.count(bad.table.id) == 5


def test_a_code_and_an_id_are_good_for_one_table(url: str) -> None:
    """A used code, a made-up one, a known id and a strange one let nobody in; a made-up token neither."""
    with hall_on(url) as (shared, app):
        table = let_in(shared, app)
        client = app.test_client()

        def join(code: str, table_id: Any) -> int:
            asked = {"code": code, "table": table_id, "name": "The\x1b \u202ecorner"}
            return client.post("/api/table/join", data=json.dumps(asked), headers=JSON).status_code

        assert join("x" * 32, "a" * 32) == 403
        assert join(shared.register.invite(5, 5), table.table.id) == 403
        assert join(shared.register.invite(5, 5), "../etc/passwd") == 400
        code = shared.register.invite(1, 5)
        assert join(code, "b" * 32) == 200
        assert shared.register.tables[-1].name == "The corner"
        assert join(code, "c" * 32) == 403
        assert join(shared.register.invite(1, 0), "d" * 32) == 403
        client.set_cookie("companion_table", "made-up")
        assert client.get("/api/table/progress").status_code == 401


def test_a_table_is_served_like_one_that_acts(url: str) -> None:
    """Two screens that only look on, and never read, held every place that they shared with all tables'
    letters, for seconds."""
    with hall_on(url) as (shared, app):
        table = let_in(shared, app)
        looker = shared.door.enter(shared.door.invite(Rule.WATCH), "Board")
        assert _asker(app, f"{TABLE_COOKIE}={table.token}", "10.0.0.9").controls
        assert not _asker(app, f"{shared.cookie}={looker}", "10.0.0.9").controls

"""Between evenings: who begins next, two games in one night, guests."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from companion.findings.claims import GUESTS
from companion.findings.played import played_evening
from companion.game.log import Log
from companion.game.rules import Refusal
from companion.journal import Journal
from companion.journal.people_signs import PeopleSigns
from companion.web import Door, Rule, create_app
from companion.years import bgstats
from companion.years.book import BookOfEvenings
from companion.years.index import INDEX, MADE_FOR
from companion.years.persons import Persons
from tests.support.companion_web_client import enter
from tests.support.kept_evening import KeptEvening
from tests.support.years.generated import NIGHT_S, evening, evenings, shifted

FOUR = ("Ada", "Ben", "Cleo", "Dan")


def shelf(folder: Path, logs: list[Log]) -> BookOfEvenings:
    """The book of these evenings."""
    journal = Journal(folder)
    journal.import_evenings(logs)
    book = BookOfEvenings(journal, PeopleSigns(folder), lambda: 2_000_000_000.0)
    book.settled_index()
    return book


def test_whoever_has_begun_least_begins_next(tmp_path: Path) -> None:
    """An independent count over sixty evenings: of any people at the table, the one whose beginnings are
    farthest below a fair share of the games they sat at."""
    logs = evenings(60, 41)
    book = shelf(tmp_path, list(logs))
    begun: Counter[str] = Counter()
    games: Counter[str] = Counter()
    fair: dict[str, float] = defaultdict(float)
    for one in map(played_evening, logs):
        circle = one.rounds[0].circle
        begun[one.names[circle[0]]] += 1
        for seat in circle:
            games[one.names[seat]] += 1
            fair[one.names[seat]] += 1 / len(circle)
    chance = random.Random(5)
    for _ in range(25):
        names = chance.sample(sorted(games), chance.randint(3, 8))
        told = book.fair_start(names)
        assert told is not None
        least = min(begun[name] - fair[name] for name in names)
        assert begun[told["name"]] - fair[told["name"]] == pytest.approx(least, abs=1e-5)
        assert (told["begun"], told["games"]) == (begun[told["name"]], games[told["name"]])


def test_everybody_begins_in_turn_where_the_advice_is_taken(tmp_path: Path) -> None:
    """Four people who always follow it have begun equally often after each four games, and nobody twice in
    a row."""
    kept = KeptEvening(past=())
    began = []
    begins = "Ada"
    for _ in range(8):
        kept.begin(FOUR, daydreamer=FOUR.index(begins)).play_round(1).do("next").do("end")
        began.append(begins)
        told = kept.session.book.fair_start(FOUR)
        assert told is not None
        begins = told["name"]
    assert Counter(began[:4]) == Counter(began[4:]) == Counter(FOUR)
    assert began[:4] == began[4:]


def test_who_came_late_was_no_beginner_and_the_book_must_know_somebody(tmp_path: Path) -> None:
    """A late joiner's games do not count as games they might have begun; strangers and guests are never
    named; a merged person's beginnings are one person's; a deleted evening counts for nothing."""
    kept = KeptEvening(past=())
    book = kept.session.book
    assert book.fair_start(("Xaver", "Yann", "Zoe")) is None
    kept.begin(("Ada", "Ben", "Cleo"), daydreamer=1).play_round(1).do("next")
    kept.do("players", players=["Ada", "Ben", "Cleo", "Dan"]).play_round(1).do("next").do("end")
    first = kept.session.evening
    assert book.fair_start(("Dan", "Xaver", "Guest")) is None
    kept.begin(("Ada", "Eva", "Guest"), daydreamer=2).play_round(1).do("next").do("end")
    told = book.fair_start(("Guest", "Ben", "Ada", "Xaver"))
    assert told == {"name": "Ada", "begun": 0, "games": 2}
    assert not isinstance(book.act({"do": "merge", "person": "Ben", "into": "Eva"}, None), Refusal)
    assert book.fair_start(("Eva",)) == {"name": "Eva", "begun": 1, "games": 2}
    kept.begin(("Ada", "Eva", "Cleo"), daydreamer=0).play_round(1)
    assert not isinstance(book.act({"do": "delete", "evening": first}, None), Refusal)
    assert book.fair_start(("Eva",)) == {"name": "Eva", "begun": 0, "games": 1}


def test_a_rematch_is_begun_by_whoever_was_chosen(tmp_path: Path) -> None:
    """The same seats; whoever was chosen by their place on the screens begins; who does not sit there any
    more cannot, and then nothing happens."""
    kept = KeptEvening(past=()).begin(FOUR).play_round(1).do("next")
    kept.do("players", players=["Ada", "Ben", "Dan"]).do("end")
    status, answer = kept.ask("rematch", daydreamer=3)
    assert (status, answer["reason"]) == (422, "unknown_daydreamer")
    assert kept.board["phase"] == "over"
    kept.do("rematch", daydreamer=2)
    assert [one["name"] for one in kept.board["players"]] == ["Ada", "Ben", "Dan"]
    assert kept.board["players"][kept.board["round"]["daydreamer"]]["name"] == "Dan"
    assert kept.ask("rematch", daydreamer="Dan")[0] == 422


def test_the_advice_over_http_is_for_the_table(tmp_path: Path) -> None:
    """Who may tap asks with the names that sit there; nobody known gives null; who watches may not."""
    kept = KeptEvening(past=()).begin(FOUR).play_round(1).do("next").do("end")
    app = create_app(kept.session, Door())
    tablet = enter(app)
    told = tablet.get("/api/fair-start?name=Ada&name=Ben&name=Dan").get_json()["fair"]
    assert told == {"name": "Ben", "begun": 0, "games": 1}
    assert tablet.get("/api/fair-start?name=Xaver").get_json() == {"fair": None}
    assert tablet.get("/api/fair-start").get_json() == {"fair": None}
    assert enter(app, Rule.WATCH).get("/api/fair-start?name=Ada").status_code == 403


def test_two_games_in_one_night_know_of_each_other(tmp_path: Path) -> None:
    """Each says which of how many it was, and everybody's clouds of the whole night; another table's game
    that night, and the next evening, are none of them."""
    chance = random.Random(3)
    first = evening(chance, FOUR, NIGHT_S, rounds=3)
    second = evening(chance, ("Ada", "Ben", "Eva"), NIGHT_S + 3600, rounds=2)
    third = evening(chance, ("Eva", "Ada", "Fay"), NIGHT_S + 9000, rounds=2)
    elsewhere = evening(chance, ("Gil", "Hal", "Ivo"), NIGHT_S + 1800, rounds=2)
    tomorrow = evening(chance, FOUR, NIGHT_S + 23 * 3600, rounds=2)
    book = shelf(tmp_path, [first, second, third, elsewhere, tomorrow])
    lines = {one["number"]: one for one in book.page()["evenings"]}
    nights = [lines[number]["night"] for number in (1, 2, 3, 4, 5)]
    assert [night and night["nth"] for night in nights] == [1, 2, 3, None, None]
    assert nights[0]["games"] == nights[1]["games"] == nights[2]["games"] == [1, 2, 3]
    together: Counter[str] = Counter()
    for log in (first, second, third):
        one = played_evening(log)
        together.update(dict(zip(one.names, one.totals, strict=True)))
    assert {p["name"]: p["cards"] for p in nights[1]["players"]} == dict(together)
    cards = [p["cards"] for p in nights[1]["players"]]
    assert cards == sorted(cards, reverse=True)
    line = book.line(2)
    assert line is not None
    assert line["night"] == nights[1]


def test_a_game_gone_on_with_next_week_makes_no_long_night(tmp_path: Path) -> None:
    """It ended a week later; the game of the day after it began is another night's."""
    chance = random.Random(8)
    begun = evening(chance, FOUR, NIGHT_S, rounds=2)
    rest = shifted(begun, 7 * 86_400.0).entries[-6:]
    long_game = type(begun)((*begun.entries[:-6], *rest))
    next_day = evening(chance, FOUR, NIGHT_S + 22 * 3600, rounds=2)
    book = shelf(tmp_path, [long_game, next_day])
    assert [one["night"] for one in book.page()["evenings"]] == [None, None]


def test_guests_are_nobody_over_the_years(tmp_path: Path) -> None:
    """A guest plays and has clouds; but "Guest" of two evenings is no person of the book, is offered to
    nobody at set-up, is counted with all guests, and BG Stats hears that it is nobody's name."""
    chance = random.Random(2)
    logs = [
        evening(chance, ("Ada", "Ben", guest), NIGHT_S + at * 86_400.0 * 3, rounds=3)
        for at, guest in enumerate(("Guest", "Gast", "Host 2", "guest"))
    ]
    book = shelf(tmp_path, list(logs))
    page = book.page()
    assert [one["name"] for one in page["people"]] == ["Ada", "Ben"]
    assert {p["name"] for p in page["evenings"][0]["players"]} == {"Ada", "Ben", "guest"}
    counted, _ = book._counted()
    assert set(counted.people) == {GUESTS, *(Persons().person(n).id for n in ("Ada", "Ben"))}
    assert counted.people[GUESTS].evenings == 4
    kept = KeptEvening(past=("Ada", "Guest", "Ben", "Gast 2"))
    assert [name for name, _ in kept.session.past_players()] == ["Ada", "Ben"]
    told = json.loads("".join(bgstats.play_file([(played_evening(logs[0]), "")], Persons(), 0.0)))
    assert [one["name"] for one in told["players"] if one["isAnonymous"]] == ["Guest"]


def test_an_index_of_before_is_made_anew(tmp_path: Path) -> None:
    """An index that a companion of before left behind, without who began, is not believed."""
    import sqlite3

    book = shelf(tmp_path, list(evenings(3, 4)))
    before = book.fair_start([one["name"] for one in book.page()["people"]])
    book.close()
    with sqlite3.connect(tmp_path / INDEX) as db:
        db.execute("DROP TABLE seat")
        db.execute("CREATE TABLE seat (evening INTEGER, key TEXT, name TEXT)")
        db.execute(f"PRAGMA user_version = {MADE_FOR - 1}")
    assert book.fair_start([one["name"] for one in book.page()["people"]]) == before

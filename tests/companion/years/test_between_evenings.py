"""Between evenings: who begins next, two games in one night, guests."""

from __future__ import annotations

import contextlib
import json
import random
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from companion.errors import JournalTrouble
from companion.findings.claims import GUESTS
from companion.findings.played import LONGEST_STRETCH_S, played_evening
from companion.game.log import Log
from companion.game.rules import Refusal
from companion.journal import Journal
from companion.journal.people_signs import PeopleSigns
from companion.journal.store import FILE, read_only
from companion.web import Door, Rule, create_app
from companion.web.views.page_files import page_words
from companion.years import bgstats
from companion.years import index as years_index
from companion.years.album import album_words
from companion.years.book import MOST_AROUND, BookOfEvenings, nights
from companion.years.index import INDEX, MADE_FOR, IndexedEvening
from companion.years.persons import Persons
from companion.years.take_along import exported
from tests.support.companion_web_client import enter
from tests.support.kept_evening import KeptEvening
from tests.support.victims.served_evening import begun
from tests.support.years.generated import NIGHT_S, evening, evenings, shifted
from tests.support.years.settled import settled

FOUR = ("Ada", "Ben", "Cleo", "Dan")


def shelf(folder: Path, logs: list[Log]) -> BookOfEvenings:
    """The book of these evenings."""
    journal = Journal(folder)
    journal.import_evenings(logs)
    book = BookOfEvenings(journal, PeopleSigns(folder), lambda: 2_000_000_000.0)
    settled(book)
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
    assert told == {"name": "Ada", "begun": 0, "games": 2, "alone": True}
    told = book.fair_start(("Cleo", "Ada"))  # neither has begun
    assert told is not None
    assert not told["alone"]
    assert not isinstance(book.act({"do": "merge", "person": "Ben", "into": "Eva"}, None), Refusal)
    assert book.fair_start(("Eva",)) == {"name": "Eva", "begun": 1, "games": 2, "alone": True}
    assert book.fair_start(("Ben",)) == {"name": "Ben", "begun": 1, "games": 2, "alone": True}
    kept.begin(("Ada", "Eva", "Cleo"), daydreamer=0).play_round(1)
    assert not isinstance(book.act({"do": "delete", "evening": first}, None), Refusal)
    assert book.fair_start(("Eva",)) == {"name": "Eva", "begun": 0, "games": 1, "alone": True}


def test_nobody_who_has_begun_has_begun_least_beside_strangers() -> None:
    """Strangers and guests have never begun: beside them only those who never began either are said to
    have begun least."""
    kept = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo"), daydreamer=0).play_round(1)
    kept.do("next").do("end")
    book = kept.session.book
    for others in (("Xaver", "Yann"), ("Guest", "Xaver"), ("Guest",)):
        told = book.fair_start(("Ada", *others))
        assert told == {"name": "Ada", "begun": 1, "games": 1, "alone": False}
        told = book.fair_start(("Ada", "Ben", *others))
        assert told == {"name": "Ben", "begun": 0, "games": 1, "alone": True}


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
    assert told == {"name": "Ben", "begun": 0, "games": 1, "alone": False}
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


def test_the_games_of_a_night_all_name_the_same_night(tmp_path: Path) -> None:
    """Also where people change until the last game shares nobody with the first, and where it goes on for
    longer than a day; "Guest" at two tables connects nothing."""
    chance = random.Random(6)
    tables = (
        ("Ada", "Ben", "Cleo"),
        ("Ada", "Dan", "Eva"),
        ("Eva", "Fay", "Gil"),
        ("Hal", "Ada", "Ivo"),
        *(("Gil", "Jan", f"Late {at}") for at in range(6)),
    )
    hours = (0, 5, 10, 6, 15, 20, 25, 30, 35, 40)
    logs = [
        evening(chance, names, NIGHT_S + hour * 3600, rounds=2)
        for names, hour in zip(tables, hours, strict=True)
    ]
    for at, letters in enumerate(("XY", "ZW")):
        other = evening(chance, ("Guest", *letters), NIGHT_S + at * 3600, rounds=2)
        logs.append(other)
    book = shelf(tmp_path, logs)
    lines = book.page(count=30)["evenings"]
    told = {line["number"]: line["night"] for line in lines}
    night = [1, 2, 4, 3, 5, 6, 7, 8, 9, 10]
    assert [told[number]["games"] for number in night] == [night] * 10
    assert [told[number]["nth"] for number in night] == list(range(1, 11))
    assert all(told[number]["players"] == told[1]["players"] for number in night)
    assert told[11] is told[12] is None


@pytest.mark.parametrize("seed", range(5))
def test_to_be_of_one_night_goes_both_ways_and_on(seed: int) -> None:
    """Forty games at random: the nights are what an independent search from each game reaches, by steps
    from one game to another with a person in common and a short break."""
    chance = random.Random(seed)
    games = []
    for number in range(40):
        began_s = chance.uniform(0, 9 * 86_400)
        names = tuple(chance.sample("ABCDEFGHIJ", 3))
        lasted_s = chance.choice((1800.0, 5400.0, 7 * 86_400.0))
        games.append(
            IndexedEvening(
                number, "", began_s, began_s + lasted_s, names, (0, 0, 0), 1, True, (), "", lasted_s
            )
        )
    games.sort(key=lambda game: game.began_s)

    def steps(one: IndexedEvening, other: IndexedEvening) -> bool:
        first, second = sorted((one, other), key=lambda game: game.began_s)
        left_s = min(first.ended_s, first.began_s + 43_200)
        return bool(set(one.names) & set(other.names)) and second.began_s - left_s <= 21_600

    told = nights(games, str)
    for game in games:
        reached, waiting = {game.number}, [game]
        while waiting:
            here = waiting.pop()
            more = [one for one in games if one.number not in reached and steps(here, one)]
            reached |= {one.number for one in more}
            waiting += more
        assert {one.number for one in told[game.number]} == reached


def test_a_round_that_was_not_finished_is_counted_nowhere(tmp_path: Path) -> None:
    """Ended in the middle of the second round: one round in the book, on the board of it, in the film's end
    and for BG Stats; the table has both, to be read again."""
    kept = KeptEvening(past=()).begin(FOUR).play_round(1).do("next")
    kept.do("laid", cards=kept.fresh_cards).do("set_aside", card=kept.lying[0]).do("end")
    book = kept.session.book
    (line,) = book.page()["evenings"]
    assert (line["rounds"], line["over"]) == (1, True)
    board = kept.session.past_scoreboard(line["number"])
    film = kept.session.film(line["number"])
    assert board is not None
    assert film is not None
    assert (
        board["round"]["of"] == film[-1]["board"]["round"]["of"] == kept.board["round"]["of"] == 1
    )
    index = settled(book)
    told = json.loads("".join(exported(index, book.persons, "bgsplay")))
    assert [one["rounds"] for one in told["plays"]] == [1]
    table = "".join(exported(index, book.persons, "csv")).splitlines()
    assert len(table) == 3
    assert ",open," in table[2]
    assert book.found_out()["rounds"] == 1


def test_who_played_no_round_was_not_at_the_evening() -> None:
    """Eva is entered by mistake and goes again, Finn comes for a round that is never dealt: neither has an
    evening in the book, a line for BG Stats or a place in the album; of Gus, who came in Eva's stead, the film
    shows his own sign."""
    kept = KeptEvening(past=()).begin(FOUR).play_round(1).do("next")
    kept.do("players", players=[*FOUR, "Eva"]).do("players", players=[*FOUR, "Gus"])
    assert kept.session.keeper.ledger.names == (*FOUR, "Gus")
    kept.play_round(2).do("next").do("players", players=[*FOUR, "Gus", "Finn"]).do("end")
    book = kept.session.book
    (line,) = book.page()["evenings"]
    assert [one["name"] for one in line["players"]] == [*FOUR, "Gus"]
    assert {one["name"] for one in book.page()["people"]} == {*FOUR, "Gus"}
    index = settled(book)
    told = json.loads("".join(exported(index, book.persons, "bgsplay")))
    assert {one["name"] for one in told["players"]} == {*FOUR, "Gus"}
    assert [one.names for _, one in index.played()] == [(*FOUR, "Gus")]
    own = {(one["name"], one["sign"]) for one in kept.board["players"]}
    film = kept.session.film(line["number"])
    assert film is not None
    for frame in film:
        for one in frame["board"]["players"]:
            assert one["name"] == "Eva" or (one["name"], one["sign"]) in own


def test_a_game_of_which_no_round_was_finished_is_not_in_the_book(tmp_path: Path) -> None:
    """Nobody played that night, nobody began; it cannot be opened or painted, and is still in JSON."""
    kept = KeptEvening(past=()).begin(FOUR)
    kept.do("laid", cards=kept.fresh_cards).do("end")
    book, number = kept.session.book, kept.session.evening
    page = book.page()
    assert (page["total"], page["evenings"], page["people"], page["years"]) == (0, [], [], [])
    assert book.line(number) is None
    assert book.album(number, "names", album_words(page_words("en"), "en")) is None
    assert book.fair_start(FOUR) is None
    assert book.found_out()["evenings"] == 0
    index = settled(book)
    assert json.loads("".join(exported(index, book.persons, "bgsplay")))["plays"] == []
    assert len("".join(exported(index, book.persons, "json")).splitlines()) > 1


def test_games_without_end_are_no_night(tmp_path: Path) -> None:
    """Every five hours for a fortnight, or more of them in one hour than people play: each stands alone,
    and the page looks at no more than it shows and what lies around."""
    chance = random.Random(9)
    endless = [evening(chance, FOUR, NIGHT_S + at * 5 * 3600.0, rounds=1) for at in range(67)]
    after_s = NIGHT_S + 400 * 86_400.0
    crowd = [evening(chance, FOUR, after_s + at * 10.0, rounds=1) for at in range(MOST_AROUND + 1)]
    pair = [evening(chance, FOUR, after_s + 9e6 + at * 5 * 3600.0, rounds=1) for at in range(2)]
    book = shelf(tmp_path, [*endless, *crowd, *pair])
    looked: list[int] = []
    near = book.index().near
    book.index().near = lambda *told: looked.append(1) or near(*told)  # type: ignore[func-returns-value]
    lines = [*book.page(count=120)["evenings"], *book.page(after=300, count=120)["evenings"]]
    assert [line["night"] is None for line in lines].count(False) == 2
    assert len(looked) <= 5 * len(lines)


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
    book = shelf(tmp_path, list(evenings(3, 4)))
    before = book.fair_start([one["name"] for one in book.page()["people"]])
    book.close()
    with sqlite3.connect(tmp_path / INDEX) as db:
        db.execute("DROP TABLE seat")
        db.execute("CREATE TABLE seat (evening INTEGER, key TEXT, name TEXT)")
        db.execute(f"PRAGMA user_version = {MADE_FOR - 1}")
    assert book.fair_start([one["name"] for one in book.page()["people"]]) == before


@pytest.mark.parametrize("open_already", [False, True])
def test_a_damaged_index_is_made_anew_out_of_the_journal(
    tmp_path: Path, open_already: bool
) -> None:
    """It holds nothing of its own. Found when it is opened, nobody hears of it; found while it is open,
    it is said once. One page of zeros had closed the book for good."""
    logs = list(evenings(3, 60))
    book = shelf(tmp_path, logs)
    before = book.page()["evenings"]
    people = [one["name"] for one in book.page()["people"]]
    fair = book.fair_start(people)
    if not open_already:
        book.close()
    at, size = tmp_path / INDEX, (tmp_path / INDEX).stat().st_size
    with at.open("r+b") as file:
        file.seek(4096)
        file.write(bytes(size - 4096))
    if open_already:
        book._index._db.execute("PRAGMA shrink_memory")
        with contextlib.suppress(JournalTrouble):
            book.fair_start(people)
        with contextlib.suppress(JournalTrouble):
            book.page()
    assert book.page()["evenings"] == before
    assert book.fair_start(people) == fair


@pytest.mark.parametrize("where", ["names", "totals", "facts", "told", "seat", "no text"])
def test_a_wrong_bit_in_the_words_of_the_index_is_found_at_the_start(
    tmp_path: Path, where: str
) -> None:
    """SQLite finds nothing wrong with it: pages failed, or told other names and numbers, until the evening
    was changed."""
    book = shelf(tmp_path, list(evenings(3, 60)))
    before = book.page(), book.found_out()
    book.close()
    spoil = {
        "names": "UPDATE evening SET names = replace(names, ',', '.')",
        "totals": "UPDATE evening SET totals = replace(totals, '1', '3')",
        "facts": "UPDATE evening SET facts = replace(facts, '[', 'Z')",
        "told": "UPDATE played SET told = replace(told, ']', '}')",
        "seat": "UPDATE seat SET name = lower(name)",
        "no text": "UPDATE evening SET names = CAST(x'5bff5d' AS TEXT)",
    }
    with sqlite3.connect(tmp_path / INDEX) as db:
        db.execute(spoil[where])
    db.close()
    again = BookOfEvenings(book._journal, PeopleSigns(tmp_path), lambda: 2_000_000_000.0)
    assert (again.page(), again.found_out()) == before


def test_an_entry_that_is_no_text_takes_no_other_evening_out_of_the_book(tmp_path: Path) -> None:
    """Before the journal has proven that evening, the index read it, left its transaction, and went on in
    memory for as long as the companion ran."""
    made = shelf(tmp_path, list(evenings(3, 60)))
    made._journal.close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute(
            "UPDATE entries SET entry = CAST(x'7bff7d' AS TEXT) WHERE evening = 2 AND number = 3"
        )
    db.close()
    (tmp_path / INDEX).unlink(missing_ok=True)
    book = shelf(tmp_path, [])
    assert {one["number"] for one in book.page()["evenings"]} == {1, 3}
    assert not book.index()._in_memory
    with pytest.raises(JournalTrouble, match="Evening 2 is damaged"):
        book.index().texts(2)
    book._journal.read_evening(2)
    assert {one["number"] for one in book.page()["evenings"]} == {1, 2, 3}


def test_an_index_that_could_not_be_made_anew_is_opened_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal could not be read just then: the book was shut until a restart, with a traceback."""
    book = shelf(tmp_path, list(evenings(3, 60)))
    before = book.page()["evenings"]

    def refuse(*_: object) -> None:
        raise JournalTrouble("cannot be read")

    with monkeypatch.context() as unread:
        unread.setattr(years_index, "attach_journal", refuse)
        with pytest.raises(JournalTrouble):
            book._index._begin_anew()
        for _ in range(3):
            with pytest.raises(JournalTrouble):
                book.page()
    assert book.page()["evenings"] == before


@pytest.mark.skipif(sys.platform == "win32", reason="what is open cannot be taken away there")
@pytest.mark.parametrize("also_shared", [False, True])
def test_others_read_again_also_where_the_book_was_open(tmp_path: Path, also_shared: bool) -> None:
    """It held the journal open, and no other log could be begun: backups were refused until a restart, or
    held no evening and said that they were whole."""
    session = begun(tmp_path)
    session.book.page()
    for tail in ("-wal", "-shm") if also_shared else ("-wal",):
        (tmp_path / f"{FILE}{tail}").unlink()
    tap = {"id": "tap-00001", "version": session.version, "do": "wrong"}
    assert session.command(tap)[0] == 200
    count = "execute('SELECT count(*) FROM entries').fetchone()[0]"
    file = read_only(tmp_path / FILE)
    reads = f"import sqlite3; print(sqlite3.connect({file!r}, uri=True).{count})"
    told = subprocess.run([sys.executable, "-c", reads], capture_output=True, text=True, check=True)
    assert int(told.stdout) == len(session.log.entries)
    assert len(session.book.page()["evenings"]) == 0  # tonight's is no evening of before
    session.close()


@pytest.mark.parametrize("left", ["pause", "end", "nothing"])
def test_a_break_of_a_week_is_no_play(left: str) -> None:
    """Two rounds, and the third a week later: the book and BG Stats told of 168 hours."""
    evening = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo", "Dan"))
    for _ in range(2):
        evening.play_round(1).do("next")
    before_s = played_evening(evening.session.log).played_s
    if left != "nothing":
        evening.do(left)
    evening.now_s += 7 * 86_400.0
    if left != "nothing":
        evening.do("resume" if left == "pause" else "undo")
    evening.play_round(1).do("next").do("end")
    told = played_evening(evening.session.log)
    assert told.ended_s - told.began_s > 7 * 86_400.0
    assert before_s < told.played_s <= before_s + LONGEST_STRETCH_S + 60.0
    line = evening.session.book.line(evening.session.evening or 0)
    assert line is not None
    assert line["played_s"] == told.played_s
    assert bgstats._minutes(told) == round(told.played_s / 60)

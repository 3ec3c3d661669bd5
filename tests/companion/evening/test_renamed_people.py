"""People whom the book of evenings calls otherwise since: at the table they are one person each."""

from __future__ import annotations

from companion.game.rules import Refusal
from companion.years.persons import WAY_BACK_S
from tests.support.kept_evening import KeptEvening

PEOPLE = ("Ada", "Ben", "Cleo", "Dan")


def over() -> KeptEvening:
    """An evening that these four have ended; Dan is called Dora since."""
    evening = KeptEvening(past=()).begin(PEOPLE).play_round(0).do("end")
    act = {"do": "rename", "person": "Dan", "name": "Dora"}
    evening.session.book.act(act, "tablet")
    return evening


def names(evening: KeptEvening) -> list[str]:
    return [player["name"] for player in evening.board["players"]]


def test_nobody_sits_at_the_table_twice_under_two_names() -> None:
    """Neither at set-up nor in the middle of an evening; each of the names alone is taken."""
    evening = over()
    status, told = evening.ask("begin", players=["Ada", "Ben", "Dora", "Dan"], daydreamer=0)
    assert (status, told["reason"]) == (422, "person_twice")
    assert told["params"] == {"name": "Dora", "other": "Dan"}
    evening.do("begin", players=["Ada", "Ben", "Dora"], daydreamer=0)
    status, told = evening.ask("players", players=["Ada", "Ben", "Dora", "Dan"])
    assert (status, told["reason"]) == (422, "person_twice")


def test_the_same_people_again_have_the_names_of_now() -> None:
    """Also where a new table is laid: the page is told who is called otherwise."""
    evening = over()
    assert evening.session.renamed_people() == {"Dan": "Dora"}
    assert names(evening.do("rematch")) == ["Ada", "Ben", "Cleo", "Dora"]
    assert evening.session.renamed_people() == {}


def test_who_was_forgotten_just_now_sits_down_when_that_is_done() -> None:
    """Who sat down within the minute was nobody in the book for ever, on an evening after the forgetting."""
    evening = over()
    evening.do("begin", players=["Ada", "Ben", "Eve"], daydreamer=0).do("laid").do("right")
    act = evening.session.book.act({"do": "forget", "person": "Cleo"}, "tablet")
    assert not isinstance(act, Refusal)
    for do, more in (("players", {}), ("begin", {"daydreamer": 0})):
        status, told = evening.ask(do, players=["Ada", "Ben", "cleo"], **more)
        assert (status, told["reason"], told["params"]) == (
            422,
            "person_forgotten",
            {"name": "cleo"},
        )
    evening.now_s += WAY_BACK_S + 1.0
    evening.session.book.page()
    evening.do("players", players=["Ada", "Ben", "Cleo"]).do("next").play_round(0).do("end")
    people = {one["name"]: one["evenings"] for one in evening.session.book.page()["people"]}
    assert people["Cleo"] == 1

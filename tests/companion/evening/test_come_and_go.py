"""Who comes late, who leaves, who swaps seats: what every screen is told from then on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.evening.film import film_of
from companion.journal.people_signs import PeopleSigns
from tests.support.kept_evening import KeptEvening


def called(board: dict[str, Any], place: int | None) -> str:
    """The name at a place of the screens."""
    assert place is not None
    return str(board["players"][place]["name"])


def clouds(board: dict[str, Any]) -> dict[str, int]:
    """Everybody's clouds."""
    return {one["name"]: one["cards"] for one in board["players"]}


def test_a_screen_counts_places_without_gaps() -> None:
    """Ben leaves and Eva comes: every place that a screen is told of, of this round and of those before, is
    the person's place in the list of people; nobody's round changes hands."""
    evening = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo", "Dan")).play_round(2).do("next")
    before = evening.board["rounds"][0]
    told = [called(evening.board, before[role]) for role in ("daydreamer", "lookout", "claimer")]
    guessed = [called(evening.board, guess["seat"]) for guess in before["guesses"]]
    gains = {called(evening.board, at): gain for at, gain in enumerate(before["gains"])}
    evening.do("players", players=["Ada", "Cleo", "Dan", "Eva"])
    board = evening.board
    assert [one["seat"] for one in board["players"]] == [0, 1, 2, 3, 4]
    assert [one["name"] for one in board["players"] if one["away"]] == ["Ben"]
    after = board["rounds"][0]
    assert [called(board, after[role]) for role in ("daydreamer", "lookout", "claimer")] == told
    assert [called(board, guess["seat"]) for guess in after["guesses"]] == guessed
    now = {called(board, at): gain for at, gain in enumerate(after["gains"])}
    assert {name: gain for name, gain in now.items() if gain} == {
        name: gain for name, gain in gains.items() if gain
    }
    assert {called(board, at) for at in after["circle"]} == {"Ada", "Ben", "Cleo", "Dan"}
    assert after["attempts"] == len(after["cards"]) - 2
    assert called(board, board["round"]["daydreamer"]) == "Dan"
    assert called(board, board["round"]["lookout"]) == "Cleo"
    evening.do("laid", cards=evening.fresh_cards)
    board = evening.board
    assert called(board, board["round"]["turn"]) == "Eva"
    evening.do("set_aside", card=evening.lying[0])
    assert called(evening.board, evening.board["undo"]["seat"]) == "Eva"
    evening.do("right", card=evening.lying[0])
    board = evening.board
    last = board["last"]
    assert called(board, last["seat"]) == "Ada"
    assert [(called(board, at), gain) for at, gain in last["others"]] == [("Dan", 1)]
    assert clouds(board) == {"Ada": last["gain"], "Ben": 0, "Cleo": 0, "Dan": 1, "Eva": 0} | {
        name: gain + {"Ada": last["gain"], "Dan": 1}.get(name, 0) for name, gain in gains.items()
    }


def test_a_late_joiner_may_win_and_the_film_shows_it(tmp_path: Path) -> None:
    """The winner's place is that of the person with most clouds, at the end and in every board of the
    film."""
    evening = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo")).play_round(0).do("next")
    evening.do("players", players=["Cleo", "Dan", "Eva", "Ada"])
    for _ in range(3):
        evening.play_round(4).do("next")
    evening.do("end")
    board = evening.board
    most = max(clouds(board).values())
    winners = {called(board, place) for place in board["winners"]}
    assert winners == {name for name, own in clouds(board).items() if own == most}
    for frame in film_of(evening.session.log, PeopleSigns(tmp_path)):
        shown = frame["board"]
        assert [one["seat"] for one in shown["players"]] == list(range(len(shown["players"])))
        round_ = shown["round"]
        if shown["phase"] in ("secret", "guessing"):
            places = [round_["daydreamer"], round_["lookout"], *round_["spectators"]]
            assert not any(shown["players"][place]["away"] for place in places)


def test_who_never_sat_in_a_round_is_not_shown_once_they_left() -> None:
    """Eva and Finn are entered by mistake, Eva goes again before a round, Finn plays one and goes: the screens show
    Finn, pale, and no Eva; every place told is still the person's."""
    evening = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo", "Dan")).play_round(2).do("next")
    evening.do("players", players=["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn"])
    evening.do("players", players=["Ada", "Ben", "Cleo", "Dan", "Finn"]).play_round(1).do("next")
    evening.do("players", players=["Ada", "Ben", "Cleo", "Dan"]).play_round(0)
    board = evening.board
    shown = [(one["seat"], one["name"], one["away"]) for one in board["players"]]
    assert shown == [
        (0, "Ada", False),
        (1, "Ben", False),
        (2, "Cleo", False),
        (3, "Dan", False),
        (4, "Finn", True),
    ]
    second = board["rounds"][1]
    assert {called(board, at) for at in second["circle"]} == {"Ada", "Ben", "Cleo", "Dan", "Finn"}
    assert all(len(one["gains"]) == 5 for one in board["rounds"])
    evening.do("end")
    assert {called(evening.board, at) for at in evening.board["winners"]} <= {
        "Ada",
        "Ben",
        "Cleo",
        "Dan",
        "Finn",
    }


def test_who_never_played_is_gone_and_an_empty_sky_is_nobodys() -> None:
    """Eva is entered and goes again, and the evening is ended before a cloud was won: nobody has it."""
    evening = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo", "Dan"))
    evening.do("players", players=["Ada", "Ben", "Cleo", "Dan", "Eva"])
    evening.do("players", players=["Ada", "Ben", "Cleo", "Dan"]).do("end")
    assert [one["name"] for one in evening.board["players"]] == ["Ada", "Ben", "Cleo", "Dan"]
    assert evening.board["winners"] == []


def test_as_last_time_is_the_table_as_it_was_left() -> None:
    """Ben left and Eva took a seat between two others: nine names would be no table, and Ben is not asked
    back to it."""
    eight = ("Ada", "Ben", "Cleo", "Dan", "Finn", "Gus", "Hana", "Ivo")
    evening = KeptEvening(past=()).begin(eight).play_round(2).do("next")
    left = ["Ada", "Cleo", "Eva", "Dan", "Finn", "Gus", "Hana", "Ivo"]
    evening.do("players", players=left).play_round(1).do("next").do("end")
    assert evening.session.last_table() == left

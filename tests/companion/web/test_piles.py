"""Counting the piles: a pile beside the ledger, what is missing, what is someone else's, what
nobody can know."""

from __future__ import annotations

from typing import Any

import pytest

from companion.table.sighting import FIRST_STAND_IN
from companion.web import Door, Rule, create_app
from companion.web.views.pile_count import compare, takers
from tests.support.kept_evening import played


def line(ending: str, cards: list[int | None], wrong: list[int | None]) -> dict[str, Any]:
    guesses = [{"card": card, "right": False} for card in wrong] + [
        {"card": None, "right": True}
    ] * (ending == "claimed")
    return {
        "cards": cards,
        "ending": ending,
        "guesses": guesses,
        "daydreamer": 0,
        "lookout": 5,
        "claimer": 3,
    }


def board(*lines: dict[str, Any], cards: int = 0) -> dict[str, Any]:
    return {"rounds": list(lines), "players": [{"seat": seat, "cards": cards} for seat in range(6)]}


def test_a_right_guess_splits_the_cards_and_nobody_gives_them_to_the_lookout() -> None:
    """Wrong clouds are the Daydreamer's, the rest the finder's; when nobody is right, all are the
    Lookout's."""
    found = takers(board(line("claimed", [1, 2, 3, 4], [2]), line("lookout", [5, 6], [5, 6])))
    assert found == {2: {0}, 1: {3}, 3: {3}, 4: {3}, 5: {5}, 6: {5}}


def test_a_pile_as_written_agrees() -> None:
    """Number and clouds as in the ledger: nothing is said against it."""
    assert compare(board(line("claimed", [1, 2, 3, 4], [2]), cards=3), 3, [1, 3, 4]).agrees


def test_a_swapped_cloud_is_named_with_its_owner() -> None:
    """The number agrees, one cloud does not: the missing one and the other's one are both named."""
    pile = compare(board(line("claimed", [1, 2, 3, 4], [2]), cards=3), 3, [1, 2, 3])
    assert (pile.agrees, pile.missing, pile.foreign) == (False, (4,), ((2, 0),))


def test_a_wrong_guess_without_its_card_accuses_nobody() -> None:
    """Entered by touch without cards, a cloud may be in either pile: only the number can be off."""
    told = board(line("claimed", [1, 2, 3, 4], [None]), cards=3)
    assert compare(told, 3, [1, 2, 4]).agrees
    assert compare(told, 3, [2, 3, 4]).agrees
    assert not compare(told, 3, [2, 3]).agrees


def test_clouds_that_nobody_won_are_named() -> None:
    """A cloud of a spoiled round, or one never dealt, does not belong in a pile; with unknown cards
    it may."""
    told = board(line("claimed", [1, 2, 3], []), line("void", [7, 8], []), cards=3)
    assert compare(told, 3, [1, 2, 3, 7, 60]).foreign == ((7, None), (60, None))
    told = board(line("claimed", [1, None, 3], []), cards=3)
    assert compare(told, 3, [1, 3, 60]).agrees


def test_nobody_sits_there() -> None:
    """A seat that is not at the table has no pile."""
    with pytest.raises(ValueError):
        compare(board(), 9, [])


def test_the_page_asks_the_camera_only_when_the_evening_is_over() -> None:
    """During play the piles are nobody's business; at the end the answer is plain JSON; without
    such a camera, 404."""
    evening = played()
    app = create_app(evening.session, Door())
    client = app.test_client()
    client.get(f"/in/{app.extensions['companion'].door.invite(Rule.CONTROL)}")
    assert client.get("/api/pile/0").status_code == 404
    evening.watched().finish()
    assert evening.camera is not None
    mine = [card for card, seats in takers(evening.board).items() if seats == {0}]
    evening.camera.lying = set(mine[1:])
    told = client.get("/api/pile/0").get_json()
    assert (told["agrees"], told["missing"], told["seen"]) == (False, [mine[0]], len(mine) - 1)
    assert client.get("/api/pile/17").status_code == 404


def test_without_a_camera_nothing_is_counted() -> None:
    """The route finds nothing when the session cannot say what lies in view."""
    app = create_app(played().finish().session, Door())
    client = app.test_client()
    client.get(f"/in/{app.extensions['companion'].door.invite(Rule.CONTROL)}")
    assert client.get("/api/pile/0").status_code == 404


@pytest.mark.parametrize("state", ["stopped", "off", "searching"])
def test_a_camera_that_gives_no_picture_counts_nothing(state: str) -> None:
    """What lay there before it went is not what lies there now."""
    evening = played().watched(lying={1, 2, 3}).finish()
    app = create_app(evening.session, Door())
    client = app.test_client()
    client.get(f"/in/{app.extensions['companion'].door.invite(Rule.CONTROL)}")
    assert client.get("/api/pile/0").status_code == 200
    evening.camera_is(state)
    assert client.get("/api/pile/0").status_code == 404


def test_a_cloud_without_a_name_counts_and_accuses_nobody() -> None:
    """It may be the one that is missing; where more are missing than lie there without a name, they
    are told."""
    told = board(line("claimed", [1, 2, 3, 4], [2]), cards=3)
    pile = compare(told, 3, [1, 3, FIRST_STAND_IN])
    assert (pile.agrees, pile.seen, pile.nameless) == (True, 3, 1)
    assert compare(told, 3, [1, FIRST_STAND_IN]).missing == (3, 4)

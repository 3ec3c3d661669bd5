"""The rules can be chosen anew after the first cards: the ledger and the referee follow."""

from __future__ import annotations

from companion.game.events import RulesChosen
from companion.game.fold import fold
from tests.support.kept_evening import played


def test_another_handling_holds_for_the_whole_evening_and_can_be_taken_back() -> None:
    """It is what the table always did, so it is no event of a round; the same again is none at
    all."""
    evening = played(rounds=2)
    version = evening.version
    evening.do("rules", edition="de", handling="face-down")
    board = evening.board
    assert (board["edition"], board["handling"]) == ("de", "face-down")
    assert board["undo"] == {"what": "rules", "seat": None}
    assert isinstance(evening.entries[-1].event, RulesChosen)
    evening.do("rules", edition="de", handling="face-down")
    assert evening.version == version + 1
    assert fold(evening.session.log).ledger == evening.session.keeper.ledger
    evening.do("undo")
    assert (evening.board["edition"], evening.board["handling"]) == ("en", "auto")


def test_the_referee_expects_what_was_told_last() -> None:
    """What it had learnt of wrong cards is void where people say otherwise, and kept where they say
    the same."""
    evening = played().watched()
    habits = evening.session.keeper.referee.habits
    evening.do("rules", edition="en", handling="away")
    assert evening.session.keeper.referee.habits is habits
    tray, away, down = habits.handling.shares(True)
    assert away > max(tray, down)


def test_a_rule_there_is_not_is_refused() -> None:
    """The field is named."""
    status, answer = played().ask("rules", edition="en", handling="eaten")
    assert (status, answer["reason"], answer["params"]["field"]) == (
        422,
        "command_shape",
        "handling",
    )

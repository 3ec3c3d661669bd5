"""What a question's entry holds is read like a stranger's: it may have come with their backup."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.capture.view import View
from companion.evening.scoreboard import scoreboard
from companion.evening.scorekeeper import Scorekeeper
from companion.game.event_json import entry_from_dict, entry_to_dict
from companion.game.events import QuestionAsked
from companion.game.log import Log
from tests.support.scorekept import BARE, FIRST, Evening

ONE_GONE = (10, 20, None, 40, 50)
ENDLESS = 10**400


def asked() -> Log:
    """The log of an evening in which the camera has asked."""
    evening = Evening().lie(6, FIRST).lie(2, ONE_GONE).lie(8, BARE)
    assert evening.keeper.book.question is not None
    return evening.keeper.log


def told_anew(log: Log, change: dict[str, Any], in_option: bool) -> Log:
    """The same log as a file would hold it, with something else in its question."""
    entries = []
    for entry in log.entries:
        told = entry_to_dict(entry)
        if isinstance(entry.event, QuestionAsked):
            kept = json.loads(json.dumps(told["evidence"]))
            for at in kept["question"]["options"] if in_option else [kept]:
                at.update(change)
            told["evidence"] = kept
        entries.append(entry_from_dict(told))
    return Log().append(*entries)


def test_a_question_is_read_again() -> None:
    """As it was written it stands on the screen."""
    keeper = Scorekeeper(told_anew(asked(), {}, in_option=False))
    assert keeper.book.question is not None


@pytest.mark.parametrize(
    "change",
    [
        {"from_s": ENDLESS},
        {"to_s": ENDLESS},
        {"cards": [[1], {"a": 2}]},
        {"dealt": [{"a": 1}, None]},
        {"dealt": [1.5]},
    ],
    ids=list,
)
def test_a_question_that_cannot_be_is_none(change: dict[str, Any]) -> None:
    """Whatever stands in its place: the evening goes on without it, and a screen can show it."""
    check_nobody_asks(told_anew(asked(), change, in_option=False))


@pytest.mark.parametrize(
    "change",
    [
        {"w": ENDLESS, "probability": ENDLESS},
        {"w": float("inf")},
        {"set_aside": [{"a": 1}]},
        {"set_aside": [[1]]},
    ],
    ids=list,
)
def test_an_answer_that_cannot_be_is_none(change: dict[str, Any]) -> None:
    """The same of what people could answer."""
    check_nobody_asks(told_anew(asked(), change, in_option=True))


def check_nobody_asks(log: Log) -> None:
    keeper = Scorekeeper(log)
    assert keeper.book.question is None
    assert scoreboard(keeper, 1, View(camera={"state": "off"}), range(5))["question"] is None

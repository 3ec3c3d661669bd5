"""An evening handed out: a table that no spreadsheet runs, and everything as JSON."""

from __future__ import annotations

import csv
import io
import json

import pytest

from companion.game.change import correct_round
from companion.game.event_json import entry_from_dict
from companion.game.events import CloudNamed, EveningBegun
from companion.game.log import Log
from companion.journal.export import as_csv, as_json, cell
from tests.support.game_evening import Told, begun
from tests.support.victims.journal_victim import story


def rows_of(log: Log) -> list[list[str]]:
    return list(csv.reader(io.StringIO(as_csv(log), newline="")))


def test_a_round_is_a_line_and_the_totals_close_the_table() -> None:
    """Story and gains of every round, the sum of each player's column in the last line."""
    told = begun(3)
    told.enter(CloudNamed(1, "camel, waiting"))
    told.play((1, 2, 3, 4), wrong=1)
    told.play((5, 6, 7, 8), wrong=2)
    told.change(correct_round(told.log, 2, ((None, True),)))
    head, first, second, total = rows_of(told.log)
    assert head[-3:] == ["Ada", "Ben", "Cleo"]
    assert first[:6] == [
        "1",
        "Ada",
        "Cleo",
        "camel, waiting",
        "1 2 3 4",
        "Ben 1 wrong; Ben 2 right",
    ]
    assert first[6:] == ["claimed", "Ben", "", "1", "3", "0"]
    assert second[5:] == ["Ada ? right", "claimed", "Ada", "yes", "4", "0", "0"]
    assert total[-3:] == ["5", "3", "0"]


@pytest.mark.parametrize("name", ["=1+1", "+49", "-Ada", "@home", "\t=x", " =2", "＝cmd", "\r@x"])
def test_a_name_is_never_a_formula(name: str) -> None:
    """In no cell of the table a name begins like a formula; numbers stay numbers."""
    told = Told()
    told.enter(EveningBegun((name, "Ben", "Cleo"), 0), CloudNamed(1, "=HYPERLINK(evil)"))
    told.play((1, 2, 3, 4), wrong=2)
    for row in rows_of(told.log):
        assert not any(value.lstrip(" ").startswith(tuple("=+-@\t\r＝")) for value in row)
    assert cell("Ada = Ben") == "Ada = Ben"


def test_the_json_holds_every_entry_taken_back_or_not() -> None:
    """From the exported entries the same log can be made again."""
    log = Log(tuple(entry for act in story() for entry in act))
    whole = json.loads(as_json(log))
    assert tuple(entry_from_dict(entry) for entry in whole["entries"]) == log.entries
    assert sum(whole["totals"].values()) == 80


def test_an_empty_log_is_an_empty_table() -> None:
    """Before the first evening there is a head and a line of totals, and no crash."""
    assert [row[0] for row in rows_of(Log())] == ["round", "total"]
    assert json.loads(as_json(Log()))["players"] == []

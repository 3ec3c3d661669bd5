"""The secret stays a secret: nothing that leaves the session names a card before its whole round
lies face up.

And the same evening, killed by SIGKILL in the middle of a round, goes on at the exact event.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from companion.game.event_json import entry_to_dict
from companion.game.events import CardSetAside, CloudsClaimed, EveningBegun, RoundDealt
from companion.game.fold import fold
from tests.support.practice_played import played
from tests.support.victims.practice_victim import KILLED_IN_ROUND

pytestmark = pytest.mark.slow

RUNS = ("one", "two")
IN_LISTS = {"seen": 0, "places": 0}
"""Recorded glimpses hold cards as the first value of these lists' lines."""


def named(kind: str, what: Any) -> set[int]:
    """Every card number that a shown thing names."""
    if kind == "line":
        return {
            int(word)
            for word in re.findall(r"(?<![\d+])\d\d(?!\d)", re.sub(r"Round +\d+", "", what or ""))
        }
    if kind == "csv":
        lines = [line.split(",") for line in what.splitlines()[1:-1]]
        return {
            int(word) for line in lines for cell in line[4:6] for word in re.findall(r"\d+", cell)
        }
    return set(_cards(what))


def _cards(what: Any, key: str = "") -> Iterator[int]:
    if isinstance(what, dict):
        for name, value in what.items():
            yield from _cards(value, name)
    elif isinstance(what, list):
        for value in what:
            first = key in IN_LISTS and isinstance(value, list)
            yield from _cards(
                value[IN_LISTS[key]] if first else value, "card" if first or key == "cards" else key
            )
    elif isinstance(what, str) and (tail := re.fullmatch(r"\w+:(\d+)", what)):
        yield int(tail[1])
    elif (
        isinstance(what, int) and not isinstance(what, bool) and key == "card"
    ):  # "cards" by itself counts a pile
        yield what


def test_the_reading_of_shown_things_sees_every_kind_of_leak() -> None:
    """A number in a board, a glimpse, an entry, a line, a notice or a CSV is found; seats and times
    are not."""
    assert named(
        "board", {"round": {"middle": [{"card": 7, "x": 0.5}], "seat": 3}, "version": 12}
    ) == {7}
    assert named(
        "glimpse",
        {"t": 1.5, "seen": [[41, 3.0, 4.0, 0.0, 0.9, [[1, 2]]]], "places": [[9, 1, 2, "back"]]},
    ) == {41, 9}
    assert named("glimpse", {"notices": ["twice:33", "bumped"]}) == {33}
    assert named(
        "entry", {"round": 4, "event": {"cards": [5, None, 6]}, "evidence": {"cards": [8]}}
    ) == {5, 6, 8}
    assert named("line", "Round 12  Ada lays 05 61; Ben +4") == {5, 61}
    assert named("csv", "round\r\n1,A,B,,17 ?,Ben 18 wrong,open\r\ntotal,,,,,,4\r\n") == {17, 18}


def test_no_card_is_named_before_its_round_lies_face_up() -> None:
    """Scoreboards, exports, recorded glimpses, terminal lines and entries of a whole game hold no
    early number."""
    evening = played()
    laid_s = {card: line.dealt_s for line in evening.truth.rounds for card in line.cards}
    cards_named: set[int] = set()
    kinds: set[str] = set()
    for run in RUNS:
        for film_s, kind, what in evening.shown(run):
            found = named(kind, what)
            early = {card for card in found if film_s < laid_s.get(card, float("inf"))}
            assert not early, (film_s, kind, what)
            cards_named |= found
            kinds.add(kind)
    assert kinds == {"board", "csv", "glimpse", "entry", "line"}
    assert cards_named == set(
        laid_s
    )  # the test saw all cards of the game, so it looked at the right things


def test_the_recording_and_the_journal_hold_nothing_else() -> None:
    """What lies on disk is what was shown: the recording line by line, the journal entry by entry."""
    evening = played()
    glimpses = [what for run in RUNS for _, kind, what in evening.shown(run) if kind == "glimpse"]
    files = [evening.folder / f"recording-{run}" / "glimpses.jsonl" for run in RUNS]
    assert [
        json.loads(line) for file in files for line in file.read_text().splitlines()
    ] == glimpses
    told = [what for run in RUNS for _, kind, what in evening.shown(run) if kind == "entry"]
    assert json.loads(json.dumps([entry_to_dict(entry) for entry in evening.after.entries])) == told


def test_an_evening_killed_in_the_middle_of_a_round_goes_on_at_the_exact_event() -> None:
    """After SIGKILL the same table plays on from the film's moment: same evening, nothing twice,
    the true ledger."""
    evening = played()
    assert evening.first_exit == -9
    assert isinstance(evening.before.entries[-1].event, CardSetAside)
    assert evening.before.entries[-1].round == KILLED_IN_ROUND
    assert evening.evenings == 1
    assert evening.after.entries[: len(evening.before.entries)] == evening.before.entries
    killed_s, again_s = evening.shown("one")[-1][0], evening.shown("two")[0][0]
    assert 0 <= killed_s - again_s < 5 or killed_s == pytest.approx(again_s, abs=1)
    events = [entry.event for entry in evening.after.effective]
    assert [type(event) for event in events].count(EveningBegun) == 1
    assert [set(event.cards) for event in events if isinstance(event, RoundDealt)] == [
        set(line.cards) for line in evening.truth.rounds
    ]
    assert sum(isinstance(event, CloudsClaimed) for event in events) == 2
    assert fold(evening.after).ledger.totals == evening.truth.totals

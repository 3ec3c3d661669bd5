"""Tablets on a bad line, and clocks that jump: every tap counts once, in the order of the log."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.evening.session import Session
from companion.game.fold import fold
from companion.journal import Journal

PLAYERS = ["Ada", "Ben", "Cleo", "Dan", "Eva"]
TEN_YEARS_S = 10 * 365.25 * 86_400


class Clock:
    """Jumps now and then, by an hour or ten years, forward and back; stands still at times."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._now_s = 1_800_000_000.0

    def __call__(self) -> float:
        self._now_s += self._dice.choice(
            (0.0, 0.0, 1.0, 3600.0, -3600.0, TEN_YEARS_S, -TEN_YEARS_S)
        )
        return self._now_s


class Line:
    """Between tablets and a session: a tenth of all messages is lost, doubled, late or overtaken."""

    def __init__(self, session: Session, seed: int) -> None:
        self.session = session
        self.dice = random.Random(seed)
        self._late: list[dict[str, Any]] = []

    def tap(self, name: str, do: str, **more: Any) -> None:
        """Send until an answer comes that is no news of another version; as the page does it."""
        version = self.session.version
        for _ in range(200):
            asked = {"id": name, "version": version, "do": do, **more}
            answer = self._sent(asked)
            if answer is None:
                continue
            status, told = answer
            if status != 409:
                assert status == 200, told
                return
            version = told["scoreboard"]["version"]
        raise AssertionError("never through")

    def _sent(self, asked: dict[str, Any]) -> tuple[int, dict[str, Any]] | None:
        fate = self.dice.randrange(10)
        if fate == 0:
            return None
        if fate == 1:
            self._late.append(asked)
            return None
        if self._late and fate == 2:
            self.session.command(self._late.pop(self.dice.randrange(len(self._late))))
        answer = self.session.command(asked)
        if fate == 3:
            assert self.session.command(asked)[0] == 200 or answer[0] != 200
        return None if fate == 4 else answer


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """An empty folder's."""
    with Journal(tmp_path) as journal:
        yield journal


@pytest.mark.parametrize("seed", range(6))
def test_every_tap_counts_once_on_a_line_that_loses_doubles_and_delays(
    journal: Journal, seed: int
) -> None:
    """Three rounds with a cloud's name after each tap: as many entries as taps, the scores those of a
    good line, and what comes late changes nothing."""
    line = Line(Session(journal), seed)
    line.tap("begin-it-all", "begin", players=PLAYERS, daydreamer=0)
    taps = 1
    for number in range(3):
        for do in ("laid", "wrong", "wrong", "right", "next"):
            line.tap(f"round-{number}-{do}-{taps}", do)
            taps += do != "next"
            line.tap(f"round-{number}-name-{taps}", "name", words=f"cloud {taps}")
            taps += 1
    told = [entry for entry in journal.log.entries if type(entry.event).__name__ != "CloudNamed"]
    assert len([e for e in told if type(e.event).__name__ in ("RoundDealt", "CardSetAside", "CloudsClaimed")]) == 12  # fmt: skip
    ledger = fold(journal.log).ledger
    assert [len(one.guesses) for one in ledger.rounds] == [3, 3, 3]
    assert sum(ledger.totals) == sum(sum(ledger.gains(one)) for one in ledger.rounds)
    assert len({entry.number for entry in journal.log.entries}) == len(journal.log.entries)


@pytest.mark.parametrize("seed", range(4))
def test_no_clock_changes_a_score(tmp_path: Path, seed: int) -> None:
    """The clock jumps by ten years between any two looks at it: order and scores are those of the log,
    and a restart goes on with the evening."""
    clock = Clock(seed)
    totals: tuple[int, ...] = ()
    for start in range(3):
        with Journal(tmp_path, clock) as journal:
            session = Session(journal, clock=clock)
            line = Line(session, 0)
            line.dice = random.Random(99)
            if start == 0:
                line.tap("begin-it-all", "begin", players=PLAYERS, daydreamer=0)
            assert journal.evening == 1
            for do in ("laid", "wrong", "right"):
                line.tap(f"start-{start}-{do}", do)
            totals = session.keeper.ledger.totals
    with Journal(tmp_path / "steady", lambda: 0.0) as steady:
        session = Session(steady, clock=lambda: 0.0)
        asked = [
            ("begin", {"players": PLAYERS, "daydreamer": 0}),
            *[(do, {}) for do in ("laid", "wrong", "right")] * 3,
        ]
        for number, (do, more) in enumerate(asked):
            named = {"id": f"steady-{number:04d}", "version": session.version, "do": do, **more}
            assert session.command(named)[0] == 200
        assert session.keeper.ledger.totals == totals

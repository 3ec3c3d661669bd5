"""The referee's figures fitted to recorded evenings."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from companion.commands import fit
from companion.errors import BadInput
from companion.referee.departure import Departure
from companion.referee.fitting import fitted_times
from companion.referee.table_habits import FinishedRound
from companion.referee.weighing.pace import Pace
from companion.table.glimpse_json import glimpse_to_dict
from tests.support import picture
from tests.support.departures import departure

STORY = Path(__file__).parents[2] / "stories" / "plain-game.txt"


def fitted(folder: Path, *more: str) -> int:
    parser = argparse.ArgumentParser()
    fit.configure(parser)
    return fit.run(
        parser.parse_args(
            [str(folder), "--players", "Ada,Ben,Cleo,Dan,Eva", "--daydreamer", "Ada", *more]
        )
    )


def record(folder: Path, until_s: float = 600.0) -> None:
    """The story as a recording, up to a moment."""
    story = picture.read(STORY.read_text(encoding="utf-8"))
    lines = [
        json.dumps(glimpse_to_dict(glimpse)) + "\n"
        for _, glimpse in picture.glimpses(story)
        if glimpse.t_s < until_s
    ]
    (folder / "glimpses.jsonl").write_text("".join(lines), encoding="utf-8")


def test_a_recorded_evening_gives_its_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two rounds with four cards in the tray: counted, the last one too, beside what is shipped."""
    record(tmp_path)
    assert fitted(tmp_path, "--set-aside", "tray") == 0
    told = capsys.readouterr().out
    assert "2 of 2 rounds are sure enough" in told
    assert "100 % 0 % 0 %" in told
    assert "spread 0.85" in told


def test_one_round_alone_gives_what_it_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No deal follows it, and it is learnt from all the same; what is too little says how much is
    needed."""
    record(tmp_path, until_s=22.0)
    assert fitted(tmp_path, "--set-aside", "tray") == 0
    told = capsys.readouterr().out
    assert "1 of 1 rounds are sure enough" in told
    assert "too few (2 of 5)" in told
    assert "every other round must show 5 guesses and 5 gaps" in told


def test_a_round_that_is_not_sure_is_not_learnt_from(tmp_path: Path) -> None:
    """It breaks off in the middle: that is said, and nobody is sent to look for another mistake."""
    record(tmp_path, until_s=10.0)
    with pytest.raises(BadInput, match="none of the 1 rounds in these recordings is sure enough"):
        fitted(tmp_path, "--set-aside", "tray")


def evening(think_s: float, grab_s: float, rounds: int = 12) -> list[FinishedRound]:
    """Rounds of five cards by steady people: so many seconds before each guess, so many between the
    cards of a claim."""
    told = []
    for number in range(rounds):
        at_s, row, wrong = 0.0, list[Departure](), number % 4
        for turn in range(5):
            at_s += (think_s if turn <= wrong else grab_s) * (0.9, 1.0, 1.15)[(number + turn) % 3]
            row.append(departure(turn, at_s - 0.1, at_s + 0.1))
        told.append(FinishedRound(tuple(row), wrong, 3, 0.0))
    return told


def test_fitted_times_are_checked_on_rounds_they_were_not_fitted_to() -> None:
    """A group that thinks for long and takes its clouds one by one is understood better by its own
    times."""
    slow = evening(think_s=11.0, grab_s=2.2)
    fitted = fitted_times.fitted_pace(slow[::2])
    assert fitted is not None
    assert (
        fitted_times.certainty(slow[1::2], fitted)
        > fitted_times.certainty(slow[1::2], Pace()) + 0.05
    )
    assert "the fitted times are better" in fitted_times.checked_line(slow)


def test_too_few_gaps_are_not_fitted() -> None:
    """One round tells nothing of a group: no times, and the line says that it could not be checked."""
    assert fitted_times.fitted_pace(evening(5.0, 0.4, rounds=1)) is None
    assert "too few rounds to check" in fitted_times.checked_line(evening(5.0, 0.4, rounds=1))


def test_no_round_at_all_is_refused(tmp_path: Path) -> None:
    """An empty table fits nothing, and the sentence says what to check."""
    (tmp_path / "glimpses.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match="no round was dealt"):
        fitted(tmp_path)

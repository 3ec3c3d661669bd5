"""The referee's figures fitted to recorded evenings."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import picture
import pytest

from companion.commands import fit
from companion.errors import BadInput
from companion.table.record import glimpse_to_dict

STORY = Path(__file__).parent / "stories" / "plain-game.txt"


def fitted(folder: Path, *more: str) -> int:
    parser = argparse.ArgumentParser()
    fit.configure(parser)
    return fit.run(parser.parse_args([str(folder), "--players", "Ada,Ben,Cleo,Dan,Eva", "--daydreamer", "Ada", *more]))


def test_a_recorded_evening_gives_its_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One settled round with one card in the tray: counted, beside what is shipped."""
    story = picture.read(STORY.read_text(encoding="utf-8"))
    lines = [json.dumps(glimpse_to_dict(glimpse)) + "\n" for _, glimpse in picture.glimpses(story)]
    (tmp_path / "glimpses.jsonl").write_text("".join(lines), encoding="utf-8")
    assert fitted(tmp_path, "--set-aside", "tray") == 0
    told = capsys.readouterr().out
    assert "1 settled rounds" in told
    assert "100 % 0 % 0 %" in told
    assert "spread 0.85" in told


def test_no_settled_round_is_refused(tmp_path: Path) -> None:
    """An empty table fits nothing, and the sentence says what to check."""
    (tmp_path / "glimpses.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match="no round was settled"):
        fitted(tmp_path)

"""The storey's README says what the program does."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import pytest

import card_printables
from card_printables.__main__ import configure
from card_printables.pages.sticker import SCISSORS, label_sheets

README = (Path(card_printables.__file__).parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("line", re.findall(r"`companion print ([^`]+)`", README))
def test_every_printed_command_is_understood(line: str) -> None:
    """The options of each command in the README exist."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    configure(parser)
    parser.parse_args(shlex.split(line))


def test_every_label_sheet_is_named() -> None:
    """The README lists the sheets that `--sheet` takes, no more and no fewer."""
    listed = re.search(r"Sheets by name: (.+)\.", README)
    assert listed is not None
    assert set(re.findall(r"`([^`]+)`", listed[1])) == {SCISSORS, *label_sheets()}


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copied into a file, the library example writes its PDF."""
    code = re.search(r"```python\n(.+?)```", README, re.DOTALL)
    assert code is not None
    monkeypatch.chdir(tmp_path)
    exec(code[1], {})
    assert (tmp_path / "reprint.pdf").stat().st_size > 10_000

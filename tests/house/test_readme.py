"""The README keeps its word: its commands exist, take the options it names, and stand as the
continuous checks read them."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.commands.shared.all_commands import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```[a-z]*\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
SPANS = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", README, flags=re.MULTILINE | re.DOTALL))


def commands_told() -> list[list[str]]:
    """Every `companion ...` that the README tells people to type, as words after `companion`."""
    lines = [line for block in BLOCKS for line in block.splitlines()]
    told = []
    for text in [*lines, *(" ".join(span.split()) for span in SPANS)]:
        match = re.search(r"(?:^|&& |uv run |\.venv/bin/)companion( .*)?$", text.strip())
        if match:
            told.append(shlex.split(match[1] or ""))
    return told


def help_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What `companion WORDS --help` prints; it must exit with 0."""
    try:
        code = main([*words, "--help"])
    except SystemExit as left:
        code = int(left.code or 0)
    assert code == 0
    return capsys.readouterr().out


def test_the_two_set_up_commands_stand_there() -> None:
    """Command one runs the main job, command two the tests; each is a line of its own in a code
    block."""
    lines = [line for block in BLOCKS for line in block.splitlines()]
    assert lines.count("pip install uv && uv run companion") == 1
    assert lines.count("pip install uv && uv run --group dev pytest") == 1


def test_the_continuous_checks_run_the_test_command_of_the_readme() -> None:
    """`.ci/run` finds the test command by its words, so that the two cannot differ."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    pattern = re.search(r"sed -n 's/\^\\\((.*?)\\\)\$", script)
    assert pattern is not None
    assert re.search(f"^{pattern[1]}$", README, re.MULTILINE)


def test_the_command_is_installed() -> None:
    """`companion` is the front door's `enter`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"]["companion"] == "companion.__main__:enter"


def test_every_command_told_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    """What the README tells people to type begins with a command, and each option named beside it
    is one of that command's."""
    told = commands_told()
    assert len(told) >= 8
    for words in told:
        name = words[0] if words and not words[0].startswith("-") else "play"
        assert name in COMMANDS, words
        options = {word.split("=")[0] for word in words if word.startswith("--")}
        printed = help_of([name], capsys)
        for option in options:
            assert option in printed or name in ("print", "calibrate"), words


def test_every_option_beside_a_command_in_the_table_is_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The table of commands names no option that its command lacks."""
    rows = re.findall(r"^\| `companion ?([a-z-]*)[^|]*\|(.*)\|$", README, re.MULTILINE)
    assert rows
    for name, text in rows:
        command = name or "play"
        if command in ("print", "calibrate"):
            continue
        printed = help_of([command], capsys)
        for option in re.findall(r"--[a-z][a-z-]+", text):
            if command == "replay" and option == "--record":  # says where the recording comes from
                continue
            assert option in printed, (command, option)


def test_every_command_is_in_the_readme() -> None:
    """No command that the README does not mention."""
    missing = [name for name in COMMANDS if not re.search(rf"companion {name}\b", README)]
    assert not missing, missing


@pytest.mark.parametrize("language", ["de", "cs"])
def test_what_is_kept_stands_there_as_on_the_tablet(language: str) -> None:
    """Each line of the tablet's privacy page, word for word, in the languages the README is not
    written in."""
    file = ROOT / "companion" / "web" / "translations" / f"{language}.json"
    words = json.loads(file.read_text(encoding="utf-8"))
    lines = [key for key in words if key.startswith("privacy.") and key.endswith("_words")]
    assert len(lines) > 5
    for key in lines:
        assert f"| {words[key.removesuffix('_words')]} | {words[key]} |" in README

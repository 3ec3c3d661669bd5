"""Prints the manual page: `companion man | man -l -`, or into a folder of man(1)."""

from __future__ import annotations

import argparse
from importlib.metadata import version

from companion.commands.shared.all_commands import all_commands
from companion.commands.shared.environment import VARIABLES


def configure(parser: argparse.ArgumentParser) -> None:
    """Nothing to choose."""
    del parser


def run(_args: argparse.Namespace) -> int:
    """Print it; always 0."""
    print(page(), end="")
    return 0


def page() -> str:
    """The manual page in roff."""
    lines = [
        f'.TH COMPANION 1 "" "Cloud Mine Companion {version("cloud-mine-companion")}"',
        ".SH NAME",
        r"companion \- keeps the score of Cloud Mine by watching the table",
        ".SH SYNOPSIS",
        ".B companion",
        "[COMMAND] [options]",
        ".PP",
        "Without a command: play.",
        ".SH COMMANDS",
    ]
    for command in all_commands():
        lines += [f'.SS "{_text(command.name)}"', ".PP", f".B {_text(command.usage)}"]
        lines += _paragraphs(command.about)
        for given, says in command.given:
            lines += [".TP", f".B {_text(given)}", _text(says or "show what it takes")]
    lines += [".SH ENVIRONMENT", "A flag comes before a variable, a variable before the default."]
    for name, (option, what) in VARIABLES.items():
        lines += [".TP", f".B {name}", _text(f"{what} ({option})")]
    lines += [
        ".SH EXIT STATUS",
        "0: done. 1: ledgers differ or a check failed. 2: input that cannot be used; one sentence says what to do.",
    ]
    return "\n".join(lines) + "\n"


def _paragraphs(text: str) -> list[str]:
    """Each in lines of its own where it is a list of examples, which stand in columns."""
    lines = []
    for part in text.split("\n\n"):
        lines.append(".PP")
        if "  " in part.strip():
            lines += [".nf", *(_text(line) for line in part.split("\n")), ".fi"]
        else:
            lines.append(_text(part))
    return lines


def _text(text: str) -> str:
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain

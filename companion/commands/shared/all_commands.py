"""Every command: where it is, what it says of itself, and its options as its parser has them, for
the manual page."""

from __future__ import annotations

import argparse
import importlib
from dataclasses import dataclass

COMMANDS = {
    "play": (
        "companion.commands.play",
        "keep the score of an evening (this is what plain `companion` does)",
    ),
    "record": (
        "companion.commands.record",
        "keep the score and, if the table says yes, what the camera saw: to learn from",
    ),
    "practice": (
        "companion.commands.practice",
        "watch a game being kept on the practice table, no camera needed",
    ),
    "print": ("card_printables.__main__", "print the cards, the stickers, the tokens and the tray"),
    "calibrate": (
        "companion.commands.calibrate",
        "look at the table through the camera: can everything be read?",
    ),
    "read": ("companion.commands.read", "read the cards in pictures"),
    "score": ("companion.commands.score", "keep the score of recorded footage"),
    "replay": (
        "companion.commands.replay",
        "keep the score again from a recorded evening's glimpses",
    ),
    "hall": (
        "companion.commands.hall",
        "one board for many tables: a club's evening, its season, a tournament",
    ),
    "check-deck": (
        "companion.commands.check_deck",
        "count the deck: which cards are missing, doubled or hard to read",
    ),
    "learn-deck": (
        "companion.commands.learn_deck",
        "learn a deck by its pictures: no codes, nothing stuck on the cards",
    ),
    "report": (
        "companion.commands.problem_report",
        "pack a problem report without names: one file, sent nowhere",
    ),
    "evenings": (
        "companion.commands.years.evenings",
        "list the evenings that are kept",
    ),
    "export": (
        "companion.commands.years.export",
        "take evenings along: a table, everything, or for BG Stats",
    ),
    "import": (
        "companion.commands.years.import_evenings",
        "put another companion's evenings beside your own",
    ),
    "backup": ("companion.commands.years.backup", "back everything up into one file"),
    "restore": ("companion.commands.years.restore", "bring a backup back, over nothing"),
    "fit": ("companion.commands.fit", "fit the referee's times to recorded evenings"),
    "doctor": (
        "companion.commands.doctor",
        "say what this machine has, and what about it will bother an evening",
    ),
    "open": (
        "companion.commands.open_page",
        "show the companion in this computer's browser, started if need be",
    ),
    "install-service": (
        "companion.commands.install_service",
        "start the companion with this computer from now on",
    ),
    "uninstall-service": (
        "companion.commands.uninstall_service",
        "take that back; the evenings stay",
    ),
    "completion": (
        "companion.commands.completion",
        "print what completes commands in bash, zsh or fish",
    ),
    "man": ("companion.commands.man", "print the manual page"),
}
"""The words after `companion`: the module with `configure` and `run`, and a line of help."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what it is called, what it says of itself in a line and at length, its long
    options, how it is used, and all that may be given to it, as its help has it, with what that says."""

    name: str
    says: str
    about: str
    options: tuple[str, ...]
    usage: str
    given: tuple[tuple[str, str], ...]


def all_commands() -> list[Command]:
    """The commands in the order in which `companion --help` lists them. Loads every one."""
    return [_command(name, module, says) for name, (module, says) in COMMANDS.items()]


def _command(name: str, path: str, says: str) -> Command:
    module = importlib.import_module(path)
    parser = argparse.ArgumentParser(prog=f"companion {name}")
    module.configure(parser)
    options: list[str] = []
    given: list[tuple[str, str]] = []
    shown = argparse.HelpFormatter(parser.prog)
    for action in parser._actions:  # noqa: SLF001 (argparse has no public way to list them)
        told = "" if action.help in (None, argparse.SUPPRESS) else _told(action, parser)
        options += [word for word in action.option_strings if word.startswith("--")]
        if action.help is not argparse.SUPPRESS and action.dest != "help":
            given.append((shown._format_action_invocation(action), told))  # noqa: SLF001
    return Command(
        name,
        says,
        (module.__doc__ or "").strip(),
        tuple(options),
        " ".join(parser.format_usage().removeprefix("usage: ").split()),
        tuple(given),
    )


def _told(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    return str(action.help) % (vars(action) | {"prog": parser.prog})

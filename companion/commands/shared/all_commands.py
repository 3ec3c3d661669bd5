"""Every command with its options, as the parsers have them: for completion and the manual page."""

from __future__ import annotations

import argparse
import importlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what it is called, what it says of itself in a line and at length, its long
    options with what they say, and the words it takes without an option."""

    name: str
    says: str
    about: str
    options: tuple[tuple[str, str], ...]
    choices: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """All that may be typed after its name."""
        return (*self.choices, *(option for option, _ in self.options))


def all_commands() -> list[Command]:
    """The commands in the order in which `companion --help` lists them. Loads every one."""
    from companion.__main__ import COMMANDS

    return [_command(name, module, says) for name, (module, says) in COMMANDS.items()]


def _command(name: str, path: str, says: str) -> Command:
    module = importlib.import_module(path)
    parser = argparse.ArgumentParser(prog=f"companion {name}")
    module.configure(parser)
    options: list[tuple[str, str]] = []
    choices: list[str] = []
    for action in parser._actions:  # noqa: SLF001 (argparse has no public way to list them)
        told = "" if action.help in (None, argparse.SUPPRESS) else _told(action, parser)
        options += [(word, told) for word in action.option_strings if word.startswith("--")]
        if not action.option_strings and action.choices:
            choices += [str(choice) for choice in action.choices]
    return Command(name, says, (module.__doc__ or "").strip(), tuple(options), tuple(choices))


def _told(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    return str(action.help) % (vars(action) | {"prog": parser.prog})

"""Prints what makes a shell complete `companion` with the Tab key.

bash:  companion completion bash > ~/.local/share/bash-completion/completions/companion
zsh:   companion completion zsh > ~/.zfunc/_companion   (with ~/.zfunc in fpath before compinit)
fish:  companion completion fish > ~/.config/fish/completions/companion.fish
"""

from __future__ import annotations

import argparse
import importlib

import shtab

from companion.commands.shared.all_commands import COMMANDS

SHELLS = ("bash", "zsh", "fish")


def configure(parser: argparse.ArgumentParser) -> None:
    """The shell to print for."""
    parser.epilog = "for example: companion completion bash"
    parser.add_argument("shell", choices=SHELLS, help="whose completion to print")


def run(args: argparse.Namespace) -> int:
    """Print it; always 0."""
    print(script(args.shell))
    return 0


def script(shell: str) -> str:
    """The completion of every command, its options and their values, for one of `SHELLS`."""
    parser = argparse.ArgumentParser(prog="companion")
    parser.add_argument("-V", "--version", action="version", help="show the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, (module, says) in COMMANDS.items():
        command = commands.add_parser(name, help=says)
        importlib.import_module(module).configure(command)
        _offer_files(command)
    return shtab.complete(parser, shell)


def _offer_files(command: argparse.ArgumentParser) -> None:
    """Where a value is neither one of a few nor a number, it may be a file."""
    for action in command._actions:  # noqa: SLF001 (argparse has no public way to list them)
        if action.nargs != 0 and action.type in (None, str) and not action.choices:
            action.complete = shtab.FILE  # type: ignore[attr-defined]

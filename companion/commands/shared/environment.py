"""Environment variables that stand for options: for services, containers and people who always want
the same. A flag comes before a variable, a variable before the default."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

from companion.errors import BadInput

VARIABLES = {
    "COMPANION_DATA": ("--data", "folder for evenings"),
    "COMPANION_PORT": ("--port", "port to listen on"),
    "COMPANION_CAMERA": ("--camera", "which camera watches"),
    "COMPANION_DATABASE": ("--database", "the PostgreSQL of `companion hall`"),
    "COMPANION_LANGUAGE": ("--language", "of `companion calibrate` and `companion print`"),
}


def take_variables(
    parser: argparse.ArgumentParser, environment: Mapping[str, str] = os.environ
) -> None:
    """Let the variables that are set, and of which the command has the option, be its defaults.

    Raises:
        BadInput: a variable's value is none that the option takes.
    """
    actions = parser._option_string_actions  # noqa: SLF001 (argparse has no public way to find one)
    for name, (option, _) in VARIABLES.items():
        text = environment.get(name, "")
        if text and option in actions:
            parser.set_defaults(**{actions[option].dest: _value_of(name, text, actions[option])})


def _value_of(name: str, text: str, action: argparse.Action) -> object:
    kind = action.type if callable(action.type) else str
    try:
        value = kind(text)
    except (ValueError, argparse.ArgumentTypeError) as error:
        raise BadInput(
            f"{name} is {text!r}, which {action.option_strings[0]} does not take: change or unset it"
        ) from error
    if action.choices is not None and value not in action.choices:
        allowed = ", ".join(map(str, action.choices))
        raise BadInput(f"{name} is {text!r}: set it to one of {allowed}, or unset it")
    return value


def lines() -> list[str]:
    """What `companion --help` says of them."""
    return [f"  {name:<19} {what} ({option})" for name, (option, what) in VARIABLES.items()]

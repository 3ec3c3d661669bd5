"""The parser of every command line: its errors are one sentence that says what to do next.

Must not know any command; a command's example is its parser's epilog.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import NoReturn

_MISSING = "the following arguments are required: "
_UNKNOWN = "unrecognized arguments: "
_NO_NUMBER = re.compile(r"argument ([^:]+): invalid (int|float) value: (.+)")
_NO_CHOICE = re.compile(r"argument ([^:]+): invalid choice: (.+) \(choose from (.+)\)")
_NO_VALUE = re.compile(r"argument ([^:]+): expected (?:one|at least one) argument")


def without_controls(text: str) -> str:
    """The text with a question mark in a box for every letter that a terminal would obey instead of
    showing it: a file's name may hold a stranger's escape codes."""
    return "".join(
        one if one.isprintable() or one == "\n" else "\N{REPLACEMENT CHARACTER}" for one in text
    )


class OneSentenceParser(argparse.ArgumentParser):
    """Errors in one sentence, exit code 2, without the usage wall."""

    def error(self, message: str) -> NoReturn:
        """Print the sentence and leave with 2; what is missing is said in words, with the example."""
        if message.startswith(_MISSING):
            names = message.removeprefix(_MISSING).split(", ")
            missing = [self._in_words(name) for name in names]
            example = f"; {self.epilog}" if self.epilog else ""
            message = f"missing is {', '.join(missing)}{example}"
        elif odd := _NO_NUMBER.fullmatch(message):
            kind = {"int": "a whole number", "float": "a number"}[odd[2]]
            message = f"{odd[1]} takes {kind}, not {odd[3]}"
        elif odd := _NO_CHOICE.fullmatch(message):
            choices = [word.strip(" '") for word in odd[3].split(",")]
            message = f"{odd[1]} can be {_listed(choices)}, not {odd[2]}"
        elif message.startswith(_UNKNOWN):
            message = f"it does not know {message.removeprefix(_UNKNOWN)}"
        elif odd := _NO_VALUE.fullmatch(message):
            message = f"{odd[1]} needs a value after it"
        self.exit(
            2,
            f"{self.prog}: {without_controls(message)}; `{self.prog} --help` shows what it takes\n",
        )

    def _in_words(self, name: str) -> str:
        """A missing argument with its help, or what there is to choose from."""
        for action in self._actions:
            if name in (*action.option_strings, action.metavar, action.dest):
                if action.choices is not None:
                    return f"{action.help} ({_listed([str(word) for word in action.choices])})"
                return f"{name} ({action.help})"
        return name


def _listed(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))

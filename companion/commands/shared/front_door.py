"""The command line's front door. Knows which commands there are; loads only the one that is asked
for."""

from __future__ import annotations

import argparse
import contextlib
import errno
import importlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from calibration.errors import CalibrationError
from card_printables.command_line import OneSentenceParser, without_controls
from companion.commands.shared import environment
from companion.commands.shared.all_commands import COMMANDS
from companion.commands.shared.stopping import hear_interrupts, keeps_until_told, say_good_night
from companion.errors import CompanionError

_NO_THREAD = "can't start new thread"
"""What Python says where the system gives none."""

_NO_ROOM = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
"""A disk that is full, a file or a user at their limit."""

ADVICE = "`companion --help` lists the commands"


def _front(commands: Sequence[str]) -> OneSentenceParser:
    lines = [f"  {name:<17} {text}" for name, (_, text) in COMMANDS.items()]
    parser = OneSentenceParser(
        prog="companion",
        description="Keeps the score of Cloud Mine by watching the table.",
        epilog="commands:\n"
        + "\n".join(lines)
        + "\n\n`companion COMMAND --help` tells more. Without a command: play."
        + "\n\nenvironment (a flag comes before a variable, a variable before the default):\n"
        + "\n".join(environment.lines()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="companion [COMMAND] [options]",
    )
    parser.add_argument(
        "command",
        nargs="?",
        choices=list(commands),
        metavar="COMMAND",
        default="play",
        help="see below",
    )
    # answered before words are parsed: only what asks for the version looks for it
    parser.add_argument(
        "-V", "--version", action="store_true", help="show program's version number and exit"
    )
    return parser


def _version() -> str:
    from importlib.metadata import version

    return version("cloud-mine-companion")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it did its job, 1 when ledgers differ or checks fail, 2 for input it
    cannot use."""
    words = list(sys.argv[1:] if argv is None else argv)
    _write_whatever_comes()
    if not keeps_until_told(words):
        return _answer(words)
    with (
        contextlib.redirect_stdout(_Log(sys.stdout)),
        contextlib.redirect_stderr(_Log(sys.stderr)),
    ):
        return _answer(words)


def _answer(words: Sequence[str]) -> int:
    if words and words[0] in ("-h", "--help"):
        _front(list(COMMANDS)).print_help()
        return 0
    if words and words[0] in ("-V", "--version"):
        print(f"companion {_version()}")
        return 0
    named = bool(words) and not words[0].startswith("-")
    name = _front(list(COMMANDS)).parse_args(words[:1]).command if named else "play"
    try:
        return _run(name, words[1:] if named else words)
    except (CompanionError, CalibrationError) as error:
        print(f"companion {name}: {without_controls(str(error))}", file=sys.stderr)
        return 2
    except PermissionError as error:
        print(
            f"companion {name}: {without_controls(str(error.filename or 'a file'))} may not be looked into "
            f"({error.strerror}): allow it to this user, or name another file or folder",
            file=sys.stderr,
        )
        return 2
    except RuntimeError as error:
        if str(error) != _NO_THREAD:
            raise
        print(
            f"companion {name}: the system gives it no more threads: raise its limit of memory or of threads "
            "(`ulimit -a`; a container's or a service's own), or close other programs.",
            file=sys.stderr,
        )
        return 2
    except BrokenPipeError:  # `companion ... | head`: whoever read this has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:  # a name that is too long, a stick that was pulled out
        if error.errno in _NO_ROOM and error.filename is None:
            print(
                f"companion {name}: not all of it could be written ({error.strerror}): make room and do it again",
                file=sys.stderr,
            )
            return 2
        if error.filename is None:
            raise
        print(
            f"companion {name}: {without_controls(str(error.filename))} cannot be used ({error.strerror}): look "
            "whether it is still there, or name another file or folder",
            file=sys.stderr,
        )
        return 2
    except KeyboardInterrupt:
        if not keeps_until_told(words):
            return 130
        say_good_night()
        return 0


def _run(name: str, rest: Sequence[str]) -> int:
    module = importlib.import_module(COMMANDS[name][0])
    parser = OneSentenceParser(
        prog=f"companion {name}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.configure(parser)
    environment.take_variables(parser)
    args = parser.parse_args(rest)
    if not keeps_until_told((name, *rest)):
        hear_interrupts()
    code = int(module.run(args))
    sys.stdout.flush()  # a disk that is full says so only now
    return code


class _Log(io.TextIOBase):
    """What an evening is told to line by line: a log on a disk that is full ends no evening. Who reads
    through a pipe and goes ends it, as ever."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str, /) -> int:
        """As much as the stream takes."""
        with self._unless_full():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """The same of what is held back."""
        with self._unless_full():
            self._stream.flush()

    @contextlib.contextmanager
    def _unless_full(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError:
            pass

    def isatty(self) -> bool:
        """Whether a person looks on."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """The number under which the system knows it."""
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Its alphabet."""
        return self._stream.encoding


def _write_whatever_comes() -> None:
    """A name that the terminal's alphabet lacks is shown with question marks instead of ending the
    evening; where a stream was closed before the start, nobody wants to read it."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  (until the end)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")

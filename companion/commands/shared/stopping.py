"""Being told to stop: Ctrl-C, a closed terminal and the system's polite signal all end the evening
the same, clean way."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import NoReturn

_POLITE = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")

_LOOK_S = 0.1
"""How often the main thread looks whether it was told to stop."""

_KEEP_UNTIL_TOLD = ("play", "record", "practice", "hall")
"""These commands have no other end than being told to stop, so that is their success."""

_END_BY_THEMSELVES = ("--fas", "--ch")
"""How `practice --fast` and `hall --check` begin, which do one thing; options may be shortened."""

_GOOD_NIGHT = "\nGood night. What was kept stays kept.\n"


def keeps_until_told(words: Sequence[str]) -> bool:
    """Whether the command line `words` asks for what goes on until somebody says stop."""
    named = bool(words) and not words[0].startswith("-")
    return (not named or words[0] in _KEEP_UNTIL_TOLD) and not any(
        word.startswith(_END_BY_THEMSELVES) for word in words
    )


def end_quietly(words: Sequence[str]) -> None:
    """From here on a polite signal ends this process at once, in a sentence: nothing is open yet,
    and loading what is asked for takes seconds. `stops_cleanly` takes over once something is."""

    if keeps_until_told(words):
        for number in _polite():
            signal.signal(number, _end_well)
    else:
        signal.signal(signal.SIGINT, _end_interrupted)


def _end_well(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 (signal calls it so)
    say_good_night()
    os._exit(0)


def _end_interrupted(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 (likewise)
    os._exit(130)


def hear_interrupts() -> None:
    """What was loaded runs now: a polite signal interrupts it where it is, and it tidies up."""
    if signal.getsignal(signal.SIGINT) is _end_interrupted:
        for number in _polite():
            signal.signal(number, signal.default_int_handler)


def say_good_night() -> None:
    """The last sentence of what was told to stop before it could say a better one."""
    with contextlib.suppress(OSError):  # the terminal may be gone
        os.write(1, _GOOD_NIGHT.encode())


def _polite() -> list[int]:
    """The signals that ask for an end. Started with nohup it was told to outlive its terminal;
    started with "&" by a script it must still hear Ctrl-C."""
    numbers = [getattr(signal, name) for name in _POLITE if hasattr(signal, name)]
    return [
        number
        for number in numbers
        if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN
    ]


class Stopping:
    """Whether somebody said stop. While things are being opened that interrupts, once; while they run, or
    are already being left, it is only noted."""

    def __init__(self) -> None:
        self.told = False
        self.interrupted = False
        self._calm = False

    def calmly(self) -> None:
        """From here on a signal interrupts nothing: what is open will be closed in its order, a
        second Ctrl-C or not."""
        self._calm = True

    def ask(self, question: str) -> str | None:
        """The line that a person types; None where none comes: told to stop meanwhile, or at the end of
        what is typed. A signal is heard while it is waited for, whatever else is open."""
        calm, self._calm = self._calm, False
        try:
            return input(question)
        except (EOFError, KeyboardInterrupt, OSError):
            with contextlib.suppress(OSError):  # the terminal may be gone
                print(flush=True)
            return None
        finally:
            self._calm, self.interrupted = calm, False

    def wait(self, running: Callable[[], bool]) -> None:
        """Come back when told to stop, or when nothing is `running` any more."""
        while not self.told and running():
            time.sleep(_LOOK_S)

    def on_signal(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 (signal calls it so)
        """Take a signal; sets a plain flag, because a handler must never wait for a lock."""
        self.told = True
        if not self._calm and not self.interrupted:
            self.interrupted = True
            raise KeyboardInterrupt


@contextlib.contextmanager
def stops_cleanly() -> Iterator[Stopping]:
    """Inside, every polite signal is heard; afterwards all is as before. Outside the main thread
    nothing is."""
    stopping = Stopping()
    if threading.current_thread() is not threading.main_thread():
        yield stopping
        return
    before = {number: signal.getsignal(number) for number in _polite()}
    try:
        for number in before:
            signal.signal(number, stopping.on_signal)
        yield stopping
    except Exception:
        if stopping.interrupted:  # in the middle of a library that made an error of it
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


def end_process(code: int) -> NoReturn:
    """Leave with this exit code, whatever is still being drawn or read in a thread of no importance.

    A thread that is inside a library of pictures when Python takes itself apart is ended there, and
    that aborts the whole process (signal 6). All that is to be kept has been closed by now, so
    being told once more to stop changes nothing.
    """
    for number in _polite():
        signal.signal(number, signal.SIG_IGN)
    said = True
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # the terminal is gone, or its file is full
            said = False
    if not said or any(thread.daemon for thread in threading.enumerate()):
        _remove_socket_folder()
        os._exit(code)
    sys.exit(code)


def _remove_socket_folder() -> None:
    """What Python would do at its end: the folder of the socket by which children were started goes."""
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        shutil.rmtree(util.get_temp_dir(), ignore_errors=True)


def let_full_files_fail() -> None:
    """From here on a file that reaches the system's limit is an error to be answered, not a signal
    that ends the process."""
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

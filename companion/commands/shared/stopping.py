"""Being told to stop: Ctrl-C, a closed terminal and the system's polite signal all end the evening
the same, clean way."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NoReturn

_POLITE = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")

_LOOK_S = 0.1
"""How often the main thread looks whether it was told to stop."""


class Stopping:
    """Whether somebody said stop. While things are being opened that interrupts; once they run it
    is only noted."""

    def __init__(self) -> None:
        self.told = False
        self._calm = False

    def calmly(self) -> None:
        """From here on a signal interrupts nothing: what is open will be closed in its order, a
        second Ctrl-C or not."""
        self._calm = True

    def wait(self, running: Callable[[], bool]) -> None:
        """Come back when told to stop, or when nothing is `running` any more."""
        while not self.told and running():
            time.sleep(_LOOK_S)

    def on_signal(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 (signal calls it so)
        """Take a signal; sets a plain flag, because a handler must never wait for a lock."""
        self.told = True
        if not self._calm:
            raise KeyboardInterrupt


@contextlib.contextmanager
def stops_cleanly() -> Iterator[Stopping]:
    """Inside, every polite signal is heard; afterwards all is as before. Outside the main thread
    nothing is."""
    stopping = Stopping()
    if threading.current_thread() is not threading.main_thread():
        yield stopping
        return
    numbers = [getattr(signal, name) for name in _POLITE if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        for number in numbers:
            # Started with nohup it was told to outlive its terminal; started with "&" by a script
            # it must still hear Ctrl-C.
            if before[number] is not signal.SIG_IGN or number == signal.SIGINT:
                signal.signal(number, stopping.on_signal)
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


def end_process(code: int) -> NoReturn:
    """Leave with this exit code, whatever is still being drawn or read in a thread of no importance.

    A thread that is inside a library of pictures when Python takes itself apart is ended there, and
    that aborts the whole process (signal 6). All that is to be kept has been closed by now.
    """
    said = True
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # the terminal is gone, or its file is full
            said = False
    if not said or any(thread.daemon for thread in threading.enumerate()):
        os._exit(code)
    sys.exit(code)


def let_full_files_fail() -> None:
    """From here on a file that reaches the system's limit is an error to be answered, not a signal
    that ends the process."""
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

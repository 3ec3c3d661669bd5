"""Being told to stop: Ctrl-C, a closed terminal and the system's polite signal all end the evening the same, clean way."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

_POLITE = ("SIGTERM", "SIGHUP", "SIGBREAK")


def _as_interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextlib.contextmanager
def stops_cleanly() -> Iterator[None]:
    """Inside, every polite signal is a KeyboardInterrupt; afterwards all is as before.  Does nothing outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in _POLITE if hasattr(signal, name)] + [signal.SIGINT]
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        for number in numbers[:-1]:
            if before[number] is not signal.SIG_IGN:  # started with nohup
                signal.signal(number, _as_interrupt)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


def stop_listening() -> None:
    """From here on the evening is being closed: a second Ctrl-C must not tear that apart."""
    if threading.current_thread() is threading.main_thread():
        for name in (*_POLITE, "SIGINT"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_IGN)

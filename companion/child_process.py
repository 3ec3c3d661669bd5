"""What every child process of the companion keeps to: it hears no Ctrl-C, and it never outlives its
parent."""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess


def live_as_child() -> None:
    """Called first in the child: deaf to Ctrl-C, and gone with its parent even while a driver or a
    decoder never comes back."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def end_child(child: BaseProcess | None, asks: Connection | None) -> None:
    """Close the connection to a child, and the child with it, whatever it is doing; None: nothing
    to close. One that could not be started is none yet."""
    if asks is not None:
        asks.close()
    if child is not None and child.pid is not None:
        child.kill()
        child.join(2.0)
        with contextlib.suppress(ValueError):  # the kernel could not end it yet
            child.close()


@contextlib.contextmanager
def interrupts_blocked() -> Iterator[None]:
    """What is started inside never hears Ctrl-C or its like, not even while it loads: its parent
    ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(
        signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    )
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_child(child: BaseProcess) -> None:
    """Start it, deaf to Ctrl-C from the first moment. Raises OSError where the system gives no process."""
    try:
        with interrupts_blocked():
            child.start()
    except EOFError as error:  # the process that copies itself died of it
        raise OSError(errno.EAGAIN, "no process could be started") from error

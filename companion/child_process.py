"""What every child process of the companion keeps to: it hears no Ctrl-C, and it never outlives its
parent."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator


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

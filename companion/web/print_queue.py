"""The print queue: the file of an order, made in a thread of its own.

Knows the doors of the print room (`card_printables.print_job`); knows no HTTP. One file is made at
a time and only the newest is kept, so that nobody can fill the memory of the host.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass, field

from card_printables.order import CannotPrint, Order
from card_printables.print_job import pdf, png_zip

STOP_S = 2.0
"""An ending evening waits so long for a file in the making; one page takes 0.1 to 0.6 s."""


@dataclass(slots=True)
class PrintTask:
    """One file: how far it is, and what came of it."""

    key: str
    name: str
    done: int = 0
    of: int = 1
    data: bytes | None = None
    trouble: CannotPrint | None = None

    @property
    def running(self) -> bool:
        """True until there is a file or a reason why not."""
        return self.data is None and self.trouble is None


@dataclass(slots=True)
class PrintQueue:
    """One press: the file in the making or the last one made; no other begins meanwhile.
    Thread-safe."""

    last: PrintTask | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)
    ended: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start_order(self, order: Order) -> PrintTask | None:
        """Begin to make the file of a checked order; None while another one is being made."""
        with self.lock:
            if self.ended.is_set() or (self.last is not None and self.last.running):
                return None
            task = PrintTask(
                secrets.token_hex(6),
                f"cloud-mine-{order.kind}.{'zip' if order.format == 'png' else 'pdf'}",
            )
            self.last = task
            self._thread = threading.Thread(
                target=_make_file, args=(task, order, self.ended), name="print", daemon=True
            )
            self._thread.start()
        return task

    def stop(self) -> None:
        """Begin no other file, and leave the one in the making at its next page."""
        with self.lock:
            self.ended.set()
            thread = self._thread
        if thread is not None:
            thread.join(STOP_S)

    def task_of(self, key: str) -> PrintTask | None:
        """The file of that key, if it is the newest."""
        return self.last if self.last is not None and self.last.key == key else None


class _Stopped(Exception):
    """Raised inside a file in the making when the evening ends."""


def _make_file(task: PrintTask, order: Order, ended: threading.Event) -> None:
    def progress(done: int, of: int) -> None:
        if ended.is_set():
            raise _Stopped
        task.done = done
        task.of = max(1, of)

    try:
        task.data = png_zip(order, progress) if order.format == "png" else pdf(order, progress)
    except CannotPrint as trouble:
        task.trouble = trouble
    except Exception as trouble:  # whatever it was, the page must not wait for ever
        task.trouble = CannotPrint(f"the pages could not be drawn ({type(trouble).__name__})")

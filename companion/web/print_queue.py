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

    def start_order(self, order: Order) -> PrintTask | None:
        """Begin to make the file of a checked order; None while another one is being made."""
        with self.lock:
            if self.last is not None and self.last.running:
                return None
            task = PrintTask(
                secrets.token_hex(6),
                f"cloud-mine-{order.kind}.{'zip' if order.format == 'png' else 'pdf'}",
            )
            self.last = task
        threading.Thread(target=_make_file, args=(task, order), name="print", daemon=True).start()
        return task

    def task_of(self, key: str) -> PrintTask | None:
        """The file of that key, if it is the newest."""
        return self.last if self.last is not None and self.last.key == key else None


def _make_file(task: PrintTask, order: Order) -> None:
    def progress(done: int, of: int) -> None:
        task.done = done
        task.of = max(1, of)

    try:
        task.data = png_zip(order, progress) if order.format == "png" else pdf(order, progress)
    except CannotPrint as trouble:
        task.trouble = trouble
    except Exception as trouble:  # whatever it was, the page must not wait for ever
        task.trouble = CannotPrint(f"the pages could not be drawn ({type(trouble).__name__})")

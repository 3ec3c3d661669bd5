"""The print queue: the file of an order, made in a process of its own.

Knows the doors of the print room (`card_printables.print_job`); knows no HTTP. One file is made at
a time and only the newest few are kept, so that nobody can fill the disk of the host.
"""

from __future__ import annotations

import secrets
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from card_printables.order import CannotPrint, Order, Progress
from card_printables.print_job import pdf, png_zip
from companion.limited_process import LimitedProcess, WorkLimits

STOP_S = 2.0
"""An ending evening waits so long for the thread that waits for a file; its process is ended at once."""

PIECE = 65_536
"""Bytes of a file that are read at a time, for each screen that takes it."""

FILES_KEPT = 3
"""So many files, of up to 40 MB on the disk: each screen takes its own, also after another one's was made."""

PRESS = WorkLimits(memory_mb=400, silence_s=60.0)
"""What making a file may take: 80 MB for a deck as pictures, the largest; pieces come one by one."""


@dataclass(slots=True)
class PrintTask:
    """One file: how far it is, and what came of it."""

    key: str
    name: str
    done: int = 0
    of: int = 1
    _reading: threading.Lock = field(default_factory=threading.Lock)
    size: int = 0
    """Bytes of the file, once it is there."""
    file: BinaryIO | None = None
    """On the disk, without a name: a deck of pictures has 40 MB."""
    trouble: CannotPrint | None = None

    @property
    def running(self) -> bool:
        """True until there is a file or a reason why not."""
        return self.file is None and self.trouble is None

    def keep(self, data: bytes) -> None:
        """This is the file; OSError where the disk does not take it."""
        file = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the task)
        file.write(data)
        file.flush()
        self.size = len(data)
        self.file = file

    def __del__(self) -> None:
        """A newer file takes the place of the oldest."""
        if self.file is not None:
            self.file.close()

    def pieces(self) -> Iterator[bytes]:
        """The file's bytes, a piece at a time: forty slow screens must not hold forty whole files."""
        at = 0
        while piece := self._piece(at):
            yield piece
            at += len(piece)

    def _piece(self, at: int) -> bytes:
        if self.file is None:
            return b""
        with self._reading:
            self.file.seek(at)
            return self.file.read(PIECE)


@dataclass(slots=True)
class PrintQueue:
    """One press: the file in the making and the last ones made; no other begins meanwhile.
    Thread-safe."""

    tasks: deque[PrintTask] = field(default_factory=lambda: deque(maxlen=FILES_KEPT))
    """The newest last."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    ended: threading.Event = field(default_factory=threading.Event)
    press: LimitedProcess = field(default_factory=lambda: LimitedProcess("print", PRESS))
    _thread: threading.Thread | None = None

    def start_order(self, order: Order) -> PrintTask | None:
        """Begin to make the file of a checked order; None while another one is being made."""
        with self.lock:
            if self.ended.is_set() or any(task.running for task in self.tasks):
                return None
            task = PrintTask(
                secrets.token_hex(6),
                f"cloud-mine-{order.kind}.{'zip' if order.format == 'png' else 'pdf'}",
            )
            self.tasks.append(task)
            self._thread = threading.Thread(
                target=_make_file, args=(task, order, self.press), name="print", daemon=True
            )
            self._thread.start()
        return task

    def stop(self) -> None:
        """Begin no other file, and leave the one in the making."""
        with self.lock:
            self.ended.set()
            thread = self._thread
        self.press.stop()
        if thread is not None:
            thread.join(STOP_S)

    def task_of(self, key: str) -> PrintTask | None:
        """The file of that key, if it is one of those that are kept."""
        with self.lock:
            return next((task for task in self.tasks if task.key == key), None)


def file_of(order: Order, progress: Progress) -> bytes:
    """The order's file, PDF or ZIP.

    Raises:
        CannotPrint: the order cannot be printed.
    """
    return png_zip(order, progress) if order.format == "png" else pdf(order, progress)


def _make_file(task: PrintTask, order: Order, press: LimitedProcess) -> None:
    def progress(done: int, of: int) -> None:
        task.done = done
        task.of = max(1, of)

    try:
        task.keep(press.do(file_of, order, progress=progress))
    except CannotPrint as trouble:
        task.trouble = trouble
    except Exception as trouble:  # whatever it was, the page must not wait for ever
        task.trouble = CannotPrint(f"the pages could not be drawn ({type(trouble).__name__})")

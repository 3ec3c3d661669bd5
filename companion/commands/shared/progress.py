"""A progress bar on standard error: silent where nobody watches."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
WIDTH = 32
READER_LOST = (
    "The second reader of codes did not come back and is started again; the first one goes on."
)


def say_reader_lost() -> None:
    """The second reader hung or died: one line for the person at the terminal, beside the answer."""
    with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
        print(READER_LOST, file=sys.stderr, flush=True)


class Progress:
    """Draws how many of `total` steps are done; counts alone when the total is not known."""

    def __init__(self, total: int | None, quiet: bool, what: str = "frames") -> None:
        """`what` the steps are called, in the plural."""
        self._what = what
        self.total = total if total and total > 0 else None
        self.quiet = quiet
        self._drawn_at = 0.0

    def over(self, steps: Iterable[T], done_so_far: Callable[[], int] | None = None) -> Iterator[T]:
        """The same steps, drawing as they pass; `done_so_far` counts them where one step stands for
        several (frames that are passed over)."""
        for done, step in enumerate(steps, 1):
            yield step
            self._draw(done_so_far() if done_so_far else done)
        if not self.quiet:
            sys.stderr.write("\r\033[K")

    def _draw(self, done: int) -> None:
        now = time.monotonic()
        if self.quiet or now - self._drawn_at < 0.2:
            return
        self._drawn_at = now
        if self.total is None:
            sys.stderr.write(f"\r{done} {self._what}")
        else:
            share = min(1.0, done / self.total)
            bar = "#" * round(share * WIDTH)
            sys.stderr.write(f"\r[{bar:<{WIDTH}}] {share:4.0%}")
        sys.stderr.flush()

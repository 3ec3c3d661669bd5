"""A progress bar on standard error: silent where nobody watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
WIDTH = 32


class Progress:
    """Draws how many of `total` steps are done; counts alone when the total is not known."""

    def __init__(self, total: int | None, quiet: bool) -> None:
        self.total = total if total and total > 0 else None
        self.quiet = quiet
        self._drawn_at = 0.0

    def over(self, steps: Iterable[T]) -> Iterator[T]:
        """The same steps, drawing as they pass."""
        for done, step in enumerate(steps, 1):
            yield step
            self._draw(done)
        if not self.quiet:
            sys.stderr.write("\r\033[K")

    def _draw(self, done: int) -> None:
        now = time.monotonic()
        if self.quiet or now - self._drawn_at < 0.2:
            return
        self._drawn_at = now
        if self.total is None:
            sys.stderr.write(f"\r{done} frames")
        else:
            share = min(1.0, done / self.total)
            bar = "#" * round(share * WIDTH)
            sys.stderr.write(f"\r[{bar:<{WIDTH}}] {share:4.0%}")
        sys.stderr.flush()

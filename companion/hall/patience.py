"""How long the hall waits for its database, and whether that answers at all.

A database that goes silent, its packets lost or its process frozen, says nothing more, neither that it is
away: the server's own limit for a statement does not reach us then. Knows how psycopg waits, step by step;
knows no SQL.
"""

from __future__ import annotations

import selectors
import time
from collections.abc import Callable, Generator
from typing import Any

SILENT_S = 5.0
"""So long nothing more is asked of a database that has just been found silent: those who queue for it, one
behind another, are told so at once."""

PEEKS_S = 0.1
"""So often somebody who waits sees whether there is still something to wait for."""

NO_ANSWER = "it does not answer"


class Silence(Exception):
    """Raised when the database does not answer."""


class Patience:
    """What the connections of one hall share: the first that finds the database silent ends the waiting
    of all. Thread-safe: one value is set."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._silent_s: float | None = None
        """When it was found silent; None since it answered."""

    @property
    def silent(self) -> bool:
        """True from when the database was found silent until it answers."""
        return self._silent_s is not None

    def require(self) -> None:
        """Raises Silence where it has just been found silent."""
        since_s = self._silent_s
        if since_s is not None and self._now() - since_s < SILENT_S:
            raise Silence

    def miss(self) -> None:
        """It did not answer."""
        self._silent_s = self._now()

    def heard(self) -> None:
        """It answered."""
        self._silent_s = None

    def answer(self, asked: Generator[Any, Any, Any], file: int, most_s: float) -> Any:
        """What psycopg's steps of a question come to, answered through this file within that time.

        Raises:
            Silence: it takes longer, or another connection found the database silent meanwhile. What has
            come is always taken, however late.
        """
        until_s = self._now() + most_s
        try:
            wanted = next(asked)
            with selectors.DefaultSelector() as selector:
                selector.register(file, wanted)
                while True:
                    for _, came in selector.select(PEEKS_S):
                        selector.modify(file, asked.send(came))
                        break
                    else:
                        self.require()
                        if self._now() > until_s:
                            self.miss()
                            raise Silence
        except StopIteration as answered:
            return answered.value


def patient_connection(psycopg: Any, patience: Patience, most_s: float) -> Any:
    """psycopg's `Connection`, which waits for one answer so long at the most; then it is closed."""

    def wait(self: Any, asked: Generator[Any, Any, Any], *_: Any, **__: Any) -> Any:
        try:
            return patience.answer(asked, self.pgconn.socket, most_s)
        except Silence:
            self.pgconn.finish()
            raise psycopg.OperationalError(NO_ANSWER) from None
        except KeyboardInterrupt:  # psycopg would ask the server to cancel, and wait for that
            self.pgconn.finish()
            raise

    return type("PatientConnection", (psycopg.Connection,), {"wait": wait})

"""A log that is whole already, sent to a hall at once: footage that was scored after the evening."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from companion.errors import BadInput
from companion.game.log import Log
from companion.outbox.letters import HallSilent, join_hall
from companion.outbox.link import LinkFile
from companion.outbox.sender import Sender


@dataclass(frozen=True, slots=True)
class OneEvening:
    """A journal of one evening."""

    log: Log
    evening: int | None = 1
    next_evening: int = 2

    def is_over(self, _evening: int) -> bool:
        """False: over or not, it is what there is to send."""
        return False

    def own_lengths(self, first: int) -> dict[int, int]:
        """How many entries it has."""
        return {1: len(self.log.entries)} if first <= 1 else {}

    def log_of(self, evening: int) -> Log | None:
        """The log; None for any other evening."""
        return self.log if evening == 1 else None


def send_log(log: Log, address: str) -> None:
    """Send this log to the hall at `address`, as a table of its own.

    Raises:
        BadInput: the hall does not let it in, does not answer, or refuses it.
    """
    with tempfile.TemporaryDirectory() as folder:
        links = LinkFile(Path(folder))
        evening = OneEvening(log)
        join_hall(links, evening, address)
        sender = Sender(links, evening)
        assert links.link is not None
        try:
            sender.send_once(links.link)
        except HallSilent as error:
            raise BadInput(f"the hall does not answer ({error}): do it again") from error
        if sender.how_far.state == "refused":
            raise BadInput(f"the hall refuses this evening ({sender.how_far.reason})")

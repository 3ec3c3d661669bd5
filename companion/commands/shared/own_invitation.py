"""How this computer's own browser comes in: the running companion keeps an address with a one-time code
in a file that only its owner can read, and `companion open` opens it.

Knows the data folder and the door. Must not know what is played, or who else is let in.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from card_printables.files import read_regular, write_beside_then_replace
from companion.web.guards.access import Door, key_of

LONGEST_ADDRESS = 1000
"""No address of ours has more bytes."""


class OwnInvitation:
    """The invitation of the companion that listens on a port of this computer."""

    def __init__(self, folder: Path, port: int) -> None:
        self._path = folder / f"own-invitation-{port}"

    @property
    def address(self) -> str | None:
        """The address that lets one browser in; None where no companion keeps one here."""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            return read_regular(self._path, LONGEST_ADDRESS).decode("ascii").strip() or None
        return None

    def renew(self, door: Door, base: str) -> None:
        """Keep an address with a fresh code unless the kept one is still good at this door. A disk
        that refuses costs `companion open` its way in, nothing else."""
        kept = (self.address or "").rpartition("/in/")[2]
        if door.invitation(key_of(kept))[0] != "good":
            with contextlib.suppress(OSError):
                text = f"{base}/in/{door.invite()}\n"
                write_beside_then_replace(self._path, text.encode("ascii"), private=True)

    def remove(self) -> None:
        """Nobody is let in by it any more."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)

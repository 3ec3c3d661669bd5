"""What people said of a round, as bounds on what may be believed of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.game.rules import Ending


@dataclass(slots=True)
class PersonConstraints:
    """At least these were wrong guesses (None: number unknown); with an `ending`, exactly these. The
    `denied` cards were shown as wrong and are not."""

    set_aside: tuple[int | None, ...] = ()
    ending: Ending | None = None
    denied: set[int] = field(default_factory=set)

    @property
    def final(self) -> bool:
        """True when a person said how the round ended."""
        return self.ending in ("claimed", "lookout")

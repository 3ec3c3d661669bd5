"""What people said of a round, as bounds on what may be believed of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.game.rules import Ending


@dataclass(frozen=True, slots=True)
class PersonConstraints:
    """At least these were wrong guesses (None: number unknown); with an `ending`, exactly these. The
    `denied` cards were shown as wrong and are not."""

    set_aside: tuple[int | None, ...] = ()
    ending: Ending | None = None
    denied: frozenset[int] = frozenset()

    @property
    def final(self) -> bool:
        """True when a person said how the round ended."""
        return self.ending in ("claimed", "lookout")

    def without_denial_of(self, cards: Iterable[int]) -> PersonConstraints:
        """The same once these cards came back to the middle: what is said of them is open again."""
        return replace(self, denied=self.denied.difference(cards))

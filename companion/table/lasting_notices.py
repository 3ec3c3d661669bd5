"""Which of the eye's notices are news for people: those that hold, not those of a card in flight.

Knows keys and times.  Must not know pictures or pages.
"""

from __future__ import annotations

from collections.abc import Iterable

HOLDS_S = 0.8
"""A card caught twice in one picture while it is carried is over sooner; two cards that lie there
are not."""

SEARCHED_S = 2.5
"""On a still table only the search of the whole picture sees them again, every two seconds
(`companion/vision/eye.py`)."""

OF_CARDS = ("twice", "one_twice", "foreign", "readers_differ", "mirrored")
"""Said of cards, which may be in flight; all other keys are news while they are said."""


class Lasting:
    """Hand it every glimpse's notices, oldest first."""

    def __init__(self) -> None:
        self._said_s: dict[str, tuple[float, float]] = {}

    def news(self, notices: Iterable[str], t_s: float) -> tuple[str, ...]:
        """What people should hear at `t_s`: what has been said of cards for long enough, and all
        else that is said now."""
        keys = tuple(notices)
        of_cards = [key for key in keys if key.split(":")[0] in OF_CARDS]
        self._said_s = {
            key: said for key, said in self._said_s.items() if 0.0 <= t_s - said[1] <= SEARCHED_S
        }
        self._said_s |= {key: (self._said_s.get(key, (t_s, t_s))[0], t_s) for key in of_cards}
        held = [
            key for key, (first_s, last_s) in self._said_s.items() if last_s - first_s >= HOLDS_S
        ]
        return tuple(key for key in keys if key not in of_cards) + tuple(held)

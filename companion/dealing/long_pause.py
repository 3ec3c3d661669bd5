"""When nobody looked: the last long pause between two looks, in which anything may have happened.

Knows times only. What people tapped meanwhile shortens it: they were there and said what there was
to say.
"""

from __future__ import annotations

from collections.abc import Iterable


class LongPause:
    """Follows the looks at the table; pauses of more than `longest_s` hide what people do."""

    def __init__(self, longest_s: float) -> None:
        self._longest_s = longest_s
        self._looked_s: float | None = None
        self.from_s = 0.0
        self.to_s = 0.0
        """The last pause; equal to its beginning while there was none."""

    def note_look(self, t_s: float) -> float:
        """Take the time of a look; how long nobody had looked before it, 0.0 for no longer than
        usual."""
        before_s, self._looked_s = self._looked_s, t_s
        if before_s is None or t_s - before_s <= self._longest_s:
            return 0.0
        self.from_s = before_s
        self.to_s = t_s
        return t_s - before_s

    def note_person(self, t_s: float | None) -> None:
        """A person said how things stand at `t_s`: nothing before that is hidden. None: nobody
        plays until the next look."""
        if self._looked_s is not None:
            self._looked_s = max(self._looked_s, t_s) if t_s is not None else None

    def count_hidden(self, between_s: Iterable[tuple[float, float]]) -> int:
        """How many of these, each somewhen between two times, may have happened in the last pause."""
        return (
            sum(low_s < self.to_s and high_s > self.from_s for low_s, high_s in between_s)
            if self.to_s > self.from_s
            else 0
        )

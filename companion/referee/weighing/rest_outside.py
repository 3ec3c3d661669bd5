"""Which cards were read at rest outside the middle: the taken ones where piles lie face up, the
wrong ones where those do.

Knows which leavers were seen there, and when the next one left.  Must not know where.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lgamma

SEEN, UNSEEN = 0.2, 0.8
"""Before any was seen there: at one table in five cards that somebody took are seen, each where the
others were."""


ALONE_S = 1.5
"""A card on which the next is laid sooner may never be read: it takes a second to arrive and to be
read twice."""


def seen_outside(
    at_rest: Sequence[bool | None], left_s: Sequence[tuple[float, float]], now_s: float
) -> list[bool | None]:
    """Which leavers were seen outside, `at_rest` there; None for one that the next, which left
    (between these times) soon after, may have covered."""
    alone_s = [
        after[0] - this[1]
        for this, after in zip(left_s, [*left_s[1:], (now_s, now_s)], strict=True)
    ]
    return [
        rests if rests or alone >= ALONE_S else None
        for rests, alone in zip(at_rest, alone_s, strict=True)
    ]


def log_seen_outside(seen: Sequence[bool | None], w: int) -> float:
    """Log chance that just these leavers were `seen` at rest outside (None: it says nothing of this
    one), when the first `w` were wrong guesses and the others taken by one person: each kind is
    seen there as the others of its kind are."""
    return sum(
        _log_alike([told for told in part if told is not None]) for part in (seen[:w], seen[w:])
    )


def _log_alike(told: Sequence[bool]) -> float:
    count, hits = len(told), sum(told)
    return (
        lgamma(SEEN + hits)
        + lgamma(UNSEEN + count - hits)
        - lgamma(1.0 + count)
        - lgamma(SEEN)
        - lgamma(UNSEEN)
    )

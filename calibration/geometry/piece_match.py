"""Which pieces still lie where they were, when the picture of them has changed.

Knows remembered places and the tags of a new look; must not refit anything. If some piece is still
seen where it was, the camera stands still and the others were moved. If none is, the camera moved,
and the largest set of pieces that kept their distances to one another is the table; a piece out of
step was moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from calibration.geometry.layout import bodies_of
from calibration.geometry.place import on_table
from calibration.geometry.plane import Plane

STILL_PX = 1.0
"""A piece whose corners are this near to where they were (at 1080p) was not moved, nor was the
camera."""

KEPT_MM = 5.0
"""Two pieces whose distance changed by more did not move together; a bump of 3 degrees leaves less
after rough mapping."""


def unmoved_pieces(tags: Mapping[int, np.ndarray], previous: Plane) -> list[str]:
    """Names of the pieces in view that lie where `previous` remembers them (in the table, not in
    the picture)."""
    names, bodies = bodies_of(tags, {})
    known = [
        i
        for i, name in enumerate(names)
        if name in previous.places and not previous.places[name].inferred
    ]
    expected = {i: on_table(bodies[i].points_mm, previous.places[names[i]]) for i in known}
    limit = STILL_PX * max(previous.size_px) / 1920
    still = [i for i in known if _off_px(previous.to_px(expected[i]), bodies[i].points_px) < limit]
    if still or len(known) < 2:
        return [names[i] for i in still or known]
    now = {i: previous.to_mm(bodies[i].points_px) for i in known}
    return [names[i] for i in _largest_in_step(known, expected, now)]


def _off_px(predicted: np.ndarray, seen: np.ndarray) -> float:
    return float(np.nan_to_num(np.median(np.linalg.norm(predicted - seen, axis=1)), nan=1e9))


def _largest_in_step(
    known: list[int], before: Mapping[int, np.ndarray], now: Mapping[int, np.ndarray]
) -> list[int]:
    """The most pieces that one rigid motion carries from their old to their new (roughly mapped)
    places."""
    for count in range(len(known), 1, -1):
        options = [(_misfit(group, before, now), group) for group in combinations(known, count)]
        misfit, group = min(options)
        if misfit < KEPT_MM:
            return list(group)
    return known if len(known) == 1 else []


def _misfit(
    group: tuple[int, ...], before: Mapping[int, np.ndarray], now: Mapping[int, np.ndarray]
) -> float:
    """How badly one similarity fits the pieces' centres and turns, mm; a bumped camera's map is a
    little off in scale."""
    old = np.concatenate([before[i] for i in group])
    new = np.concatenate([now[i] for i in group])
    if not np.isfinite(new).all():
        return float("inf")
    a = (old - old.mean(axis=0)) @ np.array([1, 1j])
    b = (new - new.mean(axis=0)) @ np.array([1, 1j])
    factor = np.vdot(a, b) / np.vdot(a, a)
    return float(np.sqrt((np.abs(b - factor * a) ** 2).mean()))

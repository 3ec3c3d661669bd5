"""Several looks of a still camera as one: the tags' corners pooled, so that noise goes down and
hands do no harm.

Knows tags and planes; must not know where pictures come from.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from calibration.geometry.fit import fit_plane
from calibration.geometry.plane import Plane

KEPT_LOOKS = 30
"""Looks that are pooled: noise falls with their root, and thirty are three seconds."""

MOVED_SHARE = 0.005
"""Of the picture's width: a tag so far off from its looks so far has moved. A camera that shakes
throws it about by less (chosen)."""


class TagPool:
    """Pools the tags of several frames of a camera and table that stand still."""

    def __init__(self, size_px: tuple[int, int]) -> None:
        """Pool looks at pictures of this (width, height)."""
        self.size_px = size_px
        self._looks: dict[int, list[np.ndarray]] = {}
        self.count = 0

    def add_look(self, tags: Mapping[int, np.ndarray]) -> None:
        """Take in one look, tag id -> corners (4, 2) px as `find_tags` gives."""
        self.count += 1
        for tag_id, corners in tags.items():
            kept = self._looks.setdefault(tag_id, [])
            kept.append(np.asarray(corners, float))
            del kept[:-KEPT_LOOKS]

    def forget(self, tag_ids: Collection[int]) -> None:
        """Forget these tags."""
        for tag_id in tag_ids:
            self._looks.pop(tag_id, None)

    def forget_others(self, tag_ids: Collection[int]) -> None:
        """Forget every tag but these."""
        self._looks = {tag_id: looks for tag_id, looks in self._looks.items() if tag_id in tag_ids}

    def moved(self, tags: Mapping[int, np.ndarray]) -> set[int]:
        """Those of these tags (id -> corners (4, 2) px) that lie elsewhere than in the looks so far."""
        far_px = MOVED_SHARE * self.size_px[0]
        before = {tag_id: looks for tag_id, looks in self._looks.items() if tag_id in tags}
        return {
            tag_id
            for tag_id, looks in before.items()
            if np.linalg.norm((tags[tag_id] - np.median(looks, axis=0)).mean(axis=0)) > far_px
        }

    def seen_before(self, tag_ids: Collection[int]) -> set[int]:
        """Those of these tags that some look so far showed."""
        return set(tag_ids) & set(self._looks)

    def tags(self) -> dict[int, np.ndarray]:
        """The pooled corners: for each tag the mean of those looks that agree with its median."""
        return {tag_id: _agreed(np.array(looks)) for tag_id, looks in self._looks.items()}

    def jitter_px(self) -> float:
        """How far the tags jump about their own middles from look to look (median, px); 0 for fewer
        than three looks."""
        jumps = [
            np.linalg.norm((np.array(looks) - np.median(looks, axis=0)).mean(axis=1), axis=1)
            for looks in self._looks.values()
            if len(looks) > 2
        ]
        return float(np.median(np.concatenate(jumps))) if jumps else 0.0

    def plane(self, previous: Plane | None = None) -> Plane:
        """The plane from all looks.  Raises PlaneNotSeen when they show none."""
        return fit_plane(self.tags(), self.size_px, previous)


def _agreed(looks: np.ndarray) -> np.ndarray:
    middle = np.median(looks, axis=0)
    off = np.abs(looks - middle).max(axis=(1, 2))
    return np.asarray(looks[off <= max(0.3, 2 * float(np.median(off)))].mean(axis=0))

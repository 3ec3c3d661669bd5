"""How much evidence names a card: one value for each situation, and the claims that come of it.

Knows scores, leads and shapes; knows no deck and no evening. The more is known beforehand (the
plane, the place), the less a picture must show.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.codes.consensus import Claim
from companion.vision.codes.decode import BestWords
from companion.vision.codes.detection import Corners
from companion.vision.codes.pose import corners_of_poses
from companion.vision.codes.word_templates import word_of_template
from companion.vision.frame.image_pyramid import ImagePyramid


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What a code must show to be named: the likeness of its own part (`own_score`, -1..1) and its
    lead over every other word."""

    own_score: float
    lead: float

    def rows(self, best: BestWords) -> np.ndarray:
        """Which of the places (M,) show that much, bool."""
        return (best.own >= self.own_score) & (best.lead >= self.lead)


FOUND = Acceptance(0.42, 0.26)
"""A card nobody expected there. With a lead of 0.24, 44,000 places with another code, cloud or dots
gave no name, but one came to 0.238. With these values none of 17,444 places did, and 97 % of good,
93 % of typical, 52 % of hard cards were named, many of them under a reflection
(`tests/benchmarks/reader_aligned.py`, seed 800000)."""

FAINT = Acceptance(FOUND.own_score, 0.18)
"""A place that shows so much has a vote: pictures that agree on it name the card together
(`temporal_vote.TemporalVote`)."""

FOUND_WITHOUT_PLANE = Acceptance(0.5, 0.28)
"""A card found without a plane: its size is a hypothesis, and hypotheses are many."""

BEYOND_DOUBT = Acceptance(0.55, 0.3)
"""A card that may be bent by `CURLED_BEND_SHARE`."""

TRACKED = Acceptance(0.33, 0.15)
"""A card where it lay a moment ago. With a lead of 0.1 foreign codes in its place were taken for it
3 times in 49,000; with these values once in 124,752 (seeds from 11000000), and 99.7 % of good, 98 %
of typical, 80 % of hard cards that still lay there were confirmed (the run of `FOUND`)."""

OWN_TO_COMMON_RATIO = 0.8
"""How much of a code's own part must show beside what all words share: a foreign code has the
finder patterns, too."""

LARGEST_BEND_SHARE = 0.05
"""How far, in sides of the code, its corners may lie from a square of the printed size on the table
(rms). Codes stay below 0.03; what only looks like one is bent by 0.08 at the median."""

CURLED_BEND_SHARE = 0.1
"""The same for a card named beyond doubt: paper curls, and its code is no flat square any more."""

LARGEST_STRAY_MODULES = 2.5
"""Between a code and where the localiser saw it."""


def named(best: BestWords, acceptance: Acceptance) -> np.ndarray:
    """Which of the places (M,) show as much as `acceptance` asks, and not only what all words
    share, bool."""
    common = best.common / np.sqrt(np.maximum(1 - best.common**2, 0.02))
    return np.asarray(acceptance.rows(best) & (best.own >= OWN_TO_COMMON_RATIO * common))


def square_enough(best: BestWords, bend: np.ndarray, stray: np.ndarray) -> np.ndarray:
    """Which codes (M,) are square and near enough to be printed ones lying on the table, bool; see
    `rectification.square_misfit`."""
    beyond_doubt = BEYOND_DOUBT.rows(best)
    largest = np.where(beyond_doubt, CURLED_BEND_SHARE, LARGEST_BEND_SHARE)
    return (bend < largest) & (stray < LARGEST_STRAY_MODULES)


def inside_picture(pyramid: ImagePyramid, best: BestWords) -> np.ndarray:
    """Which codes (M,) lie in the picture with all but a module or two, bool."""
    height, width = pyramid.level(0).shape
    corners = corners_of_poses(best.poses)
    slack = 0.1 * np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1)[:, None]
    x, y = corners[:, :, 0], corners[:, :, 1]
    within = (x > -slack) & (x < width + slack) & (y > -slack) & (y < height + slack)
    return np.asarray(within.all(axis=1))


def claims_of(best: BestWords, accepted: np.ndarray, reader: str) -> list[Claim]:
    """The accepted (M,) bool places as claims of `reader`, the likeliest first."""
    corners = corners_of_poses(best.poses)
    claims = []
    for i in sorted(np.flatnonzero(accepted), key=lambda i: -best.own[i]):
        word, mirrored = word_of_template(int(best.word[i]))
        shape = corners[i][[0, 3, 2, 1]] if mirrored else corners[i]
        claims.append(
            Claim(word, word.payload, corner_tuples(shape), float(best.own[i]), reader, mirrored)
        )
    return claims


def corner_tuples(corners_px: np.ndarray) -> Corners:
    """Corners (4, 2) as plain tuples."""
    a, b, c, d = ((float(x), float(y)) for x, y in corners_px)
    return (a, b, c, d)

"""Which cards lie here unread? One joint answer for a stretch of table: each card once, each disc once.

Knows looks, readings and poses. Must not know time, rounds or people.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from dataclasses import dataclass
from math import hypot

from companion.vision.pictures.compare import Match, refine_pose, take_away
from companion.vision.pictures.field_stretch import FieldStretch
from companion.vision.pictures.look import Look
from companion.vision.pictures.search import DiscPose, PoseSearch


@dataclass(frozen=True, slots=True)
class NamingRule:
    """How much is enough for a name."""

    evidence: float = 0.30
    """Of all that is free of a disc (`Match.evidence`)."""
    shown_evidence: float = 0.39
    """Of the part that looks like it, where something that is not known covers the rest."""
    likeness: float = 0.5
    """And so alike it must be there, however much of it shows."""
    lead: float = 0.12
    """Ahead of every other card there."""
    ours_below: float = 0.04
    """So little short of a name it is one of ours all the same, not told which."""
    other_free: float = 0.7
    other_below: float = 0.2
    """Where so much is free and shows so little of a card, that card does not lie there."""
    near_mm: float = 18.0
    """Another card so near competes."""
    poses: int = 6
    tried: int = 24
    """So many of the likeliest poses are refined."""


NAMING_RULE = NamingRule()

REFINED_A_STEP = 4
"""So many poses are refined in one step."""


@dataclass(frozen=True, slots=True)
class Named:
    """A disc told by its picture: `card` None: one of ours, not told which."""

    card: int | None
    match: Match


def name_discs(
    scene: FieldStretch,
    looks: Mapping[int, Look],
    read: Mapping[int, DiscPose],
    candidates: Collection[int],
    disc_mm: float,
    rule: NamingRule = NAMING_RULE,
) -> list[Named]:
    """The cards among `candidates` that lie in the scene, told by their `looks`; `read` are the cards
    whose codes are read there, and where. The surest disc first; it is taken out of the scene before
    the next is looked for, so that what lies under it is told by what is left."""
    steps = naming_steps(scene, looks, read, candidates, disc_mm, rule)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return list(end.value)


def naming_steps(
    scene: FieldStretch,
    looks: Mapping[int, Look],
    read: Mapping[int, DiscPose],
    candidates: Collection[int],
    disc_mm: float,
    rule: NamingRule = NAMING_RULE,
) -> Generator[None, None, list[Named]]:
    """The same in steps of some ten milliseconds each."""
    fine, coarse = scene.fine_sure, scene.coarse_sure
    for card, pose in read.items():
        if card in looks:
            match = refine_pose(scene, fine, looks[card], pose)
            fine, coarse = take_away(scene, fine, coarse, looks[card], match.pose, disc_mm)
            yield
    left = [card for card in candidates if card in looks]
    found: list[Named] = []
    while left:
        search = PoseSearch(scene, coarse, disc_mm)
        poses: list[tuple[float, int, DiscPose]] = []
        for card in left:
            poses += [(at[0], card, at[1]) for at in search.best_poses(looks[card], rule.poses)]
            yield
        poses.sort(key=lambda pose: -pose[0])
        matches: list[tuple[int, Match]] = []
        for at, (_, card, pose) in enumerate(poses[: rule.tried], start=1):
            matches.append((card, refine_pose(scene, fine, looks[card], pose)))
            if at % REFINED_A_STEP == 0:
                yield
        best = _best(matches, rule)
        if best is None:
            return found + _ours(matches, rule)
        card, match = best
        found.append(Named(card, match))
        left.remove(card)
        fine, coarse = take_away(scene, fine, coarse, looks[card], match.pose, disc_mm)
    return found


def score_of(match: Match, rule: NamingRule) -> float:
    """How far a match goes beyond what is enough; below 0: not enough."""
    if max(match.likeness, match.shown) < rule.likeness:
        return -1.0
    return max(match.evidence - rule.evidence, match.shown_evidence - rule.shown_evidence)


def is_another(match: Match, rule: NamingRule) -> bool:
    """True where what shows is surely not this card: most of it is free, and next to nothing is like
    it."""
    return match.free >= rule.other_free and match.shown_evidence < rule.other_below


def _best(matches: list[tuple[int, Match]], rule: NamingRule) -> tuple[int, Match] | None:
    """The surest of those that are sure enough and ahead of every other card at their place."""
    for card, match in sorted(matches, key=lambda item: -score_of(item[1], rule)):
        score = score_of(match, rule)
        if score < 0:
            return None
        rivals = [
            score_of(other, rule)
            for name, other in matches
            if name != card and distance_mm(other.pose, match.pose) < rule.near_mm
        ]
        if all(score - rival >= rule.lead for rival in rivals):
            return card, match
    return None


def _ours(matches: list[tuple[int, Match]], rule: NamingRule) -> list[Named]:
    """The likeliest of those that are nearly enough, or that two cards could be: one of ours lies
    there, not told which."""
    best = max(matches, key=lambda item: score_of(item[1], rule), default=None)
    if best is None or score_of(best[1], rule) < -rule.ours_below:
        return []
    return [Named(None, best[1])]


def distance_mm(one: DiscPose, other: DiscPose) -> float:
    """How far apart two discs' centres lie."""
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)

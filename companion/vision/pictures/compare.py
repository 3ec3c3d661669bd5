"""How alike are a look and what lies at a pose? Pulled into place, and over the free part alone.

Knows fields and poses. Must not know names.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log

import cv2
import numpy as np

from companion.vision.pictures.field_stretch import FieldStretch
from companion.vision.pictures.look import COARSE_STEP_MM, STEP_MM, Look
from companion.vision.pictures.search import DiscPose


@dataclass(frozen=True, slots=True)
class CompareModel:
    """How a pose is refined, and how what covers a disc is told from the disc; chosen."""

    first_turns_deg: tuple[float, ...] = (-8.0, -4.0, 0.0, 4.0, 8.0)
    first_reach_px: int = 4
    next_turns_deg: tuple[float, ...] = (-2.0, 0.0, 2.0)
    next_reach_px: int = 1
    last_mm: float = 0.5
    last_deg: float = 0.8
    least_free: float = 0.2
    """A pose that leaves less of the look's picture free is none."""
    block_mm: float = 4.5
    """Likeness is told over a Gaussian of so much."""
    covered_below: float = 0.25
    """A stretch less like the look than this is taken for covered."""
    soft_energy: float = 0.02
    """Energy of a pixel that says nothing either way."""
    taken_above: float = 0.5
    """A stretch more like a disc that was told than this is taken for that disc."""
    taken_rim_mm: float = 4.5
    """So much round a disc that was told is not free: its rim and its shadow."""


COMPARE_MODEL = CompareModel()


@dataclass(frozen=True, slots=True)
class Match:
    """A look at a pose. `likeness`: -1 to 1, over all that is free there, `free` of the look's own
    picture; `shown`: the same over the part that looks like the disc itself, `share` of it."""

    pose: DiscPose
    likeness: float
    free: float
    shown: float = 0.0
    share: float = 0.0

    @property
    def evidence(self) -> float:
        """What all that is free says for the card: more where it is more alike, and where more of it
        is free (in nats of a Gaussian channel, for each part of the picture)."""
        return _evidence(self.likeness, self.free)

    @property
    def shown_evidence(self) -> float:
        """What the part says that looks like the disc; chosen for that, so that it says less."""
        return _evidence(self.shown, self.share)


def _evidence(likeness: float, share: float) -> float:
    likeness = min(max(likeness, 0.0), 0.995)
    return -share * log(1.0 - likeness * likeness)


def refine_pose(scene: FieldStretch, free: np.ndarray, look: Look, pose: DiscPose) -> Match:
    """The best match near this pose; `free` (h, w) float32 at the fine step."""
    model = COMPARE_MODEL
    pose = _best_shift(scene, free, look, pose, model.first_turns_deg, model.first_reach_px)
    pose = _best_shift(scene, free, look, pose, model.next_turns_deg, model.next_reach_px)
    best = compare(scene, free, look, pose)
    for dx, dy, dt in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        for sign in (1, -1):
            moved = DiscPose(
                best.pose.x_mm + sign * dx * model.last_mm,
                best.pose.y_mm + sign * dy * model.last_mm,
                best.pose.heading_deg + sign * dt * model.last_deg,
            )
            tried = compare(scene, free, look, moved)
            if tried.likeness > best.likeness:
                best = tried
                break
    return with_part_shown(scene, free, look, best)


def compare(scene: FieldStretch, free: np.ndarray, look: Look, pose: DiscPose) -> Match:
    """The match of a look at this very pose, without the part shown."""
    agree, own, other = _products(scene, free, look, pose)
    return Match(pose, _likeness(agree, own, other), float(own.sum()) / look.energy)


def with_part_shown(scene: FieldStretch, free: np.ndarray, look: Look, match: Match) -> Match:
    """The match with the part that looks like the disc itself."""
    agree, own, other = _products(scene, free, look, match.pose)
    shows = _local_likeness(agree, own, other) > COMPARE_MODEL.covered_below
    shown = _likeness(agree[shows], own[shows], other[shows])
    return replace(match, shown=shown, share=float(own[shows].sum()) / look.energy)


def take_away(
    scene: FieldStretch,
    fine: np.ndarray,
    coarse: np.ndarray,
    look: Look,
    pose: DiscPose,
    disc_mm: float,
) -> tuple[np.ndarray, np.ndarray]:
    """What is still free, fine and coarse, once the disc that shows this look at this pose is taken
    out of it, with its rim."""
    local = _local_likeness(*_products(scene, fine, look, pose))
    k = len(local) // 2
    y, x = np.ogrid[-k : k + 1, -k : k + 1]
    disc = np.hypot(x, y) * STEP_MM < disc_mm / 2
    shows = ((local > COMPARE_MODEL.taken_above) | (look.fine_weight == 0)) & disc
    reach = round(COMPARE_MODEL.taken_rim_mm / STEP_MM)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    wide = (2 * reach + 2,) * 4
    taken = cv2.copyMakeBorder(shows.astype(np.uint8), *wide, cv2.BORDER_CONSTANT)
    taken = cv2.dilate(cv2.morphologyEx(taken, cv2.MORPH_OPEN, kernel), kernel).astype(np.float32)
    return (
        _without(fine, taken, pose, STEP_MM, scene.origin_mm),
        _without(coarse, taken, pose, COARSE_STEP_MM, scene.origin_mm),
    )


def _without(
    free: np.ndarray,
    taken: np.ndarray,
    pose: DiscPose,
    step_mm: float,
    origin_mm: tuple[float, float],
) -> np.ndarray:
    turn, scale, k = np.radians(pose.heading_deg), STEP_MM / step_mm, len(taken) // 2
    cos, sin = float(np.cos(turn)) * scale, float(np.sin(turn)) * scale
    x, y = (pose.x_mm - origin_mm[0]) / step_mm, (pose.y_mm - origin_mm[1]) / step_mm
    to = np.array([[cos, -sin, x - cos * k + sin * k], [sin, cos, y - sin * k - cos * k]])
    there = cv2.warpAffine(taken, to, free.shape[::-1], flags=cv2.INTER_LINEAR)
    return np.asarray(free * (1 - np.clip(there, 0, 1)), np.float32)


def _best_shift(
    scene: FieldStretch,
    free: np.ndarray,
    look: Look,
    pose: DiscPose,
    turns_deg: tuple[float, ...],
    reach: int,
) -> DiscPose:
    """The likeliest of these turns and of all shifts by up to `reach` pixels."""
    best, found = -2.0, pose
    for more in turns_deg:
        turned = replace(pose, heading_deg=pose.heading_deg + more)
        real, imaginary, open_ = _upright(scene, free, turned, len(look.fine) + 2 * reach)
        energy = (real * real + imaginary * imaginary).sum(axis=2) * open_
        agree = _slide(real * open_[..., None], look.weighed_real) + _slide(
            imaginary * open_[..., None], look.weighed_imaginary
        )
        own, other = _slide(open_, look.weighed_energy), _slide(energy, look.fine_weight)
        likeness = agree / (np.sqrt(np.maximum(own, 0) * np.maximum(other, 0)) + 1e-6)
        likeness[own < COMPARE_MODEL.least_free * look.energy] = -2.0
        row, column = np.unravel_index(int(likeness.argmax()), likeness.shape)
        if likeness[row, column] > best:
            best = float(likeness[row, column])
            turn = np.radians(turned.heading_deg)
            dx, dy = (column - reach) * STEP_MM, (row - reach) * STEP_MM
            found = DiscPose(
                pose.x_mm + float(dx * np.cos(turn) - dy * np.sin(turn)),
                pose.y_mm + float(dx * np.sin(turn) + dy * np.cos(turn)),
                turned.heading_deg,
            )
    return found


def _slide(over: np.ndarray, template: np.ndarray) -> np.ndarray:
    return cv2.matchTemplate(np.ascontiguousarray(over), template, cv2.TM_CCORR)


def _upright(
    scene: FieldStretch, free: np.ndarray, pose: DiscPose, n: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the scene shows at this pose as an upright disc: the steps along x and along y, (n, n, 3)
    float32 each, and what of it is free, (n, n) float32."""
    turn, k = np.radians(pose.heading_deg), n // 2
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    x = (pose.x_mm - scene.origin_mm[0]) / STEP_MM
    y = (pose.y_mm - scene.origin_mm[1]) / STEP_MM
    to = np.array([[cos, -sin, x - cos * k + sin * k], [sin, cos, y - sin * k - cos * k]])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    along = cv2.warpAffine(scene.fine_real, to, (n, n), flags=how)
    down = cv2.warpAffine(scene.fine_imaginary, to, (n, n), flags=how)
    open_ = cv2.warpAffine(free, to, (n, n), flags=how)
    return along * cos + down * sin, down * cos - along * sin, open_


def _products(
    scene: FieldStretch, free: np.ndarray, look: Look, pose: DiscPose
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pixel by pixel: by how much both agree, and the energy of each, (n, n) float32."""
    real, imaginary, open_ = _upright(scene, free, pose, len(look.fine))
    agree = (look.weighed_real * real + look.weighed_imaginary * imaginary).sum(axis=2) * open_
    other = (real * real + imaginary * imaginary).sum(axis=2) * open_ * look.fine_weight
    return agree, look.weighed_energy * open_, other


def _local_likeness(agree: np.ndarray, own: np.ndarray, other: np.ndarray) -> np.ndarray:
    soft = COMPARE_MODEL.block_mm / STEP_MM
    a, b, c = (cv2.GaussianBlur(part, (0, 0), soft) for part in (agree, own, other))
    return np.asarray(a / (np.sqrt(b * c) + COMPARE_MODEL.soft_energy))


def _likeness(agree: np.ndarray, own: np.ndarray, other: np.ndarray) -> float:
    return float(agree.sum()) / (float(np.sqrt(own.sum() * other.sum())) + 1e-6)

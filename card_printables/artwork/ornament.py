"""Sun, moon, star and cloud as polygons in millimetres.

Knows outlines only; no colours, no pages.
"""

from __future__ import annotations

import math

from card_printables.artwork.ink import Point

Outline = tuple[Point, ...]


def turned(points: Outline, turn_deg: float, to_mm: Point = (0.0, 0.0)) -> Outline:
    """The outline turned clockwise (as seen) about the origin, then moved by `to_mm`."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return tuple((x * c - y * s + to_mm[0], x * s + y * c + to_mm[1]) for x, y in points)


def star(radius_mm: float, points: int = 5, waist: float = 0.45) -> Outline:
    """A star about the origin, one point up."""
    return tuple(
        (radius * math.sin(turn), -radius * math.cos(turn))
        for k in range(2 * points)
        for radius, turn in [(radius_mm * (waist if k % 2 else 1), math.pi * k / points)]
    )


def sun_rays(radius_mm: float, rays: int = 12) -> tuple[Outline, ...]:
    """The rays of a sun about the origin: thin triangles between 0.68 and 1 of `radius_mm`."""
    wide = 0.5 * math.pi / rays
    return tuple(
        (
            (0.68 * radius_mm * math.sin(t - wide), -0.68 * radius_mm * math.cos(t - wide)),
            (radius_mm * math.sin(t), -radius_mm * math.cos(t)),
            (0.68 * radius_mm * math.sin(t + wide), -0.68 * radius_mm * math.cos(t + wide)),
        )
        for t in (2 * math.pi * k / rays for k in range(rays))
    )


def moon(radius_mm: float, bite: float = 0.45) -> Outline:
    """A crescent about the origin, its horns to the upper right; `bite` is how far the shadow
    stands aside, in radii."""
    inner = 0.86 * radius_mm
    shadow = (bite * radius_mm * math.cos(math.pi / 4), -bite * radius_mm * math.sin(math.pi / 4))
    gap = math.hypot(*shadow)
    reach = (gap**2 + radius_mm**2 - inner**2) / (2 * gap)
    outer_half = math.acos(reach / radius_mm)
    inner_half = math.acos((reach - gap) / inner)
    facing = math.atan2(shadow[1], shadow[0])
    steps = range(73)
    limb = [facing + outer_half + (2 * math.pi - 2 * outer_half) * k / 72 for k in steps]
    edge = [facing - inner_half - (2 * math.pi - 2 * inner_half) * k / 72 for k in steps]
    return tuple((radius_mm * math.cos(t), radius_mm * math.sin(t)) for t in limb) + tuple(
        (shadow[0] + inner * math.cos(t), shadow[1] + inner * math.sin(t)) for t in edge
    )


_BUMPS = ((-0.62, 0.27), (-0.25, 0.42), (0.24, 0.33), (0.63, 0.22))


def cloud(width_mm: float) -> Outline:
    """A drawn cloud about the origin: four bumps on a flat foot with round ends."""
    half = width_mm / 2
    low = 0.22
    bumps = [(x, low - (0.12 if 0 < k < 3 else 0), r) for k, (x, r) in enumerate(_BUMPS)]
    left, right = bumps[0][0] - bumps[0][2], bumps[-1][0] + bumps[-1][2]
    top: list[Point] = []
    for k in range(81):
        x = left + (right - left) * k / 80
        heights = [y - math.sqrt(r * r - (x - cx) ** 2) for cx, y, r in bumps if abs(x - cx) <= r]
        top.append((x, min(heights)))
    foot = [
        (cx + r * math.cos(t), low + 0.15 * math.sin(t))
        for cx, r, span in (
            (bumps[-1][0], bumps[-1][2], (0, 90)),
            (bumps[0][0], bumps[0][2], (90, 180)),
        )
        for t in (math.radians(span[0] + (span[1] - span[0]) * k / 12) for k in range(13))
    ]
    return tuple((x * half, y * half) for x, y in (*top, *foot))

"""One or several pictures of a table in, everything worth knowing out: the JSON of `companion
calibrate`.

Knows how to put tags, plane, light, map, problems and advice together; must not know files or
cameras.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import cv2
import numpy as np

from calibration.check.advice import UNTOLD, advice_for, verdict_of
from calibration.check.outline import outlines
from calibration.check.picture_problems import burnt_out, unsteady
from calibration.check.problem import Problem, counted
from calibration.check.readability import MapCell, map_of
from calibration.check.survey import Survey
from calibration.check.table_problems import problems_of, problems_without_plane
from calibration.errors import PlaneNotSeen
from calibration.geometry.fit import fit_plane
from calibration.geometry.plane import Plane
from calibration.tags.illumination import noise_of
from card_printables.marker import SYMBOL_MM
from card_printables.token import PIECES

READ_REACH_SHARE = 0.035
"""Of the picture's width: half of what lies between two places of a map that fills it."""
PROVES_REACH_SHARE = 0.08
"""Of the picture's width: the most by which the nearest place may be off."""

READS = {"green": "yes", "amber": "sometimes", "red": "no"}


def report_on(images: Iterable[np.ndarray], symbol_mm: float = SYMBOL_MM) -> dict[str, Any]:
    """What pictures (H, W, 3) uint8 of one still camera show, as plain JSON.

    Keys: verdict, advice, advice_key, params, plane {rms_mm, lens, ...} or null, tokens, camera,
    map, problems, places (the map for a page: x, y from 0 to 1 of the picture, reads
    yes/sometimes/no). Pictures of another size than the first are left out.
    """
    survey = Survey()
    for image in images:
        survey.add_picture(image)
    return report_of(survey, symbol_mm)


def report_of(survey: Survey, symbol_mm: float = SYMBOL_MM) -> dict[str, Any]:
    """What a survey shows, as plain JSON (see `report_on`); `reads` counts the places where cards
    were really read."""
    plane, spots, pool = None, [], survey.pool
    burnt = np.zeros(survey.grey.shape, bool)
    tags = pool.tags()
    try:
        plane = pool.plane()
        problems = problems_of(
            survey.image,
            tags,
            survey.every,
            survey.lights,
            plane,
            survey.codes_px,
            symbol_mm,
        )
        tags, plane = _without_covered(tags, plane, problems)
        burnt = burnt_out(survey.grey, survey.lights, plane, survey.codes_px)
        spots = map_of(plane, survey.lights, symbol_mm, burnt, noise_of(survey.grey, tags.values()))
    except PlaneNotSeen:
        problems = problems_without_plane(survey.grey)
    problems += unsteady(pool.jitter_px(), survey.flicker, pool.size_px[0])
    problems = counted(problems)
    places = _places(spots, survey, problems, burnt)
    reads = [place["reads"] for place in places]
    reads += ["no"] * (len(spots) - len(places)) if places else []  # outside the picture
    verdict = verdict_of(
        reads,
        problems,
        plane is not None and plane.middle_from_tokens,
        any(place["read"] for place in places),
    )
    advice = advice_for(plane, _unproven(spots, places, pool.size_px), problems, symbol_mm)
    return {
        "verdict": verdict,
        "advice": advice.says,
        "advice_key": advice.key,
        "params": advice.params,
        "plane": _plane_told(plane),
        "tokens": _tokens_told(plane, tags),
        "tray_mm": _points(plane.tray_mm) if plane and plane.tray_mm else None,
        "camera": {
            "width": pool.size_px[0],
            "height": pool.size_px[1],
            "frames": pool.count,
            "jitter_px": round(pool.jitter_px(), 2),
            "flicker": round(survey.flicker, 3),
        },
        "map": [_spot_told(spot) for spot in spots],
        "problems": [problem.to_json() for problem in problems],
        "headline": _headline(verdict),
        "places": places,
        "read_at_once": {"n": reads.count("yes"), "all": len(reads)} if reads else None,
        "outlines": outlines(plane) if plane else None,
    }


def _without_covered(
    tags: dict[int, np.ndarray], plane: Plane, problems: Sequence[Problem]
) -> tuple[dict[int, np.ndarray], Plane]:
    """The tags without those of tokens that are not wholly seen, and the plane of the rest: such a
    token's sides are not where its paper's are."""
    names = {p.piece for p in problems if p.key in ("token-hidden", "token-burnt")}
    covered = {tag.id for piece in PIECES if piece.name in names for tag in piece.tags}
    rest = {tag_id: corners for tag_id, corners in tags.items() if tag_id not in covered}
    if len(rest) == len(tags) or not rest:
        return tags, plane
    return rest, fit_plane(rest, plane.size_px)


def _headline(verdict: str) -> str:
    return {
        "ready": "Ready to play",
        "part": "What is in the picture can be read; the table may reach beyond it",
        "playable": "Playable, with a few weak places",
        "patient": "Playable with patience: many places do not read at once",
        "poor": "Many places cannot be read yet",
        "blind": "The table is not found",
    }[verdict]


def _plane_told(plane: Plane | None) -> dict[str, Any] | None:
    if plane is None:
        return None
    x, y, z = plane.eye_mm
    return {
        "rms_mm": round(plane.rms_mm, 3),
        "lens": round(plane.lens, 4),
        "bend": round(plane.bend, 4),
        "focal_px": round(plane.focal_px, 1),
        "centre_px": _rounded(plane.centre_px),
        "matrix": [[float(value) for value in row] for row in plane.matrix],
        "camera_mm": [round(x, 1), round(y, 1), round(-z, 1)],
        "middle_mm": _points(plane.middle_mm) if plane.middle_mm else None,
        "middle_from_tokens": plane.middle_from_tokens,
    }


def _tokens_told(plane: Plane | None, tags: dict[int, np.ndarray]) -> list[dict[str, Any]]:
    told = []
    for piece in PIECES[:-1]:
        corners = tags.get(piece.tags[0].id)
        place = plane.told_place(piece.name) if plane else None
        told.append(
            {
                "name": piece.name,
                "seen": corners is not None,
                "centre_mm": _rounded((place.x_mm, place.y_mm)) if place else None,
                "corners_px": _points(corners) if corners is not None else None,
            }
        )
    return told


def _spot_told(spot: MapCell) -> dict[str, Any]:
    return {
        "x_mm": round(spot.x_mm, 2),
        "y_mm": round(spot.y_mm, 2),
        "x_px": _known(spot.x_px),
        "y_px": _known(spot.y_px),
        "px_per_module": _known(spot.px_per_module) or 0.0,
        "blur_px": round(spot.blur_px, 2),
        "contrast": round(spot.contrast),
        "glare": round(spot.glare, 2),
        "tilt_deg": round(spot.tilt_deg),
        "read_chance": round(spot.read_chance, 3),
        "verdict": spot.verdict,
    }


def _known(value: float) -> float | None:
    """Rounded; None (no number of JSON's) behind the camera."""
    return round(value, 2) if np.isfinite(value) else None


def _in_picture(spot: MapCell, size_px: tuple[int, int]) -> bool:
    return 0 <= spot.x_px < size_px[0] and 0 <= spot.y_px < size_px[1]


def _place(spot: MapCell, size_px: tuple[int, int], read: bool) -> dict[str, Any]:
    """A place for the page; where a card was really read, it reads, whatever was predicted."""
    return {
        "x": round(spot.x_px / size_px[0], 4),
        "y": round(spot.y_px / size_px[1], 4),
        "reads": "yes" if read else READS[spot.verdict],
        "read": read,
    }


def _places(
    spots: Sequence[MapCell], survey: Survey, problems: Sequence[Problem], burnt: np.ndarray
) -> list[dict[str, Any]]:
    """The places in the picture; a card that is read proves the place nearest to it, and others
    very near, until the light there hides what lies there. A lamp between places that all read is told of
    the one beside it."""
    if any(problem.key in UNTOLD for problem in problems):
        return []
    size = survey.pool.size_px
    shown = [spot for spot in spots if _in_picture(spot, size)]
    at_px = np.array([(spot.x_px, spot.y_px) for spot in shown]).reshape(-1, 2)
    read = np.zeros(len(shown), bool)
    for code in survey.reads_px if shown else ():
        off = np.hypot(*(at_px - code).T)
        read |= (off < READ_REACH_SHARE * max(size)) | (
            (off == off.min()) & (off < PROVES_REACH_SHARE * max(size))
        )
    read &= np.array([not spot.is_hidden for spot in shown], bool)
    places = [_place(spot, size, bool(was)) for spot, was in zip(shown, read, strict=True)]
    lamp = any(problem.key == "glare" for problem in problems)
    if lamp and all(place["reads"] == "yes" for place in places):
        places[_nearest_to(burnt, at_px)]["reads"] = "sometimes"
    return places


def _unproven(
    spots: Sequence[MapCell], places: Sequence[dict[str, Any]], size_px: tuple[int, int]
) -> list[MapCell]:
    """The spots at which no card was really read."""
    shown = (spot for spot in spots if _in_picture(spot, size_px))
    proven = [spot for spot, place in zip(shown, places, strict=False) if place["read"]]
    return [spot for spot in spots if spot not in proven]


def _nearest_to(burnt: np.ndarray, at_px: np.ndarray) -> int:
    """Which of these points (n, 2) px lies nearest to where the picture is burnt out."""
    away = cv2.distanceTransform((~burnt).astype(np.uint8), cv2.DIST_L2, 5)
    x, y = at_px.astype(int).T
    return int(away[y, x].argmin())


def _rounded(point: Iterable[float]) -> list[float]:
    return [round(float(value), 2) for value in point]


def _points(points: Iterable[Iterable[float]]) -> list[list[float]]:
    return [_rounded(point) for point in points]

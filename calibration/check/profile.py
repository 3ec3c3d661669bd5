"""What is kept of a set-up for the next evening, and whether it is still the same.

Knows reports, planes and a folder's files; must not know cameras or the game. The caller says when
it was made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from calibration.errors import BadPicture
from calibration.geometry.place import PiecePlace
from calibration.geometry.plane import Plane
from card_printables.files import read_regular, write_beside_then_replace

FORMAT = 2

LEAST_PX, MOST_PX = 0.01, 10_000
"""No module of a code and no blur is as small, unless it is none, or as large."""

_USED_OF_MAP = ("px_per_module", "blur_px")

SAME_PX = 1.5
"""Tokens this near (the farthest, at 1080p) to last time's: nobody touched camera or tokens."""

SAME_MM = 25.0
"""Tokens whose distances changed by less were laid out anew in the same places."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One camera over one table: the camera's name, the date and time as text, the plane, the
    report's map and verdict, and the camera's mode and locks as it gave them; no picture."""

    camera: str
    made_at: str
    plane: Plane
    verdict: str
    map: tuple[dict[str, Any], ...] = ()
    mode: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How today's look compares: `same` means ready at once; else `says` names what has changed,
    `key` for other languages."""

    same: bool
    says: str
    key: str


def save_profile(profile: Profile, path: Path) -> None:
    """Write the profile as JSON, whole or not at all. The picture of the table that was kept beside it
    once, with whoever sat there, goes.

    Raises BadPicture when the place cannot be written."""
    told = {
        "format": FORMAT,
        "camera": profile.camera,
        "made_at": profile.made_at,
        "verdict": profile.verdict,
        "map": list(profile.map),
        "mode": dict(profile.mode),
        "plane": plane_to_json(profile.plane),
    }
    text = json.dumps(told, ensure_ascii=False, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_beside_then_replace(path, text.encode())
        path.with_suffix(".jpg").unlink(missing_ok=True)
    except OSError as error:
        raise BadPicture(
            f"the calibration cannot be kept in {path} ({error.strerror}): choose another folder"
        ) from error


def path_for(folder: Path, camera: str) -> Path:
    """The file of this camera's first place in `folder`, named after the camera (`profile_store`
    knows the others)."""
    plain = "".join(c if c.isalnum() else "-" for c in camera.casefold()).strip("-")[:60]
    return folder / "calibration" / f"{plain or 'camera'}.json"


def load_profile(path: Path) -> Profile | None:
    """The profile in a file; None when there is none, or none that this version understands."""
    try:
        told = json.loads(read_regular(path).decode("utf-8"))
        if told["format"] != FORMAT:
            return None
        profile = Profile(
            str(told["camera"]),
            str(told["made_at"]),
            plane_from_json(told["plane"]),
            str(told["verdict"]),
            tuple(told["map"]),
            dict(told["mode"]),
        )
        used = (spot[key] for spot in profile.map for key in _USED_OF_MAP)
        if not all(px == 0 or LEAST_PX <= px <= MOST_PX for px in used):
            return None
        compare_with_profile(profile, profile.camera, profile.plane)  # raises where none can be
    except Exception:  # json and numpy raise many kinds for what is no profile
        return None
    return profile


def plane_to_json(plane: Plane) -> dict[str, Any]:
    """A plane as plain JSON."""
    return {
        "width_px": plane.width_px,
        "height_px": plane.height_px,
        "matrix": np.asarray(plane.matrix).tolist(),
        "lens": plane.lens,
        "bend": plane.bend,
        "centre_px": list(plane.centre_px),
        "focal_px": plane.focal_px,
        "eye_mm": list(plane.eye_mm),
        "rms_mm": plane.rms_mm,
        "seen": sorted(plane.seen),
        "places": {
            name: [p.x_mm, p.y_mm, p.turn_deg, p.inferred] for name, p in plane.places.items()
        },
        "middle_mm": [list(p) for p in plane.middle_mm] if plane.middle_mm else None,
        "middle_from_tokens": plane.middle_from_tokens,
    }


def plane_from_json(told: Mapping[str, Any]) -> Plane:
    """The plane that `plane_to_json` tells. Raises KeyError, ValueError or TypeError for anything else."""
    matrix = np.array(told["matrix"], float).reshape(3, 3)
    middle = (
        tuple((float(x), float(y)) for x, y in told["middle_mm"]) if told["middle_mm"] else None
    )
    places = {
        str(n): PiecePlace(float(x), float(y), float(turn), bool(guess))
        for n, (x, y, turn, guess) in told["places"].items()
    }
    x, y, z = (float(value) for value in told["eye_mm"])
    return Plane(
        int(told["width_px"]),
        int(told["height_px"]),
        matrix,
        float(told["lens"]),
        float(told["bend"]),
        (float(told["centre_px"][0]), float(told["centre_px"][1])),
        float(told["focal_px"]),
        (x, y, z),
        float(told["rms_mm"]),
        places,
        frozenset(told["seen"]),
        middle,
        bool(told["middle_from_tokens"]),
    )


def compare_with_profile(profile: Profile, camera: str, plane: Plane) -> Comparison:
    """Today's plane beside the kept one: the same, or what has changed, in one sentence."""
    kept = profile.plane
    if camera != profile.camera:
        return Comparison(
            False, f"Another camera than last time ({profile.camera}): looking anew.", "camera"
        )
    if plane.size_px != kept.size_px:
        return Comparison(
            False,
            f"The camera gives {plane.width_px} x {plane.height_px} pictures, last time it was "
            f"{kept.width_px} x {kept.height_px}: looking anew.",
            "mode",
        )
    common = [name for name in plane.seen if name in kept.seen]
    if len(common) < 3:
        return Comparison(
            False, "Fewer than three tokens are found as last time: looking anew.", "few"
        )
    now, then = (
        np.array([(p.places[n].x_mm, p.places[n].y_mm) for n in common]) for p in (plane, kept)
    )
    off_px = float(np.max(np.linalg.norm(plane.to_px(now) - kept.to_px(then), axis=1)))
    if off_px <= SAME_PX * max(plane.size_px) / 1920:
        return Comparison(True, "Same as last time: ready.", "same")
    spread = np.abs(_gaps(now) - _gaps(then)).max()
    if spread <= SAME_MM:
        return Comparison(
            False,
            "The table is as last time, the camera stands differently: looking anew.",
            "stands",
        )
    return Comparison(False, "The tokens lie differently from last time: looking anew.", "tokens")


def _gaps(points: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(points[:, None] - points[None], axis=2))

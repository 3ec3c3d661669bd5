"""Which kept set-up of a camera is today's: people play at more than one table with the same
camera.

Knows the profiles' files; must not know cameras or the game.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from calibration.check.profile import (
    Comparison,
    Profile,
    compare_with_profile,
    load_profile,
    path_for,
)
from calibration.geometry.plane import Plane

MOST_PLACES = 9
"""Places kept for one camera; then the one not used for longest is given up."""

_LIKENESS = {"same": 0, "stands": 1}
"""The same in every way, or the same table under a camera that stands differently; all others are
other places."""


def files_of(folder: Path, camera: str) -> list[Path]:
    """The files of this camera's places, the one kept last first."""
    return newest_first(_every(folder, camera))


def newest_first(files: Iterable[Path]) -> list[Path]:
    """Those of these files that are there, the one kept last first: what cannot even be asked, as a link
    that leads nowhere, is no place."""
    kept_at: dict[Path, float] = {}
    for file in files:
        with contextlib.suppress(OSError):
            kept_at[file] = file.stat().st_mtime
    return sorted(kept_at, key=kept_at.__getitem__, reverse=True)


def most_alike_profile(
    folder: Path, camera: str, plane: Plane
) -> tuple[Profile, Comparison] | None:
    """The kept place most like today's look, and how it compares; None when nothing is kept for
    this camera."""
    tried = [
        (kept, compare_with_profile(kept, camera, plane))
        for file in files_of(folder, camera)
        if (kept := load_profile(file)) is not None
    ]
    return min(tried, key=lambda one: _LIKENESS.get(one[1].key, 2)) if tried else None


def file_for(folder: Path, camera: str, plane: Plane) -> Path:
    """Where today's set-up is to be kept: over the same table's, else beside the others."""
    files = files_of(folder, camera)
    for file in files:
        kept = load_profile(file)
        if kept is None or compare_with_profile(kept, camera, plane).key in _LIKENESS:
            return file
    return next(
        (file for file in _every(folder, camera) if file not in files),
        files[-1] if files else path_for(folder, camera),
    )


def _every(folder: Path, camera: str) -> list[Path]:
    first = path_for(folder, camera)
    return [first, *(first.with_stem(f"{first.stem}--{i}") for i in range(2, MOST_PLACES + 1))]

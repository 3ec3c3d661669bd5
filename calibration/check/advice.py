"""The one thing that would help most, with its number.

Knows the readability map and the problems; must not know how they were measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.check.problem import Params, Problem, burnt_out_white, where_of
from calibration.check.readability import CONTRAST_WANTED, RED_CHANCE, MapCell, px_needed
from calibration.geometry.plane import Plane
from card_printables.marker import DISC_MM, SYMBOL_MM, largest_symbol_mm
from card_printables.token import TOKEN_NAMES

_SOFT_PX = 1.1
"""Median blur of the weak places from which a sharp lens would help more than coming nearer
(chosen)."""
_GLARE_SHARE = 0.04
"""Share of a marker burnt out from which a lamp is to blame: what the reader forgives
(`readability.GLARE_FREE_SHARE`)."""
_MOSTLY_SHARE = 0.34
"""Share of the weak places that a lamp must spoil for it to be the best advice: turning it helps no
others."""

FEW_SHARE = 0.2
"""Share of the places up to which they are a few; chosen."""

UNTOLD = ("two-sets", "swapped")
"""Which token is which is not known then: nothing can be told of any place."""

_BURNT_EXPOSURE = 1.2
"""Times the light that burns out white paper, at the weak places, from which less light would help
most (chosen)."""
_STEEP_DEG = 40.0
"""Tilt from which raising the camera helps more than coming nearer, where a look from above would see
enough pixels (chosen);"""
_VERY_STEEP_DEG = 55.0
"""and from which it is told whatever the pixels are (chosen)."""
_A_LITTLE_NEARER = 0.97
"""Of the distance: the least that coming nearer is advised by (chosen)."""
_URGENT = (
    "mirrored",
    "dark",
    "blank",
    "no-tokens",
    "two-sets",
    "swapped",
    "bright",
    "outside",
    "screen",
    "unlike",
    "wrong-scale",
    "all-small",
    "curled",
    "token-unread",
)
_PIECES = ("token-hidden", "token-burnt", "trimmed")
"""Said when all can be read: nothing needs them to be mended at once."""
_PICTURE = ("shaky", "glare", "token-faint", "dim", "dirty", "soft", "flicker")
"""Said only when something cannot be read, or a token is not found; a glare always is: what burns out
hides what lies there."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do: a stable `key`, the sentence, and its numbers (`params`) for other languages."""

    key: str
    says: str
    params: Params = field(default_factory=dict)


def verdict_of(
    reads: Sequence[str],
    problems: Sequence[Problem],
    bounded: bool = True,
    proven: bool = False,
) -> str:
    """What is said of the table by how many of its places read ("yes", "sometimes" or "no"), where
    its tokens tell how far it goes (`bounded`): the places are those of the picture else. In a burnt-out
    picture patience is promised only where cards were really read (`proven`).

    ready: every place reads at once; part: every place of the picture does, and the table, or its tray,
    may go on beyond it; playable: all but a few do; patient: many do not, but few cannot
    be read; poor: many cannot be read, or the picture is too soft or too bright, or the tokens too
    confused, to tell; blind: no table seen."""
    keys = {problem.key for problem in problems}
    if keys & set(UNTOLD) or (not reads and keys & {"soft", "bright"}):
        return "poor"
    if not reads or keys & set(_URGENT[:4]):
        return "blind"
    few = FEW_SHARE * len(reads)
    weak = len(reads) - reads.count("yes")
    if weak <= few:
        whole = bounded and "outside" not in keys
        return "playable" if weak else "ready" if whole else "part"
    doubtful = "bright" in keys and not proven
    return "patient" if reads.count("no") <= few and not doubtful else "poor"


def advice_for(
    plane: Plane | None,
    spots: Sequence[MapCell],
    problems: Sequence[Problem],
    symbol_mm: float = SYMBOL_MM,
) -> Advice:
    """The single best advice; "ready" when nothing needs doing."""
    urgent = sorted((p for p in problems if p.key in _URGENT), key=lambda p: _URGENT.index(p.key))
    if urgent:
        return _told(urgent[0], problems)
    weak = [s for s in spots if s.verdict != "green"]
    lamps = [p for p in problems if p.key == "glare"]
    if plane is not None and not weak and lamps:
        return _told(lamps[0], problems)
    soft = [p for p in problems if p.key == "soft"]
    if plane is None and soft:
        return _told(soft[0], problems)
    pieces = [p for p in problems if p.key in _PIECES]
    glared = bool(weak) and sum(_is_glared(s) for s in weak) >= _MOSTLY_SHARE * len(weak)
    telling = [p for p in problems if p.key in _PICTURE and (glared or p.key != "glare")]
    of_picture = sorted(telling, key=lambda p: _PICTURE.index(p.key))
    if plane is None or not weak:
        if pieces:
            return _told(pieces[0], problems)
        if of_picture and plane is not None and not plane.seen.issuperset(TOKEN_NAMES):
            return _told(of_picture[0], problems)  # so dark, say, that a token is not found
        return Advice("ready", "Everything can be read: play.")
    if of_picture:
        return _told(of_picture[0], problems)
    if lamps and _is_burnt(weak):  # a lamp's light, and not the whole picture, burns them out
        return _told(lamps[0], problems)
    lamp = _glare(plane, weak, glared)
    if pieces and not lamp and not plane.middle_from_tokens:
        return _told(pieces[0], problems)
    return (
        lamp
        or _steep(plane, weak)
        or _light(weak)
        or _sharper(weak)
        or _nearer(plane, weak, symbol_mm)
    )


def _told(problem: Problem, problems: Sequence[Problem]) -> Advice:
    """To mend this one, and those of its kind on other pieces."""
    kin = [p.says for p in problems if p.key == problem.key and p.piece] or [problem.says]
    return Advice(problem.key, " ".join(dict.fromkeys(kin)), problem.all_params)


def _glare(plane: Plane, weak: Sequence[MapCell], glared: bool) -> Advice | None:
    glare = max(weak, key=lambda s: s.glare)
    if not glared or glare.glare <= _GLARE_SHARE:
        return None
    where = _where(plane, glare)
    return Advice(
        "glare",
        f"Lamp glare or bright white {where}: turn the lamp away, or take the white thing off.",
        {"where": where},
    )


def _is_glared(spot: MapCell) -> bool:
    """True where a lamp is to blame: without it the pixels would do."""
    would_do = spot.px_per_module >= px_needed(spot.blur_px, RED_CHANCE)
    return spot.glare > _GLARE_SHARE and would_do


def _steep(plane: Plane, weak: Sequence[MapCell]) -> Advice | None:
    """A flat look: print is squeezed until its black and white run together, in any light."""
    worst = _worst(weak)
    unsqueezed = worst.px_per_module / np.cos(np.radians(worst.tilt_deg))
    squeezed = worst.tilt_deg > _VERY_STEEP_DEG or unsqueezed >= px_needed(worst.blur_px)
    if worst.tilt_deg <= _STEEP_DEG or not squeezed or not plane.middle_from_tokens:
        return None
    return Advice(
        "steep",
        f"The camera looks too flatly at the {_where(plane, worst)} ({worst.tilt_deg:.0f} degrees): "
        "raise it and tip it down.",
        {"tilt_deg": round(worst.tilt_deg), "where": _where(plane, worst)},
    )


def _light(weak: Sequence[MapCell]) -> Advice | None:
    if _is_burnt(weak):
        return _told(burnt_out_white(), [])
    if min(s.contrast for s in weak) < CONTRAST_WANTED:
        return Advice(
            "dim",
            "Too dark to read: switch on a light.",
            {"contrast": round(min(s.contrast for s in weak))},
        )
    return None


def _is_burnt(weak: Sequence[MapCell]) -> bool:
    return float(np.median([s.exposure for s in weak])) > _BURNT_EXPOSURE


def _sharper(weak: Sequence[MapCell]) -> Advice | None:
    """Soft pictures: worth more than coming nearer, when a sharp lens would do at this distance."""
    blur = float(np.median([s.blur_px for s in weak]))
    would_do = all(s.px_per_module >= px_needed(0.7, RED_CHANCE) for s in weak)
    if blur > _SOFT_PX and would_do:
        return Advice(
            "soft",
            f"The picture is soft ({blur:.1f} px): wipe the lens, let the camera focus on the table.",
            {"blur_px": round(blur, 1)},
        )
    return None


def _worst(weak: Sequence[MapCell]) -> MapCell:
    """Where most is missing."""
    return min(weak, key=lambda s: s.px_per_module - px_needed(s.blur_px))


def _nearer(plane: Plane, weak: Sequence[MapCell], symbol_mm: float) -> Advice:
    """Where pixels would do for this blur, a little more of them makes good for the light."""
    worst = _worst(weak)
    share = min(worst.px_per_module / px_needed(worst.blur_px), _A_LITTLE_NEARER)
    needed_mm = float(np.ceil(symbol_mm / share))
    cm = max(1, round(plane.distance_mm((worst.x_mm, worst.y_mm)) * (1 - share) / 10))
    percent = max(1, round(100 * (1 - share)))
    if needed_mm > largest_symbol_mm(DISC_MM):
        return Advice(
            "more-pixels",
            f"Lay the tokens {percent} % closer together and move the camera {cm} cm closer, or take a camera "
            "with larger pictures.",
            {"cm": cm, "percent": percent},
        )
    if _has_room(plane, share):
        return Advice(
            "nearer",
            f"Move the camera {cm} cm closer, or print the markers at {needed_mm:.0f} mm.",
            {"cm": cm, "symbol_mm": needed_mm},
        )
    return Advice(
        "smaller-table",
        f"Lay the tokens {percent} % closer together and move the camera {cm} cm closer, "
        f"or print the markers at {needed_mm:.0f} mm ({symbol_mm:.0f} mm now).",
        {"cm": cm, "percent": percent, "symbol_mm": needed_mm},
    )


def _has_room(plane: Plane, share: float) -> bool:
    """True when the table still fits the picture after coming so much nearer."""
    rim = plane.to_px(np.array(plane.middle_mm)) if plane.middle_mm else np.zeros((1, 2))
    centre = np.array([plane.width_px, plane.height_px]) / 2
    reach = np.abs(rim - centre) / share
    return bool((reach <= centre * 1.02).all())


def _where(plane: Plane, spot: MapCell) -> str:
    return where_of(plane.size_px, (spot.x_px, spot.y_px))

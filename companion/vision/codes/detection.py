"""What the reader says about one picture: the values that leave `companion.vision.codes.reader`.

Knows pixels and printed words; knows no millimetres, no table, no game. Pixel coordinates as
everywhere: (0, 0) is the centre of the top-left pixel. Corners are the outer corners of the printed
code (quiet zone not counted) in the order top-left, top-right, bottom-right, bottom-left of the
print.
"""

from __future__ import annotations

from dataclasses import dataclass

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
Box = tuple[float, float, float, float]


MOST_PAYLOAD_BYTES = 64
"""Bytes that are kept of a foreign code."""


@dataclass(frozen=True, slots=True)
class Detection:
    """One code of ours, found: `card` and `deck` are None on a back. `score` 0..1 is the likeness
    of its data modules.

    `reader` says who vouches: "known" (the known-deck decoder), "zxing", "both", or "tracked" (the
    known-deck decoder at the place where this card was expected).
    """

    card: int | None
    deck: str | None
    is_back: bool
    corners_px: Corners
    score: float
    reader: str
    mirrored: bool = False

    @property
    def centre_px(self) -> tuple[float, float]:
        """Where the code's diagonals cross: the middle of the print, also in perspective."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.corners_px
        ux, uy, vx, vy = cx - ax, cy - ay, dx - bx, dy - by
        cross = ux * vy - uy * vx
        if abs(cross) < 1e-9:
            return ((ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4)
        along = ((bx - ax) * vy - (by - ay) * vx) / cross
        return (ax + along * ux, ay + along * uy)


@dataclass(frozen=True, slots=True)
class Expected:
    """A card that lay there a moment ago: its number (None is a back) and where its corners were,
    px."""

    card: int | None
    corners_px: Corners


@dataclass(frozen=True, slots=True)
class Foreign:
    """A code that is none of this table's cards: its raw bytes (cut to `MOST_PAYLOAD_BYTES`) and
    its corners as far as they are known."""

    payload: bytes
    corners_px: Corners


@dataclass(frozen=True, slots=True)
class Conflict:
    """Something that cannot be true and so counts for nothing.

    `why` is "twice" (the same card at two places) or "readers" (the two readers name different
    codes at one place).
    """

    why: str
    cards: tuple[int, ...]
    corners_px: tuple[Corners, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """All that the reader saw in one picture: cards and backs, and apart from them what does not
    count.

    `faint` are cards of this deck that one picture shows too faintly to be named; see
    `faint.TemporalVote`. `names` are cards that lay there without a name and got one since: stand-in
    number and card, each pair in every reading from then on.
    """

    detections: tuple[Detection, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    foreign: tuple[Foreign, ...] = ()
    mirrored: tuple[Detection, ...] = ()
    faint: tuple[Expected, ...] = ()
    names: tuple[tuple[int, int], ...] = ()

    @property
    def cards(self) -> dict[int, Detection]:
        """The cards read, by number; a number is at most once in a reading."""
        return {d.card: d for d in self.detections if d.card is not None}

    @property
    def backs(self) -> tuple[Detection, ...]:
        """The printed backs in view."""
        return tuple(d for d in self.detections if d.is_back)

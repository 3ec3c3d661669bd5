"""One thing that is wrong with a set-up, as a value: a stable key, a sentence with what to do, its
numbers.

Knows words; must not know how anything is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

Params = dict[str, float | str | list[str]]
"""What a sentence is filled with: numbers, a piece or a place, several pieces."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a stable `key`, a sentence for people, which piece it is about, and
    its numbers."""

    key: str
    says: str
    piece: str | None = None
    params: Params = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """As plain JSON."""
        return {"key": self.key, "says": self.says, "piece": self.piece, "params": self.all_params}

    @property
    def all_params(self) -> Params:
        """The numbers, and the piece among them: what a sentence in another language needs."""
        return self.params | ({"piece": self.piece} if self.piece else {})


def hidden(token: str) -> Problem:
    """A token of this name is not seen, or only in part; nobody knows whether it was laid, whether
    something covers it or a lamp shines on it, or whether the picture ends before it."""
    says = (
        f"The {spoken(token)} is not wholly seen: when you can, lay or uncover it in the camera's view, "
        "out of lamp glare, or move the camera back a little."
    )
    return Problem("token-hidden", says, token)


def faint(token: str) -> Problem:
    """A token of this name shows less of black and white than another piece; nobody knows whether by its
    print, its paper, the light there or the lens."""
    says = (
        f"The {spoken(token)} looks faint: print it in black on white paper, spread the light, or wipe "
        "the lens."
    )
    return Problem("token-faint", says, token)


def burnt_out_white() -> Problem:
    """The whole picture is too bright."""
    return Problem("bright", "The picture is burnt out: dim the lamp or turn it away.")


def burnt_out_at(token: str) -> Problem:
    """A token of this name is not seen, or not whole, and the picture is burnt out at its place: by a
    lamp, or by something white in its light."""
    says = (
        f"Where the {spoken(token)} should lie the picture is burnt out white: turn the lamp away, tilt "
        "the camera a little, or take off what is white there."
    )
    return Problem("token-burnt", says, token)


def counted(problems: Sequence[Problem]) -> list[Problem]:
    """The same, those about a piece with all the `pieces` of their kind and how many these are (`n`):
    what is wrong with several is told of all of them in one sentence."""
    pieces: dict[str, list[str]] = {}
    for problem in problems:
        kin = pieces.setdefault(problem.key, [])
        if problem.piece and problem.piece not in kin:
            kin.append(problem.piece)
    return [
        replace(one, params=one.params | {"n": len(pieces[one.key]), "pieces": pieces[one.key]})
        if one.piece
        else one
        for one in problems
    ]


def spoken(piece: str) -> str:
    """A piece's name as people say it."""
    return piece.replace("token-", "").replace("-", " ") + (
        " token" if piece.startswith("token-") else ""
    )


def where_of(size_px: tuple[int, int], at_px: tuple[float, float]) -> str:
    """A place of the picture in words: "top left", "right", "centre"."""
    (width, height), (x, y) = size_px, at_px
    rows = "top" if y < height / 3 else "bottom" if y > height * 2 / 3 else ""
    columns = "left" if x < width / 3 else "right" if x > width * 2 / 3 else ""
    return f"{rows} {columns}".strip() or "centre"

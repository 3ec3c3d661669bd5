"""One thing that is wrong with a set-up, as a value: a stable key, a sentence with what to do, its
numbers.

Knows words; must not know how anything is measured.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a stable `key`, a sentence for people, which piece it is about, and
    its numbers."""

    key: str
    says: str
    piece: str | None = None
    params: dict[str, float | str] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """As plain JSON."""
        return {"key": self.key, "says": self.says, "piece": self.piece, "params": self.all_params}

    @property
    def all_params(self) -> dict[str, float | str]:
        """The numbers, and the piece among them: what a sentence in another language needs."""
        return self.params | ({"piece": self.piece} if self.piece else {})


def hidden(token: str) -> Problem:
    """A token of this name is covered, wholly or in part; the others are enough to play."""
    says = (
        f"The {spoken(token)} is not wholly seen. The others are enough to play; uncover it when you can, "
        "or move the camera back a little."
    )
    return Problem("token-hidden", says, token)


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

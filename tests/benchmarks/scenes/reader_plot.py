"""The reader benchmark's picture: recall over pixels a module, one line a reader, one panel a
condition."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT, LEFT, TOP, GAP = 430, 330, 60, 50, 45
COLOURS = (
    (30, 30, 200),
    (200, 110, 20),
    (60, 160, 60),
    (150, 150, 150),
    (190, 90, 190),
    (30, 170, 220),
    (120, 90, 40),
)


def plot(path: Path, recall: dict[str, dict[str, dict[float, float]]]) -> None:
    """Draw `recall` (condition -> reader -> px a module -> share 0..1) into the PNG file `path`."""
    conditions = list(recall)
    readers = list(recall[conditions[0]])
    size = (
        TOP + HEIGHT + 70 + 22 * ((len(readers) + 2) // 3),
        LEFT + len(conditions) * (WIDTH + GAP),
        3,
    )
    sheet = np.full(size, 255, np.uint8)
    sizes = sorted({p for c in conditions for r in readers for p in recall[c][r]})
    for column, condition in enumerate(conditions):
        _panel(sheet, LEFT + column * (WIDTH + GAP), condition, recall[condition], sizes)
    for i, reader in enumerate(readers):
        x, y = LEFT + (i % 3) * 430, TOP + HEIGHT + 62 + 22 * (i // 3)
        cv2.line(
            sheet,
            (x, y - 5),
            (x + 34, y - 5),
            COLOURS[i % len(COLOURS)],
            3 if i < 2 else 2,
            cv2.LINE_AA,
        )
        _text(sheet, reader, (x + 42, y))
    cv2.imwrite(str(path), sheet)


def _panel(
    sheet: np.ndarray,
    left: int,
    title: str,
    lines: dict[str, dict[float, float]],
    sizes: list[float],
) -> None:
    def at(size: float, share: float) -> tuple[int, int]:
        span = np.log(sizes[-1] / sizes[0]) or 1.0
        return round(left + 15 + (WIDTH - 30) * np.log(size / sizes[0]) / span), round(
            TOP + HEIGHT * (1 - share)
        )

    for share in (0, 0.25, 0.5, 0.75, 1):
        y = at(sizes[0], share)[1]
        cv2.line(sheet, (left, y), (left + WIDTH, y), (225, 225, 225), 1)
        _text(sheet, f"{share:.0%}", (left - 42, y + 4))
    for size in sizes:
        _text(sheet, f"{size:g}", (at(size, 0)[0] - 12, TOP + HEIGHT + 18))
    _text(sheet, f"{title}: cards read, by pixels a module", (left, TOP - 16))
    for i, reader in reversed(list(enumerate(lines))):
        points = np.array(
            [at(size, share) for size, share in sorted(lines[reader].items())], np.int32
        )
        cv2.polylines(
            sheet, [points], False, COLOURS[i % len(COLOURS)], 3 if i < 2 else 2, cv2.LINE_AA
        )


def _text(sheet: np.ndarray, text: str, at: tuple[int, int]) -> None:
    """Write `text` from the baseline `at` on; by Pillow, as OpenCV 5 draws noughts twice."""
    picture = Image.fromarray(sheet)
    ImageDraw.Draw(picture).text(at, text, (40, 40, 40), ImageFont.load_default(14), anchor="ls")
    sheet[:] = np.asarray(picture)

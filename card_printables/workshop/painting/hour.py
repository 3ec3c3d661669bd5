"""Hours of the day: the colours of sky and light, and where the sun stands.

Knows colours and directions; knows no shapes. Colours are written as the screen shows them
(#rrggbb) and kept as BGR.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


def bgr(code: str) -> np.ndarray:
    """The colour `#rrggbb` as (3,) float32 BGR, 0 to 1, as the screen shows it."""
    return np.array([int(code[i : i + 2], 16) for i in (5, 3, 1)], np.float32) / 255


def linear(colour: np.ndarray) -> np.ndarray:
    """A screen colour as amounts of light, same shape."""
    return np.asarray(np.power(colour, 2.2), np.float32)


@dataclass(frozen=True, slots=True)
class Hour:
    """One hour: the sky at `top`, `middle` and `foot`, the colours of `sun`, of sun `through` a
    cloud, of `shade` and `bounce`.

    `sun_at` points to the sun (x right, y down, z to the eye; z below 0 is behind the cloud);
    `strength` is the sun's.
    """

    name: str
    top: str
    middle: str
    foot: str
    sun: str
    through: str
    shade: str
    bounce: str
    sun_at: tuple[float, float, float]
    strength: float = 1.0


HOURS: tuple[Hour, ...] = (
    Hour(
        "noon",
        "#2b78cc",
        "#74b4e6",
        "#d2e9f5",
        "#fffaf0",
        "#f2f0f0",
        "#7fabe6",
        "#b4c8dc",
        (-0.55, -0.7, 0.45),
    ),
    Hour(
        "gold",
        "#5a83b8",
        "#c9b79f",
        "#f8d492",
        "#ffdda0",
        "#f4b47c",
        "#6f7fb4",
        "#d8a888",
        (0.8, -0.45, 0.42),
        1.15,
    ),
    Hour(
        "turquoise",
        "#1f9db8",
        "#86d0d6",
        "#e2f2e6",
        "#fffbee",
        "#eef2ee",
        "#74b6d0",
        "#cfdcd4",
        (0.6, -0.65, 0.45),
    ),
    Hour(
        "violet",
        "#5c4ba0",
        "#a678b8",
        "#f2a793",
        "#ffc8a4",
        "#ee8f94",
        "#5f56a6",
        "#b87aa8",
        (-0.78, -0.36, 0.42),
        1.2,
    ),
    Hour(
        "morning",
        "#5f9fd6",
        "#b4d2e8",
        "#fce4c8",
        "#fff0d4",
        "#f4dcc8",
        "#78a2e2",
        "#d8c8c4",
        (-0.75, -0.5, 0.42),
    ),
    Hour(
        "rose",
        "#7788cc",
        "#d2a8c8",
        "#f8c8ba",
        "#ffe6d8",
        "#f4b0b0",
        "#7c80c0",
        "#d4a8c0",
        (0.65, -0.5, 0.45),
        1.1,
    ),
    Hour(
        "backlight",
        "#4a93d2",
        "#9cc9ea",
        "#f3efdc",
        "#fff6e0",
        "#f4ead8",
        "#7aa6dc",
        "#b8c4d4",
        (0.3, -0.72, -0.55),
        1.1,
    ),
    Hour(
        "pearl",
        "#8fa9bd",
        "#c3ced4",
        "#ece6da",
        "#fffaf2",
        "#f2eee8",
        "#8ea6c0",
        "#b4b8bc",
        (-0.4, -0.78, 0.46),
        0.92,
    ),
    Hour(
        "cobalt",
        "#1c58ae",
        "#4f92d6",
        "#b6d8f0",
        "#ffffff",
        "#eef0f4",
        "#6f9ce4",
        "#a4bcdc",
        (0.55, -0.62, 0.5),
    ),
    Hour(
        "apricot",
        "#7f9acb",
        "#efb79f",
        "#f8deaf",
        "#ffdfb0",
        "#f6ae88",
        "#7876a6",
        "#dcac98",
        (-0.75, -0.38, -0.5),
        1.1,
    ),
    Hour(
        "mint",
        "#6fb9b6",
        "#c4e0cc",
        "#faeac6",
        "#fff4d8",
        "#f0e4cc",
        "#8fb8bc",
        "#dcd8c0",
        (0.75, -0.5, 0.42),
    ),
    Hour(
        "thunder",
        "#4c6076",
        "#8496a0",
        "#d6cba6",
        "#fff0cc",
        "#e4d4b8",
        "#6c7f98",
        "#a8a498",
        (-0.7, -0.5, 0.45),
        1.08,
    ),
    Hour(
        "lilac",
        "#8a86d4",
        "#c2b6e4",
        "#f6e0e4",
        "#fff2ec",
        "#f0dce4",
        "#9c9cd4",
        "#d4c4d4",
        (0.3, -0.78, 0.45),
    ),
    Hour(
        "ember",
        "#6b5c9c",
        "#d88a8e",
        "#fbc27c",
        "#ffd6a4",
        "#f4906c",
        "#66589a",
        "#c4808c",
        (0.55, -0.35, -0.6),
        1.15,
    ),
)

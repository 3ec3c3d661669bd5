"""A table set laid by eye under a camera model: the truth that the calibration tests and benchmarks
compare with."""

from __future__ import annotations

from functools import cache

import numpy as np

from calibration.geometry.place import PiecePlace, tag_corners_mm
from calibration.simulator.photograph import CameraModel, Sheet, photograph
from card_printables.output.piece_pictures import token_rgba, tray_rgba
from card_printables.token import PIECES, TOKEN_NAMES, TOKENS, TRAY

Layout = dict[str, PiecePlace]


def laid_by_eye(
    rng: np.random.Generator, width_mm: float = 700, depth_mm: float = 420, tray: bool = True
) -> Layout:
    """Tokens near a rectangle's corners, 12 mm and 8 degrees askew; the tray anywhere between them,
    turned anyhow."""
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    places = {}
    for name, (x, y) in zip(TOKEN_NAMES, corners, strict=True):
        dx, dy = rng.normal(0, 12, 2)
        places[name] = PiecePlace(
            x * width_mm / 2 + dx, y * depth_mm / 2 + dy, float(rng.normal(0, 8))
        )
    if tray:
        x, y = rng.uniform(-110, 110, 2)
        places[TRAY.name] = PiecePlace(float(x), float(y), float(rng.uniform(-180, 180)))
    return places


def on_table(points_mm: np.ndarray, place: PiecePlace) -> np.ndarray:
    """Points (n, 2) of a piece's own frame where they lie on the table."""
    turn = np.radians(place.turn_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(points_mm) @ np.array([[cos, sin], [-sin, cos]]) + (place.x_mm, place.y_mm)


def true_tags(camera: CameraModel, layout: Layout) -> dict[int, np.ndarray]:
    """Where the camera sees the corners of every tag, exactly."""
    tags = [
        (tag, layout[piece.name]) for piece in PIECES if piece.name in layout for tag in piece.tags
    ]
    return {
        tag.id: camera.to_px(on_table(tag_corners_mm(tag.centre_mm, tag.size_mm), place))
        for tag, place in tags
    }


def framed(camera: CameraModel, layout: Layout, spare_mm: float = 60) -> CameraModel:
    """The camera moved so that it just sees all tokens."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * spare_mm
    return camera.framing(
        np.concatenate([square + np.array([layout[n].x_mm, layout[n].y_mm]) for n in TOKEN_NAMES])
    )


def between_tokens(layout: Layout) -> tuple[np.ndarray, np.ndarray]:
    """Points all over the middle: in the camera model's frame, and in the table frame that the
    tokens define."""
    quad = np.array([(layout[n].x_mm, layout[n].y_mm) for n in TOKEN_NAMES])
    u, v = (g.ravel()[:, None] for g in np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 1, 7)))
    points = (
        (1 - u) * (1 - v) * quad[0]
        + u * (1 - v) * quad[1]
        + u * v * quad[2]
        + (1 - u) * v * quad[3]
    )
    return points, in_table_frame(points, layout)


def in_table_frame(points: np.ndarray, layout: Layout) -> np.ndarray:
    """Points (n, 2) of the camera model's frame, told in the frame of the layout's two top tokens."""
    origin, right = (np.array([layout[n].x_mm, layout[n].y_mm]) for n in TOKEN_NAMES[:2])
    x = (right - origin) / np.linalg.norm(right - origin)
    return (np.asarray(points) - origin) @ np.column_stack([x, [-x[1], x[0]]])


@cache
def print_of(name: str) -> np.ndarray:
    """A piece's print, BGRA."""
    return (
        tray_rgba(254)
        if name == TRAY.name
        else token_rgba(next(t for t in TOKENS if t.name == name), 254)
    )


def sheets_of(layout: Layout) -> list[Sheet]:
    """The pieces as sheets to photograph."""
    widths = {piece.name: piece.width_mm for piece in PIECES}
    return [
        Sheet(print_of(name), widths[name], (p.x_mm, p.y_mm), p.turn_deg, height_mm=0.0)
        for name, p in sorted(layout.items(), key=lambda item: item[0] != TRAY.name)
    ]


def picture_of(
    layout: Layout,
    camera: CameraModel,
    cloth: str = "wood",
    seed: int = 0,
    more: tuple[Sheet, ...] = (),
) -> np.ndarray:
    """The camera's picture of the layout, with `more` lying on top."""
    return photograph([*sheets_of(layout), *more], camera, cloth, seed)

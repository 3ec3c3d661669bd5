"""A table film with known truth, drawn by a renderer of its own: pinhole and lens, cloths, hands,
cups, paper, light.

Shares no drawing code with the product's practice table, so that a mistake there is not hidden
here. All lengths in mm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from card_printables.deck import word_for
from card_printables.marker import MarkerPlace, modules
from card_printables.output.piece_pictures import back_rgba

SCALE = 1.6
TABLE = (-280.0, -240.0, 1080.0, 740.0)
TRAY = ((620.0, 150.0), (882.0, 150.0), (882.0, 340.0), (620.0, 340.0))
TOKENS = {"a": (0.0, 0.0), "b": (800.0, 0.0), "c": (800.0, 500.0), "d": (0.0, 500.0)}
TABLES = ("wood", "cloth", "white", "black", "checked", "fine", "marble")
DISC = 85.0
GAMMA = (255 * np.linspace(0, 1, 4096) ** (1 / 2.2)).astype(np.float32)


def linear(bgr: tuple[float, float, float] | np.ndarray) -> np.ndarray:
    """Display values 0..255 to linear light 0..1."""
    return (np.asarray(bgr, dtype=np.float32) / 255.0) ** 2.2


def _noise(
    rng: np.random.Generator, shape: tuple[int, int], cell: tuple[float, float]
) -> np.ndarray:
    small = rng.normal(
        0, 1, (max(2, int(shape[0] / cell[1])), max(2, int(shape[1] / cell[0])))
    ).astype(np.float32)
    return cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)


def table_texture(kind: str, rng: np.random.Generator) -> np.ndarray:
    """A table top in linear light, (H, W, 3) float32, `SCALE` px a mm."""
    h, w = int((TABLE[3] - TABLE[1]) * SCALE), int((TABLE[2] - TABLE[0]) * SCALE)
    x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    if kind == "wood":
        wave = _noise(rng, (h, w), (700, 90)) * 3 + y / rng.uniform(9, 22)
        grain = (
            0.5
            + 0.5 * np.sin(wave) * 0.6
            + 0.25 * _noise(rng, (h, w), (160, 3))
            + 0.1 * _noise(rng, (h, w), (12, 2))
        )
        a, b = linear((50, 85, 130)), linear((95, 140, 190))
        out = a + np.clip(grain, 0, 1)[..., None] * (b - a) * rng.uniform(0.5, 1.2)
    elif kind == "cloth":
        weave = 0.12 * (np.sin(x * 2.1) + np.sin(y * 2.3)) + 0.1 * (
            _noise(rng, (h, w), (60, 60)) + _noise(rng, (h, w), (3, 3))
        )
        out = linear(tuple(rng.uniform(25, 90, 3))) * (1 + weave)[..., None]
    elif kind == "white":
        tone = linear(tuple(rng.uniform(205, 235) + rng.uniform(-6, 6, 3)))
        out = tone * (1 + 0.015 * _noise(rng, (h, w), (120, 120)))[..., None]
    elif kind == "black":
        tone = linear(tuple(rng.uniform(14, 26) + rng.uniform(-3, 3, 3)))
        out = tone * (1 + 0.05 * _noise(rng, (h, w), (90, 90)))[..., None]
    elif kind == "checked":
        size = rng.uniform(20, 60) * SCALE
        cell = ((x // size + y // size) % 2)[..., None]
        out = linear(tuple(rng.uniform(150, 230, 3))) * cell + linear(
            tuple(rng.uniform(40, 130, 3))
        ) * (1 - cell)
    elif kind == "fine":
        dots = ((np.sin(x * 0.35) * np.sin(y * 0.35)) > 0.55)[..., None]
        out = np.where(
            dots, linear((225, 225, 235)), linear(tuple(rng.uniform(60, 150, 3)))
        ).astype(np.float32)
    else:
        veins = np.abs(_noise(rng, (h, w), (130, 130)) + 0.4 * _noise(rng, (h, w), (40, 40)))
        out = linear((205, 210, 215)) * (0.55 + 0.45 * np.clip(veins * 3, 0, 1))[..., None]
    return np.clip(out, 0.001, 1).astype(np.float32)


def _code(word: object, side: int) -> np.ndarray:
    m = np.pad(~modules(word), 3, constant_values=True)
    return cv2.resize(m.astype(np.float32), (side, side), interpolation=cv2.INTER_NEAREST)


def face(card: int, rng: np.random.Generator) -> np.ndarray:
    """A card's face in linear light with alpha, (n, n, 4) float32."""
    n = int(DISC * SCALE)
    x, y = np.meshgrid(
        np.linspace(-1, 1, n, dtype=np.float32), np.linspace(-1, 1, n, dtype=np.float32)
    )
    pale = rng.random() < 0.3
    top, low = linear(tuple(rng.uniform((120, 70, 20), (230, 160, 110)))), linear((235, 205, 170))
    if pale:
        top, low = linear((235, 222, 208)), linear((242, 238, 230))
    sky = top + ((y + 1) / 2)[..., None] * (low - top)
    puff = np.zeros_like(x)
    for _ in range(7):
        dx, dy = (
            (x - rng.uniform(-0.5, 0.5)) / rng.uniform(0.15, 0.4),
            (y - rng.uniform(-0.6, 0.2)) / rng.uniform(0.12, 0.3),
        )
        puff += np.exp(-(dx * dx + dy * dy))
    cover = np.clip(puff * 1.3 - 0.3 + 0.1 * _noise(rng, (n, n), (6, 6)), 0, 1)[..., None]
    art = (
        sky * (1 - cover)
        + cover * linear((245, 242, 238)) * (0.75 + 0.25 * np.clip(-y + 0.3, 0, 1))[..., None]
    )
    place = MarkerPlace()
    side = int(place.plate_mm * SCALE)
    cx, cy = (
        n / 2 + place.centre_mm[0] * SCALE - side / 2,
        n / 2 + place.centre_mm[1] * SCALE - side / 2,
    )
    code = _code(word_for(card), side)[..., None]
    art[int(cy) : int(cy) + side, int(cx) : int(cx) + side] = code * 0.85 + (1 - code) * 0.012
    return _with_alpha(art)


def back(kind: str, seed: int) -> np.ndarray:
    """A card's back: "printed" (indigo with a code), "plain" (one hue) or "colourful"; linear light
    with alpha."""
    rng, n = np.random.default_rng(seed), int(DISC * SCALE)
    if kind == "printed":
        art = cv2.resize(linear(back_rgba(dpi=150)[..., :3]), (n, n), interpolation=cv2.INTER_AREA)
    elif kind == "plain":
        art = (
            linear(tuple(rng.uniform(60, 210, 3)))
            * (1 + 0.06 * _noise(rng, (n, n), (5, 5)))[..., None]
        )
    else:
        art = np.stack([0.4 + 0.35 * _noise(rng, (n, n), (30, 30)) for _ in range(3)], axis=-1)
    return _with_alpha(np.clip(art, 0.01, 0.9))


def _with_alpha(art: np.ndarray) -> np.ndarray:
    n = len(art)
    x, y = np.meshgrid(np.arange(n) - (n - 1) / 2, np.arange(n) - (n - 1) / 2)
    alpha = np.clip(n / 2 - np.hypot(x, y), 0, 1)
    rim = np.clip((n / 2 - np.hypot(x, y)) / 3, 0.75, 1)
    return np.dstack([art * rim[..., None], alpha]).astype(np.float32)


class Pinhole:
    """A camera over the table and the true plane it sees: tilt, height, lens; `off_mm` is the error
    of the pose it tells."""

    def __init__(
        self,
        width: int,
        height: int,
        tilt_deg: float,
        distance_mm: float,
        lens: float,
        turn_deg: float = 0.0,
    ) -> None:
        self.width_px, self.height_px, self.lens = width, height, lens
        self.tray_mm, self.middle_mm, self.tokens_mm = (
            TRAY,
            ((0, 0), (600, 0), (600, 500), (0, 500)),
            dict(TOKENS),
        )
        self.focal = 0.73 * width
        self.off_mm = np.zeros(2)
        t, a = np.radians(tilt_deg), np.radians(turn_deg)
        look = np.array([[1, 0, 0], [0, np.cos(t), -np.sin(t)], [0, np.sin(t), np.cos(t)]])
        self.rotation = look @ np.array(
            [[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]]
        )
        self.target, self.distance = np.array([400.0, 250.0, 0.0]), distance_mm

    def nudged(self, dx: float, dy: float, turn_deg: float) -> Pinhole:
        """The same camera after a bump, in mm on the table."""
        other = Pinhole.__new__(Pinhole)
        other.__dict__.update(self.__dict__)
        a = np.radians(turn_deg)
        other.rotation = self.rotation @ np.array(
            [[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]]
        )
        other.target = self.target + np.array([dx, dy, 0.0])
        return other

    def told(self, off_mm: np.ndarray) -> Pinhole:
        """The plane as a caller would know it, wrong by `off_mm`."""
        other = self.nudged(0, 0, 0)
        other.off_mm = np.asarray(off_mm, dtype=float)
        return other

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Table mm to pixels."""
        p = np.asarray(points_mm, dtype=float).reshape(-1, 2) + self.off_mm
        world = np.concatenate([p, np.zeros((len(p), 1))], axis=1) - self.target
        cam = world @ self.rotation.T + (0, 0, self.distance)
        u = cam[:, :2] / np.maximum(cam[:, 2:], 1.0)
        u = u * (1 + self.lens * (u**2).sum(axis=1, keepdims=True))
        return u * self.focal + ((self.width_px - 1) / 2, (self.height_px - 1) / 2)

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        """Pixels to table mm."""
        d = (
            np.asarray(points_px, dtype=float).reshape(-1, 2)
            - ((self.width_px - 1) / 2, (self.height_px - 1) / 2)
        ) / self.focal
        u = d.copy()
        for _ in range(12):
            u = d / (1 + self.lens * (u**2).sum(axis=1, keepdims=True))
        rays = np.concatenate([u, np.ones((len(u), 1))], axis=1) @ self.rotation
        eye = -self.rotation.T @ np.array([0, 0, self.distance])
        k = -eye[2] / rays[:, 2]
        return (eye + k[:, None] * rays)[:, :2] + self.target[:2] - self.off_mm


@dataclass
class Card:
    """A card of the film: where it is, how it is turned, what it shows."""

    number: int
    centre: np.ndarray
    turn: float
    art: np.ndarray
    back_art: np.ndarray
    up: bool = True
    held: bool = False
    shown: bool = True
    layer: int = 0


@dataclass
class Thing:
    """A cup (disc) or a sheet (rectangle) lying on the table."""

    kind: str
    centre: np.ndarray
    size: tuple[float, float]
    turn: float
    colour: np.ndarray


@dataclass
class Arm:
    """An arm: from `entry` outside the view to its `tip`."""

    entry: np.ndarray
    tip: np.ndarray
    width: float
    skin: np.ndarray
    sleeve: np.ndarray
    sleeve_from: float
    bend: float


@dataclass
class World:
    """Everything on the table at one moment, and the light."""

    rng: np.random.Generator
    texture: np.ndarray
    camera: Pinhole
    cards: list[Card] = field(default_factory=list)
    things: list[Thing] = field(default_factory=list)
    arms: list[Arm] = field(default_factory=list)
    exposure: float = 0.0
    tint: tuple[float, float] = (0.0, 0.0)
    lamp: tuple[float, float] = (0.0, 0.0)
    defocus: float = 0.0
    blur: float = 0.6
    sigma: float = 4.0
    quality: int = 85
    shadow: tuple[float, float, float, float] = (14.0, 10.0, 9.0, 0.45)
    sharpen: float = 0.0
    _maps: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray]] = field(default_factory=dict)
    _bank: np.ndarray | None = None


def at_px(point: np.ndarray) -> np.ndarray:
    """Where a table point lies on the canvas, px."""
    return (np.asarray(point) - TABLE[:2]) * SCALE


def _paste(
    canvas: np.ndarray, art: np.ndarray, centre: np.ndarray, turn: float, size: float = 1.0
) -> None:
    n = art.shape[0]
    m = cv2.getRotationMatrix2D(((n - 1) / 2, (n - 1) / 2), -turn, size)
    px = at_px(centre)
    half = int(n * size / 2) + 3
    x0, y0 = int(px[0]) - half, int(px[1]) - half
    m[:, 2] += px - (x0, y0) - ((n - 1) / 2, (n - 1) / 2)
    patch = cv2.warpAffine(art, m, (2 * half, 2 * half), flags=cv2.INTER_LINEAR)
    a, b = max(0, y0), min(canvas.shape[0], y0 + 2 * half)
    c, d = max(0, x0), min(canvas.shape[1], x0 + 2 * half)
    if a >= b or c >= d:
        return
    part, alpha = (
        patch[a - y0 : b - y0, c - x0 : d - x0],
        patch[a - y0 : b - y0, c - x0 : d - x0, 3:],
    )
    canvas[a:b, c:d] = canvas[a:b, c:d] * (1 - alpha) + part[..., :3] * alpha


def _shade(
    canvas: np.ndarray, mask: np.ndarray, dx: float, dy: float, soft: float, deep: float
) -> None:
    small = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA).astype(
        np.float32
    )
    s = SCALE / 4
    moved = cv2.warpAffine(small, np.float32([[1, 0, dx * s], [0, 1, dy * s]]), small.shape[::-1])
    moved = cv2.GaussianBlur(moved, (0, 0), max(0.5, soft * s))
    full = cv2.resize(moved, canvas.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    canvas *= 1 - deep * full[..., None]


def _draw_tray(canvas: np.ndarray) -> None:
    a, b = at_px(np.array(TRAY[0])).astype(int), at_px(np.array(TRAY[2])).astype(int)
    cv2.rectangle(
        canvas,
        tuple(map(int, a)),
        tuple(map(int, b)),
        tuple(map(float, linear((232, 236, 240)))),
        -1,
    )
    inset = int(8 * SCALE)
    cv2.rectangle(
        canvas,
        (int(a[0]) + inset, int(a[1]) + inset),
        (int(b[0]) - inset, int(b[1]) - inset),
        (0.25, 0.12, 0.08),
        2,
    )
    for x, y in (
        (a[0] + 40, a[1] + 40),
        (b[0] - 40, a[1] + 40),
        (b[0] - 40, b[1] - 40),
        (a[0] + 40, b[1] - 40),
    ):
        cv2.rectangle(
            canvas, (int(x) - 24, int(y) - 24), (int(x) + 24, int(y) + 24), (0.02, 0.02, 0.02), -1
        )
        cv2.rectangle(
            canvas, (int(x) - 10, int(y) - 10), (int(x) + 4, int(y) + 12), (0.8, 0.8, 0.8), -1
        )
    ink = np.zeros(canvas.shape[:2], np.uint8)
    cv2.putText(
        ink, "set aside", (int(a[0]) + 150, int(a[1]) + 70), cv2.FONT_HERSHEY_SIMPLEX, 1.4, 255, 3
    )
    canvas[ink > 100] = (0.3, 0.2, 0.15)


def _draw_tokens(canvas: np.ndarray) -> None:
    cells = np.random.default_rng(5)
    for centre in TOKENS.values():
        p = at_px(np.array(centre)).astype(int)
        cv2.rectangle(
            canvas,
            (int(p[0]) - 80, int(p[1]) - 80),
            (int(p[0]) + 80, int(p[1]) + 80),
            (0.85, 0.85, 0.85),
            -1,
        )
        grid = np.pad(cells.random((6, 6)) > 0.5, 1).astype(np.float32)
        tag = (
            cv2.resize(grid, (120, 120), interpolation=cv2.INTER_NEAREST)[..., None] * 0.84 + 0.012
        )
        canvas[p[1] - 60 : p[1] + 60, p[0] - 60 : p[0] + 60] = tag


def dress(texture: np.ndarray, tray: bool = True) -> np.ndarray:
    """The table with its tokens and tray."""
    out = texture.copy()
    _draw_tokens(out)
    if tray:
        _draw_tray(out)
    return out


def arm_mask(arm: Arm, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Where the arm is, and where its sleeve is, (h, w) uint8 0 or 255 at `SCALE`."""
    mask, sleeve = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    a, b = at_px(arm.entry), at_px(arm.tip)
    along = (b - a) / max(1.0, float(np.hypot(*(b - a))))
    side = np.array([-along[1], along[0]])
    wrist, palm = b - along * 150 * SCALE + side * arm.bend, b - along * 70 * SCALE
    width = int(arm.width * SCALE)
    cv2.line(mask, tuple(map(int, a)), tuple(map(int, wrist)), 255, width)
    cv2.line(mask, tuple(map(int, wrist)), tuple(map(int, palm)), 255, int(width * 0.85))
    for k in (-1.5, -0.5, 0.5, 1.5):
        end = b + side * k * 17 * SCALE - along * abs(k) * 10 * SCALE
        cv2.line(
            mask,
            tuple(map(int, palm + side * k * 18 * SCALE)),
            tuple(map(int, end)),
            255,
            int(17 * SCALE),
        )
    cuff = a + (wrist - a) * arm.sleeve_from
    cv2.line(sleeve, tuple(map(int, a)), tuple(map(int, cuff)), 255, width + 8)
    return mask | sleeve, sleeve


def _box_of(mask: np.ndarray, margin: int) -> tuple[slice, slice]:
    x, y, w, h = cv2.boundingRect(mask)
    rows = slice(max(0, y - margin), min(mask.shape[0], y + h + margin))
    return rows, slice(max(0, x - margin), min(mask.shape[1], x + w + margin))


def draw(world: World) -> np.ndarray:
    """The table from above in linear light, (H, W, 3) float32."""
    canvas = world.texture.copy()
    shape = canvas.shape[:2]
    for card in sorted(world.cards, key=lambda c: c.layer):
        if card.shown and not card.held:
            _card(canvas, card, world)
    for thing in world.things:
        mask = np.zeros(shape, np.uint8)
        thing_mask(mask, thing)
        grain = 1 + (0.1 if thing.kind == "cup" else 0.01) * _noise(
            np.random.default_rng(3), shape, (40, 40)
        )
        shadow = world.shadow if thing.kind == "cup" else None
        _cover(canvas, mask, lambda box, t=thing, g=grain: t.colour * g[box][..., None], shadow)
    for card in world.cards:
        if card.shown and card.held:
            _card(canvas, card, world, 1.12)
    for arm in world.arms:
        mask, sleeve = arm_mask(arm, shape)
        _cover(
            canvas,
            mask,
            lambda box, m=mask, s=sleeve, a=arm: _limb(a, m[box], s[box]),
            world.shadow,
        )
    return canvas


def _limb(arm: Arm, mask: np.ndarray, sleeve: np.ndarray) -> np.ndarray:
    tone = np.where(sleeve[..., None] > 0, arm.sleeve, arm.skin).astype(np.float32)
    depth = cv2.distanceTransform(np.ascontiguousarray(mask), cv2.DIST_L2, 3)
    return tone * (0.65 + 0.35 * np.clip(depth / (arm.width * SCALE / 2), 0, 1))[..., None]


def _cover(
    canvas: np.ndarray,
    mask: np.ndarray,
    paint: Callable[[tuple[slice, slice]], np.ndarray],
    shadow: tuple[float, float, float, float] | None,
) -> None:
    if not mask.any():
        return
    box = _box_of(mask, int(90 * SCALE))
    part = np.ascontiguousarray(canvas[box])
    if shadow is not None:
        _shade(part, mask[box].astype(np.float32) / 255, *shadow)
    soft = cv2.GaussianBlur(mask[box], (5, 5), 0)[..., None].astype(np.float32) / 255
    canvas[box] = part * (1 - soft) + paint(box) * soft


def _card(canvas: np.ndarray, card: Card, world: World, size: float = 1.0) -> None:
    mask = np.zeros(canvas.shape[:2], np.float32)
    cv2.circle(mask, tuple(int(v) for v in at_px(card.centre)), int(DISC / 2 * SCALE), 1.0, -1)
    lift = 6.0 if card.held else 0.6
    px = at_px(card.centre).astype(int)
    y0, y1, x0, x1 = max(0, px[1] - 200), px[1] + 200, max(0, px[0] - 200), px[0] + 200
    if y1 > 4 and x1 > 4 and y0 < canvas.shape[0] - 4 and x0 < canvas.shape[1] - 4:
        part = np.ascontiguousarray(canvas[y0:y1, x0:x1])
        _shade(part, mask[y0:y1, x0:x1], lift, lift, lift, 0.35)
        canvas[y0:y1, x0:x1] = part
    _paste(canvas, card.art if card.up else card.back_art, card.centre, card.turn, size)


def thing_mask(mask: np.ndarray, thing: Thing) -> None:
    """Draw where a thing lies, 255, on a canvas-sized mask."""
    if thing.kind == "cup":
        cv2.circle(
            mask,
            tuple(int(v) for v in at_px(thing.centre)),
            int(thing.size[0] / 2 * SCALE),
            255,
            -1,
        )
    else:
        box = cv2.boxPoints(
            (
                tuple(map(float, at_px(thing.centre))),
                (thing.size[0] * SCALE, thing.size[1] * SCALE),
                thing.turn,
            )
        )
        cv2.fillPoly(mask, [box.astype(np.int32)], 255)


def _view(world: World) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    key = id(world.camera)
    if key not in world._maps:
        cam = world.camera
        x, y = np.meshgrid(np.arange(cam.width_px), np.arange(cam.height_px))
        mm = cam.to_mm(np.stack([x.ravel(), y.ravel()], axis=1))
        px = ((mm - TABLE[:2]) * SCALE).astype(np.float32).reshape(cam.height_px, cam.width_px, 2)
        r2 = ((x / cam.width_px - 0.5) ** 2 + (y / cam.height_px - 0.5) ** 2).astype(np.float32)
        world._maps = {key: (px[..., 0], px[..., 1], 1 - 0.6 * r2)}
    return world._maps[key]


def photograph(world: World) -> np.ndarray:
    """What the camera gives, (H, W, 3) uint8 BGR."""
    mx, my, vignette = _view(world)
    image = cv2.remap(draw(world), mx, my, cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
    image = cv2.GaussianBlur(image, (0, 0), float(np.hypot(world.blur, world.defocus)))
    h, w = image.shape[:2]
    across, down = (
        np.linspace(-1, 1, w, dtype=np.float32)[None, :],
        np.linspace(-1, 1, h, dtype=np.float32)[:, None],
    )
    slope = 1 + world.lamp[0] * across + world.lamp[1] * down
    image *= (vignette * np.clip(slope, 0.2, None) * 2.0**world.exposure)[..., None]
    image *= np.float32([1 + world.tint[0], 1, 1 + world.tint[1]])
    image = GAMMA[np.clip(image * 4095, 0, 4095).astype(np.uint16)]
    if world.sharpen:
        image += world.sharpen * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    if world._bank is None:
        world._bank = world.rng.normal(0, 1, (h + 64, w + 64, 3)).astype(np.float32)
    dy, dx = world.rng.integers(0, 64, 2)
    image += world.sigma * world._bank[dy : dy + h, dx : dx + w]
    out = np.clip(image + 0.5, 0, 255).astype(np.uint8)
    return cv2.imdecode(
        cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, world.quality])[1], cv2.IMREAD_COLOR
    )

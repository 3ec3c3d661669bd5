"""Our marker printed over real codes: their place, slant, light, blur and noise stay what they are."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import zxingcpp

from card_printables.deck import Word
from card_printables.marker import MODULES, QUIET_MODULES, modules


@dataclass(frozen=True, slots=True)
class Spot:
    """A printed code in a picture: its corners (4, 2) px, black and white light across it (three
    numbers each: at its middle, and per code side to the right and down), blur and noise."""

    corners_px: np.ndarray
    black: np.ndarray
    white: np.ndarray
    blur_px: float
    noise: float

    @property
    def side_px(self) -> float:
        """The mean side."""
        return float(
            np.linalg.norm(self.corners_px - np.roll(self.corners_px, 1, axis=0), axis=1).mean()
        )


def spots(grey: np.ndarray) -> list[Spot]:
    """Where printed square codes of any kind are read."""
    kinds = zxingcpp.BarcodeFormat
    found = []
    for code in zxingcpp.read_barcodes(
        grey, formats=[kinds.QRCode, kinds.MicroQRCode, kinds.Aztec]
    ):
        p = code.position
        corners = np.array(
            [(q.x, q.y) for q in (p.top_left, p.top_right, p.bottom_right, p.bottom_left)], float
        )
        spot = _spot(grey, corners)
        if spot is not None:
            found.append(spot)
    return found


PATCH = 96


def _spot(grey: np.ndarray, corners_px: np.ndarray) -> Spot | None:
    """The light, blur and noise of a code's place; None where its light cannot be told."""
    square = np.array([(0, 0), (PATCH, 0), (PATCH, PATCH), (0, PATCH)], np.float32)
    to_patch = cv2.getPerspectiveTransform(corners_px.astype(np.float32), square)
    patch = cv2.warpPerspective(grey, to_patch, (PATCH, PATCH)).astype(float)
    level, _ = cv2.threshold(patch.astype(np.uint8), 0, 255, cv2.THRESH_OTSU)
    v, u = np.mgrid[0:PATCH, 0:PATCH] / PATCH - 0.5
    basis = np.stack([np.ones_like(u), u, v], axis=-1)
    lights = []
    for part in (patch <= level, patch > level):
        if part.sum() < 50:
            return None
        rows, light = basis[part], patch[part]
        for _ in range(3):  # towards the inner light of modules, away from blurred edges
            plane = np.linalg.lstsq(rows, light, rcond=None)[0]
            off = light - rows @ plane
            keep = off <= np.median(off) if len(lights) == 0 else off >= np.median(off)
            rows, light = (rows[keep], light[keep]) if keep.sum() > 50 else (rows, light)
        lights.append(plane)
    contrast = float(lights[1][0] - lights[0][0])
    if contrast < 20:
        return None
    low, high = np.floor(corners_px.min(0)).astype(int), np.ceil(corners_px.max(0)).astype(int)
    near = grey[max(low[1], 0) : high[1], max(low[0], 0) : high[0]].astype(np.float32)
    if min(near.shape) < 12:
        return None
    steepest = np.percentile(
        np.hypot(cv2.Sobel(near, -1, 1, 0, scale=1 / 8), cv2.Sobel(near, -1, 0, 1, scale=1 / 8)), 93
    )
    # An edge blurred by s climbs contrast / (s sqrt(2 pi)) a pixel; the gradient filter itself
    # blurs by 0.8 px.
    blur = np.sqrt(max((contrast / max(float(steepest), 1) / 2.507) ** 2 - 0.8**2, 0.3**2))
    # The quietest fifth lies inside modules and on paper; the filter's weights are sqrt(20) long.
    noise = float(np.percentile(np.abs(cv2.Laplacian(near, -1)), 20) / 0.253 / np.sqrt(20))
    return Spot(corners_px, lights[0], lights[1], float(min(blur, 4.0)), min(noise, 4.0))


def painted(
    grey: np.ndarray, places: list[Spot], words: list[Word], rng: np.random.Generator
) -> np.ndarray:
    """The picture with these words printed where the codes were, in the light, blur and noise of
    each place."""
    picture = grey.astype(np.float32)
    for spot, word in zip(places, words, strict=True):
        fine = 3
        ink = np.pad(modules(word), round(QUIET_MODULES)).astype(np.float32)
        sharp = np.kron(1 - ink, np.ones((8, 8), np.float32))
        edge = QUIET_MODULES / MODULES
        plate = np.array(
            [(-edge, -edge), (1 + edge, -edge), (1 + edge, 1 + edge), (-edge, 1 + edge)],
            np.float32,
        )
        unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
        to_px = cv2.getPerspectiveTransform(unit, spot.corners_px.astype(np.float32))
        outer = cv2.perspectiveTransform(plate[None], to_px)[0]
        margin = 4 + int(3 * spot.blur_px)
        low = np.maximum(np.floor(outer.min(0)).astype(int) - margin, 0)
        high = np.minimum(np.ceil(outer.max(0)).astype(int) + margin, grey.shape[::-1])
        size = high - low
        if (size < 8).any():
            continue
        n = sharp.shape[0]
        drawn = np.array([(0, 0), (n, 0), (n, n), (0, n)], np.float32)
        turn = cv2.getPerspectiveTransform(
            drawn, ((outer - low + 0.5) * fine - 0.5).astype(np.float32)
        )
        whole = (int(size[0] * fine), int(size[1] * fine))
        white = cv2.warpPerspective(sharp, turn, whole, flags=cv2.INTER_AREA, borderValue=1.0)
        there = cv2.warpPerspective(np.ones_like(sharp), turn, whole, flags=cv2.INTER_AREA)
        white, there = (
            cv2.GaussianBlur(a, (0, 0), max(spot.blur_px * fine, 0.5)) for a in (white, there)
        )
        white, there = (
            cv2.resize(a, tuple(map(int, size)), interpolation=cv2.INTER_AREA)
            for a in (white, there)
        )
        y, x = np.mgrid[low[1] : high[1], low[0] : high[0]].astype(np.float32)
        at = cv2.perspectiveTransform(
            np.stack([x.ravel(), y.ravel()], 1)[None], np.linalg.inv(to_px)
        )[0]
        at = np.clip(at - 0.5, -0.7, 0.7)
        basis = np.column_stack([np.ones(len(at)), at])
        black_light = (basis @ spot.black).reshape(white.shape)
        white_light = (basis @ spot.white).reshape(white.shape)
        light = black_light + (white_light - black_light) * white
        light += rng.normal(0, spot.noise, light.shape)
        part = picture[low[1] : high[1], low[0] : high[0]]
        part += there * (light - part)
    return np.clip(np.round(picture), 0, 255).astype(np.uint8)

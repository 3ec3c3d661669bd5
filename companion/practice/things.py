"""The looks of all things on the practice table: the printed pieces themselves, a cup, a slip of
paper.

Knows what each thing of a script looks like from above; knows nothing of time and cameras.
"""

from __future__ import annotations

from functools import cache, lru_cache

import cv2
import numpy as np
import qrcode

from card_printables.artwork.clouds import picture
from card_printables.marker import ART_BLEED_MM, DISC_MM, BackPlace, MarkerPlace
from card_printables.output.piece_pictures import back_rgba, face_rgba, token_rgba, tray_rgba
from card_printables.token import TOKENS
from companion.vision.card_outline import CardOutline

CUP_MM = 118.0
SLIP_MM = 62.0
GLARE_MM = 90.0
SHADOW_MM = 300.0
PHONE_MM, BOOK_MM, BOWL_MM = 74.0, 128.0, 96.0
"""How wide they are."""


@lru_cache(maxsize=40)
def card_image(deck: str, card: int, dpi: int) -> np.ndarray:
    """A card's printed face, BGRA, `DISC_MM` across."""
    return face_rgba(card, deck=deck, dpi=dpi)


@cache
def back_image(dpi: int) -> np.ndarray:
    """A card's printed back, BGRA, `DISC_MM` across."""
    return back_rgba(dpi=dpi)


@cache
def token_image(index: int, dpi: int) -> np.ndarray:
    """The corner token number `index` of `TOKENS`, BGRA."""
    return token_rgba(TOKENS[index], dpi)


@cache
def tray_image(dpi: int) -> np.ndarray:
    """The set-aside tray, BGRA, `TRAY_WIDTH_MM` wide."""
    return tray_rgba(dpi)


RECTANGLE = CardOutline.rectangle(56.0, 87.0)
"""Rectangular cards without codes, as many boxes have them."""


@lru_cache(maxsize=40)
def straight_card_image(card: int, dpi: int) -> np.ndarray:
    """A rectangular card without a code, BGRA, as wide as `RECTANGLE`."""
    high = round(RECTANGLE.height_mm / 25.4 * dpi)
    return _opaque(_middle(picture(card, high)))


@cache
def straight_back_image(dpi: int) -> np.ndarray:
    """The back of a rectangular card without a code, BGRA, as wide as `RECTANGLE`."""
    round_back = plain_back_image(dpi)[..., :3]
    side = round(len(round_back) * RECTANGLE.height_mm / (2 * RECTANGLE.reach_mm))
    edge = (len(round_back) - side) // 2
    high = round(RECTANGLE.height_mm / 25.4 * dpi)
    within = np.ascontiguousarray(round_back[edge : edge + side, edge : edge + side])
    return _opaque(_middle(cv2.resize(within, (high, high), interpolation=cv2.INTER_AREA)))


def _middle(square: np.ndarray) -> np.ndarray:
    """As much of a square picture as a rectangular card holds that is as high."""
    wide = round(len(square) * RECTANGLE.width_mm / RECTANGLE.height_mm)
    left = (len(square) - wide) // 2
    return square[:, left : left + wide]


def _opaque(art: np.ndarray) -> np.ndarray:
    return np.dstack([art, np.full(art.shape[:2], 255, np.uint8)])


@lru_cache(maxsize=40)
def plain_card_image(card: int, dpi: int) -> np.ndarray:
    """A card without a code, BGRA, `DISC_MM` across: its picture alone, as a published card has it."""
    wide = round((DISC_MM + 2 * ART_BLEED_MM) / 25.4 * dpi)
    size, bleed = round(DISC_MM / 25.4 * dpi), round(ART_BLEED_MM / 25.4 * dpi)
    art = picture(card, wide)[bleed : bleed + size, bleed : bleed + size]
    return np.dstack([art, _disc_alpha(size)])


@cache
def plain_back_image(dpi: int) -> np.ndarray:
    """A back without a code, BGRA, `DISC_MM` across: what lies opposite hides it."""
    back = back_rgba(dpi=dpi)
    size = len(back)
    turned = back[::-1, ::-1]
    middle, half = (BackPlace().centre_mm, MarkerPlace().plate_mm / 2 + 2)
    axis = (np.arange(size) + 0.5) / size * DISC_MM - DISC_MM / 2
    code = np.outer(abs(axis - middle[1]) < half, abs(axis - middle[0]) < half)
    return np.asarray(np.where(code[..., None], turned, back))


def _disc_alpha(size: int) -> np.ndarray:
    axis = np.arange(size) - (size - 1) / 2
    away = np.hypot(axis[:, None], axis[None])
    return np.asarray(np.clip(size / 2 - away + 0.5, 0, 1) * 255, np.uint8)


def plain_look(card: int | None, dpi: int, straight: bool) -> tuple[np.ndarray, float]:
    """The image and the width in mm of a card without a code, None for its back; round, or with
    `straight` edges."""
    if straight:
        image = straight_back_image(dpi) if card is None else straight_card_image(card, dpi)
        return image, RECTANGLE.width_mm
    return (plain_back_image(dpi) if card is None else plain_card_image(card, dpi)), DISC_MM


def look_of(
    thing: str, up: bool, dpi: int, codes: bool = True, straight: bool = False
) -> tuple[np.ndarray, float]:
    """The image and the width in mm of a script's thing: "CM1/7", "CM1/7#2" (a second print),
    "cup#1", "slip#1", "phone#1", "book#1"; cards with their codes or without, and those round or `straight`."""
    name = thing.split("#")[0]
    drawn = {
        "cup": (cup_image, CUP_MM),
        "slip": (slip_image, SLIP_MM),
        "phone": (phone_image, PHONE_MM),
        "book": (book_image, BOOK_MM),
        "bowl": (bowl_image, BOWL_MM),
    }
    if name in drawn:
        draw, width_mm = drawn[name]
        return draw(), width_mm
    deck, card = name.split("/")
    if not codes:
        return plain_look(int(card) if up else None, dpi, straight)
    return (card_image(deck, int(card), dpi) if up else back_image(dpi)), DISC_MM


@cache
def slip_image(px: int = 372) -> np.ndarray:
    """A paper slip with somebody else's QR code, BGRA."""
    code = qrcode.QRCode(version=1, border=0, box_size=1)
    code.add_data("HELLO")
    code.make(fit=False)
    dots = np.where(np.array(code.get_matrix(), dtype=bool), 30, 246).astype(np.uint8)
    image = np.full((px, px, 4), (240, 246, 247, 255), np.uint8)
    side = int(px * 0.45)
    start = (px - side) // 2
    printed = cv2.resize(dots, (side, side), interpolation=cv2.INTER_NEAREST)
    image[start : start + side, start : start + side, :3] = printed[..., None]
    return image


@cache
def phone_image(px: int = 300) -> np.ndarray:
    """A phone with its screen lit: lines of writing, and a square of dots as such messages have
    them, BGRA."""
    height = round(px * 2.1)
    image = np.full((height, px, 4), (28, 26, 24, 255), np.uint8)
    edge, side = px // 14, px // 22
    screen = np.full((height - 2 * edge, px - 2 * side, 3), (252, 244, 238), np.uint8)
    rng = np.random.default_rng(7)
    for top in range(20, screen.shape[0] // 2, 26):
        cv2.rectangle(
            screen,
            (18, top),
            (18 + int(rng.integers(90, screen.shape[1] - 40)), top + 9),
            (70, 66, 60),
            -1,
        )
    dots = rng.integers(0, 2, (25, 25)).astype(np.uint8) * 225 + 20
    wide = round(screen.shape[1] * 0.6)
    left, top = (screen.shape[1] - wide) // 2, round(screen.shape[0] * 0.58)
    screen[top : top + wide, left : left + wide] = cv2.resize(
        dots, (wide, wide), interpolation=cv2.INTER_NEAREST
    )[..., None]
    image[edge:-edge, side:-side, :3] = screen
    return image


@cache
def book_image(px: int = 384) -> np.ndarray:
    """A book's cover: cloth, a frame, a title, BGRA."""
    height = round(px * 1.5)
    image = np.full((height, px, 4), (64, 52, 132, 255), np.uint8)
    cv2.rectangle(image, (24, 24), (px - 24, height - 24), (150, 200, 220, 255), 4)
    cv2.putText(
        image,
        "CLOUDS",
        (48, height // 3),
        cv2.FONT_HERSHEY_TRIPLEX,
        2.0,
        (150, 200, 220, 255),
        4,
        cv2.LINE_AA,
    )
    cv2.circle(image, (px // 2, height * 2 // 3), px // 5, (170, 150, 90, 255), -1, cv2.LINE_AA)
    return image


@cache
def cup_image(px: int = 420) -> np.ndarray:
    """A mug of coffee from above, handle to the right, BGRA."""
    scale, image = px / CUP_MM, np.zeros((px, px, 4), np.uint8)
    centre, glaze = (round(px * 0.43), px // 2), (122, 96, 58)

    def disc(radius_mm: float, colour: tuple[int, int, int], shift_mm: float = 0.0) -> None:
        """Paint one round layer of the cup."""
        at = (centre[0] + round(shift_mm * scale), centre[1] + round(shift_mm * scale))
        cv2.circle(image, at, round(radius_mm * scale), (*colour, 255), -1, cv2.LINE_AA)

    end = (centre[0] + round(58 * scale), centre[1])
    cv2.line(image, centre, end, (*glaze, 255), round(13 * scale), cv2.LINE_AA)
    disc(43, (98, 76, 44))
    disc(42, glaze)
    disc(40, (196, 178, 150), -0.6)
    disc(37.5, (72, 58, 40))
    disc(36.5, (22, 38, 66), 0.6)
    disc(33, (28, 50, 88), 1.6)
    gleam = (centre[0] - round(12 * scale), centre[1] - round(15 * scale))
    cv2.ellipse(
        image,
        gleam,
        (round(9 * scale), round(4 * scale)),
        -40,
        0,
        360,
        (120, 150, 180, 255),
        -1,
        cv2.LINE_AA,
    )
    return cv2.GaussianBlur(image, (0, 0), 1.0)


@cache
def bowl_image(px: int = 360) -> np.ndarray:
    """A bowl of nuts from above, BGRA."""
    image = np.zeros((px, px, 4), np.uint8)
    centre, half = (px // 2, px // 2), px // 2 - 2
    cv2.circle(image, centre, half, (196, 190, 178, 255), -1, cv2.LINE_AA)
    cv2.circle(image, centre, half - px // 24, (150, 140, 128, 255), -1, cv2.LINE_AA)
    rng = np.random.default_rng(5)
    for _ in range(130):
        reach, angle = half * 0.82 * rng.random() ** 0.5, rng.uniform(0, 6.2832)
        at = (round(centre[0] + reach * np.cos(angle)), round(centre[1] + reach * np.sin(angle)))
        tone = rng.uniform(0.75, 1.15)
        colour = (round(70 * tone), round(120 * tone), round(168 * tone), 255)
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(image, at, (px // 22, px // 34), turn, 0, 360, colour, -1, cv2.LINE_AA)
    return cv2.GaussianBlur(image, (0, 0), 0.8)


@cache
def shadow_image(strength: int) -> np.ndarray:
    """The soft shadow of somebody who leans in, BGRA; `strength` 0 to 10."""
    y, x = np.mgrid[-1:1:96j, -1:1:96j]
    blob = np.exp(-(((x / 0.62) ** 2 + (y / 0.8) ** 2) ** 2))
    alpha = np.clip(blob * 13 * strength, 0, 255)
    return np.dstack([np.zeros_like(alpha)] * 3 + [alpha]).astype(np.uint8)


@cache
def glare_image(strength: int) -> np.ndarray:
    """A lamp's reflection to be added to the light, BGRA; `strength` 0 to 10."""
    y, x = np.mgrid[-1:1:96j, -1:1:96j]
    blob = np.exp(-(((x / 0.55) ** 2 + (y / 0.4) ** 2) ** 1.4))
    alpha = np.clip(blob * 25.5 * strength, 0, 255)
    return np.dstack([np.full_like(alpha, 255)] * 3 + [alpha]).astype(np.uint8)

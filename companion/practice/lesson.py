"""The practice table teaches its deck: cards without codes laid out a few at a time.

Knows pictures of the table; knows no clock. The names of people and the rounds come later, from the
script.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from calibration.simulator.photograph import Sheet, Studio
from card_printables.token import TOKEN_MM
from companion.practice import things
from companion.practice.acting.motion import Pose
from companion.practice.room import Room
from companion.table.sighting import Point

CARDS_A_LAY = 8
"""So many fit in the middle without touching."""

LOOKS = 2


def lesson_pictures(
    room: Room,
    cards: Sequence[int],
    seed: int = 0,
    looks: int = LOOKS,
    straight: bool = False,
) -> Iterator[tuple[dict[int, Point], np.ndarray]]:
    """Pictures (H, W, 3) uint8 BGR of these cards laid out in turn, two of every lay, with the cards
    that lie there and where (mm); the whole deck goes round `looks` times, each time laid otherwise. They are round, or have
    `straight` edges."""
    rng, dpi = Random(f"lesson {seed}"), 150 if room.camera.width_px <= 2000 else 250
    studio = Studio(room.camera, room.cloth, seed)
    tokens = [
        _sheet(things.token_image(i, dpi), TOKEN_MM, pose)
        for i, pose in enumerate(room.layout.tokens)
    ]
    for look in range(looks):
        order = list(cards) if look == 0 else rng.sample(list(cards), len(cards))
        for first in range(0, len(order), CARDS_A_LAY):
            laid = order[first : first + CARDS_A_LAY]
            poses = room.layout.places(len(laid), rng)
            sheets = [
                _sheet(*things.plain_look(card, dpi, straight), pose)
                for card, pose in zip(laid, poses, strict=True)
            ]
            for _ in range(2):
                where = {card: pose.point_mm for card, pose in zip(laid, poses, strict=True)}
                yield where, studio.shoot([*tokens, *sheets])


def back_picture(room: Room, seed: int = 0, straight: bool = False) -> np.ndarray:
    """A picture (H, W, 3) uint8 BGR of one card that lies face down in the middle, round or with
    `straight` edges."""
    dpi = 150 if room.camera.width_px <= 2000 else 250
    tokens = [
        _sheet(things.token_image(i, dpi), TOKEN_MM, pose)
        for i, pose in enumerate(room.layout.tokens)
    ]
    pose = room.layout.places(1, Random(f"back {seed}"))[0]
    card = _sheet(*things.plain_look(None, dpi, straight), pose)
    return Studio(room.camera, room.cloth, seed).shoot([*tokens, card])


def _sheet(image: np.ndarray, width_mm: float, pose: Pose) -> Sheet:
    return Sheet(image, width_mm, pose.point_mm, pose.turn_deg, pose.height_mm)

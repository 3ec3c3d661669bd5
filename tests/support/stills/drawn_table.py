"""Stills of a round for tests: a drawn table whose camera stands straight above it."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.geometry.plane import Plane
from companion.evening.table_stills import EVERY_S, TableStills
from companion.table.sighting import Glimpse, Hand, PlaceReport, PlaceState, TableView
from tests.support.kept_evening import KeptEvening

SQUARE = ((100.0, 100.0), (500.0, 100.0), (500.0, 400.0), (100.0, 400.0))
SIZE = (600, 500)


def straight_above(size: tuple[int, int] = SIZE, px_per_mm: float = 1.0) -> Plane:
    """A camera straight above, without a lens."""
    matrix = np.diag([px_per_mm, px_per_mm, 1.0])
    return Plane(
        *size, matrix, 0.0, 0.0, (0.0, 0.0), 500.0, (0.0, 0.0, -500.0), 0.1,
        middle_mm=SQUARE, middle_from_tokens=True,
    )  # fmt: skip


def lying(evening: KeptEvening, t_s: float, gone: tuple[int, ...] = ()) -> Glimpse:
    """A glimpse in which every card of the open round but the `gone` ones is read in the middle, and a
    hand reaches in."""
    now = evening.session.keeper.ledger.open_round
    assert now is not None
    cards = [card for card in now.known_cards if card is not None]
    places = [
        PlaceReport(
            card,
            (160.0 + 95 * (at % 4), 180.0 + 110 * (at // 4)),
            PlaceState.TABLE if card in gone else PlaceState.MARKER,
        )
        for at, card in enumerate(cards)
    ]
    hand = Hand((300.0, 330.0), 160.0)
    return Glimpse(t_s, places=tuple(places), hands=(hand,), table=TableView(SQUARE, None))


def drawn(glimpse: Glimpse) -> np.ndarray:
    """A picture of it: discs on a cloth."""
    picture = np.full((SIZE[1], SIZE[0], 3), (70, 96, 60), np.uint8)
    for place in glimpse.places:
        if place.state is PlaceState.MARKER:
            at = round(place.centre_mm[0]), round(place.centre_mm[1])
            cv2.circle(picture, at, 42, (235, 225, 215), -1)
            cv2.circle(picture, at, 37, (200, 160, 110), -1)
    return picture


def kept(evening: KeptEvening, seconds: float, gone: tuple[int, ...] = ()) -> TableStills:
    """The evening's stills after so many seconds more of an open round that the camera watches."""
    stills = evening.session.stills
    until_s = evening.now_s + seconds
    while evening.now_s < until_s:
        evening.now_s += EVERY_S
        glimpse = lying(evening, evening.now_s, gone)
        stills.keep_still(glimpse, drawn(glimpse), straight_above(), evening.now_s)
    return stills


def in_round() -> KeptEvening:
    """An open round without a guess yet, which the camera found; looking again is on."""
    return watched_round(KeptEvening())


def watched_round(evening: KeptEvening) -> KeptEvening:
    """The same at this table."""
    evening.play(phase="secret", handling="away").watched()
    evening.session.stills.switch(True)
    return evening.lie(6, *evening.fresh_cards)


def one_guess(evening: KeptEvening) -> KeptEvening:
    """One wrong guess that can be looked at again: the first cloud left."""
    watched_round(evening)
    first = evening.lying[0]
    kept(evening, 5.0)
    kept(evening, 1.0, (first,))
    evening.now_s -= 10.0
    return evening.do("set_aside", card=first)

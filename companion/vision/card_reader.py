"""A reader of cards as a port: codes and learnt pictures are equal plugs.

Knows pictures, planes and readings. Must not know how a card is read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from companion.vision.codes.detection import Box, Expected, Reading
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.places.backs import Back


class CardReader(Protocol):
    """Reads the cards of one deck in pictures, handed to it oldest first."""

    numbers: frozenset[int]
    deck: str
    symbol_mm: float

    @property
    def busy(self) -> bool:
        """True while another look at the same table may tell more."""
        ...

    def for_size(self, symbol_mm: float) -> CardReader:
        """The same reader for codes printed `symbol_mm` large, which knows nothing of this table."""
        ...

    def know_backs(self, backs: Callable[[], Sequence[Back]]) -> None:
        """Ask `backs` which backs are known."""
        ...

    def read_cards(
        self,
        image: np.ndarray,
        grey: np.ndarray,
        plane: PicturePlane | None = None,
        expected: Sequence[Expected] = (),
        region: Sequence[Box] | None = None,
        patient: bool = False,
    ) -> Reading:
        """All cards in `image` (H, W, 3) uint8 BGR, whose brightness is `grey` (H, W) uint8.

        `plane` says where a pixel lies. `expected` are confirmed first, where they lay. `region` are
        boxes (left, top, right, bottom px) where new cards may have come; None is everywhere, () is
        nowhere. Without a plane and with `patient` more time may be taken."""
        ...

"""Cards that lie there without a name, told from one another by how they looked here.

Knows patches and numbers. Must not know the deck's cards: a stand-in is none of them, or one that was
not recognised.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from companion.table.sighting import FIRST_STAND_IN, Point
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.learnt.deck import LearntCard, LearntDeck, look_px
from companion.vision.learnt.field_match import FieldPose
from companion.vision.learnt.patches import turned_patch
from companion.vision.learnt.recognise import PlaceView, Recogniser

MOST_STAND_INS = 60

STAND_IN_EVIDENCE = 0.45
"""So surely a disc is one that lay here without a name: seen by the same camera in the same light."""


class StandIns:
    """The stand-in numbers of an evening, and how each card looked that has one."""

    def __init__(self, disc_mm: float) -> None:
        self._disc_mm = disc_mm
        self._looks: dict[int, Recogniser] = {}
        self._next = FIRST_STAND_IN

    def recogniser_of(self, number: int) -> Recogniser | None:
        """Who knows this card, as its number 1; None for no stand-in."""
        return self._looks.get(number)

    def find_like(self, view: PlaceView, without: Collection[int]) -> tuple[int, FieldPose] | None:
        """The card without a name that this view shows, and how it lies in it, not one of
        `without`."""
        for number, known in self._looks.items():
            found = known.recognise(view)
            if found.evidence >= STAND_IN_EVIDENCE and number not in without:
                return number, found.pose
        return None

    def give_number(self, image: np.ndarray, plane: PicturePlane, centre_mm: Point) -> int:
        """A number for the card that lies here in `image` (H, W, 3) uint8 BGR; as it lies, it is
        upright."""
        look, _ = turned_patch(image, plane, centre_mm, 0.0, look_px(self._disc_mm))
        number = self._next
        self._next += 1
        self._looks[number] = Recogniser(
            LearntDeck("stand-in", self._disc_mm, (LearntCard((look,)),))
        )
        if len(self._looks) > MOST_STAND_INS:
            self._looks.pop(min(self._looks))
        return number

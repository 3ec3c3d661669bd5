"""Cards that lie there without a name, told from one another by how they looked here.

Knows patches and numbers. Must not know the deck's pictures: a stand-in is none of its cards, or one
that was not recognised; which one may be told later.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from companion.table.sighting import FIRST_STAND_IN, Point
from companion.vision.card_outline import CardOutline
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.learnt.deck import LearntCard, LearntDeck, look_size
from companion.vision.learnt.field_match import FieldPose
from companion.vision.learnt.patches import turned_patch
from companion.vision.learnt.recognise import PlaceView, Recogniser

MOST_STAND_INS = 60

STAND_IN_EVIDENCE = 0.45
"""So surely a disc is one that lay here without a name: seen by the same camera in the same light."""


@dataclass(slots=True)
class Asked:
    """A card that lies without a name: in how many pictures it was seen since it lies here, and the
    views by which it was asked again which one it is."""

    seen: int = 0
    views: list[PlaceView] = field(default_factory=list)


class StandIns:
    """The stand-in numbers of an evening, and how each card looked that has one."""

    def __init__(self, outline: CardOutline) -> None:
        self._outline = outline
        self._looks: dict[int, Recogniser] = {}
        self._names: dict[int, int | None] = {}
        self._asked: dict[int, Asked] = {}
        self._next = FIRST_STAND_IN

    @property
    def names(self) -> dict[int, int]:
        """The cards that some of them turned out to be, by stand-in number."""
        return {number: card for number, card in self._names.items() if card is not None}

    def number_of(self, card: int) -> int | None:
        """The stand-in number that this card goes by, where its name came later."""
        return next((number for number, known in self.names.items() if known == card), None)

    def wants_name(self, number: int) -> bool:
        """Whether nobody knows yet which card this stand-in is."""
        return number in self._looks and number not in self._names

    def asked_of(self, number: int) -> Asked:
        """What this card was asked by, where it lies now."""
        return self._asked.setdefault(number, Asked())

    def forget_taken_up(self, lying: Collection[int]) -> None:
        """Only these lie on: the others begin anew where they are laid."""
        self._asked = {number: asked for number, asked in self._asked.items() if number in lying}

    def learn_name(self, number: int, card: int) -> None:
        """A better look says that this stand-in is this card. Where two looks differ, or two stand-ins
        would be one card, neither has a name from then on."""
        if number in self._names and self._names[number] != card:
            self._names[number] = None
            return
        other = self.number_of(card)
        if other is not None and other != number:
            self._names[other] = self._names[number] = None
            return
        self._names[number] = card

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

    def give_number(
        self, image: np.ndarray, plane: PicturePlane, centre_mm: Point, turn_deg: float
    ) -> int:
        """A number for the card that lies here, turned so, in `image` (H, W, 3) uint8 BGR; as it lies, it
        is upright."""
        look, _ = turned_patch(image, plane, centre_mm, turn_deg, look_size(self._outline))
        number = self._next
        self._next += 1
        self._looks[number] = Recogniser(
            LearntDeck("stand-in", self._outline, (LearntCard((look,)),))
        )
        if len(self._looks) > MOST_STAND_INS:
            self._looks.pop(min(self._looks))
        return number

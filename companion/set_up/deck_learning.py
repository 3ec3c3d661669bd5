"""The deck that is being learnt by its pictures while people lay it out, as screens see it.

Knows the lesson, the newest picture and the folder of decks; must not know HTTP, cameras or who asks.
Thread-safe.
"""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion.errors import BadInput
from companion.set_up import deck_store
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.learnt.deck import LearntDeck, bare_look, look_size
from companion.vision.learnt.lesson import UNKNOWN, DeckLesson, Lay, SaysCard
from companion.vision.learnt.patches import turned_patch


@dataclass(frozen=True, slots=True)
class TablePicture:
    """One picture of the table (H, W, 3) uint8 BGR, and the plane it shows."""

    image: np.ndarray
    plane: PicturePlane


class DeckLearning:
    """The one lesson that all screens of a table share, or none."""

    def __init__(self, folder: Path) -> None:
        """Decks lie in `folder`."""
        self.folder = folder
        self._lock = threading.Lock()
        self._lesson: DeckLesson | None = None
        self._file: deck_store.LessonFile | None = None
        self._kept = LearntDeck("", UNKNOWN)
        """The deck that is learnt, as far as the disk has it."""
        self._lay = Lay()
        self._counted_lays = 0
        """The number of the lay that is asked about: a question of an older one is nobody's any more."""
        self._counted_in: TablePicture | None = None
        """The picture in which the lay was counted: a question about it is answered by this one."""
        self._seen: np.ndarray | None = None

    def begin(self, name: str) -> None:
        """Learn a deck of this name, or go on with it. The lesson that goes on stays: another screen lays
        cards out for it.

        Raises:
            BadInput: no deck can have this name, or its file is damaged.
        """
        with self._lock:
            if self._lesson is not None:
                return
            name = deck_store.kept_name(self.folder, name)
            file = deck_store.LessonFile(self.folder, name)
            known = name in deck_store.kept_decks(self.folder)
            kept = deck_store.kept_deck(self.folder, name) if known else None
            self._lesson, self._file = DeckLesson(kept, name), file
            self._kept = self._lesson.deck
            self._lay, self._counted_in, self._seen = Lay(), None, None

    def end(self) -> None:
        """Stop: what was learnt is kept."""
        with self._lock:
            self._lesson = None

    def end_of(self, name: str) -> None:
        """Stop learning the deck of this name; a lesson of another one goes on."""
        with self._lock:
            kept = deck_store.kept_name(self.folder, name)
            if self._lesson is not None and self._lesson.deck.name == kept:
                self._lesson = None

    def observe_picture(self, shown: TablePicture | None) -> None:
        """Learn what lies there, if this picture is another than the last; a lay that was counted is
        kept at once. Raises BadInput where it cannot be."""
        with self._lock:
            if self._lesson is None or shown is None or shown.image is self._seen:
                return
            self._seen = shown.image
            before = self._lay
            self._lay = self._lesson.observe_picture(shown.image, shown.plane)
            if self._lay.counted and self._lay is not before:
                self._counted_in = shown
                self._counted_lays += 1
                self._keep(self._lesson)

    def answer_alike(self, lay: int, at: int, new: bool) -> bool:
        """A person says of the `at`-th card of this lay whether it is a new one, or the one it is
        much like. False where nobody asks that any more: others lie there, or it was answered.

        Raises:
            BadInput: the deck cannot be kept.
        """
        with self._lock:
            view = self._view_of(lay, at)
            if (
                self._lesson is None
                or view is None
                or self._lay.cards[at].says is not SaysCard.ALIKE
            ):
                return False
            self._lesson.answer_alike(view.image, view.plane, self._lay.cards[at].centre_mm, new)
            self._lay = self._lesson.lay
            self._keep(self._lesson)
            return True

    def numbered(self, card_id: str) -> tuple[str, int]:
        """The deck that is being learnt and the number of this card in it, 0 where it is in none."""
        with self._lock:
            if self._lesson is None:
                return "", 0
            return self._lesson.deck.name, self._lesson.deck.number_of(card_id) or 0

    def drop_card(self, card_id: str) -> bool:
        """Forget a card that is none, a plate say; the numbers after it move up. A deck whose last
        card it was is not kept. False where it is not in the deck: another screen took it out.

        Raises:
            BadInput: the deck cannot be kept.
        """
        with self._lock:
            number = self._lesson.deck.number_of(card_id) if self._lesson is not None else None
            if self._lesson is None or number is None:
                return False
            self._lesson.drop_card(number)
            self._lay, self._counted_in = Lay(), None
            self._keep(self._lesson)
            return True

    def _keep(self, lesson: DeckLesson) -> None:
        """Keep the deck as it is now. Where that cannot be, nobody is shown what would be lost: the lesson
        goes back to what is kept, and what lies there is counted anew. Raises BadInput."""
        assert self._file is not None
        try:
            self._file.keep(lesson.deck)
        except BadInput:
            lesson.go_back(self._kept)
            self._lay, self._counted_in, self._seen = Lay(), None, None
            raise
        self._kept = lesson.deck

    def laid_look(self, lay: int, at: int) -> np.ndarray | None:
        """How the `at`-th card of this lay looks, (h, w, 3) uint8 BGR; None where there is none."""
        with self._lock:
            view = self._view_of(lay, at)
            if self._lesson is None or view is None:
                return None
            outline, laid = self._lesson.deck.outline, self._lay.cards[at]
            size = look_size(outline)
            return bare_look(
                outline,
                turned_patch(view.image, view.plane, laid.centre_mm, laid.turn_deg, size)[0],
            )

    def _view_of(self, lay: int, at: int) -> TablePicture | None:
        """The picture in which this lay was counted; None where it is another by now, or too short."""
        known = lay == self._counted_lays and 0 <= at < len(self._lay.cards)
        return self._counted_in if known else None

    def deck(self, name: str) -> LearntDeck:
        """The deck of this name, the one being learnt as far as it is. Raises BadInput."""
        with self._lock:
            if self._lesson is not None and self._lesson.deck.name == name:
                return self._lesson.deck
        return deck_store.opened_deck(self.folder, name)

    def kept(self) -> list[dict[str, Any]]:
        """The kept decks' names, with how many cards each has; 0 for a file that is damaged."""
        return [
            {
                "name": name,
                "cards": _cards_in(self.folder, name, deck_store.changed_ns(self.folder, name)),
            }
            for name in deck_store.kept_decks(self.folder)
        ]

    def to_json(self) -> dict[str, Any] | None:
        """The lesson as screens show it: the deck's name, its cards with how often each was looked
        at, their size in mm, and the lay as counted; None while nothing is learnt."""
        with self._lock:
            if self._lesson is None:
                return None
            deck, lay = self._lesson.deck, self._lay
            said = {says.value: sum(card.says is says for card in lay.cards) for says in SaysCard}
            return {
                "name": deck.name,
                "cards": [{"id": card.id, "looks": len(card.looks)} for card in deck.cards],
                "size_mm": round(deck.outline.width_mm),
                "height_mm": round(deck.outline.height_mm),
                "round": deck.outline.round,
                "counted": lay.counted,
                "said": {says: many for says, many in said.items() if many},
                "alike": [
                    {"lay": self._counted_lays, "at": at, "number": card.number}
                    for at, card in enumerate(lay.cards)
                    if card.says is SaysCard.ALIKE
                ],
            }


@functools.lru_cache(maxsize=64)
def _cards_in(folder: Path, name: str, changed_ns: int) -> int:  # noqa: ARG001 (part of the cache's key)
    """How many cards a kept deck has; 0 where its file is damaged."""
    try:
        return len(deck_store.kept_deck(folder, name).cards)
    except BadInput:
        return 0

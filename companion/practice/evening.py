"""An evening at the practice table, as the command line asks for it: script, room and camera in
one.

Knows the options' names; knows no server and no clock.
"""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from math import dist

import cv2
import numpy as np

from calibration.geometry.fit import fit_plane
from calibration.geometry.plane import Plane
from calibration.tags.find import find_tags
from card_printables.marker import SYMBOL_MM, MarkerPlace
from companion.errors import BadInput
from companion.game.events import EveningBegun
from companion.practice.faults import EVERYDAY, Faults
from companion.practice.lesson import LOOKS, back_picture, lesson_pictures
from companion.practice.room import Room, parlour, random_room
from companion.practice.script import PUBLISHED_DECK, write_script
from companion.practice.table import PracticeTable
from companion.practice.truth import Truth
from companion.table.sighting import Point
from companion.vision.learnt.deck import LearntDeck
from companion.vision.learnt.deck_reader import DeckReader
from companion.vision.learnt.lesson import DeckLesson, Lay, SaysCard
from companion.vision.places.back_lesson import learn_lone_back
from companion.vision.places.backs import Back

FRAMES_A_SECOND = 8.0
"""Enough for the referee (it lives at 2.5) and what a small computer renders and reads while people
watch."""

IDLE_FRAMES_A_SECOND = 2.0
"""Where nobody watches (--fast), a table that nobody has touched for a while is photographed so
often."""

QUESTION_ROUND = 2
"""Where people watch a whole game, this round's end is hidden from the camera: they see how it asks."""

MOST_LESSONS = 4
"""So often the practice table lays out what was not learnt."""

AT_ITS_PLACE_MM = 25.0
"""What a lesson finds so far from a card is none."""

SHOWN_HASTE = 1.6
"""Newcomers watch with less patience than players think: pauses are this much shorter."""


class PracticeEvening(PracticeTable):
    """A practice table that also says how its evening begins."""

    @property
    def begun(self) -> EveningBegun:
        """Who sits down, and by which rules."""
        truth: Truth = self.script.truth
        return EveningBegun(
            truth.players, truth.daydreamer, truth.edition, len(truth.deck), truth.handling
        )


def open_practice(args: argparse.Namespace | None = None) -> PracticeEvening:
    """The table that `companion practice` options describe; without options a quiet game of five in
    a wooden parlour.

    Raises:
        BadInput: a fault's name is not known.
    """
    players = getattr(args, "players", 5)
    given = getattr(args, "seed", None)
    seed = secrets.randbelow(1_000_000) if given is None else given
    fast = getattr(args, "fast", False)
    named, rounds = getattr(args, "fault", []), getattr(args, "rounds", None)
    faults = _faults(named)
    script = write_script(
        players,
        getattr(args, "edition", "en"),
        rounds,
        seed,
        getattr(args, "temper", "ordinary"),
        getattr(args, "set_aside", "auto"),
        faults,
        layout=(
            room := random_room(seed, players, faults=faults)
            if getattr(args, "room", "parlour") == "random"
            else parlour(players)
        ).layout,
        haste=1.0 if fast else SHOWN_HASTE,
        unseen_round=None if fast or named or rounds else QUESTION_ROUND,
    )
    return PracticeEvening(
        script,
        room.camera,
        room.cloth,
        seed,
        FRAMES_A_SECOND,
        IDLE_FRAMES_A_SECOND if fast else None,
        codes=not getattr(args, "no_codes", False),
        straight=_straight(args),
    )


def _straight(args: argparse.Namespace | None) -> bool:
    """Whether the cards without codes are rectangular."""
    return getattr(args, "card_shape", "disc") == "rectangle"


def learn_practice_back(args: argparse.Namespace, deck: LearntDeck) -> Back | None:
    """The back of the practice deck without codes, learnt in one look; None where this room does not
    let it be told."""
    image = back_picture(_room_of(args), getattr(args, "seed", None) or 0, _straight(args))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    plane = fit_plane(find_tags(grey), (grey.shape[1], grey.shape[0]))
    reader = DeckReader(deck, SYMBOL_MM)
    return learn_lone_back(
        image, plane, reader, MarkerPlace(deck.disc_mm, SYMBOL_MM), deck.outline
    ).back


def _room_of(args: argparse.Namespace) -> Room:
    players, seed = getattr(args, "players", 5), getattr(args, "seed", None) or 0
    at_random = getattr(args, "room", "parlour") == "random"
    return random_room(seed, players) if at_random else parlour(players)


def learn_practice_deck(
    args: argparse.Namespace, name: str, on_lay: Callable[[int], None]
) -> LearntDeck:
    """The practice deck without codes, learnt at the practice table as people learn theirs, and put in
    the order of its printed numbers, so that the truth may be compared; `on_lay` is told how many
    cards are known after each lay.

    Raises:
        BadInput: some of the cards could not be learnt in this room.
    """
    room, seed = _room_of(args), getattr(args, "seed", None) or 0
    lesson = DeckLesson(name=name)
    plane: Plane | None = None
    printed: dict[int, int] = {}
    missing, looks = list(PUBLISHED_DECK), LOOKS
    for lesson_seed in range(seed, seed + MOST_LESSONS):
        shown = lesson_pictures(room, missing, lesson_seed, looks, _straight(args))
        for laid, image in shown:
            if plane is None:
                grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
                plane = fit_plane(find_tags(grey), (grey.shape[1], grey.shape[0]))
            lay = lesson.observe_picture(image, plane)
            if lay.counted:
                printed |= _numbers_of_new(lesson, lay, laid, image, plane, printed)
                on_lay(len(lesson.deck.cards))
        missing, looks = [card for card in PUBLISHED_DECK if card not in printed], 1
        if not missing:
            break
    if missing:
        raise BadInput(f"in this room the cards {missing} could not be learnt: try another --seed")
    cards = tuple(lesson.deck.cards[printed[card] - 1] for card in PUBLISHED_DECK)
    return replace(lesson.deck, cards=cards)


def _numbers_of_new(
    lesson: DeckLesson,
    lay: Lay,
    laid: Mapping[int, Point],
    image: np.ndarray,
    plane: Plane,
    known: Container[int],
) -> dict[int, int]:
    """By their printed numbers, the numbers under which cards of this lay were learnt; what the lesson
    asks is answered as whoever laid them out would."""
    learnt: dict[int, int] = {}
    for said in lay.cards:
        at = said.centre_mm
        card = min(laid, key=lambda card: dist(laid[card], at))
        if dist(laid[card], at) > AT_ITS_PLACE_MM or said.number is None:
            continue
        if said.says is SaysCard.ALIKE:
            lesson.answer_alike(image, plane, at, card not in known)
            if card not in known:
                learnt[card] = len(lesson.deck.cards)
        elif said.says is SaysCard.NEW:
            learnt[card] = said.number
    return learnt


def _faults(names: list[str]) -> Faults:
    if not names:
        return EVERYDAY
    try:
        rates = dict.fromkeys(names, 0.25)
        for name in names:
            Faults.only(name)
        return Faults(**rates)
    except ValueError as error:
        raise BadInput(str(error)) from error

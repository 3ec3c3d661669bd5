"""Learns a deck by its pictures: no codes, nothing stuck on the cards.

Lay eight or ten cards face up anywhere in the camera's view, apart from one another; wait until they
are counted; sweep them away and lay the next. The whole deck a second time, laid otherwise, makes it
surer. Stop at any time with Ctrl-C: what was learnt is kept, and the same command goes on with it.
`companion play --deck NAME` then reads the deck by its pictures. The deck stays on this computer.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from calibration.cameras.grey import checked_grey
from calibration.geometry.plane import Plane
from card_printables.files import written_whole
from companion.commands.shared.sources import cameras_or_pictures
from companion.commands.shared.stopping import Stopping, stops_cleanly
from companion.errors import BadInput
from companion.journal.data_folder import open_folder
from companion.set_up import deck_store
from companion.vision.frame.table_plane import PlaneTracker
from companion.vision.learnt.deck import MOST_CARDS, LearntDeck, check_name, deck_to_bytes
from companion.vision.learnt.lesson import DeckLesson, LaidCard, Lay, SaysCard, alike_pairs

OTHER_SHAPE = (
    "the shape of these cards does not show: take all of them away for a moment, then lay them again; if "
    "they are neither round nor rectangular, print stickers with codes for them (`companion print stickers`)"
)


def configure(parser: argparse.ArgumentParser) -> None:
    """The deck's name, the camera, and what else may be done with a learnt deck."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="what to call the deck")
    parser.add_argument(
        "pictures", nargs="*", metavar="FILE", help="films or folders of pictures of the laid cards"
    )
    parser.add_argument("--camera", default="auto", help="camera to watch when no files are given")
    parser.add_argument("--data", metavar="DIR", help="folder that keeps the decks")
    parser.add_argument("--list", action="store_true", help="name the decks that were learnt")
    parser.add_argument("--forget", action="store_true", help="delete the deck")
    parser.add_argument("--export", metavar="FILE", help="write the deck to one file")
    parser.add_argument("--import", dest="import_", metavar="FILE", help="take in such a file")


def run(args: argparse.Namespace) -> int:
    """Learn until the pictures end or a person stops it; 0 when the deck can be told by its
    pictures, 1 when two of its cards are too alike."""
    folder = open_folder(args.data)
    if args.list:
        names = deck_store.kept_decks(folder)
        if not names:
            print("no deck is learnt yet")
        for name in names:
            try:
                told = f"{len(deck_store.kept_deck(folder, name).cards)} cards"
            except BadInput as trouble:
                told = f"damaged ({trouble}); `companion learn-deck {shlex.quote(name)} --forget` deletes it"
            print(f"{name}: {told}")
        return 0
    if args.import_:
        deck = deck_store.read_deck(Path(args.import_))
        if args.name:
            deck = LearntDeck(check_name(args.name), deck.outline, deck.cards)
        kept = deck_store.kept_name(folder, deck.name)
        if kept in deck_store.kept_decks(folder):
            raise BadInput(
                f"a deck called {kept} is here already: take this one in under another name, "
                "`companion learn-deck NAME --import FILE`"
            )
        deck_store.keep_deck(folder, deck)
        print(f"{deck.name}: {len(deck.cards)} cards")
        return 0
    if not args.name:
        raise BadInput("a deck needs a name: `companion learn-deck NAME`")
    if args.forget:
        name = deck_store.kept_name(folder, args.name)
        deck_store.forget_deck(folder, name)
        print(f"{name} is forgotten")
        return 0
    if args.export:
        return _export(deck_store.kept_deck(folder, args.name), Path(args.export))
    return _learn(args, folder)


def _export(deck: LearntDeck, path: Path) -> int:
    try:
        with written_whole(path) as made:
            made.write_bytes(deck_to_bytes(deck))
    except FileExistsError as error:
        raise BadInput(f"{path} is there already: choose another file") from error
    except OSError as error:
        raise BadInput(
            f"{path} cannot be written ({error.strerror}): choose another file"
        ) from error
    print(f"{path}: {len(deck.cards)} cards")
    return 0


def _learn(args: argparse.Namespace, folder: Path) -> int:
    name = deck_store.kept_name(folder, args.name)
    file = deck_store.LessonFile(folder, name)
    known = name in deck_store.kept_decks(folder)
    lesson = DeckLesson(deck_store.kept_deck(folder, name) if known else None, name)
    if known:
        print(f"going on with {name}: {len(lesson.deck.cards)} cards so far", flush=True)
    tracker = PlaneTracker()
    seen = Lay()
    with stops_cleanly() as stopping:
        cameras = cameras_or_pictures(args)
        stopping.calmly()
        for camera in cameras:
            try:
                while not stopping.told and (frame := camera.read()) is not None:
                    plane = _plane(tracker, frame.image, frame.t_s)
                    if plane is None:
                        continue
                    lay = lesson.observe_picture(frame.image, plane)
                    if lay.counted and lay is not seen:
                        file.keep(lesson.deck)
                        print(_line(lesson, lay), flush=True)
                        for _ in _asked_alike(lesson, lay, frame.image, plane, stopping):
                            file.keep(lesson.deck)
                    seen = lay
            finally:
                camera.close()
    return _report(lesson, tracker.plane)


def _plane(tracker: PlaneTracker, image: np.ndarray, t_s: float) -> Plane | None:
    grey = checked_grey(image)
    return tracker.track_plane(grey, t_s) if grey is not None else None


def _line(lesson: DeckLesson, lay: Lay) -> str:
    """What a lay came to, in one line."""
    count = len(lesson.deck.cards)
    parts = [f"{count:>3} {'card' if count == 1 else 'cards'}"]
    words = {
        SaysCard.NEW: "new: {}",
        SaysCard.KNOWN: "known: {}",
        SaysCard.ALIKE: "much like {}: the same again, or its twin?",
    }
    for says, text in words.items():
        numbers = lay.numbers(says)
        if numbers:
            parts.append(text.format(", ".join(map(str, numbers))))
    alike = sum(card.says is SaysCard.DOUBLE for card in lay.cards)
    other = sum(card.says is SaysCard.OTHER for card in lay.cards)
    glared = sum(card.says is SaysCard.GLARE for card in lay.cards)
    full = sum(card.says is SaysCard.FULL for card in lay.cards)
    unclear = sum(card.says is SaysCard.UNCLEAR for card in lay.cards)
    if alike:
        parts.append(f"{alike} look like another one here: face down, or a card there are two of")
    if other:
        parts.append(f"{other} of another shape or size, or touching: not learnt")
    if glared:
        parts.append(f"{glared} in a lamp's glare: move them")
    if any(card.says is SaysCard.STRAIGHT for card in lay.cards):
        parts.append(f"not learnt: {OTHER_SHAPE}")
    if unclear:
        parts.append(f"{unclear} without a clear edge: move them apart")
    if full:
        parts.append(f"{full} not learnt: the deck is full, {MOST_CARDS} cards are the most")
    return "   ".join(parts)


def _asked_alike(
    lesson: DeckLesson, lay: Lay, image: np.ndarray, plane: Plane, stopping: Stopping
) -> Iterator[LaidCard]:
    """Ask of each card that is much like another, and give it once it was answered; without an answer it
    is not learnt."""
    if not sys.stdin.isatty():
        return
    for card in lay.cards:
        if card.says is not SaysCard.ALIKE or card.number is None or stopping.told:
            continue
        x, y = card.centre_mm
        said = stopping.ask(
            f"The card at {x:.0f}, {y:.0f} mm: another card than {card.number}? [y/N] "
        )
        if said is not None:
            another = said.strip().lower().startswith("y")
            lesson.answer_alike(image, plane, card.centre_mm, another)
            yield card


def _report(lesson: DeckLesson, plane: Plane | None) -> int:
    deck = lesson.deck
    if not deck.cards:
        if any(card.says is SaysCard.STRAIGHT for card in lesson.lay.cards):
            raise BadInput(f"no card was learnt: {OTHER_SHAPE}")
        if plane is None:
            why, do = "the corner tokens are not in view", ""
        else:
            why = "no card lies clear and alike in two pictures in a row"
            do = "leave every lay for two pictures or more; "
        raise BadInput(
            f"no card was learnt, for {why}: {do}`companion calibrate` shows what the camera sees"
        )
    once = sum(len(card.looks) == 1 for card in deck.cards)
    print(f"{deck.name}: {len(deck.cards)} cards, {deck.outline}")
    if once:
        print(f"{once} of them were looked at once: lay them again, elsewhere, to be surer")
    alike = alike_pairs(deck)
    for a, b, like in alike:
        print(f"{a} and {b} look alike ({like:.2f}): they may stay without a name")
    return 1 if alike else 0

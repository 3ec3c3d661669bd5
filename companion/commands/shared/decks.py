"""The deck that people chose with `--deck`: printed, with codes, or learnt by its pictures.

Knows the command line, the data folder and the eye's two plugs. Must not know what is done with them.
"""

from __future__ import annotations

import argparse
import contextlib
import shlex
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from card_printables.deck import DECKS, PUBLISHED_SIZE
from companion.commands.shared.options import SMALLEST, deck_numbers, marker_of
from companion.errors import BadInput
from companion.game.rules import Refusal
from companion.journal.data_folder import data_folder
from companion.set_up import deck_store
from companion.vision.codes.zxing_reader import SecondReader
from companion.vision.eye import Eye
from companion.vision.learnt.deck import LearntDeck
from companion.vision.learnt.deck_reader import DeckReader
from companion.vision.second_reader.zxing import decode


def learnt_deck(args: argparse.Namespace) -> LearntDeck | None:
    """The learnt deck that `--deck` names (by its name, or a file that was exported), None for a
    printed one. `--deck-size` is then as many cards as were learnt.

    Raises:
        BadInput: there is no such deck, or it is too small to play with.
    """
    if args.deck is None:  # nothing was said here: people may have chosen on the tablet
        return _chosen_on_tablet(args, data_folder(getattr(args, "data", None)))
    if args.deck in DECKS:
        return None
    path = Path(args.deck)
    if path.suffix == deck_store.ENDING and path.exists():
        deck = deck_store.read_deck(path)
    else:
        deck = deck_store.kept_deck(data_folder(getattr(args, "data", None)), args.deck)
    args.deck_size = len(large_enough(deck).cards)
    return deck


def _chosen_on_tablet(args: argparse.Namespace, folder: Path) -> LearntDeck | None:
    """The deck that people chose on a screen, None for printed codes. One that cannot be played with
    any more stops no evening: it is said, and codes are read."""
    args.deck = DECKS[0]
    name = deck_store.played_deck(folder)
    if name is None:
        return None
    try:
        deck = large_enough(deck_store.kept_deck(folder, name))
    except BadInput as error:
        print(
            f"{error}. Until another deck is chosen on the tablet the camera reads codes.",
            flush=True,
        )
        return None
    args.deck, args.deck_size = deck.name, len(deck.cards)
    return deck


def card_numbers(args: argparse.Namespace, deck: LearntDeck | None) -> frozenset[int]:
    """The numbers of the cards that are played with."""
    return deck_numbers(args.deck_size) if deck is None else frozenset(deck.numbers)


def open_eye(
    args: argparse.Namespace,
    numbers: frozenset[int],
    deck: LearntDeck | None = None,
    second_reader: SecondReader = decode,
) -> Eye:
    """The eye for this deck."""
    symbol_mm = marker_of(args.marker_mm)
    if deck is None:
        return Eye(numbers, args.deck or DECKS[0], symbol_mm, second_reader=second_reader)
    return eye_for_learnt(deck, symbol_mm)


class PlayedDeck:
    """The deck that this table plays with: as chosen on the command line, and from then on as people
    choose on a screen."""

    def __init__(
        self,
        args: argparse.Namespace,
        deck: LearntDeck | None,
        second_reader: SecondReader,
        folder: Path,
    ) -> None:
        """`deck`: the learnt one, None for printed codes; a choice is kept in `folder`."""
        self.deck = deck
        self._args = args
        self._second_reader = second_reader
        self._folder = folder
        self._lock = threading.Lock()

    @property
    def name(self) -> str | None:
        """What it was called when it was learnt; None for printed codes."""
        return self.deck.name if self.deck is not None else None

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of its cards."""
        return card_numbers(self._args, self.deck)

    @contextlib.contextmanager
    def eye(self) -> Iterator[Eye]:
        """An eye that reads it. Inside, no other deck is chosen: a camera that comes is given its eye
        and takes its place as one, and reads what is played with."""
        with self._lock:
            yield self._eye_for(self.deck)

    def _eye_for(self, deck: LearntDeck | None) -> Eye:
        numbers = card_numbers(self._args, deck)
        return open_eye(self._args, numbers, deck, self._second_reader)

    def choose(self, name: str | None, session: PlaysWith) -> Refusal | None:
        """Play with the learnt deck of this name, or with printed codes; the Refusal while an evening
        is being played. Raises BadInput: there is no such deck, or it is too small."""
        name = None if name is None else deck_store.kept_name(self._folder, name)
        deck = None if name is None else large_enough(deck_store.kept_deck(self._folder, name))
        with self._lock:
            if deck is None and self._args.deck not in DECKS:
                self._args.deck, self._args.deck_size = DECKS[0], PUBLISHED_SIZE
            eye, numbers = self._eye_for(deck), card_numbers(self._args, deck)
            kept = deck_store.played_deck(self._folder)
            deck_store.choose_deck(
                self._folder, name
            )  # first on disk: who is told no has changed nothing
            refusal = session.play_with(eye, numbers, deck.name if deck is not None else "")
            if refusal is None:
                self.deck = deck
            else:
                deck_store.choose_deck(self._folder, kept)
            return refusal


class PlaysWith(Protocol):
    """The session of one table."""

    def play_with(self, eye: Eye, numbers: frozenset[int], learnt_deck: str = "") -> Refusal | None:
        """Read these cards from now on; the Refusal while an evening is being played."""


def large_enough(deck: LearntDeck) -> LearntDeck:
    """This deck. Raises BadInput: it is too small to play with."""
    if len(deck.cards) < SMALLEST:
        raise BadInput(
            f"{deck.name} has only {len(deck.cards)} cards: "
            f"`companion learn-deck {shlex.quote(deck.name)}` learns more"
        )
    return deck


def eye_for_learnt(deck: LearntDeck, symbol_mm: float) -> Eye:
    """The eye that reads this deck by its pictures."""
    reader = DeckReader(deck, symbol_mm)
    return Eye(reader.numbers, deck.name, symbol_mm, reader=reader, outline=deck.outline)

"""The decks that were learnt by their pictures, each a file in the data folder, under its name.

Knows files; must not know cameras or screens. A deck leaves this computer only as a file that a person
exports.
"""

from __future__ import annotations

import shlex
from functools import lru_cache
from pathlib import Path

from card_printables.files import read_regular, write_beside_then_replace
from companion.errors import BadInput
from companion.vision.learnt.deck import (
    LARGEST_FILE,
    LearntDeck,
    check_name,
    deck_from_bytes,
    deck_to_bytes,
)

FOLDER = "decks"
ENDING = ".deck"
PLAYED = "played"
"""The file that names the deck people chose on the tablet."""
MOST_NAME_BYTES = 200


def kept_decks(folder: Path) -> tuple[str, ...]:
    """The names of the decks in this data folder, in order; a file whose name is none that a deck can
    have (a browser's second copy, say) is not one of ours."""
    stems = (path.stem for path in (folder / FOLDER).glob(f"*{ENDING}"))
    return tuple(sorted(stem for stem in stems if _is_name(stem)))


def kept_name(folder: Path, name: str) -> str:
    """The name under which this deck is kept, which may be written with other capitals: a disk may know
    one file by both. The name itself where there is none.

    Raises:
        BadInput: no deck can have this name.
    """
    name = check_name(name)
    kept = kept_decks(folder)
    if name in kept:
        return name
    return next((one for one in kept if one.casefold() == name.casefold()), name)


def _is_name(stem: str) -> bool:
    try:
        check_name(stem)
    except BadInput:
        return False
    return True


def changed_ns(folder: Path, name: str) -> int:
    """When the file of this deck changed last; 0 where there is none."""
    try:
        return _path(folder, name).stat().st_mtime_ns
    except OSError:
        return 0


def keep_deck(folder: Path, deck: LearntDeck) -> Path:
    """Write a deck under its name, whole or not at all; where it lies.

    Raises:
        BadInput: it cannot be written.
    """
    path = _path(folder, deck.name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_beside_then_replace(path, deck_to_bytes(deck))
    except OSError as error:
        raise BadInput(
            f"the deck cannot be kept in {path.parent} ({error.strerror}): choose another folder with --data"
        ) from error
    return path


class LessonFile:
    """The file of a deck while one lesson learns it; what somebody else wrote there meanwhile is not
    written over."""

    def __init__(self, folder: Path, name: str) -> None:
        """As it lies there now; ask for it before what is in it."""
        self._folder = folder
        self._name = name
        self._known = self._stamp()

    def keep(self, deck: LearntDeck) -> None:
        """Write the deck as far as it is learnt; without any card it is not kept.

        Raises:
            BadInput: it cannot be written, or somebody else wrote it or took it away.
        """
        if self._stamp() != self._known:
            raise BadInput(
                f"{self._name} is being learnt elsewhere, too, or was deleted: end this, and learn it on from there"
            )
        if deck.cards:
            keep_deck(self._folder, deck)
        elif self._known is not None:
            forget_deck(self._folder, self._name)
        self._known = self._stamp()

    def _stamp(self) -> tuple[int, int] | None:
        """Tells what was written from what stood there before."""
        try:
            found = _path(self._folder, self._name).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns


def kept_deck(folder: Path, name: str) -> LearntDeck:
    """The deck of this name.

    Raises:
        BadInput: there is none, or its file is damaged.
    """
    path = _path(folder, name)
    if not path.exists():
        known = ", ".join(kept_decks(folder)) or "none yet"
        raise BadInput(
            f"no deck called {name!r} was learnt ({known}): `companion learn-deck {shlex.quote(name)}` learns it"
        )
    return read_deck(path)


def opened_deck(folder: Path, name: str) -> LearntDeck:
    """The deck of this name, opened once as long as its file does not change: pages ask for every card.

    Raises:
        BadInput: there is none, or its file is damaged.
    """
    return _opened(folder, name, changed_ns(folder, name))


@lru_cache(maxsize=2)
def _opened(folder: Path, name: str, changed_ns: int) -> LearntDeck:  # noqa: ARG001 (part of the cache's key)
    return kept_deck(folder, name)


def played_deck(folder: Path) -> str | None:
    """The name of the learnt deck that people chose to play with here; None for the printed one."""
    path = folder / FOLDER / PLAYED
    try:
        return check_name(read_regular(path, MOST_NAME_BYTES).decode("utf-8"))
    except (OSError, ValueError, BadInput):
        return None


def choose_deck(folder: Path, name: str | None) -> None:
    """Play with this learnt deck from now on; None: with the printed codes.

    Raises:
        BadInput: it cannot be written down.
    """
    path = folder / FOLDER / PLAYED
    try:
        if name is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        write_beside_then_replace(path, check_name(name).encode("utf-8"))
    except OSError as error:
        raise BadInput(
            f"which deck is played cannot be kept in {path.parent} ({error.strerror}): free some space"
        ) from error


def read_deck(path: Path) -> LearntDeck:
    """The deck in a file that somebody exported.

    Raises:
        BadInput: it cannot be read, or holds no deck.
    """
    data = _read(path)
    try:
        return deck_from_bytes(data)
    except BadInput as error:
        raise BadInput(f"{path.name}: {error}") from error


def _read(path: Path) -> bytes:
    try:
        return read_regular(path, LARGEST_FILE + 1)
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}): give a deck's file") from error


def deck_bytes(folder: Path, name: str) -> bytes:
    """The file of the deck of this name, to hand on; never what is no deck, whatever the name leads to.

    Raises:
        BadInput: there is none, or it is damaged.
    """
    data = _read(_path(folder, name))
    deck_from_bytes(data)
    return data


def forget_deck(folder: Path, name: str) -> None:
    """Delete a deck.

    Raises:
        BadInput: there is none of this name, or it cannot be deleted.
    """
    path = _path(folder, name)
    try:
        path.unlink()
    except FileNotFoundError:
        raise BadInput(f"no deck called {name!r} was learnt: nothing was deleted") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be deleted ({error.strerror}): delete it by hand") from error


def _path(folder: Path, name: str) -> Path:
    return folder / FOLDER / f"{kept_name(folder, name)}{ENDING}"

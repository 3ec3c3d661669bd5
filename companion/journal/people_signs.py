"""Which sign, a shape with its colour, each person has: theirs for years, whoever else is at the
table.

Kept in `people.json` beside the evenings, by the order in which people came; an evening of before
gives its people theirs as it is read. Knows names and numbers; how a sign is drawn is the page's.
"""

from __future__ import annotations

import json
import logging
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from card_printables.files import move_aside, read_regular, write_beside_then_replace
from companion.journal.store import remove_files, said

FILE = "people.json"

SIGNS = 8
"""So many shapes with their colours there are; as many as people at one table."""


def person_key(name: str) -> str:
    """What is the same for two ways to write one name, as the table compares them."""
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())


def signs_at_table(
    names: Sequence[str], kept: Mapping[str, int], sitting: Collection[int] | None = None
) -> tuple[int, ...]:
    """A sign for each of these, no two the same among eight.

    `kept` has the signs people have, by `person_key`. Who has one keeps it; where two have the
    same, the later one of the two has another for this evening. Newcomers get those that the
    fewest people have. Where some of them have left, `sitting` says which (their places in `names`)
    have not: those come first, and no two of them have the same. Who left keeps theirs where all
    are taken anyway.
    """
    given: dict[int, int] = {}
    left = () if sitting is None else [at for at in range(len(names)) if at not in sitting]
    for seats in ([at for at in range(len(names)) if at not in left], left):
        for at in seats:
            own = kept.get(person_key(names[at]))
            if own is not None and own not in given.values():
                given[at] = own
        for at in seats:
            if at not in given:
                own = kept.get(person_key(names[at]))
                full = len(set(given.values())) == SIGNS
                given[at] = own if full and own is not None else _freest(kept, given.values())
    return tuple(given[at] for at in range(len(names)))


def _freest(kept: Mapping[str, int], taken: Iterable[int]) -> int:
    here, anywhere = list(taken), list(kept.values())
    return min(range(SIGNS), key=lambda sign: (here.count(sign), anywhere.count(sign), sign))


class PeopleSigns:
    """Everybody's sign, kept in one data folder."""

    def __init__(self, folder: Path, evenings: Iterable[Sequence[str]] = ()) -> None:
        """Reads what is kept; people of `evenings` (their names, oldest first) who have none yet
        are given theirs."""
        self._file = folder / FILE
        self._kept = _read(self._file)
        for names in evenings:
            self._learn(names, signs_at_table(names, self._kept))

    def at_table(
        self, names: Sequence[str], sitting: Collection[int] | None = None
    ) -> tuple[int, ...]:
        """The signs that these have tonight (`signs_at_table`)."""
        return signs_at_table(names, self._kept, sitting)

    def keep_names(
        self,
        names: Sequence[str],
        shown: Sequence[int] = (),
        sitting: Collection[int] | None = None,
    ) -> None:
        """These sit down: newcomers keep the sign that a screen has `shown` beside them, as far as
        nobody else here has it. A disk that refuses is only logged: the signs are right until the
        companion stops."""
        told = {person_key(name): sign for name, sign in zip(names, shown, strict=False)}
        signs = signs_at_table(names, told | self._kept, sitting)
        if self._learn(names, signs):
            self._store()

    def forget(self, keys: Iterable[str]) -> None:
        """Nobody has the sign of these any more (`person_key` of each way a name was written), and no
        damaged copy of the file is left. Raises JournalTrouble where the disk refuses: then they have."""
        gone = set(keys)
        left = {key: sign for key, sign in self._kept.items() if key not in gone}
        remove_files(self._file.parent.glob(f"{FILE}.broken-*"), self._file.parent)
        if len(left) < len(self._kept):
            try:
                self._write(left)
            except OSError as error:
                raise said(error, self._file.parent) from error
            self._kept = left

    def _write(self, signs: Mapping[str, int]) -> None:
        write_beside_then_replace(self._file, json.dumps(signs).encode())

    def _store(self) -> None:
        try:
            self._write(self._kept)
        except OSError as error:
            why = error.strerror or error
            logging.getLogger(__name__).warning("the people's signs could not be kept: %s", why)

    def _learn(self, names: Sequence[str], signs: Sequence[int]) -> bool:
        before = len(self._kept)
        for name, sign in zip(names, signs, strict=True):
            self._kept.setdefault(person_key(name), sign)
        return len(self._kept) > before


def _is_sign(value: object) -> bool:
    return type(value) is int and value in range(SIGNS)


def _read(file: Path) -> dict[str, int]:
    """What the file has; nothing where there is none. One that cannot be understood is put out of the
    way, and that is said."""
    try:
        told = json.loads(read_regular(file).decode("utf-8"))
        return {str(name): sign for name, sign in told.items() if _is_sign(sign)}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        logging.getLogger(__name__).warning(
            "%s cannot be read: people get new signs; it is now %s", file.name, move_aside(file)
        )
        return {}

"""The hall this table belongs to: where it is, the token it gave, and what people decided.

One private file (mode 0600) in the data folder; without it this table belongs to no hall. Knows files;
must not know the network.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from card_printables.files import (
    carry_names_to_disk,
    move_aside,
    read_regular,
    write_beside_then_replace,
)
from companion.errors import BadInput
from companion.journal.side import check_sum
from companion.outbox.told import pseudonym_for, same_person

FILE = "hall.json"
SUM = "sum"
"""Under this name stands the check sum of all the rest: a token or an address with one wrong bit is none."""

Check = Callable[[], None]
"""Raises where who asked for a change may not any more: the hall was waited for in between."""


def unchecked() -> None:
    """Whoever asked may still."""


@dataclass(frozen=True, slots=True)
class HallLink:
    """What a table keeps of its hall. `since` is the first evening that it is sent; `names` is None
    until people decided whether the hall shows theirs."""

    address: str
    cookie: str
    token: str
    number: int
    table: str
    since: int
    names: bool | None = None
    certificate: str | None = None
    pseudonyms: dict[str, str] = field(default_factory=dict)
    known_as: dict[str, str] = field(default_factory=dict)
    """Each pseudonym's name as it was last written at the table; told only where `names` is true."""
    names_told: bool | None = None
    """What the hall has heard of `names`; None: nothing yet."""
    leaving: bool = False
    """Whether people wanted to leave while it did not answer and may have shown names."""

    @property
    def names_wait(self) -> bool:
        """Whether the hall has still to hear what was decided about names."""
        return self.names is not None and self.names_told is not self.names

    @property
    def names_may_stand(self) -> bool:
        """Whether the hall may show names now."""
        return self.names_told is True or (self.names_told is None and self.names is not None)


class LinkFile:
    """The link, in memory and on disk. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._link: HallLink | None = None
        self.set_aside: str | None = None
        """The name that a file nobody can read was given, out of the way."""
        try:
            self._link = _read(read_regular(self._path))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            self.set_aside = move_aside(self._path)

    @property
    def link(self) -> HallLink | None:
        """The link; None where this table belongs to no hall."""
        return self._link

    def let_changes_end(self) -> None:
        """Wait until nothing is being changed."""
        with self._lock:
            pass

    def keep(self, link: HallLink, check: Check = unchecked) -> None:
        """Write this down. Raises BadInput where the disk refuses, and what `check` raises; nothing is
        changed then."""
        with self._lock:
            check()
            self._write(link)

    def decide_names(self, shown: bool, check: Check = unchecked) -> None:
        """People decided whether the hall shows their names. Raises like `keep`."""
        with self._lock:
            check()
            if self._link is not None:
                self._write(replace(self._link, names=shown, leaving=False))

    def take_names_back(self, check: Check = unchecked) -> None:
        """People want to leave the hall; it is to show their names no more first. Raises like `keep`."""
        with self._lock:
            check()
            if self._link is not None:
                self._write(replace(self._link, names=False, leaving=True))

    def note_names_told(self, shown: bool) -> None:
        """The hall has heard that it may show names, or that it may not. Raises BadInput."""
        with self._lock:
            if self._link is not None and self._link.names_told is not shown:
                self._write(replace(self._link, names_told=shown))

    def forget(self, check: Check = unchecked) -> None:
        """This table belongs to no hall any more. Raises like `keep`."""
        with self._lock:
            check()
            try:
                self._path.unlink(missing_ok=True)
            except OSError as error:
                raise BadInput(f"{self._path} cannot be taken away ({error.strerror})") from error
            with contextlib.suppress(
                OSError
            ):  # it is gone, at the latest when the disk is well again
                carry_names_to_disk(self._path.parent)
            self._link = None

    def pseudonym_of(self, name: str) -> str:
        """What the hall calls this person, the same for ever. Raises BadInput."""
        with self._lock:
            link = self._link
            if link is None:
                raise BadInput("this table belongs to no hall")
            told = link.pseudonyms.get(same_person(name))
            if told is None or link.known_as.get(told) != name:
                told = told or pseudonym_for(name, link.table, link.pseudonyms)
                self._write(
                    replace(
                        link,
                        pseudonyms=link.pseudonyms | {same_person(name): told},
                        known_as=link.known_as | {told: name},
                    )
                )
            return told

    def forget_names(self, is_theirs: Callable[[str], bool]) -> None:
        """Keep none of these names any more; what the hall calls them is given to nobody else. Raises
        BadInput."""
        with self._lock:
            link = self._link
            if link is None:
                return
            pseudonyms = {
                told if is_theirs(name) else name: told for name, told in link.pseudonyms.items()
            }
            known_as = {told: name for told, name in link.known_as.items() if not is_theirs(name)}
            if (pseudonyms, known_as) != (link.pseudonyms, link.known_as):
                self._write(replace(link, pseudonyms=pseudonyms, known_as=known_as))

    def _write(self, link: HallLink) -> None:
        told = asdict(link)
        text = json.dumps(told | {SUM: _sum(told)})
        try:
            write_beside_then_replace(self._path, text.encode(), private=True)
        except OSError as error:
            raise BadInput(
                f"{self._path} cannot be written ({error.strerror or error}): make room and do it again"
            ) from error
        self._link = link


def _sum(told: dict[str, Any]) -> str:
    return check_sum(json.dumps(told, sort_keys=True).encode())


def _read(written: bytes) -> HallLink:
    """The link as it was written, by its check sum; one of before there was a sum is believed as well.
    Raises ValueError or TypeError."""
    told = json.loads(written.decode("utf-8"))
    if told.pop(SUM, None) not in (None, _sum(told)):
        raise ValueError(SUM)
    return _checked(HallLink(**told))


def _checked(link: HallLink) -> HallLink:
    """The link, each field of its type. Raises ValueError."""
    for name in ("address", "cookie", "token", "table"):
        if not isinstance(getattr(link, name), str):
            raise ValueError(name)
    for name in ("number", "since"):
        if type(getattr(link, name)) is not int:
            raise ValueError(name)
    if not all(isinstance(one, bool | None) for one in (link.names, link.names_told)):
        raise ValueError("names")
    if not isinstance(link.leaving, bool):
        raise ValueError("leaving")
    if not isinstance(link.certificate, str | None):
        raise ValueError("certificate")
    for told in (link.pseudonyms, link.known_as):
        if not isinstance(told, dict) or not all(isinstance(one, str) for one in told.values()):
            raise ValueError("pseudonyms")
    if urlsplit(link.address).port is None:
        raise ValueError("address")
    return link


def new_table_id() -> str:
    """A random id of 128 bits: who knows it could send in this table's name only with its token."""
    return secrets.token_hex(16)

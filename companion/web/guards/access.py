"""Who may do what: a rule for every route, and the devices that were let in.

Knows codes, cookies and devices; knows nothing of Flask, of the game or of the network. A device is
let in by a one-time code that only the host's screen (or a device already let in) shows; the code
is swapped for a cookie that can be taken back by name. Nobody is ever trusted for their network
address.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path

from card_printables.files import move_aside, read_regular, write_beside_then_replace
from companion.errors import CompanionError, JournalTrouble
from companion.web.guards.rate_limits import EVERYBODY, RateLimit, RateLimiter


class Rule(StrEnum):
    """Who may use a route."""

    OPEN = "open"
    """Anybody: the way in, and files that say nothing about the evening."""
    WATCH = "watch"
    """Every device that was let in."""
    CONTROL = "control"
    """Devices that may change the evening."""
    TABLE = "table"
    """In a hall: the tables that send it their entries, and nobody else."""


@dataclass(frozen=True, slots=True)
class Device:
    """A tablet, phone or screen that was let in, its `role` `Rule.WATCH` or `Rule.CONTROL`; in a hall
    also a table, `Rule.TABLE`."""

    key: str
    name: str
    role: Rule
    token_hash: str

    def may(self, rule: Rule) -> bool:
        """True when this device may use a route with that rule."""
        if Rule.TABLE in (rule, self.role):
            return rule in (Rule.OPEN, self.role)
        return rule is not Rule.CONTROL or self.role is Rule.CONTROL


@dataclass(frozen=True, slots=True)
class Invitation:
    """A code that lets devices in: until `ends_s` (monotonic), for `uses` more devices; one that has
    an end is kept until then, also used up, so that who shows it hears of it."""

    code: str
    role: Rule
    uses: int
    ends_s: float


class CannotKeep(CompanionError):
    """Raised when the list of devices cannot be written: then nothing was changed."""


class SentAway(CompanionError):
    """Raised when the device that asks was sent away while it asked: then nothing was changed."""


class TooManyCame(CompanionError):
    """Raised when more devices come at once than a table has: the code is as good as before."""


ENTERS = RateLimit(at_once=40, a_second=0.1)
"""Devices let in: eight players with two screens each, and guests; then six a minute. Each stays in the list
until it is sent away, and has allowances of its own."""


WATCH_MINUTES = 30
"""How long an invitation shown on a tablet stays good: long enough to pass a phone round a table.
"""


MOST_INVITATIONS = 64
"""So many invitations with an end are good at a time: the oldest goes when a tablet asks for one more."""


MOST_DEVICES = 2_000
"""So many devices are in at a time, in a hall too: for one more the oldest that only looks on goes, or where
there is none the oldest of all. More than a hall seats, and few enough to be looked through and written
down at each change."""


def key_of(code: str) -> str:
    """By what an invitation is asked after: it lets nobody in."""
    return _digest(code)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class Door:
    """The codes that are good now and the devices let in; kept in a file of mode 0600 when `path`
    is given."""

    def __init__(
        self,
        path: Path | None = None,
        now: Callable[[], float] = time.monotonic,
        enters: RateLimit = ENTERS,
    ) -> None:
        """`enters` is how fast devices come in by codes that have an end; the host's own have none."""
        self._path = path
        self._now = now
        self._enters = RateLimiter(enters)
        self._lock = threading.Lock()
        self._invitations: dict[str, Invitation] = {}
        self._devices: tuple[Device, ...] = ()
        self.set_aside: str | None = None
        """The name that a list of devices nobody can read was given, out of the way."""
        if path is not None and os.path.lexists(path):
            try:
                self._devices = _read(path)
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                self.set_aside = move_aside(path)  # they are let in anew
        self.on_new_device: Callable[[Device], None] | None = None
        self.require_alone: Callable[[], None] = lambda: None
        """Raises JournalTrouble where another process keeps this list as well: asked before it is written."""

    @property
    def devices(self) -> tuple[Device, ...]:
        """Every device let in, the oldest first."""
        return self._devices

    def invite(
        self,
        role: Rule = Rule.CONTROL,
        uses: int = 1,
        minutes: float | None = None,
        by: str | None = None,
    ) -> str:
        """A new code of 192 random bits; good for `uses` devices and `minutes` (for ever when
        None). `by` is the key of the device that asks for it, if one does. Raises SentAway."""
        code = secrets.token_urlsafe(24)
        ends_s = self._now() + minutes * 60 if minutes is not None else float("inf")
        with self._lock:
            self._check_still_in(by)
            good = {k: i for k, i in self._invitations.items() if i.ends_s > self._now()}
            shown = [k for k, i in good.items() if math.isfinite(i.ends_s)]
            surplus = (
                shown[: max(0, len(shown) - MOST_INVITATIONS + 1)] if minutes is not None else []
            )
            self._invitations = {k: i for k, i in good.items() if k not in surplus}
            self._invitations[_digest(code)] = Invitation(code, role, uses, ends_s)
        return code

    def invitation(self, key: str) -> tuple[str, int]:
        """How it stands with the invitation of this key (`key_of` its code): "good", "used" or "old",
        and for how many minutes it is still good."""
        with self._lock:
            found = self._invitations.get(key)
        left_s = found.ends_s - self._now() if found is not None else 0.0
        if found is None or left_s <= 0:
            return "old", 0
        minutes = math.ceil(left_s / 60) if math.isfinite(left_s) else WATCH_MINUTES
        return ("good", minutes) if found.uses > 0 else ("used", 0)

    def enter(self, code: str, name: str) -> str | None:
        """Swap a code for the new device's token; None when the code is unknown, used up or too
        old.

        Raises:
            CannotKeep: the disk refuses; the code is as good as before.
            TooManyCame: others came just before; the code is as good as before.
        """
        with self._lock:
            invitation = self._match(code)
            if invitation is None:
                return None
            if math.isfinite(invitation.ends_s) and not self._enters.may(EVERYBODY, self._now()):
                raise TooManyCame("Too many devices came at once.")
            token = secrets.token_urlsafe(32)
            device = Device(
                secrets.token_hex(4), self._free_name(name), invitation.role, _digest(token)
            )
            self._keep((*self._still_in(), device))
            self._use(invitation)
        if self.on_new_device is not None:
            self.on_new_device(device)
        return token

    def device(self, token: str | None) -> Device | None:
        """The device that holds this token; None for no token, an unknown or a revoked one."""
        if not token:
            return None
        found = _digest(token)
        return next((d for d in self._devices if secrets.compare_digest(d.token_hash, found)), None)

    def revoke(self, key: str, by: str | None = None) -> bool:
        """Send a device away for good, and with it every invitation that is still good for a while: it
        may have made one for itself, or know one that is shown. False when there is none of that key.
        `by` as for `invite`. Raises CannotKeep and SentAway."""
        with self._lock:
            self._check_still_in(by)
            left = tuple(d for d in self._devices if d.key != key)
            gone = len(left) < len(self._devices)
            if gone:
                self._keep(left)
                self._invitations = {
                    k: i
                    for k, i in self._invitations.items()
                    if not i.uses or not math.isfinite(i.ends_s)
                }
        return gone

    def rename(self, key: str, name: str, by: str | None = None) -> bool:
        """Give a device another name (written beside the changes it makes); False when there is
        none of that key. `by` as for `invite`. Raises CannotKeep and SentAway."""
        with self._lock:
            self._check_still_in(by)
            known = any(d.key == key for d in self._devices)
            if known:
                self._keep(
                    tuple(replace(d, name=name) if d.key == key else d for d in self._devices)
                )
        return known

    def _still_in(self) -> tuple[Device, ...]:
        """The devices beside which there is room for one more."""
        if len(self._devices) < MOST_DEVICES:
            return self._devices
        watching = (d for d in self._devices if d.role is Rule.WATCH)
        goes = next(watching, self._devices[0])
        return tuple(d for d in self._devices if d is not goes)

    def _check_still_in(self, key: str | None) -> None:
        """The device of this key waited for the lock, and may have been sent away in that time."""
        if key is not None and all(device.key != key for device in self._devices):
            raise SentAway("This device was sent away: nothing was changed.")

    def _match(self, code: str) -> Invitation | None:
        found = self._invitations.get(_digest(code))
        if found is None or not secrets.compare_digest(
            found.code.encode(), code.encode("utf-8", "replace")
        ):
            return None
        return found if found.uses > 0 and found.ends_s > self._now() else None

    def _use(self, invitation: Invitation) -> None:
        key = _digest(invitation.code)
        if invitation.uses == 1 and not math.isfinite(invitation.ends_s):
            del self._invitations[key]
        else:
            self._invitations[key] = replace(invitation, uses=invitation.uses - 1)

    def _free_name(self, name: str) -> str:
        taken = {d.name for d in self._devices}
        numbered = (f"{name} {i}" for i in range(2, len(taken) + 3))
        return name if name not in taken else next(n for n in numbered if n not in taken)

    def _keep(self, devices: tuple[Device, ...]) -> None:
        """Write these devices down, and only then let them count."""
        if self._path is not None:
            told = json.dumps([asdict(device) for device in devices])
            try:
                self.require_alone()
                write_beside_then_replace(self._path, told.encode(), private=True)
            except OSError as error:
                raise CannotKeep(
                    f"The devices cannot be written to {self._path.parent} "
                    f"({error.strerror or error}): nothing was changed; make room and do it again."
                ) from error
            except JournalTrouble as trouble:
                raise CannotKeep(str(trouble)) from trouble
        self._devices = devices


def _read(path: Path) -> tuple[Device, ...]:
    rows = json.loads(read_regular(path).decode("utf-8"))
    if not isinstance(rows, list):
        raise TypeError(rows)
    return tuple(_device(row) for row in rows)


def _device(row: dict[str, object]) -> Device:
    key, name, token_hash = (str(row[field]) for field in ("key", "name", "token_hash"))
    if not re.fullmatch(r"[0-9a-f]{64}", token_hash, re.ASCII) or not key or not name:
        raise ValueError(row)
    return Device(key, name, Rule(str(row["role"])), token_hash)

"""A user who may not do everything, also where the tests are run by root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


def open_way_to(folder: Path) -> None:
    """Let every user come to a test's own folder."""
    for path in (folder, *list(folder.parents)[:3]):
        path.chmod(path.stat().st_mode | 0o055)


def give_away(folder: Path) -> None:
    """All of this folder belongs to who is meant by `without_rights`."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)


@contextmanager
def without_rights() -> Iterator[None]:
    """An ordinary user's rights."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)

"""One PostgreSQL for the tests of the hall: the wheel's, started once in each test process.

Where there is none the tests skip and say so; with COMPANION_REQUIRE_POSTGRES, as in CI, they fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hall.database import Database
from companion.hall.embedded import EmbeddedPostgres
from tests.support.hall.tables import reachable_folder, started


@pytest.fixture(scope="session")
def postgres() -> Iterator[EmbeddedPostgres]:
    """The server, on a socket of its own."""
    with reachable_folder() as folder:
        own = started(folder)
        yield own
        own.stop(hard=True)


@pytest.fixture
def server_folder() -> Iterator[Path]:
    """A folder for a server of one test."""
    with reachable_folder() as folder:
        yield folder


@pytest.fixture
def url(postgres: EmbeddedPostgres) -> str:
    """An empty database."""
    Database(postgres.url, "tests").run_alone("drop schema public cascade; create schema public")
    return postgres.url

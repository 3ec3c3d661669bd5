"""Many tables, one board: takes in what the tables of a club send, and shows all of them.

Stands on PostgreSQL: a server's with --database, or one of its own with --embedded. The addresses and
QR codes of the board and for the tables are printed; `companion play --hall ADDRESS` is a table.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.play import (
    base_address,
    say,
    say_set_aside,
    show_address,
    show_code,
    show_trust,
)
from companion.commands.shared.stopping import stops_cleanly
from companion.errors import BadInput, HallTrouble
from companion.journal.data_folder import open_folder
from companion.journal.store import Lock, said
from companion.web.addresses import check_port_free, local_addresses

if TYPE_CHECKING:
    from companion.hall.embedded import EmbeddedPostgres
    from companion.hall.patience import Patience

DEFAULT_HALL_PORT = 8770

LEAST_FREE = 500_000_000
"""Bytes that should be free for the database; an evening of a table takes some 30 kB there."""


GOOD_NIGHT = "\nGood night. What came is kept; `companion hall` goes on with it."
GOOD_NIGHT_SILENT = (
    "\nGood night. The database did not answer at the end: what it answered before is kept, and tables "
    "keep the rest and send it once `companion hall` goes on."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Where the database is, and where boards and tables find the hall."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--database",
        metavar="URL",
        help="a PostgreSQL, postgresql://USER@HOST/NAME; its password belongs in ~/.pgpass",
    )
    where.add_argument(
        "--embedded", action="store_true", help="a PostgreSQL of its own, in the data folder"
    )
    parser.add_argument(
        "--check", action="store_true", help="say how it stands with the database, and end"
    )
    parser.add_argument(
        "--host",
        default="0.0.0.0",
        help="address to listen on (default: every network of this machine)",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=DEFAULT_HALL_PORT,
        help="port to listen on (default %(default)s)",
    )
    parser.add_argument(
        "--host-name",
        action="append",
        default=[],
        help="another name that boards and tables may use for this machine",
    )
    parser.add_argument("--https", action="store_true", help="secure pages and letters")
    parser.add_argument(
        "--data", metavar="DIR", help="folder for the hall (default: in the user's data folder)"
    )


def run(args: argparse.Namespace) -> int:
    """Keep the hall until told to stop; with --check 0 when all is well and 1 when not."""
    from companion.hall.database import driver

    if not args.embedded and not args.database:
        raise BadInput(
            "a hall needs a database: --embedded brings one, --database URL names a PostgreSQL"
        )
    driver()
    folder = open_folder(args.data) / "hall"
    if args.check:
        with _database(args, folder) as (url, _):
            return _check(url, folder)
    check_port_free(args.host, args.port)
    with (
        stops_cleanly() as stopping,
        _kept_by_us(folder) as lock,
        _database(args, folder) as (url, own),
    ):
        with _serving(url, folder, args, lock) as (running, patience):

            def goes_on() -> bool:
                if own is not None:
                    own.keep_up()
                return running()

            stopping.calmly()
            stopping.wait(goes_on)
        if patience.silent and own is not None:
            own.stop_when_it_can()
        with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
            say(GOOD_NIGHT_SILENT if patience.silent else GOOD_NIGHT)
    return 0


@contextlib.contextmanager
def _kept_by_us(folder: Path) -> Iterator[Lock]:
    """Nobody else writes the list of devices in this folder inside. Raises JournalTrouble where another
    hall does, also one with another database."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = Lock(folder, "hall")
    except (OSError, sqlite3.Error) as error:
        raise said(error, folder) from error
    if lock.notice is not None:
        say(lock.notice)
    try:
        yield lock
    finally:
        lock.release()


@contextlib.contextmanager
def _database(
    args: argparse.Namespace, folder: Path
) -> Iterator[tuple[str, EmbeddedPostgres | None]]:
    """The address of the database, which runs inside, and our own where it is that."""
    if not args.embedded:
        yield args.database, None
        return
    from companion.hall.embedded import EmbeddedPostgres

    with EmbeddedPostgres(folder) as own:
        yield own.url, own
        if args.check:
            own.leave()  # of a hall that runs now


@contextlib.contextmanager
def _serving(
    url: str, folder: Path, args: argparse.Namespace, lock: Lock
) -> Iterator[tuple[Callable[[], bool], Patience]]:
    """The hall serves inside; gives what says whether it still does, and what its connections share."""
    from companion.hall.app import SCREENS, create_hall_app, open_hall
    from companion.hall.views.host import CODE_MINUTES, CODE_TABLES
    from companion.web.app import pairing_address
    from companion.web.guards.access import Device, Door
    from companion.web.guards.certificate_authority import open_authority
    from companion.web.server import Server

    names = [*local_addresses(), *args.host_name]
    authority = open_authority(folder / "https", names) if args.https else None
    door = Door(folder / "devices.json", enters=SCREENS)
    door.require_alone = lock.check
    say_set_aside(door)
    shared = open_hall(
        url, door, hosts=names, version=version("cloud-mine-companion"), authority=authority
    )
    app = create_hall_app(shared)
    shared.start()
    server = Server(app, args.host, args.port, tls=authority.context if authority else None)
    try:
        server.start()
        scheme = "https" if authority else "http"
        base = base_address(args.host, server.port, scheme)
        shared.public = base

        def greet_device(device: Device) -> None:
            with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
                say(
                    f"{device.name} is in.  Another screen of the host's:  {pairing_address(app, base)}"
                )

        door.on_new_device = greet_device
        if authority is not None:
            show_trust(authority, base_address(args.host, server.port))
        show_address(pairing_address(app, base), "The host's screen")
        code = shared.register.invite(CODE_TABLES, CODE_MINUTES)
        print_ = f"#{authority.fingerprint.replace(':', '')}" if authority else ""
        say(f"Tables:  companion play --hall {base}/table/{code}{print_}")
        show_code(f"{base}/table/{code}{print_}")
        yield server.running, shared.patience
    finally:
        server.stop()


def _check(url: str, folder: Path) -> int:
    """Print how it stands with the database; 0 when nothing is to be done."""
    from companion.hall.database import Database, require_all_letters, scripts, version_of

    try:
        database = Database(url, "check")
        began_s = time.monotonic()
        with database.transaction() as cursor:
            cursor.execute(
                "select current_setting('server_version'), pg_database_size(current_database())"
            )
            server, size = cursor.fetchone()
            require_all_letters(cursor)
            have = version_of(cursor)
        took_ms = (time.monotonic() - began_s) * 1000
        say(f"reachable: PostgreSQL {server}, answers in {took_ms:.1f} ms")
        say(f"schema: version {have} of {len(scripts())}")
        say(f"space: {size / 1e6:.1f} MB used")
        if have:
            tables, entries, lag = database.rows(
                "select (select count(*) from hall_table where not revoked), (select count(*) from entry), "
                "(select extract(epoch from now() - max(arrived_at)) from entry)"
            )[0]
            ago = "none yet" if lag is None else f"the newest came {float(lag):.0f} s ago"
            say(f"tables: {tables}; entries: {entries}, {ago}")
        held = database.rows(
            "select count(*) from pg_locks where locktype = 'advisory' and granted "
            "and classid = 0 and objid = %s",
            0x434D4348,
        )[0][0]
        say("a hall writes to it now" if held else "no hall writes to it now")
        database.close()
    except HallTrouble as trouble:
        say(str(trouble))
        return 1
    free = shutil.disk_usage(folder.parent if not folder.exists() else folder).free
    if free < LEAST_FREE:
        say(f"only {free / 1e6:.0f} MB are free here: make room")
    return int(have > len(scripts()) or free < LEAST_FREE)

"""Keeps the score of an evening: camera, tablet, ledger. Without a camera it opens the practice
table.

The address and a QR code for the tablet are printed; the evening's events follow line by line.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
import webbrowser
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import qrcode

from calibration.cameras.port import Camera
from calibration.geometry.plane import Plane
from companion.capture.phone import BEGAN_S, PhoneCamera, PhoneCameraLease
from companion.capture.watching import Watching
from companion.commands.shared import narrate
from companion.commands.shared.options import add_deck, deck_numbers, marker_of
from companion.commands.shared.practice_names import PracticeNames
from companion.commands.shared.sources import Source, open_source, practice_folder
from companion.commands.shared.stopping import Stopping, stops_cleanly
from companion.evening.scorekeeper import Scorekeeper
from companion.evening.session import Session
from companion.game.log import Entry
from companion.journal import Journal
from companion.journal.data_folder import data_folder, open_folder
from companion.journal.recording import Recorder
from companion.vision.eye import Eye
from companion.vision.second_reader.guarded import GuardedReader
from companion.web.addresses import check_port_free, local_addresses
from companion.web.app import create_app, pairing_address, shared_by
from companion.web.guards.access import Device, Door
from companion.web.guards.certificate_authority import Authority, open_authority
from companion.web.server import Server

DEFAULT_PORT = 8765

FIRST_SCREEN_S = 60.0
"""So long the practice table waits for somebody to look at it."""

GREETS_S = 30.0
"""After so long without any table in view, last evening's is no news."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Camera, address and data folder."""
    parser.add_argument(
        "--camera",
        default="auto",
        help="auto, practice, off, phone, a number or name, a film, or a URL",
    )
    add_serving(parser)
    add_deck(parser)
    parser.add_argument(
        "--record", metavar="DIR", help="keep the evening's glimpses there (small; no pictures)"
    )
    parser.add_argument(
        "--record-pictures", action="store_true", help="with --record: keep pictures too"
    )


def add_serving(parser: argparse.ArgumentParser) -> None:
    """Where the tablet finds the companion, and where evenings are kept."""
    parser.add_argument(
        "--host",
        default="0.0.0.0",
        help="address to listen on (default: every network of this machine)",
    )
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="port to listen on (default %(default)s)"
    )
    parser.add_argument(
        "--host-name",
        action="append",
        default=[],
        help="another name tablets may use for this machine",
    )
    parser.add_argument(
        "--https",
        action="store_true",
        help="secure pages: screens stay on, a phone can be the camera",
    )
    parser.add_argument(
        "--data", metavar="DIR", help="folder for evenings (default: the user's data folder)"
    )


def say(text: str) -> None:
    """One line for the person at the terminal, at once."""
    print(text, flush=True)


def print_entry(entry: Entry, keeper: Scorekeeper) -> None:
    """Print an entry as it is entered, and the winners when the evening is over."""
    line = narrate.line_of(entry, keeper.ledger)
    if line:
        say(line)
    if keeper.ledger.over and keeper.log.entries[-1] is entry:
        say(narrate.ending(keeper.ledger))


def show_address(address: str) -> None:
    """The address as text and as a QR code in the terminal."""
    say(f"\nTablet: scan this code, or open  {address}\n")
    show_code(address)


def show_code(address: str) -> None:
    """A QR code in the terminal, where the terminal can draw one."""
    code = qrcode.QRCode(border=2)
    code.add_data(address)
    code.make(fit=True)
    with contextlib.suppress(UnicodeEncodeError):
        code.print_ascii(out=sys.stdout, invert=True)
    say("")


def base_address(host: str, port: int, scheme: str = "http") -> str:
    """The address a tablet can reach, for a server bound to `host`."""
    shown = local_addresses()[0] if host in ("0.0.0.0", "::", "") else host
    return f"{scheme}://[{shown}]:{port}" if ":" in shown else f"{scheme}://{shown}:{port}"


def serve(
    session: Session, args: argparse.Namespace, phone_lease: PhoneCameraLease | None = None
) -> Server:
    """Start the tablet's server and print how to reach it."""
    names = [*local_addresses(), *args.host_name]
    authority = open_authority(data_folder(args.data) / "https", names) if args.https else None
    door = Door(session.journal.folder / "devices.json")
    if door.set_aside is not None:
        say(
            f"The list of devices could not be read: it is kept as {door.set_aside}; let them in anew."
        )
    app = create_app(
        session,
        door,
        hosts=names,
        version=version("cloud-mine-companion"),
        phone_lease=phone_lease,
        authority=authority,
    )
    server = Server(app, args.host, args.port, tls=authority.context if authority else None).start()
    base = base_address(args.host, server.port, "https" if authority else "http")
    shared_by(app).public = base

    def greet_device(device: Device) -> None:
        with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
            say(f"{device.name} is in.  Another one that may tap:  {pairing_address(app, base)}")

    door.on_new_device = greet_device
    if authority is not None:
        show_trust(authority, base_address(args.host, server.port))
    address = pairing_address(app, base)
    show_address(address)
    if getattr(args, "open_page", False):
        webbrowser.open(pairing_address(app, f"{base.split(':')[0]}://127.0.0.1:{server.port}"))
    return server


def show_trust(authority: Authority, address: str) -> None:
    """What every device does once before it is let in, with a QR code the first time."""
    say(
        f"\nOnce on each device:  open  {address}/trust  and follow the steps.  The certificate's fingerprint (SHA-256):"
    )
    say(f"  {authority.fingerprint[:47]}\n  {authority.fingerprint[48:]}")
    if authority.left_out:
        say(
            f"It was made without {', '.join(authority.left_out)}: to add that, move the data folder's `https` away."
        )
    if authority.fresh:
        show_code(f"{address}/trust")


def run(args: argparse.Namespace) -> int:
    """Play until told to stop (or until the tablet's server ends)."""
    deck_numbers(args.deck_size)
    marker_of(args.marker_mm)
    check_port_free(args.host, args.port)
    folder = open_folder(args.data)
    recorder = _recorder(args)
    with stops_cleanly() as stopping:
        return keep_evening(open_source(args.camera, folder), folder, args, stopping, recorder)


def keep_evening(
    source: Source,
    folder: Path,
    args: argparse.Namespace,
    stopping: Stopping,
    recorder: Recorder | None = None,
) -> int:
    """Serve the tablet and watch the source until told to stop; always 0. Whatever happens,
    everything is closed."""
    with contextlib.ExitStack() as closing:
        closing.callback(source.close)
        journal = closing.enter_context(
            Journal(practice_folder(folder) if source.practice else folder)
        )
        if recorder is not None:
            closing.callback(recorder.close)
        names = PracticeNames()
        session = Session(
            journal,
            deck_numbers(args.deck_size),
            on_entry=_told_to(names) if source.practice else print_entry,
        )
        closing.callback(session.close)
        names.session = session
        closing.callback(names.stop)
        second_reader = closing.enter_context(GuardedReader(on_lost=_say_reader_lost))
        say(source.said)
        _say_what_goes_on(session)
        stopping.calmly()
        lease = _phone_lease(session, source, args, recorder, second_reader)
        server = serve(session, args, lease)
        closing.callback(server.stop)
        source.prepare(session)
        if source.practice:
            _await_screen(server, stopping)
        _watch(session, source, args, recorder, second_reader)
        stopping.wait(server.running)
        with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
            say("\nGood night. The evening is kept; `companion` goes on with it.")
    return 0


def _told_to(names: PracticeNames) -> Callable[[Entry, Scorekeeper], None]:
    """Each entry is printed, and heard by the people of the practice table."""

    def on_entry(entry: Entry, keeper: Scorekeeper) -> None:
        names.hear(entry, keeper)
        print_entry(entry, keeper)

    return on_entry


def _await_screen(server: Server, stopping: Stopping) -> None:
    """The practice table begins when somebody looks, or after a minute: a newcomer misses no
    round."""
    until_s = time.monotonic() + FIRST_SCREEN_S
    stopping.wait(lambda: server.running() and not server.looked_at and time.monotonic() < until_s)


def _say_what_goes_on(session: Session) -> None:
    ledger = session.keeper.ledger
    if session.journal.kept is not None:
        say(
            f"The evenings' file was damaged: it is kept as {session.journal.kept.name}, and the evenings were rebuilt."
        )
    for notice in session.journal.notices:
        say(notice)
    if ledger.begun and not ledger.over:
        say(f"Going on with the evening of {', '.join(ledger.names)}: {narrate.standings(ledger)}")


def _say_reader_lost() -> None:
    with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
        say("The second reader of codes did not come back and is started again; the score is kept.")


def _watch(
    session: Session,
    source: Source,
    args: argparse.Namespace,
    recorder: Recorder | None,
    second_reader: GuardedReader,
) -> None:
    if source.camera is None:
        return
    eye = Eye(session.numbers, args.deck, args.marker_mm, second_reader=second_reader)
    camera = source.camera
    watching = Watching(
        camera,
        eye,
        practice=source.practice,
        paced=source.paced,
        record_glimpse=recorder.record_glimpse if recorder is not None else None,
        on_plane=None
        if source.paced
        else lambda plane, waited_s: _greet(session, camera.name, plane, waited_s),
    )
    session.attach(watching)
    watching.start(session)


def _greet(session: Session, camera: str, plane: Plane | None, waited_s: float) -> bool:
    """Say once that the table is as last time, or what has changed; True when there is nothing more
    to say."""
    back = session.camera.set_up.compare_with_last_time(camera, plane, waited_s)
    if back is not None:
        with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
            say(back.says)
    return back is not None or waited_s > GREETS_S


def _phone_lease(
    session: Session,
    source: Source,
    args: argparse.Namespace,
    recorder: Recorder | None,
    second_reader: GuardedReader,
) -> PhoneCameraLease | None:
    """Who lets a phone be the camera: possible beside live cameras and by touch, not while footage
    or practice plays."""
    if source.paced:
        return None

    def begin(camera: Camera) -> None:
        if session.camera.watching is not None:
            session.camera.watching.stop()
        _watch(session, Source(camera, ""), args, recorder, second_reader)

    own = getattr(source.camera, "again", None)
    back = None if own is None else lambda: begin(own(BEGAN_S))
    return PhoneCameraLease(
        begin, source.camera if isinstance(source.camera, PhoneCamera) else None, back
    )


def _recorder(args: argparse.Namespace) -> Recorder | None:
    if not getattr(args, "record", None):
        return None
    return Recorder(Path(args.record), args.record_pictures)

"""Keeps the score of an evening: camera, tablet, ledger. Without a camera it opens the practice
table.

The address and a QR code for the tablet are printed; the evening's events follow line by line.
"""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import qrcode

from calibration.cameras.port import Camera
from calibration.geometry.plane import Plane
from card_printables.deck import DECKS, PUBLISHED_SIZE
from companion.capture.frame_watch import TakePicture
from companion.capture.phone import BEGAN_S, PhoneCamera, PhoneCameraLease
from companion.capture.watching import Watching
from companion.commands.shared import narrate
from companion.commands.shared.decks import PlayedDeck, card_numbers, learnt_deck
from companion.commands.shared.options import add_deck, add_light, lightened, marker_of
from companion.commands.shared.own_invitation import OwnInvitation
from companion.commands.shared.practice_people import PracticePeople
from companion.commands.shared.sources import Source, open_source, practice_folder
from companion.commands.shared.stopping import Stopping, stops_cleanly
from companion.evening.scorekeeper import Scorekeeper
from companion.evening.session import Session
from companion.game.log import Entry
from companion.journal import Journal
from companion.journal.data_folder import data_folder, open_folder
from companion.journal.recording import Recorder
from companion.journal.round_pictures import RoundPictures
from companion.outbox.letters import read_address
from companion.outbox.link import LinkFile
from companion.outbox.sender import Sender
from companion.table.sighting import Glimpse
from companion.vision.learnt.deck import LearntDeck
from companion.vision.second_reader.guarded import GuardedReader
from companion.web.addresses import check_port_free, local_addresses
from companion.web.app import create_app, pairing_address, shared_by
from companion.web.guards.access import Device, Door, Rule
from companion.web.guards.certificate_authority import Authority, open_authority
from companion.web.network_name import NetworkName
from companion.web.server import Server
from companion.years.backup import sweep_passing

DEFAULT_PORT = 8765

FIRST_SCREEN_S = 60.0
"""So long the practice table waits for somebody to look at it."""

EYE_RESTS_S = 2.0
"""So long the practice table's eye lets a page that is opened at once have the machine (chosen)."""

PROVES_EVERY_S = 0.01
"""From one evening of before to the next: ten thousand take two minutes."""

SWEEPS_EVERY_S = 3600.0
"""So often it is looked whether kept pictures are old enough to go."""

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
    add_hall(parser)
    add_deck(parser, learnt=True, remembered=True)
    parser.add_argument(
        "--record", metavar="DIR", help="keep the evening's glimpses there (small; no pictures)"
    )
    parser.add_argument(
        "--record-pictures",
        action="store_true",
        help="with --record: keep pictures of the table too (it needs the tokens)",
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
        "--no-name",
        action="store_true",
        help="do not take a name like companion.local (taken where the extra `name` is installed)",
    )
    parser.add_argument(
        "--https",
        action="store_true",
        help="secure pages: screens stay on, a phone can be the camera",
    )
    parser.add_argument(
        "--data", metavar="DIR", help="folder for evenings (default: the user's data folder)"
    )
    add_light(parser)


def add_hall(parser: argparse.ArgumentParser) -> None:
    """The hall that this table belongs to, if any."""
    parser.add_argument(
        "--hall",
        metavar="ADDRESS",
        help="send the score to a hall, under pseudonyms: the address on the hall's screen",
    )


def say(text: str) -> None:
    """One line for the person at the terminal, at once."""
    print(text, flush=True)


def say_set_aside(door: Door) -> None:
    """That the list of devices was damaged, where it was."""
    if door.set_aside is not None:
        say(
            f"The list of devices could not be read: it is kept as {door.set_aside}; let them in anew."
        )


def printing() -> Callable[[Entry, Scorekeeper], None]:
    """What prints each entry as it is entered, and the winners when the evening is over."""
    narrator = narrate.Narrator()

    def print_entry(entry: Entry, keeper: Scorekeeper) -> None:
        for line in narrator.tell(entry, keeper):
            say(line)

    return print_entry


def show_address(address: str, whose: str = "Tablet") -> None:
    """The address as text and as a QR code in the terminal."""
    say(f"\n{whose}: scan this code, or open  {address}\n")
    show_code(address)


def show_name(network_name: NetworkName, address: str) -> None:
    """The name that does as well on devices that were let in already, and who has a nearer one."""
    say(f"On devices that know such names also:  {address}")
    if network_name.taken:
        say(f"({', '.join(network_name.taken)} belongs to another machine of this network.)")


def show_code(address: str) -> None:
    """A QR code in the terminal, where the terminal can draw one."""
    code = qrcode.QRCode(border=2)
    code.add_data(address)
    code.make(fit=True)
    with contextlib.suppress(UnicodeEncodeError):
        "█▀▄\xa0".encode(sys.stdout.encoding or "ascii")  # what it lacks would be question marks
        code.print_ascii(out=sys.stdout, invert=True)
    say("")


def base_address(host: str, port: int, scheme: str = "http") -> str:
    """The address a tablet can reach, for a server bound to `host`."""
    shown = local_addresses()[0] if is_everywhere(host) else host
    return f"{scheme}://[{shown}]:{port}" if ":" in shown else f"{scheme}://{shown}:{port}"


def is_everywhere(host: str) -> bool:
    """Whether a server bound to `host` listens on every network of this machine."""
    return host in ("0.0.0.0", "::", "")


def serve(
    session: Session,
    args: argparse.Namespace,
    phone_lease: PhoneCameraLease | None = None,
    network_name: NetworkName | None = None,
    hall_sender: Sender | None = None,
    played: PlayedDeck | None = None,
) -> Server:
    """Start the tablet's server and print how to reach it."""
    known_as = network_name.name if network_name is not None else None
    names = [*local_addresses(), *args.host_name, *([known_as] if known_as else [])]
    authority = open_authority(data_folder(args.data) / "https", names) if args.https else None
    door = Door(session.journal.folder / "devices.json")
    door.require_alone = session.journal.require_alone
    say_set_aside(door)
    app = create_app(
        session,
        door,
        hosts=names,
        version=version("cloud-mine-companion"),
        phone_lease=phone_lease,
        authority=authority,
        hall_sender=hall_sender,
        chosen_deck=played,
        decks=None if played is None else data_folder(args.data),
    )
    server = Server(app, args.host, args.port, tls=authority.context if authority else None).start()
    scheme = "https" if authority else "http"
    base = base_address(args.host, server.port, scheme)
    shared_by(app).public = base
    own_base = base_address(
        "127.0.0.1" if is_everywhere(args.host) else args.host, server.port, scheme
    )
    own_invitation = OwnInvitation(data_folder(args.data), server.port)
    own_invitation.renew(door, own_base)

    def greet_device(device: Device) -> None:
        own_invitation.renew(door, own_base)
        with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
            watches = " to watch" if device.role is Rule.WATCH else ""
            code = pairing_address(app, base)
            say(f"{device.name} is in{watches}.  For one more that may tap:  {code}")

    door.on_new_device = greet_device
    if authority is not None:
        show_trust(authority, base_address(args.host, server.port))
    address = pairing_address(app, base)
    show_address(address)
    if network_name is not None and known_as is not None:
        network_name.announce(server.port)
        show_name(network_name, f"{scheme}://{known_as}:{server.port}")
    if getattr(args, "open_page", False):
        webbrowser.open(pairing_address(app, own_base))
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
    if authority.not_before is not None:
        say(
            f"It is good from {authority.not_before:%Y-%m-%d} on, and this computer's clock says an earlier day: set the "
            "clock, or move the data folder's `https` away."
        )
    if authority.fresh:
        show_code(f"{address}/trust")


def run(args: argparse.Namespace) -> int:
    """Play until told to stop (or until the tablet's server ends)."""
    deck = played_cards(args)
    check_port_free(args.host, args.port)
    folder = open_folder(args.data)
    recorder = _recorder(args)
    with stops_cleanly() as stopping:
        source = open_source(args.camera, folder)
        if source.practice:  # it lays cards of its own, whatever deck is learnt here
            args.deck, args.deck_size, deck = DECKS[0], PUBLISHED_SIZE, None
        return keep_evening(source, folder, args, stopping, recorder, deck)


def played_cards(args: argparse.Namespace) -> LearntDeck | None:
    """The learnt deck that is played with, None for printed codes. Raises BadInput: such cards cannot
    be played with."""
    deck = learnt_deck(args)
    card_numbers(args, deck)
    marker_of(args.marker_mm)
    return deck


def keep_evening(
    source: Source,
    folder: Path,
    args: argparse.Namespace,
    stopping: Stopping,
    recorder: Recorder | None = None,
    deck: LearntDeck | None = None,
) -> int:
    """Serve the tablet and watch the source until told to stop; always 0. Whatever happens,
    everything is closed. `deck`: read by its pictures."""
    with contextlib.ExitStack() as closing:
        closing.callback(source.close)
        journal = closing.enter_context(
            Journal(practice_folder(folder) if source.practice else folder)
        )
        if recorder is not None:
            closing.callback(recorder.close)
        sender = _hall_sender(journal, getattr(args, "hall", None))
        closing.callback(sender.stop)
        people = PracticePeople(getattr(source.camera, "truth", None))
        session = Session(
            journal,
            card_numbers(args, deck),
            on_entry=_heard_by(sender, _told_to(people) if source.practice else printing()),
            learnt_deck=deck.name if deck is not None else "",
        )
        closing.callback(session.close)
        session.book.tell_forgotten(sender.links.forget_names)
        sender.follow_camera(lambda: str(session.scoreboard()["camera"]["state"]))
        people.session = session
        closing.callback(people.stop)
        second_reader = closing.enter_context(GuardedReader(on_lost=_say_reader_lost))
        if getattr(args, "asks_to_record", False):
            session.recording.ask_people()
        say(source.said)
        _say_what_goes_on(session)
        _prove_rest(journal)
        stopped = threading.Event()
        closing.callback(stopped.set)
        _let_pictures_go(session.pictures.store, stopped)
        sweep_passing()
        stopping.calmly()
        played = PlayedDeck(args, deck, second_reader, folder)
        lease = _phone_lease(session, source, args, recorder, played)
        named = is_everywhere(args.host) and not args.no_name
        network_name = closing.enter_context(NetworkName(local_addresses() if named else ()))
        sender.begin()
        watching = _look_on(session, source, args, recorder, played)
        server = serve(session, args, lease, network_name, sender, None if source.paced else played)
        closing.callback(server.stop)
        closing.callback(OwnInvitation(folder, server.port).remove)
        source.prepare(session)
        if watching is not None and source.practice:
            watching.start(
                session, _practice_waits(server, people), nobody_looks(server, EYE_RESTS_S)
            )
            _end_with_film(watching, people)
        elif watching is not None:
            watching.start(session)
        stopping.wait(server.running)
        with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
            say(f"\n{_good_night(session, practice=source.practice)}")
    return 0


def _hall_sender(journal: Journal, address: str | None) -> Sender:
    """What sends the score to this table's hall; joined to the one at `address` first, if that is a new
    one. Raises BadInput."""
    links = LinkFile(journal.folder)
    if links.set_aside is not None:
        say(f"What was kept of the hall could not be read: it is {links.set_aside}; join it anew.")
    sender = Sender(links, journal)
    if address is not None:
        say(f"Asking the hall at {read_address(address).base} to let this table in.")
        link = sender.change_hall(address)
        say(f"This table is number {link.number} of the hall at {link.address}.")
    if links.link is not None:
        say(
            "The hall gets the score under pseudonyms; on the tablet, More, Hall shows names there."
        )
    return sender


def _heard_by(
    sender: Sender, on_entry: Callable[[Entry, Scorekeeper], None]
) -> Callable[[Entry, Scorekeeper], None]:
    """Each entry wakes the sender, which waits for nothing, and goes on its way."""

    def hear(entry: Entry, keeper: Scorekeeper) -> None:
        sender.notice_news()
        on_entry(entry, keeper)

    return hear


def _told_to(people: PracticePeople) -> Callable[[Entry, Scorekeeper], None]:
    """Each entry is printed, and heard by the people of the practice table."""
    print_entry = printing()

    def on_entry(entry: Entry, keeper: Scorekeeper) -> None:
        people.hear(entry, keeper)
        print_entry(entry, keeper)

    return on_entry


def _practice_waits(server: Server, people: PracticePeople) -> Callable[[], bool]:
    """True while the practice table waits: for its first screen, or for an answer to its question."""
    alone = nobody_looks(server)
    people.language = lambda: server.language
    return lambda: alone() or people.wait_for_answer


def _end_with_film(watching: Watching, people: PracticePeople) -> None:
    """The practice table's evening ends when its film does."""

    def wait() -> None:
        watching.wait()
        if watching.state == "ended":
            people.end_game()

    threading.Thread(target=wait, name="practice end", daemon=True).start()


def _good_night(session: Session, *, practice: bool) -> str:
    """The last line: what was kept, and which command goes on with it."""
    if not session.journal.in_place:
        return f"Good night. {session.journal.folder} was taken away meanwhile: what was in it is not kept."
    if not practice:
        return "Good night. The evening is kept; `companion` goes on with it."
    if session.keeper.ledger.over:
        return "Good night. The practice game is over; `companion practice` begins another one."
    return "Good night. The practice game is kept; `companion practice` goes on with it."


def nobody_looks(server: Server, most_s: float = FIRST_SCREEN_S) -> Callable[[], bool]:
    """True until the first screen is in, for a minute at most: the practice table shows its first
    picture meanwhile, and a newcomer misses no round."""
    until_s = time.monotonic() + most_s
    begun = threading.Event()

    def waits() -> bool:
        if server.looked_at or time.monotonic() >= until_s:
            begun.set()
        return not begun.is_set()

    return waits


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
        if ledger.learnt_deck != session.learnt_deck:
            cards = shlex.quote(ledger.learnt_deck) if ledger.learnt_deck else DECKS[0]
            say(
                f"It was begun with other cards, whose numbers are others: stop here (Ctrl-C) and go on with `companion --deck {cards}`."
            )


def _prove_rest(journal: Journal) -> None:
    """The evenings of before are proven while tonight's is played, a moment each; what is found is
    said."""

    def tell(notice: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
            say(notice)

    def prove() -> None:
        for _ in journal.prove_rest():
            time.sleep(PROVES_EVERY_S)

    journal.on_notice = tell
    threading.Thread(target=prove, name="prove evenings", daemon=True).start()


def _let_pictures_go(store: RoundPictures, stopped: threading.Event) -> None:
    """What a stop left half of goes at the start; what is older than people wanted then, too, and every
    hour of a companion that runs for months."""

    def sweep() -> None:
        store.sweep(time.time())
        while not stopped.wait(SWEEPS_EVERY_S):
            store.sweep(time.time())

    store.clear_halves()
    threading.Thread(target=sweep, name="let pictures go", daemon=True).start()


def _say_reader_lost() -> None:
    with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
        say("The second reader of codes did not come back and is started again; the score is kept.")


def _look_on(
    session: Session,
    source: Source,
    args: argparse.Namespace,
    recorder: Recorder | None,
    played: PlayedDeck,
) -> Watching | None:
    """What will watch the source, not started yet; the practice table's first picture is painted and
    shown before the terminal has said an address."""
    if source.camera is None:
        return None
    camera = lightened(source.camera, args)
    with played.eye() as eye:
        watching = Watching(
            camera,
            eye,
            practice=source.practice,
            paced=source.paced,
            clock=session.clock,
            record_glimpse=_recording(session, recorder),
            on_plane=None
            if source.paced
            else lambda plane, waited_s: _greet(session, camera.name, plane, waited_s),
        )
        session.attach(watching)
    first = source.look_ahead() if source.look_ahead is not None else None
    if first is not None:
        watching.frames.picture = first.image
    return watching


def _recording(
    session: Session, recorder: Recorder | None
) -> Callable[[Glimpse, TakePicture], None]:
    """Keeps glimpses where people allow it on a screen, and where `--record` asked for it."""

    def record_glimpse(glimpse: Glimpse, take_picture: TakePicture) -> None:
        session.recording.record_glimpse(glimpse, take_picture)
        if recorder is not None:
            wanted = recorder.wants_picture(glimpse.t_s)
            recorder.record_glimpse(glimpse, take_picture() if wanted else None)

    return record_glimpse


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
    played: PlayedDeck,
) -> PhoneCameraLease | None:
    """Who lets a phone be the camera: possible beside live cameras and by touch, not while footage
    or practice plays."""
    if source.paced:
        return None

    def begin(camera: Camera) -> None:
        if session.camera.watching is not None:
            session.camera.watching.stop()
        watching = _look_on(session, Source(camera, ""), args, recorder, played)
        if watching is not None:
            watching.start(session)

    own = getattr(source.camera, "again", None)
    back = None if own is None else lambda: begin(own(BEGAN_S))
    return PhoneCameraLease(
        begin, source.camera if isinstance(source.camera, PhoneCamera) else None, back
    )


def _recorder(args: argparse.Namespace) -> Recorder | None:
    if not getattr(args, "record", None):
        return None
    return Recorder(Path(args.record), args.record_pictures)

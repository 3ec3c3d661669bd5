"""What this machine has, and what about it will bother an evening: versions, cameras and how many
pictures a second they really give, and how many come late or not at all, addresses, the name on the
network, port, disk, clock, power, and which devices have a browser that is too old. Each finding says
what to do.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import importlib.util
import json
import shutil
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from calibration.cameras.port import Frame
from companion.commands.open_page import ASK_S, LONGEST_REPLY, companion_runs_at
from companion.commands.shared.own_invitation import OwnInvitation
from companion.commands.shared.progress import Progress
from companion.errors import BadInput, CameraTrouble
from companion.journal.data_folder import data_path, open_folder
from companion.journal.report import versions
from companion.journal.side import FOLDER, can_be_written
from companion.journal.store import trouble_with
from companion.web.addresses import check_port_free, local_addresses
from companion.web.network_name import WANTED, NetworkName
from companion.web.views.pairing import OLD_BROWSERS_PATH

LEAST_FREE_MB = 200
"""An evening takes 1 MB, a recording with pictures some hundred (chosen)."""

LEAST_FPS = 8.0
"""Cards are taken within a second."""

LARGEST_GAP_S = 0.5
"""A longer pause between two pictures hides a card that is taken quickly (chosen)."""

MOST_LATE = 0.1
"""Of the pictures, that may come late or not at all (chosen): a camera that loses none seems to lose
some in a hundred while this computer is busy with other things."""

LEAST_SECONDS = 1.0
"""A slow camera gives more than one picture meanwhile (chosen)."""

MOST_SECONDS = 3600.0
"""Nobody waits longer for a finding (chosen)."""

HUNTING_GREY = 6.0
"""Grey levels by which a still picture's brightness may wander: more is an exposure that hunts
(chosen)."""

CLOCK_FROM_YEAR = 2026
LEAST_USB_MBIT = 480.0
"""USB 2; a camera on less (an old hub, a damaged cable) has no room for pictures of 1080p."""

BROWSERS = "any of 2018 or newer, as Chrome 64, Firefox 60 or Safari 12"
"""Held by tests/companion/web/test_script_age.py; an older one says so instead of showing the table."""

VIDEO_DEVICES = Path("/sys/class/video4linux")

THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
"""Where a Raspberry Pi says whether its power supply was too weak; bits 0 and 16."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that will bother an evening, and what to do about it."""

    what: str
    do: str


@dataclass(frozen=True, slots=True)
class CameraCheck:
    """A camera of this machine: its name, the mode it granted, the pictures it really gave in a
    second, its longest pause, and how far its brightness wandered; or why it gave none. `usb_mbit`:
    its port's speed where the system tells (Linux). `late_share`: of the pictures that were due at its
    usual pace, how many came late or not at all."""

    name: str
    mode: dict[str, Any]
    fps: float = 0.0
    longest_gap_s: float = 0.0
    brightness_span_grey: float = 0.0
    trouble: str = ""
    usb_mbit: float | None = None
    late_share: float = 0.0


@dataclass(frozen=True, slots=True)
class NameCheck:
    """The name that this machine would have on its network, and the names that others have; None where
    it gets none. `answered`: this machine has it already. `installed`: the extra `name` is here."""

    installed: bool
    name: str | None = None
    taken: tuple[str, ...] = ()
    answered: bool = False

    def __str__(self) -> str:
        if not self.installed:
            return (
                "none: for companion.local, in a clone `uv run --extra name companion`; else install "
                "'cloud-mine-companion[name]' the way you installed it (`uv tool install`, pipx, pip)"
            )
        if self.name is None:
            return "none"
        return f"{self.name}, {'this machine answers to it' if self.answered else 'free'}"


def configure(parser: argparse.ArgumentParser) -> None:
    """What is looked at, and how it is told."""
    from companion.commands.play import DEFAULT_PORT

    parser.add_argument("--no-cameras", action="store_true", help="do not open the cameras")
    parser.add_argument(
        "--no-name",
        action="store_true",
        help="do not ask the network whose name companion.local is",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=3.0,
        help="watch each camera for so long (default %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="everything as JSON")
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="port to try (default %(default)s)"
    )
    parser.add_argument(
        "--data", metavar="DIR", help="folder for evenings (default: the user's data folder)"
    )


def machine_findings(data: str | None, port: int) -> list[Finding]:
    """What is wrong with the data folder, its disk, the port, the clock, the power."""
    found = []
    try:
        folder = open_folder(data)
        free_mb = shutil.disk_usage(folder).free // 1_000_000
        if free_mb < LEAST_FREE_MB:
            found.append(Finding(f"only {free_mb} MB are free for {folder}", "make room there"))
        found += kept_findings(folder)
    except BadInput as error:
        found.append(Finding(*_halved(str(error))))
    try:
        check_port_free("0.0.0.0", port, may_be_taken=is_running(port))
    except BadInput as error:
        found.append(Finding(*_halved(str(error))))
    if time.gmtime().tm_year < CLOCK_FROM_YEAR:
        found.append(
            Finding("this machine's clock is wrong", "set it: evenings are told by their day")
        )
    with contextlib.suppress(OSError, ValueError):
        if int(THROTTLED.read_text(encoding="ascii"), 16) & 0x10001:
            found.append(
                Finding("the power supply was too weak", "use the maker's own, and a short cable")
            )
    if local_addresses() == ["127.0.0.1"]:
        found.append(Finding("this machine is in no network", "join the one that the tablet is in"))
    return found


def kept_findings(folder: Path) -> list[Finding]:
    """What is wrong with the evenings that this data folder keeps, where a start does not mend it."""
    found = []
    trouble = trouble_with(folder)
    if trouble is not None:
        found.append(Finding(*_halved(str(trouble).removesuffix("."))))
    if not can_be_written(folder):
        found.append(
            Finding(
                f"{folder / FOLDER} takes no files: what is entered would be kept once, not twice",
                "allow it to this user, or move away what stands there",
            )
        )
    return found


def is_running(port: int) -> bool:
    """Whether it is a companion that listens on this port of this machine."""
    with contextlib.suppress(BadInput):
        return companion_runs_at("127.0.0.1", port)
    return False


def check_name() -> NameCheck:
    """Which name of this network is free for this machine; asks everybody there, a second a name."""
    with NetworkName(local_addresses()) as got:
        installed = importlib.util.find_spec("zeroconf") is not None
        return NameCheck(installed, got.name, got.taken, got.answered)


def name_findings(check: NameCheck) -> list[Finding]:
    """What is wrong with the name."""
    if check.installed and check.taken:
        what = f"{' and '.join(check.taken)} belongs to another machine of this network"
        instead = f"{check.name} or the QR code" if check.name else "the QR code"
        return [Finding(what, f"use {instead}")]
    if check.installed and check.name is None and local_addresses() != ["127.0.0.1"]:
        what = f"this network gives no names like {WANTED}.local"
        return [
            Finding(what, "use the QR code; a firewall that lets UDP port 5353 in allows names")
        ]
    return []


def old_browsers(data: str | None, port: int) -> list[str] | None:
    """The devices whose browser is too old, by the companion that runs here; None where none runs, or
    keeps its evenings elsewhere."""
    code = (OwnInvitation(data_path(data), port).address or "").rpartition("/in/")[2]
    if not code:
        return None
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=ASK_S)
    try:
        asked.request("GET", f"{OLD_BROWSERS_PATH}{code}")
        names = json.loads(asked.getresponse().read(LONGEST_REPLY))
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        asked.close()
    return [str(name) for name in names] if isinstance(names, list) else None


def browser_findings(names: list[str]) -> list[Finding]:
    """What to do about each of these devices."""
    return [
        Finding(
            f"the browser of {name} is too old to draw the table",
            f"update it, or take another device or browser ({BROWSERS})",
        )
        for name in names
    ]


def late_share(times_s: list[float]) -> float:
    """Of the pictures that were due at the usual pause between two, the share that came late or not
    at all: a pause three times as long as usual stands for two of them."""
    gaps_s = [after - before for before, after in pairwise(times_s)]
    if not gaps_s:
        return 0.0
    usual_s = statistics.median(gaps_s)
    late = sum(round(gap_s / usual_s) - 1 for gap_s in gaps_s if gap_s > 1.5 * usual_s > 0)
    return late / (len(gaps_s) + late)


def _halved(sentence: str) -> tuple[str, str]:
    """A sentence of ours, "what: what to do", in its two halves."""
    what, _, do = sentence.rpartition(": ")
    return what, do


def check_cameras(seconds: float) -> list[CameraCheck]:
    """Each camera of this machine, watched for a while."""
    from calibration.cameras.webcam import list_cameras

    cameras = list_cameras()
    bar = Progress(len(cameras), not sys.stderr.isatty(), "cameras")
    return [_check_camera(one.number, str(one), seconds) for one in bar.over(cameras)]


def usb_mbit(number: int, devices: Path = VIDEO_DEVICES) -> float | None:
    """The speed of the USB port of camera `number`, Mbit a second; None where nobody tells."""
    device = (devices / f"video{number}" / "device").resolve()
    for place in (device, *device.parents):
        with contextlib.suppress(OSError, ValueError):
            return float((place / "speed").read_text(encoding="ascii"))
    return None


def _check_camera(number: int, name: str, seconds: float) -> CameraCheck:
    from calibration.cameras.webcam import open_webcam
    from companion.capture.live import LiveCamera

    try:
        camera = LiveCamera(open_webcam, str(number), name).open()
    except CameraTrouble as error:
        return CameraCheck(name, {}, trouble=str(error))
    times, greys, trouble = [], [], ""
    try:
        ends_s = time.monotonic() + seconds
        while time.monotonic() < ends_s:
            frame: Frame | None = camera.read()
            if frame is None:
                break
            times.append(frame.t_s)
            greys.append(float(frame.image[::8, ::8].mean()))
        mode = dict(camera.mode)
    except CameraTrouble as error:
        trouble, mode = str(error), {}
    finally:
        camera.close()
    gaps = [after - before for before, after in pairwise(times)]
    return CameraCheck(
        name,
        mode,
        round(len(gaps) / sum(gaps), 1) if sum(gaps) else 0.0,
        round(max(gaps, default=0.0), 2),
        round(max(greys) - min(greys), 1) if greys else 0.0,
        trouble,
        usb_mbit(number),
        round(late_share(times), 3),
    )


def camera_findings(camera: CameraCheck) -> list[Finding]:
    """What is wrong with this camera."""
    if camera.trouble:
        what, do = _halved(camera.trouble)
        return [Finding(what or camera.trouble, do)]
    found = []
    if camera.fps <= 0:
        found.append(
            Finding(
                f"the camera {camera.name} gives no pictures, or a single one",
                "close what else uses it, and plug it in again",
            )
        )
    elif camera.fps < LEAST_FPS:
        found.append(
            Finding(
                f"the camera {camera.name} gives only {camera.fps:g} pictures a second",
                "give it more light and a USB port of its own, USB 3 where there is one",
            )
        )
    if camera.usb_mbit is not None and camera.usb_mbit < LEAST_USB_MBIT:
        found.append(
            Finding(
                f"the camera {camera.name} is on a slow USB port ({camera.usb_mbit:g} Mbit a second)",
                "plug it into this machine itself, with another cable",
            )
        )
    if camera.late_share > MOST_LATE:
        found.append(
            Finding(
                f"{camera.late_share:.0%} of the pictures of the camera {camera.name} came late or not at all",
                "give it a USB port of its own, without a hub, and close what else works this computer",
            )
        )
    if camera.longest_gap_s > LARGEST_GAP_S:
        found.append(
            Finding(
                f"the camera {camera.name} paused for {camera.longest_gap_s:g} s",
                "take away hubs and long cables, and close what else uses it",
            )
        )
    if camera.brightness_span_grey > HUNTING_GREY:
        found.append(
            Finding(
                f"the brightness of the camera {camera.name} wanders by {camera.brightness_span_grey:g} grey levels",
                "keep the table still while it is measured; else more light, and no lamp that flickers",
            )
        )
    return found


def run(args: argparse.Namespace) -> int:
    """Say what is there, one fact a line, then what will bother, or that nothing will; always 0."""
    if not LEAST_SECONDS <= args.seconds <= MOST_SECONDS:
        raise BadInput(
            f"a camera cannot be watched for {args.seconds:g} seconds: choose --seconds from {LEAST_SECONDS:g} to {MOST_SECONDS:g}"
        )
    cameras = [] if args.no_cameras else check_cameras(args.seconds)
    findings = machine_findings(args.data, args.port)
    findings += [finding for camera in cameras for finding in camera_findings(camera)]
    folder = data_path(args.data)
    named = None if args.no_name else check_name()
    findings += name_findings(named) if named is not None else []
    old = old_browsers(args.data, args.port)
    findings += browser_findings(old or [])
    if args.json:
        told = {
            "versions": versions(),
            "addresses": local_addresses(),
            "port": args.port,
            "data": str(folder),
            "browsers": BROWSERS,
            "old_browsers": old,
            "name": None if named is None else asdict(named),
            "cameras": None if args.no_cameras else [asdict(camera) for camera in cameras],
            "findings": [asdict(finding) for finding in findings],
        }
        json.dump(told, sys.stdout, ensure_ascii=False, indent=2)
        print()
        return 0
    for name, known in versions().items():
        print(f"{name:<11} {known}")
    for address in local_addresses():
        print(f"address     {address}")
    if named is not None:
        print(f"name        {named}")
    print(f"data        {folder}")
    print(f"browsers    {BROWSERS}")
    for camera in cameras:
        measured = (
            camera.trouble
            or f"{camera.fps:g} pictures a second, {camera.late_share:.1%} late or lost, longest pause {camera.longest_gap_s:g} s"
        )
        port = "" if camera.usb_mbit is None else f", USB of {camera.usb_mbit:g} Mbit a second"
        print(f"camera      {camera.name}: {measured}{port}")
    if not cameras and not args.no_cameras:
        print("camera      none found: the practice table will be used (`companion practice`)")
    for finding in findings:
        print(f"finding     {finding.what}: {finding.do}")
    if not findings:
        print("well        nothing here will bother an evening")
    return 0

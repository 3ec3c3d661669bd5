"""What this machine has, and what about it will bother an evening: versions, cameras and how many
pictures a second they really give, addresses, port, disk, clock, power. Each finding says what to do.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import sys
import time
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from calibration.cameras.port import Frame
from companion.commands.shared.progress import Progress
from companion.errors import BadInput, CameraTrouble
from companion.journal.data_folder import data_folder, open_folder
from companion.journal.report import versions
from companion.web.addresses import check_port_free, local_addresses

LEAST_FREE_MB = 200
"""An evening takes 1 MB, a recording with pictures some hundred (chosen)."""

LEAST_FPS = 8.0
"""Cards are taken within a second."""

LARGEST_GAP_S = 0.5
"""A longer pause between two pictures hides a card that is taken quickly (chosen)."""

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

BROWSERS = "any of 2018 or newer; an older one says so itself instead of showing the table"
"""Held by tests/companion/web/test_script_age.py."""

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
    its port's speed where the system tells (Linux)."""

    name: str
    mode: dict[str, Any]
    fps: float = 0.0
    longest_gap_s: float = 0.0
    brightness_span_grey: float = 0.0
    trouble: str = ""
    usb_mbit: float | None = None


def configure(parser: argparse.ArgumentParser) -> None:
    """What is looked at, and how it is told."""
    from companion.commands.play import DEFAULT_PORT

    parser.add_argument("--no-cameras", action="store_true", help="do not open the cameras")
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
    except BadInput as error:
        found.append(Finding(*_halved(str(error))))
    try:
        check_port_free("0.0.0.0", port)
    except BadInput as error:
        found.append(
            Finding(
                *_halved(f"{error}, or `companion open` if it is the companion that runs already")
            )
        )
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
    folder = data_folder(args.data)
    if args.json:
        told = {
            "versions": versions(),
            "addresses": local_addresses(),
            "port": args.port,
            "data": str(folder),
            "browsers": BROWSERS,
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
    print(f"data        {folder}")
    print(f"browsers    {BROWSERS}")
    for camera in cameras:
        measured = (
            camera.trouble
            or f"{camera.fps:g} pictures a second, longest pause {camera.longest_gap_s:g} s"
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

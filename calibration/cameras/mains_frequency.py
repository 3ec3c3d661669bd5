"""The mains' frequency, 50 or 60 Hz: lamps flicker at twice that, and a camera must be told.

Knows where which frequency is usual, and how Linux drivers take it; OpenCV has no name for this
setting. On other systems the driver's own choice stays, and a flicker that shows is said.
"""

from __future__ import annotations

import struct
import time
from pathlib import Path

_SIXTY = (
    "America/",
    "US/",
    "Canada/",
    "Brazil/",
    "Mexico/",
    "Asia/Taipei",
    "Asia/Seoul",
    "Asia/Manila",
    "Asia/Riyadh",
    "Pacific/Honolulu",
    "Pacific/Guam",
)
_FIFTY_IN_AMERICA = (
    "Argentina",
    "Buenos_Aires",
    "Santiago",
    "Montevideo",
    "Asuncion",
    "La_Paz",
    "Jamaica",
    "Barbados",
)
"""Most of the Americas have 60 Hz, and so have a few countries of Asia; everybody else 50 (Japan
both; 50 in Tokyo)."""

_POWER_LINE_FREQUENCY = 0x00980918
_GET = 0xC008561B
_SET = 0xC008561C
"""Linux' numbers for a camera's setting: VIDIOC_G_CTRL and VIDIOC_S_CTRL."""
_MENU = {50: 1, 60: 2}


def usual_hz(zone: str | None = None) -> int:
    """50 or 60: the mains where this machine's clock says it is; 50 when that cannot be told."""
    zone = _zone() if zone is None else zone
    if any(part in zone for part in _FIFTY_IN_AMERICA):
        return 50
    return 60 if zone.startswith(_SIXTY) else 50


def set_mains(number: int, hz: int) -> int:
    """Tell the Linux camera of this number the mains' frequency; the one it then has (50, 60), or 0
    if it cannot be set."""
    try:
        import fcntl

        with Path(f"/dev/video{number}").open("rb", buffering=0) as device:
            fcntl.ioctl(device, _SET, struct.pack("<Ii", _POWER_LINE_FREQUENCY, _MENU[hz]))
            answer = fcntl.ioctl(device, _GET, struct.pack("<Ii", _POWER_LINE_FREQUENCY, 0))
    except (ImportError, OSError):
        return 0
    value = struct.unpack("<Ii", answer)[1]
    return next((known for known, menu in _MENU.items() if menu == value), 0)


def _zone() -> str:
    """The time zone's name as the system has it, or its short name."""
    try:
        target = str(Path("/etc/localtime").resolve())
        if "zoneinfo/" in target:
            return target.split("zoneinfo/")[1]
    except OSError:
        pass
    short = time.tzname[0]
    return "America/" if short in ("EST", "CST", "MST", "PST", "AKST", "HST") else ""

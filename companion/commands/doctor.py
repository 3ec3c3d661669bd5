"""What this machine has: versions, cameras, addresses, browser, data folder."""

from __future__ import annotations

import argparse
import platform
from importlib.metadata import PackageNotFoundError, version

from companion.journal.data_folder import data_folder
from companion.web.addresses import local_addresses

PACKAGES = (
    "opencv-python",
    "opencv-python-headless",
    "numpy",
    "flask",
    "cheroot",
    "zxing-cpp",
    "qrcode",
    "reportlab",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """The doctor's only option: whether to try each camera."""
    parser.add_argument("--no-cameras", action="store_true", help="do not open the cameras")


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cameras() -> list[str]:
    from calibration.cameras.webcam import list_cameras

    found = [str(camera) for camera in list_cameras()]
    return found or ["none found: the practice table will be used (`companion practice`)"]


def versions() -> dict[str, str]:
    """What runs here, by name: the companion, Python and its system, the packages that are there."""
    found = {"companion": _version("cloud-mine-companion") or "not installed"}
    found["python"] = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    return found | {package: known for package in PACKAGES if (known := _version(package))}


def run(args: argparse.Namespace) -> int:
    """Print one fact a line; always 0."""
    for name, known in versions().items():
        print(f"{name:<11} {known}")
    for address in local_addresses():
        print(f"address     {address}")
    print(f"data        {data_folder(None)}")
    for camera in [] if args.no_cameras else _cameras():
        print(f"camera      {camera}")
    return 0

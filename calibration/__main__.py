"""Look at the table through the camera: are the tokens in view, and can every place be read?

    companion calibrate                                 open a camera and say it in one line
    companion calibrate --camera 1                      another camera
    companion calibrate --from FILM_OR_PICTURES... --json FILE     without a person: everything measured, as JSON
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from calibration.errors import BadPicture, CalibrationError
from calibration.recording import Recording
from calibration.report import one_line, report_on
from card_printables.marker import SYMBOL_MM

LOOKS = 12
"""Frames taken from footage or a live camera: noise is down to a third, and a 1080p set takes two seconds."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `companion calibrate`."""
    parser.add_argument("--from", dest="sources", nargs="+", metavar="FILE",
                        help="footage, pictures or folders of pictures of one still camera, instead of a live camera")
    parser.add_argument("--json", metavar="FILE", help="write everything measured as JSON; - is the terminal")
    parser.add_argument("--camera", default="auto", metavar="NUMBER",
                        help="a camera's number, name or address (default: the first)")
    parser.add_argument("--marker-mm", type=float, default=SYMBOL_MM, metavar="MM",
                        help="side of the printed codes on the cards (default: %(default)g)")


def run(args: argparse.Namespace) -> int:
    """Look, report and return 0, also when the report is that no table is seen.  Raises CalibrationError for unusable input."""
    if not 3 <= args.marker_mm <= 100:
        raise BadPicture(f"a marker of {args.marker_mm:g} mm cannot be: give 3 to 100 with --marker-mm")
    images = _from_files(args.sources) if args.sources else _from_camera(args.camera)
    report = report_on(images, args.marker_mm)
    if args.json:
        _write(report, args.json)
    if args.json != "-":
        print(one_line(report))
    return 0


def _from_files(sources: Sequence[str]) -> Iterator[np.ndarray]:
    for source in sources:
        recording = Recording(source)
        try:
            yield from _spread(recording)
        finally:
            recording.close()


def _spread(recording: Recording) -> Iterator[np.ndarray]:
    """At most `LOOKS` pictures, spread over the footage where its length is known; a BadPicture if there is none."""
    step = max(1, (recording.frames or LOOKS * 10) // LOOKS)
    taken = number = 0
    while taken < LOOKS and (frame := recording.read()) is not None:
        if number % step == 0:
            yield frame.image
            taken += 1
        number += 1
    if not number:
        raise BadPicture(f"{recording.name} holds no pictures: give footage that a video player shows")


def _from_camera(camera: str) -> list[np.ndarray]:
    from calibration.webcam import list_cameras, open_stream, open_webcam

    if camera == "auto":
        found = list_cameras()
        if not found:
            raise BadPicture("No camera was found: plug one in, or give pictures with --from")
        camera = str(found[0].number)
    webcam = open_stream(camera) if "://" in camera else open_webcam(camera)
    try:
        webcam.settle_and_lock()
        return [webcam.read().image for _ in range(LOOKS)]
    finally:
        webcam.close()


def _write(report: dict[str, Any], where: str) -> None:
    text = json.dumps(report, ensure_ascii=False, indent=1)
    if where == "-":
        print(text)
        return
    try:
        Path(where).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise BadPicture(f"{where} cannot be written ({error.strerror}): give another file with --json") from error


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m calibration`: as `companion calibrate`; 2 for input that cannot be used."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="calibration", description=__doc__, formatter_class=style)
    configure(parser)
    try:
        return run(parser.parse_args(argv))
    except CalibrationError as error:
        print(f"calibration: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

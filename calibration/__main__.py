"""Look at the table through the camera: are the tokens in view, and can every place be read?

    companion calibrate                                 a live camera, guided: one advice at a time
    until all is well
    companion calibrate --camera 1                      another camera
    companion calibrate --from FILM_OR_PICTURES... --json FILE     without a person: everything
    measured, as JSON
    companion calibrate --from ... --picture OUT.png    the picture with the middle, the tray and
    every place drawn on it
    companion calibrate --from SLID... --sheet          the test sheet slid to six places: a full
    metric table
    companion calibrate --from VIEWS... --lens          the whole lens from views of the test sheet,
    judged by two halves

`companion calibrate` also reads the cards that lie in the pictures; `python -m calibration` only
predicts whether they can be.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from calibration.cameras.picture_file import write_image
from calibration.cameras.recording import Recording
from calibration.check.guided import guided
from calibration.check.outline import drawn
from calibration.check.picture_problems import burnt_out
from calibration.check.readability import map_of
from calibration.check.report import report_of
from calibration.check.sentences import LANGUAGES, ReportSentences, sentences_in
from calibration.check.survey import Survey
from calibration.errors import BadPicture, CalibrationError, PlaneNotSeen
from calibration.geometry.plane import Plane
from calibration.tags.illumination import noise_of
from card_printables.marker import SYMBOL_MM

Codes = Callable[[np.ndarray, Plane], Sequence[np.ndarray]]
"""Reads a picture (H, W) uint8: the corners (4, 2) px of the cards' codes that it really reads."""

READ_FRAMES = 3
"""Pictures in which cards are read, too: each takes some tenths of a second."""

MOST_FRAMES = 12
"""Frames taken from footage or a live camera: noise is down to a third, and a 1080p set takes two
seconds."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `companion calibrate`."""
    _add_sources_and_results(parser)
    _add_test_sheet(parser)
    parser.add_argument(
        "--marker-mm",
        type=float,
        default=SYMBOL_MM,
        metavar="MM",
        help="side of the printed codes on the cards (default: %(default)g)",
    )
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        default="en",
        help="language of what is said (default: %(default)s)",
    )


def _add_sources_and_results(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from",
        dest="sources",
        nargs="+",
        metavar="FILE",
        help="footage, pictures or folders of pictures of one still camera, instead of a live camera",
    )
    parser.add_argument(
        "--json", metavar="FILE", help="write everything measured as JSON; - is the terminal"
    )
    parser.add_argument(
        "--camera",
        default="auto",
        metavar="NUMBER",
        help="a camera's number, name or address (default: the first)",
    )
    parser.add_argument(
        "--picture",
        metavar="FILE",
        help="write the picture with what was found drawn on it (.png, .jpg)",
    )


def _add_test_sheet(parser: argparse.ArgumentParser) -> None:
    way = parser.add_mutually_exclusive_group()
    way.add_argument(
        "--sheet",
        action="store_true",
        help="the pictures show the printed test sheet slid to several places",
    )
    way.add_argument(
        "--lens",
        action="store_true",
        help="the pictures are views of the printed test sheet, tilted and near",
    )


def run(args: argparse.Namespace, codes: Codes | None = None) -> int:
    """Look, report and return 0, also when the report is that no table is seen; `codes` reads the
    cards in files.

    Raises CalibrationError for unusable input."""
    if not 3 <= args.marker_mm <= 100:
        raise BadPicture(
            f"a marker of {args.marker_mm:g} mm cannot be: give 3 to 100 with --marker-mm"
        )
    if args.sheet or args.lens:
        return _expert(args)
    words = sentences_in(args.language)
    report, survey = _surveyed(args, codes) if args.sources else _live(args, words)
    if args.json:
        _write(report, args.json)
    if args.picture:
        _draw(survey, args)
    if args.json != "-" and args.sources:
        print(words.of_report(report))
    return 0


def _surveyed(args: argparse.Namespace, codes: Codes | None) -> tuple[dict[str, Any], Survey]:
    survey = Survey()
    for number, image in enumerate(_from_files(args.sources)):
        if number and image.shape != survey.image.shape:
            one, other = (f"{size[1]} x {size[0]}" for size in (survey.image.shape, image.shape))
            raise BadPicture(
                f"the pictures are of several sizes ({one}, {other}): give those of one camera that stands still"
            )
        survey.add_picture(image)
        if codes is not None and number < READ_FRAMES:
            with contextlib.suppress(PlaneNotSeen):
                survey.add_codes(codes(survey.grey, survey.pool.plane()))
    return report_of(survey, args.marker_mm), survey


def _draw(survey: Survey, args: argparse.Namespace) -> None:
    """Write the last picture with everything drawn on it."""
    plane, spots = None, []
    with contextlib.suppress(PlaneNotSeen):
        plane = survey.pool.plane()
        burnt = burnt_out(survey.grey, survey.lights, plane, survey.codes_px)
        spots = map_of(plane, survey.lights, args.marker_mm, burnt, noise_of(survey.grey))
    write_image(args.picture, drawn(survey.image, plane, spots))


def _expert(args: argparse.Namespace) -> int:
    """The test sheet: the lens from many views, or the metric table from several places; 1 when it
    is refused."""
    from calibration.lens import sheet_views

    if not args.sources:
        raise BadPicture(
            "give the pictures of the test sheet with --from (`companion print test-sheet` prints it)"
        )
    images = list(_from_files(args.sources, sheet_views.MOST_VIEWS))
    told, picture = (
        sheet_views.lens_report(images) if args.lens else sheet_views.table_report(images)
    )
    if args.json:
        _write(told, args.json)
    if args.picture:
        write_image(args.picture, picture)
    if args.json != "-":
        print(told["says"])
    return 0 if told["accepted"] else 1


def _from_files(sources: Sequence[str], most: int = MOST_FRAMES) -> Iterator[np.ndarray]:
    for source in sources:
        recording = Recording(source)
        try:
            yield from _spread(recording, most)
        finally:
            recording.close()


def _spread(recording: Recording, most: int) -> Iterator[np.ndarray]:
    """At most `most` pictures, spread over the footage where its length is known; a BadPicture if
    there is none."""
    step = max(1, (recording.frames or most * 10) // most)
    taken = number = 0
    while taken < most and (frame := recording.read()) is not None:
        if number % step == 0:
            yield frame.image
            taken += 1
        number += 1
    if not number:
        raise BadPicture(
            f"{recording.name} holds no pictures: give footage that a video player shows"
        )


def _live(args: argparse.Namespace, words: ReportSentences) -> tuple[dict[str, Any], Survey]:
    """A live camera, guided; what it granted is said first."""
    from platformdirs import user_data_path

    from calibration.cameras.webcam import list_cameras, open_stream, open_webcam

    camera = args.camera
    if camera == "auto":
        found = list_cameras()
        if not found:
            raise BadPicture("No camera was found: plug one in, or give pictures with --from")
        camera = str(found[0].number)
    webcam = open_stream(camera) if "://" in camera else open_webcam(camera)

    def say(text: str) -> None:
        if args.json != "-":
            print(text, flush=True)

    try:
        mode = webcam.settle_and_lock()
        locks = f"locked: {', '.join(mode.locked)}" if mode.locked else "it locks nothing"
        mains = f", mains {mode.mains_hz} Hz" if mode.mains_hz else ""
        say(
            f"{webcam.name}: {mode.width_px} x {mode.height_px}, {mode.fps:.0f} pictures a second {mode.fourcc}, {locks}{mains}."
        )
        report, survey = guided(
            webcam,
            args.marker_mm,
            user_data_path("cloud-mine-companion", appauthor=False),
            say,
            words=words,
        )
    finally:
        webcam.close()
    if report["verdict"] not in ("ready",):
        say(words.play_anyway)
    return report | {
        "camera": report["camera"] | {"name": webcam.name, "mode": dataclasses.asdict(mode)}
    }, survey


def _write(report: dict[str, Any], where: str) -> None:
    text = json.dumps(report, ensure_ascii=False, indent=1)
    if where == "-":
        print(text)
        return
    try:
        Path(where).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise BadPicture(
            f"{where} cannot be written ({error.strerror}): give another file with --json"
        ) from error


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

"""Counts the deck: show or lay out the cards in any number; it ticks them off and names what is
missing.

Takes pictures or footage, or watches a camera until every card was seen (Ctrl-C ends the count
before). Exit code 0 when the deck is whole, 1 when cards are missing or doubled.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator

from calibration.cameras.port import Camera, Frame
from companion.commands.shared.options import add_deck, deck_numbers, marker_of
from companion.commands.shared.progress import say_reader_lost
from companion.commands.shared.sources import cameras_or_pictures
from companion.commands.shared.stopping import Stopping, stops_cleanly
from companion.set_up.deck_check import count_picture
from companion.set_up.deck_count import DeckCount
from companion.vision.codes.reader import Reader
from companion.vision.second_reader.guarded import FOOTAGE_DEADLINE_S, GuardedReader

MOST_MISSING = 20
"""Up to so many missing cards somebody may mean to play without them; more are still to be shown.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Pictures, a film, or a camera."""
    parser.add_argument(
        "pictures", nargs="*", metavar="FILE", help="pictures or films of the laid-out cards"
    )
    parser.add_argument("--camera", default="auto", help="camera to watch when no files are given")
    parser.add_argument("--json", action="store_true", help="print the count as JSON")
    add_deck(parser)


def _frames(cameras: Iterable[Camera], stopping: Stopping) -> Iterator[Frame]:
    for camera in cameras:
        try:
            while not stopping.told and (frame := camera.read()) is not None:
                yield frame
        finally:
            camera.close()


def listed(cards: Iterable[int]) -> str:
    """Card numbers as people write them and `--cards` takes them: 7,12,40-44."""
    runs: list[list[int]] = []
    for card in sorted(cards):
        if runs and card == runs[-1][-1] + 1:
            runs[-1].append(card)
        else:
            runs.append([card])
    return ",".join(
        f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs
    )


def run(args: argparse.Namespace) -> int:
    """Count until every card was seen, the pictures end, or a person stops it; 0 when the deck is
    whole, 1 when not."""
    symbol_mm = marker_of(args.marker_mm)
    count = DeckCount(deck_numbers(args.deck_size))
    with (
        stops_cleanly() as stopping,
        GuardedReader(FOOTAGE_DEADLINE_S, say_reader_lost) as second_reader,
    ):
        reader = Reader(count.numbers, args.deck, symbol_mm, second_reader)
        cameras = cameras_or_pictures(args)
        stopping.calmly()
        for frame in _frames(cameras, stopping):
            new, _ = count_picture(count, frame.image, reader)
            if new and not args.json:
                print(f"{len(count.seen):>3} of {len(count.numbers)}  + {listed(new)}", flush=True)
            if not args.pictures and not count.missing:
                break
    print(
        json.dumps(count.to_json(), indent=2) if args.json else "\n".join(_lines(count, args.deck))
    )
    return 0 if count.whole else 1


def _lines(count: DeckCount, deck: str) -> Iterator[str]:
    """The count in sentences, each with what to do."""
    again = "companion print cards" + (f" --deck {deck}" if deck != "CM1" else "") + " --cards"
    if not count.missing:
        yield f"all there: {len(count.numbers)} of {len(count.numbers)}"
    elif not count.seen:
        yield "no card of this deck was read: lay the cards face up, nearer to the camera, in a picture that is neither dark nor burnt out nor mirrored"
    else:
        yield f"missing: {listed(count.missing)} (or unreadable; `{again} {listed(count.missing)}` prints them)"
        if len(count.missing) <= MOST_MISSING:
            yield f"to play without them, set the deck to {len(count.seen)} clouds at set-up"
    if count.doubled:
        yield f"twice: {listed(count.doubled)} (take one of each away)"
    if count.weak:
        yield f"reprint: {listed(count.weak)} (hard to read; `{again} {listed(count.weak)}`)"
    if count.too_dim:
        yield "the camera reads the whole deck weakly: come nearer or give more light, then single cards can be judged"
    if count.foreign:
        yield f"codes that are not this deck's in one picture: {count.foreign} (--deck says which deck is counted)"

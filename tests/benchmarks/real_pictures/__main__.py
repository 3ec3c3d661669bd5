"""Photographs and films that strangers took: what is found in them that is not there, our marker
painted over their printed codes, and their AprilTags.

    uv run python -m tests.benchmarks.real_pictures --pictures DIR [--only negatives codes tokens]

DIR holds any pictures and films; nothing of them is kept. Folders called `apriltags` hold tags of
the family 36h11: those of Duckietown's `lib-dt-apriltags`, of which it is known which are in view.

What is missed is printed with its picture. Of the markers over real codes from 1.75 px a module one was
missed (`--only codes --every 150`): large and clear, but so steep that one diagonal looks half as long as the
other, in a picture without tokens; with other grain it is read. At a table whose tokens are seen the reader
knows the slope, and such a place is told as too steep.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from calibration.errors import PlaneNotSeen
from calibration.geometry.fit import fit_plane
from calibration.tags import find
from card_printables.deck import PUBLISHED_SIZE, word_for
from card_printables.marker import MODULES
from card_printables.token import TAG_FAMILY
from companion.vision.codes.reader import Reader
from tests.benchmarks.real_pictures.painted_codes import painted, spots
from tests.benchmarks.real_pictures.readers import READERS, Apart
from tests.benchmarks.real_pictures.shots import Shot, resized, shots
from tests.benchmarks.results.record import Figure, add_json, record, share

SHRINKS = {1.0: "full", 1 / 2: "half", 1 / 3: "a third of the"}
CELLS_PX = (0.9, 1.75, 2.5, 4.0, 8.0, 99.0)
"""Pixels a module, from and to."""
CELLS = tuple(
    f"{low} to {high} px a module" if high < 99 else f"beyond {low} px a module"
    for low, high in pairwise(CELLS_PX)
)
LARGE_PX, LARGE_READ = 1.75, 0.97
LARGE = f"all from {LARGE_PX} px a module"
"""Of codes so large so many are to be read."""

TAG_SCALES = (1.0, 0.75, 0.5, 0.35)
TAGS_IN_VIEW = {"multiple": {22, 24, 58, 85, 144, 198}, "rotation": {76}}


# --- negatives


def negatives(folder: Path, every: int) -> list[Figure]:
    """Cards, tokens and tables in pictures in which there are none."""
    reader, cards, tokens, tables, count, other_tags = Reader(), 0, 0, 0, 0, 0
    for shot in shots(folder, every):
        count += 1
        found = reader.read_codes(shot.grey, patient=True).detections
        tags = find.find_tags(shot.grey)
        other_tags += "apriltags" not in shot.folder
        cards += len(found)
        tokens += len(tags)
        with_table = False
        try:
            fit_plane(tags, (shot.grey.shape[1], shot.grey.shape[0]))
            with_table = True
        except PlaneNotSeen:
            pass
        tables += with_table
        if found or tags:
            print(shot.name, [d.card for d in found], sorted(tags), flush=True)
    return [
        Figure(f"real pictures without any: {what}", f"{wrong}", "0", count, wrong == 0)
        for what, wrong in (
            ("cards and backs", cards),
            ("tokens and trays", tokens),
            ("tables", tables),
        )
    ]


# --- our marker over real codes


def codes(folder: Path, every: int) -> list[Figure]:
    """Our markers over the codes in photographs and films, read at three sizes by each reader."""
    rng = np.random.default_rng(1)
    asked: Counter[str] = Counter()
    read: dict[str, Counter[str]] = defaultdict(Counter)
    wrong: Counter[str] = Counter()
    readers = [Apart(name) for name in READERS]
    for shot in shots(folder, every):
        places = spots(shot.grey)
        if not places:
            continue
        cards = rng.permutation(np.arange(1, PUBLISHED_SIZE + 1))[: len(places)]
        with_markers = painted(shot.grey, places, [word_for(int(c)) for c in cards], rng)
        for shrink in SHRINKS:
            grey = resized(with_markers, shrink)
            truth = {
                int(card): (spot.corners_px.mean(axis=0) * shrink, spot.side_px * shrink)
                for card, spot in zip(cards, places, strict=True)
            }
            cells = {
                card: _cells(side / MODULES, SHRINKS[shrink]) for card, (_, side) in truth.items()
            }
            asked.update(cell for of_card in cells.values() for cell in of_card)
            for reader in readers:
                name, got = reader.name, set()
                for card, at in reader.look(grey):
                    if card in truth and np.linalg.norm(at - truth[card][0]) < truth[card][1]:
                        got.add(card)
                    else:
                        wrong[name] += 1
                        print("wrong name:", shot.name, shrink, name, card, flush=True)
                read[name].update(cell for card in got for cell in cells[card])
                missed = [(c, round(truth[c][1] / MODULES, 2)) for c in cells if c not in got]
                if name == "ours" and any(size >= CELLS_PX[1] for _, size in missed):
                    print("missed:", shot.name, f"{shrink:.2f}", missed, flush=True)
    figures = []
    for cell in (*CELLS, *(f"{size} size" for size in SHRINKS.values()), LARGE):
        for name in READERS:
            best = max(read[other][cell] for other in READERS)
            enough = cell != LARGE or read[name][cell] >= LARGE_READ * asked[cell]
            figures.append(
                Figure(
                    f"our marker over real codes, {cell}: {name}",
                    share(read[name][cell], asked[cell]),
                    "97 %" if cell == LARGE and name == "ours" else "",
                    asked[cell],
                    read[name][cell] >= best and enough if name == "ours" else None,
                )
            )
    figures += [
        Figure(
            f"the same: wrong names, {one.name}",
            f"{wrong[one.name]}" + (f"; crashed on {one.crashes} pictures" if one.crashes else ""),
            "0",
            sum(asked.values()),
            not wrong[one.name] and not one.crashes,
        )
        for one in readers
    ]  # fmt: skip
    return figures


def _cells(px_per_module: float, size: str) -> tuple[str, ...]:
    """What a code of this size, in a picture of that size, counts in; nothing where it is smaller than
    any cell."""
    at = next(
        (at for at, (low, high) in enumerate(pairwise(CELLS_PX)) if low <= px_per_module < high),
        None,
    )
    if at is None:
        return ()
    return (CELLS[at], f"{size} size", *([LARGE] if px_per_module >= LARGE_PX else []))


# --- tokens


def _opencv_tags(refinement: int, words: cv2.aruco.Dictionary) -> Callable[[np.ndarray], list[int]]:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = refinement
    detector = cv2.aruco.ArucoDetector(words, settings)

    def look(grey: np.ndarray) -> list[int]:
        _, ids, _ = detector.detectMarkers(grey)
        return [] if ids is None else [int(i) for i in ids.ravel()]

    return look


def _family() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, TAG_FAMILY))


def _finders(words: cv2.aruco.Dictionary) -> dict[str, Callable[[np.ndarray], list[int]]]:
    """Ours, for the words it has been given, beside OpenCV's ways for these words."""
    return {
        "ours": lambda grey: [tag.id for tag in find.find_all_tags(grey)],
        "OpenCV as it comes": _opencv_tags(cv2.aruco.CORNER_REFINE_NONE, words),
        "OpenCV with AprilTag corners": _opencv_tags(cv2.aruco.CORNER_REFINE_APRILTAG, words),
    }


def tokens(folder: Path, every: int) -> list[Figure]:
    """Real tags of the family at four sizes, all its words allowed to every finder; and what the same
    looks take for the words of the table set alone, as at a table whose tokens are not in view."""
    few, words = find._few_words, find._WORDS
    own_words_s = _seconds(folder, every, _finders(few()))
    find._few_words, find._WORDS = _family, tuple(range(len(_family().bytesList)))
    _forget_detectors()
    finders = _finders(_family())
    right: Counter[str] = Counter()
    false: Counter[str] = Counter()
    took_s: Counter[str] = Counter()
    there = looks = elsewhere = 0
    try:
        for shot, truth, grey in _tag_pictures(folder, every):
            there += len(truth)
            looks += 1
            elsewhere += not truth
            for name, look in finders.items():
                began_s = time.process_time()
                found = look(grey)
                took_s[name] += time.process_time() - began_s
                right[name] += len(set(found) & truth)
                false[name] += len(found) - len(set(found) & truth)
                if set(found) - truth:
                    print("false tag:", shot.name, name, set(found) - truth, flush=True)
    finally:
        find._few_words, find._WORDS = few, words
        _forget_detectors()
    most = max(right.values())
    return [
        Figure(
            f"real 36h11 tags, at four sizes: {name}",
            f"{share(right[name], there)}, {false[name]} false in {looks} pictures, {elsewhere} of them without tags; "
            f"{1000 * took_s[name] / looks:.0f} ms a picture, processor, "
            f"{1000 * own_words_s[name] / looks:.0f} with the table set's words alone",
            n=there,
            good=(right[name] == most and not false[name]) if name == "ours" else None,
        )
        for name in finders
    ]


def _seconds(
    folder: Path, every: int, finders: dict[str, Callable[[np.ndarray], list[int]]]
) -> Counter[str]:
    """Processor time of each finder for all pictures."""
    took_s: Counter[str] = Counter()
    for _, _, grey in _tag_pictures(folder, every):
        for name, look in finders.items():
            began_s = time.process_time()
            look(grey)
            took_s[name] += time.process_time() - began_s
    return took_s


def _tag_pictures(folder: Path, every: int) -> Iterator[tuple[Shot, set[int], np.ndarray]]:
    """Each photograph, the tags in it, and it at four sizes where it has some."""
    for shot in shots(folder, every):
        truth = _tags_in(shot)
        for scale in TAG_SCALES if truth else (1.0,):
            yield shot, truth, resized(shot.grey, scale)


def _forget_detectors() -> None:
    for made in (find._detector, find._patient_detector, find._patterns):
        made.cache_clear()


def _tags_in(shot: Shot) -> set[int]:
    if "apriltags" not in shot.folder:
        return set()
    return next((ids for kind, ids in TAGS_IN_VIEW.items() if kind in shot.folder), set())


PARTS = {"negatives": negatives, "codes": codes, "tokens": tokens}


def main() -> None:
    """Measure what is asked for, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path, required=True, metavar="DIR")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    parser.add_argument(
        "--every",
        type=int,
        default=30,
        help="of a film each so many-th frame (default %(default)s)",
    )
    add_json(parser)
    args = parser.parse_args()
    if not args.pictures.is_dir() or next(shots(args.pictures, args.every), None) is None:
        parser.error(f"{args.pictures} holds no picture: give the folder of yours with --pictures")
    figures: list[Figure] = []
    for name in args.only:
        figures += PARTS[name](args.pictures, args.every)
    for figure in figures:
        print(f"{figure.what:<70} {figure.value}")
    record(args.json, figures, seed=1)


if __name__ == "__main__":
    main()

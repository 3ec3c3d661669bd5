"""Backs in strange rooms: learnt in one look, known at other places, turns and lights; the printed
one known without a look.

    python -m tests.benchmarks.backs --rooms 40            some two minutes

Every room has a cloth, a camera (0 to 45 degrees off vertical), a lamp (dim to bright, cold to
warm) and tokens laid by eye. One picture teaches; in another the light has changed and backs, faces
and bare table are shown.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np

from calibration.errors import PlaneNotSeen
from calibration.geometry.fit import fit_plane
from calibration.simulator.photograph import CLOTHS, CameraModel, Exposure, Sheet, Studio
from calibration.tags.find import find_tags
from card_printables.marker import MarkerPlace
from card_printables.order import BACK_DRAWINGS
from card_printables.output.piece_pictures import back_rgba, face_rgba, token_rgba
from card_printables.token import TOKEN_NAMES, TOKENS
from companion.vision.codes.reader import Reader
from companion.vision.places import backs
from companion.vision.places.back_lesson import learn_lone_back
from tests.benchmarks.results.record import Figure, add_json, record, share
from tests.support.calibration_scene import framed, in_table_frame, laid_by_eye

KINDS = ("plain", "many colours", "ornament", "night", *BACK_DRAWINGS)
DPI = 120
FIRST_SEED = 41_000
SPOTS = [(float(x), float(y)) for x in (-180, -60, 60, 180) for y in (-95, 10)]


def art(kind: str, rng: np.random.Generator) -> np.ndarray:
    """A back (n, n, 4) uint8 BGRA."""
    if kind in BACK_DRAWINGS:
        return back_rgba(dpi=DPI, drawing=kind)
    n = round(85 / 25.4 * DPI)
    y, x = (np.mgrid[:n, :n] - (n - 1) / 2) / (n / 2)
    away, angle = np.hypot(x, y), np.arctan2(y, x)
    one, two = rng.uniform(30, 225, (2, 3))
    if kind == "plain":
        picture = np.ones((n, n, 3)) * one + rng.normal(0, 4, (n, n, 1))
    elif kind == "many colours":
        cells = int(rng.integers(3, 8))
        picture = cv2.resize(
            rng.uniform(20, 235, (cells, cells, 3)).astype(np.float32),
            (n, n),
            interpolation=cv2.INTER_CUBIC,
        )
    elif kind == "ornament":
        wave = np.sin(rng.integers(3, 9) * angle + rng.uniform(5, 25) * away) > 0
        picture = np.where(wave[..., None], one, two)
    else:
        picture = np.ones((n, n, 3)) * rng.uniform((50, 15, 5), (110, 50, 45))
        for _ in range(60):
            at = tuple(int(v) for v in rng.integers(0, n, 2))
            cv2.circle(
                picture, at, int(rng.integers(1, n // 40)), tuple(rng.uniform(180, 255, 3)), -1
            )
    return np.dstack([np.clip(picture, 0, 255), 255 * (away < 1)]).astype(np.uint8)


def room(rng: np.random.Generator) -> tuple[Studio, list[Sheet], dict, Exposure, str]:
    """A studio with tokens laid out, and the light of the lesson."""
    layout = laid_by_eye(rng, tray=False)
    camera = framed(
        CameraModel(
            tilt_deg=rng.uniform(0, 45),
            azimuth_deg=rng.uniform(-20, 20),
            roll_deg=rng.uniform(-4, 4),
            k1=rng.uniform(-0.1, 0.05),
            noise=rng.uniform(2, 7),
            blur_px=rng.uniform(0.4, 0.9),
            sharpening=rng.uniform(0, 0.8),
            jpeg_quality=int(rng.integers(65, 93)),
            lean=tuple(rng.uniform(-0.25, 0.25, 2)),
            vignette=rng.uniform(0, 0.3),
        ),
        layout,
    )
    cloth = str(rng.choice(CLOTHS))
    tokens = [
        Sheet(token_rgba(t, 100), t.width_mm, (layout[n].x_mm, layout[n].y_mm), layout[n].turn_deg)
        for n, t in zip(TOKEN_NAMES, TOKENS, strict=True)
    ]
    return Studio(camera, cloth, int(rng.integers(1 << 30))), tokens, layout, lamp(rng), cloth


def lamp(rng: np.random.Generator, dimmest: float = 0.12) -> Exposure:
    """Light from a dim warm bulb to a window; what white balance leaves of its colour."""
    warm = rng.uniform(-0.12, 0.25)
    return Exposure(
        gain=float(np.exp(rng.uniform(np.log(dimmest), np.log(1.25)))),
        tint_bgr=(1 - warm, 1.0, 1 + warm * 0.8),
    )


def turned(light: Exposure, rng: np.random.Generator) -> Exposure:
    """The same lamp later: an exposure step, a little of another colour."""
    warm = rng.uniform(-0.04, 0.04)
    b, g, r = light.tint_bgr
    return replace(
        light,
        gain=light.gain * float(np.exp(rng.uniform(-0.4, 0.4))),
        tint_bgr=(b * (1 - warm), g, r * (1 + warm)),
    )


def one(seed: int, kind: str, counts: Counter, verbose: bool) -> None:
    """One room: teach, change the light, look again."""
    rng = np.random.default_rng(seed)
    studio, tokens, layout, light, cloth = room(rng)
    look = art(kind, rng)
    spots = [SPOTS[i] for i in rng.permutation(len(SPOTS))]
    picture = studio.shoot([*tokens, Sheet(look, 85.0, spots[0], rng.uniform(0, 360))], light)
    try:
        plane = fit_plane(find_tags(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)), (1920, 1080))
    except PlaneNotSeen:
        counts["no table", kind] += 1
        return
    what = learn_lone_back(picture, plane, Reader(), MarkerPlace())
    counts["lessons", kind] += 1
    counts["why " + (what.why or "learnt"), kind] += 1
    if what.centre_mm is not None:
        off = np.hypot(*(in_table_frame(np.array([spots[0]]), layout)[0] - what.centre_mm))
        counts["misplaced by more than 4 mm", kind] += bool(off > 4)
    if kind in BACK_DRAWINGS or what.back is not None:
        known = backs.printed_backs() if what.back is None else (what.back,)
        again(
            rng,
            studio,
            tokens,
            layout,
            turned(light, rng),
            look,
            spots[1:],
            known,
            plane,
            (counts, kind, seed, cloth, verbose),
        )


def again(rng, studio, tokens, layout, light, look, spots, known_backs, plane, into) -> None:
    """Another picture: three backs, three faces, one bare place."""
    counts, kind, seed, cloth, verbose = into
    sheets = [Sheet(look, 85.0, at, rng.uniform(0, 360)) for at in spots[:3]]
    sheets += [
        Sheet(face_rgba(int(rng.integers(1, 81)), dpi=DPI), 85.0, at, rng.uniform(0, 360))
        for at in spots[3:6]
    ]
    picture, shrink = backs.softened_for_places(studio.shoot([*tokens, *sheets], light), plane)
    for i, at in enumerate(in_table_frame(np.array(spots), layout)):
        what = "backs" if i < 3 else "faces" if i < 6 else "bare places"
        seen = backs.polar_colours(picture, shrink, plane, tuple(at + rng.normal(0, 0.7, 2)))
        known = any(backs.is_back(back, seen) for back in known_backs)
        counts[what, kind] += 1
        counts[what + " taken for the back", kind] += known
        if verbose or known != (i < 3):
            back = max(known_backs, key=lambda back: backs.back_score(back, seen))
            turn, alike = backs._best_turn(back.colour, seen)
            agree = backs._agreement(back, seen, turn, 0, 0)
            print(
                f"   {kind} seed {seed} {cloth} tilt {studio.camera.tilt_deg:.0f} gain {light.gain:.2f} "
                f"tint {light.tint_bgr[2] - light.tint_bgr[0]:+.2f}: {what} {known}, alike {alike:.2f} agreement {agree:.2f}"
            )


def main() -> None:
    """Run it; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rooms", type=int, default=20, help="rooms for each kind of back")
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument(
        "--verbose", action="store_true", help="print every judgement, not only the wrong ones"
    )
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    counts: Counter = Counter()
    kinds = args.kinds.split(",")
    for kind in kinds:
        for seed in range(args.seed, args.seed + args.rooms):
            one(seed, kind, counts, args.verbose)
    print(f"{'':34}" + "".join(f"{kind:>14}" for kind in kinds))
    for what in dict.fromkeys(what for what, _ in counts):
        print(f"{what:34}" + "".join(f"{counts[what, kind]:14}" for kind in kinds))
    record(args.json, figures_of(counts), args.seed)


def figures_of(counts: Counter) -> list[Figure]:
    """Backs known again and others taken for one, over all kinds of backs."""
    total = Counter[str]()
    for (what, _), count in counts.items():
        total[what] += count
    known, wrong = total["backs taken for the back"], total["faces taken for the back"]
    wrong += total["bare places taken for the back"]
    others = total["faces"] + total["bare places"]
    return [
        Figure("backs known again, learnt in one look", share(known, total["backs"])),
        Figure(
            "faces and bare places taken for a back", share(wrong, others), "0", good=wrong == 0
        ),
    ]


if __name__ == "__main__":
    main()

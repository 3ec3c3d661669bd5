"""Cards held out on small photographed tables: what the map says of their places, and whether the
reader reads them.

A table of 36 by 22 cm fills a small picture whose pixels a millimetre are those of a whole table in
a large one, so that ten thousand places take minutes. Each picture has one `Pipeline`: how a camera
makes a file of its light.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from calibration.cameras.grey import grey_of
from calibration.check.picture_problems import burnt_out
from calibration.check.readability import MapCell, map_of
from calibration.check.survey import Survey
from calibration.errors import PlaneNotSeen
from calibration.geometry.plane import Plane
from calibration.simulator.photograph import CLOTHS, CameraModel, Sheet, Studio
from calibration.simulator.prints import Prints
from card_printables.marker import DISC_MM, MODULES, SYMBOL_MM, MarkerPlace
from card_printables.output.piece_pictures import face_rgba
from companion.vision.codes.reader import Reader
from tests.support.calibration_scene import Layout, framed, laid_by_eye, sheets_of

WIDE_MM, DEEP_MM = 360.0, 220.0
_VIEW_MM = (520.0, 370.0)
DEALS, KINDS = 3, 24
_SPOTS = (*((x, y) for y in (-50.0, 50.0) for x in (-95.0, 0.0, 95.0)), (-185.0, 0.0), (185.0, 0.0))


@dataclass(frozen=True, slots=True)
class Row:
    """One card lying somewhere: the map's nearest spot, whether one look read it, in what share of
    the deals cards were read at that place of the table, the pipeline and the table's number."""

    spot: MapCell
    read: bool
    share: float
    pipeline: str
    table: int

    @property
    def chance(self) -> float:
        """What the map predicted."""
        return self.spot.read_chance


@dataclass(frozen=True, slots=True)
class Pipeline:
    """How one kind of camera turns light into a file: what is drawn for its camera model, and what
    its program does after."""

    name: str
    draw: Callable[[np.random.Generator], dict[str, object]]
    after: Callable[[np.ndarray, np.random.Generator], np.ndarray] = lambda image, rng: image


def _webcam(rng: np.random.Generator) -> dict[str, object]:
    return {
        "sharpening": float(rng.uniform(0, 0.8)),
        "jpeg_quality": int(rng.integers(75, 95)),
        "noise": float(rng.uniform(2, 5)),
    }


def _harsh(rng: np.random.Generator) -> dict[str, object]:
    return {
        "sharpening": float(rng.uniform(0.8, 1.6)),
        "jpeg_quality": int(rng.integers(50, 80)),
        "noise": float(rng.uniform(2, 7)),
    }


def _raw(rng: np.random.Generator) -> dict[str, object]:
    return {"sharpening": 0.0, "jpeg_quality": None, "noise": float(rng.uniform(1, 4))}


def _moving(rng: np.random.Generator) -> dict[str, object]:
    way, turn = rng.uniform(0.5, 2.5), rng.uniform(0, np.pi)
    return _webcam(rng) | {"motion_px": (float(way * np.cos(turn)), float(way * np.sin(turn)))}


def _dusk(rng: np.random.Generator) -> dict[str, object]:
    return _webcam(rng) | {
        "exposure": float(np.exp(rng.uniform(np.log(0.02), np.log(0.3)))),
        "noise": float(rng.uniform(3, 8)),
    }


def _bright(rng: np.random.Generator) -> dict[str, object]:
    return _webcam(rng) | {"exposure": float(rng.uniform(0.9, 1.5))}


def _burnt(rng: np.random.Generator) -> dict[str, object]:
    return _webcam(rng) | {"exposure": float(np.exp(rng.uniform(np.log(1.5), np.log(4.0))))}


def _denoised(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """What a phone's program does: noise smoothed away where nothing has an edge, then a video's
    coarse JPEG."""
    smooth = cv2.bilateralFilter(image, 5, float(rng.uniform(10, 30)), 1.5)
    return cv2.imdecode(
        cv2.imencode(".jpg", smooth, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 85))])[1],
        cv2.IMREAD_COLOR,
    )


def _enlarged(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A sensor of fewer pixels than its file."""
    share = float(rng.uniform(0.6, 0.9))
    small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_CUBIC)


PIPELINES = (
    Pipeline("webcam", _webcam),
    Pipeline("harsh", _harsh),
    Pipeline("raw", _raw),
    Pipeline("moving", _moving),
    Pipeline("dusk", _dusk),
    Pipeline("bright", _bright),
    Pipeline("burnt", _burnt),
    Pipeline("phone", _raw, _denoised),
    Pipeline("enlarged", _webcam, _enlarged),
)


def rows(rng: np.random.Generator, tables: int, reader: Reader | None = None) -> Iterator[Row]:
    """The cards of so many tables, each pipeline in turn."""
    reader, prints = reader or Reader(), Prints()
    for k in range(tables):
        yield from _table(rng, PIPELINES[k % len(PIPELINES)], k, reader, prints)


def small_camera(rng: np.random.Generator, layout: Layout) -> CameraModel:
    """A camera over a small table, its pose, lens, blur and light by chance; about as many pixels a
    module as its blur needs."""
    blur_px = float(rng.uniform(0.3, 2.0))
    px_per_mm = (
        (0.45 + 0.75 * blur_px) * float(np.exp(rng.uniform(-0.5, 0.6))) * MODULES / SYMBOL_MM
    )
    width, height = (round(side * px_per_mm / 16) * 16 for side in _VIEW_MM)
    focal = width * float(rng.uniform(0.7, 0.95))
    around = float(rng.uniform(-180, 180)) if rng.random() < 0.3 else float(rng.uniform(-25, 25))
    camera = CameraModel(
        width,
        height,
        focal,
        distance_mm=focal / px_per_mm,
        tilt_deg=float(rng.uniform(0, 45)),
        azimuth_deg=around,
        roll_deg=float(rng.normal(0, 4)),
        k1=float(rng.uniform(-0.2, 0.08)),
        blur_px=blur_px,
        lean=(float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2))),
        exposure=float(rng.uniform(0.5, 0.85)),
    )
    return framed(camera, layout, 45)


def _table(
    rng: np.random.Generator, pipeline: Pipeline, k: int, reader: Reader, prints: Prints
) -> Iterator[Row]:
    """One table: surveyed while it is bare, then read with cards on it, dealt `DEALS` times."""
    layout = laid_by_eye(rng, WIDE_MM, DEEP_MM, tray=False)
    camera = replace(small_camera(rng, layout), **pipeline.draw(rng))
    studio = Studio(camera, sorted(CLOTHS)[int(rng.integers(len(CLOTHS)))], k, prints)
    survey = Survey()
    survey.add_picture(pipeline.after(studio.shoot(sheets_of(layout)), rng))
    try:
        plane = survey.pool.plane()
    except PlaneNotSeen:
        return
    spots = map_of(
        plane, survey.lights, burnt=burnt_out(survey.grey, survey.lights, plane, survey.codes_px)
    )
    if not survey.lights or not plane.middle_from_tokens:
        return

    def after(image: np.ndarray) -> np.ndarray:
        return pipeline.after(image, rng)

    deals = [_looked_at(studio, layout, _dealt(rng), plane, reader, after) for _ in range(DEALS)]
    for place in zip(*deals, strict=True):
        share = sum(read for _, read in place) / DEALS
        for px, read in place:
            near = _nearest(spots, px, camera)
            if near is not None:
                yield Row(near, read, share, pipeline.name, k)


def _looked_at(
    studio: Studio,
    layout: Layout,
    cards: dict[int, Sheet],
    plane: Plane,
    reader: Reader,
    after: Callable[[np.ndarray], np.ndarray],
) -> list[tuple[np.ndarray, bool]]:
    """Where each card's marker lies in the picture (2,) px, and whether one look reads it."""
    read = {
        d.card
        for d in reader.read_codes(
            grey_of(after(studio.shoot([*sheets_of(layout), *cards.values()]))), plane
        ).detections
    }
    marker = np.array([MarkerPlace().centre_mm])
    return [
        (studio.camera.to_px(card.point_mm(marker))[0], number in read)
        for number, card in cards.items()
    ]


def _dealt(rng: np.random.Generator) -> dict[int, Sheet]:
    """Eight cards that cover neither one another nor the tokens, turned anyhow."""
    numbers = rng.choice(np.arange(1, KINDS + 1), len(_SPOTS), replace=False).tolist()
    return {
        n: Sheet(
            _face(n),
            DISC_MM,
            (x + float(rng.normal(0, 2)), y + float(rng.normal(0, 2))),
            float(rng.uniform(0, 360)),
        )
        for n, (x, y) in zip(numbers, _SPOTS, strict=True)
    }


@cache
def _face(number: int) -> np.ndarray:
    return face_rgba(number, dpi=150)


def _nearest(spots: list[MapCell], px: np.ndarray, camera: CameraModel) -> MapCell | None:
    """The map's spot nearest to a marker at this pixel; None for a marker that the picture's edge
    cuts."""
    near = min(spots, key=lambda s: np.hypot(s.x_px - px[0], s.y_px - px[1]))
    reach = 0.8 * near.px_per_module * MODULES
    inside = reach < px[0] < camera.width_px - reach and reach < px[1] < camera.height_px - reach
    return near if inside else None

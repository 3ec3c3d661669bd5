"""Finding the printed tags of the table set in a picture, corners to a few hundredths of a pixel.

Knows the tag family and which tags the set has; must not know millimetres, planes or cameras.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from calibration.cameras.grey import grey_of
from calibration.tags.bloom import blooms_px, grown
from calibration.tags.edges import refine_corners
from calibration.tags.identify import WordPatterns, identified
from card_printables.token import PIECES, TAG_FAMILY, TOKENS

TABLE_TAGS = frozenset(tag.id for piece in PIECES for tag in piece.tags)
TOKEN_TAGS = frozenset(tag.id for piece in TOKENS for tag in piece.tags)

_WORDS = tuple(sorted(TABLE_TAGS))
"""Tag ids by their place in the reduced dictionary."""

_SEARCH_PX = 1000
"""The first search runs on a picture at most this long: 4 ms at 1080p; tags of 24 px are found
(tests/benchmarks/table_plane)."""

_NEARLY = 0.05
"""By such a share of `_SEARCH_PX` a picture for a rough look may be longer or shorter; chosen."""

_ENLARGED = 1.6
"""Where tokens are missing, small pictures are looked at enlarged: the detector needs 4 px a
module, tokens of 3 are there."""


@dataclass(frozen=True, slots=True)
class SeenTag:
    """One tag in a picture: its id and its corners (4, 2) float px in the order of the printed tag;
    `trimmed` when its white margin was cut away all round, and the corners are those that were
    printed."""

    id: int
    corners_px: np.ndarray
    trimmed: bool = False


def find_tags(image: np.ndarray, thorough: bool = True) -> dict[int, np.ndarray]:
    """The table set's tags in the picture: id -> corners (4, 2) float px, top-left, top-right,
    bottom-right, bottom-left.

    `image` is (H, W) or (H, W, 3) uint8. An empty dict when there are none. Of two tags with one id
    the larger counts (`find_all_tags` tells). `thorough` looks again in the full picture when
    tokens are missing in the reduced one.
    """
    return corners_by_id(find_all_tags(image, thorough))


def corners_by_id(tags: list[SeenTag]) -> dict[int, np.ndarray]:
    """id -> corners (4, 2) px; of two tags with one id the larger counts."""
    best: dict[int, SeenTag] = {}
    for tag in tags:
        if tag.id not in best or _area(tag.corners_px) > _area(best[tag.id].corners_px):
            best[tag.id] = tag
    return {tag.id: tag.corners_px for tag in best.values()}


def find_all_tags(image: np.ndarray, thorough: bool = True) -> list[SeenTag]:
    """Every tag of the table set in the picture, two of one id included; sharpened corners, largest
    first."""
    grey = grey_of(image)
    shrink = min(1.0, _SEARCH_PX / max(grey.shape))
    found = _detected(grey, shrink)
    ids = {tag.id for tag in found}
    if thorough and not (ids >= TOKEN_TAGS and (ids - TOKEN_TAGS or shrink == 1)):
        found = _merge(found, _detected(grey, min(_ENLARGED, 2 * shrink), _patient_detector()))
    if thorough and len({tag.id for tag in found} & TOKEN_TAGS) < 2:
        found = _merge(found, _detected(_flattened(grey), min(1.0, 2 * shrink)))
    return sorted(sharpened_tags(grey, found), key=lambda tag: -_area(tag.corners_px))


def find_tags_quickly(grey: np.ndarray) -> list[SeenTag]:
    """One quick look for the table set's tags in (H, W) uint8, reduced; corners sharpened, bloom
    left in."""
    found = find_tags_roughly(grey)
    exact = refine_corners(grey, np.array([tag.corners_px for tag in found]).reshape(-1, 4, 2))
    return [SeenTag(tag.id, c) for tag, c in zip(found, exact, strict=True) if np.isfinite(c).all()]


def find_tags_roughly(grey: np.ndarray) -> list[SeenTag]:
    """The same, corners not sharpened: 1 mm off at the median of a piece's corners, at 1080p over a
    table. This look is taken again and again: where the picture is nearly a whole number of times as
    long as the search asks for, it is made smaller by that number, at a tenth of the cost."""
    longest = max(grey.shape)
    times = round(longest / _SEARCH_PX)
    near = times > 0 and abs(longest / times - _SEARCH_PX) <= _NEARLY * _SEARCH_PX
    return _detected(grey, 1 / times if near else min(1.0, _SEARCH_PX / longest))


def sharpened_tags(
    grey: np.ndarray, tags: list[SeenTag], sags_px: np.ndarray | None = None
) -> list[SeenTag]:
    """The tags with corners where their sides cross, and freed of the picture's bloom.

    `sags_px` (tags, 4): how far the lens bends their sides, where that is known (see
    `edges.refine_corners`)."""
    guess = np.array([tag.corners_px for tag in tags]).reshape(-1, 4, 2)
    exact = refine_corners(grey, guess, sags_px)
    exact = np.where(
        np.isnan(again := refine_corners(grey, np.nan_to_num(exact), sags_px)), exact, again
    )
    for i in np.flatnonzero(np.isnan(exact).any(axis=(1, 2))):
        exact[i] = _corner_detected(grey, guess[i])
    blooms = blooms_px(grey, list(exact))
    return [
        SeenTag(tag.id, grown(corners, bloom))
        for tag, corners, bloom in zip(tags, exact, blooms, strict=True)
    ]


def _detected(
    grey: np.ndarray, shrink: float, patient: cv2.aruco.ArucoDetector | None = None
) -> list[SeenTag]:
    """What the quick detector finds in the picture made smaller or larger; or the patient one, and
    then also the squares whose light is a word's though too many modules look wrong."""
    size = (max(1, round(grey.shape[1] * shrink)), max(1, round(grey.shape[0] * shrink)))
    way = cv2.INTER_AREA if shrink < 1 else cv2.INTER_CUBIC
    small = grey if 0.99 < shrink < 1.1 else cv2.resize(grey, size, interpolation=way)
    scale = np.array([grey.shape[1] / small.shape[1], grey.shape[0] / small.shape[0]])
    corners, ids, rest = (patient or _detector()).detectMarkers(small)
    numbers = [] if ids is None else [_WORDS[int(i)] for i in np.ravel(ids)]
    seen = list(zip(numbers, corners, strict=True))
    if patient is not None and len(rest):
        told = identified(small, np.reshape(rest, (-1, 4, 2)), _patterns())
        seen += [(word, c) for word, c in told if word in _WORDS]
    found: list[SeenTag] = []
    for i, c in seen:
        if _is_cut(small, np.reshape(c, (4, 2))):
            continue
        corners_px = (np.reshape(c, (4, 2)).astype(float) + 0.5) * scale - 0.5
        found = _merge(found, [SeenTag(i, corners_px)])
    return found


_RIM_PX = 3
"""A square with a corner so near to the picture's edge is cut by it. OpenCV's own rule of this kind
takes a token's paper and its black square for one thing, and drops both where only the paper is cut."""


def _is_cut(picture: np.ndarray, corners_px: np.ndarray) -> bool:
    height, width = picture.shape[:2]
    from_edge = np.minimum(corners_px, (width - 1, height - 1) - corners_px)
    return bool(from_edge.min() < _RIM_PX)


_CELL_PX = 6
_CELL_RIM_SHARE = 0.34
"""Only a module's inner third says whether it is black: blur reaches into the rest. With blurs of
1.6 to 2.8 px at 720p 50 of 70 tags are found, with OpenCV's own 4 and 0.13 only 23."""


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin = 7
    settings.adaptiveThreshWinSizeMax = 27
    settings.adaptiveThreshWinSizeStep = 20
    settings.minMarkerPerimeterRate = 0.035
    settings.polygonalApproxAccuracyRate = 0.05
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    settings.errorCorrectionRate = 0.5
    settings.minDistanceToBorder = 0  # see `_RIM_PX`
    settings.perspectiveRemovePixelPerCell = _CELL_PX
    settings.perspectiveRemoveIgnoredMarginPerCell = _CELL_RIM_SHARE
    return cv2.aruco.ArucoDetector(_few_words(), settings)


@cache
def _patient_detector() -> cv2.aruco.ArucoDetector:
    """The same with more windows, and with squares that are nearly edge-on: of five such tags in a
    photograph the quick one finds three."""
    settings = _detector().getDetectorParameters()
    settings.adaptiveThreshWinSizeMin = 3
    settings.adaptiveThreshWinSizeMax = 23
    settings.adaptiveThreshWinSizeStep = 10
    settings.polygonalApproxAccuracyRate = 0.03
    return cv2.aruco.ArucoDetector(_few_words(), settings)


@cache
def _patterns() -> WordPatterns:
    """All words of the family, the table set's and others: a stranger's tag resembles one of those
    as much."""
    return WordPatterns.of(_family())


def _family() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, TAG_FAMILY))


def _few_words() -> cv2.aruco.Dictionary:
    """The family with only the table set's words: on a checked cloth, comparing with all 587 took a
    second."""
    family = _family()
    return cv2.aruco.Dictionary(
        family.bytesList[list(_WORDS)], family.markerSize, family.maxCorrectionBits
    )


def _flattened(grey: np.ndarray) -> np.ndarray:
    """The picture with its contrast raised place by place: for dusk, and for a lamp on one side."""
    return cv2.createCLAHE(clipLimit=4.0, tileGridSize=(8, 8)).apply(grey)


def _merge(found: list[SeenTag], more: list[SeenTag]) -> list[SeenTag]:
    new = [tag for tag in more if not any(_same(tag, old) for old in found)]
    return found + new


def _same(one: SeenTag, other: SeenTag) -> bool:
    apart = np.linalg.norm(one.corners_px.mean(axis=0) - other.corners_px.mean(axis=0))
    return one.id == other.id and apart < 0.5 * np.sqrt(_area(other.corners_px))


def _corner_detected(grey: np.ndarray, corners_px: np.ndarray) -> np.ndarray:
    """Less exact, but it works where a side is partly covered."""
    reach = int(np.clip(0.03 * np.sqrt(_area(corners_px)), 2, 6))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.01)
    start = corners_px.astype(np.float32).reshape(-1, 1, 2)
    return cv2.cornerSubPix(grey, start, (reach, reach), (-1, -1), stop).reshape(4, 2).astype(float)


def _area(corners_px: np.ndarray) -> float:
    x, y = corners_px[:, 0], corners_px[:, 1]
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2

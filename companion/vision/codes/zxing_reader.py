"""The independent second reader: zxing-cpp, asked for QR codes of model 2 only.

Knows pictures and raw bytes. Its corners are whole pixels of the finder patterns' outer edges, good
enough to start `pose.refine_poses` from; it reads mirrored codes without saying so, which is why
`reader` looks at the modules again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from card_printables.deck import Word, word_of, words
from card_printables.marker import MODULES
from companion.vision.codes.acceptance import TRACKED, claims_of, corner_tuples
from companion.vision.codes.consensus import Claim, same_place
from companion.vision.codes.decode import BestWords, template_blurs_for
from companion.vision.codes.detection import Box
from companion.vision.codes.pose import LOOSE_SPREAD, poses_of_corners, refine_poses
from companion.vision.codes.word_templates import word_scores
from companion.vision.frame.image_pyramid import ImagePyramid
from companion.vision.second_reader.zxing import RawCode, decode

SecondReader = Callable[[np.ndarray], list[RawCode]]
"""The codes that an independent reader finds in a picture (H, W) uint8, contiguous."""

WHOLE_PICTURE_FROM_PX = 2.2
"""Pixels a module from which zxing-cpp reads most whole pictures (half of all codes at 2; it still
confirms smaller ones one by one)."""

HALVED_FROM_PX = 5.0
"""Pixels a module above which it is given a halved picture."""

ENLARGED_UP_TO_PX = 2_200_000
"""Pictures of at most so many pixels are also given to zxing-cpp at twice the size while there is
no plane."""

MIRROR_LEAD = 0.1
"""Lead of a word upright over the same word mirrored, or the other way round, that tells which of
the two it is; chosen."""

CORNER_STEPS = 8
"""Steps from zxing-cpp's whole-pixel corners to the code's own; chosen."""


@dataclass(frozen=True, slots=True)
class ZxingCode:
    """One QR code: its raw payload, its four corners (4, 2) px, clockwise from the code's top-left,
    and its mask when it is of our prints' kind (version 1, level H); another program may write our
    words with another mask."""

    payload: bytes
    corners_px: np.ndarray
    mask: int | None = None

    @property
    def word(self) -> Word | None:
        """The word of ours that was printed; None for everything else, our words in another print
        included."""
        word = word_of(self.payload)
        return word if word is not None and word.mask == self.mask else None


def zxing_codes(grey: np.ndarray, enlarge: int = 1, read: SecondReader = decode) -> list[ZxingCode]:
    """Every model-2 QR code that zxing-cpp reads in `grey` (H, W) uint8, enlarged by a whole factor
    first if asked."""
    if min(grey.shape[:2]) < 10:
        return []
    picture = np.ascontiguousarray(grey)
    if enlarge > 1:
        picture = cv2.resize(picture, None, fx=enlarge, fy=enlarge, interpolation=cv2.INTER_CUBIC)
    return [
        ZxingCode(code.payload, np.array(code.corners_px, float) / enlarge - 0.5, code.mask)
        for code in read(picture)
    ]


def zxing_codes_near(
    grey: np.ndarray, corners_px: np.ndarray, read: SecondReader = decode
) -> list[ZxingCode]:
    """What is read in a cut-out round `corners_px` (4, 2), three times enlarged where the code is
    small.

    A light and sure second opinion: about a fifth of a millisecond; four times read less.
    """
    side = float(np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=0), axis=1).max())
    left, top = np.maximum(np.floor(corners_px.min(axis=0) - side / 4), 0).astype(int)
    right, bottom = np.ceil(corners_px.max(axis=0) + side / 4).astype(int) + 1
    enlarge = int(np.clip(130 // max(side, 1), 1, 3))
    reads = zxing_codes(grey[top:bottom, left:right], enlarge, read)
    return [replace(read, corners_px=read.corners_px + np.array([left, top])) for read in reads]


def zxing_claims(
    pyramid: ImagePyramid,
    known: list[Claim],
    finest: float | None,
    region: Sequence[Box] | None,
    read: SecondReader = decode,
) -> list[Claim]:
    """What zxing-cpp reads: in the whole picture or region, and round each code newly known that it
    has not read there.

    `finest` is the most pixels a module can have in this picture, None where nobody knows.
    """
    claims: list[Claim] = []
    for code in _codes_in(pyramid, finest, region, read):
        rough = _rough_claim(code)
        if not any(same_place(rough, other) for other in claims):
            confirms = any(same_place(rough, other) for other in known)
            claims.append(rough if confirms else _refined_claim(pyramid, code))
    unread = [
        c
        for c in known
        if c.reader == "known" and not any(same_place(c, other) for other in claims)
    ]
    for claim in unread:
        for code in zxing_codes_near(pyramid.level(0), np.array(claim.corners_px), read):
            rough = _rough_claim(code)
            claims += [rough] if same_place(rough, claim) else []
    return claims


def _rough_claim(code: ZxingCode) -> Claim:
    return Claim(code.word, code.payload, corner_tuples(code.corners_px), 1.0, "zxing")


def _codes_in(
    pyramid: ImagePyramid,
    finest: float | None,
    region: Sequence[Box] | None,
    read: SecondReader,
) -> list[ZxingCode]:
    """zxing-cpp's reads of the whole picture or region, at the size that suits it (while nobody knows
    it, at half and twice the size too: a large, noisy code is only read halved); nothing where codes
    are too small for it."""
    whole = pyramid.level(0)
    if finest is None:
        half = pyramid.level(1)
        halved = [
            replace(
                code, corners_px=(code.corners_px + 0.5) * (whole.shape[1] / half.shape[1]) - 0.5
            )
            for code in zxing_codes(half, 1, read)
        ]
        enlarged = zxing_codes(whole, 2, read) if whole.size <= ENLARGED_UP_TO_PX else []
        return zxing_codes(whole, 1, read) + halved + enlarged
    if finest < WHOLE_PICTURE_FROM_PX:
        return []
    picture = pyramid.level(max(0, int(np.log2(finest / HALVED_FROM_PX))))
    factor = whole.shape[1] / picture.shape[1]
    left, top, right, bottom = 0, 0, picture.shape[1], picture.shape[0]
    if region is not None:
        bounds = np.array(region, float) / factor
        around = 2 * MODULES * finest / factor
        low = np.clip(bounds[:, :2].min(axis=0) - around, 0, [right, bottom])
        high = np.clip(bounds[:, 2:].max(axis=0) + around, 0, [right, bottom])
        left, top, right, bottom = (int(v) for v in (*low, *high))
    corner = np.array([left + 0.5, top + 0.5])
    return [
        replace(code, corners_px=(code.corners_px + corner) * factor - 0.5)
        for code in zxing_codes(picture[top:bottom, left:right], 1, read)
    ]


def _refined_claim(pyramid: ImagePyramid, code: ZxingCode) -> Claim:
    """A zxing code as a claim, its corners refined on the word's modules, else rough; no word where
    it may be mirrored."""
    word = code.word
    if word is None:
        return _rough_claim(code)
    pose = poses_of_corners(code.corners_px[None])
    blur = float(template_blurs_for(pose)[0])
    upright = words().index(word)
    both = np.array([upright, upright + len(words())])
    poses, patches = refine_poses(
        pyramid, np.repeat(pose, 2, axis=0), both, blur, LOOSE_SPREAD, steps=CORNER_STEPS
    )
    common, scores = word_scores(patches, blur)
    own = scores[np.arange(2), both]
    best = int(own.argmax())
    if own[best] < TRACKED.own_score:
        told = word if own[best] - own[1 - best] > MIRROR_LEAD else None
        corners_px = corner_tuples(code.corners_px)
        return Claim(told, code.payload, corners_px, TRACKED.own_score, "zxing", best == 1)
    return claims_of(BestWords(poses, both, own, common, own), np.arange(2) == best, "zxing")[0]

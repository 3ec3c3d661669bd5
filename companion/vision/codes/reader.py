"""The reader: a grey picture in, the cards in it out.

Composes the localiser, the known-deck decoder, the confirmation of cards where they lay, and the
second reader. Knows which numbers belong to this evening's deck. Knows no time: what was there a
moment ago is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.cameras.grey import checked_grey
from card_printables.deck import DECKS, PUBLISHED_SIZE, word_for, words
from card_printables.marker import FORMER_BACK_SYMBOL_MM, MODULES, SYMBOL_MM
from companion.vision.codes import localise, zxing_reader
from companion.vision.codes.acceptance import (
    FAINT,
    FOUND,
    FOUND_WITHOUT_PLANE,
    TRACKED,
    claims_of,
    inside_picture,
    named,
    square_enough,
)
from companion.vision.codes.consensus import Claim, reader_consensus, with_faint_cards
from companion.vision.codes.decode import name_at_other_sizes, name_codes
from companion.vision.codes.detection import Box, Expected, Reading
from companion.vision.codes.plane_hypotheses import plane_hypotheses
from companion.vision.codes.pose import (
    FOUND_SPREAD,
    LOOSE_SPREAD,
    corners_of_poses,
    poses_of_corners,
)
from companion.vision.codes.rectification import (
    Rectification,
    boxes_in_rectified,
    boxes_on_table,
    cropped_to,
    for_larger_modules,
    poses_on_table,
    rectification_of,
    square_misfit,
)
from companion.vision.codes.tracked_cards import confirm_tracked
from companion.vision.codes.zxing_reader import SecondReader
from companion.vision.frame.image_pyramid import ImagePyramid
from companion.vision.frame.plane_mapping import PlaneMapping
from companion.vision.second_reader.zxing import decode

SHORTEST_READ_PX = 32
"""Pictures with a shorter side hold no code of ours."""

CLEAR_CODE_SCORE = 0.65
"""A place that looks so much like a code, but has no name, is tried again from other sizes."""

MOST_TRIED_AGAIN = 3
"""So many of such places in one search."""

MOST_SEARCHES = 8
"""So often a picture in which many cards lie is searched, at most; chosen."""

MANY_FOUND = 12
"""A search that finds so many cards is run again beside them until it finds no more: a whole deck
lies in view."""

ENOUGH_WITHOUT_PLANE = 16
"""So many different cards found without a plane give a plane to read the rest by; no more
hypotheses are tried."""

FindCandidates = Callable[
    [Rectification, np.ndarray, np.ndarray | None, np.ndarray | None, localise.SearchEffort],
    localise.CodeCandidates,
]


@dataclass(frozen=True, slots=True)
class _RectifiedPicture:
    """One picture rectified for codes of one size ((H, W) uint8), and the boxes on the table, (M, 4)
    mm, that are searched (None: everywhere)."""

    pyramid: ImagePyramid
    rectification: Rectification
    rectified: np.ndarray
    plane: PlaneMapping
    boxes_mm: np.ndarray | None


class Reader:
    """Reads the cards of one deck in single pictures."""

    def __init__(
        self,
        numbers: Iterable[int] = range(1, PUBLISHED_SIZE + 1),
        deck: str = DECKS[0],
        symbol_mm: float = SYMBOL_MM,
        second_reader: SecondReader = decode,
    ) -> None:
        """Take `numbers` of `deck` as this table's cards; every other word is foreign.

        `second_reader` is asked beside the known-deck decoder; where it reads nothing, that names
        cards alone."""
        self.numbers = frozenset(numbers)
        self.deck = deck
        self.symbol_mm = symbol_mm
        self.second_reader = second_reader
        self._kept: tuple[PlaneMapping, tuple[int, int], Rectification | None] | None = None

    def for_size(self, symbol_mm: float) -> Reader:
        """The same reader for codes printed `symbol_mm` large."""
        return Reader(self.numbers, self.deck, symbol_mm, self.second_reader)

    @property
    def busy(self) -> bool:
        """One look tells all (`CardReader.busy`)."""
        return False

    def know_backs(self, backs: object) -> None:
        """Backs carry a code of their own, so nothing is asked (`CardReader.know_backs`)."""

    def read_cards(
        self,
        image: np.ndarray,  # noqa: ARG002 (the plug has it: codes have no colour)
        grey: np.ndarray,
        plane: PlaneMapping | None = None,
        expected: Sequence[Expected] = (),
        region: Sequence[Box] | None = None,
        patient: bool = False,
    ) -> Reading:
        """`read_codes`, as the plug of the eye (`CardReader`); codes have no colour."""
        return self.read_codes(grey, plane, expected, region, patient)

    def read_codes(
        self,
        grey: np.ndarray,
        plane: PlaneMapping | None = None,
        expected: Sequence[Expected] = (),
        region: Sequence[Box] | None = None,
        patient: bool = False,
    ) -> Reading:
        """All cards and backs in `grey` ((H, W) uint8), and what does not count; a frame that is no
        picture gives nothing.

        `plane` says how large a code is where. `expected` are confirmed first, where they lay.
        `region` are boxes (left, top, right, bottom px) where new cards may have come; None is
        everywhere, () nowhere. Without a plane and with `patient` codes of every size are looked
        for, which takes about half a second, in 4K pictures too.
        """
        picture = checked_grey(grey)
        if picture is None or min(picture.shape) < SHORTEST_READ_PX:
            return Reading()
        pyramid = ImagePyramid(picture)
        known = self._confirm_expected(pyramid, expected)
        if region is not None and not len(region):
            return reader_consensus(known, [], self.deck, self.numbers)
        faint: list[Claim] = []
        if plane is not None:
            rectification = self.prepare_plane(plane, (picture.shape[1], picture.shape[0]))
            if rectification is not None:
                found, faint = _search_on_plane(pyramid, rectification, plane, region, known)
                known += found
            finest = rectification.finest if rectification is not None else 0.0
            zxing = zxing_reader.zxing_claims(pyramid, known, finest, region, self.second_reader)
        else:
            known += _search_without_plane(pyramid) if patient else []
            zxing = zxing_reader.zxing_claims(pyramid, known, None, None, self.second_reader)
        return with_faint_cards(
            reader_consensus(known, zxing, self.deck, self.numbers), faint, self.deck, self.numbers
        )

    def prepare_plane(self, plane: PlaneMapping, size: tuple[int, int]) -> Rectification | None:
        """Make the rectification of pictures of `size` (width, height); kept as long as the plane
        is the same object. None where codes would be too small everywhere."""
        if self._kept is None or self._kept[0] is not plane or self._kept[1] != size:
            rectification = rectification_of(plane, size, self.symbol_mm / MODULES)
            if rectification is not None:
                localise.common_templates(round(rectification.pitch, 3))
            self._kept = (plane, size, rectification)
        return self._kept[2]

    def _confirm_expected(self, pyramid: ImagePyramid, expected: Sequence[Expected]) -> list[Claim]:
        places = [
            (e.card, np.asarray(e.corners_px, float))
            for e in expected
            if e.card is None or e.card in self.numbers
        ]
        places = [
            (card, corners)
            for card, corners in places
            if corners.shape == (4, 2) and np.isfinite(corners).all()
        ]
        if not places:
            return []
        which = np.array([_word_index(card, self.deck) for card, _ in places])
        poses = poses_of_corners(np.array([corners for _, corners in places]))
        best = confirm_tracked(pyramid, poses, which)
        accepted = (best.word >= 0) & TRACKED.rows(best) & inside_picture(pyramid, best)
        return claims_of(best, accepted, "tracked")


def _word_index(card: int | None, deck: str) -> int:
    """The index of a card's word; the back's for no card."""
    return words().index(word_for(card, deck)) if card else 0


def _search_on_plane(
    pyramid: ImagePyramid,
    rectification: Rectification,
    plane: PlaneMapping,
    region: Sequence[Box] | None,
    before: list[Claim],
) -> tuple[list[Claim], list[Claim]]:
    """New cards and backs, then backs of former prints with their larger code, away from what is
    known already; and what is too faint to be named."""
    boxes_mm = boxes_on_table(plane, region)
    boxes = boxes_in_rectified(rectification, boxes_mm)
    part = rectification if boxes is None else cropped_to(rectification, boxes)
    if part is None:
        return [], []
    view = _RectifiedPicture(pyramid, part, part.rectify(pyramid), plane, boxes_mm)
    cards: list[Claim] = []
    taken_mm = _middles_mm(plane, before)
    for _ in range(MOST_SEARCHES):
        more, faint = _find_codes(view, taken_mm, localise.find_candidates, localise.CARD_SEARCH)
        cards += more
        taken_mm = np.concatenate([taken_mm, _middles_mm(plane, more)])
        if not more or len(cards) < MANY_FOUND:
            break
    saturated, faint_saturated = _find_codes(
        view, taken_mm, localise.find_saturated_candidates, localise.SATURATED_SEARCH
    )
    cards += saturated
    taken_mm = np.concatenate([taken_mm, _middles_mm(plane, saturated)])
    coarser, shrunk = for_larger_modules(part, view.rectified, FORMER_BACK_SYMBOL_MM / MODULES)
    view = _RectifiedPicture(pyramid, coarser, shrunk, plane, boxes_mm)
    backs, _ = _find_codes(view, taken_mm, localise.find_candidates, localise.BACK_SEARCH)
    found = cards + [c for c in backs if c.word and c.word.is_back]
    return found, faint + faint_saturated


def _middles_mm(plane: PlaneMapping, claims: Sequence[Claim]) -> np.ndarray:
    """Where these codes' middles lie on the table, (N, 2) mm."""
    if not claims:
        return np.zeros((0, 2))
    return np.asarray(plane.to_mm(np.array([claim.centre_px for claim in claims])))


def _find_codes(
    view: _RectifiedPicture,
    taken_mm: np.ndarray,
    find_candidates: FindCandidates,
    effort: localise.SearchEffort,
) -> tuple[list[Claim], list[Claim]]:
    """New codes of the size that the picture is rectified for, away from the middles `taken_mm`
    (N, 2) of those known already, and those too faint to be named."""
    pyramid, rectification, plane = view.pyramid, view.rectification, view.plane
    boxes = boxes_in_rectified(rectification, view.boxes_mm)
    candidates = find_candidates(rectification, view.rectified, boxes, taken_mm, effort)
    if not len(candidates.turns):
        return [], []
    poses = poses_on_table(rectification, candidates.points, candidates.turns, plane)
    best = name_codes(pyramid, poses, FOUND_SPREAD)
    unnamed = (candidates.scores >= CLEAR_CODE_SCORE) & (best.lead < FAINT.lead)
    rows = np.flatnonzero(unnamed)[:MOST_TRIED_AGAIN]
    name_at_other_sizes(pyramid, poses, FOUND_SPREAD, best, rows)
    bend, stray = square_misfit(
        rectification, plane, corners_of_poses(best.poses), candidates.points
    )
    fits = inside_picture(pyramid, best) & square_enough(best, bend, stray)
    found = named(best, FOUND) & fits
    faint = named(best, FAINT) & fits & ~found
    return claims_of(best, found, "known"), claims_of(best, faint, "known")


def _search_without_plane(pyramid: ImagePyramid) -> list[Claim]:
    """Codes found without knowing how large they are, by trying plane hypotheses until there are
    plenty."""
    claims: list[Claim] = []
    height, width = pyramid.level(0).shape
    for plane in plane_hypotheses((width, height)):
        rectification = rectification_of(plane, (width, height), 1.0)
        if rectification is not None:
            candidates = localise.find_candidates(rectification, rectification.rectify(pyramid))
            if not len(candidates.turns):
                continue
            poses = poses_on_table(rectification, candidates.points, candidates.turns, plane)
            best = name_codes(pyramid, poses, LOOSE_SPREAD)
            accepted = named(best, FOUND_WITHOUT_PLANE) & inside_picture(pyramid, best)
            claims += claims_of(best, accepted, "known")
        if len({claim.payload for claim in claims}) >= ENOUGH_WITHOUT_PLANE:
            break
    return sorted(claims, key=lambda claim: -claim.score)

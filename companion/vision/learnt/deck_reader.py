"""Reads the cards of a learnt deck by their pictures: the same plug as the reader of codes.

Finds discs of the cards' size on the known plane where something changed, names those it is sure of,
and gives the others stand-in numbers: a card lies there, nobody knows which. Knows no time: frames
are counted, and what was there a moment ago is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, hypot, radians, sin

import cv2
import numpy as np

from card_printables.marker import MarkerPlace
from companion.table.sighting import FIRST_STAND_IN, Point
from companion.vision.codes.detection import Box, Corners, Detection, Expected, Reading
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.learnt.deck import LearntDeck
from companion.vision.learnt.field_match import FieldPose
from companion.vision.learnt.patches import cut_patch
from companion.vision.learnt.recognise import (
    CardFound,
    PlaceView,
    Recogniser,
    each_card_once,
)
from companion.vision.learnt.stand_ins import StandIns
from companion.vision.locate import locate
from companion.vision.places import backs
from companion.vision.places.backs import Back
from companion.vision.places.card_finder import find_cards
from companion.vision.places.disc_finder import MOST_FAINT_SHARE, BareLook, FoundDisc

SAME_DISC_MM = 25.0
"""A disc found so near to a card that lies there is that card."""

SAME_PLACE_MM = 8.0
"""A disc found so near to where one was found before is the same, and lies still."""

TOKEN_RIM_MM = 65.0
"""A corner token shows much of a rim itself."""

PUT_TOGETHER = 4
"""So many views of a place are put together."""

LAST_TRY = 24
"""After so many frames a disc that has no name is asked about only when the whole table is, and looks
otherwise than when it was asked about last."""

AS_BEFORE_GREY = 2.5
AS_BEFORE_SOFT_PX = 2.0
"""A place whose softened pixels are off by so few grey levels on average looks as before."""

UNNAMED_AFTER = 8
"""A disc that lies still and has no name after so many frames is a card without a name."""

MISSED = 3
"""A disc not found in so many searches is gone."""

TURNED_OVER_MM = 40.0
"""A disc without a name so near to where a known card lay may be that card, face down."""

CLEAR_SHARE = 0.85
"""A card that lies flat has its middle so much of its width away from that of any other."""

LEAST_RIM = 0.6
"""A card without a name showed so much of its rim once (cards 0.86 and more, under a hand 0.6; a gap between
two cards, or a hand that points, 0.47)."""

BESIDE_MM = 12.0
"""So much more than a disc is searched round what moved."""


@dataclass(slots=True)
class _Unnamed:
    """A disc without a name: where, how much of its rim showed at best, its views, and in how many
    searches it was not found. `furniture`: it lay there before anything was dealt."""

    centre_mm: Point
    furniture: bool
    rim: float
    turn_deg: float = 0.0
    views: list[PlaceView] = field(default_factory=list)
    tried: int = 0
    missed: int = 0


@dataclass(slots=True)
class _BareTable:
    """What is known of the table without cards: whether it was ever `searched` whole, and the newest
    whole `look` at it while no card lay there."""

    searched: bool = False
    look: BareLook | None = None


class DeckReader:
    """Reads the cards of one learnt deck; hand it every picture, oldest first."""

    def __init__(self, deck: LearntDeck, symbol_mm: float, known: Recogniser | None = None) -> None:
        """`known`: what was made ready of this deck before."""
        self.deck_learnt = deck
        self.deck = deck.name
        self.numbers = frozenset(deck.numbers)
        self.symbol_mm = symbol_mm
        self._place = MarkerPlace(deck.disc_mm, symbol_mm)
        self._known = known or Recogniser(deck)
        self._bare = _BareTable()
        self._lying: dict[int, Detection] = {}
        self._unnamed: list[_Unnamed] = []
        self._stand_ins = StandIns(deck.outline)
        self._lay_at_mm: list[Point] = []
        self._backs: Callable[[], Sequence[Back]] = tuple

    @property
    def busy(self) -> bool:
        """True while a disc may still get a name, or count as a card without one."""
        return any(place.tried < UNNAMED_AFTER + 2 for place in self._unnamed)

    def for_size(self, symbol_mm: float) -> DeckReader:
        """A reader of the same deck that knows nothing of this table."""
        return DeckReader(self.deck_learnt, symbol_mm, self._known)

    def know_backs(self, backs: Callable[[], Sequence[Back]]) -> None:
        """Ask `backs` which backs are known: such a disc is no card without a name."""
        self._backs = backs

    def read_cards(
        self,
        image: np.ndarray,
        grey: np.ndarray,  # noqa: ARG002 (the plug has it: pictures have colour)
        plane: PicturePlane | None = None,
        expected: Sequence[Expected] = (),
        region: Sequence[Box] | None = None,
        patient: bool = False,  # noqa: ARG002 (the plug has it: without a plane nothing is read)
    ) -> Reading:
        """All cards in `image` (H, W, 3) uint8 BGR; without a plane none. Parameters as for the
        reader of codes."""
        if plane is None or image.ndim != 3 or image.shape[2] != 3:
            return Reading()
        found = self._confirm(image, plane, expected, region)
        if region is None or len(region) or self._unnamed:
            found |= self._search(image, plane, found, region)
        if region is None and not found and all(place.furniture for place in self._unnamed):
            self._bare.look = BareLook(image.copy(), plane)
        self._name_later(image, plane, found, region)
        self._lying = found
        return Reading(tuple(found.values()), names=tuple(self._stand_ins.names.items()))

    # --- cards that lay there

    def _confirm(
        self,
        image: np.ndarray,
        plane: PicturePlane,
        expected: Sequence[Expected],
        region: Sequence[Box] | None,
    ) -> dict[int, Detection]:
        """Those that still lie where they lay; where nothing moved they do."""
        found = {}
        self._lay_at_mm = []
        for lay in expected:
            card = lay.card
            known = self._recogniser_of(card)
            if card is None or known is None:
                continue
            before = self._lying.get(card)
            if before is not None and region is not None and not _touched(before, region):
                found[card] = before
                continue
            at = locate(Detection(card, None, False, lay.corners_px, 1.0, ""), plane, self._place)
            self._lay_at_mm.append(at.centre_mm)
            view = self._view(image, plane, at.centre_mm)
            row = card if card < FIRST_STAND_IN else 1
            pose = known.still_lies(view, row, FieldPose(0.0, 0.0, at.heading_deg))
            if pose is not None:
                found[card] = self._detection(card, at.centre_mm, pose, 0.9, plane)
        return found

    def _recogniser_of(self, card: int | None) -> Recogniser | None:
        if card is None:
            return None
        return self._known if card in self.numbers else self._stand_ins.recogniser_of(card)

    # --- cards that came

    def _search(
        self,
        image: np.ndarray,
        plane: PicturePlane,
        lying: dict[int, Detection],
        region: Sequence[Box] | None,
    ) -> dict[int, Detection]:
        centres = [locate(d, plane, self._place).centre_mm for d in lying.values()]
        discs = self._discs(image, plane, region)
        self._follow_discs(discs, centres, plane, region is None)
        seen: dict[int, CardFound] = {}
        unchanged: list[int] = []
        for at, place in enumerate(self._unnamed):
            place.tried += 1
            if not _is_due(place.tried) and region is not None:
                continue
            found_now = not _away(place.centre_mm, [d.centre_mm for d in discs], SAME_PLACE_MM)
            if not found_now and not self._still_shows(image, plane, place):
                place.missed += 1
                continue
            place.missed = 0
            patch, inside = cut_patch(image, plane, place.centre_mm, self._known.reach_mm)
            if place.tried > LAST_TRY and _looks_as_before(patch, place.views):
                unchanged.append(at)
                continue
            place.views = [*place.views, self._known.view(patch, inside)][-PUT_TOGETHER:]
            seen[at] = self._recognised(place.views)
        found: dict[int, Detection] = {}
        named = {at: card for at, card in each_card_once(seen).items() if card.card not in lying}
        for at, card in named.items():
            place = self._unnamed[at]
            number, pose = self._number_for(card, place, {**lying, **found})
            if number is None:
                continue
            found[number] = self._detection(
                number, place.centre_mm, pose, min(1.0, card.evidence), plane
            )
        for at in (*seen, *unchanged):
            if at not in named:
                found |= self._without_name(image, plane, self._unnamed[at], {**lying, **found})
        gone = [locate(d, plane, self._place).centre_mm for d in found.values()]
        self._unnamed = [
            p for p in self._unnamed if p.missed < MISSED and _away(p.centre_mm, gone, SAME_DISC_MM)
        ]
        return found

    def _number_for(
        self, card: CardFound, place: _Unnamed, taken: Mapping[int, Detection]
    ) -> tuple[int | None, FieldPose]:
        """The number that this card goes by tonight: its own, or the stand-in's that it was met with
        first; None where that one lies elsewhere."""
        like = self._stand_ins.find_like(place.views[-1], taken)
        if like is not None:
            self._stand_ins.learn_name(like[0], card.card)
            return like
        number = self._stand_ins.number_of(card.card)
        if number is None:
            return card.card, card.pose
        return (None if number in taken else number), card.pose

    def _recognised(self, views: Sequence[PlaceView]) -> CardFound:
        """What the newest view says, or where it is not sure all of them together."""
        found = self._known.recognise(views[-1])
        if found.sure or len(views) < 2:
            return found
        return self._known.recognise(self._known.merged_views(views))

    def _discs(
        self, image: np.ndarray, plane: PicturePlane, region: Sequence[Box] | None
    ) -> list[FoundDisc]:
        outline = self.deck_learnt.outline
        if region is None:
            return find_cards(image, plane, outline, None, self._bare.look)
        if not len(region):
            return []
        corners = [(x, y) for x0, y0, x1, y1 in region for x in (x0, x1) for y in (y0, y1)]
        mm = np.asarray(plane.to_mm(np.array(corners, float)), float)
        mm = mm[np.isfinite(mm).all(1)]
        if not len(mm):
            return []
        reach = 2 * outline.reach_mm + BESIDE_MM
        low, high = mm.min(0) - reach, mm.max(0) + reach
        if (high - low).max() > 1500:
            return find_cards(image, plane, outline, None, self._bare.look)
        within = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        return find_cards(image, plane, outline, within, self._bare.look)

    def _still_shows(self, image: np.ndarray, plane: PicturePlane, place: _Unnamed) -> bool:
        """Whether a disc's rim shows there now: what moved by may have looked like one."""
        outline = self.deck_learnt.outline
        reach = outline.reach_mm + BESIDE_MM
        (x, y), moved = place.centre_mm, SAME_PLACE_MM
        within = (x - reach, y - reach, x + reach, y + reach)
        found = find_cards(image, plane, outline, within, self._bare.look)
        return any(_apart(disc.centre_mm, (x, y)) < moved for disc in found)

    def _follow_discs(
        self,
        discs: Sequence[FoundDisc],
        taken_mm: Sequence[Point],
        plane: PicturePlane,
        everywhere: bool,
    ) -> None:
        """Discs that lie on are the same places; new ones begin."""
        tokens = list(getattr(plane, "tokens_mm", {}).values())
        discs = [
            d
            for d in discs
            if _away(d.centre_mm, taken_mm, SAME_DISC_MM)
            and _away(d.centre_mm, tokens, TOKEN_RIM_MM)
        ]
        kept = []
        for place in self._unnamed:
            if not _away(place.centre_mm, taken_mm, SAME_DISC_MM):
                continue
            here = [d for d in discs if _apart(d.centre_mm, place.centre_mm) < SAME_PLACE_MM]
            if any(d.rim > MOST_FAINT_SHARE >= place.rim for d in here):
                continue  # a clear rim tells better where it lies: it begins anew
            place.rim = max([place.rim, *(d.rim for d in here)])
            discs = [d for d in discs if d not in here]
            kept.append(place)
        furniture = not self._bare.searched
        self._bare.searched = self._bare.searched or everywhere
        kept += [_Unnamed(d.centre_mm, furniture, d.rim, d.turn_deg) for d in discs]
        self._unnamed = kept

    # --- cards without a name

    def _without_name(
        self,
        image: np.ndarray,
        plane: PicturePlane,
        place: _Unnamed,
        lying: dict[int, Detection],
    ) -> dict[int, Detection]:
        """A stand-in for the card that lies here, once it has lain long enough."""
        if place.furniture or not self._may_be_dealt(plane, place.centre_mm):
            return {}
        if len(place.views) < 2 or not _same_picture(place.views[-2:]):
            return {}
        like = self._stand_ins.find_like(place.views[-1], lying)
        if like is not None:
            return {like[0]: self._detection(like[0], place.centre_mm, like[1], 0.5, plane)}
        if place.tried < UNNAMED_AFTER or self._shows_back(image, plane, place):
            return {}
        if self._bare.look is None and not self.deck_learnt.outline.round:
            return {}  # two planks and a card's side make a rectangle
        if place.rim < LEAST_RIM or self._lies_over_others(place, lying, plane):
            return {}
        if self._was_there(place):
            place.furniture = True
            return {}
        number = self._stand_ins.give_number(image, plane, place.centre_mm, place.turn_deg)
        upright = FieldPose(0.0, 0.0, place.turn_deg)
        return {number: self._detection(number, place.centre_mm, upright, 0.5, plane)}

    def _name_later(
        self,
        image: np.ndarray,
        plane: PicturePlane,
        found: Mapping[int, Detection],
        region: Sequence[Box] | None,
    ) -> None:
        """Ask again which card it is that lies there without a name: where something moved beside it,
        and now and then, the longer it lies the less often. It keeps its number; only its name is
        learnt."""
        self._stand_ins.forget_taken_up(found)
        for number, card in found.items():
            if not self._stand_ins.wants_name(number):
                continue
            asked = self._stand_ins.asked_of(number)
            asked.seen += 1
            moved = region is None or _touched(card, region)
            if not moved and asked.seen & (asked.seen - 1):
                continue
            centre = locate(card, plane, self._place).centre_mm
            asked.views = [*asked.views, self._view(image, plane, centre)][-PUT_TOGETHER:]
            said = self._recognised(asked.views)
            if said.sure and said.card not in found:
                self._stand_ins.learn_name(number, said.card)

    def _was_there(self, place: _Unnamed) -> bool:
        """Whether the bare table looked the same here: a printed ring, a knot in the wood, a coaster
        whose rim was not found before."""
        bare = self._bare.look
        if bare is None:
            return False
        before = self._view(bare.image_bgr, bare.plane, place.centre_mm)
        return _same_picture([before, place.views[-1]])

    def _lies_over_others(
        self, place: _Unnamed, lying: Mapping[int, Detection], plane: PicturePlane
    ) -> bool:
        """Whether a card here would lie over one that was read."""
        outline = self.deck_learnt.outline
        apart = CLEAR_SHARE * min(outline.width_mm, outline.height_mm)
        centres = (locate(card, plane, self._place).centre_mm for card in lying.values())
        return not _away(place.centre_mm, centres, apart)

    def _may_be_dealt(self, plane: PicturePlane, centre_mm: Point) -> bool:
        """Whether a card that nobody knows may lie here: in the middle, not in the tray, and not where
        a known card lay until now, which may have been turned over."""
        if not _away(centre_mm, self._lay_at_mm, TURNED_OVER_MM):
            return False
        middle, tray = (getattr(plane, name, None) for name in ("middle_mm", "tray_mm"))
        return (middle is None or _within(centre_mm, middle)) and not (
            tray is not None and _within(centre_mm, tray)
        )

    def _shows_back(self, image: np.ndarray, plane: PicturePlane, place: _Unnamed) -> bool:
        picture, shrink = backs.softened_for_places(image, plane)
        colours = backs.polar_colours(
            picture, shrink, plane, place.centre_mm, self.deck_learnt.outline.radius_mm
        )
        return any(backs.is_back(back, colours) for back in self._backs())

    # --- the picture

    def _view(self, image: np.ndarray, plane: PicturePlane, centre_mm: Point) -> PlaceView:
        return self._known.view(*cut_patch(image, plane, centre_mm, self._known.reach_mm))

    def _detection(
        self, card: int, centre_mm: Point, pose: FieldPose, score: float, plane: PicturePlane
    ) -> Detection:
        """The card as the reader of codes would tell it: by the corners of a code at its place."""
        c, s = cos(radians(pose.turn_deg)), sin(radians(pose.turn_deg))
        x0, y0 = centre_mm[0] + pose.x_mm, centre_mm[1] + pose.y_mm
        mm = [(x0 + x * c - y * s, y0 + x * s + y * c) for x, y in self._place.corners_mm]
        px = np.asarray(plane.to_px(np.array(mm)), float)
        corners: Corners = tuple((float(x), float(y)) for x, y in px)  # type: ignore[assignment]
        return Detection(card, self.deck, False, corners, score, "picture")


def _is_due(tried: int) -> bool:
    """Asked at once, and then less and less often."""
    return tried <= UNNAMED_AFTER or (tried <= LAST_TRY and tried % 4 == 0)


def _looks_as_before(patch: np.ndarray, views: Sequence[PlaceView]) -> bool:
    """Whether a place (n, n, 3) uint8 shows what its newest view showed, in the same light."""
    if not views:
        return False
    now, before = (
        cv2.GaussianBlur(bgr, (0, 0), AS_BEFORE_SOFT_PX) for bgr in (patch, views[-1].bgr)
    )
    return float(cv2.absdiff(now, before).mean()) < AS_BEFORE_GREY


def _same_picture(views: Sequence[PlaceView]) -> bool:
    """Whether two views show the same thing lying still."""
    one, other = views
    both = one.field.sure * other.field.sure
    agree = ((one.field.steps * other.field.steps).sum(-1) * both).sum()
    size = [((v.field.steps**2).sum(-1) * both).sum() for v in views]
    return bool(agree > 0.6 * np.sqrt(size[0] * size[1]))


def _touched(lay: Detection, region: Iterable[Box]) -> bool:
    """Whether something moved where this card lies, or beside it."""
    corners = np.array(lay.corners_px)
    side = float(np.abs(corners - corners.mean(0)).max())
    # The code's place is near the rim: the card reaches some of its sides farther.
    low, high = corners.min(0) - 9 * side, corners.max(0) + 9 * side
    return any(
        x0 < high[0] and x1 > low[0] and y0 < high[1] and y1 > low[1] for x0, y0, x1, y1 in region
    )


def _within(point: Point, polygon: Sequence[Point]) -> bool:
    return cv2.pointPolygonTest(np.array(polygon, np.float32), point, False) >= 0


def _apart(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _away(point: Point, others: Iterable[Point], reach_mm: float) -> bool:
    return all(_apart(point, other) > reach_mm for other in others)

"""Learning a deck: cards laid out face up, a few at a time, become a `LearntDeck`.

Knows pictures, the plane and the deck so far. Must not know files, screens or time: a lay counts when
two pictures in a row show it alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import hypot

import cv2
import numpy as np

from companion.table.sighting import Point
from companion.vision.card_outline import CardOutline
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.learnt.came_and_went import (
    CameAndWent,
    ToldByChange,
    TwoLooks,
    cards_laid,
    laid_since,
    others_laid,
)
from companion.vision.learnt.deck import (
    LARGEST_MM,
    LOOK_RIM_MM,
    LOOK_STEP_MM,
    MOST_CARDS,
    MOST_LOOKS,
    SMALLEST_MM,
    LearntCard,
    LearntDeck,
    is_card_size,
    look_size,
)
from companion.vision.learnt.patches import cut_patch, turned_patch
from companion.vision.learnt.recognise import CardFound, PlaceView, Recogniser, view_of_patch
from companion.vision.learnt.roundness import disc_across_mm, lie_round
from companion.vision.learnt.straight_sides import measure_rectangle
from companion.vision.places.card_finder import find_cards
from companion.vision.places.disc_finder import BareLook, FoundDisc


@dataclass(frozen=True, slots=True)
class LessonRule:
    """When a card is new, known or too like another; chosen on pictures that are not the
    benchmark's."""

    still_mm: float = 4.0
    """Discs that lie so near to where they lay in the picture before lie still."""
    least_rim: float = 0.6
    """A disc whose rim shows less is asked to be moved."""
    least_edge: float = 0.65
    """A rectangle whose edge shows less is asked to be moved,"""
    least_edge_seen: float = 0.55
    """and what shows less than this lies between two cards perhaps: nothing is said of it."""
    over_share: float = 0.05
    """What lies over a clearer rectangle with so much of it is none: cards lie apart."""
    burnt_share: float = 0.06
    """So much of a card may be burnt out by a lamp."""
    again_evidence: float = 1.3
    """Evidence by which it surely is a card that was learnt before (twins had 1.27 at most),"""
    again_less: float = 0.5
    again_keypoints: int = 5
    again_stray_mm: float = 1.0
    """or so much, with so many keypoints that lie where they must: a twin's lie 1.2 mm off and more."""
    new_evidence: float = 0.45
    new_keypoints: int = 4
    """Below both it is a new one (of 40 cards a deck others had 0.38 at most with clouds, 0.21 with dark
    pictures, 0.47 with photographs, 0.99 with hardly any texture),"""
    new_less: float = 0.30
    new_keypoints_less: int = 10
    """or below these: in a small deck keypoints say little. Between new and known a person is asked."""
    again_fit: float = -0.5
    again_lead: float = 0.6
    """Cards of one deck may share a frame, a panel or a sign, which is evidence for all of them: a card that
    was learnt before is explained by its tones, too, or leads so far over the second likeliest. (Of 960
    cards, most of them with such, in good light: others led by 0.57 at most; by their evidence alone 23 were
    taken for another card.)"""
    beside_fit: float = -0.7
    """Of two cards of one lay, in one light, the tones of which fit each other less are never the same."""
    shared_evidence: float = 0.9
    shared_lead: float = 0.15
    shared_fit: float = -0.6
    """Where no more evidence than this speaks for several cards nearly alike, and the likeliest one's tones
    do not explain what lies there, it is for what they share, and the card is new. (Of the same 960 cards
    laid again none was taken for new.)"""
    least_backs: int = 3
    """So many that look the same in one lay, and like no card before, lie face down: no deck has three of
    one card."""
    another_place_mm: float = 50.0
    """A second look at a card is taken so far from the first: the lamp's gloss lies elsewhere."""
    token_mm: float = 65.0
    tray_mm: float = 15.0
    """What lies so near to a token's middle, or to the tray's sheet, is taken for a part of it,"""
    tray_edge_mm: float = 65.0
    """and so near to the sheet what shows less of a rim than a card (`least_edge`): it has the sheet's."""
    same_sides: float = 0.08
    """Sides that differ by no more than such a share are measured differently, not another card's."""


LESSON_RULE = LessonRule()

UNKNOWN = CardOutline.disc(0.0)
"""Before the first lay."""

SECOND_KNOWN = 0
"""No card's number: whichever known card is the second likeliest."""


class SaysCard(StrEnum):
    """What the lesson says of one disc that lies there."""

    NEW = "new"
    """It has just been learnt."""
    KNOWN = "known"
    """It was learnt before; a look from here was taken if it helps."""
    ALIKE = "alike"
    """Much like a card that was learnt before: the same one again, or its twin? A person says."""
    GLARE = "glare"
    """A lamp shines on it: not learnt."""
    UNCLEAR = "unclear"
    """Its edge does not show: not learnt."""
    FULL = "full"
    """The deck has as many cards as one may: not learnt."""
    DOUBLE = "double"
    """Two that lie here look the same: face down, or a card there are two of."""
    STRAIGHT = "straight"
    """Its edges are neither a disc's nor those of the rectangles that are learnt."""
    OTHER = "other"
    """It has not the shape and size of the deck's cards, or touches another: not learnt."""
    LEFT_OUT = "left_out"
    """A person said that it is no card: not learnt until it was away and is laid anew."""


@dataclass(frozen=True, slots=True)
class LaidCard:
    """One card of a lay: where it lies, what is said of it, of which number, and how a rectangle is
    turned."""

    centre_mm: Point
    says: SaysCard
    number: int | None = None
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Lay:
    """What one picture shows: `counted` is True once it lies still and has been learnt."""

    cards: tuple[LaidCard, ...] = ()
    counted: bool = False

    def numbers(self, says: SaysCard) -> tuple[int, ...]:
        """The numbers of which this is said."""
        return tuple(c.number for c in self.cards if c.says is says and c.number is not None)


class DeckLesson:
    """One deck being learnt; hand it every picture."""

    def __init__(self, deck: LearntDeck | None = None, name: str = "deck") -> None:
        """Begin, or go on with `deck`."""
        self.deck = deck or LearntDeck(name, UNKNOWN)
        self._known: Recogniser | None = None
        self._before: list[FoundDisc] = []
        self._lay = Lay()
        self._looked_from: dict[int, list[Point]] = {}
        self._left_out: list[tuple[Point, Recogniser]] = []
        """Where things lie that a person said are no cards, and how they look."""
        self._changes = CameAndWent()
        self._bare: BareLook | None = None
        """The table without cards, once it is known."""
        self._guessed = False
        """Whether the cards' size was told by edges alone."""

    def observe_picture(self, image: np.ndarray, plane: PicturePlane) -> Lay:
        """Learn what lies in this picture (H, W, 3) uint8 BGR once it lies still."""
        settled = self._changes.observe_picture(image, plane)
        told = self._changes.told() if settled and self._bare is None else None
        measured = told is not None and self._takes_size(told)
        if self.deck.outline is UNKNOWN:
            if not settled:
                return self._lay
            outline, laid = measure_outline(image, plane)
            if outline is None:
                self._lay = _other_shape(laid)
                return self._lay
            self.deck, self._lay = replace(self.deck, outline=outline), Lay()
            measured = self._guessed = True
        discs, others = self._laid(image, plane)
        still = measured or _same_lay([*discs, *others], self._before)
        if still:
            self._left_out = [
                (at, look)
                for at, look in self._left_out
                if any(self._is_here(d.centre_mm, at) for d in discs)
            ]
        if still and not discs and not self.deck.cards and self._guessed:
            self.deck = replace(self.deck, outline=UNKNOWN)  # the first size was none of a card's
        if still and self._lay.counted:
            return self._lay
        self._before = [*discs, *others]
        self._lay = self._learn(image, plane, discs) if still and discs else Lay()
        if still and others:
            odd = tuple(LaidCard(other.centre_mm, SaysCard.OTHER) for other in others)
            self._lay = Lay((*self._lay.cards, *odd), counted=True)
        return self._lay

    def _laid(
        self, image: np.ndarray, plane: PicturePlane
    ) -> tuple[list[FoundDisc], list[FoundDisc]]:
        """The cards that lie there: by their edges, and by what is not as on the bare table; and what
        lies there with another shape."""
        outline = self.deck.outline
        found = _cards(image, plane, outline, self._bare)
        if self._bare is None:
            return found, []
        seen = TwoLooks.of(self._bare, BareLook(image, plane))
        if outline.round:  # of rectangles only what is not as it was is found
            found = laid_since(seen, outline, found)
        clear = [card for card in found if card.rim >= LESSON_RULE.least_edge]
        more = [
            card
            for card in _off_pieces(cards_laid(seen, outline), plane)
            if all(_apart(card.centre_mm, one.centre_mm) > outline.radius_mm for one in clear)
        ]
        unclear = [
            card
            for card in found
            if card.rim < LESSON_RULE.least_edge
            and all(_apart(card.centre_mm, one.centre_mm) > outline.radius_mm for one in more)
        ]
        others = [
            other
            for other in _off_pieces(others_laid(seen, outline), plane)
            if all(
                _apart(other.centre_mm, one.centre_mm) > outline.radius_mm
                for one in (*clear, *more)
            )
        ]
        unclear = [
            card
            for card in unclear
            if all(_apart(card.centre_mm, one.centre_mm) > outline.radius_mm for one in others)
        ]
        return [*clear, *more, *unclear], others

    def _takes_size(self, told: ToldByChange) -> bool:
        """What came or went tells the cards' outline, if nothing did, or a guess that it was not; cards
        that were learnt by quite another size were pieces of cards. True where another lay begins with
        it."""
        near = self.deck.outline.is_near(told.outline, LESSON_RULE.same_sides)
        if near:
            self._bare = told.bare
        if self.deck.outline is not UNKNOWN and not self._guessed:
            return False
        cards = tuple(_cut_anew(card, told.outline) for card in self.deck.cards) if near else ()
        self.deck = replace(self.deck, outline=told.outline, cards=cards)
        self._guessed, self._bare, self._known = False, told.bare, None
        if near:
            return False
        self._looked_from, self._left_out = {}, []
        self._lay, self._before = Lay(), []
        return True

    def answer_alike(self, image: np.ndarray, plane: PicturePlane, at: Point, new: bool) -> None:
        """A person says whether the card there, much like another, is a `new` one or that one."""
        said = next((c for c in self._lay.cards if c.centre_mm == at), None)
        if said is None or said.says is not SaysCard.ALIKE or said.number is None:
            return
        number = len(self.deck.cards) + 1 if new else said.number
        if number > MOST_CARDS:
            self._answered(said, replace(said, says=SaysCard.FULL, number=None))
            return
        heading = said.turn_deg if new else self._heading(image, plane, at, number)
        self._take(image, plane, at, heading, number)
        says = SaysCard.NEW if new else SaysCard.KNOWN
        self._answered(said, replace(said, says=says, number=number))
        self._known = None

    def _answered(self, asked: LaidCard, answer: LaidCard) -> None:
        cards = tuple(answer if card is asked else card for card in self._lay.cards)
        self._lay = replace(self._lay, cards=cards)

    def drop_card(self, number: int) -> None:
        """Forget a card that is none; the numbers after it move up. What lies there stays left out
        until it is taken away."""
        if self._lay.counted:
            taken = (SaysCard.NEW, SaysCard.KNOWN, SaysCard.DOUBLE)
            laid = [c.centre_mm for c in self._lay.cards if c.number == number and c.says in taken]
        else:
            laid = self._looked_from.get(number, [])[-1:]
        look = Recogniser(replace(self.deck, cards=(self.deck.cards[number - 1],)))
        self._left_out += [(at, look) for at in laid]
        self.deck = self.deck.without(number)
        self._looked_from = _moved_up(self._looked_from, number)
        self._known = None
        self._lay = Lay()
        self._before = []

    def go_back(self, deck: LearntDeck) -> None:
        """Forget what was learnt since the deck was this one; what lies there is counted anew."""
        same_size = deck if deck.cards else replace(self.deck, cards=())
        self.deck, self._known = same_size, None
        self._looked_from = {}
        self._lay, self._before = Lay(), []

    @property
    def lay(self) -> Lay:
        """What the newest picture showed, with what people said of it since."""
        return self._lay

    @property
    def recogniser(self) -> Recogniser | None:
        """Of the cards learnt so far; None before the first."""
        if self._known is None and self.deck.cards:
            self._known = Recogniser(self.deck)
        return self._known

    def _learn(self, image: np.ndarray, plane: PicturePlane, discs: Sequence[FoundDisc]) -> Lay:
        outline = self.deck.outline
        if outline.round and not _are_round(image, plane, discs, outline.width_mm):
            return replace(_straight(discs), counted=True)
        known = self.recogniser
        said: list[LaidCard] = []
        here: dict[int, Recogniser] = {}
        for disc in discs:
            card = self._judge(image, plane, disc, known, here)
            said.append(replace(card, turn_deg=disc.turn_deg))
        said = self._without_backs(said)
        numbers = [c.number for c in said]
        said = [
            replace(c, says=SaysCard.DOUBLE)
            if c.says is SaysCard.KNOWN and numbers.count(c.number) > 1
            else c
            for c in said
        ]
        if any(c.says in (SaysCard.NEW, SaysCard.KNOWN) for c in said):
            self._known = None
        return Lay(tuple(said), counted=True)

    def _without_backs(self, said: list[LaidCard]) -> list[LaidCard]:
        """A card that was new in this lay and lies there many times is a back: it is taken out again."""
        alike = Counter(c.number for c in said if c.says is SaysCard.DOUBLE)
        new = sorted((c.number for c in said if c.says is SaysCard.NEW and c.number), reverse=True)
        for number in new:
            if 1 + alike[number] < LESSON_RULE.least_backs:
                continue
            self.deck = self.deck.without(number)
            self._looked_from = _moved_up(self._looked_from, number)
            said = [
                replace(c, says=SaysCard.DOUBLE, number=None)
                if c.number == number
                else replace(c, number=c.number - 1)
                if c.number is not None and c.number > number
                else c
                for c in said
            ]
        return said

    def _judge(
        self,
        image: np.ndarray,
        plane: PicturePlane,
        disc: FoundDisc,
        known: Recogniser | None,
        here: dict[int, Recogniser],
    ) -> LaidCard:
        """Learn one disc; `here` are those that are new in this lay."""
        rule, at = LESSON_RULE, disc.centre_mm
        if disc.rim < (rule.least_rim if self.deck.outline.round else rule.least_edge):
            return LaidCard(at, SaysCard.UNCLEAR)
        view = view_of_patch(
            self.deck.outline, *cut_patch(image, plane, at, self.deck.outline.reach_mm)
        )
        burnt = 1 - view.field.sure[self._on_card(len(view.field.sure), disc.turn_deg)].mean()
        if burnt > rule.burnt_share:
            return LaidCard(at, SaysCard.GLARE)
        like = _likeliest(view, known, here)
        if like is not None and like.is_again:
            if like.number in here:
                return LaidCard(at, SaysCard.DOUBLE, like.number)
            self._second_look(image, plane, at, like.found)
            return LaidCard(at, SaysCard.KNOWN, like.number)
        for there, dropped in self._left_out:  # another card may have been laid there meanwhile
            if self._is_here(at, there):
                left_out = _likeliest(view, dropped, {})
                if left_out is not None and not left_out.is_new:
                    return LaidCard(at, SaysCard.LEFT_OUT)
        if like is not None and not like.is_new:
            return LaidCard(at, SaysCard.ALIKE, like.number)
        number = len(self.deck.cards) + 1
        if number > MOST_CARDS:
            return LaidCard(at, SaysCard.FULL)
        self._take(image, plane, at, disc.turn_deg, number)
        look = self.deck.cards[-1].looks
        here[number] = Recogniser(replace(self.deck, cards=(LearntCard(look),)))
        return LaidCard(at, SaysCard.NEW, number)

    def _is_here(self, disc: Point, there: Point) -> bool:
        """Whether a disc is what lay `there`, pushed a little perhaps: it covers its middle."""
        return _apart(disc, there) < self.deck.outline.radius_mm

    def _on_card(self, size: int, turn_deg: float) -> np.ndarray:
        """The pixels of a patch so large that lie on the card in its middle, (n, n) bool."""
        middle, turn = size // 2, np.radians(turn_deg)
        y, x = np.mgrid[-middle : middle + 1, -middle : middle + 1] * LOOK_STEP_MM
        across, along = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
        return np.asarray(self.deck.outline.edge_mm(across, along) > 2 * LOOK_STEP_MM)

    def _second_look(
        self, image: np.ndarray, plane: PicturePlane, at: Point, found: CardFound
    ) -> None:
        """One more look at a known card, from another place than those before."""
        number = found.card
        before = self._looked_from.get(number, [])
        near = any(_apart(at, there) < LESSON_RULE.another_place_mm for there in before)
        if near or len(self.deck.cards[number - 1].looks) >= MOST_LOOKS:
            return
        centre = (at[0] + found.pose.x_mm, at[1] + found.pose.y_mm)
        self._take(image, plane, centre, found.pose.turn_deg, number)

    def _heading(self, image: np.ndarray, plane: PicturePlane, at: Point, number: int) -> float:
        known = Recogniser(replace(self.deck, cards=(self.deck.cards[number - 1],)))
        return known.recognise(
            known.view(*cut_patch(image, plane, at, known.reach_mm))
        ).pose.turn_deg

    def _take(
        self, image: np.ndarray, plane: PicturePlane, at: Point, heading: float, number: int
    ) -> None:
        outline = self.deck.outline
        look, _ = turned_patch(image, plane, at, heading, look_size(outline))
        self.deck = self.deck.with_look(number, _edge_filled(look, outline))
        self._looked_from.setdefault(number, []).append(at)


def measure_disc_mm(image: np.ndarray, plane: PicturePlane) -> float | None:
    """How large the discs are that lie here, all of one size; None where there are none."""
    best: tuple[float, float] | None = None
    for steps in (np.arange(SMALLEST_MM, LARGEST_MM + 1, 4.0), np.arange(-3.0, 3.5, 1.0)):
        sizes = best[1] + steps if best is not None else steps if steps[0] > 0 else ()
        for size in sizes:
            clear = sum(
                max(0.0, disc.rim - 0.4) * np.sqrt(size)
                for disc in _discs(image, plane, float(size))
            )
            if clear > (best[0] if best else 0.25):
                best = (float(clear), float(size))
    return best[1] if best else None


def measure_outline(
    image: np.ndarray, plane: PicturePlane
) -> tuple[CardOutline | None, list[FoundDisc]]:
    """How large the cards are that lie here, all of one size, and of which shape, by their edges alone;
    None where that is not clear, on a checked cloth say, or they are neither round nor rectangular. With
    the discs that were found."""
    size = measure_disc_mm(image, plane)
    discs = [] if size is None else _discs(image, plane, size)
    if size is not None and _is_lay(discs) and _are_round(image, plane, discs, size):
        few = [disc.centre_mm for disc in discs[:MOST_TO_TELL]]
        disc = CardOutline.disc(disc_across_mm(image, plane, few, size))
        return (disc if is_card_size(disc) else None), discs
    rectangle = measure_rectangle(image, plane, lambda outline: _cards(image, plane, outline))
    if (
        rectangle is not None
        and is_card_size(rectangle)
        and _is_lay(_cards(image, plane, rectangle))
    ):
        return rectangle, discs
    return None, discs if len(discs) <= MOST_LAID else []


def alike_pairs(deck: LearntDeck) -> list[tuple[int, int, float]]:
    """Cards that look so alike that one may not be told from the other, with how alike."""
    known = Recogniser(deck)
    pairs: dict[tuple[int, int], float] = {}
    for number, card in enumerate(deck.cards, start=1):
        for like, other in known.likeness_of(known.view_of(card.looks[0]))[:3]:
            if other != number and like >= ALIKE:
                pair = (min(number, other), max(number, other))
                pairs[pair] = max(like, pairs.get(pair, 0.0))
    return sorted((a, b, like) for (a, b), like in pairs.items())


MOST_LAID = 30
CLEAR_RIM = 0.75
"""A lay of cards: the edge of the middle one of them shows so much, and there are not more of them. What a
checked cloth or a picture on the cards shows of an edge was 0.69 at most, or there were hundreds."""

CLEAR_ALONE = 0.9
"""One or two must be clearer."""

FEWEST_TO_TELL = 3
MOST_TO_TELL = 9
"""So many cards of a lay tell whether they are round."""

ALIKE = 0.6
"""Two cards whose fields are so alike may be taken for twins."""


def _discs(image: np.ndarray, plane: PicturePlane, disc_mm: float) -> list[FoundDisc]:
    return _cards(image, plane, CardOutline.disc(disc_mm))


def _cards(
    image: np.ndarray, plane: PicturePlane, outline: CardOutline, bare: BareLook | None = None
) -> list[FoundDisc]:
    found = _off_pieces(find_cards(image, plane, outline, bare=bare), plane)
    if outline.round:
        return found
    return _beside_each_other(
        [card for card in found if card.rim >= LESSON_RULE.least_edge_seen], outline
    )


def _beside_each_other(cards: Sequence[FoundDisc], outline: CardOutline) -> list[FoundDisc]:
    """The rectangles that lie over none clearer: what does has its edges from the cards that it lies
    between."""
    most = LESSON_RULE.over_share * outline.width_mm * outline.height_mm
    beside: list[FoundDisc] = []
    for card in sorted(cards, key=lambda one: -one.rim):
        if all(_overlap_mm2(card, one, outline) <= most for one in beside):
            beside.append(card)
    return beside


def _overlap_mm2(one: FoundDisc, other: FoundDisc, outline: CardOutline) -> float:
    size = (outline.width_mm, outline.height_mm)
    a, b = ((card.centre_mm, size, card.turn_deg) for card in (one, other))
    _, corners = cv2.rotatedRectangleIntersection(a, b)
    return 0.0 if corners is None else float(cv2.contourArea(cv2.convexHull(corners)))


def _off_pieces(cards: Sequence[FoundDisc], plane: PicturePlane) -> list[FoundDisc]:
    """Those that are nothing of a corner token or the tray, which have straight edges themselves."""
    tokens = list(getattr(plane, "tokens_mm", {}).values())
    tray = getattr(plane, "tray_mm", None)
    rule = LESSON_RULE
    return [
        card
        for card in cards
        if all(_apart(card.centre_mm, token) > rule.token_mm for token in tokens)
        and (
            tray is None
            or _beyond_mm(card.centre_mm, tray)
            > (rule.tray_mm if card.rim >= rule.least_edge else rule.tray_edge_mm)
        )
    ]


def _are_round(
    image: np.ndarray, plane: PicturePlane, discs: Sequence[FoundDisc], disc_mm: float
) -> bool:
    """Whether a lay is of round cards; fewer than `FEWEST_TO_TELL` do not tell."""
    clear = [d.centre_mm for d in discs if d.rim >= LESSON_RULE.least_rim]
    few = clear[:MOST_TO_TELL]
    return len(few) < FEWEST_TO_TELL or lie_round(image, plane, few, disc_mm)


def _is_lay(cards: Sequence[FoundDisc]) -> bool:
    """Whether these are so clear, and so few, that they are cards of that size and no pattern."""
    if not 0 < len(cards) <= MOST_LAID:
        return False
    clear = CLEAR_RIM if len(cards) >= FEWEST_TO_TELL else CLEAR_ALONE
    return bool(np.median([card.rim for card in cards]) >= clear)


def _straight(discs: Sequence[FoundDisc]) -> Lay:
    return Lay(tuple(LaidCard(disc.centre_mm, SaysCard.STRAIGHT) for disc in discs))


def _other_shape(laid: Sequence[FoundDisc]) -> Lay:
    """Clear edges that are no disc's and no rectangle's. One or two cards do not tell, nor what a plank or
    a stripe shows of a rim."""
    clear = [disc for disc in laid if disc.rim >= LESSON_RULE.least_rim]
    if len(clear) < FEWEST_TO_TELL:
        return Lay()
    return replace(_straight(clear), counted=True)


def _same_lay(one: Sequence[FoundDisc], other: Sequence[FoundDisc]) -> bool:
    return len(one) == len(other) and all(
        any(_apart(a.centre_mm, b.centre_mm) < LESSON_RULE.still_mm for b in other) for a in one
    )


@dataclass(frozen=True, slots=True)
class _LikeliestCard:
    """Which learnt card lies there likeliest, and by how much its evidence leads over every other
    one's; None where there is no other."""

    number: int
    found: CardFound
    lead: float | None

    @property
    def is_again(self) -> bool:
        """Whether it surely is this card."""
        rule, found = LESSON_RULE, self.found
        where_they_must = found.keypoints >= rule.again_keypoints and (
            found.stray_mm < rule.again_stray_mm
        )
        enough = found.evidence >= rule.again_evidence or (
            found.evidence >= rule.again_less and where_they_must
        )
        leads = self.lead is not None and self.lead >= rule.again_lead
        return enough and (found.tone_fit >= rule.again_fit or leads)

    @property
    def is_new(self) -> bool:
        """Whether it surely is neither this card nor any other that was learnt."""
        rule, found = LESSON_RULE, self.found
        if found.evidence < rule.new_evidence and found.keypoints < rule.new_keypoints:
            return True
        if found.evidence < rule.new_less and found.keypoints < rule.new_keypoints_less:
            return True
        shared = self.lead is not None and self.lead < rule.shared_lead
        return shared and found.evidence < rule.shared_evidence and found.tone_fit < rule.shared_fit


def _likeliest(
    view: PlaceView, known: Recogniser | None, here: Mapping[int, Recogniser]
) -> _LikeliestCard | None:
    """Of the cards `known` and those that are new `here`; None where it is none of them."""
    beside = {n: card.recognise(view, with_keypoints=True) for n, card in here.items()}
    evidence = {n: found.evidence for n, found in beside.items()}
    likely = {n: found for n, found in beside.items() if found.tone_fit >= LESSON_RULE.beside_fit}
    if known is not None:
        found = known.recognise(view, with_keypoints=True)
        likely[found.card] = found
        evidence[found.card] = found.evidence
        if len(known.deck.cards) > 1:
            evidence[SECOND_KNOWN] = found.evidence - found.lead
    if not likely:
        return None
    number = max(likely, key=lambda number: likely[number].evidence)
    others = [said for other, said in evidence.items() if other != number]
    lead = likely[number].evidence - max(others) if others else None
    return _LikeliestCard(number, likely[number], lead)


def _moved_up(looked_from: dict[int, list[Point]], gone: int) -> dict[int, list[Point]]:
    """From where each card was looked at, once the card `gone` has left the deck."""
    return {one - (one > gone): places for one, places in looked_from.items() if one != gone}


def _edge_filled(look: np.ndarray, outline: CardOutline) -> np.ndarray:
    """What lies beside the card replaced by its edge: no table is learnt."""
    if not outline.round:
        rim = int(LOOK_RIM_MM / LOOK_STEP_MM) + 1
        inner = np.ascontiguousarray(look[rim:-rim, rim:-rim])
        return cv2.copyMakeBorder(inner, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    middle = len(look) // 2
    edge = outline.radius_mm / LOOK_STEP_MM - 1.5
    y, x = np.mgrid[-middle : middle + 1, -middle : middle + 1].astype(np.float32)
    away = np.hypot(x, y)
    inward = np.where(away > edge, edge / np.maximum(away, 1e-6), 1).astype(np.float32)
    return cv2.remap(look, x * inward + middle, y * inward + middle, cv2.INTER_LINEAR)


def _cut_anew(card: LearntCard, outline: CardOutline) -> LearntCard:
    """A card whose looks were cut out a little too large or too small."""
    width, height = look_size(outline)
    looks = []
    for look in card.looks:
        more = [
            max(0, (want - has + 1) // 2)
            for want, has in ((height, look.shape[0]), (width, look.shape[1]))
        ]
        wide = cv2.copyMakeBorder(look, more[0], more[0], more[1], more[1], cv2.BORDER_REPLICATE)
        top, left = (wide.shape[0] - height) // 2, (wide.shape[1] - width) // 2
        cut = np.ascontiguousarray(wide[top : top + height, left : left + width])
        looks.append(_edge_filled(cut, outline))
    return LearntCard(tuple(looks))


def _beyond_mm(point: Point, polygon: Sequence[Point]) -> float:
    """How far outside the polygon the point lies; below 0 within."""
    return -cv2.pointPolygonTest(np.array(polygon, np.float32), point, True)


def _apart(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])

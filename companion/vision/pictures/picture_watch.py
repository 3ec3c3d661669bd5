"""The pictures on the cards over time: learnt where codes are read, and asked where they are not.

Knows readings, places and the tray's quiet pictures. Must not know rounds or people: a card that was
read, is not out of the game, and is not read now must lie somewhere.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot

import numpy as np

from card_printables.marker import MarkerPlace
from companion.table.sighting import (
    Hand,
    PictureReport,
    PictureSays,
    PlaceState,
    Point,
    Sighting,
    TrayReport,
)
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.frame.raster import shrink_factor
from companion.vision.pictures.compare import refine_pose
from companion.vision.pictures.field_stretch import Bounds, StretchSampler, shrunk_stretch
from companion.vision.pictures.look import STEP_MM, Look, look_at
from companion.vision.pictures.naming import (
    NAMING_RULE,
    Named,
    is_another,
    naming_steps,
    score_of,
)
from companion.vision.pictures.search import DiscPose


@dataclass(frozen=True, slots=True)
class PictureTimes:
    """When a card's look is learnt and when it is asked for; chosen."""

    steady_s: float = 0.4
    """A card that was read in one place for so long lies still."""
    steady_mm: float = 4.0
    looks: int = 3
    """So many looks are averaged."""
    between_looks_s: float = 1.2
    same_look: float = 0.6
    """A look less like those before shows something else: it begins anew."""
    hand_mm: float = 130.0
    """A hand so near may lie over a card."""
    unread_s: float = 0.35
    """A card not read for so long may lie unread."""
    again_s: float = 0.8
    """So long after the first try there is another: other noise."""
    long_unread_s: float = 2.5
    """A card not read for so long is looked for even if the tray is not known to have changed."""
    beside_mm: float = 55.0
    """So far beside the tray its cards may lie."""
    place_again_s: float = 1.0
    """So often a place is asked at which something else than its card lies."""


PICTURE_TIMES = PictureTimes()

CONTRADICTS_MM = 15.0
"""A card read so near a disc that its picture names otherwise contradicts it."""

SAID_S = 6.0
"""For so long people are told of it."""

TRAY_MOVED_MM = 4.0
"""A tray that lies elsewhere by more is another stretch of table."""


@dataclass(slots=True)
class _Known:
    """What is known of one card: where and since when it was read in one place, when it was read
    last, and its look, learnt `looks` times."""

    centre_mm: Point
    heading_deg: float
    since_s: float
    read_s: float
    look: Look | None = None
    looks: int = 0
    learnt_s: float = -1e9
    place_said: PictureReport | None = None
    place_asked_s: float = -1e9


@dataclass(slots=True)
class _Tries:
    """When the tray's quiet picture is asked next, and what was found in it."""

    version: int = -1
    due_s: list[float] = field(default_factory=list)
    asked_s: float = -1e9
    found: tuple[PictureReport, ...] = ()
    steps: Generator[None, None, list[Named]] | None = None


class PictureWatch:
    """Learns the looks of the cards in play and tells discs in the tray by them; hand it every look,
    oldest first."""

    def __init__(self, place: MarkerPlace, times: PictureTimes = PICTURE_TIMES) -> None:
        self._place = place
        self._times = times
        self._cards: dict[int, _Known] = {}
        self._tries = _Tries()
        self._scenes: StretchSampler | None = None
        self._contradicted_s: dict[int, float] = {}

    def contradicted(self, t_s: float) -> tuple[int, ...]:
        """The cards read on a disc that its picture had named otherwise; said for `SAID_S`, and once
        only."""
        return tuple(card for card, at_s in self._contradicted_s.items() if t_s - at_s < SAID_S)

    @property
    def learnt_cards(self) -> frozenset[int]:
        """The cards whose looks are known."""
        return frozenset(card for card, known in self._cards.items() if known.look is not None)

    @property
    def busy(self) -> bool:
        """True while a disc is being told, or will be."""
        return self._tries.steps is not None or bool(self._tries.due_s)

    def observe_frame(
        self,
        image: np.ndarray,
        plane: PicturePlane,
        t_s: float,
        sightings: Sequence[Sighting],
        states: Mapping[int, PlaceState],
        hands: Sequence[Hand],
        tray: TrayReport | None,
        gone: frozenset[int],
    ) -> tuple[PictureReport, ...]:
        """What the pictures on discs in the tray say in this look at the table, `image` (H, W, 3)
        uint8 BGR; nothing while the tray is not quiet."""
        for card in [card for card in self._cards if card in gone]:
            del self._cards[card]
        self._note_readings(sightings, t_s)
        self._learn_one(image, plane, t_s, sightings, hands)
        places = self._ask_places(image, plane, t_s, states, hands)
        if tray is None or not tray.quiet:
            self._tries.steps = None
            return places
        self._plan(tray, t_s, states)
        self._contradict(sightings, t_s)
        self._name(image, plane, t_s, sightings, states)
        return places + self._tries.found

    def _note_readings(self, sightings: Sequence[Sighting], t_s: float) -> None:
        for s in sightings:
            known = self._cards.get(s.card)
            if known is None:
                self._cards[s.card] = _Known(s.centre_mm, s.heading_deg, t_s, t_s)
                continue
            moved = _apart_mm(known.centre_mm, s.centre_mm) > self._times.steady_mm
            if moved or t_s - known.read_s > self._times.unread_s:
                known.since_s = t_s
            known.centre_mm = s.centre_mm
            known.heading_deg = s.heading_deg
            known.read_s = t_s

    def _learn_one(
        self,
        image: np.ndarray,
        plane: PicturePlane,
        t_s: float,
        sightings: Sequence[Sighting],
        hands: Sequence[Hand],
    ) -> None:
        """Learn the look of one card that lies still, uncovered, away from hands."""
        times = self._times
        for s in sightings:
            known = self._cards[s.card]
            if (
                known.looks >= times.looks
                or t_s - known.learnt_s < times.between_looks_s
                or t_s - known.since_s < times.steady_s
                or any(_apart_mm(hand.tip_mm, s.centre_mm) < times.hand_mm for hand in hands)
                or any(
                    other is not s and _apart_mm(other.centre_mm, s.centre_mm) < self._place.disc_mm
                    for other in sightings
                )
            ):
                continue
            known.learnt_s = t_s
            reach = self._place.disc_mm / 2 + 12
            x, y = s.centre_mm
            bounds = (x - reach, y - reach, x + reach, y + reach)
            shrink = shrink_factor(plane, bounds, STEP_MM)
            picture = shrunk_stretch(image, shrink, plane, bounds)
            look = look_at(picture, shrink, plane, s.centre_mm, s.heading_deg, self._place)
            if look is None:
                return
            if known.look is not None and known.look.likeness(look) >= times.same_look:
                known.look = known.look.merged(look, known.looks)
                known.looks += 1
            else:
                known.look = look
                known.looks = 1
            return

    def _contradict(self, sightings: Sequence[Sighting], t_s: float) -> None:
        """A code that is read outranks a picture: the name falls, and where another code is read on
        the very disc, that is said."""
        kept = []
        for found in self._tries.found:
            on_it = [
                s.card
                for s in sightings
                if s.card != found.card and _apart_mm(s.centre_mm, found.centre_mm) < CONTRADICTS_MM
            ]
            if found.card is not None and on_it:
                self._contradicted_s.setdefault(on_it[0], t_s)
            if not on_it and all(s.card != found.card for s in sightings):
                kept.append(found)
        self._tries.found = tuple(kept)

    def _plan(self, tray: TrayReport, t_s: float, states: Mapping[int, PlaceState]) -> None:
        tries = self._tries
        if tray.version != tries.version:
            self._tries = _Tries(tray.version, [t_s, t_s + self._times.again_s], tries.asked_s)
            return
        late = [
            known.read_s + self._times.long_unread_s
            for card, known in self._cards.items()
            if known.look is not None and card in self._unread(t_s, states)
        ]
        if (
            tries.steps is None
            and not tries.due_s
            and any(tries.asked_s < due_s <= t_s for due_s in late)
        ):
            tries.due_s.append(t_s)

    def _unread(self, t_s: float, states: Mapping[int, PlaceState]) -> list[int]:
        """The cards that must lie somewhere, unread."""
        return [
            card
            for card, known in self._cards.items()
            if t_s - known.read_s > self._times.unread_s
            and states.get(card) is not PlaceState.MARKER
        ]

    def _name(
        self,
        image: np.ndarray,
        plane: PicturePlane,
        t_s: float,
        sightings: Sequence[Sighting],
        states: Mapping[int, PlaceState],
    ) -> None:
        """A step of telling which discs lie in the tray."""
        tries = self._tries
        if tries.steps is None and tries.due_s and tries.due_s[0] <= t_s:
            tries.due_s.pop(0)
            tries.asked_s = t_s
            named = {found.card for found in tries.found}
            unread = [card for card in self._unread(t_s, states) if card not in named]
            looks = {c: known.look for c, known in self._cards.items() if known.look is not None}
            bounds = self._tray_bounds(plane)
            if bounds is None or not any(card in looks for card in unread):
                return
            if self._scenes is None or not _same(self._scenes.bounds_mm, bounds):
                self._scenes = StretchSampler(bounds)
            shrink = shrink_factor(plane, bounds, STEP_MM)
            scene = self._scenes.sample_stretch(
                shrunk_stretch(image, shrink, plane, bounds), shrink, plane
            )
            there = {
                s.card: DiscPose(*s.centre_mm, s.heading_deg)
                for s in sightings
                if _within(s.centre_mm, self._scenes.bounds_mm, self._place.disc_mm / 2)
            }
            there |= {
                p.card: DiscPose(*p.centre_mm, p.heading_deg)
                for p in tries.found
                if p.card is not None and p.says is PictureSays.NAMED
            }
            tries.steps = naming_steps(scene, looks, there, unread, self._place.disc_mm)
            return
        if tries.steps is None:
            return
        try:
            next(tries.steps)
        except StopIteration as end:
            tries.steps = None
            kept = tuple(p for p in tries.found if p.says is PictureSays.NAMED)
            tries.found = kept + tuple(_report(named) for named in end.value)

    def _ask_places(
        self,
        image: np.ndarray,
        plane: PicturePlane,
        t_s: float,
        states: Mapping[int, PlaceState],
        hands: Sequence[Hand],
    ) -> tuple[PictureReport, ...]:
        """What shows where cards lay at whose places something else lies, no hand near: the card
        itself, half covered, or surely not that card. One place is asked in a look."""
        said = []
        asked = False
        for card, known in self._cards.items():
            if (
                states.get(card) is not PlaceState.OTHER
                or known.look is None
                or t_s - known.read_s <= self._times.unread_s
                or any(_apart_mm(h.tip_mm, known.centre_mm) < self._times.hand_mm for h in hands)
            ):
                known.place_said = None
                continue
            if not asked and t_s - known.place_asked_s >= self._times.place_again_s:
                asked = True
                known.place_asked_s = t_s
                known.place_said = self._ask_place(image, plane, card, known, known.look)
            if known.place_said is not None:
                said.append(known.place_said)
        return tuple(said)

    def _ask_place(
        self, image: np.ndarray, plane: PicturePlane, card: int, known: _Known, look: Look
    ) -> PictureReport | None:
        reach = self._place.disc_mm / 2 + 15
        x, y = known.centre_mm
        bounds = (x - reach, y - reach, x + reach, y + reach)
        shrink = shrink_factor(plane, bounds, STEP_MM)
        picture = shrunk_stretch(image, shrink, plane, bounds)
        stretch = StretchSampler(bounds).sample_stretch(picture, shrink, plane)
        pose = DiscPose(x, y, known.heading_deg)
        match = refine_pose(stretch, stretch.fine_sure, look, pose)
        if score_of(match, NAMING_RULE) >= 0:
            return _report(Named(card, match))
        if is_another(match, NAMING_RULE):
            return replace(_report(Named(card, match)), says=PictureSays.OTHER)
        return None

    def _tray_bounds(self, plane: PicturePlane) -> Bounds | None:
        tray = getattr(plane, "tray_mm", None)
        if tray is None:
            return None
        corners = np.asarray(tray, dtype=np.float64).reshape(-1, 2)
        low = corners.min(axis=0) - self._times.beside_mm
        high = corners.max(axis=0) + self._times.beside_mm
        return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _report(named: Named) -> PictureReport:
    match = named.match
    says = PictureSays.OURS if named.card is None else PictureSays.NAMED
    return PictureReport(
        says,
        named.card,
        (match.pose.x_mm, match.pose.y_mm),
        match.pose.heading_deg % 360.0,
        max(match.evidence, match.shown_evidence),
    )


def _same(one: Bounds, other: Bounds) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= TRAY_MOVED_MM


def _within(point: Point, bounds: Bounds, reach_mm: float) -> bool:
    return (
        bounds[0] - reach_mm < point[0] < bounds[2] + reach_mm
        and bounds[1] - reach_mm < point[1] < bounds[3] + reach_mm
    )


def _apart_mm(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])

"""The script seen without pictures: what a good eye would say of it, frame by frame, as raw
glimpses.

Knows which markers hands, cups and other cards hide; misses a reading now and then. Thousands of
rounds can be weighed with it where pictures of them would take days; what a real eye makes of a
scene only pictures tell.
"""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, degrees, hypot, radians, sin
from random import Random

from card_printables.marker import DISC_MM
from card_printables.token import TRAY_HEIGHT_MM, TRAY_WIDTH_MM
from companion.practice.acting.incidents import marker_mm
from companion.practice.acting.motion import Point, Pose, Reach
from companion.practice.acting.stage import Effect
from companion.practice.script import Script
from companion.practice.tray_witness import TrayWitness
from companion.table.sighting import (
    Attention,
    Glimpse,
    Hand,
    PlaceReport,
    PlaceState,
    RawGlimpse,
    Sighting,
    TableView,
)

_HAND_MM, _GLARE_MM, _CODE_REACH_MM = 48.0, 40.0, 13.0
"""How wide an arm is to each side, a lamp's reflection, a marker."""
_REACHES_MM = {"cup": 45.0, "slip": 30.0, "phone": 60.0, "book": 90.0, "bowl": 48.0}
"""How far things other than cards reach, taken for round."""
_HELD_MM, _REST_MM, _AT_PLACE_MM = 4.0, 8.0, 40.0
_MISSED, _JITTER_MM = 0.06, 1.2
_SHAKEN_S = 0.9
_OVER_TRAY_MM = 230.0
_ARM_STEP_MM = 20.0
_VIEW_MM = 130.0
"""The camera sees so far round the tokens."""


class Witness:
    """Looks at one script; `read_moment` any moment, oldest first."""

    def __init__(self, script: Script, seed: int = 0) -> None:
        self.script = script
        self._rng = Random(f"witness {seed}")
        self._places: dict[int, Point] = {}
        self._met: dict[int, Point] = {}
        self._tray = TrayWitness(script.layout, Random(f"tray {seed}"))

    def read_moment(self, t_s: float) -> RawGlimpse | None:
        """What a good eye would say of this moment, nothing withheld; None while the camera gives
        no picture."""
        effects = self.script.effects_at(t_s)
        if any(effect.kind == "camera_stalls" for effect in effects):
            return None
        if self._blind(effects, t_s):
            return RawGlimpse(Glimpse(t_s, usable=False))
        things = self._things(t_s)
        reaches = [reach for reach in self.script.hands_at(t_s) if self._in_view(reach.at(t_s)[0])]
        arms = [
            (tip, reach)
            for reach in reaches
            if (tip := self._shown_tip(reach.at(t_s)[0], reach.body_mm)) is not None
        ]
        shown = {
            name: pose
            for name, pose in things.items()
            if self._shows(name, pose, things, arms, effects)
        }
        sightings, notices = self._sightings(shown)
        backs = tuple(pose.point_mm for pose in shown.values() if not pose.up)
        places = self._reports({s.card: s.centre_mm for s in sightings}, things, backs, arms)
        hands = tuple(Hand(tip, _from_deg(tip, reach)) for tip, reach in arms)
        lies = self.script.tray_at(t_s)
        near = any(_near_tray(tip, self.script) for tip, _ in arms)
        tray = self._tray.report(things, near, lies)
        table = _table_of(self.script, lies)
        return RawGlimpse(
            Glimpse(t_s, sightings, places, backs, hands, table, True, 0, notices, tray=tray)
        )

    def _blind(self, effects: tuple[Effect, ...], t_s: float) -> bool:
        gone = any(e.kind in ("picture_freezes", "picture_black", "focus_hunt") for e in effects)
        bumps = [e for e in self.script.effects if e.kind in ("bump_camera", "bump_table")]
        return gone or any(0 <= t_s - e.start_s < _SHAKEN_S for e in bumps)

    def _things(self, t_s: float) -> dict[str, Pose]:
        """Whatever is in view, the lowest first."""
        there = []
        for track in self.script.tracks:
            if track.keys and t_s >= track.keys[0].start_s:
                pose, since_s = track.at(t_s)
                if not pose.away and self._in_view(pose.point_mm):
                    there.append(
                        (pose.height_mm > _HELD_MM, pose.layer, since_s, track.thing, pose)
                    )
        return {name: pose for *_, name, pose in sorted(there, key=lambda item: item[:4])}

    def _in_view(self, point: Point) -> bool:
        layout, far = self.script.layout, _VIEW_MM
        tray = (
            layout.tray is not None
            and hypot(point[0] - layout.tray.x_mm, point[1] - layout.tray.y_mm) < 190
        )
        return tray or (
            -far < point[0] < layout.width_mm + far and -far < point[1] < layout.height_mm + far
        )

    def _shown_tip(self, tip: Point, body: Point) -> Point | None:
        """Where an arm with its fingertips there ends in the picture, which may cut the tray off; None
        where none of it shows."""
        far = _apart(tip, body)
        for step in range(int(far / _ARM_STEP_MM)):
            share = step * _ARM_STEP_MM / far
            point = (tip[0] + share * (body[0] - tip[0]), tip[1] + share * (body[1] - tip[1]))
            if self.script.layout.shows(point):
                return point
        return None

    def _shows(
        self,
        name: str,
        pose: Pose,
        things: dict[str, Pose],
        arms: list[tuple[Point, Reach]],
        effects: tuple[Effect, ...],
    ) -> bool:
        """True when this card's marker (or back) can be made out."""
        if name.split("#")[0] in ("cup", "phone", "book", "bowl"):
            return False
        if pose.height_mm > _HELD_MM or pose.squash < 0.9 or self._rng.random() < _MISSED:
            return False
        spot = marker_mm(pose) if pose.up else pose.point_mm
        if not self.script.layout.shows(spot, _CODE_REACH_MM):
            return False
        names = list(things)
        above = names[names.index(name) + 1 :]
        covered = any(
            _apart(spot, things[other].point_mm) < _reach(other) + _CODE_REACH_MM for other in above
        )
        burnt = any(e.kind == "glare" and _apart(spot, e.at_mm) < _GLARE_MM for e in effects)
        return not (covered or burnt or _under(spot, arms, _CODE_REACH_MM))

    def _sightings(self, shown: dict[str, Pose]) -> tuple[tuple[Sighting, ...], tuple[str, ...]]:
        found, notices = list[Sighting](), list[str]()
        for name, pose in shown.items():
            card = _card(name)
            if card is None:
                notices.append("foreign")
            elif pose.up:
                at = (
                    pose.x_mm + self._rng.gauss(0, _JITTER_MM),
                    pose.y_mm + self._rng.gauss(0, _JITTER_MM),
                )
                found.append(Sighting(card, at, pose.turn_deg % 360, (), 0.9))
        counts = [sighting.card for sighting in found]
        twice = {card for card in counts if counts.count(card) > 1}
        notices += [f"twice:{card}" for card in sorted(twice)]
        return tuple(s for s in found if s.card not in twice), tuple(dict.fromkeys(notices))

    def _reports(
        self,
        read: dict[int, Point],
        things: dict[str, Pose],
        backs: tuple[Point, ...],
        arms: list[tuple[Point, Reach]],
    ) -> tuple[PlaceReport, ...]:
        for card, at in read.items():
            if card in self._met and _apart(self._met[card], at) < _REST_MM:
                self._places[card] = at
            self._met[card] = at
        lying = [(pose.point_mm, _reach(name)) for name, pose in things.items()]
        return tuple(
            PlaceReport(card, at, _state(at, read.get(card), lying, backs, arms))
            for card, at in self._places.items()
        )


def moments_of(witness: Witness, fps: float) -> Callable[[Attention], RawGlimpse | None]:
    """What the witness says of its game's moments, `fps` of them a second, one after the other;
    None at the end. A witness needs no one's attention."""
    times_s = (number / fps for number in range(int(witness.script.duration_s * fps)))
    said = (raw for t_s in times_s if (raw := witness.read_moment(t_s)) is not None)
    return lambda _attention: next(said, None)


def _near_tray(tip: Point, script: Script) -> bool:
    """True when a hand with its tip there lies over the tray."""
    tray = script.layout.tray
    return tray is not None and hypot(tip[0] - tray.x_mm, tip[1] - tray.y_mm) < _OVER_TRAY_MM


def _state(
    at: Point,
    read: Point | None,
    lying: list[tuple[Point, float]],
    backs: tuple[Point, ...],
    arms: list[tuple[Point, Reach]],
) -> PlaceState:
    if read is not None and _apart(read, at) < _AT_PLACE_MM:
        return PlaceState.MARKER
    if _under(at, arms, DISC_MM / 2):
        return PlaceState.MOVING
    if any(_apart(at, back) < 25 for back in backs):
        return PlaceState.BACK
    hidden = any(_apart(at, point) < reach + 25 for point, reach in lying)
    return PlaceState.OTHER if hidden else PlaceState.TABLE


def _card(thing: str) -> int | None:
    """The number of a thing of this deck, None for anything else."""
    name = thing.split("#")[0]
    return int(name.split("/")[1]) if name.startswith("CM1/") else None


def _reach(thing: str) -> float:
    return _REACHES_MM.get(thing.split("#")[0], DISC_MM / 2)


def _apart(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _under(spot: Point, arms: list[tuple[Point, Reach]], grown_mm: float) -> bool:
    """True when an arm lies over the spot: from the fingertips along to its owner."""
    for tip, reach in arms:
        dx, dy = reach.body_mm[0] - tip[0], reach.body_mm[1] - tip[1]
        length = hypot(dx, dy)
        along = ((spot[0] - tip[0]) * dx + (spot[1] - tip[1]) * dy) / length
        aside = abs((spot[0] - tip[0]) * dy - (spot[1] - tip[1]) * dx) / length
        if -grown_mm < along < length and aside < _HAND_MM + 0.6 * grown_mm:
            return True
    return False


def _from_deg(tip: Point, reach: Reach) -> float:
    return degrees(atan2(reach.body_mm[0] - tip[0], tip[1] - reach.body_mm[1]))


def _table_of(script: Script, tray: Pose | None) -> TableView | None:
    layout = script.layout
    if not layout.tokens:
        return None
    corners = [pose.point_mm for pose in layout.tokens]
    centre = layout.centre_mm
    middle = tuple(sorted(corners, key=lambda p: atan2(p[1] - centre[1], p[0] - centre[0])))
    return TableView(middle, _outline(tray) if tray else None)


def _outline(tray: Pose) -> tuple[Point, ...]:
    turn, w, h = radians(tray.turn_deg), TRAY_WIDTH_MM / 2, TRAY_HEIGHT_MM / 2
    return tuple(
        (tray.x_mm + cos(turn) * x - sin(turn) * y, tray.y_mm + sin(turn) * x + cos(turn) * y)
        for x, y in ((-w, -h), (w, -h), (w, h), (-w, h))
    )

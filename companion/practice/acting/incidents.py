"""The incidents of a living room, acted out on the stage before a guess.

Each deed is one row of the list of what living rooms do; it ends with the table as the rules left
it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import cos, radians, sin

from card_printables.deck import DECKS
from card_printables.marker import MarkerPlace
from card_printables.token import TRAY_HEIGHT_MM, TRAY_WIDTH_MM
from companion.practice.acting.motion import Point, Pose, polar
from companion.practice.acting.stage import Stage

CLUTTER_MM = {"phone": 8.0, "book": 20.0}
"""How thick they are."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What an incident may touch: the seat whose guess it is, the things that lie open in the
    middle, those set aside, and the won ones."""

    seat: int
    lying: tuple[str, ...]
    aside: tuple[str, ...]
    won: tuple[str, ...]


def play(stage: Stage, name: str, scene: Scene) -> None:
    """Act out the incident `name` (a per-guess field of `Faults`); the clock runs on."""
    _DEEDS[name](stage, scene)


def _some(stage: Stage, scene: Scene) -> str:
    return stage.rng.choice(scene.lying)


def marker_mm(pose: Pose) -> Point:
    """Where the marker of a card at `pose` is on the table."""
    x, y = MarkerPlace().centre_mm
    return polar(pose.point_mm, pose.turn_deg + 180, y + x, y + x)


def _hand_rests(stage: Stage, scene: Scene) -> None:
    stage.touch(
        scene.seat, [stage.where(_some(stage, scene)).point_mm], stage.rng.uniform(1, 4), "flat"
    )


def _forearm(stage: Stage, scene: Scene) -> None:
    x, y = stage.layout.shoulders_mm[scene.seat]
    cx, cy = stage.layout.centre_mm
    far = (cx - (x - cx) * stage.rng.uniform(0.1, 0.3), cy - (y - cy) * stage.rng.uniform(0.1, 0.3))
    stage.touch(scene.seat, [far], stage.rng.uniform(0.6, 2.2), "grip")


def _visit(
    stage: Stage, scene: Scene, thing: str, to: Pose | None, low_s: float, high_s: float
) -> None:
    """A thing is brought, stays a while and is taken away again."""
    if to is None:
        return
    stage.add(thing, replace(stage.layout.away(scene.seat), up=True))
    stage.bring(scene.seat, thing, to)
    stage.wait(low_s, high_s)
    stage.carry(scene.seat, thing, stage.layout.away(scene.seat))


def _cup(stage: Stage, scene: Scene) -> None:
    x, y = marker_mm(stage.where(_some(stage, scene)))
    _visit(
        stage,
        scene,
        f"cup#{len(stage.tracks)}",
        Pose(x, y, stage.rng.uniform(0, 360), 45.0),
        2.5,
        8,
    )


def standing_cup(stage: Stage) -> str | None:
    """The cup that stays on the table now; None where none does."""
    cups = (thing for thing in stage.tracks if thing.startswith("cup#stays"))
    return next((cup for cup in cups if not stage.where(cup).away), None)


def _cup_stays(stage: Stage, scene: Scene) -> None:
    to = _free(stage, scene)
    if to is None or standing_cup(stage) is not None:
        return
    away = replace(stage.layout.away(scene.seat), up=True)
    cup = stage.add(f"cup#stays{len(stage.tracks)}", away)
    stage.bring(scene.seat, cup, replace(to, height_mm=45.0))


def clear_cup(stage: Stage, seat: int, places: Sequence[Pose]) -> None:
    """Take the cup away that stands where one of these cards is to lie."""
    cup = standing_cup(stage)
    if cup is not None and not stage.layout.is_free(stage.where(cup), list(places)):
        stage.carry(seat, cup, stage.layout.away(seat))


def _clutter(stage: Stage, scene: Scene) -> None:
    (x, y), kind = stage.where(_some(stage, scene)).point_mm, stage.rng.choice(("phone", "book"))
    to = Pose(
        x + stage.rng.uniform(-90, 90),
        y + stage.rng.uniform(-90, 90),
        stage.rng.uniform(0, 360),
        CLUTTER_MM[kind],
    )
    _visit(stage, scene, f"{kind}#{len(stage.tracks)}", to, 2.5, 8)


def _glare(stage: Stage, scene: Scene) -> None:
    stage.befall(
        "glare",
        stage.rng.uniform(2, 6),
        stage.rng.uniform(0.7, 1.0),
        marker_mm(stage.where(_some(stage, scene))),
    )
    stage.wait(1, 3)


def _free(stage: Stage, scene: Scene) -> Pose | None:
    return stage.layout.free_place(
        [stage.where(thing) for thing in (*scene.lying, *scene.aside)], stage.rng
    )


def _foreign_card(stage: Stage, scene: Scene) -> None:
    thing = f"{DECKS[1]}/{stage.rng.randint(1, 80)}#{len(stage.tracks)}"
    _visit(stage, scene, thing, _free(stage, scene), 3, 6)


def _unknown_code(stage: Stage, scene: Scene) -> None:
    _visit(stage, scene, f"slip#{len(stage.tracks)}", _free(stage, scene), 3, 6)


def _duplicate(stage: Stage, scene: Scene) -> None:
    _visit(
        stage,
        scene,
        f"{_some(stage, scene).split('#')[0]}#{len(stage.tracks)}",
        _free(stage, scene),
        3,
        6,
    )


def _won_card_returns(stage: Stage, scene: Scene) -> None:
    if scene.won:
        _visit(
            stage,
            scene,
            f"{stage.rng.choice(scene.won).split('#')[0]}#{len(stage.tracks)}",
            _free(stage, scene),
            3,
            6,
        )


def _nudge(stage: Stage, scene: Scene) -> None:
    for thing in stage.rng.sample(scene.lying, min(len(scene.lying), stage.rng.randint(2, 3))):
        pose = stage.where(thing)
        others = [stage.where(other) for other in (*scene.lying, *scene.aside) if other != thing]
        moved = replace(
            pose,
            x_mm=pose.x_mm + stage.rng.uniform(-22, 22),
            y_mm=pose.y_mm + stage.rng.uniform(-22, 22),
            turn_deg=pose.turn_deg + stage.rng.uniform(-50, 50),
        )
        if stage.layout.is_free(moved, others):
            stage.carry(scene.seat, thing, moved, lift_mm=0.0)


def _card_on_card(stage: Stage, scene: Scene) -> None:
    if len(scene.lying) < 2:
        return
    above, below = stage.rng.sample(scene.lying, 2)
    home, (x, y) = stage.where(above), marker_mm(stage.where(below))
    stage.carry(scene.seat, above, replace(home, x_mm=x, y_mm=y, height_mm=0.8), lift_mm=0.0)
    stage.wait(3, 6)
    stage.carry(scene.seat, above, home, lift_mm=0.0)


def _lift_and_return(stage: Stage, scene: Scene) -> None:
    thing = _some(stage, scene)
    pose = stage.where(thing)
    x, y = stage.layout.shoulders_mm[scene.seat]
    share = stage.rng.choice((0.25, 0.4, 1.1))
    near = Pose(
        pose.x_mm + (x - pose.x_mm) * share,
        pose.y_mm + (y - pose.y_mm) * share,
        pose.turn_deg,
        120.0,
    )
    stage.carry(scene.seat, thing, near)
    last = stage.reaches.pop()
    held = stage.rng.uniform(0.7, 2.4)
    puts = last.stops[-2].t_s + held
    back = replace(
        pose,
        x_mm=pose.x_mm + stage.rng.uniform(-4, 4),
        y_mm=pose.y_mm + stage.rng.uniform(-4, 4),
        turn_deg=pose.turn_deg + stage.rng.uniform(-15, 15),
    )
    stage.move(thing, puts, puts + 0.6, back)
    stage.hold(
        scene.seat, (*last.stops[:-1], replace(last.stops[-2], t_s=puts)), pose.point_mm, puts + 0.6
    )


def _tray_nudged(stage: Stage, scene: Scene) -> None:
    tray = stage.layout.tray
    if tray is None:
        return
    out = 1.0 if tray.x_mm > stage.layout.centre_mm[0] else -1.0
    beside = not 0.0 < tray.x_mm < stage.layout.width_mm
    dx = out * stage.rng.uniform(0, 16) if beside else stage.rng.uniform(-14, 14)
    dy = stage.rng.uniform(-14, 14) if beside else stage.rng.uniform(0, 16)
    turn = stage.rng.uniform(-3, 3)
    stage.touch(scene.seat, [tray.point_mm], 0.3, "flat")
    pushed_s = stage.reaches[-1].stops[1].t_s
    moved = replace(tray, x_mm=tray.x_mm + dx, y_mm=tray.y_mm + dy, turn_deg=tray.turn_deg + turn)
    bowls = [thing for thing in stage.tracks if thing.startswith("bowl")]
    for thing in (*scene.aside, *bowls):
        pose = stage.where(thing)
        x, y = pose.x_mm - tray.x_mm, pose.y_mm - tray.y_mm
        c, s = cos(radians(turn)), sin(radians(turn))
        to = replace(
            pose,
            x_mm=moved.x_mm + c * x - s * y,
            y_mm=moved.y_mm + s * x + c * y,
            turn_deg=pose.turn_deg + turn,
        )
        stage.move(thing, pushed_s, pushed_s + 0.3, to)
    stage.push_tray(pushed_s, pushed_s + 0.3, moved)


def _bowl_on_tray(stage: Stage, scene: Scene) -> None:
    tray = stage.layout.tray
    if tray is None:
        return
    bowl = next((thing for thing in stage.tracks if thing.startswith("bowl")), None)
    if bowl is not None:
        stage.touch(scene.seat, [stage.where(bowl).point_mm], stage.rng.uniform(0.3, 0.9), "grip")
        return
    bowl = stage.add("bowl#1", replace(stage.layout.away(scene.seat), up=True))
    across, down = TRAY_WIDTH_MM / 2 - 12, TRAY_HEIGHT_MM / 2 - 8
    far_x = across if tray.x_mm >= 0 else -across
    at = polar(tray.point_mm, tray.turn_deg + 90, far_x, far_x)
    at = polar(at, tray.turn_deg + 180, down, down)
    stage.bring(scene.seat, bowl, Pose(*at, stage.rng.uniform(0, 360), 45.0))


def _pile_slips(stage: Stage, scene: Scene) -> None:
    if not scene.aside:
        return
    top = max(scene.aside, key=lambda thing: stage.where(thing).layer)
    pose = stage.where(top)
    x, y = polar(pose.point_mm, stage.rng.uniform(0, 360), *[stage.rng.uniform(14, 38)] * 2)
    slid = replace(pose, x_mm=x, y_mm=y, turn_deg=pose.turn_deg + stage.rng.uniform(-20, 20))
    stage.move(top, stage.now_s, stage.now_s + 0.25, slid)
    stage.wait(0.2, 1.5)


def _lean_shadow(stage: Stage, scene: Scene) -> None:
    tray = stage.layout.tray
    if tray is None:
        return
    x, y = tray.point_mm
    side = stage.rng.choice((-1, 1)) * stage.rng.uniform(60, 110)
    lasts = stage.rng.uniform(1.5, 6)
    stage.befall("lean_shadow", lasts, stage.rng.uniform(0.4, 0.8), (x + side, y))
    stage.wait(0.2, lasts)


def _second_thoughts(stage: Stage, scene: Scene) -> None:
    """Acted by the play itself, which knows how this table sets cards aside."""


def _effect(kind: str, low_s: float, high_s: float) -> Callable[[Stage, Scene], None]:
    def befall(stage: Stage, scene: Scene) -> None:
        """The picture suffers for a while; the table waits a little."""
        lasts = stage.rng.uniform(low_s, high_s)
        stage.befall(kind, lasts, stage.rng.choice((-1, 1)) * stage.rng.uniform(0.5, 1.0))
        stage.wait(lasts * stage.rng.uniform(0.3, 1.1))

    return befall


def _bump(kind: str) -> Callable[[Stage, Scene], None]:
    def bump(stage: Stage, scene: Scene) -> None:
        """It shakes for half a second and stays a little aside for good."""
        way = (stage.rng.uniform(-1, 1), stage.rng.uniform(-1, 1))
        stage.befall(kind, 0.6, stage.rng.choice((-1, 1)) * stage.rng.uniform(0.4, 1.0), way)
        stage.wait(0.8, 2)

    return bump


_DEEDS: dict[str, Callable[[Stage, Scene], None]] = {
    "hand_rests": _hand_rests,
    "forearm": _forearm,
    "cup": _cup,
    "cup_stays": _cup_stays,
    "clutter": _clutter,
    "glare": _glare,
    "focus_hunt": _effect("focus_hunt", 0.5, 1.8),
    "exposure_hunt": _effect("exposure_hunt", 0.8, 2.0),
    "lamp_switch": _effect("lamp_switch", 4, 12),
    "bump_camera": _bump("bump_camera"),
    "bump_table": _bump("bump_table"),
    "nudge": _nudge,
    "card_on_card": _card_on_card,
    "lift_and_return": _lift_and_return,
    "second_thoughts": _second_thoughts,
    "foreign_card": _foreign_card,
    "unknown_code": _unknown_code,
    "duplicate": _duplicate,
    "won_card_returns": _won_card_returns,
    "picture_freezes": _effect("picture_freezes", 2, 4),
    "picture_black": _effect("picture_black", 1, 3),
    "camera_stalls": _effect("camera_stalls", 2, 4),
    "tray_nudged": _tray_nudged,
    "bowl_on_tray": _bowl_on_tray,
    "pile_slips": _pile_slips,
    "lean_shadow": _lean_shadow,
}

"""The practice table: a camera like any other, whose pictures are made from a script.

Knows scripts and photographs; knows no clock: a frame's time is the script's, and nothing here
waits.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.cameras.port import Frame
from calibration.simulator.photograph import CameraModel, Sheet, Studio
from card_printables.marker import DISC_MM
from card_printables.token import TOKEN_MM, TRAY_WIDTH_MM
from companion.practice import things, weather
from companion.practice.acting.motion import Pose, Reach, Track
from companion.practice.hands import WIDTH_MM, hand_rgba, tip_offset_mm
from companion.practice.script import Script
from companion.practice.truth import Truth

_SHUTTER_S = 1 / 60
_STILL_MM = 0.25
_HELD_MM = 4.0
_ARM_SHADOW = 1.5
"""An arm is thicker than a sheet, so it keeps more light away."""


class PracticeTable:
    """A `Camera` that photographs a script; `truth` is what really happened."""

    name = "practice table"

    def __init__(
        self,
        script: Script,
        camera: CameraModel,
        cloth: str = "wood",
        seed: int = 0,
        fps: float = 10.0,
        idle_fps: float | None = None,
        codes: bool = True,
        straight: bool = False,
    ) -> None:
        """Set up the table.  While nobody touches it the camera may be slower: `idle_fps`. The cards
        have codes, or are as they were published, round or with `straight` edges.

        Raises:
            ValueError: there is no such cloth.
        """
        self.script = script
        self.fps = fps
        self.idle_fps = idle_fps
        self.camera = camera
        self._codes = codes
        self._straight = straight
        self._studio = Studio(camera, cloth, seed)
        self._number = 0
        self._frozen: tuple[float, np.ndarray] | None = None
        self._ahead: Frame | None = None
        self._dpi = 150 if camera.width_px <= 2000 else 250
        self._laid = self._still_life()

    @property
    def truth(self) -> Truth:
        """What really happens in the whole evening."""
        return self.script.truth

    @property
    def duration_s(self) -> float:
        """How long the evening lasts."""
        return self.script.duration_s

    def look_ahead(self) -> Frame | None:
        """The frame that `read` will give next."""
        self._ahead = self.read()
        return self._ahead

    def read(self) -> Frame | None:
        """The next frame, at once; None when the evening is over. While the camera stalls, its time
        jumps."""
        if self._ahead is not None:
            frame, self._ahead = self._ahead, None
            return frame
        t_s = self._number / self.fps
        while self._skipped(t_s):
            self._number += 1
            t_s = self._number / self.fps
        if t_s >= self.duration_s:
            return None
        frame = Frame(self.picture_at(t_s), t_s, self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Nothing to let go of."""

    def seek(self, t_s: float) -> None:
        """Let the next frame be the one at or after `t_s`."""
        self._ahead = None
        self._number = max(0, int(np.ceil(t_s * self.fps - 1e-9)))

    def picture_at(self, t_s: float) -> np.ndarray:
        """The picture (H, W, 3) uint8 BGR at any moment of the evening."""
        effects = self.script.effects_at(t_s)
        frozen = weather.frozen_since(effects)
        if frozen is not None:
            return self._frozen_picture(frozen)
        if weather.black(effects):
            return np.zeros((self.camera.height_px, self.camera.width_px, 3), np.uint8)
        self._studio.aim(self.camera_at(t_s))
        return self._studio.shoot(
            self.sheets_at(t_s), weather.exposure_at(self.script, t_s, self.camera)
        )

    def camera_at(self, t_s: float) -> CameraModel:
        """The camera with the pose that bumps have left it in: the exact truth of the picture at
        `t_s`."""
        return weather.bumped(self.camera, self.script.effects, t_s)

    def sheets_at(self, t_s: float) -> list[Sheet]:
        """Everything on the table at `t_s`, the lowest first."""
        lying = sorted(self._things_at(t_s), key=lambda item: item[0])
        hands = [self._hand(reach, t_s) for reach in self.script.hands_at(t_s)]
        glares = [
            self._glare(effect.at_mm, effect.amount)
            for effect in self.script.effects_at(t_s)
            if effect.kind == "glare"
        ]
        tray = self.script.tray_at(t_s)
        paper = [_sheet(things.tray_image(self._dpi), TRAY_WIDTH_MM, tray)] if tray else []
        shadows = [
            Sheet(
                things.shadow_image(round(10 * effect.amount)),
                things.SHADOW_MM,
                effect.at_mm,
                20.0,
                shadow=0.0,
                soft=True,
            )
            for effect in self.script.effects_at(t_s)
            if effect.kind == "lean_shadow"
        ]
        return [*paper, *self._laid, *(sheet for _, sheet in lying), *shadows, *hands, *glares]

    def _skipped(self, t_s: float) -> bool:
        """True for a frame that the camera does not give: it stalls, or the table is idle and
        another one does."""
        if weather.stalled(self.script.effects_at(t_s)):
            return True
        every = round(self.fps / self.idle_fps) if self.idle_fps else 1
        return bool(self._number % every) and self.script.idle(t_s)

    def _frozen_picture(self, since_s: float) -> np.ndarray:
        """The last picture before the camera froze, to the bit the same each time."""
        if self._frozen is None or self._frozen[0] != since_s:
            before = max(0.0, (np.ceil(since_s * self.fps) - 1) / self.fps)
            self._frozen = (since_s, self.picture_at(float(before)))
        return self._frozen[1].copy()

    def _still_life(self) -> list[Sheet]:
        """What never moves: tokens, the deck face down."""
        layout = self.script.layout
        laid = [
            _sheet(things.token_image(i, self._dpi), TOKEN_MM, pose)
            for i, pose in enumerate(layout.tokens)
        ]
        if layout.deck:
            layers = [
                replace(layout.deck, x_mm=layout.deck.x_mm + 0.5 * (i % 2), height_mm=2.0 * i + 1)
                for i in range(7)
            ]
            back, width_mm = things.back_image(self._dpi), DISC_MM
            if not self._codes:
                back, width_mm = things.plain_look(None, self._dpi, self._straight)
            laid += [_sheet(back, width_mm, pose) for pose in layers]
        return laid

    def _things_at(self, t_s: float) -> list[tuple[tuple[float, int, float, float], Sheet]]:
        """Each thing in sight with its place in the order from below: lying ones by layer
        and age, then what is held."""
        found = []
        for track in self.script.tracks:
            if not track.keys or t_s < track.keys[0].start_s:
                continue
            pose, since_s = track.at(t_s)
            if not pose.away:
                held = pose.height_mm if pose.height_mm > _HELD_MM else 0.0
                order = (held, pose.layer, since_s, pose.height_mm)
                found.append((order, self._thing(track, pose, t_s)))
        return found

    def _thing(self, track: Track, pose: Pose, t_s: float) -> Sheet:
        image, width_mm = things.look_of(
            track.thing, pose.up, self._dpi, self._codes, self._straight
        )
        later = track.at(t_s + _SHUTTER_S)[0]
        smear = _moved(pose.x_mm, pose.y_mm, later.x_mm, later.y_mm)
        return Sheet(
            image, width_mm, pose.point_mm, pose.turn_deg, pose.height_mm, pose.squash, smear
        )

    def _hand(self, reach: Reach, t_s: float) -> Sheet:
        arm = self.script.arms[reach.seat]
        (x, y), turn, shape = reach.at(t_s)
        later = reach.at(min(t_s + _SHUTTER_S, reach.end_s))[0]
        bare = Sheet(
            hand_rgba(arm, shape),
            WIDTH_MM * arm.size,
            (x, y),
            turn,
            reach.height_mm,
            soft=True,
            shadow=_ARM_SHADOW,
        )
        centre = bare.point_mm(np.array([tip_offset_mm(arm)]))[0]
        return replace(
            bare, centre_mm=(float(centre[0]), float(centre[1])), smear_mm=_moved(x, y, *later)
        )

    def _glare(self, at_mm: tuple[float, float], amount: float) -> Sheet:
        return Sheet(
            things.glare_image(round(10 * abs(amount))),
            things.GLARE_MM,
            at_mm,
            30.0,
            soft=True,
            glow=True,
        )


def _sheet(image: np.ndarray, width_mm: float, pose: Pose) -> Sheet:
    return Sheet(image, width_mm, pose.point_mm, pose.turn_deg, pose.height_mm)


def _moved(x: float, y: float, later_x: float, later_y: float) -> tuple[float, float]:
    dx, dy = later_x - x, later_y - y
    return (dx, dy) if abs(dx) + abs(dy) > _STILL_MM else (0.0, 0.0)

"""What befalls the picture: light, focus, bumps, and a camera that fails.

Knows effects and cameras; knows nothing of cards.
"""

from __future__ import annotations

from dataclasses import replace
from math import cos, exp, pi, sin

from calibration.simulator.photograph import STEADY, CameraModel, Exposure
from companion.practice.acting.stage import Effect
from companion.practice.script import Script

_BUMP_MM = 7.0
_BUMP_DEG = 0.8
_SWAYS = ((2.2, 0.37, 0.0), (1.1, 1.13, 1.0), (0.5, 3.7, 2.0))
"""A phone on a bendy arm: pixels (of 1920 across), swings a second, phase; three that never come
round together."""
_MAINS_PHASE_HZ = 1.7
"""How fast the rolling band of mains flicker runs: the beat of 100 Hz light with a camera's 30
pictures a second."""


def stalled(effects: tuple[Effect, ...]) -> bool:
    """True while the camera gives no picture."""
    return any(effect.kind == "camera_stalls" for effect in effects)


def black(effects: tuple[Effect, ...]) -> bool:
    """True while the camera gives black pictures."""
    return any(effect.kind == "picture_black" for effect in effects)


def frozen_since(effects: tuple[Effect, ...]) -> float | None:
    """When the picture froze, or None while it lives."""
    return next((effect.start_s for effect in effects if effect.kind == "picture_freezes"), None)


def bumped(camera: CameraModel, effects: tuple[Effect, ...], t_s: float) -> CameraModel:
    """The camera's pose after all bumps up to `t_s`, still swinging when the last is young."""
    for effect in effects:
        if effect.kind in ("bump_camera", "bump_table") and t_s >= effect.start_s:
            camera = _pushed(
                camera, effect, _swing((t_s - effect.start_s) / (effect.end_s - effect.start_s))
            )
    return camera


def _swing(share: float) -> float:
    """From 0 to exactly 1 with an overshoot that dies away."""
    return 1.0 if share >= 1 else 1 - (1 - share) * exp(-3 * share) * cos(4 * pi * share)


def _pushed(camera: CameraModel, effect: Effect, share: float) -> CameraModel:
    x, y = camera.aim_mm
    reach = _BUMP_MM * abs(effect.amount) * share
    turn = _BUMP_DEG * effect.amount * share
    return replace(
        camera,
        aim_mm=(x + effect.at_mm[0] * reach, y + effect.at_mm[1] * reach),
        azimuth_deg=camera.azimuth_deg + turn * (0.5 if effect.kind == "bump_camera" else 1.0),
    )


def exposure_at(script: Script, t_s: float, camera: CameraModel) -> Exposure:
    """How this moment's picture is exposed; exactly `STEADY` when nothing is the matter."""
    size = camera.width_px / 1920
    exposure = _evening(script, t_s, size)
    if script.exposure_follows:
        exposure = replace(exposure, gain=exposure.gain * _metered(script, t_s))
    for effect in script.effects_at(t_s):
        share = (t_s - effect.start_s) / (effect.end_s - effect.start_s)
        exposure = _suffered(exposure, effect, share, size)
    return exposure


_METERS_S = 0.35
"""How fast auto-exposure follows what comes into view."""


def _metered(script: Script, t_s: float) -> float:
    """How auto-exposure answers the hands in view: a dark sleeve makes the picture brighter, a pale
    one darker."""
    gain = 1.0
    for reach in script.reaches:
        if reach.start_s < t_s < reach.end_s + 4 * _METERS_S:
            came = 1 - exp(-(min(t_s, reach.end_s) - reach.start_s) / _METERS_S)
            gone = exp(-max(0.0, t_s - reach.end_s) / _METERS_S)
            arm = script.arms[reach.seat]
            light = sum(arm.sleeve or arm.skin) / 3
            gain *= 1 + (0.24 if light < 110 else -0.16) * came * gone
    return min(max(gain, 0.7), 1.4)


def _evening(script: Script, t_s: float, size: float) -> Exposure:
    """Dusk, mains flicker and a swaying stand last the whole evening."""
    exposure = STEADY
    if script.shaky:
        exposure = replace(exposure, shift_px=_sway(t_s, size))
    if script.dusk:
        share = t_s / script.duration_s
        exposure = replace(
            exposure,
            gain=1 - 0.62 * share,
            noise=1 + 1.2 * share,
            tint_bgr=(1 + 0.1 * share, 1, 1 - 0.06 * share),
        )
    if script.flicker:
        beat = 1 + 0.02 * sin(11 * t_s)
        exposure = replace(
            exposure, band=(0.05, (t_s * _MAINS_PHASE_HZ) % 1), gain=exposure.gain * beat
        )
    return exposure


def _sway(t_s: float, size: float) -> tuple[float, float]:
    """How far a swaying camera's picture is off; turning by a hair moves a picture as a whole."""
    x = sum(reach * sin(2 * pi * often * t_s + phase) for reach, often, phase in _SWAYS)
    y = sum(
        reach * sin(2 * pi * 0.83 * often * t_s + 2 * phase + 1) for reach, often, phase in _SWAYS
    )
    return size * x, 0.6 * size * y


def _suffered(exposure: Exposure, effect: Effect, share: float, size: float) -> Exposure:
    hump = sin(pi * min(max(share, 0), 1))
    if effect.kind == "focus_hunt":
        return replace(
            exposure, defocus_px=exposure.defocus_px + 5.5 * abs(effect.amount) * hump * size
        )
    if effect.kind == "exposure_hunt":
        return replace(exposure, gain=exposure.gain * 2 ** (1.6 * effect.amount * hump))
    if effect.kind == "lamp_switch":
        dim = effect.amount > 0
        return replace(
            exposure,
            gain=exposure.gain * (0.5 if dim else 1.12),
            lean=(0.5 * effect.amount, -0.2 * effect.amount),
            tint_bgr=(1.12, 1.0, 0.9) if dim else (0.9, 1.0, 1.05),
        )
    return exposure

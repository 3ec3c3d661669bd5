"""From light to a picture file's grey levels: exposure, noise, sharpening, JPEG.

Knows what sensors and webcams do to a picture; knows nothing of what is in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.simulator.camera_model import CameraModel, Point


@dataclass(frozen=True, slots=True)
class Exposure:
    """What differs from one picture to the next: `gain` of the light (1 = as set), `tint_bgr` on
    top of the camera's own, `lean` (share by which right and bottom are brighter), `defocus_px` and
    `shake_px` (blur of the whole picture), `shift_px` (how far the whole picture is off, as by a
    camera turned by a hair), `noise` as a multiple of the camera's, `band` (share and phase 0..1 of
    mains flicker's rolling band)."""

    gain: float = 1.0
    tint_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    lean: Point = (0.0, 0.0)
    defocus_px: float = 0.0
    shake_px: Point = (0.0, 0.0)
    shift_px: Point = (0.0, 0.0)
    noise: float = 1.0
    band: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Grain:
    """One picture's noise: where in the stock it begins, and whether it is taken away instead of
    added."""

    x_px: int
    y_px: int
    flipped: bool


STEADY = Exposure()
_NOISE_SPARE_PX = 96
_NOISE_STEPS = 20
_BANDS_A_PICTURE = 2.5


class Developer:
    """Turns a camera's signal into its pictures; keeps a stock of noise, so that a picture costs no
    random numbers."""

    def __init__(self, camera: CameraModel, seed: int) -> None:
        self._camera = camera
        self._rng = np.random.default_rng([seed, 77])
        self._noise = _noise_stock(camera, self._rng)
        self._scaled = (0, np.zeros((0, 0, 3), np.int16))

    def signal(self, light: np.ndarray) -> np.ndarray:
        """Grey levels (h, w, 3) float32, unclipped above, of linear light (h, w, 3) float32: gamma,
        then sharpening."""
        camera = self._camera
        levels = cv2.pow(
            np.maximum(light * np.float32(camera.exposure), 0), 1 / camera.gamma
        ) * np.float32(255)
        sharp: np.ndarray = np.maximum(_sharpened(levels, camera.sharpening), 0)
        return sharp

    def develop(self, signal: np.ndarray, exposure: Exposure) -> np.ndarray:
        """The picture (H, W, 3) uint8 BGR of a `signal` under an exposure that alters it."""
        return self._compressed(
            self._with_noise(self._altered(signal, exposure), self.grain(), exposure.noise)
        )

    def part(self, levels: np.ndarray, grain: Grain, corner_px: tuple[int, int]) -> np.ndarray:
        """A steady picture's part (h, w, 3) uint8 BGR of its `levels`, whose left top corner in the
        picture is told."""
        return self._compressed(self._with_noise(levels, grain, 1.0, corner_px))

    def grain(self) -> Grain:
        """Another picture's noise."""
        y, x = self._rng.integers(_NOISE_SPARE_PX, size=2)
        return Grain(int(x), int(y), bool(self._rng.random() < 0.5))

    def draw(self, below: int) -> int:
        """A random number from 0 to `below` - 1."""
        return int(self._rng.integers(below))

    def _altered(self, signal: np.ndarray, exposure: Exposure) -> np.ndarray:
        """Gains in linear light are gains of the signal too, by the root that gamma is."""
        root = np.float32(1 / self._camera.gamma)
        seen = _shifted(_blurred(signal, exposure.defocus_px, exposure.shake_px), exposure.shift_px)
        tint = (
            np.maximum(np.array(exposure.tint_bgr, np.float32) * np.float32(exposure.gain), 0)
            ** root
        )
        if exposure.lean == (0.0, 0.0) and not exposure.band[0]:
            return cv2.convertScaleAbs(cv2.multiply(seen, np.array([*tint, 1], float)))
        slope = _slope(seen.shape, exposure) ** root
        picture: np.ndarray = cv2.convertScaleAbs(seen * (slope[..., None] * tint))
        return picture

    def _with_noise(
        self, picture: np.ndarray, grain: Grain, factor: float, corner_px: tuple[int, int] = (0, 0)
    ) -> np.ndarray:
        if self._noise is None or factor <= 0:
            return picture
        h, w = picture.shape[:2]
        x, y = grain.x_px + corner_px[0], grain.y_px + corner_px[1]
        noise = self._stock(self._noise, factor)[y : y + h, x : x + w]
        laid = cv2.subtract if grain.flipped else cv2.add
        return laid(picture, noise, dtype=cv2.CV_8U)

    def _stock(self, noise: np.ndarray, factor: float) -> np.ndarray:
        """The stock of noise times a factor, to the nearest twentieth; the last one is kept."""
        step = round(factor * _NOISE_STEPS)
        if step == _NOISE_STEPS:
            return noise
        if self._scaled[0] != step:
            self._scaled = (step, np.rint(noise * np.float32(step / _NOISE_STEPS)).astype(np.int16))
        return self._scaled[1]

    def _compressed(self, picture: np.ndarray) -> np.ndarray:
        if self._camera.jpeg_quality is None:
            return picture
        sampling = (
            cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420
            if self._camera.chroma_halved
            else cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444
        )
        options = [
            cv2.IMWRITE_JPEG_QUALITY,
            self._camera.jpeg_quality,
            cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
            sampling,
        ]
        decoded = cv2.imdecode(cv2.imencode(".jpg", picture, options)[1], cv2.IMREAD_COLOR)
        assert decoded is not None, "OpenCV could not read its own JPEG"
        return decoded


def blur_of(camera: CameraModel) -> int:
    """The pixels round a place that the camera's own blur and sharpening reach."""
    return 3 + int(
        np.ceil(3 * camera.blur_px + max(abs(camera.motion_px[0]), abs(camera.motion_px[1])) / 2)
    )


def blurred_light(light: np.ndarray, camera: CameraModel) -> np.ndarray:
    """Linear light (h, w, 3) float32 after the camera's own focus blur and motion blur."""
    return _blurred(light, camera.blur_px, camera.motion_px)


def is_steady(exposure: Exposure) -> bool:
    """True when this exposure is as the camera was set: no pixel is altered but by the usual noise."""
    return replace(exposure, band=(exposure.band[0], 0.0)) == STEADY


def _noise_stock(camera: CameraModel, rng: np.random.Generator) -> np.ndarray | None:
    """Noise (H + spare, W + spare, 3) int16 as a colour sensor's, interpolated and sharpened, sigma
    `camera.noise`."""
    if camera.noise <= 0:
        return None
    shape = (camera.height_px + _NOISE_SPARE_PX, camera.width_px + _NOISE_SPARE_PX)
    shared = rng.standard_normal(shape, dtype=np.float32)[..., None]
    own = rng.standard_normal((*shape, 3), dtype=np.float32) * np.float32(0.8)
    grain = cv2.GaussianBlur(shared + own, (3, 3), 0.5)
    grain = _sharpened(grain, camera.sharpening)
    noise: np.ndarray = np.rint(grain * np.float32(camera.noise / grain.std())).astype(np.int16)
    return noise


def _sharpened(levels: np.ndarray, amount: float) -> np.ndarray:
    if amount <= 0:
        return levels
    return cv2.addWeighted(levels, 1 + amount, cv2.GaussianBlur(levels, (5, 5), 1.0), -amount, 0)


def _blurred(light: np.ndarray, sigma_px: float, motion_px: Point) -> np.ndarray:
    if sigma_px > 0.05:
        side = 2 * int(np.ceil(3 * sigma_px)) + 1
        light = cv2.GaussianBlur(light, (side, side), sigma_px)
    if motion_px != (0.0, 0.0):
        light = cv2.filter2D(light, -1, _line(motion_px))
    return light


def _shifted(signal: np.ndarray, by_px: Point) -> np.ndarray:
    """The signal (h, w, 3) float32 moved by (right, down) px, its edges drawn out."""
    if by_px == (0.0, 0.0):
        return signal
    move = np.array([[1, 0, by_px[0]], [0, 1, by_px[1]]])
    return cv2.warpAffine(
        signal, move, signal.shape[1::-1], flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )


def _line(motion_px: Point) -> np.ndarray:
    """A kernel that averages along a line of `motion_px`, float32, sum 1."""
    reach = int(np.ceil(max(abs(motion_px[0]), abs(motion_px[1])) / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, 8 * reach + 1):
        x, y = reach + share * motion_px[0], reach + share * motion_px[1]
        left, top = int(np.floor(x)), int(np.floor(y))
        for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
            weight = (1 - abs(x - left - dx)) * (1 - abs(y - top - dy))
            if weight > 1e-9:
                kernel[top + dy, left + dx] += weight
    summing_to_one: np.ndarray = kernel / kernel.sum()
    return summing_to_one


def _slope(shape: tuple[int, ...], exposure: Exposure) -> np.ndarray:
    """How light changes over the picture, (H, W) float32, or (H, 1) where it is the same from left
    to right."""
    y = np.linspace(-0.5, 0.5, shape[0], dtype=np.float32)[:, None]
    share, phase = exposure.band
    band = np.float32(share) * np.sin(2 * np.pi * (y * _BANDS_A_PICTURE + np.float32(phase)))
    slope = 1 + np.float32(exposure.lean[1]) * y + band
    if exposure.lean[0]:
        slope = (
            slope
            + np.float32(exposure.lean[0])
            * np.linspace(-0.5, 0.5, shape[1], dtype=np.float32)[None, :]
        )
    steepness: np.ndarray = np.maximum(slope, np.float32(0.05))
    return steepness

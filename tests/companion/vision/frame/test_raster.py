"""The raster: the lens is followed to a fraction of a pixel, and small moves of the camera keep the
maps."""

from __future__ import annotations

import numpy as np

from companion.vision.frame.raster import Raster, shrink_factor, watched_bounds_mm


class Lens:
    """Straight from above with a strong lens; `shift` moves the picture by so many pixels."""

    width_px, height_px = 1280, 720

    def __init__(self, shift: float = 0.0) -> None:
        self.shift = shift

    def to_px(self, points: np.ndarray) -> np.ndarray:
        u = (np.asarray(points, dtype=float) - (400, 225)) / 560
        return u * (1 - 0.15 * (u**2).sum(axis=1, keepdims=True)) * 900 + (640 + self.shift, 360)

    def to_mm(self, points: np.ndarray) -> np.ndarray:
        d = (np.asarray(points, dtype=float) - (640 + self.shift, 360)) / 900
        u = d.copy()
        for _ in range(20):
            u = d / (1 - 0.15 * (u**2).sum(axis=1, keepdims=True))
        return u * 560 + (400, 225)


def test_the_lens_is_followed_between_the_lattice_points() -> None:
    """A picture of x coordinates, rectified, is off by less than 0.1 px anywhere on the table."""
    raster, plane = Raster((0.0, 0.0, 800.0, 450.0), 2.0), Lens()
    raster.follow_plane(plane, 1.0)
    across = np.tile(np.arange(1280, dtype=np.float32), (720, 1))
    got = raster.sample_picture(across, slice(None), slice(None))
    y, x = np.mgrid[0 : raster.height, 0 : raster.width]
    want = plane.to_px(np.stack([x.ravel() * 2.0, y.ravel() * 2.0], axis=1))[:, 0].reshape(
        got.shape
    )
    assert np.abs(got - want)[raster.inside].max() < 0.1


def test_a_trembling_plane_keeps_its_maps_and_a_bumped_one_does_not() -> None:
    """A plane a tenth of a pixel off is the same plane; two pixels off is another."""
    raster = Raster((0.0, 0.0, 800.0, 450.0), 2.0)
    assert raster.follow_plane(Lens(), 1.0)
    assert not raster.follow_plane(Lens(0.1), 1.0)
    assert raster.follow_plane(Lens(2.0), 1.0)


def test_the_watched_part_is_what_the_picture_shows() -> None:
    """Without tokens the bounds are the picture's own footprint, and a 2 mm raster shrinks the
    picture threefold."""
    x0, y0, x1, y1 = watched_bounds_mm(Lens())
    assert x0 < 10
    assert x1 > 790
    assert y1 - y0 < 700
    assert shrink_factor(Lens(), (x0, y0, x1, y1), 2.0) == 3

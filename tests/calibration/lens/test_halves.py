"""The expert page: lazy views are refused though their residual is small; good ones are accepted
and right."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.lens.halves import SheetView, calibrate_lens, residual_picture

SIZE = (1920, 1080)
MATRIX = np.array([[1400.0, 0, 955], [0, 1400, 548], [0, 0, 1]])
LENS = np.array([-0.12, 0.04, 0, 0, 0])
TARGET = np.stack(
    np.meshgrid(np.arange(8) * 30.0 - 105, np.arange(5) * 30.0 - 60), axis=-1
).reshape(-1, 2)


def _views(
    count: int, tilt_deg: float, near_mm: float, far_mm: float, aside: float, seed: int
) -> list[SheetView]:
    rng = np.random.default_rng(seed)
    views = []
    while len(views) < count:
        turn = np.radians(rng.uniform(-tilt_deg, tilt_deg, 3))
        depth = rng.uniform(near_mm, far_mm)
        shift = np.array([*rng.uniform(-aside, aside, 2) * depth * [0.5, 0.3], depth])
        px = cv2.projectPoints(
            np.column_stack([TARGET, np.zeros(len(TARGET))]), turn, shift, MATRIX, LENS
        )[0].reshape(-1, 2)
        inside = ((px > 5) & (px < np.array(SIZE) - 5)).all(axis=1)
        if inside.sum() >= 16:
            views.append(
                SheetView(TARGET[inside], px[inside] + rng.normal(0, 0.06, (int(inside.sum()), 2)))
            )
    return views


def test_a_good_dance_is_accepted_and_right() -> None:
    """Near, tilted, in all corners: focal length right to 0.2 per cent, halves within 1 px."""
    report = calibrate_lens(_views(24, 42, 260, 520, 1.0, 1), SIZE)
    assert report.accepted
    assert report.matrix[0, 0] == pytest.approx(1400, rel=0.002)


def test_lazy_views_are_refused_though_their_residual_is_small() -> None:
    """Facing, in the middle, from afar: fits to 0.07 px and is useless; the halves tell."""
    for seed in range(4):
        report = calibrate_lens(_views(10, 4, 500, 700, 0.1, seed), SIZE)
        assert report.rms_px < 0.1
        assert not report.accepted
        assert "not known" in report.says


def test_too_few_views_say_how_many_more() -> None:
    """Five views: three more."""
    with pytest.raises(ValueError, match="3 more times"):
        calibrate_lens(_views(5, 40, 260, 520, 1.0, 3), SIZE)


def test_the_residuals_can_be_looked_at() -> None:
    """An arrow picture of the camera's size with ink in it."""
    report = calibrate_lens(_views(8, 42, 260, 520, 1.0, 4), SIZE)
    picture = residual_picture(report.residuals_px, SIZE)
    assert picture.shape == (1080, 1920, 3)
    assert (picture < 200).any()

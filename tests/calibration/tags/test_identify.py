"""Words told from a square's light as a whole."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.tags.find import TABLE_TAGS
from calibration.tags.identify import WordPatterns, identified

FAMILY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
PATTERNS = WordPatterns.of(FAMILY)
SQUARE = np.array([(60.0, 40.0), (75.0, 43.0), (73.0, 56.0), (58.0, 52.0)])
"""A tag of 14 px, 1.8 px a module, seen from the side."""


def seen(inner: np.ndarray) -> np.ndarray:
    """A blurred, noisy picture (100, 130) uint8 of a tag with these modules (6, 6), 1 is white."""
    printed = np.ones((10, 10), np.float32)
    printed[1:9, 1:9] = 0
    printed[2:8, 2:8] = inner
    large, fine = np.kron(printed, np.ones((16, 16), np.float32)), 4
    at = np.array([(16, 16), (144, 16), (144, 144), (16, 144)], np.float32) - 0.5
    turn = cv2.getPerspectiveTransform(at, ((SQUARE + 0.5) * fine - 0.5).astype(np.float32))
    whole = cv2.warpPerspective(large, turn, (130 * fine, 100 * fine), borderValue=0.7)
    small = cv2.resize(cv2.GaussianBlur(whole, (0, 0), 0.6 * fine), (130, 100), None, 0, 0, cv2.INTER_AREA)  # fmt: skip
    rng = np.random.default_rng(5)
    return np.clip(40 + 150 * small + rng.normal(0, 3, small.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("word", [0, 101, 586])
@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_a_small_slanted_tag_is_told_with_its_first_corner(word: int, turn: int) -> None:
    """From a guess half a pixel off, whichever corner it began with, beside 586 other words."""
    inner = cv2.aruco.Dictionary.getBitsFromByteList(FAMILY.bytesList[word : word + 1], 6)
    guess = np.roll(SQUARE + np.array([0.4, -0.3]), turn, axis=0)
    found = identified(seen(inner), guess[None], PATTERNS)
    assert [name for name, _ in found][:1] == [word]
    assert np.abs(found[0][1] - SQUARE).max() < 1.0


def test_other_squares_show_no_word() -> None:
    """Random modules in a tag's border are none of the table set's; nor a black square, nor a bare
    table."""
    rng = np.random.default_rng(6)
    pictures = [seen(rng.integers(0, 2, (6, 6)).astype(np.float32)) for _ in range(60)]
    pictures += [seen(np.zeros((6, 6), np.float32)), np.full((100, 130), 120, np.uint8)]
    found = [word for p in pictures for word, _ in identified(p, SQUARE[None], PATTERNS)]
    assert not set(found) & TABLE_TAGS


def test_no_squares_and_squares_beyond_the_picture_are_no_trouble() -> None:
    """Nothing is found there."""
    grey = np.full((100, 130), 120, np.uint8)
    assert identified(grey, np.zeros((0, 4, 2)), PATTERNS) == []
    assert identified(grey, SQUARE[None] + 4000, PATTERNS) == []
    assert identified(grey, np.zeros((1, 4, 2)), PATTERNS) == []


def test_hundreds_of_squares_are_no_trouble() -> None:
    """A cloth of checks beside one tag: the tag is told."""
    inner = cv2.aruco.Dictionary.getBitsFromByteList(FAMILY.bytesList[101:102], 6)
    shifts = np.random.default_rng(8).uniform(-1, 1, (500, 1, 2))
    found = identified(seen(inner), SQUARE + shifts, PATTERNS)
    assert {word for word, _ in found} == {101}

"""Card backs: one look is enough, at any turn; a face is none; JSON keeps them."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from companion.vision.frame.log_colour import LogColour
from companion.vision.frame.raster import shrunk_picture
from companion.vision.places import backs
from companion.vision.places.backs import Back, is_back, learn_back, polar_colours


class Flat:
    """Straight from above, two pixels a millimetre."""

    width_px = height_px = 400

    def to_px(self, points: np.ndarray) -> np.ndarray:
        return np.asarray(points, dtype=float) * 2

    def to_mm(self, points: np.ndarray) -> np.ndarray:
        return np.asarray(points, dtype=float) / 2


def picture(kind: str, turn_deg: float = 0.0, light: float = 1.0) -> np.ndarray:
    rng = np.random.default_rng({"plain": 1, "colourful": 2, "face": 3}[kind])
    art = np.full((170, 170, 3), (140, 60, 90), np.float32)
    if kind == "colourful":
        art = cv2.resize(
            rng.uniform(40, 220, (6, 6, 3)).astype(np.float32),
            (170, 170),
            interpolation=cv2.INTER_CUBIC,
        )
    if kind == "face":
        art[:] = (225, 180, 130)
        cv2.circle(art, (85, 70), 40, (245, 243, 240), -1)
        cv2.rectangle(art, (65, 115), (105, 155), (240, 240, 240), -1)
    art = cv2.warpAffine(
        art,
        cv2.getRotationMatrix2D((84.5, 84.5), turn_deg, 1),
        (170, 170),
        borderMode=cv2.BORDER_REFLECT,
    )
    image = np.full((400, 400, 3), (80, 110, 140), np.float32)
    y, x = np.mgrid[:170, :170] - 84.5
    disc = np.hypot(x, y) < 85
    image[115:285, 115:285][disc] = art[disc]
    image = image * light + rng.normal(0, 3, image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


def seen(image: np.ndarray) -> LogColour:
    return polar_colours(shrunk_picture(image, 1), 1.0, Flat(), (100.0, 100.0))


@pytest.mark.parametrize("kind", ["plain", "colourful"])
@pytest.mark.parametrize("turn", [0.0, 37.0, 171.0])
def test_a_back_seen_once_is_known_at_any_turn_and_light(kind: str, turn: float) -> None:
    """A back learnt in one look is recognised turned and a third darker; a face is not taken for
    it."""
    back = learn_back(picture(kind), Flat(), (100.0, 100.0))
    assert is_back(back, seen(picture(kind, turn)))
    assert is_back(back, seen(picture(kind, turn, 0.7)))
    assert not is_back(back, seen(picture("face", turn)))


def test_one_back_is_not_another() -> None:
    """A plain back is not taken for a colourful one, nor the other way round."""
    plain, colourful = (
        learn_back(picture(kind), Flat(), (100.0, 100.0)) for kind in ("plain", "colourful")
    )
    assert not is_back(plain, seen(picture("colourful")))
    assert not is_back(colourful, seen(picture("plain")))


def test_json_keeps_a_back_and_refuses_what_is_none() -> None:
    """A back survives JSON; a torn one is refused with a sentence."""
    back = learn_back(picture("colourful"), Flat(), (100.0, 100.0))
    data = json.loads(json.dumps(back.to_json()))
    assert is_back(Back.from_json(data), seen(picture("colourful", 90.0)))
    with pytest.raises(ValueError, match="13 by 96"):
        Back.from_json({**data, "u": [1, 2]})


@pytest.mark.parametrize("which", [0, 1], ids=["as printed now", "as printed before"])
def test_our_own_printed_backs_are_known_from_the_start(which: int) -> None:
    """Both printed backs are recognised without being learnt, also under a warmer lamp."""
    own = backs.printed_backs()[which]
    warm = LogColour(own.colour.brightness - 0.2, own.colour.blue - 0.1, own.colour.red + 0.08)
    assert is_back(
        own,
        LogColour(*(np.roll(part, 31, axis=1) for part in (warm.brightness, warm.blue, warm.red))),
    )
    assert not is_back(own, seen(picture("face")))

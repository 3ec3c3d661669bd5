"""Without tokens the table is learnt from what was seen of it before the first card told where
anything lies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from calibration.cameras.port import Frame
from calibration.simulator.photograph import CameraModel, Exposure, Sheet, Studio
from card_printables.marker import SYMBOL_MM
from card_printables.output.piece_pictures import face_rgba
from companion.table.sighting import Glimpse, PlaceState
from companion.vision.eye import Eye
from companion.vision.frame.sharpness import Sharpness

SPOTS = {
    card: (-170.0 + 112.0 * (i % 4), -50.0 + 100.0 * (i // 4))
    for i, card in enumerate((7, 12, 33, 48, 50, 61, 72, 80))
}
CAMERA = CameraModel(1280, 720, tilt_deg=18.0, focal_px=1000.0, distance_mm=620.0)
FPS = 4.0


class Table:
    """An eye at a table without tokens; `see` shows it some cards for some seconds."""

    def __init__(self, cloth: str) -> None:
        self.studio, self.eye, self.number = Studio(CAMERA, cloth, 3), Eye(), 0
        self.exposure = Exposure()

    def see(self, cards: Sequence[int], seconds: float) -> Glimpse:
        """The last of the glimpses."""
        for _ in range(round(seconds * FPS)):
            frame = Frame(self.shot(cards), self.number / FPS, self.number)
            glimpse, self.number = self.eye.read_frame(frame).glimpse, self.number + 1
        return glimpse

    def shot(self, cards: Sequence[int]) -> np.ndarray:
        """A picture of these cards."""
        sheets = [
            Sheet(face_rgba(card, symbol_mm=SYMBOL_MM, dpi=100), 85.0, SPOTS[card], 50.0 * card)
            for card in cards
        ]
        return self.studio.shoot(sheets, self.exposure)


@pytest.mark.parametrize("cloth", ["wood", "checked", "white"])
def test_each_card_of_the_first_round_is_seen_to_leave(cloth: str) -> None:
    """Laid one after the other, with no tokens about, and taken away one by one: within a second
    its place is bare table, and nothing is said of the others but that they lie there."""
    table, laid = Table(cloth), list(SPOTS)[:4]
    table.see([], 2.0)
    for some in range(1, len(laid) + 1):
        glimpse = table.see(laid[:some], 1.0)
    assert {s.card for s in glimpse.sightings} == set(laid)
    for gone in range(1, len(laid)):
        states = {place.card: place.state for place in table.see(laid[gone:], 1.0).places}
        assert all(states[card] is PlaceState.TABLE for card in laid[:gone])
        assert all(states[card] is PlaceState.MARKER for card in laid[gone:])


def test_no_place_is_called_bare_on_a_table_never_seen_without_cards() -> None:
    """While they all lie there, each shows its own marker and nothing else is said."""
    table, laid = Table("wood"), list(SPOTS)
    assert {place.card: place.state for place in table.see(laid, 4.0).places} == dict.fromkeys(
        laid, PlaceState.MARKER
    )


def test_a_plain_cloth_is_not_taken_for_a_blurred_picture_when_its_cards_go() -> None:
    """Eight cards on a white cloth and then none, no tokens: each picture is trusted, and each
    place seen to be bare."""
    table = Table("white")
    table.see([], 2.0)
    for some in range(1, len(SPOTS) + 1):
        assert table.see(list(SPOTS)[:some], 0.75).usable
    bare = table.see([], 1.0)
    assert bare.usable
    assert {place.card: place.state for place in bare.places} == dict.fromkeys(
        SPOTS, PlaceState.TABLE
    )


def test_a_picture_out_of_focus_is_not_trusted_where_the_cloth_has_a_pattern() -> None:
    """Without tokens and without a marker read, the cloth's own pattern tells."""
    table = Table("checked")
    table.see([], 2.0)
    table.see(list(SPOTS)[:4], 2.0)
    assert table.see([], 1.5).usable
    table.exposure = Exposure(defocus_px=4.0)
    assert not table.see([], 0.5).usable


def test_cards_that_lay_there_unread_spoil_a_plain_cloth_for_a_moment_only() -> None:
    """Eight cards in which no marker was read, then the bare white cloth: after 20 looks the
    picture is trusted again."""
    table, sharpness = Table("white"), Sharpness()
    shots = [table.shot(list(SPOTS)), *(table.shot([]) for _ in range(20))]
    words = [sharpness.judge_sharpness(shot, None, False) for shot in shots]
    assert "blurred" in words
    assert not words[-1]

"""Waiting for the deal: when as many cards as a round has have come and gone, a round went by."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.dealing.deal_watch import DealWatch
from companion.table.sighting import Glimpse

DEAL = 5


def _watched(counts: Sequence[int]) -> DealWatch:
    """So many cards lay there, three looks each, four a second."""
    watch = DealWatch(DEAL)
    looks = [count for count in counts for _ in range(3)]
    for number, count in enumerate(looks):
        watch.observe_glimpse(Glimpse(number / 4, unnamed=count))
    return watch


@pytest.mark.parametrize(
    ("counts", "missed"),
    [
        ((1, 3, 5, 4, 2, 0), True),
        ((1, 4, 6, 5, 3, 1), True),
        ((1, 4, 6, 5, 3, 2), False),
        ((1, 4, 6, 5), False),
        ((1, 2, 1), False),
    ],
    ids=["a round", "beside something that stays", "one still lies", "one taken back", "a start"],
)
def test_a_round_that_went_is_missed_though_something_stays(
    counts: tuple[int, ...], missed: bool
) -> None:
    """A mug, or whatever is taken for a card, lies on when the cards of the round have gone."""
    assert _watched(counts).missed is missed

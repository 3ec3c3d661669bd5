"""Faint cards: what one picture cannot name, several name together."""

from __future__ import annotations

import numpy as np

from companion.vision.codes.detection import Expected
from companion.vision.codes.reader import Reader
from companion.vision.codes.temporal_vote import (
    AGREEING_PICTURES,
    FORGET_VOTE_S,
    MOST_TRIES,
    TemporalVote,
)
from tests.support.reader_pictures import Disc, card, photograph, view

NONE: frozenset[int] = frozenset()


def at(number: int, x: float = 100.0) -> Expected:
    return Expected(number, ((x, 50), (x + 16, 50), (x + 16, 66), (x, 66)))


def agreeing(looks: int, *hints: Expected) -> TemporalVote:
    told = TemporalVote()
    for look in range(looks):
        told.observe_faint(hints, NONE, 0.2 * look)
    return told


def test_enough_pictures_that_agree_make_a_card_expected() -> None:
    """One picture short of enough nobody believes the hint; with the last one it is to be confirmed
    there."""
    assert agreeing(AGREEING_PICTURES - 1, at(17)).agreed == ()
    assert agreeing(AGREEING_PICTURES, at(17)).agreed == (at(17),)


def test_another_name_at_the_place_starts_over() -> None:
    """Two names for one place are none: the count begins anew with the later one."""
    told = agreeing(AGREEING_PICTURES - 1, at(17))
    told.observe_faint([at(18)], NONE, 1.0)
    told.observe_faint([at(17)], NONE, 1.2)
    assert told.agreed == ()


def test_a_card_hinted_at_elsewhere_starts_over() -> None:
    """A hand carries the card on: what was counted at the old place does not count at the new one."""
    told = agreeing(AGREEING_PICTURES - 1, at(17))
    told.observe_faint([at(17, 300.0)], NONE, 1.0)
    assert told.agreed == ()


def test_a_card_that_was_read_is_no_hint_any_more() -> None:
    """Named for certain, it is no longer expected on a hint's word; and hints not seen again are
    forgotten."""
    told = agreeing(AGREEING_PICTURES, at(17), at(30, 300.0))
    told.observe_faint([], frozenset({17}), 1.0)
    assert told.agreed == (at(30, 300.0),)
    told.observe_faint([], NONE, 1.0 + FORGET_VOTE_S)
    assert told.agreed == ()


def test_the_search_round_a_hint_ends() -> None:
    """A place that goes on hinting and never tells is not searched again for ever."""
    told = agreeing(1, at(17))
    assert all(told.boxes_to_search() for _ in range(MOST_TRIES))
    assert told.boxes_to_search() == ()


def test_faint_cards_are_named_together() -> None:
    """At 0.8 px a module in hard light single pictures name few of twelve cards, eight pictures
    together at least half as many again and three more, and none wrongly."""
    rng, seen = np.random.default_rng(20261121), view(0.8)
    numbers = [int(n) for n in rng.choice(np.arange(1, 81), 12, replace=False)]
    places = [(x, y) for x in (-150, -50, 50, 150) for y in (-95, 0, 95)]
    discs: list[Disc] = [
        card(n, x, y, rng.uniform(0, 360)) for n, (x, y) in zip(numbers, places, strict=True)
    ]
    reader, told, single, together = Reader(), TemporalVote(), list[int](), set[int]()
    for look in range(8):
        picture = photograph(seen, discs, "hard", seed=700 + look)
        single.append(len(reader.read_codes(picture, seen).cards))
        reading = reader.read_codes(picture, seen, told.agreed)
        told.observe_faint(reading.faint, frozenset(reading.cards), 0.15 * look)
        together |= set(reading.cards)
    assert together <= set(numbers)
    assert len(together) >= max(1.5 * np.median(single), np.median(single) + 3)

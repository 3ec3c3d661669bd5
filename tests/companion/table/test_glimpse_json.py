"""A recorded glimpse comes back as it was."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.glimpse_json import HAD_LEFT_SCORE, glimpse_from_dict, glimpse_to_dict
from companion.table.sighting import (
    Deal,
    DealtCard,
    Glimpse,
    Hand,
    PictureReport,
    PictureSays,
    PlaceReport,
    PlaceState,
    Sighting,
    TableView,
)

hundredths = st.integers(-90000, 90000).map(lambda n: n / 100)
points = st.tuples(hundredths, hundredths)
polygons = st.lists(points, min_size=3, max_size=5).map(tuple)
sightings = st.builds(
    Sighting,
    st.integers(1, 99),
    points,
    st.integers(0, 3599).map(lambda n: n / 10),
    polygons,
    st.just(0.5),
)
bare_glimpses = st.builds(
    Glimpse,
    t_s=st.integers(0, 10**7).map(lambda n: n / 1000),
    sightings=st.lists(sightings, max_size=3).map(tuple),
    places=st.lists(
        st.builds(PlaceReport, st.integers(1, 99), points, st.sampled_from(PlaceState)), max_size=3
    ).map(tuple),
    backs_mm=st.lists(points, max_size=2).map(tuple),
    hands=st.lists(st.builds(Hand, points, st.none() | st.just(90.0)), max_size=2).map(tuple),
    table=st.none() | st.builds(TableView, st.none() | polygons, st.none() | polygons),
    usable=st.booleans(),
    unnamed=st.integers(0, 8),
    notices=st.lists(st.sampled_from(["mirrored", "twice:17"]), max_size=2).map(tuple),
    pictures=st.lists(
        st.builds(
            PictureReport,
            st.sampled_from(PictureSays),
            st.none() | st.integers(1, 99),
            points,
            st.integers(0, 3599).map(lambda n: n / 10),
            st.integers(0, 300).map(lambda n: n / 100),
        ),
        max_size=2,
    ).map(tuple),
    names=st.lists(st.tuples(st.integers(1000, 1099), st.integers(1, 99)), max_size=2).map(tuple),
)


@st.composite
def glimpses(draw: st.DrawFn) -> Glimpse:
    """Any glimpse; some reveal a deal of cards that it has sightings of."""
    glimpse = draw(bare_glimpses)
    one_unread, after_missed_round = draw(st.booleans()), draw(st.booleans())
    by_card = {s.card: s for s in glimpse.sightings}
    unread_s = st.integers(0, 900).map(lambda n: n / 100)
    cards = tuple(DealtCard(card, s.centre_mm, draw(unread_s)) for card, s in by_card.items())
    if not cards or not draw(st.booleans()):
        return glimpse
    gone = draw(st.sampled_from(cards))
    left = tuple(replace(dealt, had_left=dealt is gone) for dealt in cards)
    sightings = tuple(
        replace(s, score=HAD_LEFT_SCORE) if s.card == gone.card else s for s in glimpse.sightings
    )
    return replace(glimpse, sightings=sightings, deal=Deal(left, one_unread, after_missed_round))


@given(glimpses())
def test_a_glimpse_survives_its_line(glimpse: Glimpse) -> None:
    """What was written as a JSON line is read back equal."""
    assert glimpse_from_dict(json.loads(json.dumps(glimpse_to_dict(glimpse)))) == glimpse


OLD_LINE = {
    "v": 1,
    "t": 5.0,
    "seen": [[7, 1.0, 2.0, 0.0, 0.9, None], [8, 3.0, 4.0, 0.0, 0.0, None]],
    "notices": ["bumped", "revealed", "card_unread", "missed_round"],
}
"""As recordings were written before they said for how long each card had been unread."""


def test_the_deal_of_an_old_line_is_read() -> None:
    """The keys among the notices, and the score of a card that had left, become a deal."""
    glimpse = glimpse_from_dict(OLD_LINE)
    cards = (DealtCard(7, (1.0, 2.0)), DealtCard(8, (3.0, 4.0), had_left=True))
    assert glimpse.deal == Deal(cards, one_unread=True, after_missed_round=True)
    assert glimpse.notices == ("bumped",)
    assert glimpse_to_dict(glimpse)["notices"] == OLD_LINE["notices"]


BROKEN: list[dict[str, object]] = [
    {}, {"v": 1}, {"v": 1, "t": 0, "seen": [[1]]}, {"v": 99, "t": 0}, {"v": 1, "t": 0, "table": []},
]  # fmt: skip


@pytest.mark.parametrize("line", BROKEN)
def test_a_broken_line_is_refused_in_words(line: dict[str, object]) -> None:
    """A line that is not a glimpse raises one clear error."""
    with pytest.raises(ValueError, match=r"glimpse|newer|values"):
        glimpse_from_dict(line)

"""A recorded glimpse comes back as it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.glimpse_json import glimpse_from_dict, glimpse_to_dict
from companion.table.sighting import Glimpse, Hand, PlaceReport, PlaceState, Sighting, TableView

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
glimpses = st.builds(
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
    unread_s=st.lists(
        st.tuples(st.integers(1, 99), st.integers(0, 900).map(lambda n: n / 100)), max_size=2
    ).map(tuple),
)


@given(glimpses)
def test_a_glimpse_survives_its_line(glimpse: Glimpse) -> None:
    """What was written as a JSON line is read back equal."""
    assert glimpse_from_dict(json.loads(json.dumps(glimpse_to_dict(glimpse)))) == glimpse


BROKEN: list[dict[str, object]] = [
    {}, {"v": 1}, {"v": 1, "t": 0, "seen": [[1]]}, {"v": 99, "t": 0}, {"v": 1, "t": 0, "table": []},
]  # fmt: skip


@pytest.mark.parametrize("line", BROKEN)
def test_a_broken_line_is_refused_in_words(line: dict[str, object]) -> None:
    """A line that is not a glimpse raises one clear error."""
    with pytest.raises(ValueError, match=r"glimpse|newer|values"):
        glimpse_from_dict(line)

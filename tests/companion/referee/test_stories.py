"""Whole rounds as text pictures: what lies where, and what the referee must hold by then."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.picture import play, read

STORIES = sorted((Path(__file__).parents[2] / "stories").glob("*.txt"))


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_the_referee_tells_each_story_as_it_happened(path: Path) -> None:
    """At every `=>` of a story the referee holds exactly what is written there."""
    compared = play(read(path.read_text(encoding="utf-8")))
    assert compared
    for expected, said in compared:
        assert said == expected


@pytest.mark.parametrize("handling", ["auto"])
@pytest.mark.parametrize("name", ["plain-game", "second-thoughts", "face-down", "covered"])
def test_the_handling_is_found_out_by_itself(name: str, handling: str) -> None:
    """Nobody said how this table sets aside, and the stories come out the same."""
    path = Path(__file__).parents[2] / "stories" / f"{name}.txt"
    for expected, said in play(read(path.read_text(encoding="utf-8")), handling):
        assert said == expected

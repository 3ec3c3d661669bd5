"""Where new cards are searched for, and how often."""

from __future__ import annotations

from companion.vision.search_plan import FULL_SEARCH_EVERY_S, SETTLING_S, SearchPlan

BOX = (10, 20, 110, 120)


def searches(fps: float, moves_s: float) -> list[tuple[float, tuple[object, ...] | None]]:
    """What is searched in each picture after a first whole search, while something moves in `BOX`
    for so long."""
    plan = SearchPlan()
    plan.boxes_to_search(0.0)
    said = []
    for n in range(1, int(FULL_SEARCH_EVERY_S * fps)):
        t_s = n / fps
        if t_s <= moves_s:
            plan.note_motion([BOX], t_s)
        said.append((t_s, plan.boxes_to_search(t_s)))
    return said


def test_every_other_picture_is_searched_at_ten_a_second_and_each_at_five() -> None:
    """A moving hand does not make every picture cost a search; a slower camera loses none."""
    at_ten = [where for t_s, where in searches(10, 1.0) if t_s <= 1.0]
    assert [where == (BOX,) for where in at_ten] == [False, True] * 5
    at_five = [where for t_s, where in searches(5, 1.0) if t_s <= 1.0]
    assert at_five == [(BOX,)] * 5


def test_what_came_to_rest_is_searched_again_until_it_settled() -> None:
    """The last motion of all is searched too, more than once, and then no more."""
    after = [where for t_s, where in searches(10, 0.5) if t_s > 0.5]
    assert after.count((BOX,)) == 3
    assert all(where == () for where in after[round(SETTLING_S * 10) :])

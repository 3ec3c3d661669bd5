"""Notices for people: those that hold, not those of a card in flight."""

from __future__ import annotations

from companion.table.lasting_notices import Lasting


def told(times_s: list[float], says: dict[float, tuple[str, ...]]) -> dict[float, tuple[str, ...]]:
    """What is news at each time."""
    lasting = Lasting()
    return {t_s: lasting.news(says.get(t_s, ()), t_s) for t_s in times_s}


def test_a_card_in_flight_is_no_news() -> None:
    """A card seen twice in three pictures of a carrying hand is told to nobody."""
    times = [n / 8 for n in range(40)]
    assert not any(told(times, dict.fromkeys(times[4:7], ("twice:7",))).values())


def test_two_cards_that_lie_are_told_until_one_is_taken() -> None:
    """Seen by the searches at 0, 2 and 4 seconds only, it is told from the second on, and no longer
    2.5 s after the last."""
    news = told([n / 2 for n in range(16)], dict.fromkeys((0.0, 2.0, 4.0), ("twice:7",)))
    assert [t_s for t_s, keys in news.items() if keys == ("twice:7",)] == [
        2.0,
        2.5,
        3.0,
        3.5,
        4.0,
        4.5,
        5.0,
        5.5,
        6.0,
        6.5,
    ]


def test_other_notices_are_told_at_once_and_only_while_they_are_said() -> None:
    """A bump or a blurred picture is no card in flight."""
    assert told([0.0, 0.5, 1.0], {0.5: ("bumped", "blurred")}) == {
        0.0: (),
        0.5: ("bumped", "blurred"),
        1.0: (),
    }


def test_a_clock_set_back_starts_anew() -> None:
    """What was said at a later time counts for nothing."""
    lasting = Lasting()
    lasting.news(("mirrored",), 100.0)
    assert lasting.news(("mirrored",), 1.0) == ()
    assert lasting.news(("mirrored",), 2.0) == ("mirrored",)

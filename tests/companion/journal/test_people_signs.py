"""A person keeps their sign: in mid-game, next week, and whoever else is at the table."""

from __future__ import annotations

from pathlib import Path

from companion.journal.people_signs import FILE, PeopleSigns, signs_at_table
from tests.support.kept_evening import KeptEvening


def test_who_comes_later_changes_nobodys_sign(tmp_path: Path) -> None:
    """Five keep theirs when three more sit down, between them too; all eight differ."""
    signs = PeopleSigns(tmp_path)
    five = ("Ida", "Ben", "Mia", "Oskar", "Livia")
    before = dict(zip(five, signs.at_table(five), strict=True))
    signs.keep_names(five)
    eight = ("Anna", "Ida", "Zoe", "Ben", "Mia", "Aaron", "Oskar", "Livia")
    after = dict(zip(eight, signs.at_table(eight), strict=True))
    assert {name: after[name] for name in five} == before
    assert len(set(after.values())) == 8


def test_a_sign_is_known_again_after_a_restart_and_however_a_name_is_written(
    tmp_path: Path,
) -> None:
    """The file beside the evenings has it."""
    PeopleSigns(tmp_path).keep_names(("Ida", "Ben", "Mia"), (3, 6, 1))
    assert PeopleSigns(tmp_path).at_table(("MIA ", "ida", "Zoe"))[:2] == (1, 3)


def test_people_of_evenings_before_have_signs_in_the_order_they_came(tmp_path: Path) -> None:
    """A folder from a release that kept none."""
    evenings = [("Ida", "Ben", "Mia"), ("Zoe", "Ida", "Jo")]
    assert PeopleSigns(tmp_path, evenings).at_table(("Jo", "Zoe", "Mia", "Ida")) == (4, 3, 2, 0)


def test_two_with_one_sign_meet(tmp_path: Path) -> None:
    """Both grew up with the star: the second one has another for tonight, and theirs next time."""
    kept = {"ida": 3, "zoe": 3, "ben": 0}
    here = signs_at_table(("Zoe", "Ida", "Ben"), kept)
    assert here[0] == 3
    assert here[2] == 0
    assert here[1] not in (0, 3)
    assert signs_at_table(("Ida", "Ben"), kept)[0] == 3


def test_who_comes_for_one_who_left_looks_like_nobody_who_sits(tmp_path: Path) -> None:
    """Eight sit, one goes, one comes: the ninth of the evening has the sign that nobody at the table
    has, and the eight who were there keep theirs. Two triangles sat side by side."""
    signs = PeopleSigns(tmp_path)
    eight = ("Ida", "Ben", "Mia", "Oskar", "Livia", "Anna", "Zoe", "Jo")
    signs.keep_names(eight)
    before = signs.at_table(eight)
    nine, sitting = (*eight, "Nora"), (0, 1, 2, 4, 5, 6, 7, 8)
    signs.keep_names(nine, sitting=sitting)
    after = signs.at_table(nine, sitting)
    assert [after[seat] for seat in sitting[:-1]] == [before[seat] for seat in sitting[:-1]]
    assert len({after[seat] for seat in sitting}) == 8


def test_nobody_who_plays_changes_sign_when_the_next_circle_is_told() -> None:
    """Eight play, one of them is to go and another to come: during the round and after it the eight look as
    before."""
    eight = ("Ida", "Ben", "Mia", "Oskar", "Livia", "Anna", "Zoe", "Jo")
    evening = KeptEvening(past=()).begin(eight).do("laid")
    before = _shown(evening)
    evening.do("players", players=[*eight[:3], *eight[4:], "Nora"])
    assert before.items() <= _shown(evening).items()
    evening.do("right").do("next")
    assert before.items() <= _shown(evening).items()


def test_who_waits_for_the_next_round_takes_nobodys_sign_in_this_one() -> None:
    """A guest of another evening with the sign of one who is about to go."""
    evening = KeptEvening(past=())
    evening.do("begin", players=["Ida", "Ben", "Nora"], daydreamer=0, signs=[5, 2, 7]).do("end")
    evening.do("begin", players=["Mia", "Zoe", "Jo"], daydreamer=0, signs=[7, 1, 3]).do("laid")
    evening.do("players", players=["Nora", "Zoe", "Jo"])
    assert _shown(evening)["Mia"] == 7
    assert _shown(evening)["Nora"] not in (7, 1, 3)


def _shown(evening: KeptEvening) -> dict[str, int]:
    return {player["name"]: player["sign"] for player in evening.board["players"]}


def test_a_file_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    """Rubbish, another shape, a sign there is not."""
    for rubbish in ("{", "[1]", '{"ida": 9, "ben": "star"}'):
        (tmp_path / FILE).write_text(rubbish)
        assert PeopleSigns(tmp_path).at_table(("Ida", "Ben")) == (0, 1)


def test_the_scoreboard_has_each_persons_sign_and_keeps_it_as_people_come(tmp_path: Path) -> None:
    """Begin says which signs the screen showed; a latecomer changes none of them."""
    evening = KeptEvening(past=())
    evening.do("begin", players=["Ida", "Ben", "Mia"], daydreamer=0, signs=[5, 2, 7])
    assert [player["sign"] for player in evening.board["players"]] == [5, 2, 7]
    evening.do("players", players=["Aaron", "Ida", "Ben", "Mia"]).do("laid")
    shown = {player["name"]: player["sign"] for player in evening.board["players"]}
    assert (shown["Ida"], shown["Ben"], shown["Mia"]) == (5, 2, 7)
    assert shown["Aaron"] not in (5, 2, 7)


def test_a_sign_that_is_no_whole_number_is_none(tmp_path: Path) -> None:
    """Somebody wrote into the file: the person gets a sign of their own."""
    (tmp_path / FILE).write_text('{"ida": 1.0, "ben": true, "mia": 1}')
    signs = PeopleSigns(tmp_path).at_table(("Ida", "Ben", "Mia"))
    assert [type(sign) for sign in signs] == [int, int, int]
    assert signs[2] == 1

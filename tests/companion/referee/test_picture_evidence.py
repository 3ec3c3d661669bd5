"""A card told in the tray by its picture: worth less than its code, and much more than silence."""

from __future__ import annotations

from companion.referee.departure import Departure, TrayEvidence, TrayPicture
from companion.referee.observing.pictured_in_tray import PicturedInTray
from companion.referee.weighing.hypothesis import Hypothesis, RoundContext
from companion.referee.weighing.pace import Pace
from companion.referee.weighing.plain_rules import plain_range
from companion.referee.weighing.weigh import weigh

WAYS = (0.97, 0.02, 0.01)
STILL = TrayPicture(came=False, still_s=4.0, known=True)
CAME = TrayPicture(came=True, still_s=3.0, known=True)


def left(
    card: int,
    at_s: float,
    level: int = 0,
    pictured_s: float | None = None,
    picture: TrayPicture = STILL,
) -> Departure:
    tray = TrayEvidence(level, 6.0, picture=picture, pictured_s=pictured_s)
    return Departure(card, at_s, at_s + 0.1, tray=tray)


def row(third: Departure) -> list[Departure]:
    """Two cards rest in the tray, this third one, and two that were taken."""
    return [left(1, 5.0, 3), left(2, 12.0, 3), third, left(4, 25.0), left(5, 25.6)]


def three_wrong(third: Departure) -> float:
    """How surely three were wrong, of five cards."""
    context = RoundContext(5, 3, 0.0, 30.0, Pace(), None, WAYS)
    return weigh(row(third), context)[Hypothesis(3, "ended")]


def test_a_card_told_by_its_picture_was_set_aside() -> None:
    """Its code was never read in the tray and nobody saw it come there: its picture is enough."""
    assert three_wrong(left(3, 18.0)) < 0.1
    assert three_wrong(left(3, 18.0, pictured_s=19.5)) > 0.9


def test_a_picture_weighs_less_than_a_code() -> None:
    """Read at rest is surer than told by the picture; and told only after the middle was empty, it may
    be a pile of taken cards."""
    told = three_wrong(left(3, 18.0, pictured_s=19.5, picture=CAME))
    assert three_wrong(left(3, 18.0, level=3, picture=CAME)) >= told
    assert three_wrong(left(3, 18.0, pictured_s=28.0, picture=CAME)) < told


def test_the_plain_rules_allow_what_the_picture_tells() -> None:
    """They do not ask where a picture told the third card in the tray."""
    assert plain_range(row(left(3, 18.0, pictured_s=19.5)), 3, 0.97) == (2, 3, 3)


def test_a_name_counts_once_it_has_stood_for_a_moment() -> None:
    """One look alone is not enough, and a card that comes back is forgotten."""
    pictured = PicturedInTray()
    pictured.note_picture(4.0, 0.1)
    assert pictured.pictured_s is None
    for step in range(1, 5):
        pictured.note_picture(4.0 + step / 10, 0.1)
    assert pictured.pictured_s == 4.0
    pictured.forget_picture()
    assert pictured.pictured_s is None

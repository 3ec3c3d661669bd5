"""A cup of a card's size between the cards: read as a card without a name, and no card of any deal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from companion.dealing.curtain import Curtain
from companion.table.sighting import (
    FIRST_STAND_IN,
    Attention,
    Deal,
    Glimpse,
    PlaceReport,
    PlaceState,
    Point,
    RawGlimpse,
    Sighting,
    TableView,
    TrayReport,
)

VIEW = TableView(
    ((0.0, 0.0), (900.0, 0.0), (900.0, 600.0), (0.0, 600.0)),
    ((630.0, 205.0), (892.0, 205.0), (892.0, 395.0), (630.0, 395.0)),
)
IN_TRAY = (760.0, 300.0)
CUP = FIRST_STAND_IN + 7
NAMELESS = FIRST_STAND_IN + 10
FIRST, SECOND = (1, 2, 3, 4, 5), (11, 12, 13, 14, 15)


def place(card: int) -> Point:
    return (80.0 + 95.0 * (card % 6), 100.0 + 100.0 * (card // 6 % 4))


def glimpse(
    t_s: float,
    cards: Iterable[int],
    tray: Iterable[int] = (),
    bare: Iterable[int] = (),
    names: tuple[tuple[int, int], ...] = (),
) -> Glimpse:
    def lying(card: int, at: Point) -> Sighting:
        return Sighting(card, at, 0.0, (), 1.0)

    seen = [lying(card, place(card)) for card in cards]
    seen += [lying(card, (IN_TRAY[0] + 40.0 * at, IN_TRAY[1])) for at, card in enumerate(tray)]
    places = tuple(PlaceReport(card, place(card), PlaceState.TABLE) for card in bare)
    return Glimpse(t_s, tuple(seen), places, table=VIEW, names=names)


def watched(
    at: Callable[[float], Glimpse], until_s: float, curtain: Curtain | None = None
) -> tuple[list[Deal], list[Glimpse]]:
    """The deals of five that a curtain finds, and all that it lets pass; a round that it opens is the
    open one until `at` shows none of its cards in the middle for two seconds."""
    curtain = curtain or Curtain()
    deals, passed = list[Deal](), list[Glimpse]()
    gone, open_cards, lay_s = frozenset[int](), frozenset[int](), 0.0
    for step in range(round(until_s * 10)):
        read = at(step / 10)
        attention = Attention(5, gone, open_cards)
        seen = curtain.draw_curtain(RawGlimpse(read), attention, bool(open_cards))
        passed.append(seen)
        if seen.deal is not None:
            deals.append(seen.deal)
            open_cards, lay_s = frozenset(seen.deal.places_mm), read.t_s
        if any(s.card in open_cards and s.centre_mm[0] < 630.0 for s in read.sightings):
            lay_s = read.t_s
        if open_cards and read.t_s - lay_s > 2.0:
            gone, open_cards = gone | open_cards, frozenset()
    return deals, passed


def cards_of(deals: list[Deal]) -> list[set[int]]:
    return [set(deal.places_mm) for deal in deals]


def test_a_cup_put_between_the_cards_of_a_round_is_not_of_the_next_deal() -> None:
    """It stands there while the first round is played, when its cards are taken, and while the next
    ones are laid one after another: both deals are the five cards."""

    def at(t_s: float) -> Glimpse:
        if t_s < 20.0:
            return glimpse(t_s, FIRST if t_s < 10.0 else (*FIRST, CUP))
        laid = int((t_s - 25.0) / 1.5)
        return glimpse(t_s, (CUP, *SECOND[: max(0, laid)]))

    deals, passed = watched(at, 40.0)
    assert cards_of(deals) == [set(FIRST), set(SECOND)]
    assert not any(seen.unnamed for seen in passed[150:260])


def test_a_cup_put_on_a_card_that_was_just_dealt_takes_its_place_in_no_deal() -> None:
    """It hides one of the five a second after they lay there, and is taken away again: the five are the
    deal, and nothing is withdrawn."""

    def at(t_s: float) -> Glimpse:
        hidden = 2.5 < t_s < 8.0
        seen = glimpse(t_s, FIRST[: 4 if hidden else 5])
        x, y = place(FIRST[4])
        cup = Sighting(CUP, (x + 30.0, y), 0.0, (), 0.5)
        return replace(seen, sightings=(*seen.sightings, cup)) if hidden else seen

    deals, passed = watched(at, 12.0)
    assert cards_of(deals) == [set(FIRST)]
    assert not any(seen.unnamed for seen in passed[20:])


def test_a_cup_that_stood_there_alone_is_not_of_the_deal() -> None:
    """Put down between two rounds, a good while before the cards."""
    deals, _ = watched(lambda t_s: glimpse(t_s, (CUP, *FIRST[: max(0, int(t_s - 13.0))])), 24.0)
    assert cards_of(deals) == [set(FIRST)]


def test_a_card_without_a_name_is_of_the_deal() -> None:
    """One of the five has no name, and lies first for three seconds."""
    four = FIRST[:4]
    deals, _ = watched(lambda t_s: glimpse(t_s, (NAMELESS, *four[: max(0, int(t_s - 3.0))])), 12.0)
    assert cards_of(deals) == [{NAMELESS, *four}]


def test_with_the_first_guess_in_the_tray_the_cup_is_told_from_the_cards() -> None:
    """The cup came with the deal: six lie where five are awaited, and nothing is named. Then one lies
    in the tray, and the five with names are the deal."""

    def at(t_s: float) -> Glimpse:
        if t_s < 6.0:
            return glimpse(t_s, (*FIRST, CUP))
        tray = FIRST[:1] if t_s > 7.0 else ()
        return glimpse(t_s, (*FIRST[1:], CUP), tray, bare=FIRST[:1])

    deals, passed = watched(at, 12.0)
    assert max(seen.unnamed for seen in passed) == 6
    assert cards_of(deals) == [set(FIRST)]


def test_where_a_card_left_and_the_cup_stays_nothing_is_named() -> None:
    """One of six has gone, nobody knows where: it may have been guessed, or been one too many. No
    deal is made up of four cards and a cup; with the cup taken away it would be one."""

    def at(t_s: float) -> Glimpse:
        if t_s < 6.0:
            return glimpse(t_s, (*FIRST, CUP))
        return glimpse(t_s, (*FIRST[1:], CUP), bare=FIRST[:1])

    deals, _ = watched(at, 20.0)
    assert not deals


def six_and_a_leaver(tray_at: Callable[[float], TrayReport | None]) -> list[Deal]:
    """Six lie, one of them without a name; one with a name leaves at six seconds, nobody sees where to."""

    def at(t_s: float) -> Glimpse:
        cards = (*FIRST, CUP) if t_s < 6.0 else (*FIRST[1:], CUP)
        seen = glimpse(t_s, cards, bare=() if t_s < 6.0 else FIRST[:1])
        return replace(seen, tray=tray_at(t_s))

    return watched(at, 16.0)[0]


def test_where_the_tray_stays_as_it_was_one_too_many_was_taken_back() -> None:
    """What left did not come to the tray, and the others lie on: it was no guess, right or wrong."""
    as_it_was = TrayReport(1.0, True, 3, 0.0)
    assert cards_of(six_and_a_leaver(lambda _: as_it_was)) == [{*FIRST[1:], CUP}]


def test_where_the_tray_cannot_tell_nothing_is_named() -> None:
    """It looks otherwise half a second later; or was out of sight, or under a hand all
    the while, or is half out of the picture."""
    before = TrayReport(1.0, True, 3, 0.0)
    after = {
        "changed": TrayReport(1.0, True, 4, 5700.0),
        "lost": None,
        "hidden": TrayReport(1.0, False, 3, 0.0),
        "cut off": TrayReport(0.6, True, 3, 0.0),
    }
    for name, report in after.items():
        dealt = six_and_a_leaver(lambda t_s, report=report: before if t_s < 6.5 else report)
        assert not dealt, name
    lost_awhile = six_and_a_leaver(lambda t_s: None if 6.5 < t_s < 7.0 else before)
    assert not lost_awhile


def test_what_was_dealt_between_others_is_a_card_however_long_one_too_many_lies() -> None:
    """Six are laid one after another, the third without a name, and lie for ten seconds; then the last is
    taken back. The deal has the one without a name, not the one that is gone."""
    row = (*FIRST[:2], NAMELESS, *FIRST[2:])

    def at(t_s: float) -> Glimpse:
        gone = t_s > 14.0
        seen = glimpse(t_s, row[: min(5 if gone else 6, int(t_s * 2))])
        return replace(seen, tray=TrayReport(1.0, True, 3, 0.0))

    deals, _ = watched(at, 26.0)
    assert cards_of(deals) == [set(row[:5])]


def test_what_is_gone_under_a_cup_is_not_of_the_deal() -> None:
    """One too many was taken back seven seconds after the deal, and a cup was put in its place at once: the
    five that are read are the deal, one without a name among them."""
    five = (*FIRST[1:], NAMELESS)

    def at(t_s: float) -> Glimpse:
        if t_s < 7.0:
            return glimpse(t_s, (*FIRST, NAMELESS))
        seen = glimpse(t_s, five)
        there = PlaceReport(FIRST[0], place(FIRST[0]), PlaceState.OTHER)
        return replace(seen, places=(there,), tray=TrayReport(1.0, True, 3, 0.0))

    deals, _ = watched(at, 40.0)
    assert cards_of(deals) == [set(five)]


def test_a_cup_that_is_taken_back_leaves_the_deal() -> None:
    """Six lie, the cup goes: the five are the deal."""
    deals, _ = watched(
        lambda t_s: glimpse(t_s, (*FIRST, CUP) if t_s < 6.0 else FIRST, bare=(CUP,) * (t_s >= 6.0)),
        14.0,
    )
    assert cards_of(deals) == [set(FIRST)]


def test_what_turns_out_to_be_a_card_is_one_again() -> None:
    """It lay alone for long and had no name; with a name it is the first card of a deal."""
    four = SECOND[:4]

    def at(t_s: float) -> Glimpse:
        names = ((NAMELESS, 30),) if t_s > 14.0 else ()
        return glimpse(t_s, (NAMELESS, *four[: max(0, int(t_s - 14.0))]), names=names)

    deals, _ = watched(at, 24.0)
    assert cards_of(deals) == [{NAMELESS, *four}]

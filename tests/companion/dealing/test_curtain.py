"""The curtain, and the waiting for a deal behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from companion.dealing.curtain import Curtain
from companion.dealing.laid import Laid
from companion.table.sighting import (
    Attention,
    Deal,
    Glimpse,
    Hand,
    PictureReport,
    PictureSays,
    PlaceReport,
    PlaceState,
    Point,
    RawGlimpse,
    Sighting,
    TableView,
)

MIDDLE = ((0.0, 0.0), (900.0, 0.0), (900.0, 600.0), (0.0, 600.0))
TRAY = ((630.0, 205.0), (892.0, 205.0), (892.0, 395.0), (630.0, 395.0))
VIEW = TableView(MIDDLE, TRAY)
IN_TRAY = (760.0, 300.0)


def sight(card: int, place: Point | None = None) -> Sighting:
    return Sighting(
        card,
        place or (100.0 + 110.0 * (card % 5), 150.0 + 120.0 * (card // 5)),
        0.0,
        ((0.0, 0.0),) * 4,
        1.0,
    )


def glimpse(t_s: float, cards: Iterable[int] = (), more: tuple[Sighting, ...] = ()) -> Glimpse:
    return Glimpse(t_s, (*(sight(card) for card in cards), *more), table=VIEW)


class Table:
    """A table before the curtain, at which a deal has so many cards."""

    def __init__(self, deal_size: int) -> None:
        self.curtain = Curtain()
        self.deal_size = deal_size

    def show(
        self,
        raw: Glimpse,
        is_open: bool = False,
        gone: Iterable[int] = (),
        of_round: Iterable[int] = (),
    ) -> Glimpse:
        """What everyone may see of it."""
        attention = Attention(self.deal_size, frozenset(gone), frozenset(of_round))
        return self.curtain.draw_curtain(RawGlimpse(raw), attention, is_open)


def show_all(
    table: Table, cards_at: Callable[[float], Iterable[int]], until_s: float, fps: float = 10.0
) -> list[Glimpse]:
    times_s = [step / fps for step in range(round(until_s * fps))]
    return [table.show(glimpse(t_s, cards_at(t_s))) for t_s in times_s]


def deals(seen: Iterable[Glimpse]) -> list[tuple[Glimpse, Deal]]:
    return [(g, g.deal) for g in seen if g.deal is not None]


def test_no_number_passes_while_a_card_is_missing() -> None:
    """Four of five cards lying for a minute stay unnamed, in sightings, places and notices; only
    their count is told, and that one of them lies there twice."""
    table = Table(5)
    for step in range(600):
        raw = Glimpse(
            step / 10, tuple(sight(card) for card in (1, 2, 3, 4)),
            (PlaceReport(2, (0.0, 0.0), PlaceState.MARKER),), table=VIEW, notices=("twice:3", "bumped"),
        )  # fmt: skip
        seen = table.show(raw)
        assert not seen.sightings
        assert not seen.places
        assert seen.notices == ("one_twice", "bumped")
    assert seen.unnamed == 4


def test_a_whole_deal_is_revealed_once_with_every_card() -> None:
    """When the fifth card has come to rest one glimpse names all five, whichever were read in that
    very frame."""

    def flickering(t_s: float) -> Iterable[int]:
        return [
            card for card in (1, 2, 3, 4, 5) if t_s > card * 0.5 and (round(t_s * 10) + card) % 3
        ]

    seen = show_all(Table(5), flickering, 8.0)
    [(revealed, deal)] = deals(seen)[:1]
    assert {s.card for s in revealed.sightings} == set(deal.places_mm) == {1, 2, 3, 4, 5}
    assert 2.8 < revealed.t_s < 4.2
    assert not any(g.sightings for g in seen if g.t_s < revealed.t_s)


def test_the_reveal_says_for_how_long_each_card_was_not_read() -> None:
    """One card fell silent while the last came to rest: when it may have left is known, and nothing
    was said of it before."""

    def first_taken(t_s: float) -> Iterable[int]:
        return [
            card for card in (1, 2, 3, 4, 5) if t_s > card * 0.5 and not (card == 1 and t_s > 3.0)
        ]

    seen = show_all(Table(5), first_taken, 8.0)
    [(revealed, deal)] = deals(seen)[:1]
    assert abs(deal.unread_s[1] - (revealed.t_s - 3.0)) < 0.15
    assert max(deal.unread_s[card] for card in (2, 3, 4, 5)) < 0.15


def test_a_deal_is_recognised_at_every_frame_rate() -> None:
    """From 2.5 to 30 frames a second the curtain opens within two seconds of the last card."""
    for fps in (2.5, 5.0, 10.0, 30.0):
        table = Table(4)
        seen = show_all(table, lambda t_s: (1, 2, 3) if t_s < 2 else (1, 2, 3, 4), 6.0, fps)
        assert 2.0 < deals(seen)[0][0].t_s < 4.0, fps


def test_one_too_many_keeps_it_closed_until_one_is_taken_back() -> None:
    """With six instead of five nothing is named; with one taken away the five are, soon."""
    table = Table(5)
    seen = show_all(table, lambda t_s: range(6) if t_s < 5 else range(5), 10.0)
    assert 5.5 < deals(seen)[0][0].t_s < 8.5
    assert max(g.unnamed for g in seen) == 6


def test_one_too_many_taken_back_is_seen_by_its_bare_place() -> None:
    """Six of five lie, two of them unread for seconds under something; the sixth goes and its place
    is seen bare: the five are the deal, a second later."""
    table = Table(5)
    revealed = list[Glimpse]()
    for step in range(80):
        t_s = step / 10
        there = [card for card in range(6) if card < 5 or t_s < 4.0]
        read = [card for card in there if card > 1 or t_s < 3.5 or (step + card) % 6 == 0]
        states = {
            card: PlaceState.TABLE if card not in there else PlaceState.OTHER
            for card in range(6)
            if card not in read
        }
        places = tuple(
            PlaceReport(card, sight(card).centre_mm, state) for card, state in states.items()
        )
        raw = Glimpse(t_s, tuple(sight(card) for card in read), places, table=VIEW)
        seen = table.show(raw, is_open=bool(revealed))
        revealed += [seen] if seen.deal is not None else []
    assert {s.card for s in revealed[0].sightings} == set(range(5))
    assert revealed[0].t_s < 5.2


def test_an_accepted_mis_deal_opens_it() -> None:
    """People accept four instead of five: the four that lie are named at once."""
    table = Table(5)
    show_all(table, lambda t_s: range(4), 3.0)
    seen = table.show(glimpse(3.1, range(4)), is_open=True)
    assert {s.card for s in seen.sightings} == set(range(4))


def test_the_open_round_passes_and_the_next_deal_does_not() -> None:
    """While a round lies open its own cards are named, and fresh ones laid too early are not."""
    table = Table(5)
    show_all(table, lambda t_s: range(5), 2.0)
    for step in range(30):
        seen = table.show(glimpse(2 + step / 10, (0, 1, 2, 3, 11, 12)), is_open=True)
    assert {s.card for s in seen.sightings} == {0, 1, 2, 3}
    assert seen.unnamed == 2


def test_no_picture_names_a_card_before_the_whole_round_lies_open() -> None:
    """What a card's picture says is hidden like its code, before the deal and for a fresh card; that
    some card of ours lies there names none."""
    table = Table(5)
    told = tuple(
        PictureReport(says, card, IN_TRAY, 0.0, 1.0)
        for says, card in (
            (PictureSays.NAMED, 3),
            (PictureSays.OTHER, 4),
            (PictureSays.NAMED, 11),
            (PictureSays.OURS, None),
        )
    )
    for step in range(40):
        raw = replace(glimpse(step / 10, (0, 1, 2, 3)), pictures=told)
        assert [report.card for report in table.show(raw).pictures] == [None]
    show_all(table, lambda t_s: range(5), 2.0)
    raw = replace(glimpse(9.0, range(5)), pictures=told)
    assert [p.card for p in table.show(raw, is_open=True).pictures] == [3, 4, None]


def test_cards_of_finished_rounds_are_no_secret() -> None:
    """A won card is named also before the deal."""
    seen = Table(5).show(glimpse(0.0, (7, 8)), gone=(7,))
    assert [s.card for s in seen.sightings] == [7]


def test_a_resumed_round_passes_at_once() -> None:
    """An evening goes on with a round already open: its cards are named although they were never
    dealt here; those of the next deal, laid meanwhile, are not before it is whole."""
    table, seen = Table(5), list[Glimpse]()
    for step in range(60):
        fresh = range(11, 15 if step < 30 else 16)
        raw = glimpse(step / 10, (1, 2, *(fresh if step > 5 else ())))
        seen.append(table.show(raw, is_open=True, of_round=(1, 2, 3, 4, 5)))
    assert [s.card for s in seen[0].sightings] == [1, 2]
    revealed = next(g for g in seen if g.deal is not None)
    assert revealed.t_s > 3.0
    assert revealed.deal is not None
    assert set(revealed.deal.places_mm) == set(range(11, 16))
    assert all({s.card for s in g.sightings} == {1, 2} for g in seen if g.t_s < revealed.t_s)


def test_a_recording_is_shown_as_it_was_and_older_ones_are_waited_for() -> None:
    """A recording from behind the curtain comes out of another one unchanged; one that named every
    card gets its deal found all the same."""
    raw = [glimpse(step / 10, range(5 if step > 20 else 4)) for step in range(60)]
    live, again, older = Table(5), Curtain(), Curtain()
    attention, opened = Attention(5), [False, False]
    found = list[Deal]()
    for read in raw:
        shown = live.show(read, is_open=opened[0])
        assert again.draw_over_recording(shown, attention, opened[0]) == shown
        opened[0] = opened[0] or shown.deal is not None
        seen = older.draw_over_recording(read, attention, opened[1])
        found += [seen.deal] if seen.deal is not None else []
        opened[1] = opened[1] or seen.deal is not None
    assert [set(deal.places_mm) for deal in found] == [set(range(5))]


def test_what_people_accept_later_is_named_too() -> None:
    """People accepted while nothing lay; four cards come, and they accept again: the four are
    named."""
    table = Table(5)
    assert not table.show(glimpse(0.0), is_open=True).sightings
    for step in range(1, 30):
        assert not table.show(glimpse(step / 10, range(4)), is_open=True).sightings
    table.curtain.name_what_lies()
    seen = table.show(glimpse(3.0, range(4)), is_open=True)
    assert {s.card for s in seen.sightings} == set(range(4))


def test_cards_in_the_tray_do_not_make_a_deal() -> None:
    """Four cards in the middle and one that lay in the tray before them are no deal of five."""
    laid = Laid(5)
    for step in range(60):
        cards = range(4) if step > 15 else ()
        laid.observe_glimpse(glimpse(step / 10, cards, (sight(30, IN_TRAY),)), lambda card: True)
    assert not laid.whole


def test_a_first_guess_made_at_once_does_not_lose_the_deal() -> None:
    """The last card goes to the tray before it was ever read in the middle: the deal is whole all
    the same."""
    laid = Laid(5)
    for step in range(60):
        aside = (sight(30, IN_TRAY),) if step > 12 else ()
        laid.observe_glimpse(glimpse(step / 10, range(4), aside), lambda card: True)
    assert laid.whole
    assert [p.card for p in laid.placements()][-1] == 30


def test_a_hovering_hand_makes_no_card_forgotten() -> None:
    """A hand over a laid card for five seconds does not take it out of the deal."""
    laid = Laid(5)
    for step in range(60):
        hidden = step > 10
        hands = (Hand(sight(2).centre_mm, None),) if hidden else ()
        cards = [card for card in range(5) if not (hidden and card == 2)]
        laid.observe_glimpse(
            Glimpse(step / 10, tuple(sight(card) for card in cards), hands=hands, table=VIEW),
            lambda card: True,
        )
    assert laid.whole


def test_flying_and_ghostly_readings_do_not_count() -> None:
    """A number read twice in different places does not lie anywhere."""
    laid = Laid(5)
    for step in range(30):
        ghost = (sight(40, (50.0 + 30.0 * step, 500.0)),) if step in (3, 20) else ()
        laid.observe_glimpse(glimpse(step / 10, range(5), ghost), lambda card: True)
    assert laid.lying == frozenset(range(5))


def test_a_card_taken_as_soon_as_it_was_laid_belongs_to_the_deal() -> None:
    """The last card was read twice and taken by the first guess: the deal is whole, and that card
    is where it lay."""
    laid = Laid(5)
    for step in range(60):
        cards = range(5) if step in (20, 21) else range(4)
        laid.observe_glimpse(glimpse(step / 10, cards), lambda card: True)
        if laid.whole:
            break
    assert 2.0 < step / 10 < 4.0
    assert [p.card for p in laid.placements()][-1] == 4


def test_nearly_a_whole_deal_that_came_and_went_is_told_with_the_next() -> None:
    """Four of five were read, and all taken at once; others are dealt later: a round went by
    unseen. The same cards dealt again are only a deal begun anew."""
    for second, missed in ((range(10, 15), True), (range(5), False)):
        cards = second

        def cards_at(t_s: float, cards: range = cards) -> Iterable[int]:
            return range(4) if t_s < 1.5 else () if t_s < 12.0 else cards

        assert deals(show_all(Table(5), cards_at, 16.0))[0][1].after_missed_round == missed


def test_a_deal_that_was_laid_down_face_up_outside_came_and_went_too() -> None:
    """Three of four were read; the first left early, the others lie in somebody's pile now: that
    round went by unseen."""
    table = Table(4)
    seen = list[Glimpse]()
    for step in range(150):
        t_s = step / 10
        cards = (
            (0, 1, 2)
            if t_s < 1.0
            else (1, 2)
            if t_s < 6.0
            else (11, 12, 13, 14)
            if t_s > 11.0
            else ()
        )
        piled = tuple(sight(card, (1050.0, 340.0)) for card in (1, 2) if 6.0 <= t_s < 9.0)
        seen.append(table.show(glimpse(t_s, cards, piled)))
    assert any(deal.after_missed_round for _, deal in deals(seen))


def test_a_card_left_over_from_an_unseen_round_is_not_of_the_next_deal() -> None:
    """One card of a round gone by is the only one read for long; the next deal lacks one that lies
    under a cup: it is not that card."""

    def cards_at(t_s: float) -> Iterable[int]:
        return (1,) if t_s < 4.0 else () if t_s < 9.0 else (11, 12, 13, 14)

    seen = show_all(Table(5), cards_at, 16.0)
    assert not deals(seen)


def test_a_card_read_once_in_its_place_and_once_on_its_way_was_dealt() -> None:
    """Three of four lie; the fourth was read once where it lay and once as it was carried off: no
    misreading, a late deal."""
    laid = Laid(4)
    for step in range(60):
        once = {20: sight(4), 35: sight(4, (620.0, 450.0))}.get(step)
        laid.observe_glimpse(
            glimpse(step / 10, (1, 2, 3), (once,) if once else ()), lambda card: True
        )
    assert laid.whole
    assert {p.card for p in laid.placements()} == {1, 2, 3, 4}


def test_without_tokens_a_pile_of_taken_cards_is_no_deal() -> None:
    """Three cards, taken before they were a deal, lie on one pile far off, the top one read for
    good: the next three are the deal."""
    laid, far = Laid(3), (900.0, 700.0)
    for step in range(500):
        t_s = step / 10
        there = (1, 2, 3) if t_s < 0.5 else () if t_s < 30.0 else (11, 12, 13)
        pile = (sight(2, far),) if t_s > 1.0 else ()
        laid.observe_glimpse(
            Glimpse(t_s, (*(sight(card) for card in there), *pile)), lambda card: True
        )
        assert laid.lying <= set(there) or t_s < 6.0
    assert laid.whole
    assert laid.lying == {11, 12, 13}

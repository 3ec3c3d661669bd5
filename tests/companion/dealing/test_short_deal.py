"""A deal of which one card is never read: the round is kept with it, and people are asked, not
passed over."""

from __future__ import annotations

from companion.dealing.short_deal import GONE_S, PATIENCE_S, ShortDeal
from companion.table.resting import Placement
from tests.support.scorekept import BARE, NAMES, THIRD, Evening

FOUR = (11, 21, 31, 41, None)


def lying(*cards: int) -> list[Placement]:
    return [Placement(card, (float(card), 0.0), 0.0, 0.0, 5) for card in cards]


def played(tray: bool = True) -> Evening:
    """Four of five cards are read, one of them goes to the tray after a while, then the rest are
    taken."""
    evening = Evening("tray" if tray else "away", tray=tray)
    return evening.lie(9, FOUR).lie(9, (11, 21, None, 41, None), [31]).lie(6, BARE, [31])


def test_the_round_is_kept_with_the_unread_card_and_asked_about() -> None:
    """All five cards have an owner in the ledger, the guess seen in the tray counts, and the
    question says what the camera cannot know: whether the unread card lay among those set aside."""
    keeper = played().keeper
    (told,) = keeper.ledger.rounds
    assert sorted(card for card in told.cards if card is not None) == [11, 21, 31, 41]
    assert len(told.cards) == 5
    assert keeper.book.question is not None
    first, second = keeper.book.question.question.options
    assert (first.set_aside, second.set_aside) == ((31,), (31, None))


def test_either_answer_is_entered() -> None:
    """The likelier one gives the next Spectator four cards, the other one the Spectator after that
    three."""
    for option, (taker, gain) in enumerate((("Cleo", 4), ("Dan", 3))):
        evening = played()
        evening.answer(option)
        totals = dict(zip(NAMES, evening.keeper.ledger.totals, strict=True))
        assert (evening.keeper.book.question, totals[taker]) == (None, gain)
        assert sum(totals.values()) == 5


def test_the_next_round_has_its_own_roles() -> None:
    """The round with an unread card is the first, whatever is answered later, and the next deal the
    second."""
    keeper = played().lie(6, THIRD).keeper
    assert [NAMES[round_.daydreamer] for round_ in keeper.ledger.rounds] == ["Ada", "Eva"]
    assert [round_.ending for round_ in keeper.ledger.rounds] == ["claimed", "open"]


def test_a_card_lifted_and_laid_back_begins_nothing() -> None:
    """Four cards lie, one is lifted for a moment and comes back, the fifth follows: an ordinary
    deal of five."""
    evening = Evening("tray", tray=True).lie(9, FOUR).lie(4, (11, 21, None, 41, None)).lie(3, FOUR)
    (told,) = evening.lie(6, (11, 21, 31, 41, 51)).keeper.ledger.rounds
    assert sorted(card for card in told.cards if card is not None) == [11, 21, 31, 41, 51]


def test_cards_that_lay_too_briefly_or_are_too_few_are_no_deal() -> None:
    """A mis-deal is mended soon: only all cards but one, after long enough, and one of them gone
    for long enough; and all gone at once may have been picked up again."""
    for cards, lay_s, gone_s in (((1, 2, 3, 4), PATIENCE_S - 1, GONE_S + 1), ((1, 2, 3), PATIENCE_S + 1, GONE_S + 1),
                                 ((1, 2, 3, 4), PATIENCE_S + 1, GONE_S - 1)):  # fmt: skip
        short = ShortDeal()
        short.observe_lying(lying(*cards), 0.0)
        short.observe_lying(lying(*cards[:-1]), lay_s)
        short.observe_lying(lying(*cards[:-1]), lay_s + gone_s)
        assert short.find_deal(5) == ()
    short = ShortDeal()
    short.observe_lying(lying(1, 2, 3, 4), 0.0)
    short.observe_lying([], PATIENCE_S + 1)
    short.observe_lying([], PATIENCE_S + 9)
    assert short.find_deal(5) == ()
    short = ShortDeal()
    short.observe_lying(lying(1, 2, 3, 4), 0.0)
    short.observe_lying(lying(1, 2, 3), PATIENCE_S + 1)
    short.observe_lying(lying(1, 2, 3), PATIENCE_S + 1 + GONE_S)
    assert [placement.card for placement in short.find_deal(5)] == [1, 2, 3, 4]


def test_half_a_deal_that_lay_long_is_a_missed_round() -> None:
    """Three of five cards are read for a quarter of a minute and go: a round went by, its place is
    kept and people are asked; three that lie for two seconds only are a mis-deal."""
    three = (11, 21, 31, None, None)
    asked = Evening("tray", tray=True).lie(15, three).lie(8, BARE).lie(6, THIRD).keeper
    assert [round_.ending for round_ in asked.ledger.rounds] == ["void", "open"]
    assert asked.book.question is not None
    mended = Evening("tray", tray=True).lie(2, three).lie(8, BARE).lie(6, THIRD).keeper
    assert [round_.ending for round_ in mended.ledger.rounds] == ["open"]

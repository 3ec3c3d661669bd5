"""What a card's not being read in the tray is worth: only as much as a card laid there would have
been read, or seen to come.

Knows how often this table's tray hides a card, and what the tray's picture says of each departure.
Must not know glimpses, people or points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp

from companion.referee.departure import TrayPicture
from companion.table.sighting import WHOLE_SHARE


@dataclass(frozen=True, slots=True)
class TraySilenceModel:
    """What a tray shows of a card that came there, before this table has told; shares are
    probabilities.

    Counted without pictures over 792 rounds piled in nine ways (`python -m
    tests.benchmarks.fits.tray_silence --evenings 22 --seed 420000`), and led towards what rendered trays
    showed, for the eye without pictures sees too well: there 14 of 16 cards that came changed the
    picture; one of the others was slid wholly under the pile, of the other nine square centimetres
    showed, and the watch has been made keener since.
    """

    unnoticed_share: float = 0.04
    """A card comes to a tray that is watched, and its picture is not seen to change: 22 of 822."""
    under_all_share: float = 0.1
    """The same where cards lie over one another: it may lie under all of them. 19 of 528; from
    pictures 2 of 16, and 7 of 80 on flat ones of heaps and cards pushed under."""
    no_hand_share: float = 0.01
    """The same where nothing moved over the tray either: 0 of 1,350."""
    no_fingers_part: float = 0.1
    """So much less where something moved over it, but no fingertips: an arm that crosses it brings
    nothing, unless its tip was mistaken."""
    changed_anyway_share: float = 0.02
    """The tray's picture changes just after a card left that did not go there: a sleeve, a push, the
    light. 5 of 3,055, where little of that happens."""
    passing_share: float = 0.2
    """Who brought a card sits behind the tray: the fingertips over it lie on their straight way home.
    73 of 376 (`python -m tests.benchmarks.fits.tray_silence --evenings 6 --seed 77000`)."""
    fingers_anyway_share: float = 0.03
    """Fingertips are over the tray just then that are not on their way home: 0 of 908 cards that did
    not come; but people point, drink and put things right."""
    passing_anyway_share: float = 0.22
    """They are on their way home: the taker sits there. 215 of 908; of 138 that the Lookout took 32."""
    arm_anyway_share: float = 0.06
    """Something else moves over it: the taker's arm. 52 of 908."""
    seen_within_s: float = 0.8
    """Time constant within which a card that comes is seen as a change: the way there, and the hand's
    leaving."""
    unread_alone_share: float = 0.02
    """A card that came is never read: alone in the tray. 0 of 551."""
    unread_among_share: float = 0.04
    """The same beside others: 4 of 271."""
    unread_piled_share: float = 0.25
    """The same where cards were seen to lie over one another: 103 of 528."""
    weight_cards: float = 5.0
    """So many cards is what is known beforehand worth."""
    hiding_share: float = 0.1
    """From here on a tray hides its cards: not being read there says little."""
    still_s: float = 1.5
    """A tray that stayed as it was for so long after a card left has said that it did not come."""
    beyond_part: float = 0.85
    """A card comes to lie where the picture does not hold the tray, neither read nor seen to come: so
    much of the share outside. 58 of 209 with a third outside (`--ways tray_cut_off`); of the other 151
    two were not read, and two not seen to come."""
    no_fingers_share: float = 0.02
    """Such a card was brought by a hand whose fingertips were not seen over the tray."""


TRAY_SILENCE_MODEL = TraySilenceModel()


@dataclass(frozen=True, slots=True)
class TrayReading:
    """Of the cards known to have come to this table's tray, how many were read there and how many
    were not: the first of a round, which lies alone, and those that came after it."""

    read_alone: float = 0.0
    unread_alone: float = 0.0
    read_among: float = 0.0
    unread_among: float = 0.0
    piled: bool = False
    shown: float = 0.0
    beyond: float = 0.0
    """Of those that came to a tray which the picture cuts off: how many lay in the picture, and how many
    were neither read nor seen to come."""

    def learn_part(self, shown: bool) -> TrayReading:
        """This after one more card that surely came to a tray which the picture cuts off."""
        if shown:
            return replace(self, shown=self.shown + 1)
        return replace(self, beyond=self.beyond + 1)

    def learn_card(self, read: bool, alone: bool, piled: bool) -> TrayReading:
        """This after one more card that surely came there."""
        after = replace(self, piled=self.piled or piled)
        if alone and read:
            return replace(after, read_alone=self.read_alone + 1)
        if alone:
            return replace(after, unread_alone=self.unread_alone + 1)
        if read:
            return replace(after, read_among=self.read_among + 1)
        return replace(after, unread_among=self.unread_among + 1)

    def hides(self, piled_now: bool, watched: bool, in_view: float) -> TrayHides:
        """How likely a card laid there is not read, now: `piled_now`: cards lie over one another;
        `watched`: the tray is seen as a picture, of which `in_view` is the share in view."""
        piled = piled_now or self.piled
        alone = TRAY_SILENCE_MODEL.unread_alone_share
        among = (
            TRAY_SILENCE_MODEL.unread_piled_share
            if piled
            else TRAY_SILENCE_MODEL.unread_among_share
        )
        if not watched:
            # recordings from before trays were watched: only what the table tells
            alone, among = 0.0, 0.0
        unnoticed = (
            TRAY_SILENCE_MODEL.under_all_share if piled else TRAY_SILENCE_MODEL.unnoticed_share
        )
        outside = TRAY_SILENCE_MODEL.beyond_part * (1.0 - in_view)
        return TrayHides(
            _share(alone, self.unread_alone, self.read_alone),
            _share(among, self.unread_among, self.read_among),
            unnoticed,
            _share(outside, self.beyond, self.shown) if in_view < WHOLE_SHARE else 0.0,
        )


@dataclass(frozen=True, slots=True)
class TrayHides:
    """How likely a card laid in the tray is never read there, as the first one and later; how likely
    its coming goes unnoticed; and how likely it lies `beyond` the picture, where neither would show."""

    alone: float = 0.0
    among: float = 0.0
    unnoticed: float = TRAY_SILENCE_MODEL.unnoticed_share
    beyond: float = 0.0

    def unread_share(self, turn: int) -> float:
        """How likely a card that lies in the picture is never read, which left as number `turn` (from
        0), all before it lying in the tray."""
        return self.among if turn else self.alone

    def share_of(self, turn: int) -> float:
        """How likely that card is never read, wherever in the tray it lies."""
        return self.beyond + (1.0 - self.beyond) * self.unread_share(turn)

    def may_hide(self, turn: int, picture: TrayPicture) -> bool:
        """True when that card's not being read there says little: such cards are often not read,
        and the tray's picture does not say that none came."""
        return self.share_of(turn) >= TRAY_SILENCE_MODEL.hiding_share and not (
            picture.known
            and not picture.came
            and not picture.reached
            and picture.hands_seen
            and picture.still_s >= TRAY_SILENCE_MODEL.still_s
        )


PLAIN_TRAY = TrayHides()
"""A tray that hides none, as far as is known."""


def _share(first: float, unread: float, read: float) -> float:
    return (first * TRAY_SILENCE_MODEL.weight_cards + unread) / (
        TRAY_SILENCE_MODEL.weight_cards + unread + read
    )


def unseen_if_came(picture: TrayPicture, unread: float, hides: TrayHides) -> float:
    """P(not read, and what the tray's picture says | the card came there); `unread`: how likely it is
    not read where the picture holds it."""
    inside = (1.0 - hides.beyond) * unread
    if not picture.known:
        return hides.beyond + inside
    if picture.came:
        return inside * (1.0 - hides.unnoticed)
    model = TRAY_SILENCE_MODEL
    still = exp(-picture.still_s / model.seen_within_s)
    if not picture.hands_seen:
        return hides.beyond + inside * _or_later(hides.unnoticed, still)
    if not picture.visited:
        return (hides.beyond + inside) * _or_later(model.no_hand_share, still)
    if not picture.reached:
        unnoticed = hides.unnoticed * model.no_fingers_part
        return hides.beyond * _or_later(model.no_fingers_share, still) + inside * _or_later(
            unnoticed, still
        )
    way = model.passing_share if picture.passing else 1.0 - model.passing_share
    return way * (hides.beyond + inside * _or_later(hides.unnoticed, still))


def _or_later(never: float, still: float) -> float:
    """P(nothing was seen by now): it never is, or will be."""
    return never + (1.0 - never) * still


def seen_if_not(picture: TrayPicture) -> float:
    """P(what the tray's picture says | the card did not go there)."""
    model = TRAY_SILENCE_MODEL
    if not picture.known:
        return 1.0
    if picture.came:
        return model.changed_anyway_share
    if not picture.hands_seen:
        return 1.0
    if picture.reached:
        return model.passing_anyway_share if picture.passing else model.fingers_anyway_share
    if picture.visited:
        return model.arm_anyway_share
    return 1.0 - model.passing_anyway_share - model.fingers_anyway_share - model.arm_anyway_share

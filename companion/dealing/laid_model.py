"""The times, counts and distances by which cards count as dealt: one value, to be varied as one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LaidModel:
    """What has to lie how long before it counts as dealt.

    Fitted on 18,009 simulated rounds (`tests/benchmarks/referee.py`): with these 0 to 0.35 % of
    their starts were missed, by handling and temper. Where a field says otherwise it was chosen, or
    came from the incident it names.
    """

    readings: int = 3
    span_s: float = 0.3
    """A card lies when it was read so often over so long."""
    together_s: float = 0.7
    """A deal is whole when all have lain together for so long."""
    slow_interval_s: float = 0.25
    """Above this frame interval two readings do: three would take longer than a quick first guess."""
    hurry_s: float = 0.25
    """A whole deal of which a card already goes to the tray needs to have lain only so long: the
    first guess was quick."""
    silence_s: float = 3.0
    """A card not read for so long, with no hand over it and nothing else in its place, no longer
    lies there."""
    silence_hidden_s: float = 10.0
    """Silence under a hand does not count; after so long the card is forgotten all the same."""
    hand_reach_mm: float = 130.0
    """A hand whose tip is nearer hides a card."""
    report_mm: float = 45.0
    """A place report from further away is about another place."""
    silence_surplus_s: float = 2.2
    """The silence that counts while more cards than expected lie: one too many is soon taken back,
    and a guess may follow at once."""
    bare_s: float = 0.25
    """With one too many on the table, a card whose place shows the bare table for so long, no hand
    being over it, was taken back; without a report it takes the silence above."""
    surplus_kept_s: float = 5.0
    fresh_s: float = 0.8
    """One too many lay so long ago: until then a deal counts as whole only when each of its cards
    was read so lately, for the one taken back and a quick first guess leave at the same moment
    (the benchmark's incident "extra")."""
    just_read_s: float = 0.3
    taken_back_s: float = 6.0
    """Where one without a name lies on, a card with one that left while one too many lay was taken back if
    the tray still looks as it did when each was read so lately, and the others have lain on for so
    long (a claimer waits longer after the first card in one claim of a hundred: `Pace`'s slow grabs)."""
    in_tray_s: float = 0.2
    """The last card laid may go to the tray before it was ever read in the middle: it must have
    rested there so long."""
    tray_silence_s: float = 30.0
    """In the tray one card covers another: a card once read at rest there is believed for so long."""
    glimpsed_s: float = 1.5
    glimpsed_span_s: float = 0.08
    glimpsed_ago_s: float = 4.0
    """With all the others lying so long, a card read twice over so long, so long ago, was dealt and
    taken at once."""
    late_s: float = 2.0
    late_falls: int = 2
    late_kept_s: float = 20.0
    """All were seen in the last seconds but never together: they were dealt, once the rest has lain
    for so long or so many have left with none coming (a claim a second after the deal, markers
    unread meanwhile)."""
    deal_s: float = 4.0
    """The first card of a deal is laid so long before the second comes to rest, at most: one read
    last before that lay there in a round that nobody saw whole."""
    twice_s: float = 3.0
    """Two readings of one number within so long are no misreading, wherever they were."""
    dealt_s: float = 3.0
    beside_round_s: float = 1.0
    beside_cards: int = 2
    """What comes to lie without a name so long after a whole deal, or lies for so long, beside so many
    cards of the open round, is no card, and not of the next deal: one too many is laid a second or two
    after the others, and told some ten pictures later (chosen)."""
    over_mm: float = 50.0
    """What lies without a name so near to the middle of a card of the open round lies over it (cards are
    56 mm wide and more)."""
    beside_deal_s: float = 8.0
    """What lies without a name beside a whole deal for so long is not one too many: that is said
    after 2.5 s, and taken back (chosen)."""
    alone_s: float = 5.0
    """What lies alone without a name for so long is no deal's first card (chosen; see `deal_s`)."""
    taken_mm: float = 150.0
    """Without tokens: a card so far from its place and from all others lies in a pile of taken ones,
    and stays one of them."""


LAID_MODEL = LaidModel()

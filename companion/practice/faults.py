"""The living room's incidents as switches: how often each befalls the practice table.

Knows names and rates only. Each field is a row of what living rooms do: a chance from 0 (never) to
1 (every time).
"""

from __future__ import annotations

from dataclasses import dataclass, fields

PER_GUESS = (
    "hand_rests",
    "forearm",
    "cup",
    "clutter",
    "glare",
    "focus_hunt",
    "exposure_hunt",
    "lamp_switch",
    "bump_camera",
    "bump_table",
    "nudge",
    "card_on_card",
    "lift_and_return",
    "second_thoughts",
    "foreign_card",
    "unknown_code",
    "duplicate",
    "won_card_returns",
    "picture_freezes",
    "picture_black",
    "camera_stalls",
    "cup_stays",
)
"""Switches that are thrown before a guess, in the order in which they are tried."""

AT_THE_TRAY = ("tray_nudged", "bowl_on_tray", "pile_slips", "lean_shadow")
"""The same of tables that set aside on a tray; chance has its own row of numbers for these, so that
other evenings stay what they were."""


@dataclass(frozen=True, slots=True)
class Faults:
    """Chances of incidents: before each guess, in each deal, at each claim, or for the whole
    evening."""

    hand_rests: float = 0.0
    """A hand rests on a card for 1 to 4 s."""
    forearm: float = 0.0
    """An arm reaches across several cards and back."""
    cup: float = 0.0
    """A cup is put down on a card's marker and taken away again."""
    cup_stays: float = 0.0
    """A cup is put down between the cards, or before they are dealt, and stays until a card would lie
    there. Of weight only where cards have no codes, and not of `LIVING_ROOM`."""
    clutter: float = 0.0
    """A phone with its screen lit, or a book, lies among the cards for a while, perhaps on some of
    them."""
    glare: float = 0.0
    """A lamp's reflection burns out a marker for a while."""
    focus_hunt: float = 0.0
    """Auto-focus loses the table for about a second."""
    exposure_hunt: float = 0.0
    """Auto-exposure swings for about a second."""
    lamp_switch: float = 0.0
    """A lamp goes off or on: brightness, colour and slope of the light jump, and come back later.
    """
    bump_camera: float = 0.0
    """The camera is hit: it shakes and stays a little aside."""
    bump_table: float = 0.0
    """The table is hit: everything on it shakes and shifts together."""
    nudge: float = 0.0
    """Two or three cards are pushed a little and turned."""
    card_on_card: float = 0.0
    """A card is pushed over another one's marker and, after some seconds, back again."""
    lift_and_return: float = 0.0
    """A Spectator lifts a card to look and puts it back."""
    second_thoughts: float = 0.0
    """A card is set aside and comes back: that guess is taken back."""
    foreign_card: float = 0.0
    """A card of another deck lies in the middle for a while."""
    unknown_code: float = 0.0
    """A slip with some other QR code lies in the middle for a while."""
    duplicate: float = 0.0
    """A second print of a card that lies there is laid beside it for a while."""
    won_card_returns: float = 0.0
    """A card of a finished round is laid into the middle for a while."""
    picture_freezes: float = 0.0
    """The camera repeats its last picture for 2 to 4 s while the table waits."""
    picture_black: float = 0.0
    """The camera gives black pictures for 1 to 3 s."""
    camera_stalls: float = 0.0
    """The camera gives no picture for 2 to 4 s."""
    early_card: float = 0.0
    """In a deal: a card is taken away before all lie, and put back."""
    early_guess: float = 0.0
    """In a deal: the first Spectator guesses before the last card lies, wrongly, and it is played
    so."""
    one_too_many: float = 0.0
    """In a deal: one card more than the round needs is laid, and taken back after some seconds."""
    one_too_few: float = 0.0
    """In a deal: one card is missing for some seconds, then laid."""
    pile_sweep: float = 0.0
    """At a claim: the cards are pushed into one heap and the heap is taken (else as the group is
    used to)."""
    several_grabs: float = 0.0
    """At a claim: the right card first, then the rest in grabs with pauses."""
    edge_pile: float = 0.0
    """At the end of a round: a won pile is put face up at the table's edge, in view."""
    overlapping_tray: float = 0.0
    """For the evening: cards in the tray are laid over one another."""
    pile_on_top: float = 0.0
    """For the evening: each card set aside is laid half on the last one."""
    pile_under: float = 0.0
    """For the evening: each card set aside is pushed half under the last one."""
    pile_fan: float = 0.0
    """For the evening: cards in the tray lie in a fan."""
    pile_heap: float = 0.0
    """For the evening: cards in the tray lie in a heap at one spot."""
    tray_edge: float = 0.0
    """For the evening: cards set aside lie partly on the tray's edge, partly beside it."""
    tray_cut_off: float = 0.0
    """For the evening: a third of the tray is outside the picture."""
    tray_far: float = 0.0
    """For the evening: the view is steep, and the tray lies at its far end."""
    hand_lingers: float = 0.0
    """The hand that laid a card in the tray stays over it while others play on."""
    two_at_once: float = 0.0
    """A wrong card stays where it lies until the next is wrong too: one hand carries both to the
    tray."""
    turned_in_tray: float = 0.0
    """A card is laid in the tray face down."""
    tray_nudged: float = 0.0
    """The tray is pushed a little and turned, with all that lies on it."""
    bowl_on_tray: float = 0.0
    """A bowl is put on a corner of the tray and stays; from then on hands reach into it."""
    pile_slips: float = 0.0
    """The top card of the pile slides off by itself."""
    lean_shadow: float = 0.0
    """Somebody leans in, and their shadow lies over half the tray for a while."""
    exposure_follows: float = 0.0
    """For the evening: the camera's exposure jumps whenever a hand comes into view."""
    missing_cards: float = 0.0
    """For the evening: a few cards of the box are lost."""
    flicker: float = 0.0
    """For the evening: mains flicker runs through the picture."""
    dusk: float = 0.0
    """For the evening: it slowly gets dark, and the camera noisier."""
    shaky: float = 0.0
    """For the evening: the camera is a phone on a stand that sways."""

    @classmethod
    def all(cls, rate: float) -> Faults:
        """Every switch at `rate`."""
        return cls(**{entry.name: rate for entry in fields(cls)})

    @classmethod
    def only(cls, name: str, rate: float = 1.0) -> Faults:
        """One switch at `rate`, all others off.

        Raises:
            ValueError: there is no such switch; the message names them all.
        """
        names = [entry.name for entry in fields(cls)]
        if name not in names:
            raise ValueError(f"there is no fault {name!r}: choose one of {', '.join(names)}")
        return cls(**{name: rate})


NO_FAULTS = Faults()
EVERYDAY = Faults(edge_pile=0.4)
"""A quiet table: nothing goes wrong, some piles lie face up at the edge."""

LIVING_ROOM = Faults(
    hand_rests=0.06,
    forearm=0.05,
    cup=0.02,
    clutter=0.01,
    glare=0.02,
    focus_hunt=0.02,
    exposure_hunt=0.02,
    lamp_switch=0.01,
    bump_camera=0.015,
    bump_table=0.02,
    nudge=0.05,
    card_on_card=0.02,
    lift_and_return=0.05,
    second_thoughts=0.04,
    foreign_card=0.01,
    unknown_code=0.01,
    duplicate=0.005,
    won_card_returns=0.01,
    picture_freezes=0.01,
    picture_black=0.005,
    camera_stalls=0.01,
    early_card=0.03,
    early_guess=0.01,
    one_too_many=0.03,
    one_too_few=0.03,
    pile_sweep=0.15,
    several_grabs=0.15,
    edge_pile=0.3,
    overlapping_tray=0.2,
    pile_on_top=0.08,
    pile_under=0.08,
    pile_fan=0.06,
    pile_heap=0.05,
    tray_edge=0.05,
    tray_cut_off=0.05,
    tray_far=0.03,
    hand_lingers=0.08,
    two_at_once=0.04,
    turned_in_tray=0.02,
    tray_nudged=0.03,
    bowl_on_tray=0.02,
    pile_slips=0.02,
    lean_shadow=0.04,
    exposure_follows=0.1,
    missing_cards=0.1,
    flicker=0.1,
    dusk=0.1,
)
"""Every incident, as often as a living room may have it: four in ten guesses suffer one. Nobody has
counted a real one."""

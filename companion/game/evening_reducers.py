"""How the setting of an evening changes: players and circle, the deck's size, pauses and the end.

Each function takes the ledger, the entry and its event, and answers with the next ledger or a
Refusal.
"""

from __future__ import annotations

from dataclasses import replace

from companion.game.events import (
    CardsMissing,
    DeckCounted,
    EveningBegun,
    EveningEnded,
    EveningPaused,
    EveningResumed,
    PlayersChanged,
    RulesChosen,
)
from companion.game.ledger import DealtBack, Ledger
from companion.game.log import Entry
from companion.game.rules import Refusal
from companion.game.seats import FEWEST_PLAYERS, MOST_PLAYERS, passed_on

SMALLEST_DECK = 3
LARGEST_DECK = 999
"""Any deck people may own; numbers beyond the printable ones simply have no marker."""


def apply_evening_begun(ledger: Ledger, entry: Entry, event: EveningBegun) -> Ledger | Refusal:
    """Players sit down; refused a second time, and for players, decks or a Daydreamer that cannot
    be."""
    if ledger.begun:
        return Refusal("evening_begun")
    refused = refuse_players(event.players) or refuse_deck(event.deck_size, 0)
    if refused:
        return refused
    if not 0 <= event.daydreamer < len(event.players):
        return Refusal("unknown_daydreamer", {"daydreamer": event.daydreamer})
    circle = tuple(range(len(event.players)))
    return Ledger(
        event.players,
        circle,
        event.daydreamer,
        event.edition,
        event.handling,
        event.deck_size,
        event.learnt_deck,
        deck_left=event.deck_size,
    )


def refuse_players(players: tuple[str, ...]) -> Refusal | None:
    """Why these cannot be the players (3 to 8 different, non-empty names), or None when they can."""
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        return Refusal("players_count", {"players": len(players)})
    if not all(name.strip() and is_writable(name) for name in players):
        return Refusal("player_unnamed")
    folded = [_same(name) for name in players]
    twice = next((name for name in players if folded.count(_same(name)) > 1), None)
    return Refusal("player_twice", {"name": twice}) if twice else None


def is_writable(name: str) -> bool:
    """False for half characters (lone surrogates), which no file and no tablet can hold."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def _same(name: str) -> str:
    return name.strip().casefold()


def refuse_deck(size: int, missing: int) -> Refusal | None:
    """Why a deck cannot have this size, or None when it can."""
    if not SMALLEST_DECK <= size <= LARGEST_DECK or missing > size:
        return Refusal("deck_size", {"size": size, "missing": missing})
    return None


def apply_deck_counted(ledger: Ledger, entry: Entry, event: DeckCounted) -> Ledger | Refusal:
    """The deck has another size, as it always had."""
    refused = refuse_deck(event.size, len(ledger.missing))
    return refused or replace(
        ledger, deck_size=event.size, deck_left=event.size - len(ledger.missing)
    )


def apply_rules_chosen(ledger: Ledger, entry: Entry, event: RulesChosen) -> Ledger:
    """Another edition, another handling of wrong cards."""
    return replace(ledger, edition=event.edition, handling=event.handling)


def apply_cards_missing(ledger: Ledger, entry: Entry, event: CardsMissing) -> Ledger | Refusal:
    """Cards are known to be missing; refused for a number named twice or more cards than the deck
    has."""
    missing = ledger.missing + event.cards
    known = [card for card in missing if card is not None]
    if len(set(known)) < len(known):
        return Refusal(
            "card_twice", {"card": next(card for card in known if known.count(card) > 1)}
        )
    refused = refuse_deck(ledger.deck_size, len(missing))
    return refused or replace(ledger, missing=missing, deck_left=ledger.deck_size - len(missing))


def apply_players_changed(ledger: Ledger, entry: Entry, event: PlayersChanged) -> Ledger | Refusal:
    """Another circle from the event's round on; refused for players that cannot be and for piles of
    people who stay."""
    refused = refuse_players(event.players)
    if refused:
        return refused
    if event.round > ledger.next_number:
        return ledger  # it waits for its round, also when rounds before it were taken back
    names, circle = _seated(ledger.names, event.players)
    seats = {_same(name): seat for seat, name in enumerate(names)}
    daydreamer = (
        seats.get(_same(event.daydreamer))
        if event.daydreamer
        else passed_on(ledger.next_daydreamer, ledger.circle, circle)
    )
    if daydreamer not in circle:
        return Refusal("unknown_daydreamer", {"daydreamer": event.daydreamer})
    changed = replace(ledger, names=names, circle=circle, next_daydreamer=daydreamer)
    after = _deal_back(changed, event)
    return after if isinstance(after, Refusal) else _without_who_never_sat(after)


def _seated(
    names: tuple[str, ...], players: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    known = {_same(name): seat for seat, name in enumerate(names)}
    joined = tuple(name for name in players if _same(name) not in known)
    seats = known | {_same(name): len(names) + at for at, name in enumerate(joined)}
    return names + joined, tuple(seats[_same(name)] for name in players)


def _without_who_never_sat(ledger: Ledger) -> Ledger:
    """Whoever was entered, sat in no round and does not come either was not there: their seat goes to the
    next who comes. No round knows it, nor one behind it."""
    sat = ledger.sat.union(ledger.circle)
    there = [seat for seat in range(len(ledger.names)) if seat in sat]
    now = {seat: at for at, seat in enumerate(there)}
    return replace(
        ledger,
        names=tuple(ledger.names[seat] for seat in there),
        circle=tuple(now[seat] for seat in ledger.circle),
        next_daydreamer=now[ledger.next_daydreamer],
        dealt_back=tuple(back for back in ledger.dealt_back if back.seat in sat),
    )


def _deal_back(ledger: Ledger, event: PlayersChanged) -> Ledger | Refusal:
    for name in event.dealt_back:
        seat = next(
            (seat for seat, known in enumerate(ledger.names) if _same(known) == _same(name)), None
        )
        if seat is None or seat in ledger.circle:
            return Refusal("not_a_leaver", {"name": name})
        back = DealtBack(seat, event.round, ledger.piles[seat])
        ledger = replace(
            ledger,
            dealt_back=(*ledger.dealt_back, back),
            deck_left=ledger.deck_left + len(back.cards),
        )
    return ledger


def apply_evening_paused(ledger: Ledger, entry: Entry, event: EveningPaused) -> Ledger | Refusal:
    """The table stops for a while."""
    return replace(ledger, paused=True)


def apply_evening_resumed(ledger: Ledger, entry: Entry, event: EveningResumed) -> Ledger | Refusal:
    """The table goes on."""
    return replace(ledger, paused=False)


def apply_evening_ended(ledger: Ledger, entry: Entry, event: EveningEnded) -> Ledger | Refusal:
    """The table ends the game here."""
    return replace(ledger, ended=True)

"""The evening in the terminal: one line for every entry, so that the job is seen without a browser."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game.events import (
    CardSetAside,
    CloudsClaimed,
    EveningBegun,
    EveningEnded,
    LookoutTook,
    RoundDealt,
    RoundVoided,
)
from companion.game.ledger import Ledger
from companion.game.log import Entry, Retraction
from companion.game.rules import Round


def line_of(entry: Entry, ledger: Ledger) -> str | None:
    """What happened, in one line; None for what is not worth one."""
    event = entry.event
    if isinstance(event, Retraction):
        return f"         taken back ({event.reason})"
    if isinstance(event, EveningBegun):
        return f"The evening begins: {', '.join(event.players)}.  {event.players[event.daydreamer]} is the first Daydreamer."
    if isinstance(event, EveningEnded):
        return "The evening was ended."
    number = entry.round
    if number is None or not 1 <= number <= len(ledger.rounds):
        return None
    return _of_round(entry, ledger, ledger.rounds[number - 1])


def _of_round(entry: Entry, ledger: Ledger, round_: Round) -> str | None:
    event, names = entry.event, ledger.names
    if isinstance(event, RoundDealt):
        cards = " ".join("??" if card is None else f"{card:02d}" for card in round_.known_cards)
        return f"Round {round_.number:>2}  {names[round_.daydreamer]} lays {cards}; Lookout is {names[round_.lookout]}"
    if isinstance(event, CardSetAside) and event.attempt <= len(round_.guesses):
        return (
            f"         {names[round_.guesses[event.attempt - 1].seat]} is wrong{_with(event.card)}"
        )
    if isinstance(event, CloudsClaimed) and round_.claimer is not None:
        return f"         {names[round_.claimer]} is right: {_gains(ledger, round_)}"
    if isinstance(event, LookoutTook):
        return f"         nobody found it: {_gains(ledger, round_)}"
    if isinstance(event, RoundVoided):
        return "         the round is void"
    return None


def _with(card: int | None) -> str:
    return "" if card is None else f" with {card:02d}"


def _gains(ledger: Ledger, round_: Round) -> str:
    gains = ledger.gains(round_)
    return ", ".join(f"{ledger.names[seat]} +{gain}" for seat, gain in enumerate(gains) if gain)


def standings(ledger: Ledger) -> str:
    """The totals in one line, most cards first."""
    order = sorted(ledger.players, key=lambda player: -player.cards)
    return ", ".join(f"{player.name} {player.cards}" for player in order)


def listed(names: Sequence[str]) -> str:
    """Names as people say them: "Ada, Ben and Cleo"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def ending(ledger: Ledger) -> str:
    """Who won, in one line; empty while the game goes on."""
    if ledger.winners is None:
        return ""
    won = listed([ledger.names[seat] for seat in ledger.winners])
    share = "share the sky" if len(ledger.winners) > 1 else "wins"
    return f"{won} {share}: {standings(ledger)}"

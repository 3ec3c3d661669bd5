"""Counting the piles: the cards a player spread under the camera beside what the ledger says they
won.

`compare` is pure and knows only the scoreboard; the route asks the session what lies in view. A
card whose taker the ledger does not know for certain (a wrong guess entered without its card) may
be in either pile and accuses nobody. One that lies there without a name is counted and not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Response, abort, jsonify

from companion.table.sighting import is_stand_in
from companion.web.context import companion
from companion.web.guards.access import Rule


@dataclass(frozen=True, slots=True)
class Pile:
    """One pile beside the ledger: cards `expected` and `seen`, the numbers that are missing, those
    that are someone else's (card, seat or None), how many of those seen have no name, and whether
    everything agrees."""

    expected: int
    seen: int
    missing: tuple[int, ...]
    foreign: tuple[tuple[int, int | None], ...]
    nameless: int = 0

    @property
    def agrees(self) -> bool:
        """True when number and cards are as the ledger says."""
        return self.expected == self.seen and not self.missing and not self.foreign


def takers(board: Mapping[str, Any]) -> dict[int, frozenset[int]]:
    """Every card of the finished rounds and the seats in whose pile it may be; nobody for cards out
    of the game."""
    found: dict[int, frozenset[int]] = {}
    for line in board["rounds"]:
        found |= _taken(line)
    return found


def _taken(line: Mapping[str, Any]) -> dict[int, frozenset[int]]:
    cards = [card for card in line["cards"] if card is not None]
    if line["ending"] == "lookout":
        return dict.fromkeys(cards, frozenset({line["lookout"]}))
    if line["ending"] != "claimed":
        return dict.fromkeys(cards, frozenset()) if line["ending"] == "void" else {}
    wrong = [guess["card"] for guess in line["guesses"] if not guess["right"]]
    either = {line["claimer"], line["daydreamer"]} if None in wrong else {line["claimer"]}
    return {card: frozenset({line["daydreamer"]} if card in wrong else either) for card in cards}


def compare(board: Mapping[str, Any], seat: int, seen: Iterable[int]) -> Pile:
    """The pile of `seat` beside the ledger.

    Raises:
        ValueError: nobody sits there.
    """
    player = next((p for p in board["players"] if p["seat"] == seat), None)
    if player is None:
        raise ValueError(seat)
    everything, by_card = frozenset(seen), takers(board)
    lying = frozenset(card for card in everything if not is_stand_in(card))
    nameless = len(everything) - len(lying)
    missing = tuple(
        sorted(card for card, seats in by_card.items() if seats == {seat} and card not in lying)
    )
    if len(missing) <= nameless:
        missing = ()  # the ones without a name may be they
    strange = sorted(card for card in lying if card in by_card and seat not in by_card[card])
    unknown = any(None in line["cards"] for line in board["rounds"])
    strange += [] if unknown else sorted(card for card in lying if card not in by_card)
    foreign = tuple((card, min(by_card.get(card) or (), default=None)) for card in strange)
    return Pile(player["cards"], len(everything), missing, foreign, nameless)


def pile(seat: int) -> Response:
    """What the camera sees of this player's pile, beside the ledger; 404 when no camera can tell."""
    session = companion().session
    board = session.scoreboard()
    lying = session.camera.cards_in_view()
    if lying is None or board["phase"] != "over":
        abort(404)
    try:
        found = compare(board, seat, lying)
    except ValueError:
        abort(404)
    foreign = [{"card": card, "seat": owner} for card, owner in found.foreign]
    return jsonify(
        seat=seat,
        expected=found.expected,
        seen=found.seen,
        missing=found.missing,
        foreign=foreign,
        nameless=found.nameless,
        agrees=found.agrees,
    )


ROUTES = (("/api/pile/<int:seat>", "GET", Rule.CONTROL, pile),)

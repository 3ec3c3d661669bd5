"""The circle of seats: neighbours, roles, how many cards a round takes, and who guesses when.

Knows numbers of seats only; no names, no cards, no points. A circle is a tuple of seat numbers in
clockwise order, so "left" is the next one and "right" the one before.
"""

from __future__ import annotations

from itertools import cycle, islice

Circle = tuple[int, ...]

FEWEST_PLAYERS = 3
MOST_PLAYERS = 8

FEWEST_CARDS = 3
"""With two cards no attempt would be left: attempts are always two fewer than the cards."""


CARDS_A_ROUND: dict[int, int] = {3: 4, 4: 6, 5: 5, 6: 6, 7: 7, 8: 8}
"""How many cards the Daydreamer draws, by the number of players: the one table of it, for every room and
for the screens."""


def deal_size(players: int) -> int:
    """How many cards the Daydreamer draws for a round of `players` players."""
    return CARDS_A_ROUND.get(players, players)


def attempts(cards: int) -> int:
    """How many guesses a round with `cards` cards allows, also for a count the table accepted as a
    house rule."""
    return cards - 2


def right_of(seat: int, circle: Circle) -> int:
    """The seat on the right of `seat`.  Raises ValueError when `seat` is not in the circle."""
    return circle[circle.index(seat) - 1]


def lookout_of(daydreamer: int, circle: Circle) -> int:
    """The Lookout's seat: the one on the Daydreamer's right."""
    return right_of(daydreamer, circle)


def spectators_of(daydreamer: int, circle: Circle) -> tuple[int, ...]:
    """Everyone else, clockwise from the Daydreamer's left."""
    at = circle.index(daydreamer)
    return (circle[at + 1 :] + circle[:at])[:-1]


def guess_order(spectators: tuple[int, ...], cards: int) -> tuple[int, ...]:
    """Whose guess each attempt is: the Spectators in turn, from the first again while attempts are
    left."""
    return tuple(islice(cycle(spectators), attempts(cards)))


def passed_on(daydreamer: int, old: Circle, new: Circle) -> int:
    """The first seat from `daydreamer` on, going right around the `old` circle, that also sits in
    the `new` one.

    Falls back to the new circle's first seat when nobody stayed.
    """
    at = old.index(daydreamer)
    around = [old[at - step] for step in range(len(old))]
    return next((seat for seat in around if seat in new), new[0])

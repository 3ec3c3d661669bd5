"""A count of everybody's clouds from the table of evenings alone: no line of the product counts here."""

from __future__ import annotations

import csv
import io


def recount(text: str) -> dict[str, dict[str, int]]:
    """Everybody's clouds of each evening, from the table alone.

    Nobody right: all to the Lookout, who sits last. Right: the wrong ones to the Daydreamer, who sits
    first, the rest to who was right.
    """
    totals: dict[str, dict[str, int]] = {}
    for row in csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))):
        circle = [int(seat) for seat in row["circle"].split()]
        guesses = [guess.split(":") for guess in row["guesses"].split()]
        cards = len(row["cards"].split())
        piles = totals.setdefault(row["evening"], {})
        for seat in circle:
            piles.setdefault(row[f"player_{seat}"], 0)
        if guesses and guesses[-1][2] == "right":
            piles[row[f"player_{circle[0]}"]] += len(guesses) - 1
            piles[row[f"player_{guesses[-1][0]}"]] += cards - len(guesses) + 1
        elif len(guesses) == cards - 2:
            piles[row[f"player_{circle[-1]}"]] += cards
    return totals

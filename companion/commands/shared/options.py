"""Options that several commands share, checked the same way everywhere."""

from __future__ import annotations

import argparse

from calibration.cameras.port import Camera
from calibration.cameras.slower import SlowerCamera
from card_printables.deck import DECKS, LARGEST, PUBLISHED_SIZE
from card_printables.marker import SYMBOL_MM
from companion.errors import BadInput
from companion.game.evening_reducers import refuse_deck, refuse_players
from companion.game.events import EDITIONS, HANDLINGS
from companion.game.rules import Refusal
from companion.game.seats import FEWEST_PLAYERS, MOST_PLAYERS, deal_size
from companion.journal.recording import read_game, read_recording
from companion.journal.report import LETTERS

SMALLEST = min(deal_size(players) for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1))
"""A deck must last for one round of somebody's game."""


def add_deck(
    parser: argparse.ArgumentParser, learnt: bool = False, remembered: bool = False
) -> None:
    """Which cards lie on this table: deck name, deck size, marker size; `learnt`: also a deck that was
    learnt by its pictures; `remembered`: unless something is said, the one chosen on the tablet."""
    if learnt:
        parser.add_argument(
            "--deck",
            metavar="NAME",
            default=None if remembered else DECKS[0],
            help=f"the deck's printed name ({', '.join(DECKS)}), or one that `companion learn-deck` learnt "
            f"(default{': as chosen on the tablet, else' if remembered else ''} {DECKS[0]})",
        )
    else:
        parser.add_argument(
            "--deck",
            choices=DECKS,
            default=DECKS[0],
            help="the deck's printed name (default %(default)s)",
        )
    parser.add_argument(
        "--deck-size",
        type=int,
        default=PUBLISHED_SIZE,
        help="cards in the deck (default %(default)s)",
    )
    parser.add_argument(
        "--marker-mm",
        type=float,
        default=SYMBOL_MM,
        help="side of the printed code (default %(default)s)",
    )


LIGHT_EVERY_S = 0.25
"""With --light a picture is looked at so often: what that costs in truth stands beside the same rounds
from ten pictures a second (`tests/benchmarks/README.md`, evening: `--light`), and they cost little more
than half (`tests/benchmarks/cost/noise.py`)."""


def add_light(parser: argparse.ArgumentParser) -> None:
    """For small computers."""
    parser.add_argument(
        "--light",
        action="store_true",
        help="look at four pictures a second at most: about half the work, for small computers",
    )


def lightened(camera: Camera, args: argparse.Namespace) -> Camera:
    """The camera as it was asked for: with --light a slower one."""
    return SlowerCamera(camera, LIGHT_EVERY_S) if getattr(args, "light", False) else camera


def add_game(parser: argparse.ArgumentParser, players_required: bool) -> None:
    """Who plays, who begins, which edition, how cards are set aside."""
    parser.add_argument(
        "--players", required=players_required, help="names in clockwise order, with commas between"
    )
    parser.add_argument(
        "--daydreamer", required=players_required, help="the name of the first Daydreamer"
    )
    parser.add_argument(
        "--edition", choices=EDITIONS, default="en", help="whose rules (default %(default)s)"
    )
    parser.add_argument(
        "--set-aside",
        choices=HANDLINGS,
        default="auto",
        help="where wrong cards go (default: found out)",
    )


def take_recorded_game(args: argparse.Namespace, recording: str) -> None:
    """Where nobody said who played, take what the recording says: people called A, B, C.

    Raises:
        BadInput: neither says it, or it is no recording.
    """
    if args.players is not None and args.daydreamer is not None:
        return
    game = read_game(recording)
    if game is None:
        next(read_recording(recording), None)
        raise BadInput(f"{recording} does not say who played: give --players and --daydreamer")
    letters = LETTERS[: game.players]
    args.players = ",".join(letters)
    args.daydreamer = letters[game.daydreamer]
    args.edition = game.edition
    args.set_aside = game.handling
    args.deck_size = game.deck_size


def names_of(text: str) -> tuple[str, ...]:
    """The players of a comma list, trimmed.

    Raises:
        BadInput: fewer than 3, more than 8, an empty name, or one name twice.
    """
    names = tuple(name.strip() for name in text.split(",")) if text.strip() else ()
    refused = refuse_players(names)
    if refused is not None:
        raise BadInput(_SENTENCES[refused.reason].format(**refused.params))
    return names


_SENTENCES = {
    "players_count": f"{FEWEST_PLAYERS} to {MOST_PLAYERS} can play, not {{players}}: give the players' names with commas between",
    "player_unnamed": "a player's name is empty: give every player a name, with commas between",
    "person_twice": "{name} and {other} are one person in the book of evenings: give each player one name",
    "player_twice": "the name {name} stands there twice: give each player a name of their own",
}


def seat_of(name: str, players: tuple[str, ...]) -> int:
    """The seat of a player's name.

    Raises:
        BadInput: nobody has this name.
    """
    if name.strip() not in players:
        raise BadInput(
            f"the Daydreamer {name!r} is not among the players: choose one of {', '.join(players)}"
        )
    return players.index(name.strip())


def deck_numbers(size: int) -> frozenset[int]:
    """The card numbers of a deck of this size.

    Raises:
        BadInput: no such deck can be printed or played.
    """
    refused: Refusal | None = refuse_deck(size, 0)
    if refused is not None or not SMALLEST <= size <= LARGEST:
        raise BadInput(
            f"a deck of {size} cards cannot be played: choose --deck-size between {SMALLEST} and {LARGEST}"
        )
    return frozenset(range(1, size + 1))


def marker_of(symbol_mm: float) -> float:
    """A marker size in mm that can be read.

    Raises:
        BadInput: it is not a size for a card's marker.
    """
    if not 4.0 <= symbol_mm <= 60.0:
        raise BadInput(
            f"a marker of {symbol_mm} mm is not possible: give the printed code's side, 4 to 60 mm"
        )
    return symbol_mm

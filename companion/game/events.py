"""What can happen in an evening, in the past tense.

Plain values without time, author or source: those belong to the log's `Entry`. Every event of a
round carries the number of its `round` (1-based), and every guess its `attempt` (1-based), so that
a round can be corrected long after. The Lookout's chosen card is in none of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Card = int | None
"""A card's number, or None where nobody read it (kept by touch)."""

Edition = Literal["en", "de", "cs"]
Handling = Literal["auto", "tray", "away", "face-down"]
Source = Literal["camera", "person", "rule"]

EDITIONS: tuple[Edition, ...] = ("en", "de", "cs")
HANDLINGS: tuple[Handling, ...] = ("auto", "tray", "away", "face-down")

MOST_WORDS = 5
"""A cloud's name has at most this many words."""


@dataclass(frozen=True, slots=True)
class EveningBegun:
    """The players sat down, clockwise; `daydreamer` is the seat (index) that starts."""

    players: tuple[str, ...]
    daydreamer: int
    edition: Edition = "en"
    deck_size: int = 80
    handling: Handling = "auto"
    learnt_deck: str = ""
    """The learnt deck that the cards' numbers belong to; empty for printed cards."""


@dataclass(frozen=True, slots=True)
class RoundAwaited:
    """The last result was read; the cards of `round` are being drawn and looked at in secret."""

    round: int


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """All cards of the round lie face up."""

    round: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardSetAside:
    """The guess of the Spectator whose turn it was is wrong."""

    round: int
    attempt: int
    card: Card = None


@dataclass(frozen=True, slots=True)
class CloudsClaimed:
    """The guess of the Spectator whose turn it was is right; `card` only where it is known, never
    asked for."""

    round: int
    attempt: int
    card: Card = None


@dataclass(frozen=True, slots=True)
class LookoutTook:
    """The Lookout collected all cards after the last wrong guess; it follows by rule, this dates
    it."""

    round: int


@dataclass(frozen=True, slots=True)
class CloudNamed:
    """The Daydreamer's words for the chosen cloud, if someone wrote them down."""

    round: int
    words: str


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round was spoiled: nobody gains; its cards go out of the game, or back into the deck when
    `cards_return`.

    A void round counts as played and the roles pass on, unless `roles_pass` is False (the same
    roles try again).
    """

    round: int
    cards_return: bool
    roles_pass: bool = True


@dataclass(frozen=True, slots=True)
class RoundInserted:
    """A round nobody entered was played as number `round`: what was entered as that round and later
    counts one higher."""

    round: int


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """The camera cannot tell something of `round` and asks people; the possible answers are the
    entry's evidence."""

    round: int
    asks: str


@dataclass(frozen=True, slots=True)
class PlayersChanged:
    """From `round` on these players sit in the circle, clockwise.

    A name already known keeps its seat number and pile; who is missing is away and keeps the pile,
    except those in `dealt_back`, whose piles go back into the deck. `daydreamer` names who goes on;
    by default the roles pass as ever.
    """

    round: int
    players: tuple[str, ...]
    daydreamer: str | None = None
    dealt_back: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeckCounted:
    """The deck has this many cards in all (it always had: the box was counted)."""

    size: int


@dataclass(frozen=True, slots=True)
class RulesChosen:
    """The table plays by this edition and handles wrong cards so (as it did all evening: only the
    screens were told otherwise)."""

    edition: Edition
    handling: Handling


@dataclass(frozen=True, slots=True)
class CardsMissing:
    """These cards of the deck are not on the table tonight; None for one whose number nobody knows."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class EveningPaused:
    """The table stopped for a while: dinner, or until next week."""


@dataclass(frozen=True, slots=True)
class EveningResumed:
    """The table went on."""


@dataclass(frozen=True, slots=True)
class EveningEnded:
    """The table ended the game here, whatever the deck still holds."""


GuessEvent = CardSetAside | CloudsClaimed
Scoring = RoundDealt | GuessEvent | LookoutTook | RoundVoided
"""What decides a round: its deal, its guesses, its end."""
RoundEvent = (
    RoundAwaited
    | RoundDealt
    | GuessEvent
    | LookoutTook
    | CloudNamed
    | RoundVoided
    | RoundInserted
    | PlayersChanged
    | QuestionAsked
)
Event = (
    EveningBegun
    | RoundEvent
    | DeckCounted
    | RulesChosen
    | CardsMissing
    | EveningPaused
    | EveningResumed
    | EveningEnded
)


def round_of(event: object) -> int | None:
    """The round an event belongs to, or None for an event of the whole evening."""
    return getattr(event, "round", None)

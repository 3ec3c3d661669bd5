"""The deck: card numbers and the words printed for them.

Knows every word that any sheet of this product can carry; knows nothing of pixels, paper or the
game.

A word is ten ASCII characters in QR's alphanumeric set, `CM1-07.K7Q`: the deck's name, the card's
number and three characters that say nothing. They were chosen, with the QR mask, so that any two
printed codes differ in as many modules as possible (`workshop.choose_words`, which prints the smallest
distance). Words are compared whole, as bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

DECKS = ("CM1", "CM2", "CM3", "CM4")
"""The reserved deck names; a second box on the same table takes another name."""

LARGEST = 99
"""Highest card number that has a word; the published box has 80."""

PUBLISHED_SIZE = 80


@dataclass(frozen=True, slots=True)
class Word:
    """One printed code: `payload` (ASCII bytes), the QR `mask`, and what it stands for (`deck` and
    `card`, or a back)."""

    payload: bytes
    mask: int
    deck: str | None
    card: int | None

    @property
    def is_back(self) -> bool:
        """True for the one word that every card back carries."""
        return self.card is None


def _parse(line: str) -> Word:
    payload, mask = line.split()
    if payload.startswith("CM-BACK"):
        return Word(payload.encode("ascii"), int(mask), None, None)
    return Word(payload.encode("ascii"), int(mask), payload[:3], int(payload[4:6]))


@cache
def words() -> tuple[Word, ...]:
    """Every word the product can print: the back first, then all cards of the four decks in order."""
    text = (files("card_printables") / "words.txt").read_text(encoding="ascii")
    return tuple(_parse(line) for line in text.splitlines() if line and not line.startswith("#"))


@cache
def _by_payload() -> dict[bytes, Word]:
    return {word.payload: word for word in words()}


@cache
def _by_card() -> dict[tuple[str, int], Word]:
    return {
        (word.deck, word.card): word
        for word in words()
        if word.deck is not None and word.card is not None
    }


def word_of(payload: bytes) -> Word | None:
    """The word with exactly these bytes, or None: no trimming, no other digits, no prefix match."""
    return _by_payload().get(payload)


def word_for(card: int, deck: str = DECKS[0]) -> Word:
    """The word printed on `card` of `deck`.

    Raises:
        ValueError: there is no such card or deck; the message says which there are.
    """
    word = _by_card().get((deck, card))
    if word is None:
        raise ValueError(
            f"there is no card {card} in deck {deck!r}: cards are 1 to {LARGEST}, decks {', '.join(DECKS)}"
        )
    return word


def back_word() -> Word:
    """The word on every card back: it says "this is a back" and nothing else."""
    return words()[0]

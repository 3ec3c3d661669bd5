"""How a round changes the ledger: deal, guesses, the Lookout's taking, a spoiled round, a name.

Each function takes the ledger, the entry and its event, and answers with the next ledger or a
Refusal. Entries come in the order of the table, so the round in question is always the last one of
the ledger.
"""

from __future__ import annotations

from dataclasses import replace

from companion.game.events import (
    MOST_WORDS,
    Card,
    CloudNamed,
    CloudsClaimed,
    GuessEvent,
    LookoutTook,
    QuestionAsked,
    RoundAwaited,
    RoundDealt,
    RoundInserted,
    RoundVoided,
)
from companion.game.ledger import Ledger
from companion.game.log import Entry
from companion.game.rules import Refusal, Round, deal_round
from companion.game.seats import right_of


def apply_round_awaited(ledger: Ledger, entry: Entry, event: RoundAwaited) -> Ledger | Refusal:
    """The next round is being drawn; a correction of the round before, entered later, does not
    bring its result back."""
    return replace(ledger, awaited=max(ledger.awaited, event.round))


def apply_round_inserted(ledger: Ledger, entry: Entry, event: RoundInserted) -> Ledger | Refusal:
    """Room for a round nobody entered; the log already counts the later ones higher. Refused beyond
    the rounds played."""
    if event.round > ledger.next_number:
        return Refusal("wrong_round", {"round": event.round, "next": ledger.next_number})
    return ledger


def apply_round_dealt(ledger: Ledger, entry: Entry, event: RoundDealt) -> Ledger | Refusal:
    """The round's cards lie face up; refused out of turn, for more cards than the deck has, and for
    cards seen before."""
    refused = _refuse_deal(ledger, event)
    if refused:
        return _supplied(ledger, entry, event) or refused
    fresh = deal_round(event.round, ledger.next_daydreamer, ledger.circle, event.cards)
    if isinstance(fresh, Refusal):
        return fresh
    fresh = replace(fresh, dealt_by=entry.source, dealt_at_s=entry.at_s, last_entry=entry.number)
    return replace(
        ledger,
        rounds=(*ledger.rounds, fresh),
        deck_left=ledger.deck_left - len(event.cards),
        next_daydreamer=right_of(ledger.next_daydreamer, ledger.circle),
    )


def _refuse_deal(ledger: Ledger, event: RoundDealt) -> Refusal | None:
    if ledger.open_round:
        return Refusal("round_open", {"round": ledger.open_round.number})
    if event.round != ledger.next_number:
        return Refusal("wrong_round", {"round": event.round, "next": ledger.next_number})
    if len(event.cards) > ledger.deck_left:
        return Refusal("deck_too_small", {"cards": len(event.cards), "deck_left": ledger.deck_left})
    gone = next(iter(ledger.seen.intersection(event.cards)), None)
    return (
        Refusal("card_already_dealt", {"card": gone, "round": event.round})
        if gone is not None
        else None
    )


def _supplied(ledger: Ledger, entry: Entry, event: RoundDealt) -> Ledger | None:
    """A second deal of the open round only adds the numbers that the first, by a person's touch,
    did not have."""
    now = ledger.open_round
    if (
        now is None
        or now.number != event.round
        or now.dealt_by != "person"
        or entry.source == "person"
    ):
        return None
    if (
        set(now.cards) != {None}
        or len(now.cards) != len(event.cards)
        or ledger.seen & set(event.cards)
    ):
        return ledger  # the person's word stands
    return _with_round(
        ledger, replace(now, cards=event.cards, last_entry=max(now.last_entry, entry.number))
    )


def _with_round(ledger: Ledger, changed: Round) -> Ledger:
    return replace(ledger, rounds=(*ledger.rounds[:-1], changed))


def apply_guess(ledger: Ledger, entry: Entry, event: GuessEvent) -> Ledger | Refusal:
    """One guess; refused out of turn, and where the same attempt was already told otherwise than by
    a person's touch."""
    if not ledger.rounds or ledger.rounds[-1].number != event.round:
        return Refusal("no_round", {"round": event.round})
    now = ledger.rounds[-1]
    if 1 <= event.attempt <= len(now.guesses):
        return _supplied_guess(ledger, entry, event)
    if now.ending == "open" and event.attempt != len(now.guesses) + 1:
        return Refusal(
            "attempt_skipped", {"round": event.round, "attempt": event.attempt, "next": now.attempt}
        )
    after = now.guess(
        isinstance(event, CloudsClaimed), event.card, entry.source, entry.at_s, entry.confidence
    )
    return after if isinstance(after, Refusal) else _with_round(ledger, _dated(after, entry))


def _dated(round_: Round, entry: Entry) -> Round:
    ended_at_s = entry.at_s if round_.ending != "open" else None
    return replace(round_, last_entry=max(round_.last_entry, entry.number), ended_at_s=ended_at_s)


def _supplied_guess(ledger: Ledger, entry: Entry, event: GuessEvent) -> Ledger | Refusal:
    """A camera's entry under a person's only adds the card's number, and only where both say the
    same."""
    now = ledger.rounds[-1]
    said = now.guesses[event.attempt - 1]
    if entry.source == "person" or said.source != "person":
        return Refusal("attempt_taken", {"round": event.round, "attempt": event.attempt})
    if (
        said.card is not None
        or said.right != isinstance(event, CloudsClaimed)
        or _known(now, event.card)
    ):
        return ledger
    guesses = tuple(
        replace(said, card=event.card) if guess is said else guess for guess in now.guesses
    )
    return _with_round(ledger, replace(now, guesses=guesses))


def _known(now: Round, card: Card) -> bool:
    guessed: set[Card] = {guess.card for guess in now.guesses}
    return card in guessed or (card not in now.known_cards and None not in now.known_cards)


def apply_lookout_took(ledger: Ledger, entry: Entry, event: LookoutTook) -> Ledger | Refusal:
    """Dates the Lookout's taking, which follows by rule; refused while attempts are left."""
    now = ledger.rounds[-1] if ledger.rounds else None
    if now is None or now.number != event.round:
        return Refusal("no_round", {"round": event.round})
    if now.ending != "lookout":
        return Refusal("attempts_left", {"round": event.round, "attempt": now.attempt})
    return _with_round(ledger, _dated(now, entry))


def apply_round_voided(ledger: Ledger, entry: Entry, event: RoundVoided) -> Ledger | Refusal:
    """The round is spoiled; its cards go out or back into the deck."""
    now = ledger.rounds[-1] if ledger.rounds else None
    if now is None or now.number != event.round:
        return Refusal("no_round", {"round": event.round})
    if now.voided:
        return Refusal("round_void", {"round": event.round})
    back = event.cards_return
    void = replace(now, voided="back" if back else "out", voided_by=entry.source)
    after = _with_round(ledger, _dated(void, entry))
    return replace(
        after,
        deck_left=ledger.deck_left + (len(now.cards) if back else 0),
        next_daydreamer=ledger.next_daydreamer if event.roles_pass else now.daydreamer,
    )


def apply_cloud_named(ledger: Ledger, entry: Entry, event: CloudNamed) -> Ledger | Refusal:
    """The cloud's name, of at most five words."""
    words = event.words.split()
    if not 1 <= len(words) <= MOST_WORDS:
        return Refusal("name_words", {"words": len(words), "most": MOST_WORDS})
    name = " ".join(words)
    if ledger.rounds and ledger.rounds[-1].number == event.round:
        return _with_round(ledger, replace(ledger.rounds[-1], name=name))
    return replace(ledger, upcoming_name=name) if event.round == ledger.next_number else ledger


def apply_question_asked(ledger: Ledger, entry: Entry, event: QuestionAsked) -> Ledger | Refusal:
    """A question changes nothing: what people answer does."""
    return ledger

"""Log -> ledger: every effective entry applied in the order of the table, as far as they fit.

The order of the table is not the order of entering: a round corrected long after still comes before the next one, so
entries are sorted by round, by place in the round, and a person's before the camera's.  Nothing here raises for what
people did; the first entry that does not fit is named and the rest left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.game.events import (
    MOST_WORDS,
    Card,
    CardSetAside,
    CardsMissing,
    CloudNamed,
    CloudsClaimed,
    DeckCounted,
    EveningBegun,
    EveningEnded,
    EveningPaused,
    EveningResumed,
    GuessEvent,
    LookoutTook,
    PlayersChanged,
    RoundAwaited,
    RoundDealt,
    RoundVoided,
)
from companion.game.ledger import DealtBack, Ledger
from companion.game.log import Entry, Log, Retraction
from companion.game.rules import Refusal, Round, deal
from companion.game.seats import FEWEST_PLAYERS, MOST_PLAYERS, passed_on, right_of

Step = Ledger | Refusal

SMALLEST_DECK = 3
LARGEST_DECK = 999
"""Any deck people may own; numbers beyond the printable ones simply have no marker."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """The first entry that no longer fits, and why."""

    entry: Entry
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Replay:
    """A ledger as far as the log is valid; `misfit` names the first entry left out, or is None."""

    ledger: Ledger
    misfit: Misfit | None = None


def fold(log: Log) -> Replay:
    """What the log adds up to, as far as it is valid.  Never raises for what the entries say."""
    ledger = Ledger()
    for entry in sorted(log.effective, key=_place):
        after = apply(ledger, entry)
        if isinstance(after, Refusal):
            return Replay(_marked(ledger, log), Misfit(entry, after))
        ledger = after
    return Replay(_marked(ledger, log))


_RANK: dict[type, int] = {PlayersChanged: 0, RoundAwaited: 1, RoundDealt: 2, CardSetAside: 3, CloudsClaimed: 3,
                          LookoutTook: 4, RoundVoided: 5, CloudNamed: 6}
_FACTS = (EveningBegun, DeckCounted, CardsMissing)


def _place(entry: Entry) -> tuple[float, int, int, int, int]:
    event = entry.event
    if isinstance(event, _FACTS):
        return (0, 0 if isinstance(event, EveningBegun) else 1, 0, 0, entry.number)
    if entry.round is None:
        return (float("inf"), 0, 0, 0, entry.number)
    return (entry.round, _RANK[type(event)], getattr(event, "attempt", 0), entry.source != "person", entry.number)


def apply(ledger: Ledger, entry: Entry) -> Step:
    """The ledger after one more event in the order of the table, or the Refusal that says why it cannot be."""
    if not ledger.begun and not isinstance(entry.event, EveningBegun):
        return Refusal("no_evening")
    return _APPLY[type(entry.event)](ledger, entry, entry.event)


def _begin(ledger: Ledger, entry: Entry, event: EveningBegun) -> Step:
    if ledger.begun:
        return Refusal("evening_begun")
    refused = refuse_players(event.players) or refuse_deck(event.deck_size, 0)
    if refused:
        return refused
    if not 0 <= event.daydreamer < len(event.players):
        return Refusal("unknown_daydreamer", {"daydreamer": event.daydreamer})
    circle = tuple(range(len(event.players)))
    return Ledger(event.players, circle, event.daydreamer, event.edition, event.handling, event.deck_size,
                  deck_left=event.deck_size)


def refuse_players(players: tuple[str, ...]) -> Refusal | None:
    """Why these cannot be the players (3 to 8 different, non-empty names), or None when they can."""
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        return Refusal("players_count", {"players": len(players)})
    if not all(name.strip() for name in players):
        return Refusal("player_unnamed")
    folded = [_same(name) for name in players]
    twice = next((name for name in players if folded.count(_same(name)) > 1), None)
    return Refusal("player_twice", {"name": twice}) if twice else None


def _same(name: str) -> str:
    return name.strip().casefold()


def refuse_deck(size: int, missing: int) -> Refusal | None:
    """Why a deck cannot have this size, or None when it can."""
    if not SMALLEST_DECK <= size <= LARGEST_DECK or missing > size:
        return Refusal("deck_size", {"size": size, "missing": missing})
    return None


def _count_deck(ledger: Ledger, entry: Entry, event: DeckCounted) -> Step:
    refused = refuse_deck(event.size, len(ledger.missing))
    return refused or replace(ledger, deck_size=event.size, deck_left=event.size - len(ledger.missing))


def _miss(ledger: Ledger, entry: Entry, event: CardsMissing) -> Step:
    missing = ledger.missing + event.cards
    known = [card for card in missing if card is not None]
    if len(set(known)) < len(known):
        return Refusal("card_twice", {"card": next(card for card in known if known.count(card) > 1)})
    refused = refuse_deck(ledger.deck_size, len(missing))
    return refused or replace(ledger, missing=missing, deck_left=ledger.deck_size - len(missing))


def _change_players(ledger: Ledger, entry: Entry, event: PlayersChanged) -> Step:
    refused = refuse_players(event.players)
    if refused:
        return refused
    if event.round > ledger.next_number:
        return ledger  # it waits for its round, also when rounds before it were taken back
    names, circle = _seated(ledger.names, event.players)
    seats = {_same(name): seat for seat, name in enumerate(names)}
    daydreamer = seats.get(_same(event.daydreamer)) if event.daydreamer else passed_on(
        ledger.next_daydreamer, ledger.circle, circle)
    if daydreamer not in circle:
        return Refusal("unknown_daydreamer", {"daydreamer": event.daydreamer})
    changed = replace(ledger, names=names, circle=circle, next_daydreamer=daydreamer)
    return _deal_back(changed, event)


def _seated(names: tuple[str, ...], players: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    known = {_same(name): seat for seat, name in enumerate(names)}
    joined = tuple(name for name in players if _same(name) not in known)
    seats = known | {_same(name): len(names) + at for at, name in enumerate(joined)}
    return names + joined, tuple(seats[_same(name)] for name in players)


def _deal_back(ledger: Ledger, event: PlayersChanged) -> Step:
    for name in event.dealt_back:
        seat = next((seat for seat, known in enumerate(ledger.names) if _same(known) == _same(name)), None)
        if seat is None or seat in ledger.circle:
            return Refusal("not_a_leaver", {"name": name})
        back = DealtBack(seat, event.round, ledger.piles[seat])
        ledger = replace(ledger, dealt_back=(*ledger.dealt_back, back), deck_left=ledger.deck_left + len(back.cards))
    return ledger


def _await(ledger: Ledger, entry: Entry, event: RoundAwaited) -> Step:
    newest = ledger.rounds[-1].last_entry if ledger.rounds else 0
    return replace(ledger, awaited=event.round) if entry.number > newest else ledger


def _deal(ledger: Ledger, entry: Entry, event: RoundDealt) -> Step:
    refused = _refuse_deal(ledger, event)
    if refused:
        return _supplied(ledger, entry, event) or refused
    fresh = deal(event.round, ledger.next_daydreamer, ledger.circle, event.cards)
    if isinstance(fresh, Refusal):
        return fresh
    fresh = replace(fresh, dealt_by=entry.source, dealt_at_s=entry.at_s, last_entry=entry.number)
    return replace(ledger, rounds=(*ledger.rounds, fresh), deck_left=ledger.deck_left - len(event.cards),
                   next_daydreamer=right_of(ledger.next_daydreamer, ledger.circle))


def _refuse_deal(ledger: Ledger, event: RoundDealt) -> Refusal | None:
    if ledger.open_round:
        return Refusal("round_open", {"round": ledger.open_round.number})
    if event.round != ledger.next_number:
        return Refusal("wrong_round", {"round": event.round, "next": ledger.next_number})
    if len(event.cards) > ledger.deck_left:
        return Refusal("deck_too_small", {"cards": len(event.cards), "deck_left": ledger.deck_left})
    gone = next((card for card in event.cards if card in ledger.seen), None)
    return Refusal("card_already_dealt", {"card": gone, "round": event.round}) if gone is not None else None


def _supplied(ledger: Ledger, entry: Entry, event: RoundDealt) -> Ledger | None:
    """A second deal of the open round only adds the numbers that the first, by a person's touch, did not have."""
    now = ledger.open_round
    if now is None or now.number != event.round or now.dealt_by != "person" or entry.source == "person":
        return None
    if set(now.cards) != {None} or len(now.cards) != len(event.cards) or ledger.seen & set(event.cards):
        return ledger  # the person's word stands
    return _with_round(ledger, replace(now, cards=event.cards, last_entry=max(now.last_entry, entry.number)))


def _with_round(ledger: Ledger, changed: Round) -> Ledger:
    return replace(ledger, rounds=(*ledger.rounds[:-1], changed))


def _guess(ledger: Ledger, entry: Entry, event: GuessEvent) -> Step:
    if not ledger.rounds or ledger.rounds[-1].number != event.round:
        return Refusal("no_round", {"round": event.round})
    now = ledger.rounds[-1]
    if event.attempt <= len(now.guesses):
        return _supplied_guess(ledger, entry, event)
    if now.ending == "open" and event.attempt > len(now.guesses) + 1:
        return Refusal("attempt_skipped", {"round": event.round, "attempt": event.attempt, "next": now.attempt})
    after = now.guess(isinstance(event, CloudsClaimed), event.card, entry.source, entry.at_s, entry.confidence)
    return after if isinstance(after, Refusal) else _with_round(ledger, _dated(after, entry))


def _dated(round_: Round, entry: Entry) -> Round:
    ended_at_s = entry.at_s if round_.ending != "open" else None
    return replace(round_, last_entry=max(round_.last_entry, entry.number), ended_at_s=ended_at_s)


def _supplied_guess(ledger: Ledger, entry: Entry, event: GuessEvent) -> Step:
    """A camera's entry under a person's only adds the card's number, and only where both say the same."""
    now = ledger.rounds[-1]
    said = now.guesses[event.attempt - 1]
    if entry.source == "person" or said.source != "person":
        return Refusal("attempt_taken", {"round": event.round, "attempt": event.attempt})
    if said.card is not None or said.right != isinstance(event, CloudsClaimed) or _known(now, event.card):
        return ledger
    guesses = tuple(replace(said, card=event.card) if guess is said else guess for guess in now.guesses)
    return _with_round(ledger, replace(now, guesses=guesses))


def _known(now: Round, card: Card) -> bool:
    guessed: set[Card] = {guess.card for guess in now.guesses}
    return card in guessed or (card not in now.known_cards and None not in now.known_cards)


def _lookout_took(ledger: Ledger, entry: Entry, event: LookoutTook) -> Step:
    now = ledger.rounds[-1] if ledger.rounds else None
    if now is None or now.number != event.round:
        return Refusal("no_round", {"round": event.round})
    if now.ending != "lookout":
        return Refusal("attempts_left", {"round": event.round, "attempt": now.attempt})
    return _with_round(ledger, _dated(now, entry))


def _void(ledger: Ledger, entry: Entry, event: RoundVoided) -> Step:
    now = ledger.rounds[-1] if ledger.rounds else None
    if now is None or now.number != event.round:
        return Refusal("no_round", {"round": event.round})
    if now.voided:
        return Refusal("round_void", {"round": event.round})
    back = event.cards_return
    after = _with_round(ledger, _dated(replace(now, voided="back" if back else "out"), entry))
    return replace(
        after,
        deck_left=ledger.deck_left + (len(now.cards) if back else 0),
        next_daydreamer=ledger.next_daydreamer if event.roles_pass else now.daydreamer,
    )


def _name(ledger: Ledger, entry: Entry, event: CloudNamed) -> Step:
    words = event.words.split()
    if not 1 <= len(words) <= MOST_WORDS:
        return Refusal("name_words", {"words": len(words), "most": MOST_WORDS})
    name = " ".join(words)
    if ledger.rounds and ledger.rounds[-1].number == event.round:
        return _with_round(ledger, replace(ledger.rounds[-1], name=name))
    return replace(ledger, upcoming_name=name) if event.round == ledger.next_number else ledger


def _pause(ledger: Ledger, entry: Entry, event: EveningPaused) -> Step:
    return replace(ledger, paused=True)


def _resume(ledger: Ledger, entry: Entry, event: EveningResumed) -> Step:
    return replace(ledger, paused=False)


def _end(ledger: Ledger, entry: Entry, event: EveningEnded) -> Step:
    return replace(ledger, ended=True)


_APPLY: dict[type, Callable[..., Step]] = {
    EveningBegun: _begin,
    DeckCounted: _count_deck,
    CardsMissing: _miss,
    PlayersChanged: _change_players,
    RoundAwaited: _await,
    RoundDealt: _deal,
    CardSetAside: _guess,
    CloudsClaimed: _guess,
    LookoutTook: _lookout_took,
    RoundVoided: _void,
    CloudNamed: _name,
    EveningPaused: _pause,
    EveningResumed: _resume,
    EveningEnded: _end,
}


def _marked(ledger: Ledger, log: Log) -> Ledger:
    """The ledger with `corrected` set on every round of which a version was replaced after the fact."""
    touched: set[int | None] = set()
    for entry in log.live:
        if isinstance(entry.event, Retraction) and entry.event.reason != "undo":
            taken = [log.entry(number) for number in entry.event.numbers]
            touched |= {old.round for old in taken if entry.source == "person" or _ends(old)}
    rounds = tuple(replace(round_, corrected=True) if round_.number in touched else round_ for round_ in ledger.rounds)
    return replace(ledger, rounds=rounds)


def _ends(entry: Entry) -> bool:
    return isinstance(entry.event, CloudsClaimed | LookoutTook | RoundVoided)

"""What people can ask for, as changes to the log. Pure translation: a command dict in, entries or a
Refusal out.

What a command may say is declared in `command_shapes`, and read there before anything is made of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.evening.command_shapes import Asked, read_command
from companion.evening.questions import accept_missed
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import (
    Changes,
    correct_round,
    insert_round,
    propose,
    redo,
    rematch,
    take_name_away,
    undo,
)
from companion.game.events import (
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
    PlayersChanged,
    RoundAwaited,
    RoundDealt,
    RoundVoided,
    RulesChosen,
)
from companion.game.fold import ledger_before
from companion.game.ledger import Ledger
from companion.game.log import ANSWERED, Entry, Log
from companion.game.rules import Refusal
from companion.game.words import one_line
from companion.referee.ruling import Option

GO_ON = "gone on with"
"""Why an evening's end is taken back: it was only broken off."""


def perform_command(asked: Asked, keeper: Scorekeeper, at_s: float) -> tuple[Entry, ...] | Refusal:
    """Enter what was asked; a Refusal when it cannot be or is not understood."""
    if not keeper.ledger.begun:
        return Refusal("no_evening")
    if asked["do"] == "accept_count":
        return keeper.accept_count()
    make = _CHANGES.get(asked["do"])
    if make is None:
        return Refusal("unknown_command", {"do": str(asked["do"])[:40]})
    told = read_command(asked)
    if isinstance(told, Refusal):
        return told
    unknown = _no_card(told, keeper) if asked["do"] in BY_NUMBER else None
    if unknown is not None:
        return Refusal("no_such_card", {"card": unknown})
    return keeper.change(make(told, keeper), at_s, asked.get("author"))


def _no_card(told: Asked, keeper: Scorekeeper) -> int | None:
    """A number that people wrote down and no cloud of the deck has."""
    numbers = (card for card in told.get("cards") or () if card is not None)
    return next(
        (n for n in numbers if n not in keeper.numbers and n > keeper.ledger.deck_size), None
    )


BY_NUMBER = ("missing", "correct", "insert")
"""Where people write down clouds by their numbers."""


def begin_evening(asked: Asked, keeper: Scorekeeper, learnt_deck: str = "") -> Changes | Refusal:
    """The first entry of a new evening, played with the cards of `learnt_deck` (empty: printed ones); a
    Refusal for players that cannot be."""
    if keeper.ledger.begun and not keeper.ledger.over and keeper.ledger.rounds:
        return Refusal("evening_begun")
    told = read_command(asked)
    if isinstance(told, Refusal):
        return told
    if asked["do"] == "rematch":
        if not keeper.ledger.begun:
            return Refusal("no_evening")
        again = rematch(keeper.ledger, _seat_at(told.get("daydreamer"), keeper.ledger))
        if isinstance(again, Refusal):
            return again
        return Changes((replace(again, learnt_deck=learnt_deck),))
    begun = EveningBegun(
        told["players"],
        told["daydreamer"],
        told.get("edition", "en"),
        told.get("deck_size", 80),
        told.get("handling", "auto"),
        learnt_deck,
    )
    return Changes((begun,))


def _seat_at(place: int | None, ledger: Ledger) -> int | None:
    """The seat at a place as the screens count them."""
    players = ledger.players
    return players[place].seat if place is not None and place < len(players) else place


def go_on_with(keeper: Scorekeeper, at_s: float, author: str | None) -> tuple[Entry, ...] | Refusal:
    """An evening that people ended before its deck was through goes on where it was left; a Refusal
    where nothing is left to play."""
    ended = [one.number for one in keeper.log.effective if isinstance(one.event, EveningEnded)]
    if not ended:
        return () if not keeper.ledger.over else Refusal("played_to_the_end")
    entries = keeper.change(Changes((), tuple(ended), GO_ON), at_s, author)
    if not isinstance(entries, Refusal) and keeper.ledger.over:
        return Refusal("played_to_the_end")
    return entries


def _laid(asked: Asked, keeper: Scorekeeper) -> Changes:
    cards = asked.get("cards") or (None,) * keeper.ledger.draw
    return Changes((RoundDealt(keeper.ledger.next_number, cards),))


def _guess(
    event: type[CardSetAside] | type[CloudsClaimed],
) -> Callable[[Asked, Scorekeeper], Changes | Refusal]:
    def make(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
        now = keeper.ledger.open_round
        if now is None or now.attempt is None:
            return Refusal("no_round")
        return Changes((event(now.number, now.attempt, asked.get("card")),))

    return make


def _answer(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    pending = keeper.book.question
    if pending is None or pending.question.id != asked["question"]:
        return Refusal("question_gone")
    option = _option(pending.question.options, asked["option"])
    if option is None:
        return Refusal("command_shape", {"do": "answer", "field": "option"})
    if option.ending == "void":
        return accept_missed(keeper.log, pending, option)
    guesses: list[tuple[int | None, bool]] = [(card, False) for card in option.set_aside]
    guesses += [(None, True)] if option.ending == "claimed" else []
    said = correct_round(keeper.log, pending.round, tuple(guesses), tuple(pending.ruling.dealt))
    if isinstance(said, Refusal):
        return said
    return replace(said, retract=(*said.retract, pending.entry), reason=ANSWERED)


def _option(options: tuple[Option, ...], at: int | str) -> Option | None:
    """The answer people chose, by its place or by its key."""
    if isinstance(at, str):
        return next((option for option in options if option.key == at), None)
    return options[at] if at < len(options) else None


def _undo(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    return undo(keeper.log)


def _redo(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    return redo(keeper.log)


def _correct(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    """Other guesses; refused where they are told in place of guesses that are not the round's any more."""
    number, seen = asked["round"], asked.get("instead_of")
    guesses = [
        guess for one in keeper.ledger.rounds if one.number == number for guess in one.guesses
    ]
    if seen is not None and seen != tuple((guess.card, guess.right) for guess in guesses):
        return Refusal("round_changed", {"round": number})
    return correct_round(keeper.log, number, asked["guesses"], asked.get("cards"))


def _insert(asked: Asked, keeper: Scorekeeper) -> Changes:
    return _missed_round(keeper.log, asked["round"], asked["guesses"], asked.get("cards") or ())


def _missed_round(
    log: Log, number: int, guesses: tuple[tuple[Card, bool], ...], cards: tuple[Card, ...] = ()
) -> Changes:
    """A round that was played and never entered; without its cards, as many unknown ones as a deal
    of the circle of then has."""
    unknown = (None,) * ledger_before(log, number).draw
    return insert_round(number, guesses, cards or unknown)


def clouds_with_missed(log: Log, number: int, wrong: int, found: bool) -> list[int] | Refusal:
    """Everybody's clouds, in the order of the screens' places, if a round that was missed were written
    in as this number: so many wrong guesses, and then a right one if it was `found`."""
    guesses = ((None, False),) * wrong + ((None, True),) * found
    proposal = propose(log, _missed_round(log, number, guesses), 0.0, "person")
    if isinstance(proposal, Refusal):
        return proposal
    return [player.cards for player in proposal.ledger.players]


def _missing(asked: Asked, keeper: Scorekeeper) -> Changes:
    """Cards that are not in the box tonight, by number or, as null, without one."""
    return Changes((CardsMissing(asked["cards"]),))


def _void(asked: Asked, keeper: Scorekeeper) -> Changes:
    return Changes((RoundVoided(asked["round"], asked["cards"] == "back"),))


def _cloud(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    """A name for a round's cloud; refused where it is told in place of one that is not the round's any
    more."""
    number, seen = asked.get("round"), asked.get("instead_of")
    now = keeper.ledger.open_round
    default = now.number if now else keeper.ledger.next_number
    meant = default if number is None else number
    called = _name_of(keeper.ledger, meant)
    if seen is not None and one_line(called) not in (seen, asked["words"].strip()):
        return Refusal("name_changed", {"round": meant, "now": called})
    if not asked["words"].strip():
        return take_name_away(keeper.log, meant)
    return Changes((CloudNamed(meant, asked["words"]),))


def _name_of(ledger: Ledger, number: int) -> str:
    if number == ledger.next_number:
        return ledger.upcoming_name or ""
    return next((one.name or "" for one in ledger.rounds if one.number == number), "")


def _players(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    """Who sits from the next deal on; refused where it is told in place of a circle that is not the
    coming one any more."""
    players, seen = asked["players"], asked.get("instead_of")
    coming = tuple(keeper.ledger.names[seat] for seat in keeper.ledger.circle)
    if seen is not None and seen != tuple(map(one_line, coming)):
        return Refusal("seats_changed")
    named = asked.get("daydreamer")
    if named is not None and named >= len(players):
        return Refusal("command_shape", {"do": "players", "field": "daydreamer"})
    daydreamer = players[named] if named is not None else None
    back = asked.get("dealt_back") or ()
    return Changes((PlayersChanged(keeper.ledger.next_number, players, daydreamer, back),))


def _deck(asked: Asked, keeper: Scorekeeper) -> Changes:
    """The screens tell how many cards there are tonight; the event tells of the whole box, those that
    are known to be missing included."""
    return Changes((DeckCounted(asked["size"] + len(keeper.ledger.missing)),))


def _rules(asked: Asked, keeper: Scorekeeper) -> Changes:
    now = keeper.ledger
    if (asked["edition"], asked["handling"]) == (now.edition, now.handling):
        return Changes()
    return Changes((RulesChosen(asked["edition"], asked["handling"]),))


def _next(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    if keeper.ledger.phase != "result":
        return Changes()
    return Changes((RoundAwaited(keeper.ledger.next_number),))


_CHANGES: dict[str, Callable[[Asked, Scorekeeper], Changes | Refusal]] = {
    "laid": _laid,
    "set_aside": _guess(CardSetAside),
    "wrong": _guess(CardSetAside),  # as screens of before still say it
    "right": _guess(CloudsClaimed),
    "answer": _answer,
    "undo": _undo,
    "redo": _redo,
    "correct": _correct,
    "insert": _insert,
    "missing": _missing,
    "void": _void,
    "name": _cloud,
    "players": _players,
    "deck": _deck,
    "rules": _rules,
    "pause": lambda asked, keeper: Changes((EveningPaused(),)),
    "resume": lambda asked, keeper: Changes((EveningResumed(),)),
    "end": lambda asked, keeper: Changes((EveningEnded(),)),
    "next": _next,
}

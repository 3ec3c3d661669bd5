"""The scoreboard: all that a screen shows, as one plain dict.

A pure projection of ledger, open question and what the camera believes; the tablet renders this and
nothing else. Before the deal it holds no card number of the coming round, because nothing below
lets one through.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from companion.capture.view import View
from companion.evening.questions import PendingQuestion
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import redo, undo_target
from companion.game.events import (
    CardSetAside,
    CardsMissing,
    CloudNamed,
    CloudsClaimed,
    DeckCounted,
    EveningEnded,
    Event,
    PlayersChanged,
    QuestionAsked,
    RoundDealt,
    RoundInserted,
    RoundVoided,
    RulesChosen,
)
from companion.game.ledger import Ledger, Roles
from companion.game.log import Entry, Log, Retraction
from companion.game.rules import Guess, Refusal, Round
from companion.game.seats import attempts, deal_size
from companion.referee.ruling import Message, Option
from companion.table.sighting import Point, Polygon


def scoreboard(
    keeper: Scorekeeper,
    version: int,
    view: View,
    signs: tuple[int, ...],
    messages: tuple[Message, ...] = (),
) -> dict[str, Any]:
    """The whole evening for a screen. `signs` has the sign of each person, by seat."""
    ledger = keeper.ledger
    question = keeper.book.question
    board = ledger_board(ledger, version, view, signs)
    return board | {
        "question": _question(question, ledger, view) if question else None,
        "undo": _undo(keeper.log, ledger, _places(ledger)),
        "redo": not isinstance(redo(keeper.log), Refusal),
        "inserted": list(keeper.log.inserted),
        "notices": [
            {"key": m.key, "params": dict(m.params)}
            for m in messages
            # beside a result the clouds that lie there for the next round would seem to be this one's
            if m.key != "expected_seen" or board["phase"] != "result"
        ],
    }


def ledger_board(
    ledger: Ledger,
    version: int,
    view: View,
    signs: tuple[int, ...],
    rounds: Sequence[Round] | None = None,
) -> dict[str, Any]:
    """What a screen shows of a ledger alone, of its `rounds` all or those that are given: nothing to
    answer, nothing to take back."""
    awaits_deal = view.result_read and ledger.phase_ignoring_pause == "result"
    phase = "secret" if awaits_deal and not ledger.paused else ledger.phase
    at = _places(ledger)
    return {
        "version": version,
        "phase": phase,
        "edition": ledger.edition,
        "handling": ledger.handling,
        "deck_size": ledger.deck_tonight,
        "played_deck": ledger.learnt_deck or None,
        "players": [
            {
                "seat": at[p.seat],
                "name": p.name,
                "sign": signs[p.seat],
                "cards": p.cards,
                "away": p.away,
            }
            for p in ledger.players
        ],
        "round": _round(ledger, awaits_deal, view, at) if ledger.begun else None,
        "next": _next(ledger, at),
        "rounds": [
            _line(ledger, round_, at) for round_ in (ledger.rounds if rounds is None else rounds)
        ],
        "last": _last(ledger, ledger.last_round, at) if ledger.last_round else None,
        "deck_left": ledger.deck_left,
        "missing": list(ledger.missing),
        "leftover": ledger.leftover,
        "balanced": ledger.balanced,
        "question": None,
        "camera": dict(view.camera),
        "undo": None,
        "redo": False,
        "inserted": [],
        "winners": [at[seat] for seat in ledger.winners] if ledger.winners is not None else None,
        "practice": view.practice,
        "practice_over": view.practice_over,
        "notices": [],
    }


Places = dict[int, int]
"""Of each seat of the evening its place on the screens: those who play now, clockwise, then who is away.
A screen knows nothing but places, so that who joins or leaves in the middle of an evening leaves no gap."""


def _places(ledger: Ledger) -> Places:
    return {player.seat: place for place, player in enumerate(ledger.players)}


def _round(ledger: Ledger, awaits_deal: bool, view: View, at: Places) -> dict[str, Any] | None:
    """The round that a screen shows; the next one where its deal is awaited after a result."""
    waiting = awaits_deal or ledger.phase == "secret"
    now = None if waiting else ledger.current
    roles: Roles | None = ledger.next_roles if waiting else ledger.roles
    if roles is None:
        return None
    more = max(0, ledger.more - 1) if awaits_deal else ledger.more
    return {
        "number": roles.number,
        "of": max(1, len(ledger.finished)) if ledger.over else roles.number + more,
        "more": more,
        "daydreamer": at[roles.daydreamer],
        "lookout": at[roles.lookout],
        "spectators": [at[seat] for seat in roles.spectators],
        "draw": roles.draw,
        "attempts": roles.attempts,
        "attempt": now.attempt if now else None,
        "turn": at[now.turn] if now and now.turn is not None else None,
        "name": now.name if now else ledger.upcoming_name,
        "middle": _middle(now, ledger, view) if now else [],
        "set_aside": [{"card": card} for card in now.set_aside]
        if now and now.ending == "open"
        else [],
        "guesses": [_guess(guess, at) for guess in now.guesses] if now else [],
        "expected": roles.draw,
        "seen": view.unnamed if waiting else len(view.seen),
    }


def _next(ledger: Ledger, at: Places) -> dict[str, Any] | None:
    """The next deal: its round's number, who sits at the table, clockwise, and the roles; None before
    the evening."""
    roles = ledger.next_roles
    if roles is None:
        return None
    return {
        "number": ledger.next_number,
        "circle": [at[seat] for seat in ledger.circle],
        "daydreamer": at[roles.daydreamer],
        "lookout": at[roles.lookout],
    }


def _guess(guess: Guess, at: Places) -> dict[str, Any]:
    source = "person" if guess.source == "person" else "camera"
    return {
        "seat": at[guess.seat],
        "card": guess.card,
        "right": guess.right,
        "source": source,
        "at_s": round(guess.at_s, 2),
    }


def _middle(now: Round, ledger: Ledger, view: View) -> list[dict[str, Any]]:
    """The cards lying in the middle, each where the camera sees it; those it does not see in a
    loose ring, where each stays. Where wrong guesses are turned over they lie there too, face down,
    also those of which nobody knows the number."""
    if now.ending != "open":
        return []
    aside = set(now.set_aside) - {None}
    deal = list(enumerate(now.known_cards))
    lying = [(at, card) for at, card in deal if card is None or card not in aside][
        : now.lying_count
    ]
    middle = [_placed(card, False, at, len(deal), view) for at, card in lying]
    if ledger.handling == "face-down" or (ledger.handling == "auto" and ledger.edition == "de"):
        turned = [
            (at, card if card in aside else None) for at, card in deal if (at, card) not in lying
        ]
        middle += [_placed(card, True, at, len(deal), view) for at, card in turned]
    return middle


def _placed(card: int | None, down: bool, at: int, of: int, view: View) -> dict[str, Any]:
    x, y, turn = _ring(at, of)
    if card is not None and card in view.places and view.middle is not None:
        centre, turn = view.places[card]
        x, y = _normalised(centre, view.middle)
    return {
        "card": card,
        "x": round(x, 3),
        "y": round(y, 3),
        "heading_deg": round(turn),
        "seen": card in view.seen,
        "down": down,
    }


def _ring(at: int, of: int) -> tuple[float, float, float]:
    angle = 2 * math.pi * at / max(1, of)
    radius = 0.58 if of > 2 else 0.3
    return radius * math.sin(angle), -radius * math.cos(angle), 0.0


def _normalised(point: Point, polygon: Polygon) -> tuple[float, float]:
    """The point in the polygon's bounding box, -1 to 1 both ways, clipped."""
    xs, ys = [p[0] for p in polygon], [p[1] for p in polygon]
    x = (2 * point[0] - min(xs) - max(xs)) / max(1.0, max(xs) - min(xs))
    y = (2 * point[1] - min(ys) - max(ys)) / max(1.0, max(ys) - min(ys))
    return max(-1.0, min(1.0, x)), max(-1.0, min(1.0, y))


def _line(ledger: Ledger, round_: Round, at: Places) -> dict[str, Any]:
    gains = ledger.gains(round_)
    return {
        "number": round_.number,
        "circle": [at[seat] for seat in round_.circle],
        "daydreamer": at[round_.daydreamer],
        "lookout": at[round_.lookout],
        "cards": list(round_.known_cards),
        "attempts": attempts(len(round_.cards)),
        "full_attempts": attempts(deal_size(len(round_.circle))),
        "guesses": [_guess(guess, at) for guess in round_.guesses],
        "ending": round_.ending,
        "claimer": None if round_.claimer is None else at[round_.claimer],
        "gains": [gains[seat] for seat in sorted(at, key=at.__getitem__)],
        "name": round_.name,
        "corrected": round_.corrected,
        "unseen": _unseen(round_),
    }


def _unseen(round_: Round) -> bool:
    """True for a round that went by while nobody looked; not for one that people saw and let not count.
    Of a second one that went by a person tells its deal and its end in one act."""
    if round_.voided != "out" or any(round_.known_cards):
        return False
    return round_.voided_by != "person" or round_.dealt_at_s == round_.ended_at_s


def _last(ledger: Ledger, round_: Round, at: Places) -> dict[str, Any]:
    if round_.ending == "void":
        key = "unseen" if _unseen(round_) else "void"
        return {"text_key": key, "seat": None, "gain": 0, "guess": 0, "others": []}
    gains = ledger.gains(round_)
    seat = round_.claimer if round_.claimer is not None else round_.lookout
    others = [[at[other], gain] for other, gain in enumerate(gains) if gain and other != seat]
    key = "right" if round_.ending == "claimed" else "nobody"
    return {
        "text_key": key,
        "seat": at[seat],
        "gain": gains[seat],
        "guess": len(round_.guesses),
        "others": others,
    }


def _question(pending: PendingQuestion, ledger: Ledger, view: View) -> dict[str, Any]:
    question, round_ = pending.question, ledger.rounds[pending.round - 1]
    first, second = question.options[0], question.options[-1]
    card = _disputed(first, second)
    place = view.places.get(card) if card is not None else None
    at = _normalised(place[0], view.middle) if place and view.middle else None
    return {
        "id": question.id,
        "asks": question.asks,
        "round": pending.round,
        "card": card,
        "at": {"x": round(at[0], 3), "y": round(at[1], 3)} if at else None,
        "options": [
            _option(i, option, round_, _places(ledger)) for i, option in enumerate(question.options)
        ],
    }


def _disputed(one: Option, other: Option) -> int | None:
    """The one card on which the two stories differ, if it is one."""
    differ = set(one.set_aside) ^ set(other.set_aside)
    return next(iter(differ)) if len(differ) == 1 else None


def _option(i: int, option: Option, round_: Round, at: Places) -> dict[str, Any]:
    n = len(round_.cards)
    if option.ending == "void":
        return {"key": option.key, "seat": None, "cards": n, "set_aside": 0, "option": i}
    if option.ending == "lookout":
        return {
            "key": "lookout",
            "seat": at[round_.lookout],
            "cards": n,
            "set_aside": option.wrong_count,
            "option": i,
        }
    seat = round_.spectators[option.wrong_count % len(round_.spectators)]
    key = "claimed" if option.wrong_count == 0 else "set_aside_then_claimed"
    return {
        "key": key,
        "seat": at[seat],
        "cards": n - option.wrong_count,
        "set_aside": option.wrong_count,
        "option": i,
    }


_UNDO_KEYS: dict[type, str] = {
    CardSetAside: "set_aside",
    CloudsClaimed: "right",
    RoundDealt: "laid",
    RoundVoided: "void",
    PlayersChanged: "players",
    DeckCounted: "deck",
    RulesChosen: "rules",
    CardsMissing: "deck",
    RoundInserted: "insert",
    Retraction: "correct",
}


def _undo(log: Log, ledger: Ledger, at: Places) -> dict[str, Any] | None:
    target = undo_target(log)
    if target is None:
        return None
    batch = [entry.event for entry in log.live if entry.batch == target.batch]
    if target.source == "person" and any(
        isinstance(event, Retraction | RoundInserted) for event in batch
    ):
        # the whole correction is taken back, whatever its last entry was
        written_in = any(isinstance(event, RoundInserted) for event in batch)
        return {"what": "insert" if written_in else _taken_back(batch, log), "seat": None}
    return {
        "what": _UNDO_KEYS.get(type(target.event), "end"),
        "seat": _place_of(target, ledger, at),
    }


def _taken_back(batch: list[Event | Retraction], log: Log) -> str:
    """What a person did who took something back: a question answered, a name taken away, a game that was
    over gone on with, and else a correction."""
    back = [event for event in batch if isinstance(event, Retraction)]
    taken = [log.entry(one).event for event in back for one in event.numbers]
    if any(isinstance(one, QuestionAsked) for one in taken):
        return "answer"
    for kind, what in ((CloudNamed, "name"), (EveningEnded, "go_on")):
        if taken and all(isinstance(one, kind) for one in taken):
            return what
    return "correct"


def _place_of(entry: Entry, ledger: Ledger, at: Places) -> int | None:
    event = entry.event
    if not isinstance(event, CardSetAside | CloudsClaimed) or event.round > len(ledger.rounds):
        return None
    guesses = ledger.rounds[event.round - 1].guesses
    return at[guesses[event.attempt - 1].seat] if event.attempt <= len(guesses) else None

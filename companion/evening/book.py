"""The book of one evening: its log, what that adds up to, and the questions that stand in it.

Rulings of the camera and changes by people go in; entries come out. Knows the game and rulings. Must
not know glimpses, the curtain or how a ruling was found.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from companion.evening.questions import PendingQuestion, asked_with, read_pending_questions
from companion.game.change import Changes, Proposal, propose, scoring_of
from companion.game.events import (
    CardSetAside,
    CloudNamed,
    CloudsClaimed,
    LookoutTook,
    QuestionAsked,
    RoundDealt,
    RoundVoided,
    Scoring,
)
from companion.game.fold import Replay, fold
from companion.game.ledger import Ledger
from companion.game.log import Entry, Log
from companion.game.reconcile import REREAD, reconcile
from companion.game.rules import Refusal
from companion.referee.make_ruling import missed_ruling
from companion.referee.ruling import Question, Ruling, without_stand_ins
from companion.table.sighting import is_stand_in


@dataclass(frozen=True, slots=True)
class FilmTime:
    """A moment of the footage, and by how much the wall clock is ahead of it."""

    t_s: float
    offset_s: float

    @property
    def wall_s(self) -> float:
        """The same by the wall clock."""
        return self.t_s + self.offset_s


class EveningBook:
    """What is written of one evening."""

    def __init__(self, log: Log) -> None:
        """`log` may be a recorded one: then the book goes on where it stopped."""
        self.log = log
        self._replay = fold(log)
        self.pending_questions: dict[int, PendingQuestion] = read_pending_questions(
            log, self.ledger
        )
        self.past_questions: list[PendingQuestion] = []
        self._names: dict[int, int] = {}
        self._told: dict[int, Ruling] = {}

    @property
    def ledger(self) -> Ledger:
        """What the log adds up to."""
        return self._replay.ledger

    @property
    def question(self) -> PendingQuestion | None:
        """The question of the latest round that waits for an answer, or None: who put off an older
        one sees the new one."""
        return (
            self.pending_questions[max(self.pending_questions)] if self.pending_questions else None
        )

    # --- people's side

    def propose_change(
        self, changes: Changes, at_s: float, author: str | None
    ) -> Proposal | Refusal:
        """What a person's changes would make of the log; the Refusal when they cannot be."""
        return propose(self.log, changes, at_s, "person", author, before=self._replay)

    def rounds_touched(self, proposal: Proposal, changes: Changes) -> list[int]:
        """The rounds of which these proposed changes say something; a question that is taken back
        counts only in the newest, for it moved no cards, and a name never."""
        newest = len(self.ledger.rounds)
        retracted = [self.log.entry(number) for number in changes.retract]
        back = [e for e in retracted if not isinstance(e.event, CloudNamed)]
        rounds = {e.round for e in proposal.entries if isinstance(e.event, Scoring)}
        rounds |= {
            e.round for e in back if not isinstance(e.event, QuestionAsked) or e.round == newest
        }
        return sorted(number for number in rounds if number)

    def take_proposal(self, proposal: Proposal) -> tuple[Entry, ...]:
        """Write what was proposed."""
        return self._take_in(proposal.entries, proposal.replay)

    # --- the camera's side

    def settle_before(self, number: int, when: FilmTime) -> tuple[Entry, ...]:
        """A new round lies while a question of an older one stands: take its best telling, and
        leave the question. One that is open and of which nobody knows more is asked about."""
        made: tuple[Entry, ...] = ()
        for older in sorted(self.pending_questions):
            if older < number:
                made += self.take_best(older, when)
        left = self.ledger.open_round
        if left is not None and left.number < number:
            made += self.enter_missed_round(left.number, when)
        return made

    def take_best(self, number: int, when: FilmTime) -> tuple[Entry, ...]:
        """Enter the likeliest answer to round `number`'s question that nobody took back; the question
        stays."""
        pending = self.pending_questions[number]
        if pending.taken is not None:
            return ()
        for option in pending.question.options:
            told = replace(
                pending.ruling,
                set_aside=option.set_aside,
                ending=option.ending,
                confidence=option.probability,
                question=None,
            )
            changes = self._changes(told)
            if not changes.outranked:
                return self._append(changes, told, when)
        return ()

    def enter_ruling(self, ruling: Ruling, when: FilmTime) -> tuple[Entry, ...]:
        """Make the log agree with this ruling, and its question with it; a card without a name is one
        whose number nobody knows."""
        self._told[ruling.round] = ruling
        ruling = self.as_written(ruling)
        before = self.pending_questions.get(ruling.round)
        told = ruling
        if ruling.question is not None:
            told = replace(ruling, ending="open", set_aside=_agreed(ruling.question))
        elif before is not None and ruling.status == "settled":
            self.past_questions.append(before)
        changes = self._changes(told)
        if before is not None:
            changes = replace(changes, retract=(*changes.retract, before.entry))
        return self._append(changes, told, when)

    def name_cards(self, names: Mapping[int, int], when: FilmTime) -> tuple[Entry, ...]:
        """Cards that lay there without a name have one now: the rounds they were dealt in get it, as
        long as the log says of them what the camera said last, and no question stands there. A name
        that another round has already is none."""
        fresh = {
            stand_in: card
            for stand_in, card in names.items()
            if is_stand_in(stand_in)
            and not is_stand_in(card)
            and stand_in not in self._names
            and card not in self.ledger.seen
        }
        made: tuple[Entry, ...] = ()
        for number, ruling in self._told.items():
            of_it = {c: fresh[c] for c in ruling.dealt if c is not None and c in fresh}
            if not of_it or number in self.pending_questions or ruling.question is not None:
                continue
            as_it_was = self.as_written(ruling)
            if self._says(as_it_was):
                self._names |= of_it
                told = self.as_written(ruling)
                made += self._append(self._changes(told), told, when)
        return made

    def as_written(self, ruling: Ruling) -> Ruling:
        """The ruling as it may be written down, with the names that are known by now."""
        return without_stand_ins(ruling, self._names)

    def as_seen(self, cards: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """The numbers by which the camera knows these cards: a stand-in's where the name came later."""
        seen = {card: stand_in for stand_in, card in self._names.items()}
        return tuple(None if card is None else seen.get(card, card) for card in cards)

    def _says(self, ruling: Ruling) -> bool:
        """Whether the log says of this round what the ruling does."""
        changes = self._changes(ruling)
        return not changes.append and not changes.retract and not changes.outranked

    def _changes(self, ruling: Ruling) -> Changes:
        """What must change for the log to say this; a deal that was none is taken back, unless a
        person spoke of it."""
        if ruling.dealt:
            return reconcile(
                self.log,
                ruling.round,
                ruling.dealt,
                ruling.set_aside,
                ruling.ending,
                ruling.claimed,
            )
        said = scoring_of(self.log, ruling.round)
        return Changes(
            (),
            () if any(e.source == "person" for e in said) else tuple(e.number for e in said),
            REREAD,
        )

    def _append(self, changes: Changes, ruling: Ruling, when: FilmTime) -> tuple[Entry, ...]:
        """Enter these changes and the ruling's question; nothing where the log, or a person's word,
        forbids them."""
        if ruling.question is not None and not changes.outranked:
            changes = replace(
                changes, append=(*changes.append, QuestionAsked(ruling.round, ruling.question.asks))
            )
        if changes.empty:
            return ()
        why: dict[str, object] = asdict(ruling.evidence)
        proposal = propose(
            self.log,
            changes,
            when.wall_s,
            "camera",
            None,
            ruling.confidence,
            why,
            before=self._replay,
        )
        if isinstance(proposal, Refusal):
            return ()
        since_s = max(
            (e.at_s for e in self.log.entries if e.round is None or e.round < ruling.round),
            default=-math.inf,
        )
        return self._take_in(
            tuple(_dated(entry, ruling, when.offset_s, since_s) for entry in proposal.entries)
        )

    def enter_missed_round(
        self, number: int, when: FilmTime, several: bool = False
    ) -> tuple[Entry, ...]:
        """Round `number` went by unseen: its place is kept, so that the roles are right, and people
        are asked; whether it was two, where `several` had time to."""
        missed = missed_ruling(number, self.ledger.draw, when.t_s, several)
        begun = self.ledger.open_round is not None and self.ledger.open_round.number == number
        dealt = () if begun else (RoundDealt(missed.round, missed.dealt),)
        events = (*dealt, RoundVoided(missed.round, cards_return=False))
        return self._append(Changes(events), missed, when)

    def _take_in(
        self, entries: tuple[Entry, ...], replay: Replay | None = None
    ) -> tuple[Entry, ...]:
        """Take these entries in; `replay`: what the log adds up to with them, where that is known
        already."""
        self.log = self.log.append(*entries)
        self._replay = replay or fold(self.log)
        self.pending_questions = read_pending_questions(self.log, self.ledger)
        return entries


def _agreed(question: Question) -> tuple[int | None, ...]:
    """The wrong guesses on which all answers of the question agree: those may be shown meanwhile."""
    fewest = min(question.options, key=lambda option: len(option.set_aside)).set_aside
    agreed: list[int | None] = []
    for at, card in enumerate(fewest):
        if any(option.set_aside[at] != card for option in question.options):
            break
        agreed.append(card)
    return tuple(agreed)


def _dated(entry: Entry, ruling: Ruling, offset_s: float, since_s: float) -> Entry:
    """The entry with the time and confidence of its own guess, where the ruling has them; never
    before `since_s`, when the round before was entered."""
    event = entry.event
    if isinstance(event, QuestionAsked) and entry.evidence is not None:
        return replace(entry, evidence=asked_with(ruling, entry.evidence))
    if isinstance(event, CardSetAside | CloudsClaimed) and event.attempt <= len(ruling.guesses):
        guess = ruling.guesses[event.attempt - 1]
        return replace(entry, at_s=max(since_s, guess.at_s + offset_s), confidence=guess.confidence)
    if isinstance(event, LookoutTook):
        return replace(entry, at_s=max(since_s, ruling.evidence.to_s + offset_s))
    return entry

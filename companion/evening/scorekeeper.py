"""The scorekeeper: book, curtain and referee of one evening, kept in step.

Glimpses and commands go in with their time; entries come out. Knows no clock, no thread, no disk
and no screen, so a recorded evening gives the same ledger at any speed. The session and `companion
score` both stand on it.
"""

from __future__ import annotations

import math
from dataclasses import replace

from companion.dealing.curtain import Curtain
from companion.dealing.long_pause import ROUND_TIMES
from companion.evening.book import EveningBook, FilmTime
from companion.evening.kept_belief import DrawCurtain, KeptBelief
from companion.evening.manual_round import ManualRound, manual_round_of
from companion.evening.questions import (
    constraints_of,
)
from companion.game.change import Changes, undo
from companion.game.events import (
    EveningBegun,
    PlayersChanged,
)
from companion.game.ledger import Ledger
from companion.game.log import Entry, Log
from companion.game.rules import Refusal, Round
from companion.referee.make_ruling import AFTER_MISSED, AFTER_SEVERAL
from companion.referee.open_round import ResumedRound
from companion.referee.referee import Referee
from companion.referee.ruling import Ruling
from companion.table.sighting import Attention, Glimpse, RawGlimpse

MOST_KEPT = 4
"""So many acts can be taken back, one after the other, before the camera goes on (chosen)."""

UNKNOWN_S = 3600.0
"""As if nobody had looked for so long, where nobody knows for how long: several rounds."""


class Scorekeeper:
    """Keeps one evening. `log` may be a recorded one: then the evening goes on where it stopped;
    `curtain` is the one that the same camera has been behind so far, and `looked_until_s` (as
    entries are dated) when somebody looked last: what came after it may have gone by unseen."""

    def __init__(
        self,
        log: Log | None = None,
        numbers: frozenset[int] = frozenset(range(1, 81)),
        curtain: Curtain | None = None,
        looked_until_s: float = -math.inf,
    ) -> None:
        self.numbers = numbers
        self.book = EveningBook(log or Log())
        self.curtain = curtain or Curtain()
        self.referee: Referee | None = None
        self._latest: dict[int, Ruling] = {}
        self._manual_round: ManualRound | None = None
        self._kept: list[KeptBelief] = []
        self._seen_s = -math.inf
        self._offset_s = 0.0
        self._looked_until_s = looked_until_s
        if self.ledger.begun:
            self._wake_referee()

    @property
    def ledger(self) -> Ledger:
        """What the log adds up to."""
        return self.book.ledger

    @property
    def log(self) -> Log:
        """All that was entered, in order."""
        return self.book.log

    # --- the camera's side

    @property
    def attention(self) -> Attention:
        """What is worth looking for in the next frame."""
        return (
            self.referee.attention
            if self.referee is not None and self.ledger.begun
            else Attention()
        )

    def draw_curtain(self, raw: RawGlimpse) -> Glimpse:
        """What everyone may see of what the eye has read: no card is named before its whole round
        lies face up."""
        return self._drawn(
            lambda curtain, attention, is_open: curtain.draw_curtain(raw, attention, is_open)
        )

    def draw_curtain_over_recording(self, recorded: Glimpse) -> Glimpse:
        """The same of a glimpse that was recorded behind a curtain: its deal stands."""
        return self._drawn(
            lambda curtain, attention, is_open: curtain.draw_over_recording(
                recorded, attention, is_open
            )
        )

    def _drawn(self, draw: DrawCurtain) -> Glimpse:
        for kept in self._kept:
            kept.draw_curtain(draw)
        return draw(self.curtain, self.attention, self.curtain_open)

    def look_anew(self) -> None:
        """Another camera watches from now on: what the one before saw lying counts no more."""
        self.curtain = Curtain()
        self._kept = []

    def observe_glimpse(self, glimpse: Glimpse, clock_offset_s: float = 0.0) -> tuple[Entry, ...]:
        """The entries that one glimpse leads to (often none), dated `glimpse.t_s +
        clock_offset_s`."""
        if self.referee is None or self.ledger.over:
            return ()
        if self.ledger.paused:
            self.referee.on_person_spoke(None)
            return ()
        if math.isinf(self._seen_s):
            self._note_last_look(self.referee, glimpse.t_s, clock_offset_s)
        else:
            self._follow_clock(clock_offset_s - self._offset_s)
        self._seen_s = glimpse.t_s + clock_offset_s
        self._offset_s = clock_offset_s
        when = FilmTime(glimpse.t_s, clock_offset_s)
        for kept in self._kept:
            kept.follow(when)
        if self._manual_round is not None:
            self._manual_round.observe_glimpse(glimpse, self._seen_s)
            if self._manual_round.holds(self._seen_s):
                return ()
        made = self._rule(self.referee.observe_glimpse(glimpse), when)
        if glimpse.names:
            made += self.book.name_cards(dict(glimpse.names), when)
        if made:
            self._kept = []  # the log never says again what it said before
        return made

    def _follow_clock(self, by_s: float) -> None:
        """Taps are dated by the clock on the wall, and that may be set while a round is kept by touch."""
        for held in (self._manual_round, *(kept.manual_round for kept in self._kept)):
            if held is not None:
                held.follow_clock(by_s)

    def _note_last_look(self, referee: Referee, t_s: float, clock_offset_s: float) -> None:
        """Tell it until when somebody looked before its first glimpse. A time that is still to come
        tells nothing (the clock was set back, the note is another's); where none is left, people are
        asked rather than a round lost in silence."""
        if not self.ledger.rounds and self._looked_until_s <= self.log.entries[0].at_s:
            return  # nobody looked at this evening before
        told_s = [
            at_s - clock_offset_s for at_s in (self.log.entries[-1].at_s, self._looked_until_s)
        ]
        known_s = [min(at_s, t_s) for at_s in told_s if at_s <= t_s + ROUND_TIMES.away_s]
        looked_s = max(known_s, default=-math.inf)
        if not math.isfinite(looked_s):
            looked_s = t_s - UNKNOWN_S
        referee.note_last_look(looked_s, min(told_s[0], looked_s))

    def finish(self, t_s: float, clock_offset_s: float = 0.0) -> tuple[Entry, ...]:
        """The footage has ended: decide what can be decided; what stays open takes its best telling
        and its question."""
        if self.referee is None:
            return ()
        when = FilmTime(t_s, clock_offset_s)
        made = self._rule(self.referee.finish_footage(t_s), when)
        if self.referee.missed_round:
            made += self._leave_room(self.ledger.next_number, when)
        for number in sorted(self.book.pending_questions):
            made += self.book.take_best(number, when)
        return made

    @property
    def is_played(self) -> bool:
        """True while there is something to keep the score of: begun, neither over nor paused."""
        return self.ledger.begun and not self.ledger.over and not self.ledger.paused

    @property
    def curtain_open(self) -> bool:
        """True while a round lies face up: only then are its cards named, and pictures kept."""
        return self.referee is not None and self.referee.curtain_open

    @property
    def nothing_secret(self) -> bool:
        """True out of an evening and while a round lies face up; no more once it is entered or
        asked about: then the next cards may be looked at."""
        phase = self.ledger.phase_ignoring_pause
        return phase in ("setup", "over") or (
            phase == "guessing" and len(self.ledger.rounds) not in self.book.pending_questions
        )

    def _rule(self, rulings: tuple[Ruling, ...], when: FilmTime) -> tuple[Entry, ...]:
        made: tuple[Entry, ...] = ()
        missed = 0
        for ruling in rulings:
            told = replace(ruling, round=ruling.round + missed)
            made += self._ask_what_was_taken_back(told.round, when)
            made += self.book.settle_before(told.round, when)
            if self._after_unseen(told) and (
                gap := self._leave_room(told.round, when, told.evidence.why == AFTER_SEVERAL)
            ):
                made, missed, told = made + gap, missed + 1, replace(told, round=told.round + 1)
            first = self._manual_round is not None
            self._manual_round = None
            self._latest[told.round] = told
            made += self.book.enter_ruling(told, when) + (self._tell_guesses(when) if first else ())
        return made

    def _ask_what_was_taken_back(self, number: int, when: FilmTime) -> tuple[Entry, ...]:
        """Round `number` lies, and how the one before ended was seen, but taken back by people who then
        played on: they are asked who took its clouds."""
        left = self.ledger.open_round
        seen = self.referee.last_seen if self.referee is not None else None
        if (
            left is None
            or seen is None
            or not left.number == seen.round < number
            or left.number in self.book.pending_questions
        ):
            return ()
        return self.book.enter_ruling(seen, when)

    def _tell_guesses(self, when: FilmTime) -> tuple[Entry, ...]:
        """The camera has found the round that was begun by touch: it hears which guesses were
        tapped."""
        now = self.ledger.open_round
        if (
            self.referee is None
            or now is None
            or not now.guesses
            or now.number != max(self._latest)
        ):
            return ()
        aside = self.book.as_seen(now.set_aside)
        return self._rule(self.referee.constrain_round(now.number, aside, "open"), when)

    def _after_unseen(self, told: Ruling) -> bool:
        """True when this deal is not the round that comes next: one went by unseen, or was begun by
        touch and never ended."""
        now = self.ledger.open_round
        touched = (
            self._manual_round
            if now is not None and now.number == told.round and told.dealt
            else None
        )
        missed = told.evidence.why in (AFTER_MISSED, AFTER_SEVERAL)
        return missed or (touched is not None and touched.ended_unseen())

    def _leave_room(self, number: int, when: FilmTime, several: bool = False) -> tuple[Entry, ...]:
        """Round `number` went by unseen: its place is kept, so that the roles are right, and people
        are asked; also whether it was two, where `several` had time to."""
        made = self.book.enter_missed_round(number, when, several)
        if made and self.referee is not None:
            self.referee.skip_round()
        return made

    # --- people's side

    def change(
        self, changes: Changes | Refusal, at_s: float, author: str | None = None
    ) -> tuple[Entry, ...] | Refusal:
        """Enter what a person says; the Refusal when it cannot be. The referee hears of it and
        never contradicts it."""
        if isinstance(changes, Refusal):
            return changes
        proposal = self.book.propose_change(changes, at_s, author)
        if isinstance(proposal, Refusal):
            return proposal
        touched = self.book.rounds_touched(proposal, changes)
        before = self.ledger
        if touched:
            self._keep_belief()
        made = self.book.take_proposal(proposal)
        again = next((kept for kept in self._kept if kept.holds(self.log)), None)
        if again is not None:
            return made + self._believe_again(again)
        self._seat_referee()
        if any(isinstance(entry.event, EveningBegun | PlayersChanged) for entry in made):
            self._wake_referee()
        return made + (self._tell_referee(touched, at_s, before) if touched else ())

    def _keep_belief(self) -> None:
        """What to go back to should the act that comes now be taken back."""
        if self.referee is not None:
            kept = KeptBelief.of(
                self.log, self.referee, self.curtain, self._latest, self._manual_round
            )
            self._kept = [*self._kept[1 - MOST_KEPT :], kept]

    def _believe_again(self, kept: KeptBelief) -> tuple[Entry, ...]:
        """The log says what it said then: everything is as it was, and what was seen meanwhile
        counts."""
        self._kept.remove(kept)
        self.referee = kept.referee
        self.curtain = kept.curtain
        self._latest = kept.latest
        self._manual_round = kept.manual_round
        made: tuple[Entry, ...] = ()
        for rulings, when in kept.waiting:
            made += self._rule(rulings, when)
        if made:
            self._kept = []
        return made

    def undo(self, at_s: float, author: str | None = None) -> tuple[Entry, ...] | Refusal:
        """Take back the last act."""
        return self.change(undo(self.log), at_s, author)

    def accept_count(self) -> tuple[Entry, ...] | Refusal:
        """People accept the number of cards that lies there as a house rule."""
        if self.referee is None or self.ledger.open_round is not None:
            return Refusal("no_deal_awaited")
        self.referee.accept_count()
        self.curtain.name_what_lies()
        return ()

    def _seat_referee(self) -> None:
        """As many play from the next round on as the ledger says, and by its rules."""
        if self.referee is not None and self.ledger.begun:
            self.referee.set_players(len(self.ledger.circle))
            self.referee.habits.expect_rules(self.ledger.handling, self.ledger.edition)

    def _wake_referee(self) -> None:
        """A referee for the ledger as it stands: an open round is taken as the table shows it, one
        that is asked about waits for its answer. What was learnt of the table is kept."""
        ledger = self.ledger
        self._manual_round = manual_round_of(self.log, ledger, self._seen_s)
        now = ledger.open_round if len(ledger.rounds) not in self.book.pending_questions else None
        dealt = tuple(card for card in now.cards if card is not None) if now else ()
        whole = now is not None and len(dealt) == len(now.cards)
        self.referee = Referee.resume(
            players=len(ledger.circle),
            handling=ledger.handling,
            numbers=self.numbers,
            edition=ledger.edition,
            gone_cards=ledger.seen - frozenset(now.known_cards if now else ()),
            next_round=now.number if now else ledger.next_number,
            daydreamer=_place_of_daydreamer(ledger, now),
            resumed=ResumedRound(dealt, now.set_aside, constraints_of(self.log, now))
            if now and whole
            else None,
            learnt=self.referee.habits if self.referee is not None else None,
            trusts_curtain=self._manual_round is None,
        )

    def _tell_referee(self, touched: list[int], at_s: float, before: Ledger) -> tuple[Entry, ...]:
        """What people said of these rounds, as facts that the referee never contradicts.

        The open round is told guess by guess; who guessed what in an earlier one changes nothing of
        what lies there now. When the order of rounds itself changed (an undone
        deal, a round kept by touch) the referee begins anew from the ledger and takes the table as
        it finds it.
        """
        follows = self._latest.get(max(self._latest, default=0))
        newest = len(self.ledger.rounds)
        if self.referee is not None:
            self.referee.on_person_spoke(at_s - self._offset_s)
            if max(touched) < newest and _same_course(before, self.ledger):
                return ()
        if (
            self.referee is None
            or follows is None
            or follows.round != newest
            or touched != [newest]
            or not self.referee.follows_round(newest)
        ):
            self._wake_referee()
            return ()
        told = self.ledger.rounds[-1]
        if told.ending == "void":
            self.referee.void_round(newest, told.voided == "back")
            return ()
        same = set(told.known_cards) == set(self.book.as_written(follows).dealt)
        if None in follows.dealt or not same:
            self._wake_referee()
            return ()
        aside = self.book.as_seen(told.set_aside)
        return self._rule(
            self.referee.constrain_round(newest, aside, told.ending), FilmTime(at_s, 0.0)
        )


def _same_course(before: Ledger, now: Ledger) -> bool:
    """True when the same cards were dealt in the same rounds to the same people, and the newest round
    is as it was."""
    return (
        [(one.cards, one.daydreamer, one.voided) for one in before.rounds]
        == [(one.cards, one.daydreamer, one.voided) for one in now.rounds]
        and before.rounds[-1:] == now.rounds[-1:]
        and before.circle == now.circle
    )


def _place_of_daydreamer(ledger: Ledger, now: Round | None) -> int:
    """Where in the circle the Daydreamer of the open round sits; of the next one where none is open,
    or where that player has left in the middle of the round."""
    seat = now.daydreamer if now and now.daydreamer in ledger.circle else ledger.next_daydreamer
    return ledger.circle.index(seat)

"""The log under any order of acts: undo, redo, corrections, spoiled rounds; cards are conserved at
every moment."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.game.change import (
    Changes,
    correct_round,
    insert_round,
    propose,
    redo,
    undo,
    undo_target,
)
from companion.game.event_json import entry_from_dict, entry_to_dict
from companion.game.events import (
    CardSetAside,
    CardsMissing,
    CloudNamed,
    CloudsClaimed,
    DeckCounted,
    EveningBegun,
    EveningEnded,
    EveningPaused,
    EveningResumed,
    Event,
    LookoutTook,
    PlayersChanged,
    RoundAwaited,
    RoundDealt,
    RoundInserted,
    RoundVoided,
    Source,
)
from companion.game.fold import fold
from companion.game.ledger import Ledger
from companion.game.log import Entry, Log, Retraction
from companion.game.reconcile import reconcile
from companion.game.rules import Refusal
from tests.support.game_evening import NAMES, Told, begun

LEDGER_FIELDS = [name for name in vars(Ledger) if not name.startswith("_") and name != "gains"]


def test_the_log_only_grows_and_numbers_follow() -> None:
    """An entry with another number than the next one cannot be appended."""
    with pytest.raises(ValueError, match="entry 5 cannot follow entry 0"):
        Log().append(Entry(5, 0.0, "person", EveningPaused()))


def test_a_retraction_of_a_retraction_brings_the_entry_back() -> None:
    """What counts is decided from the end: a taken-back taking back has no effect."""
    entries = [Entry(1, 0.0, "person", EveningPaused())]
    for number in range(2, 6):
        entries.append(Entry(number, 0.0, "person", Retraction((number - 1,), "undo")))
        log = Log(tuple(entries))
        assert bool(log.effective) == (number % 2 == 1)


def test_undo_takes_back_what_was_last_said_and_redo_says_it_again() -> None:
    """Undo of any depth down to the beginning, redo as far back up, and never the beginning itself; undo
    and redo go to and fro between."""
    told = begun(3)
    events = (
        RoundDealt(1, (1, 2, 3, 4)),
        CardSetAside(1, 1, 2),
        CloudsClaimed(1, 2, 3),
        CardsMissing((9,)),
    )
    states = [told.ledger, *(told.enter(event) for event in events)]
    for state in reversed(states[:-1]):
        assert told.change(undo(told.log)) == state
    assert undo(told.log) == Refusal("nothing_to_undo")
    for state in states[1:3]:
        assert told.change(redo(told.log)) == state
    assert told.change(undo(told.log)) == states[1]
    for state in states[2:]:
        assert told.change(redo(told.log)) == state
    assert redo(told.log) == Refusal("nothing_to_redo")
    told.change(undo(told.log))
    told.enter(CardsMissing((8,)))
    told.change(undo(told.log))
    told.change(redo(told.log))
    assert redo(told.log) == Refusal("nothing_to_redo")


def test_undo_and_redo_pass_by_the_names_of_clouds() -> None:
    """A name may be kept by the tap that goes on: undo means the tap, and the name stays."""
    told = begun(3)
    told.enter(RoundDealt(1, (1, 2, 3, 4)), CardSetAside(1, 1, 2))
    claimed = told.enter(CloudsClaimed(1, 2, 3))
    told.enter(CloudNamed(1, "shy heron"))
    taken_back = told.change(undo(told.log))
    assert (len(taken_back.rounds[0].guesses), taken_back.rounds[0].name) == (1, "shy heron")
    told.enter(CloudNamed(1, "sleepy whale"))
    said_again = told.change(redo(told.log))
    assert said_again.totals == claimed.totals
    assert said_again.rounds[0].name == "sleepy whale"


def test_redo_is_over_once_something_else_was_said() -> None:
    """After a new entry there is nothing to redo."""
    told = begun(3)
    told.enter(RoundDealt(1, (1, 2, 3, 4)), CardSetAside(1, 1, 2))
    told.change(undo(told.log))
    told.enter(CardSetAside(1, 1, 4))
    assert redo(told.log) == Refusal("nothing_to_redo")


def test_undo_after_a_correction_brings_the_first_version_back() -> None:
    """A correction is taken back as a whole, not entry by entry."""
    told = begun(5)
    told.play((1, 2, 3, 4, 5), wrong=2)
    before = told.play((6, 7, 8, 9, 10), wrong=0)
    told.change(correct_round(told.log, 1, ((1, False), (3, True))))
    after = told.change(undo(told.log))
    assert after.totals == before.totals
    assert [round_.guesses for round_ in after.rounds] == [
        round_.guesses for round_ in before.rounds
    ]


def test_a_pause_and_the_leaving_of_a_result_are_not_undone() -> None:
    """Undo reaches past them to the last thing that was said about the game."""
    told = begun(3)
    told.play((1, 2, 3, 4), wrong=0)
    told.enter(RoundAwaited(2), EveningPaused())
    target = undo_target(told.log)
    assert target is not None
    assert target.event == CloudsClaimed(1, 1, 1)


def test_undo_of_a_touch_takes_what_the_camera_added_to_it() -> None:
    """Where the camera only supplied a number for a person's tap, undo takes back the tap."""
    told = begun(3)
    told.enter(RoundDealt(1, (1, 2, 3, 4)), CardSetAside(1, 1))
    ledger = told.change(reconcile(told.log, 1, (1, 2, 3, 4), (3,), "open"), source="camera")
    assert ledger.rounds[0].guesses[0].card == 3
    assert told.change(undo(told.log)).rounds[0].guesses == ()


def test_undo_after_the_camera_changed_its_mind_steps_back_from_what_it_now_believes() -> None:
    """A guess the camera took back itself never comes to life by an undo."""
    told = begun(5)
    for story in (((3,), "open"), ((), "open"), ((4,), "open"), ((), "open")):
        told.change(reconcile(told.log, 1, (1, 2, 3, 4, 5), *story), source="camera")
    target = undo_target(told.log)
    assert target is not None
    assert target.event == RoundDealt(1, (1, 2, 3, 4, 5))
    assert told.change(undo(told.log)).rounds == ()


SMALL = st.sampled_from([1, 1, 1, 2, 2, 3, 4, 5, 0, -1])
CARDS = st.lists(st.none() | SMALL, max_size=7).map(tuple)
PLAYERS = st.lists(st.sampled_from([*NAMES, "", "ada"]), max_size=9).map(tuple)
ANYTHING = st.one_of(
    st.builds(RoundDealt, SMALL, CARDS),
    st.builds(CardSetAside, SMALL, SMALL, st.none() | SMALL),
    st.builds(CloudsClaimed, SMALL, SMALL, st.none() | SMALL),
    st.builds(LookoutTook, SMALL),
    st.builds(RoundVoided, SMALL, st.booleans(), st.booleans()),
    st.builds(RoundInserted, SMALL),
    st.builds(RoundAwaited, SMALL),
    st.builds(CloudNamed, SMALL, st.text(max_size=9)),
    st.builds(PlayersChanged, SMALL, PLAYERS, st.none() | st.sampled_from(NAMES), PLAYERS),
    st.builds(DeckCounted, st.integers(-5, 99)),
    st.builds(CardsMissing, CARDS),
    st.builds(EveningBegun, PLAYERS, SMALL),
    st.builds(Retraction, st.lists(st.integers(-1, 20), max_size=3).map(tuple), st.just("undo")),
    st.sampled_from([EveningPaused(), EveningResumed(), EveningEnded()]),
)


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(ANYTHING, st.sampled_from(["person", "camera", "rule"])), max_size=20))
def test_no_log_whatever_it_holds_makes_the_replay_crash(
    events: list[tuple[Event, Source]],
) -> None:
    """Nonsense of any kind is a Misfit; the ledger before it is valid and every field of it can be
    shown."""
    begun = (EveningBegun(NAMES[:3], 0), "person"), (RoundDealt(1, (1, 2, 3, 4)), "camera")
    log = Log(
        tuple(
            Entry(at, 0.0, source, event, batch=at)
            for at, (event, source) in enumerate([*begun, *events], 1)
        )
    )
    ledger = fold(log).ledger
    assert not ledger.begun or ledger.balanced
    for name in LEDGER_FIELDS:
        getattr(ledger, name)
    for change in (
        undo(log),
        redo(log),
        correct_round(log, 1, ((None, True),)),
        reconcile(log, 1, (1, 2, 3, 4), (1,), "claimed", 2),
    ):
        if isinstance(change, Changes):
            propose(log, change, 0.0, "person")


class Evening(RuleBasedStateMachine):
    """People and a camera doing anything at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.told = Told()
        self.steps = 0

    @initialize(
        players=st.integers(3, 8), first=st.integers(0, 2), deck=st.sampled_from([14, 31, 80])
    )
    def begin(self, players: int, first: int, deck: int) -> None:
        """The players sit down."""
        self.told.enter(EveningBegun(NAMES[:players], first, "en", deck))

    @property
    def now(self) -> Ledger:
        """The present ledger."""
        return self.told.ledger

    def attempt(self, changes: Changes | Refusal, source: str = "person") -> None:
        """Enter a change if it fits; whatever happens, nothing raises and a refused one leaves no
        trace."""
        if isinstance(changes, Refusal):
            return
        proposal = propose(self.told.log, changes, 0.0, source)
        if not isinstance(proposal, Refusal):
            assert proposal.log.entries[: len(self.told.log.entries)] == self.told.log.entries
            self.told.log, self.told.ledger = proposal.log, proposal.ledger

    @rule(known=st.booleans(), extra=st.sampled_from([0, 0, 0, 1, -1]))
    def lay(self, known: bool, extra: int) -> None:
        """Cards are laid, sometimes one too many or too few, sometimes out of turn."""
        free = [card for card in range(1, 100) if card not in self.now.seen][
            : self.now.draw + extra
        ]
        cards = tuple(free) if known else (None,) * len(free)
        self.attempt(Changes((RoundDealt(self.now.next_number, cards),)))

    @rule(
        right=st.booleans(),
        pick=st.none() | st.integers(0, 9),
        skip=st.sampled_from([0, 0, 0, 0, 1]),
    )
    def guess(self, right: bool, pick: int | None, skip: int) -> None:
        """A guess, mostly in turn, with or without its card."""
        now = self.now.rounds[-1] if self.now.rounds else None
        card = now.known_cards[pick % len(now.known_cards)] if now and pick is not None else None
        attempt = (now.attempt or 1) + skip if now else 1
        self.attempt(
            Changes(
                ((CloudsClaimed if right else CardSetAside)(len(self.now.rounds), attempt, card),)
            )
        )

    @rule(data=st.data())
    def see(self, data: st.DataObject) -> None:
        """The camera's ruling about the last or the next round, right or wrong."""
        number = len(self.now.rounds) + (self.now.open_round is None and data.draw(st.booleans()))
        now = self.now.rounds[number - 1] if 0 < number <= len(self.now.rounds) else None
        free = tuple(card for card in range(1, 100) if card not in self.now.seen)[: self.now.draw]
        dealt = now.known_cards if now and None not in now.known_cards else free
        wrong = data.draw(st.integers(0, max(0, len(dealt) - 2)))
        ending = (
            "lookout"
            if wrong == len(dealt) - 2
            else data.draw(st.sampled_from(["open", "claimed"]))
        )
        if number and len(dealt) >= 3:
            self.attempt(reconcile(self.told.log, number, dealt, dealt[:wrong], ending), "camera")

    @precondition(lambda self: self.now.rounds)
    @rule(data=st.data())
    def correct_round(self, data: st.DataObject) -> None:
        """Any past round gets other guesses."""
        round_ = self.now.rounds[data.draw(st.integers(0, len(self.now.rounds) - 1))]
        wrong = data.draw(st.integers(0, round_.attempts))
        guesses = [(card, False) for card in round_.known_cards[:wrong]]
        if wrong < round_.attempts:
            guesses.append((round_.known_cards[wrong], True))
        self.attempt(correct_round(self.told.log, round_.number, tuple(guesses)))

    @precondition(lambda self: self.now.rounds)
    @rule(back=st.booleans(), which=st.integers(0, 99))
    def void(self, back: bool, which: int) -> None:
        """Any round is spoiled."""
        self.attempt(Changes((RoundVoided(1 + which % len(self.now.rounds), back),)))

    @rule(wrong=st.integers(0, 3), which=st.integers(0, 99))
    def insert_round(self, wrong: int, which: int) -> None:
        """A round nobody entered is added among the others."""
        guesses = ((None, False),) * wrong + ((None, True),)
        self.attempt(
            insert_round(1 + which % self.now.next_number, guesses, (None,) * self.now.draw)
        )

    @rule()
    def undo(self) -> None:
        """Undo."""
        self.attempt(undo(self.told.log))

    @rule()
    def redo(self) -> None:
        """Redo what was undone just now: it always fits and undoes the undo."""
        self.attempt(redo(self.told.log))

    @rule(
        names=st.lists(st.sampled_from(NAMES), min_size=2, max_size=8, unique=True),
        back=st.booleans(),
    )
    def change_players(self, names: list[str], back: bool) -> None:
        """People come, go and swap seats."""
        gone = tuple(name for name in self.now.names if name not in names) if back else ()
        number = self.now.next_number
        self.attempt(Changes((PlayersChanged(number, tuple(names), None, gone),)))

    @rule(size=st.integers(1, 99), missing=st.lists(st.none() | st.integers(1, 99), max_size=2))
    def count(self, size: int, missing: list[int | None]) -> None:
        """The deck is counted, cards are missed."""
        self.attempt(Changes((DeckCounted(size),)))
        self.attempt(Changes((CardsMissing(tuple(missing)),)))

    @invariant()
    def cards_are_conserved(self) -> None:
        """Piles, middle, set aside, deck, missing and out add up to the deck, and no number is in
        two places."""
        replay = fold(self.told.log)
        assert replay.misfit is None
        ledger = replay.ledger
        assert ledger == self.told.ledger
        if ledger.begun:
            assert sum(ledger.counts.values()) == ledger.deck_size
            assert min(ledger.counts.values()) >= 0
            assert ledger.current_number <= ledger.of
            won = [card for pile in ledger.piles for card in pile if card is not None]
            assert len(won) == len(set(won))

    @invariant()
    def the_log_survives_the_wire(self) -> None:
        """As JSON and back, every entry is the same."""
        fresh, self.steps = self.told.log.entries[self.steps :], len(self.told.log.entries)
        for entry in fresh:
            assert entry_from_dict(json.loads(json.dumps(entry_to_dict(entry)))) == entry


TestEvening = Evening.TestCase
TestEvening.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)

"""Whole rounds from pixels to ledger in rooms that nothing was tuned in; and what a hanging camera
may not do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.evening.loop import frames_of, keep_score
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes
from companion.game.events import EveningBegun
from companion.practice.faults import NO_FAULTS, Faults
from companion.practice.room import random_room
from companion.practice.script import write_script
from companion.practice.table import PracticeTable
from companion.table.sighting import Glimpse
from companion.vision.codes.zxing_reader import SecondReader
from companion.vision.eye import Eye
from companion.vision.second_reader.guarded import GuardedReader
from companion.vision.second_reader.zxing import decode
from tests.support.failing_decoders import HangsAndDies

FPS = 5.0


@dataclass(slots=True)
class Kept:
    """One evening as it was kept, with all that the eye said."""

    table: PracticeTable
    keeper: Scorekeeper
    glimpses: list[Glimpse] = field(default_factory=list)

    @property
    def told(self) -> list[tuple[set[int | None], tuple[int | None, ...], tuple[int, ...]]]:
        """Per round the cards, the wrong guesses in order, and everybody's gains, as the ledger has
        them."""
        ledger = self.keeper.ledger
        return [(set(r.known_cards), r.set_aside, tuple(ledger.gains(r))) for r in ledger.rounds]

    @property
    def true(self) -> list[tuple[set[int | None], tuple[int | None, ...], tuple[int, ...]]]:
        """The same as the script has it."""
        truth = self.table.truth
        wrong = [
            tuple(guess.card for guess in line.guesses if not guess.right) for line in truth.rounds
        ]
        return [
            (set(line.cards), aside, tuple(line.gains(len(truth.players))))
            for line, aside in zip(truth.rounds, wrong, strict=True)
        ]


def keep(
    players: int,
    edition: str,
    temper: str,
    seed: int,
    faults: Faults = NO_FAULTS,
    from_s: float | None = None,
    second_reader: SecondReader = decode,
) -> Kept:
    """One round, played by a script in a random fair room and kept by eye and referee with nobody
    to ask.

    `from_s`: the film begins so long after the deal."""
    room = random_room(
        seed, players, size_px=(1280, 720), tray_side="right" if edition == "de" else None
    )
    script = write_script(players, edition, 1, seed, temper, "auto", faults, room.layout, haste=1.6)
    table = PracticeTable(script, room.camera, room.cloth, seed, FPS)
    if from_s is not None:
        table.seek(table.truth.rounds[0].dealt_s + from_s)
    truth, keeper, eye = table.truth, Scorekeeper(), Eye(second_reader=second_reader)
    keeper.change(
        Changes(
            (EveningBegun(truth.players, truth.daydreamer, truth.edition, len(truth.deck), "auto"),)
        ),
        0.0,
    )
    kept = Kept(table, keeper)
    kept.glimpses += [step.glimpse for step in keep_score(frames_of(table, eye), keeper)]
    return kept


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "edition", "temper", "seed"),
    [
        (3, "en", "ordinary", 52001),
        (5, "de", "ordinary", 52002),
        (8, "en", "calm", 52003),
        (4, "en", "rowdy", 52004),
    ],
)
def test_a_round_in_a_strange_room_is_kept_exactly(
    players: int, edition: str, temper: str, seed: int
) -> None:
    """Cards, wrong guesses and points are the script's, and nobody had to be asked."""
    kept = keep(players, edition, temper, seed)
    assert kept.told == kept.true
    assert not kept.keeper.book.pending_questions


@pytest.mark.slow
def test_nothing_is_claimed_from_a_stale_picture() -> None:
    """While the camera repeats its last picture every glimpse is worthless, and the round is exact
    all the same."""
    kept = keep(4, "en", "calm", 52005, Faults.only("picture_freezes"))
    freezes = [effect for effect in kept.table.script.effects if effect.kind == "picture_freezes"]
    hung = [
        g for g in kept.glimpses if any(f.start_s + 1 / FPS <= g.t_s < f.end_s for f in freezes)
    ]
    assert len(hung) > 5
    assert not any(g.usable or g.sightings or g.places for g in hung)
    assert any("frozen" in g.notices for g in hung)
    assert kept.told == kept.true


@pytest.mark.slow
def test_footage_may_begin_with_the_cards_on_the_table() -> None:
    """The table is never seen bare before the deal, and the round is kept exactly."""
    kept = keep(5, "en", "calm", 52006, from_s=0.5)
    assert kept.told == kept.true
    assert not kept.keeper.book.pending_questions


@pytest.mark.slow
def test_a_second_reader_that_hangs_and_dies_does_not_end_the_evening(tmp_path: Path) -> None:
    """Each time it reads four pictures and then hangs or dies, in turn; the round is kept exactly."""
    with GuardedReader(deadline_s=0.5, decode_picture=HangsAndDies(tmp_path)) as failing:
        kept = keep(5, "en", "ordinary", 52007, second_reader=failing)
    assert len(list(tmp_path.iterdir())) >= 2
    assert failing.lost >= 2
    assert kept.told == kept.true
    assert not kept.keeper.book.pending_questions

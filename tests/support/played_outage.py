"""An evening whose camera is away for a while, seen without pictures: with people who tap meanwhile
or do not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion.evening.player_commands import perform_command
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes
from companion.game.events import EveningBegun
from companion.practice.faults import NO_FAULTS
from companion.practice.script import Script, write_script
from companion.practice.truth import RoundTruth
from companion.practice.witness import Witness
from companion.table.sighting import RawGlimpse

FPS = 5.0
NOTICED_S, TAPS_AFTER_S = 3.0, 1.0


@dataclass
class Evening:
    """A calm table with a tray, four rounds; the camera gives nothing from `away_s[0]` to
    `away_s[1]`. With `restarted`, the companion itself was off meanwhile: another process goes on
    with the log, and with the note of when somebody looked last, which says `note_s` where that is given.
    When the camera is back the clock was set by `clock_s`."""

    script: Script
    away_s: tuple[float, float]
    touch: bool = False
    dinner_s: float | None = None
    late_s: float = 0.0
    restarted: bool = False
    restarted_s: float = 0.0
    note_s: float | None = None
    clock_s: float = 0.0
    keeper: Scorekeeper = field(default_factory=Scorekeeper)

    def play(self) -> Scorekeeper:
        """Keep the whole evening; who taps does so while the camera is away, each deed a moment
        after it was done."""
        truth = self.script.truth
        begun = EveningBegun(
            truth.players, truth.daydreamer, truth.edition, len(truth.deck), "auto"
        )
        self.keeper.change(Changes((begun,)), 0.0)
        witness = Witness(self.script, 1)
        for n in range(int(self.script.duration_s * FPS)):
            t_s = n / FPS
            if self.dinner_s is not None and not self.late_s and t_s >= self.dinner_s:
                self._dine(witness, t_s)
            if not self.away_s[0] <= t_s < self.away_s[1]:
                if self.restarted and not self.restarted_s and t_s >= self.away_s[1]:
                    self._restart(t_s)
                self._look(witness, t_s)
            elif self.touch and t_s > self.away_s[0] + NOTICED_S:
                self._tap_all(t_s)
        return self.keeper

    def _dine(self, witness: Witness, t_s: float) -> None:
        """An hour's pause, at the beginning of which the camera still looks."""
        self.tap(t_s, "pause")
        self._look(witness, t_s)
        self.late_s = 3600.0
        self.tap(t_s + self.late_s, "resume")

    def _look(self, witness: Witness, t_s: float) -> None:
        raw = witness.read_moment(t_s)
        assert raw is not None
        later = replace(raw.uncurtained, t_s=t_s + self.late_s - self.restarted_s)
        offset_s = self.restarted_s + (self.clock_s if t_s >= self.away_s[1] else 0.0)
        self.keeper.observe_glimpse(self.keeper.draw_curtain(RawGlimpse(later)), offset_s)

    def _restart(self, t_s: float) -> None:
        """A camera that is opened anew counts its seconds from 0."""
        until_s = self.away_s[0] if self.note_s is None else self.note_s
        self.keeper = Scorekeeper(self.keeper.log, looked_until_s=until_s)
        self.restarted_s = t_s

    def _tap_all(self, t_s: float) -> None:
        """Whatever has happened by now and is not on the board yet is tapped."""
        for line in self.script.truth.rounds:
            if line.dealt_s <= t_s - TAPS_AFTER_S:
                self._tap_round(line, t_s)

    def _tap_round(self, line: RoundTruth, t_s: float) -> None:
        if line.number > len(self.keeper.ledger.rounds):
            self.tap(t_s, "laid")
        now = self.keeper.ledger.rounds[line.number - 1]
        done = [
            g for g in line.guesses if (line.ended_s if g.right else g.at_s) <= t_s - TAPS_AFTER_S
        ]
        for guess in done[len(now.guesses) :] if now.ending == "open" else ():
            self.tap(t_s, "right" if guess.right else "wrong")

    def tap(self, t_s: float, do: str, **what: object) -> None:
        """One tap that must be accepted."""
        assert isinstance(perform_command({"do": do, **what}, self.keeper, t_s), tuple), (
            t_s,
            do,
        )


def table(seed: int, players: int) -> Script:
    """Four rounds without incidents."""
    return write_script(players, "en", 4, seed, "ordinary", "tray", NO_FAULTS)


def told(evening: Evening) -> list[str]:
    """For each round of the script: "exact" as the ledger has it by its number, "asked" where a
    question stands, or "wrong"."""
    return [
        _told(evening.keeper, line, len(evening.script.truth.players))
        for line in evening.script.truth.rounds
    ]


def _told(keeper: Scorekeeper, line: RoundTruth, players: int) -> str:
    if line.number in keeper.book.pending_questions:
        return "asked"
    kept = (
        keeper.ledger.rounds[line.number - 1] if line.number <= len(keeper.ledger.rounds) else None
    )
    if kept is None or not set(kept.known_cards) - {None} <= set(line.cards):
        return "wrong"
    same = (
        tuple(keeper.ledger.gains(kept)) == tuple(line.gains(players))
        and kept.ending == line.ending
    )
    return "exact" if same else "wrong"

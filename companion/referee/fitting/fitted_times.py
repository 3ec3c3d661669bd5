"""Fits the referee's times and habits to the settled rounds of recorded evenings.

The rounds say how long people thought and grabbed and how they set cards aside, the place reports how
often an unread marker stays unread. The times are fitted to every other round and checked on the rest:
what happened there must come out surer by time alone than with the shipped times, or these should
stay. Changes nothing.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from companion.game.events import Handling
from companion.referee.departure import Departure
from companion.referee.observing.belief import BELIEF_MODEL
from companion.referee.table_habits import FinishedRound, habit_at_first
from companion.referee.weighing.hypothesis import Hypothesis, RoundContext
from companion.referee.weighing.pace import SHORTEST_S, Pace
from companion.referee.weighing.weigh import weigh
from companion.table.sighting import Glimpse, PlaceState

BURST_S = 1.5
"""Unread for so long between two readings in the same place, a card still lay there."""

FAST_S = 0.75
"""Between the fast gaps within a claim (0.4 s) and the slow ones (1.4 s): where the shipped two
meet."""

FEWEST = 5
"""Fewer values than this are printed as too few."""

SURELY_DOWN_SHARE = 0.8
"""A card counts as turned over above this."""


@dataclass(slots=True)
class RecordedRounds:
    """What the recordings hold: the settled rounds; and of the markers of cards that surely lay, how
    many frames were reported, how many did not read them, and how many of these followed another."""

    rounds: list[FinishedRound] = field(default_factory=list)
    frames: int = 0
    unread: int = 0
    unread_again: int = 0


class UnreadSpells:
    """Counts how often an unread card that surely lies is unread again in the next frame."""

    def __init__(self, recorded: RecordedRounds) -> None:
        self._recorded = recorded
        self._unread: dict[int, int] = {}
        self._read_s: dict[int, float] = {}

    def note_glimpse(self, glimpse: Glimpse) -> None:
        """Count in one glimpse."""
        if not glimpse.usable:
            return
        for report in glimpse.places:
            if report.state is not PlaceState.MARKER:
                self._unread[report.card] = self._unread.get(report.card, 0) + 1
                continue
            missed = self._unread.pop(report.card, 0)
            if glimpse.t_s - self._read_s.get(report.card, -math.inf) <= BURST_S:
                self._recorded.frames += missed + 1
                self._recorded.unread += missed
                self._recorded.unread_again += max(0, missed - 1)
            self._read_s[report.card] = glimpse.t_s


def gaps_of(rounds: Iterable[FinishedRound]) -> tuple[list[float], list[float]]:
    """All thinking times and all gaps within claims of these rounds, in seconds."""
    thought, grabbed = list[float](), list[float]()
    for finished in rounds:
        thought += finished.gaps()[0]
        grabbed += finished.gaps()[1]
    return thought, grabbed


def fitted_pace(rounds: Iterable[FinishedRound]) -> Pace | None:
    """The shipped times with those of these rounds in place of T and of the share of fast grabs;
    None for too few gaps."""
    thought, grabbed = gaps_of(rounds)
    if min(len(thought), len(grabbed)) < FEWEST:
        return None
    shipped, logs = Pace(), [math.log(max(gap, SHORTEST_S)) for gap in thought]
    (share, _, _), *rest = shipped.think.parts
    think = ((share, math.exp(statistics.median(logs)), max(0.2, statistics.stdev(logs))), *rest)
    fast = min(0.95, max(0.05, sum(gap < FAST_S for gap in grabbed) / len(grabbed)))
    grab = tuple(
        (part, *times[1:])
        for part, times in zip((fast, 1.0 - fast), shipped.grab.parts, strict=True)
    )
    return replace(
        shipped, think=replace(shipped.think, parts=think), grab=replace(shipped.grab, parts=grab)
    )


def certainty(rounds: Sequence[FinishedRound], pace: Pace) -> float:
    """How surely time alone tells what happened in these rounds: the mean probability of what was
    entered."""
    told = []
    for finished in rounds:
        now_s = finished.row[-1].high_s + 1.0
        context = RoundContext(
            len(finished.row),
            finished.attempts,
            finished.began_s,
            now_s,
            pace,
            None,
            (0.0, 1.0, 0.0),
        )
        untold = [Departure(d.card, d.low_s, d.high_s) for d in finished.row]
        told.append(weigh(untold, context).get(Hypothesis(finished.wrong_count, "ended"), 0.0))
    return statistics.fmean(told)


def checked_line(rounds: Sequence[FinishedRound]) -> str:
    """One line: certainty with fitted and with shipped times, each half of the rounds with the
    times of the other."""
    halves = [list(rounds[::2]), list(rounds[1::2])]
    paces = [fitted_pace(half) for half in halves]
    if paces[0] is None or paces[1] is None:
        return (
            f"{'certainty by time alone':34s}too few rounds to check: every other round must "
            f"show {FEWEST} guesses and {FEWEST} gaps within claims"
        )
    fitted = sum(
        certainty(half, pace) * len(half)
        for half, pace in zip(halves, (paces[1], paces[0]), strict=True)
    ) / len(rounds)
    shipped = certainty(rounds, Pace())
    better = (
        "the fitted times are better"
        if fitted > shipped
        else "the shipped times are as good: keep them"
    )
    return f"{'certainty by time alone':34s}{f'{100 * fitted:.1f} %':28s}{100 * shipped:.1f} %: {better}"


def report_lines(recorded: RecordedRounds, set_aside: Handling, edition: str) -> list[str]:
    """The fitted figures beside the shipped ones, a line each."""
    pace = Pace()
    thought, grabbed = gaps_of(recorded.rounds)
    _, median, spread = pace.think.parts[0]
    (fast, *_), (_, slow_median, slow_spread) = pace.grab.parts
    share = sum(1 for gap in grabbed if gap < FAST_S) / max(1, len(grabbed))
    shipped = " ".join(
        f"{100 * way:.0f} %" for way in habit_at_first(set_aside, edition).shares(True)
    )
    return [
        f"{'':34s}{'fitted':28s}shipped",
        f"{'T, before a guess':34s}{_times(thought):28s}{median:.1f} s, spread {spread:.2f}",
        f"{'G, slower gaps within a claim':34s}{_times([g for g in grabbed if g >= FAST_S]):28s}"
        f"{slow_median:.1f} s, spread {slow_spread:.2f}",
        f"{'G, share of the fast ones':34s}{f'{share:.2f} of {len(grabbed)}':28s}{fast:.2f}",
        f"{'q, to the tray, away, face down':34s}{_ways(recorded.rounds):28s}{shipped}",
        f"{'rho, unread stays unread':34s}{_rho(recorded):28s}{BELIEF_MODEL.repeat_share:.2f}",
        checked_line(recorded.rounds),
    ]


def _ways(rounds: Iterable[FinishedRound]) -> str:
    counts = [0, 0, 0]
    for departure in (d for finished in rounds for d in finished.row[: finished.wrong_count]):
        counts[
            0
            if departure.rests_in_tray
            else 2
            if departure.place.face_down > SURELY_DOWN_SHARE
            else 1
        ] += 1
    total = sum(counts)
    return (
        " ".join(f"{100 * count / total:.0f} %" for count in counts) if total else "none set aside"
    )


def _times(gaps_s: Sequence[float]) -> str:
    if len(gaps_s) < FEWEST:
        return f"too few ({len(gaps_s)} of {FEWEST})"
    logs = [math.log(max(gap, SHORTEST_S)) for gap in gaps_s]
    return f"{math.exp(statistics.median(logs)):.1f} s, spread {statistics.stdev(logs):.2f} ({len(logs)})"


def _rho(recorded: RecordedRounds) -> str:
    """The lag-one repeat beyond chance, at the recording's own frame rate."""
    if recorded.unread < FEWEST or recorded.unread == recorded.frames:
        return f"too few ({recorded.unread} of {FEWEST})"
    base = recorded.unread / recorded.frames
    return f"{max(0.0, (recorded.unread_again / recorded.unread - base) / (1.0 - base)):.2f} ({recorded.unread})"

"""Fits the referee's times and habits to recorded evenings and prints them beside the shipped ones.

Each recording is replayed; its settled rounds say how long people thought and grabbed and how they set cards aside, its
place reports how often an unread marker stays unread.  Nothing is changed: the figures are for `companion/referee`.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from companion.commands.options import add_game, deck_numbers
from companion.commands.replay import recorded
from companion.errors import BadInput
from companion.referee.belief import REPEAT
from companion.referee.habit import habit_at_first
from companion.referee.pace import SHORTEST_S, Pace
from companion.scorekeeper import Scorekeeper
from companion.table.sighting import Glimpse, PlaceState

BURST_S = 1.5
"""Unread for so long between two readings in the same place, a card still lay there."""

FEWEST = 5
"""Fewer values than this are printed as too few."""


@dataclass
class Found:
    """What the recordings hold."""

    thought_s: list[float] = field(default_factory=list)
    grabbed_s: list[float] = field(default_factory=list)
    ways: list[int] = field(default_factory=lambda: [0, 0, 0])
    rounds: int = 0
    frames: int = 0
    unread: int = 0
    again: int = 0


def configure(parser: argparse.ArgumentParser) -> None:
    """Recordings of one group and the game that was played."""
    parser.add_argument("recordings", metavar="DIR", nargs="+", help="folders that `companion play --record` wrote")
    add_game(parser, players_required=True)
    parser.add_argument("--deck-size", type=int, default=80, help="cards in the deck (default %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Print the fitted figures beside the shipped ones.

    Raises:
        BadInput: a recording cannot be read, or no round in it was settled.
    """
    found = Found()
    for recording in args.recordings:
        _replay(args, recording, found)
    if not found.rounds:
        raise BadInput("no round was settled in these recordings: check --players, --daydreamer and --edition")
    print(f"{found.rounds} settled rounds")
    print("\n".join(_lines(found, args.set_aside, args.edition)))
    return 0


def _replay(args: argparse.Namespace, recording: str, found: Found) -> None:
    from companion.commands.score import begin

    keeper = Scorekeeper(numbers=deck_numbers(args.deck_size))
    begin(keeper, args)
    runs = _Runs(found)
    last_s = 0.0
    for glimpse in runs.over(recorded(recording)):
        keeper.see(glimpse)
        last_s = glimpse.t_s
    keeper.finish(last_s)
    if keeper.referee is None:
        return
    for finished in keeper.referee.customs.finished:
        thought, grabbed = finished.gaps()
        found.thought_s += thought
        found.grabbed_s += grabbed
        found.rounds += 1
        for departure in finished.row[: finished.w]:
            found.ways[0 if departure.tray >= 2 else 2 if departure.down > 0.8 else 1] += 1


class _Runs:
    """Counts how often an unread card that surely lies is unread again in the next frame."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._unread: dict[int, int] = {}
        self._read_s: dict[int, float] = {}

    def over(self, glimpses: Iterable[Glimpse]) -> Iterator[Glimpse]:
        """The glimpses, counted as they pass."""
        for glimpse in glimpses:
            if glimpse.usable:
                self._count(glimpse)
            yield glimpse

    def _count(self, glimpse: Glimpse) -> None:
        for report in glimpse.places:
            if report.state is not PlaceState.MARKER:
                self._unread[report.card] = self._unread.get(report.card, 0) + 1
                continue
            missed = self._unread.pop(report.card, 0)
            if glimpse.t_s - self._read_s.get(report.card, -math.inf) <= BURST_S:
                self._found.frames += missed + 1
                self._found.unread += missed
                self._found.again += max(0, missed - 1)
            self._read_s[report.card] = glimpse.t_s


def _lines(found: Found, set_aside: str, edition: str) -> list[str]:
    pace = Pace()
    _, median, spread = pace.think.parts[0]
    (fast, *_), (_, slow_median, slow_spread) = pace.grab.parts
    share = sum(1 for gap in found.grabbed_s if gap < 0.75) / max(1, len(found.grabbed_s))
    total = sum(found.ways)
    ways = " ".join(f"{100 * way / total:.0f} %" for way in found.ways) if total else "none set aside"
    shipped = " ".join(f"{100 * way:.0f} %" for way in habit_at_first(set_aside, edition).shares(True))  # type: ignore[arg-type]
    return [
        f"{'':34s}{'fitted':28s}shipped",
        f"{'T, before a guess':34s}{_times(found.thought_s):28s}{median:.1f} s, spread {spread:.2f}",
        f"{'G, slower gaps within a claim':34s}{_times([g for g in found.grabbed_s if g >= 0.75]):28s}"
        f"{slow_median:.1f} s, spread {slow_spread:.2f}",
        f"{'G, share of the fast ones':34s}{f'{share:.2f} of {len(found.grabbed_s)}':28s}{fast:.2f}",
        f"{'q, to the tray, away, face down':34s}{ways:28s}{shipped}",
        f"{'rho, unread stays unread':34s}{_rho(found):28s}{REPEAT:.2f}",
    ]


def _times(gaps_s: Sequence[float]) -> str:
    if len(gaps_s) < FEWEST:
        return f"too few ({len(gaps_s)})"
    logs = [math.log(max(gap, SHORTEST_S)) for gap in gaps_s]
    return f"{math.exp(statistics.median(logs)):.1f} s, spread {statistics.stdev(logs):.2f} ({len(logs)})"


def _rho(found: Found) -> str:
    """The lag-one repeat beyond chance, at the recording's own frame rate."""
    if found.unread < FEWEST or found.unread == found.frames:
        return f"too few ({found.unread})"
    base = found.unread / found.frames
    return f"{max(0.0, (found.again / found.unread - base) / (1.0 - base)):.2f} ({found.unread})"

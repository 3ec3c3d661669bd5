"""How often is the referee right? Simulated evenings without pixels; prints exact, late, asked and
silently wrong rounds.

    python -m tests.benchmarks.referee [--rounds 300] [--seed 1000000] [--only tray] [--calibrate]
    [--incidents] [--worst 5]

`silent`: entered wrongly and never questioned, or in another round's place. `late`: asked, then
answered by the picture. `unseen`: the round went by unseen, and people were asked about it.
`missed`: nobody heard of it. `held`: of so many questions about who took the cards, one of the two
buttons was the truth. Seeds from 1,000,000 on were never used for choosing anything.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import pairwise

from companion.dealing.curtain import Curtain
from companion.referee.make_ruling import AFTER_MISSED, AFTER_SEVERAL, missed_ruling
from companion.referee.referee import Referee
from companion.referee.ruling import Ruling
from companion.table.sighting import RawGlimpse
from tests.benchmarks.results.record import Figure, add_json, record
from tests.benchmarks.scenes.referee_world import SECOND, TEMPERS, Eye, Round, Table

MISSED = (AFTER_MISSED, AFTER_SEVERAL)

SETTINGS = {
    "tray": {"handling": "tray"},
    "away": {"handling": "away", "tray_in_view": False},
    "face-down": {"handling": "face-down"},
    "face-down-other": {"handling": "face-down", "named_backs": False},
    "bare": {"handling": "away", "tray_in_view": False, "tokens": False},
    "no-reports": {"handling": "tray", "reports": False},
}


TIMED = 16
"""One glimpse in so many is timed: asking the clock may cost more than the glimpse."""

ANSWER_S = 2.0
"""People answer a question that has stood so long."""

STATED = (0.0, 0.6, 0.8, 0.9, 0.95, 0.985, 0.99, 0.995, 1.01)
POSTERIOR = (0.0, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999, 1.01)

OUTCOMES = ("exact", "late", "asked", "unseen", "silent", "missed", "unended")


@dataclass
class Tally:
    """What became of the rounds of one line."""

    outcomes: Counter[str] = field(default_factory=Counter)
    delays: list[float] = field(default_factory=list)
    stated: list[tuple[float, float, bool]] = field(default_factory=list)
    by_incident: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    cards_right: int = 0
    questions: int = 0
    in_options: int = 0
    glimpses: int = 0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)


def answer(
    referee: Referee, table: Table, said: list[tuple[float, Ruling]], t: float
) -> tuple[Ruling, ...]:
    """What the referee rules once a person has answered the question that stands, if one does."""
    asked_s, last = said[-1]
    truth = next((r for r in table.truth if set(r.cards) == set(last.dealt)), None)
    if truth is None or last.status != "asked" or t - max(asked_s, truth.last_left_s) < ANSWER_S:
        return ()
    return referee.constrain_round(last.round, truth.aside, truth.ending)


def play(
    table: Table, told: str, fps: float
) -> tuple[dict[int, list[tuple[float, Ruling]]], int, float]:
    """The rulings of one evening by round, the glimpses it took and the seconds the referee needed."""
    edition = "de" if table.handling == "face-down" else "en"
    referee = Referee(table.players, told, range(1, 81), edition)
    curtain = Curtain()
    eye = Eye(table)
    rulings: dict[int, list[tuple[float, Ruling]]] = defaultdict(list)
    spent, count, seen, t = 0.0, 0, 0, 0.0
    while t < table.end_s:
        t += (1.0 / fps) * table.random.uniform(0.85, 1.15)
        raw = RawGlimpse(eye.look(t, referee.places))
        glimpse = curtain.draw_curtain(raw, referee.attention, referee.curtain_open)
        seen += 1
        if seen % TIMED:
            said = referee.observe_glimpse(glimpse)
        else:
            start = time.process_time()
            said = referee.observe_glimpse(glimpse)
            spent, count = spent + time.process_time() - start, count + 1
        if any(ruling.evidence.why in MISSED for ruling in said):
            said = missing(referee, said, rulings, t)
        for ruling in said:
            rulings[ruling.round].append((t, ruling))
        if rulings:
            newest = rulings[max(rulings)]
            newest += [(t, ruling) for ruling in answer(referee, table, newest, t)]
    for ruling in referee.finish_footage(t):
        rulings[ruling.round].append((t, ruling))
    if referee.missed_round:
        number = max(rulings, default=0) + 1
        rulings[number].append((t, missed_ruling(number, referee.expects(), t)))
    return rulings, count, spent


def missing(
    referee: Referee,
    said: tuple[Ruling, ...],
    rulings: dict[int, list[tuple[float, Ruling]]],
    t: float,
) -> tuple[Ruling, ...]:
    """What follows when people hear that a round went by unseen, and say that it was played: an
    empty line in its place."""
    number = next(ruling.round for ruling in said if ruling.evidence.why in MISSED)
    rulings[number].append((t, missed_ruling(number, referee.expects(), t)))
    referee.skip_round()
    return tuple(replace(ruling, round=ruling.round + (ruling.round >= number)) for ruling in said)


def judge(truth: Round, said: list[tuple[float, Ruling]]) -> str:
    """What became of a round: one of OUTCOMES."""
    if not said:
        return "missed"
    last = said[-1][1]
    if last.ending == "void":
        return "unseen"
    if set(last.dealt) != set(truth.cards):
        return {"settled": "silent", "asked": "asked"}.get(last.status, "missed")
    if last.status == "tentative":
        return "unended"
    if last.evidence.why == "person":
        return "asked"
    right = len(last.set_aside) == len(truth.aside) and last.ending == truth.ending
    if last.status == "asked":
        return "asked"
    if not right:
        return "silent"
    return "late" if any(r.status == "asked" for _, r in said) else "exact"


def count(tally: Tally, table: Table, rulings: dict[int, list[tuple[float, Ruling]]]) -> None:
    """Add one evening to the tally."""
    for truth in table.truth:
        said = rulings.get(truth.number, [])
        outcome = judge(truth, said)
        tally.outcomes[outcome] += 1
        for incident in truth.incidents or {"none"}:
            tally.by_incident[incident][outcome] += 1
        if outcome != "exact":
            where = f"{outcome} seed={table.seed} players={table.players} round={truth.number}"
            tally.failures.append(f"{where} {' '.join(sorted(truth.incidents))}")
        settled = [(t, r) for t, r in said if r.status == "settled"]
        if outcome == "exact":
            tally.delays.append(settled[0][0] - truth.last_left_s)
            tally.cards_right += set(settled[-1][1].set_aside) == set(truth.aside)
        if said and said[-1][1].status in ("settled", "asked") and said[-1][1].ending != "void":
            last = [r for _, r in said if r.evidence.why != "person"][-1]
            told = last.question.options[0].wrong_count if last.question else len(last.set_aside)
            tally.stated.append((last.confidence, last.posterior, told == len(truth.aside)))
            if last.question:
                tally.questions += 1
                tally.in_options += any(
                    o.wrong_count == len(truth.aside) for o in last.question.options
                )


def run(setting: str, temper: str, args: argparse.Namespace) -> Tally:
    """Play `args.rounds` rounds of one setting."""
    tally = Tally()
    tempers = SECOND if args.second else TEMPERS
    for game in range(-(-args.rounds // args.evening)):
        options = SETTINGS[setting]
        table = Table(
            3 + game % 6,
            temper=tempers[temper],
            seed=args.seed + game,
            rounds=args.evening,
            **options,
        )
        told = args.told or options["handling"]
        rulings, glimpses, seconds = play(table, told, args.fps)
        tally.glimpses += glimpses
        tally.seconds += seconds
        count(tally, table, rulings)
    return tally


def line(setting: str, temper: str, tally: Tally) -> str:
    """One line of the table."""
    total = sum(tally.outcomes.values())
    shares = " ".join(f"{100 * tally.outcomes[outcome] / total:7.2f}" for outcome in OUTCOMES)
    delays = sorted(tally.delays) or [0.0]
    options = f"{tally.in_options}/{tally.questions}"
    cards = 100 * tally.cards_right / max(1, tally.outcomes["exact"])
    return (
        f"{setting:16s}{temper:9s}{total:6d} {shares}  {statistics.median(delays):4.1f} {delays[int(len(delays) * 0.95)]:4.1f}"
        f"  {cards:6.2f}  {options:>8s}  {1000 * tally.seconds / tally.glimpses:.3f}"
    )


def figures_of(setting: str, temper: str, tally: Tally) -> list[Figure]:
    """What became of the rounds of one line, and whether questions held the truth."""
    total = sum(tally.outcomes.values())
    told = ", ".join(
        f"{outcome} {100 * tally.outcomes[outcome] / total:.2f} %"
        for outcome in OUTCOMES
        if tally.outcomes[outcome]
    )
    figures = [Figure(f"{setting}, {temper}: rounds", told, n=total)]
    if tally.questions:
        held = f"{tally.in_options} of {tally.questions}"
        figures.append(
            Figure(f"{setting}, {temper}: questions with the truth among two answers", held)
        )
    return figures


def calibration(tally: Tally) -> str:
    """Share right by stated confidence and by posterior, a line a band; questions count as what
    they hold likelier."""
    lines = []
    for name, at, bands in (("stated", 0, STATED), ("posterior", 1, POSTERIOR)):
        for low, high in pairwise(bands):
            right = [told[2] for told in tally.stated if low <= told[at] < high]
            if right:
                share = 100 * sum(right) / len(right)
                lines.append(
                    f"      {name:9s} {low:.3f}-{min(high, 1.0):.3f}: {share:6.2f} % right of {len(right)}"
                )
    return "\n".join(lines)


def by_incident(tally: Tally) -> str:
    """Outcomes by what happened in the round, a line an incident."""
    lines = []
    for incident, outcomes in sorted(tally.by_incident.items()):
        total = sum(outcomes.values())
        shares = " ".join(f"{100 * outcomes[outcome] / total:7.2f}" for outcome in OUTCOMES)
        lines.append(f"      {incident:19s}{total:6d} {shares}")
    return "\n".join(lines)


def worst(tally: Tally) -> list[str]:
    """The rounds that were not exact, the worst kind first."""
    kinds = ("silent", "missed", "unended", "unseen", "asked", "late")
    return sorted(tally.failures, key=lambda told: kinds.index(told.split()[0]))


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=300, help="rounds a line")
    parser.add_argument(
        "--evening", type=int, default=3, help="rounds an evening: the referee begins each anew"
    )
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--only", default="tray,away,face-down,face-down-other,bare,no-reports")
    parser.add_argument("--tempers", default="calm,ordinary,rowdy")
    parser.add_argument(
        "--told", default="", help="the handling chosen at set-up (default: the true one)"
    )
    parser.add_argument("--fps", type=float, default=10.0)
    parser.add_argument("--second", action="store_true", help="the second choreography")
    parser.add_argument("--calibrate", action="store_true", help="print the calibration table")
    parser.add_argument("--incidents", action="store_true", help="print outcomes by incident")
    parser.add_argument(
        "--worst",
        type=int,
        default=5,
        help="print so many of the worst rounds of a line, with their seeds",
    )
    add_json(parser)
    args = parser.parse_args()
    figures = []
    heads = " ".join(f"{outcome:>7s}" for outcome in OUTCOMES)
    print(f"{'set aside':16s}{'temper':9s}{'rounds':>6s} {heads}  delay, 95 %  cards     held  ms")
    for setting in args.only.split(","):
        for temper in args.tempers.split(","):
            tally = run(setting, temper, args)
            print(line(setting, temper, tally), flush=True)
            figures += figures_of(setting, temper, tally)
            if args.calibrate:
                print(calibration(tally))
            if args.incidents:
                print(by_incident(tally))
            for told in worst(tally)[: args.worst]:
                print(f"      {told}")
    record(args.json, figures, args.seed)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

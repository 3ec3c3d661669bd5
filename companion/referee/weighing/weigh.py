"""The weighing of one round: how likely is each hypothesis, given the departures so far?

Knows departures, paces, habits and directions of hands. Must not know glimpses. To follow one
hypothesis, read `log_likelihood`: it is the sum of named evidence terms, each a function in a module
of its own beside this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log

from companion.referee.departure import Departure
from companion.referee.weighing.departure_orders import Order
from companion.referee.weighing.hand_evidence import HandEvidence, log_hands, log_idle_hands
from companion.referee.weighing.hypothesis import Hypothesis, RoundContext
from companion.referee.weighing.log_sum import log_sum
from companion.referee.weighing.outside_evidence import OutsideRests, log_outside
from companion.referee.weighing.set_aside_evidence import (
    SetAsideEvidence,
    log_against_claim,
    log_set_aside,
)
from companion.referee.weighing.time_evidence import TimeEvidence, log_time

NOTHING_LEFT = Hypothesis(0, "open")


@dataclass(frozen=True, slots=True)
class GuessChances:
    """What is likely before anything is seen; chosen, and uncritical (the evidence is far stronger).

    `right_share`: a guess is right. `lifted_share`: the latest leaver was only lifted to be looked at;
    `log_lifted_from_tray`: log weight of that when it rests in the tray.
    """

    right_share: float = 0.3
    lifted_share: float = 0.25
    log_lifted_from_tray: float = -4.0


CHANCES = GuessChances()


@dataclass(frozen=True, slots=True)
class RoundEvidence:
    """One order of departures with what each kind of evidence tells of every leaver, computed once
    for all hypotheses."""

    row: tuple[Departure, ...]
    times: TimeEvidence
    aside: SetAsideEvidence
    outside: OutsideRests
    hands: HandEvidence

    @classmethod
    def of(cls, row: tuple[Departure, ...], context: RoundContext) -> RoundEvidence:
        """The evidence of this order."""
        return cls(
            row,
            TimeEvidence.of(row, context),
            SetAsideEvidence.of(row, context),
            OutsideRests.of(row, context.now_s),
            HandEvidence.of(row),
        )


def log_likelihood(hypothesis: Hypothesis, evidence: RoundEvidence, context: RoundContext) -> float:
    """Log weight of one hypothesis: the sum of what each kind of evidence says of it."""
    if contradicts_person(hypothesis, evidence.row):
        return -inf
    return (
        log_chance(hypothesis, evidence.row, context)
        + log_time(hypothesis, evidence.times, context)
        + log_set_aside(hypothesis, evidence.aside, context)
        + log_against_claim(hypothesis, evidence.aside, context)
        + log_outside(hypothesis, evidence.outside)
        + log_hands(hypothesis, evidence.hands, context)
        + log_idle_hands(hypothesis, evidence.row, context)
    )


def contradicts_person(hypothesis: Hypothesis, row: Sequence[Departure]) -> bool:
    """True when a card that people denied counts as a wrong guess, or one that they named as none."""
    wrong, rest = row[: hypothesis.wrong_count], row[hypothesis.wrong_count :]
    return any(d.denied for d in wrong) or any(d.named_wrong for d in rest)


def log_chance(hypothesis: Hypothesis, row: Sequence[Departure], context: RoundContext) -> float:
    """How likely so many wrong guesses are, and what followed, before anything is seen of them."""
    total = hypothesis.wrong_count * log(1.0 - CHANCES.right_share)
    if hypothesis.stage == "lifted":
        in_tray = CHANCES.log_lifted_from_tray if row[-1].rests_in_tray else 0.0
        return total + log(CHANCES.lifted_share) + in_tray
    if hypothesis.rest_is_taken and not context.lookout_takes(hypothesis):
        return total + log(CHANCES.right_share)
    return total


def hypotheses_of(left: int, context: RoundContext) -> list[Hypothesis]:
    """Every hypothesis of a round of which `left` cards have left, one at least, within the bounds of
    a person's word."""
    if left >= context.cards:
        found = [Hypothesis(w, "ended") for w in range(context.attempts + 1)]
    else:
        found = [Hypothesis(left, "open")] if left <= context.attempts else []
        found += [Hypothesis(w, "taking") for w in range(min(left - 1, context.attempts) + 1)]
        found += [Hypothesis(left - 1, "lifted")] if left - 1 <= context.attempts else []
    return [h for h in found if context.least <= h.wrong_count <= context.most]


def weigh(departures: Sequence[Departure], context: RoundContext) -> dict[Hypothesis, float]:
    """The probability of every hypothesis for these departures (already in order); they add up to 1."""
    return weigh_orders([(0.0, tuple(departures))], context)[1]


def weigh_orders(
    orders: Sequence[Order], context: RoundContext
) -> tuple[tuple[Departure, ...], dict[Hypothesis, float]]:
    """The probability of every hypothesis, whichever of these orders was the true one, and the order
    that fits the likeliest hypothesis best. None where a person's word excludes them all."""
    if not orders[0][1]:
        return (), {NOTHING_LEFT: 1.0}
    hypotheses = hypotheses_of(len(orders[0][1]), context)
    weighed = [(row, share, _log_weights(row, hypotheses, context)) for share, row in orders]
    shares = _normalised(
        {h: log_sum([share + logs[h] for _, share, logs in weighed]) for h in hypotheses}
    )
    best = max(shares, key=lambda h: shares[h], default=None)
    if best is None:
        return weighed[0][0], shares
    return max(weighed, key=lambda order: order[1] + order[2][best])[0], shares


def _log_weights(
    row: tuple[Departure, ...], hypotheses: Sequence[Hypothesis], context: RoundContext
) -> dict[Hypothesis, float]:
    evidence = RoundEvidence.of(row, context)
    return {h: log_likelihood(h, evidence, context) for h in hypotheses}


def _normalised(logs: dict[Hypothesis, float]) -> dict[Hypothesis, float]:
    top = max(logs.values(), default=-inf)
    if top == -inf:
        return {}
    shares = {hypothesis: exp(value - top) for hypothesis, value in logs.items()}
    total = sum(shares.values())
    return {hypothesis: share / total for hypothesis, share in shares.items()}

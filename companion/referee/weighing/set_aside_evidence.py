"""What the tray and the places tell: was a leaver set aside, or claimed?

There are three ways of setting aside: on the tray, out of view, face down in its place. They are
weighed over the whole round at once, for what its other cards did tells how this table does it.
Knows what was seen of each leaver. Must not know times between leavers, nor hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log

from companion.referee.departure import Departure
from companion.referee.weighing.hypothesis import Hypothesis, RoundContext
from companion.referee.weighing.log_sum import log_sum
from companion.referee.weighing.picture_evidence import (
    PICTURE_EVIDENCE_MODEL,
    log_pictured_if_claimed,
    pictured_unread,
)
from companion.referee.weighing.tray_silence import (
    PLAIN_TRAY,
    TrayHides,
    seen_if_not,
    unseen_if_came,
)

HALF_SURE = 0.5
"""A card more surely face down than not."""


@dataclass(frozen=True, slots=True)
class SetAsideModel:
    """How a card shows that it was set aside, or claimed; shares are probabilities, the others natural
    logarithms of likelihood ratios.

    Chosen on simulated evenings (`python -m tests.benchmarks.referee`): with a tray in view 99.4 to
    99.7 % of 2,001 rounds a temper came out exact and 0.2 to 0.5 % were asked about. A floor of 2 %
    for a card never seen where it was put made three rounds in a hundred too unsure to enter, so it
    stands at 0.4 %, and the round's other cards tell the rest.
    """

    missed_share: float = 0.004
    """A card set aside is never seen where it was put."""
    tray_seen_s: float = 0.55
    """Time constant within which a card set aside is seen in the tray in plain view."""
    tray_missed_s: float = 4.0
    """Time constant within which one that was missed there (unread, under a sleeve) shows up after all."""
    tray_never_share: float = 0.2
    """Share of those that never do."""
    bare_s: float = 0.5
    """Time constant in which a bare place speaks against a card turned over there."""
    covered_share: float = 0.1
    """Set aside in the tray it is read there once and never again, for another one lies on it soon."""
    unread_again_share: float = 0.02
    """The same where no other card came to the tray after it."""
    strayed_share: float = 0.02
    """A table which sets aside in one way is seen doing it another way."""
    log_claimed_by_level: tuple[float, float, float, float] = (0.0, -1.0, -5.0, -7.0)
    """A claimed card was never read in the tray, read there once, twice at rest, for half a second."""
    held_share: float = 0.05
    """A claimed card was held over the tray on its way, or laid there and taken back,"""
    held_s: float = 1.0
    """as an open tray without it tells within this time constant."""
    reread_s: float = 0.8
    """Time constant within which one that lies there at rest, nothing on it, is read again,"""
    not_reread_share: float = 0.03
    """and the share of those that are not: a lamp's gloss came when the hand left."""
    log_claimed_in_pile: float = -4.0
    """A claimed card came to the tray only after the middle was empty, although the tray had been in
    plain view: a pile of taken cards may have been laid there."""
    log_claimed_down: float = -6.0
    """A claimed card was turned over in its place."""
    log_claimed_back: float = -9.0
    """The same where its back lay there in plain view for `back_s`."""
    back_s: float = 1.5
    lookout_part: float = 0.5
    """What speaks against a claim speaks so much less against the Lookout's collecting."""


SET_ASIDE_MODEL = SetAsideModel()


@dataclass(frozen=True, slots=True)
class SetAsideEvidence:
    """For each leaver the log likelihood of what was seen of it if it was set aside on the tray, out of
    view, face down; the log weight of its being claimed after all; and that of what moved over the tray
    if it was taken elsewhere, by whomever."""

    aside: tuple[tuple[float, float, float], ...]
    claimed: tuple[float, ...]
    passed: tuple[float, ...]

    @classmethod
    def of(cls, row: Sequence[Departure], context: RoundContext) -> SetAsideEvidence:
        """The evidence of this order of departures."""
        empty_s = row[-1].high_s if len(row) >= context.cards else inf
        last = max((i for i, d in enumerate(row) if d.tray.level), default=0)
        return cls(
            tuple(
                log_seen_if_aside(d, covered=i < last, turn=i, hides=context.hides)
                for i, d in enumerate(row)
            ),
            tuple(log_if_claimed(d, empty_s) for d in row),
            tuple(_log_passed_by(d) for d in row),
        )


def log_set_aside(
    hypothesis: Hypothesis, evidence: SetAsideEvidence, context: RoundContext
) -> float:
    """How well what was seen of the first leavers fits their being set aside, whichever way this table
    does it."""
    wrong = evidence.aside[: hypothesis.wrong_count]
    return log_sum(
        [
            log(share) + sum(aside[way] for aside in wrong)
            for way, share in enumerate(context.ways)
            if share > 0
        ]
    )


def log_against_claim(
    hypothesis: Hypothesis, evidence: SetAsideEvidence, context: RoundContext
) -> float:
    """What speaks against the rest being taken by one person: they were seen set aside."""
    if not hypothesis.rest_is_taken:
        return 0.0
    part = SET_ASIDE_MODEL.lookout_part if context.lookout_takes(hypothesis) else 1.0
    wrong = hypothesis.wrong_count
    return sum(evidence.claimed[wrong:]) * part + sum(evidence.passed[wrong:])


def log_seen_if_aside(
    d: Departure, covered: bool, turn: int = 0, hides: TrayHides = PLAIN_TRAY
) -> tuple[float, float, float]:
    """Log P(what was seen of this card | it was set aside) for a table using the tray, another place,
    or turning over; `covered`: another card came to the tray after it; `turn`: it left as this one
    of the round, from 0, to a tray that `hides` cards."""
    late = SET_ASIDE_MODEL.tray_never_share + (1.0 - SET_ASIDE_MODEL.tray_never_share) * exp(
        -d.tray.watched_s / SET_ASIDE_MODEL.tray_missed_s
    )
    missed = SET_ASIDE_MODEL.missed_share * late
    tray, down = _if_on_tray(d, missed, covered, turn, hides), _if_face_down(d)
    in_tray = d.rests_in_tray or pictured_unread(d.tray)
    nothing_came = 0.0 if in_tray else log(seen_if_not(d.tray.picture))
    turned = d.place.face_down > HALF_SURE
    elsewhere = SET_ASIDE_MODEL.strayed_share if in_tray or turned else 1.0
    return (
        log(max(missed, tray * (SET_ASIDE_MODEL.strayed_share if turned else 1.0))),
        log(elsewhere) + nothing_came,
        log(
            max(
                SET_ASIDE_MODEL.missed_share,
                down * (SET_ASIDE_MODEL.strayed_share if in_tray else 1.0),
            )
        )
        + nothing_came,
    )


def _if_on_tray(d: Departure, missed: float, covered: bool, turn: int, hides: TrayHides) -> float:
    """P(what was read of this card | it was set aside in the tray): its not being read counts as far
    as the tray shows its cards, and as its picture says that none came."""
    if d.rests_in_tray:
        never = SET_ASIDE_MODEL.not_reread_share
        return never + (1.0 - never) * exp(-d.tray.unread_s / SET_ASIDE_MODEL.reread_s)
    if pictured_unread(d.tray):
        return PICTURE_EVIDENCE_MODEL.pictured_share
    unread = missed + (1.0 - missed) * exp(-d.tray.watched_s / SET_ASIDE_MODEL.tray_seen_s)
    unread = hides.unread_share(turn) + (1.0 - hides.unread_share(turn)) * unread
    unseen = unseen_if_came(d.tray.picture, unread, hides)
    if d.tray.level == 0:
        return unseen
    return max(
        unseen, SET_ASIDE_MODEL.covered_share if covered else SET_ASIDE_MODEL.unread_again_share
    )


def _if_face_down(d: Departure) -> float:
    unseen = SET_ASIDE_MODEL.missed_share + (1.0 - SET_ASIDE_MODEL.missed_share) * exp(
        -d.place.bare_s / SET_ASIDE_MODEL.bare_s
    )
    return d.place.face_down + (1.0 - d.place.face_down) * unseen


def log_if_claimed(d: Departure, empty_s: float) -> float:
    """Log weight of this card being claimed after all; the middle was empty at `empty_s`."""
    seen_back = d.place.back_s >= SET_ASIDE_MODEL.back_s
    turned = SET_ASIDE_MODEL.log_claimed_back if seen_back else SET_ASIDE_MODEL.log_claimed_down
    return _if_claimed_to_tray(d, empty_s) + turned * d.place.face_down


def _if_claimed_to_tray(d: Departure, empty_s: float) -> float:
    if pictured_unread(d.tray):
        read = SET_ASIDE_MODEL.log_claimed_by_level[d.tray.level]
        return read + log_pictured_if_claimed(d.tray, empty_s)
    if not d.rests_in_tray:
        came = log(seen_if_not(d.tray.picture)) if d.tray.picture.came else 0.0
        return SET_ASIDE_MODEL.log_claimed_by_level[d.tray.level] + came
    first_s, awaited_s = d.tray.came_s
    if first_s < empty_s:
        held = 1.0 - exp(-d.tray.unread_s / SET_ASIDE_MODEL.held_s)
        lies = exp(SET_ASIDE_MODEL.log_claimed_by_level[d.tray.level])
        return log(lies + SET_ASIDE_MODEL.held_share * held)
    return min(0.0, SET_ASIDE_MODEL.log_claimed_in_pile + awaited_s / SET_ASIDE_MODEL.tray_seen_s)


def _log_passed_by(d: Departure) -> float:
    """Log likelihood of what moved over a tray that showed nothing new, for a card taken elsewhere:
    counted alike for those that a claimer took and the Lookout (`TraySilenceModel`)."""
    shows = d.rests_in_tray or pictured_unread(d.tray) or d.tray.picture.came
    return 0.0 if shows else log(seen_if_not(d.tray.picture))

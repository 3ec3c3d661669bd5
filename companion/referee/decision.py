"""What the referee says of an open round now: shown, entered, or asked.

Knows the round and the table's habits. Must not know the rounds before it. Nothing is entered before
the middle is empty; until then what is shown is free to change.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.referee.make_ruling import asked_ruling, entered_ruling, open_ruling, says_the_same
from companion.referee.observing.indexed_glimpse import IndexedGlimpse
from companion.referee.open_round import OpenRound, RoundStage
from companion.referee.ruling import Ruling
from companion.referee.table_habits import TableHabits
from companion.referee.weighed import Weighed
from companion.referee.weighing.confidence import Witness, may_enter, witness_of
from companion.referee.weighing.departure_orders import possible_orders
from companion.referee.weighing.hypothesis import UNLIMITED, Hypothesis, RoundContext
from companion.referee.weighing.outside_evidence import mixed_piles
from companion.referee.weighing.plain_rules import plain_range
from companion.referee.weighing.weigh import weigh_orders


@dataclass(frozen=True, slots=True)
class DecisionModel:
    """When a round is entered and when people are asked.

    Entered `settle_s` after the last card left: with .2, .5, 1 and 2 s (120 ordinary simulated rounds
    each) the results were the same and the entry came 1.0, 1.0, 1.4 and 2.5 s after. Asked `ask_after_s`
    after it was noticed, when still unsure: with 1.5 s one to four rounds in a hundred were asked about
    for nothing, 6 s gained nothing. While a hand hides what may answer, or has just left it, question
    and entry wait, `ask_at_latest_s` at most (chosen: some seconds after people look up).
    `contradicting_share`: so sure must the weighing be where the plain rules neither say so nor can
    exclude it, and where no hand is waited for (chosen). `late_share`: of the cards of a deal recognised
    late, so many may have left where each is seen set aside; elsewhere none.
    """

    settle_s: float = 0.5
    ask_after_s: float = 3.0
    ask_at_latest_s: float = 9.0
    contradicting_share: float = 0.98
    late_share: float = 0.5


DECISION_MODEL = DecisionModel()


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be said (None: nothing new can be told), and how far the round is then."""

    stage: RoundStage
    ruling: Ruling | None


def follow_glimpse(
    round_: OpenRound, glimpse: IndexedGlimpse, habits: TableHabits
) -> tuple[Ruling, ...]:
    """Take one glimpse: the ruling that changed, if one did."""
    if not round_.is_open:
        return _follow_decided(round_, glimpse, habits)
    back = round_.watch.watch_open_round(glimpse)
    if back:
        round_.constraints = round_.constraints.without_denial_of(back)
    if round_.watch.empty:
        return take_decision(round_, decide_round(round_, habits, glimpse.t_s))
    return take_decision(round_, Decision("playing", show_round(round_, habits, glimpse.t_s)))


def _follow_decided(
    round_: OpenRound, glimpse: IndexedGlimpse, habits: TableHabits
) -> tuple[Ruling, ...]:
    """A decided round is only reopened by a card that is read in the middle again, or questioned by one
    that comes to rest where it cannot be."""
    back = round_.watch.watch_decided_round(glimpse)
    if round_.constraints.final:
        return ()
    if back:
        round_.why = "came_back"
        round_.stage = "playing"
        return take_decision(round_, Decision("playing", show_round(round_, habits, glimpse.t_s)))
    if why := contradiction(round_):
        round_.why = why
        round_.stage = "asked"
        return take_decision(round_, decide_round(round_, habits, glimpse.t_s))
    return ()


def take_decision(round_: OpenRound, decision: Decision) -> tuple[Ruling, ...]:
    """Take the decision into the round; its ruling if that says anything new."""
    round_.stage = decision.stage
    ruling = decision.ruling
    if ruling is not None and decision.stage == "entered":
        round_.entered_wrong_count = len(ruling.set_aside)
    if ruling is None or (round_.said is not None and says_the_same(round_.said, ruling)):
        return ()
    round_.said = ruling
    return (ruling,)


def show_round(round_: OpenRound, habits: TableHabits, t_s: float) -> Ruling | None:
    """What is believed while cards still lie; None while nothing has left and nothing else was said."""
    return _shown(round_, weigh_round(round_, habits, t_s), t_s)


def _shown(round_: OpenRound, weighed: Weighed, t_s: float) -> Ruling | None:
    said = round_.said
    if not weighed.row and said is not None and not said.set_aside and said.status == "tentative":
        return None
    return open_ruling(round_, weighed, t_s)


def decide_round(
    round_: OpenRound, habits: TableHabits, t_s: float, forced: bool = False
) -> Decision:
    """The middle is empty: the round entered once it is sure enough, asked after a while, else what
    is believed. `forced`: there is no more to wait for, so what is not sure is asked."""
    weighed = weigh_round(round_, habits, t_s)
    if not forced and t_s - round_.watch.last_left_s < DECISION_MODEL.settle_s:
        return Decision(round_.stage, _shown(round_, weighed, t_s))
    waits = not forced and _may_learn_better(round_, weighed, t_s)
    if is_sure(round_, weighed, habits) and not waits:
        return Decision("entered", entered_ruling(round_, weighed, t_s))
    if forced or round_.stage == "asked" or _has_waited(round_, t_s):
        return Decision("asked", asked_ruling(round_, weighed, t_s))
    return Decision(round_.stage, _shown(round_, weighed, t_s))


def _may_learn_better(round_: OpenRound, weighed: Weighed, t_s: float) -> bool:
    """True while a hand hides what may still contradict the likeliest hypothesis, unless that is very
    sure or a person's word."""
    waits = t_s - round_.watch.last_noticed_s < DECISION_MODEL.ask_at_latest_s
    very_sure = weighed.surest_share >= DECISION_MODEL.contradicting_share
    hidden = round_.watch.hidden.may_tell_more(t_s)
    return hidden and waits and not very_sure and not round_.constraints.final


def _has_waited(round_: OpenRound, t_s: float) -> bool:
    """True when an unsure round may be asked about: long enough after its last card left, and nothing
    is hidden that would answer in a moment."""
    waited_s = t_s - round_.watch.last_noticed_s
    if round_.watch.hidden.may_tell_more(t_s):
        return waited_s >= DECISION_MODEL.ask_at_latest_s
    return waited_s >= DECISION_MODEL.ask_after_s


def close_round(round_: OpenRound, habits: TableHabits, t_s: float) -> tuple[Ruling, ...]:
    """The next round lies, or the footage ends: decide with what has been seen."""
    round_.watch.force_gone(t_s)
    return take_decision(round_, decide_round(round_, habits, t_s, forced=True))


def weigh_round(round_: OpenRound, habits: TableHabits, now_s: float) -> Weighed:
    """Every hypothesis of the round with its probability, and the departures in their likeliest order."""
    watch, constraints = round_.watch, round_.constraints
    row = watch.departures(constraints)
    ways = habits.handling.shares(watch.has_tray)
    report = watch.tray_report
    hides = habits.tray_reading.hides(
        watch.piled(row), report is not None, report.in_view if report is not None else 1.0
    )
    named = len(constraints.set_aside)
    context = RoundContext(
        len(watch.cards),
        round_.attempts,
        round_.began_s,
        now_s,
        habits.pace,
        habits.seating,
        ways,
        least=min(named, round_.attempts, len(row)),
        most=named if constraints.final else UNLIMITED,
        idle_hands=watch.idle_hands(row),
        hides=hides,
    )
    fitting, shares = weigh_orders(possible_orders(row), context)
    return Weighed(fitting, shares, witness_of(ways), hides)


def is_sure(round_: OpenRound, weighed: Weighed, habits: TableHabits) -> bool:
    """True when the likeliest hypothesis may be entered: sure enough, everything seen, and the plain
    rules do not say otherwise."""
    best = weighed.best
    if best is None:
        return False
    share = weighed.shares[best]
    if not round_.constraints.final and (
        _seen_in_part(round_, weighed)
        or round_.watch.went_unseen(weighed.row, best.wrong_count)
        or not _plain_rules_agree(round_, weighed, best.wrong_count, habits)
    ):
        return False
    return may_enter(share, witness_to(weighed, best), habits.seating.known)


def witness_to(weighed: Weighed, best: Hypothesis) -> Witness:
    """What testifies to this hypothesis: where its wrong guesses lie in the tray, the tray, whatever
    the rules of this edition; but a tray in which the first card that it counts as claimed may lie
    unread is none."""
    row, turn = weighed.row, best.wrong_count
    hidden = (
        turn < len(row)
        and not row[turn].rests_in_tray
        and weighed.hides.may_hide(turn, row[turn].tray.picture)
    )
    used = turn > 0 and all(d.rests_in_tray or d.tray.picture.came for d in row[:turn])
    if used or weighed.witness == "tray":
        return "away" if hidden else "tray"
    return weighed.witness


def _seen_in_part(round_: OpenRound, weighed: Weighed) -> bool:
    """True when what nobody saw may decide: the deal was recognised too late, a card was never read, or
    one may have left the tray unseen."""
    deal, watch = round_.deal, round_.watch
    each_seen = weighed.witness == "tray" or (weighed.witness == "down" and watch.backs_known)
    too_late = deal.late_share > (DECISION_MODEL.late_share if each_seen else 0.0)
    return too_late or deal.unread > 0 or watch.lost


def _plain_rules_agree(
    round_: OpenRound, weighed: Weighed, wrong_count: int, habits: TableHabits
) -> bool:
    """True where the plain rules have no say, say the same, or cannot exclude what is very sure."""
    tray_share = habits.handling.shares(round_.watch.has_tray)[0]
    plain = plain_range(weighed.row, round_.attempts, tray_share, weighed.hides)
    if plain is None:
        return True
    least, most, most_blind = plain
    very_sure = weighed.surest_share >= DECISION_MODEL.contradicting_share
    return least <= wrong_count <= (most_blind if very_sure else most)


def contradiction(round_: OpenRound) -> str:
    """Why what was entered is not so ("": nothing contradicts it): a card entered as claimed has come to
    rest in the tray since, or in the place outside the middle where one entered as a wrong guess was
    put before."""
    wrong = round_.entered_wrong_count
    if wrong is None:
        return ""
    row = round_.watch.departures(round_.constraints)
    if wrong < round_.attempts and any(round_.watch.rests_in_tray(d.card) for d in row[wrong:]):
        return "found_in_tray"
    return "found_in_pile" if mixed_piles(row, wrong) else ""

"""What the referee says of an open round now: shown, entered, or asked.

Knows the round and the table's habits. Must not know the rounds before it, nor what was said
already.
"""

from __future__ import annotations

from companion.referee import make_ruling
from companion.referee.open_round import ASK_AFTER_S, SETTLE_S, OpenRound
from companion.referee.ruling import Ruling
from companion.referee.table_habits import TableHabits


def show(round_: OpenRound, habits: TableHabits, t_s: float, said: Ruling | None) -> Ruling | None:
    """What is believed while cards still lie; None while nothing has left and `said` does not say
    otherwise."""
    row, tellings = round_.weighed(t_s, habits)
    if not row and said is not None and not said.set_aside and said.status == "tentative":
        return None
    return make_ruling.open_ruling(round_, row, tellings, t_s)


def decide(
    round_: OpenRound, habits: TableHabits, t_s: float, said: Ruling | None, forced: bool = False
) -> Ruling | None:
    """The middle is empty: the round entered once it is sure enough, asked after a while, else what
    is believed.

    `forced`: there is no more to wait for, so what is not sure is asked. The round's stage follows.
    """
    if not forced and t_s - round_.last_left_s() < SETTLE_S:
        return show(round_, habits, t_s, said)
    row, tellings = round_.weighed(t_s, habits)
    if round_.decides(row, tellings, habits):
        round_.stage = "entered"
        ruling = make_ruling.entered_ruling(round_, row, tellings, t_s)
        round_.wrong_count = len(ruling.set_aside)
        return ruling
    if forced or round_.stage == "asked" or t_s - round_.last_noticed_s() >= ASK_AFTER_S:
        round_.stage = "asked"
        return make_ruling.asked_ruling(round_, row, tellings, t_s)
    return show(round_, habits, t_s, said)

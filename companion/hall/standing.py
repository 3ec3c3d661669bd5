"""How one table stands: its newest evening folded from its entries, and the little that a board shows
of it.

Pure. Totals that a table might claim are never asked for: they are what the product's own fold makes
of the entries.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from companion.game.events import QuestionAsked
from companion.game.fold import GrowingFold, fold, grown
from companion.game.ledger import Ledger
from companion.game.log import Entry, Log

MOST_SHOWN = 16
"""People of one table on a board: who plays, then who has left."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One evening of a table, `have` entries of it folded. Where `growing` is None the next entry
    needs the whole log again."""

    evening: int
    have: int
    began_s: float
    changed_s: float
    ledger: Ledger
    growing: GrowingFold | None = None
    asked: tuple[int, float] | None = None
    """The round that the table's companion asks about, and since when."""
    misfit: int | None = None
    """The number of the first entry that does not fit."""

    def follow(self, entries: Iterable[Entry]) -> Standing | None:
        """The standing after these next entries; None where the whole log is needed."""
        growing, asked, have = self.growing, self.asked, self.have
        changed_s = self.changed_s
        for entry in entries:
            if entry.number <= have:
                continue
            if growing is None or entry.number != have + 1:
                return None
            growing = growing.extend(entry)
            have = entry.number
            asked = _asked_after(asked, entry)
            changed_s = max(changed_s, entry.at_s)
        if growing is None:
            return None
        return replace(
            self,
            have=have,
            changed_s=changed_s,
            ledger=growing.ledger,
            growing=growing,
            asked=asked,
        )


def stand(evening: int, entries: tuple[Entry, ...]) -> Standing:
    """How an evening stands after all these entries."""
    log = Log().append(*entries)
    replay = fold(log)
    asked = None
    for entry in log.effective:
        asked = _asked_after(asked, entry)
    return Standing(
        evening,
        len(entries),
        entries[0].at_s if entries else 0.0,
        max((entry.at_s for entry in entries), default=0.0),
        replay.ledger,
        grown(log) if replay.misfit is None else None,
        asked,
        replay.misfit.entry.number if replay.misfit is not None else None,
    )


def _asked_after(asked: tuple[int, float] | None, entry: Entry) -> tuple[int, float] | None:
    if isinstance(entry.event, QuestionAsked):
        return entry.event.round, entry.at_s
    if asked is not None and entry.source == "person" and entry.round == asked[0]:
        return None
    return asked


def window_of(standing: Standing, names: dict[str, str]) -> dict[str, Any]:
    """What a board shows of a table: seats with clouds and roles, round, phase, who leads. `names`
    stand in place of pseudonyms."""
    ledger = standing.ledger
    roles = ledger.roles
    now = None if ledger.over else ledger.open_round
    role_of = (
        {roles.daydreamer: "daydreamer", roles.lookout: "lookout"}
        if roles is not None and not ledger.over
        else {}
    )
    most = max(ledger.totals, default=0)
    return {
        "phase": ledger.phase,
        "round": ledger.current_number if ledger.begun else 0,
        "of": ledger.of if ledger.begun else 0,
        "changed_s": standing.changed_s,
        "misfit": standing.misfit is not None,
        "players": [
            {
                "seat": player.seat,
                "name": names.get(player.name, player.name),
                "cards": player.cards,
                "role": role_of.get(player.seat),
                "turn": now is not None and now.turn == player.seat,
                "leads": player.cards == most > 0,
                "away": player.away,
            }
            for player in ledger.players[:MOST_SHOWN]
        ],
    }

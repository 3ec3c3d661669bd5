"""The evening in the terminal: one line for every entry, so that the job is seen without a browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.evening.player_commands import GO_ON
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import CORRECTED, slot
from companion.game.events import (
    CardSetAside,
    CloudsClaimed,
    EveningBegun,
    EveningEnded,
    QuestionAsked,
    RoundDealt,
    RoundInserted,
    RoundVoided,
    Scoring,
)
from companion.game.ledger import Ledger
from companion.game.log import ANSWERED, REDO, UNDO, Entry, Log, Retraction
from companion.game.reconcile import REREAD
from companion.game.rules import Guess, Round

_WHY = {
    UNDO: "taken back",
    REDO: "entered again",
    CORRECTED: "corrected",
    ANSWERED: "answered",
    REREAD: "read again",
    GO_ON: "gone on with",
}


class Narrator:
    """Tells one evening's entries; keeps of the lines before what must not be told twice."""

    def __init__(self) -> None:
        self._only_begun = False
        self._over = False
        self._ending = ""

    def tell(self, entry: Entry, keeper: Scorekeeper) -> list[str]:
        """The lines for an entry that was just entered, with the winners once the evening is over."""
        log, ledger, event = keeper.log, keeper.ledger, entry.event
        if entry not in log.entries:
            self._only_begun, self._over, self._ending = False, ledger.over, ending(ledger)
            return ["The new game is taken back; the one before is on the table again."]
        lines = []
        if isinstance(event, EveningBegun) and self._only_begun:
            lines.append("The set-up is taken back.")
        lines += line_of(entry, log, ledger)
        self._only_begun = ledger.begun and not ledger.rounds and not ledger.over
        if log.entries[-1] is entry:
            goes_on = self._over and not ledger.over and not isinstance(event, EveningBegun)
            lines += ["The evening goes on."] if goes_on else []
            now = ending(ledger)
            lines += [now] if now and now != self._ending else []
            self._over, self._ending = ledger.over, now
        return lines


def line_of(entry: Entry, log: Log, ledger: Ledger) -> list[str]:
    """What happened: one line, one for each round that was touched, or none."""
    event = entry.event
    if isinstance(event, Retraction):
        return _taken_back(event, log, ledger)
    if isinstance(event, EveningBegun):
        return [
            f"The evening begins: {', '.join(event.players)}.  {event.players[event.daydreamer]} is the first Daydreamer."
        ]
    if isinstance(event, EveningEnded):
        return ["The evening was ended."]
    number = entry.round
    if number is None or not 1 <= number <= len(ledger.rounds):
        return []
    act = log.entry(entry.batch).event
    if isinstance(act, Retraction) and number in _rounds_of(act, log):
        return []  # the line of what was taken back says what holds now
    told = _of_round(entry, log, ledger, ledger.rounds[number - 1])
    if told is None:
        return []
    heads = isinstance(event, RoundDealt) or number != len(ledger.rounds)
    return [_headed(number, told) if heads else f"         {told}"]


def _headed(number: int, told: str) -> str:
    return f"Round {number:>2}  {told}"


def _of_round(entry: Entry, log: Log, ledger: Ledger, round_: Round) -> str | None:
    event = entry.event
    if isinstance(event, RoundDealt):
        return f"{_laid(ledger, round_)}; Lookout is {ledger.names[round_.lookout]}"
    if isinstance(event, CardSetAside) and event.attempt <= len(round_.guesses):
        told = _wrong(ledger, round_.guesses[event.attempt - 1])
        last = event.attempt == round_.attempts and not _only_adds_card(entry, log)
        return f"{told}; {_result(ledger, round_)}" if last else told
    if isinstance(event, CloudsClaimed) and not _only_adds_card(entry, log):
        return _result(ledger, round_)
    if isinstance(event, RoundVoided):
        return _result(ledger, round_)
    return None


def _only_adds_card(entry: Entry, log: Log) -> bool:
    """True when the camera read the card of a guess that a person had entered: that was told then."""
    return entry.source != "person" and any(
        other.source == "person" and slot(other) == slot(entry) for other in log.effective
    )


def _laid(ledger: Ledger, round_: Round) -> str:
    known = " ".join(f"{card:02d}" for card in round_.known_cards if card is not None)
    return f"{ledger.names[round_.daydreamer]} lays {known or 'the cards'}"


def _wrong(ledger: Ledger, guess: Guess) -> str:
    card = "" if guess.card is None else f" with {guess.card:02d}"
    return f"{ledger.names[guess.seat]} is wrong{card}"


def _result(ledger: Ledger, round_: Round) -> str | None:
    """How the round ended; None while it is open."""
    if round_.ending == "void":
        return "the round is void"
    if round_.ending == "lookout":
        return f"nobody found it: {_gains(ledger, round_)}"
    if round_.claimer is not None:
        return f"{ledger.names[round_.claimer]} is right: {_gains(ledger, round_)}"
    return None


def _gains(ledger: Ledger, round_: Round) -> str:
    """Who gains how much: whoever was right first."""
    gains = ledger.gains(round_)
    seats = sorted(range(len(gains)), key=lambda seat: seat != round_.claimer)
    return ", ".join(f"{ledger.names[seat]} +{gains[seat]}" for seat in seats if gains[seat])


def _taken_back(event: Retraction, log: Log, ledger: Ledger) -> list[str]:
    """For each round that was touched, what was done to it and what holds now."""
    why = _WHY.get(event.reason, event.reason)
    lines = [
        _headed(number, f"{why}; now {_holds(ledger, number)}")
        for number in sorted(_rounds_of(event, log))
    ]
    return lines + [
        f"The round that was written in as round {one.round} is taken out again."
        for one in _taken_out(event, log)
    ]


def _taken(event: Retraction, log: Log) -> Iterator[Entry]:
    """The entries that were taken back or, where a retraction itself was, came to life again."""
    for number in event.numbers:
        entry = log.entry(number)
        yield entry
        if isinstance(entry.event, Retraction):
            yield from _taken(entry.event, log)


def _taken_out(event: Retraction, log: Log) -> list[Entry]:
    """The rounds that had been written in and that it took out again."""
    alive = {entry.number for entry in log.live}
    return [
        one
        for one in _taken(event, log)
        if isinstance(one.event, RoundInserted) and one.number not in alive
    ]


def _rounds_of(event: Retraction, log: Log) -> set[int]:
    """The rounds that it touched, without those that it took out again."""
    out = {one.batch for one in _taken_out(event, log)}
    return {
        one.round
        for one in _taken(event, log)
        if one.round is not None
        and one.batch not in out
        and isinstance(one.event, Scoring | QuestionAsked)
    }


def _holds(ledger: Ledger, number: int) -> str:
    """All that holds of a round, in one line."""
    if number > len(ledger.rounds):
        return "no cards lie"
    round_ = ledger.rounds[number - 1]
    wrong = [_wrong(ledger, guess) for guess in round_.guesses if not guess.right]
    turn = "" if round_.turn is None else f"{ledger.names[round_.turn]} guesses"
    return "; ".join([_laid(ledger, round_), *wrong, _result(ledger, round_) or turn])


def standings(ledger: Ledger) -> str:
    """The totals in one line, most cards first."""
    order = sorted(ledger.players, key=lambda player: -player.cards)
    return ", ".join(f"{player.name} {player.cards}" for player in order)


def listed(names: Sequence[str]) -> str:
    """Names as people say them: "Ada, Ben and Cleo"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def ending(ledger: Ledger) -> str:
    """Who won, in one line; empty while the game goes on."""
    if ledger.winners is None:
        return ""
    if not ledger.winners:
        return "Nobody won a cloud."
    won = listed([ledger.names[seat] for seat in ledger.winners])
    share = "share the sky" if len(ledger.winners) > 1 else "wins"
    return f"{won} {share}: {standings(ledger)}"

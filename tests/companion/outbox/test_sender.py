"""The table's side: what leaves the home, what a hall that hangs costs, and that all arrives once."""

from __future__ import annotations

import json
import stat
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from companion.errors import BadInput, JournalTrouble
from companion.game.event_json import entry_from_dict, entry_to_dict
from companion.game.events import (
    CloudNamed,
    EveningBegun,
    EveningEnded,
    PlayersChanged,
    RoundAwaited,
)
from companion.game.fold import fold
from companion.game.log import Log
from companion.hall.arriving import read_names
from companion.journal import Journal
from companion.outbox.letters import HallSilent, NotJoined, ask, join_hall, read_address
from companion.outbox.link import FILE, HallLink, LinkFile
from companion.outbox.sender import OFFERED_AGAIN_S, HowFar, NamesStay, Sender, _Known
from companion.outbox.told import UNTOLD, same_person, told_entry
from companion.web.guards import strict_json
from tests.support.game_evening import Told, begun
from tests.support.hall.tables import played_log

LINK = HallLink("http://127.0.0.1:9", "companion_table", "token", 7, "ab" * 16, 1)


@dataclass
class RememberingHall:
    """A hall in memory, that loses answers, is away or refuses as a test says."""

    kept: dict[int, list[Any]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    away: bool = False
    lose_answers: int = 0
    status: int | None = None
    letters: int = 0

    def ask(
        self,
        base: str,
        method: str,
        path: str,
        told: Any = None,
        cookie: str = "",
        cert: Any = None,
    ) -> tuple[int, dict[str, Any]]:
        assert cookie == "companion_table=token"
        self.letters += 1
        if self.away:
            raise HallSilent("away")
        if self.status is not None:
            return self.status, {"reason": "no"}
        if path.endswith("progress"):
            return 200, {"evenings": {str(n): len(kept) for n, kept in self.kept.items()}}
        if path.endswith("names"):
            self.names = told["names"]
            return 200, {}
        kept = self.kept.setdefault(told["evening"], [])
        first = told["entries"][0]["number"]
        if first > len(kept) + 1:
            return 409, {"status": "gap", "have": len(kept)}
        for entry in told["entries"]:
            if entry["number"] > len(kept):
                kept.append(json.loads(json.dumps(entry)))
            elif kept[entry["number"] - 1] != entry:
                return 409, {"status": "other", "have": len(kept), "number": entry["number"]}
        if self.lose_answers:
            self.lose_answers -= 1
            raise HallSilent("the answer was lost")
        return 200, {"status": "stored", "have": len(kept)}


@dataclass
class GrowingEvenings:
    """A journal of logs that a test lets grow."""

    logs: dict[int, Log] = field(default_factory=dict)
    read: list[int] = field(default_factory=list)

    @property
    def evening(self) -> int | None:
        return max(self.logs, default=None)

    @property
    def next_evening(self) -> int:
        return max(self.logs, default=0) + 1

    def is_over(self, evening: int) -> bool:
        return fold(self.logs[evening]).ledger.over

    def own_lengths(self, first: int) -> dict[int, int]:
        return {n: len(self.logs[n].entries) for n in sorted(self.logs) if n >= first}

    def log_of(self, evening: int) -> Log | None:
        self.read.append(evening)
        return self.logs.get(evening)


def linked(folder: Path, link: HallLink = LINK) -> LinkFile:
    links = LinkFile(folder)
    links.keep(link)
    return links


def sent(sender: Sender) -> None:
    link = sender.links.link
    assert link is not None
    for _ in range(20):
        try:
            sender.send_once(link)
            return
        except HallSilent:
            continue
    raise AssertionError("never sent")


def test_everything_arrives_once_through_lost_answers_and_restarts(tmp_path: Path) -> None:
    """Answers are lost, the sender is started anew in between, the log grows meanwhile: the hall ends
    with exactly the log, and its fold has the same totals under pseudonyms."""
    log, hall = played_log(3, 9), RememberingHall()
    evenings = GrowingEvenings({1: Log(log.entries[:10])})
    links = linked(tmp_path)
    sender = Sender(links, evenings, send=hall.ask)
    hall.lose_answers = 2
    sent(sender)
    evenings.logs[1] = Log(log.entries[:31])
    sender = Sender(LinkFile(tmp_path), evenings, send=hall.ask)
    sent(sender)
    evenings.logs[1] = log
    hall.lose_answers = 1
    sent(sender)
    got = Log().append(*map(entry_from_dict, hall.kept[1]))
    assert len(got.entries) == len(log.entries)
    assert fold(got).ledger.totals == fold(log).ledger.totals
    assert sender.how_far.state == "sent"


def test_no_name_and_no_word_of_anybodys_leaves_the_home() -> None:
    """Players, who joins and leaves, authors, evidence, a cloud's name and a person's reason: none of
    them is told; the same entry is told alike each time."""
    told = begun(4)
    told.enter(PlayersChanged(1, ("Ada", "Ben", "Cleo", "Zora"), "Zora", ("Dan",)))
    told.enter(CloudNamed(1, "Zora in her bath"))
    alias = {"Ada": "A1", "Ben": "B1", "Cleo": "C1", "Dan": "D1", "Zora": "Z1"}
    for entry in told.log.entries:
        one = told_entry(entry, alias.__getitem__)
        text = json.dumps(entry_to_dict(one))
        assert not any(name in text for name in alias)
        assert "bath" not in text
        assert one.author is None
        assert one == told_entry(entry, alias.__getitem__)
    assert any(UNTOLD in json.dumps(entry_to_dict(told_entry(e, alias.__getitem__)), ensure_ascii=False)
               for e in told.log.entries)  # fmt: skip


def test_a_pseudonym_stays_and_is_nobody_elses(tmp_path: Path) -> None:
    """Across restarts; however many people; written so or so the same person; the file is private."""
    links = linked(tmp_path)
    first = [links.pseudonym_of(f"Person {number}") for number in range(40)]
    assert len(set(first)) == 40
    again = LinkFile(tmp_path)
    assert [again.pseudonym_of(f"person {number} ") for number in range(40)] == first
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_names_are_shown_only_when_people_said_so_and_can_be_taken_back(tmp_path: Path) -> None:
    """Undecided and "pseudonyms" tell none; "our names" tells them apart from the entries; later "no"
    takes them back."""
    hall, links = RememberingHall(), linked(tmp_path)
    sender = Sender(links, GrowingEvenings({1: begun(3).log}), send=hall.ask)
    sent(sender)
    assert hall.names == {}
    links.decide_names(True)
    sent(sender)
    assert sorted(hall.names.values()) == ["Ada", "Ben", "Cleo"]
    assert "Ada" not in json.dumps(hall.kept)
    links.decide_names(False)
    sent(sender)
    assert hall.names == {}


@pytest.mark.parametrize("name", ["Ř" * 36 + "{:03d}", "{:03d}"])
def test_names_of_many_years_are_told_as_far_as_a_hall_takes_them(
    tmp_path: Path, name: str
) -> None:
    """A letter that is too large, or holds too many, would be refused whole: those of tonight come
    first, then whoever was met last."""
    known_as = {f"{number:032x}": name.format(number) for number in range(500)}
    pseudonyms = {same_person(one): pseudonym for pseudonym, one in known_as.items()}
    link = replace(LINK, names=True, pseudonyms=pseudonyms, known_as=known_as)
    hall = RememberingHall()
    sent(Sender(linked(tmp_path, link), GrowingEvenings({1: begun(3).log}), send=hall.ask))
    letter = json.dumps({"names": hall.names}, separators=(",", ":")).encode()
    assert read_names(letter) == hall.names
    assert len(letter) < strict_json.MOST_BYTES
    told = list(hall.names.values())
    assert told[:5] == ["Ada", "Ben", "Cleo", name.format(499), name.format(498)]
    assert len(told) == 400 or len(letter) > 0.8 * strict_json.MOST_BYTES


def test_a_hall_that_is_away_is_not_left_with_names_on_its_board(tmp_path: Path) -> None:
    """Leaving waits for it once, and takes the names back when it answers, also after a restart; who
    leaves a second time leaves. Where it never heard of names it is left at once."""
    hall, links = RememberingHall(), linked(tmp_path, replace(LINK, names=True))
    evenings = GrowingEvenings({1: begun(3).log})
    sender = Sender(links, evenings, send=hall.ask)
    sent(sender)
    assert hall.names
    hall.away = True
    with pytest.raises(NamesStay):
        sender.leave()
    sender = Sender(LinkFile(tmp_path), evenings, send=hall.ask)
    hall.away = False
    sent(sender)
    assert hall.names == {}
    hall.away = True
    sender.leave()
    assert sender.links.link is None
    sender = Sender(linked(tmp_path, replace(LINK, names=True)), evenings, send=hall.ask)
    with pytest.raises(NamesStay):
        sender.leave()
    sender.leave()
    assert LinkFile(tmp_path).link is None


def test_another_hall_is_joined_once_the_one_of_before_shows_no_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes them back first; where it does not answer that is said, and who joins once more goes."""
    other = replace(LINK, address="http://127.0.0.1:10")
    monkeypatch.setattr("companion.outbox.letters.join", lambda *_: other)
    hall, links = RememberingHall(), linked(tmp_path, replace(LINK, names=True))
    sender = Sender(links, GrowingEvenings({1: begun(3).log}), send=hall.ask)
    sent(sender)
    assert hall.names
    hall.away = True
    address = f"{other.address}/table/abcdefgh"
    with pytest.raises(NamesStay):
        sender.change_hall(address)
    assert links.link is not None
    assert links.link.address == LINK.address
    hall.away = False
    assert sender.change_hall(address) == other
    assert hall.names == {}
    links.keep(replace(LINK, names=True))
    hall.away = True
    with pytest.raises(NamesStay):
        sender.change_hall(address)
    assert sender.change_hall(address) == other


def test_what_was_before_stays_at_home(tmp_path: Path) -> None:
    """Evenings from before the table joined are not sent."""
    hall = RememberingHall()
    logs = {1: begun(3).log, 2: begun(4).log, 3: begun(5).log}
    sender = Sender(linked(tmp_path, replace(LINK, since=2)), GrowingEvenings(logs), send=hall.ask)
    sent(sender)
    assert sorted(hall.kept) == [2, 3]


def test_an_evening_that_ended_while_the_hall_was_away_arrives_whole(tmp_path: Path) -> None:
    """Two more were begun since, and the hall has some of it: it is not "sent" before the hall has all, by
    a sender that was there and by one that is started anew; what it has all of is not read again."""
    hall, logs = RememberingHall(), {n: played_log(n, 2) for n in (1, 2, 3)}
    evenings = GrowingEvenings({1: Log(logs[1].entries[:2])})
    sender = Sender(linked(tmp_path), evenings, send=hall.ask)
    sent(sender)
    hall.away = True
    evenings.logs = logs
    with pytest.raises(HallSilent):
        sender.send_once(LINK)
    hall.away = False
    assert sender.how_far.left == sum(len(log.entries) for log in logs.values()) - 2
    sent(sender)
    assert {n: len(kept) for n, kept in hall.kept.items()} == {
        n: len(log.entries) for n, log in logs.items()
    }
    assert sender.how_far == HowFar()
    del hall.kept[1][2:]
    for _ in range(2):
        evenings.read.clear()
        sender = Sender(linked(tmp_path), evenings, send=hall.ask)
        sent(sender)
        assert len(hall.kept[1]) == len(logs[1].entries)
    assert set(evenings.read) <= {3}


def test_an_evening_that_cannot_be_read_holds_up_no_other(tmp_path: Path) -> None:
    """A newer companion wrote it: the others are sent, and it is not said that the hall has everything."""

    class OneOfANewer(GrowingEvenings):
        def log_of(self, evening: int) -> Log | None:
            if evening == 1:
                raise JournalTrouble("a newer companion's")
            return super().log_of(evening)

    hall, logs = RememberingHall(), {n: begun(3).log for n in (1, 2)}
    sender = Sender(linked(tmp_path), OneOfANewer(logs), send=hall.ask)
    sent(sender)
    assert sorted(hall.kept) == [2]
    assert sender.how_far == HowFar("waiting", "a newer companion's", len(logs[1].entries))


def test_a_refused_evening_is_given_up_and_the_next_one_sent(tmp_path: Path) -> None:
    """What a hall refuses is told on the screen as long as it does, and offered again after a while: who
    answered so may not have been the hall."""
    hall, now = RememberingHall(status=422), [0.0]
    evenings = GrowingEvenings({1: begun(3).log})
    sender = Sender(linked(tmp_path), evenings, send=hall.ask, now=lambda: now[0])
    sender._known = _Known(LINK.table, have={})
    sent(sender)
    assert sender.how_far.state == "refused"
    hall.status = None
    evenings.logs[2] = begun(4).log
    sent(sender)
    assert sorted(hall.kept) == [2]
    assert sender.how_far == HowFar("refused", "no", len(evenings.logs[1].entries))
    now[0] = OFFERED_AGAIN_S
    sent(sender)
    assert (sorted(hall.kept), sender.how_far) == ([1, 2], HowFar())


@dataclass
class LateHall(RememberingHall):
    """A hall that takes its time with one question, until it is `let_go`."""

    late: str = ""
    asked: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)

    def ask(self, *asked: Any, **named: Any) -> tuple[int, dict[str, Any]]:
        if asked[2].endswith(self.late) and not self.asked.is_set():
            self.asked.set()
            self.let_go.wait(30)
        return super().ask(*asked, **named)


def arrived(hall: RememberingHall, log: Log) -> bool:
    """Whether this hall has all of the first evening within some seconds."""
    ends_s = time.monotonic() + 20
    while time.monotonic() < ends_s:
        if len(hall.kept.get(1, ())) == len(log.entries):
            return True
        time.sleep(0.02)
    return False


OTHER = replace(LINK, address="http://127.0.0.1:10", table="cd" * 16)


@pytest.mark.parametrize("late", ["progress", "entries"])
@pytest.mark.parametrize("leaves_first", [True, False])
def test_what_the_hall_of_before_answers_is_not_taken_for_the_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: str, leaves_first: bool
) -> None:
    """It says that it has everything, or refuses the evening, after another one was joined: the new one
    gets all of it, at once, and nothing is said of a fault."""
    monkeypatch.setattr("companion.outbox.letters.join", lambda *_: OTHER)
    log, new = played_log(3, 2), RememberingHall()
    old = LateHall(late=late, status=422 if late == "entries" else None)
    old.kept = {1: list(log.entries)} if late == "progress" else {}
    halls = {LINK.address: old, OTHER.address: new}
    evenings = GrowingEvenings({1: log})
    faults: list[str] = []
    monkeypatch.setattr(
        "companion.outbox.sender.logging.Logger.exception", lambda _, *said: faults.append(said[0])
    )
    sender = Sender(linked(tmp_path), evenings, send=lambda base, *a: halls[base].ask(base, *a))
    sender._known = _Known(LINK.table, have={} if late == "entries" else None)
    sender.begin()
    assert old.asked.wait(30)
    if leaves_first:
        sender.leave()
    sender.join(f"{OTHER.address}/table/abcdefgh")
    old.let_go.set()
    assert arrived(new, log)
    sender.stop()
    assert sender._thread is not None
    sender._thread.join(30)
    assert sender.how_far == HowFar()
    assert faults == []


def test_a_hall_joined_while_the_one_of_before_is_silent_does_not_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one would be asked again in a minute; the new one has the evening before that."""
    monkeypatch.setattr("companion.outbox.sender.FIRST_WAIT_S", 60.0)
    monkeypatch.setattr("companion.outbox.letters.join", lambda *_: OTHER)
    log, new, old = played_log(3, 2), RememberingHall(), RememberingHall(away=True)
    halls = {LINK.address: old, OTHER.address: new}
    sender = Sender(
        linked(tmp_path), GrowingEvenings({1: log}), send=lambda base, *a: halls[base].ask(base, *a)
    )
    sender.begin()
    while sender.how_far.state != "waiting":
        time.sleep(0.01)
    sender.join(f"{OTHER.address}/table/abcdefgh")
    assert arrived(new, log)
    sender.stop()


def test_names_that_are_on_their_way_are_taken_back_after_they_arrived(tmp_path: Path) -> None:
    """People leave while a slow hall is still being told their names: it shows none in the end."""
    hall = LateHall(late="names")
    sender = Sender(
        linked(tmp_path, replace(LINK, names=True)),
        GrowingEvenings({1: begun(3).log}),
        send=hall.ask,
    )
    sender.begin()
    assert hall.asked.wait(30)
    leaving = threading.Thread(target=sender.leave)
    leaving.start()
    leaving.join(0.3)
    hall.let_go.set()
    leaving.join(30)
    sender.stop()
    ending = sender._thread
    if ending is not None:
        ending.join(30)
    assert hall.names == {}
    assert sender.links.link is None


def test_while_one_screen_leaves_a_hall_another_joins_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One leaves a slow hall; who joins the next one meanwhile is told at once to wait, and waits behind nobody:
    a queue at a silent hall kept the companion from ending. After it the next one is joined."""
    monkeypatch.setattr("companion.outbox.letters.join", lambda *_: OTHER)
    old, new = LateHall(late="names"), RememberingHall()
    halls = {LINK.address: old, OTHER.address: new}
    sender = Sender(
        linked(tmp_path), GrowingEvenings(), send=lambda base, *a: halls[base].ask(base, *a)
    )
    leaving = threading.Thread(target=sender.leave)
    leaving.start()
    assert old.asked.wait(30)
    address = f"{OTHER.address}/table/abcdefgh"
    for change in (sender.leave, lambda: sender.join(address)):
        with pytest.raises(NotJoined) as refused:
            change()
        assert refused.value.why == "busy"
    old.let_go.set()
    leaving.join(30)
    assert sender.links.link is None
    sender.change_hall(address)
    assert sender.links.link == OTHER


@pytest.mark.parametrize("knows", [True, False])
def test_a_table_that_was_sent_away_is_told_so_until_it_is_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, knows: bool
) -> None:
    """Whether its entries are refused or already how far the hall got: it stays "away", with what is
    left, for as long as the hall says so, and no longer."""
    monkeypatch.setattr("companion.outbox.sender.FIRST_WAIT_S", 0.01)
    hall, log = RememberingHall(status=403), played_log(3, 2)
    told: list[HowFar] = []
    asked_again, let_in, arrived = threading.Event(), threading.Event(), threading.Event()

    def answer(*asked: Any) -> tuple[int, dict[str, Any]]:
        told.append(sender.how_far)
        if len(told) == 3:
            asked_again.set()
            let_in.wait(30)
            hall.status = None
        answered = hall.ask(*asked)
        if len(hall.kept.get(1, ())) == len(log.entries):
            arrived.set()
        return answered

    sender = Sender(linked(tmp_path), GrowingEvenings({1: log}), send=answer)
    sender._known = _Known(LINK.table, have={} if knows else None)
    sender.begin()
    assert asked_again.wait(30)
    assert [far.state for far in told[1:]] == ["away", "away"]
    assert {far.left for far in told[1:]} == {len(log.entries) if knows else 0}
    let_in.set()
    assert arrived.wait(30)
    sender.stop()
    assert sender._thread is not None
    sender._thread.join(30)
    assert sender.how_far == HowFar()


def test_a_hall_that_was_put_back_to_a_backup_gets_what_it_lost(tmp_path: Path) -> None:
    """It holds less than the table remembers: the next letter is a gap to it, and is begun anew where
    it says."""
    hall, log = RememberingHall(), played_log(6, 3)
    evenings = GrowingEvenings({1: Log(log.entries[:9])})
    sender = Sender(linked(tmp_path), evenings, send=hall.ask)
    sent(sender)
    del hall.kept[1][4:]
    evenings.logs[1] = log
    sent(sender)
    assert [entry["number"] for entry in hall.kept[1]] == [e.number for e in log.entries]


@pytest.mark.parametrize("noticed", ["it has less", "it was silent"])
def test_a_hall_put_back_to_a_backup_gets_the_evenings_that_were_over_as_well(
    tmp_path: Path, noticed: str
) -> None:
    """And the names that people show, or show no more: it was asked once, and they never came again."""
    hall = RememberingHall()
    evenings = GrowingEvenings({n: played_log(n, 3) for n in (1, 2, 3)})
    evenings.logs[3] = Log(evenings.logs[3].entries[:9])
    sender = Sender(linked(tmp_path, replace(LINK, names=True)), evenings, send=hall.ask)
    sent(sender)
    names = hall.names
    assert names
    hall.kept = {1: hall.kept[1][:5]}
    hall.names = {}
    if noticed == "it was silent":
        hall.away = True
        with pytest.raises(HallSilent):
            sender.send_once(sender.links.link or LINK, beat=True)
        hall.away = False
    else:
        evenings.logs[3] = played_log(3, 3)
    sent(sender)
    assert {n: len(kept) for n, kept in hall.kept.items()} == evenings.own_lengths(1)
    assert hall.names == names


def test_a_table_that_was_put_back_to_an_older_folder_mixes_no_two_evenings(
    tmp_path: Path,
) -> None:
    """The hall has what was played since: whether the table has got as far again or not, it is told that the
    hall does not take this evening, and the next one is sent."""
    played = played_log(6, 3).entries
    other = (*played[:9], *(replace(entry, at_s=entry.at_s + 60) for entry in played[9:]))
    for again in (9, 11, len(other) - 1):
        hall = RememberingHall()
        sent(Sender(linked(tmp_path), GrowingEvenings({1: Log(played[:11])}), send=hall.ask))
        kept = list(hall.kept[1])
        evenings = GrowingEvenings({1: Log(other[:9])})
        sender = Sender(linked(tmp_path), evenings, send=hall.ask)
        sent(sender)
        evenings.logs[1] = Log(other[:again])
        sent(sender)
        assert sender.how_far.state == "refused"
        sender = Sender(linked(tmp_path), evenings, send=hall.ask)
        sent(sender)
        evenings.logs[1] = Log(other[: again + 1])
        sent(sender)
        assert (sender.how_far.state, hall.kept[1]) == ("refused", kept)
        evenings.logs[2] = begun(4).log
        sent(sender)
        assert len(hall.kept[2]) == len(evenings.logs[2].entries)


def test_the_table_never_waits_for_a_hall_that_hangs(tmp_path: Path) -> None:
    """The hall takes seconds for each answer: telling the sender of news takes no time, stopping
    neither, and the thread is a daemon."""
    hanging = threading.Event()

    def hang(*_: Any) -> tuple[int, dict[str, Any]]:
        hanging.wait(30)
        raise HallSilent("slow")

    sender = Sender(linked(tmp_path), GrowingEvenings({1: begun(3).log}), send=hang)
    sender.begin()
    began_s = time.monotonic()
    for _ in range(1000):
        sender.notice_news()
    sender.stop()
    assert time.monotonic() - began_s < 1.0
    assert sender._thread is not None
    assert sender._thread.daemon
    hanging.set()
    sender._thread.join(5)


def test_a_table_that_belongs_to_no_hall_starts_no_thread(tmp_path: Path) -> None:
    """Who plays at home has no file and no thread more than before."""
    before = threading.active_count()
    sender = Sender(LinkFile(tmp_path), GrowingEvenings())
    sender.begin()
    sender.notice_news()
    assert threading.active_count() == before
    assert list(tmp_path.iterdir()) == []


def test_the_journal_is_the_outbox(tmp_path: Path) -> None:
    """What is sent is what the journal holds, this evening and the one before it."""
    hall = RememberingHall()
    with Journal(tmp_path) as journal:
        logs = []
        for players in (3, 4):
            log = begun(players).log
            journal.append(log.entries)
            logs.append(log)
        sent(Sender(linked(tmp_path), journal, send=hall.ask))
    assert {n: len(kept) for n, kept in hall.kept.items()} == {1: 1, 2: 1}


def test_what_another_companion_kept_stays_at_home(tmp_path: Path) -> None:
    """Neither its entries nor a name in it reaches the hall, nor when it is put back on the table and
    played on; the table's own evenings go on being sent, and names can still be taken back."""
    hall = RememberingHall()
    theirs = Told()
    theirs.enter(EveningBegun(("Xaver", "Yvonne", "Zoe"), 0, "en", 80))
    ours = begun(3).log
    with Journal(tmp_path) as journal:
        journal.append(ours.entries)
        journal.import_evenings([theirs.log])
        links = linked(tmp_path, replace(LINK, names=True))
        sent(Sender(links, journal, send=hall.ask))
        theirs.enter(RoundAwaited(1))
        journal.go_on_with(2, theirs.log.entries[1:], theirs.ledger, None)
        sender = Sender(links, journal, send=hall.ask)
        sender._known_of(LINK).state_told = "another"
        sent(sender)
        assert {n: len(kept) for n, kept in hall.kept.items()} == {1: len(ours.entries)}
        assert sorted(hall.names.values()) == ["Ada", "Ben", "Cleo"]
        assert sender.how_far == HowFar()
        links.decide_names(False)
        sent(sender)
        assert hall.names == {}
        journal.append(begun(4).log.entries)
        sent(sender)
    assert sorted(hall.kept) == [1, 3]


def test_an_imported_evening_stays_at_home_when_the_database_is_lost(tmp_path: Path) -> None:
    """Rebuilt from the lines beside it, twice, it is still another companion's."""
    hall = RememberingHall()
    with Journal(tmp_path) as journal:
        journal.append(begun(3).log.entries)
        journal.import_evenings([played_log(3, 1)])
    for _ in range(2):
        (tmp_path / "journal.sqlite3").write_bytes(b"no database" * 1000)
        with Journal(tmp_path) as journal:
            assert [(one.number, one.imported) for one in journal.evenings()] == [
                (2, True),
                (1, False),
            ]
            sent(Sender(linked(tmp_path), journal, send=hall.ask))
    assert sorted(hall.kept) == [1]


def test_a_table_that_joins_sends_nothing_from_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is played now is sent from its beginning; where that is an evening of before, put back on the
    table, those between stay at home with it, and so does one that is over though it lies there still."""
    monkeypatch.setattr(
        "companion.outbox.letters.join", lambda _, since: replace(LINK, since=since)
    )
    links = LinkFile(tmp_path)

    def joined() -> int:
        links.forget()
        return join_hall(links, journal, "http://127.0.0.1:9/table/abcdefgh").since

    with Journal(tmp_path) as journal:
        logs = [begun(players).log for players in (3, 4)]
        for log in logs:
            journal.append(log.entries)
        assert joined() == 2
        journal.import_evenings([played_log(3, 1)])
        assert joined() == 2
        journal.go_on_with(1, (), fold(logs[0]).ledger, None)
        assert joined() == 4
        told = begun(3)
        journal.append(told.log.entries)
        assert joined() == 4
        told.enter(EveningEnded())
        journal.append(told.log.entries[journal.log.next_number - 1 :])
        assert joined() == 5


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hall",
        "192.168.1.9:8770",
        "ftp://a:1/table/x",
        "http://a",
        "https://a:1/table/abcdefgh#12",
        "http://[x",
        "http://a:99999/table/abcdefgh",
        "http://\u2100.com:80/table/abcdefgh",
        "http://a b:80/table/abcdefgh",
        "http://a\0b:80/table/abcdefgh",
    ],
)
def test_a_wrong_address_is_one_sentence(text: str) -> None:
    """It says what an address looks like."""
    with pytest.raises(BadInput):
        read_address(text)


def test_an_address_is_read_as_the_hall_shows_it() -> None:
    """With its code, and with the fingerprint where it is secure."""
    one = read_address("http://192.168.1.9:8770/table/abcdefgh_-1")
    assert (one.base, one.code, one.fingerprint) == ("http://192.168.1.9:8770", "abcdefgh_-1", None)
    two = read_address("https://h.local:8770/table/abcdefgh#" + "AB:" * 31 + "AB")
    assert two.fingerprint == "AB" * 32


@pytest.mark.parametrize(
    "base",
    [
        "http://[x",
        "http://a b:80",
        "http://a\0b:80",
        "http://a:99999",
        "http://\u2100.com:80",
        "https://a",
    ],
)
def test_a_kept_address_that_is_none_is_a_silent_hall(base: str) -> None:
    """Whatever its file says, nothing but silence comes of it; so of a certificate that is none."""
    with pytest.raises(HallSilent):
        ask(base, "GET", "/", certificate="none")

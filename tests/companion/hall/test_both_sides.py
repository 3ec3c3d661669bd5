"""A table's sender and a hall, over real sockets: joining, sending, being sent away, coming back."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import BadInput
from companion.outbox.letters import HallSilent, join_hall
from companion.outbox.link import LinkFile
from companion.outbox.one_log import OneEvening, send_log
from companion.outbox.sender import Sender
from companion.web.server import Server
from tests.support.hall.tables import hall_on, played_log


def test_a_table_joins_sends_is_sent_away_and_joins_again(url: str, tmp_path: Path) -> None:
    """By the address that the hall shows; the same code again changes nothing; sent away it is told so,
    and a fresh code makes it a new table; footage that was scored is a table of its own."""
    log = played_log(2, 3)
    with hall_on(url) as (shared, app):
        server = Server(app, "127.0.0.1", 0).start()
        try:
            base = f"http://127.0.0.1:{server.port}"
            address = f"{base}/table/{shared.register.invite(9, 5)}"
            links, evening = LinkFile(tmp_path), OneEvening(log)
            link = join_hall(links, evening, address)
            assert join_hall(links, evening, address) == link
            sender = Sender(links, evening)
            sender.send_once(link)
            assert sender.how_far.state == "sent"
            assert shared.gatherer.stored == len(log.entries)
            shared.register.change(link.number, revoked=True)
            sender = Sender(links, evening)
            with pytest.raises(HallSilent):
                sender.send_once(link)
            assert sender.how_far.state == "away"
            again = join_hall(links, evening, address)
            assert again.number == link.number + 1
            assert again.table != link.table
            send_log(log, address)
            assert shared.gatherer.stored == 2 * len(log.entries)
            with pytest.raises(BadInput, match="fresh code"):
                join_hall(LinkFile(tmp_path / "other"), evening, f"{base}/table/{'x' * 32}")
        finally:
            server.stop()
    with pytest.raises(BadInput, match="does not answer"):
        send_log(log, address)
    assert join_hall(links, evening, address) == again


def test_a_secure_hall_is_known_by_its_fingerprint(url: str, tmp_path: Path) -> None:
    """Over TLS with the hall's own authority: the code carries its fingerprint; without it, or with
    another one, nobody joins."""
    from companion.web.guards.certificate_authority import open_authority

    authority = open_authority(tmp_path / "https", ["127.0.0.1"])
    log = played_log(2, 1)
    with hall_on(url) as (shared, app):
        shared.authority = authority
        server = Server(app, "127.0.0.1", 0, tls=authority.context).start()
        try:
            base = f"https://127.0.0.1:{server.port}/table/{shared.register.invite(9, 5)}"
            send_log(log, f"{base}#{authority.fingerprint}")
            assert shared.gatherer.stored == len(log.entries)
            with pytest.raises(BadInput, match="fingerprint"):
                send_log(log, base)
            with pytest.raises(BadInput, match="somebody else"):
                send_log(log, f"{base}#{'AB' * 32}")
        finally:
            server.stop()

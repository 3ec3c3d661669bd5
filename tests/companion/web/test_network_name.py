"""A name on the network: taken where it is free, the next one where it is not, and answered to."""

from __future__ import annotations

import os

import pytest

from companion.web import create_app, network_name
from companion.web.app import shared_by
from companion.web.network_name import NetworkName
from tests.support.kept_evening import played

zeroconf = pytest.importorskip("zeroconf")

HERE = ["127.0.0.1"]


@pytest.mark.flaky(reruns=2)  # multicast may lose a question
def test_a_name_that_another_machine_has_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second is `companion-2.local`, and says why; given back, the first is free again. Skipped
    where this machine's loopback carries no multicast. A companion that runs here meanwhile has
    another name."""
    ours = f"companion-test-{os.getpid()}"
    monkeypatch.setattr(network_name, "WANTED", ours)
    monkeypatch.setattr(network_name, "ASK_MS", 3000)  # on a busy machine an answer takes its time
    with NetworkName(["192.0.2.7"], HERE) as first:
        first.announce(8765)
        if first.name is None:
            pytest.skip("no multicast here")
        asked = zeroconf.AddressResolverIPv4(f"{first.name}.")
        with zeroconf.Zeroconf(interfaces=HERE) as other:
            if not asked.request(other, 2000):
                pytest.skip("no multicast here")
        assert (first.name, asked.parsed_addresses()) == (f"{ours}.local", ["192.0.2.7"])
        with NetworkName(["192.0.2.8"], HERE) as second:
            assert (second.name, second.taken) == (f"{ours}-2.local", (f"{ours}.local",))
            assert not second.answered, "nobody answers to the second name yet"
        with NetworkName(["192.0.2.7"], HERE) as again:
            assert again.name == f"{ours}.local", "the same machine has it"
            assert again.answered


def test_without_a_network_there_is_no_name() -> None:
    """A machine that only knows itself announces nothing."""
    with NetworkName(["127.0.0.1"]) as alone:
        assert alone.name is None
        alone.announce(1)


def test_a_page_by_another_name_is_refused() -> None:
    """The host guard knows the name that was taken and no other: a rebound name reaches nothing."""
    app = create_app(played().session, hosts=["companion-2.local"])
    client = app.test_client()
    assert "companion-2.local" in shared_by(app).hosts
    for host, status in (("companion-2.local", 401), ("companion.local", 421), ("evil.local", 421)):
        assert client.get("/", headers={"Host": host}).status_code == status

"""A name for this companion on its own network (`companion.local`), where the optional extra `name` is
installed: a second way in, never the first, for many tablets cannot resolve such names.

Knows multicast DNS; must not know HTTP. Speaks to this network alone.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from types import TracebackType
from typing import Any

WANTED = "companion"
MOST_NAMES = 9
"""`companion-9.local` is the last that is tried: nobody has ten of them at home."""

ASK_MS = 800
"""Whoever has a name answers within so long: the standard's three questions take 750 ms."""


class NetworkName:
    """Holds a name of this network until it is closed; a context manager.

    `name` is None where the extra is not installed, the network allows none, or all are taken;
    `taken` are the names that somebody else has, and `answered` says that this machine answers to its
    name already.
    """

    def __init__(self, addresses: Sequence[str], interfaces: Any = None) -> None:
        """Find a free name for this machine, which has these IPv4 `addresses`. `interfaces` are the
        addresses of the cards to speak through; all by default."""
        self.name: str | None = None
        self.taken: tuple[str, ...] = ()
        self.answered = False
        self._addresses = [a for a in addresses if not ipaddress.ip_address(a).is_loopback]
        if interfaces is not None:
            self._addresses = list(addresses)
        self._multicast: Any = None
        try:
            import zeroconf
        except ImportError:
            return
        if not self._addresses:
            return
        try:
            self._multicast = zeroconf.Zeroconf(
                interfaces=interfaces or zeroconf.InterfaceChoice.All,
                ip_version=zeroconf.IPVersion.V4Only,
            )
            self._choose(zeroconf)
        except (OSError, zeroconf.Error):
            self.close()

    def __enter__(self) -> NetworkName:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        """Give the name back."""
        self.close()

    def announce(self, port: int) -> None:
        """Answer to the name from now on, and say that there is a page behind it at `port`."""
        if self._multicast is None or self.name is None:
            return
        import zeroconf

        host = self.name.removesuffix(".local")
        service = zeroconf.ServiceInfo(
            "_http._tcp.local.",
            f"Cloud Mine Companion ({host})._http._tcp.local.",
            addresses=[ipaddress.ip_address(a).packed for a in self._addresses],
            port=port,
            properties={"path": "/"},
            server=f"{self.name}.",
        )
        try:
            self._multicast.register_service(service, allow_name_change=True)
        except (OSError, zeroconf.Error):
            self.close()

    def close(self) -> None:
        """Give the name back; twice is fine."""
        multicast = self._multicast
        self._multicast = None
        self.name = None
        if multicast is not None:
            multicast.close()

    def _choose(self, zeroconf: Any) -> None:
        """The first name to which no other machine answers."""
        for number in range(1, MOST_NAMES + 1):
            name = f"{WANTED}.local" if number == 1 else f"{WANTED}-{number}.local"
            asked = zeroconf.AddressResolverIPv4(f"{name}.")
            asked.request(self._multicast, ASK_MS)
            found = set(asked.parsed_addresses())
            if not found - set(self._addresses):
                self.name = name
                self.answered = bool(found)
                return
            self.taken = (*self.taken, name)

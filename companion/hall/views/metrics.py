"""Numbers for Prometheus, as text. They name nobody."""

from __future__ import annotations

from flask import Response

from companion.hall.context import hall
from companion.web.guards.access import Rule


def metrics() -> Response:
    """How much came, how long it takes, and whether the database is there."""
    shared = hall()
    writer, floor = shared.gatherer, shared.floor
    tables = shared.register.tables
    told = (
        ("entries_stored_total", "counter", "entries stored since the start", writer.stored),
        ("entries_repeated_total", "counter", "entries that came again", writer.repeated),
        ("entries_refused_total", "counter", "other entries under a known number", writer.refused),
        ("transactions_total", "counter", "transactions they were stored in", writer.transactions),
        ("tables", "gauge", "tables that may send", sum(not one.revoked for one in tables)),
        ("boards", "gauge", "screens that look on", len(shared.streams)),
        ("floor_waiting", "gauge", "letters stored and not yet on the boards", floor.waiting),
        ("floor_seconds", "gauge", "how long the last folding took", round(floor.lag_s, 6)),
        ("database_up", "gauge", "1 while the database answers", int(shared.trouble is None)),
    )
    lines = [
        line
        for name, kind, says, value in told
        for line in (
            f"# HELP companion_hall_{name} {says}",
            f"# TYPE companion_hall_{name} {kind}",
            f"companion_hall_{name} {value}",
        )
    ]
    return Response("\n".join(lines) + "\n", content_type="text/plain; version=0.0.4")


ROUTES = (("/metrics", "GET", Rule.OPEN, metrics),)

"""What do people at the table see and touch? Served from this machine to this home.

`create_app(session, door)` is the app, `Server` puts it on a port, `Door` says who may come in. The
page draws the session's scoreboard and sends its commands; no rule of the game is decided here.
"""

from companion.web.app import create_app, pairing_address
from companion.web.guards.access import Device, Door, Rule
from companion.web.server import Server

__all__ = ["Device", "Door", "Rule", "Server", "create_app", "pairing_address"]

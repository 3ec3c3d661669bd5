"""Loaded by every Python process that has this folder on its path, children too: notes each connection
that Python code asks for as a line of JSON in the file that `NOTED_IN` names, and that the process
began. What a library of C code did by itself would not be heard.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

TO = ("socket.connect", "socket.sendto", "socket.sendmsg")
ABOUT = (
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "socket.gethostbyaddr",
    "urllib.Request",
    "webbrowser.open",
    "smtplib.connect",
    "ftplib.connect",
)

_file = os.open(os.environ["NOTED_IN"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def note(event: str, args: tuple[Any, ...]) -> None:
    """Keep what is asked of the network: where to, or which name."""
    if event in TO:
        write(event, repr(args[1]))
    elif event in ABOUT:
        write(event, repr(args[0]))


def write(event: str, text: str) -> None:
    """One line, at once: a child may be killed."""
    os.write(_file, (json.dumps([os.getpid(), event, text]) + "\n").encode())


write("began", "")
sys.addaudithook(note)

"""`companion` that is told to stop at one moment, whatever it does then.
usage: stopped_victim.py SIGNAL EVENT ARGUMENT WORDS...

The moment is the first audit event of that name whose first argument is ARGUMENT ("-": any), such as
`import numpy` or `sqlite3.connect -`; SIGNAL is sent to the process itself.
"""

from __future__ import annotations

import os
import sys

from companion.__main__ import enter


def main() -> None:
    """Be `companion WORDS...` until that moment."""
    number, event, argument, *words = sys.argv[1:]
    sent: list[bool] = []

    def watch(name: str, told: tuple[object, ...]) -> None:
        if not sent and name == event and (argument == "-" or argument == told[0]):
            sent.append(True)
            os.kill(os.getpid(), int(number))

    sys.addaudithook(watch)
    sys.argv[1:] = words
    enter()


if __name__ == "__main__":
    main()

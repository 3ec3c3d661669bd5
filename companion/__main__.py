"""`companion` as a process: from its first moment on it can be told to stop. The command line itself is
in `companion.commands.shared.front_door`, which takes longer to load."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from companion.commands.shared.stopping import end_process, end_quietly, let_full_files_fail


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it did its job, 1 when ledgers differ or checks fail, 2 for input it
    cannot use."""
    from companion.commands.shared import front_door

    return front_door.main(argv)


def enter() -> NoReturn:
    """Run one command as a process of its own, to its end."""
    end_quietly(sys.argv[1:])
    let_full_files_fail()
    end_process(main())


if __name__ == "__main__":
    enter()

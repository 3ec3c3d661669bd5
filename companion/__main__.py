"""`companion` as a process: from its first moment on it can be told to stop. The command line itself is
in `companion.commands.shared.front_door`, which takes longer to load."""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # what `typing` takes to load comes before the first line of `enter`
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType
    from typing import NoReturn


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it did its job, 1 when ledgers differ or checks fail, 2 for input it
    cannot use."""
    from companion.commands.shared import front_door

    return front_door.main(argv)


def enter() -> NoReturn:
    """Run one command as a process of its own, to its end."""
    signal.signal(signal.SIGINT, _end_at_once)
    from companion.commands.shared.stopping import end_process, end_quietly, let_full_files_fail

    end_quietly(sys.argv[1:])
    let_full_files_fail()
    end_process(main())


def _end_at_once(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 (signal calls it so)
    os._exit(130)


if __name__ == "__main__":
    enter()

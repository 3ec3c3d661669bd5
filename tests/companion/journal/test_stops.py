"""Stopped at random moments and at every few writes, by camera and while something else is done: the
attacks' own commands, as many as fit into some seconds. `test_kill.py` stops what is kept by touch."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="forks, preloads a library, looks for orphans as Linux does"
)


def attack(*words: str) -> str:
    """What an attack says; AssertionError when it found a fault."""
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_killed_by_camera_and_beside_the_score() -> None:
    """60 SIGKILLs: nothing that was shown is lost or doubled, no file is half written, no child left."""
    kinds = "camera,calibration,pairing,export,print"
    told = attack("tests.benchmarks.attacks.kills", "--kills", "90", "--only", kinds)
    assert told.count("ok ") == 5


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_disk_that_fails_or_a_stop_at_every_seventh_write_by_camera() -> None:
    """46 evenings: a write that fails, is half done, or at which the process is stopped."""
    told = attack("tests.benchmarks.attacks.disk", "--by", "camera", "--kinds", "enospc,half-stop,stop", "--every", "7")  # fmt: skip
    assert told.count("ok ") == 3


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_what_was_refused_for_want_of_a_sync_does_not_stand_after_the_next_start() -> None:
    """All of it was written, its commit too: who tapped was told that nothing was saved, and after a stop
    there it was."""
    told = attack(
        "tests.benchmarks.attacks.disk", "--by", "touch", "--kinds", "sync", "--every", "3"
    )
    assert told.count("ok ") == 1


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_disk_that_fails_or_a_stop_while_evenings_are_taken_along() -> None:
    """Import and restore at every seventh write: ours stay, and done again all of theirs is there with its
    place. A refused import had left the evenings without theirs; a stopped restore looked whole."""
    told = attack("tests.benchmarks.attacks.carry", "--what", "import,restore", "--kinds", "enospc,stop", "--every", "7")  # fmt: skip
    assert told.count("ok ") == 4


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_disk_that_fails_or_a_stop_while_people_edit_the_book() -> None:
    """Acts on the book and what leaves the disk after them, at every nineteenth write. A stop had left a
    deleted evening's people in the index for good, and a forgotten name in files beside; a full disk had
    brought the old words back from lines that were believed, and called the database damaged."""
    told = attack("tests.benchmarks.attacks.book", "--kinds", "stop,enospc", "--every", "19")
    assert told.count("ok    the book") == 2

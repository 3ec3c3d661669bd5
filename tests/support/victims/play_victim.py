"""`companion play` with a faulty camera, in a process of its own, for the tests that stop it.
usage: play_victim.py FOLDER"""

from __future__ import annotations

import signal
import sys
import threading
import time
from argparse import ArgumentParser
from pathlib import Path

from companion.capture.live import LiveCamera
from companion.commands import play
from companion.commands.shared.sources import Source
from companion.commands.shared.stopping import end_process, stops_cleanly
from tests.support.camera_faults import open_faulty


def main(folder: Path) -> int:
    """Play until told to stop."""
    signal.signal(
        signal.SIGHUP, signal.SIG_DFL
    )  # these tests may themselves have been started with nohup
    threading.Thread(
        target=time.sleep, args=(600.0,), daemon=True
    ).start()  # something is being drawn
    parser = ArgumentParser()
    play.configure(parser)
    args = parser.parse_args(["--host", "127.0.0.1", "--port", "0", "--data", str(folder)])
    with stops_cleanly() as stopping:
        camera = LiveCamera(open_faulty, str(folder), "test camera").open()
        print(f"child {camera.child_id}", flush=True)
        return play.keep_evening(Source(camera, "Watching."), folder, args, stopping)


if __name__ == "__main__":
    end_process(main(Path(sys.argv[1])))

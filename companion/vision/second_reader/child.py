"""What runs in the second reader's child process. Loads neither numpy nor OpenCV: a process that is
started again must be quick, and small."""

from __future__ import annotations

import contextlib
from multiprocessing.connection import Connection
from multiprocessing.heap import BufferWrapper

from companion.child_process import live_as_child
from companion.vision.second_reader.zxing import Decode


def serve_pictures(decode_picture: Decode, memory: BufferWrapper, asks: Connection) -> None:
    """What runs in the child: read every picture that is asked about, until the parent is gone. A
    picture that makes the decoder raise holds no codes."""
    live_as_child()
    view = memory.create_memoryview()
    with contextlib.suppress(EOFError, OSError):
        asks.send(None)
        while True:
            shape: tuple[int, int] = asks.recv()
            picture = view[: shape[0] * shape[1]].cast("B").cast("B", shape)
            try:
                codes = decode_picture(picture)
            except Exception:
                codes = []
            asks.send([tuple(code) for code in codes])

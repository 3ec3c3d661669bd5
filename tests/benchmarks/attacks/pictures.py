"""Hostile pictures, previews and photographs by the dozen, and hostile camera servers: each in its limit.

    python -m tests.benchmarks.attacks.pictures [--pictures 60] [--previews 91] [--seed 1]

A served evening before its game is sent photographs that lie, are huge or damaged; ten good ones at once;
and previews of as many orders. Memory is that of the server and of the process that does heavy work,
looked at every 20 ms; afterwards that process has gone.
"""

from __future__ import annotations

import io
import random
import struct
import sys
import tempfile
import threading
import urllib.error
import urllib.request
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from tests.benchmarks.attacks.report import Report, parser_of
from tests.benchmarks.attacks.requests import settled_mb
from tests.support.victims.served_evening import Served, served

MOST_MB, MOST_S = 300, 3.0


def noise(width: int, height: int) -> np.ndarray:
    """A picture that does not compress to nothing, quickly made."""
    tile = np.random.default_rng(1).integers(0, 255, (256, 256, 3), np.uint8)
    tile = cv2.GaussianBlur(tile, (0, 0), 4)
    return np.tile(tile, (height // 256 + 1, width // 256 + 1, 1))[:height, :width]


def jpeg(width: int, height: int, *, progressive: bool = False, quality: int = 50) -> bytes:
    """A JPEG of that size."""
    flags = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_PROGRESSIVE, int(progressive)]
    return cv2.imencode(".jpg", noise(width, height), flags)[1].tobytes()


def telling(data: bytes, width: int, height: int) -> bytes:
    """The same JPEG, whose head tells another size."""
    at = next(data.index(mark) for mark in (b"\xff\xc0", b"\xff\xc2") if mark in data)
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


def two_sizes(data: bytes) -> bytes:
    """A JPEG that tells a second size, a huge one."""
    at = data.index(b"\xff\xc0")
    many = struct.unpack(">H", data[at + 2 : at + 4])[0]
    again = telling(data[at : at + 2 + many] + b"\0" * 9, 20_000, 20_000)[: 2 + many]
    return data[: at + 2 + many] + again + data[at + 2 + many :]


def many_scans(data: bytes, length: int) -> bytes:
    """A progressive JPEG whose last scan comes again and again, until it has so many bytes."""
    scan = data[data.rindex(b"\xff\xda") : -2]
    return data[:-2] + scan * ((length - len(data)) // len(scan)) + b"\xff\xd9"


def flat(width: int, height: int) -> bytes:
    """A progressive JPEG of one grey: its scans are short."""
    grey = np.full((height, width, 3), 120, np.uint8)
    return cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()


def png_bomb(width: int, height: int) -> bytes:
    """A PNG of one bit a pixel that is nothing but zeros."""
    rows = zlib.compressobj(9)
    body = b"".join(rows.compress(bytes(width // 8 + 1)) for _ in range(height)) + rows.flush()

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def other(kind: str, width: int, height: int) -> bytes:
    """A picture in another format."""
    file = io.BytesIO()
    Image.fromarray(noise(width, height)).save(file, kind)
    return file.getvalue()


def hostile(dice: random.Random) -> Iterator[tuple[str, bytes]]:
    """Pictures one after the other, the built ones first, then damaged ones without end."""
    plain, slow = jpeg(6000, 4000), jpeg(5600, 4200, progressive=True, quality=30)
    yield "24 million pixels", plain
    yield "24 million pixels, progressive", slow
    yield "tells 60000 across", telling(plain, 60_000, 60_000)
    yield "tells 32 million", telling(jpeg(640, 480), 8000, 4000)
    yield "tells two sizes", two_sizes(plain)
    yield "progressive tells 24 million", telling(jpeg(640, 480, progressive=True), 6000, 4000)
    yield "75,000 scans", many_scans(flat(4000, 4000), 2_400_000)
    yield "bomb of 30000 x 30000", png_bomb(30_000, 30_000)
    yield "bomb of 6000 x 4000", png_bomb(6000, 4000)
    yield "one line", png_bomb(1_000_000, 24)
    yield "webp", other("WEBP", 4000, 3000)
    yield "gif", other("GIF", 800, 600)
    yield "tiff", other("TIFF", 800, 600)
    yield "nothing", b""
    seeds = [
        jpeg(1600, 1200),
        jpeg(1600, 1200, progressive=True),
        png_bomb(2000, 2000),
        other("WEBP", 1200, 900),
    ]
    while True:
        data = bytearray(dice.choice(seeds))
        for _ in range(dice.randrange(1, 8)):
            at = dice.randrange(min(len(data), dice.choice((60, 700, len(data)))))
            data[at] = dice.choice((0, 0xFF, data[at] ^ (1 << dice.randrange(8))))
        yield "damaged", bytes(data[: dice.choice((len(data), len(data) // 2))])


def post_photo(evening: Served, data: bytes) -> tuple[str, float]:
    """The answer's status and how long it took of a core: this machine may have other work."""
    headers = {
        "Cookie": evening.control,
        "Origin": f"http://127.0.0.1:{evening.port}",
        "Content-Type": "image/jpeg",
    }
    address = f"http://127.0.0.1:{evening.port}/api/deck/photo"
    before_s = evening.core_s
    try:
        with urllib.request.urlopen(
            urllib.request.Request(address, data, headers), timeout=60
        ) as answer:
            status = str(answer.status)
    except urllib.error.HTTPError as refused:
        status = str(refused.code)
        refused.close()
    return status, evening.core_s - before_s


def preview(evening: Served, number: int) -> str:
    """The status of a preview of an order of its own."""
    path = f"/api/print/page/{1 + number % 3}?kind=cards&disc_mm={60 + number / 5}&cards=1-{9 + number % 40}"
    asked = urllib.request.Request(
        f"http://127.0.0.1:{evening.port}{path}", headers={"Cookie": evening.control}
    )
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return str(answer.status)
    except urllib.error.HTTPError as refused:
        refused.close()
        return str(refused.code)


class Watch(threading.Thread):
    """Looks at the memory every 20 ms."""

    def __init__(self, evening: Served) -> None:
        super().__init__(daemon=True)
        self.most_mb = 0.0
        self._evening = evening
        self._over = threading.Event()

    def run(self) -> None:
        """Until it is over."""
        while not self._over.wait(0.02):
            try:
                self.most_mb = max(self.most_mb, self._evening.memory_mb)
            except OSError:
                continue

    def stop(self) -> float:
        """The most it was."""
        self._over.set()
        self.join()
        return self.most_mb


@contextmanager
def watched(evening: Served) -> Iterator[Watch]:
    """Watch while the block runs."""
    watch = Watch(evening)
    watch.start()
    try:
        yield watch
    finally:
        watch.stop()


def main() -> int:
    """One row for each attack."""
    parser = parser_of(__doc__)
    parser.add_argument("--pictures", type=int, default=600)
    parser.add_argument("--previews", type=int, default=91)
    asked = parser.parse_args()
    report, dice = Report(asked), random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as name, served(Path(name), setup=True) as evening:
        post_photo(evening, jpeg(640, 480))  # what is loaded when it is first asked for
        preview(evening, 0)
        before_mb = settled_mb(evening)
        told: Counter[str] = Counter()
        slowest_s, slowest = 0.0, ""
        with watched(evening) as watch:
            for (what, data), _ in zip(hostile(dice), range(asked.pictures), strict=False):
                status, took_s = post_photo(evening, data)
                told[status] += 1
                if took_s > slowest_s:
                    slowest_s, slowest = took_s, what
                if status not in ("200", "415", "413"):
                    print(f"{status}: {what}", flush=True)
        good = slowest_s < MOST_S and watch.most_mb < MOST_MB and not told["500"]
        value = f"{dict(told)}; most work {slowest_s:.1f} s of a core ({slowest}), most {watch.most_mb:.0f} MB with the server"
        report.say(
            "hostile photographs", value, "300 MB and 3 s of a core, a sentence", told.total(), good
        )
        photo = jpeg(4000, 3000)
        answers: list[str] = []
        with watched(evening) as watch:
            threads = [
                threading.Thread(target=lambda: answers.append(post_photo(evening, photo)[0]))
                for _ in range(10)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        value = f"{dict(Counter(answers))}; most {watch.most_mb:.0f} MB with the server"
        report.say("ten deck photographs at once", value, "300 MB", 10, watch.most_mb < MOST_MB)
        with watched(evening) as watch:
            told = Counter(preview(evening, number) for number in range(asked.previews))
        after_mb = settled_mb(evening)
        value = f"{dict(told)}; {before_mb:.0f} before, most {watch.most_mb:.0f}, {after_mb:.0f} MB after"
        good = watch.most_mb < MOST_MB and after_mb <= 1.3 * before_mb
        report.say(
            "previews of as many orders",
            value,
            "300 MB, at most 1.3 times after",
            told.total(),
            good,
        )
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())

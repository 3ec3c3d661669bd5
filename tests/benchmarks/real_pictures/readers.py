"""Readers of our markers that are compared on the same pictures, each in a process of its own."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import cv2
import numpy as np
import zxingcpp

from card_printables.deck import word_of
from companion.vision.codes.reader import Reader

Found = list[tuple[int, np.ndarray]]
"""Card number and middle, px."""


def _ours(grey: np.ndarray) -> Found:
    found = Reader().read_codes(grey, patient=True).cards
    return [(n, np.array(d.centre_px)) for n, d in found.items()]


def _zxing(grey: np.ndarray) -> Found:
    found = []
    for code in zxingcpp.read_barcodes(grey, formats=zxingcpp.BarcodeFormat.QRCode):
        word, p = word_of(bytes(code.bytes)), code.position
        if word is not None and word.card:
            corners = [(q.x, q.y) for q in (p.top_left, p.bottom_right)]
            found.append((word.card, np.mean(corners, axis=0)))
    return found


def _opencv(grey: np.ndarray) -> Found:
    found: Found = []
    for detector in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
        try:
            _, texts, corners, _ = detector.detectAndDecodeMulti(grey)
        except cv2.error:
            continue
        for text, place in zip(texts, () if corners is None else corners, strict=False):
            word = word_of(text.encode())
            if word is not None and word.card:
                found.append((word.card, place.mean(0)))
    return found


READERS: dict[str, Callable[[np.ndarray], Found]] = {
    "ours": _ours,
    "zxing-cpp": _zxing,
    "OpenCV, the better of two": _opencv,
}


class Apart:
    """A reader in a process of its own: OpenCV's crash on some photographs."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.crashes = 0
        self._pool = self._new()

    @staticmethod
    def _new() -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))

    def look(self, grey: np.ndarray) -> Found:
        """What it reads; nothing where it crashes."""
        try:
            return self._pool.submit(READERS[self.name], grey).result()
        except BrokenProcessPool:
            self.crashes += 1
            self._pool = self._new()
            return []

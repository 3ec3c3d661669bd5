"""The second reader has a deadline: what hangs or dies costs a picture, and is started again."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest

from card_printables.deck import word_for
from companion.vision.second_reader import guarded as second_reader
from companion.vision.second_reader.guarded import GuardedReader
from companion.vision.second_reader.zxing import decode
from tests.support import failing_decoders as failing
from tests.support import reader_codes as codes

DEADLINE_S = 0.4


@pytest.fixture
def guarded() -> Iterator[GuardedReader]:
    with GuardedReader(DEADLINE_S, decode_picture=failing.decode_by_first_pixel) as reader:
        yield reader


def picture(first: int = 0) -> np.ndarray:
    """A picture of card 7's code, which begins with this grey."""
    grey = np.ascontiguousarray(codes.picture(word_for(7).payload, 5))
    grey[0, 0] = first
    return grey


def come_back(reader: GuardedReader) -> float:
    """The seconds until it reads again."""
    began_s = time.monotonic()
    while not reader(picture()):
        assert time.monotonic() - began_s < 20
        time.sleep(0.02)
    return time.monotonic() - began_s


def test_it_reads_what_the_decoder_reads(guarded: GuardedReader) -> None:
    """Payload, corners and mask arrive as they were read; a cut-out and a strange shape too."""
    whole = picture()
    assert guarded(whole) == decode(whole)
    assert [code.payload for code in guarded(whole)] == [word_for(7).payload]
    assert guarded(whole[:40, :30]) == []
    assert guarded.lost == 0


@pytest.mark.parametrize("wrong", [failing.HANGS, failing.DIES])
def test_a_reader_that_hangs_or_dies_costs_a_picture(guarded: GuardedReader, wrong: int) -> None:
    """It is killed in time, asked nothing while it is away, and reads again a moment later."""
    assert guarded(picture())
    began_s = time.monotonic()
    assert guarded(picture(wrong)) == []
    assert time.monotonic() - began_s < DEADLINE_S + 1.0
    began_s = time.monotonic()
    assert guarded(picture()) == []
    assert time.monotonic() - began_s < 0.1
    assert come_back(guarded) < 15
    assert guarded.lost == 1


def test_a_picture_that_raises_holds_no_codes(guarded: GuardedReader) -> None:
    """The child lives on."""
    assert guarded(picture(failing.RAISES)) == []
    assert guarded(picture())
    assert guarded.lost == 0


def test_a_reader_that_always_dies_is_asked_less_and_less() -> None:
    """Without any second reader pictures are read on, and the pauses grow."""
    told: list[int] = []
    with GuardedReader(DEADLINE_S, lambda: told.append(1), failing.decode_badly) as reader:
        began_s = time.monotonic()
        while time.monotonic() - began_s < 4:
            assert reader(picture()) == []
            time.sleep(0.02)
        assert 1 <= reader.lost <= 4
        assert len(told) == reader.lost


def test_a_library_that_cannot_be_loaded_is_done_without() -> None:
    """A computer on which zxing-cpp does not even load plays with the known-deck decoder alone."""
    with GuardedReader(DEADLINE_S, decode_picture=failing.Unloadable()) as reader:
        assert reader(picture()) == []
        assert reader.lost == 1


def test_where_no_process_can_be_started_it_is_done_without(
    guarded: GuardedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No codes and no exception, and a reader again when the system gives a process."""

    def refuse(_: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    with monkeypatch.context() as full:
        full.setattr(second_reader, "start_child", refuse)
        assert guarded(picture()) == []
    come_back(guarded)


def test_after_its_end_nothing_is_started() -> None:
    """A frame that is still being read while the evening ends starts no child."""
    with GuardedReader(DEADLINE_S) as reader:
        assert reader(picture())
    assert reader(picture()) == []
    assert reader.lost == 0

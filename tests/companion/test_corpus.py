"""What a fuzzer found to reach other branches of the readers of foreign bytes, read again: refused in
the reader's own words or read, never another exception. `benchmarks/attacks/parsers_covered.py` keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.attacks.parsers import readers
from tests.benchmarks.attacks.parsers_covered import CORPUS, READERS


@pytest.mark.parametrize("reader", READERS)
def test_the_corpus_is_read_or_refused(reader: str, tmp_path: Path) -> None:
    """Every file of it, and every sound seed cut short at some places."""
    seeds, read = readers(tmp_path)[reader]
    files = sorted((CORPUS / reader).iterdir())
    assert len(files) >= 10
    for file in files:
        read(file.read_bytes())
    for seed in seeds:
        for cut in range(0, len(seed), max(1, len(seed) // 20)):
            read(seed[:cut])

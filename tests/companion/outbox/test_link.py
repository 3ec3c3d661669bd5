"""The file of the hall that a table belongs to, damaged."""

from __future__ import annotations

import json
from pathlib import Path

from companion.outbox.link import FILE, HallLink, LinkFile

LINK = HallLink(
    "https://hall.example:8000",
    "cookie",
    "token",
    7,
    "a" * 32,
    3,
    True,
    None,
    {"ada": "Sparrow"},
    {"Sparrow": "Ada"},
)


def test_no_wrong_bit_is_believed(tmp_path: Path) -> None:
    """Each bit of the file, turned: the link is the same, or it is set aside, every byte of it kept."""
    LinkFile(tmp_path).keep(LINK)
    written = (tmp_path / FILE).read_bytes()
    believed = []
    for at in range(8 * len(written)):
        turned = bytearray(written)
        turned[at // 8] ^= 1 << at % 8
        (tmp_path / FILE).write_bytes(turned)
        links = LinkFile(tmp_path)
        if links.set_aside is None:
            believed.append(links.link == LINK)
        else:
            assert (tmp_path / links.set_aside).read_bytes() == turned
            (tmp_path / links.set_aside).unlink()
    assert all(believed)


def test_a_link_of_before_there_was_a_sum_is_believed(tmp_path: Path) -> None:
    """A table stays in its hall when its companion is a newer one."""
    LinkFile(tmp_path).keep(LINK)
    told = json.loads((tmp_path / FILE).read_bytes())
    del told["sum"]
    (tmp_path / FILE).write_text(json.dumps(told))
    assert LinkFile(tmp_path).link == LINK

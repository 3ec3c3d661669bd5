"""Nothing of an evening leaves the house."""

from __future__ import annotations

import ast
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT

ITSELF = {"127.0.0.1", "::1", "localhost", "0.0.0.0", socket.gethostname()}
ROUTE = ("192.0.2.1", 9)
"""The address that stands for nowhere: asking which way it would go sends nothing."""


@pytest.mark.slow
def test_an_evening_connects_to_nobody(tmp_path: Path) -> None:
    """A short practice evening to its end, recorded, with camera, reader, journal, server and tablet,
    a page to print and the report: Python in this process and its children speaks to this machine
    alone."""
    victims = ROOT / "tests" / "support" / "victims"
    noted_in = tmp_path / "noted.jsonl"
    paths = os.pathsep.join(
        [str(victims / "listening"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    )
    played = subprocess.run(
        [sys.executable, str(victims / "listened_to.py"), str(tmp_path / "data")],
        env=os.environ | {"PYTHONPATH": paths, "NOTED_IN": str(noted_in)},
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    match = re.search(r"^TOLD (.*)$", played.stdout, re.MULTILINE)
    assert match is not None, played.stdout
    told = json.loads(match[1])
    assert told["over"]
    assert told["rounds"] >= 2
    assert told["report"] > 1000
    noted = [json.loads(line) for line in noted_in.read_text(encoding="utf-8").splitlines()]
    assert len({process for process, *_ in noted}) > 2, "the children are heard"
    assert [event for _, event, _ in noted if event == "socket.connect"], "the tablet is heard"
    strangers = []
    for _, event, text in noted:
        if event in ("began", "urllib.Request"):
            continue  # its connection is noted as well
        place = ast.literal_eval(text)
        host = place[0] if isinstance(place, tuple) else place
        if place != ROUTE and host not in (None, *ITSELF):
            strangers.append((event, place))
    assert not strangers


def test_no_module_knows_an_address_beyond_the_house() -> None:
    """Pages and modules load nothing from anywhere: the only web addresses in them name
    specifications."""
    allowed = (
        "http://www.w3.org/",
        "http://192.",
        "https://192.",
        "http://127.",
        "http://{",
        "https://{",
    )
    example = "http://name:password@192.168.1.20:8080/video"
    strange = {
        (path.relative_to(ROOT).as_posix(), address)
        for folder in ("companion", "calibration", "card_printables")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".js", ".css", ".html", ".svg")
        for address in re.findall(r"https?://[^\s\"'`)<>]*", path.read_text(encoding="utf-8"))
        if not address.startswith(allowed) and "." in address and address != example
    }
    assert not strange

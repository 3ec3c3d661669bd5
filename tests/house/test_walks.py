"""The walks of a frame, a tap and a card through the house name functions that exist."""

from __future__ import annotations

import importlib
import re

import pytest

from tests.house.sources import ROOT, modules

PAGE = (ROOT / "companion" / "README.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"\b(?:companion|calibration|card_printables)(?:\.\w+)+", PAGE)))


@pytest.mark.parametrize("name", NAMED)
def test_a_step_of_a_walk_is_there(name: str) -> None:
    """Each `module.Class.method` that the page names can be imported."""
    parts = name.split(".")
    cut = max(i for i in range(1, len(parts) + 1) if ".".join(parts[:i]) in modules())
    found = importlib.import_module(".".join(parts[:cut]))
    for part in parts[cut:]:
        found = getattr(found, part)


def test_the_walks_are_told() -> None:
    """A frame, a tap and a card, each with a dozen steps at most and five at least."""
    for walk in ("A frame's walk", "A tap's walk", "A card's walk"):
        told = PAGE.split(f"## {walk}")[1].split("\n## ")[0]
        assert len(re.findall(r"\b(?:companion|card_printables)\.\w+\.", told)) >= 5

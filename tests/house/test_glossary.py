"""The glossary is kept true: its words are used, and every public class is in it and says what it
is."""

from __future__ import annotations

import ast
import re
from functools import cache

from tests.house.glossary import BEGIN, PAGE, page
from tests.house.sources import ROOT, STOREYS, modules, tree_of

TEXT = PAGE.read_text(encoding="utf-8")
WORDS = sorted(set(re.findall(r"\*\*([^*]+)\*\*", TEXT)))


@cache
def _written() -> str:
    """Everything that is written in the product's modules, lower case, names taken apart."""
    whole = " ".join(path.read_text(encoding="utf-8") for path in modules().values())
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", whole).replace("_", " ")
    return (whole + " " + re.sub(r"\s+", " ", apart)).lower()


def test_each_word_is_used() -> None:
    """A word that nobody writes is none of the house's."""
    unused = [word for word in WORDS if word.lower() not in _written()]
    assert not unused


def test_the_games_words_are_those_on_the_screens() -> None:
    """In German and Czech the page and the tablet say the same."""
    for language, column in (("de", 2), ("cs", 3)):
        file = ROOT / "companion" / "web" / "translations" / f"{language}.json"
        shown = file.read_text(encoding="utf-8").lower()
        rows = [
            row.split("|")
            for row in TEXT.split("## The house")[0].splitlines()
            if row.startswith("| **")
        ]
        for row in rows:
            word = row[column].strip().lower()
            assert word[:5] in shown, word


def test_every_public_class_is_in_it() -> None:
    """`python -m tests.house.glossary` has nothing to change."""
    told, wanted = (
        set(re.findall(r"\w+ \(\w+\)", text.split(BEGIN)[1])) for text in (TEXT, page(TEXT))
    )
    assert told == wanted, f"run `python -m tests.house.glossary`: {told ^ wanted}"


def test_every_public_class_says_what_it_is() -> None:
    """Its docstring's first sentence is its word."""
    silent = [
        f"{module}.{node.name}"
        for module, path in modules().items()
        if module.split(".")[0] in STOREYS
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert not silent

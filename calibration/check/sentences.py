"""How a report is told in each language: one line of words from this storey's own catalogues.

Knows the report's keys; measures nothing. The screens of the storey above show the same sentences:
they take them from `catalogue`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from calibration.check.profile import Comparison
from calibration.check.report import one_line

LANGUAGES = ("en", "de", "cs")


@dataclass(frozen=True, slots=True)
class ReportSentences:
    """How a report, and how the table compares with last time, are told: one line each."""

    of_report: Callable[[dict[str, Any]], str]
    of_comparison: Callable[[Comparison], str]
    play_anyway: str


ENGLISH = ReportSentences(
    one_line, lambda back: back.says, "You can play anyway: what cannot be read is kept by touch."
)


@cache
def catalogue(language: str) -> Mapping[str, Any]:
    """Everything that calibration says in one of `LANGUAGES`, by key: a sentence with its numbers in
    braces, or one for each grammatical number."""
    text = (files("calibration.check") / "translations" / f"{language}.json").read_text("utf-8")
    told: Mapping[str, Any] = json.loads(text)
    return told


def sentences_in(language: str) -> ReportSentences:
    """How reports are told in one of `LANGUAGES`."""
    if language == "en":
        return ENGLISH
    words = catalogue(language)  # German and Czech: 2,1 px
    return ReportSentences(
        lambda report: _line(words, report),
        lambda back: str(words[f"last.{back.key}"]),
        words["set_up.by_touch"],
    )


def _line(words: Mapping[str, Any], report: Mapping[str, Any]) -> str:
    """How many tokens are in view, whether the table can be read, and the one advice with its
    number."""
    seen = sum(token["seen"] for token in report["tokens"])
    forms = words["set_up.tokens"]
    form = "one" if seen == 1 else "few" if 2 <= seen <= 4 and "few" in forms else "other"
    tokens = _filled(forms[form], {"n": seen})
    advice = _filled(words[f"advice.{report['advice_key']}"], _spoken(words, report["params"]))
    return f"{tokens[:1].upper()}{tokens[1:]}. {words['calibration.' + report['verdict']]} {advice}"


def _spoken(words: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Any]:
    """The advice's numbers, and its places and pieces in this language's words."""
    return {
        name: words.get("piece." + str(value).replace("token-", "").replace(" ", "-"), value)
        if name in ("piece", "where")
        else value
        for name, value in params.items()
    }


def _filled(text: str, params: Mapping[str, Any]) -> str:
    for name, value in params.items():
        text = text.replace(
            "{" + name + "}",
            f"{value:g}".replace(".", ",") if isinstance(value, float) else str(value),
        )
    return text

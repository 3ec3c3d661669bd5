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

LANGUAGES = ("en", "de", "cs")


@dataclass(frozen=True, slots=True)
class ReportSentences:
    """How a report, and how the table compares with last time, are told: one line each."""

    of_report: Callable[[dict[str, Any]], str]
    of_comparison: Callable[[Comparison], str]
    play_anyway: str


@cache
def catalogue(language: str) -> Mapping[str, Any]:
    """Everything that calibration says in one of `LANGUAGES`, by key: a sentence with its numbers in
    braces, or one for each grammatical number."""
    text = (files("calibration.check") / "translations" / f"{language}.json").read_text("utf-8")
    told: Mapping[str, Any] = json.loads(text)
    return told


def sentences_in(language: str) -> ReportSentences:
    """How reports are told in one of `LANGUAGES`."""
    words = catalogue(language)
    comma = "." if language == "en" else ","  # German and Czech: 2,1 px
    return ReportSentences(
        lambda report: _line(words, report, comma),
        lambda back: str(words[f"last.{back.key}"]),
        words["set_up.by_touch"],
    )


def _line(words: Mapping[str, Any], report: Mapping[str, Any], comma: str) -> str:
    """Three sentences: how many tokens are in view, whether the table can be read, and the one advice with its
    number."""
    seen = sum(token["seen"] for token in report["tokens"])
    tokens = _filled(_in_form(words["set_up.tokens"], seen), {"n": seen}, comma)
    params = _spoken(words, report["params"])
    told = _in_form(words[f"advice.{report['advice_key']}"], report["params"].get("n", 1))
    advice = _filled(told, params, comma)
    return f"{tokens[:1].upper()}{tokens[1:]}. {words['calibration.' + report['verdict']]} {advice}"


def _in_form(told: str | Mapping[str, str], n: int) -> str:
    """A sentence, or the form of it that this number takes; Czech has one for two to four too."""
    if isinstance(told, str):
        return told
    return told["one" if n == 1 else "few" if 2 <= n <= 4 and "few" in told else "other"]


def _spoken(words: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Any]:
    """The advice's numbers, and its places and pieces in this language's words."""
    spoken = dict(params)
    for name in {"piece", "where"} & set(params):
        spoken[name] = _named(words, params[name])
    if "pieces" in params:
        spoken["pieces"] = ", ".join(_named(words, piece) for piece in params["pieces"])
    return spoken


def _named(words: Mapping[str, Any], place: str) -> str:
    return str(words.get("piece." + place.replace("token-", "").replace(" ", "-"), place))


def _filled(text: str, params: Mapping[str, Any], comma: str) -> str:
    for name, value in params.items():
        text = text.replace(
            "{" + name + "}",
            f"{value:g}".replace(".", comma) if isinstance(value, float) else str(value),
        )
    return text

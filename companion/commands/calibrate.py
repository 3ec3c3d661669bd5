"""The command `companion calibrate`: `python -m calibration` in the language asked for.

Knows the catalogues and the report's keys; measures nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration import __main__ as calibrating
from calibration.guide import ENGLISH, Words

__doc__ = calibrating.__doc__

LANGUAGES = ("en", "de", "cs")
_CATALOGUES = Path(__file__).parent.parent / "web" / "translations"


def configure(parser: argparse.ArgumentParser) -> None:
    """What `python -m calibration` takes, and the language of what is said."""
    calibrating.configure(parser)
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="language of what is said (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Look, report and return 0; the JSON's sentences stay English, its keys and numbers serve every language."""
    return calibrating.run(args, words_in(args.language))


def words_in(language: str) -> Words:
    """How reports are told in this language."""
    if language == "en":
        return ENGLISH
    words = json.loads((_CATALOGUES / f"{language}.json").read_text(encoding="utf-8"))
    return Words(lambda report: _line(words, report), lambda back: str(words[f"last.{back.key}"]), words["set_up.by_touch"])


def _line(words: Mapping[str, Any], report: Mapping[str, Any]) -> str:
    """How many tokens are in view, whether the table can be read, and the one advice with its number."""
    seen = sum(token["seen"] for token in report["tokens"])
    forms = words["set_up.tokens"]
    form = "one" if seen == 1 else "few" if 2 <= seen <= 4 and "few" in forms else "other"
    tokens = _filled(forms[form], {"n": seen})
    advice = _filled(words[f"advice.{report['advice_key']}"], _spoken(words, report["params"]))
    return f"{tokens[:1].upper()}{tokens[1:]}. {words['calibration.' + report['verdict']]} {advice}"


def _spoken(words: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Any]:
    """The advice's numbers, and its places and pieces in this language's words."""
    return {name: words.get("piece." + str(value).replace("token-", "").replace(" ", "-"), value)
            if name in ("piece", "where") else value for name, value in params.items()}


def _filled(text: str, params: Mapping[str, Any]) -> str:
    for name, value in params.items():
        text = text.replace("{" + name + "}", f"{value:g}" if isinstance(value, float) else str(value))
    return text

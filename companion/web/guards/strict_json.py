"""JSON as a stranger may send it: small, shallow, finite, with no name twice and no half
characters.

Knows bytes and Python values only. The limits come from what the ordinary parser lets through:
100,000 opening brackets exhaust the stack, `NaN` is no number, of two equal keys the last wins
silently, and a lone surrogate breaks the first write in UTF-8.
"""

from __future__ import annotations

import json
from typing import Any

MOST_BYTES = 16_384
"""The longest command (a correction of an 8-player round with its cards) is under 1 kB."""

DEEPEST = 8
LONGEST_TEXT = 400
LONGEST_NUMBER = 15


class BadJson(ValueError):
    """Raised when a body is no JSON we accept; the text says why in one short key."""


def loads(body: bytes) -> Any:
    """The value that `body` holds.

    Raises:
        BadJson: too long, too deep, not UTF-8, a name twice, NaN or infinity, a lone surrogate, an
        endless number.
    """
    if len(body) > MOST_BYTES:
        raise BadJson("long")
    text = _text(body)
    if _depth(text) > DEEPEST:
        raise BadJson("deep")
    try:
        value = json.loads(
            text,
            parse_constant=_no_constant,
            object_pairs_hook=_unique,
            parse_int=_short_int,
            parse_float=_finite,
        )
    except BadJson:
        raise
    except ValueError as error:
        raise BadJson("syntax") from error
    _check_texts(value)
    return value


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJson("utf8") from error


def _depth(text: str) -> int:
    """The deepest nesting, counting brackets inside strings too: never less than the real depth."""
    depth = deepest = 0
    for character in text:
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _no_constant(name: str) -> float:  # noqa: ARG001 (json calls it so)
    raise BadJson("number")


def _short_int(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise BadJson("number")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise BadJson("number")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise BadJson("twice")
    return value


def _check_texts(value: Any) -> None:
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise BadJson("long")
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise BadJson("surrogate")
    elif isinstance(value, dict):
        for key, inner in value.items():
            _check_texts(key)
            _check_texts(inner)
    elif isinstance(value, list):
        for inner in value:
            _check_texts(inner)

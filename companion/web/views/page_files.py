"""The page and its files: one HTML shell, the scripts, the fonts, the words in each language.

Nothing here says anything about the evening, but the shell itself is only for devices that were let
in.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from flask import Response, render_template, request, send_from_directory

from calibration.check.sentences import LANGUAGES, catalogue
from companion.web.context import companion, house
from companion.web.guards.access import Rule

HERE = Path(__file__).parents[1]
"""The folder of this room, with the page's files in it."""
PACKED = {".js", ".css", ".json", ".svg"}


LONGEST_WISH = 400
"""Letters in which a browser says its languages; they have twenty to two hundred. A longer wish is not
taken apart: 16 kB of it cost 25 ms of a processor."""


def asked_language() -> str:
    """The language that the browser asks for, of those that we have."""
    if len(request.headers.get("Accept-Language", "")) > LONGEST_WISH:
        return "en"
    return request.accept_languages.best_match(LANGUAGES) or "en"


def tablet() -> str:
    """The tablet's page: an empty shell that draws what the stream says."""
    return render_template("tablet.html", language=asked_language(), version=companion().version)


def door_page(status: int, why: str) -> Response:
    """The page for a device that was not let in yet: what to do, in all languages, and nothing
    else."""
    catalogues = {language: page_words(language) for language in LANGUAGES}
    page = render_template("door.html", why=why, catalogues=catalogues)
    return Response(page, status, mimetype="text/html")


def static_file(name: str) -> Response:
    """A script, style, font or picture of the page itself."""
    return _kept(HERE / "static", name)


@cache
def page_words(language: str) -> dict[str, Any]:
    """All that the screens say in one language, by key: their own words, and what calibration says."""
    own = json.loads((HERE / "translations" / f"{language}.json").read_text(encoding="utf-8"))
    return {**catalogue(language), **own}


def words(language: str) -> Response:
    """The page's words in one language; asked for again with their ETag they cost 304."""
    shared = house()
    shared.language = shared.language or language
    plain, packed, tag = _words_to_send(language)
    response = Response(plain, mimetype="application/json")
    response.set_etag(tag)
    response.make_conditional(request)
    if request.accept_encodings["gzip"] and response.status_code == 200:
        response.set_data(packed)
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = "no-cache"
    return response


@cache
def _words_to_send(language: str) -> tuple[bytes, bytes, str]:
    """The words as JSON, the same packed, and the mark by which a device knows them again."""
    plain = json.dumps(page_words(language), ensure_ascii=False).encode()
    return plain, gzip.compress(plain, 9, mtime=0), hashlib.sha256(plain).hexdigest()[:16]


def _kept(folder: Path, name: str) -> Response:
    """The file, packed when it is text; asked for again with its ETag it costs 304 and no byte of
    content."""
    response = send_from_directory(folder, name)
    if (
        Path(name).suffix in PACKED
        and request.accept_encodings["gzip"]
        and response.status_code == 200
    ):
        file = folder / name
        response.direct_passthrough = False
        response.close()
        response.set_data(_packed(file, file.stat().st_mtime_ns))
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = "no-cache"
    return response


@lru_cache(maxsize=128)
def _packed(file: Path, changed_ns: int) -> bytes:  # noqa: ARG001 (part of the cache's key)
    return gzip.compress(file.read_bytes(), 9, mtime=0)


ROUTES = (
    ("/", "GET", Rule.WATCH, tablet),
    ("/static/<path:name>", "GET", Rule.OPEN, static_file),
    (f"/words/<any({', '.join(LANGUAGES)}):language>.json", "GET", Rule.OPEN, words),
)

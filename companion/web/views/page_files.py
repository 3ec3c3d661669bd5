"""The page and its files: one HTML shell, the scripts, the fonts, the words in each language.

Nothing here says anything about the evening, but the shell itself is only for devices that were let
in.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

from flask import Response, render_template, request, send_from_directory

from companion.web.context import companion
from companion.web.guards.access import Rule

LANGUAGES = ("en", "de", "cs")
HERE = Path(__file__).parents[1]
"""The folder of this room, with the page's files in it."""
PACKED = {".js", ".css", ".json", ".svg"}


def tablet() -> str:
    """The tablet's page: an empty shell that draws what the stream says."""
    language = request.accept_languages.best_match(LANGUAGES) or "en"
    return render_template("tablet.html", language=language, version=companion().version)


def door_page(status: int, why: str) -> Response:
    """The page for a device that was not let in yet: what to do, in all languages, and nothing
    else."""
    return Response(render_template("door.html", why=why), status, mimetype="text/html")


def static_file(name: str) -> Response:
    """A script, style, font or picture of the page itself."""
    return _kept(HERE / "static", name)


def words(language: str) -> Response:
    """The page's words in one language."""
    return _kept(HERE / "translations", f"{language}.json")


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
def _packed(file: Path, changed_ns: int) -> bytes:
    return gzip.compress(file.read_bytes(), 9, mtime=0)


ROUTES = (
    ("/", "GET", Rule.WATCH, tablet),
    ("/static/<path:name>", "GET", Rule.OPEN, static_file),
    ("/words/<any(en, de, cs):language>.json", "GET", Rule.OPEN, words),
)

"""Recording the evening, as the people at the table decide: yes, no, delete; and the report of it,
made with one tap.

Knows the session and HTTP; what is recorded, and how, is the evening's.
"""

from __future__ import annotations

import io
import time

from flask import Response, abort, jsonify, send_file

from companion.journal.recording import newest_recording
from companion.journal.report import recorded_files, versions, write_report
from companion.web.context import asked_object, companion
from companion.web.guards.access import Rule
from companion.web.heavy_work import heavy_work


def recording() -> Response:
    """Whether this evening is recorded, why not any more, and how much lies there."""
    session = companion().session
    kept = session.recording.kept()
    return jsonify(
        state=session.recording.state,
        trouble=session.recording.trouble,
        recordings=kept.recordings,
        pictures=kept.pictures,
        size_mb=round(kept.size_bytes / 1e6, 1),
        evening=session.evening is not None,
    )


def change_recording() -> Response | tuple[Response, int]:
    """Say yes, say no (which also stops it), or delete all; how it stands then. 503 where the disk keeps
    what was to be deleted."""
    asked = asked_object().get("do")
    session = companion().session
    if asked == "delete":
        try:
            session.recording.delete_all()
        except OSError as error:
            return jsonify(error="cannot_delete", reason=error.strerror or str(error)), 503
    elif asked in ("yes", "no"):
        session.recording.switch(asked == "yes")
    else:
        abort(400)
    return recording()


def report() -> Response:
    """The evening's log without names, what was recorded of it, and versions: one file to take home,
    without pictures. 404 before the first evening."""
    session = companion().session
    if session.evening is None:
        abort(404)
    folder = newest_recording(session.folder, session.evening)
    with heavy_work():
        about = {"versions": versions(), "evening": session.evening}
        files = [] if folder is None else list(recorded_files(folder, pictures=False))
        try:
            write_report(packed := io.BytesIO(), about, session.log.entries, files)
        except FileNotFoundError:  # deleted meanwhile
            write_report(packed := io.BytesIO(), about, session.log.entries, [])
    packed.seek(0)
    name = time.strftime("cloud-mine-report-%Y-%m-%d.zip")
    return send_file(packed, "application/zip", as_attachment=True, download_name=name)


ROUTES = (
    ("/api/recording", "GET", Rule.CONTROL, recording),
    ("/api/recording", "POST", Rule.CONTROL, change_recording),
    ("/api/report", "GET", Rule.CONTROL, report),
)

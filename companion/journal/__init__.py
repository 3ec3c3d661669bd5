"""The evenings' logs on disk: `Journal` writes and reads them, `export` hands them out as CSV or
JSON."""

from companion.journal.evenings import Evening, Journal

__all__ = ["Evening", "Journal"]

"""Stops the service that `companion install-service` made and takes it away; the evenings stay.

It says what it will do and does it. Your services may still start before you log in (`loginctl
disable-linger` ends that): others may need it.
"""

from __future__ import annotations

import argparse
import sys

from companion.commands.install_service import add_dry_run, carry_out, uninstalling


def configure(parser: argparse.ArgumentParser) -> None:
    """Whether to only look."""
    add_dry_run(parser)


def run(args: argparse.Namespace) -> int:
    """Stop it and take it away; 0 when that was done."""
    carry_out(uninstalling(sys.platform), args.dry_run)
    return 0

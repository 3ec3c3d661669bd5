"""Starts the companion with this computer from now on: it is there whenever the tablet asks.

Made for this user, never for the whole system: a systemd unit on Linux, a launch agent on macOS, a
task on Windows. It says what it will do and does it; `companion uninstall-service` takes it back.
Options that are given here (`--camera`, `--port`, `--data`, `--https`) are the service's.
"""

from __future__ import annotations

import argparse
import os
import plistlib
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.commands.play import say
from companion.errors import BadInput

NAME = "cloud-mine-companion"
LABEL = f"home.{NAME}"
PASSED_ON = ("camera", "port", "data", "https", "host", "light")


@dataclass(frozen=True, slots=True)
class ServiceStep:
    """One thing that is done: a file written or removed, or a program run. `may_fail`: what it
    would undo may not be there."""

    file: Path | None = None
    text: str | None = None
    command: tuple[str, ...] = ()
    may_fail: bool = False

    @property
    def says(self) -> str:
        """The step as one reads it before it is done."""
        if self.file is None:
            return f"run     {shlex.join(self.command)}"
        return f"{'remove' if self.text is None else 'write':<7} {self.file}"

    def carry_out(self) -> None:
        """Do it.

        Raises:
            BadInput: it could not be done; the message says why.
        """
        try:
            if self.file is not None and self.text is not None:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                self.file.write_text(self.text, encoding="utf-8")
            elif self.file is not None:
                self.file.unlink(missing_ok=True)
            else:
                self._run()
        except OSError as error:
            raise BadInput(f"this did not work: {self.says} ({error})") from error

    def _run(self) -> None:
        done = subprocess.run(self.command, capture_output=True, text=True, check=False)
        if done.returncode and not self.may_fail:
            told = (done.stderr or done.stdout).strip().replace("\n", "; ")
            raise BadInput(f"this did not work: {self.says} ({told or done.returncode})")


def configure(parser: argparse.ArgumentParser) -> None:
    """What the service is started with."""
    from companion.commands.play import configure as configure_play

    configure_play(parser)
    add_dry_run(parser)


def add_dry_run(parser: argparse.ArgumentParser) -> None:
    """The option to only look."""
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be done, and do nothing"
    )


def run(args: argparse.Namespace) -> int:
    """Install and start it; 0 when that was done."""
    carry_out(installing(sys.platform, _command_of(args)), args.dry_run)
    if not args.dry_run:
        say(
            "The companion runs, and will be started with this computer. `companion open` shows it."
        )
    return 0


def carry_out(steps: Sequence[ServiceStep], dry_run: bool) -> None:
    """Say every step, then do it.

    Raises:
        BadInput: one could not be done; the rest is left.
    """
    for step in steps:
        say(step.says)
        if dry_run and step.text is not None:
            say("".join(f"    {line}\n" for line in step.text.splitlines()).rstrip())
        if not dry_run:
            step.carry_out()


def installing(platform: str, command: Sequence[str]) -> list[ServiceStep]:
    """The steps that install and start it on this kind of system.

    Raises:
        BadInput: nobody knows how on this one.
    """
    if platform.startswith("linux"):
        return [
            ServiceStep(file=_unit_file(), text=unit(command)),
            ServiceStep(command=("systemctl", "--user", "daemon-reload")),
            ServiceStep(command=("systemctl", "--user", "enable", "--now", f"{NAME}.service")),
            ServiceStep(command=("loginctl", "enable-linger"), may_fail=True),
        ]
    if platform == "darwin":
        file = _agent_file()
        return [
            ServiceStep(file=file, text=agent(command)),
            ServiceStep(command=("launchctl", "unload", str(file)), may_fail=True),
            ServiceStep(command=("launchctl", "load", "-w", str(file))),
        ]
    if platform == "win32":
        task = ("schtasks", "/Create", "/F", "/SC", "ONLOGON", "/TN", NAME)
        return [
            ServiceStep(command=(*task, "/TR", subprocess.list2cmdline(command))),
            ServiceStep(command=("schtasks", "/Run", "/TN", NAME)),
        ]
    raise _unknown(platform)


def uninstalling(platform: str) -> list[ServiceStep]:
    """The steps that stop it and take it away; evenings stay.

    Raises:
        BadInput: nobody knows how on this one.
    """
    if platform.startswith("linux"):
        disable = ("systemctl", "--user", "disable", "--now", f"{NAME}.service")
        return [
            ServiceStep(command=disable, may_fail=True),
            ServiceStep(file=_unit_file()),
            ServiceStep(command=("systemctl", "--user", "daemon-reload")),
        ]
    if platform == "darwin":
        unload = ("launchctl", "unload", "-w", str(_agent_file()))
        return [ServiceStep(command=unload, may_fail=True), ServiceStep(file=_agent_file())]
    if platform == "win32":
        return [
            ServiceStep(command=("schtasks", "/End", "/TN", NAME), may_fail=True),
            ServiceStep(command=("schtasks", "/Delete", "/F", "/TN", NAME), may_fail=True),
        ]
    raise _unknown(platform)


def unit(command: Sequence[str]) -> str:
    """The systemd unit."""
    return f"""[Unit]
Description=Cloud Mine Companion: keeps the score by watching the table

[Service]
ExecStart={" ".join(_unit_word(word) for word in command)}
Restart=on-failure
RestartSec=3
KillMode=mixed
KillSignal=SIGINT
TimeoutStopSec=10

[Install]
WantedBy=default.target
"""


def agent(command: Sequence[str]) -> str:
    """The launch agent's property list."""
    told = {
        "Label": LABEL,
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
    }
    return plistlib.dumps(told).decode("utf-8")


def _unit_word(word: str) -> str:
    """One word of a unit's command line: systemd expands % and $, and splits at blanks."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"'


def _command_of(args: argparse.Namespace) -> list[str]:
    """What the service runs: this very Python, with the options that were given."""
    words = [sys.executable, "-m", "companion", "play"]
    for name in PASSED_ON:
        value = getattr(args, name)
        if value is True:
            words.append(f"--{name}")
        elif value not in (None, False):
            words += [f"--{name}", _lasting(name, str(value))]
    return words


def _lasting(name: str, value: str) -> str:
    """A folder or a film told from here, so that it means the same from everywhere."""
    beside = Path(value).expanduser()
    return str(beside.resolve()) if name == "data" or beside.exists() else value


def _unit_file() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(base).expanduser() / "systemd" / "user" / f"{NAME}.service"


def _agent_file() -> Path:
    return Path("~/Library/LaunchAgents").expanduser() / f"{LABEL}.plist"


def _unknown(platform: str) -> BadInput:
    return BadInput(
        f"nobody knows how to make a service on {platform}: start `companion` with the system by hand"
    )

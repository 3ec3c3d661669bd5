"""Starts the companion with this computer from now on: it is there whenever the tablet asks.

Made for this user, never for the whole system: a systemd unit on Linux, a launch agent on macOS, a
task on Windows. It says what it will do and does it; `companion uninstall-service` takes it back.
Options that are given here are the service's, from whatever folder it is started; one that a service
cannot use is refused, and so is a companion that `uvx` or `pipx run` keeps for a while only. A second time the running one is started anew with the new options.
"""

from __future__ import annotations

import argparse
import os
import plistlib
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from card_printables.files import write_beside_then_replace
from companion.commands import play
from companion.commands.open_page import companion_runs_at
from companion.commands.play import say
from companion.commands.shared.sources import lasting_source
from companion.errors import BadInput
from companion.journal.data_folder import data_folder, open_folder
from companion.set_up import deck_store
from companion.web.addresses import check_port_free
from companion.web.guards.certificate_authority import check_https_installed

NAME = "cloud-mine-companion"
LABEL = f"home.{NAME}"

NOT_PASSED_ON = {
    "hall": "a hall is joined once, not at every start: join it on the tablet (More, Hall), and leave --hall out",
    "record": "a recording takes a new folder at every start: leave --record out, and use `companion record`",
    "record_pictures": "a service keeps no pictures: leave --record-pictures out, and use `companion record`",
}
"""What `play` takes and a service does not, and what to do instead."""


PIPX_CACHES = frozenset({".cache", "caches", "cache"})
"""What pipx calls the folder of `pipx run` on Linux, macOS and Windows; it marks none."""


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
                write_beside_then_replace(  # a camera's address may hold a password
                    self.file, self.text.encode(), private=True
                )
            elif self.file is not None:
                self.file.unlink(missing_ok=True)
            else:
                self._run()
        except OSError as error:
            raise BadInput(f"this did not work: {self.says} ({error})") from error

    def _run(self) -> None:
        try:
            done = subprocess.run(self.command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            if self.may_fail:
                return
            raise
        if done.returncode and not self.may_fail:
            told = (done.stderr or done.stdout).strip().replace("\n", "; ")
            raise BadInput(f"this did not work: {self.says} ({told or done.returncode})")


def configure(parser: argparse.ArgumentParser) -> None:
    """What the service is started with."""
    play.configure(parser)
    add_dry_run(parser)


def add_dry_run(parser: argparse.ArgumentParser) -> None:
    """The option to only look."""
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be done, and do nothing"
    )


def run(args: argparse.Namespace) -> int:
    """Install and start it; 0 when that was done."""
    steps = installing(sys.platform, _command_of(args))
    file = installed_file(sys.platform)
    before = file.read_text(encoding="utf-8") if file is not None and file.exists() else None
    _check(args, installed=before is not None)
    if args.dry_run:
        carry_out(steps, dry_run=True)
        return 0
    open_folder(args.data)
    try:
        carry_out(steps, dry_run=False)
    except BadInput as error:
        _take_back(steps, before)
        raise BadInput(
            f"{error}; {'nothing is installed' if before is None else 'the service is as it was'}: "
            "log in as this user on the machine itself or by ssh (not by su or sudo) and do it again, "
            "or start `companion` by hand"
        ) from error
    say(
        "The companion is started, now and whenever this computer starts (at your login at the latest)."
    )
    say(f"It is shown by: {shlex.join(_showing(args))}")
    return 0


def _check(args: argparse.Namespace, installed: bool) -> None:
    """Raise BadInput for what `play` would refuse, for nobody would see it, and for a companion that
    does not stay where it is."""
    if is_cached(Path(sys.prefix)):
        raise BadInput(
            "this companion lies in a cache, which uvx and pipx empty now and then: install it with "
            f"`uv tool install {NAME}` or `pipx install {NAME}`, then `companion install-service`"
        )
    if args.https:
        check_https_installed()
    play.played_cards(argparse.Namespace(**vars(args)))
    if args.port == 0:
        raise BadInput("a service keeps its port: choose one from 1024 to 65535 with --port")
    host = "127.0.0.1" if play.is_everywhere(args.host) else args.host
    runs = installed and companion_runs_at(host, args.port)
    check_port_free(args.host, args.port, may_be_taken=runs)


def is_cached(environment: Path) -> bool:
    """Whether this Python environment lies in a cache of uv (marked as every cache may be) or pipx."""
    if any((folder / "CACHEDIR.TAG").exists() for folder in environment.parents):
        return True
    names = {folder.name.casefold() for folder in environment.parents}
    return "pipx" in names and not names.isdisjoint(PIPX_CACHES)


def _take_back(steps: Sequence[ServiceStep], before: str | None) -> None:
    """Undo a half-done installation: nothing is left, or the service of `before`."""
    undoing = uninstalling(sys.platform)
    if before is not None:
        undoing = [
            replace(steps[0], text=before),
            *(replace(step, may_fail=True) for step in steps[1:]),
        ]
    carry_out(undoing, dry_run=False)


def _showing(args: argparse.Namespace) -> list[str]:
    """The command that shows the service in this computer's browser."""
    words = ["companion", "open"]
    if args.port != play.DEFAULT_PORT:
        words += ["--port", str(args.port)]
    return words + (["--data", _lasting("data", args.data)] if args.data else [])


def carry_out(steps: Sequence[ServiceStep], dry_run: bool) -> None:
    """Say every step, then do it; a file that is not there is not removed.

    Raises:
        BadInput: one could not be done; the rest is left.
    """
    for step in steps:
        if step.file is not None and step.text is None and not step.file.exists():
            continue
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
            ServiceStep(command=("systemctl", "--user", "enable", f"{NAME}.service")),
            ServiceStep(command=("systemctl", "--user", "restart", f"{NAME}.service")),
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
            ServiceStep(command=("schtasks", "/End", "/TN", NAME), may_fail=True),
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
            ServiceStep(file=_unit_file().parent / "default.target.wants" / _unit_file().name),
            ServiceStep(command=("systemctl", "--user", "daemon-reload"), may_fail=True),
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
    """What the service runs: this very Python, with every option of `play`.

    Raises:
        BadInput: an option was given that a service cannot use.
    """
    parser = argparse.ArgumentParser()
    play.configure(parser)
    words = [sys.executable, "-m", "companion", "play"]
    for name in vars(parser.parse_args([])):
        given = getattr(args, name)
        if given in (None, False, []):
            continue
        if name in NOT_PASSED_ON:
            raise BadInput(NOT_PASSED_ON[name])
        option = "--" + name.replace("_", "-")
        for value in given if isinstance(given, list) else [given]:
            words += [option] if value is True else [option, _lasting(name, str(value))]
    return words


def _lasting(name: str, value: str) -> str:
    """A folder or a file told so that it means the same from everywhere."""
    if name == "camera":
        return lasting_source(value)
    if name == "data":
        return str(data_folder(value).resolve())
    if name == "deck" and value.endswith(deck_store.ENDING) and Path(value).exists():
        return str(Path(value).resolve())
    return value


def installed_file(platform: str) -> Path | None:
    """The file that is there while the service is installed; None on Windows, which has none."""
    return {"linux": _unit_file(), "darwin": _agent_file()}.get(platform)


def _unit_file() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(base).expanduser() / "systemd" / "user" / f"{NAME}.service"


def _agent_file() -> Path:
    return Path("~/Library/LaunchAgents").expanduser() / f"{LABEL}.plist"


def _unknown(platform: str) -> BadInput:
    return BadInput(
        f"nobody knows how to make a service on {platform}: start `companion` with the system by hand"
    )

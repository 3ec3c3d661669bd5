"""What makes the companion easy to reach: versions, variables, completion, the manual, the service,
the doctor."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import plistlib
import re
import shlex
import shutil
import socket
import stat
import subprocess
import time
from itertools import accumulate
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.cameras.port import Frame
from card_printables.deck import DECKS
from companion.__main__ import main
from companion.commands import doctor, install_service, man
from companion.commands.completion import SHELLS, script
from companion.commands.shared.all_commands import COMMANDS, all_commands
from companion.commands.shared.environment import VARIABLES, take_variables
from companion.commands.shared.own_invitation import OwnInvitation
from companion.commands.shared.progress import Progress
from companion.errors import BadInput
from companion.web import Door, Server, create_app
from companion.web.addresses import check_port_free
from companion.web.app import shared_by
from companion.web.guards import certificate_authority
from tests.house.sources import STOREYS, modules
from tests.support.kept_evening import played


def parsed(words: list[str], environment: dict[str, str]) -> argparse.Namespace:
    """What `play` is told by flags and variables."""
    from companion.commands import play

    parser = argparse.ArgumentParser()
    play.configure(parser)
    take_variables(parser, environment)
    return parser.parse_args(words)


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_the_version_is_said(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, exit code 0."""
    assert main([flag]) == 0
    name, number = capsys.readouterr().out.split()
    assert name == "companion"
    assert number.count(".") == 2


def test_only_the_version_needs_the_version(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Where what is installed cannot be looked into, its commands run."""

    def forbidden(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", forbidden)
    assert main(["evenings", "--data", str(tmp_path / "none")]) == 2
    assert "no evening" in capsys.readouterr().err.lower()


def test_a_flag_comes_before_a_variable_and_that_before_the_default() -> None:
    """Also for numbers; an empty variable is none."""
    assert parsed([], {}).port == 8765
    assert parsed([], {"COMPANION_PORT": ""}).port == 8765
    assert parsed([], {"COMPANION_PORT": "9000", "COMPANION_DATA": "/x"}).port == 9000
    assert parsed([], {"COMPANION_PORT": "9000", "COMPANION_DATA": "/x"}).data == "/x"
    assert parsed(["--port", "9001"], {"COMPANION_PORT": "9000"}).port == 9001
    assert parsed([], {"COMPANION_CAMERA": "off"}).camera == "off"


def test_a_variable_that_means_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence that names it, exit code 2."""
    with pytest.raises(BadInput, match="COMPANION_PORT is 'many'"):
        parsed([], {"COMPANION_PORT": "many"})
    monkeypatch.setenv("COMPANION_LANGUAGE", "xx")
    assert main(["calibrate", "--from", "nothing.jpg"]) == 2
    assert "COMPANION_LANGUAGE is 'xx'" in capsys.readouterr().err


def test_the_help_lists_every_variable(capsys: pytest.CaptureFixture[str]) -> None:
    """And each stands for an option that some command has."""
    main(["--help"])
    told = capsys.readouterr().out
    options = {option for command in all_commands() for option in command.options}
    for name, (option, _) in VARIABLES.items():
        assert name in told
        assert option in options


def test_the_help_says_what_the_language_is_of() -> None:
    """It names every command that has the option, and no other."""
    option, told = VARIABLES["COMPANION_LANGUAGE"]
    having = {c.name for c in all_commands() if option in c.options}
    assert having == set(re.findall(r"`companion (\S+)`", told))


def test_the_language_of_always_is_that_of_the_sheets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`companion print` takes it where no flag is given."""
    asked, by_variable, english = (tmp_path / f"{name}.pdf" for name in ("asked", "variable", "en"))
    assert main(["print", "ruler", "--out", str(english)]) == 0
    assert main(["print", "ruler", "--language", "de", "--out", str(asked)]) == 0
    monkeypatch.setenv("COMPANION_LANGUAGE", "de")
    assert main(["print", "ruler", "--out", str(by_variable)]) == 0
    assert by_variable.read_bytes() == asked.read_bytes() != english.read_bytes()


def test_nothing_is_printed_in_colour() -> None:
    """So `NO_COLOR` is kept by everybody: no module writes a terminal's colour code."""
    colours = [name for name, path in modules().items() if "\\033[3" in path.read_text("utf-8")]
    assert STOREYS
    assert not colours


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_completed(shell: str) -> None:
    """And the shell, where it is there, understands what it is given."""
    text = script(shell)
    for command in all_commands():
        assert command.name in text
        for option in command.options:
            assert option.removeprefix("--") in text
    if shutil.which(shell):
        checked = subprocess.run([shell, "-n"], input=text, text=True, capture_output=True, check=False)  # fmt: skip
        assert checked.returncode == 0, checked.stderr


def test_bash_completes_a_command_its_options_and_their_values(tmp_path: Path) -> None:
    """`companion pr<Tab>`, `companion score --da<Tab>`, `companion score --edition <Tab>`, and a file
    where it may be one."""
    (tmp_path / "companion.bash").write_text(script("bash"), encoding="utf-8")
    (tmp_path / "one evening.zip").touch()

    def completed(*words: str) -> list[str]:
        line = ("companion", *words)
        typed = " ".join(map(shlex.quote, line))
        called = " ".join(map(shlex.quote, ("companion", line[-1], line[-2])))
        asks = f"COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _shtab_companion {called}"
        asks = f"source companion.bash; {asks}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        told = subprocess.run(
            ["bash", "-c", asks], capture_output=True, text=True, check=True, cwd=tmp_path
        )
        return told.stdout.splitlines()

    assert completed("pr") == ["practice", "print"]
    assert completed("score", "--day") == ["--daydreamer"]
    assert completed("score", "--edition", "") == ["en", "de", "cs"]
    assert completed("replay", "one") == ["one evening.zip"]


def test_the_manual_tells_every_command_and_variable() -> None:
    """In roff without loose dots at the beginning of a line."""
    page = man.page()
    for name in COMMANDS:
        assert f'.SS "{name.replace("-", chr(92) + "-")}"' in page
    for name in VARIABLES:
        assert name in page
    assert "\n.B IMAGE\na JPEG or PNG picture\n" in page
    assert "\n.B \\-\\-camera CAMERA\n" in page
    assert all(line.split()[0] in {".TH", ".SH", ".SS", ".TP", ".B", ".PP", ".nf", ".fi"} for line in page.splitlines() if line.startswith("."))  # fmt: skip


# --- the service


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, a systemd that only notes what it is told, and every port free."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("systemctl", "loginctl"):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/told\n', encoding="utf-8")
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))

    def whoever_has_it(host: str, port: int, may_be_taken: bool) -> None:
        assert isinstance(may_be_taken, bool)
        check_port_free(host, port, may_be_taken=True)

    monkeypatch.setattr(install_service, "check_port_free", whoever_has_it)
    monkeypatch.setattr(install_service, "companion_runs_at", lambda host, port: False)
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


UNIT = Path("config/systemd/user/cloud-mine-companion.service")


def test_the_service_is_installed_and_taken_away(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A unit with the options that were given; each step is said before it is done."""
    assert main(["install-service", "--camera", "off", "--port", "8770"]) == 0
    said = capsys.readouterr().out
    unit = (home / UNIT).read_text(encoding="utf-8")
    assert '"-m" "companion" "play"' in unit
    assert '"--camera" "off"' in unit
    assert '"--port" "8770"' in unit
    assert "companion open --port 8770" in said
    assert str(home / UNIT) in said
    told = (home / "told").read_text(encoding="utf-8")
    enabled = told.index("systemctl --user enable cloud-mine-companion.service")
    assert told.index("systemctl --user restart cloud-mine-companion.service") > enabled
    assert main(["uninstall-service"]) == 0
    assert not (home / UNIT).exists()
    assert main(["uninstall-service"]) == 0, "there was nothing to take away"
    assert "disable --now" in (home / "told").read_text(encoding="utf-8")


def test_every_option_of_play_is_the_services_or_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """None is dropped in silence; folders and films mean the same from every folder."""
    monkeypatch.chdir(home)
    (home / "film.avi").touch()
    (home / "practice").mkdir()
    words = ["--camera", "film.avi", "--data", "kept", "--deck-size", "70", "--marker-mm", "9.5",
             "--host", "127.0.0.1", "--port", "8770", "--host-name", "one", "--host-name", "two",
             "--no-name", "--https", "--light", "--deck", DECKS[0]]  # fmt: skip
    assert main(["install-service", *words]) == 0
    command = next(
        line for line in (home / UNIT).read_text("utf-8").splitlines() if "ExecStart" in line
    )
    given = parsed(shlex.split(command)[4:], {})
    expected = parsed(words, {})
    expected.camera, expected.data = str(home / "film.avi"), str(home / "kept")
    assert given == expected
    options = _options_of("play") - {"--help"}
    refused = {"--" + name.replace("_", "-") for name in install_service.NOT_PASSED_ON}
    assert options == refused | {word for word in words if word.startswith("--")}
    assert stat.S_IMODE((home / UNIT).stat().st_mode) & 0o077 == 0, "cameras have passwords"
    assert main(["install-service", "--camera", "practice"]) == 0
    assert '"--camera" "practice"' in (home / UNIT).read_text("utf-8"), "no folder of that name"
    before = (home / "told").read_text("utf-8")
    for option in (["--hall", "http://x/table/y"], ["--record", "r"], ["--record-pictures"]):
        assert main(["install-service", *option]) == 2
        assert f"leave {option[0]} out" in capsys.readouterr().err
    assert (home / "told").read_text("utf-8") == before


def _options_of(name: str) -> set[str]:
    return set(next(command.options for command in all_commands() if command.name == name))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--port", "70000"], "no port 70000"),
        (["--port", "0"], "a service keeps its port"),
        (["--deck", "never learnt"], "never learnt"),
        (["--deck-size", "3"], "a deck of 3 cards"),
        (["--marker-mm", "0"], "a marker of 0.0 mm"),
        (["--camera", "no-film.avi"], "no camera or file"),
        (["--camera", "http://"], "names no host"),
    ],
)
def test_what_play_would_refuse_is_no_service(
    home: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a sentence, before anything is written or run."""
    assert main(["install-service", "--data", str(home / "kept"), *words]) == 2
    assert told in capsys.readouterr().err
    assert not (home / UNIT).exists()
    assert not (home / "told").exists()


def test_a_secure_service_needs_what_secure_pages_need(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without that package it would fail at each start, where nobody sees it."""
    monkeypatch.setattr(certificate_authority, "find_spec", lambda name: None)
    assert main(["install-service", "--https"]) == 2
    assert "cloud-mine-companion[https]" in capsys.readouterr().err
    assert not (home / UNIT).exists()


def test_a_port_that_is_taken_is_only_the_services_own(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first service wants a free port; a second installation may find the first one there."""
    monkeypatch.setattr(install_service, "check_port_free", check_port_free)
    with socket.create_server(("0.0.0.0", 0)) as server:
        words = ["install-service", "--port", str(server.getsockname()[1])]
        assert main(words) == 2
        assert "another program has it" in capsys.readouterr().err
        (home / UNIT).parent.mkdir(parents=True)
        (home / UNIT).write_text("the first one", encoding="utf-8")
        assert main(words) == 2, "it is another program that has it"
        monkeypatch.setattr(install_service, "companion_runs_at", lambda host, port: True)
        assert main(words) == 0


@pytest.mark.parametrize("before", [None, "the service of before"])
def test_without_a_session_nothing_is_left_half_done(
    home: Path, before: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """The unit is taken away again, or is the one of before; the message says what to do."""
    (home / "tools" / "systemctl").write_text("#!/bin/sh\necho no bus >&2\nexit 1\n", "utf-8")
    (home / UNIT).parent.mkdir(parents=True)
    if before is not None:
        (home / UNIT).write_text(before, encoding="utf-8")
    assert main(["install-service"]) == 2
    said = capsys.readouterr().err
    assert "no bus" in said
    assert "by ssh" in said
    assert ((home / UNIT).read_text("utf-8") if (home / UNIT).exists() else None) == before
    assert main(["uninstall-service"]) == 0
    assert not (home / UNIT).exists()


@pytest.mark.parametrize(
    ("environment", "marked"),
    [
        (".cache/uv/archive-v0/AbC", ".cache/uv"),
        ("Local/uv/cache/archive-v0/AbC", "Local/uv/cache"),
        (".cache/pipx/7e04", None),
        ("Library/Caches/pipx/7e04", None),
        ("Local/pipx/pipx/Cache/7e04", None),
    ],
)
def test_what_is_kept_for_a_while_is_no_service(
    home: Path,
    environment: str,
    marked: str | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`uvx` and `pipx run` install into a cache: it is said what to install first, and nothing is done."""
    (home / environment).mkdir(parents=True)
    if marked is not None:
        (home / marked / "CACHEDIR.TAG").touch()
    monkeypatch.setattr("sys.prefix", str(home / environment))
    for words in ([], ["--dry-run"]):
        assert main(["install-service", *words]) == 2
        assert "`uv tool install cloud-mine-companion`" in capsys.readouterr().err
    assert not (home / UNIT).exists()
    assert not (home / "told").exists()


@pytest.mark.parametrize(
    "environment",
    ["share/uv/tools/cloud-mine-companion", "share/pipx/venvs/companion", ".cache/pypoetry/venv", "game/.venv"],
)  # fmt: skip
def test_an_installed_one_stays_where_it_is(home: Path, environment: str) -> None:
    """A tool's environment, and a folder's own, which uv marks itself."""
    (home / environment).mkdir(parents=True)
    (home / environment / "CACHEDIR.TAG").touch()
    assert not install_service.is_cached(home / environment)


def test_a_dry_run_does_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says what would be done, the unit's text included."""
    assert main(["install-service", "--dry-run"]) == 0
    assert "ExecStart=" in capsys.readouterr().out
    assert not (home / UNIT).exists()
    assert not (home / "told").exists()


def test_a_unit_takes_every_folder() -> None:
    """Blanks, quotes and per cent signs mean themselves."""
    unit = install_service.unit(["/a b/py", "--data", '/home/50%/"x" $y'])
    assert "KillMode=mixed" in unit, "else its children hold the stop up until they are killed"
    assert 'ExecStart="/a b/py" "--data" "/home/50%%/\\"x\\" $$y"' in unit


def test_other_systems_have_theirs() -> None:
    """A launch agent that reads back, a task; a system nobody knows is refused in words."""
    assert plistlib.loads(install_service.agent(["py", "-m", "companion"]).encode())["ProgramArguments"] == ["py", "-m", "companion"]  # fmt: skip
    assert "schtasks /Create" in install_service.installing("win32", ["py", "a b"])[0].says
    assert install_service.uninstalling("darwin")[-1].text is None
    with pytest.raises(BadInput, match="plan9"):
        install_service.installing("plan9", ["py"])


# --- the doctor


def test_the_doctor_tells_machines_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As JSON, with what to do about a port that is taken."""
    with socket.create_server(("0.0.0.0", 0)) as server:
        port = server.getsockname()[1]
        monkeypatch.setattr("companion.commands.open_page.ASK_S", 0.1)  # nobody answers there
        words = [
            "doctor",
            "--no-cameras",
            "--no-name",
            "--json",
            "--data",
            str(tmp_path),
            "--port",
            str(port),
        ]
        assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["versions"]["companion"]
    assert told["data"] == str(tmp_path)
    found = [finding for finding in told["findings"] if str(port) in finding["what"]]
    assert found
    assert "--port" in found[0]["do"]
    assert (told["name"], told["old_browsers"], told["cameras"]) == (None, None, None)


def test_what_is_wrong_with_a_camera_comes_with_what_helps() -> None:
    """Slow, pausing, hunting, silent; a good one gives no finding."""
    good = doctor.CameraCheck("0  good", {}, 29.9, 0.05, 1.0)
    assert doctor.camera_findings(good) == []
    bad = doctor.CameraCheck("1  bad", {}, 5.0, 0.9, 20.0)
    assert len(doctor.camera_findings(bad)) == 3
    late = doctor.CameraCheck("1", {}, 29.9, 0.1, 1.0, late_share=0.12)
    (lost,) = doctor.camera_findings(late)
    assert "12% of the pictures" in lost.what
    assert "USB port of its own" in lost.do
    slow = doctor.CameraCheck("1", {}, 29.9, 0.05, 1.0, usb_mbit=12)
    assert "USB" in doctor.camera_findings(slow)[0].what
    silent = doctor.CameraCheck("2", {}, trouble="the camera 2 gives only black: check its lens")
    assert doctor.camera_findings(silent)[0].do == "check its lens"
    (none,) = doctor.camera_findings(doctor.CameraCheck("3  none", {}, 0.0))
    assert "gives no pictures" in none.what
    assert none.do


@pytest.mark.parametrize("seconds", ["inf", "nan", "-1", "0", "0.5", "1e300"])
def test_the_doctor_watches_for_a_time_that_ends(
    seconds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else it never ends, or sees nothing: one sentence, exit code 2."""
    assert main(["doctor", "--no-cameras", f"--seconds={seconds}"]) == 2
    assert "choose --seconds" in capsys.readouterr().err


def test_the_doctor_says_when_all_is_well(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a line of its own, and only then."""
    findings: list[doctor.Finding] = []
    monkeypatch.setattr(doctor, "machine_findings", lambda data, port: findings)
    words = ["doctor", "--no-cameras", "--no-name", "--data", str(tmp_path)]
    assert main(words) == 0
    assert "nothing here will bother" in capsys.readouterr().out
    findings.append(doctor.Finding("it is so", "do that"))
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "it is so: do that" in said
    assert "nothing here will bother" not in said


@pytest.mark.parametrize(
    ("pauses_s", "share"),
    [
        ([0.1] * 20, 0.0),
        ([0.09, 0.11] * 10, 0.0),
        ([0.1] * 17 + [0.2], 1 / 19),
        ([0.1] * 15 + [0.3, 0.3], 4 / 21),
        ([0.1] * 9 + [0.16], 1 / 11),
        ([0.1], 0.0),
        ([], 0.0),
        ([0.0] * 9, 0.0),
    ],
)
def test_pictures_that_came_late_or_not_at_all_are_counted(
    pauses_s: list[float], share: float
) -> None:
    """A pause of twice the usual one stands for a picture that is missing, of three times for two; what
    jitters by a tenth is in time."""
    times_s = list(accumulate(pauses_s, initial=5.0))
    assert doctor.late_share(times_s) == pytest.approx(share)


def test_a_camera_that_drops_pictures_is_measured_while_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of twenty pictures that were due a second apart one did not come: one in twenty."""

    class Dropping:
        """A camera whose eleventh picture is missing."""

        mode: dict[str, int] = {}  # noqa: RUF012 (as a stand-in has it)

        def __init__(self, *_: object) -> None:
            self.times_s = iter([n / 10 for n in range(21) if n != 10])

        def open(self) -> Dropping:
            return self

        def read(self) -> Frame | None:
            t_s = next(self.times_s, None)
            return None if t_s is None else Frame(np.full((16, 16, 3), 90, np.uint8), t_s, 0)

        def close(self) -> None:
            """Nothing to let go of."""

    monkeypatch.setattr("companion.capture.live.LiveCamera", Dropping)
    check = doctor._check_camera(0, "0  drops", 3600.0)
    assert check.late_share == 0.05
    assert check.fps == 9.5
    assert check.longest_gap_s == 0.2


@pytest.mark.parametrize(
    ("check", "says", "do"),
    [
        (doctor.NameCheck(True, "companion.local"), "companion.local, free", ""),
        (doctor.NameCheck(True, "companion.local", (), True), "this machine answers to it", ""),
        (doctor.NameCheck(False), "uv run --extra name companion", ""),
        (doctor.NameCheck(True, "companion-2.local", ("companion.local",)), "companion-2.local", "companion-2.local"),
        (doctor.NameCheck(True, None, ("companion.local",)), "none", "QR code"),
        (doctor.NameCheck(True), "none", "UDP port 5353"),
    ],
)  # fmt: skip
def test_the_doctor_tells_whose_the_name_is(
    check: doctor.NameCheck,
    says: str,
    do: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Free, ours, another machine's, or none, and then what to do; where the extra is missing nothing
    is wrong, and it is said how to get it."""
    monkeypatch.setattr(doctor, "check_name", lambda: check)
    monkeypatch.setattr(doctor, "local_addresses", lambda: ["192.0.2.7"])
    words = ["doctor", "--no-cameras", "--data", str(tmp_path), "--port", "0"]
    assert main(words) == 0
    (line,) = [one for one in capsys.readouterr().out.splitlines() if one.startswith("name ")]
    assert says in line
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["name"]["name"] == check.name
    assert told["name"]["taken"] == list(check.taken)
    assert [do in finding["do"] for finding in told["findings"]] == [True] * bool(do)


def test_the_doctor_names_devices_whose_browser_is_too_old(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It asks the companion that runs here, by the code that only its owner can read; a port that the
    companion has is nothing to find."""
    app = create_app(played().session, Door())
    door = shared_by(app).door
    browser = app.test_client()
    browser.get(f"/in/{door.invite()}", headers={"User-Agent": "an old iPad"})
    with_script = app.test_client()
    with_script.get(f"/in/{door.invite()}", headers={"User-Agent": "iPhone Mobile"})
    server = Server(app, "127.0.0.1", 0).start()
    try:
        invitation = OwnInvitation(tmp_path, server.port)
        words = ["doctor", "--no-cameras", "--no-name", "--json", "--data", str(tmp_path), "--port", str(server.port)]  # fmt: skip
        for expected in ([], ["Tablet"], []):
            invitation.renew(door, f"http://127.0.0.1:{server.port}")
            assert main(words) == 0
            told = json.loads(capsys.readouterr().out)
            assert told["old_browsers"] == expected
            assert [("Tablet" in f["what"], "update it" in f["do"]) for f in told["findings"]] == [(True, True)] * len(expected)  # fmt: skip
            told_by = "/api/hello" if expected else "/api/too-old"
            assert browser.get(told_by).status_code in (200, 204)
        invitation.remove()
        assert doctor.old_browsers(str(tmp_path), server.port) is None
    finally:
        server.stop()


def test_who_has_an_old_browser_is_nobodys_business() -> None:
    """Without a code that is good nothing is said, and a stranger's word changes nothing."""
    app = create_app(played().session, Door())
    stranger = app.test_client()
    assert stranger.get("/api/too-old").status_code == 401
    assert stranger.get("/api/old-browsers/guessed").status_code == 404
    assert not shared_by(app).too_old


def test_a_browser_without_modules_says_so_to_the_companion() -> None:
    """The script that only such a browser runs asks for the address that notes it."""
    script = (Path(doctor.__file__).parents[1] / "web/static/old_browser.js").read_text("utf-8")
    assert 'new Image().src = "/api/too-old"' in script


def test_a_cameras_port_tells_its_speed(tmp_path: Path) -> None:
    """From the camera's own folder up to the port that has one; a camera without says nothing."""
    port = tmp_path / "usb1" / "1-2"
    (port / "1-2:1.0").mkdir(parents=True)
    (port / "speed").write_text("480\n", encoding="ascii")
    (tmp_path / "class" / "video3").mkdir(parents=True)
    (tmp_path / "class" / "video3" / "device").symlink_to(port / "1-2:1.0")
    assert doctor.usb_mbit(3, tmp_path / "class") == 480.0
    assert doctor.usb_mbit(4, tmp_path / "class") is None


def test_the_container_knows_the_same_words() -> None:
    """What the compose files set are variables that the command line knows, their image is made by the
    file that is there, and its entry is ours."""
    root = Path(__file__).parents[3]
    for name in ("compose.yaml", "companion/hall/operations/compose.yaml"):
        text = (root / name).read_text("utf-8")
        told = set(re.findall(r"^ +(COMPANION_\w+):", text, re.M))
        assert told
        assert told <= set(VARIABLES)
        (context,) = re.findall(r"^ +context: (\S+)$", text, re.M)
        (made_by,) = re.findall(r"^ +dockerfile: (\S+)$", text, re.M)
        assert ((root / name).parent / context / made_by).resolve() == root / "Containerfile"
    container = (root / "Containerfile").read_text("utf-8")
    assert 'ENTRYPOINT ["/opt/companion/bin/companion"]' in container
    for storey in STOREYS:
        assert f"COPY {storey} " in container


def test_a_bar_ends_full_where_pictures_are_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--light` each step stands for two pictures of the film, and the bar counts pictures."""
    read = iter((2, 4, 6))
    for _ in Progress(6, quiet=False).over(range(3), lambda: next(read)):
        time.sleep(0.21)
    assert "100%" in capsys.readouterr().err


def test_a_files_name_moves_no_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`companion read *` in a folder of a stranger's: escape codes in a name are shown, not obeyed."""
    picture = tmp_path / "a\x1b[2Jb\x07.png"
    assert main(["read", str(picture)]) == 2
    cv2.imwrite(str(tmp_path / "plain.png"), np.full((400, 600, 3), 128, np.uint8))
    (tmp_path / "plain.png").rename(picture)
    assert main(["read", str(picture)]) == 0
    said = capsys.readouterr()
    assert "a\ufffd[2Jb\ufffd.png: no cards" in said.out
    assert "a\ufffd[2Jb\ufffd.png" in said.err
    assert "\x1b" not in said.out + said.err

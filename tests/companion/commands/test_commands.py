"""The command line and input it cannot use: one sentence that says what to do, exit code 2, nothing
overwritten."""

from __future__ import annotations

import argparse
import importlib
import io
import socket
import sqlite3
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.cameras.picture_file import PictureLimits
from companion.__main__ import main
from companion.commands.play import show_code
from companion.commands.shared.all_commands import COMMANDS
from companion.journal import Journal
from companion.journal.recording import LINES, Recorder
from companion.journal.store import FILE
from companion.set_up.deck_store import keep_deck
from companion.vision.card_outline import CardOutline
from companion.vision.learnt.deck import LearntCard, LearntDeck, look_size
from companion.web import Server, create_app
from tests.companion.web.test_camera_sentences import beside, dealt, faces
from tests.support.kept_evening import played

GAME = ["--players", "Ada,Ben,Cleo", "--daydreamer", "Ada"]

Say = Callable[[list[str]], tuple[int, str, str]]


@pytest.fixture
def say(capfd: pytest.CaptureFixture[str]) -> Say:
    """Run a command: its exit code, what it printed, what it complained of."""

    def run(words: list[str]) -> tuple[int, str, str]:
        try:
            code = main(words)
        except SystemExit as left:
            code = int(left.code or 0)
        out, err = capfd.readouterr()
        return code, out, err

    return run


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A JPEG of nothing."""
    path = tmp_path / "nothing.jpg"
    noise = np.random.default_rng(1).integers(90, 110, (240, 320, 3), np.uint8)
    path.write_bytes(cv2.imencode(".jpg", noise)[1].tobytes())
    return path


def refused(said: tuple[int, str, str], *words: str) -> None:
    """One line on standard error that holds these words, exit code 2, nothing on standard output."""
    code, out, err = said
    assert code == 2, said
    assert out == ""
    assert err.startswith("companion")
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    for word in words:
        assert word in err


def bomb() -> bytes:
    """A small PNG that says it has 900 million pixels."""
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 1, 0, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(bytes(100_000))), (b"IEND", b"")]
    packed = [
        struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def test_a_system_that_gives_no_more_threads_is_one_sentence(
    say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is being begun just then; any other error of that kind is not taken for it."""

    def begin(words: str) -> None:
        def run(_: argparse.Namespace) -> int:
            raise RuntimeError(words)

        monkeypatch.setattr(importlib.import_module(COMMANDS["play"][0]), "run", run)

    begin("can't start new thread")
    refused(say(["play"]), "threads", "limit")
    begin("another")
    with pytest.raises(RuntimeError, match="another"):
        say(["play"])


def test_a_host_that_no_letters_make_is_one_sentence(say: Say, tmp_path: Path) -> None:
    """Pasted with a mark that turns the writing round, say."""
    told = ["play", "--camera", "off", "--data", str(tmp_path), "--host", "\u202e192.168.1.5"]
    refused(say(told), "--host")


def test_no_host_is_every_network() -> None:
    """As the first lines have it: the companion ended in a traceback."""
    server = Server(create_app(played().session), "", 0).start()
    try:
        socket.create_connection(("127.0.0.1", server.port), 10).close()
    finally:
        server.stop()


# --- pictures and footage


def test_pictures_that_are_none(say: Say, tmp_path: Path, picture: Path) -> None:
    """Missing, a text, a folder, a bomb, half a JPEG: `read` names the file and prints no half
    answer."""
    (tmp_path / "text.jpg").write_text("a cloud like a camel")
    (tmp_path / "bomb.png").write_bytes(bomb())
    (tmp_path / "half.jpg").write_bytes(picture.read_bytes()[: picture.stat().st_size // 2])
    (tmp_path / "empty.png").write_bytes(b"")
    for name in ("missing.jpg", "text.jpg", "bomb.png", "half.jpg", "empty.png", ""):
        refused(say(["read", str(picture), str(tmp_path / name), "--json"]), str(tmp_path / name))


def test_a_learnt_deck_is_not_missed_where_no_tokens_are(say: Say, tmp_path: Path) -> None:
    """What is missing is the table, and it is said."""
    outline = CardOutline.disc(85.0)
    width, height = look_size(outline)
    looks = (np.full((height, width, 3), 10 * n, np.uint8) for n in range(12))
    deck = LearntDeck("box", outline, tuple(LearntCard((look,)) for look in looks))
    keep_deck(tmp_path, deck)
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((300, 400, 3), 120, np.uint8))
    code, out, _ = say(["read", str(blank), "--deck", "box", "--data", str(tmp_path)])
    assert code == 0
    assert "the corner tokens are not in view" in out


def test_what_counts_for_nothing_in_a_picture_is_said(tmp_path: Path, say: Say) -> None:
    """A card that lies there twice was lost without a word, and a mirrored picture had no cards."""
    twice, mirrored = tmp_path / "twice.png", tmp_path / "mirrored.png"
    cv2.imwrite(str(twice), beside(faces(c7=(-110.0, -75.0))))
    cv2.imwrite(str(mirrored), dealt()[:, ::-1])
    code, out, _ = say(["read", str(twice), str(mirrored)])
    assert code == 0
    assert ": 3, 12, 40 (" in out
    assert "twice, and so not named: 7 " in out
    assert "the picture is mirrored" in out


@pytest.mark.parametrize("command", ["score", "replay"])
def test_footage_that_is_none(say: Say, tmp_path: Path, picture: Path, command: str) -> None:
    """Missing, a text called a film, a folder without pictures: said, and the JSON of an earlier
    evening stays."""
    kept = tmp_path / "kept.json"
    kept.write_text("{}")
    (tmp_path / "film.mp4").write_text("a cloud like a camel")
    (tmp_path / "film.jsonl").write_text("a cloud like a camel\n")
    (tmp_path / "folder").mkdir()
    for name in ("missing.mp4", "film.mp4", "film.jsonl", "folder"):
        refused(say([command, str(tmp_path / name), *GAME, "--json", str(kept)]), name)
    assert kept.read_text() == "{}"


def test_a_film_that_breaks_off_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The stick was pulled out while it was copied: its head still tells of all of it."""
    monkeypatch.setattr("companion.commands.score.refuse_empty", lambda *_: None)
    film = empty_film(tmp_path, pictures=60)
    for share, told in ((1.0, False), (0.5, True)):
        cut = tmp_path / f"{share}.avi"
        cut.write_bytes(film.read_bytes()[: int(share * film.stat().st_size)])
        assert main(["score", str(cut), *GAME, "--quiet"]) == 0
        assert ("breaks off: it says that it is 6 s long" in capsys.readouterr().err) is told


def empty_film(folder: Path, pictures: int = 5) -> Path:
    """A film of so many grey pictures."""
    film = folder / "empty.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    for level in range(pictures):
        writer.write(np.full((240, 320, 3), 90 + level, np.uint8))
    writer.release()
    return film


def test_films_of_frames_that_would_fill_the_memory(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A film that promises larger frames than any camera makes is refused before its first frame,
    by every command."""
    film = str(empty_film(tmp_path))
    monkeypatch.setattr("calibration.cameras.recording.LIMITS", PictureLimits(filmed_px=320 * 239))
    for command in (["score", film, *GAME], ["check-deck", film], ["calibrate", "--from", film]):
        refused(say(command), film, "320 x 240")


def test_footage_without_cards(say: Say, tmp_path: Path) -> None:
    """A film in which no card is seen gives no ledger of zeros but a sentence."""
    film = empty_film(tmp_path)
    refused(
        say(["score", str(film), *GAME, "--json", str(tmp_path / "out.json")]),
        "no cards",
        "empty.avi",
    )
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize(
    ("players", "daydreamer", "words"),
    [
        ("Ada,Ben", "Ada", "not 2"),
        ("A,B,C,D,E,F,G,H,I", "A", "not 9"),
        ("Ada,,Cleo", "Ada", "empty"),
        ("Ada,Ben,ada", "Ada", "twice"),
        ("Ada,Ben,Cleo", "Zoe", "Zoe"),
        ("", "", "not 0"),
    ],
)
def test_players_that_cannot_be(
    say: Say, picture: Path, players: str, daydreamer: str, words: str
) -> None:
    """Too few, too many, nameless, twice the same, an unknown Daydreamer."""
    refused(say(["score", str(picture), "--players", players, "--daydreamer", daydreamer]), words)


def test_a_ledger_that_cannot_be_written_is_refused_before_the_work(
    say: Say, tmp_path: Path, picture: Path
) -> None:
    """The JSON's folder is missing, or the target is a folder."""
    for target in (tmp_path / "no" / "out.json", tmp_path):
        refused(say(["score", str(picture), *GAME, "--json", str(target)]), "--json")


@pytest.mark.parametrize("size", ["3", "0", "100000", "-5"])
def test_decks_that_cannot_be(say: Say, picture: Path, size: str) -> None:
    """A deck size that nobody can print."""
    refused(say(["score", str(picture), *GAME, "--deck-size", size]), "--deck-size")


# --- recordings


def test_a_recording_is_never_overwritten(say: Say, tmp_path: Path) -> None:
    """A folder that holds a recording is refused before anything starts."""
    Recorder(tmp_path / "rec").close()
    refused(
        say(
            ["play", "--camera", "off", "--record", str(tmp_path / "rec"), "--data", str(tmp_path)]
        ),
        "--record",
    )
    assert (tmp_path / "rec" / LINES).read_text() == ""


def test_a_damaged_recording_names_its_line(say: Say, tmp_path: Path) -> None:
    """The second line is no glimpse: it says which, of which file."""
    (tmp_path / LINES).write_text('{"v":1,"t":0.1}\n{"v":1,"seen":[[1]]}\n{"v":1,"t":0.3}\n')
    refused(say(["replay", str(tmp_path), *GAME]), "line 2", LINES)


# --- the evening


def test_a_port_in_use(say: Say, tmp_path: Path) -> None:
    """Another program's port is left to it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for command in ("play", "practice"):
            refused(
                say([command, "--host", "127.0.0.1", "--port", port, "--data", str(tmp_path)]),
                port,
                "another program has it",
                "--port",
            )


@pytest.mark.parametrize("port", ["-1", "65536", "99999999999", "tablet"])
def test_ports_that_cannot_be(say: Say, tmp_path: Path, port: str) -> None:
    """Out of range, or no number."""
    refused(say(["play", "--camera", "off", "--port", port, "--data", str(tmp_path)]), "port")


def test_a_host_that_is_not_this_machine(say: Say, tmp_path: Path) -> None:
    """An address of somebody else cannot be listened on."""
    refused(
        say(["play", "--camera", "off", "--host", "192.0.2.7", "--data", str(tmp_path)]),
        "192.0.2.7",
    )


@pytest.mark.parametrize(
    "camera", ["7", "no such camera", "http://", "HTTP://", "http://[", "missing.mp4"]
)
def test_cameras_that_are_not_there(say: Say, tmp_path: Path, camera: str) -> None:
    """A number nobody has, a name nobody bears, an address without a host, a film that is missing."""
    refused(
        say(
            [
                "play",
                "--camera",
                camera,
                "--port",
                "0",
                "--host",
                "127.0.0.1",
                "--data",
                str(tmp_path),
            ]
        ),
        "camera",
    )


def test_a_camera_address_without_its_beginning(say: Say, tmp_path: Path) -> None:
    """An address as a phone shows it: the sentence gives it back whole."""
    refused(
        say(["play", "--camera", "192.0.2.7:8080/video", "--data", str(tmp_path)]),
        "http://192.0.2.7:8080/video",
    )


@pytest.mark.parametrize(
    "address", ["http://[", "http://127.0.0.1:99999/video", "http://a b/", "rtsp://127.0.0.1:1/v"]
)
def test_calibrating_through_an_address_that_is_none(say: Say, address: str) -> None:
    """A broken address is said in a sentence."""
    refused(say(["calibrate", "--camera", address]), "the camera")


def test_a_camera_address_that_nobody_answers(say: Say, tmp_path: Path) -> None:
    """A network camera that is switched off, named without the password in its address."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://me:secret@127.0.0.1:{closed.getsockname()[1]}/video"
        said = say(
            [
                "play",
                "--camera",
                address,
                "--port",
                "0",
                "--host",
                "127.0.0.1",
                "--data",
                str(tmp_path),
            ]
        )
    refused(said, "127.0.0.1")
    assert "secret" not in said[2]


def test_a_data_folder_that_cannot_be_written(say: Say, tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "file").write_text("mine")
    refused(
        say(["play", "--camera", "off", "--port", "0", "--data", str(tmp_path / "file" / "data")]),
        "--data",
    )
    assert (tmp_path / "file").read_text() == "mine"


def test_a_log_of_a_newer_release(say: Say, tmp_path: Path) -> None:
    """It is neither opened nor touched."""
    Journal(tmp_path).close()
    db = sqlite3.connect(tmp_path / FILE)
    db.execute("PRAGMA user_version = 99")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    before = (tmp_path / FILE).read_bytes()
    refused(
        say(
            [
                "play",
                "--camera",
                "off",
                "--port",
                "0",
                "--host",
                "127.0.0.1",
                "--data",
                str(tmp_path),
            ]
        ),
        "newer",
        "update",
    )
    assert (tmp_path / FILE).read_bytes() == before


def test_a_data_folder_another_companion_writes(say: Say, tmp_path: Path) -> None:
    """Two companions on one folder: the second says so and leaves."""
    with Journal(tmp_path):
        refused(
            say(
                [
                    "play",
                    "--camera",
                    "off",
                    "--port",
                    "0",
                    "--host",
                    "127.0.0.1",
                    "--data",
                    str(tmp_path),
                ]
            )
        )


@pytest.mark.parametrize(
    "words",
    [
        ["--players", "2"],
        ["--players", "9"],
        ["--rounds", "0"],
        ["--fault", "nonsense"],
        ["--edition", "fr"],
    ],
)
def test_practice_tables_that_cannot_be(say: Say, tmp_path: Path, words: list[str]) -> None:
    """Too few, too many, no rounds, an unknown fault or edition."""
    refused(say(["practice", "--fast", "--data", str(tmp_path), *words]), words[0][2:])


# --- the front door


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["--nonsense"],
        ["score"],
        ["read"],
        ["play", "--port"],
        ["check-deck", "--deck", "X"],
    ],
)
def test_words_that_are_no_command(say: Say, words: list[str]) -> None:
    """Unknown commands and options, and those that lack something: one sentence that names --help."""
    refused(say(words), "--help")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["play", "--port", "8123x"], "--port takes a whole number, not '8123x'"),
        (["doctor", "--seconds", "long"], "--seconds takes a number, not 'long'"),
        (["check-deck", "--deck", "X"], "--deck can be CM1, CM2, CM3 or CM4, not 'X'"),
        (["play", "--nonsense"], "it does not know --nonsense"),
        (["play", "--port"], "--port needs a value after it"),
    ],
)
def test_a_value_that_does_not_fit_is_said_in_words(say: Say, words: list[str], told: str) -> None:
    """No type of the programming language, and what may stand there instead."""
    refused(say(words), f"companion {words[0]}: {told}; ")


@pytest.mark.parametrize("command", [*COMMANDS, ""])
def test_every_command_has_help(say: Say, command: str) -> None:
    """`--help` says what a command does, and exits 0."""
    code, out, err = say([command, "--help"] if command else ["--help"])
    assert (code, err) == (0, "")
    assert "usage: companion" in out
    assert len(out.splitlines()) > 5


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("print", "what to print (cards, table, stickers, test-sheet or ruler)"),
        ("completion", "whose completion to print (bash, zsh or fish)"),
        ("read", "IMAGE (a JPEG or PNG picture)"),
        ("score", "FOOTAGE ("),
        ("replay", "DIR ("),
        ("report", "--out ("),
        ("export", "FILE ("),
        ("import", "FILE ("),
        ("backup", "FILE ("),
        ("restore", "FILE ("),
        ("fit", "DIR ("),
    ],
)
def test_a_missing_word_is_said_with_an_example(say: Say, command: str, missing: str) -> None:
    """What is missing is said in words, and the example beside it is one that the command takes."""
    said = say([command])
    refused(said, f"companion {command}: missing is {missing}")
    example = said[2].split("for example: companion ")[1].split(";")[0].split()
    parser = argparse.ArgumentParser(exit_on_error=False)
    importlib.import_module(COMMANDS[command][0]).configure(parser)
    assert example[0] == command
    parser.parse_args(example[1:])


def test_all_that_is_missing_is_said_at_once(say: Say) -> None:
    """Three words of `companion score`, each with what it is."""
    _, _, err = say(["score"])
    assert "), --players (names in clockwise order" in err
    assert "), --daydreamer (the name of the first Daydreamer)" in err


@pytest.mark.skipif(sys.platform == "win32", reason="no such name reaches a disk there")
@pytest.mark.parametrize(
    "words",
    [
        "import LONG", "restore LONG", "replay LONG", "score LONG --players Ada,Ben,Cleo --daydreamer Ada",
        "fit LONG", "calibrate --from LONG", "print cards --out LONG", "evenings --data LONG",
        "play --camera LONG", "play --camera off --record LONG",
    ],
)  # fmt: skip
def test_a_name_that_no_disk_takes_is_one_sentence(say: Say, tmp_path: Path, words: str) -> None:
    """Longer than the disk allows; the same for a stick that was pulled out, whose files nobody can look
    at. It was a traceback."""
    told = words.replace("LONG", str(tmp_path / ("x" * 300))).split()
    more = ["--port", "0", "--data", str(tmp_path)] if told[0] == "play" else []
    refused(say([*told, *more]), "cannot be used", "name another")


def test_what_is_to_be_changed_is_named(say: Say, tmp_path: Path) -> None:
    """A host that is none of this machine's is no matter of the port; a link that leads nowhere, as into a
    stick that was pulled out, is no file that exists."""
    for host in ("nosuch.invalid", "203.0.113.7"):
        refused(say(["play", "--camera", "off", "--host", host]), f"on {host}", "--host")
    (tmp_path / "link").symlink_to(tmp_path / "stick", target_is_directory=True)
    refused(say(["play", "--data", str(tmp_path / "link")]), "link", "a link that leads nowhere")
    (tmp_path / "file").write_bytes(b"")
    refused(say(["play", "--data", str(tmp_path / "file")]), "file", "it is no folder")


@pytest.mark.parametrize("alphabet", ["ascii", "cp1252", "utf-8"])
def test_a_terminal_that_cannot_draw_the_code_shows_none(
    alphabet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had shown question marks for it."""
    shown = io.BytesIO()
    terminal = io.TextIOWrapper(shown, alphabet, errors="replace")
    monkeypatch.setattr(sys, "stdout", terminal)
    show_code("http://192.168.1.5:8000/in/x")
    terminal.flush()
    assert b"?" not in shown.getvalue()
    assert ("█".encode() in shown.getvalue()) == (alphabet == "utf-8")

"""The readers of foreign bytes again, guided by coverage: what reaches a new branch is mutated further.

    uv run --with atheris python -m tests.benchmarks.attacks.parsers_covered [--seconds 36000]
        [--only json,stream,side,pictures] [--keep]

libFuzzer through atheris, on the branches of our own modules (what decodes inside of OpenCV is not
measured). It begins with the sound seeds of `parsers` and with the corpus of `tests/corpus`, which
`--keep` replaces by the smallest one that reaches the same branches; the tests read that corpus.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.attacks.report import Report, parser_of

CORPUS = Path(__file__).parents[2] / "corpus"
READERS = ("json", "stream", "side", "pictures")
LONGEST_BYTES = 4096
"""Longer inputs are slower and reach nothing else; the sound seeds are shorter but for the side log."""

LONGEST_KEPT = 60
"""Files of a corpus that are kept, the shortest first."""


def fuzz(one: str, libfuzzer: list[str]) -> None:
    """In a process of its own: never comes back."""
    import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

    with atheris.instrument_imports(include=["companion", "calibration"]):
        from tests.benchmarks.attacks import parsers

    folder = tempfile.mkdtemp()
    read = parsers.readers(Path(folder))[one][1]
    again = f"{sys.executable} -m {__spec__.name} --reader {one}"  # a merge starts itself so
    atheris.Setup([again, *libfuzzer], lambda data: bool(read(data)) and None)
    atheris.Fuzz()


def ran(one: str, *libfuzzer: str) -> tuple[int, str]:
    """The exit code of one run of the fuzzer and all it said."""
    done = subprocess.run(
        [sys.executable, "-m", __spec__.name, "--reader", one, *libfuzzer],
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    return done.returncode, done.stderr + done.stdout


def attacked(report: Report, one: str, seconds: float, keep: bool) -> None:
    """One reader, one row."""
    from tests.benchmarks.attacks import parsers

    with tempfile.TemporaryDirectory() as name:
        found, small = Path(name) / "found", Path(name) / "small"
        found.mkdir()
        small.mkdir()
        kept = CORPUS / one
        kept.mkdir(parents=True, exist_ok=True)
        seeds, _ = parsers.readers(found.parent)[one]
        for number, seed in enumerate(seeds):
            (found / f"seed-{number}").write_bytes(seed)
        code, said = ran(
            one, f"-max_total_time={seconds:g}", f"-max_len={LONGEST_BYTES}", "-timeout=10",
            "-rss_limit_mb=2000", "-print_final_stats=1", f"-artifact_prefix={name}/", str(found), str(kept),
        )  # fmt: skip
        units = int((re.findall(r"number_of_executed_units: (\d+)", said) or ["0"])[-1])
        reached = (re.findall(r"cov: (\d+)", said) or ["0"])[-1]
        if code:
            print(said[-3000:], flush=True)
        ran(one, "-merge=1", f"-max_len={LONGEST_BYTES}", str(small), str(kept), str(found))
        files = sorted(small.iterdir(), key=lambda file: file.stat().st_size)
        if keep and not code:
            for old in kept.iterdir():
                old.unlink()
            for file in files[:LONGEST_KEPT]:
                (kept / file.name[:12]).write_bytes(file.read_bytes())
    value = f"{units:,} in {seconds:g} s, {reached} branches reached, smallest corpus {len(files)}: {int(code != 0)} faults"
    report.say(
        f"foreign bytes by coverage: {one}", value, "10 h of a core, 0 faults", units, not code
    )


def main() -> int:
    """One row for each reader."""
    if "--reader" in sys.argv:
        fuzz(sys.argv[2], sys.argv[3:])
    parser = parser_of(__doc__)
    parser.add_argument("--seconds", type=float, default=36_000, help="for each reader")
    parser.add_argument("--only", default=",".join(READERS))
    parser.add_argument("--keep", action="store_true", help="replace the corpus of the tests")
    asked = parser.parse_args()
    report = Report(asked)
    for one in asked.only.split(","):
        attacked(report, one, asked.seconds, asked.keep)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())

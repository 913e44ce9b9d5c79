"""Fuzz every target for a while: ``python -m fuzz.run [SECONDS] [TARGET ...]``.

Findings are written to ``fixtures/crashes/TARGET``, and a test runs the target on them again. The
corpus that grows in ``.work`` is kept for the next run.
"""

import hashlib
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from fuzz.seeds import CRASHES, ROOT, dictionary, seeds
from fuzz.targets import TARGETS

__all__ = ["main"]

WORK = ROOT / "fuzz" / ".work"
SECONDS_FOR_ONE_INPUT = 10
MEGABYTES = 2048
LONGEST_INPUT = 4096
START_SECONDS = 60
"""Extra seconds that a target may take to start and to end."""


@dataclass(frozen=True)
class Found:
    """What came of a target."""

    n_inputs: int
    seconds: int
    peak_megabytes: int
    faults: tuple[Path, ...]


def main(arguments: list[str]) -> int:
    """Fuzz; return 1 if anything was found."""
    seconds = int(arguments[0]) if arguments else 60
    targets = arguments[1:] or list(TARGETS)
    each = max(1, seconds // len(targets))
    _say(f"{'target':<14}{'inputs':>10}{'seconds':>9}{'peak MB':>9}{'faults':>8}")
    is_faulty = False
    for target in targets:
        found = _fuzz(target, each)
        counts = f"{found.n_inputs:>10}{found.seconds:>9}{found.peak_megabytes:>9}"
        _say(f"{target:<14}{counts}{len(found.faults):>8}")
        for fault in found.faults:
            _say(f"  {fault.relative_to(ROOT)}")
        is_faulty = is_faulty or bool(found.faults)
    return int(is_faulty)


def _say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _fuzz(target: str, seconds: int) -> Found:
    """Fuzz a target in a process of its own."""
    folder = WORK / target
    begun, grown, faults = (folder / name for name in ("seeds", "corpus", "faults"))
    for path in (begun, grown, faults):
        path.mkdir(parents=True, exist_ok=True)
    for content in seeds(target):
        (begun / hashlib.sha256(content).hexdigest()[:16]).write_bytes(content)
    words = folder / "words"
    # An empty dictionary would be an error.
    words.write_text(dictionary(target) or '"\\x00"\n', encoding="utf-8")
    command = [
        *(sys.executable, "-m", "fuzz.one", target),
        *(f"-max_total_time={seconds}", f"-timeout={SECONDS_FOR_ONE_INPUT}"),
        *(f"-rss_limit_mb={MEGABYTES}", f"-max_len={LONGEST_INPUT}", "-print_final_stats=1"),
        *(f"-dict={words}", f"-artifact_prefix={faults}/", str(grown), str(begun)),
    ]
    log = folder / "log.txt"
    with log.open("wb") as file:
        finished = subprocess.run(
            command,
            cwd=ROOT,
            stdout=file,
            stderr=file,
            timeout=seconds + START_SECONDS,
            check=False,
        )
    said = log.read_text(encoding="utf-8", errors="replace")
    kept = _keep(target, faults)
    if finished.returncode and not kept:
        raise SystemExit(f"{target}: the fuzzer failed, see {log.relative_to(ROOT)}")
    return Found(
        _statistic(said, "number_of_executed_units"),
        seconds,
        _statistic(said, "peak_rss_mb"),
        kept,
    )


def _keep(target: str, faults: Path) -> tuple[Path, ...]:
    """Move what was found to the fixtures."""
    kept = []
    for path in sorted(faults.iterdir()):
        content = path.read_bytes()
        name = f"{path.name.partition('-')[0]}-{hashlib.sha256(content).hexdigest()[:12]}"
        new = CRASHES / target / name
        new.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(content)
        path.unlink()
        kept.append(new)
    return tuple(kept)


def _statistic(said: str, name: str) -> int:
    """Read a number that libFuzzer prints in the end; 0 if it ended otherwise."""
    match = re.search(rf"stat::{name}:\s+([0-9]+)", said)
    return int(match[1]) if match else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

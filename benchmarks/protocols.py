"""Measure the cost of other packages' protocols against ROUGE-1.5.5 on the same pairs, in turns.

    python -m benchmarks.protocols [ROUNDS] [PROTOCOL ...]

The pairs are 11,490 made ones as in CNN/DM. Shown are ratios of the least times of the processor:
of whole commands against ``rouge-cli -n 2`` with its 1,000 resamples, and in memory of
``evaluate(protocol=...)`` against ``evaluate(max_ngram=2)`` with them. A protocol that finds
sentences with Punkt is compared with ROUGE-1.5.5 on these sentences. A protocol whose package is
not installed is left out.
"""

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import rouge_cli
from benchmarks.corpora import NEWS, Sampler
from benchmarks.timing import CommandError, interleaved, run_command, seconds_of, use_one_core
from rouge_cli.protocols import PROTOCOLS

ROUGE = Path(sys.executable).with_name("rouge-cli")
N_PAIRS, N_ROUNDS = 11_490, 7
WITH_PUNKT = {"torchmetrics", "biolaysumm", "gem"}
VARIANTS = ("rouge:exclusive=false", "rouge-score:use_stemmer=true", "xlsum:lang=german")


def main(arguments: list[str]) -> None:
    """Print a row for each protocol."""
    n_rounds = int(arguments[0]) if arguments else N_ROUNDS
    use_one_core()
    peers, models = Sampler(1).pairs(N_PAIRS, NEWS)
    print("| protocol | command | against 1.5.5 | in memory | against 1.5.5 |")
    print("| --- | ---: | ---: | ---: | ---: |")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.jsonl"
        records = (
            {"prediction": peer, "reference": row[0]}
            for peer, row in zip(peers, models, strict=True)
        )
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        for name in arguments[1:] or (*PROTOCOLS, *VARIANTS):
            try:
                of_command = _row(partial(_command, path), "--protocol", name, n_rounds)
                of_memory = _row(
                    lambda **asked: seconds_of(partial(rouge_cli.evaluate, peers, models, **asked)),
                    "protocol",
                    name,
                    n_rounds,
                )
            except (CommandError, rouge_cli.RougeError) as error:
                print(f"{name}: {error}", file=sys.stderr)
                continue
            print(f"| `{name}` | {of_command} | {of_memory} |", flush=True)


def _command(path: Path, **options: Any) -> float:
    """Return the processor's time of a whole command."""
    words = [str(word) for option in options.items() for word in option]
    return run_command((ROUGE, *words, path), path.parent).processor_seconds


def _row(seconds: Callable[..., float], option: str, name: str, n_rounds: int) -> str:
    """Return the least time of a protocol, and its ratio to that of ROUGE-1.5.5."""
    is_command = option.startswith("-")
    original: dict[str, Any] = {"-n" if is_command else "max_ngram": 2}
    if name in WITH_PUNKT:
        original["--sentences" if is_command else "sentences"] = "punkt"
    rounds = interleaved(partial(seconds, **{option: name}), partial(seconds, **original), n_rounds)
    ours, others = min(rounds.ours), min(rounds.others)
    return f"{ours * 1000:.0f} ms | {ours / others:.2f}"


if __name__ == "__main__":
    main(sys.argv[1:])

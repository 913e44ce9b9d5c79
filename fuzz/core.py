"""Fuzz the compiled core against the reference: ``python -m fuzz.core [SECONDS] [SEED]``.

The core is rebuilt with the compiler's sanitizers, which end the run at the first access outside an
array or undefined operation, and with an allocator that can be made to fail.
"""

import ctypes
import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import numpy as np

from fuzz.bulk_twins import check_index, check_pairs, check_vocabulary
from fuzz.core_twins import (
    check_counts,
    check_draws,
    check_flags,
    check_lone_scores,
    check_means,
    check_numbering,
    check_reading,
    check_scores,
    check_single_pairs,
    check_stems,
    draw_texts,
)
from fuzz.seeds import ROOT
from rouge_cli.text.columns import ReadTexts, TextColumns
from rouge_cli.text.word_lists import load_exceptions, load_stopwords

__all__ = ["main"]

FOLDER = ROOT / "fuzz" / ".work" / "core"
LIBRARY = FOLDER / "_core.so"
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
ALLOCATION = [f"-D{name}=failing_{name}" for name in ("malloc", "calloc", "realloc")]
DECLARED = "#include <stddef.h>\n" + "".join(
    f"void *failing_{name}({taken});\n"
    for name, taken in (
        ("malloc", "size_t"),
        ("calloc", "size_t, size_t"),
        ("realloc", "void *, size_t"),
    )
)
SHAPES = ((5_000, 6), (1_000, 12), (200, 40), (20, 120), (4, 700), (2, 3), (2, 1_500))
"""Number of texts drawn together, and of words in the longest."""

EVERY = 20
"""Rounds between those that also draw, and between those with failing allocations."""

N_THREADS = 2
STOPWORDS, EXCEPTIONS = load_stopwords(), load_exceptions()

CHILD = "FUZZED_CORE"


def main(arguments: list[str]) -> int:
    """Build the core, and fuzz it in a process that the sanitizer is loaded into first."""
    if os.environ.get(CHILD):
        _fuzz(float(arguments[0]), int(arguments[1]))
        return 0
    compiler = os.environ.get("CC", "cc")
    _build(compiler)
    runtime = subprocess.check_output([compiler, "-print-file-name=libasan.so"], text=True)
    environment = os.environ | {
        CHILD: "1",
        "LD_PRELOAD": runtime.strip(),
        # Memory that Python never frees is not a fault of the core.
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
        "OPENBLAS_NUM_THREADS": "1",
    }
    seed = arguments[1] if arguments[1:] else str(time.time_ns())
    command = [sys.executable, "-m", "fuzz.core", *(arguments[:1] or ["60"]), seed]
    return subprocess.run(command, env=environment, cwd=ROOT, check=False).returncode


def _build(compiler: str) -> None:
    """Build the core with sanitizers."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    declared = FOLDER / "failing_memory.h"
    declared.write_text(DECLARED)
    sources = sorted(map(str, (ROOT / "rouge_cli" / "core").glob("*.c")))
    common = [compiler, "-std=c99", "-g", "-O1", "-fPIC", "-fno-omit-frame-pointer", *SANITIZERS]
    memory = str(FOLDER / "failing_memory.o")
    own = [*common, "-c", str(ROOT / "fuzz" / "failing_memory.c"), "-o", memory]
    subprocess.run(own, check=True)
    # After the C headers, whose own declarations would be renamed too.
    renamed = [
        "-DPy_LIMITED_API=0x030B0000",
        # Small blocks, so that even tables of a few words are filled block by block.
        "-DMOST_KEPT=4096",
        "-include",
        "stdlib.h",
        "-include",
        str(declared),
        *ALLOCATION,
    ]
    include = f"-I{sysconfig.get_path('include')}"
    linked = [*common, "-shared", include, *renamed, *sources, memory, "-o", str(LIBRARY)]
    subprocess.run(linked, check=True)


def _load() -> Any:
    """Load the core that was built."""
    loader = ExtensionFileLoader("rouge_cli.core._core", str(LIBRARY))
    spec = spec_from_file_location("rouge_cli.core._core", LIBRARY, loader=loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def _fuzz(seconds: float, seed: int) -> None:
    """Compare for some seconds, round after round, and print the totals.

    Rounds run in parallel threads, as blocks of a run do.
    """
    core, library = _load(), ctypes.CDLL(str(LIBRARY))
    end = time.monotonic() + seconds
    n_pairs = n_rounds = n_failures = 0
    with ThreadPoolExecutor(N_THREADS) as executor:
        while time.monotonic() < end:
            numbers = range(n_rounds + 1, n_rounds + N_THREADS + 1)
            rounds = list(executor.map(partial(_round, core, seed), numbers))
            n_rounds += N_THREADS
            n_pairs += sum(n for _, _, n in rounds)
            if n_rounds % EVERY == 0:
                # While allocations fail, no other thread may request memory.
                n_failures += _fail(core, library, *rounds[0][:2])
    sys.stdout.write(
        f"{n_rounds:,} rounds, {n_pairs:,} pairs of texts, {n_failures:,} allocations that "
        f"failed: no difference, seed {seed}\n"
    )


def _round(core: Any, seed: int, number: int) -> tuple[list[bytes], ReadTexts, int]:
    """Compare on some texts; return them, as they were read, and how many pairs they made."""
    rng = np.random.default_rng((seed, number))
    n_texts, longest = SHAPES[rng.integers(len(SHAPES))]
    texts = draw_texts(rng, n_texts, longest)
    dropped = STOPWORDS if rng.random() < 1 / 2 else None
    irregular = EXCEPTIONS if rng.random() < 1 / EVERY else {b"ran": b"run"}
    forms = irregular if rng.random() < 1 / 2 else None
    try:
        found = check_reading(core, texts, dropped, forms)
        n_pairs = check_counts(core, rng, found)
        check_single_pairs(core, rng, texts, (dropped, forms), found)
        check_numbering(core, rng, texts)
        check_vocabulary(core, rng, texts, dropped, forms)
        check_pairs(core, rng, _columns(found))
        check_index(core, rng, _columns(found))
        check_stems(core, texts)
        check_flags(core, rng, len(texts))
        check_lone_scores(core, rng, 99)
        if number % EVERY == 0:
            check_draws(core, int(rng.integers(1, 3000)), int(rng.integers(1000)), 3)
            check_means(core, rng, int(rng.integers(1, 3000)))
            check_scores(core, rng, int(rng.integers(3000)))
    except BaseException:
        sys.stderr.write(f"in round {number} of seed {seed}\n")
        raise
    return texts, found, n_pairs


def _columns(found: ReadTexts) -> TextColumns:
    columns = found.stemmed or found.unstemmed
    assert columns is not None
    return columns


def _fail(core: Any, library: ctypes.CDLL, texts: list[bytes], found: Any) -> int:
    """Let each allocation of each function fail, one after the other; return how many did."""
    columns = found.unstemmed
    numbers = np.arange(columns.text_offsets.size - 1)
    side = (columns.types, columns.sentence_offsets, columns.text_offsets, numbers)
    pairs, tables = (core.match_pairs(side, side, found.n_types) for _ in range(2))
    hits, doubles = np.empty(numbers.size, np.int64), np.empty(numbers.size)
    f = np.arange(float(np.diff(columns.sentence_offsets).max(initial=0) + 1))
    offsets, is_first = columns.sentence_offsets, np.empty(columns.types.size, np.bool_)
    lines = b"aa a\nbeen be\n" + b"an" * 50 + b" an"
    lists, groups = core.word_list(lines, True), np.array([0, 1, len(texts)])

    def read_anew(starts: np.ndarray[Any, Any] | None) -> object:
        """Read with an empty cache of stems."""
        forms = core.word_list(lines, True)
        return core.read_texts(tuple(texts), starts, lists, forms, True, True)

    words = columns.types, columns.token_offsets
    lengths, order = np.zeros(numbers.size, np.int32), np.arange(numbers.size)
    n_hits = int(columns.token_counts.max(initial=0)) + 1
    table, scores = np.zeros((1, 1, n_hits)), np.empty((numbers.size, numbers.size))
    given = words, words, found.n_types
    scored = lengths, lengths, (table, 1), n_hits, order, scores
    one = np.ones(1, np.int32)

    def use_index() -> object:
        """Add the texts to an index, and look them up."""
        index = core.pair_index(lengths, True)
        tables = words, words, found.n_types, lengths, (one, one, one, one * 9)
        core.use_index(index, True, False, *tables, 0, numbers.size, 9)
        return core.use_index(index, False, True, *tables, 0, numbers.size, 9)

    # More words than fit into the first table.
    text, starts = np.arange(999, dtype=np.uint32).view(np.uint8), np.arange(0, 3960, 4)
    types, firsts = np.empty(starts.size, np.int32), np.empty(starts.size, np.int64)
    rule, firsts_of = (True, 0.0, 0.0), np.arange(numbers.size + 1)
    rows = np.empty((numbers.size, 2), np.int64), np.empty((numbers.size, 2)), hits.copy()
    calls: tuple[tuple[Callable[..., object], tuple[object, ...]], ...] = (
        (core.word_list, (b"\n".join(b"%d" % number for number in range(99)), False)),
        (read_anew, (None,)),
        (read_anew, (groups,)),
        (core.read_texts, (tuple(texts), None, lists, lists, False, False)),
        (core.read_texts, (tuple(texts), groups, lists, None, True, False)),
        (core.read_texts, (tuple(texts), groups, None, None, True, False, None, True)),
        (core.read_texts, (tuple(texts), None, lists, lists, True, False, core.vocabulary())),
        (core.read_texts, (tuple(texts), None, lists, None, True, False, core.vocabulary())),
        (core.score_pairs, (*given, True, False, *scored)),
        (core.score_pairs, (*given, False, True, *scored)),
        (use_index, ()),
        (core.count_pair, (lists, lists, 20, True, True, True, texts[0], texts[-1])),
        (core.score_pair, (1, 64, 64, 0.5)),
        (core.flag_texts, (tuple(texts), True)),
        (core.number_words, (text, starts, starts + 4, types, firsts)),
        (core.nltk_stem, (b"relational", True)),
        (core.match_pairs, (side, side, found.n_types)),
        (core.mark_firsts, (columns.types, offsets, found.n_types, is_first)),
        (core.count_units, (pairs, 2, True, True, np.empty((4, numbers.size), np.int64))),
        (core.count_clipped_lcs, (pairs, pairs, hits)),
        (core.count_clipped_lcs, (pairs, tables, hits)),
        (core.count_wlcs, (pairs, pairs, f, f, f, doubles, doubles.copy())),
        (core.count_pairwise_lcs, (pairs, hits, hits.copy())),
        (core.mark_lcs_words, (pairs, *np.zeros((2, columns.types.size), np.uint8))),
        (core.count_skip_bigrams, (pairs, 4, False, hits, hits.copy())),
        (core.count_skip_bigrams, (pairs, 4, True, hits, hits.copy())),
        (core.choose_sentences, (pairs, firsts_of, *rule, *rows)),
        (core.count_fragments, (pairs, np.empty((2, numbers.size), np.int64))),
        (core.count_novel, (pairs, 2, True, np.empty((6, numbers.size), np.int64))),
        (core.sum_models, (np.arange(9), np.arange(0, 9, 3), np.empty(3, np.int64))),
        (core.score_counts, (*[np.arange(9)] * 4, 0.5, np.empty((3, 9)))),
        (core.draw, (9, 0, np.empty(9, np.uint8))),
        (
            core.sum_drawn,
            (9, np.ones((2, 9), np.uint8), np.ones((3, 9), np.int32), np.empty((2, 3), np.int64)),
        ),
        (core.draw_means, (np.ones((9, 3)), np.ones(624, np.uint32), 624, np.empty((2, 3)))),
    )
    n_failures = 0
    for function, arguments in calls:
        for n_before in range(1 << 16):
            library.fail_after(n_before)
            try:
                function(*arguments)
            except MemoryError:
                n_failures += 1
                continue
            finally:
                library.fail_after(-1)
            break
    return n_failures


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

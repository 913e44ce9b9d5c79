"""Texts end to end, in memory and in a temporary file."""

import errno
import os
import pickle
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest

from rouge_cli.core import compiled_core
from rouge_cli.errors import RougeError
from rouge_cli.inputs import stored_texts
from rouge_cli.inputs.stored_texts import NUMBERS_OF_PART, Column, StoredTexts
from rouge_cli.inputs.texts import Origin
from rouge_cli.text.columns import JoinedTexts
from tests.cli.running import Run, runner

FIRST, SECOND = Origin("a.jsonl"), Origin("b.parquet", "record")

HELD = pytest.mark.parametrize(
    ("n_held", "n_at_once"), [(1 << 25, 1 << 20), (1, 1), (40, 7)], ids=["memory", "file", "both"]
)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """``rouge-cli`` in this process."""
    return runner(monkeypatch, capsysbinary)


def stored(texts: list[bytes]) -> StoredTexts:
    store, half = StoredTexts(), len(texts) // 2
    for number, text in enumerate(texts[:half]):
        assert store.add([text], [number + 1], FIRST) == number
    assert store.add(texts[half:], range(1, len(texts) - half + 1), SECOND) == half
    return store


def read(store: StoredTexts, numbers: list[int]) -> list[bytes]:
    (reading,) = store.read(numbers)
    return list(reading.texts)


@HELD
@pytest.mark.parametrize("missing", [(), ("preadv",), ("preadv", "pread")], ids=str)
def test_texts_are_what_was_added(
    n_held: int, n_at_once: int, missing: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in missing:
        monkeypatch.delattr(os, name, raising=False)
    monkeypatch.setattr(stored_texts, "HELD_BYTES", n_held)
    monkeypatch.setattr(stored_texts, "BYTES_AT_ONCE", n_at_once)
    monkeypatch.setattr(stored_texts, "GAP", 3)
    texts = [b"x" * (number * 5 % 11) + b"%d" % number for number in range(30)]
    texts[7] = texts[29] = b""
    store = stored(texts)
    assert len(store) == 30
    for numbers in ([], [29], [0, 1, 2], [7, 3, 29, 3, 11], list(range(30)), [28, 2, 27, 1]):
        assert read(store, numbers) == [texts[number] for number in numbers]
        sizes = store.sizes(np.array(numbers, np.int64)).tolist()
        assert sizes == [len(texts[number]) for number in numbers]
    assert store.content(5) == texts[5]
    part = pickle.loads(pickle.dumps(store.part(np.array([20, 4, 4, 14]))))
    assert read(part, [0, 1, 2, 3]) == [texts[20], texts[4], texts[4], texts[14]]
    assert [part.place(number) for number in range(4)] == [
        "b.parquet, record 6",
        *["a.jsonl, line 5"] * 2,
        "a.jsonl, line 15",
    ]


@pytest.mark.skipif(compiled_core() is None, reason="the core is not built")
@HELD
@pytest.mark.parametrize("gap", [0, 3, 4096])
@pytest.mark.parametrize("beginning", [b"", b" "], ids=["", "blank"])
def test_blocks_are_whole_evals(
    n_held: int, n_at_once: int, gap: int, beginning: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_texts, "HELD_BYTES", n_held)
    monkeypatch.setattr(stored_texts, "BYTES_AT_ONCE", n_at_once)
    monkeypatch.setattr(stored_texts, "GAP", gap)
    texts = [b"x" * 10, b"", b"y" * 5, b"z" * 20, beginning + b"u" * 15, b"v" * 4, b"w" * 30]
    store = stored(texts)
    # Of the EVALs 10, 25, 19 and 34 bytes, in another order than that of the store.
    numbers, first_texts = np.array([1, 0, 3, 2, 4, 5, 6, 5]), np.array([0, 2, 4, 6, 8])
    n_of_blank = len(beginning)
    for n_bytes, ends in [
        (1, [2, 4, 6, 8]),
        (10, [2, 4, 6, 8]),
        (11, [4, 6, 8]),
        (35, [4, 8]),
        (36, [6, 8]),
        (54 + n_of_blank, [6, 8]),
        (55 + n_of_blank, [8]),
        (1000, [8]),
    ]:
        blocks = store.part(numbers).read_blocks(first_texts, n_bytes)
        assert blocks is not None
        read_so_far = 0
        for reading, end in zip(blocks, ends, strict=True):
            expected = [texts[number] for number in numbers[read_so_far:end].tolist()]
            assert list(reading.texts) == expected
            assert reading.lengths is not None
            assert reading.lengths.tolist() == list(map(len, expected))
            # What the core says of sentence ends hangs on the byte behind a text.
            assert all(
                text.content[first + length] != ord(" ")
                for text in [reading.texts]
                if isinstance(text, JoinedTexts)
                for first, length in zip(text.starts, text.lengths, strict=True)
            )
            read_so_far = end


@pytest.mark.parametrize("n_at_once", [1, 3, 4, 100])
@pytest.mark.parametrize(
    "numbers", [[], [5], list(range(-1, 30)), [7, 2**31 - 1, 2**31, 3, 2**40, -1, 2, 2, 2]]
)
def test_columns_of_numbers(
    numbers: list[int], n_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_texts, "NUMBERS_OF_PART", 4)
    monkeypatch.setattr(stored_texts, "FIRST_NUMBERS", 1)
    column = Column()
    for start in range(0, len(numbers), n_at_once):
        part = numbers[start : start + n_at_once]
        if len(part) == 1:
            column.append(part[0])
        else:
            column.extend(np.array(part, np.int64))
        if start == 3:
            assert column.whole().tolist() == numbers[: start + len(part)]
    assert len(column) == len(numbers)
    assert [column[place] for place in range(len(numbers))] == numbers
    for place in range(0, len(numbers), 2):
        column[place] = 9
    changed = [9 if place % 2 == 0 else number for place, number in enumerate(numbers)]
    assert column.whole().tolist() == changed
    assert [column[place] for place in range(len(numbers))] == changed


def test_columns_take_four_bytes_a_number() -> None:
    column = Column()
    column.extend(np.arange(1 << 17))
    assert column.whole().nbytes == 4 << 17


class Slow:
    """A file that takes three bytes at a time, and after two times none if it is full."""

    def __init__(self, file: IO[bytes], *, is_full: bool) -> None:
        self._file, self._is_full, self._n_calls = file, is_full, 0

    def write(self, content: memoryview) -> int:
        self._n_calls += 1
        if self._is_full and self._n_calls > 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self._file.write(content[:3])

    def fileno(self) -> int:
        return self._file.fileno()

    def close(self) -> None:
        self._file.close()


@pytest.fixture
def faulty_file(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make temporary files that have a fault, or, with an empty name, are slow only."""
    monkeypatch.setattr(stored_texts, "HELD_BYTES", 10)
    real, real_preadv = tempfile.TemporaryFile, os.preadv

    def make(fault: str) -> None:
        def slow(buffering: int) -> Slow:
            return Slow(real("w+b", buffering), is_full=fault == "write")

        def preadv(number: int, targets: list[memoryview], start: int) -> int:
            if fault == "read":
                raise OSError(errno.EIO, "Input/output error")
            return 0 if fault == "end" else real_preadv(number, [targets[0][:4]], start)

        monkeypatch.setattr(tempfile, "TemporaryFile", slow)
        monkeypatch.setattr(os, "preadv", preadv)

    return make


def test_a_file_that_takes_and_gives_a_few_bytes_at_a_time(faulty_file: Any) -> None:
    faulty_file("")
    texts = [b"one and two", b"three", b"four and five and six"]
    assert read(stored(texts), [2, 0, 1]) == [texts[2], texts[0], texts[1]]


@pytest.mark.parametrize(
    ("fault", "verb", "why"),
    [
        ("write", "written", "No space left on device"),
        ("read", "read", "Input/output error"),
        ("end", "read", "it has become shorter"),
    ],
)
def test_a_file_that_fails(fault: str, verb: str, why: str, faulty_file: Any) -> None:
    faulty_file(fault)
    with pytest.raises(RougeError) as caught:
        read(stored([b"one and two", b"three", b"four and five and six"]), [0])
    assert str(caught.value) == (
        f"the texts of the input cannot be {verb} in {tempfile.gettempdir()}, where they wait to "
        f"be scored: {why}; name another folder with the environment variable TMPDIR"
    )


class Unhurried:
    """A file that lets other threads work between setting it to a place and reading there."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.write, self.read, self.close = file.write, file.read, file.close

    def seek(self, place: int) -> None:
        self._file.seek(place)
        time.sleep(0.001)


def test_threads_read_at_a_place_without_a_call_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    real = tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda buffering: Unhurried(real("w+b", 0)))
    for limit in ("HELD_BYTES", "BYTES_AT_ONCE"):
        monkeypatch.setattr(stored_texts, limit, 1)
    for name in ("preadv", "pread"):
        monkeypatch.delattr(os, name)
    texts = [b"%d" % number for number in range(100, 200)]
    store = stored(texts)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda number: read(store, [number]), range(100))) == [
            [text] for text in texts
        ]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_same_bytes_from_memory_and_from_a_file(
    jobs: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("a", "b", "c")
    records = [
        f'{{"id": "{number}", "system": "{name}", "prediction": "the cat {name} sat {number}", '
        f'"references": ["the cat sat {number}", "a cat"]}}\n'
        for name in names
        for number in range(40)
    ]
    (tmp_path / "r.jsonl").write_text("".join(records))
    for name in names:
        own = (record for record in records if f'"system": "{name}"' in record)
        (tmp_path / f"{name}.jsonl").write_text("".join(own))
    for files in (["r.jsonl"], [f"{name}.jsonl" for name in names]):
        arguments = ("-n2", "-d", "--jobs", jobs, "--sentences", "punkt", *files)
        expected = run(*arguments, cwd=tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(stored_texts, "HELD_BYTES", 1)
            patch.setattr(stored_texts, "BYTES_AT_ONCE", 50)
            finished = run(*arguments, cwd=tmp_path)
        assert (finished.code, finished.out, finished.err) == (
            0,
            expected.out,
            expected.err,
        )


def test_a_column_of_few_numbers_is_small() -> None:
    # Records have one for each system: 100,000 parts of 256 KB are 26 GB.
    column = Column()
    column.append(7)
    assert sum(part.nbytes for part in column._parts) < 1 << 10
    column.extend(np.arange(NUMBERS_OF_PART))
    assert [part.size for part in column._parts] == [NUMBERS_OF_PART] * 2
    assert column.whole().tolist() == [7, *range(NUMBERS_OF_PART)]

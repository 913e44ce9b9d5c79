"""Tables of word vectors: what is read of each format, and what is refused."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from rouge_cli.errors import InputError
from rouge_cli.text import word_vectors
from rouge_cli.text.word_vectors import load_word_vectors
from tests.word_vectors import FORMATS, write_table

TABLE = {
    "car": [1.0, -0.25],
    "zürich": [0.125, 3.0],
    "nothing": [0.0, 0.0],
    "tiny": [1e-30, -2e-30],
    "x" * 300: [0.1, 0.2],
}
# 32767 / 1 and -0.25 * 32767 = -8191.75; 0.125 / 3 * 32767 = 1365.3; half of 32767 is 16383.5,
# and the even neighbour is 16384: as 1e-30 / 2e-30 and 0.1 / 0.2 are 1/2 in 32 bits too.
ROWS = [[32767, -8192], [1365, 32767], [16384, -32767], [16384, 32767]]


@pytest.mark.parametrize("form", FORMATS)
def test_formats(form: str, tmp_path: Path) -> None:
    path = write_table(tmp_path, form, TABLE)
    table = load_word_vectors(str(path))
    assert table.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    numbers, vectors = table.lookup([*(word.encode() for word in TABLE), b"absent", b"ca", b""])
    # A row of zeros has no direction.
    assert numbers.tolist() == [0, 1, -1, 2, 3, -1, -1, -1]
    assert vectors.dtype == np.float64
    assert vectors.tolist() == ROWS
    assert [array.shape for array in table.lookup([])] == [(0,), (0, 2)]


def test_other_line_ends_and_words_with_blanks(tmp_path: Path) -> None:
    # GloVe's table of 840 thousand million tokens has rows such as the second and third.
    path = tmp_path / "glove.txt"
    path.write_bytes(b"car 1 2\r\n. . . 3 4\r\nat name@domain.com 5 6\r\nbus 7 14")
    numbers, vectors = load_word_vectors(str(path)).lookup([b"car", b"bus", b"."])
    assert numbers.tolist() == [0, 1, -1]
    assert vectors.tolist() == [[16384, 32767], [16384, 32767]]


def test_words_of_one_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_vectors, "hash", len, raising=False)
    path = tmp_path / "glove.txt"
    path.write_text("car 1 2\nbus 2 1\ncab 1 -2\ntram 1 1\n")
    table = load_word_vectors(str(path))
    numbers, vectors = table.lookup([b"cab", b"van", b"bus"])
    assert numbers.tolist() == [0, -1, 1]
    assert vectors.tolist() == [[16384, -32767], [32767, 16384]]
    path.write_text("car 1 2\nbus 2 1\nbus 1 -2\n")
    with pytest.raises(InputError, match="line 3: 'bus', as line 2"):
        load_word_vectors(str(path))


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("car 1 2\n")
    load_word_vectors(str(path))
    path.write_text("bus 1 2\ncar 2 1\n")
    assert load_word_vectors(str(path)).lookup([b"bus", b"car"])[0].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"car\n", "line 1: no vector"),
        (b"car 1 2\nbus 1\n", "line 2: found 1 numbers, expected 2"),
        (b"car 1 2\nbus 1 2 3\n", "line 2: found 3 numbers, expected 2"),
        (b"car 1 2\n\nbus 1 2\n", "line 2: found 0 numbers, expected 2"),
        (b"2 2\ncar 1 2\nbus nan 2\n", "line 3: found 'nan', expected a number"),
        (b"car 1 2\nbus 1 x\ncab 1\n", "line 2: found 'x', expected a number; line 3: found 1"),
        (b"car 1 2\n" + b"bus 1\n" * 5, "line 4: found 1 numbers, expected 2; and 2 more"),
        (b"car 1 2\nbus 1 2\ncar 3 4\n", "line 3: 'car', as line 1"),
        (b"3 2\ncar 1 2\nbus 1 2\n", "the header promises 3 rows, but there are 2"),
        (b"1 1\ncar \0\0\0\0bus \0\0\0\0", "found more than the 1 rows of the header"),
        (b"2 1\ncar \0\0\0\0bus \0\0\0", "found 1 whole rows, expected 2; the file is cut off"),
        (b"1 1\ncar \0\0\xc0\x7f", "row 1: found a number that is not finite"),
        (b"2 1\ncar \0\0\0\0car \0\0\0\0", "row 2: 'car', as row 1"),
        (b"\x1f\x8b\x08\0", "is compressed; unpack it first"),
        (b"\xba\x16\x4f\x2f\x0c\0\0\0", "is a model of fastText"),
    ],
)
def test_what_is_no_table(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        load_word_vectors(str(path))
    assert str(path) in str(raised.value)
    assert message in str(raised.value)


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a file"):
        load_word_vectors(str(tmp_path))
    with pytest.raises(InputError, match="No such file"):
        load_word_vectors(str(tmp_path / "none"))


@pytest.mark.parametrize("numbers", ["1e39 1", "1..2 1", "- 1"])
def test_numbers_that_are_none_are_refused_when_the_word_is_met(
    numbers: str, tmp_path: Path
) -> None:
    path = tmp_path / "table"
    path.write_text(f"car 1 2\nbus {numbers}\n")
    table = load_word_vectors(str(path))
    table.lookup([b"car"])
    with pytest.raises(InputError, match="the vector of 'bus'"):
        table.lookup([b"bus"])

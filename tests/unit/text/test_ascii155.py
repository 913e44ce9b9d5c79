"""The tokenizer of ROUGE-1.5.5 with the compiled core: what it keeps between blocks."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.text.ascii155 import CompiledWords, forget_stems
from rouge_cli.text.stems import Stems

core = compiled_core()
pytestmark = pytest.mark.skipif(core is None, reason="the core is not built")


def stems_of(words: CompiledWords, text: bytes) -> NDArray[np.int32]:
    read = words.read(core, [text])
    assert read is not None
    assert read.stemmed is not None
    return read.stemmed.types


def test_threads_stem_at_the_same_time() -> None:
    words = CompiledWords(None, Stems(b"went go"))
    text = b" ".join((b"went go", *(b"%dx %dxs" % (n, n) for n in range(100, 30_100))))
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: stems_of(words, text).reshape(-1, 2), range(12)))
    # A form and its base form, a word and its plural: each pair has a stem of its own.
    for types in results:
        assert (types[:, 0] == types[:, 1]).all()
        assert len(set(types[:, 0])) == 30_001


def test_other_forms_have_other_stems() -> None:
    words = CompiledWords(None, Stems(b"worse bad"))
    others = CompiledWords(None, Stems(b"worse ill"))
    for compiled, same in ((words, 1), (others, 2), (words, 1)):
        types = stems_of(compiled, b"worse bad ill").tolist()
        assert types[0] == types[same]
        assert len(set(types)) == 2


def test_stems_can_be_forgotten() -> None:
    words = CompiledWords(None, Stems(b"went walk"))
    assert [stems_of(words, text)[0] for text in (b"walk", b"run", b"went")] == [0, 1, 0]
    forget_stems()
    assert [stems_of(words, text)[0] for text in (b"run", b"went")] == [0, 2]

"""The tokenizer of ROUGE-1.5.5 with the compiled core: what it keeps between blocks."""

from threading import Thread

import pytest

from rouge_cli.core import compiled_core
from rouge_cli.text.ascii155 import CompiledWords, forget_stems
from rouge_cli.text.stems import Stems

core = compiled_core()
pytestmark = pytest.mark.skipif(core is None, reason="the core is not built")


def test_threads_stem_at_the_same_time() -> None:
    compiled, results = CompiledWords(None, Stems(b"went go")), []
    text = b" ".join(b"%dx %dxs" % (number, number) for number in range(100, 30_100))

    def read() -> None:
        for _ in range(3):
            columns = compiled.read(core, [b"went go", text])
            assert columns is not None
            assert columns.stemmed is not None
            results.append(columns.stemmed.types.reshape(-1, 2))

    threads = [Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 12
    # A form and its base form, a word and its plural: each pair has a stem of its own.
    for types in results:
        assert (types[:, 0] == types[:, 1]).all()
        assert len(set(types[:, 0])) == 30_001


def test_other_forms_have_other_stems() -> None:
    words = CompiledWords(None, Stems(b"worse bad"))
    others = CompiledWords(None, Stems(b"worse ill"))
    text = b"worse bad ill"
    for compiled, same in ((words, 1), (others, 2), (words, 1)):
        read = compiled.read(core, [text])
        assert read is not None
        assert read.stemmed is not None
        types = read.stemmed.types.tolist()
        assert types[0] == types[same]
        assert len(set(types)) == 2


def test_stems_can_be_forgotten() -> None:
    compiled = CompiledWords(None, Stems(b"went walk"))

    def first_type(text: bytes) -> int:
        read = compiled.read(core, [text])
        assert read is not None
        assert read.stemmed is not None
        return int(read.stemmed.types[0])

    assert [first_type(text) for text in (b"walk", b"run", b"went")] == [0, 1, 0]
    forget_stems()
    assert [first_type(text) for text in (b"run", b"went")] == [0, 2]

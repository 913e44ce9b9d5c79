"""The tokenizer of ROUGE-1.5.5 with the compiled core: what it keeps between blocks."""

from threading import Thread
from typing import Any

import pytest

from rouge_cli.core import compiled_core
from rouge_cli.text.ascii155 import CompiledWords, _stem_table, forget_stems

core = compiled_core()
pytestmark = pytest.mark.skipif(core is None, reason="the core is not built")


def test_each_thread_has_stems_of_its_own() -> None:
    forms = core.word_list((b"been",), (b"be",))
    tables: list[Any] = []
    threads = [Thread(target=lambda: tables.append(_stem_table(core, forms))) for _ in range(2)]
    for thread in threads:
        thread.start()
        thread.join()
    own = _stem_table(core, forms)
    assert len({id(table) for table in (*tables, own)}) == 3
    assert _stem_table(core, forms) is own


def test_other_forms_have_other_stems() -> None:
    words, others = CompiledWords(None, {b"worse": b"bad"}), CompiledWords(None, {b"worse": b"ill"})
    text = b"worse bad ill"
    for compiled, same in ((words, 1), (others, 2), (words, 1)):
        read = compiled.read(core, [text])
        assert read is not None
        assert read.stemmed is not None
        types = read.stemmed.types.tolist()
        assert types[0] == types[same]
        assert len(set(types)) == 2


def test_stems_can_be_forgotten() -> None:
    forms = core.word_list((b"been",), (b"be",))
    table = _stem_table(core, forms)
    forget_stems()
    assert _stem_table(core, forms) is not table

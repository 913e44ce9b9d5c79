"""What frameworks do to texts first: words of jieba, which are looked up piece by piece."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rouge_cli.protocols.texts import cut

CHARACTERS = (
    "abcXYZ019.,%+#&-_'\"你好世界中国人民银行的是了é한あ"
    " \t\n\r\u3000\u00a0\u2028\x1c\ufeff\uff0c\u3002"
)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.text(st.one_of(st.sampled_from(CHARACTERS), st.characters()), max_size=80))
def test_words_are_those_of_the_whole_text(text: str) -> None:
    jieba = pytest.importorskip("jieba")
    assert list(cut(text)) == list(jieba.cut(text))

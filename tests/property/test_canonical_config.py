"""A configuration that one expression reads means the same to the XML parser."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.inputs.xml_config import parse_any_config, read_canonical
from tests.corpora import file_evals

FIXTURES = Path(__file__).resolve().parent.parent.parent / "fixtures"
NAMES = ["1.txt", "a b.txt", " 2.txt ", "\n3.txt\n", "x\ty", "x\ny", "..", "a]]b"]
ODD_NAMES = [
    "",
    " ",
    "a&amp;b",
    "a&b",
    "a>b",
    "a]]>b",
    "<!--c-->a",
    "\u00e9",
    "a\rb",
    "<b/>",
    "\x01",
]
IDS = ["1", "2", "3", "A b", " ", "x'y", "x-1.2_3"]
ODD_IDS = ["", "a&lt;b", "a\nb", "a\tb", "a>b", "\u00e9"]
GAPS = ["", "\n", " ", "\n\t  \n"]
ODD_GAPS = ["\r\n", "<!--c-->", "text", "\x00", "<?p x?>", "<odd/>"]
TAGS = {"P": ["P", "p", "n:P"], "M": ["M", "m"]}

few_odd = st.integers(0, 24).map(lambda number: number == 0)


@st.composite
def configs(draw: st.DrawFn) -> str:
    """Draw configurations: most have nothing unusual, others a thing or two."""

    def pick(usual: list[str], odd: list[str]) -> str:
        return draw(st.sampled_from(odd if draw(few_odd) else usual))

    def gap() -> str:
        return pick(GAPS, ODD_GAPS)

    def file(tag: str) -> str:
        spelt = pick(TAGS[tag][:1], TAGS[tag])
        quoted = pick(['ID="{}"'], ["ID='{}'", 'ID = "{}"', 'Id="{}"', 'ID="{}" x="1"'])
        text_id = quoted.format(pick(IDS, ODD_IDS))
        return f"<{spelt} {text_id}>{pick(NAMES, ODD_NAMES)}</{spelt}>{gap()}"

    def root(tag: str) -> str:
        return f"<{tag}>{pick(NAMES, ODD_NAMES)}</{tag}>{gap()}"

    def section(tag: str, item: str, fewest: int) -> str:
        items = "".join(file(item) for _ in range(draw(st.integers(fewest, 3))))
        return f"<{tag}>{gap()}{items}</{tag}>{gap()}"

    def evaluation() -> str:
        form = pick(["SPL", "SEE", "ISI", "SIMPLE"], ["spl", "", "DOC"])
        roots = [root("PEER-ROOT"), root("MODEL-ROOT")]
        parts = [
            *(roots if draw(st.booleans()) else roots[::-1]),
            f'<INPUT-FORMAT TYPE="{form}">{gap()}</INPUT-FORMAT>{gap()}',
            section("PEERS", "P", 0),
            section("MODELS", "M", 1),
        ]
        if draw(few_odd):
            draw(st.randoms(use_true_random=False)).shuffle(parts)
        if draw(few_odd):
            parts.pop()
        body = "".join(parts)
        return f'<EVAL ID="{pick(IDS, ODD_IDS)}">{gap()}{body}</EVAL>{gap()}'

    start = pick(["", '<?xml version="1.0"?>\n'], ['<?xml version="1.0" encoding="latin-1"?>', "x"])
    tag = pick(["ROUGE-EVAL", "ROUGE_EVAL"], ["ROUGE", "EVAL"])
    version = pick(["", ' version="1.55"'], [" version='1'", ' v="1" v="1"'])
    body = "".join(evaluation() for _ in range(draw(st.integers(0, 3))))
    end = pick(["", "\n"], ["<x/>", "text", "</ROUGE-EVAL>"])
    return f"{start}<{tag}{version}>{gap()}{body}</{tag}>{end}"


def assert_same(data: bytes) -> None:
    """Compare what both make of a configuration, if the expression reads it."""
    canonical = read_canonical(data, "config.xml")
    if canonical is not None:
        parsed = parse_any_config(data, "config.xml")
        assert file_evals(canonical) == file_evals(parsed)
        assert canonical.systems == parsed.systems


@given(configs())
def test_what_is_read_is_what_the_parser_reads(config: str) -> None:
    data = config.encode()
    assert_same(data)


@given(configs(), st.integers(0, 2000), st.integers(0, 12), st.binary(max_size=3))
def test_whatever_is_changed(config: str, place: int, n_lost: int, gained: bytes) -> None:
    data = config.encode()
    changed = data[:place] + gained + data[place + n_lost :]
    assert_same(changed)


@pytest.mark.parametrize("name", ["sample/config.xml", "golden/corpora/duc-see/config.xml"])
def test_usual_configurations_need_no_parser(name: str) -> None:
    data = (FIXTURES / name).read_bytes()
    assert read_canonical(data, name) is not None
    assert_same(data)

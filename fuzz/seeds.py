"""What the fuzzer begins with: the fixtures, and examples of each syntax."""

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path

__all__ = ["dictionary", "seeds"]

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures"
SAMPLE = FIXTURES / "sample"
CRASHES = FIXTURES / "crashes"
LARGEST_SEED = 1 << 13

FILES = {
    "config": ("sample/config.xml", "invalid/configs/*", "golden/corpora/*/config.xml"),
    "file_list": ("sample/files.lst", "invalid/lists/*"),
    "judgements": (),
    "word_lists": ("sample/peers/*",),
}
EXAMPLES: dict[str, tuple[bytes, ...]] = {
    "config": (
        b'<?xml version="1.0" encoding="windows-1252"?><r><EVAL ID="1"><PEER-ROOT>.</PEER-ROOT>'
        b'<MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/><PEERS><P ID="1">\xe9</P></PEERS>'
        b'<MODELS><M ID="A">&#233;<![CDATA[&<]]></M></MODELS></EVAL></r>',
        b'<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><r>&b;</r>',
        b"<r>" * 50,
    ),
    "texts": (
        b"max_ngram=2;weight=1.2;max_gap=4;skip_and_unigram=;stem=\na b c\n=====\na x c\n",
        b'input_format=SEE;words=3;remove_stopwords=\n<html><body><a name="1">[1]</a> '
        b'<a href="#1" id=1>a b c</a>\n</body></html>\n=====\n<a name="1" id=1>a</a>',
        b"input_format=ISI\n<S DOCNO=1>a b</S>\n<S>c d</S>\n=====\n<S>a</S>\n",
        b"input_format=SIMPLE;basic_elements=HMR;lcs=\nhead|mod|rel\na|b|c\n=====\na|b|-1\n",
        b"bytes=5;formula=best-f;jackknife=;humans=;per_eval=\na b\n=====\nb c\n=====\nc a\n",
        b"pairwise_lcs=;lcs_unit=text;counting=1;alpha=1;empty=skip\n\n=====\n--\n",
    ),
    "records": (
        b'\n{"prediction": "a b", "reference": ["a", "b"]}\n{"prediction": "", "reference": []}\n',
        b'records_format=json;prediction=a.b;references=c\n[{"a": {"b": "x"}, "c": ["y", "z"]}]',
        b'records_format=json\n{"data": {"prediction": ["a"], "references": [["b"]]}}',
        b'records_format=csv;id=i;system=s\ni,s,prediction,reference\n1,x,"a ""b""\nc",d\n',
        b"records_format=tsv;encoding=utf-16\n\xff\xfep\x00\t\x00r\x00\n\x00a\x00\t\x00b\x00",
        b"records_format=csv;sentence_separator=<q>\nprediction,reference\na<q>b,['a'; 'b']\n",
        b'encoding=shift-jis\n{"prediction": "\x83\x5c", "reference": "\\ud800"}',
    ),
    "lines": (
        b"sentence_separator=<q>\na<q>b\nc\n=====\na\nb<q>c",
        b"encoding=utf-16-le\na\x00\n\x00=====\na\x00\n\x00",
        b"\na\r\n\n=====\nb\n\n",
        b"encoding=gb18030;sentence_separator=##SENT##\n\x84\x31\xa4\x37##SENT##a\n=====\nb",
    ),
    "patterns": (
        b"(\\d+)_decoded.txt\n#ID#_reference.txt\n1_decoded.txt\n1_reference.txt\n",
        b"d/(?P<id>[^.]+)\\.(?P<system>\\w+)\nmodel.[A-Z].#ID#\n1.a\nmodel.A.1\nmodel.B.1",
        b"x=(a|b)(?i:c)\n(#ID#)#ID#\\1\nac\nacac\n",
    ),
    "duc_names": (
        b"D061.M.100.J.26\nD061.M.100.J.A\nD1.P.10.J.26.AP880911-0016\nD1.P.10.K.A.html",
    ),
    "judgements": (
        b"csv\nsystem,id,fluency\na,1,3.5\nb,1,4\n",
        b"tsv\nsystem\tfluency\na\t1e3\n",
        b'jsonl\n{"system": "a", "x": 1}\n{"system": "b", "x": NaN}\n',
    ),
    "word_lists": (b"mice mouse\nran run\n# x\n", b"a\nthe\n"),
    "option_values": (
        b"-n\n2\n-m\n-2\n-1\n-U\nc.xml\nx",
        b"--require\nx:ROUGE-2:F>=0.18\n--report\njson\n-w\n1.2\n-f\nbest-f\n--percent",
        b"--peers\na=(\\d+)\n--models\n#ID#\n--measures\nRF\n--sort\nROUGE-1:F",
        b"--peer-lines\na=b\n--model-lines\nc\n--sentence-separator\n<q>\n--encoding\nutf-8",
        b"-da\n-n4\n-c95\n-r\n1e3\n-p\n.5\n-t2\n-3\nHM\n--max-drop\n0.1\n--baseline\nb",
    ),
}
WORDS: dict[str, tuple[str, ...]] = {
    "config": (
        *("<EVAL ID=", "</EVAL>", "<PEERS>", "<MODELS>", "<P ID=", "<M ID=", "<PEER-ROOT>"),
        *("<MODEL-ROOT>", "<INPUT-FORMAT TYPE=", "<![CDATA[", "<!DOCTYPE", "<!ENTITY", "SPL"),
        *("encoding=", "utf-16", "xmlns:"),
    ),
    "texts": (
        *("=====", "max_ngram=", "weight=", "max_gap=", "input_format=", "SEE", "ISI", "SIMPLE"),
        *("basic_elements=", "HMR1", "<a name=", "id=", "href=", "<S", "</S>", "words=", "bytes="),
    ),
    "records": (
        *("records_format=", "prediction", "reference", "system", "id", "json", "csv", "parquet"),
        *("PAR1", "\\\\ud800", "NaN", "Infinity", "1e999", "[[", "{{", "null", "encoding="),
        *("utf-16", "utf-32", "utf-7", "idna", "punycode", "sentence_separator="),
    ),
    "lines": ("=====", "encoding=", "utf-16", "utf-32", "hz", "sentence_separator="),
    "patterns": ("(?P<id>", "(?P<system>", "#ID#", "(?i:", "(?=", "(?<=", "\\\\1", "[^", "{1,9}"),
    "duc_names": ("D061.", ".M.100.", ".J.", ".html"),
    "judgements": ("system", "eval", "NaN", "1e999", "Infinity", "\\\\u0000"),
    "baseline": ("1e999", "NaN", "[[[[", "bootstrap_mean", "Infinity", "-0"),
    "option_values": (
        *("--require", "--measures", "--sort", "--max-drop", "--encoding", "--records-format"),
        *("--input-format", "--peers", "--models", "--duc", "-n", "-2", "-w", "-c", "1e999", "nan"),
    ),
}


def seeds(target: str) -> Iterator[bytes]:
    """Yield inputs of a target."""
    for pattern in FILES.get(target, ()):
        for path in sorted(FIXTURES.glob(pattern)):
            if path.stat().st_size <= LARGEST_SEED:
                yield path.read_bytes()
    for path in sorted((CRASHES / target).glob("*")):
        yield path.read_bytes()
    yield from EXAMPLES.get(target, ())
    if target == "compressed":
        whole = gzip.compress(b"a\nb\n" * 50, mtime=0)
        yield from (whole, whole + whole, whole[:-4])
    elif target == "records":
        yield b"records_format=parquet\n" + _parquet()
    elif target == "baseline":
        yield _baseline()


def dictionary(target: str) -> str:
    """Return the words of a target's syntax, as libFuzzer reads them."""
    return "".join(f'"{word}"\n' for word in WORDS.get(target, ()))


def _parquet() -> bytes:
    """Make a small file of records; nothing without pyarrow."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return b""
    file = io.BytesIO()
    table = pyarrow.table({"prediction": ["a b"], "reference": [["a", "c"]]})
    pyarrow.parquet.write_table(table, file)
    return file.getvalue()


def _baseline() -> bytes:
    """Make a small JSON report, of the options of that target."""
    from rouge_cli.options.options import Options
    from rouge_cli.scores.signature import signature

    signed = signature(Options.of({"max_ngram": 2, "report": "json"}))
    measure = {"mean": 0.5, "bootstrap_mean": 0.5}
    metric = dict.fromkeys(("recall", "precision", "f_measure"), measure)
    names = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
    system = {"id": "x", "n_evals": 2, "metrics": dict.fromkeys(names, metric)}
    return json.dumps({"signature": signed, "systems": [system]}).encode()

"""What people really have in their files: seen, said, and read where that can be.

Each row is a kind of file: its texts, the command, the words that tell of it and the way out, and
what the way out gives. Scores follow by hand: texts that are mended are their references.
"""

import bz2
import gzip
import json
import lzma
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.running import Run, eval_xml, write_files

REFERENCES = (
    "the harbour bridge closed before noon because of heavy wind",
    "divers found the missing anchor near the old pier on sunday",
    "council members approved the ferry budget after a long debate",
)
LINES = ["--peer-lines", "p", "--model-lines", "m"]
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:eb8687f2\nsize 523\n"


class Row(NamedTuple):
    """A kind of file.

    - `texts`: a template of the predictions, with the halves of a reference in it, or all of them.
    - `says`: words of the warning; `mends`: options that make the predictions their references.
    """

    id: str
    texts: str
    says: str
    mends: tuple[str, ...] = ()


def separator(mark: str, option: str = "") -> Row:
    option = option or mark
    return Row(mark, f"{{}} {mark} {{}}", f"give --sentence-separator '{option}'",
               ("--sentence-separator", option))  # fmt: skip


MARKS = (
    "<q> <n> ##SENT## [SEP] story_separator_special_tag <doc-sep> [X_SEP] <S_SEP> <sep> </s> <eos> "
    "EOS NEWLINE_CHAR"
)
SPECIAL = ("--strip", "special-tokens")
SEEN = [
    Row("pad", "<s>{} {}</s><pad><pad>", "special tokens of language models", SPECIAL),
    Row("cls", "[CLS] {} {} [SEP] [PAD] [PAD]", "--strip special-tokens", SPECIAL),
    Row("cls-inside", "[CLS] {} [SEP] {} [SEP]", "--strip special-tokens", SPECIAL),
    Row("eot", "{} {}<|endoftext|>", "skip_special_tokens=True", SPECIAL),
    Row("chat", "<|im_start|> {} {}<|im_end|>", "--strip special-tokens", SPECIAL),
    Row("gemma", "{} {}<end_of_turn>", "--strip special-tokens", SPECIAL),
    Row("deepseek", "{} {}<\uff5cend\u2581of\u2581sentence\uff5c>", "special-tokens", SPECIAL),
    Row("t5", "<extra_id_0> {} {}</s>", "--strip special-tokens", SPECIAL),
    Row("llama", "[INST] {} {} [/INST]", "--strip special-tokens", SPECIAL),
    Row("unk", "{} {}<unk>", "--strip special-tokens", SPECIAL),
    Row("think", "<think>I write it.</think> {} {}", "--strip think", ("--strip", "think")),
    Row("thinking", "<thinking>So?</thinking> {} {}", "--strip think", ("--strip", "think")),
    Row("reasoning", "<reasoning>So?</reasoning> {} {}", "--strip think", ("--strip", "think")),
    Row("THINK", "[THINK]So?[/THINK] {} {}", "--strip think", ("--strip", "think")),
    Row("no-start", "so I write </think> {} {}", "--strip think", ("--strip", "think")),
    Row("entities", "{} &amp; {}", "--strip entities", ("--strip", "entities")),
    *map(separator, MARKS.split()),
    separator("<t>", "<t> </t>"),
    Row("literal", "{}\\n{}", "give --sentence-separator '\\n'", ("--sentence-separator", "\\n")),
    Row("crlf", "{}\\r\\n{}", "or '\\r\\n' where", ("--sentence-separator", "\\r\\n")),
]


def halves(template: str) -> str:
    lines = []
    for reference in REFERENCES:
        words = reference.split()
        lines.append(template.format(" ".join(words[:5]), " ".join(words[5:])))
    return "".join(f"{line}\n" for line in lines)


def f_of(out: bytes) -> list[str]:
    """Return the numbers of the first system in a table."""
    lines = out.decode().splitlines()
    return [word.strip("^") for word in lines[2].split()[1:]]


TABLE = ["-n", "1", "-r", "0", "--report", "table"]


@pytest.mark.parametrize("row", SEEN, ids=[row.id for row in SEEN])
def test_seen_in_line_files(row: Row, run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"p": halves(row.texts), "m": "\n".join(REFERENCES)})
    plain = run(*TABLE, *LINES, cwd=tmp_path)
    assert row.says in plain.err
    # The bars of DeepSeek's tokens are letters that are lost, too.
    assert len(plain.error_lines) == 1 or row.id == "deepseek"
    before, *_ = f_of(plain.out)
    assert f"is {before}, and 1.0000 without" in plain.err.replace(" F of the", "")
    # The score that the warning tells is the one that the option gives.
    mended = run(*TABLE, *row.mends, *LINES, cwd=tmp_path)
    assert "looked at" not in mended.err
    assert f_of(mended.out)[0] == "1.0000"


@pytest.mark.parametrize("row", SEEN[:16], ids=[row.id for row in SEEN[:16]])
def test_seen_in_records(row: Row, run: Run, tmp_path: Path) -> None:
    texts = halves(row.texts).splitlines()
    pairs = zip(texts, REFERENCES, strict=True)
    records = [json.dumps({"prediction": text, "reference": ref}) for text, ref in pairs]
    write_files(tmp_path, {"r.jsonl": "\n".join(records)})
    assert row.says in run(*TABLE, "r.jsonl", cwd=tmp_path).err
    mended = run(*TABLE, *row.mends, "r.jsonl", cwd=tmp_path)
    assert (mended.err, f_of(mended.out)[0]) == ("", "1.0000")
    assert f"strip:{row.mends[1]}" in mended.out.decode().replace("\n", "")


PIECES = {
    "wordpiece": "the har ##bour bri ##dge clo ##sed",
    "bpe": "the har@@ bour bri@@ dge clo@@ sed",
    "sentencepiece": "▁the ▁har bour ▁bri dge ▁clo sed",
    "bytes": "theĠharbourĠbridgeĠclosed",
}


@pytest.mark.parametrize("kind", PIECES)
def test_pieces_of_words(kind: str, run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"p": PIECES[kind], "m": "the harbour bridge closed"})
    assert "--strip subwords" in run(*TABLE, *LINES, cwd=tmp_path).err
    mended = run(*TABLE, "--strip", "subwords", *LINES, cwd=tmp_path)
    assert (mended.err, f_of(mended.out)) == ("", ["1.0000", "1.0000"])


def record(prediction: object, reference: object) -> str:
    return json.dumps({"prediction": prediction, "references": reference}) + "\n"


WORDS = ["the", "mill", "closed", "its", "doors", "on", "monday"]


def test_lists_of_words(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"r.jsonl": record(WORDS[::-1], [" ".join(WORDS)])})
    found = run(*TABLE, "r.jsonl", cwd=tmp_path)
    assert "a list of words where a list of sentences is meant" in found.err
    # Each word is a sentence, so the order is lost; in one text, one word of seven is in order.
    assert f_of(found.out)[1] == "1.0000"
    assert "ROUGE-L F of this pair is 1.0000, and 0.1429 without" in found.err
    write_files(tmp_path, {"r.jsonl": record(" ".join(WORDS), WORDS)})
    found = run(*TABLE, "r.jsonl", cwd=tmp_path)
    assert "a word in each reference, where a list of references is meant" in found.err
    assert "1.0000 without" in found.err
    # Several short answers to a question are no list of words.
    answers = ["Paris", "paris", "Lutetia", "City", "Capital"]
    write_files(tmp_path, {"r.jsonl": record("Paris", answers)})
    assert run(*TABLE, "r.jsonl", cwd=tmp_path).err == ""


FIRST_BYTES = {
    "lfs": (LFS, "a pointer of Git LFS, not the data; get the data with: git lfs pull"),
    "rtf": (b"{\\rtf1\\ansi the mill}\n", "RTF"),
    "pdf": (b"%PDF-1.7\nthe mill\n", "PDF; extract its text first"),
    "zip": (b"PK\x03\x04\x14\0\x06\0the mill", "a ZIP archive or an Office file"),
    "doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "a file of Microsoft Office"),
    "zstd": (b"\x28\xb5\x2f\xfd\x24\x03\x19\0\0abc", "compressed with zstd; decompress it"),
    "arrow": (b"ARROW1\0\0\xff\xff", "Arrow or Feather; save it as Parquet"),
    "feather": (b"FEA1\0\0\0\0", "Feather; save it as Parquet"),
}


@pytest.mark.parametrize("kind", FIRST_BYTES)
def test_first_bytes(kind: str, run: Run, tmp_path: Path) -> None:
    content, says = FIRST_BYTES[kind]
    write_files(
        tmp_path, {"p": content, "m": "the mill\n", "r.jsonl": content, "s/1": content, "t/1": "a"}
    )
    for arguments in (LINES, ["r.jsonl"], ["p"], ["--peers", r"s/(\d)", "--models", "t/#ID#"]):
        refused = run(*TABLE, *arguments, cwd=tmp_path)
        assert refused.code == 3
        assert says in refused.err


def test_pointers_are_scored_as_they_are(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"p": LFS, "m": LFS})
    refused = run(*TABLE, *LINES, cwd=tmp_path)
    assert "--as-is scores the bytes all the same" in refused.err
    assert f_of(run(*TABLE, "--as-is", *LINES).out) == ["1.0000", "1.0000"]


@pytest.mark.parametrize("suffix", [".bz2", ".xz", ".gz", ""])
@pytest.mark.parametrize("compress", [bz2.compress, lzma.compress, gzip.compress])
def test_compressed(compress, suffix: str, run: Run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    texts = "".join(f"{text}\n" for text in REFERENCES).encode()
    records = "".join(record(text, [text]) for text in REFERENCES).encode()
    write_files(
        tmp_path, {f"p{suffix}": compress(texts), "m": texts, f"r.jsonl{suffix}": compress(records)}
    )
    is_right = suffix in {"", {"bz2": ".bz2", "_compression": ".xz", "lzma": ".xz"}.get(
        compress.__module__, ".gz")}  # fmt: skip
    lines = ["--peer-lines", f"p{suffix}", "--model-lines", "m"]
    for arguments in (lines, [f"r.jsonl{suffix}"]):
        found = run(*TABLE, *arguments, cwd=tmp_path)
        if is_right:
            assert (found.err, f_of(found.out)[0]) == ("", "1.0000")
        else:
            assert f"though its name ends in {suffix}" in found.err


OBJECTS = '{"summary": "the mill"}\n{"summary": "rain fell"}\n'
SHAPES = {
    "objects": (OBJECTS, "each line is a JSON object, not a text; score the file as records"),
    "lists": ("['the', 'mill']\n['rain', 'fell']\n", "a list as Python or JSON writes it"),
    "json-lists": ('["the", "mill"]\n["rain", "fell"]\n', "a list as Python or JSON writes it"),
    "rows": ("id,summary\n1,the mill\n", "each line is a row of a table"),
    "numbered": ("0,the mill\n1,rain fell\n2,ships left\n", "each line is a row of a table"),
    "tabs": ("id\tprediction\n1\tthe mill\n", "each line is a row of a table"),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_shapes_of_lines(kind: str, run: Run, tmp_path: Path) -> None:
    content, says = SHAPES[kind]
    n_lines = max(content.count("\n"), 1)
    write_files(tmp_path, {"p": content, "m": "the mill\n" * n_lines})
    found = run(*TABLE, *LINES, cwd=tmp_path)
    assert (found.code, says in found.err) == (3, True)
    assert run(*TABLE, "--as-is", *LINES, cwd=tmp_path).code == 0


def test_line_files_of_old_macs(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"p": "the mill\rrain fell\rships left\r", "m": "a mill\rrain\rship\r"})
    said = run(*TABLE, *LINES, cwd=tmp_path).error_lines
    assert [line.partition(", as on")[0] for line in said] == [
        "Warning: m: carriage returns and no newline",
        "Warning: p: carriage returns and no newline",
    ]
    # A carriage return before a newline ends a line, and one within a line is no word.
    write_files(tmp_path, {"p": "the mill\rrain fell\rships left\r\n", "m": "the mill\n"})
    assert run(*TABLE, *LINES).err == ""


HYPOTHESES = {2: "ships left the harbour early", 0: "the mill closed on monday",
              1: "rain fell over the hills"}  # fmt: skip
TARGETS = {2: "two ships left the harbour", 0: "the old mill closed monday",
           1: "heavy rain fell over hills"}  # fmt: skip


@pytest.mark.parametrize("peers", ["H", "D", "all", "HD"])
@pytest.mark.parametrize("models", ["T", "plain", "all"])
def test_lines_of_fairseq(peers: str, models: str, run: Run, tmp_path: Path) -> None:
    lines = {
        "H": [f"H-{n}\t-0.43\t{text}" for n, text in HYPOTHESES.items()],
        "D": [f"D-{n}\t-0.43\t{text}" for n, text in HYPOTHESES.items()],
        "T": [f"T-{n}\t{text}" for n, text in TARGETS.items()],
        "plain": [TARGETS[n] for n in range(3)],
        # A second hypothesis, of a lower score, is not the one that is meant.
        "S": [f"S-{n}\tsource" for n in TARGETS] + ["H-0\t-0.9\tother", "P-0\t-0.1 -0.2"],
    }
    lines["HD"] = lines["H"] + lines["D"]
    lines["all"] = lines["T"] + lines["HD"] + lines["S"] + ["Generate test with beam=5: BLEU4 = 1"]
    write_files(
        tmp_path, {"p": "\n".join(lines[peers]) + "\n", "m": "\n".join(lines[models]) + "\n"}
    )
    found = run(*TABLE, *LINES, cwd=tmp_path)
    # Four words of five in each pair.
    assert (found.err, f_of(found.out)[0]) == ("", "0.8000")
    if peers == "H" and models == "T":
        assert "lines of fairseq-generate, H-" in run("-v", *TABLE, *LINES, cwd=tmp_path).err
    write_files(tmp_path, {"p": "\n".join(lines["H"][:2]) + "\n"})
    assert "no H-1" in run(*TABLE, *LINES, cwd=tmp_path).err


LENGTHS = {
    "empty": ("a b\nc d\n\n", "a b\nc d\n", "the last line of p is empty"),
    "inner": (
        "the mill\nclosed on monday\nrain fell\n", "the mill closed\nheavy rain fell\n",
        "line 2 of p fits line 1 of m, so a text may have a newline within",
    ),
    "returns": ("a b\rx\nc d\ne\n", "a b\nc d\n", "p holds carriage returns within lines"),
}  # fmt: skip


@pytest.mark.parametrize("kind", LENGTHS)
def test_line_files_of_different_lengths(kind: str, run: Run, tmp_path: Path) -> None:
    peers, models, says = LENGTHS[kind]
    write_files(tmp_path, {"p": peers, "m": models})
    assert says in run(*TABLE, *LINES, cwd=tmp_path).refusal


@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r2.csv"])
def test_tables_of_old_macs_and_excel(name: str, run: Run, tmp_path: Path) -> None:
    mark = {"r.csv": ",", "r.tsv": "\t", "r2.csv": ";"}[name]
    rows = [["prediction", "reference"], ["a b", "a b"], ["c", "c"]]
    lines = [mark.join(row) for row in rows]
    write_files(tmp_path, {name: "\r".join(lines) + "\r"})
    found = run(*TABLE, name, cwd=tmp_path)
    assert (found.err, f_of(found.out)) == ("", ["1.0000", "1.0000"])
    write_files(tmp_path, {name: f"sep={mark}\n" + "\n".join(lines) + "\n"})
    found = run(*TABLE, name, cwd=tmp_path)
    assert (found.err, f_of(found.out)) == ("", ["1.0000", "1.0000"])
    # Lines keep their numbers.
    write_files(tmp_path, {name: f"sep={mark}\n" + "\n".join(lines) + f"\na{mark}b{mark}c\n"})
    assert f"{name}, line 5: 3 fields" in run(*TABLE, name, cwd=tmp_path).refusal


def test_encodings_of_single_files(run: Run, tmp_path: Path) -> None:
    text = "café über mill\n"
    write_files(tmp_path, {"p": text.encode("cp1252"), "m": text, "w": text.encode("utf-16")})
    language = [*TABLE, "--language", "fr"]
    found = run(*language, "--encoding", "p:cp1252", *LINES, cwd=tmp_path)
    assert (found.err, f_of(found.out)[0]) == ("", "1.0000")
    assert b"enc:p:cp1252" in found.out.replace(b"\n", b"")
    found = run(*language, "--encoding", "cp1252", *LINES, cwd=tmp_path)
    assert "as of UTF-8 that was read as cp1252" in found.err
    assert "1.0000 without" in found.err
    # A byte order mark tells more than an option.
    for encoding in (
        [],
        ["--encoding", "utf-8"],
        ["--encoding", "cp1252", "--encoding", "m:utf-8"],
    ):
        lines = ["--peer-lines", "w", "--model-lines", "m"]
        found = run(*language, *encoding, *lines, cwd=tmp_path)
        assert (found.err, f_of(found.out)[0]) == ("", "1.0000")
    for encoding in (["--encoding", "q:utf-8"], ["--encoding", "utf-8", "--encoding", "cp1252"]):
        assert run(*language, *encoding, *LINES, cwd=tmp_path).code == 2
    write_files(tmp_path, {"r.csv": "prediction,reference\ncafé,café\n".encode("utf-16")})
    assert f_of(run(*TABLE, "r.csv", cwd=tmp_path).out)[0] == "1.0000"


NESTED = {
    "request_states": {"a": 1, "request_states": [{"prediction": "a b", "reference": "a b"}]},
    "results.results": {"results": {"results": [{"prediction": "a", "reference": "a"}], "n": [1]}},
    "samples": {"plan": [{"name": "x"}], "samples": [{"output": "a", "target": "a"}]},
}


@pytest.mark.parametrize("path", NESTED)
def test_records_below_a_key(path: str, run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"r.json": json.dumps(NESTED[path])})
    for arguments in ([], ["--records-at", path]):
        found = run(*TABLE, *arguments, "r.json", cwd=tmp_path)
        assert (found.err, f_of(found.out)) == ("", ["1.0000", "1.0000"])
    assert "there are some at: " in run(*TABLE, "--records-at", "x", "r.json").refusal


ORIENTS = {
    "columns": '{"prediction":{"0":"a"},"reference":{"0":"b"}}',
    "index": '{"0":{"prediction":"a","reference":"b"},"1":{"prediction":"a","reference":"b"}}',
    "split": '{"columns":["prediction","reference"],"index":[0],"data":[["a","b"]]}',
    "values": '[["a","b"]]',
}


@pytest.mark.parametrize("orient", ORIENTS)
def test_json_of_pandas(orient: str, run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"r.json": ORIENTS[orient]})
    said = run(*TABLE, "r.json", cwd=tmp_path).refusal
    assert "write it with to_json(FILE, orient='records', lines=True)" in said
    assert f"orient='{orient}'" in said


@pytest.mark.parametrize("name", ["r.json", "r.jsonl"])
def test_records_over_several_lines(name: str, run: Run, tmp_path: Path) -> None:
    one = json.dumps({"prediction": "a", "reference": "b"}, indent=1)
    write_files(tmp_path, {name: f"{one}\n{one}\n"})
    assert run(*TABLE, name, cwd=tmp_path).refusal == (
        f"Error: {name}: records over several lines; turn them with: jq -c . FILE > NEW.jsonl"
    )


def test_references_from_another_file(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {
        "p.csv": "paper_id,summary\np2,c d\np1,a b\n",
        "g.csv": "paper_id,summary\np1,a b\np1,a x\np2,c d\np3,e\n",
        "p.jsonl": '{"summary": "a b"}\n{"summary": "c"}\n',
        "g.jsonl": '{"summary": "a b"}\n{"summary": "c"}\n',
    })  # fmt: skip
    options = [*TABLE, "--measures", "RPF"]
    found = run(*options, "p.csv", "--references-from", "g.csv", cwd=tmp_path)
    assert "g.csv: 1 ID has no prediction, the first p3; not scored" in found.err
    # p1 has hits 2 + 1 of 4 and 4 words; p2 2 of 2.
    assert f_of(found.out)[:3] == ["0.8750", "0.8750", "0.8750"]
    # Without IDs in either file, by position; an ID in one of them alone does not join.
    found = run(*options, "p.jsonl", "--references-from", "g.jsonl", cwd=tmp_path)
    assert (found.err, f_of(found.out)[2]) == ("", "1.0000")
    refused = run(*TABLE, "p.jsonl", "--references-from", "g.csv").refusal
    assert "name the field with --id" in refused
    write_files(tmp_path, {"g.csv": "paper_id,summary\np1,a b\n"})
    assert "text p2: no references in g.csv" in run(
        *TABLE, "p.csv", "--references-from", "g.csv"
    ).refusal  # fmt: skip


def test_references_of_sacrerouge(run: Run, tmp_path: Path) -> None:
    def one(summarizer: str, kind: str, text: str) -> str:
        names = {"instance_id": "M1", "summarizer_id": summarizer, "summarizer_type": kind}
        references = [{"text": "the old mill closed"}, {"text": "a mill shut its doors"}]
        return json.dumps({**names, "summary": {"text": text}, "references": references}) + "\n"

    texts = one("1", "peer", "the mill closed") + one("A", "reference", "the old mill closed")
    write_files(tmp_path, {"s.jsonl": texts})
    found = run(*TABLE, "s.jsonl", cwd=tmp_path)
    assert "1 record is a reference" in found.err
    assert "--jackknife --humans" in found.err
    assert found.out.decode().splitlines()[2].split()[0] == "1"


def test_absent_references(run: Run, tmp_path: Path) -> None:
    exact = record("the mill closed", ["the mill closed"]) + record("a b", ["a b", "a c"])
    padded = record("the mill closed", ["the mill closed", "", None])
    padded += record("a b", ["", "a b", "a c"])
    write_files(tmp_path, {
        "exact.jsonl": exact,
        "padded.jsonl": padded,
        "r.csv": "prediction,r1,r2\nthe mill closed,the mill closed,\na b,a b,a c\n",
    })  # fmt: skip
    options = [*TABLE, "--measures", "RPF"]
    columns = ["--references", "r1", "--references", "r2"]
    expected = f_of(run(*options, "exact.jsonl", cwd=tmp_path).out)
    for arguments, n_absent in ((["padded.jsonl"], "3"), (["r.csv", *columns], "1")):
        found = run(*options, *arguments)
        assert f": {n_absent} empty reference" in found.err
        assert f_of(found.out) == expected
    # Of a protocol, the package decides: here the best of the references counts.
    assert "empty reference" not in run("--protocol", "rouge-score", "r.csv", *columns).err
    # An EVAL with empty references alone has a model without words, for --empty.
    write_files(tmp_path, {"r.jsonl": record("a", ["", ""]) + record("a", ["a"])})
    assert "no tokens; all of its text is left out" in run("--empty", "skip", *TABLE, "r.jsonl").err


IDS = {"zero": "1.0", "blank": " 1 ", "padded": "01"}


@pytest.mark.parametrize("kind", IDS)
def test_ids_that_look_alike(kind: str, run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {
        "a.csv": "id,prediction,reference\n1,a,a\n2,a,a\n",
        "b.csv": f"id,prediction,reference\n{IDS[kind]},a,a\n2,b,a\n",
        "c.csv": f"id,prediction,reference\n{IDS[kind]},a,a\n",
    })  # fmt: skip
    says = "1 ID differs from another in blanks, zeros, a .0 or its Unicode form alone"
    assert says in run(*TABLE, "a.csv", "b.csv", cwd=tmp_path).err
    said = run(*TABLE, "a.csv", "c.csv").refusal
    assert "a.csv and c.csv have no text in common" in said
    assert says in said


def test_names_that_differ_in_their_unicode_form(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"p/re\u0301.txt": "a", "m/r\xe9.txt": "a"})
    patterns = ["--peers", r"p/(.*)\.txt", "--models", r"m/#ID#\.txt"]
    assert "differ in their Unicode form" in run(*TABLE, *patterns, cwd=tmp_path).refusal


@pytest.mark.parametrize("system", ["QX7RT2", "baseline", "T5"])
def test_letters_in_names_of_tac(system: str, run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {f"p/D1001-A.M.100.A.{system}": "a b", "m/D1001-A.M.100.A.A": "a b"})
    found = run(*TABLE, "--duc", "p", "m", cwd=tmp_path)
    assert (found.err, found.out.decode().splitlines()[2].split()[0]) == ("", system)


def config(root: str, kind: str = "SPL") -> str:
    roots = f"{root}p", f"{root}m"
    return f"<R>{eval_xml('1', {'1': 'a'}, {'A': 'a'}, roots=roots, form=kind)}</R>"


def test_paths_of_windows(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"p/a": "a", "m/a": "a", "c.xml": config(".\\"), "l": "p\\a m\\a\n"})
    for arguments in (["-a", "c.xml"], ["-z", "SPL", "l"]):
        said = run("-n", "1", *arguments, cwd=tmp_path).refusal
        assert "paths with backslashes, as on Windows; with / there are such files" in said


SPELLINGS = {
    "SEE": ('<a name="1">[1]</a> <a href="#1" id="1">One.</a>\n', '<A NAME="1">[1]</A> One.\n'),
    "ISI": ("<S SNTNO='1'>One.</S>\n", '<s sntno="1">One.</s>\n'),
}


@pytest.mark.parametrize("kind", SPELLINGS)
def test_other_spellings_of_formats(kind: str, run: Run, tmp_path: Path) -> None:
    for text in SPELLINGS[kind]:
        write_files(tmp_path, {"p/a": text, "m/a": text, "c.xml": config("", kind)})
        found = run("-n", "1", "-x", "-r", "0", "--report", "table", "-a", "c.xml", cwd=tmp_path)
        assert f"2 texts have words, but no sentence as {kind} spells it" in found.err
        # A text that is empty is no other spelling.
        write_files(tmp_path, {"p/a": "<html><title>x</title></html>", "m/a": "<DOC></DOC>"})
        assert "no sentence" not in run("-n", "1", "-x", "-a", "c.xml").err


COMPATIBLE = {
    "full-width": "\uff54\uff48\uff45 mill",
    "mathematical": "\U0001d42d\U0001d421\U0001d41e mill",
}


@pytest.mark.parametrize("kind", COMPATIBLE)
def test_compatibility_letters(kind: str, run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"r.jsonl": record(COMPATIBLE[kind], ["the mill"])})
    found = run(*TABLE, "r.jsonl", cwd=tmp_path)
    assert "--tokenizer unicode --normalization nfkc" in found.err
    assert "--language de" not in found.err
    mended = run(*TABLE, "--tokenizer", "unicode", "--normalization", "nfkc", "r.jsonl")
    assert (mended.err, f_of(mended.out)[0]) == ("", "1.0000")


def test_a_byte_order_mark_is_no_lost_letter(run: Run, tmp_path: Path) -> None:
    text = "\ufeffthe cat sat on the mat\nthe dog ran home\n"
    write_files(tmp_path, {"p": text, "m": text.strip("\ufeff"), "s/1": text, "t/1": text})
    assert run(*TABLE, *LINES, cwd=tmp_path).err == ""
    assert run(*TABLE, "--peers", r"s/(\d)", "--models", "t/#ID#").err == ""


# ruff: noqa: RUF001 - other letters that look like those of the keyboard

CHINESE = ("今天天气很好，我们去公园散步。", "今天天气不错，大家去公园散步。")


def test_chinese_without_blanks(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"r.jsonl": record(CHINESE[0], CHINESE[1])})
    found = run("--protocol", "rouge-chinese", "r.jsonl", cwd=tmp_path)
    assert "--protocol rouge-chinese:words=jieba" in found.err
    pytest.importorskip("jieba")
    cut = run("--protocol", "rouge-chinese:words=jieba", "r.jsonl")
    assert cut.err == ""
    # The package on words of jieba, as LLaMA-Factory hands them to it.
    # Of nine and of eight words of jieba, marks among them, six are in both: F is 12/17.
    assert f_of(cut.out)[0] == "0.7059"


CLEAN = {
    "tweets": "Love this #sunset @anna &co 100% <3 @@ #nofilter RT @bo: ok",
    "code": 'if (a < b && c > d) { printf("one\\ntwo\\n"); } // x = a[i] <s> y',
    "law": "§ 12 Abs. 3 gilt nicht; § 13 [1] bleibt, vgl. §§ 4, 5.",
    "latex": "the angle $\\nu$ and $\\nabla f$, not \\neq \\newline or \\noindent text",
    "paths": "open C:\\new\\notes or D:\\data\\news and \\\\server\\night",
    "german": "Die Brücke über den Fluß wurde gestern für Fußgänger geöffnet.",
    "french": "L'été dernier, le café a fermé à cause de l'inondation.",
    "russian": "Мост закрыли до полудня из-за сильного ветра.",
    "greek": "Η γέφυρα έκλεισε πριν το μεσημέρι.",
    "turkish": "Köprü öğleden önce güçlü rüzgâr yüzünden kapandı.",
    "chinese": "大桥在中午前因大风关闭，ＡＴＭ 仍可使用２４小时。",
    "japanese": "強風のため正午前に橋が閉鎖された。",
    "arabic": "أغلق الجسر قبل الظهر بسبب الرياح القوية.",
    "lists": "1. The mill closed. 2. Rain fell. - Ships left [sic].",
    "think": "They think that reasoning <em> is what thought needs.",
    "brackets": "He said [laughs] that <unknown> people | others || came.",
}


@pytest.mark.parametrize("kind", CLEAN)
def test_clean_texts_are_not_warned_of(kind: str, run: Run, tmp_path: Path) -> None:
    tokenizer = ["--tokenizer", "unicode"]
    write_files(tmp_path, {"p": f"{CLEAN[kind]}\n" * 9, "m": f"{CLEAN[kind]}\n" * 9})
    found = run("-n", "1", "-x", "-r", "0", "--report", "table", *tokenizer, *LINES, cwd=tmp_path)
    is_said = {"think": "HTML", "code": "special tokens", "chinese": "full-width"}.get(kind)
    assert [line for line in found.error_lines if not is_said or is_said not in line] == []


def test_few_texts_share_a_line(run: Run, tmp_path: Path) -> None:
    lines = [f"the mill number {number} closed" for number in range(100)]
    marked = [*lines[:96], "a &amp; b", "nan", "None", "a Мост закрыт"]
    write_files(tmp_path, {"p": "\n".join(marked), "m": "\n".join(lines)})
    found = run("-n", "1", "-x", "-r", "0", "--report", "table", *LINES, cwd=tmp_path)
    assert found.error_lines == [
        "Warning: 1 of 200 texts loses more than a tenth of its letters; 2 of 200 texts hold "
        "nothing but a word such as 'nan', 'None' or 'NULL'; 1 of 200 texts holds entities or tags "
        "of HTML, such as &amp; or <br>: fewer than one in 20; -v says which, and what to do"
    ]
    told = run("-v", "-n", "1", "-x", "-r", "0", "--report", "table", *LINES).err
    assert "the first text 97: p, line 97: their letters count as words" in told

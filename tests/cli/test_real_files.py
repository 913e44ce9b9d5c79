"""Oddities that real files have: detected, reported and, if possible, read.

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

from tests.cli.running import Run, write_files

REFERENCES = (
    "the harbour bridge closed before noon because of heavy wind",
    "divers found the missing anchor near the old pier on sunday",
    "council members approved the ferry budget after a long debate",
)
LINES = ["--peer-lines", "p", "--model-lines", "m"]


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


@pytest.mark.parametrize("layout", ["lines", "records"])
@pytest.mark.parametrize("row", SEEN, ids=[row.id for row in SEEN])
def test_seen(row: Row, layout: str, run: Run, tmp_path: Path) -> None:
    texts = halves(row.texts)
    pairs = zip(texts.splitlines(), REFERENCES, strict=True)
    records = "".join(record(*pair) for pair in pairs)
    write_files(tmp_path, {"p": texts, "m": "\n".join(REFERENCES), "r.jsonl": records})
    arguments = LINES if layout == "lines" else ["r.jsonl"]
    plain = run(*TABLE, *arguments, cwd=tmp_path)
    assert row.says in plain.err
    # The bars of DeepSeek's tokens are letters that are lost, too.
    assert len(plain.error_lines) == 1 or row.id == "deepseek"
    before, *_ = f_of(plain.out)
    assert f"is {before}, and 1.0000 without" in plain.err.replace(" F of the", "")
    # The score that the warning tells is the one that the option gives.
    mended = run(*TABLE, *row.mends, *arguments, cwd=tmp_path)
    assert ("looked at" in mended.err, f_of(mended.out)[0]) == (False, "1.0000")
    if row.mends[0] == "--strip":
        assert mended.err == ""
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


FIRST_BYTES = {
    "lfs": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:eb8687f2\nsize 523\n",
        "a pointer of Git LFS, not the data; get the data with: git lfs pull",
    ),
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


# ruff: noqa: RUF001 - other letters that look like those of the keyboard

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

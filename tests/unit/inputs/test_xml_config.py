"""The XML configuration. Expected values are read off the specification."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs.text_files import FileEval
from rouge_cli.inputs.xml_config import parse_config

PEER = '<P ID="s">p</P>'
MODEL = '<M ID="A">m</M>'


def evaluate(
    peers: str = PEER,
    models: str = MODEL,
    *,
    eval_id: str = "1",
    roots: tuple[str, str] = ("P", "M"),
    text_format: str = "SPL",
) -> str:
    return (
        f'<EVAL ID="{eval_id}"><PEER-ROOT>{roots[0]}</PEER-ROOT><MODEL-ROOT>{roots[1]}</MODEL-ROOT>'
        f'<INPUT-FORMAT TYPE="{text_format}"></INPUT-FORMAT>'
        f"<PEERS>{peers}</PEERS><MODELS>{models}</MODELS></EVAL>"
    )


def parse(*evals: str, root: str = "ROUGE-EVAL") -> Sequence[FileEval]:
    return read(f"<{root}>{''.join(evals)}</{root}>".encode())


def read(data: bytes) -> Sequence[FileEval]:
    return parse_config(data, "config.xml")[0]


def peer_names(evaluation: FileEval) -> dict[str, str]:
    return {system_id: text.name for system_id, text in evaluation.peers.items()}


def model_names(evaluation: FileEval) -> list[str]:
    return [text.name for text in evaluation.models]


WHOLE = b"""<?xml version="1.0"?>
<!-- a comment -->
<ROUGE-EVAL version="1.0">
<EVAL ID="D1.M">
<PEER-ROOT>
  some peers\t
</PEER-ROOT>
<MODEL-ROOT>models</MODEL-ROOT>
<INPUT-FORMAT TYPE="see">
</INPUT-FORMAT>
<PEERS>
<P ID="s1"> a b.html
</P>
<P ID="s2">c.html</P>
</PEERS>
<MODELS>
<M ID="A">d.html</M>
</MODELS>
</EVAL>
</ROUGE-EVAL>
"""


@pytest.mark.parametrize(
    "data",
    [
        WHOLE,
        WHOLE.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + WHOLE,
        WHOLE.decode().encode("utf-16"),
        WHOLE.replace(b"ROUGE-EVAL", b"anything"),
        WHOLE.replace(b"EVAL", b"eVaL").replace(b"PEER", b"peer").replace(b"INPUT", b"input"),
        WHOLE.replace(b"P ID", b"p ID").replace(b"</P>", b"</p>").replace(b"MODELS", b"Models"),
        WHOLE.replace(b'version="1.0">\n<EVAL', b'xmlns="urn:x">\n<EVAL'),
    ],
    ids=["plain", "crlf", "utf-8-mark", "utf-16", "other-root", "mixed", "small", "name-space"],
)
def test_whole_configuration(data: bytes) -> None:
    (evaluation,) = read(data)
    assert evaluation.id == "D1.M"
    assert [
        (system_id, text.name, text.format, text.line)
        for system_id, text in evaluation.peers.items()
    ] == [("s1", "some peers/a b.html", "SEE", 12), ("s2", "some peers/c.html", "SEE", 14)]
    (model,) = evaluation.models
    assert (model.name, model.format, model.line) == ("models/d.html", "SEE", 17)


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("a.txt", "a.txt"),
        (" \n\ta b.txt\r\n", "a b.txt"),
        ("a<!-- no -->b", "ab"),
        ("a<![CDATA[&<]]>b", "a&<b"),
        ("a&amp;&lt;&#233;&#xe9;", "a&<\u00e9\u00e9"),
        ("<b>a</b>b", "ab"),
        ("a<?php x?>b", "ab"),
        ("x" * 20000, "x" * 20000),
        ("rm -rf / |", "rm -rf / |"),
        ("$(x); `y` > z", "$(x); `y` > z"),
        ("\u00a0a\u3000", "\u00a0a\u3000"),
        ("../a//b", "../a//b"),
    ],
    ids=[
        *("plain", "white-space", "comment", "cdata", "references", "element", "instruction"),
        *("long", "pipe", "command", "other-white-space", "dots"),
    ],
)
def test_file_name(spelling: str, name: str) -> None:
    (evaluation,) = parse(evaluate(f'<P ID="s">{spelling}</P>', f'<M ID="A">{spelling}</M>'))
    assert peer_names(evaluation) == {"s": f"P/{name}"}
    assert model_names(evaluation) == [f"M/{name}"]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-8", "caf\u00e9"),
        ("iso-8859-1", "caf\u00e9"),
        ("windows-1252", "\u20ac"),
        ("utf-16", "\u6587"),
    ],
)
def test_declared_encoding(encoding: str, name: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><r>{evaluate(eval_id=name)}</r>'
    (evaluation,) = read(text.encode(encoding))
    assert evaluation.id == name


@pytest.mark.parametrize("text_format", ["SEE", "see", "Isi", "SPL", "sPl", "simple", "SIMPLE"])
def test_format_in_any_case(text_format: str) -> None:
    (evaluation,) = parse(evaluate(text_format=text_format))
    assert {text.format for text in evaluation.models} == {text_format.upper()}
    assert evaluation.peers["s"].format == text_format.upper()


def test_order_of_elements_does_not_matter() -> None:
    (evaluation,) = parse(
        f'<EVAL ID="1"><MODELS>{MODEL}</MODELS><PEERS>{PEER}</PEERS><INPUT-FORMAT TYPE="SPL"/>'
        "<MODEL-ROOT>M</MODEL-ROOT><PEER-ROOT>P</PEER-ROOT></EVAL>"
    )
    assert (peer_names(evaluation), model_names(evaluation)) == ({"s": "P/p"}, ["M/m"])


def test_what_is_unknown_or_outside_of_an_eval_is_ignored() -> None:
    (evaluation,) = parse(
        '<P ID="x">x</P><PEERS><P>y</P></PEERS><INPUT-FORMAT/><PEER-ROOT/>',
        f"<GROUP>{evaluate(f'<NOTE>n</NOTE>{PEER}<SIZE/>')}</GROUP>",
    )
    assert peer_names(evaluation) == {"s": "P/p"}


def test_same_id_is_merged_in_place_of_the_first() -> None:
    first, second = parse(
        evaluate('<P ID="s">1</P><P ID="t">2</P>', '<M ID="A">3</M>', eval_id="x"),
        evaluate(eval_id="y"),
        evaluate(
            '<P ID="t">4</P><P ID="u">5</P>',
            '<M ID="B">6</M>',
            eval_id="x",
            roots=("P2", "M2"),
            text_format="SEE",
        ),
    )
    assert (first.id, second.id) == ("x", "y")
    assert peer_names(first) == {"s": "P/1", "t": "P2/4", "u": "P2/5"}
    assert [first.peers[system_id].format for system_id in "stu"] == ["SPL", "SEE", "SEE"]
    assert [(text.name, text.format) for text in first.models] == [("M/3", "SPL"), ("M2/6", "SEE")]


def test_merged_parts_need_only_what_their_files_need() -> None:
    start = '<EVAL ID="1"><INPUT-FORMAT TYPE="SPL"/>'
    (evaluation,) = parse(
        f"{start}<MODEL-ROOT>M</MODEL-ROOT><MODELS>{MODEL}</MODELS></EVAL>",
        f"{start}<PEER-ROOT>P</PEER-ROOT><PEERS>{PEER}</PEERS></EVAL>",
    )
    assert (peer_names(evaluation), model_names(evaluation)) == ({"s": "P/p"}, ["M/m"])


@pytest.mark.parametrize(
    ("models", "names"),
    [
        ('<M ID="A">1</M><M ID="A">2</M>', ["M/2", "M/2"]),
        ('<M ID="A">1</M><M ID="B">2</M><M ID="A">3</M>', ["M/3", "M/2", "M/3"]),
        ('<M ID="A">1</M><M ID="B">1</M>', ["M/1", "M/1"]),
    ],
    ids=["last-twice", "at-each-place", "same-file-other-id"],
)
def test_model_id_used_twice(models: str, names: list[str]) -> None:
    (evaluation,) = parse(evaluate(models=models))
    assert model_names(evaluation) == names


def test_model_id_used_twice_after_merging() -> None:
    (evaluation,) = parse(
        evaluate(models='<M ID="A">1</M><M ID="B">2</M>'),
        evaluate(models='<M ID="A">3</M>', roots=("P", "M2")),
    )
    assert model_names(evaluation) == ["M2/3", "M/2", "M2/3"]


def test_peer_id_used_twice_names_the_last_file() -> None:
    (evaluation,) = parse(evaluate('<P ID="s">1</P><P ID="t">2</P><P ID="s">3</P>'))
    assert peer_names(evaluation) == {"s": "P/3", "t": "P/2"}


@pytest.mark.parametrize(
    ("peers", "models", "warning"),
    [
        (
            '<P ID="s">1</P>\n<P ID="s">2</P>',
            MODEL,
            "line 3, EVAL 1: P ID s, used on line 2 too: P/1 is not scored, as in ROUGE-1.5.5; "
            "give each P of an EVAL an ID of its own",
        ),
        (
            PEER,
            '<M ID="A">1</M>\n<M ID="A">2</M>',
            "line 3, EVAL 1: M ID A, used on line 2 too: M/1 does not count, and the last file "
            "counts again, as in ROUGE-1.5.5; give each M of an EVAL an ID of its own",
        ),
        ('<P ID="s">1</P>\n<P ID="s">1</P>', MODEL, None),
        ('<P ID="A">1</P>', '<M ID="A">1</M>', None),
    ],
    ids=["peer", "model", "same-peer", "peer-and-model"],
)
def test_id_used_twice_is_a_warning(peers: str, models: str, warning: str | None) -> None:
    data = f"<ROUGE-EVAL>\n{evaluate(peers, models)}</ROUGE-EVAL>"
    _, warnings = parse_config(data.encode(), "config.xml")
    assert warnings == ([] if warning is None else [f"config.xml, {warning}"])


def test_eval_id_used_twice_is_a_warning() -> None:
    lines = [evaluate(f'<P ID="s">{number}</P>', f'<M ID="A">{number}</M>') for number in (1, 2)]
    _, warnings = parse_config(
        "\n".join(["<ROUGE-EVAL>", *lines, "</ROUGE-EVAL>"]).encode(), "c.xml"
    )
    of_eval, of_peer, of_model = warnings
    assert of_eval == (
        "c.xml, line 3, EVAL 1: the same ID as on line 2: the elements are scored as one text, as "
        "in ROUGE-1.5.5; if they are different texts, give each an ID of its own"
    )
    assert "P ID s, used on line 2 too: P/1 is not scored" in of_peer
    assert "M ID A, used on line 2 too: M/1 does not count" in of_model


def test_external_file_is_never_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret-name", "utf-8")
    data = f'<!DOCTYPE r [<!ENTITY e SYSTEM "{secret.as_uri()}">]><r>{evaluate("&e;")}</r>'
    with pytest.raises(InputError, match="line 1: a DOCTYPE") as caught:
        parse_config(data.encode(), "config.xml")
    assert "secret-name" not in str(caught.value)


@pytest.mark.parametrize("data", [b'{"a": 1}\n', b"\xef\xbb\xbf \n[1]"])
def test_json_in_place_of_xml(data: bytes) -> None:
    with pytest.raises(InputError) as caught:
        parse_config(data, "predictions.txt")
    (problem,) = caught.value.problems
    place, _, text = problem.partition(": ")
    assert place.startswith("predictions.txt, line ")
    assert text == (
        "no XML but JSON; expected a configuration in XML; records of such a name are read with "
        "--records-format jsonl or json"
    )


def test_a_list_in_place_of_xml() -> None:
    problem = "c.xml, line 1: no XML; expected a configuration in XML; a file list is read with -z"
    with pytest.raises(InputError, match=f"^{problem} FORMAT$"):
        parse_config(b"p m\n", "c.xml")

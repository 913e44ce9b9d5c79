"""The XML configuration. Expected values are read off the specification."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs.text_files import FileEval
from rouge_cli.inputs.xml_config import parse_config
from tests.tables import tables_beside

TABLES = tables_beside(__file__)
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
    ("spelling", "names"), [*TABLES["names of files"], ("x" * 20000, ["x" * 20000])]
)
def test_file_name(spelling: str, names: list[str]) -> None:
    spelling, name = (text.encode().decode("unicode_escape") for text in (spelling, *names))
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


def test_merged_parts_need_only_what_their_files_need() -> None:
    start = '<EVAL ID="1"><INPUT-FORMAT TYPE="SPL"/>'
    (evaluation,) = parse(
        f"{start}<MODEL-ROOT>M</MODEL-ROOT><MODELS>{MODEL}</MODELS></EVAL>",
        f"{start}<PEER-ROOT>P</PEER-ROOT><PEERS>{PEER}</PEERS></EVAL>",
    )
    assert (peer_names(evaluation), model_names(evaluation)) == ({"s": "P/p"}, ["M/m"])


def shown(evaluation: FileEval) -> str:
    peers = (f"{system}={text.name} ({text.format})" for system, text in evaluation.peers.items())
    models = (f"{text.name} ({text.format})" for text in evaluation.models)
    return f"{evaluation.id}: {' '.join(peers)} < {' '.join(models)}"


@pytest.mark.parametrize(("given", "expected"), TABLES["IDs used again"])
def test_ids_used_again(given: str, expected: list[str]) -> None:
    elements = []
    for element in given.split(" & "):
        eval_id, of_peers, of_models, *more = re.split(": | < | in ", element)
        peers, models = (
            "".join(f'\n<{kind} ID="{{}}">{{}}</{kind}>'.format(*file.split("=")) for file in files)
            for kind, files in (("P", of_peers.split()), ("M", of_models.split()))
        )
        *roots, form = more[0].split() if more else ("P", "M", "SPL")
        elements.append(
            evaluate(peers, models, eval_id=eval_id, roots=(roots[0], roots[1]), text_format=form)
        )
    evals, warnings = parse_config("\n".join(["<r>", *elements, "</r>"]).encode(), "c")
    assert [*map(shown, evals), *warnings] == expected


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

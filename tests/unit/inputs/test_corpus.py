"""The texts of a corpus as they are scored: split where they are raw, of the systems asked for."""

from pathlib import Path

from rouge_cli.inputs.corpus import EvaluationCorpus, read_texts, scored_evaluations
from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.inputs.text_reader import TextReader


def split_at_stops(raw: bytes) -> bytes:
    """Stand in for a splitter of sentences."""
    return raw.replace(b"\n", b" ").replace(b". ", b".\n")


def test_only_raw_files_are_split(tmp_path: Path) -> None:
    spl, isi = tmp_path / "t.txt", tmp_path / "t.sgml"
    spl.write_bytes(b"One. Two\nwords.")
    isi.write_bytes(b'<S SNTNO="1">One. Two.</S>\n')
    models = (TextSource(str(isi), "ISI"), TextSource("memory", content=b"One. Two."))
    evaluation = Evaluation("1", {"X": TextSource(str(spl))}, models)
    corpus = EvaluationCorpus("c", [evaluation], ("X",), reader=TextReader(split=split_at_stops))
    texts = read_texts(corpus, evaluation)
    assert texts.peers == {"X": b"One.\nTwo words."}
    assert texts.models == (b"One. Two.", b"One. Two.")


def test_contents_at_hand_are_not_read_again() -> None:
    evaluation = Evaluation("1", {"X": TextSource("gone")}, (TextSource("gone"),))
    corpus = EvaluationCorpus(
        "c", [evaluation], ("X",), reader=TextReader(contents={"gone": b"here"})
    )
    assert read_texts(corpus, evaluation).models == (b"here",)


def test_basic_elements_stay_lines() -> None:
    peers = {"X": TextSource("m", "SIMPLE", content=b"a|b|c\n")}
    evaluation = Evaluation("1", peers, (TextSource("m", "ISI", content=b"a"),))
    corpus = EvaluationCorpus("c", [evaluation], ("X",), reader=TextReader(as_elements=True))
    texts = read_texts(corpus, evaluation)
    assert (texts.peers, texts.models) == ({"X": b"a|b|c\n"}, (b"",))


def test_only_systems_that_are_asked_for() -> None:
    text = TextSource("m", content=b"a")
    evals = [
        Evaluation("1", {"a": text, "b": text}, (text,)),
        Evaluation("2", {"b": text}, (text,)),
    ]
    corpus = EvaluationCorpus("c", evals, ("a",))
    assert [one.id for one in scored_evaluations(corpus)] == ["1"]
    assert list(read_texts(corpus, evals[0]).peers) == ["a"]

"""Frames of results, the best texts, lazy frames, and what the package offers."""

import pytest

import rouge_cli


def test_a_frame_of_one_system() -> None:
    pytest.importorskip("pandas")
    frame = rouge_cli.evaluate(["a b", "c"], ["a", "d"], max_ngram=1, lcs=False).frame()
    assert list(frame.columns) == ["ROUGE-1 R", "ROUGE-1 P", "ROUGE-1 F"]
    assert (frame.index.name, list(frame.index)) == ("id", ["1", "2"])
    # Of "a b" one word of two is in "a", whose only word is found.
    assert frame.to_numpy().tolist() == [[1.0, 0.5, 0.66667], [0.0, 0.0, 0.0]]


def test_a_frame_of_several_systems() -> None:
    pytest.importorskip("pandas")
    systems = {"x": ["a", "b"], "y": ["b", "b"]}
    frame = rouge_cli.evaluate(systems, ["a", "b"], max_ngram=1, lcs=False).frame()
    assert frame.index.names == ["system", "id"]
    assert frame["ROUGE-1 F"].unstack("system").to_dict("list") == {"x": [1, 1], "y": [0, 1]}


def test_the_best_and_the_worst() -> None:
    results = rouge_cli.evaluate(["a", "b", "c d"], ["a", "x", "c"], max_ngram=1, lcs=False)
    assert [one.id for one in results.best(2)] == ["1", "3"]
    assert [one.id for one in results.worst(2)] == ["2", "3"]


def test_lazy_frames_are_collected() -> None:
    class LazyFrame:
        """As Polars has it: it has columns, and rows only when collected."""

        def collect(self) -> object:
            pandas = pytest.importorskip("pandas")
            return pandas.DataFrame({"prediction": ["a b"], "reference": ["a b"]})

    assert rouge_cli.evaluate(LazyFrame())["ROUGE-2"].f_measure.mean == 1  # type: ignore[arg-type]


def test_dir_has_what_the_package_offers() -> None:
    assert dir(rouge_cli) == sorted(rouge_cli.__all__)
    assert all(hasattr(rouge_cli, name) for name in dir(rouge_cli))

"""Files of judgements, and how they are matched with what is scored."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs.judgements import JudgedRow, Judgements, read_judgements
from rouge_cli.studies.correlate.judged_cells import match_judgements, score_cells
from rouge_cli.studies.score_columns import ScoreColumn
from tests.tables import rows_of
from tests.unit.studies.comparisons import single_scores


def test_compressed_tables_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "j.csv.gz"
    path.write_bytes(gzip.compress(b"system,eval,grade\na,1,2\n\xff,1,-1e1\n"))
    # Bytes count as in a configuration.
    rows = (JudgedRow(2, "a", "1", (2.0,)), JudgedRow(3, "\udcff", "1", (-10.0,)))
    assert read_judgements(str(path)).rows == rows


@pytest.mark.parametrize(
    ("last", "problem"), [("{}", "no number, expected one"), ("", "'x', expected a number")]
)
def test_many_problems_of_a_kind_are_one_line(tmp_path: Path, last: str, problem: str) -> None:
    path = tmp_path / "j.csv"
    rows = "".join(f"s{k},x{last.format(k)}\n" for k in range(1200))
    path.write_text(f"system,grade\ns,1\n{rows}")
    with pytest.raises(InputError) as error:
        read_judgements(str(path))
    lines = f"{path}, line 3, line 4, line 5 and 1197 more"
    assert str(error.value) == f"{lines}: column 'grade': found {problem}"


def instances(*cells: str) -> dict[str, list[str]]:
    """Return the EVALs of each system, from instances written as system and EVAL."""
    return {cell[0]: [other[1:] for other in cells if other[0] == cell[0]] for cell in cells}


def judgements(*cells: str) -> Judgements:
    """Return judgements: 1, 2, 3 and so on of the cells, each written as its system and EVAL."""
    rows = tuple(
        JudgedRow(line + 1, cell[0], cell[1:] or None, (float(line),))
        for line, cell in enumerate(cells, 1)
    )
    return Judgements("j.csv", ("grade",), rows, bool(cells[0][1:]))


FULL = ("a1", "b1", "c1", "a2", "b2", "c2")


def test_cells_are_in_byte_order() -> None:
    order = ("c2", "a1", "b10", "b2", "a10", "c1", "c10", "a2", "b1")
    found = match_judgements(judgements(*order), instances(*reversed(order)))
    assert found.systems == ("a", "b", "c")
    assert found.eval_ids == ("1", "10", "2")
    assert found.judged.tolist() == [[[2, 5, 8], [9, 3, 4], [6, 7, 1]]]
    assert found.warnings == ()


def test_one_judgement_stands_in_every_eval() -> None:
    found = match_judgements(judgements("a", "b", "c"), instances(*FULL))
    assert found.judged.tolist() == [[[1, 1], [2, 2], [3, 3]]]
    assert not found.is_per_eval


MISMATCHES = """
a1 b1 c1 a2 b2 c2 d1 d2; a1 b1 c1 a2 b2 c2
  j.csv: system 'd' is judged, but not scored
a1 b1 c1 a2 b2 c2; a1 b1 c1 a2 b2 c2 d1
  j.csv: no judgement of system 'd', which is scored
a1 b1 c1 a2 b2 c2 a3 b3 c3; a1 b1 c1 a2 b2 c2
  j.csv: text '3' is judged, but not scored
a1 b1 c1 a2 b2 c2; a1 b1 c1 a2 b2 c2 a3
  j.csv: no judgement of text '3', which is scored
a1 b1 c1 a2 b2 c2 a3 c3; a1 b1 c1 a2 b2 c2 a3 b3 c3
  j.csv: no judgement of system 'b' in text '3'
a1 b1 c1 a2 b2 c2 a3 b3 c3; a1 b1 c1 a2 b2 c2 a3 b3
  system 'c' has no score in text '3'
a b c; a1 b1 c1 a2 b2 c2 a3
  system 'b' has no score in text '3'
  system 'c' has no score in text '3'
"""
"""What is judged; what is scored; and what is said of it."""


@pytest.mark.parametrize(("cells", "problems"), rows_of(MISMATCHES))
def test_what_does_not_match(cells: str, problems: list[str]) -> None:
    judged, scored = (one.split() for one in cells.split(";"))
    with pytest.raises(InputError) as error:
        match_judgements(judgements(*judged), instances(*scored))
    last = "give what is missing, or leave it out with --unmatched skip or skip-cells"
    assert list(error.value.problems) == [*problems, last]
    found = match_judgements(judgements(*judged), instances(*scored), "skip")
    assert (found.systems, found.eval_ids) == (("a", "b", "c"), ("1", "2"))
    assert list(found.warnings) == [f"{problem}; left out" for problem in problems]


NOTHING_IN_COMMON = """
a1 b1; a1 b1
  j.csv: 2 systems with scores and judgements; a correlation over systems needs at least 3
a1 b1 c2; a1 b1 c1; skip
  j.csv: no text has scores and judgements of all systems
a1 b1 c1 a2 b2 c2 a3; aE01 bE01 cE01 aE02 bE02 cE02 aE03; error skip skip-cells
  j.csv: no text is both scored and judged: the scores have 'E01', 'E02', the judgements '1', '2'
  j.csv: 'E01' and '1' differ in a prefix, in upper case or in zeros in front; write the IDs of both
    in the same way
az bz cz; ax bx cx ay by cy; error skip skip-cells
  j.csv: no text is both scored and judged: the scores have 'x', 'y', the judgements 'z'
A1 B1 C1; a1 b1 c1
  j.csv: no system is both scored and judged: the scores have 'a', 'b', the judgements 'A', 'B'
  j.csv: 'a' and 'A' differ in a prefix, in upper case or in zeros in front; write the IDs of both
    in the same way
a1 b1 c1 a2 b2 c2; a1 b1 c1 a2 b2 c2 a1
  system 'a' has more than one text '1'; expected an ID for each, by which to find its judgement
"""
"""What is judged; what is scored; what ``--unmatched`` may be."""


@pytest.mark.parametrize(("given", "problems"), rows_of(NOTHING_IN_COMMON))
def test_what_cannot_be_matched(given: str, problems: list[str]) -> None:
    judged, scored, *ways = (one.split() for one in given.split(";"))
    for unmatched in ways[0] if ways else ["error"]:
        with pytest.raises(InputError) as error:
            match_judgements(judgements(*judged), instances(*scored), unmatched)
        assert list(error.value.problems) == problems


def test_single_cells_are_left_out() -> None:
    # b is not scored in 2, and c not judged in 1; EVAL 3 is judged only.
    scored = instances("a1", "b1", "c1", "a2", "c2")
    judged = judgements("a1", "b1", "a2", "b2", "c2", "a3", "b3", "c3")
    found = match_judgements(judged, scored, "skip-cells")
    assert found.eval_ids == ("1", "2")
    expected = [[[1, 3], [2, np.nan], [np.nan, 5]]]
    assert np.array_equal(found.judged, np.array(expected), equal_nan=True)
    assert found.warnings == (
        "j.csv: no judgement of system 'c' in text '1'; left out",
        "system 'b' has no score in text '2'; left out",
        "j.csv: text '3' is judged, but not scored; left out",
        "2 of 2 texts lack some systems: at the system level the means are over different texts",
    )
    table = single_scores({"a": {"1": 11, "2": 12}, "b": {"1": 21}, "c": {"1": 31, "2": 32}})
    cells = np.array([[11, 12], [21, np.nan], [np.nan, 32]])
    scores = score_cells(table, found, [ScoreColumn("human", "S")])
    assert np.array_equal(scores[..., 0], cells, equal_nan=True)


def test_scores_of_cells_are_those_of_the_table() -> None:
    cells = match_judgements(judgements(*FULL), instances(*FULL))
    # The EVALs of b in another order.
    table = single_scores(
        {"a": {"1": 11, "2": 12}, "b": {"2": 22, "1": 21}, "c": {"1": 31, "2": 32}}
    )
    found = score_cells(table, cells, [ScoreColumn("human", "S")])
    assert found[..., 0].tolist() == [[11, 12], [21, 22], [31, 32]]

"""What newcomers type first: it works, or the message says how to do it."""

import pytest

from tests.cli.running import SAMPLE, Run

TEXTS = ("--text", "The ferry is late.", "--reference", "The ferry was late.")
RECORDS = "records.jsonl"

# Command, exit code, words of the output or of the message.
FIRST = [
    # Guesses with a hint.
    (["The ferry is late.", "The ferry was late."], 3, "--text PREDICTION --reference REFERENCE"),
    ([RECORDS, "--predictions", "a", "--references", "b"], 2, "--prediction names a field"),
    (["compare", "lines/neural.txt", "lines/lead.txt", "lines/A.txt"], 2,
     "--predictions NAME=FILE --references FILE"),
    (["lines/neural.txt", "lines/lead.txt", "lines/A.txt"], 2, "--predictions NAME=FILE"),
    (["mbr", RECORDS], 2, "rouge_cli.bulk.mbr()"),
    (["oracle", RECORDS], 2, "rouge_cli.bulk.oracle_labels()"),
    (["merge", "a.jsonl", "b.jsonl"], 2, "rouge-cli A.jsonl B.jsonl"),
    ([RECORDS, "--fail-under", "0.5"], 2, '--require "ROUGE-1:F>=0.4"'),
    ([RECORDS, "--threshold", "0.5"], 2, '--require "ROUGE-1:F>=0.4"'),
    ([RECORDS, "--max-words", "2"], 2, "-l/--words N"),
    ([RECORDS, "--be"], 2, "-3/--basic-elements MODE"),
    ([RECORDS, "--chart", "a.svg"], 2, "--plot FILE"),
    ([RECORDS, "--only", "rougeL"], 2, "--lcs"),
    ([RECORDS, "--metric", "rougeL"], 2, "'-n/--max-ngram 2, --lcs'"),
    ([RECORDS, "--refs", "x"], 2, "'--references'"),
    ([RECORDS, "--also", "chrf"], 2, "'--add metric:NAME'"),
    ([RECORDS, "--scores", "s.csv"], 2, "'--add scores:FILE'"),
    ([RECORDS, "--column", "x"], 2, "'--add column:FIELD'"),
    ([RECORDS, "--add-metric", "x"], 2, "'--add counted:NAME'"),
    (["identify", RECORDS, "--rouge1", "0.7"], 2, "--published NUMBERS"),
    # What the hints lead to.
    ([RECORDS, "--lcs"], 0, "ROUGE-L F"),
    ([RECORDS, "--require", "ROUGE-1:F>=0.99"], 1, "Failed: neural ROUGE-1 F"),
    ([RECORDS, "-s", "--preset", "paper"], 0, "ROUGE-2 F"),
    # The ten that an earlier version did not do at once.
    (["lines/neural.txt", "lines/A.txt"], 0, "ROUGE-1 F"),
    (["peers", "models"], 0, "ROUGE-1 F"),
    # Three of four words are shared, and one of three pairs of words.
    ([*TEXTS], 0, "0.7500     0.3333     0.7500"),
    ([RECORDS], 0, "ROUGE-1 F"),
    ([RECORDS, "--percent"], 0, "ROUGE-1 F"),
    ([RECORDS, "--no-stem"], 0, "stem:no"),
    ([RECORDS, "--json"], 2, "'--report json'"),
    ([RECORDS, "--format", "csv"], 2, "'--report KIND'"),
    ([RECORDS, "-o", "json"], 2, "--report json chooses the report"),
    ([RECORDS, "--output", "json"], 2, "--report json chooses the report"),
    (["-h"], 0, "Common options:"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "code", "said"), FIRST, ids=[" ".join(row[0]) for row in FIRST])
def test_first_minute(run: Run, words: list[str], code: int, said: str) -> None:
    finished = run(*words, cwd=SAMPLE)
    assert finished.code == code
    assert said in finished.out.decode() + finished.err
    assert code < 2 or finished.out == b""

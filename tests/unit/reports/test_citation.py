"""How to cite."""

import pytest

from rouge_cli.options.every import Options
from rouge_cli.reports.citation import citation

TEXT = """\
The measure:

Chin-Yew Lin. 2004. ROUGE: A Package for Automatic Evaluation of Summaries. In Text
Summarization Branches Out, pages 74\N{EN DASH}81, Barcelona, Spain. Association for Computational
Linguistics.

@inproceedings{lin-2004-rouge,
  author    = {Lin, Chin-Yew},
  title     = {{ROUGE}: A Package for Automatic Evaluation of Summaries},
  booktitle = {Text Summarization Branches Out},
  year      = {2004},
  month     = jul,
  address   = {Barcelona, Spain},
  publisher = {Association for Computational Linguistics},
  pages     = {74--81},
  url       = {https://aclanthology.org/W04-1013/},
}

The program:

@software{rouge-cli,
  author  = {{The rouge-cli developers}},
  title   = {rouge-cli: {ROUGE}-1.5.5 in Python, exact to the byte},
  version = {0.1.0},
}

In the paper:

ROUGE-1, ROUGE-2 and ROUGE-L (Lin, 2004) were computed with rouge-cli 0.1.0, which reproduces
ROUGE-1.5.5 to the last digit. Signature:
rouge-cli:0.1.0|like:1.5.5|n:2|L|sent:newline|stem:porter155+wn2.0|stop:no|limit:no|formula:A|alpha:0.5|\
count:eval|resamples:1000|confidence:95

The same with the original:

ROUGE-1.5.5.pl -n 2 -m -a config.xml
"""


def test_citation() -> None:
    assert "".join(citation(Options.of({"max_ngram": 2, "stem": True}))) == TEXT


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "\nROUGE-L (Lin, 2004) was computed with "),
        ({"max_ngram": 1}, "\nROUGE-1 and ROUGE-L (Lin, 2004) were computed with "),
    ],
)
def test_names_of_metrics(options: dict[str, int], sentence: str) -> None:
    assert sentence in "".join(citation(Options.of(options)))


def test_what_does_not_show() -> None:
    found = "".join(citation(Options.of({"data_dir": "a\x1b[31m"})))
    assert r"-e 'a\x1b[31m'" in found

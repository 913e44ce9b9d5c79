"""Every option: what it takes, what it refuses, and the exact message."""

from math import inf
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.cli.arguments import DeclaredOption
from rouge_cli.cli.commands import COMMANDS
from rouge_cli.errors import OptionError
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.declaration import NEW_LETTERS, Option
from rouge_cli.options.inputs import NamedField
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.readers import Choice, Number, switch
from rouge_cli.options.reports import FIGURES, REPORTS, TABLE_REPORTS, PlotFile, ReportFile
from rouge_cli.options.scores import Fusion, NamedScore, Requirement, Scale, Term
from tests.cli.running import ROOT, python
from tests.tables import rows_of
from tools import make_keywords

WHOLE_FROM_0 = "a whole number from 0 on"
NGRAM = "a whole number from 1 to 1000"
SENTENCES = "punkt, auto, or the tag of a language, such as en or pt-BR"
RESAMPLES = "a whole number from 1 to 10000000"
WEIGHT = "a finite number above 0"
ANY_WHOLE = "a whole number; a negative one means no limit"
ALSO = (
    "NAME or NAME:KEY=VALUE,KEY=VALUE, or in Python an object with name, signature, measures and "
    "score"
)
REPORT_KINDS = f"one of {', '.join(REPORTS)}, or with a file: {REPORTS[-1]}=FILE"
TABLES = ", ".join(TABLE_REPORTS)
ENCODING = "the name of an encoding, such as utf-8, latin-1 or utf-16, or FILE:NAME"
PLOT = (
    "a file whose name ends in .svg, .png or .pdf, alone or after the name of a figure and '=': "
    f"{', '.join(FIGURES)}"
)
TAG = "a BCP 47 tag, such as de, zh or pt-BR"
TOKENIZER = "the name of a tokenizer or, in Python, a function from str to tokens"
STEMMER = "one of nltk, snowballstemmer, porter155, perhaps with a language, such as nltk:german"
DECLARED = {
    parameter.declared.spelling: parameter.declared
    for command in COMMANDS.values()
    for parameter in command.load().params
    if isinstance(parameter, DeclaredOption)
}
"""The options of all commands; of two that are spelt alike, the later one."""

CHOICES = [declared for declared in DECLARED.values() if isinstance(declared.parse, Choice)]
SWITCHES = [declared for declared in DECLARED.values() if declared.parse is switch]

*OTHERS_ASKING, LAST_ASKING = dict.fromkeys(
    declared.letter or declared.long
    for declared in MetricOptions.options().values()
    if declared.adds_metric
)

LETTERS_OF_THE_ORIGINAL = "23UbceflnprtuwzHadhmMsvx"
"""See section 1 of the specification."""

CONDITION = Requirement("ROUGE-2:F>=0.18", None, "ROUGE-2", "F", ">=", Number("0.18", 0.18))

# -x alone would leave nothing to compute, and options for line files go together.
COMPANIONS: dict[str, dict[str, Any]] = {
    "peer_lines": {"model_lines": "m"},
    "model_lines": {"peer_lines": "p"},
    "peers": {"models": "m"},
    "models": {"peers": "p"},
    "input_format": {"duc": ("p", "m")},
    "measures": {"report": "table"},
    "report": {"require": "ROUGE-1:F>0"},
    "sort": {"report": "table"},
    "worst": {"per_eval": True, "report": "table"},
    "best": {"per_eval": True, "report": "latex"},
    "against": {"per_eval": True, "report": "markdown"},
    "caption": {"report": "latex"},
    "label": {"report": "latex"},
    "max_drop": {"baseline": "b.json"},
    "stemmer": {"stem": True},
    "stopwords": {"remove_stopwords": True},
    "soft": {"soft_threshold": "0.7"},
    "soft_threshold": {"soft": "vectors.txt"},
}

COLUMN = "[NAME=]FIELD, such as human=annotation.score, with a NAME without : and |"
FUSION = (
    "NAME=KIND(METRIC:MEASURE,...), such as 'G=geomean(ROUGE-1:F,2*ROUGE-2:F)', with a KIND of "
    "mean, geomean, harmonic, alone or after eval-"
)

GOOD: list[tuple[str, Any, Any]] = [
    ("language", "de", "de"),
    ("language", "PT-br", "pt-BR"),
    ("language", "zh-hant-tw", "zh-Hant-TW"),
    ("language", "es-419", "es-419"),
    ("language", "de-CH-1996", "de-CH-1996"),
    ("language", "yue", "yue"),
    ("tokenizer", "unicode", "unicode"),
    ("tokenizer", str.split, str.split),
    ("stemmer", "nltk", "nltk"),
    ("stemmer", "snowballstemmer:dutch_porter", "snowballstemmer:dutch_porter"),
    ("stopwords", Path("s.txt"), "s.txt"),
    ("max_ngram", "4", 4),
    ("max_ngram", 4, 4),
    ("max_ngram", "+4", 4),
    ("max_ngram", "04", 4),
    ("max_ngram", "1000", 1000),
    *[("max_ngram", value, 2) for value in (" 2", "2 ", "2.0", "2e0", "20E-1", " +02. ", 2.0)],
    ("weight", "1.2", Number("1.2", 1.2)),
    ("weight", "1.20", Number("1.20", 1.2)),
    ("weight", 2, Number("2", 2.0)),
    ("weight", ".5", Number(".5", 0.5)),
    ("weight", "1e-3", Number("1e-3", 0.001)),
    ("weight", " 1.2 ", Number(" 1.2 ", 1.2)),
    ("weight", Number("2.0", 2.0), Number("2.0", 2.0)),
    ("max_gap", "-1", Number("-1", -1)),
    ("max_gap", -1, Number("-1", -1)),
    ("max_gap", "4", Number("4", 4)),
    ("max_gap", "0", Number("0", 0)),
    ("max_gap", "4.", Number("4.", 4)),
    ("max_gap", " -1.0", Number(" -1.0", -1)),
    ("soft", "vectors.txt", "vectors.txt"),
    ("also", "chrf:beta=3", ("chrf:beta=3",)),
    (
        "also",
        ["chrf", "bleu:tokenize=intl,smooth_method=none"],
        ("chrf", "bleu:tokenize=intl,smooth_method=none"),
    ),
    ("add_metric", "types", ("types",)),
    ("add_metric", ["types", "more-types"], ("types", "more-types")),
    ("soft_threshold", "0.70", Number("0.70", 0.7)),
    ("soft_threshold", -1, Number("-1", -1.0)),
    ("words", "0", 0),
    ("words", "100", 100),
    ("words", "7.0", 7),
    ("bytes", "3e1", 30),
    ("bytes", 665, 665),
    ("alpha", "0", Number("0", 0.0)),
    ("alpha", 1, Number("1", 1.0)),
    ("alpha", "0.80", Number("0.80", 0.8)),
    ("counting", "0", 0),
    ("counting", "1", 1),
    ("counting", 2, 2),
    *[("counting", value, 1) for value in ("+1", "01", "1.0", " 1 ", 1.0)],
    ("confidence", "99.5", Number("99.5", 99.5)),
    ("confidence", "0", Number("0", 0.0)),
    ("confidence", 100, Number("100", 100.0)),
    ("resamples", "0", 0),
    ("resamples", "10000000", 10_000_000),
    ("resamples", "12.0", 12),
    ("resamples", "1e3", 1000),
    ("data_dir", "data", "data"),
    ("data_dir", Path("some") / "data", str(Path("some") / "data")),
    ("data_dir", b"data\xff", "data\udcff"),
    ("peer_lines", ("a=one", "b=two"), ("a=one", "b=two")),
    ("peer_lines", ["a=one"], ("a=one",)),
    ("peer_lines", "one", ("one",)),
    ("peer_lines", Path("some") / "one", (str(Path("some") / "one"),)),
    ("model_lines", ("one", Path("two"), b"three\xff"), ("one", "two", "three\udcff")),
    ("model_lines", b"one", ("one",)),
    ("sentence_separator", "<q>", "<q>"),
    ("sentence_separator", " <t> </t> ", " <t> </t> "),
    *[(name, "a", ("a",)) for name in ("peers", "models", "prediction", "references")],
    *[(name, ["a b", "c"], ("a b", "c")) for name in ("peers", "models", "references")],
    ("duc", ("one", Path("two")), ("one", "two")),
    *[("delimiter", value, "\t") for value in ("tab", "\\t", "\t")],
    ("delimiter", ";", ";"),
    *[(name, "a.0.b c", "a.0.b c") for name in ("id", "system", "cluster")],
    ("column", "human=a.0.b", (NamedField("human", "a.0.b"),)),
    ("column", ["x", "y = z=1"], (NamedField("x", "x"), NamedField("y", "z=1"))),
    ("scores", "a.csv", ("a.csv",)),
    ("scores", ["a.csv", Path("b.tsv")], ("a.csv", "b.tsv")),
    ("lower_is_better", "ter", ("ter",)),
    ("scale", "a=1-5", (Scale("a", "1-5", 1.0, 5.0),)),
    ("scale", "a=-1.50-inf", (Scale("a", "-1.5-inf", -1.5, inf),)),
    ("fuse", "G=geomean(a:F, b)", (Fusion("G", "geomean", False, (Term("a", "F"), Term("b"))),)),
    (
        "fuse",
        "G = eval-mean(2*ROUGE-S*:r,.5*c[d=1,e=2] (mean of sentences):S)",
        (
            Fusion(
                "G",
                "mean",
                True,
                (
                    Term("ROUGE-S*", "R", Number("2", 2.0)),
                    Term("c[d=1,e=2] (mean of sentences)", "S", Number(".5", 0.5)),
                ),
            ),
        ),
    ),
    ("sentences", "NLTK", "punkt"),
    ("sentences", "Punkt", "punkt"),
    ("sentences", "pt-BR", "pt-BR"),
    ("encoding", "latin-1", ("iso8859-1",)),
    ("encoding", "UTF8", ("utf-8",)),
    ("encoding", ["a:b:UTF8", "latin-1"], ("a:b:utf-8", "iso8859-1")),
    *[("report", value, (ReportFile(value),)) for value in REPORTS],
    ("report", "JSON=a=b.json", (ReportFile("json", "a=b.json"),)),
    ("report", "csv=-", (ReportFile("csv"),)),
    ("report", (), (ReportFile("classic"),)),
    ("report", ("table", "csv=x"), (ReportFile("table"), ReportFile("csv", "x"))),
    ("report", (ReportFile("table"),), (ReportFile("table"),)),
    ("score_only", "rouge-2:f", NamedScore(None, "rouge-2", "F")),
    ("score_only", " a:b:ROUGE-2:R ", NamedScore("a:b", "ROUGE-2", "R")),
    ("score_only", NamedScore("a", "ROUGE-2", "R"), NamedScore("a", "ROUGE-2", "R")),
    ("caption", r"Our $\alpha$", r"Our $\alpha$"),
    ("label", "tab:x", "tab:x"),
    ("report", "LaTeX", (ReportFile("latex"),)),
    ("save", "s.Parquet", "s.Parquet"),
    ("output", Path("some") / "file", str(Path("some") / "file")),
    ("plot", "a.svg", (PlotFile("a.svg"),)),
    ("plot", Path("some") / "a.PNG", (PlotFile(str(Path("some") / "a.PNG")),)),
    ("plot", ["Wins=a.pdf", PlotFile("b.svg")], (PlotFile("a.pdf", "wins"), PlotFile("b.svg"))),
    ("measures", "f", "F"),
    ("measures", "R,P,F", "RPF"),
    ("measures", "FR", "FR"),
    ("sort", "ROUGE-2:R", "ROUGE-2:R"),
    ("worst", "3", 3),
    ("best", 1, 1),
    ("against", "lead", "lead"),
    ("require", "ROUGE-2:F>=0.18", (CONDITION,)),
    ("require", (CONDITION,), (CONDITION,)),
    (
        "require",
        ["our:system:ROUGE-SU*:r < 1", "ROUGE-L:P<=0", "ROUGE-W-1.2:F>.5"],
        (
            Requirement(
                "our:system:ROUGE-SU*:r < 1", "our:system", "ROUGE-SU*", "R", "<", Number("1", 1.0)
            ),
            Requirement("ROUGE-L:P<=0", None, "ROUGE-L", "P", "<=", Number("0", 0.0)),
            Requirement("ROUGE-W-1.2:F>.5", None, "ROUGE-W-1.2", "F", ">", Number(".5", 0.5)),
        ),
    ),
    ("baseline", "b.json", "b.json"),
    ("max_drop", "0.005", Number("0.005", 0.005)),
    ("jobs", "1", 1),
    ("jobs", 4, 4),
    ("jobs", "1000", 1000),
]

BAD: list[tuple[str, str, list[Any]]] = [
    ("language", TAG, ["de_DE", "", "d", 1, "de-"]),
    ("language", f"{TAG}; no language has the code xx", ["xx"]),
    ("tokenizer", TOKENIZER, ["", " ", 1, ["unicode"]]),
    ("stemmer", STEMMER, ["", "german", "nltk:", "nltk:ger man", "porter155:german"]),
    ("stopwords scores output baseline soft", "a path", [""]),
    (
        "max_ngram",
        NGRAM,
        [
            "0",
            0,
            "-1",
            "1001",
            "x",
            "",
            "1.5",
            "1e-1",
            "1e4",
            "1e999",
            "1" * 2000,
            "1 2",
            "\t1",
            "1\n",
            "0x1",
            "\N{SUPERSCRIPT TWO}",
            True,
        ],
    ),
    ("weight", WEIGHT,
     ["0", "-1", "x", "", "0.0", "nan", "inf", "1e999", "1,2", "0x1", "1_0", True]),
    ("max_gap", ANY_WHOLE, ["x", "", "1.5", "*", "--1", ".", "\N{ARABIC-INDIC DIGIT ONE}"]),
    ("words", WHOLE_FROM_0, ["-1", "x", "", "1.5", True]),
    ("bytes", WHOLE_FROM_0, ["-1", "x", "", "1k"]),
    ("peers models prediction references", "a string that is not blank", ["", ("p", " ")]),
    ("peers models prediction references", "a string, or several", [5]),
    ("duc", "a path", [("p", "")]),
    ("delimiter", "one character, such as ; or tab, other than a quote", ["", ";;", '"', "\n"]),
    ("id system sort against", "a string that is not blank", ["", " ", 1]),
    ("cluster lower_is_better caption", "a string that is not blank", [" "]),
    ("column", COLUMN, ["", "=a", "a=", "a:b=c", "a|b=c", "a\nb=c", 3]),
    ("scale", "NAME=LOW-HIGH, such as human=1-5 or judge=0-100",
     ["", "a", "a=", "a=1", "a=5-1", "a=1-1", "=1-5", "a=x-y", 5]),
    (
        "fuse",
        FUSION,
        [
            "", "G", "mean(a,b)", "G=median(a,b)", "G=mean a,b", "G=mean(a:X,b)", "G=mean(a,,b)",
            "=mean(a,b)", "a:b=mean(a,b)", "G=eval_mean(a,b)", "G=mean(:F,b)", 7,
        ],
    ),
    ("fuse", f"{FUSION}, of two measures or more", ["G=mean(a)"]),
    ("fuse", f"{FUSION}, with weights above 0", ["G=mean(0*a,b)"]),
    ("sentences", SENTENCES, ["english!"]),
    ("encoding", ENCODING, ["", "utf-99", "hex", "a\x00b", "a:hex"]),
    ("report", REPORT_KINDS, ["htm", "", "=x", "htm=x", "json:x", 1]),
    ("report", "the name of a file after json=", ["json="]),
    ("score_only", "a score such as 'ROUGE-2:F', or 'SYSTEM:ROUGE-2:F'",
     ["", "ROUGE-2", "ROUGE-2:X", ":F", "ROUGE-2:F>=0.1"]),
    ("plot", PLOT, ["", "a", "a.gif", "forest=", "forest=a", "pie=a.svg", 1]),
    ("worst", "a whole number from 1 on", ["0"]),
    ("best", "a whole number from 1 on", ["one"]),
    ("label", "a string that is not blank", [""]),
    ("measures", "some of the letters R, P and F, such as F or RPF", ["", "X", "FF", "R P"]),
    ("require", "a condition, or several", [5]),
    ("also", ALSO, ["", "chrf:", "chrf:beta", "a b", ":x=1", "chrf:beta=3,", 3, object]),
    ("also", "each KEY once", ["chrf:beta=3,beta=4"]),
    ("add_metric", "the name of a metric", ["", "a b", "a,b", "a:b=1", 3, object]),
    ("soft_threshold", "a finite number", ["", "x", "nan", "inf", "1e999", True]),
    ("max_drop", "a number from 0 to 1", ["-0.1"]),
    ("alpha", "a number from 0 to 1", ["2", "-0.1", "1.0001", "x", "", "nan", True]),
    ("counting", "0, 1 or 2", ["3", "-1", "x", "", "0.5", "1 1", True, False]),
    ("confidence", "a number from 0 to 100", ["101", "-1", "100.5", "x", "", "95%"]),
    ("resamples", RESAMPLES, ["-1", "10000001", "x", "", "1e8"]),
    ("data_dir", "a path", ["", b"", 1]),
    ("save", "a file whose name ends in .jsonl or .parquet", ["a.csv", "jsonl", b"x"]),
    ("peer_lines model_lines", "a path", ["", ("p", ""), ["p", None]]),
    ("peer_lines model_lines", "a path, or several", [5]),
    ("sentence_separator", "a string that is not blank", ["", "  ", "\t", "\n", b"<q>", 1]),
    ("jobs", NGRAM, ["0", 0, "-1", "1001", "x", "", "2.5", True]),
]  # fmt: skip
"""Names of options, what they expect, and values that are none."""


def test_defaults_are_those_of_the_original() -> None:
    # Section 1 of the specification.
    options = Options.of({})
    assert (options.metrics.with_lcs, options.metrics.max_ngram) == (True, None)
    assert (options.scores.formula, options.scores.counting) == ("A", 0)
    assert (options.scores.alpha.text, options.scores.confidence.text) == ("0.5", "95")
    assert (options.scores.resamples, options.reports.kinds) == (1000, ("classic",))


@pytest.mark.parametrize("declared", DECLARED.values(), ids=DECLARED)
def test_declarations(declared: Option) -> None:
    assert declared.long.startswith("--")
    assert (declared.metavar is None) == (declared.parse is switch)
    assert declared.help.endswith((".", "?"))
    assert declared.python_advice is None or declared.python_advice[0].islower()


@pytest.mark.parametrize("declared", CHOICES, ids=lambda declared: declared.long)
def test_choices(declared: Option) -> None:
    words = declared.parse.values  # type: ignore[attr-defined]
    in_capitals = declared.parse.in_capitals  # type: ignore[attr-defined]
    for word in words:
        assert declared.read(word.upper()) == declared.read(word) == word
        if word not in in_capitals:
            assert declared.read(word.lower()) == word
    for value in ("", "no such word", f"{words[0]} ", 1):
        with pytest.raises(OptionError) as caught:
            declared.read(value)
        advice = f"; did you mean {words[0]}?" if value == f"{words[0]} " else ""
        assert str(caught.value) == (
            f"{declared.spelling}: found {value!r}, expected one of {', '.join(words)}{advice}"
        )


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [("formula", "b", "-f/--formula: found 'b', expected B")]
    + [
        (
            "basic_elements",
            mode.lower(),
            f"-3/--basic-elements: found '{mode.lower()}', expected {mode}",
        )
        for mode in ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")
    ],
)
def test_what_the_original_takes_for_another(name: str, value: str, expected: str) -> None:
    with pytest.raises(OptionError) as caught:
        Options.of({name: value})
    assert str(caught.value) == f"{expected}: in lower case ROUGE-1.5.5 takes it for another word"


@pytest.mark.parametrize("declared", SWITCHES, ids=lambda declared: declared.long)
def test_switches(declared: Option) -> None:
    assert (declared.read(True), declared.read(False)) == (True, False)
    for value in ("1", 1, "", 0.0):
        with pytest.raises(OptionError) as caught:
            declared.read(value)
        assert str(caught.value) == f"{declared.spelling}: found {value!r}, expected True or False"


def test_none_leaves_the_default() -> None:
    assert Options.of(dict.fromkeys(OPTIONS)) == Options.of({})


@pytest.mark.parametrize(("name", "given", "value"), GOOD)
def test_good_values(name: str, given: Any, value: Any) -> None:
    options = Options.of({"max_ngram": 1, **COMPANIONS.get(name, {}), name: given})
    assert options.values()[name] == value


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        (name, value, expected)
        for names, expected, values in BAD
        for name in names.split()
        for value in values
    ],
)
def test_bad_values(name: str, given: Any, expected: str) -> None:
    with pytest.raises(OptionError) as caught:
        Options.of({name: given})
    # Of several, the one that is wrong is told of: here the last.
    is_one_of_several = isinstance(given, list | tuple) and expected.startswith("a ")
    found = given[-1] if is_one_of_several else given
    assert str(caught.value) == f"{OPTIONS[name].spelling}: found {found!r}, expected {expected}"


def test_a_metric_of_another_package_is_named_once() -> None:
    with pytest.raises(OptionError, match="--add counted: found 'b', expected each NAME once"):
        Options.of({"add_metric": ["a", "b", "b"]})


@pytest.mark.parametrize(
    "condition",
    [
        *("", "ROUGE-2", "ROUGE-2:F", "F>=0.5", "ROUGE-2:X>=0.5", "ROUGE-2:F=0.5", ":F>=0.5"),
        *("ROUGE-2:F>=1.5", "ROUGE-2:F>=x", "ROUGE-2:F>=1.2.3", "ROUGE-2:F>=-0.1", "ROUGE-2:F>="),
    ],
)
def test_conditions_that_are_none(condition: str) -> None:
    with pytest.raises(OptionError) as caught:
        Options.of({"require": (condition,)})
    assert str(caught.value) == (
        f"--require: found {condition!r}, expected a condition such as 'ROUGE-2:F>=0.18', with a "
        "limit from 0 to 1"
    )


def test_a_condition_on_a_single_measure() -> None:
    (found,) = Options.of({"require": "human:s>=-3.5"}).thresholds.require
    assert found == Requirement("human:s>=-3.5", None, "human", "S", ">=", Number("-3.5", -3.5))
    with pytest.raises(OptionError) as caught:
        Options.of({"require": "human:S>=1.2.3"})
    assert str(caught.value) == (
        "--require: found 'human:S>=1.2.3', expected a condition such as 'human:S>=3', with a "
        "number as its limit"
    )


NO_SENSE = f"""
words=10, bytes=10
  -l/--words and -b/--bytes exclude each other; give one of them
skip_unigram=True
  -u/--skip-unigram needs -2/--max-gap, for example -2 4
skip_and_unigram=True
  -U/--skip-and-unigram needs -2/--max-gap, for example -2 4
skip_and_unigram=True, skip_unigram=True
  -u/--skip-unigram needs -2/--max-gap, for example -2 4
lcs=False
  -x/--no-lcs leaves nothing to compute; ask for a metric with {", ".join(OTHERS_ASKING)} or
    {LAST_ASKING}
lcs=False, max_ngram=1, lcs_unit="text"
  --lcs-unit is for ROUGE-L, which -x or -3 has switched off
stem=True, stem_models=True
  -m/--stem and -M/--stem-models exclude each other: together they make the original switch stemming
    off half-way, so that scores depend on the order of the systems; -m stems predictions
    and references, -M the references only
humans=True, jackknife=False
  --humans needs --jackknife
jackknife=True, counting=1
  --jackknife has no counts to pool: it excludes -t 1
pairwise_lcs=True, counting=2
  --pairwise-lcs has no counts to pool: it excludes -t 2
peer_lines="p"
  --predictions and --references go together; give both
model_lines="m"
  --predictions and --references go together; give both
peers="p"
  --peers and --models go together; give both
models="p"
  --peers and --models go together; give both
sentences="nltk", sentence_separator="<q>"
  --sentences and --sentence-separator exclude each other; give one
sentences="nltk", basic_elements="HM"
  --sentences and -3/--basic-elements exclude each other
preset="paper", report="json", sort="ROUGE-1"
  --sort is for --report {TABLES}
intervals=False
  --no-intervals is for --report {TABLES}
letters=True
  --letters is for --report {TABLES}
letters=True, report="table", counting=1
  --letters compares means over texts: it excludes -t 1, which pools counts
caption="x", report="table"
  --caption is for --report latex
label="x"
  --label is for --report latex
score_only="ROUGE-L:F", report="json"
  --score-only and --report exclude each other; give one
report=('json', 'table')
  --report json and --report table have no file; give all but one a file: --report table=FILE
report="json=x", output="y"
  -o/--output is for a --report without a file; each has one already
sort="ROUGE-1"
  --sort is for --report {TABLES}
percent=True, report="csv"
  --percent is for --report {TABLES}
measures="R"
  --measures is for --report {TABLES} and for --baseline
counting=2, report="latex"
  --report latex has no raw counts (-t 2); use json or csv
counting=2, plot="a.svg"
  --plot draws no raw counts (-t 2)
max_drop=0.1
  --max-drop needs --baseline
also="chrf", basic_elements="H"
  --add metric reads texts, and -3/--basic-elements lists of elements
save="s.jsonl", dry_run=True
  --dry-run scores nothing: no --save with it
dry_run=True, report="json"
  --dry-run scores nothing: no --report, --plot, --score-only, --require or --baseline with it
dry_run=True, score_only="ROUGE-1:F"
  --dry-run scores nothing: no --report, --plot, --score-only, --require or --baseline with it
dry_run=True, plot="a.svg"
  --dry-run scores nothing: no --report, --plot, --score-only, --require or --baseline with it
dry_run=True, baseline="b"
  --dry-run scores nothing: no --report, --plot, --score-only, --require or --baseline with it
dry_run=True, require="ROUGE-1:F>0"
  --dry-run scores nothing: no --report, --plot, --score-only, --require or --baseline with it
ngram=2
  unknown option 'ngram'; did you mean 'max_ngram' (all are in help('rouge_cli.options.keywords'))
"""


@pytest.mark.parametrize(("given", "messages"), rows_of(NO_SENSE))
def test_combinations_that_make_no_sense(given: str, messages: list[str]) -> None:
    with pytest.raises(OptionError) as caught:
        Options.of(eval(f"dict({given})"))
    assert [str(caught.value)] == messages


@pytest.mark.parametrize(
    "given",
    [
        {"words": 0, "bytes": 10},
        {"words": 10, "bytes": 0},
        {"skip_unigram": True, "max_gap": 0},
        {"skip_unigram": True, "skip_and_unigram": True, "max_gap": -1},
        {"lcs": False, "max_gap": 4},
        {"lcs": False, "basic_elements": "H"},
        {"peer_lines": "p", "model_lines": ["m", "n"], "all": True, "jobs": 2},
        {"peer_lines": (), "model_lines": (), "list_format": "SPL"},
        # Whether CONFIG holds records is known when it is opened.
        {"sentence_separator": "<q>", "encoding": "latin-1", "prediction": "p"},
        {"measures": "RP", "baseline": "b.json", "max_drop": 0},
        {"dry_run": True, "output": "pairs.txt", "duc": ("p", "m"), "unpaired": "skip"},
        {"counting": 2, "report": "csv"},
    ],
)
def test_combinations_that_make_sense(given: dict[str, Any]) -> None:
    Options.of(given)


METRICS = {
    "": "ROUGE-L",
    "max_ngram=2": "ROUGE-1 ROUGE-2 ROUGE-L",
    "max_ngram=1, lcs=False": "ROUGE-1",
    'weight="1.20", max_gap="+4", max_ngram=1': "ROUGE-1 ROUGE-L ROUGE-W-1.20 ROUGE-S+4",
    "weight=2, pairwise_lcs=True": "ROUGE-L LCS-pairwise ROUGE-W-2",
    "lcs=False, pairwise_lcs=True": "LCS-pairwise",
    'lcs_unit="text"': "ROUGE-L-text",
    # -3 switches ROUGE-L off.
    'basic_elements="HM"': "ROUGE-BE-HM",
    'basic_elements="HM", lcs=True': "ROUGE-BE-HM",
    "max_gap=-1, skip_unigram=True, lcs=False": "ROUGE-SU*",
    "max_gap=4, skip_and_unigram=True, lcs=False": "ROUGE-S4 ROUGE-SU4",
    # -u wins.
    "max_gap=4, skip_and_unigram=True, skip_unigram=True, lcs=False": "ROUGE-SU4",
}


@pytest.mark.parametrize(("given", "names"), METRICS.items())
def test_metrics(given: str, names: str) -> None:
    metrics = scored_metrics(Options.of(eval(f"dict({given})")).metrics)
    assert " ".join(metric.name for metric in metrics) == names


@pytest.mark.parametrize(
    ("given", "implied"),
    [
        ({"humans": True}, {"jackknife": True}),
        ({"humans": False}, {"jackknife": False}),
        ({"stemmer": "nltk", "language": "de"}, {"stem": True, "stem_models": False}),
        ({"stemmer": "nltk", "stem_models": True}, {"stem": False, "stem_models": True}),
        ({"stopwords": "x"}, {"remove_stopwords": True}),
    ],
)
def test_an_option_implies_the_switch_that_it_needs(
    given: dict[str, Any], implied: dict[str, bool]
) -> None:
    values = Options.of(given).values()
    assert {name: values[name] for name in implied} == implied


def test_what_is_typed_is_named_before_what_it_implies() -> None:
    with pytest.raises(OptionError, match=r"it excludes --stemmer$"):
        Options.of({"protocol": "rouge", "stemmer": "nltk"})


@pytest.mark.parametrize(
    ("confidence", "percentage"),
    [("0.95", "95"), (0.999, "99.9"), ("0", None), ("1", None), ("95", None)],
)
def test_a_confidence_that_is_a_share(confidence: Any, percentage: str | None) -> None:
    warning = (
        f"-c/--confidence: found '{confidence}', which is {confidence}% as in ROUGE-1.5.5, "
        f"expected a percentage; for {percentage}% give {percentage}"
    )
    warnings = (warning,) if percentage else ()
    assert Options.of({"confidence": confidence}).scores.warnings == warnings
    predictions = ["a b", "a c"]
    results = rouge_cli.evaluate(predictions, predictions, confidence=confidence)
    assert results.warnings[: len(warnings)] == warnings


@pytest.mark.parametrize("name", ["max_ngram", "max_gap", "words", "bytes", "resamples"])
def test_more_digits_than_python_reads(name: str) -> None:
    # Python reads at most 4,300 digits as a number; the message stays about the option.
    expected = {"max_ngram": NGRAM, "max_gap": ANY_WHOLE, "resamples": RESAMPLES}
    with pytest.raises(OptionError) as caught:
        Options.of({name: "9" * 5000})
    assert str(caught.value).endswith(f"expected {expected.get(name, WHOLE_FROM_0)}")


def test_values_are_read_again_as_they_are() -> None:
    class Metric:
        name, signature, measures, score = "mine", "v1", ("S",), None

    given = {"weight": "1.20", "report": "json=x", "require": "ROUGE-L:F>0"}
    metric = Metric()
    options = Options.of({**given, "also": metric})
    again = Options.of(options.values())
    assert again.values() == options.values()
    assert again.metrics.also[0].given is metric


def test_letters_and_long_names() -> None:
    letters = [declared.letter for declared in OPTIONS.values() if declared.letter]
    assert len(set(letters)) == len(letters)
    with_names = [declared.long for declared in OPTIONS.values() if declared.kind is None]
    assert len(set(with_names)) == len(with_names)
    of_original = {one.letter for one in OPTIONS.values() if one.is_original}
    assert of_original <= {f"-{letter}" for letter in LETTERS_OF_THE_ORIGINAL}
    assert not NEW_LETTERS & {f"-{letter}" for letter in LETTERS_OF_THE_ORIGINAL}


def test_keywords_are_as_declared() -> None:
    assert make_keywords.TARGET.read_text("utf-8") == make_keywords.keywords(), "run make generated"


def test_a_type_checker_finds_misspelt_options(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import rouge_cli\n"
        'rouge_cli.evaluate(["a"], ["a"], max_ngram=2, formula="B", per_eval=True, letters=True)\n'
        'rouge_cli.score("a", "a", max_ngrams=2)\n'
        'rouge_cli.evaluate(["a"], ["a"], formula="C")\n'
        'rouge_cli.evaluate_files("c.xml", list_format="SPL", stem=1.5)\n'
    )
    pytest.importorskip("mypy")
    mypy = ("-m", "mypy", "--follow-imports=silent", "--no-error-summary", program)
    finished = python(*mypy, cwd=ROOT, text=True)
    lines = [line.split(":")[1] for line in finished.stdout.splitlines() if ": error: " in line]
    assert lines == ["3", "4", "5"]


def test_a_preset_sets_what_is_not_given() -> None:
    same = Options.of({"max_ngram": 2, "stem": True, "report": "table"})
    found = Options.of({"preset": "paper", "lcs": None, "require": (), "report": ()})
    assert (found.metrics, found.texts, found.scores) == (same.metrics, same.texts, same.scores)
    assert (found.reports, found.presets.preset) == (same.reports, "paper")
    other = Options.of({"preset": "paper", "max_ngram": 4, "report": "json=x", "lcs": False})
    assert (other.metrics.max_ngram, other.metrics.lcs, other.texts.stem) == (4, False, True)
    assert other.reports.report == (ReportFile("json", "x"),)


@pytest.mark.parametrize("name", ["alpha", "bootstrap", "preset", "stem"])
def test_an_empty_tuple_is_no_value_of_an_option_that_is_given_once(name: str) -> None:
    with pytest.raises(OptionError, match=r"found \(\), expected"):
        Options.of({"max_ngram": 2, name: ()})


@pytest.mark.parametrize("given", [{"dry_run": True}, {"score_only": "ROUGE-1:F"}])
def test_a_preset_asks_for_no_report_where_none_is_printed(given: dict[str, Any]) -> None:
    options = Options.of({"preset": "paper", **given})
    assert options.reports.kinds == ("classic",)
    assert options.texts.stem


def test_an_option_takes_the_place_of_one_that_a_preset_has() -> None:
    cut = Options.of({"preset": "duc2004", "words": 100})
    assert (cut.texts.words, cut.texts.bytes, cut.texts.stem) == (100, 0, True)
    same = Options.of({"preset": "duc2004", "words": 0, "stem_models": False})
    assert (same.texts.words, same.texts.bytes, same.texts.stem) == (0, 665, True)
    stems = Options.of({"preset": "duc2007", "stem_models": True, "skip_and_unigram": True})
    assert (stems.texts.stem, stems.texts.stem_models) == (False, True)
    assert (stems.metrics.skip_unigram, stems.metrics.skip_and_unigram) == (False, True)
    with pytest.raises(OptionError, match=r"--preset cnndm sets options of .*--protocol"):
        Options.of({"preset": "cnndm", "protocol": "rouge"})


def test_where_reports_go() -> None:
    given = ("table", "json=x.json")
    files = Options.of({"report": given, "output": "t.txt"}).reports.files
    assert files == (ReportFile("table", "t.txt"), ReportFile("json", "x.json"))
    assert Options.of({"report": given}).reports.files[0] == ReportFile("table")
    assert Options.of({"output": "-"}).reports.files == (ReportFile("classic"),)

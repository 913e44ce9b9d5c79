"""Every option and its default, once: the fields of `Options`.

The command line, the Python interface and the documentation take letters, long names, defaults,
checks and help from here.
Source: specification, section 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.option_kinds import Number, Option, Requirement, option
from rouge_cli.option_rules import LAYOUT_OPTIONS, check_combinations
from rouge_cli.option_values import (
    COUNTINGS,
    JOB_COUNT,
    LIMIT,
    NGRAM_ORDER,
    PERCENT,
    RESAMPLE_COUNT,
    SHARE,
    WEIGHT,
    ItemError,
    choice,
    counting,
    encoding,
    max_gap,
    measures,
    path,
    paths,
    requirements,
    string,
    strings,
    switch,
)

__all__ = ["OPTIONS", "Number", "Option", "Options"]

BASIC_ELEMENT_MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")
TEXT_FORMATS = ("SEE", "SPL", "ISI", "SIMPLE")
MEAN_OVER_EVALS, POOLED_COUNTS, RAW_COUNTS = COUNTINGS


METRICS, TEXT, SCORES = "Metrics", "Text", "Scores"
INPUT, FOLDERS, LINES, RECORDS = "Input", "Folders of texts", "Line files", "Records"
READING, OUTPUT, GATES, RUN = "Reading", "Output", "Gates", "Run"

LCS_UNITS = ("sentence", "text")
FORMULAS = SUM_OF_COUNTS, BEST_RECALL, BEST_F = "A", "B", "best-f"
RECORD_FORMATS = ("JSONL", "JSON", "CSV", "TSV", "PARQUET")
REPORTS = ("classic", "table", "json", "csv", "markdown", "latex")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What to compute, from what, and how to print it.

    Build one with `Options.of`, which checks every value; the fields and their defaults are the
    options of ``rouge-cli score`` under their long names.
    """

    max_ngram: int | None = option(
        "-n --max-ngram N",
        METRICS,
        "ROUGE-1 to ROUGE-N; without it no ROUGE-N at all.",
        NGRAM_ORDER,
        None,
    )
    lcs: bool = option(
        "-x --no-lcs", METRICS, "No ROUGE-L; it is computed otherwise.", switch, True, off=True
    )
    lcs_unit: str = option(
        "--lcs-unit sentence|text",
        METRICS,
        "ROUGE-L sentence by sentence or, as ROUGE-L-text, over the whole text as one sequence.",
        choice(*LCS_UNITS),
        "sentence",
    )
    pairwise_lcs: bool = option(
        "--pairwise-lcs",
        METRICS,
        "Normalised pairwise LCS too, as in MEAD: each sentence against the best one.",
        switch,
        False,
    )
    weight: Number | None = option(
        "-w --weight W",
        METRICS,
        "ROUGE-W with this weight for consecutive matches, above 0.",
        WEIGHT,
        None,
    )
    max_gap: Number | None = option(
        "-2 --max-gap D",
        METRICS,
        "ROUGE-S with at most D words between the two; a negative D means no limit.",
        max_gap,
        None,
    )
    skip_unigram: bool = option(
        "-u --skip-unigram", METRICS, "ROUGE-SU instead of ROUGE-S; needs -2.", switch, False
    )
    skip_and_unigram: bool = option(
        "-U --skip-and-unigram", METRICS, "ROUGE-S and then ROUGE-SU; needs -2.", switch, False
    )
    basic_elements: str | None = option(
        "-3 --basic-elements MODE",
        METRICS,
        "ROUGE-BE in mode H, HM, HMR, HM1, HMR1 or HMR2; switches ROUGE-L off.",
        choice(*BASIC_ELEMENT_MODES),
        None,
    )
    stem: bool = option(
        "-m --stem", TEXT, "Stem peers and models as the original does.", switch, False
    )
    stem_models: bool = option(
        "-M --stem-models", TEXT, "Stem the models only, in ROUGE-L, S and BE.", switch, False
    )
    remove_stopwords: bool = option(
        "-s --remove-stopwords", TEXT, "Remove stopwords before scoring.", switch, False
    )
    words: int = option(
        "-l --words N", TEXT, "Only the first N words of each text; 0: no limit.", LIMIT, 0
    )
    bytes: int = option(
        "-b --bytes N", TEXT, "Only the first N bytes of each text; 0: no limit.", LIMIT, 0
    )
    empty: str = option(
        "--empty warn|skip|error",
        TEXT,
        "A text without a word: scored 0 with a warning, left out with its EVAL, or an error.",
        choice("warn", "skip", "error"),
        "warn",
    )
    formula: str = option(
        "-f --formula A|B|best-f",
        SCORES,
        "Several models: the sum of the counts (A), or the model of best recall (B) or best F.",
        choice(*FORMULAS),
        "A",
    )
    alpha: Number = option(
        "-p --alpha ALPHA", SCORES, "Weight of precision in F, 0 to 1.", SHARE, Number("0.5", 0.5)
    )
    counting: int = option(
        "-t --counting 0|1|2",
        SCORES,
        "0: mean over EVALs; 1: counts pooled over EVALs; 2: print the pooled raw counts.",
        counting,
        0,
    )
    confidence: Number = option(
        "-c --confidence CF",
        SCORES,
        "Confidence level in percent, 0 to 100.",
        PERCENT,
        Number("95", 95.0),
    )
    resamples: int = option(
        "-r --resamples N", SCORES, "Number of bootstrap resamples.", RESAMPLE_COUNT, 1000
    )
    jackknife: bool = option(
        "--jackknife",
        SCORES,
        "Each peer against all models but one, averaged over the choices of that one.",
        switch,
        False,
    )
    humans: bool = option(
        "--humans",
        SCORES,
        "With --jackknife: score the models too, each against the others of its EVAL.",
        switch,
        False,
    )
    all: bool = option(
        "-a --all", INPUT, "Score every system in CONFIG, in byte order of the IDs.", switch, False
    )
    list_format: str | None = option(
        "-z --list-format FORMAT",
        INPUT,
        "CONFIG is a file list instead of XML; its texts are SEE, SPL, ISI or SIMPLE.",
        choice(*TEXT_FORMATS),
        None,
    )
    data_dir: str | None = option(
        "-e --data-dir DIR",
        INPUT,
        "Directory with word lists that replace the built-in ones.",
        path,
        None,
    )
    confine: bool = option(
        "--confine", INPUT, "Refuse texts outside the folder of CONFIG.", switch, False
    )
    peers: tuple[str, ...] = option(
        "--peers [NAME=]PATTERN",
        FOLDERS,
        "In place of CONFIG: names of the peers; a group, as in (\\d+), is the ID of the EVAL.",
        strings,
        (),
        is_many=True,
    )
    models: tuple[str, ...] = option(
        "--models PATTERN",
        FOLDERS,
        "Names of the models, with #ID# where the ID stands.",
        strings,
        (),
        is_many=True,
    )
    duc: tuple[str, ...] = option(
        "--duc PEERS_DIR MODELS_DIR",
        FOLDERS,
        "In place of CONFIG: folders of files with DUC or TAC names, such as D061.M.100.J.26.",
        paths,
        (),
        n_values=2,
    )
    input_format: str | None = option(
        "--input-format FORMAT",
        FOLDERS,
        "How these texts are written: SPL, SEE, ISI or SIMPLE; without it SPL, DUC's .html SEE.",
        choice(*TEXT_FORMATS),
        None,
    )
    unpaired: str = option(
        "--unpaired error|skip",
        FOLDERS,
        "Files that nothing belongs to: an error, or left out with a warning.",
        choice("error", "skip"),
        "error",
    )
    peer_lines: tuple[str, ...] = option(
        "--peer-lines [NAME=]FILE",
        LINES,
        "In place of CONFIG: peers, a text a line; once for each system.",
        paths,
        (),
        is_many=True,
    )
    model_lines: tuple[str, ...] = option(
        "--model-lines FILE",
        LINES,
        "Models for the lines of the peers; once for each model.",
        paths,
        (),
        is_many=True,
    )
    prediction: str | None = option(
        "--prediction FIELD",
        RECORDS,
        "CONFIG is a file of records: the field with the peer, such as outputs.text.",
        string,
        None,
    )
    references: tuple[str, ...] = option(
        "--references FIELD",
        RECORDS,
        "The field with the model, or a list of models; once for each of several fields.",
        strings,
        (),
        is_many=True,
    )
    id: str | None = option(
        "--id FIELD", RECORDS, "The field with the ID of the EVAL.", string, None
    )
    system: str | None = option(
        "--system FIELD", RECORDS, "The field with the ID of the system.", string, None
    )
    records_format: str | None = option(
        "--records-format FORMAT",
        RECORDS,
        "JSONL, JSON, CSV, TSV or PARQUET, where the name of the file does not say.",
        choice(*RECORD_FORMATS),
        None,
    )
    sentence_separator: str | None = option(
        "--sentence-separator STRING",
        READING,
        "What stands between the sentences of a line or a field, such as '<q>' or '<t> </t>'.",
        string,
        None,
    )
    sentences: str | None = option(
        "--sentences nltk",
        READING,
        "Find the sentences of raw text with NLTK's trained Punkt model for English.",
        choice("nltk"),
        None,
    )
    encoding: str | None = option(
        "--encoding NAME",
        READING,
        "Encoding of line files and records; records are UTF-8 without it.",
        encoding,
        None,
    )
    report: str = option(
        "--report KIND",
        OUTPUT,
        "classic (the original's), table, json, csv, markdown or latex.",
        choice(*REPORTS),
        "classic",
    )
    output: str | None = option(
        "-o --output FILE",
        OUTPUT,
        "Write the report to FILE, whole or not at all.",
        path,
        None,
    )
    per_eval: bool = option(
        "-d --per-eval", OUTPUT, "Print the scores of each EVAL too.", switch, False
    )
    measures: str | None = option(
        "--measures LETTERS",
        OUTPUT,
        "Which of R, P and F to show or to hold against --baseline, such as RPF; F if not given.",
        measures,
        None,
    )
    sort: str | None = option(
        "--sort METRIC",
        OUTPUT,
        "Order the systems by this metric, best first; by the first one if not given.",
        string,
        None,
    )
    percent: bool = option(
        "--percent",
        OUTPUT,
        "Scores of a table times 100, with two decimals.",
        switch,
        False,
    )
    dry_run: bool = option(
        "--dry-run", OUTPUT, "Print which texts belong together, and score nothing.", switch, False
    )
    verbose: bool = option(
        "-v --verbose", OUTPUT, "Say on standard error what is read and computed.", switch, False
    )
    require: tuple[Requirement, ...] = option(
        "--require CONDITION",
        GATES,
        "Exit with 1 unless it holds: 'ROUGE-2:F>=0.18', or 'SYSTEM:ROUGE-2:F>=0.18'.",
        requirements,
        (),
        is_many=True,
    )
    baseline: str | None = option(
        "--baseline FILE",
        GATES,
        "Exit with 1 if a score has dropped since this earlier --report json.",
        path,
        None,
    )
    max_drop: Number | None = option(
        "--max-drop X",
        GATES,
        "How far a score may fall below the baseline; 0 if not given.",
        SHARE,
        None,
    )
    jobs: int | None = option(
        "--jobs N",
        RUN,
        "Number of processes; the output is the same. Without it all processors for long runs.",
        JOB_COUNT,
        None,
    )

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Options":
        """Check every value and every combination, and return the options.

        Parameters
        ----------
        given : mapping of str to object
            Field name to value, as typed or as Python values; None leaves the default.

        Returns
        -------
        Options

        Raises
        ------
        OptionError
            An unknown name, a value out of range, or options that exclude each other.
        """
        if unknown := sorted(set(given) - set(OPTIONS)):
            raise OptionError(f"unknown option {unknown[0]!r}; known are: {', '.join(OPTIONS)}")
        options = cls(
            **{
                name: _parsed(OPTIONS[name], value)
                for name, value in given.items()
                if value is not None
            }
        )
        options._check_metrics()
        check_combinations(options)
        return options

    def _check_metrics(self) -> None:
        """Refuse options of metrics that exclude each other or come to nothing."""
        if self.words and self.bytes:
            raise OptionError("-l/--words and -b/--bytes exclude each other; give one of them")
        if self.max_gap is None and (self.skip_unigram or self.skip_and_unigram):
            letter = "-u/--skip-unigram" if self.skip_unigram else "-U/--skip-and-unigram"
            raise OptionError(f"{letter} needs -2/--max-gap, for example -2 4")
        if not self.metric_families:
            raise OptionError(
                "-x/--no-lcs leaves nothing to compute; ask for a metric with -n, -w, -2 or -3"
            )

    @property
    def layout(self) -> str:
        """Where the texts are: ``"config"`` (CONFIG), ``"patterns"``, ``"duc"`` or ``"lines"``."""
        for name, layout in LAYOUT_OPTIONS.items():
            if getattr(self, name):
                return layout
        return "config"

    @property
    def with_lcs(self) -> bool:
        """Whether ROUGE-L is computed: it is, unless ``-x`` or ``-3`` is given."""
        return self.lcs and self.basic_elements is None

    @property
    def skip_variants(self) -> tuple[bool, ...]:
        """Whether unigrams count too, for each of ROUGE-S and SU to compute, in printing order."""
        if self.max_gap is None:
            return ()
        if self.skip_unigram:
            return (True,)
        return (False, True) if self.skip_and_unigram else (False,)

    @property
    def metric_families(self) -> tuple[str, ...]:
        """The families to compute, in printing order: ``N``, ``L``, ``P``, ``W``, ``S``, ``BE``."""
        wanted = {
            "N": self.max_ngram is not None,
            "L": self.with_lcs,
            "P": self.pairwise_lcs,
            "W": self.weight is not None,
            "S": self.max_gap is not None,
            "BE": self.basic_elements is not None,
        }
        return tuple(family for family, is_wanted in wanted.items() if is_wanted)


def _parsed(option: Option, given: Any) -> Any:
    """Read one value, or say what was expected in its place."""
    try:
        return option.parse(given)
    except ValueError as error:
        name = "/".join(filter(None, (option.letter, option.long)))
        found = error.given if isinstance(error, ItemError) else given
        raise OptionError(f"{name}: found {found!r}, expected {error}") from None


OPTIONS: Mapping[str, Option] = {item.name: item.metadata["option"] for item in fields(Options)}
"""Field name of `Options` to its description, in the order of the help."""

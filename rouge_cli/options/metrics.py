"""Options that choose and configure metrics.

A new metric declares its options here; `rouge_cli.metrics.metric` lists the metrics themselves.
Source: specification, section 1.
"""

import os
import re
from collections.abc import Iterable
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options import readers
from rouge_cli.options.declaration import PACKAGES_DECIDE, Heading, OptionGroup, Step, options_under
from rouge_cli.options.readers import Number
from rouge_cli.quick_dataclass import dataclass

BASIC_ELEMENT_MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")

METRICS = Heading("Metrics", step=Step.EVALS, not_for=PACKAGES_DECIDE)
# Options that choose metrics, which the functions of `rouge_cli.bulk` name instead.
CHOSEN = Heading(
    METRICS,
    step=Step.EVALS,
    not_for={**PACKAGES_DECIDE, "bulk": "metric= names what is counted"},
)
metric_option, reading_option = options_under(CHOSEN), options_under(METRICS)
UNREAD = {"scorer": "it reads texts in another way"}

# Groups: name and settings. Values of settings may have colons and blanks, as paths do.
WRITTEN = re.compile(r"([^\s:|,=]+)(?::([^\s:|,=]+=[^|,=]*(?:,[^\s:|,=]+=[^|,=]*)*))?")
EXPECTED = (
    "NAME or NAME:KEY=VALUE,KEY=VALUE, or in Python an object with name, signature, measures and "
    "score"
)
ATTRIBUTES = ("name", "signature", "measures", "score")


class NameWithSettings(str):
    """A name with optional settings, such as ``bleu:lowercase=yes,tokenize=intl``."""

    @property
    def name(self) -> str:
        """The name without settings. That of a protocol includes the version."""
        return self.partition(":")[0]

    @property
    def settings(self) -> dict[str, str]:
        """The settings as typed."""
        pairs = (part.partition("=") for part in self.partition(":")[2].split(",") if part)
        return {key: value for key, _, value in pairs}


class AlsoMetric(NameWithSettings):
    """A metric of ``--add metric``.

    `given` is the metric itself if a Python program passed an object; None if it passed a name.
    """

    given: Any = None


class ProtocolChoice(NameWithSettings):
    """The value of ``--protocol`` as typed, with its metric and the path of its file.

    The metric is None until `rouge_cli.protocols.metric.looked_up` sets it.
    """

    metric: Any = None
    path: str | None = None

    @property
    def has_bootstrap(self) -> bool:
        """Whether the package of the protocol prints bootstrap means."""
        return self.metric is None or bool(self.metric.has_bootstrap)

    @property
    def is_file(self) -> bool:
        """Whether the value is the path of a file by the user."""
        return self.endswith(".toml")

    @property
    def is_stored_file(self) -> bool:
        """Whether it comes from saved scores, which have a fingerprint in place of the file."""
        return self.metric is None and self.endswith("]")


WRITTEN_PROTOCOL = re.compile(
    r"[^:|]+\.toml|[^\s:|,=]+(?::[^\s:|,=]+=[^|,=]+(?:,[^\s:|,=]+=[^|,=]+)*)?"
)


def protocol_choice(raw: Any) -> ProtocolChoice:
    """Read the name of a protocol with optional settings, or the path of a file."""
    written = os.fspath(raw) if isinstance(raw, os.PathLike) else raw
    if not isinstance(written, str) or not WRITTEN_PROTOCOL.fullmatch(written):
        raise ValueError("NAME, NAME@VERSION, NAME:KEY=VALUE,KEY=VALUE or a file such as own.toml")
    choice = ProtocolChoice(written)
    # Options may be read from values that were read before; the metric must not get lost.
    choice.metric, choice.path = getattr(raw, "metric", None), getattr(raw, "path", None)
    return choice


def also_metrics(raw: Any) -> tuple[AlsoMetric, ...]:
    """Read one metric or an iterable of metrics."""
    # An object that is a metric may be iterable too.
    if isinstance(raw, str) or _is_metric(raw) or not isinstance(raw, Iterable):
        return (_also_metric(raw),)
    return tuple(map(_also_metric, raw))


def _also_metric(raw: Any) -> AlsoMetric:
    if isinstance(raw, AlsoMetric):
        return raw
    if isinstance(raw, str):
        match = WRITTEN.fullmatch(raw)
        if match is None:
            raise readers.ItemError(raw, EXPECTED)
        keys = [part.partition("=")[0] for part in (match[2] or "").split(",")]
        if len(set(keys)) < len(keys):
            raise readers.ItemError(raw, "each KEY once")
        return AlsoMetric(raw)
    if not _is_metric(raw) or not isinstance(raw.name, str):
        raise readers.ItemError(raw, EXPECTED)
    metric = AlsoMetric(raw.name)
    metric.given = raw
    return metric


def _is_metric(raw: Any) -> bool:
    # A class may have these attributes too, but only its objects can score.
    return not isinstance(raw, type) and all(hasattr(raw, name) for name in ATTRIBUTES)


NAME = re.compile(r"[^\s:|,=\[\]]+")


def metric_names(raw: Any) -> tuple[str, ...]:
    """Read the name of a metric, or a list or tuple of distinct names."""
    names = tuple(raw) if isinstance(raw, list | tuple) else (raw,)
    for name in names:
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise readers.ItemError(name, "the name of a metric")
        if names.count(name) > 1:
            raise readers.ItemError(name, "each NAME once")
    return names


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricOptions(OptionGroup):
    """Options of metrics. ROUGE-L is on by default."""

    max_ngram: int | None = metric_option(
        "-n --max-ngram N: ROUGE-1 to ROUGE-N; no ROUGE-N unless given.",
        readers.NGRAM_ORDER,
        adds_metric=True,
        for_single_pairs=True,
        is_common=True,
    )
    lcs: bool = metric_option("-x --no-lcs: Skip ROUGE-L (on by default).", for_single_pairs=True)
    lcs_unit: str = reading_option(
        "--lcs-unit sentence|text: ROUGE-L sentence by sentence or, as ROUGE-L-text, over the "
        "whole text as one sequence.",
        default="sentence",
        for_single_pairs=True,
    )
    pairwise_lcs: bool = metric_option(
        "--pairwise-lcs: Add the normalised pairwise LCS of MEAD: each sentence against its best "
        "match.",
        adds_metric=True,
        has_no_counts=True,
    )
    weight: Number | None = metric_option(
        "-w --weight W: Add ROUGE-W with this weight for consecutive matches, above 0.",
        readers.WEIGHT,
        adds_metric=True,
    )
    max_gap: Number | None = metric_option(
        "-2 --max-gap D: Add ROUGE-S with at most D words between the two; a negative D means no "
        "limit.",
        readers.max_gap,
        adds_metric=True,
    )
    skip_unigram: bool = metric_option("-u --skip-unigram: ROUGE-SU instead of ROUGE-S; needs -2.")
    skip_and_unigram: bool = metric_option(
        "-U --skip-and-unigram: Both ROUGE-S and ROUGE-SU; needs -2.",
        instead_of="skip_unigram",
    )
    soft: str | None = metric_option(
        "--soft VECTORS: Add ROUGE-soft-N (experimental): words near in this table of word "
        "vectors match; needs -n.",
        readers.path,
        not_for=UNREAD,
    )
    soft_threshold: Number | None = metric_option(
        "--soft-threshold T: The least cosine at which words match in ROUGE-soft-N; it has no "
        "default.",
        readers.FINITE,
        not_for=UNREAD,
    )
    # The original prints zeros for a mode in small letters, hence the capitals.
    basic_elements: str | None = metric_option(
        "-3 --basic-elements MODE: ROUGE-BE in mode H, HM, HMR, HM1, HMR1 or HMR2; switches "
        "ROUGE-L off.",
        readers.choice(*BASIC_ELEMENT_MODES, in_capitals=BASIC_ELEMENT_MODES),
        adds_metric=True,
        not_for={**UNREAD, "batches": "it is for files in the format SIMPLE"},
    )
    also: tuple[AlsoMetric, ...] = metric_option(
        "--add metric:NAME[:KEY=VALUE,...]: Compute another metric too: chrf, chrf++, bleu, "
        "corpus-bleu, ter (sacrebleu's), a plug-in, or a statistic of source.",
        also_metrics,
        keeps_preset=True,
        is_many=True,
        adds_metric=True,
        has_no_counts=True,
        goes_with_protocol=True,
        not_for=UNREAD,
    )
    add_metric: tuple[str, ...] = metric_option(
        "--add counted:NAME: Add a metric that counts, of another package that is installed; "
        "repeat for each.",
        metric_names,
        keeps_preset=True,
        is_many=True,
        adds_metric=True,
        not_for=UNREAD,
    )
    protocol: ProtocolChoice | None = reading_option(
        "--protocol NAME[:KEY=VALUE,...]: Compute what another package prints, such as rouge or "
        "py-rouge:max_n=4; NAME@VERSION, or a TOML file of your own. rouge-cli protocols lists "
        "them.",
        protocol_choice,
        adds_metric=True,
        has_no_counts=True,
        goes_with_protocol=True,
        not_for={
            "context": "sentences are chosen by ROUGE-1.5.5",
            "explain": "a protocol finds words of its own",
        },
    )

    def check(self) -> None:
        """Raise OptionError for contradictions, and if there is nothing to compute."""
        given = [self.options()[name] for name in self.given()]
        for declared in given if self.protocol is not None else ():
            if not declared.goes_with_protocol:
                raise OptionError(
                    f"--protocol computes the metrics of a package: it excludes {declared.spelling}"
                )
        if self.max_gap is None and (self.skip_unigram or self.skip_and_unigram):
            name = "skip_unigram" if self.skip_unigram else "skip_and_unigram"
            raise OptionError(
                f"{self.options()[name].spelling} needs -2/--max-gap, for example -2 4"
            )
        self._check_soft()
        # Files of Basic Elements hold no texts that other metrics could read.
        if self.also and self.basic_elements:
            raise OptionError("--add metric reads texts, and -3/--basic-elements lists of elements")
        if not self.with_lcs and not any(declared.adds_metric for declared in given):
            adding = (declared for declared in self.options().values() if declared.adds_metric)
            *others, last = dict.fromkeys(declared.letter or declared.long for declared in adding)
            raise OptionError(
                "-x/--no-lcs leaves nothing to compute; ask for a metric with "
                f"{', '.join(others)} or {last}"
            )
        if self.lcs_unit != "sentence" and not self.with_lcs:
            raise OptionError("--lcs-unit is for ROUGE-L, which -x or -3 has switched off")

    def _check_soft(self) -> None:
        if (self.soft is None) != (self.soft_threshold is None):
            raise OptionError(
                "--soft and --soft-threshold go together; give both, for example --soft "
                "vectors.txt --soft-threshold 0.7 (no threshold suits every table)"
            )
        if self.soft is not None and self.max_ngram is None:
            raise OptionError("--soft needs -n/--max-ngram, for example -n 2")

    @property
    def with_lcs(self) -> bool:
        """Whether ROUGE-L is computed. ``-x``, ``-3`` and ``--protocol`` turn it off."""
        return self.lcs and self.basic_elements is None and self.protocol is None

    @property
    def reads_only_elements(self) -> bool:
        """Whether every metric of the run reads Basic Elements rather than words."""
        adding = [name for name in self.given() if self.options()[name].adds_metric]
        return adding == ["basic_elements"]

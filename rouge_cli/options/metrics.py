"""Which metrics to compute, and how each is set.

A new metric declares its options here; `rouge_cli.metrics.metric` lists the metrics themselves.
Source: specification, section 1.
"""

from rouge_cli.errors import OptionError
from rouge_cli.options.also import AlsoMetric, also_metrics
from rouge_cli.options.declaration import Number, OptionGroup, option
from rouge_cli.options.values import FINITE, NGRAM_ORDER, WEIGHT, choice, max_gap, path, switch
from rouge_cli.quick_dataclass import dataclass

__all__ = ["BASIC_ELEMENT_MODES", "METRICS", "MetricOptions"]

METRICS = "Metrics"
BASIC_ELEMENT_MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricOptions(OptionGroup):
    """The metrics of a run; ROUGE-L unless something switches it off."""

    max_ngram: int | None = option(
        "-n --max-ngram N",
        METRICS,
        "ROUGE-1 to ROUGE-N; no ROUGE-N unless given.",
        NGRAM_ORDER,
        None,
        asks_for_metric=True,
    )
    lcs: bool = option(
        "-x --no-lcs", METRICS, "Skip ROUGE-L (on by default).", switch, True, off=True
    )
    lcs_unit: str = option(
        "--lcs-unit sentence|text",
        METRICS,
        "ROUGE-L sentence by sentence or, as ROUGE-L-text, over the whole text as one sequence.",
        choice("sentence", "text"),
        "sentence",
    )
    pairwise_lcs: bool = option(
        "--pairwise-lcs",
        METRICS,
        "Add the normalised pairwise LCS of MEAD: each sentence against its best match.",
        switch,
        False,
        asks_for_metric=True,
    )
    weight: Number | None = option(
        "-w --weight W",
        METRICS,
        "Add ROUGE-W with this weight for consecutive matches, above 0.",
        WEIGHT,
        None,
        asks_for_metric=True,
    )
    max_gap: Number | None = option(
        "-2 --max-gap D",
        METRICS,
        "Add ROUGE-S with at most D words between the two; a negative D means no limit.",
        max_gap,
        None,
        asks_for_metric=True,
    )
    skip_unigram: bool = option(
        "-u --skip-unigram", METRICS, "ROUGE-SU instead of ROUGE-S; needs -2.", switch, False
    )
    skip_and_unigram: bool = option(
        "-U --skip-and-unigram", METRICS, "Both ROUGE-S and ROUGE-SU; needs -2.", switch, False
    )
    soft: str | None = option(
        "--soft VECTORS",
        METRICS,
        "Add ROUGE-soft-N (experimental): words near in this table of word vectors match; needs "
        "-n.",
        path,
        None,
    )
    soft_threshold: Number | None = option(
        "--soft-threshold T",
        METRICS,
        "The least cosine at which words match in ROUGE-soft-N; it has no default.",
        FINITE,
        None,
    )
    basic_elements: str | None = option(
        "-3 --basic-elements MODE",
        METRICS,
        "ROUGE-BE in mode H, HM, HMR, HM1, HMR1 or HMR2; switches ROUGE-L off.",
        choice(*BASIC_ELEMENT_MODES),
        None,
        asks_for_metric=True,
    )

    also: tuple[AlsoMetric, ...] = option(
        "--also NAME[:KEY=VALUE,...]",
        METRICS,
        "Compute another metric too: chrf, chrf++, bleu, corpus-bleu, ter (sacrebleu's) or a "
        "plug-in.",
        also_metrics,
        (),
        is_many=True,
        asks_for_metric=True,
    )

    def check(self) -> None:
        """Refuse options of metrics that exclude each other or leave nothing to compute."""
        if self.max_gap is None and (self.skip_unigram or self.skip_and_unigram):
            name = "skip_unigram" if self.skip_unigram else "skip_and_unigram"
            raise OptionError(
                f"{self.options()[name].spelling} needs -2/--max-gap, for example -2 4"
            )
        self._check_soft()
        if self.also and self.basic_elements:
            raise OptionError("--also reads texts, and -3/--basic-elements lists of elements")
        asked_for = [name for name in self.given() if self.options()[name].asks_for_metric]
        if not self.with_lcs and not asked_for:
            asking = (one for one in self.options().values() if one.asks_for_metric)
            *others, last = (one.letter or one.long for one in asking)
            raise OptionError(
                "-x/--no-lcs leaves nothing to compute; ask for a metric with "
                f"{', '.join(others)} or {last}"
            )
        if self.lcs_unit != "sentence" and not self.with_lcs:
            raise OptionError("--lcs-unit is for ROUGE-L, which -x or -3 has switched off")

    def _check_soft(self) -> None:
        """Refuse soft matches without a threshold, or without n-grams."""
        if (self.soft is None) != (self.soft_threshold is None):
            raise OptionError(
                "--soft and --soft-threshold go together; give both, for example --soft "
                "vectors.txt --soft-threshold 0.7 (no threshold suits every table)"
            )
        if self.soft is not None and self.max_ngram is None:
            raise OptionError("--soft needs -n/--max-ngram, for example -n 2")

    @property
    def with_lcs(self) -> bool:
        """Whether ROUGE-L is computed: it is, unless ``-x`` or ``-3`` is given."""
        return self.lcs and self.basic_elements is None

    @property
    def reads_only_elements(self) -> bool:
        """Whether every metric of the run reads Basic Elements, and none words."""
        asked_for = [name for name in self.given() if self.options()[name].asks_for_metric]
        return asked_for == ["basic_elements"]

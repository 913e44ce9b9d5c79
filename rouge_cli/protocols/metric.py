"""A protocol as a metric of a run, for ``--protocol``."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np

from rouge_cli.errors import InstanceError, OptionError
from rouge_cli.metrics.counts import RPF, InstanceScores, ScoredMetric
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.paired_texts import PairedTexts, Reading
from rouge_cli.options.metrics import ProtocolChoice
from rouge_cli.options.options import Options
from rouge_cli.options.scores import SINGLE_MEASURE, ScoreOptions
from rouge_cli.protocols.catalogue import find_protocol, read_protocol, spelled_out
from rouge_cli.protocols.counting import measures_of
from rouge_cli.protocols.engine import score_texts
from rouge_cli.protocols.protocol import Protocol, read_options
from rouge_cli.protocols.scoring import average, scaled
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import Measure, MetricScores, SystemScores

FINGERPRINT_DIGITS = 12
LONGEST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class ProtocolMetric(Metric):
    """All metrics of a protocol, scored together.

    Its words and tokens are not those of the run, so that there are no marks and no single pairs.
    `set_options` has the names of the package's options that the user gave. With `skips_blank`,
    the run leaves out EVALs with a blank text, so these are not scored.
    """

    protocol: Protocol
    set_options: frozenset[str] = frozenset()
    skips_blank: bool = False
    reading: ClassVar[Reading] = Reading(raw=True, is_own=True)

    @property
    def columns(self) -> tuple[ScoredMetric, ...]:
        """The name, measures and scale of each metric; only one measure if it returns F alone."""
        scores = self.protocol.scores
        measures = (SINGLE_MEASURE,) if scores.only_f else RPF
        scale = "0-1" if scores.scale == 1 else f"0-{scores.scale:g}"
        keys = [key for key, _ in self.protocol.counts.metrics]
        return tuple(ScoredMetric(key, measures, scale) for key in keys)

    @property
    def has_bootstrap(self) -> bool:
        """Whether the package prints bootstrap means, as only wrappers of ROUGE-1.5.5 do."""
        return self.protocol.means.mean == "original"

    @property
    def signature(self) -> tuple[str, ...]:
        """The names of the metrics; the protocol's own name covers everything else."""
        return tuple(key for key, _ in self.protocol.counts.metrics)

    def prepare(self) -> None:
        """Load the sentence model, if the protocol has one, by scoring an empty text.

        Raises InputError or OptionError if it is missing.
        """
        # Fails here, before any text is read, rather than at the first batch.
        score_texts(self.protocol, [""], [[""]])

    def score(self, texts: PairedTexts, options: ScoreOptions) -> list[InstanceScores]:
        """Score each instance.

        Raises InstanceError, which names the texts on which the package raises an exception.
        """
        choices = self.protocol.scores
        peers, models = texts.raw_texts()
        problems: list[tuple[int, str, str]] = []
        scored = []
        for i, row in enumerate(models):
            if self.skips_blank and not all(map(str.strip, (peers[i], *row))):
                # The EVAL is left out later; the package might raise an exception on it.
                continue
            if choices.references == "single" and len(row) > 1:
                several = f"{len(row)} references; --protocol {self.protocol.name} takes one"
                problems.append((i, f"{_beginning(peers[i])}: {several}", several))
                continue
            scored.append(i)
        tables, errors = score_texts(
            self.protocol, [peers[i] for i in scored], [models[i] for i in scored]
        )
        for place, error in sorted(errors.items()):
            i = scored[place]
            is_blank = not all(map(str.strip, (peers[i], *models[i])))
            advice = "; leave such texts out with --empty skip" if is_blank else ""
            raises = f"--protocol {self.protocol.name}: the package raises {error}{advice}"
            problems.append((i, f"{_beginning(peers[i])}: {raises}", raises))
        if problems:
            raise InstanceError(problems)
        columns = []
        for measure in measures_of(self.protocol.counts):
            table = np.zeros((3, len(peers)))
            table[:, scored] = scaled(tables[measure.key], choices)
            rows = ["PRF".index(letter) for letter in (measure.letter if choices.only_f else RPF)]
            columns.append(InstanceScores(table[rows], None))
        return columns

    def reported(self, systems: Mapping[str, SystemScores]) -> dict[str, SystemScores]:
        """Return the scores of systems with the averages that the package reports.

        Wrappers of ROUGE-1.5.5 report bootstrap means, which a run computes anyway.
        """
        if self.has_bootstrap:
            return dict(systems)
        return {name: self._reported_system(system) for name, system in systems.items()}

    def _reported_system(self, system: SystemScores) -> SystemScores:
        measures = measures_of(self.protocol.counts)
        if not len(system.eval_ids):
            return system
        means, scores = self.protocol.means, replace(self.protocol.scores, scale=1.0)
        # The scores of texts are already scaled, so `scale` is what remains for the means.
        means = replace(
            means,
            mean="mean" if means.mean == "none" else means.mean,
            scale=means.scale / self.protocol.scores.scale,
            of_printed=False,
            only_f=False,
            geometric_mean=(),
        )
        # `average` takes precision, recall and F, shape (3, n_texts). If the package returns a
        # single number, it takes the place of all three.
        letters = [SINGLE_MEASURE] * 3 if self.protocol.scores.only_f else ["P", "R", "F"]
        columns = {
            measure.key: np.stack(
                [system.metrics[measure.key].measures[letter].per_eval for letter in letters]
            )
            for measure in measures
        }
        reported = average(means, scores, measures, columns)
        metrics = {
            key: _with_means(metric, reported[key]) if key in reported else metric
            for key, metric in system.metrics.items()
        }
        return replace(system, metrics=metrics)

    def warnings(self, systems: Mapping[str, SystemScores]) -> Iterator[str]:
        """Yield warnings about known defects of the protocol that affect this run."""
        name, choices = self.protocol.name, self.protocol
        if choices.scores.formula == "alpha" and choices.scores.alpha in {0, 1}:
            is_recall = choices.scores.alpha == 0
            yield f"{name}: with alpha {choices.scores.alpha:g} F is " + (
                "recall" if is_recall else "precision"
            )
        if choices.text.remove_stopwords and "stopwords" not in self.set_options:
            yield f"{name}: stopwords are removed, which is the package's default"
        if choices.counts.roots_lcs and choices.counts.weight != 1:
            yield (
                f"{name}: recall and precision of ROUGE-L are roots, as the weight is "
                f"{choices.counts.weight:g}; they are too high"
            )
        if choices.text.words == "xlsum" and choices.text.language is None:
            yield f"{name}: lang is not set, so Chinese, Japanese and Thai have no dictionary"
        high = [
            key
            for key, _ in choices.counts.metrics
            if any(
                measure.per_eval.max(initial=0) > choices.scores.scale
                for scored in systems.values()
                for measure in scored.metrics[key].measures.values()
            )
        ]
        if high:
            yield f"{name}: {', '.join(high)} exceeds {choices.scores.scale:g} for some texts"


def _beginning(text: str) -> str:
    short = text[:LONGEST_SHOWN]
    return ascii(short) + ("..." if len(text) > len(short) else "")


def _with_means(metric: MetricScores, reported: Any) -> MetricScores:
    middle = reported.get("mid", reported) if isinstance(reported, dict) else reported

    def changed(letter: str, measure: Measure) -> Measure:
        mean = middle if letter == SINGLE_MEASURE else middle[letter.lower()]
        return replace(measure, mean=mean, is_mean_of_evals=False)

    measures = {letter: changed(letter, measure) for letter, measure in metric.measures.items()}
    return replace(metric, measures=measures)


def looked_up(options: Options, what: str = "protocol") -> Options:
    """Return options in which the protocol, if there is one, has its metric; see `with_metric`."""
    choice = options.metrics.protocol
    if choice is None:
        return options
    skips_blank = options.texts.empty == "skip"
    return options.changed(protocol=with_metric(choice, what, skips_blank=skips_blank))


def with_metric(
    choice: ProtocolChoice, what: str = "protocol", *, skips_blank: bool = False
) -> ProtocolChoice:
    """Return the value of ``--protocol`` under its full name and with its metric.

    The full name has the version and, for a file by the user, a fingerprint of its content. `what`
    names the option in messages. Raises OptionError for an unknown protocol or an argument that
    the package lacks, and InputError if a file cannot be read.
    """
    if choice.metric is not None:
        return choice
    if choice.is_file:
        protocol = read_protocol(str(choice))
        content = json.dumps(spelled_out(protocol), sort_keys=True)
        # Of the choices, not of the file: comments and order do not change it.
        digest = sha256(content.encode()).hexdigest()[:FINGERPRINT_DIGITS]
        full_name = f"{protocol.full_name}[{digest}]"
        options: dict[str, Any] = {}
    else:
        protocol = find_protocol(choice.name, what)
        options = read_options(protocol, choice.settings)
        if "ignore_empty" in options:
            raise OptionError("--protocol: ignore_empty: leave empty texts out with --empty skip")
        settings = ",".join(f"{name}={value}" for name, value in choice.settings.items())
        full_name = f"{protocol.full_name}:{settings}" if settings else protocol.full_name
        protocol = protocol.with_options(options)
    named = ProtocolChoice(full_name)
    named.metric = ProtocolMetric(protocol, frozenset(options), skips_blank)
    named.path = str(choice) if choice.is_file else None
    return named


def saved_protocol(choice: ProtocolChoice) -> tuple[ProtocolChoice, tuple[str, ...]]:
    """Return the protocol of saved scores with its metric, and warnings.

    Without the user's file, the metric is None and there is a warning.
    """
    if choice.is_stored_file:
        warning = (
            f"{choice}: means are plain ones, as the file of the protocol is not at hand; give it "
            "with --protocol"
        )
        return choice, (warning,)
    return with_metric(choice), ()

"""The signature, which states everything that affects a score; and the original's command line.

The signature leaves out layout and format, which do not affect the scores of a text. It includes
encodings other than UTF-8, since they decode the same bytes to other texts, often without an error;
and the method of sentence splitting, if a metric reads sentences. Source: interface of the program;
specification, section 1.
"""

import shlex
from collections.abc import Iterable, Iterator
from itertools import chain

from rouge_cli.escapes import escaped
from rouge_cli.inputs.sentences import sentences_name
from rouge_cli.metrics.external import N_REFERENCES
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.metric import metrics_of
from rouge_cli.options.declaration import OptionGroup
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.readers import Number, plain
from rouge_cli.options.scores import BEST_F, HISTOGRAM, MEAN_OVER_EVALS, POOLED_COUNTS, RAW_COUNTS
from rouge_cli.options.texts import LANGUAGE
from rouge_cli.scores.bootstrap import SEED
from rouge_cli.text.tokenizer import load_tokenizer
from rouge_cli.version import __version__

PROGRAM = "ROUGE-1.5.5.pl"
CONFIG = "config.xml"
DATA_DIR = "data_dir"

# Options that affect scores and that the original lacks: its own options are letters. Options of
# language are left out here, since some of their values reproduce the original; `original_command`
# checks the values.
NOT_OF_THE_ORIGINAL = frozenset(
    name
    for name, option in OPTIONS.items()
    if option.moves_scores and option.letter is None and option.heading != LANGUAGE
)

# Encodings that decode bytes as the default does, or fail.
UTF_8 = frozenset({None, "utf-8", "utf-8-sig", "ascii"})

COUNTING_NAMES = {MEAN_OVER_EVALS: "eval", POOLED_COUNTS: "pooled", RAW_COUNTS: "raw"}


def signature(options: Options) -> str:
    """Return the signature; scores with equal signatures are comparable.

    For example:
    ``rouge-cli:0.1.0|like:1.5.5|n:2|L|sent:newline|stem:no|stop:no|limit:no|formula:A|...``.
    Raises InputError if the word lists of a data directory cannot be read.
    """
    return "|".join([scored_signature(options), *_averages(options)])


def scored_signature(options: Options) -> str:
    """Return the part of the signature that concerns the scores of EVALs; raises InputError."""
    return "|".join([*_of_texts(options), *_joined(options)])


def _joined(options: Options) -> Iterator[str]:
    names = (
        *(field.name for field in options.inputs.column),
        *options.input_facts.external_metrics,
    )
    yield from (f"given:{escaped(name)}" for name in names)
    if names and options.joined.unmatched != "error":
        yield f"unmatched:{options.joined.unmatched}"
    yield from (f"fuse:{escaped(str(fusion))}" for fusion in options.joined.fuse)


def _of_texts(options: Options) -> Iterator[str]:
    # Saved scores bring this part of the signature along.
    if options.input_facts.scored_as is not None:
        yield options.input_facts.scored_as
        return
    yield f"rouge-cli:{__version__}"
    protocol = options.metrics.protocol
    if protocol is not None:
        yield f"like:{protocol}"
    elif options.texts.reads_as_original:
        yield "like:1.5.5"
    metrics = metrics_of(options.metrics)
    for part in chain.from_iterable(metric.signature for metric in metrics):
        yield part.replace(N_REFERENCES, options.input_facts.n_references)
    for value in options.inputs.encoding:
        if value.rpartition(":")[2] not in UTF_8:
            yield f"enc:{escaped(value.replace('|', '%7C'))}"
    if options.inputs.strip:
        yield f"strip:{','.join(sorted(options.inputs.strip))}"
    if protocol is None:
        yield from _texts(options, metrics)
        yield f"formula:{options.scores.formula}"
    # Without the option, a protocol may treat lines as sentences.
    elif options.inputs.sentences or options.inputs.sentence_separator:
        yield f"sent:{sentences_name(options.inputs.sentences, options.inputs.sentence_separator)}"
    if protocol is not None and options.texts.empty == "skip":
        yield "empty:skip"
    if options.scores.jackknife:
        yield "jackknife"


def original_command(options: Options) -> str | None:
    """Return the command with which ROUGE-1.5.5 computes the same scores; None if it cannot.

    It is quoted for a shell, and leaves out defaults as well as ``-r 0``, with which the original
    would print no report. The input is ``config.xml``, or ``files.lst`` with ``-z``; see
    `command_note`.
    """
    if not NOT_OF_THE_ORIGINAL.isdisjoint(options.given()) or options.scores.formula == BEST_F:
        return None
    if not options.texts.reads_as_original or options.texts.stopwords is not None:
        return None
    if options.input_facts.is_beyond_original or any(_joined(options)):
        return None
    words = [PROGRAM]
    if options.texts.data_dir is not None:
        words += ["-e", options.texts.data_dir]
    for group in (options.metrics, options.texts, options.scores):
        words += _given_words(group)
    words += ["-d"] if options.reports.per_eval else []
    words += (
        ["-z", options.inputs.list_format, "files.lst"]
        if options.inputs.list_format
        else ["-a", CONFIG]
    )
    return shlex.join(words)


def command_note(options: Options) -> str | None:
    """Explain how to make the input of `original_command`; None if it exists already."""
    if options.input_facts.is_original or original_command(options) is None:
        return None
    return (
        f"{CONFIG} has these texts as ROUGE-1.5.5 reads them; rouge-cli convert --to xml "
        "writes it, with the texts beside it"
    )


def _given_words(group: OptionGroup) -> Iterator[str]:
    defaults = type(group)().values()
    for name, value in group.values().items():
        option, default = group.options()[name], defaults[name]
        is_default = value == default
        if isinstance(value, Number) and isinstance(default, Number):
            is_default = value.value == default.value
        if is_default or option.letter is None or (name, value) == ("resamples", 0):
            continue
        if name != DATA_DIR:
            yield option.letter
            if option.metavar is not None:
                yield value.text if isinstance(value, Number) else str(value)


def _texts(options: Options, metrics: Iterable[Metric]) -> Iterator[str]:
    readings = [metric.reading for metric in metrics]
    if any(reading.by_sentence for reading in readings):
        name = sentences_name(options.inputs.sentences, options.inputs.sentence_separator)
        yield f"sent:{'list' if options.input_facts.has_lists and name == 'newline' else name}"
    stems_models = any(reading.stems_models or reading.stems_unigrams for reading in readings)
    yield from load_tokenizer(options.texts, {}).signature(stems_models=stems_models)
    if options.texts.empty == "skip":
        yield "empty:skip"
    if options.texts.words:
        yield f"limit:{options.texts.words}w"
    else:
        yield f"limit:{options.texts.bytes}b" if options.texts.bytes else "limit:no"


def _averages(options: Options) -> Iterator[str]:
    if options.metrics.protocol is None:
        yield f"alpha:{plain(options.scores.alpha.value)}"
    yield f"count:{COUNTING_NAMES[options.scores.counting]}"
    if options.metrics.protocol is not None and options.metrics.protocol.is_stored_file:
        # Saved scores do not include the protocol file that defines their averages.
        yield "means:plain"
    if options.inputs.cluster is not None:
        yield f"cluster:{escaped(options.inputs.cluster)}"
    if options.scores.resamples == 0 or options.scores.counting == RAW_COUNTS:
        yield "resamples:0"
        return
    yield f"resamples:{options.scores.resamples}"
    yield f"confidence:{plain(options.scores.confidence.value)}"
    if options.scores.bootstrap == HISTOGRAM:
        yield f"bootstrap:{HISTOGRAM}-{SEED}"

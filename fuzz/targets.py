"""The targets of fuzzing: a function of bytes for each kind of input.

A target may raise `RougeError`, which is how bad input is refused, and nothing else. Inputs that
need options have them on their first line; several texts have a line ``=====`` between them. So
findings can be read, and written, by hand.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from fuzz.scratch import scratch_file
from rouge_cli.errors import RougeError
from rouge_cli.options.inputs import TEXT_FORMATS
from rouge_cli.options.options import OPTIONS, Options

__all__ = ["TARGETS", "replay"]

SEPARATOR = b"\n=====\n"
MOST_NAMES = 40
LONGEST_NAME = 12


def replay(target: str, data: bytes) -> None:
    """Run a target on an input; any exception but `RougeError` is a fault."""
    with suppress(RougeError):
        TARGETS[target](data)


def _config(data: bytes) -> None:
    """Read an XML configuration."""
    from rouge_cli.inputs.xml_config import parse_config

    parse_config(data, "config.xml")


def _file_list(data: bytes) -> None:
    """Read a file list."""
    from rouge_cli.inputs.layout import parse_file_list

    parse_file_list(data, "list", format="SPL", system_id="X")


def _texts(data: bytes) -> None:
    """Score texts in a format: the options, the peer, the models."""
    from rouge_cli.inputs.text_files import FileEval, FileInput, NamedFiles, TextFile
    from rouge_cli.run.pipeline import RunContext, score_input

    head, options = _headed(data)
    peer, *models = head.split(SEPARATOR)
    form = options.inputs.input_format or TEXT_FORMATS[len(peer) % len(TEXT_FORMATS)]
    names = [scratch_file(f"m{n}", text) for n, text in enumerate(models[:3] or [peer])]
    model_files = tuple(TextFile(name, form, 1) for name in names)
    files = FileEval("1", {"X": TextFile(scratch_file("peer", peer), form, 1)}, model_files)
    named = NamedFiles("config", [files], ("X",), ())
    score_input(FileInput(named, options.inputs, options.metrics), options, RunContext())


def _records(data: bytes) -> None:
    """Read records of the form that the options name, or by default JSONL."""
    from rouge_cli.inputs.records.grouping import RecordInput
    from rouge_cli.inputs.records.reading import record_file
    from rouge_cli.inputs.source import Source, sniffed_format

    body, options = _headed(data)
    sniffed_format(body)
    source = Source(scratch_file("records", body))
    form = options.inputs.records_format or "JSONL"
    files = [record_file(source, form)]
    RecordInput(files, options.inputs, options.metrics).complete()


def _compressed(data: bytes) -> None:
    """Read a compressed file of records, as little as a chunk of it."""
    from rouge_cli.inputs.files import open_input

    with open_input(scratch_file("records.jsonl.gz", data), "records") as stream:
        stream.read(1 << 20)


def _lines(data: bytes) -> None:
    """Read parallel line files: the options, the peers, the models."""
    from rouge_cli.inputs.layout import open_input
    from rouge_cli.inputs.source import Source

    body, options = _headed(data)
    peers, _, models = body.partition(SEPARATOR)
    values = {
        "peer_lines": [scratch_file("peers", peers)],
        "model_lines": [scratch_file("models", models)],
        "sentence_separator": options.inputs.sentence_separator,
        "encoding": options.inputs.encoding,
    }
    lines = Options.of(values)
    open_input(Source(), lines.inputs, lines.metrics).complete()


def _patterns(data: bytes) -> None:
    """Pair names by patterns: that of the peers, that of the models, then the names."""
    from rouge_cli.inputs.patterns import pair_by_patterns, parse_model_pattern, parse_peer_patterns

    peers, models, *names = [*_lines_of(data), "", ""]
    peer_patterns = parse_peer_patterns([peers])
    model_patterns = [parse_model_pattern(models)]
    known = [name[:LONGEST_NAME] for name in names[:MOST_NAMES]]
    pair_by_patterns(peer_patterns, [known], model_patterns, [known])


def _duc_names(data: bytes) -> None:
    """Pair names as DUC and TAC have them."""
    from rouge_cli.inputs.pairing import Listing, pair_duc_names

    folder = Listing("d/", _lines_of(data)[:MOST_NAMES])
    pair_duc_names(folder, folder, is_one_folder=True)


def _judgements(data: bytes) -> None:
    """Read judgements: the suffix on the first line."""
    from rouge_cli.inputs.judgements import read_judgements

    head, _, body = data.partition(b"\n")
    suffix = {b"t": ".tsv", b"j": ".jsonl"}.get(head[:1], ".csv")
    read_judgements(scratch_file(f"judgements{suffix}", body))


def _baseline(data: bytes) -> None:
    """Read a baseline."""
    from rouge_cli.scores.baselines import read_baseline

    path = scratch_file("baseline.json", data)
    from rouge_cli.scores.columns import run_metrics

    options = Options.of({"max_ngram": 2, "report": "json"})
    read_baseline(path, options, run_metrics(options))


def _word_lists(data: bytes) -> None:
    """Read stopwords and irregular forms, and stem with them."""
    from rouge_cli.text.stems import Stems
    from rouge_cli.text.word_lists import parse_exceptions, parse_stopwords

    parse_stopwords(data)
    stems = Stems.of(parse_exceptions(data))
    for word in data.split()[:MOST_NAMES]:
        stems[word]


def _option_values(data: bytes) -> None:
    """Read a command line, an argument a line, as far as it can be without doing anything."""
    import click

    from rouge_cli.cli.arguments import checked_options
    from rouge_cli.cli.score import command
    from rouge_cli.scores.signature import signature

    arguments = [one for one in _lines_of(data) if one not in {"-h", "--help", "-H", "--help-all"}]
    with suppress(click.ClickException, click.exceptions.Exit):
        context = command.make_context("score", arguments)
        signature(checked_options(context.params))


def _headed(data: bytes) -> tuple[bytes, Options]:
    """Take the options off an input: ``name=value`` on its first line, with ``;`` between."""
    head, _, body = data.partition(b"\n")
    values: dict[str, Any] = {"resamples": "20"}
    for item in head.decode("utf-8", "replace").split(";"):
        name, equals, value = item.partition("=")
        if equals and name in OPTIONS and name not in FAR_REACHING:
            option = OPTIONS[name]
            values[name] = [value] if option.is_many else value if option.metavar else True
    return body, Options.of(values)


FAR_REACHING = frozenset(
    # These use other files, other processes or models of NLTK, or run for long.
    {"data_dir", "output", "baseline", "jobs", "sentences", "resamples", "peers"}
    | {"models", "duc", "peer_lines", "model_lines", "dry_run"}
)


def _lines_of(data: bytes) -> list[str]:
    """Return lines as names of files come from the system."""
    return [one.decode("utf-8", "surrogateescape") for one in data.split(b"\n")]


TARGETS: Mapping[str, Callable[[bytes], None]] = MappingProxyType(
    {
        "config": _config,
        "file_list": _file_list,
        "texts": _texts,
        "records": _records,
        "compressed": _compressed,
        "lines": _lines,
        "patterns": _patterns,
        "duc_names": _duc_names,
        "judgements": _judgements,
        "baseline": _baseline,
        "word_lists": _word_lists,
        "option_values": _option_values,
    }
)
"""Name to function."""

"""From what the user names to a corpus: one way in for every layout."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.checks import check_inputs
from rouge_cli.inputs.corpus import Corpus, EvaluationCorpus
from rouge_cli.inputs.file_list import parse_file_list
from rouge_cli.inputs.files import STANDARD_INPUT, read_input
from rouge_cli.inputs.instances import DEFAULT_SYSTEM, choose_systems
from rouge_cli.inputs.lines.line_corpus import open_lines
from rouge_cli.inputs.records.formats import records_format, sniffed_format
from rouge_cli.inputs.sentences import sentence_splitter
from rouge_cli.inputs.text_reader import TextReader
from rouge_cli.inputs.xml_config import parse_config
from rouge_cli.options.every import Options
from rouge_cli.options.inputs import RECORD_OPTIONS

__all__ = ["open_corpus"]


@contextmanager
def open_corpus(config: str | None, system_id: str | None, options: Options) -> Iterator[Corpus]:
    """Find out which texts belong together, and check that they can be read.

    Parameters
    ----------
    config : str or None
        The XML configuration, the file list or the file of records; ``-`` is standard input. None
        if the options name the texts.
    system_id : str or None
        The system to score; with a layout that has no names for systems, a mere name.
    options : Options

    Yields
    ------
    Corpus
        Usable until the context ends.

    Raises
    ------
    OptionError, InputError
        All that is wrong with the input, before anything is scored.
    """
    if config is None and options.inputs.layout == "config":
        raise OptionError(
            "no CONFIG: name the configuration, the file list (-z), the file of records, or use "
            "--peers, --duc or --peer-lines"
        )
    if config is not None and options.inputs.layout != "config":
        raise OptionError(
            f"CONFIG {config!r} and {_named_by(options)} exclude each other; give one"
        )
    if options.inputs.layout == "lines":
        with open_lines(options) as lines:
            yield lines
        return
    yield _evaluation_corpus(config, system_id, options)


def _named_by(options: Options) -> str:
    """Return the option that names the texts."""
    return {"patterns": "--peers", "duc": "--duc", "lines": "--peer-lines"}[options.inputs.layout]


def _evaluation_corpus(
    config: str | None, system_id: str | None, options: Options
) -> EvaluationCorpus:
    """Read the EVALs of any layout but lines, and check their texts."""
    if config is None:
        from rouge_cli.inputs.folders.folder_corpus import read_folders

        corpus = read_folders(options)
    elif (
        options.inputs.list_format is None and (form := records_format(config, options)) is not None
    ):
        from rouge_cli.inputs.records.record_files import read_records

        corpus = read_records(config, form, system_id, options)
    elif config == STANDARD_INPUT and options.inputs.list_format is None:
        corpus = _read_unnamed(system_id, options)
    else:
        corpus = _read_config(config, system_id, options)
    if options.inputs.confine:
        from rouge_cli.inputs.confinement import check_confined

        check_confined(config, corpus.evals, options)
    contents = check_inputs(corpus.evals, corpus.systems, options, corpus.name)
    as_elements = options.metrics.reads_only_elements
    needs_utf8 = not options.texts.reads_as_original
    reader = TextReader(as_elements, contents, sentence_splitter(options), needs_utf8)
    return replace(corpus, reader=reader)


def _read_config(config: str, system_id: str | None, options: Options) -> EvaluationCorpus:
    """Read the EVALs of a configuration or a file list; raises InputError."""
    form = options.inputs.list_format
    expected = "the configuration" if form is None else "the file list"
    name, data = read_input(config, expected)
    if form is not None:
        system = system_id or DEFAULT_SYSTEM
        evals = parse_file_list(data, name, format=form, system_id=system)
        return EvaluationCorpus(name, evals, (system,))
    return _config_corpus(name, data, system_id, options)


def _read_unnamed(system_id: str | None, options: Options) -> EvaluationCorpus:
    """Read standard input, whose beginning says what it is; raises InputError."""
    from rouge_cli.inputs.compressed import open_input

    expected = "a configuration in XML or records"
    with open_input(STANDARD_INPUT, expected) as stream:
        data = stream.read()
    form = sniffed_format(data)
    if form is None:
        raise InputError(
            f"standard input: neither XML nor JSON; expected {expected}; CSV and TSV need "
            "--records-format, a file list -z FORMAT"
        )
    if form == "XML":
        return _config_corpus("standard input", data, system_id, options)
    from rouge_cli.inputs.records.record_files import read_records

    return read_records(STANDARD_INPUT, form, system_id, options, data)


def _config_corpus(
    name: str, data: bytes, system_id: str | None, options: Options
) -> EvaluationCorpus:
    """Read the EVALs of a configuration that is at hand; raises InputError."""
    for field in (*RECORD_OPTIONS, "sentence_separator", "encoding"):
        if getattr(options.inputs, field):
            option = f"--{field.replace('_', '-')}"
            raise OptionError(
                f"{option} is for records and line files, but {name} is taken for an XML "
                "configuration; if it holds records, say so with --records-format"
            )
    evals = parse_config(data, name)
    systems = choose_systems(evals, system_id, all_systems=options.inputs.all)
    return EvaluationCorpus(name, evals, systems)

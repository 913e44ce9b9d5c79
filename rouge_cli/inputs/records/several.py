"""Several files of records to one corpus: each file is a system, or some, of the same EVALs."""

import os
from collections.abc import Sequence
from dataclasses import replace

from rouge_cli.errors import InputError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.corpus import EvaluationCorpus
from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.inputs.files import bare_name
from rouge_cli.inputs.records.corpus import RecordCorpus
from rouge_cli.inputs.records.reading import FileOfRecords, read_file
from rouge_cli.inputs.source import Source
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions

__all__ = ["own_name", "read_several"]


def read_several(
    files: Sequence[tuple[Source, str]], inputs: InputOptions, metrics: MetricOptions
) -> EvaluationCorpus:
    """Read files of records, and put those of the same EVAL together.

    Parameters
    ----------
    files : sequence of tuple of Source and str
        Each with its format, as `read_file` takes them.

    Returns
    -------
    EvaluationCorpus
        EVALs go by their IDs or, where no file has any, by their places. The systems are in the
        order of the files.

    Raises
    ------
    OptionError
    InputError
        If two files have a system of the same name, if only some have IDs, or if the references
        or the cluster of an EVAL differ; the files are named.
    """
    read = [read_file(file, form, inputs, metrics, own_name(file)) for file, form in files]
    _check_systems(read)
    _check_ids(read)
    corpora = [one.corpus for one in read]
    return EvaluationCorpus(
        ", ".join(one.name for one in corpora),
        _joined(corpora),
        tuple(system for one in corpora for system in one.systems),
        warnings=tuple(warning for one in corpora for warning in one.warnings),
        has_lists=any(one.has_lists for one in corpora),
        notes=tuple(note for one in corpora for note in one.notes),
    )


def own_name(file: Source) -> str:
    """Return what the system of one file among several is called: as the user says, or its stem."""
    if file.file_system is not None:
        return file.file_system
    path = file.config or ""
    bare = path[: len(bare_name(path))]
    return os.path.splitext(os.path.basename(bare))[0]


def _check_systems(read: Sequence[FileOfRecords]) -> None:
    """Refuse the same system in two files."""
    file_of: dict[str, str] = {}
    problems = []
    for one in read:
        for system in one.corpus.systems:
            if system in file_of:
                files = f"{file_of[system]} and {one.corpus.name}"
                problems.append(
                    f"{files} both have a system {escaped(system)}; "
                    "expected each system in one file; NAME=FILE names the only system of a file"
                )
            file_of.setdefault(system, one.corpus.name)
    if problems:
        raise InputError(problems)


def _check_ids(read: Sequence[FileOfRecords]) -> None:
    """Refuse files with IDs beside files without."""
    with_ids = [one for one in read if one.fields.id is not None]
    without = [one for one in read if one.fields.id is None]
    if with_ids and without:
        raise InputError(
            f"{with_ids[0].corpus.name} has IDs of EVALs, in field {with_ids[0].fields.id!r}, and "
            f"{without[0].corpus.name} has none; expected the same of all files; name the field "
            "with --id"
        )


def _joined(corpora: Sequence[RecordCorpus]) -> list[Evaluation]:
    """Put the EVALs of all files together, in the order in which they appear first."""
    joined: dict[str, Evaluation] = {}
    file_of: dict[str, str] = {}
    problems = Problems()
    for corpus in corpora:
        for one in corpus.evaluations():
            known = joined.setdefault(one.id, one)
            file = file_of.setdefault(one.id, corpus.name)
            if known is one:
                continue
            for what in _differences(known, one):
                problems.add(
                    f"EVAL {escaped(one.id)}",
                    f"{what} in {corpus.name} than in {file}; expected the same for every system",
                )
            joined[one.id] = replace(known, peers={**known.peers, **one.peers})
    problems.raise_any()
    return list(joined.values())


def _differences(one: Evaluation, other: Evaluation) -> list[str]:
    """Say what two files do not have in common of an EVAL."""
    found = []
    if _contents(one.models) != _contents(other.models):
        found.append("other references")
    if one.cluster != other.cluster:
        found.append("another cluster")
    return found


def _contents(texts: Sequence[TextSource]) -> list[bytes | None]:
    """Return what stands in texts."""
    return [text.content for text in texts]

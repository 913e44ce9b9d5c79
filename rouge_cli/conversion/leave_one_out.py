"""Jackknifing as the original can run it: a configuration with an EVAL for each set of models.

Source: Lin (2004), section 2.1; specification, section 2, "XML config".
"""

import os
from collections.abc import Iterable, Iterator

from rouge_cli.conversion.xml_elements import HEAD, HELD, TAIL, EvalElement, eval_lines
from rouge_cli.errors import InputError
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.scoring.jackknife import jackknife_corpus

__all__ = ["leave_one_out_config"]


def leave_one_out_config(corpus: Corpus, *, with_humans: bool) -> Iterator[str]:
    """Yield a configuration with the EVALs ``ID-1``, ``ID-2`` and so on, one for each model.

    In the EVAL ``ID-k`` the k-th model of ``ID`` is left out. The files stay where they are.

    Parameters
    ----------
    corpus : Corpus
        Its texts are files, those of an EVAL all in one format.
    with_humans : bool
        Whether the model that is left out is a peer.

    Raises
    ------
    InputError
        All that cannot be jackknifed, or not be written; before anything is yielded.
    """
    jackknifed = jackknife_corpus(corpus, with_humans=with_humans)
    problems = [problem for one in jackknifed.whole.evals for problem in _problems(one)]
    if problems:
        raise InputError(problems)
    yield HEAD
    number = 0
    previous = ""
    for one in jackknifed.sets.evals:
        number = number + 1 if one.id == previous else 1
        previous = one.id
        for line in eval_lines(_element(one, f"{one.id}-{number}", corpus.systems)):
            yield f"{line}\n"
    yield TAIL


def _problems(evaluation: Evaluation) -> Iterator[str]:
    """Yield why an EVAL cannot be written."""
    sources = [*evaluation.peers.values(), *evaluation.models]
    if any(source.content is not None for source in sources):
        yield (
            f"EVAL {evaluation.id}: its texts are no files of their own; make some first: "
            "rouge-cli convert --to xml"
        )
    elif len({source.format for source in sources}) > 1:
        yield (
            f"EVAL {evaluation.id}: texts in several formats, and an EVAL has one; make them one "
            "first: rouge-cli convert --to xml"
        )
    names = [evaluation.id, *evaluation.peers, *evaluation.humans]
    names += [source.name for source in sources]
    for name in dict.fromkeys(names):
        if not HELD.fullmatch(name):
            yield f"EVAL {evaluation.id}: XML cannot hold the name {name!a}"


def _element(evaluation: Evaluation, eval_id: str, systems: Iterable[str]) -> EvalElement:
    """Return a set of models as an EVAL element."""
    in_order = [system for system in systems if system in evaluation.peers]
    others = [system for system in evaluation.peers if system not in set(in_order)]
    peers = {system: evaluation.peers[system] for system in (*in_order, *others)}
    peer_root, peer_names = _below_root(list(peers.values()))
    model_root, model_names = _below_root(evaluation.models)
    return EvalElement(
        eval_id,
        evaluation.models[0].format,
        peer_root,
        model_root,
        dict(zip(peers, peer_names, strict=True)),
        list(zip(evaluation.humans, model_names, strict=True)),
    )


def _below_root(sources: Iterable[TextSource]) -> tuple[str, list[str]]:
    """Return a folder that holds all files, and their names below it."""
    names = [source.name for source in sources]
    folders = [os.path.dirname(name) for name in names]
    if len(set(folders)) == 1:
        return folders[0] or ".", [os.path.basename(name) for name in names]
    if any(map(os.path.isabs, names)):
        names = list(map(os.path.abspath, names))
        root = os.path.commonpath(names)
        return root, [os.path.relpath(name, root) for name in names]
    return ".", names

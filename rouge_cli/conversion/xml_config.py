"""To the original's XML: a configuration and a file for each text; or one for jackknifing.

Source: specification, section 2, "XML config"; Lin (2004), section 2.1 (jackknifing).
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from rouge_cli.conversion.names import HELD_BY_XML, check_ids
from rouge_cli.conversion.text_files import MODEL_ROOT, PEER_ROOT, EvalFiles, TextFiles
from rouge_cli.conversion.written import Written, count
from rouge_cli.errors import Problems
from rouge_cli.inputs.corpus import Corpus, read_texts, scored_evaluations
from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.inputs.formats import SentenceFormat
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.jackknife import jackknife_corpus

__all__ = ["leave_one_out_config", "write_xml"]

CONFIG = "config.xml"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<ROUGE-EVAL version="1.55">\n'
TAIL = "</ROUGE-EVAL>\n"

# White space but blanks would be read as blanks.
_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
)


@dataclass(frozen=True, slots=True)
class _EvalElement:
    """An EVAL as a configuration names it.

    Parameters
    ----------
    format : str
        Of all its texts.
    peer_root, model_root : str
        Folders.
    peers : mapping of str to str
        System ID to name below the one folder.
    models : sequence of (str, str)
        ID and name below the other folder.
    """

    id: str
    format: str
    peer_root: str
    model_root: str
    peers: Mapping[str, str]
    models: Sequence[tuple[str, str]]


def write_xml(corpus: Corpus, folder: str, form: SentenceFormat) -> Written:
    """Write a configuration and the files that it names.

    Raises InputError with all IDs that XML cannot hold; a text that cannot be read.

    Parameters
    ----------
    folder : str
        An empty one.
    form : SentenceFormat
        How the texts are written.
    """
    check_ids(corpus, HELD_BY_XML, "XML")
    files = TextFiles(folder, form)
    n_evals = 0
    with open(os.path.join(folder, CONFIG), "x", encoding="utf-8", newline="\n") as config:
        config.write(HEAD)
        for evaluation in scored_evaluations(corpus):
            named = files.write(read_texts(corpus, evaluation))
            element = _element_of_files(named, form.name)
            config.writelines(f"{line}\n" for line in _eval_lines(element))
            n_evals += 1
        config.write(TAIL)
    what = f"{count(n_evals, 'EVALs')}, {count(len(corpus.systems), 'systems')}, {form.name} texts"
    commands = (("rouge-cli", "-a", CONFIG), ("ROUGE-1.5.5.pl", "-a", CONFIG))
    return Written(what, commands, files.replaced.warnings)


def _element_of_files(files: EvalFiles, form: str) -> _EvalElement:
    """Return the element of an EVAL whose files are written."""
    models = list(zip(files.model_ids, files.models, strict=True))
    return _EvalElement(files.id, form, PEER_ROOT, MODEL_ROOT, files.peers, models)


def leave_one_out_config(corpus: Corpus, *, with_humans: bool) -> Iterator[str]:
    """Yield a configuration with the EVALs ``ID-1``, ``ID-2`` and so on, one for each model.

    In the EVAL ``ID-k`` the k-th model of ``ID`` is left out. The files stay where they are.

    Raises InputError with all that cannot be jackknifed, or not be written; before anything is
    yielded.

    Parameters
    ----------
    corpus : Corpus
        Its texts are files, those of an EVAL all in one format.
    with_humans : bool
        Whether the model that is left out is a peer.
    """
    jackknifed = jackknife_corpus(corpus, with_humans=with_humans)
    Problems.of("", chain.from_iterable(map(_problems, jackknifed.whole.evals))).raise_any()
    yield HEAD
    number = 0
    previous = ""
    for one in jackknifed.evaluations():
        number = number + 1 if one.id == previous else 1
        previous = one.id
        for line in _eval_lines(_element_of_set(one, f"{one.id}-{number}", corpus.systems)):
            yield f"{line}\n"
    yield TAIL


def _problems(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Yield an EVAL that cannot be written, and why."""
    place = f"EVAL {evaluation.id}"
    sources = [*evaluation.peers.values(), *evaluation.models]
    if any(source.content is not None for source in sources):
        yield (
            place,
            "its texts are no files of their own; make some first: rouge-cli convert --to xml",
        )
    elif len({source.format for source in sources}) > 1:
        yield (
            place,
            "texts in several formats, and an EVAL has one; make them one first: rouge-cli convert "
            "--to xml",
        )
    names = [evaluation.id, *evaluation.peers, *evaluation.humans]
    names += [source.name for source in sources]
    for name in dict.fromkeys(names):
        if not HELD_BY_XML.fullmatch(name):
            yield place, f"XML cannot hold the name {name!a}"


def _element_of_set(evaluation: Evaluation, eval_id: str, systems: Iterable[str]) -> _EvalElement:
    """Return a set of models as an EVAL element."""
    in_order = [system for system in systems if system in evaluation.peers]
    others = [system for system in evaluation.peers if system not in set(in_order)]
    peers = {system: evaluation.peers[system] for system in (*in_order, *others)}
    peer_root, peer_names = _below_root(list(peers.values()))
    model_root, model_names = _below_root(evaluation.models)
    return _EvalElement(
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


def _eval_lines(element: _EvalElement) -> Iterator[str]:
    """Yield the lines of an EVAL element."""
    yield f'  <EVAL ID="{_escaped(element.id)}">'
    yield f"    <PEER-ROOT>{_escaped(element.peer_root)}</PEER-ROOT>"
    yield f"    <MODEL-ROOT>{_escaped(element.model_root)}</MODEL-ROOT>"
    yield f'    <INPUT-FORMAT TYPE="{element.format}"></INPUT-FORMAT>'
    yield "    <PEERS>"
    for system, name in element.peers.items():
        yield f'      <P ID="{_escaped(system)}">{_escaped(name)}</P>'
    yield "    </PEERS>"
    yield "    <MODELS>"
    for model_id, name in element.models:
        yield f'      <M ID="{_escaped(model_id)}">{_escaped(name)}</M>'
    yield "    </MODELS>"
    yield "  </EVAL>"


def _escaped(text: str) -> str:
    """Write a text so that XML gives it back."""
    return text.translate(_ESCAPES)

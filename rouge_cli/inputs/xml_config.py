"""The XML configuration: EVAL elements to EVALs.

EVAL elements with the same ID are merged in place of the first of them. Each text keeps the
folder and the format of the element that names it. Therefore an element that names peers needs
its own PEER-ROOT, one that names models its own MODEL-ROOT, either its own INPUT-FORMAT; but
it is enough that the merged EVAL has a peer and a model.

Source: specification, section 2, "XML config".
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter

from rouge_cli.errors import InputError, Problems
from rouge_cli.inputs.checks import checked_corpus, folder_of
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.evaluation import Evaluation, TextSource, choose_systems
from rouge_cli.inputs.file_columns import FileColumns, corpus_of_files
from rouge_cli.inputs.files import read_input
from rouge_cli.inputs.mistaken_config import refuse_folder_or_spreadsheet, refuse_text
from rouge_cli.inputs.source import Source, sniffed_format
from rouge_cli.inputs.xml_elements import EvalElement, NamedFile, Problem, read_elements
from rouge_cli.options.inputs import TEXT_FORMATS, InputOptions
from rouge_cli.options.metrics import MetricOptions

__all__ = ["XmlConfig", "parse_any_config", "parse_config"]

_NO_MODELS = 'no MODELS; an EVAL needs at least one <M ID="...">file name</M>'
_NO_PEER_ROOT = "no PEER-ROOT; name the folder of the peers, <PEER-ROOT>folder</PEER-ROOT>"
_NO_MODEL_ROOT = "no MODEL-ROOT; name the folder of the models, <MODEL-ROOT>folder</MODEL-ROOT>"
_NO_FORMAT = (
    'no INPUT-FORMAT; say how the texts are written, <INPUT-FORMAT TYPE="..."></INPUT-FORMAT> '
    f"with one of {', '.join(TEXT_FORMATS)}"
)


class XmlConfig:
    """The layout of an XML configuration: any CONFIG that no other layout claims."""

    kind = "an XML configuration"
    takes_config = True
    takes_files = False
    selector = None
    options = frozenset({"all", "confine", "sentences"})
    has_elements = True

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim whatever CONFIG names."""
        return source.config is not None

    @contextmanager
    def open(
        self, source: Source, inputs: InputOptions, metrics: MetricOptions
    ) -> Iterator[Corpus]:
        """Read the EVALs, and check their texts; raises OptionError and InputError."""
        config = source.config or ""
        if source.is_standard_input:
            name, data = source.name, _checked_start(source.standard_input)
        else:
            refuse_folder_or_spreadsheet(source)
            name, data = read_input(config, "the configuration")
            refuse_text(source, data)
        evals = parse_config(data, name)
        if not any(one.peers for one in evals):
            raise InputError(
                f'{name}: no EVAL has a peer; name at least one, <P ID="...">file name</P>'
            )
        # In columns all EVALs have the same system.
        known = evals[:1] if isinstance(evals, FileColumns) else evals
        systems = choose_systems(known, source.system_id, all_systems=inputs.all)
        corpus = corpus_of_files(name, evals, systems)
        yield checked_corpus(corpus, [folder_of(config)], name, inputs, metrics)


def _checked_start(data: bytes) -> bytes:
    """Return what came from standard input; raises InputError if it does not begin as XML does."""
    if sniffed_format(data) != "XML":
        raise InputError(
            "standard input: neither XML nor JSON; expected a configuration in XML or records; CSV "
            "and TSV need --records-format, a file list -z FORMAT"
        )
    return data


def parse_config(data: bytes, name: str) -> Sequence[Evaluation]:
    """Read an XML configuration.

    Parameters
    ----------
    data : bytes
        The configuration, in the encoding that its XML declaration names, otherwise UTF-8.

    Returns
    -------
    sequence of Evaluation
        The EVALs in the order of the first element of each; at least one.

    Raises
    ------
    InputError
        If `data` is not XML, has a DTD, has no EVAL, or has EVALs that are not complete; with
        all problems, in the order of the lines.

    Notes
    -----
    A P ID that is used twice in an EVAL names the last file. An M ID that is used twice names
    the last file too, and that file counts as often as the ID was used.
    Source: specification, section 2, "XML config".
    """
    # Imported late: its expressions take a while to compile.
    from rouge_cli.inputs.canonical_config import read_canonical

    evals = read_canonical(data)
    return parse_any_config(data, name) if evals is None else evals


def parse_any_config(data: bytes, name: str) -> list[Evaluation]:
    """Read an XML configuration with a parser, see `parse_config`."""
    if not data.strip():
        raise InputError(f"{name}: an empty file; expected a configuration in XML")
    elements, problems, whole = read_elements(data)
    groups = _group(elements)
    # What an EVAL lacks may stand in the part that could not be read.
    if whole and not all(map(_is_complete, elements)):
        problems.extend(missing for group in groups for missing in _missing(group))
    in_order = sorted(problems, key=attrgetter("line"))
    Problems.of(name, ((problem.place, problem.text) for problem in in_order)).raise_any()
    if not elements:
        raise InputError(
            f'{name}: no EVAL; a configuration needs at least one <EVAL ID="...">...</EVAL>'
        )
    return [_merge(group) for group in groups]


def _group(elements: Iterable[EvalElement]) -> list[list[EvalElement]]:
    """Put elements with the same ID together; one without an ID is a group of its own."""
    groups: dict[str | int, list[EvalElement]] = {}
    for element in elements:
        groups.setdefault(element.id or element.line, []).append(element)
    return list(groups.values())


def _is_complete(element: EvalElement) -> bool:
    """Say whether an element needs no other one with its ID; peers it may lack."""
    has_roots = "MODEL-ROOT" in element.roots and (
        "PEER-ROOT" in element.roots or not element.peers
    )
    return bool(element.models and element.format and has_roots)


def _missing(group: list[EvalElement]) -> Iterator[Problem]:
    """Yield what an EVAL, the elements of one ID, lacks."""
    no_models = not any(element.models for element in group)
    for element in group:
        if "PEER-ROOT" not in element.roots and element.peers:
            yield Problem(element.line, element.id, _NO_PEER_ROOT)
        if "MODEL-ROOT" not in element.roots and (element.models or no_models):
            yield Problem(element.line, element.id, _NO_MODEL_ROOT)
        if element.format is None:
            yield Problem(element.line, element.id, _NO_FORMAT)
    if no_models:
        yield Problem(group[0].line, group[0].id, _NO_MODELS)


def _merge(group: list[EvalElement]) -> Evaluation:
    """Make one EVAL of the elements of one ID, which lack nothing."""
    peers: dict[str, TextSource] = {}
    models: dict[str, TextSource] = {}
    for element in group:
        peers.update(_sources(element, "PEER-ROOT", element.peers))
        models.update(_sources(element, "MODEL-ROOT", element.models))
    ids = tuple(model.id for element in group for model in element.models)
    counted = tuple(models[id_] for id_ in ids)
    return Evaluation(group[0].id, peers, counted, group[0].line, ids)


def _sources(element: EvalElement, root: str, files: list[NamedFile]) -> dict[str, TextSource]:
    """Return the text of each ID in `files`, in the folder that `root` names."""
    folder = element.roots.get(root, "") + "/"
    form = element.format or ""
    return {id_: TextSource(folder + file_name, form, line) for id_, file_name, line in files}

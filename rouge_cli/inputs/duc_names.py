"""Names of texts as DUC and TAC have them: ``D061.M.100.J.26`` and the like.

A name is fields with dots between them: docset, type, length, selector, summariser, and for a
summary of a single document the fields of the document's own name, as in
``D061.P.10.J.26.AP880911-0016``. A summariser in capital letters is a human, so the text is a
model; one in digits is a system, so the text is a peer. The name without the summariser is the
ID of the EVAL.

The selector of the models may be another than that of the peers. Whole IDs go first. A peer whose
EVAL has no model gets the models whose IDs are the same but for the selector, unless these have
several selectors: then nobody can say which are meant, and the peer has no model.

Source: interface of the program, ``--duc``.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.pairing import (
    FoundPeer,
    Pairing,
    byte_key,
    list_texts,
    model_without_peer,
    pair,
    peer_without_model,
)
from rouge_cli.quick_dataclass import dataclass

_SUFFIXES = re.compile(r"(?:\.(?:html?|txt|spl))+\Z", re.IGNORECASE)
_NAME = re.compile(
    r"(?P<docset>[^.]+\.[^.]+\.[^.]+)\.(?P<selector>[^.]+)\.(?:(?P<human>[A-Z]+)|(?P<system>[0-9]+))"
    r"(?P<document>(?:\.[^.]+)*)",
)
_NO_SUCH_NAME = (
    "no DUC or TAC name; expected such as D061.M.100.J.26 for a peer, D061.M.100.J.A for a model"
)


@dataclass(frozen=True, slots=True)
class DucName:
    """What a name says.

    Parameters
    ----------
    docset : str
        Docset, type and length.
    summariser : str
        Capital letters or digits.
    document : str
        The fields of the document with a dot before each; empty for a summary of several.
    """

    docset: str
    selector: str
    summariser: str
    document: str

    @property
    def eval_id(self) -> str:
        """The ID of the EVAL."""
        return f"{self.docset}.{self.selector}{self.document}"

    @property
    def without_selector(self) -> tuple[str, str]:
        """What the EVALs have in common that differ in the selector alone."""
        return self.docset, self.document

    @property
    def is_model(self) -> bool:
        """Whether the summariser is a human."""
        return self.summariser.isalpha()


def parse_duc_name(name: str) -> DucName | None:
    """Read the name of a file.

    Parameters
    ----------
    name : str
        Without folder; ``.html``, ``.htm``, ``.txt`` and ``.spl`` at its end do not count.

    Returns
    -------
    DucName or None
        None if it is no such name.
    """
    match = _NAME.fullmatch(_SUFFIXES.sub("", name))
    if match is None:
        return None
    docset, selector, human, system, document = match.groups()
    return DucName(docset, selector, human or system, document)


@dataclass(frozen=True, slots=True)
class DucFolder:
    """The names in a folder.

    Parameters
    ----------
    names : sequence of str
        In byte order.
    """

    path: str
    names: Sequence[str]

    def texts(self) -> Iterator[tuple[str, DucName | None]]:
        """Yield the path of each text, and what its name says."""
        folder = self.path if self.path.endswith("/") else f"{self.path}/"
        for name in self.names:
            yield folder + name, parse_duc_name(name)


@dataclass(slots=True)
class _Models:
    """The models that were found.

    Parameters
    ----------
    by_eval : dict of str to dict of str to str
        EVAL ID to summariser to path.
    evals : dict of tuple to list of str
        What EVALs have in common that differ in the selector alone to their IDs.
    """

    by_eval: dict[str, dict[str, str]] = field(default_factory=dict)
    evals: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def add(self, path: str, name: DucName) -> None:
        """Add a model; a second one of the same human is a problem."""
        if name.eval_id not in self.by_eval:
            self.evals.setdefault(name.without_selector, []).append(name.eval_id)
        of_eval = self.by_eval.setdefault(name.eval_id, {})
        first = of_eval.setdefault(name.summariser, path)
        if first != path:
            self.problems.append(
                f"EVAL {escaped(name.eval_id)}, model {name.summariser}: two files, "
                f"{escaped(first)} and {escaped(path)}; expected one"
            )

    def evals_for(self, peer: DucName) -> list[str]:
        """Return the EVALs whose models could be those of a peer; it has models if it is one."""
        if peer.eval_id in self.by_eval:
            return [peer.eval_id]
        return self.evals.get(peer.without_selector, [])


def pair_duc_folders(paths: Sequence[str]) -> Pairing:
    """Pair the texts in a folder of peers and a folder of models, which may be the same.

    Raises InputError with all folders that cannot be listed, or hold no text.
    """
    problems: list[str] = []
    folders: list[DucFolder] = []
    for path in paths:
        try:
            listing = list_texts(path.rstrip("/") + "/", 1)
        except InputError as error:
            problems += [f"--duc: {problem}" for problem in error.problems]
            continue
        folders.append(DucFolder(listing.folder, listing.texts))
        if not listing.texts:
            problems.append(f"--duc: no texts in {escaped(path)}; {listing.description}")
    if problems:
        raise InputError(list(dict.fromkeys(problems)))
    peers, models = folders
    return pair_duc_names(peers, models, is_one_folder=os.path.samefile(*paths))


def pair_duc_names(peers: DucFolder, models: DucFolder, *, is_one_folder: bool) -> Pairing:
    """Pair the texts of two folders by their names.

    Parameters
    ----------
    is_one_folder : bool
        Whether both are the same; then each kind is looked for among all names.

    Returns
    -------
    Pairing
        The systems in byte order, the models of an EVAL in the order of their names.
    """
    unpaired: list[tuple[str, str]] = []
    named_peers, known_models = [], _Models()
    for path, name in peers.texts():
        if name is None:
            unpaired.append((escaped(path), _NO_SUCH_NAME))
        elif not name.is_model:
            named_peers.append((path, name))
        elif not is_one_folder:
            unpaired.append((escaped(path), "a model's name among the peers"))
    for path, name in models.texts():
        if name is not None and name.is_model:
            known_models.add(path, name)
        elif not is_one_folder:
            what = _NO_SUCH_NAME if name is None else "a peer's name among the models"
            unpaired.append((escaped(path), what))
    return _pair(named_peers, known_models, unpaired)


def _pair(
    named_peers: Iterable[tuple[str, DucName]],
    known_models: _Models,
    unpaired: list[tuple[str, str]],
) -> Pairing:
    """Find the models of each peer, and what is left over."""
    peers: list[FoundPeer] = []
    models: dict[str, Sequence[str]] = {}
    used: set[str] = set()
    for path, name in named_peers:
        peer = FoundPeer(name.summariser, name.eval_id, path)
        peers.append(peer)
        evals = known_models.evals_for(name)
        if len(evals) == 1:
            used.add(evals[0])
            models[name.eval_id] = tuple(known_models.by_eval[evals[0]].values())
        else:
            unpaired.append(peer_without_model(peer, _several_selectors(evals)))
    for eval_id, of_eval in known_models.by_eval.items():
        if eval_id not in used:
            unpaired += map(model_without_peer, of_eval.values())
    systems = sorted({peer.system for peer in peers}, key=byte_key)
    pairing = pair(systems, peers, models)
    problems = (*known_models.problems, *pairing.problems)
    return replace(pairing, unpaired=tuple(unpaired), problems=problems)


def _several_selectors(evals: Sequence[str]) -> str:
    """Return what is to be added of a peer whose models have several selectors."""
    if not evals:
        return ""
    return f"; the models have several selectors, {escaped(evals[0])} and {escaped(evals[1])}"

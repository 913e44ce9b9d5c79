"""The unit of evaluation, the EVAL, and the instances of a run: one peer in one EVAL each.

Source: specification, sections 1 (``-a``), 2 and 6.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from string import ascii_uppercase
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError, Problems
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "DEFAULT_SYSTEM",
    "Evaluation",
    "HasPeers",
    "Instances",
    "TextSource",
    "choose_systems",
    "in_byte_order",
    "instances_of",
]

DEFAULT_SYSTEM = "X"
"""ID of a system that has none."""


class TextSource(NamedTuple):
    """Where one text comes from and how it spells its sentences.

    A named tuple, as a run makes one for each text, in a third of the time of a dataclass.

    Parameters
    ----------
    name : str
        Path of the file, as the system takes it (undecodable bytes as surrogates); where the
        content is at hand already, the file that it came from.
    format : str
        Name of the format: ``"SPL"``, ``"SEE"``, ``"ISI"`` or ``"SIMPLE"``.
    line : int or None
        Line of the configuration that names the text; where the content is at hand already, the
        line that holds it.
    content : bytes or None
        The text itself, normalised; None if it is to be read from the file `name`.
    """

    name: str
    format: str = "SPL"
    line: int | None = None
    content: bytes | None = None

    @property
    def place(self) -> str:
        """Where the text stands, for messages."""
        if self.content is None or self.line is None:
            return self.name
        return f"{self.name}, line {self.line}"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One EVAL: some peers, by system ID, and the models that they are all measured against.

    Parameters
    ----------
    id : str
        The EVAL ID.
    peers : mapping of str to TextSource
        By system ID.
    models : tuple of TextSource
        In the order of the configuration; a model may stand in it twice.
    line : int or None
        Line of the configuration on which the EVAL begins.
    model_ids : tuple of str
        The ID of each model; empty where the layout has none.
    cluster : str or None
        The document or topic that it is one of several EVALs of, if anybody asks for it.
    """

    id: str
    peers: Mapping[str, TextSource]
    models: tuple[TextSource, ...]
    line: int | None = None
    model_ids: tuple[str, ...] = ()
    cluster: str | None = None

    @property
    def humans(self) -> tuple[str, ...]:
        """Who wrote each model: its ID or, where models have none, A, B ... Z, M27, M28."""
        if self.model_ids:
            return self.model_ids
        n_models = len(self.models)
        beyond = range(len(ascii_uppercase) + 1, n_models + 1)
        return (*ascii_uppercase[:n_models], *(f"M{number}" for number in beyond))


class HasPeers(Protocol):
    """An EVAL, in whatever form."""

    @property
    def id(self) -> str:
        """The EVAL ID."""
        ...

    @property
    def peers(self) -> Mapping[str, object]:
        """The peers by system ID."""
        ...

    @property
    def cluster(self) -> str | None:
        """The cluster, if anybody asks for it."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Instances:
    """The instances in the order in which they are counted.

    Parameters
    ----------
    systems : tuple of str
        In the order of print.
    eval_ids : sequence of str
        Of each instance.
    system_numbers : sequence or ndarray of int
        Of each instance: a place in `systems`.
    absences : tuple of str
        A warning for each system that is absent from an EVAL.
    parts : ndarray of int64, shape (n_parts,), or None
        Where an instance is counted in parts, whose scores it has the mean of: to which instance
        each part belongs. None: one count an instance.
    clusters : mapping of str to str
        EVAL to the cluster that it belongs to; empty where every EVAL stands for itself.
    """

    systems: tuple[str, ...]
    eval_ids: Sequence[str]
    system_numbers: Sequence[int] | NDArray[np.int64]
    absences: tuple[str, ...] = ()
    parts: NDArray[np.int64] | None = None
    clusters: Mapping[str, str] = field(default_factory=dict)

    @property
    def n_counted(self) -> int:
        """How many counts there are to make."""
        return len(self.eval_ids) if self.parts is None else self.parts.size

    def cells(self) -> dict[str, list[str]]:
        """Return the EVALs of each system."""
        found: dict[str, list[str]] = {system: [] for system in self.systems}
        for eval_id, number in zip(self.eval_ids, self.system_numbers, strict=True):
            found[self.systems[number]].append(eval_id)
        return found

    def kept(self, is_kept: NDArray[np.bool_]) -> "Instances":
        """Return the instances less what is not kept of what is counted; raises InputError.

        Parameters
        ----------
        is_kept : ndarray of bool, shape (n_counted,)
            At least one for each system.
        """
        places = np.flatnonzero(is_kept)
        if self.parts is not None:
            # An instance stays as long as one of its parts does.
            places, parts = np.unique(self.parts[places], return_inverse=True)
        numbers = np.asarray(self.system_numbers)[places]
        lost = set(range(len(self.systems))) - set(numbers.tolist())
        if lost:
            names = ", ".join(self.systems[number] for number in sorted(lost))
            raise InputError(f"nothing is left to score of: {names}")
        return replace(
            self,
            eval_ids=[self.eval_ids[place] for place in places.tolist()],
            system_numbers=numbers,
            parts=None if self.parts is None else parts,
        )


def in_byte_order(names: Iterable[str]) -> list[str]:
    """Return names sorted by their bytes."""
    return sorted(names, key=lambda name: name.encode("utf-8", "surrogateescape"))


def choose_systems(
    evaluations: Sequence[HasPeers], system_id: str | None, *, all_systems: bool
) -> tuple[str, ...]:
    """Return the systems to score: every one in byte order, or the one that is asked for.

    Raises
    ------
    OptionError
        If none is asked for, or one that no EVAL knows.
    """
    known = {system for evaluation in evaluations for system in evaluation.peers}
    in_order = in_byte_order(known)
    if all_systems:
        return tuple(in_order)
    if system_id is None:
        raise OptionError(
            "no SYSTEM_ID: name the system to score after CONFIG, or use -a for every one; "
            f"known are: {', '.join(in_order)}"
        )
    if system_id not in known:
        raise OptionError(f"no system {system_id!r} in CONFIG; known are: {', '.join(in_order)}")
    return (system_id,)


def instances_of(evaluations: Sequence[HasPeers], systems: tuple[str, ...]) -> Instances:
    """List the instances of `systems`, EVAL by EVAL."""
    pairs = [
        (evaluation.id, number)
        for evaluation in evaluations
        for number, system in enumerate(systems)
        if system in evaluation.peers
    ]
    absent = (
        (f"EVAL {evaluation.id}", f"system {system} has no peer; the EVAL does not count for it")
        for system in systems
        for evaluation in evaluations
        if system not in evaluation.peers
    )
    absences = tuple(Problems.of("", absent).lines())
    eval_ids, numbers = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    clusters = {one.id: one.cluster for one in evaluations if one.cluster is not None}
    return Instances(systems, eval_ids, numbers, absences, clusters=clusters)

"""To line files: a text a line, a file for each system and for each model."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import field
from itertools import chain

from rouge_cli.conversion.names import (
    Command,
    FileNames,
    Replaced,
    Written,
    count,
    eval_id_table,
    places_by_number,
)
from rouge_cli.errors import InputError, Problems
from rouge_cli.inputs.corpus import Corpus, EvalTexts
from rouge_cli.inputs.formats import STAND_IN, sentences_of
from rouge_cli.quick_dataclass import dataclass

SEPARATORS = ("<q>", "<sent>", "<sentence>", "[SENT]", "[SENTENCE-END]")
"""What may stand between sentences: none of them ends as it begins, so that a sentence beside it
never makes it appear in another place."""

PEERS, MODELS, EVAL_IDS = "peers", "models", "eval_ids.tsv"
UNHELD = b"\0"
_INSTEAD = "use --to jsonl or --to xml"


@dataclass(slots=True)
class _Survey:
    """What has to be known of all EVALs before the first line is written.

    Parameters
    ----------
    free : list of bytes
        The separators that no text holds.
    has_sentences : bool
        Whether a text has more than one.
    """

    eval_ids: list[str] = field(default_factory=list)
    n_models: int = 0
    free: list[bytes] = field(default_factory=lambda: [name.encode() for name in SEPARATORS])
    has_sentences: bool = False
    problems: Problems = field(default_factory=Problems)

    def add(self, texts: EvalTexts, systems: Sequence[str]) -> None:
        """Look at an EVAL."""
        evaluation = texts.evaluation
        place = f"EVAL {evaluation.id}"
        if not self.eval_ids:
            self.n_models = len(texts.models)
        elif len(texts.models) != self.n_models:
            others = f"EVAL {self.eval_ids[0]} has {self.n_models}; line files need as many in each"
            self.problems.add(
                place,
                f"{count(len(texts.models), 'models')}, but {others}: {_INSTEAD}",
                f"more or fewer models, but {others}: {_INSTEAD}",
            )
        for system in systems:
            if system not in texts.peers:
                needed = f"line files need one in each: {_INSTEAD}"
                self.problems.add(place, f"system {system} has no peer; {needed}")
        self.eval_ids.append(evaluation.id)
        for text in chain(texts.peers.values(), texts.models):
            self.free = [separator for separator in self.free if separator not in text]
            self.has_sentences = self.has_sentences or b"\n" in text.strip(b"\n")

    def separator(self) -> bytes:
        """Return what is to stand between sentences, empty if nothing has to; raises InputError."""
        if not self.has_sentences:
            return b""
        if not self.free:
            raise InputError(
                f"every separator occurs in the texts ({', '.join(SEPARATORS)}); {_INSTEAD}"
            )
        return self.free[0]

    def order(self, systems: Sequence[str]) -> list[int]:
        """Return the place of the EVAL of each line.

        Raises InputError if no order suits all systems.
        """
        order = places_by_number(self.eval_ids, systems[0])
        for system in systems[1:]:
            if places_by_number(self.eval_ids, system) != order:
                raise InputError(
                    "no order of lines gives all systems their scores: the byte order of "
                    f"EVALID.SYSTEMID, in which EVALs are drawn, differs between {systems[0]} and "
                    f"{system}; {_INSTEAD}"
                )
        return order


def write_lines(corpus: Corpus, folder: str) -> Written:
    """Write a line file for each system and for each model.

    Parameters
    ----------
    corpus : Corpus
        Read twice.
    folder : str
        An empty one.

    Raises
    ------
    InputError
        Absent peers, different numbers of models, IDs for which there is no order of lines or no
        option; a text that cannot be read.
    """
    _check_systems(corpus.systems)
    survey = _Survey()
    for texts in corpus.eval_texts():
        survey.add(texts, corpus.systems)
    survey.problems.raise_any()
    order, separator = survey.order(corpus.systems), survey.separator()
    peers, models = _new_paths(folder, corpus.systems, survey.n_models)
    replaced = Replaced("a line file", UNHELD, "a zero byte")
    paths = [os.path.join(folder, path) for path in (*peers.values(), *models)]
    _write_files(paths, _in_order(corpus, order), separator, replaced)
    table = eval_id_table(survey.eval_ids[place] for place in order)
    with open(os.path.join(folder, EVAL_IDS), "xb") as file:
        file.write(table.encode("utf-8", "surrogateescape"))
    what = f"{count(len(order), 'EVALs')}, {count(len(peers), 'systems')}, a text a line"
    return Written(what, (_command(peers, models, separator.decode()),), replaced.warnings)


def _new_paths(
    folder: str, systems: Iterable[str], n_models: int
) -> tuple[dict[str, str], list[str]]:
    """Make the folders, and name the files in them: by system, and of the models."""
    names = FileNames()
    for name in (PEERS, MODELS):
        os.mkdir(os.path.join(folder, name))
    peers = {system: f"{PEERS}/{names[system]}.txt" for system in systems}
    return peers, [f"{MODELS}/{number}.txt" for number in range(1, n_models + 1)]


def _check_systems(systems: Iterable[str]) -> None:
    """Refuse IDs that ``--peer-lines NAME=FILE`` cannot name."""
    problems = [
        f"system {system!a}: --peer-lines NAME=FILE needs a NAME without '='; {_INSTEAD}"
        for system in systems
        if not system or "=" in system
    ]
    if problems:
        raise InputError(problems)


def _in_order(corpus: Corpus, order: Sequence[int]) -> Iterator[EvalTexts]:
    """Read the EVALs in an order; raises InputError."""
    if all(row == number for number, row in enumerate(order)):
        return corpus.eval_texts()
    evaluations = list(corpus.scored_evaluations())
    return corpus.with_evaluations(evaluations[row] for row in order).eval_texts()


def _write_files(
    paths: Sequence[str], evals: Iterable[EvalTexts], separator: bytes, replaced: Replaced
) -> None:
    """Write the texts of each EVAL, peers first, as a line of each file."""
    with ExitStack() as stack:
        files = [stack.enter_context(open(path, "xb")) for path in paths]
        for texts in evals:
            for file, text in zip(files, (*texts.peers.values(), *texts.models), strict=True):
                replaced.count(text)
                line = separator.join(sentences_of(text)).replace(UNHELD, STAND_IN)
                file.write(line + b"\n")


def _command(peers: dict[str, str], models: Iterable[str], separator: str) -> Command:
    """Return how to score the files."""
    arguments = ["rouge-cli"]
    for system, path in peers.items():
        arguments += ["--peer-lines", f"{system}={path}"]
    for path in models:
        arguments += ["--model-lines", path]
    return (*arguments, *(("--sentence-separator", separator) if separator else ()))

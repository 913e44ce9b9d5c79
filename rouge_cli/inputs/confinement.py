"""Keep a run to the folder of its configuration, or to the folders that its options name."""

import os
from collections.abc import Iterator, Sequence

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import Evaluation
from rouge_cli.inputs.files import STANDARD_INPUT
from rouge_cli.inputs.folders.folder_corpus import named_folders
from rouge_cli.options.every import Options

__all__ = ["check_confined"]

HERE = "."
_DIRECTORY_NAMES = frozenset({"", ".", ".."})


def check_confined(config: str | None, evaluations: Sequence[Evaluation], options: Options) -> None:
    """Refuse texts that are outside of where they should be, links resolved.

    Parameters
    ----------
    config : str or None
        The texts have to be in its folder, or in the working directory if it is standard input or
        a pipe. None if the options name folders: then each text has to be in one of these.
    evaluations : sequence of Evaluation
        Texts whose content is at hand are in the file that the user has named.
    options : Options

    Raises
    ------
    InputError
        With a line for each text that is outside.
    """
    folders = named_folders(options) if config is None else [_folder_of(config)]
    confines = _Confines(folders)
    problems = dict.fromkeys(
        f"{place}: {escaped(name)}: outside of {confines.description}, where --confine keeps a run"
        for place, name in _named_texts(config, evaluations)
        if not confines.hold(name)
    )
    if problems:
        raise InputError(list(problems))


def _folder_of(config: str) -> str:
    """Return the folder of a configuration; the working directory for what is in no folder."""
    return os.path.dirname(config) or HERE if os.path.isfile(config) else HERE


def _named_texts(
    config: str | None, evaluations: Sequence[Evaluation]
) -> Iterator[tuple[str, str]]:
    """Yield where each file of a text is named, and its name."""
    name = (
        None
        if config is None
        else "standard input"
        if config == STANDARD_INPUT
        else escaped(config)
    )
    for one in evaluations:
        for source in (*one.peers.values(), *one.models):
            if source.content is None:
                line = "" if source.line is None else f", line {source.line}"
                where = f"{name}{line}, " if name else ""
                yield f"{where}EVAL {escaped(one.id)}", source.name


class _Confines:
    """The folders that texts have to be in."""

    def __init__(self, folders: Sequence[str]) -> None:
        self._roots = list(dict.fromkeys(map(os.path.realpath, folders)))
        self._real_folders: dict[str, str] = {}

    @property
    def description(self) -> str:
        """The folders, for messages."""
        return " and ".join(map(escaped, self._roots))

    def hold(self, path: str) -> bool:
        """Say whether a file is in one of the folders."""
        real = os.path.normcase(self._real_file(path))
        return any(
            real.startswith(os.path.join(os.path.normcase(root), "")) for root in self._roots
        )

    def _real_file(self, path: str) -> str:
        """Return where a file really is; each folder is looked up once."""
        folder, name = os.path.split(path)
        if name in _DIRECTORY_NAMES or os.path.islink(path):
            return os.path.realpath(path)
        if folder not in self._real_folders:
            self._real_folders[folder] = os.path.realpath(folder or HERE)
        return os.path.join(self._real_folders[folder], name)

"""Folders of texts as a corpus: the names of the files say which belong together."""

import os
from collections.abc import Callable, Sequence

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.corpus import EvaluationCorpus
from rouge_cli.inputs.folders.duc_formats import duc_formats
from rouge_cli.inputs.folders.duc_names import DucFolder, pair_duc_names
from rouge_cli.inputs.folders.file_pairing import Pairing, evaluations_of
from rouge_cli.inputs.folders.listing import Listing, list_texts
from rouge_cli.inputs.folders.model_patterns import ModelPattern, parse_model_pattern
from rouge_cli.inputs.folders.pattern_pairing import pair_by_patterns
from rouge_cli.inputs.folders.pattern_parts import PatternParts
from rouge_cli.inputs.folders.peer_patterns import PeerPattern, parse_peer_patterns
from rouge_cli.inputs.instances import DEFAULT_SYSTEM
from rouge_cli.options.every import Options

__all__ = ["named_folders", "read_folders"]

NAME = "folders"
DEFAULT_FORMAT = "SPL"


def read_folders(options: Options) -> EvaluationCorpus:
    """Pair the texts in folders by their names, as ``--peers`` and ``--models`` or ``--duc`` say.

    Parameters
    ----------
    options : Options

    Returns
    -------
    EvaluationCorpus
        The EVALs in byte order of their IDs. Whether the texts can be read is not checked yet.

    Raises
    ------
    OptionError
        A pattern that is none.
    InputError
        Folders that cannot be listed and patterns that fit nothing; or else all names that claim
        the same place, and all files that belong to nothing, unless these are to be skipped.
    """
    pairing = _pair_duc(options) if options.inputs.duc else _pair_patterns(options)
    _refuse(pairing, options)
    formats, notices = _formats(pairing, options)
    left_out = [f"{line}; left out" for line in pairing.unpaired]
    return EvaluationCorpus(
        NAME,
        evaluations_of(pairing, formats),
        pairing.systems,
        warnings=(*left_out, *pairing.notices, *notices),
    )


def named_folders(options: Options) -> tuple[str, ...]:
    """Return the folders that ``--duc``, or ``--peers`` and ``--models``, name; raises OptionError.

    Of a pattern, the folders at its beginning; ``.`` if it begins with none.
    """
    if options.inputs.duc:
        return options.inputs.duc
    peers = parse_peer_patterns(options.inputs.peers, os.path.isdir, DEFAULT_SYSTEM)
    models = (parse_model_pattern(text, os.path.isdir) for text in options.inputs.models)
    parts = [*(pattern.parts for pattern in peers), *(pattern.parts for pattern in models)]
    return tuple(one.folder or os.curdir for one in parts)


def _pair_patterns(options: Options) -> Pairing:
    """Pair by patterns."""
    peers = parse_peer_patterns(options.inputs.peers, os.path.isdir, DEFAULT_SYSTEM)
    models = [parse_model_pattern(text, os.path.isdir) for text in options.inputs.models]
    names = _names_for([*peers, *models])
    return pair_by_patterns(peers, names[: len(peers)], models, names[len(peers) :])


def _names_for(patterns: Sequence[PeerPattern | ModelPattern]) -> list[tuple[str, ...]]:
    """Return the names in the folder of each pattern, of which some fit it; raises InputError."""
    listings: dict[tuple[str, int], Listing] = {}
    problems: list[str] = []
    names: list[tuple[str, ...]] = []
    for pattern in patterns:
        parts = pattern.parts
        key = parts.folder, parts.depth
        try:
            listing = listings.get(key) or listings.setdefault(key, list_texts(*key))
        except InputError as error:
            problems += [f"{parts.where}: {problem}" for problem in error.problems]
            continue
        names.append(listing.texts)
        if not any(map(pattern.fits, listing.texts)):
            problems.append(_nothing_fits(parts, listing))
    if problems:
        raise InputError(problems)
    return names


def _nothing_fits(parts: PatternParts, listing: Listing) -> str:
    """Say that a pattern fits nothing."""
    where = escaped(parts.folder) or "the working directory"
    return f"{parts.where}: no file in {where} fits; {listing.description}"


def _pair_duc(options: Options) -> Pairing:
    """Pair by DUC names."""
    if len(options.inputs.duc) != 2:  # noqa: PLR2004 - peers and models
        raise OptionError(f"--duc: found {options.inputs.duc!r}, expected PEERS_DIR and MODELS_DIR")
    problems: list[str] = []
    folders: list[DucFolder] = []
    for path in options.inputs.duc:
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
    return pair_duc_names(peers, models, is_one_folder=os.path.samefile(*options.inputs.duc))


def _refuse(pairing: Pairing, options: Options) -> None:
    """Raise InputError if the texts cannot be scored as they are paired."""
    problems = list(pairing.problems)
    n_unpaired = len(pairing.unpaired)
    if not pairing.peers:
        problems += [*pairing.unpaired, "no EVAL has both a peer and a model: nothing to score"]
    elif n_unpaired and options.inputs.unpaired == "error":
        files = "1 file is" if n_unpaired == 1 else f"{n_unpaired} files are"
        advice = f"{files} unpaired; mend the names or the patterns, or use --unpaired skip"
        problems += [*pairing.unpaired, advice]
    if problems:
        raise InputError(problems)


def _formats(pairing: Pairing, options: Options) -> tuple[Callable[[str], str], Sequence[str]]:
    """Return what tells the format of a path, and what is to be said of it."""
    if options.inputs.duc and options.inputs.input_format is None:
        formats, notices = duc_formats(
            path
            for eval_id, peers in pairing.peers.items()
            for path in (*peers.values(), *pairing.models[eval_id])
        )
        return formats.__getitem__, notices
    form = options.inputs.input_format or DEFAULT_FORMAT
    return (lambda path: form), ()

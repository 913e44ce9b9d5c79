"""Refuse IDs that a layout cannot hold, before anything is written."""

import re

from rouge_cli.errors import InputError
from rouge_cli.inputs.corpus import Corpus

__all__ = ["check_ids"]


def check_ids(corpus: Corpus, held: re.Pattern[str], layout: str) -> None:
    """Check the IDs of all systems and EVALs.

    Parameters
    ----------
    corpus : Corpus
    held : pattern
        Matches the whole of an ID that the layout can hold.
    layout : str
        What to call it.

    Raises
    ------
    InputError
        All IDs that do not match.
    """
    ids = [("system", system) for system in corpus.systems]
    ids += [("EVAL", eval_id) for eval_id in dict.fromkeys(corpus.instances().eval_ids)]
    problems = [
        f"{kind} ID {id_!a}: {layout} cannot hold it; use --to list, which needs no IDs"
        for kind, id_ in ids
        if not held.fullmatch(id_)
    ]
    if problems:
        raise InputError(problems)

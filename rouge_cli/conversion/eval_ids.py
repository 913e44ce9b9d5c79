"""EVALs that lose their IDs: in file lists and line files they are 1, 2, 3 and so on.

The bootstrap draws from the EVALs of a system in byte order of ``EVALID.SYSTEMID``. So scores stay
the same only if the new numbers stand in the byte order of the old IDs.
Source: specification, section 6.
"""

from collections.abc import Iterable, Sequence

from rouge_cli.scoring.score_table import byte_order

__all__ = ["eval_id_table", "places_by_number"]

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def places_by_number(eval_ids: Sequence[str], system: str) -> list[int]:
    """Return which EVAL gets which number.

    Parameters
    ----------
    eval_ids : sequence of str
        The EVALs of a system.
    system : str
        Its ID.

    Returns
    -------
    list of int
        The place in `eval_ids` of the EVAL that is numbered 1, 2 and so on. EVALs that have these
        numbers for IDs already keep them.

    Notes
    -----
    The system's ID does not matter for the new names: ``.`` comes before every digit, so they
    stand in the byte order of the numbers themselves.
    Source: specification, section 6.
    """
    numbers = sorted(range(1, len(eval_ids) + 1), key=str)
    places = [0] * len(eval_ids)
    for number, place in zip(numbers, byte_order(eval_ids, system).tolist(), strict=True):
        places[number - 1] = place
    return places


def eval_id_table(eval_ids: Iterable[str]) -> str:
    r"""Return the file that says which number stands for which ID, tab-separated.

    Backslash, tab, newline and carriage return in an ID are written ``\\``, ``\t``, ``\n``, ``\r``.
    """
    rows = [f"{number}\t{id_.translate(_ESCAPES)}\n" for number, id_ in enumerate(eval_ids, 1)]
    return "".join(["number\tid\n", *rows])

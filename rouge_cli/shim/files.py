"""What stands in a home: the script, and the word lists as the original has them."""

import os

from rouge_cli.data import EXCEPTIONS, STOPWORDS, read_list
from rouge_cli.shim.script import perl_script, shell_script

__all__ = ["SCRIPT", "home_files"]

SCRIPT = "ROUGE-1.5.5.pl"
EXCEPTIONS_FOLDER = "data/WordNet-2.0-Exceptions"

LICENCE = "WORDNET-LICENSE.txt"
"""WordNet's asks to go with every copy."""

README = b"""\
This folder stands in for a ROUGE-1.5.5 home. "rouge-cli install-shim" wrote it.

ROUGE-1.5.5.pl  runs rouge-cli, which prints what the original prints. It takes the original's
                options. It runs the rouge-cli of the Python environment that wrote it.
data            the built-in word lists of rouge-cli, so "-e data" changes no score.
  smart_common_words.txt           stopwords
  WordNet-2.0-Exceptions/noun.exc  irregular forms, those of adjectives, verbs and adverbs too;
                                   the other three files are empty
  WordNet-2.0.exc.db               no database: rouge-cli never reads it, and some programs ask
                                   only whether it is there. There is nothing to build.
  WORDNET-LICENSE.txt              the licence of the irregular forms

Change nothing here: "rouge-cli install-shim" on this folder writes all of it anew.
For word lists of your own, copy data elsewhere, change it there, and name the copy with "-e".
"""

DATABASE = b"""\
This is no database. rouge-cli reads WordNet-2.0-Exceptions instead, and never this file.
It is here because some programs ask whether it is.
"""


def home_files(python: str) -> dict[str, bytes]:
    """Return what a home holds.

    Parameters
    ----------
    python : str
        Path of the Python whose rouge-cli the script runs.

    Returns
    -------
    dict of str to bytes
        Path in the home, with slashes, to content.
    """
    script = perl_script if os.name == "nt" else shell_script
    return {
        SCRIPT: script(python),
        "README.txt": README,
        "data/smart_common_words.txt": read_list(STOPWORDS),
        "data/WordNet-2.0.exc.db": DATABASE,
        f"data/{LICENCE}": read_list(LICENCE),
        # Which list a form comes from makes no difference: the original merges them too.
        f"{EXCEPTIONS_FOLDER}/noun.exc": read_list(EXCEPTIONS),
        **{f"{EXCEPTIONS_FOLDER}/{name}.exc": b"" for name in ("adj", "adv", "verb")},
    }

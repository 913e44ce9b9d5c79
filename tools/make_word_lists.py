"""Make the word lists of `rouge_cli/data` from their sources, and check them.

Run as ``python tools/make_word_lists.py WORDNET_DIRECTORY SMART_FILE``. The directory holds the
four ``.exc`` files of WordNet 3.0 (or 2.0), the file is SMART's stopwords, one per line.
Nothing is written unless both lists have their known checksums.

Source: section 4 of the specification.
"""

import hashlib
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "rouge_cli" / "data"

STOPWORDS_SHA256 = "708a95967c37d7d52765589e92d787e912d971e60d6d41d81c92a00cff58a42e"
EXCEPTIONS_SHA256 = "3a4bb83017adaa453bcde932613158bdf4a0c58eda73120ce0d70315c1d63559"

# A later list replaces entries of an earlier one.
EXCEPTION_FILES = ("adj.exc", "noun.exc", "verb.exc", "adv.exc")
ONLY_IN_WORDNET_3 = (
    b"ashes cognosenti gps halfpence houses_of_cards lisente loups-garous morses optic_axes "
    b"staretsy"
)
NOT_STOPWORDS = b"first last name"
NEWS_STOPWORDS = (
    b"'s amid ap apr aug dec e.g. etc. feb fri i.e. index jan jul jun mar mon mr. ms. news nov oct "
    b"reuters sat sep tech thu tue wed"
)


def make_stopwords(smart: bytes) -> bytes:
    """Turn SMART's list into the one that the scores use."""
    words = (set(smart.split()) - set(NOT_STOPWORDS.split())) | set(NEWS_STOPWORDS.split())
    return b"".join(word + b"\n" for word in sorted(words))


def make_exceptions(files: list[bytes]) -> bytes:
    """Merge WordNet's exception lists into one, as WordNet 2.0 has it."""
    table: dict[bytes, bytes] = {}
    for line in b"\n".join(files).splitlines():
        if line.strip():
            form, base = line.split()[:2]
            table[form] = base
    for form in ONLY_IN_WORDNET_3.split():
        table.pop(form, None)
    return b"".join(sorted(form + b" " + base + b"\n" for form, base in table.items()))


def main(arguments: list[str]) -> int:
    """Make both lists; return the exit code."""
    try:
        wordnet, smart = map(Path, arguments)
    except ValueError:
        print("usage: make_word_lists.py WORDNET_DIRECTORY SMART_FILE", file=sys.stderr)
        return 2
    made = {
        "stopwords.txt": (make_stopwords(smart.read_bytes()), STOPWORDS_SHA256),
        "exceptions.txt": (
            make_exceptions([(wordnet / name).read_bytes() for name in EXCEPTION_FILES]),
            EXCEPTIONS_SHA256,
        ),
    }
    for name, (content, expected) in made.items():
        found = hashlib.sha256(content).hexdigest()
        if found != expected:
            print(f"{name}: SHA-256 is {found}, not {expected}", file=sys.stderr)
            return 1
    for name, (content, _) in made.items():
        (DATA / name).write_bytes(content)
        print(f"{name}: {len(content.splitlines()):,} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

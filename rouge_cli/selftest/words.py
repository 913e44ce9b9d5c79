"""Stems, word lists and random draws against those of the original."""

import hashlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from rouge_cli.data import EXCEPTIONS, STOPWORDS, read_list
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.drand48 import draw_instances
from rouge_cli.text.stemmer import stem_of
from rouge_cli.text.word_lists import load_exceptions

__all__ = ["LIST_SHA256", "Check", "check_draws", "check_list", "check_stems", "list_sha256"]

LIST_SHA256: Mapping[str, str] = MappingProxyType(
    {
        STOPWORDS: "708a95967c37d7d52765589e92d787e912d971e60d6d41d81c92a00cff58a42e",
        EXCEPTIONS: "3a4bb83017adaa453bcde932613158bdf4a0c58eda73120ce0d70315c1d63559",
    }
)
"""Checksums of the word lists, as the README beside them gives them."""

FIRST_DRAWS: Mapping[int, tuple[int, ...]] = MappingProxyType(
    {
        0: (1708, 7499, 963, 8704, 5773, 7857, 6921, 3687),
        1: (416, 4544, 8348, 3359, 5654, 17, 1875, 9904),
        2: (9124, 1590, 5732, 8015, 5536, 2177, 6829, 6121),
        999: (1023, 6357, 8034, 9257, 7750, 5374, 5921, 4149),
        123_456: (9406, 6702, 6317, 2067, 553, 2884, 2221, 9899),
    }
)
"""What Perl prints for ``srand(SEED)`` and then ``int(rand(10000))``; C's drand48 is the same."""

N_DRAWN_FROM = 10_000


@dataclass(frozen=True, slots=True)
class Check:
    """Something that is compared beside the runs.

    Parameters
    ----------
    n_compared : int
        How many tokens, words or draws.
    differences : tuple of str
        A line for each that is not the same.
    """

    what: str
    n_compared: int
    differences: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


def check_stems(stems: Iterable[tuple[bytes, bytes]]) -> Check:
    """Stem tokens, and compare with the stems of the original."""
    pairs = list(stems)
    try:
        exceptions = load_exceptions()
    except OSError as error:
        return Check("stems", len(pairs), (_unreadable(EXCEPTIONS, error),))
    found = ((token, stem, stem_of(token, exceptions)) for token, stem in pairs)
    differences = tuple(
        f"stem of {token.decode()}: original {stem.decode()}, here {here.decode()}"
        for token, stem, here in found
        if here != stem
    )
    return Check("stems", len(pairs), differences)


def check_list(what: str, name: str) -> Check:
    """Compare the checksum of a word list that comes with the package.

    Parameters
    ----------
    what : str
        What to call it.
    name : str
        `STOPWORDS` or `EXCEPTIONS` of `rouge_cli.data`.
    """
    try:
        data = read_list(name)
    except OSError as error:
        return Check(what, 0, (_unreadable(name, error),))
    found, expected = hashlib.sha256(data).hexdigest(), LIST_SHA256[name]
    differences = (f"{name}: SHA-256 is {found}, expected {expected}",) if found != expected else ()
    return Check(what, data.count(b"\n"), differences)


def check_draws() -> Check:
    """Compare the first draws of some resamples."""
    differences = []
    for seed, expected in FIRST_DRAWS.items():
        found = draw_instances(N_DRAWN_FROM, range(seed, seed + 1))[0, : len(expected)].tolist()
        if found != list(expected):
            differences.append(f"draws of seed {seed}: original {list(expected)}, here {found}")
    n_draws = sum(map(len, FIRST_DRAWS.values()))
    return Check("random draws", n_draws, tuple(differences))


def list_sha256(name: str) -> str:
    """Return the checksum of a word list that comes with the package, or why there is none."""
    try:
        return hashlib.sha256(read_list(name)).hexdigest()
    except OSError as error:
        return _unreadable(name, error)


def _unreadable(name: str, error: OSError) -> str:
    """Say that a word list cannot be read."""
    return f"{name}: cannot be read: {error.strerror}; install rouge-cli anew"

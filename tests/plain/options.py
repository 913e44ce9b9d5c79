"""The command line (specification, section 1)."""

from __future__ import annotations

from dataclasses import dataclass

WITH_VALUE = "blcefnprt23wz"
FLAGS = "admsuUxvhHM"


@dataclass
class Options:
    """The letters given, and what follows them."""

    letters: dict[str, str]
    config: str
    system: str | None

    def has(self, letter: str) -> bool:
        """Whether the letter was given."""
        return letter in self.letters

    def text(self, letter: str, default: str = "") -> str:
        """The value as typed."""
        return self.letters.get(letter, default)

    def whole(self, letter: str, default: int = 0) -> int:
        """The value as a whole number."""
        return int(float(self.letters.get(letter, default)))

    def real(self, letter: str, default: float) -> float:
        """The value as a double."""
        return float(self.letters.get(letter, default))


def parse(args: list[str]) -> Options:
    """Read options, clustered or attached to their values, then CONFIG and SYSTEM_ID."""
    rest = list(args)
    letters: dict[str, str] = {}
    while rest and len(rest[0]) > 1 and rest[0][0] == "-":
        cluster = rest.pop(0)[1:]
        if cluster == "-":
            break
        while cluster:
            letter, cluster = cluster[0], cluster[1:]
            if letter in WITH_VALUE:
                letters[letter] = cluster or rest.pop(0)
                cluster = ""
            elif letter in FLAGS:
                letters[letter] = ""
            else:
                raise ValueError(f"unknown option -{letter}")
    if not rest:
        raise ValueError("CONFIG is missing")
    options = Options(letters, rest[0], rest[1] if len(rest) > 1 else None)
    check(options)
    return options


def check(options: Options) -> None:
    """What section 1 calls an error."""
    if options.whole("b") > 0 and options.whole("l") > 0:
        raise ValueError("-b and -l exclude each other")
    if not options.has("a") and not options.has("z") and options.system is None:
        raise ValueError("SYSTEM_ID is missing")

"""Fuzz one target with atheris: ``python -m fuzz.one TARGET [libFuzzer's options] [FOLDERS]``."""

import sys

import atheris

with atheris.instrument_imports(include=["rouge_cli"]):
    pass

from fuzz.targets import replay

__all__: list[str] = []


def main() -> None:
    """Fuzz until a fault is found, or the time is over."""
    target = sys.argv.pop(1)
    atheris.Setup(sys.argv, lambda data: replay(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()

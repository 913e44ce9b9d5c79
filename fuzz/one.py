"""Fuzz one target with atheris: ``python -m fuzz.one TARGET [libFuzzer's options] [FOLDERS]``."""

import sys
from importlib import import_module

import atheris

WATCHED = (
    *("cli.score", "inputs.file_layouts", "inputs.pairing", "inputs.judgements"),
    *("inputs.patterns", "inputs.layout", "inputs.line_files"),
    *("inputs.records.reading", "inputs.records.tables", "inputs.xml_config"),
    *("run.pipeline", "thresholds"),
)
"""Modules that import everything to be instrumented."""

with atheris.instrument_imports(include=["rouge_cli"]):
    for name in WATCHED:
        import_module(f"rouge_cli.{name}")

from fuzz.targets import replay  # noqa: E402 - after what it is to watch

__all__: list[str] = []


def main() -> None:
    """Fuzz until a fault is found, or the time is over."""
    target = sys.argv.pop(1)
    atheris.Setup(sys.argv, lambda data: replay(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()

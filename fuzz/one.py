"""Fuzz one target with atheris: ``python -m fuzz.one TARGET [libFuzzer's options] [FOLDERS]``."""

import sys

import atheris

with atheris.instrument_imports(include=["rouge_cli"]):
    import rouge_cli.cli.score
    import rouge_cli.gates.baseline_file
    import rouge_cli.inputs.file_list
    import rouge_cli.inputs.folders.duc_names
    import rouge_cli.inputs.folders.folder_corpus
    import rouge_cli.inputs.folders.pattern_pairing
    import rouge_cli.inputs.judgement_file
    import rouge_cli.inputs.lines.spools
    import rouge_cli.inputs.records.parquet
    import rouge_cli.inputs.records.record_files
    import rouge_cli.inputs.records.table_rows
    import rouge_cli.inputs.xml_config
    import rouge_cli.scoring.pipeline  # noqa: F401 - all that is watched

from fuzz.targets import replay

__all__: list[str] = []


def main() -> None:
    """Fuzz until a fault is found, or the time is over."""
    target = sys.argv.pop(1)
    atheris.Setup(sys.argv, lambda data: replay(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()

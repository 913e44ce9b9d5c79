"""The command ``protocols``: the list, the choices of one protocol, or the numbers of all."""

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from rouge_cli.cli.arguments import GroupedCommand, input_arguments, options_of
from rouge_cli.cli.output import exit_codes, screen_of, write_output
from rouge_cli.cli.studies import run_study
from rouge_cli.errors import OptionError
from rouge_cli.options.options import SCORING
from rouge_cli.options.reports import PageOptions
from rouge_cli.options.studies import TableOptions
from rouge_cli.studies.protocols import STUDY


def _protocols(input_words: tuple[str, ...], compare: bool | None, **typed: Any) -> None:
    """List protocols, or compare what they print."""
    if compare:
        run_study(STUDY, input_words, compare=compare, **typed)
        return
    with exit_codes():
        options = [name for name, value in typed.items() if value not in (None, (), False)]
        if options:
            raise OptionError(f"--{options[0].replace('_', '-')} is for --compare")
        if len(input_words) > 1:
            raise OptionError(f"one protocol at a time; found {' '.join(input_words)}")
        lines = list(_spelled_out(*input_words) if input_words else _folded(_listed()))
    write_output(f"{line}\n" for line in lines)
    sys.exit(0)


command = GroupedCommand(
    "protocols",
    _protocols,
    [
        *input_arguments(takes_system=False),
        *options_of(STUDY.options, TableOptions, PageOptions, *SCORING, without=STUDY.left_out),
    ],
    STUDY.__doc__,
)


def _listed() -> Iterator[str]:
    from rouge_cli.protocols.catalogue import PROTOCOLS
    from rouge_cli.protocols.protocol import known_options

    for protocol in PROTOCOLS.values():
        yield f"{protocol.full_name}: {protocol.stands_for}"
        if known := known_options(protocol):
            yield f"    options: {', '.join(known)}"
        yield from (f"    - {defect}" for defect in protocol.defects)


def _folded(lines: Iterable[str]) -> Iterator[str]:
    from textwrap import wrap

    width = screen_of(None).width
    for line in lines:
        inner = " " * (6 if line.startswith(" ") else 4)
        yield from wrap(line, width, subsequent_indent=inner, break_on_hyphens=False)


def _spelled_out(name: str) -> Iterator[str]:
    from rouge_cli.options.metrics import MetricOptions
    from rouge_cli.protocols.catalogue import as_toml
    from rouge_cli.protocols.metric import with_metric

    asked = MetricOptions.of({"protocol": name}).protocol
    if asked is not None:
        yield from as_toml(with_metric(asked).metric.protocol)

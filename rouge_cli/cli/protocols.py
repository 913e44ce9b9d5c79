"""The command ``protocols``: whose numbers are known, and what is known to be wrong with them."""

import sys
from collections.abc import Iterator

import click

from rouge_cli.cli.help import HELP_SETTINGS
from rouge_cli.cli.output import exit_codes, write_output


@click.command("protocols", context_settings=HELP_SETTINGS)
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the packages whose numbers --protocol computes, or spell out the choices of one.

    Below each of them stands what is known to be wrong with its numbers. With NAME, which may have
    options as --protocol takes them, its choices are written as TOML: a file of one's own begins
    with some of these lines.
    """
    with exit_codes():
        lines = list(_listed() if name is None else _spelled_out(name))
    write_output(f"{line}\n" for line in lines)
    sys.exit(0)


def _listed() -> Iterator[str]:
    """Yield a line for each protocol, and lines for what is wrong with it."""
    from rouge_cli.protocols.catalogue import PROTOCOLS
    from rouge_cli.protocols.protocol import known_options

    for protocol in PROTOCOLS.values():
        yield f"{protocol.full_name}: {protocol.stands_for}"
        if known := known_options(protocol):
            yield f"    options: {', '.join(known)}"
        yield from (f"    - {defect}" for defect in protocol.defects)


def _spelled_out(name: str) -> Iterator[str]:
    """Yield the lines of a protocol as TOML."""
    from rouge_cli.options.metrics import MetricOptions
    from rouge_cli.protocols.metric import with_metric
    from rouge_cli.protocols.own import as_toml

    asked = MetricOptions.of({"protocol": name}).protocol
    if asked is not None:
        yield from as_toml(with_metric(asked).metric.protocol)

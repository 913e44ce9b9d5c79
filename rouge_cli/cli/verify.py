"""The certificate of a run, and the command ``verify``, which scores again and compares."""

import json
import shlex
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import click

from rouge_cli.cli.arguments import (
    GroupedCommand,
    input_arguments,
    options_of,
    source_and_options,
)
from rouge_cli.cli.commands import COMMANDS, DEFAULT_COMMAND
from rouge_cli.cli.output import exit_codes, run_context, shown_progress, warn, write_output
from rouge_cli.cli.pages import named_inputs
from rouge_cli.cli.process import EXIT_UNMET
from rouge_cli.errors import InputError
from rouge_cli.escapes import escape_unprintable
from rouge_cli.inputs.files import input_name
from rouge_cli.options.inputs import FOLDERS, LINES, InputOptions
from rouge_cli.options.options import SCORING, RunOptions
from rouge_cli.studies.score import STUDY
from rouge_cli.studies.study import Answer, ScoreSource

NAMING = frozenset(
    name for name, item in InputOptions.options().items() if item.heading in {FOLDERS, LINES}
)
"""The options that name texts in place of CONFIG."""


def certificate_of(answer: Answer, arguments: Iterable[str], paths: Iterable[str]) -> str:
    """Return the certificate of a run of ``score`` on these arguments and files."""
    from rouge_cli.reports import write_report
    from rouge_cli.studies.score.certificate import Certificate
    from rouge_cli.studies.score.view import ScoreView

    certificate = Certificate.of(arguments, paths, answer.result.digests)
    view = ScoreView(answer.result.results, certificate=certificate)
    return "".join(write_report(view, "json"))


def _verify(certificate: str, input_words: tuple[str, ...], **typed: Any) -> None:
    """Score again what a certificate is about, and say what agrees and what differs.

    FILE was written by score --certificate. Its command is run again, on the same inputs or, if
    they have been moved, on those that CONFIG or the options name. Texts are recognised by their
    digests, whatever their layout. Exit code 0: the texts, the signature and all scores are the
    same, to twelve decimals; 1: something differs.
    """
    with exit_codes():
        from rouge_cli.studies.score.certificate import compare_certificates, read_certificate

        digest, certified = read_certificate(certificate)
        words, values = _command(certificate, certified, input_words, typed)
        source, spelled, checked = source_and_options(words, values)
        options = checked(spelled, *SCORING)
        per_eval = certified["options"]["per_eval"]
        options = options.changed(per_eval=per_eval, certificate=certificate)
        scored = ScoreSource(source, options, run_context)
        with shown_progress():
            answer = STUDY.run(scored, options.reports)
        warn(answer.result.warnings)
        again = certificate_of(answer, (), named_inputs(source, options))
        lines, is_verified = compare_certificates(certified, json.loads(again))
    verdict = "Verified" if is_verified else "Not verified: the run differs from its certificate"
    lines += [f"certificate  SHA-256 {digest}", verdict]
    write_output(f"{line}\n" for line in lines)
    if not is_verified:
        sys.exit(EXIT_UNMET)


def _command(
    path: str, certified: Mapping[str, Any], input_words: tuple[str, ...], typed: Mapping[str, Any]
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return input and options of the certified command; what is typed now takes their place.

    Raises InputError if this version has no such command.
    """
    arguments = certified["certificate"]["arguments"]
    score = COMMANDS[DEFAULT_COMMAND].load()
    try:
        values = dict(score.make_context(DEFAULT_COMMAND, list(arguments)).params)
    except (click.ClickException, click.exceptions.Exit) as error:
        reason = getattr(error, "message", "it asks for help")
        raise InputError(
            f"{input_name(path)}: its command, {escape_unprintable(shlex.join(arguments))}, is not "
            f"one of this version: {escape_unprintable(reason)}"
        ) from None
    words = values.pop("input_words")
    given = {name: value for name, value in typed.items() if value not in (None, (), False)}
    if input_words or NAMING & given.keys():
        words = input_words
        values |= dict.fromkeys(NAMING)
    return words, values | given


command = GroupedCommand(
    "verify",
    params=[
        click.Argument(["certificate"], metavar="FILE"),
        *input_arguments(),
        *options_of(InputOptions, RunOptions),
    ],
    callback=_verify,
    help=_verify.__doc__,
)

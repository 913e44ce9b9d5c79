"""The commands ``score``, ``source`` and ``verify``.

``score`` is the study of this name, with additions for the command line of ROUGE-1.5.5.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import replace
from hashlib import sha256
from io import StringIO
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from rouge_cli import __version__
from rouge_cli.atomic_files import NewFiles
from rouge_cli.cli.arguments import (
    GroupedCommand,
    input_arguments,
    letters_behind_input,
    options_of,
    source_and_options,
)
from rouge_cli.cli.group import COMMAND_WORDS, DEFAULT_COMMAND
from rouge_cli.cli.output import (
    Output,
    announce,
    exit_codes,
    named_inputs,
    plot_outputs,
    run_context,
    say_line,
    screen_of,
    shown_progress,
    warn,
    write_output,
    write_outputs,
)
from rouge_cli.cli.process import EXIT_UNMET
from rouge_cli.cli.studies import CheckedStudy
from rouge_cli.core import describe_core
from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escape_unprintable, escaped
from rouge_cli.inputs.files import input_name
from rouge_cli.options.declaration import Step
from rouge_cli.options.inputs import FOLDERS, LINES, RECORD_FILES, InputOptions, with_line_files
from rouge_cli.options.options import (
    GROUPS,
    OPTIONS,
    PRESETS,
    SCORING,
    Options,
    RunOptions,
    left_out,
)
from rouge_cli.options.reports import (
    CERTIFICATE_OPTION,
    JUNIT,
    REPORT_KINDS,
    STANDARD_OUTPUT,
    PageOptions,
    ReportOptions,
)
from rouge_cli.options.scores import RAW_COUNTS, JoinedOptions, ScoreOptions, ThresholdOptions
from rouge_cli.options.studies import SourceOptions
from rouge_cli.studies.score import STUDY, Scored
from rouge_cli.studies.study import Answer, ScoreSource

if TYPE_CHECKING:
    from rouge_cli.scores.results import Results

HINT = (
    "Hint: this is ROUGE-L alone, without stemming, the default of ROUGE-1.5.5; --preset paper "
    "gives ROUGE-1, ROUGE-2 and ROUGE-L, stemmed"
)
HINT_OF_TABLE = (
    "Hint: these are ROUGE-1, ROUGE-2 and ROUGE-L, stemmed, as --preset paper; --lcs gives ROUGE-L "
    "alone, without stemming, the default of ROUGE-1.5.5"
)


def _score(input_words: tuple[str, ...], cite: bool, **typed: Any) -> None:
    failures: list[str] = []
    with NewFiles() as files:
        with exit_codes():
            checked = CheckedStudy(STUDY, input_words, typed)
            options = checked.options
            if options.reports.verbose and (late := letters_behind_input()):
                say_line(f"{' '.join(late)}: ROUGE-1.5.5 reads no options after CONFIG")
            _check_baseline([*checked.asked.outputs(), *plot_outputs(checked.pages)], options)
            if cite and (checked.asked.certificate or checked.asked.save):
                raise OptionError("--cite scores nothing: no --certificate or --save with it")
            if cite:
                outputs = [Output(_citation(options), options.reports.output)]
            elif options.reports.dry_run:
                outputs = [Output(_pairing(checked), options.reports.output)]
            else:
                outputs, failures = _reports(checked, files)
        # A report must not replace the baseline that it falls below: the next run would pass.
        kept = [output for output in outputs if failures and _is_baseline(output.path, options)]
        write_outputs([output for output in outputs if output not in kept], files)
    for output in outputs:
        if output.option == CERTIFICATE_OPTION:
            digest = sha256("".join(map(str, output.content)).encode()).hexdigest()
            say_line(f"{output.path}: certificate, SHA-256 {digest}")
    if not cite and _is_bare(options):
        say_line(HINT if options.presets.preset is None else HINT_OF_TABLE)
    if failures:
        announce(failures)
        warn(
            f"{output.path}: the baseline stays as it is, as this run falls below it"
            for output in kept
        )
        sys.exit(EXIT_UNMET)


def _reports(checked: CheckedStudy, files: NewFiles) -> tuple[list[Output], list[str]]:
    """Score, and return figures and reports, and the requirements that are not met."""
    _check_bootstrap(checked.options)
    save = checked.options.reports.save
    if save is not None:
        from rouge_cli.scores.saved_scores import check_package

        # A missing package is reported now, and not after hours of scoring.
        check_package(save)
    start = perf_counter()
    # This calls `ScoreStudy.run`, and that `TextRun.results`.
    answer = checked.run()
    answer = answer._replace(result=answer.result.judged())
    scored: Scored = answer.result
    verdict = scored.verdict
    if doubt := _unsaid_doubt(scored.results):
        warn([doubt])
    warn(verdict.warnings if verdict else ())
    inputs = checked.options.inputs
    if inputs.all and inputs.list_format is None and scored.run is not None:
        system_id = scored.run.system_id
        if system_id is not None:
            warn([f"SYSTEM_ID {system_id!r} has no effect: -a scores all"])
    if checked.options.reports.verbose:
        for line in (*_diagnostics(checked, scored, start), *(verdict.remarks if verdict else ())):
            say_line(line)
    # Saved scores bring options of their own.
    _check_bootstrap(scored.results.options)
    outputs = checked.outputs(answer)
    if save is not None:
        from rouge_cli.scores.saved_scores import save_scores

        save_scores(scored.results, save, files.open)
    if checked.asked.certificate is not None:
        words = click.get_current_context().meta[COMMAND_WORDS]
        text = certificate_of(answer, words, checked.paths)
        outputs.append(Output(text, checked.asked.certificate, CERTIFICATE_OPTION))
    return outputs, list(verdict.failures if verdict else ())


def _is_bare(options: Options) -> bool:
    """Return whether the user is at a terminal, and gave an input without options of scoring."""
    taken = {name for name in GROUPS if name not in {"inputs", "run"}}
    if any(set(GROUPS[name].options()) & options.explicit for name in taken):
        return False
    return all(stream is not None and stream.isatty() for stream in (sys.stdout, sys.stderr))


def _check_baseline(outputs: Iterable[tuple[str | None, str]], options: Options) -> None:
    """Raise OptionError if an output would replace the baseline, but could not be the next one.

    A JSON report may replace it, so that an improved run becomes the next baseline.
    """
    is_json = options.reports.score_only is None
    baselines = {file.path for file in options.reports.files if is_json and file.kind == "json"}
    for path, option in outputs:
        if path not in baselines and _is_baseline(path, options):
            raise OptionError(
                f"{option}: {escaped(path or '')} is the baseline, which only a JSON report may "
                "replace; name another file"
            )
        needs_evals = options.thresholds.not_worse_than is not None
        if needs_evals and not options.reports.per_eval and _is_baseline(path, options):
            raise OptionError(
                f"{option}: without -d the report lacks the scores of texts, and could not be the "
                "next baseline of --not-worse-than; give -d"
            )


def _is_baseline(path: str | None, options: Options) -> bool:
    if options.thresholds.baseline is None or path is None:
        return False
    try:
        return os.path.samefile(path, options.thresholds.baseline)
    except OSError:
        return False


def _check_bootstrap(options: Options) -> None:
    """Raise OptionError for the classic report without a bootstrap, which it always prints."""
    if (
        "classic" in options.reports.kinds
        and options.reports.score_only is None
        and options.scores.resamples == 0
        and options.scores.counting != RAW_COUNTS
    ):
        raise OptionError(
            "-r/--resamples: found '0', expected a whole number from 1 on; the classic report "
            "needs a bootstrap"
        )


def _citation(options: Options) -> Iterable[str]:
    from rouge_cli.reports.wording import citation
    from rouge_cli.run.pipeline import with_outside_scores

    options, _ = with_outside_scores(options)
    return citation(options)


def _pairing(checked: CheckedStudy) -> Iterable[str]:
    from rouge_cli.inputs.layout import open_input
    from rouge_cli.reports import write_report
    from rouge_cli.studies.score.pairing import PairingView

    options = checked.options
    opened = open_input(checked.source, options.inputs, options.metrics)
    warn(opened.complete().warnings)
    view = PairingView.of(opened, options)
    # The width is unlimited, so that names are shown in full.
    screen = replace(screen_of(STANDARD_OUTPUT), width=sys.maxsize)
    return list(write_report(view, "table", screen))


def _unsaid_doubt(results: "Results") -> str:
    """Explain why intervals are too narrow; empty if they are not, or a table says so already."""
    from rouge_cli.scores.summaries import interval_doubt

    reports = results.options.reports
    kinds = {file.kind for file in reports.files} - {JUNIT}
    are_noted = not kinds or any(REPORT_KINDS[kind].is_table for kind in kinds)
    if are_noted or reports.score_only is not None:
        return ""
    return interval_doubt(results.table, results.systems)


def _diagnostics(checked: CheckedStudy, scored: Scored, start: float) -> Iterator[str]:
    """Yield the lines of ``-v``."""
    from rouge_cli.reports.wording import counted

    results, options = scored.results, scored.results.options
    name = checked.source.names
    if checked.source.config is None and scored.run is not None:
        name = scored.run.name
    yield f"rouge-cli {__version__}, {name}: {counted(len(results.systems), 'system')}"
    if (preset_name := options.presets.preset) is not None:
        preset = PRESETS[preset_name]
        source = f" (source: {preset.source})" if preset.source else ""
        words = " ".join(preset.words(OPTIONS))
        yield f"preset {preset_name}: {words}{source}; other options win"
    yield from results.notes
    for system in results.systems.values():
        yield f"system {system.id}: {counted(len(system.eval_ids), 'text')}"
    metrics = next(iter(results.systems.values())).metrics
    yield f"metrics: {', '.join(metrics)}"
    switches = {
        "stems": options.texts.stem,
        "stems references only": options.texts.stem_models and not options.texts.stem,
        "drops stopwords": options.texts.remove_stopwords,
        f"first {options.texts.words} words": options.texts.words > 0,
        f"first {options.texts.bytes} bytes": options.texts.bytes > 0,
    }
    if results.sentences_per_text is not None:
        yield f"sentences: {results.sentences_per_text:.1f} per text"
    yield f"texts: {', '.join(what for what, is_on in switches.items() if is_on) or 'as they are'}"
    yield f"core: {describe_core()}"
    yield f"took {perf_counter() - start:.2f} s"


command = GroupedCommand(
    "score",
    _score,
    [
        *input_arguments(takes_system=STUDY.takes_system),
        *options_of(*GROUPS.values()),
        # Not an option of scoring, so it has no declaration.
        click.Option(
            ["--cite"], is_flag=True, help="Show how to cite, with the signature of these options."
        ),
    ],
    STUDY.__doc__,
)


def _source(input_words: tuple[str, ...], **typed: Any) -> None:
    """Measure what summaries take from their sources.

    CONFIG is a file of records, or several. For each system: which share of the words of a summary
    is in fragments of the source (coverage), how long these are (density), how much shorter the
    summary is (compression), and which shares of its n-grams are new or repeated. These are metrics
    with the one measure S, in the reports of score, with intervals; saved with --save, they are an
    input of compare and correlate.
    """
    with exit_codes():
        asked = SourceOptions.of({name: typed.pop(name) for name in SourceOptions.options()})
    typed["report"] = typed["report"] or ("table",)
    _score(input_words, cite=False, **typed, **asked.scoring())


def _source_options() -> list[click.Parameter]:
    """Return the options of ``source``: those of ``score``, without metrics and texts."""
    scores, inputs = ScoreOptions.options(), InputOptions.options()
    without = {name for name, declared in scores.items() if declared.step != Step.INTERVALS}
    without |= inputs.keys() - InputOptions.of_layout(RECORD_FILES)
    groups = ScoreOptions, InputOptions, JoinedOptions, ReportOptions, PageOptions, ThresholdOptions
    return options_of(
        SourceOptions, *groups, RunOptions, without=without | left_out("source", shows_evals=True)
    )


source = GroupedCommand(
    "source", _source, [*input_arguments(takes_system=False), *_source_options()]
)

# The certificate of a run, and the command that scores again and compares.

NAMING = frozenset(
    name for name, item in InputOptions.options().items() if item.heading in {FOLDERS, LINES}
)
"""Names of the options that name texts in place of CONFIG."""


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
        import json  # help and completion do without it

        from rouge_cli.studies.score.certificate import compare_certificates, read_certificate

        digest, certified = read_certificate(certificate)
        words, values = _certified(certificate, certified, input_words, typed)
        source, spelled, checked = source_and_options(words, values)
        options = checked(spelled, *SCORING)
        per_eval = certified["options"]["per_eval"]
        # The certificate has the scores of EVALs only if the report did.
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


def _certified(
    path: str, certified: Mapping[str, Any], input_words: tuple[str, ...], typed: Mapping[str, Any]
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return the input and the options of the certified command, updated with those typed now.

    Raises InputError if this version cannot parse the command.
    """
    arguments = certified["certificate"]["arguments"]
    try:
        # A certificate may hold --help or --version, which print before they end.
        with redirect_stdout(StringIO()):
            context = command.make_context(DEFAULT_COMMAND, list(arguments))
    except (click.ClickException, click.exceptions.Exit) as error:
        import shlex

        reason = getattr(error, "message", "it asks for help")
        raise InputError(
            f"{input_name(path)}: its command, {escape_unprintable(shlex.join(arguments))}, is not "
            f"one of this version: {escape_unprintable(reason)}"
        ) from None
    values = dict(with_line_files(context.params))
    words = values.pop("input_words")
    given = {name: value for name, value in typed.items() if value not in (None, (), False)}
    if input_words or NAMING & given.keys():
        words = input_words
        values |= dict.fromkeys(NAMING)
    return words, values | given


verify = GroupedCommand(
    "verify",
    params=[
        click.Argument(["certificate"], metavar="FILE"),
        *input_arguments(),
        *options_of(InputOptions, RunOptions),
    ],
    callback=_verify,
    help=_verify.__doc__,
)

"""The command ``score``: all of ROUGE-1.5.5, on its own layouts and on today's."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from rouge_cli import __version__
from rouge_cli.atomic_files import NewFiles
from rouge_cli.cli.arguments import (
    GroupedCommand,
    checked_options,
    input_arguments,
    letters_behind_input,
    options_of,
)
from rouge_cli.cli.help import HELP_SETTINGS, help_width, long_help
from rouge_cli.cli.output import (
    OUTPUT_OPTION,
    STANDARD_OUTPUT,
    Output,
    announce,
    check_outputs,
    exit_codes,
    run_context,
    say_line,
    screen_of,
    warn,
    write_outputs,
)
from rouge_cli.cli.pages import (
    check_page_field,
    check_pages,
    drawn_files,
    named_inputs,
    plot_outputs,
    scored_page,
    user_notes,
    warn_undrawn,
)
from rouge_cli.cli.process import EXIT_UNMET
from rouge_cli.core import describe_core
from rouge_cli.errors import OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.source import Source
from rouge_cli.options.figures import SCORE_FIGURES
from rouge_cli.options.options import GROUPS, OPTIONS, Options
from rouge_cli.options.presets import PRESETS
from rouge_cli.options.reports import REPORT_KINDS, ReportFile
from rouge_cli.options.scores import RAW_COUNTS
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from rouge_cli.inputs.corpus import Corpus
    from rouge_cli.metrics.counts import ScoredMetric
    from rouge_cli.reports import View
    from rouge_cli.reports.document import Check, Note
    from rouge_cli.run.pipeline import Reader
    from rouge_cli.scores.results import Results
    from rouge_cli.studies.score.page import ScoredPage
    from rouge_cli.studies.score.thresholds import Thresholds, Verdict

HINT = (
    "Hint: this is ROUGE-L alone, without stemming, the default of ROUGE-1.5.5; --preset paper "
    "gives ROUGE-1, ROUGE-2 and ROUGE-L, stemmed"
)


def _show_long_help(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    """Print the long usage and end."""
    if value and not ctx.resilient_parsing:
        click.echo(f"{ctx.get_help()}\n\n{long_help(help_width())}")
        ctx.exit()


def _score(input_words: tuple[str, ...], cite: bool, **typed: Any) -> None:
    """Score the summaries that CONFIG names against their models.

    CONFIG is the original's XML configuration, with -z a file list, or a file of records (.jsonl,
    .json, .csv, .tsv, .parquet); - is standard input. SYSTEM_ID is the system to score, unless -a
    asks for every one. Several files of records, or of saved scores, are several systems, called
    by their names or as NAME=FILE says. Results go to standard output, all else to standard error.
    """
    checks: list[Check] = []
    with NewFiles() as files:
        with exit_codes():
            options = checked_options(typed)
            verbose = options.reports.verbose
            if verbose and (late := letters_behind_input(click.get_current_context())):
                say_line(f"{' '.join(late)}: ROUGE-1.5.5 reads no options behind CONFIG")
            if not (cite or options.reports.dry_run):
                _check_bootstrap(options)
            outputs = _run(Source.of(input_words), options, cite, checks, files)
        failures = [check.failure for check in checks if check.failure]
        kept = [output for output in outputs if failures and _is_baseline(output.path, options)]
        write_outputs([output for output in outputs if output not in kept], files)
    if not cite and _is_bare(options):
        say_line(HINT)
    if failures:
        announce(failures)
        warn(
            f"{output.path}: the baseline stays as it is, as this run falls below it"
            for output in kept
        )
        sys.exit(EXIT_UNMET)


def _is_bare(options: Options) -> bool:
    """Return whether a user at a terminal has given an input and no options."""
    groups = {name: getattr(options, name) for name in GROUPS if name not in {"inputs", "run"}}
    if any(group.given() for group in groups.values()):
        return False
    return all(stream is not None and stream.isatty() for stream in (sys.stdout, sys.stderr))


def _check_baseline(outputs: Iterable[tuple[str | None, str]], options: Options) -> None:
    """Refuse outputs that no later run could read as the baseline they replace; raises OptionError.

    A JSON report may replace it: what has got better is the next baseline.
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
                f"{option}: without -d the report lacks the scores of EVALs, and could not be the "
                "next baseline of --not-worse-than; give -d"
            )


def _is_baseline(path: str | None, options: Options) -> bool:
    """Return whether a file is the baseline, which a failed run must not overwrite."""
    if options.thresholds.baseline is None or path is None:
        return False
    try:
        return os.path.samefile(path, options.thresholds.baseline)
    except OSError:
        return False


def _check_bootstrap(options: Options) -> None:
    """Refuse the classic report without the bootstrap that it prints."""
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


def _run(
    source: Source, options: Options, cite: bool, checks: "list[Check]", files: NewFiles
) -> list[Output]:
    """Score and return the figures and reports.

    Comparisons with what is required are added to `checks`, saved scores to `files`.
    """
    reports = options.reports
    outputs = [*_files(options), *plot_outputs(options.pages)]
    inputs = named_inputs(source, options, options.metrics.soft)
    replaced = check_outputs(outputs, [*inputs, options.pages.page_notes])
    source = replace(source, outputs=replaced)
    _check_baseline(outputs, options)
    check_pages(options.pages, SCORE_FIGURES, has_page=reports.has_page)
    check_page_field(options.inputs.page_field, shows_evals=reports.has_page)
    notes = user_notes(options.pages.page_notes)
    if cite:
        return [Output(_citation(options), reports.output)]
    if reports.dry_run:
        return [Output(_pairing(source, options), reports.output)]
    if reports.save is not None:
        from rouge_cli.scores.saved_scores import check_package

        check_package(reports.save)
    texts = None
    if reports.has_page:
        from rouge_cli.studies.score.page import CorpusTexts

        if options.pages.page_figures:
            warn_undrawn()
        texts = CorpusTexts(options.pages.page_texts)
    below = _TextsBelow() if reports.show_texts else None
    readers = [reader for reader in (texts, below) if reader]
    results, verdict = _scored(source, options, readers)
    checks += verdict.checks if verdict else ()
    view = None
    if reports.has_page or options.pages.plot:
        view = scored_page(results, texts, inputs, options.pages.plot)
    written = _reports(results, view, below.notes if below else (), verdict, notes)
    drawings = [] if view is None else drawn_files(view, options.pages, "forest")
    if reports.save is not None:
        from rouge_cli.scores.saved_scores import save_scores

        save_scores(results, reports.save, files.open)
    return [*drawings, *written]


def _files(options: Options) -> Iterator[tuple[str | None, str]]:
    """Yield the path of each report and of saved scores, and what names it."""
    reports = options.reports
    if reports.save is not None:
        yield reports.save, "--save"
    for file in reports.files:
        yield file.path, _option_of(file, options)


@dataclass(slots=True)
class _TextsBelow:
    """Collects the texts that ``--texts`` shows below a table, while the corpus is open."""

    notes: "tuple[Note, ...]" = ()

    def __call__(self, corpus: "Corpus", results: "Results") -> None:
        """Read the texts of the EVALs in the table; raises OptionError and InputError."""
        from rouge_cli.studies.score.view import eval_texts, sort_column, sorted_systems

        systems = sorted_systems(results)
        self.notes = eval_texts(corpus, systems, results.options, sort_column(results))


def _option_of(file: ReportFile, options: Options) -> str:
    """Name the option that the file of a report comes from."""
    return "--report" if file.path and file in options.reports.report else OUTPUT_OPTION


def _reports(
    results: "Results",
    page: "ScoredPage | None",
    texts: "tuple[Note, ...]",
    verdict: "Verdict | None",
    notes: str,
) -> list[Output]:
    """Return the reports of a run, or its one number; raises OptionError."""
    reports = results.options.reports
    if reports.score_only is not None:
        from rouge_cli.studies.score.view import single_score

        return [Output(single_score(reports.score_only, results), reports.output)]
    from rouge_cli.reports import write_report
    from rouge_cli.studies.score.view import ScoreView

    # Saved scores bring options of their own.
    _check_bootstrap(results.options)
    scored = ScoreView(results, texts=texts)
    if verdict is not None:
        scored = replace(scored, checks=verdict.checks, bounds=verdict.bounds)
    outputs = []
    for file in reports.files:
        is_page = REPORT_KINDS[file.kind].is_page
        view: View = scored
        if page and is_page:
            from rouge_cli.reports.page import Labelled

            pages = results.options.pages
            view = Labelled(page, pages.page_title, None, pages.page_figures, notes)
        written = write_report(view, file.kind, screen_of(file.path))
        outputs.append(Output(list(written), file.path, _option_of(file, results.options)))
    return outputs


def _citation(options: Options) -> Iterable[str]:
    """Say how to cite a run with these options; raises OptionError and InputError."""
    from rouge_cli.reports.page import citation
    from rouge_cli.run.pipeline import with_outside_scores

    options, _ = with_outside_scores(options)
    return citation(options)


def _pairing(source: Source, options: Options) -> Iterable[str]:
    """Return the table of which texts are paired."""
    from rouge_cli.inputs.layout import open_corpus
    from rouge_cli.reports import write_report
    from rouge_cli.run.text_findings import pair_texts
    from rouge_cli.studies.score.pairing import PairingView

    with open_corpus(source, options.inputs, options.metrics) as corpus:
        warn(corpus.warnings)
        view = PairingView(pair_texts(corpus, options))
        # Names are printed whole, however long a line is.
        return list(
            write_report(view, "table", replace(screen_of(STANDARD_OUTPUT), width=sys.maxsize))
        )


def _scored(
    source: Source, options: Options, readers: "Sequence[Reader]"
) -> "tuple[Results, Verdict | None]":
    """Score, warn, and check thresholds; readers are called while the corpus is open."""
    from rouge_cli.run.pipeline import resolved_run

    start = perf_counter()
    run = resolved_run(source, options)
    if options.reports.show_texts and source.config is not None and not run.has_texts:
        raise OptionError(f"--texts: {source.name} holds saved scores, which have no texts")
    # The metrics of saved scores are known only when they have been read.
    thresholds = None if run.metrics is None else _thresholds(run.options, run.metrics)
    with run_context() as context:
        results = run.results(context, readers)
    warn(results.warnings)
    if run.metrics is None:
        thresholds = _thresholds(results.options, results.table.metrics)
    verdict = None if thresholds is None else thresholds.check(results)
    warn(verdict.warnings if verdict else ())
    if options.inputs.all and options.inputs.list_format is None and run.system_id is not None:
        warn([f"SYSTEM_ID {run.system_id!r} has no effect: -a scores all"])
    if options.reports.verbose:
        name = run.name if source.config is None else source.names
        for line in _diagnostics(name, results, start):
            say_line(line)
        for line in verdict.remarks if verdict else ():
            say_line(line)
    return results, verdict


def _diagnostics(config: str, results: "Results", start: float) -> Iterator[str]:
    """Yield what ``-v`` reports, a line at a time."""
    from rouge_cli.reports.wording import counted

    options = results.options
    yield f"rouge-cli {__version__}, {config}: {counted(len(results.systems), 'system')}"
    if (name := options.presets.preset) is not None:
        preset = PRESETS[name]
        source = f" (source: {preset.source})" if preset.source else ""
        words = " ".join(preset.words(OPTIONS))
        yield f"preset {name}: {words}{source}; options given beside it win"
    yield from results.notes
    for system in results.systems.values():
        yield f"system {system.id}: {counted(len(system.eval_ids), 'EVAL')}"
    metrics = next(iter(results.systems.values())).metrics
    yield f"metrics: {', '.join(metrics)}"
    switches = {
        "stems": options.texts.stem,
        "stems models only": options.texts.stem_models and not options.texts.stem,
        "drops stopwords": options.texts.remove_stopwords,
        f"first {options.texts.words} words": options.texts.words > 0,
        f"first {options.texts.bytes} bytes": options.texts.bytes > 0,
    }
    if results.sentences_per_text is not None:
        yield f"sentences: {results.sentences_per_text:.1f} per text"
    yield f"texts: {', '.join(what for what, is_on in switches.items() if is_on) or 'as they are'}"
    yield f"core: {describe_core()}"
    yield f"took {perf_counter() - start:.2f} s"


def _thresholds(options: Options, metrics: "Sequence[ScoredMetric]") -> "Thresholds | None":
    """Return the thresholds, if there are any; raises OptionError and InputError."""
    if not options.thresholds.given():
        return None
    from rouge_cli.studies.score.thresholds import read_thresholds

    return read_thresholds(options, metrics)


command = GroupedCommand(
    "score",
    params=[
        *input_arguments(),
        *options_of(*GROUPS.values()),
        click.Option(
            ["--cite"], is_flag=True, help="Show how to cite, with the signature of these options."
        ),
        click.Option(
            ["-H", "--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_long_help,
            help="Show formats and examples too, and exit.",
        ),
    ],
    callback=_score,
    help=_score.__doc__,
    context_settings=HELP_SETTINGS,
)

"""The commands of studies: one frame, filled in by each entry of `STUDIES`."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from rouge_cli.atomic_files import NewFiles
from rouge_cli.cli.arguments import (
    SCORING,
    GroupedCommand,
    checked_options,
    input_arguments,
    options_of,
)
from rouge_cli.cli.help import HELP_SETTINGS
from rouge_cli.cli.output import (
    OUTPUT_OPTION,
    STANDARD_OUTPUT,
    Output,
    exit_codes,
    run_context,
    screen_of,
    shown_progress,
    warn,
    write_outputs,
)
from rouge_cli.cli.pages import (
    check_page_field,
    drawn_files,
    named_inputs,
    origin_of,
    study_pages,
    user_notes,
    with_texts,
)
from rouge_cli.errors import OptionError
from rouge_cli.inputs.source import Source
from rouge_cli.options.options import Options
from rouge_cli.options.reports import PageOptions
from rouge_cli.options.scores import MEAN_OVER_EVALS
from rouge_cli.options.studies import StudyOptions
from rouge_cli.studies.study import STUDIES, ScoreSource, Study

if TYPE_CHECKING:
    from rouge_cli.reports import View


def study_command(name: str) -> click.Command:
    """Return the command of a study."""
    study = STUDIES[name].load()
    without = study.left_out if study.figures else study.left_out | {"plot"}
    return GroupedCommand(
        name,
        params=[
            *input_arguments(takes_system=False),
            *options_of(study.options, PageOptions, *SCORING, without=without),
        ],
        callback=partial(run_study, name, study),
        help=study.__doc__,
        context_settings=HELP_SETTINGS,
    )


def run_study(name: str, study: Study, input_words: tuple[str, ...], **typed: Any) -> None:
    """Check everything, score, answer, and write the report."""
    with exit_codes():
        asked = study.options.of(typed)
        options = _scoring_options(study, typed, asked)
        source = Source.of(input_words, takes_system=False)
        paths = named_inputs(source, options, *asked.input_files())
        outputs = [(asked.output, OUTPUT_OPTION), *asked.output_files().items()]
        pages, is_page, replaced = study_pages(typed, asked.report, outputs, paths, study.figures)
        source, notes = replace(source, outputs=replaced), user_notes(pages.page_notes)
        texts, shows_evals = None, study.has_eval_page(asked)
        check_page_field(options.inputs.page_field, shows_evals=is_page and shows_evals)
        if is_page and shows_evals:
            from rouge_cli.studies.score.page import CorpusTexts

            texts = CorpusTexts(pages.page_texts, lambda results: study.page_scores(results, asked))
        with shown_progress():
            answer = study.run(ScoreSource(source, options, run_context, texts), asked)
        warn(answer.result.warnings)
        from rouge_cli.reports import write_report
        from rouge_cli.reports.page import Labelled
        from rouge_cli.reports.views import study_view
        from rouge_cli.studies.score.page import scored_study_page

        view: View = study_view(name, answer, asked)
        figured: View = view
        if shows_evals and (is_page or pages.plot):
            figured = with_texts(scored_study_page(study, answer, asked), texts, paths)
        drawings = drawn_files(figured, pages, study.default_figure)
        if is_page:
            origin = None if shows_evals else origin_of(paths)
            view = Labelled(figured, pages.page_title, origin, pages.page_figures, notes)
        output = None if asked.output == STANDARD_OUTPUT else asked.output
        report = list(write_report(view, asked.report, screen_of(output)))
        others = [
            Output(lines, path, asked.output_files()[path])
            for path, lines in study.files(answer, asked).items()
        ]
    with NewFiles() as files:
        write_outputs([*drawings, *others, Output(report, asked.output)], files)


def _scoring_options(study: Study, typed: Mapping[str, Any], asked: StudyOptions) -> Options:
    """Check the options of the scores, which are means over EVALs; raises OptionError."""
    options = checked_options(study.scoring(typed, asked), *SCORING)
    if options.scores.counting != MEAN_OVER_EVALS:
        raise OptionError(
            f"-t/--counting: found '{options.scores.counting}', expected 0; the tests are on "
            "means over EVALs, and counts that are pooled over EVALs have no scores to draw from"
        )
    return options

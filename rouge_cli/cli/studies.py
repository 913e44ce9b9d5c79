"""The frame of the commands in `STUDIES`, which score texts or study scores."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import click

from rouge_cli.atomic_files import NewFiles
from rouge_cli.cli.arguments import (
    GroupedCommand,
    input_arguments,
    options_of,
    source_and_options,
)
from rouge_cli.cli.output import (
    Output,
    check_outputs,
    check_page_fields,
    check_pages,
    drawn_files,
    exit_codes,
    named_inputs,
    origin_of,
    plot_outputs,
    run_context,
    screen_of,
    shown_progress,
    user_notes,
    warn,
    warn_undrawn,
    write_outputs,
)
from rouge_cli.options.options import SCORING
from rouge_cli.options.reports import REPORT_KINDS, PageOptions, ReportOptions
from rouge_cli.options.studies import TableOptions
from rouge_cli.studies.study import STUDIES, Answer, ScoreSource, Study

if TYPE_CHECKING:
    from rouge_cli.reports import View
    from rouge_cli.studies.score.page import ScoredPage


def study_command(name: str) -> click.Command:
    """Return the command of a study in `STUDIES`."""
    study = STUDIES[name].load()
    return command_of(study, name, partial(run_study, study))


def command_of(study: Study, name: str, callback: Callable[..., None]) -> click.Command:
    """Return a command with the arguments and the help of a study."""
    return GroupedCommand(
        name,
        callback,
        [
            *input_arguments(takes_system=study.takes_system),
            *options_of(study.options, TableOptions, PageOptions, *SCORING, without=study.left_out),
        ],
        study.__doc__,
    )


def run_study(study: Study, input_words: tuple[str, ...], **typed: Any) -> None:
    """Run the command of a study: check everything, answer, and write the reports."""
    with NewFiles() as files:
        with exit_codes():
            checked = CheckedStudy(study, input_words, typed)
            outputs = checked.outputs(checked.run())
        write_outputs(outputs, files)


class CheckedStudy:
    """A study whose options and file names have been checked, ready to run.

    Raises OptionError and InputError, and RougeError if figures are requested but cannot be drawn.

    - `asked`: the options of the study itself.
    - `options`: the options of scoring.
    - `pages`: the options of pages and figures.
    - `paths`: the inputs that the command line names.
    """

    def __init__(
        self, study: Study, input_words: tuple[str, ...], typed: Mapping[str, Any]
    ) -> None:
        # Everything that can be checked without the texts is checked here, before they are read.
        source, typed, checked = source_and_options(
            input_words, typed, takes_system=study.takes_system
        )
        self.study = study
        self.asked, self.options = asked, options = study.read(typed, checked)
        self.pages = pages = PageOptions.of(typed)
        # The reports of `score` have options of tables of their own.
        is_score = isinstance(asked, ReportOptions)
        self._tables = TableOptions() if is_score else TableOptions.of(typed)
        self._tables.check_reports([file.kind for file in asked.files])
        self.paths = named_inputs(source, options, *asked.input_files())
        outputs = [*asked.outputs(), *plot_outputs(pages)]
        replaced = check_outputs(outputs, [*self.paths, pages.page_notes])
        self.source = replace(source, outputs=replaced)
        self._is_page = any(REPORT_KINDS[file.kind].is_page for file in asked.files)
        check_pages(pages, study.figures, has_page=self._is_page)
        shows_evals = self._is_page and study.has_eval_page(asked)
        check_page_fields(options.inputs, shows_evals=shows_evals, shows_texts=pages.page_texts)
        # Collects what a page of EVALs shows of the texts, as the input is read.
        self._texts = None
        if shows_evals:
            from rouge_cli.studies.score.page import InputTexts

            self._texts = InputTexts(
                pages.page_texts, lambda results: study.page_scores(results, asked)
            )
        self._notes = user_notes(pages.page_notes)

    def run(self) -> Answer:
        """Run the study, and print its warnings; raises OptionError and InputError."""
        if self._is_page and self.pages.page_figures:
            warn_undrawn()
        source = ScoreSource(self.source, self.options, run_context, self._texts)
        with shown_progress():
            answer = self.study.run(source, self.asked)
        warn(answer.result.warnings)
        return answer

    def outputs(self, answer: Answer) -> list[Output]:
        """Return figures, other files and reports; raises OptionError."""
        # Drawing takes seconds, and reports progress only at its start.
        with shown_progress(delay=0):
            return list(self._outputs(answer))

    def _outputs(self, answer: Answer) -> Iterator[Output]:
        study, asked, pages = self.study, self.asked, self.pages
        view = study.view(answer, asked)
        page = study.page(answer, asked) if self._is_page or pages.plot else view
        origin = None
        if self._texts is not None:
            origin = origin_of(self.paths, self._texts.digest)
            page = replace(cast("ScoredPage", page), texts=self._texts.packed)
        elif self._is_page:
            origin = origin_of(self.paths)
        yield from drawn_files(page, pages, study.default_figure)
        for path, lines in study.files(answer, asked).items():
            yield Output(lines, path, asked.output_files()[path])
        bare_text = study.bare_text(answer, asked)
        if bare_text is not None:
            yield Output(bare_text, asked.output)
            return
        from rouge_cli.reports import Restyled, write_report

        for file in asked.files:
            shown: View | Restyled = view
            if REPORT_KINDS[file.kind].is_page:
                shown = Restyled(
                    page,
                    title=pages.page_title,
                    notes=self._notes,
                    origin=origin,
                    has_figures=pages.page_figures,
                )
            elif self._tables.given():
                tables = self._tables
                shown = Restyled(view, tables.caption, tables.label, tables.percent)
            lines = list(write_report(shown, file.kind, screen_of(file.path)))
            yield Output(lines, file.path, asked.option_of(file))

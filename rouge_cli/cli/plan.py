"""The command ``plan``: how many EVALs a comparison needs, and what those at hand can show."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rouge_cli.cli.arguments import HELP_SETTINGS, GroupedCommand, input_arguments, options_of
from rouge_cli.cli.compare import (
    NOT_TAKEN,
    SCORING,
    exact_confidence,
    scored_systems,
    scoring_options,
    source_of,
)
from rouge_cli.cli.output import exit_codes, warn, write_output
from rouge_cli.cli.pages import (
    drawn_files,
    named_inputs,
    origin_of,
    study_pages,
    write_drawings,
)
from rouge_cli.options.every import Options
from rouge_cli.options.pages import PLAN_FIGURES, PageOptions
from rouge_cli.options.studies import PlanOptions

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Source
    from rouge_cli.options.declaration import Number
    from rouge_cli.statistics.planning_records import PlanQuestion, StudyPlan

__all__ = ["command"]


def _plan(input_words: tuple[str, ...], **given: Any) -> None:
    """Say how many EVALs a comparison of two systems needs.

    CONFIG or the options name the texts of a pilot, as for score: two systems, whose differences
    say how much such differences vary, or one system and --spread. Comparisons are simulated with
    differences drawn from these, and tested by randomisation, as compare does. Without
    --difference or --equivalence, the answer is which difference as many EVALs can show.
    """
    with exit_codes():
        own = PlanOptions.of(given)
        options = scoring_options(given)
        source = source_of(input_words)
        paths = named_inputs(source, options)
        pages, is_page = study_pages(given, own.report, own.output, paths, PLAN_FIGURES)
        study = _study(source, options, own)
        warn(study.warnings)
        from rouge_cli.reports import write_report
        from rouge_cli.reports.views.plan import PlanView

        view = PlanView(study, origin_of(paths)) if is_page else PlanView(study)
        drawings = drawn_files(view, pages.plot, "power")
        report = list(write_report(view, own.report))
    write_drawings(drawings)
    write_output(report, own.output)


def _question(own: PlanOptions, options: Options) -> "PlanQuestion":
    """Return what is asked, in exact numbers."""
    from rouge_cli.statistics.planning_records import PlanQuestion

    return PlanQuestion(
        _exactly(own.difference),
        _exactly(own.equivalence),
        own.power.value,
        1 - exact_confidence(options),
        own.comparisons,
        None if own.spread is None else own.spread.value,
        own.seed,
        own.measures,
    )


def _exactly(number: "Number | None") -> Fraction | None:
    """Return a number as it was typed."""
    return None if number is None else Fraction(number.text)


def _study(source: "Source", options: Options, own: PlanOptions) -> "StudyPlan":
    """Score the pilot, and plan."""
    from rouge_cli.statistics.comparison import check_systems
    from rouge_cli.statistics.planning import check_pilot, plan_study

    question = _question(own, options)

    def choose(known: Sequence[str]) -> tuple[str, ...]:
        systems = check_systems(known, own.system_ids, fewest=1)
        check_pilot(systems, question)
        return systems

    results, systems = scored_systems(source, options, choose)
    return plan_study(results, systems, question)


command = GroupedCommand(
    "plan",
    params=[
        *input_arguments(takes_system=False),
        *options_of(
            PlanOptions, PageOptions, *SCORING, without=NOT_TAKEN | {"page_texts", "bootstrap"}
        ),
    ],
    callback=_plan,
    help=_plan.__doc__,
    context_settings=HELP_SETTINGS,
)

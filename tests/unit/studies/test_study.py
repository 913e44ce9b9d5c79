"""The list of studies: everything that follows from an entry is there, and no entry loads NumPy."""

from pkgutil import resolve_name

import pytest

import rouge_cli
from rouge_cli.cli.group import COMMANDS
from rouge_cli.options.declaration import OptionGroup
from rouge_cli.options.options import OPTIONS
from rouge_cli.options.reports import FIGURES
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.reports import View
from rouge_cli.studies.study import STUDIES, Study


@pytest.fixture(params=STUDIES)
def study(request: pytest.FixtureRequest) -> Study:
    return STUDIES[request.param].load()


def test_options(study: Study) -> None:
    declared = study.options.options()
    assert issubclass(study.options, OptionGroup)
    assert {"report", "output"} <= declared.keys()
    assert STUDIES[study.name].load() is study
    assert set(study.python_options) <= ScoreOptions.options().keys()


def test_options_name_commands_that_there_are() -> None:
    named = {command for declared in OPTIONS.values() for command in declared.not_for}
    assert named <= {*COMMANDS, "study", "batches", "bulk", "documents", "scorer", "torchmetrics"}


def test_figures(study: Study) -> None:
    assert set(study.figures) <= set(FIGURES)
    assert study.default_figure in {*study.figures, *[""][bool(study.figures) :]}


@pytest.mark.parametrize("name", STUDIES)
def test_everything_follows_from_the_list(name: str) -> None:
    assert issubclass(resolve_name(STUDIES[name].load().view_class), View)
    assert COMMANDS[name].summary == STUDIES[name].summary
    assert COMMANDS[name].load().name == name
    assert callable(getattr(rouge_cli, name))


def test_score_is_the_first() -> None:
    assert next(iter(STUDIES)) == "score"

"""Which options go together: where the texts are, what their report can show.

Source: interface of the program; the original has one layout and one report.
"""

from typing import TYPE_CHECKING

from rouge_cli.errors import OptionError

if TYPE_CHECKING:
    from rouge_cli.options import Options

__all__ = ["LAYOUT_OPTIONS", "RECORD_OPTIONS", "TABLE_REPORTS", "check_combinations"]

LAYOUT_OPTIONS = {
    "peers": "patterns",
    "models": "patterns",
    "duc": "duc",
    "peer_lines": "lines",
    "model_lines": "lines",
}
"""The options that take the place of CONFIG, and the layout that each asks for."""

RECORD_OPTIONS = ("prediction", "references", "id", "system", "records_format")

TABLE_REPORTS = ("table", "markdown", "latex")
"""The reports with systems in rows and metrics in columns."""

_TOGETHER = (("peers", "models"), ("peer_lines", "model_lines"))

# Options that not every layout has a use for: the layouts that have ("config" is CONFIG, whatever
# it holds), and what they are for.
_FOR_LAYOUTS = {
    "list_format": ({"config"}, "a file list in place of CONFIG"),
    "input_format": ({"patterns", "duc"}, "--peers or --duc"),
    "unpaired": ({"patterns", "duc"}, "--peers or --duc"),
    "confine": ({"config", "patterns", "duc"}, "texts that CONFIG or folders name"),
    "sentence_separator": ({"config", "lines"}, "line files and records"),
    "encoding": ({"config", "lines"}, "line files and records"),
    "basic_elements": ({"config", "patterns", "duc"}, "files in the format SIMPLE"),
    **dict.fromkeys(RECORD_OPTIONS, ({"config"}, "a file of records in place of CONFIG")),
}
_DEFAULTS = {"unpaired": "error", "confine": False}
_LETTERS = {"list_format": "z", "basic_elements": "3"}


def check_combinations(options: "Options") -> None:
    """Refuse options that exclude each other, or that have nothing to work on.

    Raises
    ------
    OptionError
    """
    _check_scores(options)
    _check_layout(options)
    _check_reading(options)
    _check_report(options)


def _spelling(name: str) -> str:
    """Return how an option is called in a message."""
    letter = _LETTERS.get(name)
    return (f"-{letter}/" if letter else "") + "--" + name.replace("_", "-")


def _check_scores(options: "Options") -> None:
    """Refuse variants of metrics and scores that come to nothing."""
    if options.lcs_unit != "sentence" and not options.with_lcs:
        raise OptionError("--lcs-unit is for ROUGE-L, which -x or -3 has switched off")
    if options.humans and not options.jackknife:
        raise OptionError("--humans needs --jackknife")
    for name in ("jackknife", "pairwise_lcs"):
        if getattr(options, name) and options.counting:
            raise OptionError(
                f"{_spelling(name)} has no counts to pool: it excludes -t {options.counting}"
            )


def _check_layout(options: "Options") -> None:
    """Refuse two layouts at once, half of one, and options for another."""
    for one, other in _TOGETHER:
        if bool(getattr(options, one)) != bool(getattr(options, other)):
            raise OptionError(f"{_spelling(one)} and {_spelling(other)} go together; give both")
    # The first option of each layout stands for it.
    named = reversed(LAYOUT_OPTIONS.items())
    given = {layout: name for name, layout in named if getattr(options, name)}
    if len(given) > 1:
        second, first = list(given.values())[-2:]
        raise OptionError(f"{_spelling(first)} and {_spelling(second)} exclude each other")
    for name, (layouts, purpose) in _FOR_LAYOUTS.items():
        is_given = getattr(options, name) not in {_DEFAULTS.get(name), None, ()}
        if is_given and options.layout not in layouts:
            if given:
                (other,) = given.values()
                raise OptionError(f"{_spelling(name)} and {_spelling(other)} exclude each other")
            raise OptionError(f"{_spelling(name)} is for {purpose}")
    if options.list_format and any(getattr(options, name) for name in RECORD_OPTIONS):
        raise OptionError("-z/--list-format is for file lists, not for records")


def _check_reading(options: "Options") -> None:
    """Refuse two ways to find sentences, and sentences where Basic Elements are read."""
    if options.sentences and options.sentence_separator is not None:
        raise OptionError("--sentences and --sentence-separator exclude each other; give one")
    if options.sentences and options.basic_elements:
        raise OptionError("--sentences and -3/--basic-elements exclude each other")


def _check_report(options: "Options") -> None:
    """Refuse what a report cannot show."""
    is_table = options.report in TABLE_REPORTS
    for name in ("sort", "percent"):
        if getattr(options, name) and not is_table:
            raise OptionError(f"{_spelling(name)} is for --report {', '.join(TABLE_REPORTS)}")
    if options.measures and not is_table and options.baseline is None:
        raise OptionError(
            f"--measures is for --report {', '.join(TABLE_REPORTS)} and for --baseline"
        )
    if options.counting == 2 and is_table:  # noqa: PLR2004
        raise OptionError(f"--report {options.report} has no raw counts (-t 2); use json or csv")
    if options.max_drop is not None and options.baseline is None:
        raise OptionError("--max-drop needs --baseline")
    if options.dry_run and (options.require or options.baseline or options.report != "classic"):
        raise OptionError("--dry-run scores nothing: no --report, --require or --baseline with it")

"""Options of the Python functions, by their names in Python."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.reports import ReportOptions

DISPLAYED = tuple(
    name for name, declared in ReportOptions.options().items() if declared.python_advice is None
)
"""Options that say how results are shown; on the command line these belong to reports."""

PLAIN_VALUES = frozenset({bool, int, float, str, type(None)})
MOST_REMEMBERED = 64


def python_options(keywords: Mapping[str, Any]) -> Options:
    """Check options by their names in Python.

    Parameters
    ----------
    keywords : mapping of str to object
        A value of None leaves the default.

    Returns
    -------
    Options

    Raises
    ------
    OptionError
        As `Options.of`, or for an option of the command line or a protocol that is not known.
    InputError
        If the file of a protocol cannot be read.
    """
    if all(type(value) in PLAIN_VALUES for value in keywords.values()):
        # 1 equals True, and 0.0 equals -0.0, but they are not the same options.
        options = _plain_options(
            tuple((name, type(value), repr(value), value) for name, value in keywords.items())
        )
    else:
        options = _checked_options(keywords)
    if options.metrics.protocol is None:
        return options
    from rouge_cli.protocols.metric import looked_up

    return looked_up(options)


@lru_cache(MOST_REMEMBERED)
def _plain_options(items: tuple[tuple[str, type, str, Any], ...]) -> Options:
    """Check options once; programs that score pair by pair repeat the same keywords."""
    return _checked_options({name: value for name, _, _, value in items})


def _checked_options(keywords: Mapping[str, Any]) -> Options:
    """Check options, see `python_options`."""
    for name, declared in OPTIONS.items():
        if declared.python_advice is not None and keywords.get(name) is not None:
            raise OptionError(f"{name} is for the command line; in Python {declared.python_advice}")
    keywords = {name: _python_value(value) for name, value in keywords.items()}
    computed = Options.of(
        {name: value for name, value in keywords.items() if name not in DISPLAYED}
    )
    # On the command line these need a report that shows them; results can be shown in any way.
    displayed = {name: keywords.get(name) for name in DISPLAYED}
    checked = ReportOptions.of({**displayed, "report": "latex"}).values()
    return computed.changed(**{name: checked[name] for name in DISPLAYED})


def _python_value(value: Any) -> Any:
    """Return a number of NumPy as one of Python, and an array of names as a list."""
    return value.tolist() if hasattr(value, "tolist") else value

"""Metrics that are computed beside ROUGE: how ``--also`` and ``also=`` name them."""

import re
from collections.abc import Iterable
from typing import Any

from rouge_cli.options.declaration import ItemError

__all__ = ["AlsoMetric", "also_metrics"]

WRITTEN = re.compile(r"([^\s:|,=]+)(?::([^\s:|,=]+=[^|,=]*(?:,[^\s:|,=]+=[^|,=]*)*))?")
EXPECTED = (
    "NAME or NAME:KEY=VALUE,KEY=VALUE, or in Python an object with name, signature, measures and "
    "score"
)
ATTRIBUTES = ("name", "signature", "measures", "score")


class AlsoMetric(str):
    """A metric as it is asked for: as typed, or the name of an object.

    Attributes
    ----------
    given : object or None
        The metric itself, where Python gave it.
    """

    given: Any = None

    @property
    def key(self) -> str:
        """What it is called in the list of metrics and by plug-ins."""
        return self.partition(":")[0]

    @property
    def settings(self) -> dict[str, str]:
        """Its settings as typed; raises nothing, as they were checked."""
        written = self.partition(":")[2] if self.given is None else ""
        pairs = (part.partition("=") for part in written.split(",") if part)
        return {key: value for key, _, value in pairs}


def also_metrics(given: Any) -> tuple[AlsoMetric, ...]:
    """Read metrics: one, or several in a list or tuple."""
    # An object that is a metric may be iterable too.
    if isinstance(given, str) or _is_metric(given) or not isinstance(given, Iterable):
        return (_also_metric(given),)
    return tuple(map(_also_metric, given))


def _also_metric(given: Any) -> AlsoMetric:
    """Read one metric."""
    if isinstance(given, AlsoMetric):
        return given
    if isinstance(given, str):
        found = WRITTEN.fullmatch(given)
        if found is None:
            raise ItemError(given, EXPECTED)
        keys = [part.partition("=")[0] for part in (found[2] or "").split(",")]
        if len(set(keys)) < len(keys):
            raise ItemError(given, "each KEY once")
        return AlsoMetric(given)
    if not _is_metric(given) or not isinstance(given.name, str):
        raise ItemError(given, EXPECTED)
    metric = AlsoMetric(given.name)
    metric.given = given
    return metric


def _is_metric(given: Any) -> bool:
    """Say whether an object has what a metric has."""
    return not isinstance(given, type) and all(hasattr(given, name) for name in ATTRIBUTES)

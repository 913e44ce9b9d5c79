"""Several options by one name, for the runs that most papers report."""

from collections.abc import Mapping
from typing import Any

from rouge_cli.options.declaration import OptionGroup, option
from rouge_cli.options.values import choice
from rouge_cli.quick_dataclass import dataclass

__all__ = ["PRESETS", "PresetOptions", "with_preset"]

PRESET = "Preset"

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {"max_ngram": 2, "stem": True, "report": "table"},
}
"""Name of a preset to the options that it sets."""

NOT_GIVEN = (None, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetOptions(OptionGroup):
    """Options that stand for several others; the ones that are given win."""

    preset: str | None = option(
        "--preset paper",
        PRESET,
        "ROUGE-1, ROUGE-2 and ROUGE-L, stemmed, in a table (-n 2 -m --report table); other "
        "options win.",
        choice(*PRESETS),
        None,
    )


def with_preset(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add what the preset sets to the options that are given, without taking the place of any.

    Raises
    ------
    OptionError
        If there is no such preset.
    """
    name = PresetOptions.of(given).preset
    if name is None:
        return given
    # These say by themselves what is printed.
    has_report = not any(given.get(one) for one in ("dry_run", "score_only"))
    return {
        **{one: value for one, value in PRESETS[name].items() if has_report or one != "report"},
        **{one: value for one, value in given.items() if value not in NOT_GIVEN},
    }

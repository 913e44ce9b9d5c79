"""Presets: named sets of options, with their sources.

Options that are given win over those of a preset. The preset of a benchmark sets only options that
move a score and differ from the default, so the report stays that of the original. See
docs/guide/which-rouge.md for the benchmarks whose options are known.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import (
    PACKAGES_DECIDE,
    Heading,
    Option,
    OptionGroup,
    Step,
    choice,
    option,
)
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.texts import (
    ORIGINAL_TOKENIZER,
    SNOWBALL_ALGORITHMS,
    TextOptions,
    primary_language,
)
from rouge_cli.quick_dataclass import dataclass

PRESET = Heading("Preset", Step.OUTPUT, PACKAGES_DECIDE)
NOT_GIVEN = (None, ())
DEFAULT_PRESET = "paper"
"""What is computed from inputs that the original does not read, unless metrics or texts have
options."""

# Pairs of exclusive options; a given one removes the other from the preset.
_ALTERNATIVES = [
    (declared.instead_of, name)
    for group in (MetricOptions, TextOptions)
    for name, declared in group.options().items()
    if declared.instead_of is not None
]


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of options.

    `use` is its purpose in a phrase; `options` has values by the names of options; `source` is an
    address, empty for a convention of this program.
    """

    use: str
    options: Mapping[str, Any]
    source: str = ""

    def words(self, declared: Mapping[str, Option]) -> Iterator[str]:
        """Yield the words to type for these options; `declared` are all options by name."""
        for name, value in self.options.items():
            option = declared[name]
            yield option.letter or option.long
            if option.metavar is not None:
                yield str(value)


_CNNDM = {"max_ngram": 2, "stem": True}
_DUC_2007 = {"max_ngram": 2, "lcs": False, "stem": True, "max_gap": 4, "skip_unigram": True}
_TAC = {
    "max_ngram": 4,
    "weight": "1.2",
    "stem": True,
    "max_gap": 4,
    "skip_unigram": True,
    "words": 100,
}

PRESETS: Mapping[str, Preset] = {
    "paper": Preset("what most papers report", {"max_ngram": 2, "stem": True, "report": "table"}),
    "cnndm": Preset(
        "CNN/DailyMail by ROUGE-1.5.5, a sentence a line",
        _CNNDM,
        "https://github.com/maszhongming/MatchSum/blob/master/metrics.py",
    ),
    "xsum": Preset(
        "XSum by ROUGE-1.5.5, as SimCLS and BRIO", _CNNDM, "https://github.com/yixinL7/SimCLS"
    ),
    "duc2004": Preset(
        "DUC 2004, task 2: 665 bytes",
        {"max_ngram": 4, "weight": "1.2", "stem": True, "bytes": 665},
        "https://duc.nist.gov/duc2004/ (bytes), "
        "https://github.com/miso-belica/sumy/issues/120 (options)",
    ),
    "duc2004-headlines": Preset(
        "DUC 2004, task 1: 75 bytes",
        {"max_ngram": 2, "weight": "1.2", "stem": True, "bytes": 75},
        "https://github.com/facebookarchive/NAMAS/blob/master/DUC/eval.sh",
    ),
    "duc2004-100-words": Preset(
        "DUC 2004, task 2, as Hong et al. (LREC 2014): 100 words",
        {"max_ngram": 4, "lcs": False, "stem": True, "words": 100},
        "https://github.com/computationalmedia/supmmd",
    ),
    **{
        f"duc{year}": Preset(f"DUC {year}, as NIST announced", _DUC_2007, source)
        for year, source in (
            (2005, "https://www-nlpir.nist.gov/projects/duc/duc2005/tasks.html"),
            # "The main task is the same as the DUC 2006 task."
            (2006, "https://www-nlpir.nist.gov/projects/duc/duc2007/tasks.html"),
            (2007, "https://www-nlpir.nist.gov/projects/duc/duc2007/tasks.html"),
        )
    },
    **{
        f"tac{year}": Preset(
            f"TAC {year}, update summaries: 100 words",
            _TAC,
            "https://github.com/computationalmedia/supmmd",
        )
        for year in (2008, 2009)
    },
}
"""All presets by name, in the order of the help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetOptions(OptionGroup):
    """Options that set several others."""

    preset: str | None = option(
        "--preset NAME",
        PRESET,
        "The options of most papers (paper, the default but for XML and -z) or of a benchmark "
        "(cnndm, duc2007, see --help-all); other options win.",
        choice(*PRESETS),
        is_common=True,
    )


def with_preset(raw: Mapping[str, Any], default: str | None = None) -> Mapping[str, Any]:
    """Add the options of the preset to those that are given, which win.

    `default` is the preset of a run in which no option says what is computed. Stemming is left out
    where there is no stemmer. Raises OptionError for an unknown preset, and for a preset with a
    protocol.
    """
    name = PresetOptions.of(raw).preset
    given = {key: value for key, value in raw.items() if value not in NOT_GIVEN}
    if name is None:
        if default is None or _says_what_is_computed(given):
            return raw
        name = default
    if "protocol" in given:
        raise OptionError(
            f"--preset {name} sets options of ROUGE-1.5.5, and --protocol is for the numbers of "
            "another package; give one of them"
        )
    left_out = {option for pair in _ALTERNATIVES if any(map(given.get, pair)) for option in pair}
    if not _has_stemmer(given):
        left_out.add("stem")
    # A dry run and a single score replace the report, and a table has no raw counts.
    if raw.get("dry_run") or raw.get("score_only") or str(raw.get("counting")) == "2":
        left_out.add("report")
    preset = PRESETS[name].options.items()
    return {
        **{key: value for key, value in preset if key not in left_out},
        **given,
        "preset": name,
    }


def _says_what_is_computed(given: Mapping[str, Any]) -> bool:
    """Return whether an option of metrics, or one of texts beyond its default, is given."""
    texts = TextOptions().values()
    return any(
        name in given and not declared.keeps_preset and (name, given[name]) not in texts.items()
        for group in (MetricOptions, TextOptions)
        for name, declared in group.options().items()
    )


def _has_stemmer(given: Mapping[str, Any]) -> bool:
    if "stemmer" in given:
        return True
    if "language" not in given:
        return bool(given.get("tokenizer", ORIGINAL_TOKENIZER) == ORIGINAL_TOKENIZER)
    return primary_language(str(given["language"]).lower()) in SNOWBALL_ALGORITHMS


def lapsed_stems(name: str | None, given: Collection[str]) -> str:
    """Return a note if the words of a preset would be stemmed, and the language has no stemmer."""
    if name is None or "stem" not in PRESETS[name].options or {"stem", "stem_models"} & {*given}:
        return ""
    return f"preset {name}: words are not stemmed, as this language or tokenizer has no stemmer"

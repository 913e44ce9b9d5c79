"""The study ``identify``: the package and the options that printed some numbers."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from rouge_cli.errors import InputError, OptionError
from rouge_cli.options.declaration import choice, option
from rouge_cli.options.studies import (
    StudyOptions,
    lang_option,
    output_option,
    report_option,
    systems_option,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import Shown
from rouge_cli.studies.study import Answer, ScoreSource, Study

if TYPE_CHECKING:
    from rouge_cli.inputs.index import Input
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.protocols.engine import TextPart
    from rouge_cli.scores.results import Results

ORDERS = ("lines", "numbers-from-0", "numbers-from-1", "ids")
"""Orders of EVALs in other programs. Numbers are sorted as text, without leading zeros."""


class PublishedNumber(NamedTuple):
    """A number of a table; `decimals` are those of a percentage."""

    name: Annotated[str, Shown("The metric, such as ROUGE-L.", key="metric")]
    letter: Annotated[str, Shown("R, P or F.", key="measure")]
    text: Annotated[str, Shown("As typed, without a percent sign.")]
    value: Annotated[float, Shown("As a share of 1.")]
    half_unit: float
    decimals: int


_NAME = re.compile(
    r"(?:ROUGE|R)[-_ ]?(?:(?P<order>[1-9])|(?P<sum>L-?SUM)|(?P<lcs>L)|(?P<weighted>W)(?:-1\.2)?"
    r"|(?P<skip>SU?(?:\*|[0-9]{1,2})))(?::(?P<letter>[RPF]))?",
    re.IGNORECASE,
)
_VALUE = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,17}))?(%?)")
EXPECTED = "numbers by metric, such as 'ROUGE-1=44.16 ROUGE-2=21.28 ROUGE-L:R=0.409'"


def published(raw: Any) -> tuple[PublishedNumber, ...]:
    """Read published numbers: a string, or a mapping from metric to number or its text."""
    if isinstance(raw, Mapping):
        items = [(str(name), str(value)) for name, value in raw.items()]
    elif isinstance(raw, str):
        words = raw.replace(",", " ").split()
        items = [(name, value) for name, _, value in (word.partition("=") for word in words)]
    else:
        items = []
    if not items:
        raise ValueError(EXPECTED)
    matched = [(_NAME.fullmatch(name.strip()), _VALUE.fullmatch(text)) for name, text in items]
    numbers = [_number(name, value) for name, value in matched if name and value]
    if len(numbers) < len(items) or len({number[:2] for number in numbers}) < len(numbers):
        raise ValueError(EXPECTED)
    # A table has one scale. ROUGE above 1 is a percentage; nobody prints less than 1 percent alone.
    is_percent = any(
        value and (value[3] or float(value[0].rstrip("%")) > 1) for _, value in matched
    )
    if is_percent:
        return tuple(
            number._replace(value=number.value / 100, half_unit=number.half_unit / 100)
            for number in numbers
        )
    return tuple(number._replace(decimals=number.decimals - 2) for number in numbers)


def _number(name: "re.Match[str]", value: "re.Match[str]") -> PublishedNumber:
    if name["sum"]:
        metric = "Lsum"
    else:
        metric = (name["order"] or name["lcs"] or name["weighted"] or name["skip"]).upper()
    text = value[0].rstrip("%")
    decimals = len(value[2] or "")
    letter = (name["letter"] or "F").upper()
    return PublishedNumber(
        f"ROUGE-{metric}", letter, text, float(text), 0.5 * 10.0**-decimals, decimals
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A candidate, and how its numbers compare with the published ones.

    `means` are plain means of the published metrics, which resampled means scatter around. `others`
    are its other numbers, by metric and letter: ``"ROUGE-2 R"``.
    """

    name: Annotated[
        str, Shown("The protocol with its options, as --protocol takes it.", key="setting")
    ]
    metric: Annotated[
        str, Shown("Which of the package's metrics is taken for ROUGE-L.", key="rouge_l")
    ]
    sentences: Annotated[str, Shown("How sentences were found, if the caller decides.")]
    direction: Annotated[
        str,
        Shown("Outputs against references as given, exchanged, or either if both agree."),
    ]
    mean: Annotated[str, Shown("mean, f-of-means, median-of-resamples or original.")]
    texts: Annotated[str, Shown("all, or how the texts were changed.")]
    n_texts: Annotated[int, Shown("Number of texts.")]
    match: Annotated[str, Shown("How the numbers agree; empty if they are not consistent.")]
    values: Annotated[tuple[float, ...], Shown("Of the published metrics, as shares of 1.")]
    means: tuple[float, ...]
    tolerances: Annotated[tuple[float, ...], Shown("Three standard errors of the draws.")]
    distance: Annotated[float, Shown("The greatest difference from a published number.")]
    others: tuple[tuple[str, float], ...]


class SettingClass(NamedTuple):
    """Settings that print the same numbers for these texts, and so cannot be told apart by them.

    `letter` names the class: A, B and so on, the nearest first.
    """

    letter: Annotated[str, Shown("Of the class, the nearest first.", key="class")]
    settings: Annotated[tuple[Setting, ...], Shown("Settings with the same numbers.")]

    @property
    def values(self) -> tuple[float, ...]:
        """The numbers of the first setting."""
        return self.settings[0].values


class Telling(NamedTuple):
    """What would tell consistent settings apart."""

    name: Annotated[
        str,
        Shown("A metric with its measure; empty for decimals of the same numbers.", key="metric"),
    ]
    decimals: Annotated[int, Shown("Decimals of a percentage.")]
    n_groups: Annotated[int, Shown("Into how many groups they fall.", key="groups")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Identification:
    """What could have printed some numbers."""

    system: Annotated[str, Shown("The system whose texts were scored.", column="")]
    n_texts: Annotated[int, Shown("Number of its texts.", column="")]
    published: Annotated[tuple[PublishedNumber, ...], Shown("The published numbers.")]
    n_tried: Annotated[int, Shown("Number of settings that were tried.", key="tried", column="")]
    orders: Annotated[tuple[str, ...], Shown("Orders of EVALs that were tried.")]
    is_deep: Annotated[bool, Shown("Whether texts were changed too.", key="deep", column="")]
    consistent: Annotated[tuple[SettingClass, ...], Shown("What fits, in classes.")]
    nearest: Annotated[tuple[SettingClass, ...], Shown("Of all others, the nearest.")]
    telling: Annotated[
        tuple[Telling, ...], Shown("What would tell the consistent ones apart, the best first.")
    ]
    chance: Annotated[
        float,
        Shown(
            "How often numbers that have nothing to do with the texts, but lie within a quarter "
            "of a point of those of some setting, fit any setting.",
            column="",
        ),
    ]
    remarks: Annotated[tuple[str, ...], Shown("What was not tried.")]
    warnings: Annotated[tuple[str, ...], Shown("What to know of the inputs.")] = ()

    @property
    def shown(self) -> tuple[SettingClass, ...]:
        """The consistent classes and the nearest of the others, whose letters no row of CSV has."""
        return (*self.consistent, *(group._replace(letter="") for group in self.nearest))


IDENTIFY = "Identify"


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyOptions(StudyOptions):
    """The options of ``identify``."""

    published: tuple[PublishedNumber, ...] = option(
        "--published NUMBERS",
        IDENTIFY,
        "The numbers, by metric and with all their decimals, such as 'ROUGE-1=44.16 ROUGE-2=21.28 "
        "ROUGE-L=40.90'; F unless :R or :P stands behind the metric.",
        published,
        (),
        is_required=True,
    )
    order: str | None = option(
        "--order ORDER",
        IDENTIFY,
        f"The order of the EVALs for the bootstrap of ROUGE-1.5.5: {', '.join(ORDERS[:-1])} or "
        f"{ORDERS[-1]}; by default all of them.",
        choice(*ORDERS),
        is_common=True,
    )
    deep: bool = option(
        "--deep",
        IDENTIFY,
        "Change the texts too, as people do: lower case, other tokens, cut to a length, a subset.",
        is_common=True,
    )
    lang: str | None = lang_option(IDENTIFY)
    report: str = report_option(IDENTIFY)
    output: str | None = output_option(IDENTIFY)
    system_ids: tuple[str, ...] = systems_option(
        IDENTIFY, "The system whose numbers they are; not needed if the input has one."
    )


class IdentifyStudy(Study):
    """Say which packages and options could have printed published numbers.

    CONFIG or the options name the outputs and their references, as for score; --published has the
    numbers. Every protocol is tried with its usual options, in several ways to find sentences, and
    with outputs and references exchanged. The answer is a set: what is consistent with the numbers,
    what of it nothing can tell apart, what comes near, and what would decide.
    """

    options = IdentifyOptions
    name = "identify"
    view_class = "rouge_cli.studies.identify.view:IdentificationView"
    fewest_systems = 1

    def choose(self, known: Sequence[str], asked: IdentifyOptions) -> tuple[str, ...]:
        """Return the system that the numbers are of; raises OptionError."""
        systems = super().choose(known, asked)
        if len(systems) > 1:
            raise OptionError(
                f"there are {len(systems)} systems: {', '.join(map(repr, systems))}; say with "
                "--system-id whose numbers they are"
            )
        return systems

    def answer(
        self,
        results: "Results",
        systems: tuple[str, ...],
        asked: IdentifyOptions,
        scores: "ScoreOptions",
    ) -> Identification:
        """Refuse results: other packages find other words in the texts."""
        raise OptionError("identify needs texts, not results: identify(predictions, references)")

    def run(self, source: ScoreSource, asked: IdentifyOptions) -> Answer:
        """Read the texts of the system, and try all candidates on them."""
        from rouge_cli.studies.identify.identification import identify_texts

        with source.texts("identify") as (texts, map_parts):
            (system,) = self.choose(texts.complete().order, asked)
            ((eval_ids, part),) = texts_of(texts, [system])
            return Answer(
                identify_texts(part, asked, system=system, eval_ids=eval_ids, map_parts=map_parts)
            )


STUDY = IdentifyStudy()


def texts_of(source: "Input", systems: Sequence[str]) -> "list[tuple[list[str], TextPart]]":
    """Return EVAL IDs and texts with their references, system by system; raises InputError.

    All texts are read once.
    """
    from rouge_cli.protocols.engine import TextPart

    parts: dict[str, tuple[list[str], list[str], list[tuple[str, ...]]]]
    parts = {system: ([], [], []) for system in systems}
    try:
        for texts in source.evals():
            if wanted := texts.peers.keys() & parts.keys():
                models = tuple(model.content.decode() for model in texts.models)
            for system in wanted:
                eval_ids, predictions, references = parts[system]
                eval_ids.append(texts.id)
                predictions.append(texts.peers[system].content.decode())
                references.append(models)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{source.index.name}: a text is not UTF-8 ({error.reason}), which other packages "
            "need; save it as UTF-8"
        ) from None
    return [(ids, TextPart(peers, models)) for ids, peers, models in parts.values()]

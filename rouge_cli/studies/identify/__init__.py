"""The study ``identify``: the package and the options that printed some numbers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import choice, option
from rouge_cli.options.studies import (
    StudyOptions,
    lang_option,
    output_option,
    report_option,
    systems_option,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.identify.identified import (
    ORDERS,
    PublishedNumber,
    published,
)
from rouge_cli.studies.study import Answer, ScoreSource, Study

if TYPE_CHECKING:
    from rouge_cli.inputs.index import Input
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.protocols.engine import TextPart
    from rouge_cli.scores.results import Results
    from rouge_cli.studies.identify.identified import Identification

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
    ) -> "Identification":
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
    from rouge_cli.errors import InputError
    from rouge_cli.protocols.engine import TextPart

    rows: dict[str, list[tuple[str, str, tuple[str, ...]]]] = {system: [] for system in systems}
    try:
        for texts in source.evals():
            if wanted := texts.peers.keys() & rows.keys():
                models = tuple(model.content.decode() for model in texts.models)
            for system in wanted:
                rows[system].append((texts.id, texts.peers[system].content.decode(), models))
    except UnicodeDecodeError as error:
        raise InputError(
            f"{source.index.name}: a text is not UTF-8 ({error.reason}), which other packages "
            "need; save it as UTF-8"
        ) from None
    return [
        (
            [eval_id for eval_id, _, _ in of_system],
            TextPart([peer for _, peer, _ in of_system], [models for *_, models in of_system]),
        )
        for of_system in rows.values()
    ]

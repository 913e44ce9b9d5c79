"""The protocols of programs that run ROUGE-1.5.5: their texts and the options that they give it."""

from dataclasses import replace

from rouge_cli.protocols.averages import MeanChoices
from rouge_cli.protocols.counting import CountChoices
from rouge_cli.protocols.packages import ngrams_by_name
from rouge_cli.protocols.protocol import Protocol
from rouge_cli.protocols.scoring import ScoreChoices
from rouge_cli.protocols.texts import TextChoices

PERL_NAMES = tuple((f"ROUGE-{n}", f"ROUGE-{n}") for n in range(1, 5))
ORIGINAL_SCORES = ScoreChoices(references="added", rounding="5-decimals")
ORIGINAL_TEXT = TextChoices(
    sentences="newline", case="lower-words", words="ascii", stems="original"
)


def _original(
    protocol: Protocol, *, stem: bool = False, remove_stopwords: bool = False
) -> Protocol:
    """Choose for ROUGE-1.5.5: ``-m`` and ``-s``."""
    return protocol.changed(
        text={"stems": "original" if stem else "none", "remove_stopwords": remove_stopwords}
    )


ORIGINAL = Protocol(
    name="ROUGE-1.5.5",
    version="",
    stands_for="the original, on sentences that are lines",
    text=replace(ORIGINAL_TEXT, stems="none"),
    counts=CountChoices(metrics=(*PERL_NAMES[:2], ("ROUGE-L", "ROUGE-L"))),
    scores=ORIGINAL_SCORES,
    means=MeanChoices(mean="original"),
    options=_original,
)
"""Not in the list of protocols, since rouge-cli itself is this program; it is for comparisons."""


def _files2rouge(
    protocol: Protocol, *, stemming: bool = True, eos: str = ".", n: int = 2, nol: bool = False
) -> Protocol:
    """Choose for files2rouge; `nol` leaves ROUGE-L out."""
    metrics = ngrams_by_name("ROUGE-{}", n) + [("ROUGE-L", "ROUGE-L")] * (not nol)
    return protocol.changed(
        text={
            "replacements": ((f" {eos}", f" {eos}\n"),),
            "stems": "original" if stemming else "none",
        },
        counts={"metrics": tuple(metrics)},
    )


FILES2ROUGE = Protocol(
    name="files2rouge",
    version="",
    stands_for="files2rouge on two files of lines, which runs ROUGE-1.5.5 with stems",
    defects=("a sentence ends at ' .', also in ' .5'",),
    text=replace(ORIGINAL_TEXT, replacements=((" .", " .\n"),)),
    counts=CountChoices(metrics=(*PERL_NAMES[:2], ("ROUGE-L", "ROUGE-L"))),
    scores=replace(ORIGINAL_SCORES, references="single", refuses="blank", error="Exception"),
    means=MeanChoices(mean="original"),
    options=_files2rouge,
)

PYROUGE = Protocol(
    name="pyrouge",
    version="0.1.3",
    stands_for="pyrouge on folders of texts, which runs ROUGE-1.5.5 with -n 4 -w 1.2 -2 -1 -U -m",
    defects=(
        "stems are always on, whatever arguments the caller gives",
        "a sentence ends at its first '<'",
    ),
    text=replace(ORIGINAL_TEXT, sentences="see"),
    counts=CountChoices(
        metrics=(
            *PERL_NAMES,
            ("ROUGE-L", "ROUGE-L"),
            ("ROUGE-W-1.2", "ROUGE-W"),
            ("ROUGE-S*", "ROUGE-S*"),
            ("ROUGE-SU*", "ROUGE-SU*"),
        )
    ),
    scores=ORIGINAL_SCORES,
    means=MeanChoices(mean="original"),
)

PRESUMM = Protocol(
    name="presumm",
    version="",
    stands_for="PreSumm's copy of pyrouge, with sentences at <q> and -n 2",
    defects=("stems are always on", "a sentence ends at its first '<'"),
    text=replace(ORIGINAL_TEXT, replacements=(("<q>", "\n"),), sentences="see"),
    counts=CountChoices(metrics=(*PERL_NAMES[:2], ("ROUGE-L", "ROUGE-L"))),
    scores=ORIGINAL_SCORES,
    means=MeanChoices(mean="original"),
)

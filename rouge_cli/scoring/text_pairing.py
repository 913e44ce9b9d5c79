"""Which texts belong together, and how much is in them: ``--dry-run``."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.blocks import BLOCK_BYTES
from rouge_cli.inputs.corpus import Corpus, EvalTexts, read_texts, scored_evaluations
from rouge_cli.inputs.formats import sentences_of
from rouge_cli.options.every import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.reading import TextDecodeError
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer

__all__ = ["PairedEval", "PairedText", "Pairing", "pair_texts"]


@dataclass(frozen=True, slots=True)
class PairedText:
    """A text and how much is in it.

    Parameters
    ----------
    place : str
        The file, and the line where one file holds many texts.
    n_sentences : int
        Sentences or, for Basic Elements, lines.
    n_words : int
        Words as the metrics count them, before limits and stopwords.
    """

    place: str
    n_sentences: int
    n_words: int


@dataclass(frozen=True, slots=True)
class PairedEval:
    """What is measured against what in one EVAL.

    Parameters
    ----------
    peers : tuple of (PairedText or None)
        For each system of the run; None where it has no peer.
    """

    id: str
    peers: tuple[PairedText | None, ...]
    models: tuple[PairedText, ...]


@dataclass(frozen=True, slots=True)
class Pairing:
    """What a run would score.

    Parameters
    ----------
    systems : tuple of str
        In the order of print.
    evals : tuple of PairedEval
        In the order of the input; those in which no system of the run has a peer stay out.
    as_elements : bool
        Whether the texts are Basic Elements.
    """

    systems: tuple[str, ...]
    evals: tuple[PairedEval, ...]
    as_elements: bool

    @property
    def peers(self) -> Iterator[PairedText]:
        """The peers of all EVALs."""
        return (peer for one in self.evals for peer in one.peers if peer is not None)

    @property
    def models(self) -> Iterator[PairedText]:
        """The models of all EVALs, each as often as it counts."""
        return (model for one in self.evals for model in one.models)


def pair_texts(corpus: Corpus, options: Options) -> Pairing:
    """Read all texts of a corpus, and count what is in them.

    Raises
    ------
    InputError
        If a text cannot be read.
    """
    # Words are counted as they stand, so no word list is asked for.
    whole = replace(options.texts, stem=False, stem_models=False, remove_stopwords=False)
    tokenizer = load_tokenizer(whole, {})
    evals: list[PairedEval] = []
    batch: list[EvalTexts] = []
    n_bytes = 0
    for evaluation in scored_evaluations(corpus):
        texts = read_texts(corpus, evaluation)
        batch.append(texts)
        n_bytes += sum(map(len, chain(texts.peers.values(), texts.models)))
        if n_bytes >= BLOCK_BYTES:
            evals += _paired(batch, corpus.systems, tokenizer)
            batch, n_bytes = [], 0
    evals += _paired(batch, corpus.systems, tokenizer)
    return Pairing(corpus.systems, tuple(evals), options.metrics.reads_only_elements)


def _paired(
    batch: Sequence[EvalTexts], systems: Sequence[str], tokenizer: Tokenizer
) -> Iterator[PairedEval]:
    """Count what is in the texts of some EVALs, the words of all of them at once."""
    texts = [text for one in batch for text in (*one.peers.values(), *one.models)]
    sizes = zip(_sentence_counts(texts), _word_counts(batch, texts, tokenizer), strict=True)
    for one in batch:
        evaluation = one.evaluation
        peers = {
            system: PairedText(evaluation.peers[system].place, *next(sizes)) for system in one.peers
        }
        models = [PairedText(source.place, *next(sizes)) for source in evaluation.models]
        yield PairedEval(evaluation.id, tuple(map(peers.get, systems)), tuple(models))


def _sentence_counts(texts: Sequence[bytes]) -> Iterator[int]:
    """Yield the number of sentences of each text."""
    return (len(sentences_of(text)) for text in texts)


def _word_counts(
    batch: Sequence[EvalTexts], texts: Sequence[bytes], tokenizer: Tokenizer
) -> list[int]:
    """Return the number of words of each text; raises InputError."""
    try:
        return tokenizer.count_tokens(texts)
    except TextDecodeError as error:
        places = [
            f"EVAL {escaped(one.evaluation.id)}: {escaped(source.place)}"
            for one in batch
            for source in (
                *map(one.evaluation.peers.__getitem__, one.peers),
                *one.evaluation.models,
            )
        ]
        raise InputError(f"{places[error.text]}: {error}") from None

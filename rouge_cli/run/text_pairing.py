"""The texts that belong together, and how long they are: the answer of ``--dry-run``."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from rouge_cli.errors import InputError
from rouge_cli.inputs.blocks import BLOCK_BYTES
from rouge_cli.inputs.corpus import Corpus, EvalTexts
from rouge_cli.inputs.formats import sentences_of
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextDecodeError
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer


@dataclass(frozen=True, slots=True)
class PairedText:
    """A text and its length.

    Parameters
    ----------
    place : str
        The file, and the line if the file holds many texts.
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
    """The peers and models of an EVAL.

    Parameters
    ----------
    peers : tuple of (PairedText or None)
        For each system of the run; None if it has no peer.
    """

    id: str
    peers: tuple[PairedText | None, ...]
    models: tuple[PairedText, ...]


@dataclass(frozen=True, slots=True)
class Pairing:
    """The texts that a run would score.

    Parameters
    ----------
    systems : tuple of str
        In the order of print.
    evals : tuple of PairedEval
        In the order of the input, without those in which no system of the run has a peer.
    as_elements : bool
        Whether the texts are Basic Elements.
    """

    systems: tuple[str, ...]
    evals: tuple[PairedEval, ...]
    as_elements: bool

    @property
    def peers(self) -> Iterator[PairedText]:
        """The peers of all EVALs."""
        return (peer for paired in self.evals for peer in paired.peers if peer is not None)

    @property
    def models(self) -> Iterator[PairedText]:
        """The models of all EVALs, each as often as an EVAL has it."""
        return (model for paired in self.evals for model in paired.models)


def pair_texts(corpus: Corpus, options: Options) -> Pairing:
    """Read all texts of a corpus, and count their sentences and words.

    Raises InputError if a text cannot be read.
    """
    # Words are counted as they stand in the text, so no word list is loaded.
    whole = replace(options.texts, stem=False, stem_models=False, remove_stopwords=False)
    tokenizer = load_tokenizer(whole, {})
    evals: list[PairedEval] = []
    batch: list[EvalTexts] = []
    n_bytes = 0
    for texts in corpus.eval_texts():
        batch.append(texts)
        n_bytes += sum(map(len, chain(texts.peers.values(), texts.models)))
        if n_bytes >= BLOCK_BYTES:
            evals += _paired(corpus, batch, tokenizer)
            batch, n_bytes = [], 0
    evals += _paired(corpus, batch, tokenizer)
    return Pairing(corpus.systems, tuple(evals), options.metrics.reads_only_elements)


def _paired(
    corpus: Corpus, batch: Sequence[EvalTexts], tokenizer: Tokenizer
) -> Iterator[PairedEval]:
    """Count what is in the texts of some EVALs, the words of all of them at once."""
    texts = _in_order(batch)
    n_sentences = (len(sentences_of(text)) for text in texts)
    sizes = zip(n_sentences, _word_counts(corpus, batch, tokenizer), strict=True)
    place = corpus.texts.place
    for one in batch:
        evaluation = one.evaluation
        peers = {
            system: PairedText(place(evaluation.peers[system]), *next(sizes))
            for system in one.peers
        }
        models = [PairedText(place(number), *next(sizes)) for number in evaluation.models]
        yield PairedEval(evaluation.id, tuple(map(peers.get, corpus.systems)), tuple(models))


def _in_order(batch: Sequence[EvalTexts]) -> list[bytes]:
    """Return all texts of some EVALs, the peers of each and then its models."""
    return [text for one in batch for text in (*one.peers.values(), *one.models)]


def _word_counts(corpus: Corpus, batch: Sequence[EvalTexts], tokenizer: Tokenizer) -> list[int]:
    """Return the number of words of each text; raises InputError."""
    try:
        return tokenizer.count_tokens(_in_order(batch))
    except TextDecodeError as error:
        numbers = [
            (one.evaluation.id, number)
            for one in batch
            for number in (
                *map(one.evaluation.peers.__getitem__, one.peers),
                *one.evaluation.models,
            )
        ]
        eval_id, number = numbers[error.text]
        raise InputError(f"{corpus.texts.describe(number, eval_id)}: {error}") from None

"""Texts that are read once for many comparisons. A word has the same number in all of them."""

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from rouge_cli.api.arguments import check_names, python_options
from rouge_cli.core import compiled_core, missing_core
from rouge_cli.errors import InputError, OptionError, RougeWarning
from rouge_cli.metrics.counts import GrowingRows
from rouge_cli.options.declaration import Step
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.options import DEFAULT_PRESET, OPTIONS, Options, with_added
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.texts import TextOptions
from rouge_cli.protocols.engine import counted_of
from rouge_cli.protocols.protocol import Protocol
from rouge_cli.protocols.reading import read_columns
from rouge_cli.protocols.scoring import refused_texts
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import ReadTexts, TextColumns, TextDecodeError, encoded
from rouge_cli.text.stems import Numbers
from rouge_cli.text.tokenizer import load_tokenizer

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Text

    Texts: TypeAlias = "Iterable[Text] | BulkTexts"

CHARACTERS_AT_A_TIME = 1 << 22  # more would take memory and save no time
TEXTS_THAT_TAKE_LONG = 1000  # from here on, a call without the core says how to get it

# Two flags. The first is whether words are stemmed or, under a protocol, read as in references. The
# second is whether they are read for metrics that compare sentence by sentence.
Form = tuple[bool, bool]


def checked_options(keywords: Mapping[str, Any], taker: str = "bulk") -> Options:
    """Check options given by name; raises OptionError and InputError.

    `taker` is the function that takes the options, by its name in `Option.not_for`.
    """
    check_names(keywords)
    # The options that change the score of a text.
    moving = {
        name: declared
        for group in (MetricOptions, TextOptions, ScoreOptions)
        for name, declared in group.options().items()
        if declared.step in {Step.EVALS, Step.F_MEASURE}
    }
    for name, value in with_added(keywords).items():
        if value is None or name not in OPTIONS:
            continue
        default = "it does not change the score of a text"
        reason = OPTIONS[name].not_for.get(taker, "" if name in moving else default)
        if reason:
            raise OptionError(f"{name} is not for {taker}: {reason}")
    # Functions other than `read` take the metric by name.
    return python_options(keywords, DEFAULT_PRESET if taker == "scorer" else None)


@dataclass(frozen=True, slots=True, eq=False)
class BulkTexts:
    """Texts that have been read.

    A form that is missing from `columns` is equal to one of those that are there; see `of_form`.
    """

    reader: "TextReader"
    options: Options
    columns: Mapping[Form, TextColumns]

    def __len__(self) -> int:
        """Return the number of texts, including those without words."""
        return next(iter(self.columns.values())).text_offsets.size - 1

    def of_form(self, form: Form) -> TextColumns:
        """Return the columns of a form. If it was not read, another form has the same columns."""
        is_other, by_sentence = form
        nearest = (form, (not is_other, by_sentence), (is_other, False), (not is_other, False))
        return next(self.columns[known] for known in nearest if known in self.columns)

    def taken(self, numbers: NDArray[np.int64]) -> "BulkTexts":
        """Return the texts with these numbers, in this order."""
        columns = {form: of_form.take(numbers) for form, of_form in self.columns.items()}
        return BulkTexts(self.reader, self.options, columns)

    def is_empty(self) -> NDArray[np.bool_]:
        """Return which texts have no words, shape (n_texts,)."""
        is_empty: NDArray[np.bool_] = next(iter(self.columns.values())).token_counts == 0
        return is_empty


def listed(texts: Any, name: str) -> list[Any]:
    """Return an ordered iterable of texts as a list; raises InputError."""
    is_ordered = isinstance(texts, Iterable) and not isinstance(texts, str | bytes | Mapping | Set)
    if not is_ordered or getattr(texts, "ndim", 1) != 1:
        raise InputError(f"{name}: found {type(texts).__name__}, expected a list of texts")
    return texts.tolist() if hasattr(texts, "tolist") else list(texts)


def normalised(texts: Sequence[Any], name: str) -> list[str | bytes]:
    """Return texts with newlines between sentences, joining lists of sentences.

    Raises an InputError that names all values that are not texts. Messages call the list `name`.
    """
    if set(map(type, texts)) <= {str, bytes}:
        return list(texts)
    _refuse(
        name,
        ((number, type(text).__name__) for number, text in enumerate(texts) if not _is_text(text)),
        "a text: a string with a newline between sentences, or a list of sentences",
    )
    return [text if isinstance(text, str | bytes) else _joined(text) for text in texts]


def _refuse(name: str, matches: Iterable[tuple[int, str]], expected: str) -> None:
    """Raise an InputError that names all these positions of a list, unless there are none.

    `matches` holds positions and what was found there.
    """
    positions: dict[str, list[int]] = defaultdict(list)
    for number, what in matches:
        positions[what].append(number)
    problems = [
        f"{name}: found {what} at {', '.join(map(str, numbers))}; expected {expected}"
        for what, numbers in positions.items()
    ]
    if problems:
        raise InputError(problems)


def _is_text(text: object) -> bool:
    if isinstance(text, str | bytes):
        return True
    return isinstance(text, Sequence) and all(isinstance(part, str | bytes) for part in text)


def _joined(sentences: Sequence[str | bytes]) -> bytes:
    return b"\n".join([encoded(sentence).replace(b"\n", b" ") for sentence in sentences])


_readers: "WeakValueDictionary[tuple[Any, ...], TextReader]" = WeakValueDictionary()


def reader_of(options: Options) -> "TextReader":
    """Return the reader for these options, so that all texts read with them share numbers."""
    key = options.texts, options.metrics.protocol, compiled_core() is None
    reader = _readers.get(key)
    if reader is None:
        # If another thread has just made one, that one is used, so that all share numbers.
        reader = _readers.setdefault(key, TextReader(options))
    return reader


class TextReader:
    """Reads texts as a run with the same options does, and numbers their words.

    A word has the same number in all texts of the reader. Only one thread reads at a time.
    """

    __slots__ = ("__weakref__", "_core", "_lock", "_numbers", "_read", "_vocabulary", "n_types")

    def __init__(self, options: Options) -> None:
        self._core = compiled_core()
        self._lock = Lock()
        self._vocabulary = None if self._core is None else self._core.vocabulary()
        self._numbers: Numbers[Any] = Numbers()
        self.n_types = 0
        self._read: Callable[[Sequence[str | bytes], str], dict[Form, TextColumns]]
        choice = options.metrics.protocol
        if choice is None:
            self._read = self._read_original(options.texts)
        else:
            self._read = self._read_protocol(choice.metric.protocol)

    def read(self, texts: Sequence[str | bytes], options: Options, name: str) -> BulkTexts:
        """Read texts; raises an InputError that names those that cannot be read."""
        with self._lock:
            parts = (self._read(part, name) for part in _in_parts(texts))
            return joined_texts(BulkTexts(self, options, columns) for columns in parts)

    def _read_original(self, options: TextOptions) -> Callable[..., dict[Form, TextColumns]]:
        tokenizer = load_tokenizer(options, {})
        for warning in tokenizer.warnings:
            warn_user(warning)
        # The core numbers words in the vocabulary as it reads. Other tokenizers number the words of
        # each call anew, so this reader numbers them again.
        more: dict[str, Any] = {}
        if self._core is not None and tokenizer.is_compiled:
            more = {"vocabulary": self._vocabulary}

        def read(texts: Sequence[str | bytes], name: str) -> dict[Form, TextColumns]:
            raw: Sequence[Any] = texts if more and _are_ascii(texts) else _all_encoded(texts)
            try:
                result = tokenizer.read(raw, with_unsummed=options.bytes > 0, **more)
            except TextDecodeError as error:
                raise InputError(f"{name}: {error}") from None
            columns = {False: result.unstemmed, True: result.stemmed}
            if more:
                self.n_types = max(self.n_types, result.n_types)
            else:
                columns = self._renumbered(result)
            readings = {key: of_form for key, of_form in columns.items() if of_form is not None}
            if not result.unsummed_start:
                return {(stemmed, False): of_form for stemmed, of_form in readings.items()}
            # A second reading of all texts follows the first in the columns. It has the byte limit
            # of metrics that compare sentence by sentence.
            numbers = np.arange(len(texts))
            return {
                (stemmed, by_sentence): of_form.take(numbers + by_sentence * len(texts))
                for stemmed, of_form in readings.items()
                for by_sentence in (False, True)
            }

        return read

    def _renumbered(self, result: ReadTexts) -> dict[bool, TextColumns | None]:
        """Return unstemmed and stemmed columns with this reader's numbers of words."""
        spelling = result.spell()
        columns: dict[bool, TextColumns | None] = {False: None, True: None}
        if result.unstemmed is not None:
            columns[False] = spelling.columns.relabelled(self._numbered(spelling.words))
        if result.stemmed is not None and spelling.stem is not None:
            stems = map(spelling.stem, spelling.words)
            columns[True] = spelling.columns.relabelled(self._numbered(stems))
        return columns

    def _numbered(self, words: Iterable[Any]) -> NDArray[np.int32]:
        numbers = np.array(list(map(self._numbers.__getitem__, words)), np.int32)
        self.n_types = len(self._numbers)
        return numbers

    def _read_protocol(self, protocol: Protocol) -> Callable[..., dict[Form, TextColumns]]:
        known = self._numbers, self._vocabulary
        counted = list(counted_of(protocol).values())
        # Words that are read in the same way for both kinds of metrics count as those of whole
        # texts.
        counted.sort(key=lambda item: not item.measure.reads_sentences)
        by_choices = {item.text: item.measure.reads_sentences for item in counted}
        if len(by_choices) == 1:
            by_choices = dict.fromkeys(by_choices, False)
        fewest = max((item.measure.fewest_words for item in counted), default=1)
        # Without any of these settings, references are read like predictions.
        is_sided = any(
            choices.prepare != "none" or choices.stems == "references-only"
            for choices in by_choices
        )

        def read(texts: Sequence[str | bytes], name: str) -> dict[Form, TextColumns]:
            strings = _decoded(texts, name)
            columns = {}
            for choices, by_sentence in by_choices.items():
                for is_reference in (False, True) if is_sided else (False,):
                    sides = np.full(len(strings), is_reference)
                    of_form, n_types = read_columns(choices, strings, sides, known=known)
                    columns[is_reference, by_sentence] = of_form
                    self.n_types = max(self.n_types, n_types)
            n_words = next(iter(columns.values())).token_counts
            choice = protocol.scores
            is_refused, reason = refused_texts(choice, fewest, strings, n_words)
            refused = ((text, reason) for text in np.flatnonzero(is_refused).tolist())
            _refuse(name, refused, f"others, as the package raises {choice.error}")
            return columns

        return read


def _all_encoded(texts: Sequence[str | bytes]) -> list[bytes]:
    try:
        # The common case: all texts are strings, without half a surrogate pair.
        return list(map(str.encode, texts))  # type: ignore[arg-type]
    except (TypeError, UnicodeEncodeError):
        return list(map(encoded, texts))


def _in_parts(texts: Sequence[str | bytes]) -> Iterator[Sequence[str | bytes]]:
    """Yield texts in parts of limited size, each with at least one text unless there are none."""
    n_before = np.cumsum([0, *map(len, texts)])[:-1]
    starts = np.flatnonzero(np.diff(n_before // CHARACTERS_AT_A_TIME)) + 1
    for first, end in pairwise([0, *starts.tolist(), len(texts)]):
        yield texts[first:end]


class GrowingColumns:
    """Columns to which other texts can be appended, in memory that grows in place."""

    def __init__(self, first: TextColumns) -> None:
        self._first = first
        self._rows: tuple[GrowingRows, ...] = ()
        self._ends = 0, 0

    def add(self, part: TextColumns) -> None:
        """Append the texts of other columns."""
        # The first columns are copied only if others follow.
        if not self._rows:
            self._rows = GrowingRows(), GrowingRows(), GrowingRows()
            self._extend(self._first, 0)
        self._extend(part, 1)

    def _extend(self, part: TextColumns, start: int) -> None:
        sentences, texts = part.sentence_offsets, part.text_offsets
        n_tokens, n_sentences = self._ends
        self._rows[0].extend(part.types)
        self._rows[1].extend(sentences[start:] + n_tokens)
        self._rows[2].extend(texts[start:] + n_sentences)
        self._ends = n_tokens + int(sentences[-1]), n_sentences + int(texts[-1])

    def take(self) -> TextColumns:
        """Return the columns."""
        return TextColumns(*(rows.take() for rows in self._rows)) if self._rows else self._first


def joined_columns(parts: Sequence[TextColumns]) -> TextColumns:
    """Return columns with the texts of all parts; there must be at least one part."""
    joined = GrowingColumns(parts[0])
    for part in parts[1:]:
        joined.add(part)
    return joined.take()


def joined_texts(parts: Iterable[BulkTexts]) -> BulkTexts:
    """Return the texts of all parts in the forms of the first one; there must be at least one."""
    others = iter(parts)
    first = next(others)
    grown = {form: GrowingColumns(columns) for form, columns in first.columns.items()}
    for part in others:
        for form, rows in grown.items():
            rows.add(part.of_form(form))
    columns = {form: rows.take() for form, rows in grown.items()}
    return BulkTexts(first.reader, first.options, columns)


def _are_ascii(texts: Sequence[Any]) -> bool:
    try:
        return all(map(str.isascii, texts))
    except TypeError:  # bytes
        return False


def _decoded(texts: Sequence[str | bytes], name: str) -> list[str]:
    """Decode texts; raises an InputError that names those that are not UTF-8."""
    if _are_ascii(texts):
        return list(texts)  # type: ignore[arg-type]
    strings: list[str] = []
    odd: list[tuple[int, str]] = []
    for number, text in enumerate(texts):
        try:
            # A string with half of a surrogate pair cannot be encoded either.
            strings.append(text.decode() if isinstance(text, bytes) else text)
            if isinstance(text, str) and not text.isascii():
                text.encode()
        except UnicodeError:
            odd.append((number, "a text that is not UTF-8"))
    _refuse(name, odd, "UTF-8, which protocol needs")
    return strings


def read(texts: "Iterable[Text]", **options: Any) -> BulkTexts:
    """Read texts once for several calls of the functions of `rouge_cli.bulk`.

    Parameters
    ----------
    texts : iterable of texts
        A text is a string with a newline between sentences, or a list of sentences.
    **options
        The options of `rouge_cli.evaluate` that affect how texts are read, and ``alpha``,
        ``lcs_unit`` and ``protocol``. The functions that use the texts then take no options.

    Returns
    -------
    BulkTexts
        The words as numbers of 4 bytes.

    Raises
    ------
    OptionError, InputError
        As for `rouge_cli.evaluate`; an InputError names all values that are not texts.
    """
    checked = checked_options(options)
    return reader_of(checked).read(normalised(listed(texts, "texts"), "texts"), checked, "texts")


def read_together(
    lists: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[Options, dict[str, BulkTexts]]:
    """Read the lists that have not been read yet; the keys are their names in messages.

    Returns the options, and all lists by name. Raises OptionError if options are given although
    texts have been read, or if two lists were read with different options; InputError if a value is
    not a text.
    """
    known = [texts for texts in lists.values() if isinstance(texts, BulkTexts)]
    given = [name for name, value in options.items() if value is not None]
    if known and given:
        raise OptionError(f"{given[0]}: the texts have been read; give options to bulk.read")
    if any(texts.options != known[0].options for texts in known):
        raise OptionError("the texts were read with different options; read them with the same")
    checked = known[0].options if known else checked_options(options)
    # All lists are checked before any is read, so that an error costs no time.
    plain = {
        name: normalised(listed(texts, name), name)
        for name, texts in lists.items()
        if not isinstance(texts, BulkTexts)
    }
    reader = known[0].reader if known else reader_of(checked)
    texts = {
        name: reader.read(plain[name], checked, name) if name in plain else lists[name]
        for name in lists
    }
    if any(item.reader is not reader for item in texts.values()):
        raise OptionError("the texts were read with and without the core; read them again")
    return checked, texts


def warn_user(message: str) -> None:
    """Warn the caller of a public function."""
    warnings.warn(message, RougeWarning, stacklevel=4)


def warn_about(texts: Iterable[BulkTexts]) -> None:
    """Warn about texts without words, and about a missing core."""
    listed_texts = list({id(item): item for item in texts}.values())
    n_texts = sum(map(len, listed_texts))
    if n_empty := sum(int(item.is_empty().sum()) for item in listed_texts):
        warn_user(f"{n_empty} of {n_texts} texts have no words, and score 0")
    if n_texts >= TEXTS_THAT_TAKE_LONG and (advice := missing_core()) is not None:
        warn_user(advice)

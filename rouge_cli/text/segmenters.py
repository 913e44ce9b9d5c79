"""Segmenters find words by the classes of characters, by a dictionary, or by a plug-in.

The text that a segmenter gets is already normalised and in lower case. A table holds the class of
each character. The classes of all characters of a text, looked up at once, show where tokens begin
and end. A regular expression of the same classes would take 1.7 times as long.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import OptionError, missing_package
from rouge_cli.options.texts import function_name
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.stems import Numbers

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

SENTENCE_END = "\n"

# Adjacent word characters form a token. A single forms a token with the marks that follow it. A
# mark belongs to the character before it, or begins a word. A joiner belongs to a word if it is
# inside, and separates at its edge. Dropped characters are ignored.
SEPARATOR, WORD, SINGLE, MARK, JOINER, DROPPED, UNKNOWN = range(7)

N_CODE_POINTS, N_BYTES, N_ASCII = 0x110000, 0x100, 0x80
ENCODING, LONE_SURROGATES = "utf-32-le", "surrogatepass"

CORE_PADDING = 16  # readable bytes that the core needs after the last word

GROUP = "rouge_cli.tokenizers"  # entry points of plug-ins: functions from a sentence to its tokens
WordSplitter = Callable[[str], Iterable[str]]  # from a sentence to its words

# The scripts of Chinese and Japanese, and those whose lines break by dictionary: Thai, Lao, Khmer,
# Burmese and others of South-East Asia.
SCRIPTS_WITHOUT_BLANKS = r"[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{LB=SA}]"

# Zero-width non-joiner and joiner, which control whether adjacent letters are connected.
JOINERS = "\u200c\u200d"

# Characters dropped from words: soft hyphens, direction marks and others that do not change a word
# (UAX #29, WB4), and tatweel, which stretches an Arabic word.
INVISIBLE = r"[\p{WB=Format}\u0640]"

# In the description of the package regex: the version of Unicode that it implements.
SUPPORTED_UNICODE = r"supports Unicode ([0-9]+\.[0-9]+)"


@dataclass(frozen=True, slots=True, eq=False)
class SegmentedText:
    """The tokens of a text.

    - `types`: the number of each token, shape (n_tokens,); all are below `n_types`.
    - `sentence_offsets`: sentence ``s`` has the tokens
      ``sentence_offsets[s]:sentence_offsets[s + 1]``; shape (n_sentences + 1,).
    - `spell`: makes the strings of all types, which not every metric needs.
    """

    types: NDArray[np.int32]
    sentence_offsets: NDArray[np.int64]
    n_types: int
    spell: Callable[[], list[str]]


def numbered(tokens: Iterable[str]) -> SegmentedText:
    """Assign numbers to tokens; the token `SENTENCE_END` ends a sentence and is dropped."""
    numbers: Numbers[str] = Numbers()
    types = np.fromiter(map(numbers.__getitem__, tokens), np.int32)
    is_end = types == numbers[SENTENCE_END]
    ends = np.append(np.flatnonzero(is_end), types.size)
    sentence_offsets = np.concatenate(([0], ends - np.arange(ends.size)))
    return SegmentedText(types[~is_end], sentence_offsets, len(numbers), lambda: list(numbers))


class CharacterClasses:
    """Finds tokens by the classes of characters.

    `class_of` is called once for every ASCII character, and for any other when it first occurs.
    """

    __slots__ = ("_ascii_table", "_class_of", "_table")

    def __init__(self, class_of: Callable[[str], int]) -> None:
        self._class_of = class_of
        self._table = np.full(N_CODE_POINTS, UNKNOWN, np.uint8)
        self._table[:N_ASCII] = [class_of(chr(code)) for code in range(N_ASCII)]
        self._table[ord(SENTENCE_END)] = SEPARATOR
        self._ascii_table = self._table[:N_BYTES].tobytes()

    def number(self, text: str) -> SegmentedText:
        """Return the tokens of a text; a newline ends a sentence."""
        # A newline on both sides gives every character two neighbours.
        text = f"\n{text}\n"
        if text.isascii():
            # One byte per character: `bytes.translate` is faster than looking up code points.
            encoded = text.encode("ascii")
            codes: NDArray[Any] = np.frombuffer(encoded, np.uint8)
            classes = np.frombuffer(encoded.translate(self._ascii_table), np.uint8)
        else:
            codes = np.frombuffer(text.encode(ENCODING, LONE_SURROGATES), np.uint32)
            classes = self._classes(codes)
        # Joiners and dropped characters are rare.
        if (classes > MARK).any():
            is_kept = classes != DROPPED
            codes, classes = codes[is_kept], _with_joiners(classes[is_kept])
            text = codes.astype(np.uint32).tobytes().decode(ENCODING, LONE_SURROGATES)
        starts, ends = _edges(classes)
        core = compiled_core()
        if core is None:
            types, firsts = number_words(text, starts, ends)
        else:
            types, firsts = compiled_number_words(core, codes, starts, ends)
        sentence_ends = np.flatnonzero(codes == ord(SENTENCE_END))
        return SegmentedText(
            types,
            np.searchsorted(starts, sentence_ends),
            firsts.size,
            partial(_words_at, text, starts[firsts], ends[firsts]),
        )

    def _classes(self, codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
        classes = self._table.take(codes)
        is_unknown = classes == UNKNOWN
        if is_unknown.any():
            new = np.unique(codes[is_unknown])
            self._table[new] = [self._class_of(chr(code)) for code in new.tolist()]
            classes = self._table.take(codes)
        return classes


def _edges(classes: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the start and end of each token, as positions of characters; the end is exclusive."""
    in_token = classes != SEPARATOR
    if not (classes == SINGLE).any():
        edges = np.flatnonzero(in_token[1:] != in_token[:-1]) + 1
        return edges[0::2], edges[1::2]
    bases = _bases(classes)
    is_start = classes == SINGLE
    is_start[1:] |= (classes[1:] == WORD) & (bases[:-1] == SINGLE)
    is_start[1:] |= in_token[1:] & ~in_token[:-1]
    is_end = in_token[:-1] & (is_start[1:] | ~in_token[1:])
    return np.flatnonzero(is_start), np.flatnonzero(is_end) + 1


def _bases(classes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the class of each character or, for a mark, of the character that it belongs to."""
    last_unmarked = np.where(classes == MARK, 0, np.arange(classes.size))
    return classes[np.maximum.accumulate(last_unmarked)]


def _with_joiners(classes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Turn joiners inside words into marks, and all others into separators."""
    joiners = np.flatnonzero(classes == JOINER)
    others = np.flatnonzero(classes != JOINER)
    # The newline on both sides of the text makes both indices valid.
    behind = np.searchsorted(others, joiners)
    before, after = others[behind - 1], others[behind]
    continues = (classes == WORD) | (classes == MARK)
    is_inside = continues[before] & (_bases(classes)[before] != SINGLE) & continues[after]
    resolved = classes.copy()
    resolved[joiners] = np.where(is_inside, MARK, SEPARATOR)
    return resolved


def number_words(
    text: str, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the type of each word ``text[start:end]``, and the first word of each type."""
    numbers: Numbers[str] = Numbers()
    words = _words_at(text, starts, ends)
    types = np.fromiter(map(numbers.__getitem__, words), np.int32, starts.size)
    return types, np.unique(types, return_index=True)[1]


def compiled_number_words(
    core: Any, codes: NDArray[Any], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Do the same with the core; `codes` are integers of any dtype, shape (n_items,)."""
    # The core compares words of up to 16 bytes in one step, so characters take as few bytes as the
    # text allows. UTF-8 is as short, but the start of each word would have to be summed up.
    characters = np.zeros(codes.size + CORE_PADDING, np.min_scalar_type(codes.max(initial=0)))
    characters[: codes.size] = codes
    types, firsts = np.empty(starts.size, np.int32), np.empty(starts.size, np.int64)
    n_types = core.number_words(
        characters.view(np.uint8),
        starts * characters.itemsize,
        ends * characters.itemsize,
        types,
        firsts,
    )
    return types, firsts[:n_types]


def _words_at(text: str, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[str]:
    return list(map(text.__getitem__, map(slice, starts.tolist(), ends.tolist())))


@dataclass(frozen=True, slots=True)
class Segmenter:
    """Finds the tokens of a text.

    - `name`: for the signature, with the versions of everything that affects tokens.
    - `read`: from a text, in which a newline ends a sentence, to its tokens.
    - `drops_letters`: some letters are in no token.
    - `joins`: `JOINERS` stay inside words, and `INVISIBLE` characters are dropped.
    """

    name: str
    read: Callable[[str], SegmentedText]
    drops_letters: bool = False
    joins: bool = False


@cache
def ascii_segmenter(language: str | None) -> Segmenter:
    """Find the tokens of ROUGE-1.5.5: runs of A to Z and digits."""
    classes = CharacterClasses(lambda c: WORD if c.isascii() and c.isalnum() else SEPARATOR)
    return Segmenter("ascii155", classes.number, drops_letters=True)


@cache
def unicode_segmenter(language: str | None) -> Segmenter:
    """Find runs of letters, marks and digits; single characters in scripts without blanks."""
    import regex

    is_single = regex.compile(SCRIPTS_WITHOUT_BLANKS, regex.VERSION1).match

    def class_of(character: str) -> int:
        kind = _unicode_class(character)
        return SINGLE if kind == WORD and is_single(character) else kind

    return Segmenter(f"unicode-{_unicode_version()}", CharacterClasses(class_of).number, joins=True)


@cache
def character_segmenter(language: str | None) -> Segmenter:
    """Find single letters and digits, each with its marks."""

    def class_of(character: str) -> int:
        kind = _unicode_class(character)
        return SINGLE if kind == WORD else kind

    return Segmenter(f"char-{_unicode_version()}", CharacterClasses(class_of).number, joins=True)


@cache
def whitespace_segmenter(language: str | None) -> Segmenter:
    """Split at white space, for texts that are already tokenised."""
    classes = CharacterClasses(lambda c: SEPARATOR if c.isspace() else WORD)
    return Segmenter("whitespace", classes.number)


def icu_segmenter(language: str | None) -> Segmenter:
    """Find words with ICU's rules and dictionaries."""
    breakers: Any = require("icu4py.breakers", "--tokenizer icu", "languages", "icu4py")
    import icu4py

    read = _words_only(lambda sentence: breakers.WordBreaker(sentence, language or "en"))
    return Segmenter(f"icu-{icu4py.icu_version}", read, joins=True)


def dictionary_segmenter(name: str, language: str | None) -> Segmenter:
    """Find words with one of `DICTIONARIES`."""
    load, signature, packages = DICTIONARIES[name]
    words = load(f"--tokenizer {name}")
    return Segmenter(signature.format(*map(version, packages)), _words_only(words), joins=True)


def jieba_words(user: str) -> WordSplitter:
    """Load jieba for `user`, an option; raises OptionError."""
    require("jieba", user, "zh")
    return _jieba_words()


def mecab_words(user: str) -> WordSplitter:
    """Load MeCab with UniDic Lite for `user`, an option; raises OptionError."""
    fugashi: Any = require("fugashi", user, "ja")
    unidic_lite: Any = require("unidic_lite", user, "ja", "unidic-lite")
    tagger = fugashi.Tagger(f'-O wakati -b 50000 -d "{unidic_lite.DICDIR}"')
    return lambda sentence: tagger.parse(sentence).split()


def thai_words(user: str) -> WordSplitter:
    """Load PyThaiNLP's newmm for `user`, an option; raises OptionError."""
    with _read_only():
        tokenize: Any = require("pythainlp.tokenize", user, "th", "pythainlp")
        words: WordSplitter = partial(tokenize.word_tokenize, engine="newmm")
        # The first call loads the dictionary, which has to happen while the folder is protected.
        words("ก")
    return words


DICTIONARIES: dict[str, tuple[Callable[[str], WordSplitter], str, tuple[str, ...]]] = {
    "jieba": (jieba_words, "jieba-{}", ("jieba",)),
    "mecab": (mecab_words, "mecab-fugashi-{}-unidic-lite-{}", ("fugashi", "unidic-lite")),
    "thai": (thai_words, "thai-newmm-pythainlp-{}", ("pythainlp",)),
}
"""Tokenizers with a dictionary: the loader, the name in the signature, and packages with versions.
"""


@contextmanager
def _read_only() -> Iterator[None]:
    """Keep PyThaiNLP from creating a folder in the home directory while it loads."""
    names = ("PYTHAINLP_READ_ONLY", "PYTHAINLP_READ_MODE")
    if any(name in os.environ for name in names):
        yield
        return
    os.environ[names[0]] = "1"
    try:
        yield
    finally:
        del os.environ[names[0]]


def function_segmenter(words: WordSplitter, language: str | None) -> Segmenter:
    """Segment with a function of the caller, ignoring empty tokens."""
    name = function_name(words)
    return Segmenter(name, _checked(words, f"tokenizer {name}"))


def plugin_segmenter(name: str, language: str | None) -> Segmenter:
    """Segment with a plug-in.

    Raises OptionError unless exactly one plug-in has this name, and it can be loaded and called.
    """
    from importlib.metadata import entry_points

    plugins = list(entry_points(group=GROUP, name=name))
    if not plugins:
        raise OptionError(f"--tokenizer {name}: the plug-in is no longer installed")
    if len(plugins) > 1:
        sources = " and ".join(sorted(map(_source, plugins)))
        raise OptionError(f"--tokenizer {name}: several plug-ins have this name: {sources}")
    (plugin,) = plugins
    try:
        words = plugin.load()
    # Loading runs code of the package, which may raise anything.
    except Exception as error:
        raise OptionError(
            f"--tokenizer {name}: the plug-in of {_source(plugin)} cannot be loaded: {error!r}"
        ) from None
    if not callable(words):
        raise OptionError(
            f"--tokenizer {name}: {plugin.value} of {_source(plugin)} is {words!r}, expected a "
            "function from a str to its tokens"
        )
    return Segmenter(f"{name}-{_source(plugin, '-')}", _checked(words, f"--tokenizer {name}"))


def plugin_names() -> list[str]:
    """Return the names of installed plug-ins, sorted."""
    from importlib.metadata import entry_points

    return sorted({plugin.name for plugin in entry_points(group=GROUP)})


def require(module: str, user: str, extra: str, package: str | None = None) -> Any:
    """Import a module of an optional package; raises OptionError if it is not installed.

    `user` is the option that needs it, `extra` the extra of rouge-cli that installs it. `package`
    is its name on PyPI if that differs from `module`.
    """
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError as error:
        needs = f"{user} needs the package {package or module}"
        # Right for every installation, also one that does not come from an index.
        names = {"ja": "fugashi unidic-lite"}.get(extra, package or module)
        remedy = f"python -m pip install {names}"
        raise OptionError(missing_package(error, needs, remedy)) from None


def version(package: str) -> str:
    """Return the version of an installed package."""
    # Slow to import, and runs with the tokenizer of ROUGE-1.5.5 do not need it.
    from importlib import metadata

    return metadata.version(package)


def _unicode_class(character: str) -> int:
    import regex

    if character in JOINERS:
        return JOINER
    if regex.match(INVISIBLE, character):
        return DROPPED
    if regex.match(r"[\p{L}\p{N}]", character):
        return WORD
    return MARK if regex.match(r"\p{M}", character) else SEPARATOR


@cache
def _unicode_version() -> str:
    from importlib.metadata import distribution

    import regex

    description = distribution("regex").read_text("METADATA") or ""
    match = regex.search(SUPPORTED_UNICODE, description)
    return match[1] if match else f"regex-{version('regex')}"


@cache
def _jieba_words() -> WordSplitter:
    import jieba

    tokenizer = jieba.Tokenizer()
    # By default jieba reads and writes a cache in the folder of temporary files, where anybody
    # could have planted one, and reports this on standard error.
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    words: WordSplitter = tokenizer.cut
    return words


def _by_sentence(words: WordSplitter) -> Callable[[str], SegmentedText]:
    def tokens(text: str) -> Iterator[str]:
        for number, sentence in enumerate(text.split(SENTENCE_END)):
            if number:
                yield SENTENCE_END
            yield from words(sentence)

    return lambda text: numbered(tokens(text))


def _words_only(words: WordSplitter) -> Callable[[str], SegmentedText]:
    import regex

    is_word = regex.compile(r"[\p{L}\p{N}]").search
    drop = regex.compile(INVISIBLE).sub
    return _by_sentence(lambda sentence: filter(is_word, words(drop("", sentence))))


def _checked(words: WordSplitter, name: str) -> Callable[[str], SegmentedText]:
    def strings(sentence: str) -> Iterator[str]:
        for token in words(sentence):
            if not isinstance(token, str):
                raise OptionError(f"{name}: found the token {token!r}, expected a str")
            # A newline inside a token would end the sentence.
            if token := token.strip(SENTENCE_END):
                yield token.replace(SENTENCE_END, " ")

    return _by_sentence(strings)


def _source(plugin: "EntryPoint", separator: str = " ") -> str:
    package = plugin.dist
    return f"{package.name}{separator}{package.version}" if package else "an unknown package"

"""Options that determine how texts are read: words, stems, stopwords, limits and languages.

Source: specification, sections 1 and 4.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options import readers
from rouge_cli.options.declaration import PACKAGES_DECIDE, Heading, OptionGroup, Step, options_under
from rouge_cli.quick_dataclass import dataclass

DOCUMENTS = "documents"
"""The name in `not_for` of all functions that choose sentences of documents, or compare summaries
with documents."""

WHOLE = {DOCUMENTS: "documents are read whole"}

TEXT = Heading("Text", step=Step.EVALS, not_for=PACKAGES_DECIDE)
LANGUAGE = Heading("Language", step=Step.EVALS, not_for=PACKAGES_DECIDE)
text_option, language_option = options_under(TEXT), options_under(LANGUAGE)
ORIGINAL_TOKENIZER = "ascii155"

STEMMERS = ("nltk", "snowballstemmer", "porter155")

# The two-letter codes of languages. In BCP 47, a language that has one has no other code.
ISO_639_1 = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da
    de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy
    hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg
    li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or
    os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw
    ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()  # noqa: SIM905
)

# Matches the three-letter codes that ISO 639 reserves for local use.
FOR_LOCAL_USE = re.compile("q[a-t]")

_NAMES_AND_CODES = """
    arabic ar bulgarian bg bengali bn catalan ca czech cs danish da german de greek el english
    en spanish es estonian et basque eu persian fa finnish fi french fr irish ga gujarati gu
    hebrew he hindi hi croatian hr hungarian hu armenian hy indonesian id italian it japanese
    ja khmer km kannada kn korean ko lao lo lithuanian lt latvian lv malayalam ml marathi mr
    burmese my nepali ne dutch nl norwegian no punjabi pa polish pl pashto ps portuguese pt
    romanian ro russian ru sinhala si slovak sk slovenian sl somali so serbian sr swedish sv
    swahili sw tamil ta telugu te thai th turkish tr ukrainian uk urdu ur vietnamese vi
    chinese zh
""".split()  # noqa: SIM905

# The codes of languages by name, for users who give the name instead.
CODES_BY_NAME = dict(zip(_NAMES_AND_CODES[::2], _NAMES_AND_CODES[1::2], strict=True))

NLTK_ALGORITHMS = {
    "ar": "arabic", "da": "danish", "de": "german", "en": "english", "es": "spanish",
    "fi": "finnish", "fr": "french", "hu": "hungarian", "it": "italian", "nb": "norwegian",
    "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sv": "swedish",
}  # fmt: skip
SNOWBALL_ALGORITHMS = NLTK_ALGORITHMS | {
    "ca": "catalan", "cs": "czech", "el": "greek", "eo": "esperanto", "et": "estonian",
    "eu": "basque", "fa": "persian", "ga": "irish", "hi": "hindi", "hy": "armenian",
    "id": "indonesian", "lt": "lithuanian", "ne": "nepali", "pl": "polish", "sr": "serbian",
    "st": "sesotho", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""The names of algorithms by the primary language of a BCP 47 tag."""

# Language, extended language, script, region and variants of BCP 47, without extensions.
TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-[a-z]{3})?(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|[0-9]{3}))?(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*",
    re.IGNORECASE,
)
EXPECTED_TAG = "a BCP 47 tag, such as de, zh or pt-BR"


def language_tag(raw: Any) -> str:
    """Read a BCP 47 tag, and return it in canonical case: ``pt-BR``, ``zh-Hant``."""
    match = TAG.fullmatch(raw) if isinstance(raw, str) else None
    if match is None:
        code = CODES_BY_NAME.get(str(raw).strip().lower())
        raise ValueError(f"{EXPECTED_TAG}; {raw} has the tag {code}" if code else EXPECTED_TAG)
    language = match["language"].lower()
    is_known = language in ISO_639_1 if len(language) == 2 else not FOR_LOCAL_USE.match(language)  # noqa: PLR2004
    if not is_known:
        raise ValueError(f"{EXPECTED_TAG}; no language has the code {language}")
    # The canonical case: languages in lower case, scripts (4 letters) in title case, and regions
    # (2 letters) in capitals.
    first, *others = raw.lower().split("-")
    spell = {2: str.upper, 4: str.capitalize}
    return "-".join([first, *(spell.get(len(part), str)(part) for part in others)])


def primary_language(tag: str | None) -> str:
    """Return the language of a tag, such as ``pt`` for ``pt-BR``; empty for None."""
    return (tag or "").partition("-")[0]


def tokenizer(raw: Any) -> str | Callable[[str], Iterable[str]]:
    """Read the name of a tokenizer or, from Python, a function from a text to its tokens."""
    if callable(raw):
        words: Callable[[str], Iterable[str]] = raw
        return words
    if not isinstance(raw, str) or not raw.strip():
        raise ValueError("the name of a tokenizer or, in Python, a function from str to tokens")
    return raw


def function_name(words: Callable[[str], Iterable[str]]) -> str:
    """Return the name of a tokenizer function in signatures and reports."""
    name = getattr(words, "__qualname__", None) or type(words).__qualname__
    module = getattr(words, "__module__", None) or type(words).__module__
    return f"{module}.{name}"


def stemmer(raw: Any) -> str:
    """Read the name of a stemmer with an optional algorithm, such as ``nltk:german``."""
    name, colon, algorithm = str(raw).partition(":")
    # The stemmer of ROUGE-1.5.5 is for English only.
    is_named = not colon or (algorithm.isidentifier() and name != "porter155")
    if name not in STEMMERS or not is_named:
        raise ValueError(
            f"one of {', '.join(STEMMERS)}, perhaps with a language, such as nltk:german"
        )
    return str(raw)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions(OptionGroup):
    """Options that determine how texts become words."""

    stem: bool = text_option(
        "-m --stem: Stem words as the original does.", for_single_pairs=True, is_common=True
    )
    stem_models: bool = text_option(
        "-M --stem-models: Stem the references only, in ROUGE-L, S and BE.",
        instead_of="stem",
        not_for={DOCUMENTS: "both texts are read alike"},
    )
    remove_stopwords: bool = text_option(
        "-s --remove-stopwords: Remove stopwords before scoring.", for_single_pairs=True
    )
    # The path itself affects no score; the signature includes the content of the lists.
    data_dir: str | None = text_option(
        "-e --data-dir DIR: Directory with word lists that replace the built-in ones.",
        readers.path,
        step=Step.TEXTS,
        keeps_preset=True,
    )
    words: int = text_option(
        "-l --words N: Only the first N words of each text; 0: no limit.",
        readers.LIMIT,
        0,
        not_for=WHOLE,
    )
    bytes: int = text_option(
        "-b --bytes N: Only the first N bytes of each text; 0: no limit.",
        readers.LIMIT,
        0,
        instead_of="words",
        not_for=WHOLE,
    )
    empty: str = text_option(
        "--empty warn|skip|error: A prediction or reference without words: 0 and a warning, leave "
        "out its text, or stop.",
        default="warn",
        goes_with_protocol=True,
        for_single_pairs=True,
        keeps_preset=True,
        not_for={
            **dict.fromkeys(("bulk", "scorer"), "texts without words score 0"),
            DOCUMENTS: "a text without words takes nothing",
        },
    )

    language: str | None = language_option(
        "--language TAG: Words, stems (-m) and stopwords (-s) of a language, such as de, zh or "
        "pt-BR.",
        language_tag,
        keeps_preset=True,
        is_common=True,
    )
    tokenizer: str | Callable[[str], Iterable[str]] | None = language_option(
        "--tokenizer NAME: ascii155 (by default), unicode, char, whitespace, icu, jieba, mecab, "
        "thai or a plug-in.",
        tokenizer,
    )
    normalization: str | None = language_option(
        "--normalization none|nfc|nfkc: Unicode normal form of the texts; nfc with --language, "
        "otherwise none."
    )
    case: str | None = language_option(
        "--case lower|fold|none: Lower-case, fold (sharp s to ss as well) or keep the case; by "
        "default lower."
    )
    strip_marks: bool = language_option("--strip-marks: Drop accents and other marks on letters.")
    stemmer: str | None = language_option(
        "--stemmer NAME: What -m stems with: nltk, snowballstemmer or porter155; or such as "
        "nltk:german. Implies -m.",
        stemmer,
        implies=("stem", "stem_models"),
    )
    stopwords: str | None = language_option(
        "--stopwords FILE: What -s removes: the words of FILE, one per line; implies -s.",
        readers.path,
        implies=("remove_stopwords",),
    )

    def check(self) -> None:
        """Raise OptionError for contradictions, and for options without effect."""
        if self.words and self.bytes:
            raise OptionError("-l/--words and -b/--bytes exclude each other; give one of them")
        if self.stem and self.stem_models:
            raise OptionError(
                "-m/--stem and -M/--stem-models exclude each other: together they make the "
                "original switch stemming off half-way, so that scores depend on the order of the "
                "systems; -m stems predictions and references, -M the references only"
            )
        self._check_languages()

    def _check_languages(self) -> None:
        if self.stemmer is not None and not (self.stem or self.stem_models):
            raise OptionError("--stemmer says what -m/--stem stems with; give -m too")
        if self.stopwords is not None and not self.remove_stopwords:
            raise OptionError("--stopwords says what -s/--remove-stopwords removes; give -s too")
        if self.data_dir is not None and not self.reads_as_original:
            raise OptionError(
                "-e/--data-dir holds word lists of ROUGE-1.5.5, which the options under Language "
                "replace; leave it out, and name a list of stopwords with --stopwords"
            )

    @property
    def reads_as_original(self) -> bool:
        """Whether words and stems are exactly those of ROUGE-1.5.5."""
        return (
            self.language is None
            and self.tokenizer in {None, ORIGINAL_TOKENIZER}
            and self.normalization in {None, "none"}
            and self.case in {None, "lower"}
            and not self.strip_marks
            and self.stemmer in {None, "porter155"}
        )

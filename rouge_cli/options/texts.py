"""What is done to texts before anything is counted: words, stems, stopwords, limits, languages.

Source: specification, sections 1 and 4.
"""

from collections.abc import Callable, Iterable

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import OptionGroup, option
from rouge_cli.options.language_tags import language_tag, stemmer, tokenizer
from rouge_cli.options.values import LIMIT, choice, path, switch
from rouge_cli.quick_dataclass import dataclass

__all__ = ["LANGUAGE", "TEXT", "TextOptions"]

TEXT, LANGUAGE = "Text", "Language"
ORIGINAL_TOKENIZER = "ascii155"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions(OptionGroup):
    """How texts become words."""

    stem: bool = option(
        "-m --stem", TEXT, "Stem peers and models as the original does.", switch, False
    )
    stem_models: bool = option(
        "-M --stem-models", TEXT, "Stem the models only, in ROUGE-L, S and BE.", switch, False
    )
    remove_stopwords: bool = option(
        "-s --remove-stopwords", TEXT, "Remove stopwords before scoring.", switch, False
    )
    data_dir: str | None = option(
        "-e --data-dir DIR",
        TEXT,
        "Directory with word lists that replace the built-in ones.",
        path,
        None,
    )
    words: int = option(
        "-l --words N", TEXT, "Only the first N words of each text; 0: no limit.", LIMIT, 0
    )
    bytes: int = option(
        "-b --bytes N", TEXT, "Only the first N bytes of each text; 0: no limit.", LIMIT, 0
    )
    empty: str = option(
        "--empty warn|skip|error",
        TEXT,
        "A text without words: score it 0 with a warning, leave out its EVAL, or stop.",
        choice("warn", "skip", "error"),
        "warn",
    )

    language: str | None = option(
        "--language TAG",
        LANGUAGE,
        "Words, stems (-m) and stopwords (-s) of a language, such as de, zh or pt-BR.",
        language_tag,
        None,
    )
    tokenizer: str | Callable[[str], Iterable[str]] | None = option(
        "--tokenizer NAME",
        LANGUAGE,
        "ascii155 (by default), unicode, char, whitespace, icu, jieba, mecab, thai or a plug-in.",
        tokenizer,
        None,
    )
    normalization: str | None = option(
        "--normalization none|nfc|nfkc",
        LANGUAGE,
        "Unicode normal form of the texts; nfc with --language, otherwise none.",
        choice("none", "nfc", "nfkc"),
        None,
    )
    case: str | None = option(
        "--case lower|fold|none",
        LANGUAGE,
        "Lower-case, fold (sharp s to ss as well) or keep the case; by default lower.",
        choice("lower", "fold", "none"),
        None,
    )
    strip_marks: bool = option(
        "--strip-marks",
        LANGUAGE,
        "Drop accents and other marks on letters.",
        switch,
        False,
    )
    stemmer: str | None = option(
        "--stemmer NAME",
        LANGUAGE,
        "What -m stems with: nltk, snowballstemmer or porter155; or such as nltk:german.",
        stemmer,
        None,
    )
    stopwords: str | None = option(
        "--stopwords FILE", LANGUAGE, "What -s removes: the words of FILE, one a line.", path, None
    )

    def check(self) -> None:
        """Refuse options that exclude each other, or have nothing to work on."""
        if self.words and self.bytes:
            raise OptionError("-l/--words and -b/--bytes exclude each other; give one of them")
        if self.stem and self.stem_models:
            raise OptionError(
                "-m/--stem and -M/--stem-models exclude each other: together they make the "
                "original switch stemming off half-way, so that scores depend on the order of the "
                "systems; -m stems peers and models, -M the models only"
            )
        self._check_languages()

    def _check_languages(self) -> None:
        """Refuse options of languages that have nothing to work on."""
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
        """Whether words and stems are those of ROUGE-1.5.5, byte for byte."""
        return (
            self.language is None
            and self.tokenizer in {None, ORIGINAL_TOKENIZER}
            and self.normalization in {None, "none"}
            and self.case in {None, "lower"}
            and not self.strip_marks
            and self.stemmer in {None, "porter155"}
        )

"""What is done to texts before anything is counted: stems, stopwords, limits, empty texts.

Source: specification, sections 1 and 4.
"""

from dataclasses import dataclass

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import OptionGroup, option
from rouge_cli.options.values import LIMIT, choice, path, switch

__all__ = ["TEXT", "TextOptions"]

TEXT = "Text"


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

    def check(self) -> None:
        """Refuse two limits at once, and two ways of stemming."""
        if self.words and self.bytes:
            raise OptionError("-l/--words and -b/--bytes exclude each other; give one of them")
        if self.stem and self.stem_models:
            raise OptionError(
                "-m/--stem and -M/--stem-models exclude each other: together they make the "
                "original switch stemming off half-way, so that scores depend on the order of the "
                "systems; -m stems peers and models, -M the models only"
            )

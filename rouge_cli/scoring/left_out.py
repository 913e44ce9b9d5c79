"""What of a text no metric sees: stopwords, words beyond the limit, letters that are in no word."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer
from rouge_cli.text.word_tokenizer import TextForm

__all__ = ["LeftOut", "TextSieve", "shown"]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is left out of a text.

    Parameters
    ----------
    beyond_limit : tuple of str
        The words behind the limit, the one that it cuts included.
    cut_to : str
        What is left of that one; empty if the limit cuts no word.
    stopwords : tuple of str
        Those within the limit, in the order of the text.
    letters : tuple of (str, int)
        Letters that are in no word, with how many there are, as they first occur.
    """

    beyond_limit: tuple[str, ...] = ()
    cut_to: str = ""
    stopwords: tuple[str, ...] = ()
    letters: tuple[tuple[str, int], ...] = ()


class TextSieve:
    """Tells what the options leave out of texts, by the tokenizer of the run without a limit."""

    def __init__(self, options: TextOptions, environment: Mapping[str, str]) -> None:
        self._options = options
        with_all = replace(
            options,
            stem=False,
            stem_models=False,
            stemmer=None,
            remove_stopwords=False,
            stopwords=None,
            data_dir=None,
        )
        self._limited = load_tokenizer(with_all, environment)
        self._whole = load_tokenizer(replace(with_all, words=0, bytes=0), environment)
        self._final = load_tokenizer(
            replace(
                with_all,
                remove_stopwords=options.remove_stopwords,
                stopwords=options.stopwords,
                data_dir=options.data_dir,
            ),
            environment,
        )

    def left_out(self, text: bytes) -> LeftOut:
        """Return what is left out of a text as ROUGE-N reads it; raises TextDecodeError."""
        whole, limited = _words(self._whole, text), _words(self._limited, text)
        n_whole = 0
        while n_whole < len(limited) and whole[n_whole : n_whole + 1] == [limited[n_whole]]:
            n_whole += 1
        kept = iter(_words(self._final, text))
        expected, stopwords = next(kept, None), []
        for word in limited:
            # All tokens of a stopword go, so a word that is next in what is kept is kept.
            if word == expected:
                expected = next(kept, None)
            else:
                stopwords.append(word)
        return LeftOut(
            tuple(whole[n_whole:]),
            " ".join(limited[n_whole:]),
            tuple(stopwords),
            self._letters(text, whole),
        )

    def _letters(self, text: bytes, words: list[str]) -> tuple[tuple[str, int], ...]:
        """Return the letters of a text that are in none of its words."""
        if self._options.reads_as_original:
            return _counted("".join(one for one in shown(text) if not one.isascii()), Counter())
        form = TextForm.of(self._options)
        return _counted(form.cased(form.normalised(text.decode())), Counter("".join(words)))


def _counted(text: str, in_words: Counter[str]) -> tuple[tuple[str, int], ...]:
    """Return how often each letter of a text occurs beyond what is in its words."""
    letters = Counter(one for one in text if one.isalpha())
    return tuple((letters - in_words).items())


def _words(tokenizer: Tokenizer, text: bytes) -> list[str]:
    """Return the words of a text as they are spelt."""
    read = tokenizer.read([text], with_unsummed=False)
    if read.spell is None:
        return []
    spelling = read.spell()
    words = [word.decode("utf-8", "backslashreplace") for word in spelling.words]
    return [words[kind] for kind in spelling.columns.types.tolist()]


def shown(text: bytes) -> str:
    """Return a text as characters: in UTF-8 or, where it is none, in Latin-1."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")

"""Measure the cost of words in other languages: each tokenizer against the default.

    python -m benchmarks.languages

Runs take turns; the table shows the median ratio of neighbouring turns. The pairs are drawn from
``fixtures/languages/sentences.json``: for each language 2,000 peers and models of three sentences.
A tokenizer whose package is not installed is left out.
"""

import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import rouge_cli

SENTENCES = Path(__file__).parents[1] / "fixtures" / "languages" / "sentences.json"
N_PAIRS = 2_000
N_SENTENCES = 3
N_TURNS = 7
METRICS: dict[str, Any] = {"max_ngram": 2, "resamples": 0}
TOKENIZERS = {"zh": ("jieba", "icu"), "ja": ("mecab", "icu"), "th": ("thai", "icu")}

Pairs = tuple[list[str], list[str]]


def main() -> None:
    """Print a row for each language and tokenizer."""
    print("| language | words | default, \u00b5s a pair | measured, \u00b5s a pair | ratio |")
    print("| --- | --- | --- | --- | --- |")
    for language, pairs in _drawn():
        for name, options in _variants(language):
            try:
                plain, measured, ratio = _turns(pairs, options)
            except rouge_cli.OptionError as error:
                print(error, file=sys.stderr)
                continue
            print(f"| {language} | {name} | {plain:.1f} | {measured:.1f} | {ratio:.2f} |")


def _drawn() -> Iterator[tuple[str, Pairs]]:
    """Yield each language with its pairs."""
    sentences = json.loads(SENTENCES.read_text("utf-8"))
    for language, known in sentences.items():
        random = Random(language)

        def text(random: Random = random, known: list[str] = known) -> str:
            return "\n".join(random.sample(known, N_SENTENCES))

        yield language, ([text() for _ in range(N_PAIRS)], [text() for _ in range(N_PAIRS)])


def _variants(language: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is measured for a language."""
    yield "unicode", {"language": language}
    for name in TOKENIZERS.get(language, ()):
        yield name, {"language": language, "tokenizer": name}


def _turns(pairs: Pairs, options: dict[str, Any]) -> tuple[float, float, float]:
    """Return the median times a pair, in microseconds, and the median ratio."""
    # The default gets the same number of ASCII words, so that there is as much to count.
    default = _in_ascii(pairs, options)
    _seconds(default, {}), _seconds(pairs, options)
    times = [(_seconds(default, {}), _seconds(pairs, options)) for _ in range(N_TURNS)]
    per_pair = 1e6 / N_PAIRS
    return (
        median(plain for plain, _ in times) * per_pair,
        median(measured for _, measured in times) * per_pair,
        median(measured / plain for plain, measured in times),
    )


def _seconds(pairs: Pairs, options: dict[str, Any]) -> float:
    """Score the pairs, and return how long it took."""
    start = perf_counter()
    peers, models = pairs
    given: Any = {**METRICS, **options}
    rouge_cli.evaluate(peers, models, **given)
    return perf_counter() - start


def _in_ascii(pairs: Pairs, options: dict[str, Any]) -> Pairs:
    """Return the pairs with a word in ASCII for each token, as long as the token is."""
    from rouge_cli.options.texts import TextOptions
    from rouge_cli.text.tokenizer import load_tokenizer

    tokenizer = load_tokenizer(TextOptions.of(options), {})
    letters = "abcdefghijklmnopqrstuvwxyz"

    def replaced(texts: list[str]) -> list[str]:
        read = tokenizer.read([text.encode() for text in texts], with_unsummed=False)
        if read.spell is None or read.unstemmed is None:
            raise ValueError("these texts were not read in this way")
        spelling = read.spell()
        words = []
        for number, word in enumerate(spelling.words):
            digits, ascii_word = number, ""
            while digits or len(ascii_word) < len(word.decode()):
                digits, digit = divmod(digits, len(letters))
                ascii_word += letters[digit]
            words.append(ascii_word)
        columns = spelling.columns
        sentences = [
            " ".join(words[number] for number in columns.types[start:stop])
            for start, stop in pairwise(columns.sentence_offsets)
        ]
        edges = columns.text_offsets
        return ["\n".join(sentences[start:stop]) for start, stop in pairwise(edges)]

    peers, models = pairs
    both = replaced([*peers, *models])
    return both[: len(peers)], both[len(peers) :]


if __name__ == "__main__":
    main()

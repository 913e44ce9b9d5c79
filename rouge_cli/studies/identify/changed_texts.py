"""What people do to texts before they are scored; ``identify --deep`` tries it."""

import re
from collections.abc import Callable, Iterator, Mapping

from rouge_cli.protocols.shared_counts import TextPart


def changed_texts(part: TextPart) -> Iterator[tuple[str, TextPart]]:
    """Yield what people do to texts before they are scored, with the changed texts."""
    for name, change in _CHANGES.items():
        changed = TextPart(
            [change(text) for text in part.predictions],
            [[change(text) for text in texts] for texts in part.references],
        )
        if changed.predictions != list(part.predictions):
            yield name, changed
    for name, cut in _CUTS.items():
        predictions = [
            cut(text, texts[0])
            for text, texts in zip(part.predictions, part.references, strict=True)
        ]
        if predictions != list(part.predictions):
            yield name, TextPart(predictions, part.references)


_BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}
_BRACKET = re.compile("|".join(_BRACKETS), re.IGNORECASE)

_CHANGES: Mapping[str, Callable[[str], str]] = {
    "in lower case": str.lower,
    "marks apart from words": lambda text: re.sub(r"([^\w\s])", r" \1 ", text),
    "without marks": lambda text: re.sub(r"[^\w\s]", " ", text),
    "-lrb- as (": lambda text: _BRACKET.sub(lambda match: _BRACKETS[match[0].lower()], text),
    "without newlines": lambda text: text.replace("\n", " "),
}


def _first_words(text: str, n_words: int) -> str:
    """Keep the first words of a text, and the newlines between them."""
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    return text[: ends[n_words - 1]] if 0 < n_words < len(ends) else text


_CUTS: Mapping[str, Callable[[str, str], str]] = {
    "outputs cut after 75 bytes": lambda text, _: text.encode()[:75].decode(errors="ignore"),
    "outputs cut after 665 bytes": lambda text, _: text.encode()[:665].decode(errors="ignore"),
    "outputs cut after 100 words": lambda text, _: _first_words(text, 100),
    "outputs cut to the words of the reference": lambda text, reference: _first_words(
        text, len(reference.split())
    ),
    "the first line of outputs": lambda text, _: text.partition("\n")[0],
}

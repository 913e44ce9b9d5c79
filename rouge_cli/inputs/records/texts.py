"""The values of fields to normalised texts: UTF-8 with a newline between sentences."""

from collections.abc import Sequence
from typing import Any

from rouge_cli.errors import FoundError
from rouge_cli.inputs.sentences import Splitter, split_sentences

__all__ = ["RESPONSES", "RecordTexts", "kind_of"]

RESPONSES = frozenset({"resps", "filtered_resps"})
"""Fields whose lists hold what a model has answered, not sentences."""

_LIST_STARTS = ("['", '["', "[['", '[["')
"""How a list begins that was written into a cell of a table as Python shows it, or as JSON."""

_TEXT = "a string, a list of sentences, or an object with 'text'"


class RecordTexts:
    """Reads the texts of records, all in the same way.

    Parameters
    ----------
    separator : str or None
        What stands between the sentences of a string; a newline in it is then a blank. None: a
        newline stands between them.
    split : callable or None
        From raw text to a sentence a line, for strings.

    Attributes
    ----------
    number : int
        Number of the record that is read; to be set from outside.
    n_lists, first_list : int
        How many strings are lists written out, such as ``['One.', 'Two.']``, and the number of
        the record with the first of these. They are read as they stand.
    has_lists : bool
        Whether some text is a list of its sentences.
    n_strings, n_unseparated, first_unseparated : int
        With a separator: how many strings were read, in how many of them it does not stand though
        they are not empty, and the number of the record with the first of these.
    """

    __slots__ = (
        "_separator",
        "_split",
        "first_list",
        "first_unseparated",
        "has_lists",
        "n_lists",
        "n_strings",
        "n_unseparated",
        "number",
    )

    def __init__(self, separator: str | None = None, split: Splitter | None = None) -> None:
        self._separator = separator
        self._split = split
        self.number = 0
        self.has_lists = False
        self.n_lists = 0
        self.first_list = 0
        self.n_strings = 0
        self.n_unseparated = 0
        self.first_unseparated = 0

    def usual(self, values: Sequence[Any]) -> list[bytes] | None:
        """Read strings of which each is a text as it stands; None if one is anything else."""
        if self._separator is not None or self._split is not None:
            return None
        if not set(map(type, values)) <= {str} or "[" in {value[:1] for value in values}:
            return None
        try:
            return list(map(str.encode, values))
        except UnicodeEncodeError:
            return None

    def peer(self, value: Any, path: str) -> bytes:
        """Read a prediction.

        Raises ValueError if it is no text.

        Parameters
        ----------
        value : object
            What stands in the field: a text, or the responses of a language model, of which
            there has to be one.
        path : str
            The path that led there.

        Returns
        -------
        bytes
            The normalised text.
        """
        if isinstance(value, str):
            return self._of_string(value)
        if not RESPONSES.isdisjoint(path.split(".")):
            value = _lone_response(value, path)
        what = f"field {path!r} is"
        return self._text(value, what, what)

    def models(self, value: Any, path: str, *, is_lone: bool) -> tuple[bytes, ...]:
        """Read references.

        Raises ValueError if something is no text.

        Parameters
        ----------
        value : object
            A text; or a list with a model in each place, every one a text.
        path : str
            The path that led there.
        is_lone : bool
            Whether a list of strings is one model.

        Returns
        -------
        tuple of bytes
            The normalised texts; none if there is nothing.
        """
        if isinstance(value, str):
            return (self._of_string(value),)
        if value is None:
            return ()
        is_text = isinstance(value, dict) or (is_lone and _is_sentences(value))
        if is_text or not isinstance(value, list):
            what = f"field {path!r} is"
            return (self._text(value, what, what),) if value != [] else ()
        found = []
        for item in value:
            if isinstance(item, str):
                found.append(self._of_string(item))
                continue
            what = f"field {path!r}: item {len(found) + 1} is"
            found.append(self._text(item, what, f"field {path!r}: an item is"))
        return tuple(found)

    def _text(self, value: Any, what: str, of_all: str) -> bytes:
        """Read a text in any of its shapes; raises ValueError.

        Parameters
        ----------
        what, of_all : str
            What it is called, alone and as one of many.
        """
        if isinstance(value, dict) and "text" in value:
            value = value["text"]
            what, of_all = (f"{one} an object whose 'text' is" for one in (what, of_all))
        if isinstance(value, str):
            return self._of_string(value)
        if not isinstance(value, list):
            kind = f"{of_all} {kind_of(value, is_exact=False)}; expected {_TEXT}"
            raise FoundError(f"{what} {kind_of(value)}; expected {_TEXT}", kind)
        for number, item in enumerate(value, 1):
            if not isinstance(item, str):
                found = f"a list whose item {number} is {kind_of(item)}"
                kind = f"{of_all} a list with an item that is no string; expected {_TEXT}"
                raise FoundError(f"{what} {found}; expected {_TEXT}", kind)
        self.has_lists = True
        return _encoded("\n".join([item.replace("\n", " ") for item in value]))

    def _of_string(self, string: str) -> bytes:
        """Find the sentences of a string; count it if it is a list written out."""
        if string[:1] == "[" and string.startswith(_LIST_STARTS) and string.rstrip().endswith("]"):
            self.n_lists += 1
            self.first_list = self.first_list or self.number
        text = _encoded(string)
        if self._split is not None:
            return self._split(text)
        if self._separator is None:
            return text
        return self._separated(text.replace(b"\n", b" "))

    def _separated(self, text: bytes) -> bytes:
        """Split a text without newlines by the separator, and count where there is none."""
        separated = split_sentences([text], self._separator)[0]
        self.n_strings += 1
        if separated == text and text.strip():
            self.n_unseparated += 1
            self.first_unseparated = self.first_unseparated or self.number
        return separated


def kind_of(value: Any, *, is_exact: bool = True) -> str:
    """Say what a value is, as one would in JSON; a number with its digits, if it is to be exact."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value}"[:40] if is_exact else "a number"
    names: dict[type, str] = {str: "a string", list: "a list", dict: "an object", bytes: "bytes"}
    return names.get(type(value)) or f"a {type(value).__name__}"


def _is_sentences(value: Any) -> bool:
    """Say whether a value is a list of strings, and not an empty one."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def _lone_response(value: Any, path: str) -> Any:
    """Unwrap lists with one response; raises ValueError if there are more, or none."""
    place = path
    while isinstance(value, list):
        place += ".0"
        if len(value) != 1:
            choice = f"; choose one, such as --prediction {place}" if value else "; expected one"
            kind = f"field {path!r} has {'several' if value else 'no'} responses{choice}"
            raise FoundError(f"field {path!r} has {len(value) or 'no'} responses{choice}", kind)
        value = value[0]
    return value


def _encoded(string: str) -> bytes:
    """Return the UTF-8 of a string; undecodable bytes and lone surrogates are kept."""
    try:
        return string.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return string.encode("utf-8", "surrogatepass")

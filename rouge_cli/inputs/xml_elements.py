"""The XML of a configuration to its EVAL elements, each part with its line.

Source: specification, section 2, "XML config".
"""

from dataclasses import field
from typing import Any, NamedTuple

from rouge_cli.escapes import escaped
from rouge_cli.options.inputs import TEXT_FORMATS
from rouge_cli.quick_dataclass import dataclass

__all__ = ["EvalElement", "NamedFile", "Problem", "read_elements"]

# White space as XML defines it; every other character belongs to a name.
_WHITE_SPACE = " \t\r\n"
_SECTIONS = frozenset({"PEERS", "MODELS"})
_HOMES = {"P": "PEERS", "M": "MODELS"}
_WITH_TEXT = frozenset({"P", "M", "PEER-ROOT", "MODEL-ROOT"})
_KNOWN = _SECTIONS | _WITH_TEXT | {"EVAL", "INPUT-FORMAT"}
_FORMATS = ", ".join(TEXT_FORMATS)
_XML_STARTS = (b"<", b"\xff\xfe", b"\xfe\xff")
_JSON_STARTS = (b"{", b"[")
_DOCTYPE = (
    "a DOCTYPE; a configuration needs none, and entities and references to other files are "
    "refused; take it out"
)
_NO_XML = "no XML; expected a configuration in XML; a file list is read with -z FORMAT"
_RECORDS = (
    "no XML but JSON; expected a configuration in XML; records of such a name are read with "
    "--records-format jsonl or json"
)
_ENCODING = "expected UTF-8, or an encoding of one byte a character; save it as UTF-8"
_ESCAPES = (
    "expected & as &amp;, < as &lt;, and UTF-8 or an XML declaration that names the encoding; "
    "correct it there"
)


class NamedFile(NamedTuple):
    """A P or an M element; its file is named below a root, without white space around it."""

    id: str
    file_name: str
    line: int


@dataclass(slots=True)
class EvalElement:
    """An EVAL element; filled while it is read.

    Parameters
    ----------
    id : str
        The EVAL ID, empty if there is none.
    line : int
        Where the element begins.
    format : str or None
        TYPE of its INPUT-FORMAT in capitals; None without INPUT-FORMAT.
    roots : dict of str to str
        ``"PEER-ROOT"`` and ``"MODEL-ROOT"`` to folder, as far as they are there.
    peers, models : list of NamedFile
        The P elements and the M elements in their order.
    """

    id: str
    line: int
    format: str | None = None
    roots: dict[str, str] = field(default_factory=dict)
    peers: list[NamedFile] = field(default_factory=list)
    models: list[NamedFile] = field(default_factory=list)


class Problem(NamedTuple):
    """One thing that is wrong with a configuration.

    Parameters
    ----------
    line : int
        Where it stands.
    eval_id : str
        ID of the EVAL it stands in; empty if the EVAL has none, or outside of an EVAL.
    text : str
        What was found, what was expected, what to do.
    """

    line: int
    eval_id: str
    text: str

    @property
    def place(self) -> str:
        """Name the line, and the EVAL if it is known."""
        return f"line {self.line}" + (f", EVAL {escaped(self.eval_id)}" if self.eval_id else "")


def read_elements(data: bytes) -> tuple[list[EvalElement], list[Problem], bool]:
    """Read the EVAL elements of a configuration.

    Parameters
    ----------
    data : bytes
        The configuration.

    Returns
    -------
    elements : list of EvalElement
        In the order of the file.
    problems : list of Problem
        What is wrong with single elements, and last, why reading stopped.
    whole : bool
        False if reading stopped before the end.

    Notes
    -----
    Source: specification, section 2, "XML config". A DTD is refused, and with it every entity
    and every reference to another file.
    """
    # Imported late: a run on a file list does without the XML parser.
    from xml.parsers.expat import ExpatError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    # The target takes no events, so that none passes through slower Python code on its way.
    parser = DefusedXMLParser(target=object(), forbid_dtd=True).parser
    reader = _Reader(parser)
    try:
        parser.Parse(data, True)
    except DefusedXmlException:
        stop = _DOCTYPE
    except ExpatError as error:
        stop = _describe(error.code, error.offset + 1, data)
    except (LookupError, ValueError) as error:
        # Python cannot supply the encoding that the XML declaration names.
        stop = f"{error}; {_ENCODING}"
    else:
        return reader.elements, reader.problems, True
    problems = [*reader.problems, Problem(parser.ErrorLineNumber, "", stop)]
    return reader.elements, problems, False


def _describe(code: int, column: int, data: bytes) -> str:
    """Return why the parser does not take `data` for XML, and what to do."""
    from xml.parsers.expat import ErrorString, errors

    start = data.lstrip(b"\xef\xbb\xbf" + _WHITE_SPACE.encode())
    if not start.startswith(_XML_STARTS):
        return _RECORDS if start.startswith(_JSON_STARTS) else _NO_XML
    unescaped = {errors.XML_ERROR_INVALID_TOKEN, errors.XML_ERROR_UNDEFINED_ENTITY}
    is_unescaped = code in {errors.codes[one] for one in unescaped}
    advice = _ESCAPES if is_unescaped else "correct it there"
    return f"not XML, {ErrorString(code)} at column {column}; {advice}"


class _Kinds(dict[str, str]):
    """Element name as written to the name in capitals; to nothing for an unknown element."""

    def __missing__(self, name: str) -> str:
        """Look at a spelling once; the parser puts a name space and ``}`` before the name."""
        capitals = name.rpartition("}")[2].upper()
        kind = self[name] = capitals if capitals in _KNOWN else ""
        return kind


class _Reader:
    """Takes the events of an XML parser and fills `elements` and `problems`."""

    def __init__(self, parser: Any) -> None:
        self.elements: list[EvalElement] = []
        self.problems: list[Problem] = []
        self._parser = parser
        self._kinds = _Kinds()
        self._eval: EvalElement | None = None
        self._section = ""
        # The element whose text is being read.
        self._open = ""
        self._open_id = ""
        self._open_line = 0
        self._text: list[str] = []
        parser.ordered_attributes = False
        parser.DefaultHandlerExpand = None
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        kind = self._kinds[name]
        if kind in _WITH_TEXT:
            self._open = kind
            self._open_id = attributes.get("ID", "")
            self._open_line = self._parser.CurrentLineNumber
            self._text.clear()
        elif kind in _SECTIONS:
            self._section = kind
        elif kind == "EVAL":
            self._start_eval(attributes)
        elif kind and self._eval is not None:
            self._take_format(self._eval, attributes)

    def _end(self, name: str) -> None:
        """End an element; outside of an EVAL, texts mean nothing."""
        kind = self._kinds[name]
        if kind in _WITH_TEXT:
            if self._eval is not None:
                self._take_text(self._eval, kind)
        elif kind in _SECTIONS:
            self._section = ""
        elif kind == "EVAL":
            self._eval = None

    def _start_eval(self, attributes: dict[str, str]) -> None:
        """Begin an EVAL."""
        line = self._parser.CurrentLineNumber
        if self._eval is not None:
            self._report(line, "another EVAL begins inside this one; put </EVAL> before it")
        self._eval = EvalElement(attributes.get("ID", ""), line)
        self.elements.append(self._eval)
        if not self._eval.id:
            self._report(line, 'EVAL without an ID; write <EVAL ID="...">')

    def _take_format(self, element: EvalElement, attributes: dict[str, str]) -> None:
        """Read an INPUT-FORMAT."""
        line = self._parser.CurrentLineNumber
        if element.format is not None:
            self._report(line, "a second INPUT-FORMAT; an EVAL element has one")
        typed = attributes.get("TYPE", "")
        element.format = typed.upper()
        if not typed:
            self._report(line, f"INPUT-FORMAT without a TYPE; expected one of {_FORMATS}")
        elif element.format not in TEXT_FORMATS:
            self._report(line, f"unknown format {escaped(typed)}; expected one of {_FORMATS}")

    def _take_text(self, element: EvalElement, kind: str) -> None:
        """Read a P, an M or a root at its end; its text may have come in pieces."""
        text = "".join(self._text).strip(_WHITE_SPACE)
        if self._open != kind:
            line = self._parser.CurrentLineNumber
            self._report(line, f"{kind} with elements inside; expected nothing but a name")
        elif kind == "P" and self._section == "PEERS":
            element.peers.append(NamedFile(self._open_id, text, self._open_line))
        elif kind == "M" and self._section == "MODELS":
            element.models.append(NamedFile(self._open_id, text, self._open_line))
        elif kind in _HOMES:
            home = _HOMES[kind]
            self._report(self._open_line, f"{kind} outside of {home}; put it inside of {home}")
        else:
            self._check_root(kind, element.roots)
            element.roots[kind] = text
        if not text or not self._open_id:
            self._check_text(kind, text)
        self._open = ""

    def _check_root(self, kind: str, roots: dict[str, str]) -> None:
        """Report a root that is one too many."""
        if kind in roots:
            advice = "for files in two folders write two EVAL elements with the same ID"
            self._report(self._open_line, f"a second {kind}; {advice}")

    def _check_text(self, kind: str, text: str) -> None:
        """Report the name or the ID that a P, an M or a root lacks."""
        line, element_id = self._open_line, self._open_id
        if kind not in _HOMES:
            if not text:
                advice = "name a folder, or . for the working directory"
                self._report(line, f"empty {kind}; {advice}")
            return
        advice = f'write <{kind} ID="...">file name</{kind}>'
        if not element_id:
            self._report(line, f"{kind} without an ID; {advice}")
        if not text:
            which = f"{kind} {escaped(element_id)}" if element_id else kind
            self._report(line, f"{which} without a file name; {advice}")

    def _report(self, line: int, text: str) -> None:
        """Add a problem of the EVAL that is being read."""
        self.problems.append(Problem(line, self._eval.id if self._eval else "", text))

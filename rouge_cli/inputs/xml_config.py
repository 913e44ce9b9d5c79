"""Reads the XML configuration.

EVAL elements with the same ID are merged at the position of the first. Each text keeps the folder
and the format of the element that names it. Therefore an element with peers needs a PEER-ROOT, an
element with models a MODEL-ROOT, and both an INPUT-FORMAT; but only the merged EVAL needs both a
peer and a model. ROUGE-1.5.5 silently merges elements, and silently drops a file whose ID is used
again; here this causes a warning.

Source: specification, section 1 (``-a``), and section 2, "XML config".
"""

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import field
from functools import lru_cache
from operator import itemgetter
from shlex import quote
from typing import Any

from rouge_cli.errors import InputError, OptionError, Problems, name_advice
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.inputs.files import read_input
from rouge_cli.inputs.index import Input, Layout
from rouge_cli.inputs.source import (
    BYTE_ORDER_MARK,
    SPREADSHEETS,
    STARTS_OF_CONFIG,
    Source,
    refuse_foreign,
    sniffed_format,
)
from rouge_cli.inputs.text_files import FileEval, FileInput, NamedFiles, TextFile, folder_of
from rouge_cli.options.inputs import TEXT_FORMATS, XML, InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

# White space as defined by XML; every other character belongs to a name.
_WHITE_SPACE = " \t\r\n"
_SECTIONS = frozenset({"PEERS", "MODELS"})
_HOMES = {"P": "PEERS", "M": "MODELS"}
_ROOTS = {"P": "PEER-ROOT", "M": "MODEL-ROOT"}
_WITH_TEXT = frozenset({"P", "M", "PEER-ROOT", "MODEL-ROOT"})
_KNOWN = _SECTIONS | _WITH_TEXT | {"EVAL", "INPUT-FORMAT"}
_FORMATS = ", ".join(TEXT_FORMATS)
_XML_STARTS = (b"<", b"\xff\xfe", b"\xfe\xff")

NamedFile = tuple[str, str, int]
"""The ID of a P or M element, the file name relative to the root, and the line of the element."""


@dataclass(slots=True)
class EvalElement:
    """An EVAL element, filled by the parser.

    - `id`: the EVAL ID; empty if it is missing.
    - `line`: the line on which the element begins.
    - `format`: the TYPE of its INPUT-FORMAT in upper case; None without INPUT-FORMAT.
    - `roots`: maps ``"PEER-ROOT"`` and ``"MODEL-ROOT"`` to folders; either may be missing.
    - `files`: the files of ``"P"`` elements, and those of ``"M"`` elements.
    """

    id: str
    line: int
    format: str | None = None
    roots: dict[str, str] = field(default_factory=dict)
    files: dict[str, list[NamedFile]] = field(default_factory=lambda: {"P": [], "M": []})


Problem = tuple[int, str, str]
"""The line of a problem, the ID of the EVAL, empty if unknown, and the message."""


def _place(line: int, eval_id: str) -> str:
    return f"line {line}" + (f", EVAL {escaped(eval_id)}" if eval_id else "")


def read_elements(data: bytes) -> tuple[list[EvalElement], list[Problem], bool]:
    """Read the EVAL elements of a configuration, in the order of the file.

    Returns the elements; problems of single elements, and last the reason if reading stopped early;
    and whether the whole file was read. A DTD is refused, so that no entity can expand and no other
    file can be read.
    """
    # Imported here, because a run on a file list does not need the XML parser.
    from xml.parsers.expat import ExpatError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    # An empty target keeps events from passing through the slower Python code of a tree builder.
    parser = DefusedXMLParser(target=object(), forbid_dtd=True).parser
    reader = _Reader(parser)
    try:
        parser.Parse(data, True)
    except DefusedXmlException:
        stop = (
            "a DOCTYPE; a configuration needs none, and entities and references to other files are "
            "refused; take it out"
        )
    except ExpatError as error:
        stop = _describe(error.code, error.offset + 1, data)
    except (LookupError, ValueError) as error:
        # Python cannot supply the encoding that the XML declaration names.
        expected = "expected UTF-8, or an encoding of one byte a character"
        stop = f"{error}; {expected}; save it as UTF-8"
    else:
        return reader.elements, reader.problems, True
    problems = [*reader.problems, (parser.ErrorLineNumber, "", stop)]
    return reader.elements, problems, False


def _describe(code: int, column: int, data: bytes) -> str:
    from xml.parsers.expat import ErrorString, errors

    blank = re.match(rb"[\xef\xbb\xbf \t\r\n]*", data)
    first = blank.end() if blank else 0
    start = data[first : first + len(BYTE_ORDER_MARK)]
    if not start.startswith(_XML_STARTS):
        if start.startswith((b"{", b"[")):
            return (
                "no XML but JSON; expected a configuration in XML; records of such a name are read "
                "with --records-format jsonl or json"
            )
        return "no XML; expected a configuration in XML; a file list is read with -z FORMAT"
    unescaped = {errors.XML_ERROR_INVALID_TOKEN, errors.XML_ERROR_UNDEFINED_ENTITY}
    advice = "correct it there"
    if code in {errors.codes[name] for name in unescaped}:
        expected = "expected & as &amp;, < as &lt;, and UTF-8 or an XML declaration that names the"
        advice = f"{expected} encoding; {advice}"
    return f"not XML, {ErrorString(code)} at column {column}; {advice}"


@lru_cache
def _kind_of(name: str) -> str:
    """Return the name of an element in upper case; empty if it is unknown."""
    # The parser prefixes it with its name space and "}".
    capitals = name.rpartition("}")[2].upper()
    return capitals if capitals in _KNOWN else ""


class _Reader:
    """Handles the events of an XML parser, and fills `elements` and `problems`."""

    def __init__(self, parser: Any) -> None:
        self.elements: list[EvalElement] = []
        self.problems: list[Problem] = []
        self._parser = parser
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
        kind = _kind_of(name)
        if kind in _WITH_TEXT:
            self._open = kind
            self._open_id = attributes.get("ID", "")
            self._open_line = self._parser.CurrentLineNumber
            self._text.clear()
        elif kind in _SECTIONS:
            self._section = kind
        elif kind == "EVAL":
            line = self._parser.CurrentLineNumber
            if self._eval is not None:
                self._report(line, "another EVAL begins inside this one; put </EVAL> before it")
            self._eval = EvalElement(attributes.get("ID", ""), line)
            self.elements.append(self._eval)
            if not self._eval.id:
                self._report(line, 'EVAL without an ID; write <EVAL ID="...">')
        elif kind and self._eval is not None:
            self._take_format(self._eval, attributes)

    def _end(self, name: str) -> None:
        kind = _kind_of(name)
        if kind in _WITH_TEXT:
            if self._eval is not None:
                self._take_text(self._eval, kind)
        elif kind in _SECTIONS:
            self._section = ""
        elif kind == "EVAL":
            self._eval = None

    def _take_format(self, element: EvalElement, attributes: dict[str, str]) -> None:
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
        text = "".join(self._text).strip(_WHITE_SPACE)
        line, element_id, home = self._open_line, self._open_id, _HOMES.get(kind)
        if self._open != kind:
            problem = f"{kind} with elements inside; expected nothing but a name"
            self._report(self._parser.CurrentLineNumber, problem)
        elif home is None:
            if kind in element.roots:
                advice = "for files in two folders write two EVAL elements with the same ID"
                self._report(line, f"a second {kind}; {advice}")
            element.roots[kind] = text
        elif self._section == home:
            element.files[kind].append((element_id, text, line))
        else:
            self._report(line, f"{kind} outside of {home}; put it inside of {home}")
        self._open = ""
        if home is None:
            if not text:
                self._report(line, f"empty {kind}; name a folder, or . for the working directory")
            return
        advice = f'write <{kind} ID="...">file name</{kind}>'
        if not element_id:
            self._report(line, f"{kind} without an ID; {advice}")
        if not text:
            which = f"{kind} {escaped(element_id)}" if element_id else kind
            self._report(line, f"{which} without a file name; {advice}")

    def _report(self, line: int, text: str) -> None:
        self.problems.append((line, self._eval.id if self._eval else "", text))


class XmlConfig(Layout):
    """The layout of an XML configuration: any CONFIG that no other layout claims."""

    kind = "an XML configuration"
    takes_config = True
    options = InputOptions.of_layout(XML)
    has_elements = True

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        # Other layouts have had their chance before this one.
        return source.config is not None

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        config = source.config or ""
        if source.is_standard_input:
            with source.opened("the configuration") as stream:
                name, data = source.name, stream.read()
            if sniffed_format(data) != "XML":
                raise InputError(
                    "standard input: neither XML nor JSON; expected a configuration in XML or "
                    "records; CSV and TSV need --records-format, a file list -z FORMAT"
                )
        else:
            _refuse_folder_or_spreadsheet(source)
            expected = "the configuration"
            if " " in config and not config.endswith(".xml"):
                expected += "; two texts are scored with --text PREDICTION --reference REFERENCE"
            name, data = read_input(config, expected, _is_hopeless)
            refuse_foreign(name, data)
            start = data[: 1 << 12].removeprefix(BYTE_ORDER_MARK).lstrip()
            if start and not start.startswith(STARTS_OF_CONFIG) and b"\0" not in start:
                raise InputError(
                    f"{source.name}: a text, not a configuration in XML; name the file of its "
                    f"references too: rouge-cli {quote(config)} REFERENCES; if each line names "
                    "files, give -z FORMAT"
                )
        evals, warnings = parse_config(data, name)
        known = {system for evaluation in evals for system in evaluation.peers}
        if not known:
            raise InputError(
                f'{name}: no EVAL has a prediction; name at least one, <P ID="...">file name</P>'
            )
        order = _choose_systems(known, source.system_id, all_systems=inputs.all)
        folders = [folder_of(config)]
        named = NamedFiles(name, evals, order, folders, is_original=True, warnings=tuple(warnings))
        return FileInput(named, inputs, metrics, source.outputs)


def _refuse_folder_or_spreadsheet(source: Source) -> None:
    config = source.config or ""
    if os.path.isdir(config):
        raise InputError(
            f"{source.name}: a folder, not a configuration; to score the files there, name the "
            f"folder of their references too: rouge-cli {quote(config)} REFERENCES"
        )
    if config.lower().endswith(SPREADSHEETS) and os.path.exists(config):
        raise InputError(
            f"{source.name}: a spreadsheet, not a configuration; export it as CSV in UTF-8 and "
            "score that file"
        )


def _choose_systems(
    known: Collection[str], system_id: str | None, *, all_systems: bool
) -> tuple[str, ...]:
    # All systems, in byte order, or the one that the user names.
    in_order = in_byte_order(known)
    if all_systems:
        return tuple(in_order)
    if system_id is None:
        raise OptionError(
            "no SYSTEM_ID: name the system to score after CONFIG, or use -a for every one; "
            f"known are: {', '.join(in_order)}"
        )
    if system_id not in known:
        raise OptionError(f"no system {system_id!r} in CONFIG; {name_advice(system_id, in_order)}")
    return (system_id,)


def _is_hopeless(head: bytes) -> bool:
    start = head.removeprefix(BYTE_ORDER_MARK).lstrip(_WHITE_SPACE.encode())
    # Without a mark, UTF-16 begins with a zero byte.
    return bool(start) and not start.startswith((*_XML_STARTS, b"\0<"))


def parse_config(data: bytes, name: str) -> tuple[list[FileEval], list[str]]:
    """Parse an XML configuration; return its EVALs, at least one, and warnings.

    The EVALs are in the order of their first elements. `data` is in the encoding named by its XML
    declaration, by default UTF-8. If the ID of a P or M element is repeated in an EVAL, it means
    the last file, and the last model counts as often as its ID occurs, as in ROUGE-1.5.5.

    Raises InputError with all problems, by line, if `data` is not XML, has a DTD, or has no EVALs
    or incomplete ones.
    """
    if not data.strip():
        raise InputError(f"{name}: an empty file; expected a configuration in XML")
    elements, problems, whole = read_elements(data)
    by_id: dict[str | int, list[EvalElement]] = {}
    for element in elements:
        # An element without an ID, which is a problem reported elsewhere, is not merged.
        by_id.setdefault(element.id or element.line, []).append(element)
    groups = list(by_id.values())
    # If reading stopped early, missing parts may be in the rest of the file.
    if whole:
        problems.extend(missing for group in groups for missing in _missing(group))
    in_order = sorted(problems, key=itemgetter(0))
    Problems.of(name, ((_place(line, id_), text) for line, id_, text in in_order)).raise_any()
    if not elements:
        raise InputError(
            f'{name}: no EVAL; a configuration needs at least one <EVAL ID="...">...</EVAL>'
        )
    again = Problems(name)
    for group in groups:
        _note_merged(group, again)
        _note_replaced(group, "P", again)
        _note_replaced(group, "M", again)
    return list(map(_merge, groups)), again.lines()


def _missing(group: list[EvalElement]) -> Iterator[Problem]:
    no_models = not any(element.files["M"] for element in group)
    for element in group:
        place, files, roots = (element.line, element.id), element.files, element.roots
        if "PEER-ROOT" not in roots and files["P"]:
            example = "<PEER-ROOT>folder</PEER-ROOT>"
            yield *place, f"no PEER-ROOT; name the folder of the predictions, {example}"
        if "MODEL-ROOT" not in roots and (files["M"] or no_models):
            example = "<MODEL-ROOT>folder</MODEL-ROOT>"
            yield *place, f"no MODEL-ROOT; name the folder of the references, {example}"
        if element.format is None:
            example = f'<INPUT-FORMAT TYPE="..."></INPUT-FORMAT> with one of {_FORMATS}'
            yield *place, f"no INPUT-FORMAT; say how the texts are written, {example}"
    if no_models:
        problem = 'no MODELS; an EVAL needs at least one <M ID="...">file name</M>'
        yield group[0].line, group[0].id, problem


def _note_merged(group: list[EvalElement], again: Problems) -> None:
    what = "are scored as one text, as in ROUGE-1.5.5"
    advice = "if they are different texts, give each an ID of its own"
    for element in group[1:]:
        again.add(
            _place(element.line, element.id),
            f"the same ID as on line {group[0].line}: the elements {what}; {advice}",
            f"the ID of an earlier EVAL: elements of one ID {what}; {advice}",
        )


def _note_replaced(group: list[EvalElement], kind: str, again: Problems) -> None:
    result = "is not scored" if kind == "P" else "does not count, and the last file counts again"
    advice = f"give each {kind} of an EVAL an ID of its own"
    known: dict[str, tuple[str, int]] = {}
    for element in group:
        for id_, file_name, line in element.files[kind]:
            path = f"{element.roots.get(_ROOTS[kind], '')}/{file_name}"
            replaced, first_line = known.get(id_, ("", 0))
            known[id_] = path, line
            # Repeating the same peer changes nothing; repeating a model gives it more weight.
            if not replaced or (kind == "P" and path == replaced):
                continue
            again.add(
                _place(line, element.id),
                f"{kind} ID {escaped(id_)}, used on line {first_line} too: {escaped(replaced)} "
                f"{result}, as in ROUGE-1.5.5; {advice}",
                f"{kind} ID used before in the EVAL: the earlier file {result}, as in "
                f"ROUGE-1.5.5; {advice}",
            )


def _merge(group: list[EvalElement]) -> FileEval:
    texts: dict[str, dict[str, TextFile]] = {"P": {}, "M": {}}
    for element in group:
        form = element.format or ""
        for kind, files in element.files.items():
            folder = element.roots.get(_ROOTS[kind], "")
            for id_, name, line in files:
                texts[kind][id_] = TextFile(f"{folder}/{name}", form, line)
    ids = tuple(id_ for element in group for id_, _, _ in element.files["M"])
    return FileEval(group[0].id, texts["P"], tuple(map(texts["M"].__getitem__, ids)), ids)

"""Certificates: JSON reports with all that is needed to repeat a run, and the comparison of two."""

import json
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping
from hashlib import file_digest, sha256
from math import ceil, inf, log10
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from rouge_cli.core import describe_core
from rouge_cli.errors import InputError, first_of
from rouge_cli.escapes import escape_unprintable
from rouge_cli.inputs.files import read_input
from rouge_cli.options.reports import STANDARD_OUTPUT
from rouge_cli.reports.rows import Shown
from rouge_cli.version import __version__

if TYPE_CHECKING:
    from rouge_cli.inputs.batch import InputText
    from rouge_cli.inputs.index import Input

EXPECTED = "a certificate, as score --certificate FILE writes it"
COMPUTING = ("numpy", "nltk", "regex", "jieba", "pyarrow")
"""Packages that read or count texts. The signature lists all other packages that affect scores."""

ALL_TEXTS = "all texts as they are read"
DECIMALS = 12  # later decimals of a mean depend on the order of addition, which varies by processor
DECIDING = frozenset({"signature", "results", "references", "predictions"})
"""The parts that must agree. Files may have been moved, and EVALs put in another order."""


def checksums(paths: Iterable[str | None], all_texts: str = "") -> Iterator[tuple[str, str]]:
    """Yield the checksum of each file and of each file in a folder, and `all_texts` if known.

    Pipes are skipped, since they can be read only once. `all_texts` is the SHA-256 of all texts,
    which also covers files that the command does not name.
    """
    for path in dict.fromkeys(paths):
        if path and path != STANDARD_OUTPUT:
            is_folder = os.path.isdir(path)
            inner = (entry.path for entry in os.scandir(path)) if is_folder else [path]
            for file in filter(os.path.isfile, sorted(inner)):
                with open(file, "rb") as opened:
                    digest = file_digest(opened, "sha256").hexdigest()
                yield escape_unprintable(file), digest
    if all_texts:
        yield ALL_TEXTS, all_texts


class TextDigests(NamedTuple):
    """SHA-256 digests of the texts as they were read, whatever their layout.

    Texts are digested EVAL by EVAL, and these digests are sorted before they are digested in turn.
    EVALs in another order therefore have the same digests, except for `order`.

    - `n_evals`: Number of texts.
    - `order`: Of the IDs of the texts, in their order.
    - `references`: Of the references of all texts.
    - `predictions`: For each system, of its texts with their references.
    """

    n_evals: Annotated[int, Shown()]
    order: Annotated[str, Shown()]
    references: Annotated[str, Shown()]
    predictions: Annotated[Mapping[str, str], Shown()]

    @classmethod
    def of(cls, source: "Input") -> "TextDigests":
        """Read and digest all texts of an input; raises InputError."""
        order, references = list[bytes](), list[bytes]()
        predictions: dict[str, list[bytes]] = {system: [] for system in source.index.order}
        for texts in source.evals():
            order.append(texts.id.encode("utf-8", "surrogateescape"))
            references.append(_digest_texts(texts.models))
            for system, text in texts.peers.items():
                predictions[system].append(_digest_texts((*texts.models, text)))
        pairs = {system: _digest(sorted(evals)).hex() for system, evals in predictions.items()}
        return cls(len(order), _digest(order).hex(), _digest(sorted(references)).hex(), pairs)


def _digest_texts(texts: "Iterable[InputText]") -> bytes:
    # A text in a file ends in a newline, and the same text in a record does not.
    return _digest(text.content.removesuffix(b"\n") for text in texts)


def _digest(lines: Iterable[bytes]) -> bytes:
    # Each text follows its length, so that no two lists of texts become the same bytes.
    return sha256(b"".join(b"%d\n" % len(text) + text for text in lines)).digest()


class Certificate(NamedTuple):
    """The data needed to repeat a run on any machine, besides those that JSON reports always hold.

    - `arguments`: The command line, after ``rouge-cli``.
    - `files`: SHA-256 of the files that it names.
    - `texts`: Null for saved scores, which have no texts.
    - `versions`: Of what read and counted the texts.
    """

    arguments: Annotated[tuple[str, ...], Shown()]
    files: Annotated[Mapping[str, str], Shown()]
    texts: Annotated[TextDigests | None, Shown()]
    versions: Annotated[Mapping[str, str], Shown()]

    @classmethod
    def of(
        cls, arguments: Iterable[str], paths: Iterable[str], texts: TextDigests | None
    ) -> "Certificate":
        """Return a certificate with the digests of files and the versions of this process."""
        versions = {"rouge-cli": __version__, "python": platform.python_version()}
        loaded = (name for name in COMPUTING if name in sys.modules)
        versions |= {name: str(sys.modules[name].__version__) for name in loaded}
        versions["core"] = describe_core()
        return cls(tuple(arguments), dict(checksums(paths)), texts, versions)


def read_certificate(path: str) -> tuple[str, dict[str, Any]]:
    """Return the SHA-256 digest and the contents of a certificate; raises InputError."""
    name, data = read_input(path, EXPECTED)
    try:
        document = json.loads(data)
        words = [*document["certificate"]["arguments"], *_parts(document)["results"]]
        is_certificate = all(isinstance(word, str) for word in words)
        document["options"]["per_eval"]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        is_certificate = False
    if not is_certificate:
        raise InputError(f"{name}: no certificate; expected {EXPECTED}")
    return sha256(data).hexdigest(), document


def compare_certificates(
    certified: Mapping[str, Any], again: Mapping[str, Any]
) -> tuple[list[str], bool]:
    """Compare a certificate with that of a repeated run; both have the form of their JSON.

    Returns a line for each part that agrees and for each value that differs, and whether the parts
    in `DECIDING` agree.
    """
    lines, is_verified, here = [], True, _parts(again)
    for part, before in _parts(certified).items():
        values = {name: (before.get(name), here[part].get(name)) for name in before | here[part]}
        differences = [line for name in values if (line := _difference(name, *values[name]))]
        count = f" ({len(values)} values)" if len(values) > 1 else ""
        shown = first_of(differences, "... and ") or [f"same{count}"] * bool(values)
        lines += [f"{part:<11}  {line}" for line in shown]
        is_verified &= not differences or part not in DECIDING
    return lines, is_verified


def _parts(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the parts of a certificate that are compared, each with its values by name."""
    certificate = document["certificate"]
    # A list of sentences and a text with a line for each sentence have the same digests and scores.
    signature = document["signature"].replace("|sent:list|", "|sent:newline|")
    systems = {system["id"]: {**system, "id": None} for system in document["systems"]}
    texts = certificate.get("texts") or {}
    predictions = texts.get("predictions", {})
    if len(systems) == 1:
        # A single system may be named after its file, which may have been moved.
        systems, predictions = (
            dict(zip([""], named.values(), strict=False)) for named in (systems, predictions)
        )
    return {
        # The first part is the version of this program, and need not affect a score.
        "signature": {part: part for part in signature.split("|")[1:]},
        "results": dict(_leaves(systems)),
        "references": dict(_leaves(texts.get("references"))),
        "predictions": dict(_leaves(predictions)),
        "order": dict(_leaves(texts.get("order"))),
        "files": {
            os.path.basename(name): digest for name, digest in _leaves(certificate.get("files"))
        },
        "versions": dict(_leaves(certificate.get("versions"))),
    }


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value, 1)
        for name, item in items:
            yield from _leaves(item, path if name == "metrics" else f"{path} {name}".strip())
    elif value is not None:
        yield path, value


def _difference(name: str, before: Any, now: Any) -> str:
    """Describe how two values differ; return an empty string if they are the same."""
    # For numbers, the description names the first decimal that differs.
    digit = ""
    if isinstance(before, float) and isinstance(now, float):
        before, now = round(before, DECIMALS), round(now, DECIMALS)
        moved = round(abs(before - now), DECIMALS)
        if 0 < moved < inf:
            digit = f", from decimal {max(1, ceil(-log10(moved)))} on"
    if before == now:
        return ""
    what = f"{before} in the certificate, {now} here{digit}"
    if before is None or now is None:
        what = "not in the certificate" if before is None else "not found here"
    return escape_unprintable(f"{name}: {what}" if name else what)

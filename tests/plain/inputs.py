"""Configurations and text formats (specification, section 2)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

SEE_LINE = re.compile(
    rb'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>\s+<a href="#[0-9]+" id=[0-9]+>([^<]+)'
)
ISI_LINE = re.compile(rb'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


@dataclass
class Evaluation:
    """One EVAL: the files of its peers by system, its models in order."""

    identifier: str
    layout: str = ""
    peers: dict[str, str] = field(default_factory=dict)
    model_ids: list[str] = field(default_factory=list)
    models: dict[str, str] = field(default_factory=dict)

    def model_paths(self) -> list[str]:
        """A path for each M; an ID used twice counts its last file twice."""
        return [self.models[identifier] for identifier in self.model_ids]


def attribute(element: ElementTree.Element, name: str) -> str:
    """An attribute, its name matched without regard to case."""
    for key, value in element.attrib.items():
        if key.lower() == name:
            return value
    raise ValueError(f"{element.tag} without {name}")


def children(element: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """The children of that name, matched without regard to case."""
    return [child for child in element if child.tag.lower() == name]


def stripped(element: ElementTree.Element) -> str:
    """The text of an element without the white space around it."""
    return (element.text or "").strip()


def read_config(path: Path) -> list[Evaluation]:
    """The EVALs of an XML config; those with the same ID are merged."""
    evaluations: dict[str, Evaluation] = {}
    for element in children(ElementTree.fromstring(path.read_bytes()), "eval"):
        identifier = attribute(element, "id")
        evaluation = evaluations.setdefault(identifier, Evaluation(identifier))
        peer_root = "".join(stripped(root) for root in children(element, "peer-root"))
        model_root = "".join(stripped(root) for root in children(element, "model-root"))
        for layout in children(element, "input-format"):
            evaluation.layout = attribute(layout, "type").upper()
        for peers in children(element, "peers"):
            for peer in children(peers, "p"):
                evaluation.peers[attribute(peer, "id")] = f"{peer_root}/{stripped(peer)}"
        for models in children(element, "models"):
            for model in children(models, "m"):
                evaluation.model_ids.append(attribute(model, "id"))
                evaluation.models[attribute(model, "id")] = f"{model_root}/{stripped(model)}"
    return list(evaluations.values())


def read_list(path: Path, layout: str, system: str) -> list[Evaluation]:
    """The EVALs of a file list: 1, 2, 3, ... with one peer each."""
    evaluations: list[Evaluation] = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.startswith("#") or not line.strip():
            continue
        names = line.split()
        if len(names) < 2:
            raise ValueError(f"no model: {line}")
        evaluation = Evaluation(str(len(evaluations) + 1), layout.upper())
        evaluation.peers[system] = names[0]
        for number, name in enumerate(names[1:]):
            evaluation.model_ids.append(str(number))
            evaluation.models[str(number)] = name
        evaluations.append(evaluation)
    return evaluations


def read_sentences(path: Path, layout: str) -> list[bytes]:
    """The sentences of a text, or the lines of Basic Elements."""
    sentences: list[bytes] = []
    for line in re.findall(rb"[^\n]*\n|[^\n]+", path.read_bytes()):
        if layout == "SPL":
            sentence = line.removesuffix(b"\n")
            if sentence:
                sentences.append(sentence)
        elif layout == "SIMPLE":
            sentences.append(line.removesuffix(b"\n"))
        elif layout in ("SEE", "ISI"):
            match = (SEE_LINE if layout == "SEE" else ISI_LINE).match(line)
            if match:
                sentences.append(match[1])
        else:
            raise ValueError(f"unknown format {layout}")
    return sentences

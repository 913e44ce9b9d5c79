"""Layouts, the ways in which texts may be given; every run opens its corpus through their list."""

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from typing import Protocol

from rouge_cli.errors import OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.checks import corpus_warnings
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.file_layouts import DucFolders, FileList, PatternFolders
from rouge_cli.inputs.line_files import LineFileLayout
from rouge_cli.inputs.lists import TextLists
from rouge_cli.inputs.records import Records
from rouge_cli.inputs.records.frames import Frames
from rouge_cli.inputs.source import Source
from rouge_cli.inputs.xml_config import XmlConfig
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions

__all__ = ["LAYOUTS", "Layout", "find_layout", "has_texts", "open_corpus"]


class Layout(Protocol):
    """A way in which texts are given."""

    @property
    def kind(self) -> str:
        """What to call it in messages."""
        ...

    @property
    def takes_config(self) -> bool:
        """Whether CONFIG names what it reads."""
        ...

    @property
    def takes_files(self) -> bool:
        """Whether several files may stand in the place of CONFIG."""
        ...

    @property
    def selector(self) -> str | None:
        """The option that asks for it, as a field of `InputOptions`; None if there is none."""
        ...

    @property
    def options(self) -> frozenset[str]:
        """The fields of `InputOptions` that it has a use for."""
        ...

    @property
    def has_elements(self) -> bool:
        """Whether its texts may be Basic Elements."""
        ...

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Say whether this layout is meant; raises InputError if standard input cannot be read."""
        ...

    def open(
        self, source: Source, inputs: InputOptions, metrics: MetricOptions
    ) -> AbstractContextManager[Corpus]:
        """Find out which texts belong together, and check that they can be read.

        The corpus can be used until the context ends. Raises OptionError and InputError.
        """
        ...


LAYOUTS: tuple[Layout, ...] = (
    TextLists(),
    Frames(),
    PatternFolders(),
    DucFolders(),
    LineFileLayout(),
    FileList(),
    Records(),
    XmlConfig(),
)
"""All layouts. The first that claims an input reads it; the last takes any other CONFIG."""


@contextmanager
def open_corpus(source: Source, inputs: InputOptions, metrics: MetricOptions) -> Iterator[Corpus]:
    """Find the layout of an input, and open it.

    `source` is empty if the options name the texts. `metrics` say whether Basic Elements are read,
    and whether it matters where sentences end. The corpus can be used until the context ends.
    Raises OptionError and InputError with all that is wrong with the input, and OptionError if an
    output of the run is one of the texts.
    """
    layout = find_layout(source, inputs)
    if metrics.basic_elements and not layout.has_elements:
        raise OptionError(
            f"-3/--basic-elements is for files in the format SIMPLE, not for {layout.kind}"
        )
    with layout.open(source, inputs, metrics) as corpus:
        files = corpus.texts.as_files()
        if source.outputs and files is not None:
            _check_outputs(source.outputs, files.names)
        # A lone pair from Python, of which there may be millions, has nothing of this kind.
        if files is None and len(corpus.systems) == 1:
            yield corpus
        else:
            yield replace(corpus, warnings=(*corpus.warnings, *corpus_warnings(corpus)))


def _check_outputs(outputs: Sequence[str], texts: Sequence[str]) -> None:
    """Refuse outputs that are texts, whatever links lead to them; raises OptionError.

    To ask for 20,000 texts takes 40 ms, and no time where all outputs are new.
    """
    written = {
        (status.st_dev, status.st_ino): path for path in outputs if (status := _status(path))
    }
    for text in texts:
        status = _status(text)
        path = written.get((status.st_dev, status.st_ino)) if status else None
        if path is not None:
            raise OptionError(
                f"{escaped(path)} is an output of this run, and the text {escaped(text)}; name "
                "another file for the output"
            )


def _status(path: str) -> os.stat_result | None:
    """Return what the system knows of a file; None if it is not there."""
    with suppress(OSError, ValueError):
        return os.stat(path)
    return None


def has_texts(source: Source, inputs: InputOptions) -> bool:
    """Say whether there are texts to read, in whatever layout."""
    return any(layout.claims(source, inputs) for layout in LAYOUTS)


def find_layout(source: Source, inputs: InputOptions) -> Layout:
    """Return the layout that claims an input.

    Raises OptionError if none does, or if options are given that it has no use for.
    """
    declared = inputs.options()
    layout = next((layout for layout in LAYOUTS if layout.claims(source, inputs)), None)
    if layout is None:
        *selectors, last = (
            declared[layout.selector].long
            for layout in LAYOUTS
            if layout.selector and not layout.takes_config
        )
        raise OptionError(
            "no CONFIG: name the configuration, the file list (-z), the file of records, or use "
            f"{', '.join(selectors)} or {last}; scores alone are read with --scores"
        )
    if source.config is not None and not layout.takes_config:
        selector = declared[layout.selector or ""].spelling
        raise OptionError(f"CONFIG {source.config!r} and {selector} exclude each other; give one")
    if not layout.takes_files:
        source.check_others()
    names = inputs.given()
    for name in names:
        if name not in layout.options:
            if layout.selector in names:
                selector = declared[layout.selector or ""].spelling
                raise OptionError(f"{declared[name].spelling} and {selector} exclude each other")
            reason = f", not for {layout.kind}"
            if layout.takes_config:
                reason = (
                    f", but {source.name} is taken for {layout.kind}; -z and --records-format say "
                    "otherwise"
                )
            raise OptionError(f"{declared[name].spelling} is for {_kinds(name)}{reason}")
    return layout


def _kinds(option: str) -> str:
    """Name the layouts of files that have a use for an option."""
    kinds = [
        layout.kind
        for layout in LAYOUTS
        if option in layout.options and (layout.selector or layout.takes_config)
    ]
    return " and ".join(filter(None, (", ".join(kinds[:-1]), kinds[-1])))

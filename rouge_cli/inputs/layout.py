"""Layouts, the ways in which texts may be given; every run opens its input through their list."""

from typing import Protocol

from rouge_cli.errors import OptionError
from rouge_cli.inputs.file_layouts import DucFolders, FileList, PairedFiles, PatternFolders
from rouge_cli.inputs.index import Input
from rouge_cli.inputs.line_files import LineFileLayout
from rouge_cli.inputs.lists import TextLists, TypedTexts
from rouge_cli.inputs.records import Records
from rouge_cli.inputs.records.frames import Frames
from rouge_cli.inputs.source import Source
from rouge_cli.inputs.xml_config import XmlConfig
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.text.seen import cleaner

__all__ = ["LAYOUTS", "Layout", "find_layout", "has_texts", "open_input"]


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
        """Whether several files may take the place of CONFIG."""
        ...

    @property
    def selector(self) -> str | None:
        """The option that asks for it, as a field of `InputOptions`, or None."""
        ...

    @property
    def options(self) -> frozenset[str]:
        """The fields of `InputOptions` that it uses."""
        ...

    @property
    def has_elements(self) -> bool:
        """Whether its texts may be Basic Elements."""
        ...

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim an input or not; raises InputError if standard input cannot be read."""
        ...

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        """Check what can be checked before texts are read; raises OptionError and InputError."""
        ...


LAYOUTS: tuple[Layout, ...] = (
    TextLists(),
    Frames(),
    PatternFolders(),
    DucFolders(),
    PairedFiles(),
    TypedTexts(),
    LineFileLayout(),
    FileList(),
    Records(),
    XmlConfig(),
)
"""All layouts. The first that claims an input reads it; the last takes any other CONFIG."""


def open_input(source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
    """Find the layout of an input, and open it.

    `source` is empty if the options name the texts. `metrics` say whether Basic Elements are read,
    and whether it matters where sentences end. Raises OptionError, also if an output of the run is
    one of the texts, and InputError.
    """
    layout = find_layout(source, inputs)
    if metrics.basic_elements and not layout.has_elements:
        raise OptionError(
            f"-3/--basic-elements is for files in the format SIMPLE, not for {layout.kind}"
        )
    opened = layout.open(source, inputs, metrics)
    opened.takes, opened.clean = layout.options, cleaner(inputs.strip)
    return opened


def has_texts(source: Source, inputs: InputOptions) -> bool:
    """Return whether there are texts to read, in whatever layout."""
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
            f"{', '.join(selectors)} or {last}; scores alone are read with --add scores:FILE"
        )
    if source.config is not None and not layout.takes_config:
        selector = declared[layout.selector or ""].spelling
        hint = "; --prediction names a field of records" if selector == "--peer-lines" else ""
        raise OptionError(
            f"CONFIG {source.config!r} and {selector} exclude each other; give one{hint}"
        )
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
    """Name the layouts of files that use an option."""
    kinds = [
        layout.kind
        for layout in LAYOUTS
        if option in layout.options and (layout.selector or layout.takes_config)
    ]
    return " and ".join(filter(None, (", ".join(kinds[:-1]), kinds[-1])))

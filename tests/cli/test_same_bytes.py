"""The same pairs in every layout, and in every form of it, print the same bytes."""

from pathlib import Path

import pytest

from tests.cli.running import SAMPLE, Run
from tests.layouts import LAYOUTS, Corpus, Layout, Text, as_config, scored_by_config

AS_ORIGINAL = {"lcs": True}
TOPICS = ("ferry", "bridge", "comet", "harvest")
# Enough EVALs for the order of the bootstrap to matter: 10 comes before 2.
NUMBERS = range(1, 13)
SYSTEMS = {"them": ("lead", "neural"), "us": ("neural", "extract", "lead")}
METRICS = ("-n", "2", "-w", "1.2", "-2", "4", "-U")
OPTIONS = [
    [*METRICS, "-m", "-s"],
    [*METRICS, "-f", "B", "-t", "1", "-r", "50", "-c", "90"],
    ["-n", "1", "-t", "2", "-M", "-l", "20"],
    [*METRICS, "-b", "75"],
]


def sentences(name: str) -> Text:
    return (SAMPLE / name).read_text("utf-8").splitlines()


def peers_of(system: str) -> list[Text]:
    names = SYSTEMS[system]
    return [sentences(f"peers/{TOPICS[k % 4]}.{names[k % len(names)]}.txt") for k in NUMBERS]


CORPUS = Corpus(
    {system: peers_of(system) for system in SYSTEMS},
    {name: [sentences(f"models/{TOPICS[k % 4]}.{name}.txt") for k in NUMBERS] for name in "AB"},
)


@pytest.fixture(scope="module")
def as_xml(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pairs as a configuration."""
    folder = tmp_path_factory.mktemp("config")
    as_config(CORPUS, folder)
    return folder


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_the_same_bytes(
    layout: Layout, options: list[str], as_xml: Path, run: Run, tmp_path: Path
) -> None:
    expected = run(*options, "-d", *scored_by_config(layout), cwd=as_xml)
    found = run(*options, "-d", *layout(CORPUS, tmp_path), cwd=tmp_path)
    assert (found.code, found.err) == (0, "")
    assert found.out == expected.out
    assert expected.out.count(b" Eval ") >= len(NUMBERS)


def test_the_sample_as_records(run: Run) -> None:
    for options in (["-d", "-m", "-s", *METRICS], ["-b", "75", "-n", "1"]):
        expected = run(*options, "-a", "config.xml", cwd=SAMPLE)
        assert run(*options, "records.jsonl") == expected
        assert run(*options, "records.jsonl", "lead") == run(*options, "config.xml", "lead")

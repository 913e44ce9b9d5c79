"""Annotated records with inline values, nan, and rows of several lists."""

from typing import Annotated, NamedTuple

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import NUMBER_OR_NULL, Shown, csv_rows, data_of, json_schema, table_of

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Settings:
    """Values that a report holds beside others."""

    seed: Annotated[int, Shown("Seed.")]


class Effect(NamedTuple):
    """A record inside another one."""

    p: Annotated[float, Shown("p.", column="{}_p", write=2)]


@dataclass(frozen=True, slots=True)
class Single:
    """A row."""

    name: Annotated[str, Shown("Name.")]
    value: Annotated[float, Shown("Value.", write=1, schema=NUMBER_OR_NULL)]


@dataclass(frozen=True, slots=True)
class Double:
    """A row with other columns, some of them shared."""

    name: Annotated[str, Shown("Name.")]
    effect: Annotated[Effect | None, Shown("Effect.")]


@dataclass(frozen=True, slots=True)
class Root:
    """A result with rows of two kinds."""

    settings: Annotated[Settings, Shown(is_inline=True)]
    singles: Annotated[tuple[Single, ...], Shown("Singles.")]
    doubles: Annotated[tuple[Double, ...], Shown("Doubles.")]

    @property
    def size(self) -> Annotated[int, Shown("Number of singles.", key=None, column="n")]:
        """The number of singles."""
        return len(self.singles)


ROOT = Root(
    Settings(7),
    (Single("a", 0.5), Single("b", NAN)),
    (Double("c", Effect(0.25)), Double("d", None)),
)


def test_json() -> None:
    assert data_of(ROOT) == {
        "seed": 7,
        "singles": [{"name": "a", "value": 0.5}, {"name": "b", "value": None}],
        "doubles": [{"name": "c", "effect": {"p": 0.25}}, {"name": "d", "effect": None}],
    }


def test_schema() -> None:
    schema = json_schema(Root, "title", "about")
    assert list(schema["properties"]) == ["program", "version", "seed", "singles", "doubles"]
    assert schema["$defs"]["Single"]["properties"]["value"]["type"] == ["number", "null"]


def test_csv_of_two_kinds_of_rows() -> None:
    assert list(csv_rows(ROOT, "singles|doubles")) == [
        ("name", "value", "seed", "n", "effect_p"),
        ("a", 0.5, 7, 2, None),
        ("b", None, 7, 2, None),
        ("c", None, 7, 2, 0.25),
        ("d", None, 7, 2, None),
    ]


def test_csv_of_the_root() -> None:
    assert list(csv_rows(ROOT, "")) == [("seed", "n"), (7, 2)]


def test_tables_follow_paths() -> None:
    table = table_of(ROOT.doubles, Double, "name", "effect.p")
    assert [column.heading for column in table.columns] == ["name", "p"]
    assert [[cell.text for cell in row] for row in table.rows] == [["c", "0.25"], ["d", "-"]]
    (row,) = table_of([ROOT], Root, "settings.seed").rows
    assert [cell.text for cell in row] == ["7"]

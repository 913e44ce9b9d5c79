"""Write the JSON Schemas of the reports, docs/*.schema.json, and docs/reference/results.md.

``python tools/make_schemas.py`` writes them; a test checks that they are current.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args

from rouge_cli.explanations.view import ExplanationReport
from rouge_cli.reports.rows import columns_of_field, fields_of
from rouge_cli.studies.compare.replicability import SetResult
from rouge_cli.studies.compare.results import ComparisonResult, PairResult, Ranking
from rouge_cli.studies.context import Context, ContextRow, ContextScore
from rouge_cli.studies.correlate.result import (
    CorrelationColumn,
    CorrelationStudy,
    MetricCorrelation,
    MetricTest,
)
from rouge_cli.studies.identify import Identification, Setting, SettingClass
from rouge_cli.studies.planning import PlannedColumn, PowerPoint, StudyPlan
from rouge_cli.studies.protocols import ProtocolMean, ProtocolTable
from rouge_cli.studies.score.rows import ScoreReport
from tools.json_schemas import json_schema

DOCS = Path(__file__).resolve().parents[1] / "docs"

INTRODUCTION = """\
# Results

Generated from the code: the values of each report, by their paths in JSON (`[]` is an item of a
list) and their columns in CSV. In Python they are attributes of `result.result`. `?` marks what
JSON and CSV leave out if there is no value. An interval is a list of two numbers in JSON, and two
columns in CSV. Every report in JSON begins with `program` and `version`; the schemas are JSON
Schemas (draft 2020-12).
"""


class StudyResult(NamedTuple):
    """The record of a study, the classes whose values are in CSV, and what a row of CSV is."""

    root: type
    in_csv: tuple[type, ...]
    row: str


STUDIES: Mapping[str, StudyResult] = {
    "compare": StudyResult(
        ComparisonResult,
        (ComparisonResult, Ranking, PairResult, SetResult),
        "a pair of systems in one metric and measure; `--dataset` adds rows for each data set",
    ),
    "plan": StudyResult(
        StudyPlan,
        (StudyPlan, PlannedColumn, PowerPoint),
        "a point of the curve of a metric and measure or, without a curve, a metric and measure",
    ),
    "correlate": StudyResult(
        CorrelationStudy,
        (CorrelationStudy, CorrelationColumn, MetricCorrelation, MetricTest),
        "a metric, or a test of two metrics, for one judgement, level and coefficient",
    ),
    "identify": StudyResult(Identification, (Identification, SettingClass, Setting), "a setting"),
    "context": StudyResult(
        Context,
        (Context, ContextRow, ContextScore),
        "a system, human or selection in one metric and measure",
    ),
    "protocols": StudyResult(
        ProtocolTable,
        (ProtocolTable, ProtocolMean),
        "a protocol and system in one metric and measure: `protocol`, `system`, `metric`, "
        "`measure`, `mean`",
    ),
}
"""A new study is a line here."""


def generated() -> dict[str, str]:
    """Return the text of each generated file by its path in docs."""
    schemas = {
        "report": json_schema(
            ScoreReport, "Report of rouge-cli", "What rouge-cli --report json writes."
        ),
        "explanation": json_schema(
            ExplanationReport,
            "Explanation of rouge-cli",
            "What rouge-cli explain --report json writes.",
        ),
    }
    for name, study in STUDIES.items():
        command = "protocols --compare" if name == "protocols" else name
        schemas[name] = json_schema(
            study.root, f"Report of rouge-cli {name}", f"What {command} --report json writes."
        )
    files = {
        f"{name}.schema.json": json.dumps(schema, indent=2) + "\n"
        for name, schema in schemas.items()
    }
    return files | {"reference/results.md": "\n".join([INTRODUCTION, *map(section, STUDIES)])}


def section(name: str) -> str:
    """Return the section of a study."""
    study = STUDIES[name]
    lines = [
        f"## {name}",
        "",
        f"[{name}.schema.json](../{name}.schema.json). Each row of CSV is {study.row}.",
        "",
        "| JSON | CSV | meaning |",
        "| --- | --- | --- |",
        *(f"| {' | '.join(row)} |" for row in rows(study.root, study, set())),
    ]
    return "\n".join(lines) + "\n"


def rows(
    cls: Any, study: StudyResult, seen: set[Any], path: str = "", holder: str = ""
) -> Iterator[list[str]]:
    """Yield JSON path, columns and meaning of each value; `holder` is as in `csv_columns`."""
    for field in fields_of(cls):
        inner = next(filter(is_record, (field.type, *get_args(field.type))), None)
        is_list = inner is not None and inner is not field.type
        here = f"{path}{field.key}{'[]' * is_list}"
        is_in_csv = cls in study.in_csv or bool(holder)
        columns = list(columns_of_field(field, holder)) if is_in_csv else []
        names = [f"`{column.name}`{'?' * column.optional}" for column in columns]
        cells = [
            f"`{here}`{'?' * field.shown.optional}" if field.shown.key is not None else "",
            "" if inner else ", ".join(names),
        ]
        if any(cells):
            yield [*cells, field.shown.about]
        # Records that two lists have, such as classes of settings, are listed once.
        if inner is not None and not (is_list and inner in seen):
            seen.add(inner)
            template = field.key if field.shown.column is None else field.shown.column
            yield from rows(
                inner, study, seen, f"{here}.", template.format(holder) if columns else ""
            )


def is_record(kind: Any) -> bool:
    """Return whether a type has annotated values."""
    return isinstance(kind, type) and bool(fields_of(kind))


if __name__ == "__main__":
    for name, text in generated().items():
        (DOCS / name).write_text(text, encoding="utf-8")

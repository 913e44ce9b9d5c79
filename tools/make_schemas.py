"""Write the JSON Schemas of the reports, docs/*.schema.json, from their annotated rows.

``python tools/make_schemas.py`` writes them; a test checks that they are current.
"""

import json
from pathlib import Path

from rouge_cli.explanations.rows import ExplanationReport
from rouge_cli.reports.rows import json_schema
from rouge_cli.studies.score.rows import ScoreReport

DOCS = Path(__file__).resolve().parents[1] / "docs"


def schemas() -> dict[str, str]:
    """Return the text of each schema by the name of its file."""
    made = {
        "report.schema.json": json_schema(
            ScoreReport, "Report of rouge-cli", "What rouge-cli --report json writes."
        ),
        "explanation.schema.json": json_schema(
            ExplanationReport,
            "Explanation of rouge-cli",
            "What rouge-cli explain --report json writes.",
        ),
    }
    return {name: json.dumps(schema, indent=2) + "\n" for name, schema in made.items()}


if __name__ == "__main__":
    for name, text in schemas().items():
        (DOCS / name).write_text(text, encoding="utf-8")

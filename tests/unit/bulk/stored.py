"""Results of the usual codes for documents, summaries and candidates, in fixtures/bulk."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[3] / "fixtures" / "bulk"


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]

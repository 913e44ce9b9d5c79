"""What several tests share."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """Directory of the inputs and expected outputs."""
    return Path(__file__).resolve().parent.parent / "fixtures"

"""The compiled core and then the reference in Python, for tests that both have to pass."""

from collections.abc import Iterator

import pytest

from rouge_cli.core import VARIABLE, compiled_core
from rouge_cli.errors import OptionError

__all__ = ["core"]


@pytest.fixture(params=["1", "0"], ids=["compiled", "python"], scope="module")
def core(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the compiled core work, and then Python; in further processes too."""
    with pytest.MonkeyPatch.context() as patches:
        patches.setenv(VARIABLE, request.param)
        try:
            compiled_core()
        except OptionError:
            pytest.skip("the core is not built")
        yield

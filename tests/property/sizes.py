"""Make batches and pieces small, so that a few texts fill many of them."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

# They bring in all that holds a size.
import rouge_cli.inputs.records.json_rows
import rouge_cli.run.pipeline  # noqa: F401


@contextmanager
def small_batches(n_pairs: int, batch_bytes: int, piece_bytes: int) -> Iterator[None]:
    """Set the sizes wherever a module of the scoring holds them, for a while."""
    sizes = {
        "BATCH_PAIRS": n_pairs,
        "BATCH_BYTES": batch_bytes,
        "PIECE_BYTES": piece_bytes,
        "EVALS_AT_A_TIME": n_pairs,
        "LINES_AT_A_TIME": n_pairs,
        "LINES_AT_ONCE": piece_bytes,
    }
    with ExitStack() as patches:
        for name, size in sizes.items():
            holders = [
                module
                for path, module in sys.modules.items()
                if path.startswith(("rouge_cli.run.", "rouge_cli.scores.", "rouge_cli.inputs."))
                and hasattr(module, name)
            ]
            assert holders, f"no module holds {name}"
            for module in holders:
                patches.enter_context(patch.object(module, name, size))
        yield

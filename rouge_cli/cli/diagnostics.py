"""What ``-v`` says of a run, on standard error."""

from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING

from rouge_cli import __version__
from rouge_cli.options.presets import PRESETS

if TYPE_CHECKING:
    from rouge_cli.scoring.results import Results

__all__ = ["diagnostics"]


def diagnostics(config: str, results: "Results", start: float) -> Iterator[str]:
    """Yield what was read and computed since `start`, a line at a time."""
    options = results.options
    yield f"rouge-cli {__version__}, {config}: {len(results.systems)} systems"
    if (preset := options.presets.preset) is not None:
        settings = ", ".join(f"{name}={value}" for name, value in PRESETS[preset].items())
        yield f"preset {preset}: {settings}; options given beside it win"
    for system in results.systems.values():
        yield f"system {system.id}: {len(system.eval_ids)} EVALs"
    metrics = next(iter(results.systems.values())).metrics
    yield f"metrics: {', '.join(metrics)}"
    switches = {
        "stems": options.texts.stem,
        "stems models only": options.texts.stem_models and not options.texts.stem,
        "drops stopwords": options.texts.remove_stopwords,
        f"first {options.texts.words} words": options.texts.words > 0,
        f"first {options.texts.bytes} bytes": options.texts.bytes > 0,
    }
    yield f"texts: {', '.join(what for what, is_on in switches.items() if is_on) or 'as they are'}"
    yield f"took {perf_counter() - start:.2f} s"

"""What a run finds around it, and has no option for."""

from collections.abc import Callable, Mapping
from dataclasses import field

from rouge_cli.quick_dataclass import dataclass

__all__ = ["RunContext"]


@dataclass(frozen=True, slots=True, eq=False)
class RunContext:
    """What surrounds a run.

    Parameters
    ----------
    environment : mapping of str to str
        Environment variables, which may name the data directory.
    progress : callable or None
        Called now and then with the number of instances done and of all.
    max_jobs : int
        Number of processes for a long run, if `Options.jobs` does not say.
    """

    environment: Mapping[str, str] = field(default_factory=dict)
    progress: Callable[[int, int], None] | None = None
    max_jobs: int = 1

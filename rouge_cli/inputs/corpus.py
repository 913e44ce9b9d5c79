"""The input of a run: EVALs, whatever layout they came in.

A corpus says which texts belong together; the texts themselves are read when their turn comes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rouge_cli.inputs.blocks import Portion
from rouge_cli.inputs.evaluation import Evaluation
from rouge_cli.inputs.evaluation_portions import evaluation_portions
from rouge_cli.inputs.instances import Instances, instances_of
from rouge_cli.inputs.text_reader import TextReader

__all__ = ["Corpus", "EvaluationCorpus"]


class Corpus(Protocol):
    """What every layout comes to."""

    @property
    def name(self) -> str:
        """What the user called it, for messages: the configuration, the file of records."""
        ...

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems to score, in the order of print."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of how it was read."""
        ...

    def instances(self) -> Instances:
        """Return the instances of the portions, in their order."""
        ...

    def portions(self) -> Iterator[Portion]:
        """Yield the work."""
        ...

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the EVALs in the order of the input, with all their systems."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationCorpus:
    """EVALs that are at hand, whose texts may still be files.

    Parameters
    ----------
    name : str
        What the user called the input.
    evals : sequence of Evaluation
        Checked: each text can be read, and its format suits the metrics.
    systems : tuple of str
        The systems to score, in the order of print.
    reader : TextReader
        How the texts are read.
    warnings : tuple of str
    """

    name: str
    evals: Sequence[Evaluation]
    systems: tuple[str, ...]
    reader: TextReader = field(default_factory=TextReader)
    warnings: tuple[str, ...] = ()

    def instances(self) -> Instances:
        """Return the instances, EVAL by EVAL."""
        return instances_of(self.evals, self.systems)

    def portions(self) -> Iterator[Portion]:
        """Yield the EVALs in portions."""
        return evaluation_portions(self.evals, self.systems, self.reader)

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the EVALs."""
        return iter(self.evals)

"""How to cite ROUGE and this program, with what a reader needs to get the same numbers."""

from collections.abc import Iterator

from rouge_cli.escapes import escape_unprintable
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.every import Options
from rouge_cli.scoring.signature import original_command, signature
from rouge_cli.version import __version__

__all__ = ["CITED", "citation"]

PAPER = """Chin-Yew Lin. 2004. ROUGE: A Package for Automatic Evaluation of Summaries. In Text
Summarization Branches Out, pages 74\N{EN DASH}81, Barcelona, Spain. Association for Computational
Linguistics.
"""

PAPER_ENTRY = """@inproceedings{lin-2004-rouge,
  author    = {Lin, Chin-Yew},
  title     = {{ROUGE}: A Package for Automatic Evaluation of Summaries},
  booktitle = {Text Summarization Branches Out},
  year      = {2004},
  month     = jul,
  address   = {Barcelona, Spain},
  publisher = {Association for Computational Linguistics},
  pages     = {74--81},
  url       = {https://aclanthology.org/W04-1013/},
}
"""

PROGRAM_ENTRY = f"""@software{{rouge-cli,
  author  = {{{{The rouge-cli developers}}}},
  title   = {{rouge-cli: {{ROUGE}}-1.5.5 in Python, exact to the byte}},
  version = {{{__version__}}},
}}
"""


CITED = f"The measure:\n\n{PAPER}\n{PAPER_ENTRY}\nThe program:\n\n{PROGRAM_ENTRY}"
"""What to cite, whatever was scored."""


def citation(options: Options) -> Iterator[str]:
    """Return, in parts, what to cite and a sentence to put into a paper on a run with `options`.

    Raises
    ------
    InputError
        If a word list of the data directory cannot be read.
    """
    *others, last = [metric.name for metric in scored_metrics(options.metrics)]
    names = f"{', '.join(others)} and {last}" if others else last
    parts: tuple[str, ...] = (
        f"The measure:\n\n{PAPER}\n{PAPER_ENTRY}\n",
        f"The program:\n\n{PROGRAM_ENTRY}\n",
        "In the paper:\n\n"
        f"{names} (Lin, 2004) {'were' if others else 'was'} computed with rouge-cli {__version__}, "
        f"{_claim(options)} Signature:\n"
        f"{signature(options)}\n\n",
    )
    command = original_command(options)
    if command is not None:
        parts += (f"The same with the original:\n\n{escape_unprintable(command)}\n",)
    return iter(parts)


def _claim(options: Options) -> str:
    """Say what the scores have to do with those of the original."""
    if options.texts.reads_as_original:
        return "which reproduces\nROUGE-1.5.5 to the last digit."
    return "which counts as\nROUGE-1.5.5 does. Its words are not those of ROUGE-1.5.5."

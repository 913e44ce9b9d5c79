"""The command ``dedup``, which drops records of JSON that resemble earlier ones."""

import json
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

from rouge_cli.atomic_files import NewFiles
from rouge_cli.cli.arguments import GroupedCommand, input_arguments, options_of
from rouge_cli.cli.output import (
    Output,
    check_outputs,
    exit_codes,
    say_line,
    shown_progress,
    warn,
    write_outputs,
)
from rouge_cli.cli.process import EXIT_UNMET
from rouge_cli.core import check_choice
from rouge_cli.errors import InputError, OptionError, Problems, RougeWarning
from rouge_cli.escapes import escaped
from rouge_cli.options.declaration import Step
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.options import RunOptions, left_out
from rouge_cli.options.reports import OUTPUT_OPTION
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.studies import DedupOptions
from rouge_cli.options.texts import TextOptions

if TYPE_CHECKING:
    from rouge_cli.bulk import FilteredTexts

EXPECTED = "lines of JSON"
MOST_GROUPS, LONGEST_SHOWN = 10, 50
SELF_INSTRUCT = {"metric": "rougeL:F", "protocol": "rouge-score"}

NOT_TAKEN = left_out("bulk") | {
    name for name, declared in ScoreOptions.options().items() if declared.step != Step.F_MEASURE
}

RecordLines = tuple[list[bytes], list[str], list[str]]
"""Records of files: their lines (unchanged), their texts, and their IDs."""


def _dedup(input_words: tuple[str, ...], **typed: Any) -> None:
    """Print the records of INPUT that do not resemble an earlier one, as Self-Instruct filters.

    INPUT has a record of JSON on each line; - is standard input. A record is dropped if the highest
    score of its text with those that were kept, or are in a file of --against, is above the
    threshold. Without --metric the score is F of Google's rougeL, as in the filters of
    Self-Instruct and Alpaca; with --metric ROUGE-L:F and the like words are those of ROUGE-1.5.5,
    or of --protocol and other options. Kept records are printed byte for byte. A summary follows on
    standard error: records read, kept and dropped, and the ten that most others resemble.
    """
    with exit_codes():
        check_choice()
        asked = DedupOptions.of(typed)
        if len(input_words) != 1:
            words = " ".join(input_words) or "none"
            raise OptionError(f"one input at a time; found {words}")
        named = ((asked.output, OUTPUT_OPTION), (asked.dropped, "--dropped"))
        check_outputs(
            [(path, option) for path, option in named if path is not None],
            (*input_words, *asked.against),
        )
        records = _read(input_words, asked)
        pool = _read(asked.against, asked, names_files=True)
        filtered = _filtered(records, pool, asked, typed)
        summary = list(_summary(filtered, records, pool))
    outputs = []
    if not asked.checks:
        outputs.append(Output(_text(compress(records[0], filtered.kept.tolist())), asked.output))
    if asked.dropped is not None:
        outputs.append(
            Output(_text(_dropped_lines(filtered, records, pool)), asked.dropped, "--dropped")
        )
    with NewFiles() as files:
        write_outputs(outputs, files)
    for line in summary:
        say_line(line)
    if asked.checks and not filtered.kept.all():
        sys.exit(EXIT_UNMET)


command = GroupedCommand(
    "dedup",
    _dedup,
    [
        *input_arguments(takes_system=False, metavar="INPUT"),
        *options_of(
            *(DedupOptions, MetricOptions, TextOptions, ScoreOptions, RunOptions),
            without=NOT_TAKEN,
        ),
    ],
)


def _read(paths: Sequence[str], asked: DedupOptions, *, names_files: bool = False) -> RecordLines:
    """Return the records of some files as lines (unchanged), texts and IDs.

    If no field has the IDs, these are line numbers, preceded by the file if `names_files`. Raises
    InputError that names all malformed lines.
    """
    from rouge_cli.inputs.files import input_name, open_input
    from rouge_cli.inputs.records.json_rows import load_json

    lines: list[bytes] = []
    texts: list[str] = []
    ids: list[str] = []
    problems = Problems()
    has_ids = asked.id is not None
    for path in paths:
        name = input_name(path)
        with open_input(path, EXPECTED) as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    text, record_id = _fields(load_json(line), asked)
                except (ValueError, RecursionError) as error:
                    reason = getattr(error, "msg", str(error))
                    problems.add(f"{name}, line {number}", reason)
                    continue
                lines.append(line)
                texts.append(text)
                line_id = f"{name}:{number}" if names_files else str(number)
                ids.append(record_id if has_ids else line_id)
    problems.raise_any()
    if paths and not lines:
        raise InputError(f"{', '.join(map(input_name, paths))}: empty, expected {EXPECTED}")
    return lines, texts, ids


def _fields(record: Any, asked: DedupOptions) -> tuple[str, str]:
    """Return the text and the ID of a record; raises ValueError if it lacks these fields."""
    from rouge_cli.inputs.records.rows import MISSING, field_value

    if not isinstance(record, dict):
        raise ValueError(f"found {type(record).__name__}, expected an object")
    values = []
    for field, kinds in ((asked.field, str), (asked.id, str | int)):
        value = "" if field is None else field_value(record, field)
        if value is MISSING:
            raise ValueError(f"no field {field!r}; the record has: {', '.join(record)}")
        # A list of sentences is a text too; newlines separate them from here on.
        if isinstance(value, list) and kinds is str and all(isinstance(x, str) for x in value):
            value = "\n".join(sentence.replace("\n", " ") for sentence in value)
        if not isinstance(value, kinds):
            raise ValueError(f"{field}: found {type(value).__name__}, expected a string")
        values.append(value)
    return values[0], str(values[1])


def _filtered(
    records: RecordLines, pool: RecordLines, asked: DedupOptions, typed: dict[str, Any]
) -> "FilteredTexts":
    from rouge_cli import bulk

    taken = {*MetricOptions.options(), *TextOptions.options(), *ScoreOptions.options(), "jobs"}
    given = {name: value for name, value in typed.items() if name in taken and value}
    chosen = {"metric": asked.metric or SELF_INSTRUCT["metric"]}
    if asked.metric is None and "protocol" not in given:
        chosen = SELF_INSTRUCT
    with shown_progress(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RougeWarning)
        filtered = bulk.filter_similar(
            records[1], pool[1], threshold=asked.threshold.value, **{**given, **chosen}
        )
    warn(str(warning.message) for warning in caught)
    return filtered


def _dropped_lines(
    filtered: "FilteredTexts", records: RecordLines, pool: RecordLines
) -> Iterator[bytes]:
    """Yield a line of JSON for each dropped record.

    It has the ID of the record, the ID of the one that it resembles, their score, and the record.
    """
    (lines, _, own_ids), (_, _, pool_ids) = records, pool
    # The numbers of similar records count those of the pool first.
    ids = [*pool_ids, *own_ids]
    for place, nearest, score in filtered.dropped():
        matches = {"id": own_ids[place], "resembles": ids[nearest], "score": score}
        line = json.dumps(matches, ensure_ascii=False).encode("utf-8", "surrogatepass")
        # The record is inserted as read: encoding it anew could change its numbers or escapes.
        yield b'%b, "record": %b}\n' % (line[:-1], lines[place].strip())


def _summary(filtered: "FilteredTexts", records: RecordLines, pool: RecordLines) -> Iterator[str]:
    """Yield the numbers of records read, kept and dropped, and those that most others resemble."""
    n_read, n_kept = len(records[0]), int(filtered.kept.sum())
    yield f"Records: {n_read} read, {n_kept} kept, {n_read - n_kept} dropped"
    groups = Counter(nearest for _, nearest, _ in filtered.dropped())
    texts, ids = ([*earlier, *later] for earlier, later in zip(pool[1:], records[1:], strict=True))
    for nearest, count in groups.most_common(MOST_GROUPS):
        text = " ".join(texts[nearest].split())
        shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
        yield f"  {count} like {escaped(ids[nearest])}: {escaped(shown)}"


def _text(lines: Any) -> Any:
    # Outputs are encoded with the same error handler, so any bytes come out as they went in.
    return (line.decode("utf-8", "surrogateescape") for line in lines)

"""Pairing files by patterns of their names, or by names as in DUC and TAC."""

import os
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.errors import OptionError
from rouge_cli.inputs.pairing import FilePairing, Listing, pair_duc_names, parse_duc_name
from rouge_cli.inputs.patterns import (
    find_peers,
    models_by_id,
    pair_by_patterns,
    parse_model_pattern,
    parse_peer_patterns,
    split_pattern,
)
from tests.property.strategies import few
from tests.tables import NOTHING, tables_beside

TABLES = tables_beside(__file__)
NO_GROUP = r"put parentheses around it, as in 'system/(\d+)_decoded.txt', or write (?P<id>...)"
NO_ID = "write it where the ID of the text stands, as in 'reference/#ID#_reference.txt'"
NO_REGEX = "not a regular expression of Python"
NO_NAME = (
    "no DUC or TAC name; expected a name such as D061.M.100.J.26 for a prediction, "
    "D061.M.100.J.A for a reference"
)


def spelt_out(line: str) -> str:
    """Return an expected line with the constants that it names."""
    return re.sub("NO_[A-Z]+", lambda match: str(globals()[match[0]]), line)


@pytest.mark.parametrize(("given", "expected"), TABLES["folders"])
def test_folder_and_expression(
    given: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pattern, _, existing = given.partition(" & ")
    monkeypatch.setattr(os.path, "isdir", existing.split().__contains__)
    parts = split_pattern("--peers", pattern)
    texts = parts.folder or NOTHING, "".join(parts.tokens), str(parts.depth)
    assert [" & ".join(texts)] == expected


@pytest.mark.parametrize(
    ("given", "expected"), [*TABLES["peers"], ("(\udce9.) < \udce91", ["X \udce91 \udce91"])]
)
def test_peers(given: str, expected: list[str]) -> None:
    patterns, _, names = given.partition(" < ")
    of_patterns = [
        find_peers(pattern, names.split()) for pattern in parse_peer_patterns(patterns.split(" & "))
    ]
    assert [" ".join(peer) for peers, _ in of_patterns for peer in peers] == expected
    assert not any(problems for _, problems in of_patterns)


@pytest.mark.parametrize(("patterns", "lines"), TABLES["no patterns"])
def test_patterns_that_are_none(patterns: str, lines: list[str]) -> None:
    is_peer = lines[0].startswith("--peers")
    with pytest.raises(OptionError) as caught:
        parse_peer_patterns(patterns.split(" & ")) if is_peer else parse_model_pattern(patterns)
    assert [str(caught.value)] == list(map(spelt_out, lines))


def test_a_pattern_with_a_newline() -> None:
    problem = rf"--peers 'a\n(b': {NO_REGEX}: missing ), unterminated subpattern, at character 3"
    with pytest.raises(OptionError) as caught:
        parse_peer_patterns(["a\n(b"])
    assert str(caught.value) == problem


@pytest.mark.parametrize(
    ("pattern", "name", "found"),
    [
        ("(a)|b", "b", "''"),
        ("a(.*)", "a", "''"),
        (r"a([\s\S])", "a\n", r"'\n'"),
        (r"a([\s\S])", "a\x7f", r"'\x7f'"),
    ],
)
def test_ids_that_are_none(pattern: str, name: str, found: str) -> None:
    (parsed,) = parse_peer_patterns([pattern])
    path = name if name.isprintable() else ascii(name)
    assert find_peers(parsed, [name]) == (
        [],
        [
            f"{path}: the ID of the text is {found} by --peers '{pattern}'; expected some "
            "characters, none of them a control character"
        ],
    )


def test_system_that_is_none() -> None:
    (parsed,) = parse_peer_patterns(["(?P<system>a?)(.)"])
    assert find_peers(parsed, ["1", "a2"]) == (
        [("a", "2", "a2")],
        [
            "1: the ID of the system is '' by --peers '(?P<system>a?)(.)'; expected some "
            "characters, none of them a control character"
        ],
    )


@pytest.mark.parametrize(("given", "expected"), TABLES["models"])
def test_models(given: str, expected: list[str]) -> None:
    pattern, eval_ids, names = given.split(" < ")
    models = models_by_id(parse_model_pattern(pattern), eval_ids.split(), names.split())
    lines = [f"{eval_id}: {' '.join(of_eval)}" for eval_id, of_eval in models.items()]
    assert sorted(lines or [NOTHING]) == sorted(expected)


def test_models_in_any_case_beyond_ascii() -> None:
    # The Kelvin sign is a k, and the long s is an s.
    names = ["mk", "mK", "m\u017f"]
    models = models_by_id(parse_model_pattern("(?i)m#ID#"), ["\u212a", "S"], names)
    assert models == {"\u212a": ["mk", "mK"], "S": ["m\u017f"]}


@pytest.mark.parametrize(
    ("pattern", "names", "expected"),
    [
        ("#ID#.txt", ["1.txt", ".txt", "1.html"], ["1.txt"]),
        ("#ID#/#ID#", ["1/1", "1/2"], ["1/1"]),
        ("a#ID#|b#ID#", ["a1", "b2", "c3"], ["a1", "b2"]),
        # With a reference by number no group may be added: then the IDs may differ.
        (r"(.)\1#ID#-#ID#", ["aa1-1", "aa1-2", "ab1-1"], ["aa1-1", "aa1-2"]),
        (r"#ID#", ["\n", "a\nb"], ["\n", "a\nb"]),
    ],
)
def test_models_of_some_id(pattern: str, names: list[str], expected: list[str]) -> None:
    assert list(filter(parse_model_pattern(pattern).regex.fullmatch, names)) == expected


PIECES = [
    *("a", "b", "1", ".", "-", r"\.", r"\d", "[ab]", "[^a]", "[.#|(]", r"[\]1]"),
    *(".*", ".*?", ".+", "a?", "[ab]*", r"\d+", "(a|b1)", "(?:a)?", "(.)", "(.*)", "(?i:a)"),
    *("|", "^", "$", r"\b", "(?=a)", "(?!1)", "(?<=a)", "(?#()", "(#ID#)", "(?:#ID#|a)"),
]
SHORT = st.text("aAb1.-#", max_size=4)


@st.composite
def model_patterns(draw: st.DrawFn) -> str:
    pieces = draw(st.lists(st.sampled_from(PIECES), max_size=5))
    for _ in range(draw(st.integers(1, 2))):
        pieces.insert(draw(st.integers(0, len(pieces))), "#ID#")
    return draw(st.sampled_from(["", "", "", "(?i)", "(?x)"])) + "".join(pieces)


@few(600)
@given(
    model_patterns(),
    st.lists(SHORT, unique=True, max_size=6),
    st.lists(st.text("aAb1.-#", max_size=8), unique=True, max_size=12),
    st.data(),
)
def test_search_is_substitution(
    pattern: str, eval_ids: list[str], names: list[str], data: st.DataObject
) -> None:
    # Names in which an ID stands, or else hardly any would fit.
    for eval_id in eval_ids:
        before, after = data.draw(SHORT), data.draw(SHORT)
        names += [before + eval_id + after, eval_id + after]
    names = list(dict.fromkeys(names))
    try:
        parsed = parse_model_pattern(pattern)
    except OptionError:
        return
    literal = {
        eval_id: [
            name
            for name in names
            if re.fullmatch(pattern.replace("#ID#", f"(?:{re.escape(eval_id)})"), name)
        ]
        for eval_id in eval_ids
    }
    found = models_by_id(parsed, eval_ids, names)
    assert found == {eval_id: fitting for eval_id, fitting in literal.items() if fitting}


@few(300)
@given(
    st.lists(st.sampled_from(PIECES[:11]), max_size=4),
    st.lists(st.sampled_from(PIECES[:11]), max_size=4),
    st.lists(SHORT, unique=True, max_size=6),
    st.lists(SHORT, max_size=6),
)
def test_search_by_place_is_substitution(
    before: list[str], after: list[str], eval_ids: list[str], ends: list[str]
) -> None:
    pattern = "".join([*before, "#ID#", *after])
    samples = {"[ab]": "b", "[^a]": "-", "[.#|(]": "|", r"[\]1]": "1", r"\d": "1", r"\.": "."}
    start = "".join(samples.get(piece, piece) for piece in before)
    stop = "".join(samples.get(piece, piece) for piece in after)
    names = [start + one + stop + end for one in eval_ids for end in ("", *ends)]
    names = list(dict.fromkeys(names))
    found = models_by_id(parse_model_pattern(pattern), eval_ids, names)
    for eval_id in eval_ids:
        regex = re.compile(pattern.replace("#ID#", re.escape(eval_id)))
        assert found.get(eval_id, []) == [name for name in names if regex.fullmatch(name)]
        assert start + eval_id + stop in found[eval_id]


def shown(pairing: FilePairing) -> Iterator[str]:
    yield f"systems {' '.join(pairing.systems)}"
    for eval_id, peers in pairing.peers.items():
        of_systems = " ".join(f"{system}={path}" for system, path in peers.items())
        yield f"{eval_id}: {of_systems} < {' '.join(pairing.models[eval_id])}"
    yield from (f"{file}: {reason}" for file, reason in pairing.unpaired)
    yield from (f"problem: {problem}" for problem in pairing.problems)
    yield from (f"finding: {finding}" for finding in pairing.findings)


@pytest.mark.parametrize(("given", "expected"), TABLES["pairs by patterns"])
def test_pairs_by_patterns(given: str, expected: list[str]) -> None:
    (peers, peer_names), (models, model_names) = (
        (patterns.split(" & "), names.split())
        for patterns, _, names in (side.partition(" < ") for side in given.split(" | "))
    )
    # Each pattern sees all names of its kind.
    pairing = pair_by_patterns(
        parse_peer_patterns(peers),
        [peer_names] * len(peers),
        list(map(parse_model_pattern, models)),
        [model_names] * len(models),
    )
    assert list(shown(pairing)) == expected


@pytest.mark.parametrize("pattern", ["[[a](\\d+)", "(\\d+)[!--a]", "(\\d+)[a||b]"])
def test_what_python_may_read_otherwise_one_day(pattern: str) -> None:
    # A FutureWarning of Python's would stand on standard error; here it would fail the test.
    parse_peer_patterns([pattern])
    parse_model_pattern(f"#ID#{pattern}")


@pytest.mark.parametrize(("name", "expected"), TABLES["names as in DUC and TAC"])
def test_duc_names(name: str, expected: list[str]) -> None:
    parsed = parse_duc_name(name)
    assert parsed is not None
    role = "reference" if parsed.is_model else "system"
    assert [f"{parsed.eval_id} by {role} {parsed.summariser}"] == expected


@pytest.mark.parametrize(
    "name",
    [
        *("README", "D061.M.100.J", "D061.M.100.26.html", "D061.M.100.J.a", "D061.M.100.J.A1"),
        *("D061.M.100.J.\u00c4", "D061.M.100.J.\u0663", "D061.M..J.26", "D061.M.100.J.26."),
        *("D061.M.100.J.26..AP88", "D061.M.100.J.26\n", ".D061.M.100.J.26", "D061-M-100-J-26"),
    ],
)
def test_other_names(name: str) -> None:
    assert parse_duc_name(name) is None


def duc_pairing(peers: str, models: str | None) -> FilePairing:
    folder = Listing("p/", peers.split())
    other = folder if models is None else Listing("m/", models.split())
    return pair_duc_names(folder, other, is_one_folder=models is None)


@pytest.mark.parametrize(("given", "expected"), TABLES["pairs by names"])
def test_pairs_by_names(given: str, expected: list[str]) -> None:
    peers, bar, models = given.partition(" | ")
    pairing = duc_pairing(peers, models if bar else None)
    assert list(shown(pairing)) == list(map(spelt_out, expected))


def test_more_models_than_letters() -> None:
    letters = [first + second for first in "ABC" for second in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    pairing = duc_pairing("D1.M.100.J.1", " ".join(f"D1.M.100.J.{letter}" for letter in letters))
    assert len(pairing.models["D1.M.100.J"]) == 78

"""Patterns of names. What fits is said by regular expressions themselves, and by hand."""

import os
import re
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.errors import OptionError
from rouge_cli.inputs.pairing import FilePairing
from rouge_cli.inputs.patterns import (
    find_peers,
    models_by_id,
    pair_by_patterns,
    parse_model_pattern,
    parse_peer_patterns,
    split_pattern,
)
from tests.property.strategies import few
from tests.tables import rows_of


@pytest.mark.parametrize(
    ("pattern", "existing", "folder", "rest", "depth"),
    [
        ("(a).txt", [], "", "(a).txt", 1),
        (r"system/(\d+).txt", [], "system/", r"(\d+).txt", 1),
        ("a.b/c-d/(x)", [], "a.b/c-d/", "(x)", 1),
        ("../a b/(x)", [], "../a b/", "(x)", 1),
        ("/top/(x)", [], "/top/", "(x)", 1),
        ("//top//(x)", [], "//top//", "(x)", 1),
        # The last part is an expression even if it looks like a name.
        ("a/b", ["a", "a/b"], "a/", "b", 1),
        # So is everything behind the first part that is none.
        (r"a/(\w+)/b/(x)", [], "a/", r"(\w+)/b/(x)", 3),
        ("out/(?P<system>[^/]+)/(x)", [], "out/", "(?P<system>[^/]+)/(x)", 2),
        ("[]/]/(x)", [], "", "[]/]/(x)", 2),
        ("[^]/]/(x)", [], "", "[^]/]/(x)", 2),
        (r"[\]/]/(x)", [], "", r"[\]/]/(x)", 2),
        (r"\[a/(x)", [], "", r"\[a/(x)", 2),
        (r"a\/(x)", [], "", r"a\/(x)", 2),
        # A folder by that very name is one.
        ("c++/(x)", ["c++"], "c++/", "(x)", 1),
        ("c++/(x)", [], "", "c++/(x)", 2),
        ("a/c++/d/(x)", ["a/c++"], "a/c++/d/", "(x)", 1),
        ("a/c++/d/(x)", ["c++"], "a/", "c++/d/(x)", 3),
        # The placeholder is never a name.
        ("m/#ID#/x", ["m/#ID#"], "m/", "#ID#/x", 2),
    ],
)
def test_folder_and_expression(
    monkeypatch: pytest.MonkeyPatch,
    pattern: str,
    existing: list[str],
    folder: str,
    rest: str,
    depth: int,
) -> None:
    monkeypatch.setattr(os.path, "isdir", existing.__contains__)
    parts = split_pattern("--peers", pattern)
    assert (parts.folder, "".join(parts.tokens), parts.depth) == (folder, rest, depth)


def peers(*patterns: str, names: Iterable[str]) -> list[tuple[str, str, str]]:
    names = list(names)
    found = []
    for pattern in parse_peer_patterns(patterns):
        peers_here, problems = find_peers(pattern, names)
        assert problems == []
        found += peers_here
    return found


@pytest.mark.parametrize(
    ("patterns", "names", "expected"),
    [
        pytest.param([r"(\d+).txt"], ["1.txt", "22.txt"], "X 1 1.txt|X 22 22.txt", id="digits"),
        pytest.param([r"(\d+).txt"], ["a1.txt", "1.txt~", "1.txt"], "X 1 1.txt", id="whole-name"),
        pytest.param([r"d/(\d+)"], ["1"], "X 1 d/1", id="path-as-typed"),
        pytest.param([r"s(\d)(\w)"], ["s1a"], "X 1 s1a", id="first-group"),
        pytest.param([r"(?P<other>s)(\d)"], ["s1"], "X 1 s1", id="first-unnamed-group"),
        pytest.param([r"(s)(?P<id>\d)"], ["s1"], "X 1 s1", id="group-id"),
        pytest.param([r"(?P<system>\w)-(\d)"], ["a-1", "b-1"], "a 1 a-1|b 1 b-1", id="system"),
        pytest.param([r"(?P<system>\w)/(\d)"], ["a/1"], "a 1 a/1", id="system-folder"),
        pytest.param(["one=(.)"], ["1"], "one 1 1", id="name"),
        pytest.param(["gpt-4.1 b=(.)"], ["1"], "gpt-4.1 b 1 1", id="name-with-a-dot"),
        pytest.param(["a=(.)=b"], ["1=b"], "a 1 1=b", id="first-equals"),
        pytest.param([r"(.)a=b"], ["1a=b"], "X 1 1a=b", id="no-name-with-a-group"),
        pytest.param([r"d/a=(.)"], ["a=1"], "X 1 d/a=1", id="no-name-with-a-slash"),
        pytest.param([r"(?=1)(.)"], ["1", "2"], "X 1 1", id="no-name-in-a-group"),
        pytest.param(["b=(.)", "a=(..)"], ["1", "11"], "b 1 1|a 11 11", id="several"),
        pytest.param(["(\udce9.)"], ["\udce91"], "X \udce91 \udce91", id="any-bytes"),
    ],
)
def test_peers(patterns: list[str], names: list[str], expected: str) -> None:
    assert ["{} {} {}".format(*one) for one in peers(*patterns, names=names)] == expected.split("|")


NO_GROUP = r"put parentheses around it, as in 'system/(\d+)_decoded.txt', or write (?P<id>...)"
NO_ID = "write it where the ID of the text stands, as in 'reference/#ID#_reference.txt'"
NO_REGEX = "not a regular expression of Python"
PEERS_THAT_ARE_NONE = r"""
system/\d+.txt
  --peers 'system/\d+.txt': no group for the ID of the text; NO_GROUP
(?P<system>\w+)/\d+.txt
  --peers '(?P<system>\w+)/\d+.txt': no group for the ID of the text; NO_GROUP
me=(?P<system>\w+)/(\d+)
  --peers 'me=(?P<system>\w+)/(\d+)': both NAME= and the group (?P<system>...) name the system;
    expected one of them
a=(.) & d/(.)
  --peers 'd/(.)': one of several patterns, and it names no system; put NAME= before it, or a group
    (?P<system>...) into it
=(.)
  --peers: found '=(.)', expected NAME=PATTERN
 =(.)
  --peers: found ' =(.)', expected NAME=PATTERN
a=
  --peers: found 'a=', expected NAME=PATTERN
system/(\d+.txt
  --peers 'system/(\d+.txt': NO_REGEX: missing ), unterminated subpattern, at character 8
d/*.txt
  --peers 'd/*.txt': NO_REGEX: nothing to repeat, at character 3; any characters are .* there
(a){99999999999999}
  --peers '(a){99999999999999}': NO_REGEX: the repetition number is too large
"""
MODELS_THAT_ARE_NONE = r"""
ref/x.txt
  --models 'ref/x.txt': no #ID#; NO_ID
\#ID#
  --models '\#ID#': no #ID#; NO_ID
[#ID#]
  --models '[#ID#]': no #ID#; NO_ID
ref/#ID#(
  --models 'ref/#ID#(': NO_REGEX: missing ), unterminated subpattern, at character 9
(?<=#ID#)x
  --models '(?<=#ID#)x': NO_REGEX: look-behind requires fixed-width pattern
"""


@pytest.mark.parametrize(
    ("patterns", "lines"), [*rows_of(PEERS_THAT_ARE_NONE), *rows_of(MODELS_THAT_ARE_NONE)]
)
def test_patterns_that_are_none(patterns: str, lines: list[str]) -> None:
    (message,) = lines
    for name in ("NO_GROUP", "NO_ID", "NO_REGEX"):
        message = message.replace(name, globals()[name])
    is_peer = message.startswith("--peers")
    with pytest.raises(OptionError) as caught:
        parse_peer_patterns(patterns.split(" & ")) if is_peer else parse_model_pattern(patterns)
    assert str(caught.value) == message


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


@pytest.mark.parametrize(
    ("pattern", "eval_ids", "names", "expected"),
    [
        pytest.param("#ID#.txt", "1 2", "1.txt 2.txt 3.txt", {"1": "1.txt", "2": "2.txt"}, id="id"),
        pytest.param(
            "m.[A-Z].#ID#.txt", "1 11", "m.A.1.txt m.B.1.txt m.C.11.txt m.a.1.txt",
            {"1": "m.A.1.txt m.B.1.txt", "11": "m.C.11.txt"}, id="several-models",
        ),
        pytest.param("#ID#.x", "a.b a+ ( .*", "a.b.x aab.x a+.x aa.x (.x x.x .*.x",
                     {"a.b": "a.b.x", "a+": "a+.x", "(": "(.x", ".*": ".*.x"}, id="id-is-literal"),
        pytest.param("#ID#/#ID#", "1 2", "1/1 1/2 2/2", {"1": "1/1", "2": "2/2"}, id="twice"),
        pytest.param("#ID##ID#", "1 11 111", "11 1111 111", {"1": "11", "11": "1111"}, id="beside"),
        # The dot takes any character, so the longer name fits both.
        pytest.param("m.#ID#.*", "1 10", "m.1.A m.10.A",
                     {"1": "m.1.A m.10.A", "10": "m.10.A"}, id="any-split"),
        pytest.param("m.#ID#.*?x?", "1 10", "m.1.x m.10.x",
                     {"1": "m.1.x m.10.x", "10": "m.10.x"}, id="lazy"),
        pytest.param(".*#ID#.*", "1 2 12", "12", {"1": "12", "2": "12", "12": "12"}, id="anywhere"),
        pytest.param("a#ID#|b#ID#", "1 b1", "a1 b1 ab1", {"1": "a1 b1", "b1": "ab1"}, id="either"),
        pytest.param("(#ID#)?c", "1 2", "1c c", {"1": "1c c", "2": "c"}, id="optional"),
        pytest.param("#ID#*c", "1 2", "1c 11c c", {"1": "1c 11c c", "2": "c"}, id="star"),
        pytest.param("#ID#+c", "12", "12c 1212c 122c c", {"12": "12c 1212c"}, id="plus"),
        pytest.param("#ID#{2}c", "12", "12c 1212c 122c", {"12": "1212c"}, id="number"),
        pytest.param("(?i)m#ID#", "a B", "Ma MA mb", {"a": "Ma MA", "B": "mb"}, id="any-case"),
        pytest.param("(?i)m#ID#", "\u212a S", "mk mK m\u017f",
                     {"\u212a": "mk mK", "S": "m\u017f"}, id="any-case-beyond-ascii"),
        pytest.param("(?i:m)#ID#(a)", "a A", "Maa MAa MAA", {"a": "Maa", "A": "MAa"}, id="part"),
        pytest.param("(?x)m #ID# # any", "1", "m1", {"1": "m1"}, id="verbose"),
        pytest.param("#ID#(?#[)|b(?#])", "1", "1 b", {"1": "1 b"}, id="comment"),
        pytest.param("^#ID#$", "1", "1 11", {"1": "1"}, id="anchors"),
        pytest.param(r"(.)\1#ID#", "1", "aa1 ab1", {"1": "aa1"}, id="back-reference"),
        pytest.param("(?!#ID#).", "1 2", "1 2", {"1": "2", "2": "1"}, id="look-ahead"),
        pytest.param("[#|I]#ID#", "1", "#1 |1 x1", {"1": "#1 |1"}, id="brackets"),
        pytest.param(r"\[#ID#\]", "1", "[1] 1", {"1": "[1]"}, id="escapes"),
        pytest.param(r"#ID#\d\n", "1", "12\n", {}, id="escape-of-no-class"),
    ],
)  # fmt: skip
def test_models(pattern: str, eval_ids: str, names: str, expected: dict[str, str]) -> None:
    parsed = parse_model_pattern(pattern)
    found = models_by_id(parsed, eval_ids.split(), names.split())
    assert found == {eval_id: paths.split() for eval_id, paths in expected.items()}


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


def pairing(
    peer_patterns: list[str], peer_names: str, model_patterns: list[str], model_names: str
) -> FilePairing:
    """Pair names; each pattern sees all names of its kind."""
    return pair_by_patterns(
        parse_peer_patterns(peer_patterns),
        [peer_names.split()] * len(peer_patterns),
        [parse_model_pattern(one) for one in model_patterns],
        [model_names.split()] * len(model_patterns),
    )


def test_pairs() -> None:
    found = pairing(
        ["p/(?P<system>[ab])(\\d+)"], "b2 a10 b10 a2 README", ["m/#ID#[xy]"], "10x 2x 2y READ.ME"
    )
    assert found.systems == ("a", "b")
    # Byte order of IDs: 10 before 2.
    assert list(found.peers.items()) == [
        ("10", {"a": "p/a10", "b": "p/b10"}),
        ("2", {"b": "p/b2", "a": "p/a2"}),
    ]
    assert found.models == {"10": ("m/10x",), "2": ("m/2x", "m/2y")}
    assert (found.unpaired, found.problems, found.findings) == ((), (), ())


def test_order_of_systems() -> None:
    patterns = ["z=z(.)", "(?P<system>[ab])(.)", "c=c(.)"]
    assert pairing(patterns, "b1 a1 c1 z1", ["#ID#"], "1").systems == ("z", "a", "b", "c")


def test_models_pattern_by_pattern() -> None:
    # A file that two patterns find is one model.
    found = pairing(["(.)"], "1", ["#ID#b", "#ID#[abc]"], "1a 1b 1c")
    assert found.models == {"1": ("1b", "1a", "1c")}


def test_one_system_of_two_patterns() -> None:
    found = pairing(["s=a(.)", "s=b(.)"], "a1 b2", ["#ID#"], "1 2")
    assert found.systems == ("s",)
    assert found.peers == {"1": {"s": "a1"}, "2": {"s": "b2"}}


def test_unpaired() -> None:
    found = pairing(["p/(.)"], "1 2 3", [r"m/#ID#\.a", r"m/#ID#\.[ab]"], "1.a 4.a 5.b other.c")
    assert found.peers == {"1": {"X": "p/1"}}
    assert found.unpaired == (
        ("p/2 (text 2)", "a prediction without a reference"),
        ("p/3 (text 3)", "a prediction without a reference"),
        ("m/4.a", "a reference without a prediction"),
        ("m/5.b", "a reference without a prediction"),
    )


def test_two_peers_for_one_place() -> None:
    found = pairing(["s=a(.)", "s=b(.)"], "a1 b1", ["#ID#"], "1")
    assert found.problems == ("text 1, system s: two predictions, a1 and b1; expected one",)


def test_one_model_of_two_evals() -> None:
    found = pairing([r"(\d+)"], "1 10", ["m.#ID#.*"], "m.1.A m.10.A")
    assert found.problems == (
        r"m.10.A: a reference of text 1 and of text 10 by --models; expected one text; "
        r"a dot is any character, \. is a dot",
    )
    assert pairing([r"(\d+)"], "1 10", [r"m\.#ID#\..*"], "m.1.A m.10.A").problems == ()


def test_systems_that_are_lost() -> None:
    found = pairing(["a=a(.)", "b=b(.)"], "a1 b2", ["#ID#"], "1")
    assert found.systems == ("a",)
    assert found.findings == ("system b: no prediction with a reference; not scored",)


@pytest.mark.parametrize(("names", "more"), [("1", ""), ("1 2 3", ", and 2 more")])
def test_texts_measured_against_themselves(names: str, more: str) -> None:
    found = pairing(["(.)"], names, ["#ID#"], names)
    assert found.findings == (f"prediction and reference at once: 1 (text 1){more}",)


def test_a_file_that_is_used_is_not_unpaired() -> None:
    # ref_1 is no peer, though it fits; sys_1 is no model.
    found = pairing(["(.+)"], "1 ref_1", ["ref_#ID#"], "1 ref_1")
    assert (found.models, found.unpaired) == ({"1": ("ref_1",)}, ())
    found = pairing(["sys_(.)"], "1 sys_1", ["#ID#"], "1 sys_1")
    assert (found.models, found.unpaired) == ({"1": ("1",)}, ())


@pytest.mark.parametrize("pattern", ["[[a](\\d+)", "(\\d+)[!--a]", "(\\d+)[a||b]"])
def test_what_python_may_read_otherwise_one_day(pattern: str) -> None:
    # A FutureWarning of Python's would stand on standard error; here it would fail the test.
    parse_peer_patterns([pattern])
    parse_model_pattern(f"#ID#{pattern}")

"""DUC and TAC names. Expected values follow from the names of the conferences' files."""

import pytest

from rouge_cli.inputs.pairing import FilePairing, Listing, pair_duc_names, parse_duc_name


@pytest.mark.parametrize(
    ("name", "eval_id", "summariser", "is_model"),
    [
        ("D061.M.100.J.26", "D061.M.100.J", "26", False),
        ("D061.M.100.J.A", "D061.M.100.J", "A", True),
        ("D061.M.100.J.AB", "D061.M.100.J", "AB", True),
        ("D061.P.10.J.A.AP880911-0016", "D061.P.10.J.AP880911-0016", "A", True),
        ("D061.P.10.J.26.AP880911-0016", "D061.P.10.J.AP880911-0016", "26", False),
        ("D30001.P.10.T.1.APW19981016.0240", "D30001.P.10.T.APW19981016.0240", "1", False),
        ("D0801-A.M.100.A.1", "D0801-A.M.100.A", "1", False),
        ("D0801-A.M.100.A.B", "D0801-A.M.100.A", "B", True),
        ("D301.M.250.I.A", "D301.M.250.I", "A", True),
        ("d061.m.200e.j.26", "d061.m.200e.j", "26", False),
        ("D061.M.100.J.26.html", "D061.M.100.J", "26", False),
        ("D061.M.100.J.A.HTM", "D061.M.100.J", "A", True),
        ("D061.M.100.J.A.Txt", "D061.M.100.J", "A", True),
        ("D061.M.100.J.A.spl.txt", "D061.M.100.J", "A", True),
        ("D061.P.10.J.A.AP88.txt.html", "D061.P.10.J.AP88", "A", True),
        ("D061.P.10.J.A.html.AP88", "D061.P.10.J.html.AP88", "A", True),
    ],
)
def test_names(name: str, eval_id: str, summariser: str, is_model: bool) -> None:
    found = parse_duc_name(name)
    assert found is not None
    assert (found.eval_id, found.summariser, found.is_model) == (eval_id, summariser, is_model)


@pytest.mark.parametrize(
    "name",
    [
        "README",
        "D061.M.100.J",
        "D061.M.100.26.html",
        "D061.M.100.J.a",
        "D061.M.100.J.A1",
        "D061.M.100.J.\u00c4",
        "D061.M.100.J.\u0663",
        "D061.M..J.26",
        "D061.M.100.J.26.",
        "D061.M.100.J.26..AP88",
        "D061.M.100.J.26\n",
        ".D061.M.100.J.26",
        "D061-M-100-J-26",
    ],
)
def test_other_names(name: str) -> None:
    assert parse_duc_name(name) is None


NO_NAME = (
    "no DUC or TAC name; expected a name such as D061.M.100.J.26 for a prediction, "
    "D061.M.100.J.A for a reference"
)


def pairing(peers: str, models: str | None = None) -> FilePairing:
    """Pair the names in the folders ``p`` and ``m``, or in ``p`` alone."""
    if models is None:
        folder = Listing("p/", peers.split())
        return pair_duc_names(folder, folder, is_one_folder=True)
    return pair_duc_names(
        Listing("p/", peers.split()), Listing("m/", models.split()), is_one_folder=False
    )


def test_pairs() -> None:
    found = pairing(
        "D2.M.100.J.10 D2.M.100.J.2 D10.M.100.J.2 D10.M.100.J.1.html",
        "D2.M.100.J.A D2.M.100.J.B D10.M.100.J.C",
    )
    # Byte order, of the systems and of the EVALs.
    assert found.systems == ("1", "10", "2")
    assert list(found.peers.items()) == [
        ("D10.M.100.J", {"2": "p/D10.M.100.J.2", "1": "p/D10.M.100.J.1.html"}),
        ("D2.M.100.J", {"10": "p/D2.M.100.J.10", "2": "p/D2.M.100.J.2"}),
    ]
    assert found.models == {
        "D10.M.100.J": ("m/D10.M.100.J.C",),
        "D2.M.100.J": ("m/D2.M.100.J.A", "m/D2.M.100.J.B"),
    }
    assert (found.unpaired, found.problems, found.findings) == ((), (), ())


def test_single_documents() -> None:
    found = pairing(
        "D1.P.10.T.7.APW1.01 D1.P.10.T.7.APW1.02", "D1.P.10.T.A.APW1.02 D1.P.10.T.B.APW1.01"
    )
    assert found.models == {
        "D1.P.10.T.APW1.01": ("m/D1.P.10.T.B.APW1.01",),
        "D1.P.10.T.APW1.02": ("m/D1.P.10.T.A.APW1.02",),
    }


def test_one_folder() -> None:
    found = pairing("D1.M.100.J.1 D1.M.100.J.A notes")
    assert found.peers == {"D1.M.100.J": {"1": "p/D1.M.100.J.1"}}
    assert found.models == {"D1.M.100.J": ("p/D1.M.100.J.A",)}
    assert found.unpaired == (("p/notes", NO_NAME),)


def test_more_models_than_letters() -> None:
    letters = [first + second for first in "ABC" for second in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    found = pairing("D1.M.100.J.1", " ".join(f"D1.M.100.J.{letter}" for letter in letters))
    assert len(found.models["D1.M.100.J"]) == 78


def test_other_selector_of_the_models() -> None:
    found = pairing("D1.M.100.A.1 D1.M.100.B.2 D1.P.10.A.1.AP1", "D1.M.100.J.A D1.P.10.J.A.AP1")
    # The IDs are those of the peers.
    assert found.peers == {
        "D1.M.100.A": {"1": "p/D1.M.100.A.1"},
        "D1.M.100.B": {"2": "p/D1.M.100.B.2"},
        "D1.P.10.A.AP1": {"1": "p/D1.P.10.A.1.AP1"},
    }
    assert found.models == {
        "D1.M.100.A": ("m/D1.M.100.J.A",),
        "D1.M.100.B": ("m/D1.M.100.J.A",),
        "D1.P.10.A.AP1": ("m/D1.P.10.J.A.AP1",),
    }
    assert found.unpaired == ()


def test_whole_ids_go_first() -> None:
    found = pairing("D1.M.100.A.1 D1.M.100.B.1", "D1.M.100.A.X D1.M.100.B.Y")
    assert found.models == {"D1.M.100.A": ("m/D1.M.100.A.X",), "D1.M.100.B": ("m/D1.M.100.B.Y",)}


def test_several_selectors_of_the_models() -> None:
    found = pairing("D1.M.100.C.1 D1.M.100.A.1", "D1.M.100.A.X D1.M.100.B.Y D2.M.100.C.Z")
    assert found.models == {"D1.M.100.A": ("m/D1.M.100.A.X",)}
    assert found.unpaired == (
        (
            "p/D1.M.100.C.1 (text D1.M.100.C)",
            "a prediction without a reference; the references have several selectors, D1.M.100.A "
            "and D1.M.100.B",
        ),
        ("m/D1.M.100.B.Y", "a reference without a prediction"),
        ("m/D2.M.100.C.Z", "a reference without a prediction"),
    )


def test_unpaired() -> None:
    found = pairing(
        "D1.M.100.J.1 D1.M.100.J.B D2.M.100.J.1 notes",
        "D1.M.100.J.2 D1.M.100.J.A D3.M.100.J.A D3.M.100.J.B read.me",
    )
    assert found.peers == {"D1.M.100.J": {"1": "p/D1.M.100.J.1"}}
    assert found.unpaired == (
        ("p/D1.M.100.J.B", "a reference's name among the predictions"),
        ("p/notes", NO_NAME),
        ("m/D1.M.100.J.2", "a prediction's name among the references"),
        ("m/read.me", NO_NAME),
        ("p/D2.M.100.J.1 (text D2.M.100.J)", "a prediction without a reference"),
        ("m/D3.M.100.J.A", "a reference without a prediction"),
        ("m/D3.M.100.J.B", "a reference without a prediction"),
    )


def test_two_files_for_one_place() -> None:
    found = pairing("D1.M.100.J.1 D1.M.100.J.1.html", "D1.M.100.J.A D1.M.100.J.A.txt")
    assert found.problems == (
        "text D1.M.100.J, reference A: two files, m/D1.M.100.J.A and m/D1.M.100.J.A.txt; "
        "expected one",
        "text D1.M.100.J, system 1: two predictions, p/D1.M.100.J.1 and p/D1.M.100.J.1.html; "
        "expected one",
    )


def test_systems_that_are_lost() -> None:
    found = pairing("D1.M.100.J.1 D2.M.100.J.2", "D1.M.100.J.A")
    assert found.systems == ("1",)
    assert found.findings == ("system 2: no prediction with a reference; not scored",)

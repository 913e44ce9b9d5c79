"""``import rouge_score`` means this package between `install` and `uninstall`, and only there."""

import importlib
import importlib.util
import inspect
import pickle
import subprocess
import sys
from collections.abc import Iterator

import pytest

from rouge_cli import compat
from rouge_cli.compat import google
from rouge_cli.compat.scoring import Score

NAMES = ("rouge_score", *(f"rouge_score.{part}" for part in compat.PARTS))
TARGET, PREDICTION = "the children were singing", "a child sings"

pytestmark = pytest.mark.filterwarnings("ignore:rouge_score was imported before")


@pytest.fixture(autouse=True)
def ends() -> Iterator[None]:
    before = {name: sys.modules[name] for name in sys.modules if name.startswith("rouge_score")}
    yield
    compat.uninstall()
    for name in [name for name in sys.modules if name.startswith("rouge_score")]:
        del sys.modules[name]
    sys.modules.update(before)


def imported(name: str) -> object:
    return importlib.import_module(name)


def test_the_modules_of_the_package() -> None:
    compat.install()
    for name in NAMES:
        module = imported(name)
        assert importlib.util.find_spec(name) is not None
        if name != "rouge_score":
            assert getattr(imported("rouge_score"), name.rpartition(".")[2]) is module
    with pytest.raises(ModuleNotFoundError, match=r"rouge_score\.io"):
        imported("rouge_score.io")


def test_numbers_of_the_package() -> None:
    # NLTK stems neither "children" nor "singing" into the other's words but "sings" into "sing":
    # one of 3 and one of 4 words match, F = 2 * (1/3) * (1/4) / (1/3 + 1/4) = 2/7.
    compat.install()
    scorer = imported("rouge_score.rouge_scorer").RougeScorer(["rouge1"], use_stemmer=True)  # type: ignore[attr-defined]
    assert scorer.score(TARGET, PREDICTION) == {
        "rouge1": Score(1 / 3, 1 / 4, 2 * (1 / 3) * (1 / 4) / (1 / 3 + 1 / 4))
    }


def test_numbers_of_the_original() -> None:
    # The original stems "children" into "child", so two of 3 and of 4 words match.
    compat.install(like="1.5.5")
    scorer = imported("rouge_score.rouge_scorer").RougeScorer(["rouge1"], use_stemmer=True)  # type: ignore[attr-defined]
    assert scorer.score(TARGET, PREDICTION) == {"rouge1": Score(0.66667, 0.5, 0.57143)}


def test_it_ends_with_the_block() -> None:
    for name in [name for name in sys.modules if name.startswith("rouge_score")]:
        del sys.modules[name]
    with compat.install():
        assert imported("rouge_score.rouge_scorer").RougeScorer is google.RougeScorer  # type: ignore[attr-defined]
    assert not any(name.startswith("rouge_score") for name in sys.modules)


def test_what_was_imported_comes_back() -> None:
    package = pytest.importorskip("rouge_score")
    scorers = imported("rouge_score.rouge_scorer")
    with pytest.warns(UserWarning, match="rouge_score was imported before: code that holds"):
        compat.install()
    compat.install(like="1.5.5")
    assert imported("rouge_score") is not package
    compat.uninstall()
    assert imported("rouge_score") is package
    assert imported("rouge_score.rouge_scorer") is scorers
    # A second time there is nothing to undo.
    compat.uninstall()
    assert imported("rouge_score") is package


def test_a_block_within_an_installation() -> None:
    compat.install()
    with compat.install(like="1.5.5"):
        inner = imported("rouge_score.rouge_scorer").RougeScorer  # type: ignore[attr-defined]
        assert inner is not google.RougeScorer
    assert imported("rouge_score.rouge_scorer").RougeScorer is google.RougeScorer  # type: ignore[attr-defined]


def test_never_by_itself() -> None:
    program = (
        "import sys, rouge_cli, rouge_cli.compat, rouge_cli.compat.rouge_scorer\n"
        "assert not any(name.startswith('rouge_score') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_signatures() -> None:
    assert str(inspect.signature(google.RougeScorer)).startswith(
        "(rouge_types: collections.abc.Sequence[str], use_stemmer: bool = False, "
        "split_summaries: bool = False, tokenizer: Any = None)"
    )
    assert str(inspect.signature(google.BootstrapAggregator)) == (
        "(confidence_interval: float = 0.95, n_samples: int = 1000) -> None"
    )


def test_a_copy_within_another_package() -> None:
    name = compat.COPY_OF_AZURE
    before = sys.modules.get("rouge_score")
    with compat.install(package=name):
        assert imported(f"{name}.rouge_scorer").RougeScorer is google.RougeScorer  # type: ignore[attr-defined]
        assert imported(name) is sys.modules[name]
        assert sys.modules.get("rouge_score") is before
    assert not any(module.startswith(name) for module in sys.modules)


class LoweredScorer(google.RougeScorer):
    """A scorer of a program's own, which counts its calls."""

    def __init__(self) -> None:
        super().__init__(["rouge1", "rougeL"])
        self.n_calls = 0

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        self.n_calls += 1
        return super().score(target.partition("|")[0], prediction.partition("|")[0])


def test_a_subclass() -> None:
    scorer = LoweredScorer()
    # "a b" against "a c" has one word of two, against "a b" both; what follows the bar is lost.
    assert scorer.score_multi(["a c|b", "a b|x"], "a b|y")["rouge1"] == Score(1.0, 1.0, 1.0)
    assert scorer.n_calls == 2
    compat.install()
    assert isinstance(scorer, imported("rouge_score.rouge_scorer").RougeScorer)  # type: ignore[attr-defined]
    assert isinstance(scorer, imported("rouge_score.scoring").BaseScorer)  # type: ignore[attr-defined]


def test_scorers_travel() -> None:
    with compat.install():
        scorer = imported("rouge_score.rouge_scorer").RougeScorer(["rougeLsum"])  # type: ignore[attr-defined]
    sent = pickle.dumps(scorer)
    # They arrive where nothing is installed.
    assert pickle.loads(sent).score("a\nb", "b\na")["rougeLsum"] == Score(1.0, 1.0, 1.0)
    aggregator = pickle.loads(pickle.dumps(google.BootstrapAggregator(n_samples=2)))
    aggregator.add_scores({"rouge1": Score(0.5, 0.5, 0.5)})
    assert aggregator.aggregate()["rouge1"].mid == Score(0.5, 0.5, 0.5)


class Upper:
    """A stemmer that shows which words it gets."""

    def stem(self, word: str) -> str:
        return word.upper()


def test_tokens() -> None:
    assert google.tokenize("Two-thirds, or 66%", None) == ["two", "thirds", "or", "66"]
    # Words of up to three characters are not stemmed.
    assert google.tokenize("Two-thirds, or 66%", Upper()) == ["two", "THIRDS", "or", "66"]

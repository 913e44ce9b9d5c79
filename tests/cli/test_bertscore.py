"""The BERTScore adapter of the documentation, on a small model with random weights."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import rouge_cli

PAGE = Path(__file__).parents[2] / "docs" / "extending" / "metric.md"
WORDS = ["police", "kill", "killed", "the", "gunman", "a", "ferry", "ran", "aground"]
PEERS = ["police kill the gunman", "a ferry ran aground", "police", ""]
MODELS = [["police killed the gunman", "the gunman"], ["a ferry ran aground"], ["ferry"], ["the"]]


@pytest.fixture(scope="module")
def adapter() -> Any:
    pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("transformers", reason="transformers is not installed")
    (source,) = re.findall(
        r"^<!-- not run: it needs torch and transformers -->\n```python\n(.*?)^```",
        PAGE.read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    names: dict[str, Any] = {}
    exec(source, names)
    return names["BertScore"]


@pytest.fixture(scope="module")
def model(adapter: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a model of two layers, whose weights are drawn, and its tokenizer."""
    import tokenizers
    import torch
    import transformers

    folder: Path = tmp_path_factory.mktemp("model")
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    numbers = {word: number for number, word in enumerate([*marks, *WORDS])}
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(numbers, unk_token="[UNK]"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    words.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=words,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    ).save_pretrained(folder)
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.BertConfig(vocab_size=len(numbers), intermediate_size=32, **sizes)
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def vectors(model: Path, text: str) -> list[list[float]]:
    import torch
    import transformers

    words = transformers.AutoTokenizer.from_pretrained(model, local_files_only=True)
    network = transformers.AutoModel.from_pretrained(model, local_files_only=True).eval()
    with torch.no_grad():
        rows = network(**words(text, return_tensors="pt")).last_hidden_state[0][1:-1]
    found: list[list[float]] = rows.double().tolist()
    return found


def cosine(one: list[float], other: list[float]) -> float:
    product = sum(a * b for a, b in zip(one, other, strict=True))
    squares = sum(a * a for a in one) * sum(b * b for b in other)
    return float(product / squares**0.5)


def test_against_plain_loops(adapter: Any, model: Path) -> None:
    metric = adapter(str(model))
    results = rouge_cli.evaluate(PEERS, MODELS, add=metric, resamples=0)
    scores = results["BERTScore (mean of texts)"]
    peer, others = vectors(model, PEERS[0]), [vectors(model, one) for one in MODELS[0]]
    rows = []
    for other in others:
        recall = sum(max(cosine(a, b) for a in peer) for b in other) / len(other)
        precision = sum(max(cosine(a, b) for b in other) for a in peer) / len(peer)
        rows.append((recall, precision, 2 * recall * precision / (recall + precision)))
    best = max(rows, key=lambda row: row[2])
    found = [one.per_eval.tolist() for one in scores.measures.values()]
    assert [column[0] for column in found] == pytest.approx(best, abs=1e-6)
    # Equal texts have 1; a text without words has 0.
    assert [column[1] for column in found] == pytest.approx([1, 1, 1])
    assert [column[3] for column in found] == [0, 0, 0]
    again = rouge_cli.evaluate(PEERS, MODELS, add=adapter(str(model)), resamples=0)
    assert json.dumps(again.to_dict()) == json.dumps(results.to_dict())


def test_the_signature_names_the_model(adapter: Any, model: Path, tmp_path: Path) -> None:
    import torch
    import transformers

    one = adapter(str(model), layer="1")
    assert re.fullmatch(r"model:[0-9a-f]{12}\|layer:1\|idf:no\|.*", one.signature)
    assert f"|torch:{torch.__version__}|" in one.signature
    assert one.signature.endswith(f"|transformers:{transformers.__version__}")
    for path in model.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x01")
    assert adapter(str(tmp_path), layer="1").signature != one.signature
    with pytest.raises(ValueError, match="expected a local folder"):
        adapter("bert-base-uncased")

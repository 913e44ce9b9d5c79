"""The same texts as files of their own, with a file list and a configuration, and as line files."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.cli.running import eval_xml

WORDS = (
    b"the cat sat on a mat Dogs running 3 stop-words, caf\xe2\x80\x99housekeeping "
    b"went was of to house"
).split()


@dataclass(frozen=True)
class Texts:
    """Texts with a newline between sentences.

    Parameters
    ----------
    peers : dict of str to list of bytes
        By system ID, a text for each EVAL.
    models : list of list of bytes
        As many texts in each.
    """

    peers: dict[str, list[bytes]]
    models: list[list[bytes]]

    @property
    def files(self) -> dict[str, list[bytes]]:
        models = {f"model{number}": texts for number, texts in enumerate(self.models)}
        return {**self.peers, **models}

    def write_files(self, folder: Path) -> None:
        """Write each text into a file, a file list for each system, and ``config.xml``."""
        model_names = [f"model{number}" for number in range(len(self.models))]
        for name, texts in self.files.items():
            (folder / "texts" / name).mkdir(parents=True)
            for line, text in enumerate(texts, 1):
                (folder / "texts" / name / str(line)).write_bytes(text)
        n_lines = len(self.models[0])
        for system in self.peers:
            rows = [
                " ".join(f"texts/{name}/{line}" for name in (system, *model_names))
                for line in range(1, n_lines + 1)
            ]
            (folder / f"{system}.lst").write_text("\n".join(rows), "utf-8")
        evaluations = (
            eval_xml(
                line,
                {system: f"{system}/{line}" for system in self.peers},
                {name: f"{name}/{line}" for name in model_names},
                roots=("texts", "texts"),
            )
            for line in range(1, n_lines + 1)
        )
        config = f'<ROUGE-EVAL version="1.55">\n{"".join(evaluations)}</ROUGE-EVAL>\n'
        (folder / "config.xml").write_text(config, "utf-8")

    def write_lines(self, folder: Path, separator: bytes, last: bytes = b"\n") -> None:
        for name, texts in self.files.items():
            lines = [text.replace(b"\n", separator) for text in texts]
            (folder / name).write_bytes(b"\n".join(lines) + last)

    def arguments(self, separator: str | None, *, with_names: bool = True) -> list[str]:
        arguments = []
        for system in self.peers:
            arguments += ["--peer-lines", f"{system}={system}" if with_names else system]
        for number in range(len(self.models)):
            arguments += ["--model-lines", f"model{number}"]
        return arguments + ([] if separator is None else ["--sentence-separator", separator])


def some_texts(
    n_lines: int, *, systems: str = "X", n_models: int = 1, n_sentences: int = 3, seed: int = 1
) -> Texts:
    """Make texts of up to so many sentences; a letter of `systems` is a system."""
    random = Random(seed)

    def text() -> bytes:
        sentences = [
            b" ".join(random.choices(WORDS, k=random.randint(1, 8)))
            for _ in range(random.randint(1, n_sentences))
        ]
        return b"\n".join(sentences)

    def column() -> list[bytes]:
        return [text() for _ in range(n_lines)]

    return Texts({system: column() for system in systems}, [column() for _ in range(n_models)])

"""The same texts as files of their own, with a file list and a configuration, and as line files."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.cli.running import eval_xml, write_files

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
        lines = range(1, len(self.models[0]) + 1)
        models = [name for name in self.files if name not in self.peers]
        files: dict[str, bytes | str] = {
            f"texts/{name}/{line}": text
            for name, texts in self.files.items()
            for line, text in zip(lines, texts, strict=True)
        }
        for system in self.peers:
            rows = ((f"texts/{name}/{line}" for name in (system, *models)) for line in lines)
            files[f"{system}.lst"] = "\n".join(map(" ".join, rows))
        evals = (
            eval_xml(
                line,
                *({name: f"{name}/{line}" for name in names} for names in (self.peers, models)),
                roots=("texts", "texts"),
            )
            for line in lines
        )
        files["config.xml"] = f'<ROUGE-EVAL version="1.55">\n{"".join(evals)}</ROUGE-EVAL>\n'
        write_files(folder, files)

    def write_lines(self, folder: Path, separator: bytes) -> None:
        for name, texts in self.files.items():
            lines = [text.replace(b"\n", separator) for text in texts]
            (folder / name).write_bytes(b"\n".join(lines) + b"\n")

    def arguments(self, separator: str | None) -> list[str]:
        peers = [f"--peer-lines={system}={system}" for system in self.peers]
        models = [f"--model-lines=model{number}" for number in range(len(self.models))]
        return peers + models + ([f"--sentence-separator={separator}"] if separator else [])


def some_texts(
    n_lines: int, *, systems: str = "X", n_models: int = 1, n_sentences: int = 3
) -> Texts:
    """Make texts of up to so many sentences; a letter of `systems` is a system."""
    random = Random(1)

    def text() -> bytes:
        sentences = [
            b" ".join(random.choices(WORDS, k=random.randint(1, 8)))
            for _ in range(random.randint(1, n_sentences))
        ]
        return b"\n".join(sentences)

    def column() -> list[bytes]:
        return [text() for _ in range(n_lines)]

    return Texts({system: column() for system in systems}, [column() for _ in range(n_models)])

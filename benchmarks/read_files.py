"""Read the texts that a file list names and split them into words; nothing else.

The least that a program in Python has to do before it can score anything: the yardstick for the
whole command. Run as ``python read_files.py LIST``.
"""

import sys


def main(path: str) -> None:
    """Print how many words the texts have."""
    n_words = 0
    with open(path, encoding="utf-8") as files:
        for line in files:
            for name in line.split():
                with open(name, encoding="utf-8") as text:
                    n_words += sum(len(sentence.split()) for sentence in text)
    print(n_words)


if __name__ == "__main__":
    main(sys.argv[1])

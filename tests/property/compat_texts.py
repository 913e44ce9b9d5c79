"""Texts for the scorers of `rouge_cli.compat`: words with stems of their own, signs, line ends."""

from random import Random

from hypothesis import strategies as st

WORDS = ["a", "b", "c", "the", "cats", "running", "runs", "children", "dying", "1990s", "statement"]
SIGNS = [
    *"'-.,!_?",
    "\r",
    "\t",
    "\x0b",
    "\x85",
    "\u2028",
    "é",
    "ß",
    "\u212a",
    "\u0130",
    "²",
    "中文",
]

N_WORDS = [0, 2, 5, 8, 8, 8, 12, 20]
GAPS = [*[" "] * 8, "\n", "\n", "\n\n", "-"]

words = st.sampled_from([*WORDS, "Cats", "THE", "x" * 70])
texts = st.one_of(
    st.lists(st.one_of(words, words, st.sampled_from(SIGNS)), max_size=12).map(" ".join),
    st.lists(st.lists(words, max_size=5).map(" ".join), max_size=5).map("\n".join),
    st.text(max_size=20),
)


def text_by_chance(random: Random) -> str:
    known = random.sample(WORDS, random.choice([2, 4, len(WORDS)]))
    parts = []
    for _ in range(random.choice(N_WORDS) if random.random() > 0.01 else 70):
        word = random.choice(known)
        if random.random() < 0.1:
            word = random.choice([word.title(), word + random.choice(SIGNS), str(random.random())])
        parts += [word, random.choice(GAPS)]
    return "".join(parts)

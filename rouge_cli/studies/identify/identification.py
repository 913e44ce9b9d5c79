"""Find the packages and options that could have printed some published numbers.

The texts are scored once by every candidate, and its numbers are compared with the published ones.

The answer is a set. A candidate is *consistent* if its numbers round to the published ones. Two
kinds of averages depend on random draws, so they count as consistent within three standard errors
of the draws. One is the median of resampled means. The other is the mean of ROUGE-1.5.5, unless one
of the usual orders of EVALs reproduces the numbers with its fixed draws. Candidates with the same
plain means form a *class*, whose members no further decimal of these numbers can tell apart.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.sentences import REMEDY
from rouge_cli.progress import tracked
from rouge_cli.protocols.candidates import (
    AS_LINES,
    LETTERS,
    WHOLE_TEXTS,
    Candidate,
    TextFacts,
    candidates,
    own_slack,
    untried_without_jieba,
)
from rouge_cli.protocols.catalogue import PROTOCOLS
from rouge_cli.protocols.counting import Floats
from rouge_cli.protocols.engine import Map, TextPart, count_shared
from rouge_cli.protocols.scoring import CONFIDENCE, RESAMPLES, f_measure, score_columns
from rouge_cli.protocols.texts import SENTENCES
from rouge_cli.reports.wording import group_letter
from rouge_cli.scores.bootstrap import estimate_means
from rouge_cli.scores.results import byte_order
from rouge_cli.studies.identify import (
    ORDERS,
    Identification,
    PublishedNumber,
    Setting,
    SettingClass,
    Telling,
)

if TYPE_CHECKING:
    from rouge_cli.studies.identify import IdentifyOptions

Orders = Mapping[str, NDArray[np.int64]]
"""The orders of EVALs to try, by name, each as an array of indices."""

SAME = 5e-6
"""Means within this distance count as equal: ROUGE-1.5.5 rounds each score to five decimals."""

STANDARD_ERRORS = 3
MEDIAN_FACTOR = 1.25  # ratio of the standard errors of a median and of a mean
N_NEAREST = 5
N_TELLING = 3
MOST_DECIMALS = 8
NEIGHBOURHOOD = 0.0025
"""Maximum distance of unrelated numbers from those of the nearest candidate, as a fraction of 1."""

N_DRAWS = 20_000  # unrelated numbers that are tried
ALL_TEXTS = "all"
FIRST_TEXTS = (50, 100, 200, 500, 1000, 2000, 3000, 5000, 10_000)


def identify_texts(
    part: TextPart,
    asked: "IdentifyOptions",
    *,
    system: str = "",
    eval_ids: Sequence[str] | None = None,
    map_parts: Map = map,
) -> Identification:
    """Find the candidates that could have printed the published numbers for the texts of a system.

    `map_parts` is `map`, or spreads work over processes. Raises InputError if there are no texts;
    OptionError if the options do not fit the texts, or if no package prints all of these metrics.
    """
    published, is_deep, lang = asked.published, asked.deep, asked.lang
    n_texts = len(part.predictions)
    if not n_texts:
        raise InputError("identify: there are no texts")
    orders = _orders(n_texts, eval_ids, asked.order)
    texts = [(ALL_TEXTS, part), *(changed_texts(part) if is_deep else ())]
    trials = [_Trial(changed, published, map_parts, name, lang=lang) for name, changed in texts]
    settings = [
        setting for trial in trials for setting in trial.settings(orders, has_subsets=is_deep)
    ]
    if not settings:
        raise OptionError(
            "--published: no package that is known prints "
            + ", ".join(f"{number.name} {number.letter}" for number in published)
            + " together"
        )
    consistent = _classes([setting for setting in settings if setting.match])
    nearest = _classes([setting for setting in settings if not setting.match])
    return Identification(
        system=system,
        n_texts=n_texts,
        published=published,
        n_tried=len(settings),
        orders=tuple(orders),
        consistent=consistent,
        nearest=nearest[:N_NEAREST],
        telling=_telling(consistent, published),
        chance=_chance(settings, published),
        is_deep=is_deep,
        remarks=tuple(trials[0].remarks(is_found=bool(consistent))),
    )


def means_of(
    part: TextPart,
    names: Sequence[str],
    map_parts: Map,
    *,
    without: Collection[str] = (),
    lang: str | None = None,
) -> tuple[list[Setting], tuple[str, ...]]:
    """Return settings with their mean F in some metrics, and remarks on what was not tried.

    The settings are those without random draws and without changes of the texts, except for those
    that `without` names. `lang` is the language of the texts, if it is known.
    """
    # There are no published numbers here: only the names of the metrics matter.
    asked = [PublishedNumber(name, "F", "", 0.0, 0.0, 0) for name in names]
    trial = _Trial(part, asked, map_parts, without=without, lang=lang)
    settings = [
        setting
        for setting in trial.settings({})
        if setting.direction == "as given" and setting.mean in {"mean", "f-of-means"}
    ]
    has_lines = any(setting.sentences == AS_LINES for setting in settings)
    as_given = {"", AS_LINES if has_lines else WHOLE_TEXTS}
    remarks = tuple(trial.remarks(is_found=True))
    return [item for item in settings if item.sentences in as_given], remarks


def _orders(
    n_texts: int, eval_ids: Sequence[str] | None, wanted: str | None
) -> dict[str, NDArray[np.int64]]:
    names: dict[str, Sequence[str]] = {
        "numbers-from-0": list(map(str, range(n_texts))),
        "numbers-from-1": list(map(str, range(1, n_texts + 1))),
    }
    if eval_ids is not None:
        names["ids"] = eval_ids
    elif wanted == "ids":
        raise OptionError("--order: ids: these texts have no IDs")
    orders: dict[str, NDArray[np.int64]] = {}
    for name in ORDERS if wanted is None else (wanted,):
        if name == "lines":
            orders[name] = np.arange(n_texts)
        elif name in names:
            order = byte_order(list(names[name]), "A")
            if not any(np.array_equal(order, known) for known in orders.values()):
                orders[name] = order
    return orders


class _ScoredCandidate(NamedTuple):
    """A candidate with its scores.

    `scores` holds, by metric, an array of precision, recall and F, (3, n_texts). `texts` tells how
    the texts were changed.
    """

    candidate: Candidate
    scores: Mapping[str, Floats]
    n_texts: int
    texts: str


class _Trial:
    """All candidates on one version of the texts.

    `texts` tells how the texts were changed; `lang` is their language, if it is known. Candidates
    that `without` names are left out.
    """

    def __init__(  # noqa: PLR0913
        self,
        part: TextPart,
        published: Sequence[PublishedNumber],
        map_parts: Map,
        texts: str = ALL_TEXTS,
        without: Collection[str] = (),
        *,
        lang: str | None = None,
    ) -> None:
        self.part, self.published, self.texts, self.lang = part, published, texts, lang
        self.has_punkt = _has_punkt()
        facts = TextFacts(part)
        self.is_ascii = facts.is_ascii
        names = list(dict.fromkeys(number.name for number in published))
        self.candidates = [
            candidate
            for candidate in candidates(
                names, facts, has_punkt=self.has_punkt, is_deep=texts != ALL_TEXTS, lang=lang
            )
            if all(number.letter in candidate.printed(number.name) for number in published)
            and candidate.name not in without
        ]
        # Many candidates count texts in the same way, and share one entry of `_counts`.
        self._counted = {
            (i, name): facts.counted(candidate.protocol, measure, is_swapped=candidate.is_swapped)
            for i, candidate in enumerate(self.candidates)
            for name, measure in candidate.measures.items()
        }
        self._counts = count_shared(part, self._counted.values(), map_parts)
        self._scores: dict[Any, Floats] = {}
        self._ends = np.cumsum([0, *map(len, part.references)])
        rows = zip(part.predictions, part.references, strict=True)
        self._is_blank = np.array([not all(map(str.strip, (text, *row))) for text, row in rows])

    def remarks(self, *, is_found: bool) -> Iterator[str]:
        """Yield sentences on what was not tried, and why.

        `is_found` tells whether any setting is consistent with the numbers.
        """
        if not self.has_punkt:
            yield (
                f"Sentence splitting by Punkt was not tried, as NLTK's model is missing: {REMEDY}."
            )
        if self.part.has_several:
            yield (
                "Packages that take one reference were not tried, nor predictions and references "
                "exchanged: some texts have several references."
            )
        cut = untried_without_jieba(is_ascii=self.is_ascii)
        if cut and not (is_found and self.is_ascii):
            yield (
                f"{', '.join(cut)} were not tried: they cut texts, also English ones, by jieba, "
                "which is not installed: python -m pip install jieba."
            )
        if self.lang is None and not self.is_ascii:
            names = [item.name for item in PROTOCOLS.values() if item.tried_language]
            yield (
                f"{', '.join(names)} was not tried, as its words depend on the language: "
                "--lang NAME."
            )

    def settings(self, orders: Orders, *, has_subsets: bool = False) -> list[Setting]:
        """Return the settings of all texts and, with `has_subsets`, of parts of them."""
        sizes = [1] * len(self.candidates)
        scored = [
            _ScoredCandidate(candidate, *self._kept(i, candidate), self.texts)
            for i, candidate in enumerate(tracked(self.candidates, "Scoring", sizes))
        ]
        scored = [item for item in scored if item.n_texts]
        if has_subsets and self.texts == ALL_TEXTS:
            scored += list(self._subsets(scored))
        # Candidates often have the same scores, for which the bootstrap is run only once.
        printed: dict[bytes, tuple[float, ...]] = {}
        return [self._setting(item, orders, printed) for item in scored]

    def _kept(self, number: int, candidate: Candidate) -> tuple[dict[str, Floats], int]:
        """Return the scores of a candidate, without the texts on which its package fails."""
        scores = {name: self._of(number, name, item) for name, item in candidate.measures.items()}
        is_kept = self._accepted(number, candidate)
        if is_kept.all():
            return scores, is_kept.size
        return {name: table[:, is_kept] for name, table in scores.items()}, int(is_kept.sum())

    def _of(self, number: int, name: str, measure: Any) -> Floats:
        choices = self.candidates[number].protocol.scores
        counted = self._counted[number, name]
        # Candidates that differ in nothing but their averages share their scores.
        key = (counted, choices, measure.root, measure.is_lcs and choices.lcs_formula)
        if key not in self._scores:
            self._scores[key] = score_columns(choices, measure, self._counts[counted], self._ends)
        return self._scores[key]

    def _accepted(self, number: int, candidate: Candidate) -> NDArray[np.bool_]:
        refuses = candidate.protocol.scores.refuses
        if refuses in {"blank", "js-blank"}:
            return ~self._is_blank
        has_all = np.ones(len(self.part.predictions), np.bool_)
        if candidate.protocol.means.drops == "empty-references":
            has_all = np.array([any(map(str.strip, models)) for models in self.part.references])
        if refuses == "nothing" or self.part.has_several:
            return has_all
        longest = max(measure.order for measure in candidate.measures.values())
        for name, measure in candidate.measures.items():
            # A text without words has no n-grams either, and an LCS needs no more than words.
            if measure.order == (longest if refuses == "ngrams" else 1) or measure.is_lcs:
                has_all &= (self._counts[self._counted[number, name]][1:] > 0).all(axis=0)
        return has_all

    def _subsets(self, scored: Sequence[_ScoredCandidate]) -> Iterator[_ScoredCandidate]:
        """Yield the candidates with the scores of the first texts, and of those not blank."""
        n_texts = len(self.part.predictions)
        parts = {f"the first {n}": np.arange(n) for n in FIRST_TEXTS if n < n_texts}
        if self._is_blank.any():
            parts["not blank"] = np.flatnonzero(~self._is_blank)
        for name, rows in parts.items():
            for item in scored:
                if item.n_texts == n_texts and rows.size:
                    tables = {key: table[:, rows] for key, table in item.scores.items()}
                    yield item._replace(scores=tables, n_texts=rows.size, texts=name)

    def _means(self, item: _ScoredCandidate) -> dict[tuple[str, str], tuple[float, float]]:
        protocol = item.candidate.protocol
        known = {}
        for name, table in item.scores.items():
            means = table.mean(axis=1)
            errors = table.std(axis=1, ddof=1) / item.n_texts**0.5 if item.n_texts > 1 else [0] * 3
            if item.candidate.mean == "f-of-means":
                measure = item.candidate.measures[name]
                means[2:] = f_measure(protocol.scores, measure, means[:1], means[1:2])
            for letter, printed in item.candidate.printed(name).items():
                place = LETTERS.index(printed)
                known[name, letter] = (float(means[place]), float(errors[place]))
        return known

    def _setting(
        self, item: _ScoredCandidate, orders: Orders, printed: dict[bytes, tuple[float, ...]]
    ) -> Setting:
        candidate, known = item.candidate, self._means(item)
        wanted = [(number.name, number.letter) for number in self.published]
        values = means = tuple(known[key][0] for key in wanted)
        factor = {"original": 1.0, "median-of-resamples": MEDIAN_FACTOR}.get(candidate.mean, 0.0)
        tolerances = tuple(
            factor * STANDARD_ERRORS * known[key][1] / RESAMPLES**0.5 for key in wanted
        )
        exact, match = {}, ""
        # A wide tolerance rules out most candidates, for which the bootstrap need not be run.
        if candidate.mean == "original" and self._fits(means, [2 * x for x in tolerances], SAME):
            exact = self._in_orders(item, orders, printed)
        if exact:
            values, match = next(iter(exact.values())), f"exact in the order {', '.join(exact)}"
        elif self._fits(values, tolerances, own_slack(candidate)):
            match = "within the error of the draws" if factor else "exact"
        distances = [abs(v - p.value) for v, p in zip(values, self.published, strict=True)]
        return Setting(
            name=candidate.name,
            metric=candidate.lcs,
            sentences=candidate.sentences,
            direction="exchanged" if candidate.is_swapped else "as given",
            mean=candidate.mean,
            texts=item.texts,
            n_texts=item.n_texts,
            match=match,
            values=values,
            means=means,
            tolerances=tolerances,
            distance=max(distances),
            others={" ".join(key): mean for key, (mean, _) in known.items() if key not in wanted},
        )

    def _fits(self, values: Sequence[float], tolerances: Sequence[float], slack: float) -> bool:
        return all(
            abs(value - number.value) <= number.half_unit + tolerance + slack
            for value, tolerance, number in zip(values, tolerances, self.published, strict=True)
        )

    def _in_orders(
        self, item: _ScoredCandidate, orders: Orders, printed: dict[bytes, tuple[float, ...]]
    ) -> dict[str, tuple[float, ...]]:
        """Return the orders of EVALs in which ROUGE-1.5.5 prints exactly the published numbers.

        The values are the means that it prints. `printed` has those of known scores in an order:
        draws are fixed, so the means depend on nothing else.
        """
        columns = [
            item.scores[number.name][LETTERS.index(number.letter)] for number in self.published
        ]
        exact = {}
        for name, order in orders.items():
            in_order = order[order < item.n_texts] if item.texts != ALL_TEXTS else order
            if in_order.size != item.n_texts:
                continue
            table = np.stack(columns, axis=1)[in_order]
            key = table.tobytes()
            if key not in printed:
                means = estimate_means(table, RESAMPLES, 100 * CONFIDENCE)[0]
                printed[key] = tuple(round(float(mean), 5) for mean in means)
            if self._fits(printed[key], [0.0] * len(columns), 1e-12):
                exact[name] = printed[key]
        return exact


def _has_punkt() -> bool:
    try:
        SENTENCES["punkt"]("")
    except InputError:
        return False
    return True


def _classes(settings: Sequence[Setting]) -> tuple[SettingClass, ...]:
    """Group settings with the same plain means; exact ones come first, and then the nearest."""
    in_order = sorted(
        settings, key=lambda setting: ("exact" not in setting.match, setting.distance)
    )
    means = np.array([setting.means for setting in in_order])
    is_free = np.ones(len(in_order), np.bool_)
    groups = []
    for place in range(len(in_order)):
        if is_free[place]:
            is_same = is_free & (np.abs(means - means[place]) <= SAME).all(axis=1)
            is_free &= ~is_same
            groups.append([in_order[i] for i in np.flatnonzero(is_same).tolist()])
    return tuple(
        SettingClass(group_letter(number).upper(), tuple(_merged(group)))
        for number, group in enumerate(groups)
    )


def _merged(settings: Sequence[Setting]) -> Iterator[Setting]:
    """Yield the settings; those that differ only in direction become one, "either"."""
    key_of = attrgetter("name", "metric", "sentences", "mean", "texts", "n_texts", "match")
    alike: dict[tuple[Any, ...], list[Setting]] = {}
    for setting in settings:
        alike.setdefault(key_of(setting), []).append(setting)
    for first, *others in alike.values():
        yield replace(first, direction="either") if others else first


def _telling(
    consistent: Sequence[SettingClass], published: Sequence[PublishedNumber]
) -> tuple[Telling, ...]:
    decimals = max(number.decimals for number in published)
    further = [
        Telling("", more, _n_apart(consistent, 10.0**-more))
        for more in range(decimals + 1, MOST_DECIMALS + 1)
    ]
    others = [setting.others for group in consistent for setting in group.settings]
    by_metric = []
    for name in dict.fromkeys(chain.from_iterable(others)):
        rounded = {round(known[name], decimals) for known in others if name in known}
        by_metric.append(Telling(name, decimals, len(rounded)))
    # Sorting keeps the order of equals: of decimals that separate as many groups, the fewest.
    for ways in (further, by_metric):
        ways.sort(key=attrgetter("n_groups"), reverse=True)
    return tuple(way for way in (*further[:1], *by_metric[:N_TELLING]) if way.n_groups > 1)


def _n_apart(consistent: Sequence[SettingClass], unit: float) -> int:
    if len(consistent) < 2:  # noqa: PLR2004
        return 1
    means = np.array([group.settings[0].means for group in consistent])
    widths = np.array(
        [np.max([setting.tolerances for setting in group.settings], axis=0) for group in consistent]
    )
    # Two classes that cannot be told apart from a third one form a group with it. Squaring the
    # matrix often enough follows chains of any length.
    gaps = np.abs(means[:, None] - means) - widths[:, None] - widths
    is_joined = (gaps <= unit).all(axis=2)
    for _ in range(len(consistent).bit_length()):
        is_joined = is_joined @ is_joined
    return len(np.unique(is_joined, axis=0))


def _chance(settings: Sequence[Setting], published: Sequence[PublishedNumber]) -> float:
    """Return how often unrelated numbers are consistent with some setting, as a share of 1.

    Unrelated numbers are drawn uniformly from the neighbourhoods of the settings. If no draw is
    consistent, the result is a bound instead: the share of a neighbourhood that all settings fill
    together.
    """
    # Settings with the same numbers count once.
    boxes = np.unique(
        np.round([setting.means + setting.tolerances for setting in settings], 6), axis=0
    )
    means, widths = np.split(boxes, 2, axis=1)
    widths = widths + [number.half_unit for number in published]
    draws = np.random.default_rng(2004)
    centres = means[draws.integers(len(means), size=N_DRAWS)]
    numbers = centres + draws.uniform(-NEIGHBOURHOOD, NEIGHBOURHOOD, centres.shape)
    is_hit = np.zeros(N_DRAWS, np.bool_)
    for mean, width in zip(means, widths, strict=True):
        is_hit |= (np.abs(numbers - mean) <= width).all(axis=1)
    if is_hit.any():
        return float(is_hit.mean())
    return float((widths / NEIGHBOURHOOD).prod(axis=1).sum())


# Changes that people make to texts before they score them.


def changed_texts(part: TextPart) -> Iterator[tuple[str, TextPart]]:
    """Yield the name of each usual change that has an effect, and the texts after it."""
    first_references = [row[0] for row in part.references]
    for name, change in (_CHANGES | _CUTS).items():
        predictions = list(map(change, part.predictions, first_references))
        if predictions != list(part.predictions):
            references = part.references
            if name in _CHANGES:
                references = [[change(text, text) for text in row] for row in references]
            yield name, TextPart(predictions, references)


_BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}
_BRACKET = re.compile("|".join(_BRACKETS), re.IGNORECASE)

Change = Callable[[str, str], str]  # of a text, given its first reference
_CHANGES: dict[str, Change] = {
    "in lower case": lambda text, _: text.lower(),
    "marks apart from words": lambda text, _: re.sub(r"([^\w\s])", r" \1 ", text),
    "without marks": lambda text, _: re.sub(r"[^\w\s]", " ", text),
    "-lrb- as (": lambda text, _: _BRACKET.sub(lambda match: _BRACKETS[match[0].lower()], text),
    "without newlines": lambda text, _: text.replace("\n", " "),
}


def _first_words(text: str, n_words: int) -> str:
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    return text[: ends[n_words - 1]] if 0 < n_words < len(ends) else text


_CUTS: dict[str, Change] = {
    "outputs cut after 75 bytes": lambda text, _: text.encode()[:75].decode(errors="ignore"),
    "outputs cut after 665 bytes": lambda text, _: text.encode()[:665].decode(errors="ignore"),
    "outputs cut after 100 words": lambda text, _: _first_words(text, 100),
    "outputs cut to the words of the reference": lambda text, reference: _first_words(
        text, len(reference.split())
    ),
    "the first line of outputs": lambda text, _: text.partition("\n")[0],
}

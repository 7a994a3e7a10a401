"""Fit the model that tells whether the first of the rules that come closest answers a sentence.

    python -m tests.talk.fit_offers

It prints the weights for `hots_rules/talk/reading/clear_offers.py`, and how often a rule has the fact that the tables
beside this file expect: of those that the model would state, for sentences of sets that it was not fitted to.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from unittest.mock import patch

import numpy as np
from attrs import frozen

from hots_rules.talk.reading import answers, clear_offers
from hots_rules.talk.reading.closest import offered_passages
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.speaker import Speaker
from tests.talk.sentences import Sentence, sentences, sets
from tests.talk.test_people import opening

OFFERED = 3  # rules of a sentence from which the model learns
PENALTY = 3.0  # of the squares of the weights of features with variance 1
STEPS = 30
LIKELIHOODS = (0.6, 0.65, 0.7, 0.75, 0.8)


@frozen
class Example:
    """A rule that was offered for a sentence, and whether it has the fact that is expected."""

    set: str
    rank: int
    features: tuple[float, ...]
    has_fact: bool


def examples(names: Sequence[str]) -> Iterator[Example]:
    """The rules that are offered for the sentences of some sets for which nothing surer is found."""
    asked: list[tuple[Speaker, Sequence[Token]]] = []

    def offer(speaker: Speaker, tokens: Sequence[Token], *, is_asked: bool) -> None:
        if is_asked:
            asked.append((speaker, tokens))

    with patch.object(answers, "clear_offer", offer):
        for done, name in enumerate(names):
            print(f"{done} of {len(names)} sets", end="\r", file=sys.stderr)
            for sentence in sentences(name):
                if not sentence.fact and sentence.grade != "none":
                    continue
                asked.clear()
                game = opening(sentence.opening).in_language(sentence.language)
                found = answers.reply(game, sentence.line, sentence.player or None)
                if asked and (found is None or found.kind == "choices"):
                    yield from _offered(sentence, *asked[0])


def _offered(sentence: Sentence, speaker: Speaker, tokens: Sequence[Token]) -> Iterator[Example]:
    offered = offered_passages(speaker, tokens)
    for rank, offer in enumerate(clear_offers.offers(speaker, tokens, offered, OFFERED)):
        has_fact = sentence.grade != "none" and sentence.has_fact(offer.text)
        yield Example(sentence.set, rank, tuple(offer.features.values()), has_fact)


def fit(listed: Sequence[Example]) -> tuple[float, np.ndarray]:
    """The bias, and the weight of each feature, by Newton's method with a penalty on large weights."""
    values = np.array([example.features for example in listed])
    mean, scale = values.mean(axis=0), values.std(axis=0)
    matrix = np.column_stack([np.ones(len(listed)), (values - mean) / scale])
    facts = np.array([example.has_fact for example in listed], dtype=float)
    penalty = np.diag([0.0, *[PENALTY] * len(mean)])
    weights = np.zeros(matrix.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-matrix @ weights))
        gradient = matrix.T @ (facts - likely) - penalty @ weights
        curvature = (matrix.T * (likely * (1 - likely))) @ matrix + penalty
        weights += np.linalg.solve(curvature, gradient)
    unscaled = weights[1:] / scale
    return float(weights[0] - unscaled @ mean), unscaled


def held_out(listed: Sequence[Example]) -> list[tuple[float, bool]]:
    """The likelihood of each first rule by the weights that are fitted without its set, and whether it has the fact."""
    judged = []
    for name in dict.fromkeys(example.set for example in listed):
        bias, weights = fit([example for example in listed if example.set != name])
        for example in listed:
            if example.set == name and example.rank == 0:
                likely = 1 / (1 + np.exp(-bias - weights @ np.array(example.features)))
                judged.append((float(likely), example.has_fact))
    return judged


def main() -> None:
    listed = [*examples([*sets()])]
    judged = held_out(listed)
    print(
        f"{len(judged)} sentences, {sum(has_fact for _, has_fact in judged)} whose first rule has the fact"
    )
    for least in LIKELIHOODS:
        stated = [has_fact for likely, has_fact in judged if likely >= least]
        print(f"from {least:.2f}: {len(stated)} stated, {sum(stated)} of them with the fact")
    bias, weights = fit(listed)
    print(f"BIAS = {bias:.2f}")
    for name, weight in zip(clear_offers.WEIGHTS, weights, strict=True):
        print(f'        "{name}": {weight:.3f},')


if __name__ == "__main__":
    main()

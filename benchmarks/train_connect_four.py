"""Train a policy for connect four with NumPy alone, until it beats random moves.

    python benchmarks/train_connect_four.py

A network with one hidden layer gives a preference for each action and the expected result. Its weights follow the
gradient of the policy (actor and critic).
"""

from __future__ import annotations

from time import perf_counter, process_time

import numpy as np

import hots_rules as hr

GAMES, ROUNDS, HIDDEN, RATE, ENTROPY, GOAL = 1024, 150, 256, 1e-3, 0.01, 0.97


class Network:
    """Weights, and their running means for Adam."""

    def __init__(self, size: int, actions: int, generator: np.random.Generator) -> None:
        shapes = (size, HIDDEN), (HIDDEN,), (HIDDEN, actions + 1), (actions + 1,)
        scales = (2 / size) ** 0.5, 0, 0.01, 0
        drawn = zip(shapes, scales, strict=True)
        self.weights = [generator.normal(0, 1, s).astype("f4") * np.float32(x) for s, x in drawn]
        self.means = [np.zeros_like(part) for part in self.weights]
        self.squares = [np.zeros_like(part) for part in self.weights]
        self.updates = 0

    def forward(self, seen: np.ndarray, mask: np.ndarray):
        """The hidden layer, the probabilities of the legal actions, and the expected result."""
        first, bias, second, last = self.weights
        hidden = np.maximum(seen @ first + bias, 0)
        out = hidden @ second + last
        ranks = np.where(mask, out[:, :-1], -1e9)
        powers = np.exp(ranks - ranks.max(axis=1, keepdims=True))
        return hidden, powers / powers.sum(axis=1, keepdims=True), np.tanh(out[:, -1])

    def learn(self, seen, mask, actions, results) -> None:
        """A step towards the actions that ended better than expected."""
        hidden, chances, values = self.forward(seen, mask)
        logs, slope = np.log(chances + 1e-9), chances.copy()
        entropy = -(chances * logs).sum(axis=1, keepdims=True)
        slope[np.arange(len(actions)), actions] -= 1
        slope *= (results - values)[:, None]
        slope += ENTROPY * chances * (logs + entropy)
        of_value = (values - results) * (1 - values**2)
        out = np.column_stack((slope, of_value)).astype("f4") / np.float32(len(actions))
        back = (out @ self.weights[2].T) * (hidden > 0)
        slopes = seen.T @ back, back.sum(axis=0), hidden.T @ out, out.sum(axis=0)
        self.updates += 1
        rate = RATE * (1 - 0.999**self.updates) ** 0.5 / (1 - 0.9**self.updates)
        for number, part in enumerate(slopes):
            self.means[number] += 0.1 * (part - self.means[number])
            self.squares[number] += 0.001 * (part**2 - self.squares[number])
            self.weights[number] -= rate * self.means[number] / (self.squares[number] ** 0.5 + 1e-8)


def play(batch, network: Network, seed: str, generator, *, learns: bool):
    """Games against random moves, half of them from each side: what was seen, masks, actions and results, and the share
    that was won. Where it does not learn, the network takes the best action that it knows."""
    own, results = np.arange(batch.games) % 2, np.zeros(batch.games, np.float32)
    step, turns = batch.reset(seed), []
    while (step.seats >= 0).any():
        actions = np.where(step.seats >= 0, step.random_actions(generator), -1)
        games = np.flatnonzero(step.seats == own)
        seen, mask = step.observations[games].astype("f4") / 255, batch.dense_mask()[games] > 0
        _, chances, _ = network.forward(seen, mask)
        drawn = generator.exponential(size=chances.shape) if learns else 1
        actions[games] = (chances / drawn).argmax(axis=1)
        turns.append((seen, mask, actions[games], games))
        step = batch.step(actions)
        results += step.rewards[np.arange(batch.games), own]
    *data, games = (np.concatenate(column) for column in zip(*turns, strict=True))
    return data, results[games], (results > 0).mean()


def main() -> None:
    rules, generator, began = hr.load("connect-four-1.0"), np.random.default_rng(1), perf_counter()
    batch = hr.formats.GameBatch.of(rules, "empty-board", GAMES, workers=2)
    network = Network(batch.size, batch.action_count, generator)
    for number in range(1, ROUNDS + 1):
        data, results, _ = play(batch, network, f"train/{number}", generator, learns=True)
        for part in np.array_split(generator.permutation(len(results)), 4):
            network.learn(*(column[part] for column in data), results[part])
        if number % 10 == 0:
            *_, won = play(batch, network, f"test/{number}", generator, learns=False)
            spent = f"{perf_counter() - began:.0f} s, {process_time():.0f} s of processor time"
            print(f"{number * GAMES} games, {spent}: {won:.1%} won", flush=True)
            if won >= GOAL:
                break


if __name__ == "__main__":
    main()

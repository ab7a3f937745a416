"""Approximate personalised PageRank from a few files; hardly reachable files are not visited."""

import math
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.view import GraphView

_STAY: Final = 0.3
_LEAST: Final = 5e-5
_MAX_STEPS: Final = 1000


def near(graph: GraphView, start: Sequence[RepoPath]) -> dict[RepoPath, float]:
    """Return how much of a random walk over references, either way, each file sees.

    The walk begins at `start`, and restarts with a probability of 0.3 at each step. The residual of
    a file is pushed on as long as it is above a threshold (Andersen, Chung, Lang 2006).
    """
    seen: dict[RepoPath, float] = defaultdict(float)
    left: dict[RepoPath, float] = dict.fromkeys(start, 1 / max(len(start), 1))
    waiting = deque(start)
    steps = 0
    while waiting and steps < _MAX_STEPS:
        path = waiting.popleft()
        value = left.pop(path, 0.0)
        if value < _LEAST:
            continue
        steps += 1
        seen[path] += _STAY * value
        edges = _edges(graph, path)
        whole = sum(edges.values())
        for other, weight in edges.items():
            before = left.get(other, 0.0)
            left[other] = before + (1 - _STAY) * value * weight / whole
            if before < _LEAST <= left[other]:
                waiting.append(other)
    return dict(seen)


def _edges(graph: GraphView, path: RepoPath) -> Mapping[RepoPath, float]:
    edges = {other: math.sqrt(count) for other, count in graph.targets(path).items()}
    for other, count in graph.sources(path).items():
        edges[other] = edges.get(other, 0.0) + math.sqrt(count)
    return edges

"""What the maps in a session's prompts name of what its questions need, in real histories.

`python -m benchmarks.session_recall [REPOSITORY …]`; this repository when none is given. A session
is twelve commits in a row that `recall/commits.py` takes as cases: each turn's question is the
subject, one of its files is selected, and index and history are those of its parent. The prompt
shows the stable map of the first turn and, behind it, for each question what it is likely to need:
as far as nothing above shows it (ours), or whole and for this question only (what it was before
decision 0050). Recall is that of `context_recall`, over all maps in the prompt.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from benchmarks.figure import Figure
from benchmarks.recall.commits import Case, History
from benchmarks.recall.judge import read
from benchmarks.recall.trees import Trees, counter
from jupyter_ac.index.map.budget_fill import BudgetFill
from jupyter_ac.index.map.cochange import CoChange
from jupyter_ac.index.map.ranked import likely_files
from jupyter_ac.index.map.relevance import MapQuery
from jupyter_ac.index.map.shown import ShownMaps
from jupyter_ac.index.map.stable import stable_map
from jupyter_ac.index.map.text import map_text
from jupyter_ac.settings.app import PromptSettings

HERE: Final = Path(__file__).parent.parent
TURNS: Final = 12
SESSIONS: Final = 6
APART: Final = 150
"""Commits from the beginning of one session to the next one's."""
TALK: Final = 3
import os

LATER: Final = int(os.environ.get("LATER", "1024"))
MODE: Final = os.environ.get("MODE", "A")


class Turns:
    """The maps of one session's prompts.

    Args:
        trees: the index.
        count: counts tokens.
    """

    def __init__(self, trees: Trees, count: Callable[[str], int]) -> None:
        self._trees = trees
        self._count = count
        self._log: list[str] = []
        self._stable = ""
        self._said: list[str] = []

    def ask(self, case: Case, cochange: CoChange) -> tuple[list[str], list[str]]:
        """Return the maps in the prompt of a question: as they are, and as they were."""
        settings, trees = PromptSettings(), self._trees
        first = not self._stable
        self._stable = (
            self._stable or stable_map(trees.state, settings.map_tokens, self._count).text
        )
        talk = tuple(self._said[-TALK:])
        query = MapQuery((case.given,), case.subject, talk)
        budget = settings.ranked_tokens

        def filled(budget):
            files = likely_files(
                trees.state, trees.word_index, cochange, query, budget, query.selected
            )
            filling = BudgetFill(files, budget, self._count, ShownMaps([self._stable]).paths)
            return filling, filling.fill()

        _, whole = filled(budget)
        filling, _ = filled(budget if first else LATER)
        unseen = filling.unseen(ShownMaps([self._stable, *self._log]))
        self._log += [map_text(unseen)] if unseen else []
        self._said.append(case.subject)
        return [self._stable, *self._log], [self._stable, whole]


def measure(root: Path, count):
    history = History(root)
    trees = Trees(history)
    shares = defaultdict(list)
    commits = history.commits()[::-1]
    for session in range(SESSIONS):
        turns = Turns(trees, count)
        done = 0
        start = len(commits) // 3 + session * APART
        for commit, subject in commits[start:]:
            case = next(history.cases(commit, subject), None)
            if case is None:
                continue
            trees.show(history.tree(f"{commit}^"))
            now, before = turns.ask(case, CoChange(history.log(f"{commit}^")))
            for name, texts in (("now", now), ("before", before)):
                named = read("\n\n".join(texts), trees.records)
                shares[name, "files"].append(named.recall(case.files))
                if case.others:
                    shares[name, "others"].append(named.symbol_recall(case.others))
                if case.others | case.own:
                    shares[name, "all"].append(named.symbol_recall(case.others | case.own))
            shares["now", "log"].append(count("".join(turns._log)))
            shares["before", "tokens"].append(count(before[1]))
            done += 1
            if done == TURNS:
                break
        print(
            session,
            commit[:8],
            len(trees.records),
            {k: round(fmean(v), 4) for k, v in shares.items()},
            "end log",
            shares["now", "log"][-1],
            flush=True,
        )
    history.close()


if __name__ == "__main__":
    for r in sys.argv[1:] or [HERE]:
        measure(Path(r), counter())

"""What the maps in a session's prompts name of what its questions need, in real histories.

`python -m benchmarks.session_recall [REPOSITORY …]`; this repository when none is given. A session
is twelve commits in a row that `recall/commits.py` takes as cases: each turn's question is the
subject, one of its files is selected, and index and history are those of its parent. The prompt
shows the stable map of the first turn and, behind it, for each question what it is likely to need:
as far as nothing above shows it (ours), or whole and for this question only (what it was before
decision 0054). Recall is that of `context_recall`, over all maps in the prompt.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Final, TypeAlias

from benchmarks.figure import Figure, reported
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
BEGINNINGS: Final = (0.01, 0.3, 0.7)
"""Where in the history the sessions begin."""
TALK: Final = 3
BEFORE: Final = "whole parts"
KINDS: Final = ("files", "others", "all")

Count: TypeAlias = Callable[[str], int]
Shares: TypeAlias = dict[tuple[str, str], list[float]]
"""By policy and what is counted."""


class SessionMaps:
    """The maps of one session's prompts.

    Args:
        trees: the index.
        count: counts tokens.
    """

    def __init__(self, trees: Trees, count: Count) -> None:
        self._trees = trees
        self._count = count
        self._stable = ""
        self._log: list[str] = []
        self._said: list[str] = []

    @property
    def log_tokens(self) -> int:
        """Tokens of the ranked parts in the log."""
        return sum(map(self._count, self._log))

    def ask(self, case: Case, cochange: CoChange) -> dict[str, list[str]]:
        """Return the maps in the prompt of a question, now and as it was before."""
        settings, trees = PromptSettings(), self._trees
        if not self._stable:
            self._stable = stable_map(trees.state, settings.map_tokens, self._count).text
        query = MapQuery((case.given,), case.subject, tuple(self._said[-TALK:]))
        budget = settings.ranked_tokens
        files = likely_files(trees.state, trees.word_index, cochange, query, budget, query.selected)
        filling = BudgetFill(files, budget, self._count, ShownMaps([self._stable]).paths)
        whole = filling.fill()
        unseen = filling.unseen(ShownMaps([self._stable, *self._log]))
        self._log += [map_text(unseen)] if unseen else []
        self._said.append(case.subject)
        return {"now": [self._stable, *self._log], BEFORE: [self._stable, whole]}


def judge(case: Case, maps: dict[str, list[str]], trees: Trees, shares: Shares) -> None:
    """Note what the maps of a case name."""
    everything = case.others | case.own
    for name, texts in maps.items():
        named = read("\n\n".join(texts), trees.records)
        shares[name, "files"].append(named.recall(case.files))
        if case.others:
            shares[name, "others"].append(named.symbol_recall(case.others))
        if everything:
            shares[name, "all"].append(named.symbol_recall(everything))


def measure(root: Path, count: Count) -> Shares:
    """Measure the sessions of a repository."""
    history, shares = History(root), defaultdict[tuple[str, str], list[float]](list)
    trees, commits = Trees(history), history.commits()[::-1]
    for beginning in BEGINNINGS:
        session = SessionMaps(trees, count)
        for case in islice(_cases(history, commits[int(beginning * len(commits)) :]), TURNS):
            trees.show(history.tree(f"{case.commit}^"))
            maps = session.ask(case, CoChange(history.log(f"{case.commit}^")))
            judge(case, maps, trees, shares)
        shares["now", "log"].append(session.log_tokens)
    history.close()
    return shares


def _cases(history: History, commits: Sequence[tuple[str, str]]) -> Iterator[Case]:
    for commit, subject in commits:
        yield from islice(history.cases(commit, subject), 1)


def main() -> None:
    """Measure each repository that is named."""
    count = counter()
    for root in map(Path, sys.argv[1:] or [str(HERE)]):
        shares, name = measure(root, count), root.resolve().name
        for kind in KINDS:
            now, before = fmean(shares["now", kind]), fmean(shares[BEFORE, kind])
            title, unit = f"session_recall {name}, {kind}", f"of {len(shares['now', kind])} cases"
            bar, is_met = f">= {before:.3f}", now >= before
            Figure(title, round(now, 3), unit, BEFORE, round(before, 3), bar=bar, ok=is_met).emit()
        reported(f"session_recall {name}, ranked parts", shares["now", "log"], "tokens").emit()


if __name__ == "__main__":
    main()

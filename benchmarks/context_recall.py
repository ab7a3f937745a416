"""How many of a commit's other files and symbols a map names, given one file and the subject.

`python -m benchmarks.context_recall [REPOSITORY …]`; this repository when none is given. A case is
a commit of 2 to 20 changed files and one of them that holds code; index and `git log` see the
parent only. Beside our map stand the plain ranking (`recall/plain.py`), with whole signatures and
with bare names, and a list of all files. A symbol counts when its name stands at its own file;
`others` are the touched symbols of the other files, `all` those and the given file's.
"""

import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final, TypeAlias

from benchmarks.figure import Figure
from benchmarks.recall.commits import Case, History
from benchmarks.recall.judge import read
from benchmarks.recall.plain import PlainRanking, folders
from benchmarks.recall.trees import Trees, counter
from jupyter_ac.index.map.cochange import CoChange, HistoryCommit
from jupyter_ac.index.map.ranked import ranked_map
from jupyter_ac.index.map.relevance import MapQuery

BUDGETS: Final = (1000, 2000, 4000, 8000)
CASES: Final = 40
LIMIT_S: Final = 600.0
"""A repository's time; what has been measured by then counts."""
SEED: Final = 6
BETTER: Final = 0.03
RIVALS: Final = ("plain, names", "plain, signatures")
HERE: Final = Path(__file__).parent.parent

Count: TypeAlias = Callable[[str], int]
Texts: TypeAlias = dict[tuple[str, int], str]
Shares: TypeAlias = dict[tuple[str, int, str], list[float]]
"""By contestant, budget and what is counted."""


def texts(trees: Trees, log: Sequence[HistoryCommit], case: Case, count: Count) -> Texts:
    """What each contestant prints for a case at each budget."""
    plain = PlainRanking(trees.records, [commit.paths for commit in log])
    order = plain.ranked([case.given], case.subject)
    cochange = CoChange(log)
    ask = MapQuery((case.given,), case.subject)
    found: Texts = {}
    for budget in BUDGETS:
        found["ours", budget] = ranked_map(
            trees.state, trees.word_index, cochange, ask, budget, count
        )
        found["plain, signatures", budget] = plain.print(order, budget, count, signatures=True)
        found["plain, names", budget] = plain.print(order, budget, count, signatures=False)
        found["file list", budget] = folders(sorted(trees.records), budget, count)
    return found


def judge(case: Case, found: Texts, trees: Trees, shares: Shares) -> None:
    """Note what the maps of a case name."""
    everything = case.others | case.own
    for (name, budget), text in found.items():
        named = read(text, trees.records)
        shares[name, budget, "files"].append(named.recall(case.files))
        if case.others:
            shares[name, budget, "others"].append(named.symbol_recall(case.others))
        if everything:
            shares[name, budget, "all"].append(named.symbol_recall(everything))


def measure(root: Path, count: Count, cases: int = CASES) -> Shares:
    """Measure a repository, its commits in an order drawn by lot."""
    history = History(root)
    trees = Trees(history)
    shares: Shares = defaultdict(list)
    begun = time.monotonic()
    commits = history.commits()
    random.Random(SEED).shuffle(commits)
    done = 0
    for commit, subject in commits:
        if done >= cases or time.monotonic() - begun > LIMIT_S:
            break
        for case in history.cases(commit, subject):
            trees.show(history.tree(f"{commit}^"))
            judge(case, texts(trees, history.log(f"{commit}^"), case, count), trees, shares)
            done += 1
    history.close()
    return shares


def figures(name: str, shares: Shares) -> Iterator[Figure]:
    """The lines of one repository."""
    for (contestant, budget, what), values in shares.items():
        if contestant != "ours":
            continue
        rival, beside = max((fmean(shares[plain, budget, what]), plain) for plain in RIVALS)
        value = fmean(values)
        least = rival - 0.01 if what == "files" else min(rival + BETTER, 1.0)
        bound = (rival >= 0.97) if what == "files" else budget < max(BUDGETS)
        yield Figure(
            f"context_recall {name}, {what}, {budget} tokens",
            round(value, 3),
            f"of {len(values)} cases",
            f"the stronger rival ({beside})",
            round(rival, 3),
            bar=f">= {least:.3f}" if bound else "",
            ok=value >= least if bound else None,
        )


def table(name: str, shares: Shares) -> None:
    """Print all shares of a repository, the budgets beside each other."""
    contestants = dict.fromkeys(key[0] for key in shares)
    for what in ("files", "others", "all"):
        for contestant in contestants:
            rows = [shares.get((contestant, budget, what), []) for budget in BUDGETS]
            values = " ".join(f"{fmean(row):.3f}" if row else "  -  " for row in rows)
            print(f"# {name:18} {what:7} {contestant:18} {values}  ({len(rows[0])})", flush=True)


def main() -> None:
    """Measure each repository that is named."""
    count = counter()
    for root in map(Path, sys.argv[1:] or [str(HERE)]):
        shares = measure(root, count)
        name = root.resolve().name
        table(name, shares)
        for found in figures(name, shares):
            found.emit()


if __name__ == "__main__":
    main()

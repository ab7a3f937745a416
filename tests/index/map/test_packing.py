from collections.abc import Mapping

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.naming import Name
from jupyter_ac.index.map.packing import FILE, Likely, Packing, tokens

A, B = RepoPath("pkg/a.py"), RepoPath("pkg/b.py")


def names(*texts: str) -> tuple[Name, ...]:
    return tuple(Name(text, "function", 3, -1) for text in texts)


def order(
    files: Mapping[RepoPath, Likely], limit: float, *, bare: bool
) -> list[tuple[RepoPath, int]]:
    return [step[:2] for step in Packing(files, bare=bare).order(limit)]


def test_the_likeliest_name_comes_first_and_brings_its_file() -> None:
    files = {
        A: Likely(0.1, names("one", "two"), [0.01, 0.08]),
        B: Likely(0.5, names("six"), [0.4]),
    }
    assert order(files, 1000, bare=False) == [(B, 0), (A, 1), (A, 0)]


def test_bare_files_come_by_likelihood_for_what_they_cost() -> None:
    long = RepoPath("pkg/a_very_long_name_for_a_file_indeed.py")
    files = {long: Likely(0.2, (), ()), A: Likely(0.2, (), ()), B: Likely(0.3, (), ())}
    assert order(files, 1000, bare=True) == [(p, FILE) for p in (B, A, long)]


def test_a_member_brings_its_class() -> None:
    inner = (Name("Tree", "class", 9, -1), Name("grow", "method", 3, 0))
    files = {A: Likely(0.5, inner, [0.0, 0.4])}
    assert order(files, 1000, bare=False) == [(A, 1)]


def test_a_limit_ends_the_order() -> None:
    files = {RepoPath(f"f{at:03}.py"): Likely(0.1, (), ()) for at in range(100)}
    assert 5 < len(order(files, 50, bare=True)) < 30


def test_longer_names_cost_more() -> None:
    assert tokens("a") < tokens("alpha_beta") < tokens("alpha_beta_gamma_delta")

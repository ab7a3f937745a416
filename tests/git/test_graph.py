import asyncio
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.errors import GitError, InvalidParams
from jupyter_ac.git import graph as module
from jupyter_ac.git.commits import Commit, commits_between, search_commits
from jupyter_ac.git.graph import CommitPage, Graph
from jupyter_ac.git.refs import first_parent, merge_base
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.runner import GitOptions, GitOutput, read_git
from tests.support.examples import examples
from tests.support.repositories import RepositoryFolder, git_environment, make_repository


def line_of(tmp_path: Path, *messages: str) -> RepositoryFolder:
    """Make a repository with one commit for each message."""
    folder = make_repository(tmp_path / "r")
    for message in messages:
        folder.commit(message)
    return folder


class Reader:
    """Stands for a page."""


async def first_page(folder: RepositoryFolder, *, every_ref: bool = False) -> CommitPage:
    """Give the beginning of a repository's graph."""
    return await Graph(await discover(folder.root)).page(Reader(), every_ref=every_ref)


def subjects(page: CommitPage) -> list[str]:
    """Give what the commits of a page are called."""
    return [commit.subject for commit in page.commits]


async def test_a_merge_names_its_parents_in_order(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one")
    folder.git("checkout", "-q", "-b", "side")
    side = folder.commit("on the side")
    folder.git("checkout", "-q", "main")
    main = folder.commit("on main")
    folder.git("merge", "-q", "--no-ff", "-m", "both", "side")
    page = await first_page(folder)
    assert page.commits[0].parents == (main, side)
    assert not page.has_more


async def test_pages_follow_each_other_without_gap_or_repetition(tmp_path: Path) -> None:
    folder = line_of(tmp_path, *(f"number {n}" for n in range(5)))
    folder.git("checkout", "-q", "-b", "side", "HEAD~3")
    folder.commit("on the side")
    repository = await discover(folder.root)
    whole = await first_page(folder)
    graph, reader = Graph(repository), Reader()
    pages = [await graph.page(reader, 2, at) for at in (0, 2, 4, 6)]
    assert [commit for page in pages for commit in page.commits] == whole.commits
    assert [page.has_more for page in pages] == [True, True, False, False]
    assert len(whole.commits) == 6


async def test_commits_that_arrive_between_pages_shift_nothing(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one", "two", "three", "four")
    repository = await discover(folder.root)
    graph, reader = Graph(repository), Reader()
    pages = [await graph.page(reader, 2, 0)]
    folder.commit("five")
    folder.git("checkout", "-q", "-b", "new", "HEAD~4")
    folder.git("branch", "-q", "-D", "main")
    folder.commit("beside")
    pages.append(await graph.page(reader, 2, 2))
    assert [each for page in pages for each in subjects(page)] == ["four", "three", "two", "one"]
    assert [page.has_more for page in pages] == [True, False]
    assert subjects(await graph.page(reader, 2, 0)) == ["beside", "one"]


async def test_when_the_first_pages_commits_are_gone_what_there_is_is_shown(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one", "two", "three", "four")
    repository = await discover(folder.root)
    graph, reader = Graph(repository), Reader()
    await graph.page(reader, 1, 0)
    folder.git("reset", "-q", "--hard", "HEAD~2")
    folder.git("reflog", "expire", "--expire=now", "--all")
    folder.git("gc", "-q", "--prune=now")
    page = await graph.page(reader, 1, 1)
    assert (subjects(page), page.has_more) == (["one"], False)


async def test_behind_what_is_remembered_there_are_pages_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_REMEMBERED", 3)
    repository = await discover(line_of(tmp_path, *"abcdef").root)
    for size in (1, 2, 3, 4):
        assert "".join(each.subject for each in await all_pages(repository, size)) == "fedcba"


async def test_readers_do_not_disturb_each_other(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one", "two")
    graph, early, late = Graph(await discover(folder.root)), Reader(), Reader()
    await graph.page(early, 1)
    folder.commit("three")
    assert subjects(await graph.page(late, 1)) == ["three"]
    assert subjects(await graph.page(early, 1, 1)) == ["one"]
    assert subjects(await graph.page(late, 1, 1)) == ["two"]


async def test_the_history_is_read_once_for_all_who_ask_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Sequence[str]] = []

    async def counted(directory: Path, args: Sequence[str], options: GitOptions) -> GitOutput:
        asked.append(args)
        return await read_git(directory, args, options)

    monkeypatch.setattr(module, "read_git", counted)
    graph = Graph(await discover(line_of(tmp_path, "one", "two").root))
    readers = [Reader() for _ in range(10)]
    pages = await asyncio.gather(*(graph.page(reader) for reader in readers))
    assert [subjects(page) for page in pages] == [["two", "one"]] * 10
    assert len(asked) == 1


async def test_a_page_that_no_first_one_went_before_is_one_too(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one", "two")
    page = await Graph(await discover(folder.root)).page(Reader(), 5, 1)
    assert subjects(page) == ["one"]


async def test_children_stand_before_their_parents_whatever_their_dates(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one")
    folder.clock -= 10_000
    folder.commit("its clock was wrong")
    assert subjects(await first_page(folder)) == ["its clock was wrong", "one"]


async def test_a_detached_head_is_in_the_graph(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one")
    folder.git("checkout", "-q", "--detach")
    folder.commit("on no branch")
    assert subjects(await first_page(folder)) == ["on no branch", "one"]


async def test_only_on_demand_does_the_graph_hold_what_remotes_and_tags_lead_to(
    tmp_path: Path,
) -> None:
    folder = line_of(tmp_path, "one")
    folder.git("checkout", "-q", "-b", "theirs")
    folder.git("update-ref", "refs/remotes/origin/theirs", folder.commit("of the remote"))
    folder.git("tag", "-a", "-m", "x", "v1", folder.commit("tagged"))
    folder.git("tag", "text", folder.git("hash-object", "-w", ".git/config"))
    folder.git("checkout", "-q", "main")
    folder.git("branch", "-q", "-D", "theirs")
    assert subjects(await first_page(folder)) == ["one"]
    assert subjects(await first_page(folder, every_ref=True)) == ["tagged", "of the remote", "one"]


async def test_commits_of_gits_own_making_are_no_part_of_the_graph(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    folder.commit("second")
    folder.git("replace", "--graft", "HEAD")
    folder.git("notes", "add", "-m", "noted", "HEAD")
    folder.write("a", "y\n")
    folder.git("stash", "-q")
    for every_ref in (False, True):
        page = await first_page(folder, every_ref=every_ref)
        assert [(each.subject, each.parents) for each in page.commits] == [("second", ())]


async def test_the_end_of_a_shallow_history_has_no_parents(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one", "two", "three")
    folder.git("clone", "-q", "--depth=2", folder.root.as_uri(), str(tmp_path / "shallow"))
    shallow = RepositoryFolder(tmp_path / "shallow")
    repository = await discover(shallow.root)
    graph, reader = Graph(repository), Reader()
    page = await graph.page(reader)
    assert [len(commit.parents) for commit in page.commits] == [1, 0]
    assert await first_parent(repository, "HEAD~1") is None
    shallow.git("fetch", "-q", "--unshallow")
    assert subjects(await graph.page(reader)) == ["three", "two", "one"]
    shallow.git("replace", "--graft", "HEAD")
    assert subjects(await graph.page(reader)) == ["three"]


async def test_before_the_first_commit_there_is_nothing(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    for every_ref in (False, True):
        page = await first_page(folder, every_ref=every_ref)
        assert (page.commits, page.has_more) == ([], False)
    assert await search_commits(await discover(folder.root), "anything") == []


async def test_an_orphan_branch_without_a_commit_shows_the_others(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one")
    folder.git("checkout", "-q", "--orphan", "fresh")
    assert subjects(await first_page(folder)) == ["one"]


async def test_numbers_below_zero_are_refused(tmp_path: Path) -> None:
    repository = await discover(line_of(tmp_path, "one").root)
    with pytest.raises(InvalidParams, match="offset"):
        await Graph(repository).page(Reader(), 1, -1)
    with pytest.raises(InvalidParams, match="limit"):
        await Graph(repository).page(Reader(), -1)


async def test_a_damaged_history_is_said(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one", "two")
    sha = folder.git("rev-parse", "HEAD~1")
    (folder.root / ".git" / "objects" / sha[:2] / sha[2:]).unlink()
    with pytest.raises(GitError, match="history"):
        await first_page(folder)


@dataclass(frozen=True)
class Planned:
    """A commit of a history that is made up: its parents by number, its author and its time."""

    parents: tuple[int, ...]
    author: str
    time: int


@st.composite
def histories(draw: st.DrawFn) -> list[Planned]:
    """Make up a history: roots, lines, merges of up to four, clocks that stand or go wrong."""
    commits: list[Planned] = []
    for number in range(draw(st.integers(2, 14))):
        earlier = st.integers(max(0, number - 5), number - 1) if number else st.nothing()
        most = draw(st.sampled_from((0, 1, 1, 1, 1, 2, 4))) if number else 0
        parents = draw(st.lists(earlier, min_size=min(most, 1), max_size=most, unique=True))
        time = 1_700_000_000 + draw(st.sampled_from((0, number, -number)))
        commits.append(Planned(tuple(parents), draw(st.sampled_from(("Ada", "Zoë"))), time))
    return commits


def fill(folder: RepositoryFolder, commits: list[Planned]) -> None:
    """Make the commits, and branches, tags and remote branches at some of them."""
    kinds = ("heads/b{}", "remotes/origin/b{}", "tags/t{}")
    lines: list[str] = []
    for number, commit in enumerate(commits):
        ref = "refs/" + kinds[number % 3].format(number)
        who = f"{commit.author} <a@b> {commit.time} +0000"
        message = f"commit {number}"
        lines += [f"reset {ref}", "", f"commit {ref}", f"mark :{number + 1}", f"author {who}"]
        lines += [f"committer {who}", f"data {len(message)}", message]
        lines += [
            f"{'merge' if at else 'from'} :{parent + 1}" for at, parent in enumerate(commit.parents)
        ]
        lines.append("")
    subprocess.run(
        ["git", "fast-import", "--quiet", "--force"],
        cwd=folder.root,
        env=git_environment(),
        input="\n".join(lines).encode(),
        check=True,
    )


async def all_pages(repository: Repository, size: int, *, every_ref: bool = False) -> list[Commit]:
    """Put the pages of the graph together."""
    graph, reader, found = Graph(repository), Reader(), list[Commit]()
    while True:
        page = await graph.page(reader, size, len(found), every_ref=every_ref)
        assert len(page.commits) == size or not page.has_more
        found += page.commits
        if not page.has_more:
            return found


@settings(max_examples=examples(12), deadline=None)
@given(commits=histories(), size=st.integers(1, 6))
def test_any_history_is_read_as_git_reads_it(
    tmp_path_factory: pytest.TempPathFactory, commits: list[Planned], size: int
) -> None:
    folder = make_repository(tmp_path_factory.mktemp("any") / "r")
    fill(folder, commits)
    last, middle = f"commit {len(commits) - 1}", f"commit {len(commits) // 2}"
    listed = folder.git("log", "--all", "--format=%s%x09%H").splitlines()
    by_name = {name: sha for name, _, sha in (line.partition("\t") for line in listed)}
    head, base = by_name[last], by_name[middle]
    folder.git("checkout", "-q", "--detach", head)

    async def check() -> None:
        repository = await discover(folder.root)
        for every_ref, scope in ((False, ("--branches", "HEAD")), (True, ("--all",))):
            found = await all_pages(repository, size, every_ref=every_ref)
            output = folder.git("log", "--topo-order", "--format=%H %P", *scope).splitlines()
            assert [" ".join((each.sha, *each.parents)) for each in found] == [
                line.strip() for line in output
            ]
        between = [each.sha for each in await commits_between(repository, base, head)]
        assert between == folder.git("rev-list", f"{base}..{head}").splitlines()
        shared = await merge_base(repository, base, head)
        told_base = folder.git("merge-base", base, head, ok=(0, 1))
        assert (shared.sha if shared else "") == told_base
        parent = await first_parent(repository, head)
        assert (parent.sha if parent else "") == folder.git("log", "-1", "--format=%P", head)[:40]
        by_zoe = await search_commits(repository, "zoë")
        expected = {name for name, commit in enumerate(commits) if commit.author == "Zoë"}
        assert {int(each.subject.split()[1]) for each in by_zoe} == expected

    asyncio.run(check())

import asyncio
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jupyter_ac.errors import GitError, InvalidParams, NotFound
from jupyter_ac.git.commits import Commit, commit_page, commits_between, search_commits
from jupyter_ac.git.repository import discover
from tests.support.repositories import RepositoryFolder, make_repository


def line_of(tmp_path: Path, *messages: str) -> RepositoryFolder:
    """Make a repository with one commit for each message, all by Ada."""
    folder = make_repository(tmp_path / "r")
    for message in messages:
        folder.commit(message)
    return folder


async def test_a_range_is_given_newest_first(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one", "two", "three")
    found = await commits_between(await discover(folder.root), "HEAD~2")
    assert [commit.subject for commit in found] == ["three", "two"]
    newest = found[0]
    assert newest.sha == folder.git("rev-parse", "HEAD")
    assert newest.sha.startswith(newest.short_sha)
    assert newest.parents == (found[1].sha,)
    assert (newest.author, newest.date) == ("Ada", "2023-11-14T22:15:20+00:00")
    assert newest.age.endswith("ago")


async def test_a_range_is_cut_at_the_limit(tmp_path: Path) -> None:
    repository = await discover(line_of(tmp_path, "one", "two", "three").root)
    found = await commits_between(repository, "HEAD~2", "main", limit=1)
    assert [commit.subject for commit in found] == ["three"]
    assert await commits_between(repository, "HEAD", limit=0) == []


@pytest.mark.parametrize(("base", "head"), [("nowhere", "HEAD"), ("HEAD", "--output=x")])
async def test_a_range_of_unknown_refs_is_an_error(tmp_path: Path, base: str, head: str) -> None:
    repository = await discover(line_of(tmp_path, "one").root)
    with pytest.raises((NotFound, InvalidParams)):
        await commits_between(repository, base, head)
    assert not (repository.root / "x").exists()


async def test_a_merge_names_its_parents_in_order(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one")
    folder.git("checkout", "-q", "-b", "side")
    side = folder.commit("on the side")
    folder.git("checkout", "-q", "main")
    main = folder.commit("on main")
    folder.git("merge", "-q", "--no-ff", "-m", "both", "side")
    page = await commit_page(await discover(folder.root))
    assert page.commits[0].parents == (main, side)
    assert not page.has_more


async def test_pages_follow_each_other_without_gap_or_repetition(tmp_path: Path) -> None:
    folder = line_of(tmp_path, *(f"number {n}" for n in range(5)))
    folder.git("checkout", "-q", "-b", "side", "HEAD~3")
    folder.commit("on the side")
    repository = await discover(folder.root)
    whole = await commit_page(repository)
    pages = [await commit_page(repository, limit=2, offset=at) for at in (0, 2, 4, 6)]
    assert [commit for page in pages for commit in page.commits] == whole.commits
    assert [page.has_more for page in pages] == [True, True, False, False]
    assert len(whole.commits) == 6


async def test_children_stand_before_their_parents_whatever_their_dates(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one")
    folder.clock -= 10_000
    folder.commit("its clock was wrong")
    page = await commit_page(await discover(folder.root))
    assert [commit.subject for commit in page.commits] == ["its clock was wrong", "one"]


async def test_a_detached_head_is_in_the_graph(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one")
    folder.git("checkout", "-q", "--detach")
    folder.commit("on no branch")
    page = await commit_page(await discover(folder.root))
    assert page.commits[0].subject == "on no branch"


async def test_only_on_demand_does_the_graph_hold_what_remotes_lead_to(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one")
    folder.git("checkout", "-q", "-b", "theirs")
    folder.git("update-ref", "refs/remotes/origin/theirs", folder.commit("of the remote"))
    folder.git("checkout", "-q", "main")
    folder.git("branch", "-q", "-D", "theirs")
    repository = await discover(folder.root)
    own, every = await commit_page(repository), await commit_page(repository, every_ref=True)
    assert [commit.subject for commit in own.commits] == ["one"]
    assert [commit.subject for commit in every.commits] == ["of the remote", "one"]


async def test_stashes_are_no_part_of_the_graph(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    folder.write("a", "y\n")
    folder.git("stash", "-q")
    page = await commit_page(await discover(folder.root), every_ref=True)
    assert [commit.subject for commit in page.commits] == ["first"]


async def test_before_the_first_commit_there_is_nothing(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r").root)
    for every_ref in (False, True):
        page = await commit_page(repository, every_ref=every_ref)
        assert (page.commits, page.has_more) == ([], False)
    assert await search_commits(repository, "anything") == []


async def test_numbers_below_zero_are_refused(tmp_path: Path) -> None:
    repository = await discover(line_of(tmp_path, "one").root)
    with pytest.raises(InvalidParams, match="offset"):
        await commit_page(repository, offset=-1)
    with pytest.raises(InvalidParams, match="limit"):
        await commit_page(repository, limit=-1)


async def test_a_search_finds_messages_and_authors_in_any_case(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "Fix the Parser", "unrelated\n\nthe body tells of a PARSER", "x")
    folder.git("commit", "-q", "--allow-empty", "--author", "Parser Smith <p@x>", "-m", "other")
    repository = await discover(folder.root)
    found = await search_commits(repository, "parser")
    assert [commit.subject for commit in found] == ["other", "unrelated", "Fix the Parser"]
    assert [each.subject for each in await search_commits(repository, "parser", limit=2)] == [
        "other",
        "unrelated",
    ]


async def test_a_search_is_literal(tmp_path: Path) -> None:
    repository = await discover(line_of(tmp_path, "a.c", "abc", "--all").root)
    assert [each.subject for each in await search_commits(repository, "a.c")] == ["a.c"]
    assert [each.subject for each in await search_commits(repository, "--all")] == ["--all"]


async def test_a_hash_gives_that_commit_alone(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one", "two")
    sha = folder.git("rev-parse", "HEAD~1")
    repository = await discover(folder.root)
    for query in (sha, sha[:8], f" {sha} "):
        assert [each.sha for each in await search_commits(repository, query)] == [sha]


async def test_a_search_may_keep_to_a_branch(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "common word")
    folder.git("checkout", "-q", "-b", "side")
    folder.commit("word on the side")
    repository = await discover(folder.root)
    assert len(await search_commits(repository, "word")) == 2
    assert len(await search_commits(repository, "word", "main")) == 1
    with pytest.raises(NotFound):
        await search_commits(repository, "word", "nowhere")


@pytest.mark.parametrize("query", ["two\nlines", "x" * 1025, "nul\0nul"])
async def test_a_query_that_is_no_line_is_refused(tmp_path: Path, query: str) -> None:
    repository = await discover(line_of(tmp_path, "one").root)
    with pytest.raises(InvalidParams, match="one line"):
        await search_commits(repository, query)
    assert await search_commits(repository, "  ") == []


@settings(max_examples=15, deadline=None)
@given(subject=st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1))
def test_any_subject_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, subject: str
) -> None:
    assume(subject.strip())
    folder = make_repository(tmp_path_factory.mktemp("any") / "r")
    folder.git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", subject)

    async def only_commit() -> Commit:
        (commit,) = (await commit_page(await discover(folder.root))).commits
        return commit

    assert asyncio.run(only_commit()).subject.strip() == subject.strip()


async def test_messages_in_other_encodings_are_shown(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    (tmp_path / "message").write_bytes("Grüße".encode("latin-1"))
    encoding = ("-c", "i18n.commitEncoding=ISO-8859-1")
    folder.git(*encoding, "commit", "-q", "--allow-empty", "-F", str(tmp_path / "message"))
    (commit,) = (await commit_page(await discover(folder.root))).commits
    assert commit.subject == "Grüße"


async def test_a_damaged_history_is_said(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one", "two")
    sha = folder.git("rev-parse", "HEAD~1")
    (folder.root / ".git" / "objects" / sha[:2] / sha[2:]).unlink()
    with pytest.raises(GitError, match="history"):
        await commit_page(await discover(folder.root))

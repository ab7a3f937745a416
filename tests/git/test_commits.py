import asyncio
import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.git.commits import (
    MAX_SUBJECT_CHARS,
    Commit,
    commits_between,
    read_log,
    search_commits,
)
from jupyter_ac.git.repository import discover
from tests.support.examples import examples
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


async def test_a_branch_of_a_range_may_be_called_like_an_option(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "one", "two")
    folder.git("update-ref", "refs/heads/--output=x", "HEAD~1")
    found = await commits_between(await discover(folder.root), "--output=x")
    assert [commit.subject for commit in found] == ["two"]
    assert not (folder.root / "x").exists()


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


@settings(max_examples=examples(15), deadline=None)
@given(subject=st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1))
def test_any_subject_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, subject: str
) -> None:
    assume(subject.strip())
    folder = make_repository(tmp_path_factory.mktemp("any") / "r")
    folder.git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", subject)

    async def only_commit() -> Commit:
        (commit,) = await read_log(await discover(folder.root), ("HEAD",))
        return commit

    assert asyncio.run(only_commit()).subject.strip() == subject.strip()


async def test_messages_in_other_encodings_are_shown(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    (tmp_path / "message").write_bytes("Grüße".encode("latin-1"))
    encoding = ("-c", "i18n.commitEncoding=ISO-8859-1")
    folder.git(*encoding, "commit", "-q", "--allow-empty", "-F", str(tmp_path / "message"))
    (commit,) = await read_log(await discover(folder.root), ("HEAD",))
    assert commit.subject == "Grüße"
    assert await search_commits(await discover(folder.root), "GRÜSSE") == []
    assert await search_commits(await discover(folder.root), "GRÜßE") == [commit]


def put(folder: RepositoryFolder, lines: str) -> str:
    """Store a commit as it is written, and stand the branch at it."""
    data = f"tree {store(folder, 'tree', b'')}\n{lines}".encode()
    sha = store(folder, "commit", data)
    folder.git("update-ref", "HEAD", sha)
    return sha


def store(folder: RepositoryFolder, kind: str, data: bytes) -> str:
    """Store an object and give its hash."""
    command = ["git", "hash-object", "-t", kind, "-w", "--literally", "--stdin"]
    stored = subprocess.run(command, cwd=folder.root, input=data, capture_output=True, check=True)
    return stored.stdout.decode().strip()


BY_ADA = "Ada <ada@example.org> 1700000000 +0000"


@pytest.mark.parametrize(
    ("author", "shown"),
    [
        ("author Ada <ada@example.org>\n", "Ada"),
        ("author Ada 1700000000 +0000\n", ""),
        ("author  <> 1700000000 +0000\n", ""),
        ("author Ada <a> -5 +9999\n", "Ada"),
        ("author Ada <a> 99999999999999999999 +0000\n", "Ada"),
        ("", ""),
    ],
)
async def test_a_commit_without_a_proper_author_is_one_all_the_same(
    tmp_path: Path, author: str, shown: str
) -> None:
    folder = make_repository(tmp_path / "r")
    sha = put(folder, f"{author}committer {BY_ADA}\n\nodd\n")
    (commit,) = await read_log(await discover(folder.root), ("HEAD",))
    assert (commit.sha, commit.author, commit.subject) == (sha, shown, "odd")
    assert commit.date.startswith(("2023-11-14T", "1970-01-01T"))


async def test_a_commit_that_says_no_time_at_all_has_no_date(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    put(folder, "author Ada <a>\ncommitter Ada <a>\n\nodd\n")
    (commit,) = await read_log(await discover(folder.root), ("HEAD",))
    assert (commit.date, commit.age, commit.seconds) == ("", "", 0)


async def test_an_empty_message_and_a_huge_one(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    put(folder, f"author {BY_ADA}\ncommitter {BY_ADA}\n\n{'word ' * 1_000_000}")
    folder.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
    empty, huge = await read_log(await discover(folder.root), ("HEAD",))
    assert empty.subject == ""
    assert len(huge.subject) == MAX_SUBJECT_CHARS
    assert [found.sha for found in await search_commits(await discover(folder.root), "d w")] == [
        huge.sha
    ]


async def test_control_characters_stay_where_they_are(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    put(folder, f"author A\x1fB\x1b[31m <a> 1 +0000\ncommitter {BY_ADA}\n\none\x1e\x1ftwo\r\x01\n")
    (commit,) = await read_log(await discover(folder.root), ("HEAD",))
    assert commit.author == "A\x1fB\x1b[31m"
    assert commit.subject.rstrip() == "one\x1e\x1ftwo\r\x01"


SETTINGS = (
    ("log.showSignature", "true"),
    ("log.mailmap", "true"),
    ("log.date", "relative"),
    ("log.follow", "true"),
    ("log.abbrevCommit", "true"),
    ("log.decorate", "full"),
    ("log.showRoot", "false"),
    ("format.pretty", "oneline"),
    ("i18n.logOutputEncoding", "latin1"),
    ("grep.patternType", "perl"),
    ("color.ui", "always"),
    ("core.pager", "false"),
    ("diff.external", "false"),
)


async def test_the_users_settings_change_nothing(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "Grüße (a+b)")
    folder.write(".mailmap", "Grace <grace@example.org> <ada@example.org>\n")
    repository = await discover(folder.root)
    before = [await search_commits(repository, text) for text in ("(a+b)", "ada", "grace")]
    for name, value in SETTINGS:
        folder.git("config", name, value)
    after = [await search_commits(repository, text) for text in ("(a+b)", "ada", "grace")]
    assert [[(one.sha, one.date) for one in found] for found in after] == [
        [(one.sha, one.date) for one in found] for found in before
    ]
    assert [len(found) for found in after] == [1, 1, 0]


@pytest.mark.parametrize("text", ["dead", "HEAD..main", "@{-1}", ":/one", "HEAD^{/one}", "^main"])
async def test_what_names_no_single_commit_is_searched_as_text(tmp_path: Path, text: str) -> None:
    folder = line_of(tmp_path, "one", f"tells of {text}", "three")
    found = await search_commits(await discover(folder.root), text)
    assert [commit.subject for commit in found] == [f"tells of {text}"]


async def test_a_log_of_some_files_only(tmp_path: Path) -> None:
    folder = line_of(tmp_path, "first")
    for name in ("a", "-b", "c"):
        folder.write(name, name)
        folder.commit(name)
    repository = await discover(folder.root)
    for paths, subjects in (([], ["c", "-b", "a", "first"]), (["a", "-b"], ["-b", "a"])):
        found = await read_log(repository, ("HEAD",), paths=paths)
        assert [commit.subject for commit in found] == subjects

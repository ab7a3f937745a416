"""Whatever a user or a repository configures: the same answers, or a sentence with the remedy."""

from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.repository import discover
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.ugly import OK, RepoClient, repo_client, ugly
from tests.support.ugly_files import configure

PECULIAR = r"""
[color]
    ui = always
    status = always
    diff = always
    branch = always
    grep = always
[column]
    ui = always
[status]
    showUntrackedFiles = no
    relativePaths = true
    short = true
    branch = true
    renames = false
    showStash = true
    submoduleSummary = true
[diff]
    noprefix = true
    mnemonicPrefix = true
    renames = copies
    external = /bin/false
    context = 0
    interHunkContext = 9
    algorithm = patience
    colorMoved = zebra
    wordRegex = .
    relative = true
    srcPrefix = x/
    dstPrefix = y/
    ignoreSubmodules = all
    submodule = log
    orderFile = /nonexistent/order
    autoRefreshIndex = true
[core]
    quotePath = true
    precomposeUnicode = true
    commentChar = "b"
    editor = /bin/false
    pager = /bin/false
    askPass = /bin/sleep
    fsmonitor = /bin/false
    untrackedCache = true
    splitIndex = true
    excludesFile = /nonexistent/excludes
    attributesFile = /nonexistent/attributes
    whitespace = bogus
    abbrev = 4
[commit]
    template = /nonexistent/template
    verbose = true
    cleanup = scissors
    status = true
[log]
    date = relative
    decorate = full
    showSignature = true
    abbrevCommit = true
    mailmap = true
[format]
    pretty = oneline
[i18n]
    logOutputEncoding = latin1
    commitEncoding = latin1
[grep]
    lineNumber = true
    column = true
    patternType = perl
    fullName = true
    threads = 1
    extendedRegexp = true
    fallbackToNoIndex = true
[alias]
    commit = !false
    status = !false
    diff = !false
    ls-files = !false
[credential]
    helper = !sleep 100
[index]
    version = 4
    threads = 2
[branch]
    sort = -committerdate
    autoSetupMerge = always
[tag]
    sort = -version:refname
[init]
    defaultBranch = trunk
[merge]
    conflictStyle = diff3
[include]
    path = /nonexistent/include
[gc]
    auto = 1
[advice]
    statusHints = true
[push]
    default = nothing
[interactive]
    diffFilter = false
[submodule]
    recurse = true
"""
MESSAGE = f"# subject ä 😀\n\nbody # x\n; semi\n{'-' * 24} >8 {'-' * 24}\n"


@pytest.mark.parametrize("where", ["global", "local", "nowhere"])
async def test_a_peculiar_configuration_changes_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    configure(monkeypatch, tmp_path, PECULIAR if where == "global" else "")
    folder = make_repository(tmp_path / "r", {"a": "1\n", "häst": "1\n2\n"})
    if where == "local":
        with (folder.root / ".git/config").open("a") as file:
            file.write(PECULIAR)
    folder.write("häst", "1\n2\nnew\n")
    folder.write("un/x y", "u\n")
    async with repo_client(folder) as client:
        await looks_as_ever(client)
        await changes_as_ever(client)


async def looks_as_ever(client: RepoClient) -> None:
    tree = await client.fields("get_file_tree")
    lists = [tree[key] for key in ("modified", "staged", "untracked", "deleted")]
    assert lists == [["häst"], [], ["un/x y"], []]
    assert tree["diff_stats"] == {"häst": {"additions": 1, "deletions": 0}}
    assert await client.files() == ["a", "häst", "un/x y"]
    assert (await client.text("get_unstaged_diff")).split("\n")[2:] == [
        *("--- a/häst", "+++ b/häst", "@@ -1,2 +1,3 @@", " 1", " 2", "+new", ""),
    ]
    assert await client.call("is_clean") is False
    assert await client.found("new") == ["häst"]
    (match,) = await client.rows("search_files", "n[e]w$", False, True, True, 1)
    assert match["matches"] == [
        {
            "line_num": 3,
            "line": "new",
            "context_before": [{"line_num": 2, "line": "2"}],
            "context_after": [],
        }
    ]


async def changes_as_ever(client: RepoClient) -> None:
    folder = client.folder
    for name, *args in (("stage_files", ["häst"]), ("unstage_files", ["häst"]), ("stage_all",)):
        assert await client.call(str(name), *args) == OK
    assert (await client.text("get_staged_diff")).count("diff --git a/") == 2
    assert (await client.fields("commit", MESSAGE))["message"] == MESSAGE
    _, _, message = folder.git("cat-file", "commit", "HEAD").partition("\n\n")
    assert message == MESSAGE.removesuffix("\n")
    (row,) = await client.rows("search_commits", "subject")
    assert (row["message"], row["author"]) == ("# subject ä 😀", "Ada")
    assert len(str(row["sha"])) == 40
    graph = await client.fields("get_commit_graph")
    assert [commit["message"] for commit in _objects(graph["commits"])] == [row["message"], "first"]
    branches = await client.fields("list_branches")
    assert [branch["message"] for branch in _objects(branches["branches"])] == [row["message"]]
    assert (await client.rows("get_commit_log", "HEAD~1"))[0]["message"] == row["message"]
    assert await client.call("rename_file", "häst", "hund") == OK
    assert await client.rows("get_review_changed_files") == [
        {
            "path": "hund",
            "old_path": "häst",
            "status": "renamed",
            "additions": 0,
            "deletions": 0,
        }
    ]
    assert await client.call("discard_changes", ["hund"]) == OK
    assert (await client.text("get_file_content", "häst", "HEAD")) == "1\n2\nnew\n"
    answer = await client.fields("get_diff_to_branch", "HEAD~1")
    assert str(answer["diff"]).count("diff --git a/") == 2
    assert await client.call("is_clean") is True


def _objects(value: object) -> list[dict[str, object]]:
    assert isinstance(value, list)
    return value


IDENTITIES = {
    "nobody": "",
    "no address": "[user]\nname = A\n",
    "no name": "[user]\nname =\nemail = a@b\n",
    "empty": "[user]\nname =\nemail =\n",
    "only what is configured": "[user]\nname = A\nuseConfigOnly = true\n",
    "signs only": "[user]\nname = <>\nemail = a@b\n",
}


@pytest.mark.parametrize("who", IDENTITIES)
async def test_who_commits_must_be_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    configure(monkeypatch, tmp_path, IDENTITIES[who], user=False)
    for name in ("NAME", "EMAIL"):
        for role in ("AUTHOR", "COMMITTER"):
            monkeypatch.delenv(f"GIT_{role}_{name}", raising=False)
    monkeypatch.delenv("EMAIL", raising=False)
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write("a", "2\n")
    folder.git("add", "a")
    async with repo_client(folder) as client:
        said = await client.refusal("commit", "message")
        assert "git does not know who you are; run `git config --global user.name NAME`" in said
        assert client.status() == ["M  a"]


SIGNING = {
    "no key": "[commit]\ngpgsign = true\n[user]\nsigningkey = nobody\n",
    "not a program": "[commit]\ngpgsign = true\n[gpg]\nprogram = /nonexistent/gpg\n",
    "ssh without a key": "[commit]\ngpgsign = true\n[gpg]\nformat = ssh\n",
    "ssh with a missing key": (
        "[commit]\ngpgsign = true\n[gpg]\nformat = ssh\n[user]\nsigningkey = /nonexistent/key\n"
    ),
}


@pytest.mark.parametrize("how", SIGNING)
async def test_a_commit_that_cannot_be_signed_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    configure(monkeypatch, tmp_path, SIGNING[how])
    monkeypatch.setenv("GNUPGHOME", str(tmp_path / "gnupg"))
    monkeypatch.setenv("GPG_TTY", "/dev/tty")
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write("a", "2\n")
    folder.git("add", "a")
    async with repo_client(folder) as client:
        said = await client.refusal("commit", "message")
        assert "The commit can't be signed" in said
        assert client.status() == ["M  a"]


@pytest.mark.parametrize("where", [".gitconfig", "r/.git/config"])
async def test_a_broken_configuration_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    configure(monkeypatch, tmp_path, "")
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write("b", "1\n")
    async with repo_client(folder) as client:
        with (tmp_path / where).open("a") as file:
            file.write("[broken\n")
        for call in (
            *(("get_file_tree",), ("get_flat_file_list",), ("get_unstaged_diff",), ("stage_all",)),
            *(("commit", "message"), ("search_files", "1"), ("get_commit_graph",), ("is_clean",)),
            *(("discard_changes", ["b"]), ("rename_file", "a", "c"), ("list_branches",)),
        ):
            said = await client.refusal(*call)
            assert "bad config line" in said
            assert where.removeprefix("r/") in said
            assert str(tmp_path) not in said
        assert await client.call("get_file_content", "a") == "1\n"
        await client.do("write_file", "a", "2\n")
    with pytest.raises(GitError, match="bad config line"):
        await discover(folder.root)


async def test_includes_in_a_circle_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    async with repo_client(folder) as client:
        configure(monkeypatch, tmp_path, "[include]\npath = .gitconfig\n")
        said = await client.refusal("get_file_tree")
        assert "include depth" in said
        assert ".gitconfig" in said


async def test_line_ends_are_converted_as_the_user_wants(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    folder.git("config", "core.autocrlf", "true")
    folder.write("crlf", "x\r\ny\r\n")
    async with repo_client(folder) as client:
        await client.do("stage_all")
        await client.do("commit", "crlf")
        assert await client.text("get_file_content", "crlf") == "x\r\ny\r\n"
        assert await client.text("get_file_content", "crlf", "HEAD") == "x\ny\n"
        await client.do("write_file", "crlf", "x\r\ny\r\nz\r\n")
        tree = await client.fields("get_file_tree")
        assert tree["diff_stats"] == {"crlf": {"additions": 1, "deletions": 0}}
        await client.do("discard_changes", ["crlf"])
        assert (folder.root / "crlf").read_bytes() == b"x\r\ny\r\n"
        folder.git("config", "core.safecrlf", "true")
        folder.write("lf", "x\n")
        assert "LF would be replaced by CRLF in lf" in await client.refusal("stage_files", ["lf"])
        assert client.status() == ["?? lf"]


async def test_attributes_decide_what_is_on_disk(tmp_path: Path) -> None:
    attributes = "*.txt text eol=crlf\n*.u16 text working-tree-encoding=UTF-16LE\n*.id ident\n"
    u16 = "hi\n".encode("utf-16-le")
    folder = ugly(
        tmp_path / "r",
        {
            ".gitattributes": f"{attributes}*.bad working-tree-encoding=NOPE\n",
            "a.txt": "1\n",
            "i.id": "$Id$\n",
            "u.u16": u16,
        },
    )
    async with repo_client(folder) as client:
        for name in ("a.txt", "i.id", "u.u16"):
            (folder.root / name).unlink()
        await client.do("discard_changes", ["a.txt", "i.id", "u.u16"])
        assert (folder.root / "a.txt").read_bytes() == b"1\r\n"
        assert (folder.root / "i.id").read_bytes().startswith(b"$Id: ")
        assert (folder.root / "u.u16").read_bytes() == u16
        assert client.status() == []
        assert await client.text("get_file_content", "u.u16", "HEAD") == "hi\n"
        assert "binary" in await client.refusal("write_file", "u.u16", "ho\n")
        folder.write("u.u16", "ho\n".encode("utf-16-le"))
        assert "-hi\n+ho\n" in await client.text("get_unstaged_diff")
        folder.write("x.bad", "1\n")
        assert "x.bad" in await client.refusal("stage_files", ["x.bad"])
        assert await client.call("stage_files", ["u.u16"]) == OK
        assert client.status() == ["M  u.u16", "?? x.bad"]


def filtered(folder: RepositoryFolder) -> None:
    folder.write(".gitattributes", "*.dat filter=lfs -text\n")
    folder.write("x.dat", "pointer\n")
    folder.commit()
    folder.write("x.dat", "edited\n")


LFS = '[filter "lfs"]\nclean = no-lfs c %f\nsmudge = no-lfs s %f\nprocess = no-lfs p\n'


@pytest.mark.parametrize("where", ["global", "local"])
async def test_a_filter_that_is_not_installed_is_named_and_the_tree_is_still_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    configure(monkeypatch, tmp_path, "")
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    filtered(folder)
    place = tmp_path / ".gitconfig" if where == "global" else folder.root / ".git/config"
    with place.open("a") as file:
        file.write(f"{LFS}required = true\n")
    async with repo_client(folder) as client:
        assert (await client.lists())["modified"] == ["x.dat"]
        assert "+edited" in await client.text("get_unstaged_diff")
        assert await client.call("is_clean") is False
        said = await client.refusal("stage_files", ["x.dat"])
        assert "no-lfs" in said
        assert folder.git("show", ":x.dat") == "pointer"


async def test_a_filter_of_the_user_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filters = '[filter "up"]\nclean = tr a-z A-Z\nsmudge = tr A-Z a-z\n'
    configure(monkeypatch, tmp_path, filters)
    folder = make_repository(tmp_path / "r", {".gitattributes": "*.up filter=up\n"})
    folder.write("x.up", "abc\n")
    async with repo_client(folder) as client:
        await client.do("stage_all")
        assert folder.git("show", ":x.up") == "ABC"
        await client.do("commit", "up")
        folder.write("x.up", "abc\nd\n")
        tree = await client.fields("get_file_tree")
        assert tree["diff_stats"] == {"x.up": {"additions": 1, "deletions": 0}}
        await client.do("discard_changes", ["x.up"])
        assert (folder.root / "x.up").read_text() == "abc\n"

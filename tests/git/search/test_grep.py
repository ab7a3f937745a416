import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import pytest

from jupyter_ac.errors import GitError, InvalidParams, TimedOut
from jupyter_ac.git.repository import discover
from jupyter_ac.git.search import grep as module
from jupyter_ac.git.search.grep import search, verify_rows
from jupyter_ac.git.search.output import MAX_LINE_CHARS, MAX_MATCHES, FileMatches, Row, SearchRows
from jupyter_ac.git.search.query import Query
from tests.support.jupyter_files import BESIDE, with_setting, write_beside
from tests.support.repositories import RepositoryFolder, make_repository


def runaway() -> str:
    """Make an expression that takes for ever, unlike any other."""
    return rf"(a*)(a*)(a*)(a*)\1\2\3\4b{uuid4()}"


def at_work_on(text: str) -> list[str]:
    """Give the running commands that name a text."""
    command = ["ps", "-ww", "-eo", "args="]
    running = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    return [line for line in running.stdout.splitlines() if text in line]


async def _search(folder: RepositoryFolder, query: Query) -> list[FileMatches]:
    return await search(await discover(folder.root), query)


async def _lines(folder: RepositoryFolder, query: Query) -> list[tuple[str, int, str]]:
    return [
        (found["file"], match["line_num"], match["line"])
        for found in await _search(folder, query)
        for match in found["matches"]
    ]


async def test_matches_come_with_the_lines_around_them(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "one\ntwo\nthree\nfour\nfive\nsix\n"})
    assert await _search(folder, Query("four", context_lines=2)) == [
        {
            "file": "a",
            "matches": [
                {
                    "line_num": 4,
                    "line": "four",
                    "context_before": [
                        {"line_num": 2, "line": "two"},
                        {"line_num": 3, "line": "three"},
                    ],
                    "context_after": [
                        {"line_num": 5, "line": "five"},
                        {"line_num": 6, "line": "six"},
                    ],
                }
            ],
        }
    ]


async def test_context_stops_at_the_next_match(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x1\n-\nx2\nx3\n12\n13\n14\n15\nx4\n"})
    (found,) = await _search(folder, Query("x", context_lines=2))
    around = [
        (
            [line["line_num"] for line in match["context_before"]],
            match["line_num"],
            [line["line_num"] for line in match["context_after"]],
        )
        for match in found["matches"]
    ]
    assert around == [([], 1, [2]), ([2], 3, []), ([], 4, [5, 6]), ([7, 8], 9, [])]


@pytest.mark.parametrize("context", [0, -3])
async def test_without_context_there_are_only_matches(tmp_path: Path, context: int) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\ny\nx\n"})
    (found,) = await _search(folder, Query("x", context_lines=context))
    assert [match["line_num"] for match in found["matches"]] == [1, 3]
    assert all(not match["context_before"] + match["context_after"] for match in found["matches"])


async def test_case_words_and_expressions(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "Word\nwords\nw.rd\nÉtÉ\n-e\n"})
    assert [n for _, n, _ in await _lines(folder, Query("word"))] == [1, 2]
    assert [n for _, n, _ in await _lines(folder, Query("word", ignore_case=False))] == [2]
    assert [n for _, n, _ in await _lines(folder, Query("word", whole_word=True))] == [1]
    assert [n for _, n, _ in await _lines(folder, Query("w.rd"))] == [3]
    assert [n for _, n, _ in await _lines(folder, Query("^w.rds?$", use_regex=True))] == [1, 2, 3]
    assert [n for _, n, _ in await _lines(folder, Query("été"))] == [4]
    assert [n for _, n, _ in await _lines(folder, Query("-e"))] == [5]
    assert [n for _, n, _ in await _lines(folder, Query("--and"))] == []


async def test_a_blank_query_finds_nothing(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x y\n"})
    for text in ("", "  ", "\t\n"):
        assert await _search(folder, Query(text)) == []


async def test_no_match_is_no_error(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    assert await _search(folder, Query("nowhere")) == []
    assert await _search(make_repository(tmp_path / "empty"), Query("x")) == []


async def test_new_and_tracked_but_ignored_files_are_searched_and_others_are_not(
    tmp_path: Path,
) -> None:
    folder = make_repository(
        tmp_path / "r", {"tracked.py": "x\n", "forced.log": "x\n", "gone": "x\n", "bin": b"x\n\0"}
    )
    folder.write(".gitignore", "*.log\n")
    folder.write("new/fresh.py", "x\n")
    folder.write("ignored.log", "x\n")
    (folder.root / "gone").unlink()
    (folder.root / "link").symlink_to("tracked.py")
    make_repository(folder.root / "nested", {"n": "x\n"})
    assert await _lines(folder, Query("x")) == [
        ("forced.log", 1, "x"),
        ("new/fresh.py", 1, "x"),
        ("tracked.py", 1, "x"),
    ]


async def test_a_conflicted_file_is_searched_once(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "base\n"})
    folder.git("checkout", "-q", "-b", "side")
    folder.write("a", "side\n")
    folder.commit()
    folder.git("checkout", "-q", "main")
    folder.write("a", "main\n")
    folder.commit()
    folder.git("merge", "side", ok=(1,))
    assert [n for _, n, _ in await _lines(folder, Query("side"))] == [4, 5]


async def test_names_of_every_kind_are_whole(tmp_path: Path) -> None:
    names = ["a-1-b.txt", "a:1:b", "ünï", "new\n12\n", "-lead", "l\udce9", "b\\s", "--", "*"]
    folder = make_repository(tmp_path / "r", {f"d/{name}": "before\nx 1-2:3\n" for name in names})
    for name in names:
        folder.write(f"e/{name}", "before\nx 1-2:3\n")
    found = await _search(folder, Query("x 1"))
    assert [each["file"] for each in found] == sorted(
        f"{top}/{name}" for top in "de" for name in names
    )
    for each in found:
        (match,) = each["matches"]
        assert (match["line_num"], match["line"]) == (2, "x 1-2:3")
        assert match["context_before"] == [{"line_num": 1, "line": "before"}]


async def test_context_lines_that_look_like_matches_are_told_apart(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "7\nx\n--\n8:9\nx\n"})
    (found,) = await _search(folder, Query("x", context_lines=1))
    assert [match["line_num"] for match in found["matches"]] == [2, 5]
    assert found["matches"][0]["context_after"] == [{"line_num": 3, "line": "--"}]


async def test_line_ends_foreign_bytes_and_length_are_made_fit_to_show(tmp_path: Path) -> None:
    long = "é" * 5000
    folder = make_repository(tmp_path / "r", {"a": b"x\r\nx\xff\nx" + long.encode() + b"\nx"})
    lines = [line for _, _, line in await _lines(folder, Query("x"))]
    assert lines == ["x", "x\ufffd", "x" + long[: MAX_LINE_CHARS - 1], "x"]


async def test_the_number_of_matches_is_capped_and_the_cap_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {f"f{n}": "x\n" * 500 for n in range(6)})
    folder.write("f9", "x\n")
    found = await _search(folder, Query("x"))
    assert sum(len(each["matches"]) for each in found) == MAX_MATCHES
    assert ["truncated" in each for each in found] == [False, False, False, True]


async def test_exactly_as_many_matches_as_fit_are_not_truncated(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n" * MAX_MATCHES})
    (found,) = await _search(folder, Query("x"))
    assert len(found["matches"]) == MAX_MATCHES
    assert "truncated" not in found


async def test_very_many_new_files_are_searched_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MAX_ARGUMENT_BYTES", 10)
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    for name in ("new one", "new two"):
        folder.write(name, "x\n")
    assert [file for file, _, _ in await _lines(folder, Query("x"))] == ["a", "new one", "new two"]


@pytest.mark.parametrize("text", ["(", "[a", "a{2,1}", "*" * 3 + "("])
async def test_an_expression_that_is_not_valid_is_said(tmp_path: Path, text: str) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    folder.write("new", "x\n")
    with pytest.raises(InvalidParams, match="The expression is not valid"):
        await _search(folder, Query(text, use_regex=True))


@pytest.mark.parametrize("text", ["a\nb", "a\0b", "x" * 5000])
async def test_a_query_that_can_not_match_a_line_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidParams):
        await _search(make_repository(tmp_path / "r", {"a": "x\n"}), Query(text))


@pytest.mark.parametrize("where", ["tracked", "new"])
async def test_an_expression_that_runs_away_is_stopped_and_its_git_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    folder = make_repository(tmp_path / "r", {"tracked": "x\n"})
    folder.write(where, "a" * 20_000 + "\n")
    monkeypatch.setattr(module, "REGEX_TIMEOUT_S", 0.5)
    text = runaway()
    with pytest.raises(TimedOut, match="more specific"):
        await _search(folder, Query(text, use_regex=True))
    assert at_work_on(text) == []


async def test_a_search_that_nobody_waits_for_any_more_ends_its_git(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "a" * 20_000 + "\n"})
    text = runaway()
    searching = asyncio.create_task(_search(folder, Query(text, use_regex=True)))
    async with asyncio.timeout(30):
        while not at_work_on(text):
            await asyncio.sleep(0.01)
        searching.cancel()
        await asyncio.wait({searching})
    assert searching.cancelled()
    assert at_work_on(text) == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems know no such limit")
@pytest.mark.parametrize("text", ["((a{1,255}){1,255}){1,255}", r"(.{1,32000})\1"])
async def test_an_expression_that_takes_all_memory_is_refused(tmp_path: Path, text: str) -> None:
    folder = make_repository(tmp_path / "r", {"a": "aa\n"})
    with pytest.raises(InvalidParams, match="too much memory"):
        await _search(folder, Query(text, use_regex=True))


async def test_files_that_git_was_told_not_to_look_at_are_searched_as_they_are(
    tmp_path: Path,
) -> None:
    names = ["assumed", "skipped", "both", "ignored.log"]
    folder = make_repository(tmp_path / "r", dict.fromkeys(names, "old\nword\n"))
    folder.write(".gitignore", "*.log\n")
    folder.git("update-index", "--assume-unchanged", "assumed", "both", "ignored.log")
    folder.git("update-index", "--skip-worktree", "skipped", "both")
    for name in names:
        folder.write(name, "new\nword\n")
    assert await _lines(folder, Query("new")) == [(name, 1, "new") for name in sorted(names)]
    assert await _lines(folder, Query("old")) == []
    assert await _lines(folder, Query("word")) == [(name, 2, "word") for name in sorted(names)]


async def test_a_sparse_checkout_is_searched_where_there_are_files(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"in/a": "x\n", "out/a": "x\n", "out/b": "x\n"})
    folder.git("sparse-checkout", "set", "in")
    folder.write("out/a", "x again\n")
    assert await _lines(folder, Query("x")) == [("in/a", 1, "x"), ("out/a", 1, "x again")]


async def test_states_in_between(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"tracked": "x\n", "was a file": "x\n"})
    folder.write("to be added", "x\n")
    folder.git("add", "-N", "to be added")
    folder.write("staged", "x\n")
    folder.git("add", "staged")
    folder.write("staged", "changed\n")
    (folder.root / "was a file").unlink()
    folder.write("was a file/new", "x\n")
    (folder.root / "tracked").unlink()
    (folder.root / "tracked").symlink_to("to be added")
    os.mkfifo(folder.root / "pipe")
    (folder.root / "folder link").symlink_to("was a file")
    expected = [("to be added", 1, "x"), ("was a file/new", 1, "x")]
    assert await _lines(folder, Query("x")) == expected
    folder.git("checkout", "-q", "--detach")
    assert await _lines(folder, Query("x")) == expected


async def test_a_linked_worktree_and_a_submodule_are_searched_for_themselves(
    tmp_path: Path,
) -> None:
    inner = make_repository(tmp_path / "inner", {"i": "lantern\n"})
    folder = make_repository(tmp_path / "r", {"a": "lantern\n"})
    folder.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    folder.git("config", "submodule.recurse", "true")
    folder.commit()
    folder.git("worktree", "add", "-q", str(tmp_path / "other"))
    linked = RepositoryFolder(tmp_path / "other")
    linked.write("new", "lantern\n")
    assert [file for file, _, _ in await _lines(folder, Query("lantern"))] == ["a"]
    assert [file for file, _, _ in await _lines(linked, Query("lantern"))] == ["a", "new"]
    assert [file for file, _, _ in await _lines(inner, Query("lantern"))] == ["i"]


async def test_binary_files_are_left_out_however_that_is_known(tmp_path: Path) -> None:
    folder = make_repository(
        tmp_path / "r",
        {
            ".gitattributes": "*.lock -diff\n*.dat binary\n",
            "a.lock": "x\n",
            "a.dat": "x\n",
            "utf-16": "x\n".encode("utf-16"),
            "late": b"x" * 9000 + b"\0\n",
        },
    )
    folder.write("new.dat", "x\n")
    folder.write("empty", "")
    assert [file for file, _, _ in await _lines(folder, Query("x"))] == ["late"]


SETTINGS = (
    ("grep.patternType", "perl"),
    ("grep.extendedRegexp", "true"),
    ("grep.lineNumber", "false"),
    ("grep.column", "true"),
    ("grep.fullName", "true"),
    ("grep.fallbackToNoIndex", "true"),
    ("grep.threads", "1"),
    ("color.grep", "always"),
    ("color.ui", "always"),
    ("core.quotePath", "true"),
    ("core.sparseCheckout", "false"),
    ("submodule.recurse", "true"),
    ("diff.noprefix", "true"),
)


async def test_the_users_settings_change_nothing(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"ü": "a+b\naab\n", "d/a": "a+b\n"})
    before = [await _search(folder, Query("a+b", use_regex=rx)) for rx in (False, True)]
    for name, value in SETTINGS:
        folder.git("config", name, value)
    after = [await _search(folder, Query("a+b", use_regex=rx)) for rx in (False, True)]
    assert after == before
    assert [each["file"] for each in after[0]] == ["d/a", "ü"]
    assert [each["file"] for each in after[1]] == ["ü"]


async def test_files_above_a_size_are_left_out_when_new_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_NEW_FILE_BYTES", 10)
    folder = make_repository(tmp_path / "r", {"a": "x" * 20 + "\n"})
    folder.write("b", "x\n")
    folder.write("c", "x" * 20 + "\n")
    found = await _search(folder, Query("x"))
    assert [(each["file"], each.get("truncated")) for each in found] == [("a", None), ("b", True)]


async def test_what_we_write_meanwhile_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    folder.write(".jupyter_ac-0123456789abcdef.tmp", "x\n")
    assert [file for file, _, _ in await _lines(folder, Query("x"))] == ["a"]
    monkeypatch.setattr(module, "_MAX_ARGUMENT_BYTES", 0)
    folder.write("new", "x\n")
    assert [file for file, _, _ in await _lines(folder, Query("x"))] == ["a", "new"]


async def test_a_repository_that_is_broken_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    repository = await discover(folder.root)
    (folder.root / ".git" / "index").write_bytes(b"nonsense")
    with pytest.raises(GitError):
        await search(repository, Query("x"))


@pytest.mark.parametrize("room", [module._MAX_ARGUMENT_BYTES, 0])
async def test_what_jupyter_writes_is_searched_when_tracked_or_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    monkeypatch.setattr(module, "_MAX_ARGUMENT_BYTES", room)
    tracked = ".ipynb_checkpoints/kept-checkpoint.py"
    assumed = ".ipynb_checkpoints/assumed-checkpoint.py"
    folder = make_repository(tmp_path / "r", {"a.py": "plot\n", tracked: "plot\n", assumed: "1\n"})
    folder.git("update-index", "--assume-unchanged", assumed)
    folder.write(assumed, "plot\n")
    folder.write("new.py", "plot\n")
    write_beside(folder)
    repository, wish = await with_setting(folder)
    own = [assumed, tracked, "a.py", "new.py"]
    for _ in range(2):
        wish.is_shown = False
        assert [found["file"] for found in await search(repository, Query("plot"))] == own
        wish.is_shown = True
        found = await search(repository, Query("plot"))
        assert [each["file"] for each in found] == sorted([*own, *BESIDE])


async def test_what_is_not_shown_takes_no_room_from_what_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MAX_ARGUMENT_BYTES", 0)
    folder = make_repository(tmp_path / "r", {"a.py": "plot\n"})
    folder.write(".ipynb_checkpoints/large-checkpoint.py", "plot\n" * (MAX_MATCHES + 10))
    folder.write("new.py", "plot\n")
    repository, _ = await with_setting(folder)
    found = await search(repository, Query("plot"))
    assert [(each["file"], each.get("truncated")) for each in found] == [
        ("a.py", None),
        ("new.py", None),
    ]


LONG = "x" * 3_000_000


def found(**rows: Row) -> SearchRows:
    made = SearchRows()
    made.files = {name.encode(): [row] for name, row in rows.items()}
    return made


async def test_only_lines_that_the_file_itself_holds_are_kept(tmp_path: Path) -> None:
    texts: dict[str, str | bytes] = {"a": "1\ntwo\n", "b": "1\n", "c": f"{LONG}end{LONG}\n"}
    folder = make_repository(tmp_path / "r", texts)
    (folder.root / "d").symlink_to("/etc/passwd")
    repository = await discover(folder.root)
    rows = {
        "a": Row(2, matches=True, text="two"),
        "b": Row(1, matches=True, text="root:x:0"),
        "c": Row(1, matches=True, text="…xendx"),
        "d": Row(1, matches=True, text="root"),
        "e": Row(1, matches=True, text="gone"),
    }
    read = found(**rows)
    verify_rows(repository, read, time.time())
    assert sorted(read.files) == [b"a", b"c"]


async def test_folders_that_have_long_been_calm_are_not_looked_into(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"b": "1\n"})
    read = found(b=Row(1, matches=True, text="as git says"))
    verify_rows(await discover(folder.root), read, time.time() + 1000)
    assert sorted(read.files) == [b"b"]

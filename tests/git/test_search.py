import asyncio
import os
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError, InvalidParams, TimedOut
from jupyter_ac.git import search as module
from jupyter_ac.git.repository import discover
from jupyter_ac.git.search import (
    MAX_LINE_CHARS,
    MAX_MATCHES,
    FileMatches,
    Query,
    search,
)
from tests.support.repositories import RepositoryFolder, make_repository


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


async def test_output_over_the_limit_is_cut_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_OUTPUT_BYTES", 200_000)
    line = b"x" * 100_000 + b"\n"
    folder = make_repository(tmp_path / "r", {"a": line, "b": line, "c": line})
    found = await asyncio.wait_for(_search(folder, Query("x")), 5)
    assert [each["file"] for each in found] == ["a", "b"]
    assert found[-1]["truncated"] is True
    assert len(found[0]["matches"][0]["line"]) == MAX_LINE_CHARS


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


async def test_a_search_that_takes_too_long_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    repository = await discover(folder.root)
    (tmp_path / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(module, "TIMEOUT_S", 0.3)
    with pytest.raises(TimedOut):
        await search(repository, Query("x"))


async def test_a_repository_that_is_broken_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    repository = await discover(folder.root)
    (folder.root / ".git" / "index").write_bytes(b"nonsense")
    with pytest.raises(GitError):
        await search(repository, Query("x"))

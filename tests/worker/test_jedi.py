"""jedi in its child process: what it knows, and that nothing of the repository is executed."""

import os
import sys
import sysconfig
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.index.navigation.source_text import TextPosition
from jupyter_ac.worker import jedi
from jupyter_ac.worker.jedi import PathGuard, close_in
from jupyter_ac.workers.process import Worker

LIMIT_S = 90.0
SOURCE = """import os.path
from lib.shapes import Shape


def work(count: int, name="é😀"):
    total = count + 1
    shape = Shape(total)
    shape.grow(name)
    return os.path.join("a", name), total
"""
SHAPES = '''class Shape:
    """What is drawn."""

    def __init__(self, sides):
        self.sides = sides

    def grow(self, by):
        """Make it larger.

        A lot.
        """
'''


NOTHING: dict[str, object] = {"help": None, "goto": None, "references": [], "complete": []}


@asynccontextmanager
async def opened(root: Path, cache: Path) -> AsyncIterator[Worker]:
    worker = Worker("jedi")
    try:
        await worker.call("Jedi.open", str(root), str(cache), timeout_s=LIMIT_S)
        yield worker
    finally:
        await worker.aclose()


def write(root: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def at(mark: str) -> tuple[str, int, int]:
    """The place of `|` in a text of the source, in UTF-16 code units."""
    before, _, after = mark.partition("|")
    index = SOURCE.index(before + after) + len(before)
    line = SOURCE[:index].rpartition("\n")[2]
    return "app.py", SOURCE.count("\n", 0, index) + 1, len(line.encode("utf-16-le")) // 2


async def test_locals_attributes_of_instances_and_the_standard_library_are_known(
    tmp_path: Path,
) -> None:
    root = write(tmp_path / "repo", {"app.py": SOURCE, "lib/shapes.py": SHAPES})
    async with opened(root, tmp_path / "cache") as worker:

        async def goto(mark: str) -> object:
            return await worker.call("Jedi.goto", *at(mark), timeout_s=LIMIT_S)

        grow = {"path": "lib/shapes.py", "line": 7, "column": 8, "end_column": 12}
        assert await goto("shape.gr|ow") == {"spots": [grow]}
        total = {"path": "app.py", "line": 6, "column": 4, "end_column": 9}
        assert await goto("Shape(to|tal)") == {"spots": [total]}
        count = {"path": "app.py", "line": 5, "column": 9, "end_column": 14}
        assert await goto("= cou|nt + 1") == {"spots": [count]}
        # Outside of the repository there is no file, but there is help.
        assert await goto("path.jo|in(") == {"spots": []}
        known = await worker.call("Jedi.help", *at("path.jo|in("), timeout_s=LIMIT_S)
        assert "join(" in cast("dict[str, str]", known)["signature"]
        known = await worker.call("Jedi.help", *at("shape.gr|ow"), timeout_s=LIMIT_S)
        assert known == {"signature": "def grow(by)", "doc": "Make it larger."}
        # A module is a whole file, whatever stands at its beginning.
        known = await worker.call("Jedi.goto", *at("from lib.sha|pes"), timeout_s=LIMIT_S)
        beginning = {"path": "lib/shapes.py", "line": 1, "column": 0, "end_column": 0}
        assert known == {"spots": [beginning]}
        # A value has no signature, whatever jedi says of what made it.
        known = await worker.call("Jedi.help", *at("tot|al = count"), timeout_s=LIMIT_S)
        assert cast("dict[str, str]", known)["signature"] == "variable builtins.int"
        names = await worker.call("Jedi.complete", *at("shape.gr|ow"), timeout_s=LIMIT_S)
        assert names == [{"label": "grow", "kind": "function"}]
        spots = await worker.call("Jedi.references", *at("Shape(to|tal)"), timeout_s=LIMIT_S)
        assert [spot["line"] for spot in cast("list[dict[str, int]]", spots)] == [6, 7, 9]


async def test_a_column_behind_a_wide_character_is_where_editors_see_it(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", {"a.py": 'word = 1\nx = "😀", word\n'})
    async with opened(root, tmp_path / "cache") as worker:
        spots = await worker.call("Jedi.references", "a.py", 2, 10, timeout_s=LIMIT_S)
        assert spots == [
            {"path": "a.py", "line": 1, "column": 0, "end_column": 4},
            {"path": "a.py", "line": 2, "column": 10, "end_column": 14},
        ]


async def test_files_that_are_none_or_break_jedi_are_answered_with_nothing(tmp_path: Path) -> None:
    texts = {"deep.py": "(" * 20_000, "big.py": "x = 1\n" * 200_000, "bad.py": "def \x00 = (\n"}
    root = write(tmp_path / "repo", texts)
    (root / "latin.py").write_bytes(b"x = '\xff'\nx\n")
    (root / "link.py").symlink_to(tmp_path / "secret.py")
    (tmp_path / "secret.py").write_text("token = 1\n", encoding="utf-8")
    async with opened(root, tmp_path / "cache") as worker:
        for name in ("deep.py", "big.py", "bad.py", "none.py", "link.py", "../secret.py"):
            assert await worker.call("Jedi.goto", name, 1, 0, timeout_s=LIMIT_S) is None, name
        found = await worker.call("Jedi.goto", "latin.py", 2, 0, timeout_s=LIMIT_S)
        assert found == {"spots": [{"path": "latin.py", "line": 1, "column": 0, "end_column": 1}]}


def test_what_breaks_jedi_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def break_it(_text: object, _place: object) -> None:
        raise RecursionError("too deep")

    (tmp_path / "deep.py").write_text("x = 1\n", encoding="utf-8")
    with caplog.at_level("DEBUG", logger=jedi.__name__):
        assert jedi._answer(tmp_path, "deep.py", TextPosition(1, 0), break_it) is None
    assert "'deep.py': RecursionError('too deep')" in caplog.text


async def test_columns_behind_a_byte_order_mark_are_as_if_there_were_none(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", {"use.py": "from a import word\nword\n"})
    (root / "a.py").write_bytes(b"\xef\xbb\xbfdef word(): ...\nword()\n")
    async with opened(root, tmp_path / "cache") as worker:
        defined = {"path": "a.py", "line": 1, "column": 4, "end_column": 8}
        for place in [("a.py", 1, 4), ("a.py", 2, 0), ("use.py", 2, 0), ("use.py", 1, 15)]:
            known = await worker.call("Jedi.goto", *place, timeout_s=LIMIT_S)
            assert known == {"spots": [defined]}, place
        spots = await worker.call("Jedi.references", "a.py", 1, 6, timeout_s=LIMIT_S)
        assert spots == [defined, {"path": "a.py", "line": 2, "column": 0, "end_column": 4}]


async def test_nothing_is_known_behind_the_end_of_a_line_or_of_the_file(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", {"a.py": "word = 1\nword\n"})
    async with opened(root, tmp_path / "cache") as worker:
        assert await worker.call("Jedi.help", "a.py", 2, 4, timeout_s=LIMIT_S) is not None
        for place in [(2, 5), (2, 10**12), (4, 0), (10**9, 0)]:
            for question, nothing in NOTHING.items():
                found = await worker.call(f"Jedi.{question}", "a.py", *place, timeout_s=LIMIT_S)
                assert found == nothing, (question, place)


async def test_no_files_are_offered_inside_of_strings(tmp_path: Path) -> None:
    lines = [f'open("{tmp_path}/', 'open("../', 'open("./.', 'open("', 'w = "~/', 'd["']
    root = write(tmp_path / "repo", {"a.py": "\n".join(lines), ".env": "", "d/e.txt": ""})
    async with opened(root, tmp_path / "cache") as worker:
        for at, line in enumerate(lines, 1):
            rows = await worker.call("Jedi.complete", "a.py", at, len(line), timeout_s=LIMIT_S)
            labels = [row["label"] for row in cast("list[dict[str, str]]", rows)]
            assert not {"repo/", "secret/", "d/", ".env", "e.txt"} & set(labels), line
            assert not [label for label in labels if "/" in label or "." in label], line


async def test_sources_lead_to_nothing_but_the_repository_and_what_is_installed(
    tmp_path: Path,
) -> None:
    """By changes of the path of modules, imports that climb out, links, and plugins of tests."""
    away = write(tmp_path / "away", {"secret.py": 'def token(key="hidden"): ...\n'})
    write(tmp_path, {"conftest.py": "def fixed(): ...\n", "beside.py": "hidden = 1\n"})
    source = f"""import sys
sys.path.append({str(away)!r})
sys.path.insert(0, "../away")
import secret
secret.token
from linked.secret import token
token
import sec
from ...beside import hidden
hidden
from ... import be
import near
near.shown
"""
    texts = {"pkg/app.py": source, "near.py": "shown = 1\n", "pkg/near.py": "shown = 1\n"}
    root = write(tmp_path / "repo", texts)
    (root / "linked").symlink_to(away)
    async with opened(root, tmp_path / "cache") as worker:
        lines = source.split("\n")
        *hidden, _, shown, _ = range(4, len(lines) + 1)
        for at in hidden:
            place = "pkg/app.py", at, len(lines[at - 1])
            rows = await worker.call("Jedi.complete", *place, timeout_s=LIMIT_S)
            labels = {row["label"] for row in cast("list[dict[str, str]]", rows)}
            assert not labels & {"secret", "beside", "away", "repo"}, place
            assert await worker.call("Jedi.help", *place, timeout_s=LIMIT_S) is None, place
        place = "pkg/app.py", shown, len("near.shown")
        assert await worker.call("Jedi.help", *place, timeout_s=LIMIT_S) is not None


async def test_nothing_of_the_repository_is_executed(tmp_path: Path) -> None:
    """Modules, compiled ones among them, settings of jedi's, environments, plugins of tests."""
    mark = tmp_path / "executed"
    evil = f"open({str(mark)!r}, 'w').write('x')\n"
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    names = ["evil", "conftest", "sitecustomize", "usercustomize", "json", "numpy/__init__"]
    texts = {f"{name}.py": evil + "value = 1\n" for name in names}
    texts |= {
        "app.py": "import evil, compiled, json, numpy, old\nevil.value\ncompiled.x\nold.x\njson\n",
        "test_app.py": "def test_it(monkeypatch, evil):\n    monkeypatch\n",
        "evil.pth": f"import os; {evil}",
        ".jedi/project.json": '[1, {"load_unsafe_extensions": true, "path": "."}]',
        "pyvenv.cfg": "home = /usr/bin\n",
        ".venv/bin/python": f"#!/bin/sh\ntouch {mark}\n",
        "venv/bin/python": f"#!/bin/sh\ntouch {mark}\n",
        "buildout.cfg": "[buildout]\n",
        "manage.py": evil,
    }
    root = write(tmp_path / "repo", texts)
    for name in (".venv/bin/python", "venv/bin/python"):
        (root / name).chmod(0o755)
    real = Path(sysconfig.get_path("stdlib")) / "lib-dynload"
    module = next(iter(real.glob(f"*{suffix}")))
    (root / f"compiled{suffix}").write_bytes(module.read_bytes())
    (root / "old.pyc").write_bytes(b"\x00" * 16)
    async with opened(root, tmp_path / "cache") as worker:
        for place in [(1, 8), (1, 14), (1, 24), (1, 30), (2, 6), (3, 9), (4, 4), (5, 1)]:
            for question in ("help", "goto", "complete"):
                await worker.call(f"Jedi.{question}", "app.py", *place, timeout_s=LIMIT_S)
        await worker.call("Jedi.goto", "test_app.py", 2, 6, timeout_s=LIMIT_S)
        loaded = Path(f"/proc/{worker.pid}/maps")
        assert not loaded.exists() or str(root) not in loaded.read_text(encoding="utf-8")
    assert not mark.exists()


def test_only_what_is_below_a_folder_is_allowed_links_followed(tmp_path: Path) -> None:
    inside, beside = tmp_path / "in", tmp_path / "inner"
    for folder in (inside, beside):
        folder.mkdir()
    (inside / "out").symlink_to(beside)
    (inside / "same").symlink_to(inside)
    (tmp_path / "link").symlink_to(inside)
    fence = PathGuard([tmp_path / "link"])
    for allowed in ("in", "in/a.py", "in/none/b.py", "link/a.py", "in/same/a.py"):
        assert fence.allows(str(tmp_path / allowed)), allowed
    for refused in ("", "inner", "inner/a.py", "in/out", "in/out/a.py", "in/../inner/a.py"):
        assert not fence.allows(str(tmp_path / refused)), refused


def test_opening_and_listing_what_lies_elsewhere_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    fence = PathGuard([tmp_path / "in"])
    for event in ("open", "os.listdir", "os.scandir"):
        for path in (str(tmp_path), os.fsencode(tmp_path), None):
            with pytest.raises(FileNotFoundError):
                fence.check(event, (path, "r", 0))
        fence.check(event, (str(tmp_path / "in/a.py"), "r", 0))
        fence.check(event, (3, "r", 0))
    fence.check("import", ("secret", None))


def test_a_process_is_closed_in_for_good(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hooks: list[object] = []
    monkeypatch.setattr(sys, "addaudithook", hooks.append)
    close_in([tmp_path])
    assert len(hooks) == 1

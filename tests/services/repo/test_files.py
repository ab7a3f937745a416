import asyncio
import hashlib
import json
import os
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams, NotFound, RefusedPath, Unsupported
from jupyter_ac.git.repository import discover
from jupyter_ac.rpc.codec import Encoded
from jupyter_ac.rpc.dialect import JRPC_OO
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.repo.files import DiffMethods, FileMethods
from jupyter_ac.store.stamped_cache import StampedCache
from tests.support.conformance import refusal_of
from tests.support.repositories import make_repository


async def _part(tmp_path: Path) -> FileMethods:
    folder = make_repository(tmp_path / "r", {"a": "old\r\n", "bin": b"\0"})
    folder.write("a", "new\r\n")
    return FileMethods(await discover(folder.root))


def read(answer: str | Encoded[str]) -> str:
    """What a client reads."""
    if isinstance(answer, str):
        return answer
    text: str = json.loads(answer.text)
    return text


async def test_content_of_now_and_of_a_version(tmp_path: Path) -> None:
    part = await _part(tmp_path)
    assert read(await part.get_file_content("a")) == "new\r\n"
    assert read(await part.get_file_content("a", None)) == "new\r\n"
    assert read(await part.get_file_content("a", "HEAD")) == "old\r\n"


async def test_what_is_unchanged_comes_from_memory_and_every_change_shows(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/a": "one\n"})
    part = FileMethods(await discover(folder.root))
    part._contents = StampedCache(lifetime_s=3600, settled_s=0.05)
    path = folder.root / "d" / "a"

    async def settled() -> object:
        async with asyncio.timeout(30):
            while True:
                first = await part.get_file_content("d/a")
                if await part.get_file_content("d/a") is first:
                    return read(first)
                await asyncio.sleep(0.01)

    assert await settled() == "one\n"
    found = path.stat()
    path.write_text("two\n")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert read(await part.get_file_content("d/a")) == "two\n"
    assert await settled() == "two\n"
    # The same file behind a link that leaves the repository is refused as ever.
    path.parent.rename(tmp_path / "outside")
    (folder.root / "d").symlink_to(tmp_path / "outside")
    with pytest.raises(RefusedPath):
        await part.get_file_content("d/a")
    (folder.root / "d").unlink()
    (tmp_path / "outside").rename(folder.root / "d")
    assert await settled() == "two\n"
    path.unlink()
    with pytest.raises(NotFound):
        await part.get_file_content("d/a")


async def test_a_notebook_is_read_as_its_cells(tmp_path: Path) -> None:
    cells = [{"cell_type": "code", "source": "x = 1", "metadata": {}, "outputs": []}]
    notebook = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    folder = make_repository(tmp_path / "r", {"a.ipynb": notebook, "b.ipynb": "{}"})
    part = FileMethods(await discover(folder.root))
    assert await part.get_notebook_text("a.ipynb") == "# %% cell=1\nx = 1\n"
    assert await part.get_notebook_text("a.ipynb", "HEAD") == "# %% cell=1\nx = 1\n"
    with pytest.raises(Unsupported, match="not a notebook"):
        await part.get_notebook_text("b.ipynb")


async def test_a_notebooks_language_is_its_kernels(tmp_path: Path) -> None:
    metadata = {"kernelspec": {"name": "ir", "language": "R"}}
    notebook = json.dumps({"cells": [], "metadata": metadata, "nbformat": 4})
    folder = make_repository(tmp_path / "r", {"a.ipynb": notebook, "b.ipynb": "{}"})
    part = FileMethods(await discover(folder.root))
    assert await part.get_notebook_language("a.ipynb") == "r"
    assert await part.get_notebook_language("a.ipynb", "HEAD") == "r"
    assert await part.get_notebook_language("b.ipynb") == ""


async def test_questions_are_answered(tmp_path: Path) -> None:
    part = await _part(tmp_path)
    assert await part.file_exists("a") is True
    assert await part.file_exists("../a") is False
    assert await part.is_binary_file("bin") is True
    assert await part.is_binary_file("a") is False


async def test_the_hash_is_that_of_the_bytes_and_null_without_a_file(tmp_path: Path) -> None:
    part = await _part(tmp_path)
    assert await part.get_file_hash("a") == hashlib.sha256(b"new\r\n").hexdigest()
    assert await part.get_file_hash("bin") == hashlib.sha256(b"\0").hexdigest()
    assert await part.get_file_hash("gone") is None
    with pytest.raises(RefusedPath):
        await part.get_file_hash("../a")


async def test_paths_and_kinds_are_checked(tmp_path: Path) -> None:
    part = await _part(tmp_path)
    with pytest.raises(RefusedPath):
        await part.get_file_content(".git/config")
    methods = MethodTable(Namespace("Repo", part))
    for bad in (None, 5, ["a"]):
        with pytest.raises(InvalidParams, match="path must be a string"):
            JRPC_OO.bind(methods["Repo.file_exists"], [bad])
    with pytest.raises(InvalidParams, match="version must be a string or null"):
        JRPC_OO.bind(methods["Repo.get_file_content"], ["a", 5])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.PNG", "image/png"),
        ("a.jpeg", "image/jpeg"),
        ("a.webp", "image/webp"),
        ("a.ico", "image/x-icon"),
        ("a.svg", "image/svg+xml"),
        ("a.tif", "image/tiff"),
        ("a.txt", "text/plain"),
        ("a.svgz", "application/octet-stream"),
        ("a.tar.gz", "application/octet-stream"),
        ("png", "application/octet-stream"),
    ],
)
async def test_bytes_come_as_a_data_uri(tmp_path: Path, name: str, kind: str) -> None:
    folder = make_repository(tmp_path / "r", {name: b"\0\xff"})
    part = FileMethods(await discover(folder.root))
    assert await part.get_file_base64(name) == {"data_uri": f"data:{kind};base64,AP8="}
    with pytest.raises(RefusedPath):
        await part.get_file_base64("../x")


async def test_diffs_are_texts_and_that_to_a_branch_an_object(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    part = DiffMethods(await discover(folder.root))
    folder.write("a", "2\n")
    folder.git("add", "a")
    staged = await part.get_staged_diff()
    assert "-1\n+2\n" in staged
    assert await part.get_unstaged_diff() == ""
    assert await part.get_diff_to_branch("main") == {"diff": staged}
    assert "No commit is called" in await refusal_of(part.get_diff_to_branch, "nowhere")

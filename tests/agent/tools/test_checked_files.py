from pathlib import Path

import pytest

from jupyter_ac.chat.open_notebooks import OpenNotebook
from jupyter_ac.errors import AcError, BinaryFile, NotFound, RefusedPath, Unsupported
from jupyter_ac.ids import RepoPath
from jupyter_ac.notebook_rows import NotebookEdited
from tests.agent.tools.calls import KEY, Caller, checked, folder_of, opened

NOTEBOOK = (
    '{"cells": [{"cell_type": "code", "execution_count": 1, "metadata": {}, "id": "c1",'
    ' "outputs": [{"output_type": "stream", "name": "stdout", "text": "PRINTED"}],'
    ' "source": "x = 1"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
)


async def reason(tmp_path: Path, path: str, **files: str) -> str:
    folder = folder_of(tmp_path, {".gitignore": "*.log\nsecret/\n", "a.py": "x = 1\n"})
    for name, text in files.items():
        folder.write(name.replace("__", ".").replace("_IN_", "/"), text)
    found, _ = await checked(await opened(folder)).look(Caller().conversation, path)
    return found.reason


async def test_a_tracked_file_and_a_new_one_are_read_without_asking(tmp_path: Path) -> None:
    assert await reason(tmp_path, "a.py") == ""
    assert await reason(tmp_path / "2", "new.py", new__py="y = 2\n") == ""


async def test_what_git_ignores_asks(tmp_path: Path) -> None:
    assert await reason(tmp_path, "x.log", x__log="1") == "Git ignores it."
    assert await reason(tmp_path / "2", "secret/x", secret_IN_x="1") == "Git ignores it."


async def test_what_the_secret_warnings_name_asks(tmp_path: Path) -> None:
    by_name = await reason(tmp_path, ".env", __env="A=1\n")
    assert "environment settings" in by_name
    by_text = await reason(tmp_path / "2", "c.py", c__py=f"KEY = '{KEY}'\n")
    assert by_text == "It seems to contain a language model's API key."


async def test_a_link_asks_for_what_it_leads_to(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {".gitignore": "*.log\n"})
    folder.write("x.log", "1")
    (folder.root / "plain.txt").symlink_to("x.log")
    found, file = await checked(await opened(folder)).look(Caller().conversation, "plain.txt")
    assert (found.path, found.real, found.reason) == ("plain.txt", "x.log", "Git ignores it.")
    assert "\n1\n" in file.block.text


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("../outside", RefusedPath),
        ("/etc/passwd", RefusedPath),
        (".git/config", RefusedPath),
        (".GIT/config", RefusedPath),
        ("out", RefusedPath),
        ("folder/out/hosts", RefusedPath),
        ("a\0b", RefusedPath),
        ("", RefusedPath),
        ("gone.py", NotFound),
        ("folder", NotFound),
        ("logo.png", BinaryFile),
        ("large.txt", Unsupported),
        ("x" * 5000, RefusedPath),
    ],
)
async def test_what_cant_be_read_is_an_error_with_a_sentence(
    tmp_path: Path, path: str, kind: type[AcError]
) -> None:
    folder = folder_of(tmp_path)
    folder.write("folder/b.py", "")
    folder.write("logo.png", b"\x89PNG\0\0")
    folder.write("large.txt", b"x\n" * 25 * 1024 * 1024)
    (folder.root / "out").symlink_to("/etc/hostname")
    (folder.root / "folder/out").symlink_to("/etc")
    with pytest.raises(kind) as caught:
        await checked(await opened(folder)).look(Caller().conversation, path)
    assert str(folder.root) not in caught.value.message
    assert caught.value.message.endswith(".")


async def test_a_name_that_isnt_utf8_is_found(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    folder.write("caf\udce9.py", "y = 1\n")
    found, file = await checked(await opened(folder)).look(Caller().conversation, "caf\udce9.py")
    assert found.path == "caf\udce9.py"
    assert file.block.text.startswith("caf\\udce9.py\n")


async def _edit(_operations: object) -> NotebookEdited:
    return {"status": "refused", "reason": "not here"}


async def test_a_notebook_is_read_where_it_is_open(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"n.ipynb": NOTEBOOK})
    shown = OpenNotebook(NOTEBOOK.replace("x = 1", "x = 'in the page'"), _edit)
    silent = OpenNotebook("", _edit, is_silent=True)
    repository, caller = await opened(folder), Caller()
    path = RepoPath("n.ipynb")
    _, file = await checked(repository, {path: shown}).look(caller.conversation, path)
    assert "x = 'in the page'" in file.block.text
    assert "PRINTED" not in file.block.text
    _, file = await checked(repository, {path: silent}).look(caller.conversation, path)
    assert "x = 1" in file.block.text

"""The methods of `Kernel.*` on a shell of this process."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.hosts.kernel.live.kernel_methods import KernelMethods
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.store.nonce import knows_nonce
from jupyter_ac.store.state_paths import state_dir
from tests.support.repositories import make_repository


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def test_the_methods_are_those_of_the_documentation(shell: InteractiveShell) -> None:
    table = MethodTable(Namespace("Kernel", KernelMethods(shell)))
    page = Path(__file__).parents[4] / "docs" / "kernel.md"
    text = page.read_text(encoding="utf-8")
    assert [name for name in table if f"`{name.removeprefix('Kernel.')}(" not in text] == []
    assert {method.access for method in table.values()} == {"read"}


def test_names_of_ipython_are_not_listed(shell: InteractiveShell) -> None:
    shell.run_cell("x = 5")
    rows = KernelMethods(shell).list_variables()["variables"]
    assert [row["name"] for row in rows] == ["x"]


async def test_a_representation_is_made_when_asked_for(shell: InteractiveShell) -> None:
    shell.run_cell("class Loud:\n    def __repr__(self): return 'loud'\nx = Loud()")
    methods = KernelMethods(shell)
    assert (await methods.describe_variable("x"))["repr"] is None
    found = (await methods.describe_variable("x", with_repr=True))["repr"]
    assert found is not None
    assert found["state"] in {"done", "running"}
    with pytest.raises(NotFound):
        await methods.describe_variable("y")


def test_errors_and_inputs_are_the_sessions(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_cell("y = 1", store_history=True)
    shell.run_cell("y / 0", store_history=True)
    capsys.readouterr()
    methods = KernelMethods(shell)
    error = methods.get_last_error()
    assert error is not None
    assert (error["type"], error["message"]) == ("ZeroDivisionError", "division by zero")
    assert [(row["kind"], row["cell"]) for row in error["frames"]] == [("cell", 2)]
    assert "→ 1 y / 0" in error["frames"][0]["source"]
    assert [row["source"] for row in methods.get_history(1)] == ["y / 0"]
    with pytest.raises(InvalidParams):
        methods.get_history(0)


def test_names_are_completed(shell: InteractiveShell) -> None:
    shell.run_cell("mine = 1")
    assert KernelMethods(shell).complete("min", 3)["matches"] == ["min", "mine"]


async def test_hello_follows_the_kernels_folder(
    shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, repository = tmp_path / "plain", tmp_path / "repository"
    plain.mkdir()
    repository.mkdir()
    make_repository(repository, {"a.py": ""})
    methods = KernelMethods(shell)
    monkeypatch.chdir(plain)
    assert (await methods.hello())["nonce"] is None
    os.chdir(repository)
    found = await methods.hello()
    assert found["directory"] == str(repository)
    assert found["nonce"] is not None
    assert knows_nonce(state_dir(repository / ".git"), found["nonce"])
    assert await methods.hello() == found


async def test_without_git_hello_has_no_nonce(
    shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_repository(tmp_path, {"a.py": ""})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = await KernelMethods(shell).hello()
    assert (found["directory"], found["nonce"]) == (str(tmp_path), None)

"""One host for each repository and model."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.errors import NotReady
from jupyter_ac.hosts.kernel.child.pool import ChildPool, children_of
from tests.hosts.kernel.child.ends import End


@pytest.fixture
def pool() -> Iterator[ChildPool]:
    made = ChildPool()
    yield made
    made.close()


def test_the_folders_of_a_repository_share_a_child(tmp_path: Path, pool: ChildPool) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path / "a"], check=True, timeout=30)
    (tmp_path / "a/in/ner").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    child = pool.get(tmp_path / "a/in/ner")
    assert child is pool.get(tmp_path / "a") is pool.get(tmp_path / "a/in")
    assert child.folder == tmp_path / "a"
    assert pool.get(tmp_path / "b").folder == tmp_path / "b"


def test_a_model_has_a_child_of_its_own(tmp_path: Path, pool: ChildPool) -> None:
    models = ("", "openai/a", "openai/b")
    assert len({id(pool.get(tmp_path, model)) for model in models}) == 3
    assert pool.get(tmp_path, "openai/a") is pool.get(tmp_path, "openai/a")


def test_of_other_models_the_last_two_are_kept(tmp_path: Path, pool: ChildPool) -> None:
    chosen = pool.get(tmp_path)
    first, second = pool.get(tmp_path, "openai/a"), pool.get(tmp_path, "openai/b")
    assert pool.get(tmp_path, "openai/a") is first
    pool.get(tmp_path, "openai/c")
    assert pool.get(tmp_path) is chosen
    assert pool.get(tmp_path, "openai/a") is first
    with pytest.raises(NotReady):
        End().open(second, "echo")
    assert pool.get(tmp_path, "openai/b") is not second


def test_after_closing_the_old_ones_are_closed_and_others_made(
    tmp_path: Path, pool: ChildPool
) -> None:
    old = pool.get(tmp_path)
    pool.close(1.0)
    with pytest.raises(NotReady):
        End().open(old, "echo")
    assert pool.get(tmp_path) is not old


def test_a_shell_has_one_pool_and_nothing_has_none_in_common() -> None:
    shell, other = InteractiveShell(), InteractiveShell()
    assert children_of(shell) is children_of(shell) is not children_of(other)
    assert children_of(None) is not children_of(None)

"""Where the kernel is, and what it leaves there."""

import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, NotFound, RefusedPath
from jupyter_ac.hosts.kernel.kernel_location import KernelLocation, KernelPlace, hello, versions
from jupyter_ac.store.nonce import knows_nonce
from jupyter_ac.store.state_paths import state_dir
from jupyter_ac.version import __version__


def repository_in(folder: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", folder], check=True, timeout=30)
    return folder


def test_a_folder_under_no_repository_is_only_a_folder(tmp_path: Path) -> None:
    assert KernelLocation(tmp_path).find() == KernelPlace(tmp_path)


def test_the_nonce_lies_in_the_git_directory_and_stays_the_same(tmp_path: Path) -> None:
    whereabouts = KernelLocation(repository_in(tmp_path))
    place = whereabouts.find()
    assert place.root == Path(os.path.realpath(tmp_path))
    assert place.nonce
    assert knows_nonce(state_dir(tmp_path / ".git"), place.nonce)
    assert whereabouts.find() == place


def test_each_kernel_leaves_a_nonce_of_its_own(tmp_path: Path) -> None:
    repository_in(tmp_path)
    assert KernelLocation(tmp_path).find().nonce != KernelLocation(tmp_path).find().nonce


def test_a_repository_made_anew_gets_a_nonce_again(tmp_path: Path) -> None:
    whereabouts = KernelLocation(repository_in(tmp_path))
    before = whereabouts.find().nonce
    shutil.rmtree(tmp_path / ".git")
    assert whereabouts.find() == KernelPlace(tmp_path)
    repository_in(tmp_path)
    after = whereabouts.find().nonce
    assert after
    assert after != before


def test_hello_carries_what_the_page_needs(tmp_path: Path) -> None:
    assert hello(KernelPlace(tmp_path / "in", tmp_path, "ab"), "ready") == {
        "type": "hello",
        "directory": str(tmp_path / "in"),
        "root": str(tmp_path),
        "nonce": "ab",
        "versions": versions(),
        "status": "ready",
    }
    assert hello(KernelPlace(tmp_path), "starting")["root"] is None


def test_the_versions_are_those_of_this_interpreter() -> None:
    found = versions()
    assert found["jupyter_ac"] == __version__
    assert found["python"] == platform.python_version()


def test_a_folder_is_made_a_repository_once(tmp_path: Path) -> None:
    whereabouts = KernelLocation(tmp_path)
    assert whereabouts.initialise(str(tmp_path)) == tmp_path.name
    head = (tmp_path / ".git/HEAD").stat().st_mtime_ns
    assert KernelLocation(tmp_path).initialise(str(tmp_path)) == tmp_path.name
    assert (tmp_path / ".git/HEAD").stat().st_mtime_ns == head
    assert whereabouts.find().root == Path(os.path.realpath(tmp_path))


@pytest.mark.parametrize("confirmed", [None, "", "/", True])
def test_no_page_makes_one_by_a_slip(tmp_path: Path, confirmed: object) -> None:
    with pytest.raises(AcError, match="ask the person"):
        KernelLocation(tmp_path).initialise(confirmed)
    assert not (tmp_path / ".git").exists()


def test_the_home_directory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(RefusedPath, match="home directory"):
        KernelLocation(tmp_path).initialise(str(tmp_path))
    assert not (tmp_path / ".git").exists()


def test_repositories_near_the_folder_are_found_and_no_others_opened(tmp_path: Path) -> None:
    outer = repository_in(tmp_path / "outer")
    folder = outer / ".git/info"
    garden = repository_in(folder / "garden")
    far = repository_in(tmp_path / "far")
    whereabouts = KernelLocation(folder)
    around = whereabouts.look_around()
    assert [found.path for found in (*around.above, *around.below)] == [outer, garden]
    assert whereabouts.nearby(str(garden)) == garden
    for asked in (str(far), "garden", ""):
        with pytest.raises(NotFound, match="look again"):
            whereabouts.nearby(asked)

"""Repositories above a folder and up to two levels below."""

import os
from pathlib import Path

import pytest

from jupyter_ac.git.nearby import (
    RepositoriesBelow,
    SearchBounds,
    marked_folders_above,
    repositories_below,
)
from tests.support.repositories import make_repository


def repositories_in(folder: Path, *paths: str) -> None:
    for path in paths:
        make_repository(folder / path)


def test_those_one_and_two_levels_below_are_found_the_nearer_ones_first(tmp_path: Path) -> None:
    repositories_in(tmp_path, "z", "group/b", "group/a", "group/deep/er")
    (tmp_path / "plain/inner").mkdir(parents=True)
    assert repositories_below(tmp_path) == RepositoriesBelow(("z", "group/a", "group/b"), True)


def test_nothing_is_looked_for_inside_a_repository(tmp_path: Path) -> None:
    repositories_in(tmp_path, "outer", "outer/inner")
    assert repositories_below(tmp_path).paths == ("outer",)


def test_a_worktree_and_a_submodule_count_by_their_file(tmp_path: Path) -> None:
    main = make_repository(tmp_path / "elsewhere/main", {"a": "a"})
    main.git("worktree", "add", "--quiet", str(tmp_path / "here/side"))
    assert repositories_below(tmp_path / "here").paths == ("side",)


@pytest.mark.parametrize("text", ["gitdir: /nowhere/r/.git/worktrees/here\n", "", "a\0b", "\n"])
def test_a_file_that_names_no_git_directory_is_no_repository(tmp_path: Path, text: str) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here/.git").write_text(text)
    assert repositories_below(tmp_path) == RepositoriesBelow((), True)


@pytest.mark.parametrize("name", [".hidden", "node_modules", "venv", "__pycache__", "a.egg-info"])
def test_hidden_folders_and_those_that_tools_make_are_passed_over(
    tmp_path: Path, name: str
) -> None:
    repositories_in(tmp_path, f"{name}/inner", f"group/{name}")
    assert repositories_below(tmp_path) == RepositoriesBelow((), True)


def test_no_link_is_followed(tmp_path: Path) -> None:
    repositories_in(tmp_path, "away/garden")
    here = tmp_path / "here"
    here.mkdir()
    (here / "to-one").symlink_to(tmp_path / "away/garden")
    (here / "to-its-folder").symlink_to(tmp_path / "away")
    (here / "loop").symlink_to(here)
    assert repositories_below(here) == RepositoriesBelow((), True)


def test_an_empty_folder_of_the_name_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / "fake/.git").mkdir(parents=True)
    assert repositories_below(tmp_path).paths == ()


@pytest.mark.parametrize(
    "bounds",
    [SearchBounds(repositories=2), SearchBounds(entries=2), SearchBounds(seconds=-1)],
)
def test_a_search_that_was_cut_says_so(tmp_path: Path, bounds: SearchBounds) -> None:
    repositories_in(tmp_path, "a", "b", "c", "group/d")
    found = repositories_below(tmp_path, bounds)
    assert not found.is_complete
    assert len(found.paths) <= 2


def test_a_search_that_just_fits_is_whole(tmp_path: Path) -> None:
    repositories_in(tmp_path, "a", "b")
    bounds = SearchBounds(repositories=2, entries=2)
    assert repositories_below(tmp_path, bounds) == RepositoriesBelow(("a", "b"), True)


def test_a_folder_that_may_not_be_read_is_said_and_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repositories_in(tmp_path, "a", "open/b")
    (tmp_path / "closed").mkdir()
    scan = os.scandir

    def refuse(folder: Path) -> object:
        if Path(folder).name == "closed":  # the tests may run as root, who may read everything
            raise PermissionError
        return scan(folder)

    monkeypatch.setattr("jupyter_ac.git.nearby.os.scandir", refuse)
    assert repositories_below(tmp_path) == RepositoriesBelow(("a", "open/b"), False)


def test_a_name_that_no_page_could_send_is_left_out_and_said(tmp_path: Path) -> None:
    repositories_in(tmp_path, "l\udce9", "plain")
    assert repositories_below(tmp_path) == RepositoriesBelow(("plain",), False)


def test_a_folder_that_is_gone_has_none(tmp_path: Path) -> None:
    assert repositories_below(tmp_path / "gone") == RepositoriesBelow((), False)


def test_folders_above_with_a_git_directory_come_the_nearest_first(tmp_path: Path) -> None:
    repositories_in(tmp_path, "far", "far/near")
    folder = tmp_path / "far/near/a/b"
    folder.mkdir(parents=True)
    assert marked_folders_above(folder) == [tmp_path / "far/near", tmp_path / "far"]
    assert marked_folders_above(tmp_path / "far") == []

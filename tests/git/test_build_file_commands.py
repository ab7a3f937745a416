import json
import os
from pathlib import Path

import pytest

from jupyter_ac.git.build_file_commands import scripts_of, words_in


def test_the_scripts_that_a_call_names_are_given_with_what_runs_around_them(
    tmp_path: Path,
) -> None:
    manifest = tmp_path / "package.json"
    scripts = {"a": "1", "prea": "2", "posta": "3", "b": "4", "odd": 5}
    manifest.write_text(json.dumps({"scripts": scripts}))
    assert list(scripts_of(manifest, ["run", "a"], is_any=True)) == ["2", "1", "3"]
    assert list(scripts_of(manifest, ["install"], is_any=True)) == ["1", "2", "3", "4"]
    assert list(scripts_of(manifest, ["install"], is_any=False)) == []


@pytest.mark.parametrize("text", ["", "[]", '{"scripts": 1}', "{}", "[" * 100_000])
def test_a_manifest_that_says_nothing_has_no_scripts(tmp_path: Path, text: str) -> None:
    (tmp_path / "package.json").write_text(text)
    assert list(scripts_of(tmp_path / "package.json", [], is_any=True)) == []


def test_the_words_of_recipes_are_without_what_is_for_make(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("a: b\n\t@./x.sh $(Y)/z.py >out\n\t-rm ../t\n")
    assert words_in(tmp_path / "Makefile") == {
        "a",
        "b",
        "./x.sh",
        "Y",
        "/z.py",
        "out",
        "rm",
        "../t",
    }


def test_a_pipe_and_nothing_have_no_words(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "gone"):
        assert words_in(tmp_path / name) == set()
        assert list(scripts_of(tmp_path / name, [], is_any=True)) == []

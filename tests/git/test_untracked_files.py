from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.git.generated_files import is_of_jupyter
from jupyter_ac.git.untracked_files import shown_untracked, untracked_filter
from tests.support.jupyter_files import BESIDE, with_setting
from tests.support.repositories import make_repository

DRAFT = "deep/.jupyter_ac-0123456789abcdef.tmp"
PATHS = [*BESIDE, DRAFT, "a.py", "deep/n.ipynb"]
NAMES = st.sampled_from([*PATHS, "deep", ".ipynb_checkpoints", "deep/.ipynb_checkpoints", ""])


async def test_the_wish_of_the_moment_counts(tmp_path: Path) -> None:
    repository, wish = await with_setting(make_repository(tmp_path / "r"))
    assert list(filter(shown_untracked(repository), PATHS)) == ["a.py", "deep/n.ipynb"]
    wish.is_shown = True
    shown = list(filter(shown_untracked(repository), PATHS))
    assert shown == [*BESIDE, "a.py", "deep/n.ipynb"]
    wish.is_shown = False
    assert list(filter(shown_untracked(repository), PATHS)) == ["a.py", "deep/n.ipynb"]


def test_what_is_named_is_shown_and_a_folder_of_jupyters_as_a_whole() -> None:
    def shown(*named: str) -> list[str]:
        return list(filter(untracked_filter(with_jupyter_files=False, named=named), PATHS))

    assert shown(".~plot.py", DRAFT) == [".~plot.py", "a.py", "deep/n.ipynb"]
    assert shown("deep") == ["a.py", "deep/n.ipynb"]
    inside = "deep/.ipynb_checkpoints/n-checkpoint.ipynb"
    assert shown("deep/.ipynb_checkpoints") == [inside, "a.py", "deep/n.ipynb"]
    assert shown(inside) == [inside, "a.py", "deep/n.ipynb"]


@given(st.text("a.~/", max_size=8) | NAMES, st.lists(NAMES))
def test_names_and_the_wish_only_add_and_only_what_is_jupyters(path: str, named: list[str]) -> None:
    strict = untracked_filter(with_jupyter_files=False)
    by_name = untracked_filter(with_jupyter_files=False, named=named)
    wished = untracked_filter(with_jupyter_files=True, named=named)
    assert strict(path) <= by_name(path) <= wished(path)
    if strict(path) != wished(path):
        assert is_of_jupyter(path)

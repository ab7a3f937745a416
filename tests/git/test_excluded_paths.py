import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import RefusedPath
from jupyter_ac.git.excluded_paths import NONE_EXCLUDED, ExcludedPaths
from jupyter_ac.ids import RepoPath


def excluded(*paths: str, ignores_case: bool = False) -> ExcludedPaths:
    return ExcludedPaths(tuple(map(RepoPath, paths)), ignores_case=ignores_case)


SEGMENT = st.text(st.characters(exclude_characters="/\\", exclude_categories=["Cs"]), min_size=1)
PATH = st.lists(SEGMENT, min_size=1, max_size=4).map("/".join)


@given(st.lists(PATH, min_size=1, max_size=5), PATH)
def test_an_entry_covers_itself_and_all_below_it_and_nothing_else(
    entries: list[str], below: str
) -> None:
    paths = excluded(*entries)
    for entry in entries:
        assert paths.covers(entry)
        assert paths.covers(f"{entry}/{below}")
    other = f"{entries[0]}x"
    is_other = not any(other == each or other.startswith(f"{each}/") for each in entries)
    assert paths.covers(other) is not is_other


def test_any_name_of_a_file_counts() -> None:
    paths = excluded("vault", "b.py")
    assert paths.covers("link.py", "vault/a.py")
    assert not paths.covers("link.py", "vaults/a.py")
    assert paths.sent([RepoPath("a.py"), RepoPath("vault/a"), RepoPath("b.py")]) == ["a.py"]
    assert not NONE_EXCLUDED.covers("vault/a.py")


def test_equal_lists_have_one_hash() -> None:
    assert hash(excluded("a")) == hash(excluded("a"))


def test_where_the_file_system_ignores_case_names_do() -> None:
    assert excluded("Vault", ignores_case=True).covers("vAULT/a.py")
    assert not excluded("Vault").covers("vault/a.py")


def test_the_refusal_names_the_file_and_the_remedy() -> None:
    with pytest.raises(RefusedPath, match=r"'a\.py' is not sent: .* include it in the picker"):
        excluded("vault").require_sent("a.py", "vault/a.py")
    excluded("vault").require_sent("a.py")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("vault/plan.py:3: x", ["vault/plan.py"]),
        ("diff --git a/vault/plan.py b/vault/plan.py", ["vault/plan.py"]),
        ("see vault/.", ["vault"]),
        ('"vault/a b.py" and `b.py`', ["vault/a", "b.py"]),
        ("of two words.txt, of two", ["two words.txt"]),
        ("src/b.py and vaults/b and planb.py", []),
    ],
)
def test_names_are_found_in_texts(text: str, names: list[str]) -> None:
    assert sorted(excluded("vault", "b.py", "two words.txt").mentioned_in(text)) == sorted(names)
    assert NONE_EXCLUDED.mentioned_in(text) == []


@pytest.mark.parametrize(
    ("text", "is_likely"),
    [
        ("src/ a.py b.py: f g", True),
        ("vault/ +3", True),
        ("vault/deep/ z", True),
        ('"the words.txt"', True),
        ("src/ a.py c.py", False),
    ],
)
def test_a_map_may_name_a_file_below_its_folder(text: str, is_likely: bool) -> None:
    assert excluded("src/b.py", "vault", "the words.txt").may_be_named_in(text) is is_likely
    assert NONE_EXCLUDED.may_be_named_in(text) is False


def test_names_may_begin_above_the_repository() -> None:
    excluded = ExcludedPaths((RepoPath("d/a.py"), RepoPath("b.py")))
    text = "/home/work/d/a.py, x/b.py:3, xd/a.py and other/a.py"
    assert excluded.mentioned_in(text, from_any_folder=True) == ["d/a.py", "b.py"]
    assert excluded.mentioned_in(text) == []


def test_what_came_since_a_moment_is_known() -> None:
    a, b, c = map(RepoPath, ("a", "b", "c"))
    found = ExcludedPaths((a, b, c), since=(1, 4, 2), number=4)
    assert found.new_since({a, b}, 3) == (b, c)
    assert found.new_since({a, b, c}, 4) == ()
    assert ExcludedPaths((a, b)).new_since({a}, 0) == (b,)
    assert found == ExcludedPaths((a, b, c))

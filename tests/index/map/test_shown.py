from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.naming import Name
from jupyter_ac.index.map.shown import ShownMaps
from jupyter_ac.index.map.text import map_text, names_text
from jupyter_ac.index.records import NOBODY

NAMES = (
    Name("Tree", "class", 20, NOBODY),
    Name("grow", "method", 5, 0, "(n)"),
    Name("cut", "method", 5, 0),
    Name("plant", "function", 3, NOBODY, "(x,n?)->Tree"),
    Name("size", "property", 3, NOBODY, "->Tree"),
)
FILE = RepoPath("a/b.py")


def shown(text: str, names: tuple[Name, ...] = NAMES) -> set[str]:
    maps = ShownMaps([f"Map of it: (a/ is no folder)\n\na/ c.py +3\n b.py: {text}\n"])
    return {names[at].text for at in maps.names(FILE, names)}


def test_names_count_in_their_class_only() -> None:
    assert shown("Tree(grow) plant") == {"Tree", "grow", "plant"}
    assert shown("grow plant(cut)") == set()
    assert shown("Tree cut") == {"Tree"}


def test_a_present_signature_is_no_list_of_members() -> None:
    assert shown("Tree(grow(n) cut) plant(x,n?)->Tree") == {"Tree", "grow", "cut", "plant"}
    assert shown("size->Tree plant") == {"size", "plant"}


def test_a_name_with_another_signature_is_not_shown_as_it_is_now() -> None:
    assert shown("Tree(grow(a b) cut) plant(x)->Shrub") == {"Tree", "cut"}
    assert shown("plant(x) plant size->Shrub") == {"plant"}
    assert shown("plant(x,n?)->Trees") == set()


def test_a_quote_that_does_not_end_harms_nothing() -> None:
    assert shown('plant "cut') == {"plant"}
    assert ShownMaps(['"a/ b.py\n "c: d\n']).paths == set()


def test_files_are_read_off_folder_lines_and_rows() -> None:
    maps = ShownMaps(
        [
            "From the map, likely to matter:\n\n./ x.py +2\n",
            '# folder/ files, +n not shown\nz.py\n"a b"/ "c d.py"\n "e\\n.py": f\n',
            "is src/ no folder\n row.py: neither\n",
        ]
    )
    assert maps.paths == {"x.py", "a b/c d.py", "a b/e\n.py"}


TEXTS = st.text(st.sampled_from('aZ_.+/\\"() :,>-#\n\u202e\u00e9'), min_size=1, max_size=6)
SIGNATURES = st.sampled_from(["", "", "(p,q?)", "(p,q)->R", "->Result", "(p,(q r),s)->R[x y]"])


@st.composite
def records(draw: st.DrawFn) -> tuple[Name, ...]:
    found: list[Name] = []
    for at, (text, signature) in enumerate(
        draw(st.lists(st.tuples(TEXTS, SIGNATURES), max_size=12))
    ):
        parent = draw(st.integers(NOBODY, at - 1))
        if not any((name.text, name.parent) == (text, parent) for name in found):
            found.append(Name(text, "function", 1, min(parent, len(found) - 1), signature))
    unique = {(name.text, name.parent) for name in found}
    return tuple(found) if len(unique) == len(found) else ()


def closure(names: tuple[Name, ...], some: set[int]) -> set[int]:
    found = set(some)
    for at in some:
        while (at := names[at].parent) != NOBODY:
            found.add(at)
    return found


PATHS = (
    st.lists(TEXTS, min_size=1, max_size=3)
    .map("/".join)
    .filter(lambda path: all(part not in {"", "."} for part in path.split("/")))
)


@given(st.data(), records(), PATHS)
def test_what_a_map_writes_is_read_again(
    data: st.DataObject, names: tuple[Name, ...], path: str
) -> None:
    numbers = st.sets(st.integers(0, len(names) - 1)) if names else st.just(set[int]())
    some, signed = data.draw(numbers), data.draw(numbers)
    row = names_text(names, sorted(some), signed)
    maps = ShownMaps([map_text({RepoPath(path): row, RepoPath("b/c"): ""}, {"": 3})])
    assert maps.paths == {path, "b/c"}
    assert maps.names(RepoPath(path), names) == closure(names, some)

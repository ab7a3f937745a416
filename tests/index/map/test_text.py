import json

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.naming import Name
from jupyter_ac.index.map.text import map_text, names_text, plain_or_quoted

NAMES = (
    Name("Tree", "class", 20, -1),
    Name("grow", "method", 5, 0, "(n)"),
    Name("cut", "method", 5, 0),
    Name("plant", "function", 3, -1, "(x)->Tree"),
)


def test_files_stand_below_their_folder_and_bare_ones_beside_it() -> None:
    files = {"b/z.py": "", "b/a.py": "f g", "b/c.py": "", "x.py": ""}
    assert map_text({RepoPath(path): names for path, names in files.items()}) == (
        "./ x.py\nb/ c.py z.py\n a.py: f g\n"
    )


def test_what_is_left_out_is_counted_at_its_folder() -> None:
    assert map_text({RepoPath("b/a.py"): ""}, {"b": 3, "c": 1, "d": 0}) == "b/ a.py +3\nc/ +1\n"


def test_members_stand_in_their_class_in_the_order_of_the_source() -> None:
    assert names_text(NAMES, [3, 2, 0], ()) == "Tree(cut) plant"
    assert names_text(NAMES, [2, 1], ()) == "Tree(grow cut)"
    assert names_text(NAMES, [3, 1], [3, 1]) == "Tree(grow(n)) plant(x)->Tree"
    assert names_text(NAMES, [], ()) == ""


def test_a_signature_stays_on_its_line() -> None:
    odd = (Name("f", "function", 1, -1, "(a\nb\x07)"),)
    assert names_text(odd, [0], [0]) == "f(a b )"


def test_names_that_could_mislead_are_quoted() -> None:
    assert plain_or_quoted("größe.py") == "größe.py"
    assert plain_or_quoted("a b.py") == '"a b.py"'
    assert plain_or_quoted("x\ny") == '"x\\ny"'
    assert plain_or_quoted("\udcff.py") == '"\\udcff.py"'
    assert plain_or_quoted("exe\u202egpj.py") == '"exe\\u202egpj.py"'
    assert plain_or_quoted("größe 1.py") == '"größe 1.py"'
    assert plain_or_quoted("+12") == '"+12"'
    assert plain_or_quoted("+page.svelte") == "+page.svelte"
    assert plain_or_quoted("a:b(c)") == '"a:b(c)"'
    assert plain_or_quoted("") == '""'


@given(st.text(st.characters(min_codepoint=0), min_size=1))
def test_hostile_names_never_break_a_line(name: str) -> None:
    line = plain_or_quoted(name)
    assert line.splitlines() == [line]
    assert line.encode("utf-8")
    assert line == name or json.loads(line) == name

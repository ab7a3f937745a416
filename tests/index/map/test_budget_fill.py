from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.budget_fill import BudgetFill, TokenCounter
from jupyter_ac.index.map.naming import Name
from jupyter_ac.index.map.packing import Likely
from jupyter_ac.index.map.shown import ShownMaps
from jupyter_ac.index.map.text import LEGEND, map_text, plain_or_quoted
from jupyter_ac.index.records import NOBODY
from jupyter_ac.workers.launch import environment


def count(text: str) -> int:
    return len(text) // 3


def files(number: int) -> dict[RepoPath, Likely]:
    names = tuple(Name(f"name_{at}", "function", 3, -1, "(a)") for at in range(10))
    return {
        RepoPath(f"pkg{at % 5}/file_{at}.py"): Likely(1 / (at + 2), names, [0.05] * 10)
        for at in range(number)
    }


@pytest.mark.parametrize("budget", [16, 64, 100, 333, 1000, 5000])
def test_a_map_never_has_more_tokens_than_its_budget(budget: int) -> None:
    text = BudgetFill(files(60), budget, count).fill()
    assert count(text) <= budget
    assert budget < 20 or text


def test_names_leave_room_for_paths() -> None:
    filling = BudgetFill(files(60), 400, count)
    filling.fill()
    shown = filling.shown()
    assert any(shown.values())
    assert not all(shown.values())


def test_what_has_room_is_shown_with_signatures() -> None:
    text = BudgetFill(files(3), 10_000, count).fill()
    assert text.count("(a)") == 30


def test_files_that_stand_elsewhere_have_no_path_of_their_own() -> None:
    some = {path: Likely(file.value, (), ()) for path, file in files(6).items()}
    known = list(some)[:3]
    filling = BudgetFill(some, 1000, count, known)
    filling.fill()
    assert set(filling.shown()) == set(some) - set(known)


def test_nothing_that_fits_is_no_map() -> None:
    assert BudgetFill(files(3), 1, count).fill() == ""
    assert BudgetFill({}, 100, count).fill() == ""


SAMPLE = (
    LEGEND + 'a/b/ x.py "c d.py" +3\n y_1.py: Tree(grow(n?)->R cut) größe 3d\n./ 20260101.txt\n'
)


def test_each_part_is_counted_once() -> None:
    asked: list[str] = []

    def count(part: str) -> int:
        asked.append(part)
        return len(part)

    tally = TokenCounter(count)
    assert tally(SAMPLE) == len(SAMPLE)
    assert tally(SAMPLE + "b\n") == len(SAMPLE) + 2
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("text", ["", "\n", "a", " a\n", "a b\n\nc", "a \n"])
def test_all_of_a_text_is_counted(text: str) -> None:
    assert TokenCounter(len)(text) == len(text)


@pytest.fixture(name="exact")
def tokenizer(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    variable = "TIKTOKEN_CACHE_DIR"
    monkeypatch.setenv(variable, environment({}, {})[variable])
    table = pytest.importorskip("tiktoken").get_encoding("cl100k_base")
    return lambda text: len(table.encode_ordinary(text))


def test_it_counts_as_the_tokenizer_does(exact: Callable[[str], int]) -> None:
    tally = TokenCounter(exact)
    assert tally(SAMPLE) == exact(SAMPLE)

    @given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=6))
    def any_names_too(names: list[str]) -> None:
        shown = " ".join(map(plain_or_quoted, names))
        text = f"{LEGEND}a/ {shown} +12\n b.py: C({shown}) {shown}\n"
        assert tally(text) == exact(text) if "  " not in text else tally(text) >= exact(text)

    any_names_too()


PATHS = [RepoPath(path) for path in ("a.py", "pkg/a.py", "pkg/b c.py", "pkg/deep/(x).py")]
STATES = (
    (Name("C", "class", 9, NOBODY), Name("f", "method", 3, 0, "(p,q?)"), Name("g", "method", 3, 0)),
    (
        Name("C", "class", 9, NOBODY),
        Name("f", "method", 3, 0, "(p,r)->C"),
        Name("h", "method", 3, 0),
    ),
    (Name("f", "function", 3, NOBODY, "(p,q)"), Name("x y", "function", 3, NOBODY)),
    (),
)


@st.composite
def questions(draw: st.DrawFn) -> dict[RepoPath, Likely]:
    found: dict[RepoPath, Likely] = {}
    for path in draw(st.lists(st.sampled_from(PATHS), unique=True)):
        names = draw(st.sampled_from(STATES))
        values = [draw(st.floats(0.01, 1.0)) for _ in names]
        found[path] = Likely(draw(st.floats(0.01, 1.0)), names, values)
    return found


@given(st.lists(st.tuples(questions(), st.integers(8, 120), st.booleans()), max_size=8))
def test_nothing_is_shown_twice_unless_it_has_changed_or_left_the_log(
    asked: list[tuple[dict[RepoPath, Likely], int, bool]],
) -> None:
    log: list[str] = []
    for likely, budget, is_compacted in asked:
        log = [] if is_compacted else log
        filling = BudgetFill(likely, budget, count)
        whole, known = ShownMaps([filling.fill()]), ShownMaps(log)
        unseen = map_text(filling.unseen(known))
        assert count(unseen) <= budget
        fresh, after = ShownMaps([unseen]), ShownMaps([*log, unseen])
        for path in fresh.paths:
            names = likely[path].names
            inner = {at for at in fresh.names(path, names) if at not in {n.parent for n in names}}
            assert not inner & known.names(path, names)
            assert inner or path not in known.paths
        assert set(whole.paths) <= set(after.paths)
        for path in whole.paths:
            names = likely[path].names
            assert whole.names(path, names) <= after.names(path, names)
        log.append(unseen)


def test_a_file_of_which_the_text_is_shown_is_left_out() -> None:
    filling = BudgetFill(files(2), 1000, count)
    filling.fill()
    first, second = files(2)
    assert list(filling.unseen(ShownMaps(), {first})) == [second]

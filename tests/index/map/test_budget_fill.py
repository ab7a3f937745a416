import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.budget_fill import BudgetFill
from jupyter_ac.index.map.naming import Name
from jupyter_ac.index.map.packing import Likely


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

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.candidates import Candidates, closest
from jupyter_ac.index.navigation.scopes import Goal
from tests.index.navigation.trees import Tree

FILES = {
    "a/one.js": 'import { x } from "./two"\nexport function makeIt() {}\n',
    "a/two.js": "export const x = 1\nexport function fetchRows() {}\n",
    "b/far.js": "export function fetchRows() {}\nexport class Set { add() {} }\n",
    "b/py.py": "def fetchRows(): ...\n",
}


def _goal(path: str, name: str, *, members: bool = False) -> str:
    found = Candidates(Tree(FILES).view).nearest(RepoPath(path), name, members=members)
    return found.path if found is not None else ""


def test_of_several_symbols_the_one_that_is_imported_is_the_nearest() -> None:
    assert _goal("a/one.js", "fetchRows") == "a/two.js"
    assert _goal("b/far.js", "fetchRows") == "b/far.js"


def test_a_common_name_of_a_file_that_is_not_imported_is_no_candidate() -> None:
    assert _goal("a/one.js", "add", members=True) == ""


def test_what_is_not_imported_is_a_candidate_when_its_name_says_enough() -> None:
    assert _goal("b/far.js", "makeIt") == "a/one.js"
    assert _goal("b/py.py", "makeIt") == ""


def test_the_closest_shares_most_folders() -> None:
    goals = [Goal(RepoPath(path)) for path in ("z.c", "a/c.c", "a/b/c.c")]
    assert closest(RepoPath("a/b/d.h"), goals).path == "a/b/c.c"

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.pagerank import near
from tests.support.indexed import state_of


def test_what_is_referred_to_is_near_and_what_is_not_is_left_out() -> None:
    state = state_of(
        {
            "a.py": "from b import bean\nbean()\n",
            "b.py": "from c import corn\ndef bean():\n    corn()\n",
            "c.py": "def corn():\n    pass\n",
            "d.py": "def dill():\n    pass\n",
        }
    )
    found = {str(path): value for path, value in near(state, [RepoPath("a.py")]).items()}
    assert found["a.py"] > found["b.py"] > found["c.py"]
    assert "d.py" not in found


def test_without_a_start_nothing_is_near() -> None:
    assert near(state_of({"a.py": ""}), []) == {}

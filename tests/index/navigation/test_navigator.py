from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from jupyter_ac.errors import InvalidParams, NotReady, RefusedPath, TimedOut
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.client import IndexState, IndexStatus
from jupyter_ac.index.indexing.progress import RefreshProgress
from jupyter_ac.index.navigation.locations import range_of
from jupyter_ac.index.navigation.navigator import Navigator

SPOT: Final = {"path": "b.py", "line": 7, "column": 4, "end_column": 9}
THERE: Final = {"file": "b.py", "range": range_of(7, 4, 9)}
NAMED: Final = {"file": "c.py", "range": range_of(1, 0, 3)}


class Index:
    """Answers from a table by the method's name and the file."""

    def __init__(self, answers: Mapping[tuple[str, str], object]) -> None:
        self.answers = answers
        self.asked: list[tuple[object, ...]] = []
        self.status = IndexStatus(IndexState.READY, RefreshProgress(0, 0))
        self.failure: Exception | None = None

    async def call(self, name: str, *args: object, timeout_s: float) -> object:
        assert timeout_s > 0
        self.asked.append((name, *args))
        if self.failure is not None:
            raise self.failure
        if name == "Index.known":
            assert isinstance(args[0], list)
            return [path for path in args[0] if path != "ignored.py"]
        return self.answers.get((name.removeprefix("Index."), str(args[0])))


class Python:
    """Answers from a table by the question."""

    def __init__(self, answers: Mapping[str, object]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, bool]] = []

    async def ask(
        self, question: str, path: RepoPath, line: int, column: int, *, patient: bool = True
    ) -> object:
        assert path.endswith(".py")
        assert (line, column) == (3, 4) or question == "references"
        self.asked.append((question, patient))
        return self.answers.get(question)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    for name in ("a.py", "a.go"):
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    (tmp_path / "out").symlink_to("/etc")
    (tmp_path / "same.py").symlink_to("a.py")
    git = tmp_path / ".git"
    return Repository(tmp_path.resolve(), git, git, "repo")


def found(certainty: str) -> dict[tuple[str, str], object]:
    """What the index says of the place, and of the one that jedi names."""
    return {
        ("hover", "a.py"): {"contents": "index", "certainty": certainty},
        ("definition", "a.py"): {**NAMED, "certainty": certainty},
        ("references", "a.py"): {"places": [NAMED], "certainty": certainty},
        ("hover", "b.py"): {"contents": "there", "certainty": "certain"},
        ("references", "b.py"): {"places": [THERE, NAMED], "certainty": "certain"},
    }


async def asked(navigator: Navigator, path: str = "a.py") -> tuple[object, object, object]:
    """What stands at a place, where it is defined, and where it is used."""
    return (
        await navigator.hover(path, 3, 5),
        await navigator.definition(path, 3, 5),
        await navigator.references(path, 3, 5),
    )


async def test_what_is_certain_needs_no_jedi(repository: Repository) -> None:
    index, python = Index(found("certain")), Python({"goto": {"spots": [SPOT]}})
    answers = await asked(Navigator(repository, index, python))
    assert answers == ({"contents": "index"}, NAMED, [NAMED])
    assert {question for question, _ in python.asked} == {"references"}
    assert index.asked[0] == ("Index.hover", "a.py", 3, 4)


async def test_references_are_what_is_called_and_the_values_that_jedi_sees_read(
    repository: Repository,
) -> None:
    line = {"file": "d.py", "range": range_of(4, 0, 0)}
    places = {"places": [THERE, line], "certainty": "certain"}
    index = Index({**found("certain"), ("references", "a.py"): places})
    rows = [(1, 0, 3), (4, 7, 12), (9, 0, 5)]
    names = [
        {"path": path, "line": row, "column": start, "end_column": end}
        for path, (row, start, end) in zip(("c.py", "d.py", "ignored.py"), rows, strict=True)
    ]
    navigator = Navigator(repository, index, Python({"references": names}))
    # The definition is no use of itself, and the line gives way to the name on it.
    name = {"file": "d.py", "range": range_of(4, 7, 12)}
    assert await navigator.references("a.py", 3, 5) == [THERE, name]


@pytest.mark.parametrize("certainty", ["likely", "guess"])
async def test_jedi_has_the_last_word_on_python(repository: Repository, certainty: str) -> None:
    index, python = Index(found(certainty)), Python({"goto": {"spots": [SPOT]}})
    answers = await asked(Navigator(repository, index, python))
    assert answers == ({"contents": "there"}, THERE, [THERE, NAMED])
    # A jedi that is only starting is waited for when there is no more than a guess.
    asked_goal = {patient for question, patient in python.asked if question == "goto"}
    assert asked_goal == {certainty == "guess"}


async def test_a_module_is_not_what_stands_at_its_beginning(repository: Repository) -> None:
    spot = {**SPOT, "line": 1, "column": 0, "end_column": 0}
    python = Python({"goto": {"spots": [spot]}})
    answers = await asked(Navigator(repository, Index(found("likely")), python))
    assert answers == ({"contents": "index"}, {"file": "b.py", "range": range_of(1, 0, 0)}, [NAMED])


async def test_what_jedi_finds_outside_has_help_and_no_file(repository: Repository) -> None:
    python = Python({"goto": {"spots": []}, "help": {"signature": "def join(a)", "doc": "Do."}})
    answers = await asked(Navigator(repository, Index(found("guess")), python))
    assert answers == ({"contents": "```python\ndef join(a)\n```\n\nDo."}, None, [])


async def test_a_file_that_git_ignores_is_outside(repository: Repository) -> None:
    python = Python({"goto": {"spots": [{**SPOT, "path": "ignored.py"}]}})
    answers = await asked(Navigator(repository, Index(found("guess")), python))
    assert answers == (None, None, [])


async def test_what_jedi_does_not_know_is_the_index_s(repository: Repository) -> None:
    answers = await asked(Navigator(repository, Index(found("guess")), Python({})))
    assert answers == ({"contents": "index"}, NAMED, [NAMED])


async def test_what_only_jedi_knows_is_jedi_s(repository: Repository) -> None:
    spots = [{"path": "a.py", "line": 3, "column": 4, "end_column": 5}]
    python = Python({"goto": {"spots": spots}, "references": spots, "help": None})
    answers = await asked(Navigator(repository, Index({}), python))
    target = {"file": "a.py", "range": range_of(3, 4, 5)}
    assert answers == (None, target, [target])


async def test_other_languages_do_not_ask_jedi(repository: Repository) -> None:
    python = Python({"goto": {"spots": [SPOT]}})
    assert await asked(Navigator(repository, Index({}), python), "a.go") == (None, None, [])
    assert python.asked == []


async def test_completions_of_both_are_one_list(repository: Repository) -> None:
    row = {"label": "area", "kind": "function", "detail": "area(shape)"}
    index = Index({("completions", "a.py"): [row]})
    known = [{"label": "area", "kind": "function"}, {"label": "append", "kind": "function"}]
    navigator = Navigator(repository, index, Python({"complete": known}))
    assert await navigator.completions("a.py", 3, 5, "a") == [
        {"label": "append", "kind": "function", "detail": ""},
        row,
    ]


async def test_names_of_the_repository_are_offered_before_the_builtins(
    repository: Repository,
) -> None:
    row = {"label": "zebra", "kind": "function", "detail": "zebra()"}
    index = Index({("completions", "a.py"): [row]})
    builtins = [{"label": f"builtin{n:02}", "kind": "function"} for n in range(80)]
    navigator = Navigator(repository, index, Python({"complete": builtins}))
    offered = await navigator.completions("a.py", 3, 5, "")
    assert [each["label"] for each in offered] == [f"builtin{n:02}" for n in range(49)] + ["zebra"]


async def test_an_index_that_is_not_ready_or_fails_answers_with_nothing(
    repository: Repository,
) -> None:
    index = Index(found("certain"))
    navigator = Navigator(repository, index, Python({}))
    index.failure = TimedOut("no answer")
    assert await asked(navigator) == (None, None, [])
    index.status = index.status._replace(state=IndexState.INDEXING)
    index.asked.clear()
    assert await asked(navigator) == (None, None, [])
    assert await navigator.completions("a.py", 3, 5, "") == []
    assert await navigator.symbols("x", 5) == []
    assert await navigator.resolve(["x"]) == []
    assert index.asked == []
    with pytest.raises(NotReady, match="isn't ready yet"):
        await navigator.block("a.py")
    index.status = index.status._replace(state=IndexState.FAILED, reason="No grammar.")
    with pytest.raises(NotReady, match="No grammar"):
        await navigator.block("a.py")


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", ".git/config", "out/passwd", "", "a\0b"])
async def test_no_path_leads_out_of_the_repository(repository: Repository, path: str) -> None:
    index = Index({})
    navigator = Navigator(repository, index, Python({}))
    for call in (navigator.hover, navigator.definition, navigator.references):
        with pytest.raises(RefusedPath):
            await call(path, 1, 1)
    with pytest.raises(RefusedPath):
        await navigator.completions(path, 1, 1, "")
    with pytest.raises(RefusedPath):
        await navigator.block(path)
    assert index.asked == []


async def test_lines_and_columns_count_from_one(repository: Repository) -> None:
    navigator = Navigator(repository, Index({}), Python({}))
    for line, col in ((0, 1), (1, 0), (-1, 1)):
        with pytest.raises(InvalidParams, match="count from 1"):
            await navigator.hover("a.py", line, col)


async def test_a_link_inside_is_the_file_that_it_leads_to(repository: Repository) -> None:
    index = Index({})
    await Navigator(repository, index, Python({})).hover("same.py", 3, 5)
    assert index.asked == [("Index.hover", "a.py", 3, 4)]


async def test_an_outline_is_the_index_s_and_empty_without_one(repository: Repository) -> None:
    rows = [{"name": "f", "kind": "function", "line": 1, "last_line": 2, "parent": -1}]
    index = Index({("outline", "a.py"): rows})
    navigator = Navigator(repository, index, Python({}))
    assert await navigator.outline("same.py") == rows
    assert await navigator.outline("a.go") == []
    index.failure = TimedOut("It takes too long.")
    assert await navigator.outline("a.py") == []
    with pytest.raises(RefusedPath):
        await navigator.outline("out/passwd")

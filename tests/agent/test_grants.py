import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.agent import grants
from jupyter_ac.agent.grant_store import GrantStore, PrefixGrant, StoredGrants
from jupyter_ac.agent.grants import Grants, offered_scopes
from jupyter_ac.agent.tool import Question
from jupyter_ac.errors import InvalidParams
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import SessionId
from jupyter_ac.tool_rows import ToolScope

ONE, OTHER = SessionId("sess_1_aaaaaa"), SessionId("sess_2_bbbbbb")
RUN = "run_command"


def always(_prefix: Sequence[str], _argv: Sequence[str]) -> bool:
    return True


def never(_prefix: Sequence[str], _argv: Sequence[str]) -> bool:
    return False


def command(*argv: str, prefix: int = 2, is_sandboxed: bool = True) -> Question:
    return Question(" ".join(argv), argv=argv, prefix=argv[:prefix], is_sandboxed=is_sandboxed)


def repository(tmp_path: Path) -> Repository:
    git_dir = tmp_path / "r" / ".git"
    git_dir.mkdir(parents=True)
    return Repository(git_dir.parent, git_dir, git_dir, "r")


@pytest.fixture
def store(tmp_path: Path) -> GrantStore:
    return GrantStore(tmp_path / "c", repository(tmp_path))


@pytest.fixture
def allowed(store: GrantStore) -> Grants:
    return Grants(store, always)


TESTS = command("pytest", "-q", "tests")
CELL = Question("x = 1")
PAGE = Question("https://a.org/x", origin="https://a.org")


@pytest.mark.parametrize(
    ("question", "scopes"),
    [
        (TESTS, ("once", "session", "prefix")),
        (command("bash", "-c", "x", prefix=0), ("once", "session")),
        (command("pytest", "-q", is_sandboxed=False), ("once",)),
        (Question("x", argv=("a", "b"), prefix=("a", "c"), is_sandboxed=True), ("once", "session")),
        (Question("x", prefix=("a", "c"), is_sandboxed=True), ("once", "session")),
        (CELL, ("once", "session")),
        (PAGE, ("once", "session")),
        (Question("Which one?", wants_text=True), ("once",)),
    ],
)
def test_it_depends_on_the_question_for_how_long_it_may_be_allowed(
    question: Question, scopes: tuple[ToolScope, ...]
) -> None:
    assert offered_scopes(question) == scopes


async def test_once_keeps_nothing(allowed: Grants) -> None:
    await allowed.grant("once", TESTS, ONE, RUN)
    assert await allowed.is_granted(TESTS, ONE, RUN) is None


async def test_a_session_grant_is_for_the_equal_text_of_one_tool_in_one_session(
    allowed: Grants,
) -> None:
    await allowed.grant("session", CELL, ONE, "run_cell")
    assert await allowed.is_granted(CELL, ONE, "run_cell") == "session"
    assert await allowed.is_granted(CELL, OTHER, "run_cell") is None
    assert await allowed.is_granted(CELL, ONE, "browser_js") is None
    for other in (
        Question("x = 1 "),
        Question("x = 1", why="It runs in another notebook."),
        Question("x = 1", warning="It reads a key."),
        Question("x = 1", is_sandboxed=True),
    ):
        assert await allowed.is_granted(other, ONE, "run_cell") is None
    allowed.forget_session(ONE)
    assert await allowed.is_granted(CELL, ONE, "run_cell") is None


async def test_a_session_grant_of_an_address_is_for_its_origin(allowed: Grants) -> None:
    await allowed.grant("session", PAGE, ONE, "fetch_url")
    same = Question("https://a.org/y?z", origin="https://a.org")
    assert await allowed.is_granted(same, ONE, "fetch_url") == "session"
    assert await allowed.is_granted(same, ONE, "browser_navigate") is None
    for origin in ("http://a.org", "https://a.org:8443", "https://b.a.org", ""):
        other = Question(PAGE.text, origin=origin)
        assert await allowed.is_granted(other, ONE, "fetch_url") is None


async def test_what_was_allowed_in_the_sandbox_is_not_allowed_outside(allowed: Grants) -> None:
    await allowed.grant("session", TESTS, ONE, RUN)
    await allowed.grant("prefix", TESTS, ONE, RUN)
    outside = command(*TESTS.argv, is_sandboxed=False)
    assert await allowed.is_granted(TESTS, ONE, RUN) == "session"
    assert await allowed.is_granted(outside, ONE, RUN) is None


async def test_texts_that_look_equal_are_not_equal_commands(allowed: Grants) -> None:
    await allowed.grant("session", Question("a b", argv=("a b",), is_sandboxed=True), ONE, RUN)
    other = Question("a b", argv=("a", "b"), is_sandboxed=True)
    assert await allowed.is_granted(other, ONE, RUN) is None


async def test_leading_arguments_are_allowed_in_every_session_until_they_are_taken_back(
    allowed: Grants, store: GrantStore
) -> None:
    await allowed.grant("prefix", TESTS, ONE, RUN)
    assert [grant.prefix for grant in (await store.read()).grants] == [("pytest", "-q")]
    for text in ("pytest -q", "pytest -q other"):
        assert await allowed.is_granted(command(*text.split()), OTHER, RUN) == "prefix"
    for text in ("pytest", "pytest -qx", "make pytest -q", "PYTEST -q"):
        assert await allowed.is_granted(command(*text.split()), OTHER, RUN) is None
    await store.remove(("pytest", "-q"))
    assert await allowed.is_granted(TESTS, OTHER, RUN) is None


async def test_further_rules_may_refuse_what_begins_alike(tmp_path: Path) -> None:
    store = GrantStore(tmp_path / "c", repository(tmp_path))
    await store.add(("pytest", "-q"))
    assert await Grants(store, always).is_granted(TESTS, ONE, RUN) == "prefix"
    assert await Grants(store, never).is_granted(TESTS, ONE, RUN) is None


async def test_a_command_that_is_offered_no_prefix_is_not_allowed_by_one(tmp_path: Path) -> None:
    """The file may have been edited by hand."""
    store = GrantStore(tmp_path / "c", repository(tmp_path))
    await store.add(("bash", "-c"))
    question = command("bash", "-c", "rm -r .", prefix=0)
    assert await Grants(store, always).is_granted(question, ONE, RUN) is None


@pytest.mark.parametrize(
    ("scope", "question"),
    [
        ("prefix", CELL),
        ("prefix", command("pytest", "-q", is_sandboxed=False)),
        ("session", command("pytest", "-q", is_sandboxed=False)),
        ("session", Question("Which one?", wants_text=True)),
    ],
)
async def test_a_scope_that_is_not_offered_is_refused(
    allowed: Grants, store: GrantStore, scope: ToolScope, question: Question
) -> None:
    with pytest.raises(InvalidParams, match=r"scope must be one of once"):
        await allowed.grant(scope, question, ONE, RUN)
    assert await store.read() == StoredGrants()


async def test_session_grants_are_limited(allowed: Grants, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grants, "MAX_OF_SESSION", 2)
    monkeypatch.setattr(grants, "MAX_SESSIONS", 2)
    questions = [Question(str(at)) for at in range(3)]
    for question in questions:
        await allowed.grant("session", question, ONE, RUN)
    found = [await allowed.is_granted(question, ONE, RUN) for question in questions]
    assert found == [None, "session", "session"]
    for name in "xy":
        await allowed.grant("session", CELL, SessionId(name), RUN)
    assert await allowed.is_granted(questions[2], ONE, RUN) is None
    assert await allowed.is_granted(CELL, SessionId("y"), RUN) == "session"


WORD = st.sampled_from(["pytest", "-q", "-qx", "git", "log", "-c", "a b", "\udce9", "é"]) | st.text(
    st.characters(exclude_characters="\0"), min_size=1, max_size=8
)


class _InMemory(GrantStore):
    """A store without a file."""

    def __init__(self, prefixes: list[tuple[str, ...]]) -> None:
        super().__init__(Path(tempfile.gettempdir()), Repository(Path(), Path(), Path(), "r"))
        self._held = StoredGrants(tuple(PrefixGrant(prefix) for prefix in prefixes))

    async def read(self) -> StoredGrants:
        return self._held


@given(
    st.lists(st.lists(WORD, min_size=1, max_size=4).map(tuple), max_size=4),
    st.lists(WORD, max_size=6).map(tuple),
    st.integers(0, 6),
    st.booleans(),
    st.booleans(),
)
def test_a_stored_grant_never_allows_a_command_with_another_beginning(
    stored: list[tuple[str, ...]],
    argv: tuple[str, ...],
    offered: int,
    is_sandboxed: bool,
    is_extended: bool,
) -> None:
    if is_extended and stored:
        argv = (*stored[0], *argv)
    question = command(*argv, prefix=offered, is_sandboxed=is_sandboxed)
    found = asyncio.run(Grants(_InMemory(stored), always).is_granted(question, ONE, RUN))
    begins_alike = any(argv[: len(prefix)] == prefix for prefix in stored)
    may_run = is_sandboxed and offered > 0 and bool(argv) and begins_alike
    assert found == ("prefix" if may_run else None)

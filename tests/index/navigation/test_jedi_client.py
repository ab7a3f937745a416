"""jedi's child as the host uses it; the slow one is a worker that sleeps."""

import asyncio
from pathlib import Path

from jupyter_ac.errors import NotReady, TimedOut
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.jedi_client import JediClient
from jupyter_ac.workers.process import Worker

A = RepoPath("a.py")
B = RepoPath("b.py")


class Child(Worker):
    """A worker without a process: opens when it may, and gets stuck on one file."""

    def __init__(self, number: int, opens: asyncio.Event | None = None) -> None:
        super().__init__("jedi")
        self.number = number
        self.asked: list[tuple[object, ...]] = []
        self.is_ended = False
        self.failure: Exception | None = None
        self._opens = opens

    @property
    def pid(self) -> int | None:
        return None if self.is_ended else self.number

    async def start(self) -> None:
        if self.failure is not None:
            raise self.failure

    async def call(self, name: str, *args: object, timeout_s: float = 60.0) -> object:
        self.asked.append((name, *args))
        if name == "Jedi.open":
            if self._opens is not None:
                await self._opens.wait()
            return None
        if args[0] == "stuck.py":
            raise TimedOut(f"no answer in {timeout_s} s")
        return {"child": self.number}

    async def aclose(self) -> None:
        self.is_ended = True


class Nursery:
    """Makes the children, and remembers them."""

    def __init__(self, opens: asyncio.Event | None = None) -> None:
        self.children: list[Child] = []
        self._opens = opens

    def __call__(self) -> Worker:
        self.children.append(Child(len(self.children) + 1, self._opens))
        return self.children[-1]


def helper(nursery: Nursery, patience_s: float = 5.0) -> JediClient:
    return JediClient(Path("/repo"), Path("/cache"), nursery, patience_s)


async def test_the_child_is_opened_by_the_first_question_and_once() -> None:
    nursery = Nursery()
    python = helper(nursery)
    assert nursery.children[0].asked == []
    assert await python.ask("goto", A, 1, 2) == {"child": 1}
    assert await python.ask("help", B, 3, 4) == {"child": 1}
    await python.aclose()
    [child] = nursery.children
    assert child.asked == [
        ("Jedi.open", "/repo", "/cache"),
        ("Jedi.goto", "a.py", 1, 2),
        ("Jedi.help", "b.py", 3, 4),
    ]
    assert child.is_ended


async def test_a_child_that_is_stuck_is_ended_and_the_file_left_alone_for_a_while() -> None:
    nursery = Nursery()
    python = helper(nursery)
    stuck = RepoPath("stuck.py")
    assert await python.ask("goto", stuck, 1, 0) is None
    assert await python.ask("goto", A, 1, 0) == {"child": 2}
    assert nursery.children[0].is_ended
    assert await python.ask("goto", stuck, 1, 0) is None
    assert len(nursery.children) == 2
    await python.aclose()
    assert all(child.is_ended for child in nursery.children)


async def test_a_child_that_is_slow_to_open_is_waited_for_by_who_has_the_patience() -> None:
    opens = asyncio.Event()
    nursery = Nursery(opens)
    hasty, patient = helper(nursery, 0.01), helper(nursery)
    assert await hasty.ask("goto", A, 1, 0, patient=False) is None
    assert await hasty.ask("goto", A, 1, 0) is None
    assert await patient.ask("goto", A, 1, 0, patient=False) is None
    opens.set()
    assert await patient.ask("goto", A, 1, 0) is not None
    await hasty.aclose()
    await patient.aclose()


async def test_a_child_that_can_not_be_started_is_no_answer() -> None:
    nursery = Nursery()
    python = helper(nursery)
    nursery.children[0].failure = NotReady("the jedi worker can't be started: no memory")
    assert await python.ask("goto", A, 1, 0) is None
    await python.aclose()


async def test_a_real_child_answers(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one = 1\none\n", encoding="utf-8")
    python = JediClient(tmp_path, tmp_path / "cache", patience_s=30.0)
    found = await python.ask("goto", A, 2, 0)
    assert found == {"spots": [{"path": "a.py", "line": 1, "column": 0, "end_column": 3}]}
    await python.aclose()

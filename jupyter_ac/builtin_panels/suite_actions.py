"""What a person does with tests: runs them, stops them, adds a failure to the conversation."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from jupyter_ac.builtin_panels.looks import plural
from jupyter_ac.builtin_panels.suite_tree import SuiteNode
from jupyter_ac.errors import AcError
from jupyter_ac.panels import Services

if TYPE_CHECKING:
    from jupyter_ac.suite_rows import OutcomeOutput

RUN: Final = "Tests.run"
COLLECT: Final = "Tests.collect"
STOP: Final = "Tests.stop"
GET_OUTPUT: Final = "Tests.get_output"
ADD: Final = "LLMService.add_context"

MAX_NODES: Final = 400
"""Of a run; beyond, the files of the tests run, and beyond that everything."""

MAX_ADDED: Final = 10
"""Failures that are added at once."""

MAX_ADDED_CHARS: Final = 6000
"""Of each."""

_MAX_NAME: Final = 120


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence for the person.

    Attributes:
        words: it; "" for none.
        is_problem: something could not be done.
    """

    words: str = ""
    is_problem: bool = False


NOTHING_SAID: Final = Said()


class SuiteActions:
    """The actions of one panel; what fails is said.

    Args:
        services: call the server.
        say: shows a sentence.

    Attributes:
        is_outside: tests run outside of the sandbox.
    """

    def __init__(self, services: Services, say: Callable[[Said], None]) -> None:
        self._services = services
        self._say = say
        self.is_outside = False

    async def run_all(self) -> None:
        """Run all tests."""
        await self.run([])

    async def run(self, node_ids: Sequence[str]) -> None:
        """Run tests, files or classes; [] for all."""
        await self._do(self._services.call(RUN, list(node_ids), self.is_outside))

    async def collect(self) -> None:
        """Find the tests."""
        await self._do(self._services.call(COLLECT, self.is_outside))

    async def stop(self) -> None:
        """End the run."""
        await self._do(self._services.call(STOP))

    async def add(self, nodes: Sequence[SuiteNode]) -> None:
        """Add the outputs of failures to the next question."""
        await self._do(self._add(nodes))

    async def output(self, node_id: str) -> str:
        """Return what a test has said; of pytest itself for "".

        Raises:
            AcError: the server doesn't give it.
        """
        return cast("OutcomeOutput", await self._services.call(GET_OUTPUT, node_id))["text"]

    async def _add(self, nodes: Sequence[SuiteNode]) -> None:
        texts = []
        for node in nodes[:MAX_ADDED]:
            output = await self.output(node.id)
            texts.append(f"{node.id}: {node.outcome}\n{_cut(output)}".rstrip())
        more = len(nodes) - len(texts)
        if more > 0:
            texts.append(f"{plural(more, 'more test')} failed.")
        is_one = len(nodes) == 1
        item = {
            "kind": "error",
            "name": _cut_name(nodes[0].name if is_one else f"{len(nodes)} failed tests"),
            "text": "\n\n".join(texts),
            "source": _cut_name(nodes[0].id.partition("::")[0] if is_one else "pytest"),
        }
        answer = await self._services.call(ADD, item)
        refusal = answer.get("error") if isinstance(answer, Mapping) else None
        if refusal:
            self._say(Said(str(refusal), is_problem=True))
        else:
            self._say(Said("Added to your next question."))

    async def _do(self, work: Awaitable[object]) -> None:
        self._say(NOTHING_SAID)
        try:
            await work
        except AcError as error:
            self._say(Said(error.message, is_problem=True))


def nodes_to_run(failed: Sequence[SuiteNode]) -> list[str]:
    """Return what is run to run failed tests again: few enough to be named, or all as []."""
    if len(failed) <= MAX_NODES:
        return [node.id for node in failed]
    files = list(dict.fromkeys(node.id.partition("::")[0] for node in failed))
    return files if len(files) <= MAX_NODES else []


def _cut(text: str) -> str:
    if len(text) <= MAX_ADDED_CHARS:
        return text
    return f"[the beginning is left out]\n{text[-MAX_ADDED_CHARS:]}"


def _cut_name(name: str) -> str:
    return name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1]}…"

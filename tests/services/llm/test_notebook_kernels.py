from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.errors import AcError, Busy, NotFound, NotReady, Unsupported
from jupyter_ac.ids import ConversationKey, Identity
from jupyter_ac.services.llm.notebook_kernels import KERNEL, VALUE, VARIABLES, NotebookKernels
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.memory import ADA
from tests.services.llm.pages import Connection, Page, connect

BOB = Identity("bob")


class NotebookPage(Page):
    """A page that answers with `found`, or fails."""

    def __init__(self, found: object, *, fails: bool = False) -> None:
        self.asked = 0

        async def answer(_name: str) -> object:
            self.asked += 1
            if fails:
                raise NotFound("Nothing here.")
            return found

        super().__init__((KERNEL, VARIABLES, VALUE), answer)


@asynccontextmanager
async def kernels(*pages: Page, identity: Identity = ADA) -> AsyncIterator[NotebookKernels]:
    subscribers = Subscribers()
    connections: list[Connection] = []
    for page in pages:
        connection = await connect(page, {}, identity)
        subscribers.join(connection.host, ConversationKey(identity))
        connections.append(connection)
    try:
        yield NotebookKernels(subscribers)
    finally:
        await subscribers.aclose()
        for connection in connections:
            await connection.close()


def conversation(identity: Identity = ADA) -> Conversation:
    return Conversation(ConversationKey(identity))


async def test_the_page_that_has_the_notebook_names_its_kernel() -> None:
    nothing, gone, has = NotebookPage(None), NotebookPage("k0", fails=True), NotebookPage("k1")
    async with kernels(nothing, gone, has) as found:
        assert await found.kernel_of(conversation(), "a.ipynb") == "k1"
    assert [args for name, args in has.events if name == "notebookKernel"] == [("a.ipynb",)]


async def test_the_variables_come_as_the_page_lists_them() -> None:
    listed = {"variables": [], "left_out": 0}
    async with kernels(NotebookPage(listed)) as found:
        assert await found.variables(conversation(), "") == listed


async def test_a_notebook_that_no_page_has_is_said_with_the_remedy() -> None:
    async with kernels(NotebookPage(None), NotebookPage("", fails=True)) as found:
        with pytest.raises(NotFound, match=r"'a.ipynb' isn't open with a running kernel"):
            await found.kernel_of(conversation(), "a.ipynb")


async def test_without_a_page_that_reaches_kernels_there_are_none() -> None:
    async with kernels(Page()) as found:
        with pytest.raises(Unsupported, match="through a JupyterLab page"):
            await found.kernel_of(conversation(), "a.ipynb")


async def test_another_persons_page_is_not_asked() -> None:
    page = NotebookPage("k1")
    async with kernels(page, identity=BOB) as found:
        with pytest.raises(AcError, match="through a JupyterLab page"):
            await found.kernel_of(conversation(), "a.ipynb")
    assert page.asked == 0


async def test_the_active_notebook_is_that_of_the_page_used_last() -> None:
    none = NotebookPage({"value": None, "error": {"type": "none", "message": "Open a notebook."}})
    gone, has = NotebookPage(None, fails=True), NotebookPage({"value": {"left_out": 0}})
    async with kernels(none, gone, has) as found:
        assert await found.active_value(ADA, "list_variables", "") == {"left_out": 0}
    asked = [args for name, args in has.events if name == "kernelValue"]
    assert asked == [("list_variables", "")]


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("none", NotFound),
        ("not_found", NotFound),
        ("not-loaded", NotReady),
        ("other-language", Unsupported),
        ("busy", Busy),
        ("closed", Busy),
    ],
)
async def test_why_the_active_kernel_says_nothing(kind: str, error: type[AcError]) -> None:
    page = NotebookPage({"value": None, "error": {"type": kind, "message": "Because."}})
    async with kernels(page) as found:
        with pytest.raises(error, match="Because") as raised:
            await found.active_value(ADA, "describe_variable", "n")
    assert ("%load_ext jupyter_ac" in str(raised.value)) == (kind == "not-loaded")


async def test_without_a_page_no_active_kernel_is_asked() -> None:
    other = NotebookPage({"value": 1})
    async with kernels(other, identity=BOB) as found:
        with pytest.raises(Unsupported, match="open in JupyterLab"):
            await found.active_value(ADA, "list_variables", "")
    assert other.asked == 0


@pytest.mark.parametrize("answer", [None, [], "x", {"value": 1}])
async def test_an_odd_answer_is_no_error(answer: object) -> None:
    async with kernels(NotebookPage(answer)) as found:
        value = await found.active_value(ADA, "get_last_error", "")
    assert value == (1 if isinstance(answer, dict) else None)

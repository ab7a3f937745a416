from jupyter_ac.ids import ConversationKey
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm.kernel_values import KernelValueMethods
from jupyter_ac.services.llm.notebook_kernels import VALUE, NotebookKernels
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.memory import ADA
from tests.services.llm.pages import Page, connect

LIST = {"variables": [], "left_out": 0}


class KernelPage(Page):
    """A page with a kernel."""

    def __init__(self) -> None:
        async def answer(_name: str) -> object:
            method, name = self.named("kernelValue")[-1]
            values = {"list_variables": LIST, "describe_variable": {"name": name}}
            return {"value": values.get(str(method)), "error": None}

        super().__init__((VALUE,), answer)


async def test_each_method_asks_the_page_of_the_caller() -> None:
    subscribers = Subscribers()
    table = MethodTable(Namespace("Kernel", KernelValueMethods(NotebookKernels(subscribers))))
    page = KernelPage()
    connection = await connect(page, table)
    subscribers.join(connection.host, ConversationKey(ADA))
    assert await page.peer.call("Kernel.list_variables") == LIST
    assert await page.peer.call("Kernel.get_last_error") is None
    assert page.named("kernelValue") == [
        ("list_variables", ""),
        ("get_last_error", ""),
    ]
    handler = table["Kernel.describe_variable"].handler
    assert handler is not None
    await subscribers.aclose()
    await connection.close()

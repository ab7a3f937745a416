"""The kernels of notebooks that are open in a person's pages: which one, and its variables.

Only a page knows which kernel a notebook has. Pages that list `AcApp.notebookKernel` and
`AcApp.listVariables` are asked one after another, the one that was used last first.
"""

from typing import Final, cast

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.errors import AcError, NotFound, Unsupported
from jupyter_ac.inspection.variables import VariableList
from jupyter_ac.services.subscribers import Subscribers

KERNEL: Final = "AcApp.notebookKernel"
VARIABLES: Final = "AcApp.listVariables"

_ASK_S: Final = 15.0
_NO_PAGE: Final = (
    "Kernels are reached through a JupyterLab page in which the user has opened the notebook, or "
    "from a cell by `%%ac --agent`; here is neither. Go on without variables and cells, or ask the "
    "user to open the notebook in JupyterLab with jupyter_ac's panel."
)


class NotebookKernels:
    """Asks the pages of a person for the kernels of their notebooks.

    Args:
        subscribers: the connected pages.
    """

    def __init__(self, subscribers: Subscribers) -> None:
        self._subscribers = subscribers

    async def kernel_of(self, conversation: Conversation, notebook: str) -> str:
        """Return the id of the kernel of a notebook.

        Raises:
            Unsupported: no page can be asked.
            NotFound: the notebook isn't open with a kernel.
        """
        return str(await self._ask(conversation, KERNEL, notebook))

    async def variables(self, conversation: Conversation, notebook: str) -> VariableList:
        """List the variables of a notebook's kernel, of the only one for "".

        Raises:
            Unsupported: no page can be asked.
            NotFound: the notebook isn't open with a kernel.
        """
        return cast("VariableList", await self._ask(conversation, VARIABLES, notebook))

    async def _ask(self, conversation: Conversation, request: str, notebook: str) -> object:
        identity = conversation.conversation_key.identity
        pages = [
            page
            for page in self._subscribers.pages_of(identity)
            if request in page.remote_methods and not page.closed
        ]
        if not pages:
            raise Unsupported(_NO_PAGE)
        for page in sorted(pages, key=lambda page: -page.calls.last_s):
            try:
                found = await page.call(request, notebook, timeout_s=_ASK_S)
            except AcError:
                continue
            if found:
                return found
        raise NotFound(
            f"The notebook {notebook!r} isn't open with a running kernel; ask the user to open it."
        )

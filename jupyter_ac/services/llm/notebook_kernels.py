"""The kernels of notebooks that are open in a person's pages: which one, and its variables.

Only a page knows which kernel a notebook has. Pages that list `AcApp.notebookKernel` and
`AcApp.listVariables` are asked one after another, the one that was used last first.
"""

from collections.abc import Mapping
from typing import Final, cast

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.errors import AcError, Busy, NotFound, NotReady, Unsupported
from jupyter_ac.ids import Identity
from jupyter_ac.inspection.variables import VariableList
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.services.subscribers import Subscribers

KERNEL: Final = "AcApp.notebookKernel"
VARIABLES: Final = "AcApp.listVariables"
VALUE: Final = "AcApp.kernelValue"

_ASK_S: Final = 15.0
_NO_PAGE: Final = (
    "Kernels are reached through a JupyterLab page in which the user has opened the notebook, or "
    "from a cell by `%%ac --agent`; here is neither. Go on without variables and cells, or ask the "
    "user to open the notebook in JupyterLab with jupyter_ac's panel."
)


_NO_ACTIVE: Final = (
    "Variables are those of a notebook that is open in JupyterLab beside jupyter_ac's panel; there "
    "is none. Open it there."
)
_ERRORS: Final[Mapping[str, type[AcError]]] = {
    "none": NotFound,
    "not_found": NotFound,
    "not-loaded": NotReady,
    "other-language": Unsupported,
}
"""By the types of a page's answers; others mean that the kernel doesn't answer now."""

_REMEDIES: Final[Mapping[str, str]] = {"not-loaded": " Run `%load_ext jupyter_ac` in a cell."}


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

    async def active_value(self, identity: Identity, method: str, name: str) -> object:
        """Ask the kernel of a person's active notebook, in the page that was used last.

        Args:
            identity: the person.
            method: of `Kernel`, without the namespace.
            name: of a variable; "" for none.

        Raises:
            Unsupported: no page can be asked, or the kernel isn't one of Python.
            NotFound: no notebook is open with a kernel, or there is no such variable.
            NotReady: the kernel hasn't loaded jupyter_ac.
            Busy: it doesn't answer, because a cell runs.
        """
        error: AcError = Unsupported(_NO_ACTIVE)
        for page in self._pages(identity, VALUE):
            try:
                found = await page.call(VALUE, method, name, timeout_s=_ASK_S)
            except AcError:
                continue
            answer = found if isinstance(found, Mapping) else {}
            failed = answer.get("error")
            if not isinstance(failed, Mapping):
                return answer.get("value")
            kind = str(failed.get("type"))
            error = _ERRORS.get(kind, Busy)(f"{failed.get('message')}{_REMEDIES.get(kind, '')}")
            if kind != "none":
                break
        raise error

    def _pages(self, identity: Identity, request: str) -> list[Peer]:
        """Return a person's pages that answer a request, the one that was used last first."""
        pages = [
            page
            for page in self._subscribers.pages_of(identity)
            if request in page.remote_methods and not page.closed
        ]
        return sorted(pages, key=lambda page: -page.calls.last_s)

    async def _ask(self, conversation: Conversation, request: str, notebook: str) -> object:
        pages = self._pages(conversation.conversation_key.identity, request)
        if not pages:
            raise Unsupported(_NO_PAGE)
        for page in pages:
            try:
                found = await page.call(request, notebook, timeout_s=_ASK_S)
            except AcError:
                continue
            if found:
                return found
        raise NotFound(
            f"The notebook {notebook!r} isn't open with a running kernel; ask the user to open it."
        )

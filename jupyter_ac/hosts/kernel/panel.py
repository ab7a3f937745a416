"""The panel as a widget: a thin shell around the page's own connection to the Jupyter server.

The kernel tells the page which folder it is in and proves it by a nonce in the repository; it
serves the UI where no server can, carries the frames of a page that reaches no server, and mirrors
what the page reports. Messages arrive on the kernel's main thread or on a subshell's: they are only
enqueued there, answered from one thread of the panel's own and sent from another. The page speaks
first: what is sent to a widget whose code has not loaded yet is lost.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import anywidget
from IPython.core.getipython import get_ipython
from traitlets import Bool, Enum, List, Unicode

from jupyter_ac.errors import AcError, InvalidParams, NotFound
from jupyter_ac.hosts.assets import NOT_BUILT, STATIC_DIR, Build, Chunk, chunk_source, ui_source
from jupyter_ac.hosts.kernel.asking import Asking
from jupyter_ac.hosts.kernel.attached_values import attached_item
from jupyter_ac.hosts.kernel.child.host import HostChild
from jupyter_ac.hosts.kernel.child.pool import children_of
from jupyter_ac.hosts.kernel.kernel_location import KernelLocation, hello
from jupyter_ac.hosts.kernel.live.comm_routing import let_page_choose_shell
from jupyter_ac.hosts.kernel.relay.relay import Relay
from jupyter_ac.hosts.kernel.rendering import PANEL_MARK, PANEL_MIME, STATIC_PICTURE
from jupyter_ac.hosts.nearby_repositories import RepositoryChoices, surroundings_shape

STATUSES: Final = ("starting", "ready", "streaming", "offline", "error")
"""The words of the `status` trait."""

MAX_SELECTED: Final = 20_000


@dataclass(frozen=True, slots=True)
class PageState:
    """The state that the page reports.

    Attributes:
        selected_files: paths relative to the repository, in the order of selection.
        busy: whether an answer is running.
        status: one of `STATUSES`.
    """

    selected_files: list[str]
    busy: bool
    status: str


def read_state(content: object) -> PageState:
    """Check a `state` message.

    Raises:
        InvalidParams: a member is missing, of the wrong type, or too long.
    """
    match content:
        case {"selected_files": list(files), "busy": bool(busy), "status": str(status)}:
            paths = [path for path in files if isinstance(path, str)]
        case _:
            raise InvalidParams("a state message needs selected_files, busy and status")
    if status not in STATUSES:
        raise InvalidParams(f"status must be one of {', '.join(STATUSES)}")
    if len(paths) != len(files) or len(files) > MAX_SELECTED:
        raise InvalidParams(f"selected_files must be at most {MAX_SELECTED} paths")
    return PageState(paths, busy, status)


def error_message(message: str) -> dict[str, object]:
    """One sentence for the user, either way."""
    return {"type": "error", "message": message}


def repository_message(name: str) -> dict[str, object]:
    """The folder has become a repository of this name."""
    return {"type": "repository", "name": name}


def surroundings_message(around: RepositoryChoices) -> dict[str, object]:
    """Repositories near the folder, which is in no repository."""
    return {"type": "surroundings", **surroundings_shape(around)}


def opened_message(folder: Path) -> dict[str, object]:
    """The panel has switched to another folder."""
    return {"type": "open", "folder": str(folder)}


def ui_message(build: Build, source: str) -> dict[str, object]:
    """The whole UI, for a page whose server has no such build."""
    return {"type": "ui", "hash": build.hash, "source": source}


def chunk_message(chunk: Chunk, build: Build, source: str) -> dict[str, object]:
    """A part of the UI, for a page that can't fetch it either."""
    return {"type": chunk, "hash": build.hash, "source": source}


logger = logging.getLogger(__name__)

_LOADER: Final = STATIC_DIR / "widget.js"
_NO_LOADER: Final = f"""
export default {{
  render({{ el }}) {{
    el.textContent = {NOT_BUILT!r};
  }},
}};
"""


def resolve_folder(folder: str | Path) -> Path:
    """Return the folder, absolute and without links.

    Raises:
        NotFound: it does not exist or is a file.
    """
    try:
        resolved = Path(folder).expanduser().resolve()
    except RuntimeError as error:  # `~name` of an unknown user, or a loop of links
        raise NotFound(f"there is no folder {str(folder)!r}: {error}") from error
    except FileNotFoundError as error:  # of the current folder; others need not exist here
        raise NotFound("the kernel's folder is gone; os.chdir to one that exists") from error
    if not resolved.is_dir():
        raise NotFound(f"there is no folder {str(folder)!r}; give one that exists")
    return resolved


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """Give the loop that runs cells and takes messages; None in a script."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class Panel(anywidget.AnyWidget):
    """File picker, chat and context breakdown for one git repository.

    Args:
        repo: a folder inside the repository; relative to the current folder.

    Attributes:
        selected_files: the files ticked in the picker, relative to the repository, as the page last
            reported it, like the other two; assign a list to tick others.
        busy: whether an answer is on its way.
        status: `starting`, `ready`, `streaming`, `offline` or `error`.
            Observers of the three run on the panel's own thread.

    Raises:
        NotFound: there is no such folder.
    """

    _esm = _LOADER if _LOADER.is_file() else _NO_LOADER

    # Not synced: it may be long, and a synced trait is sent whole and saved with the notebook.
    selected_files = List(Unicode())
    busy = Bool(default_value=False).tag(sync=True)
    status = Enum(STATUSES, "starting").tag(sync=True)

    def __init__(self, repo: str | Path = ".") -> None:
        # First, because `close` needs these even when there turns out to be no such folder.
        self._jobs = ThreadPoolExecutor(max_workers=1, thread_name_prefix="jupyter-ac-panel")
        self._relay = Relay(self._host, self._transmit, _running_loop())
        self._children = children_of(get_ipython())
        self._asking = Asking(self._host, self._relay.post)
        self._folder = resolve_folder(repo)
        self._whereabouts = KernelLocation(self._folder)
        self._mirroring: int | None = None
        super().__init__()
        let_page_choose_shell(self.comm)
        self.on_msg(self._receive)
        self.observe(self._select, "selected_files")

    def __repr__(self) -> str:
        return f"<jupyter_ac.Panel on {self._folder.name!r}, {self.status}>"

    async def ask(self, question: str) -> str:
        """Ask the model and return its answer.

        A page that shows the panel asks in the panel's conversation, with the ticked files. Without
        one, or when its messages would wait for the cell that runs, the kernel's own host asks in a
        conversation beside it. Cancelling this stops the answer.

        Raises:
            InvalidParams: there is no question.
            Cancelled: the answer was stopped.
            TimedOut: the page has fallen silent; says where the answer is.
            AcError: why there is no answer.
        """
        return await self._asking.ask(question, self.selected_files)

    def attach(self, value: object, name: str | None = None) -> None:
        """Attach a value to the next question of the panel; returns at once.

        A text goes out as it is, every other value as its summary, for which none of its code runs.
        Figures of matplotlib and images of Pillow are drawn and come with a picture. Likely secrets
        are masked. A page that shows the panel, now or later, shows what is attached, and it goes
        out with the next question there; else with the next one of `ask`. Why a page can't attach
        it is logged.

        Args:
            value: any.
            name: what the model and the panel call it; None: the name of the variable that holds
                it, else that of its class. Another attached value of this name is replaced.

        Raises:
            InvalidParams: the name is no text, empty or longer than 200 characters.
            TooLarge: a text has more than 100,000 characters, or a picture more than 5 MB.
            Unsupported: the library can't draw the picture.
            Conflict: 20 values are attached.
        """
        shell = get_ipython()
        namespace: dict[object, object] = {} if shell is None else shell.user_ns
        self._asking.attach(attached_item(value, name, namespace))

    def close(self) -> None:
        """Remove the panel from all pages; the conversation stays."""
        super().close()
        self._jobs.shutdown(wait=False, cancel_futures=True)
        self._relay.close()

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict[str, object], dict[str, object]]:
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, PANEL_MIME: PANEL_MARK, "text/html": STATIC_PICTURE}, metadata

    def _receive(self, _widget: object, content: object, _buffers: object) -> None:
        if self._asking.receive(content):
            return
        match content:
            case {"type": "relay" | "relay.open" | "relay.close"}:
                self._relay.receive(content)
            case {"type": "hello"}:
                self._jobs.submit(self._answer, self._hello)
            case {"type": "ui"}:
                self._jobs.submit(self._answer, self._ui)
            case {
                "type": (
                    "viewer"
                    | "markdown"
                    | "maths"
                    | "colours"
                    | "dialogs"
                    | "browser"
                    | "agent"
                    | "plans"
                    | "context"
                    | "picker"
                    | "panels"
                ) as chunk
            }:
                self._jobs.submit(self._answer, lambda: self._chunk(chunk))
            case {"type": "surroundings" | "open" | "repository"}:
                self._jobs.submit(self._answer, lambda: self._at_folder(content))
            case {"type": "state"}:
                self._jobs.submit(self._answer, lambda: self._mirror(content))
            case {"type": "error", "message": str(message)}:
                logger.warning("the page reports: %s", message)
            case _:
                logger.debug("a message of an unknown kind was ignored")

    def _answer(self, job: Callable[[], Mapping[str, object] | None]) -> None:
        """Run a job on the panel's thread and send what it returns; it never raises."""
        try:
            reply = job()
        except AcError as error:
            reply = error_message(str(error))
        except Exception:
            logger.exception("a message from the page could not be answered")
            reply = error_message("jupyter_ac failed in the kernel; its log says why.")
        if reply is not None:
            self._relay.post(reply)

    def _host(self) -> HostChild:
        return self._children.get(self._folder)

    def _transmit(self, message: Mapping[str, object]) -> None:
        """Send to all pages; only the relay's thread does."""
        if self.comm is not None:
            self.send(message)

    def _hello(self) -> Mapping[str, object]:
        return hello(self._whereabouts.find(), self.status)

    def _ui(self) -> Mapping[str, object]:
        return ui_message(*ui_source())

    def _chunk(self, chunk: Chunk) -> Mapping[str, object]:
        return chunk_message(chunk, *chunk_source(chunk))

    def _at_folder(self, content: object) -> Mapping[str, object]:
        """Do what a page asks for where there is no repository."""
        match content:
            case {"type": "open", "folder": str(folder)}:
                return self._open(folder)
            case {"type": "repository", **more}:
                name = self._whereabouts.initialise(
                    more.get("confirm"), with_git=more.get("git") is not False
                )
                return repository_message(name)
            case _:
                return surroundings_message(self._whereabouts.look_around())

    def _open(self, asked: str) -> Mapping[str, object]:
        """Go to a repository near the folder; links that are open stay where they are."""
        if asked != str(self._folder):
            self._folder = self._whereabouts.nearby(asked)
            self._whereabouts = KernelLocation(self._folder)
        return opened_message(self._folder)

    def _mirror(self, content: object) -> None:
        state = read_state(content)
        with self.hold_sync():
            self._mirroring = threading.get_ident()
            self.selected_files = state.selected_files
            self._mirroring = None
            self.busy = state.busy
            self.status = state.status

    def _select(self, change: Mapping[str, object]) -> None:
        """Tick in all panels what was assigned here; what a page has reported is ticked."""
        if self._mirroring == threading.get_ident():
            self._mirroring = None  # what an observer of the report assigns is none
            return
        files = change["new"]
        if isinstance(files, list):
            self._asking.select(files)

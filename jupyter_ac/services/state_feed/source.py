"""Reads the state that feeds show: the browser's, the workspace's, one conversation's.

It holds no texts of messages, no contents of files and no secrets. Names that
`LLMService.get_current_state` has, too, mean the same there.
"""

import asyncio
from collections.abc import Callable
from typing import Final, TypedDict

from jupyter_ac.browser_rows import BrowserState, disconnected
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.errors import AcError
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.services.llm.shapes import ModelState
from jupyter_ac.services.llm.state import model_state
from jupyter_ac.services.state_feed.feed import content_hash, content_hashes

MOST_FILES: Final = 1000
"""Ticked files that are named; each of a thousand clients gets their names at each change."""


class WorkspaceState(TypedDict):
    """What is the same in all conversations about a repository.

    Attributes:
        repo_name: the folder's name.
        init_complete: questions are answered.
        model: which model answers.
        review_active: a branch is under review.
        files_version: how many changes of the tree were noticed, by any program.
        edits_review: edits wait for the user's decision.
        urls_fetch: the setting `urls.fetch`.
    """

    repo_name: str
    init_complete: bool
    model: ModelState
    review_active: bool
    files_version: int
    edits_review: bool
    urls_fetch: str


class ConversationState(TypedDict):
    """One conversation.

    Attributes:
        session_id: the session that is shown.
        message_count: its messages, without the answer that is being made.
        mode: `code` or `doc`.
        cross_ref_enabled: the model gets the map of the other kind, too.
        selected_files: the first 1,000 ticked files, in the order of the ticks.
        selected_files_left_out: how many more there are.
        urls_count: its web pages.
        active_streams: request ids of the answers that are being made, for `attach_stream`.
    """

    session_id: str
    message_count: int
    mode: str
    cross_ref_enabled: bool
    selected_files: list[str]
    selected_files_left_out: int
    urls_count: int
    active_streams: list[str]


class StateSource:
    """Reads the state of conversations.

    Args:
        repo_name: for the user.
        ports: the model in use, whether the start is complete, the settings.
        review: returns the state of the review; reads the disk.
        browser: returns the browser's part.
    """

    def __init__(
        self,
        repo_name: str,
        ports: TurnPorts,
        review: Callable[[], ReviewState],
        browser: Callable[[], BrowserState] = disconnected,
    ) -> None:
        self._repo_name = repo_name
        self._ports = ports
        self._review = review
        self._browser = browser
        self._reading = asyncio.Lock()
        self._is_reviewing = False
        self._is_review_known = False
        self._files_version = 0

    def note_files(self) -> None:
        """Note a change of the tree or of git's state: files, a branch, a review."""
        self._files_version += 1
        self._is_review_known = False

    async def prepare(self) -> None:
        """Read what lies on the disk, if it may have changed; call it before `read`."""
        async with self._reading:
            while not self._is_review_known:
                self._is_review_known = True
                try:
                    self._is_reviewing = (await asyncio.to_thread(self._review))["active"]
                except AcError:
                    # Shown where the review is asked for; a feed goes on with what it knew.
                    return

    def read(self, conversation: Conversation) -> dict[str, object]:
        """Return all fields, with the hashes of those that clients compare."""
        browser, workspace = self._browser(), self._workspace()
        talk = conversation_state(conversation)
        return {
            **browser,
            "workspace": workspace,
            "conversation": talk,
            **content_hashes(browser),
            "workspace_hash": content_hash(workspace),
            "conversation_hash": content_hash(talk),
        }

    def _workspace(self) -> WorkspaceState:
        ports = self._ports
        return {
            "repo_name": self._repo_name,
            "init_complete": ports.gate.is_open,
            "model": model_state(ports.models),
            "review_active": self._is_reviewing,
            "files_version": self._files_version,
            "edits_review": ports.edits.settings().review,
            "urls_fetch": ports.log.settings().urls.fetch,
        }


def conversation_state(conversation: Conversation) -> ConversationState:
    """Return what is shown of a conversation."""
    stream, selection = conversation.stream, conversation.selection
    return {
        "session_id": conversation.session.session_id,
        "message_count": conversation.session.message_count,
        "mode": conversation.focus.mode,
        "cross_ref_enabled": conversation.focus.cross_ref,
        "selected_files": list(selection[:MOST_FILES]),
        "selected_files_left_out": max(0, len(selection) - MOST_FILES),
        "urls_count": len(conversation.url_rows),
        "active_streams": [] if stream is None else [stream.request_id],
    }

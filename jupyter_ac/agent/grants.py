"""What the user has allowed beyond a single call: for a session, or from now on.

For a session a grant is for one tool and the equal question with all that it says (the same code in
another page is another question), or, where the question names an address, for that tool at the
whole origin. It is in memory only. From now on only leading arguments of commands are allowed
(`grant_store`), and they count only for a command that runs in the sandbox, because tests run what
the model has written.
"""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import astuple
from typing import Final, Literal, TypeAlias

from jupyter_ac.agent.grant_store import GrantStore
from jupyter_ac.agent.tool import Question
from jupyter_ac.errors import InvalidParams
from jupyter_ac.ids import SessionId
from jupyter_ac.tool_rows import ToolScope

MAX_SESSIONS: Final = 100
"""With grants; the one that was granted something longest ago is forgotten, and asked again."""

MAX_OF_SESSION: Final = 200

GrantedScope: TypeAlias = Literal["prefix", "session"]
Matches: TypeAlias = Callable[[Sequence[str], Sequence[str]], bool]
"""Whether a prefix that is allowed holds for the arguments of a command."""


def offered_scopes(question: Question) -> tuple[ToolScope, ...]:
    """Return for how long a call may be allowed, the shortest first.

    A command outside of the sandbox can only be allowed once, and so can an edit, and what is
    answered by a text. One that starts a server may be allowed as a whole, from now on.
    """
    if question.keeps_whole:
        return ("once", "prefix")
    if question.wants_text or question.only_once or (question.argv and not question.is_sandboxed):
        return ("once",)
    if _has_prefix(question):
        return ("once", "session", "prefix")
    return ("once", "session")


class Grants:
    """The grants of one repository.

    Args:
        store: keeps the leading arguments.
        matches: further rules for leading arguments. Whatever it returns, only commands with the
            same beginning are allowed.
    """

    def __init__(self, store: GrantStore, matches: Matches) -> None:
        self._store, self._matches = store, matches
        self._by_session: OrderedDict[SessionId, OrderedDict[str, None]] = OrderedDict()

    async def is_granted(
        self, question: Question, session_id: SessionId, tool: str
    ) -> GrantedScope | None:
        """Return by which grant a call may run without asking; None: the user must be asked.

        Args:
            question: that the user would be asked.
            session_id: of the conversation.
            tool: its name; a grant for a session is for one tool.
        """
        scopes = offered_scopes(question)
        if "session" in scopes and _key(question, tool) in self._by_session.get(session_id, {}):
            return "session"
        if "prefix" in scopes:
            stored = await self._store.read()
            if any(self._holds(grant.prefix, question.argv) for grant in stored.grants):
                return "prefix"
        return None

    async def grant(
        self, scope: ToolScope, question: Question, session_id: SessionId, tool: str
    ) -> None:
        """Keep what the user has decided; `once` keeps nothing.

        Raises:
            InvalidParams: the scope isn't offered for this question.
            TooLarge: too many leading arguments are allowed already.
            AcError: they can't be stored.
        """
        require_offered(scope, question)
        if scope == "prefix":
            await self._store.add(question.prefix)
        elif scope == "session":
            keys = self._by_session.setdefault(session_id, OrderedDict())
            keys[_key(question, tool)] = None
            self._by_session.move_to_end(session_id)
            if len(keys) > MAX_OF_SESSION:
                keys.popitem(last=False)
            if len(self._by_session) > MAX_SESSIONS:
                self._by_session.popitem(last=False)

    def forget_session(self, session_id: SessionId) -> None:
        """End what was allowed for a session."""
        self._by_session.pop(session_id, None)

    def _holds(self, prefix: tuple[str, ...], argv: tuple[str, ...]) -> bool:
        return argv[: len(prefix)] == prefix and self._matches(prefix, argv)


def require_offered(scope: ToolScope, question: Question) -> None:
    """Check that a call may be allowed for so long.

    Raises:
        InvalidParams: it may not; the message names what is offered.
    """
    scopes = offered_scopes(question)
    if scope not in scopes:
        raise InvalidParams(
            f"scope must be one of {', '.join(scopes)} for this call.", {"path": "$.scope"}
        )


def _has_prefix(question: Question) -> bool:
    prefix = question.prefix
    return bool(prefix) and question.is_sandboxed and question.argv[: len(prefix)] == prefix


def _key(question: Question, tool: str) -> str:
    """Return what a session's grant is for; a hash, since a text may be long."""
    about = [tool, question.origin] if question.origin else [tool, *astuple(question)]
    return hashlib.sha256(json.dumps(about).encode()).hexdigest()

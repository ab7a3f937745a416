"""The methods on the context that planners and executors share."""

from typing import TypedDict

from jupyter_ac.events import ContextUpdated
from jupyter_ac.ids import Identity
from jupyter_ac.planner.shared_context import Action, ContextType, ContextUpdate, entries_of
from jupyter_ac.planner.shared_context_store import SharedContextStore
from jupyter_ac.planner_rows import SharedContextChange
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.subscribers import Subscribers


class ContextApplied(TypedDict):
    """The result of a change.

    Attributes:
        version: of the context now.
        applied: whether anything differs from before.
    """

    version: int
    applied: bool


class ContextFile(TypedDict):
    """A file of the context.

    Attributes:
        path: relative to the repository.
        hash: SHA-256 of its content, in hex, when it was added or modified.
    """

    path: str
    hash: str


class ContextDependency(TypedDict):
    """A dependency.

    Attributes:
        name: of the package.
        version: or "".
    """

    name: str
    version: str


class SharedContextRow(TypedDict):
    """The whole context."""

    version: int
    files: list[ContextFile]
    dependencies: list[ContextDependency]
    state: dict[str, object]


class SharedContextMethods:
    """Reads and changes the caller's context.

    Args:
        store: keeps it.
        subscribers: are told of changes.
    """

    def __init__(self, store: SharedContextStore, subscribers: Subscribers) -> None:
        self._store = store
        self._subscribers = subscribers

    @method(Access.READ)
    async def get_context(self) -> SharedContextRow:
        """Return the context that planners and executors share, with its version."""
        found = await self._store.get(current_caller().identity)
        return SharedContextRow(
            version=found.version,
            files=[ContextFile(path=path, hash=str(files)) for path, files in found.files.items()],
            dependencies=[
                ContextDependency(name=name, version=str(version))
                for name, version in found.dependencies.items()
            ],
            state=dict(found.state),
        )

    @method(Access.WRITE)
    async def update_context(
        self,
        action: Action,
        context_type: ContextType,
        data: dict[str, object],
        upsert: bool = False,
    ) -> ContextApplied:
        """Change the context, and tell the caller's other pages its new version.

        `data` is `{path, hash?}` of a file, `{name, version?}` of a dependency, else keys of the
        state with their values. To add what is there, or to modify or remove what isn't, is refused
        unless `upsert` is set. A page whose version isn't the one before asks for `get_context`.
        """
        identity = current_caller().identity
        entries = entries_of(context_type, data)
        update = ContextUpdate(action, context_type, entries, upsert)
        before, after = await self._store.update(identity, update)
        is_applied = after is not before
        if is_applied:
            change = SharedContextChange(
                version=after.version,
                action=action,
                context_type=context_type,
                names=sorted(entries),
            )
            self._tell(identity, change)
        return ContextApplied(version=after.version, applied=is_applied)

    def _tell(self, identity: Identity, change: SharedContextChange) -> None:
        for key in self._subscribers.conversation_keys():
            if key.identity == identity:
                self._subscribers.publish(ContextUpdated(change), key)

"""What the pages of a panel have given it, for its next start."""

from collections.abc import Mapping

from jupyter_ac.panels.initialize_request import DESCRIBE, MOVE_BEFORE, InitializeRequest
from jupyter_ac.panels.wire import PROTOCOL_VERSION


class PanelInputs:
    """The props and the environment that were given last."""

    def __init__(self) -> None:
        self._props: dict[str, object] | None = None
        self._env: dict[str, object] = {}

    def add(self, props: Mapping[str, object] | None, env: Mapping[str, object] | None) -> None:
        """Note props, unless there are none, and members of the environment."""
        if props is not None:
            self._props = dict(props)
        self._env.update(env or {})

    def note(self, method: str, *args: object) -> None:
        """Note what a call of the protocol has changed."""
        match method, args:
            case "updateProps", (dict() | None as props,):
                self._props = props or {}
            case "setEnvironment", (dict() as env,):
                self._env.update(env)

    def request(self, *, knows_moves: bool) -> InitializeRequest:
        """Return what the plugin is initialized with.

        Args:
            knows_moves: its host can apply `moveBefore`.
        """
        request = InitializeRequest(protocolVersion=PROTOCOL_VERSION, env=dict(self._env))
        if self._props is not None:
            request["props"] = self._props
        request["extensions"] = [DESCRIBE, MOVE_BEFORE] if knows_moves else [DESCRIBE]
        return request

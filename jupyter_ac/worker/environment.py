"""The environment of a call: variables on top of the process's own, without a race.

litellm and the SDKs below it read keys, addresses and proxies from the environment, each variable
somewhere else, until the request has left. So calls that bring the same variables run side by side,
and a call that brings others waits until those have had their first sign of life.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager


class CallEnvironment:
    """Switches `os.environ` between sets of variables.

    Args:
        on_switch: called after each switch; drops what was made under the old variables.
    """

    def __init__(self, on_switch: Callable[[], None]) -> None:
        self._on_switch = on_switch
        self._current: dict[str, str] = {}
        self._shadowed: dict[str, str | None] = {}
        self._users = 0
        self._free = asyncio.Event()

    @asynccontextmanager
    async def applied(self, env: Mapping[str, str]) -> AsyncIterator[None]:
        """Hold `env` in the environment for the duration of the block."""
        wanted = dict(env)
        while self._users and self._current != wanted:
            await self._free.wait()
        if self._current != wanted:
            self._switch(wanted)
        self._users += 1
        self._free.clear()
        try:
            yield
        finally:
            self._users -= 1
            if not self._users:
                self._free.set()

    def _switch(self, wanted: dict[str, str]) -> None:
        for name, value in self._shadowed.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self._shadowed = {name: os.environ.get(name) for name in wanted}
        os.environ.update(wanted)
        self._current = wanted
        self._on_switch()

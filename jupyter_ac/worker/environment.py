"""The environment of a call: variables on top of the process's own, without a race.

litellm and its SDKs read keys, addresses and proxies from the environment at many places until the
request is sent. So calls with the same variables run concurrently, and a call with other variables
waits until the running calls have received their first data.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager


class CallEnvironment:
    """Switches `os.environ` between sets of variables.

    Args:
        on_switch: called after each switch; drops objects created with the old variables.
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

"""An object with methods of all kinds, exposed by our server and by upstream's."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping


class Exposed:
    """Public methods, and `get_server` from whoever serves it."""

    get_server: Callable[[], Mapping[str, Callable[..., Awaitable[object]]]]

    def add(self, a: int, b: int) -> int:
        return a + b

    async def slow_add(self, a: int, b: int) -> int:
        await asyncio.sleep(0.001)
        return a + b

    def echo(self, value: object) -> object:
        return value

    def nothing(self) -> None:
        return None

    def fails(self) -> None:
        raise ValueError("this is why")

    def fails_without_text(self) -> None:
        raise ValueError

    def not_a_number(self) -> float:
        return math.nan

    async def ask_back(self, name: str, *args: object) -> object:
        return await self.get_server()[name](*args)

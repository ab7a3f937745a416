"""The object that both Python servers serve: ours and upstream's."""

from collections.abc import Awaitable, Callable, Mapping

Call = Mapping[str, Callable[..., Awaitable[object]]]


class Probe:
    """The smallest calls, and events that are awaited as the seeds' services await them."""

    get_call: Callable[[], Call]  # put here by whoever serves it

    async def add(self, one: int, two: int) -> int:
        """Add two numbers."""
        return one + two

    def plus(self, one: int = 1, two: int = 2) -> int:
        """The same as a plain method."""
        return one + two

    def larger(self, one: int = 1, two: int = 2) -> int:
        """A plain method that calls something: ours runs it in a thread, upstream on its loop."""
        return max(one, two)

    async def events(self, count: int) -> int:
        """Send all clients this many events, each after the answers to the one before."""
        call = self.get_call()
        for number in range(count):
            await call["AcApp.streamChunk"]("1-a", str(number))
        return count

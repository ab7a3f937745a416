"""Follows the tests of the repository: what the server tells of them, as a tree."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast

from jupyter_ac.builtin_panels.suite_tree import SuiteTree
from jupyter_ac.errors import AcError
from jupyter_ac.panels import Services, use_effect, use_memo, use_ref, use_services, use_state
from jupyter_ac.suite_rows import SuiteNews, SuiteRun

NEWS: Final = "Tests.get_news"
WAIT_MS: Final = 15_000


@dataclass(frozen=True, slots=True)
class FollowedSuite:
    """What is known of the tests.

    Attributes:
        tree: changes in place.
        version: another number after each change.
        run: the last run; None before one.
        left_out: tests that are not known one by one.
        problem: why it is not followed any more; "" while it is.
        retry: follows again.
    """

    tree: SuiteTree
    version: int
    run: SuiteRun | None
    left_out: int
    problem: str
    retry: Callable[[], None]

    @property
    def is_active(self) -> bool:
        """Whether a run waits for consent, or runs."""
        return self.run is not None and self.run["state"] in {"asking", "running"}


def use_suite() -> FollowedSuite:
    """Follow the tests as long as the panel is shown."""
    services = use_services()
    tree = use_memo(SuiteTree, ())
    version, set_version = use_state(0)
    told = use_ref(_NOTHING)
    problem, set_problem = use_state("")
    attempt, set_attempt = use_state(0)

    def show(news: SuiteNews) -> None:
        told.current = news
        set_version(lambda last: last + 1)

    async def follow() -> None:
        set_problem("")
        try:
            await _follow(services, tree, show)
        except AcError as error:
            set_problem(error.message)

    use_effect(follow, (attempt,))
    return FollowedSuite(
        tree=tree,
        version=version,
        run=told.current["run"],
        left_out=told.current["left_out"],
        problem=problem,
        retry=lambda: set_attempt(lambda last: last + 1),
    )


async def _follow(services: Services, tree: SuiteTree, show: Callable[[SuiteNews], None]) -> None:
    generation, version, wait_ms = "", 0, 0
    while True:
        answer = await services.call(NEWS, generation, version, wait_ms)
        news = cast("SuiteNews", answer)
        if news["generation"] != generation:
            tree.clear()
        tree.update(news["tests"])
        is_same = (news["generation"], news["version"]) == (generation, version)
        generation, version = news["generation"], news["version"]
        if not is_same or not wait_ms:
            show(news)
        # The first answer comes at once, and so do the parts of a long one.
        wait_ms = 0 if news["is_more"] else WAIT_MS
        await asyncio.sleep(0)


_NOTHING: Final[SuiteNews] = {
    "generation": "",
    "version": 0,
    "run": None,
    "tests": [],
    "is_more": False,
    "left_out": 0,
}

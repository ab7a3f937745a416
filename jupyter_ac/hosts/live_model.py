"""A workspace's current model plan, updated when the settings change."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.prompt.profiles import PromptProfile, profile_of, template
from jupyter_ac.errors import AcError
from jupyter_ac.hosts.model_plan import ModelPlan, ModelPlanner
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.services.settings.ports import Catalogue, ModelSummary
from jupyter_ac.settings.files import SYSTEM_EXTRA, SYSTEM_PROMPTS
from jupyter_ac.settings.snippets import Mode

DISK_WAIT_S: Final = 5.0

logger = logging.getLogger(__name__)

Heard = Callable[[ModelSummary, str], None]
"""Listener for a change: the model in use, and notices for the user."""


class LiveModel:
    """The current model plan, computed again when its inputs have changed.

    Belongs to one event loop. Several share a planner, and so the settings that one has read.

    Args:
        planner: makes the plan.
        catalogue: returns the available models, for a plan that needs them.
        review: returns the state of the review; reads the disk.
    """

    def __init__(
        self,
        planner: ModelPlanner,
        catalogue: Catalogue | None = None,
        review: Callable[[], ReviewState] | None = None,
    ) -> None:
        self._review = review
        self._is_review = False
        self._planner = planner
        self._catalogue = catalogue
        self._plan = ModelPlan(None)
        self._made_of: tuple[int, int] | None = None
        self._making = asyncio.Lock()
        self._heard: Heard | None = None
        self._is_stale = asyncio.Event()

    def listen(self, heard: Heard) -> None:
        """Add a listener for changes."""
        self._heard = heard

    @property
    def plan(self) -> ModelPlan:
        """The current model and its request options."""
        return self._plan

    def summary(self) -> ModelSummary:
        """Describe it to a front end."""
        return self._plan.summary()

    def told(self) -> str:
        """Return notices for the user: settings on disk not in force, why there is no model."""
        notices = self._planner.settings.notices()
        absence = self._plan.message
        is_said = any(notice.startswith(absence) for notice in notices)
        return " ".join(notices if is_said else filter(None, (*notices, absence)))

    def profile(self, choice: ModelChoice, worked_on: Mode = "code") -> PromptProfile:
        """Say how prompts are made for a model, by what is being done.

        Args:
            choice: the model.
            worked_on: code or documents; a review comes before both.
        """
        settings = self._planner.settings
        mode: Mode = "review" if self._is_review else worked_on
        return profile_of(
            choice,
            settings.app.prompt.profile,
            settings.prompt(SYSTEM_PROMPTS[mode]),
            settings.prompt(SYSTEM_EXTRA),
            mode,
        )

    def prompt(self, name: str) -> str:
        """Give the prompt of a side task, such as `commit`: the user's, or ours."""
        return self._planner.settings.prompt(name) or template(f"{name}.md")

    async def keys(self, names: Iterable[str]) -> Mapping[str, str]:
        """Return for each key variable the place where its key is stored."""
        return await asyncio.to_thread(self._planner.where_keys_are, names)

    async def renew(self) -> None:
        """Reload files that were changed on disk; cheap when none was.

        If the disk doesn't answer, the current settings stay in force.
        """
        try:
            async with asyncio.timeout(DISK_WAIT_S):
                await asyncio.to_thread(self._refresh_settings)
        except TimeoutError:
            logger.warning("the configuration folder does not answer; what was read before holds")
            return
        if self._made_of != self._makings():
            await self._make()

    async def follow(self) -> None:
        """Renew after each change that another workspace of the host detects; until cancelled."""
        self._planner.listeners.add(self._is_stale.set)
        try:
            while True:
                await self._is_stale.wait()
                self._is_stale.clear()
                await self.renew()
        finally:
            self._planner.listeners.discard(self._is_stale.set)

    async def reload(self, types: Iterable[str]) -> None:
        """Reload files of these types and the keyring."""
        await asyncio.to_thread(self._planner.settings.refresh, tuple(types))
        self._planner.keyring.forget()
        await self._make()

    def _refresh_settings(self) -> None:
        self._planner.settings.refresh()
        if self._review is not None:
            self._is_review = self._review()["active"]

    def _makings(self) -> tuple[int, int]:
        return self._planner.settings.version, self._planner.keyring.version

    async def _make(self) -> None:
        async with self._making:
            makings = self._makings()
            if makings == self._made_of:
                return
            self._plan = await make_plan(self._planner, self._catalogue)
            self._made_of = makings
        for listener in tuple(self._planner.listeners):
            listener()
        if self._heard is not None:
            self._heard(self.summary(), self.told())


async def make_plan(planner: ModelPlanner, catalogue: Catalogue | None) -> ModelPlan:
    """Choose the model now; the list of models is asked for when the plan needs it.

    What comes of it is final, also where the list could not be had.
    """
    plan = await asyncio.to_thread(planner.plan)
    if not plan.lacks_list:
        return plan
    plan = replace(plan, lacks_list=False)
    if catalogue is None:
        return plan
    try:
        listed = await catalogue()
    except AcError as error:
        logger.warning("the list of models can't be had: %s", error)
        return plan
    return await asyncio.to_thread(planner.plan, listed)

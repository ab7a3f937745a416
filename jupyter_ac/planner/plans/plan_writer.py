"""Has the model make a plan: one request, and a second one when the answer can't be used."""

import asyncio
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.model_gateway import (
    TOO_SMALL,
    AnswerListener,
    ModelGateway,
    SideTaskResult,
)
from jupyter_ac.errors import ProviderBadRequest, TimedOut, UnreadableAnswer
from jupyter_ac.git.excluded_paths import ReadExcluded
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree.scan import LIST_TRACKED, read_list
from jupyter_ac.ids import Identity, RepoPath
from jupyter_ac.planner.plans.plan import Plan
from jupyter_ac.planner.plans.plan_prompt import (
    INSTRUCTIONS,
    PlanDraft,
    PlanQuestion,
    plan_text,
    read_draft,
    repair_text,
)
from jupyter_ac.planner.plans.plan_registry import new_plan_id

_TOKENS: Final = 2_000
_TASK_TOKENS: Final = 200


class PlanWriter:
    """Makes plans with the chosen model.

    Args:
        models: asked for them.
        repository: whose tracked files are named to the model.
        excluded: returns the files that aren't named.
    """

    def __init__(
        self,
        models: ModelGateway,
        repository: Repository,
        excluded: ReadExcluded,
    ) -> None:
        self._models = models
        self._repository = repository
        self._excluded = excluded

    async def write(self, question: PlanQuestion, identity: Identity) -> Plan:
        """Make a plan; nothing is stored.

        Args:
            question: what for.
            identity: whose plan it is.

        Raises:
            NotReady: there is no model.
            ProviderError: it fails, or is too small.
            UnreadableAnswer: its second answer can't be used either; the message says why.
            TimedOut: it took longer than the question's limit.
            AcError: which files are excluded can't be known.
        """
        try:
            async with asyncio.timeout(question.limits.time_limit_s):
                draft = await self._draft(question)
        except TimeoutError:
            raise TimedOut(
                f"The plan took longer than {question.limits.time_limit_s:g} s to make; allow more "
                "in constraints.time_limit_seconds, or ask for less."
            ) from None
        return Plan(
            plan_id=new_plan_id(),
            identity=identity,
            request=question.request,
            tasks=draft.tasks,
            limits=question.limits,
            explanation=draft.explanation,
            estimated_s=draft.estimated_s,
        )

    async def _draft(self, question: PlanQuestion) -> PlanDraft:
        await self._models.renew()
        if self._models.require().demo:
            raise ProviderBadRequest(TOO_SMALL)
        names = names_in(await read_list(self._repository, LIST_TRACKED))
        excluded = await self._excluded()
        sent = await asyncio.to_thread(excluded.sent, map(RepoPath, names))
        text = plan_text(question, sent)
        answer = await self._ask(text, question)
        draft = _read(answer, question)
        if draft.faults:
            again = await self._ask(repair_text(text, answer.text, draft.faults), question)
            answer, draft = again, _read(again, question)
        if draft.faults:
            raise UnreadableAnswer(
                f"The model {answer.model} gave no plan that can be used: "
                f"{'; '.join(draft.faults[:3])}."
            )
        return draft

    async def _ask(self, text: str, question: PlanQuestion) -> SideTaskResult:
        choice = self._models.require()
        messages = [
            {"role": "system", "content": INSTRUCTIONS},
            {"role": "user", "content": text},
        ]
        limit = _TOKENS + _TASK_TOKENS * question.limits.max_tasks
        info = await self._models.info(choice)
        outcome = await self._models.complete(
            choice, messages, min(limit, info.max_output_tokens), AnswerListener(_unheard)
        )
        result = SideTaskResult(outcome.text, outcome.usage, outcome.finish_reason, choice.model)
        self._models.side_task_done(result)
        return result


def _read(answer: SideTaskResult, question: PlanQuestion) -> PlanDraft:
    draft = read_draft(answer.text, question.limits.max_tasks)
    if answer.finish_reason == "length" and draft.faults:
        return replace(draft, faults=["the answer was cut: it is too long", *draft.faults])
    return draft


def _unheard(_text: str) -> None:
    pass

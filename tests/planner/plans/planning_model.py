"""A model that answers requests for plans from a list."""

import asyncio
import json

from jupyter_ac.chat.model_gateway import ModelGateway, SideTaskResult
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import CompletedAnswer, CompletionRequest, Usage
from tests.chat.memory import ScriptedModel


class PlanningModel(ScriptedModel):
    """Gives its answers one after the other.

    Attributes:
        asked: the texts of the requests.
        counted: what was counted as paid for.
    """

    def __init__(self, *answers: str, finish_reason: str = "stop") -> None:
        super().__init__()
        self.answers = list(answers)
        self.finish_reason = finish_reason
        self.asked: list[str] = []
        self.counted: list[SideTaskResult] = []
        self.hangs = False

    async def complete(self, request: CompletionRequest, *_: object) -> CompletedAnswer:
        self.asked.append(str(request.messages[-1]["content"]))
        if self.hangs:
            await asyncio.Event().wait()
        return CompletedAnswer(self.answers.pop(0), self.finish_reason, Usage(10, 1, cost_usd=0.25))


def gateway_of(model: PlanningModel, *, demo: bool = False) -> ModelGateway:
    choice = ModelChoice("openai/x", "flag", demo=demo)
    gateway = ModelGateway(model, lambda: choice)
    gateway.side_task_done = model.counted.append
    return gateway


def answer_of(*tasks: tuple[str, list[str]], **members: object) -> str:
    """A plan as a model writes it, of ids and dependencies."""
    rows = [
        {"id": task_id, "type": "analysis", "description": f"do {task_id}", "dependencies": needed}
        for task_id, needed in tasks
    ]
    return json.dumps({"tasks": rows, "explanation": "because", **members})

"""The tools `create_plan`, `get_plan` and `list_plans`: requests split into tasks by the model."""

import json
from typing import Final

from jupyter_ac.agent.tool import Arguments, Question, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import TEXT, described, number_in, parameters, text_in
from jupyter_ac.agent.tools.asked_calls import AskedCalls
from jupyter_ac.agent.tools.result_text import ResultMasker, bounded, one_line
from jupyter_ac.agent.tools.unasked_tool import UnaskedTool
from jupyter_ac.chat.prompt.blocks import wellformed
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import InvalidParams
from jupyter_ac.planner.plans.plan import PlanLimits
from jupyter_ac.planner.plans.plan_changes import PlanMoved
from jupyter_ac.planner.plans.plan_prompt import PlanQuestion
from jupyter_ac.planner.plans.plan_wire import plan_row
from jupyter_ac.planner.plans.task_checks import MAX_TASKS
from jupyter_ac.planner_rows import PlanRow
from jupyter_ac.services.planner.planner_names import PlannerPorts

MAX_REQUEST: Final = 100_000
MAX_LISTED: Final = 50

_USUAL_LISTED: Final = 20
_REST: Final = "the panel shows all of it"


class CreatePlanTool:
    """Has the user's model split a request into tasks.

    Args:
        planner: makes and keeps plans.
        masker: masks secrets.
        is_allowed: the user isn't asked before the model is.
    """

    definition = ToolDefinition(
        "create_plan",
        "Have the user's model split a request into tasks with dependencies. The plan waits for "
        "the user's approval in jupyter_ac; nothing is run.",
        parameters(
            ("request",),
            request=TEXT,
            max_tasks={"type": "integer", "minimum": 1, "maximum": MAX_TASKS},
        ),
        Right.NETWORK,
    )

    def __init__(self, planner: PlannerPorts, masker: ResultMasker, *, is_allowed: bool) -> None:
        self._planner, self._masker, self._is_allowed = planner, masker, is_allowed
        self._asked: AskedCalls[str] = AskedCalls()

    def title(self, arguments: Arguments) -> str:
        """Return the request."""
        return one_line(text_in(arguments, "request", ""))

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Ask, since the request leaves the machine and costs money.

        Raises:
            InvalidParams: the request is blank or too long.
        """
        request = text_in(arguments, "request")
        if not request.strip() or len(request) > MAX_REQUEST:
            raise InvalidParams(f"request must have 1 to {MAX_REQUEST:,} characters.")
        if self._is_allowed:
            return None
        self._asked.keep(context, request)
        return Question(
            wellformed(request),
            why="It is sent to your model, which may cost money; file names go with it.",
        )

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the plan as JSON.

        Raises:
            AcError: there is no model, or it made no plan.
        """
        request = text_in(arguments, "request")
        if not self._is_allowed:
            self._asked.require(context, request)
        identity = context.conversation.conversation_key.identity
        limits = PlanLimits(number_in(arguments, "max_tasks", PlanLimits().max_tasks))
        draft = await self._planner.writer.write(PlanQuestion(request, limits, {}, {}), identity)
        plan = await self._planner.registry.create(draft, [PlanMoved("propose")])
        return await _result(plan_row(plan), context, self._masker)


class GetPlanTool(UnaskedTool):
    """Shows a plan.

    Args:
        planner: keeps plans.
        masker: masks secrets.
    """

    definition = ToolDefinition(
        "get_plan",
        "Show a plan with its tasks and their states.",
        parameters(("plan_id",), plan_id=TEXT),
        Right.READ,
    )

    def __init__(self, planner: PlannerPorts, masker: ResultMasker) -> None:
        self._planner, self._masker = planner, masker

    def title(self, arguments: Arguments) -> str:
        """Return the plan's id."""
        return one_line(text_in(arguments, "plan_id", ""))

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the plan as JSON.

        Raises:
            NotFound: there is none.
        """
        identity = context.conversation.conversation_key.identity
        plan = await self._planner.registry.get(text_in(arguments, "plan_id"), identity)
        return await _result(plan_row(plan), context, self._masker)


class ListPlansTool(UnaskedTool):
    """Lists plans.

    Args:
        planner: keeps plans.
        masker: masks secrets.
    """

    definition = ToolDefinition(
        "list_plans",
        "List the user's plans for this repository, the newest first.",
        parameters(
            (),
            limit=described(
                {"type": "integer", "minimum": 1, "maximum": MAX_LISTED}, "20 without it"
            ),
        ),
        Right.READ,
    )

    def __init__(self, planner: PlannerPorts, masker: ResultMasker) -> None:
        self._planner, self._masker = planner, masker

    def title(self, arguments: Arguments) -> str:
        """Return what is listed."""
        del arguments
        return "plans"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return a line for each plan."""
        identity = context.conversation.conversation_key.identity
        limit = number_in(arguments, "limit", _USUAL_LISTED)
        plans = await self._planner.registry.newest(identity, limit)
        lines = [
            f"{row['id']} {row['status']}, {len(row['tasks'])} tasks: "
            f"{one_line(row['user_request'])}"
            for row in map(plan_row, plans)
        ]
        text = "\n".join(lines) or "There are no plans."
        return ToolResult(bounded(await self._masker.masked(context.conversation, text), _REST))


async def _result(row: PlanRow, context: ToolContext, masker: ResultMasker) -> ToolResult:
    text = json.dumps(row, ensure_ascii=False, indent=1)
    return ToolResult(bounded(await masker.masked(context.conversation, text), _REST))

"""The tools `ask_user` and `done`: the run asks its user, and says that it is finished."""

from jupyter_ac.agent.tool import Arguments, Question, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import TEXT, described, parameters, text_in
from jupyter_ac.agent.tools.result_text import bounded, one_line
from jupyter_ac.agent.tools.unasked_tool import UnaskedTool
from jupyter_ac.chat.prompt.blocks import wellformed
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import InvalidParams


class AskUserTool:
    """Asks the user something; the answer is a text."""

    definition = ToolDefinition(
        "ask_user",
        "Ask the user a question that only the user can answer, and wait for the answer.",
        parameters(("question",), question=TEXT),
        Right.USER,
    )

    def title(self, arguments: Arguments) -> str:
        """Return the question."""
        return one_line(text_in(arguments, "question", ""))

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Ask the question.

        Raises:
            InvalidParams: it is blank.
        """
        del context
        text = wellformed(text_in(arguments, "question"))
        if not text.strip():
            raise InvalidParams("question is blank; ask something.")
        return Question(text, wants_text=True)

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the user's words."""
        del arguments
        answer = wellformed(context.answer)
        if not answer.strip():
            return ToolResult("The user has answered nothing.")
        return ToolResult(bounded(f"The user answers:\n{answer}", "ask for less"))


class DoneTool(UnaskedTool):
    """Ends the run."""

    definition = ToolDefinition(
        "done",
        "Say that the task is finished, or can't be; ends the run.",
        parameters(("summary",), summary=described(TEXT, "what was done, and what is left")),
        Right.USER,
    )

    def title(self, arguments: Arguments) -> str:
        """Return the summary."""
        return one_line(text_in(arguments, "summary", ""))

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """End the run."""
        del context
        summary = wellformed(text_in(arguments, "summary"))
        return ToolResult(bounded(summary, "a summary is short"), ends_run=True)

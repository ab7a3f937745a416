"""The base of tools whose calls run without a question."""

from jupyter_ac.agent.tool import Arguments, Question, ToolContext


class UnaskedTool:
    """A tool that only reads what may be read, or that asks nothing beforehand."""

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Return nothing: the call runs by itself."""
        del arguments, context
        return None

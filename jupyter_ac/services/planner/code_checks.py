"""The method that checks code without executing it."""

from jupyter_ac.planner.validation.diagnostics import ValidationResult
from jupyter_ac.planner.validation.validator import CodeValidator
from jupyter_ac.rpc.methods import Access, method


class ValidationMethods:
    """Checks code.

    Args:
        validator: checks it.
    """

    def __init__(self, validator: CodeValidator) -> None:
        self._validator = validator

    @method(Access.READ)
    async def validate_code(
        self, code: str, language: str, rules: list[str] | None = None
    ) -> ValidationResult:
        """Check code and list what is wrong with it; the code is never executed.

        `language` is a name such as `python`, `javascript`, `json`, `notebook` (then `code` is the
        file's JSON). `rules` are those of the language's tool, such as `F401`; their findings make
        the code invalid. Without rules the syntax is checked, and Python for usual mistakes.
        """
        return await self._validator.validate(code, language, rules or ())

import os
from pathlib import Path

from jupyter_ac.planner.validation.validator import Checkers, CodeValidator
from jupyter_ac.services.planner.code_checks import ValidationMethods


async def test_code_is_checked_by_a_call(tmp_path: Path) -> None:
    validator = CodeValidator(Checkers.of(tmp_path, os.environ), 120.0)
    methods = ValidationMethods(validator)
    try:
        assert (await methods.validate_code("{}", "json"))["valid"]
        found = await methods.validate_code("import os\n", "python", ["F401"])
        assert [each["rule"] for each in found["diagnostics"]] == ["F401"]
    finally:
        await validator.aclose()

from jupyter_ac.planner.validation.diagnostics import (
    MAX_DIAGNOSTICS,
    Diagnostic,
    Findings,
    syntax_error,
)


def at(line: int, cell: int = 0) -> Diagnostic:
    found = syntax_error("wrong", line)
    found["severity"] = "info"
    if cell:
        found["cell"] = cell
    return found


def test_a_result_has_its_diagnostics_by_their_places() -> None:
    found = Findings("t", "1", [at(2, 1), at(1, 2), at(1, 1)]).result(0.25)
    assert [(each.get("cell"), each["line"]) for each in found["diagnostics"]] == [
        (1, 1),
        (1, 2),
        (2, 1),
    ]
    assert (found["valid"], found["elapsed_ms"], found["tool_version"]) == (True, 250, "1")


def test_an_error_makes_code_invalid_also_beyond_the_limit() -> None:
    many = [at(1) for _ in range(MAX_DIAGNOSTICS)]
    found = Findings("t", "", [*many, syntax_error("wrong", 9)]).result(0)
    assert (found["valid"], len(found["diagnostics"]), found["left_out"]) == (False, 500, 1)


def test_places_begin_with_one() -> None:
    assert (syntax_error("", 0, -3)["line"], syntax_error("", 0, -3)["column"]) == (1, 1)

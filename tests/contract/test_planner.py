"""The planner's methods at each door, and seed 004's own client over pipes."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from tests.chat.edited import edit
from tests.contract.contract import contract
from tests.contract.doors import Door
from tests.support.model_process import RunningModelServer
from tests.support.repositories import make_repository
from tests.support.stdio_process import COMMAND, LIMIT_S, scripted_environment

CONTEXT: dict[str, object] = {
    "files": ["file1.js", "file2.js"],
    "current_directory": "/project/src",
    "dependencies": ["react", "typescript"],
    "constraints": [],
}
TASK: dict[str, object] = {
    "task_type": "code_generation",
    "prompt": "Detailed task description",
    "context": CONTEXT,
    "options": {"language": "javascript", "framework": "react", "style_guide": "airbnb"},
}
"""The message of the seed, as it stands there."""

CLIENT = Path(__file__).parents[1] / "support" / "seed_planner_client.mjs"


@contract
async def test_code_is_checked_at_each_door(door: Door) -> None:
    async with door.open() as page:
        found = await page.peer.call("validate_code", "def f(:\n", "python")
        assert isinstance(found, dict)
        assert not found["valid"]
        assert found["diagnostics"][0]["rule"] == "syntax"
        found = await page.peer.call("Planner.validate_code", "a: 1\n", "yaml", [])
        assert isinstance(found, dict)
        assert found["valid"]


@contract
async def test_the_context_is_one_for_all_pages_of_a_person(door: Door) -> None:
    async with door.open() as one, door.open() as other:
        key = f"key of {id(one)}"
        found = await one.peer.call("update_context", "add", "state", {key: [1, None]})
        assert isinstance(found, dict)
        assert found["applied"]
        whole = await other.peer.call("get_context")
        assert isinstance(whole, dict)
        assert (whole["version"], whole["state"][key]) == (found["version"], [1, None])
        with pytest.raises(RemoteError, match="there already"):
            await other.peer.call("update_context", "add", "state", {key: 2})


@contract
async def test_a_plan_that_the_model_cannot_make_is_an_error_and_leaves_nothing(door: Door) -> None:
    async with door.open() as page:
        await page.ready()
        with pytest.raises(RemoteError, match="no plan that can be used"):
            await page.peer.call("create_plan", "Build a shop", {}, {"max_tasks": 3})
        assert await page.peer.call("list_plans") == {"plans": []}


@contract
async def test_a_task_is_carried_out_applied_and_taken_back_at_each_door(
    door: Door, provider: RunningModelServer
) -> None:
    provider.answer_as("scripted-edits")
    name = f"made-{door.folder.root.parent.name}.txt"
    block = edit(name, "", "made\n")
    prompt = f"Make a file.\n=====\nLike so:\n\n{block}\nThat is all.\n"
    try:
        async with door.open() as page:
            await page.ready()
            call = page.peer.call
            done = await call("execute_task", "code_generation", prompt, {"files": ["a.py"]})
            assert isinstance(done, dict)
            assert done["status"] == "success", done
            assert done["output"]["files_created"] == [name]
            assert "+made" in done["output"]["code"]
            place = door.folder.root / name
            assert not place.exists()
            plan_id = done["metadata"]["plan_id"]
            applied = await call("Planner.apply_plan", plan_id)
            assert isinstance(applied, dict)
            assert applied["files"] == [name]
            assert place.read_text(encoding="utf-8") == "made\n"
            assert door.folder.git("status", "--porcelain", name) == f"A  {name}"
            undone = await call("Planner.undo_plan", plan_id)
            assert isinstance(undone, dict)
            assert undone["files"] == [name]
            assert not place.exists()
    finally:
        provider.answer_as("")


def test_the_client_of_the_seed_talks_to_us(provider: RunningModelServer, tmp_path: Path) -> None:
    node, root = shutil.which("node"), make_repository(tmp_path / "r", {"file1.js": "x\n"}).root
    assert node is not None
    calls: list[tuple[str, object]] = [
        ("validate_code", {"code": "let a = (;", "language": "javascript", "rules": []}),
        # The messages of the seed, as they stand there.
        (
            "validate_code",
            {
                "code": "code to validate",
                "language": "javascript",
                "rules": ["no-unused-vars", "no-console"],
            },
        ),
        ("update_context", {"action": "add", "context_type": "state", "data": {"a": 1}}),
        ("update_context", {"action": "add|remove|modify", "context_type": "file", "data": {}}),
        ("get_context", {}),
        (
            "create_plan",
            {
                "user_request": "Original user request",
                "current_state": {"completed_tasks": [], "pending_tasks": [], "context": {}},
                "constraints": {"max_tasks": 10, "time_limit_seconds": 300},
            },
        ),
        ("execute_task", TASK),
        ("execute_task", {**TASK, "context": {**CONTEXT, "current_directory": "."}}),
    ]
    done = subprocess.run(
        [node, str(CLIENT), *COMMAND, "stdio", "--repo", str(root)],
        input="".join(f"{json.dumps(call)}\n" for call in calls),
        env=scripted_environment(tmp_path / "home", provider.openai),
        cwd=root,
        capture_output=True,
        text=True,
        timeout=2 * LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    outcomes = [json.loads(line) for line in done.stdout.splitlines()]
    checked, eslint, added, wrong, context, plan, elsewhere, executed = outcomes
    assert not checked["result"]["valid"]
    assert eslint["error"]["code"] == -32001
    assert "ESLint" in eslint["error"]["data"]["details"]
    assert added["result"] == {"version": 1, "applied": True}
    assert wrong["error"]["code"] == -32602
    assert wrong["error"]["data"]["type"] == "INVALID_PARAMS"
    assert context["result"]["state"] == {"a": 1}
    assert plan["error"]["code"] == -32000
    assert plan["error"]["message"] == "Execution failed"
    assert plan["error"]["data"]["type"] == "PARSE_ERROR"
    assert plan["error"]["data"]["recovery_suggestions"]
    assert elsewhere["error"]["code"] == -32602
    assert "current_directory" in elsewhere["error"]["data"]["details"]
    result = executed["result"]
    assert result["status"] == "success"
    assert result["output"]["files_modified"] == result["output"]["files_created"] == []
    assert result["output"]["explanation"]
    assert result["metadata"]["tokens_used"] > 0
    assert result["metadata"]["model"].endswith("scripted")
    assert result["metadata"]["execution_time_ms"] >= 0

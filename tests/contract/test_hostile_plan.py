"""Tasks of plans whose models act badly, behind a real host with a key in its environment."""

import asyncio
import json
from collections.abc import Iterator

import pytest

from tests.contract.contract import contract
from tests.contract.doors import Door, HostEnvironment
from tests.contract.keyed_host import KEY, garden_in, keyed_host, play_tools, require_whole
from tests.contract.test_agent import call, value_of
from tests.support.model_process import BackgroundLoop, RunningModelServer

LIMIT_S = 90.0


@pytest.fixture(scope="module")
def door(
    background: BackgroundLoop,
    host_environment: HostEnvironment,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Door]:
    place = tmp_path_factory.mktemp("hostile-plan")
    with keyed_host(background, garden_in(place), host_environment(place / "home")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _scripted(provider: RunningModelServer) -> None:
    play_tools(provider)


def task(*answers: str) -> str:
    return "\n=====\n".join(["Please do it.", *answers])


@contract
async def test_a_task_reads_and_writes_its_copy_only(
    door: Door, provider: RunningModelServer
) -> None:
    root = door.folder.root
    bad = [
        call("read_file", path="../../../../../etc/passwd"),
        call("read_file", path=str(root / ".env")),
        call("run_command", command=f"cat {root}/.env"),
        call("run_command", command="env"),
        call("run_command", command=f"touch {root}/outside.txt"),
        call("run_command", command="git commit --allow-empty -m evil"),
        call("run_command", command="touch inside.txt"),
    ]
    before = door.folder.git("log", "--all", "--format=%H"), door.folder.git("status", "--short")
    async with door.open() as page:
        await page.ready()
        done = await page.peer.call("execute_task", "testing", task("".join(bad), "I give up.\n"))
        assert isinstance(done, dict)
        assert done["status"] == "success", done
        assert done["output"]["files_created"] in (["inside.txt"], [])
        assert done["output"]["explanation"] == "I give up."
    require_whole(provider)
    results = json.dumps(provider.bodies())
    assert "root:" not in results
    assert not (root / "outside.txt").exists()
    assert not (root / "inside.txt").exists()
    after = door.folder.git("log", "--format=%H", "HEAD"), door.folder.git("status", "--short")
    assert after == before
    assert KEY not in results
    assert "evil" not in door.folder.git("log", "--all", "--format=%s")


@contract
async def test_what_a_task_may_not_do_by_itself_the_user_is_asked_for(door: Door) -> None:
    async with door.open() as page:
        await page.ready()
        work = asyncio.create_task(
            page.peer.call(
                "execute_task",
                "testing",
                task(call("fetch_url", url="https://example.org/?secrets"), "Never mind.\n"),
            )
        )
        async with asyncio.timeout(LIMIT_S):
            while not (pending := await value_of(page, "list_pending_tools")):
                await asyncio.sleep(0.05)
        [one] = pending
        assert "https://example.org" in one["question"]["text"]
        await page.call("answer_tool", one["request_id"], one["call_id"], "refuse")
        done = await work
        assert isinstance(done, dict)
        assert done["status"] == "success"


@contract
async def test_a_task_that_never_ends_ends_at_its_limits(door: Door) -> None:
    async with door.open() as page:
        await page.ready()
        same = call("read_file", path="plan.txt")
        done = await page.peer.call("execute_task", "testing", task(*([same] * 40)))
        assert isinstance(done, dict)
        assert done["status"] == "failed"
        assert done["output"]["explanation"]

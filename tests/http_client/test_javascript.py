"""The built client in JavaScript with the real edge, and with real hosts."""

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest

from jupyter_ac.http_client import HttpClient
from tests.http_client.edge_methods import PARTS, edge
from tests.meta.sources import ROOT
from tests.support.edge_server import LOSE_ANSWER, LOSE_PART
from tests.support.jrpc_client import node_modules
from tests.support.jupyter_process import jupyter_serving
from tests.support.repositories import make_repository
from tests.support.serve_process import serving
from tests.support.stdio_process import command_environment

MODULE = ROOT / "jupyter_ac" / "static" / "http-client.js"
WAIT_S = 90.0

Step = list[object]


async def run(url: str, *steps: Step) -> list[object]:
    """Run a program; a result is itself, an error `{code, data}`."""
    process = await asyncio.create_subprocess_exec(
        *("node", str(Path(__file__).with_name("probe.mjs")), MODULE.as_uri(), url),
        json.dumps(steps),
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(WAIT_S):
        output, _ = await process.communicate()
    assert process.returncode == 0
    lines = [json.loads(line) for line in output.splitlines()]
    return [line.get("value") if "value" in line else line for line in lines]


async def test_the_epoch_is_kept_and_a_stale_call_sent_once_more() -> None:
    async with edge() as found:
        other = found.server.targets.add("other")
        for trigger in ("start_connect", "connect_success", "force_disconnect") * 2:
            other.fire(trigger)
        for trigger in ("start_connect", "connect_success"):
            other.fire(trigger)
        answers = await run(
            found.server.url,
            ["call", "clear", {"url": "u"}],
            ["call", "connect"],
            ["call", "clear", {"url": "u"}],
            ["call", "clear", {"url": "u", "target": "other"}],
        )
        refused, connected, navigated, elsewhere = answers
        assert isinstance(refused, dict)
        assert refused["code"] == "INVALID_STATE"
        assert (connected, navigated, elsewhere) == ("connected", "u", "u")
        assert [each.get("epoch") for each in found.server.sent] == [None, None, 1, 1, 3]


async def test_a_lost_answer_is_asked_for_again_and_the_work_done_once() -> None:
    async with edge() as found:
        found.server.plans.append(LOSE_ANSWER)
        assert await run(found.server.url, ["call", "Work.add"], ["call", "Work.add"]) == [1, 2]
        assert len(found.server.sent) == 3


async def test_streams() -> None:
    async with edge() as found:
        found.server.plans.extend([None, LOSE_PART])
        whole, lost, failed = await run(
            found.server.url,
            ["stream", "Work.write"],
            ["stream", "Work.write"],
            ["stream", "Work.write", {"how": "fail"}],
        )
        assert whole == {"parts": list(PARTS), "result": {"text": "".join(PARTS)}}
        assert lost == {"code": "GAP", "data": {}}
        assert failed == {"code": -32000, "data": {"type": "conflict"}}


async def test_the_state_says_what_may_be_called() -> None:
    async with edge() as found:
        found.server.state = {"connectionState": "connected", "epoch": 4}
        answers = await run(
            found.server.url,
            ["connect"],
            ["state"],
            ["can", "clear"],
            ["can", "Work.unknown"],
            ["call", "Work.read"],
        )
        assert answers == [None, found.server.state, True, False, 0]
        assert found.server.sent[-1]["epoch"] == 4


@pytest.mark.parametrize("kind", ["serve", "jupyter"])
async def test_both_clients_at_a_real_host(kind: str, tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "garden", {"a.py": "print(1)\n"})
    environment = command_environment(tmp_path / "home")
    starting = (
        serving(folder.root, environment)
        if kind == "serve"
        else jupyter_serving(folder.root, environment)
    )
    with starting as host:
        base = f"http://127.0.0.1:{host.port}/" + ("jupyter-ac/" if kind == "jupyter" else "")
        url = f"{base}?token={host.token}"
        async with HttpClient(url) as client, httpx.AsyncClient() as session:
            assert client.state["connectionState"] == "disconnected"
            assert client.can_call("Repo.is_clean")
            assert await client.call("Repo.get_file_content", {"path": "a.py"}) == "print(1)\n"
            call = client.stream("Repo.is_clean")
            assert [part async for part in call] == []
            assert call.result is True
            module = await session.get(f"{base}static/http-client.js")
        assert module.headers["Content-Type"] == "text/javascript; charset=utf-8"
        assert module.text == MODULE.read_text(encoding="utf-8")
        *answers, unknown = await run(
            url, ["connect"], ["can", "Repo.is_clean"], ["call", "Repo.is_clean"], ["call", "no"]
        )
        assert answers == [None, True, True]
        assert isinstance(unknown, dict)
        assert unknown["code"] == -32601


def test_its_types_allow_what_it_does_and_say_all_that_it_exports(tmp_path: Path) -> None:
    declarations = MODULE.with_suffix(".d.ts")
    for path in (MODULE, declarations, Path(__file__).with_name("types_probe.mts")):
        shutil.copy(path, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    done = subprocess.run(
        [
            *("node", str(node_modules() / "typescript" / "bin" / "tsc"), "types_probe.mts"),
            *("--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"),
            *("--lib", "es2023,dom,dom.iterable"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
    text = declarations.read_text(encoding="utf-8")
    assert "import " not in text
    exported = re.findall(
        r"^export \{\n([^}]*)\};", MODULE.read_text(encoding="utf-8"), re.MULTILINE
    )
    classes = re.findall(r"^export declare (?:class|function|const) (\w+)", text, re.MULTILINE)
    assert [set(names.replace(",", "").split()) for names in exported] == [set(classes)]

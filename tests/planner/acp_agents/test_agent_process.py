"""Processes that stand for agents, without the protocol."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, InvalidParams
from jupyter_ac.planner.acp_agents.agent_process import AgentCommand, AgentProcess


def command(program: str, *words: str, **private: str) -> AgentCommand:
    argv = [sys.executable, "-c", program, *words]
    return AgentCommand(argv, {"PATH": os.defpath}, private, argv, is_sandboxed=False)


async def test_messages_go_both_ways_and_noise_is_left_out(tmp_path: Path) -> None:
    program = (
        "import sys, os\n"
        "print('hello'); print('[1]'); print()\n"
        "print('{\"a\": ' + os.environ['N'] + '}', flush=True)\n"
        "print(sys.stdin.readline(), end='', flush=True)\n"
        "sys.stderr.write('one\\ntwo 3333-4444-5555')\n"
        "sys.exit(4)"
    )
    agent = await AgentProcess.start(command(program, N="7", KEY="3333-4444-5555"), tmp_path)
    try:
        assert await agent.receive() == {"a": 7}
        await agent.send({"b": "é"})
        assert await agent.receive() == {"b": "é"}
        assert await agent.receive() is None
        assert agent.complaint == "exit status 4: one two …"
        assert agent.fault == ""
    finally:
        await agent.end()


async def test_what_nobody_reads_is_no_obstacle_to_the_end(tmp_path: Path) -> None:
    program = "import signal, sys\nsignal.signal(15, signal.SIG_IGN)\nwhile 1: print('x' * 9999)"
    agent = await AgentProcess.start(command(program), tmp_path)
    await asyncio.sleep(0)
    await agent.end()
    assert agent.complaint.startswith("exit status")


async def test_what_can_not_be_started_says_so(tmp_path: Path) -> None:
    missing = AgentCommand(["/nowhere/agent"], {}, {}, ["/nowhere/agent"], is_sandboxed=False)
    with pytest.raises(AcError, match="/nowhere/agent"):
        await AgentProcess.start(missing, tmp_path)
    with pytest.raises(InvalidParams):
        await AgentProcess.start(command("pass", "\0"), tmp_path)

"""An agent made with the SDK that does what the words after its name say.

Run as a program, in a sandbox too, so it imports nothing of the tests.
"""

import asyncio
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import cast

from acp import PROTOCOL_VERSION, RequestError, run_agent
from acp.helpers import start_tool_call, text_block, tool_content, update_agent_message_text
from acp.helpers import update_tool_call as tool_news
from acp.interfaces import Agent, Client
from acp.schema import (
    AllowedOutcome,
    Cost,
    Implementation,
    InitializeResponse,
    NewSessionResponse,
    PermissionOption,
    PermissionOptionKind,
    PromptResponse,
    ToolCallUpdate,
    Usage,
    UsageUpdate,
)

ALL_OPTIONS: tuple[PermissionOptionKind, ...] = (
    "allow_always",
    "allow_once",
    "reject_once",
    "reject_always",
)


class ToldAgent:
    """Does one thing, named by the first word, with the others."""

    client: Client

    def __init__(self, deed: str, *words: str) -> None:
        self._deed, self._words = deed, words
        self._prompts = 0
        self._cwd = Path()

    def on_connect(self, conn: Client) -> None:
        self.client = conn

    async def initialize(self, **_more: object) -> InitializeResponse:
        if self._deed == "old":
            return InitializeResponse(protocol_version=0)
        return InitializeResponse(
            protocol_version=PROTOCOL_VERSION, agent_info=Implementation(name="told", version="1")
        )

    async def new_session(self, cwd: str, **_more: object) -> NewSessionResponse:
        if self._deed == "login":
            raise RequestError.auth_required()
        self._cwd = Path(cwd)
        return NewSessionResponse(session_id="s")

    async def prompt(self, session_id: str, **_more: object) -> PromptResponse:
        self._prompts += 1
        said = await getattr(self, f"do_{self._deed}")(session_id)
        if said:
            await self.client.session_update(session_id, update_agent_message_text(said))
        tokens = 100 * self._prompts
        usage = Usage(total_tokens=tokens, input_tokens=tokens - 10, output_tokens=10)
        return PromptResponse(stop_reason="end_turn", usage=usage)

    async def cancel(self, session_id: str, **_more: object) -> None:
        """Goes on."""

    async def do_write(self, session_id: str) -> str:
        """Write a file itself, and another one by the client; tell of a call and of costs."""
        await self.client.session_update(session_id, update_agent_message_text("I look. "))
        await self.client.session_update(
            session_id, start_tool_call("c1", "Write\x1b[2J own.py", kind="edit")
        )
        (self._cwd / "own.py").write_text("own = 1\n")
        await self.client.session_update(
            session_id,
            tool_news("c1", status="completed", content=[tool_content(text_block("written"))]),
        )
        path = str(self._cwd / "sub" / "theirs.py")
        await self.client.write_text_file(session_id, path, "theirs = 1\ntwo = 2\n")
        read = await self.client.read_text_file(session_id, path, line=2, limit=1)
        cost = Cost(amount=0.25 * self._prompts, currency="USD")
        usage = UsageUpdate(session_update="usage_update", used=1, size=10, cost=cost)
        await self.client.session_update(session_id, usage)
        return f"Done: {read.content.strip()}."

    async def do_hang(self, session_id: str) -> str:
        """Say who it is and who its child is, and never answer."""
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        (self._cwd / "pids").write_text(f"{os.getpid()} {child.pid}")
        await self.client.session_update(session_id, update_agent_message_text("begun"))
        await asyncio.Event().wait()
        return ""

    async def do_crash(self, _session_id: str) -> str:
        sys.stderr.write(f"no more tea {os.environ.get('TEA_KEY', '')}\n")
        sys.stderr.flush()
        os._exit(3)

    async def do_flood(self, _session_id: str) -> str:
        """Write one line that never ends."""
        os.set_blocking(1, True)
        while True:
            os.write(1, b"x" * 65_536)

    async def do_chatter(self, session_id: str) -> str:
        """Say and do much."""
        for number in range(int(self._words[0])):
            await self.client.session_update(session_id, update_agent_message_text("words " * 1000))
            await self.client.session_update(session_id, start_tool_call(f"c{number}", "a call"))
        return ""

    async def do_outside(self, session_id: str) -> str:
        """Try paths that lead out, by the client and itself; say which worked."""
        worked = []
        for path in (*self._words, str(self._cwd / ".git"), str(self._cwd / ".." / "up.txt")):
            with suppress(RequestError):
                await self.client.write_text_file(session_id, path, "stolen")
                worked.append(f"client wrote {path}")
            with suppress(RequestError):
                await self.client.read_text_file(session_id, path)
                worked.append(f"client read {path}")
            with suppress(OSError):
                Path(path).write_text("stolen")
                worked.append(f"wrote {path}")
            with suppress(OSError):
                worked.append(f"read {Path(path).read_text()}")
        with suppress(RequestError):
            await self.client.create_terminal(session_id, "true")
            worked.append("terminal")
        return f"Worked: {worked}"

    async def do_ask(self, session_id: str) -> str:
        """Ask about the same call several times; the words are the kinds of its options."""
        kinds = cast("tuple[PermissionOptionKind, ...]", self._words[1:]) or ALL_OPTIONS
        options = [PermissionOption(option_id=k, name=k, kind=k) for k in kinds]
        answers = []
        for number in range(int(self._words[0])):
            call = ToolCallUpdate(
                tool_call_id=f"c{number}",
                title="`rm -rf build`",
                kind="execute",
                raw_input={"command": "rm -rf build"},
            )
            answer = await self.client.request_permission(session_id, call, options)
            chosen = answer.outcome
            answers.append(chosen.option_id if isinstance(chosen, AllowedOutcome) else "none")
        return " ".join(answers)

    async def do_tell(self, _session_id: str) -> str:
        """Tell its environment, its command line's, and whether it has a network."""
        parent = Path(f"/proc/{os.getppid()}/cmdline")
        has_network = "eth" in Path("/proc/net/dev").read_text()
        told = {
            "env": dict(os.environ),
            "parent": parent.read_bytes().decode(errors="replace") if parent.exists() else "",
            "network": has_network,
            "home": [each.name for each in Path(os.environ["HOME"]).iterdir()],
        }
        return json.dumps(told)


if __name__ == "__main__":
    if sys.argv[1] == "mute":
        sys.stdout.write("no protocol here\n")
        sys.stdout.flush()
        sys.exit("I want an argument")
    asyncio.run(run_agent(cast("Agent", ToldAgent(sys.argv[1], *sys.argv[2:]))))

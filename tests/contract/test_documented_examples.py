"""Every fenced example of the pages on doors and on RPC, executed at real servers; every command in
a sentence of these and of the page on clients, executed in a shell.

What a reader has to put in (ports, tokens, names of folders) is put in here as well, and nothing
else is changed. An example of a kind that isn't known here fails, so each new one is executed.
"""

import ast
import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from jupyter_ac.store.nonce import write_nonce
from jupyter_ac.store.state_paths import state_dir
from tests.meta.sources import ROOT
from tests.support.jrpc_client import node_modules
from tests.support.jupyter_process import JupyterProcess, jupyter_serving
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess, serving
from tests.support.stdio_process import command_environment, run_command, scripted_environment

PAGES = ("doors.md", "rpc.md")
PAGES_OF_COMMANDS = (*PAGES, "clients.md")
PROGRAMS = frozenset(
    [
        *("curl", "esbuild", "git", "jupyter", "make", "node", "npm", "npx", "pip", "python"),
        *("sh", "ssh", "sudo", "sysctl", "ulimit"),
    ]
)
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b|…")
FILES: dict[str, str | bytes] = {"README.md": "# Garden\n", "src/app.py": "import os\n"}
WAIT_S = 90.0
PAGE_PROGRAM = ROOT / "tests" / "support" / "documented_page.mjs"
OPTION = re.compile(r"--[a-z][a-z-]*")


@dataclass(frozen=True)
class Example:
    """A fenced block.

    Attributes:
        page: its name in `docs`.
        line: of the page, where its text begins.
        section: the heading above it.
        kind: the language; of a block without one its first word, without what follows a `?`.
        text: what the fences enclose.
        answer: the block of answers right after it; "" if there is none.
    """

    page: str
    line: int
    section: str
    kind: str
    text: str
    answer: str = ""


@dataclass(frozen=True)
class Servers:
    """What the examples reach.

    Attributes:
        told: what the stand-alone server has written at its start.
    """

    folder: RepositoryFolder
    alone: ServeProcess
    jupyter: JupyterProcess
    told: str

    def address(self, text: str) -> str:
        """Put in the ports and the tokens of a text that is for one of the servers."""
        server = self.jupyter if "8888" in text else self.alone
        for sign, value in {"18080": self.alone.port, "8888": self.jupyter.port}.items():
            text = text.replace(sign, str(value))
        return text.replace("3f…", server.token)


def blocks(page: str, markdown: str) -> Iterator[Example]:
    """Find all fenced blocks, wherever they stand."""
    section, fence, language, begin = "", "", "", 0
    lines = markdown.splitlines()
    for number, line in enumerate(lines):
        found = re.match(r"[\s>*-]*(`{3,}|~{3,})\s*(\S*)", line)
        if fence:
            if found and found[1].startswith(fence) and not found[2]:
                text = "\n".join(lines[begin:number])
                kind = language or text.split()[0].partition("?")[0]
                yield Example(page, begin + 1, section, kind, text)
                fence = ""
        elif found:
            fence, language, begin = found[1], found[2], number + 1
        elif line.startswith("#"):
            section = line.lstrip("# ")
    assert not fence, f"{page}:{begin}: the block has no end"


def examples(page: str, markdown: str) -> list[Example]:
    """Find all examples; answers belong to the block before them."""
    found: list[Example] = []
    for block in blocks(page, markdown):
        if found and block.kind == "json" and not any("method" in each for each in frames(block)):
            found[-1] = replace(found[-1], answer=block.text)
        else:
            found.append(block)
    return found


def frames(example: Example) -> list[dict[str, object]]:
    return [json.loads(line) for line in example.text.splitlines()]


def commands(page: str, markdown: str) -> list[Example]:
    """Find the commands within sentences that are complete: each word is meant as it stands."""
    lines = markdown.splitlines()
    for block in blocks(page, markdown):
        for number in range(block.line - 2, block.line + block.text.count("\n") + 1):
            lines[number] = ""
    sentences = "\n".join(lines)
    found = []
    for span in re.finditer(r"(?<!`)`([^`]+)`(?!`)", sentences):
        program, *rest = span[1].split()
        if program in PROGRAMS and rest and not PLACEHOLDER.search(span[1]):
            line = sentences.count("\n", 0, span.start()) + 1
            found.append(Example(page, line, "", program, " ".join([program, *rest])))
    return found


def documented_commands() -> list[Example]:
    return [found for page in PAGES_OF_COMMANDS for found in commands(page, text_of(page))]


def text_of(page: str) -> str:
    return (ROOT / "docs" / page).read_text(encoding="utf-8")


def documented() -> list[Example]:
    return [example for page in PAGES for example in examples(page, text_of(page))]


@pytest.fixture(scope="module")
def servers(
    tmp_path_factory: pytest.TempPathFactory, provider: RunningModelServer
) -> Iterator[Servers]:
    place = tmp_path_factory.mktemp("documented")
    folder = make_repository(place / "root" / "garden", FILES)
    alone = scripted_environment(place / "alone", provider.openai)
    with (
        serving(folder.root, alone) as server,
        jupyter_serving(folder.root.parent, command_environment(place / "jupyter")) as jupyter,
    ):
        assert server.process is not None
        assert server.process.stdout is not None
        second = server.process.stdout.readline()
        yield Servers(folder, server, jupyter, f"jupyter-ac ready {server.address}\n{second}")


async def usage(example: Example, servers: Servers) -> None:
    """The command knows each option, and the page shows all that it has."""
    shown = re.sub(r"[\[\]]", "", example.text).replace(" DIR", " .").split()
    assert shown[:2] == ["jupyter", "ac"]
    done = run_command(*shown[2:], "--help", env=servers.alone.environment, cwd=servers.folder.root)
    assert done.returncode == 0, done.stderr
    assert set(OPTION.findall(done.stdout)) - {"--help"} == set(OPTION.findall(example.text))


async def announcement(example: Example, servers: Servers) -> None:
    assert servers.told.strip() == servers.address(example.text)


async def socket_address(example: Example, servers: Servers) -> None:
    """A Jupyter server lets in who asks so; a made-up nonce, it wouldn't."""
    nonce = write_nonce(state_dir(servers.folder.root / ".git"))
    parts = {"{base_url}": f"ws://127.0.0.1:{servers.jupyter.port}/", "HEX": nonce}
    url = example.text
    for sign, value in {**parts, "FOLDER": "garden", "NAME": "reader"}.items():
        assert sign in url
        url = url.replace(sign, value)
    async with socket(f"{url}&token={servers.jupyter.token}") as connection:
        assert (await frame(connection))["method"] == "system.listComponents"


async def state_frame(example: Example, servers: Servers) -> None:
    """The stand-alone server's first frame has what is shown, in this order."""
    url = servers.address("http://127.0.0.1:18080/events?token=3f…")
    text = ""
    async with (
        asyncio.timeout(WAIT_S),
        httpx.AsyncClient() as client,
        client.stream("GET", url) as response,
    ):
        async for line in response.aiter_lines():
            text += f"{line}\n"
            if line.startswith("data:"):
                break
    revision = text.partition("\n")[0].removeprefix("id: ")
    shown = re.sub(r"\b\d{9,}\b", revision, example.text)
    assert re.fullmatch(re.escape(shown).replace("…", ".*"), text.strip())
    assert json.loads(text.partition("data: ")[2])["revision"] == int(revision)


async def shell(example: Example, servers: Servers) -> None:
    assert shutil.which("curl"), "install curl: sudo apt-get install curl"
    home = Path(servers.alone.environment["HOME"])
    # A refused request fails, with the reason on standard error.
    (home / ".curlrc").write_text("fail-with-body\nsilent\nshow-error\nnoproxy = *\n")
    for command in example.text.replace("\\\n", " ").splitlines():
        assert command.startswith("curl "), f"{example.page}:{example.line}: what is {command}?"
        process = subprocess.Popen(
            ["sh", "-c", f"exec {servers.address(command)}"],
            env={**os.environ, "CURL_HOME": str(home)},
            stdout=subprocess.PIPE,
            text=True,
        )
        with process:
            assert process.stdout is not None
            if "-N" not in command.split():
                assert json.loads(process.stdout.read()) == json.loads(example.answer)
                continue
            lines = iter(process.stdout.readline, "")
            first = next((line for line in lines if line.startswith("data: ")), "")
            process.terminate()
        assert first, f"no state by {command}"
        state = json.loads(first.removeprefix("data: "))
        assert state["connectionState"] == "disconnected"
        assert state["workspace"]["repo_name"] == "garden"


async def json_frames(example: Example, servers: Servers) -> None:
    """Each call gets the answer that is shown: through the socket or, elsewhere, by POST."""
    shown = frames(example)
    expected = {each["id"]: each for each in shown if "method" not in each}
    calls = [each for each in shown if "method" in each]
    assert sorted(expected, key=str) == sorted((each["id"] for each in calls), key=str)
    ask = ask_by_socket if example.section == "The dialect" else ask_by_post
    for call in calls:
        assert await ask(call, servers) == expected[call["id"]]


async def ask_by_socket(call: dict[str, object], servers: Servers) -> dict[str, object]:
    async with socket(servers.jupyter.socket(servers.folder.root)) as connection:
        await connection.write_message(json.dumps(call))
        while (answer := await frame(connection)).get("id") != call["id"] or "method" in answer:
            pass
    return answer


async def ask_by_post(call: dict[str, object], servers: Servers) -> dict[str, object]:
    url = servers.address("http://127.0.0.1:18080/rpc?token=3f…")
    async with httpx.AsyncClient(timeout=WAIT_S) as client:
        answer: dict[str, object] = (await client.post(url, json=call)).json()
    return answer


async def python(example: Example, servers: Servers) -> None:
    del servers
    exec(compile(ast.parse(example.text), example.page, "exec"), {"__name__": "__main__"})


async def page_program(example: Example, servers: Servers) -> None:
    """The program runs as it stands, as a page of the server; then the page asks the model.

    The real client is an element of a page, so node runs it in jsdom, bundled by the command in the
    text below it.
    """
    folder = Path(servers.alone.environment["HOME"]) / "page"
    folder.mkdir()
    (folder / "client.js").write_text(servers.address(example.text), encoding="utf-8")
    found = commands(example.page, text_of(example.page))
    (bundling,) = (each for each in found if each.kind == "esbuild")
    bundle = folder / "bundle.js"
    bundle.write_text(in_shell(bundling.text, servers, folder).stdout, encoding="utf-8")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *("node", str(PAGE_PROGRAM), str(node_modules()), str(bundle)),
        f"http://127.0.0.1:{servers.alone.port}/",
        stdin=pipe,
        stdout=pipe,
    )
    try:
        async with asyncio.timeout(WAIT_S):
            await logged(process, lambda values: values == ["garden", "code"])
            assert process.stdin is not None
            process.stdin.write(ASKING.encode())
            await logged(process, lambda values: "Hello, model" in str(values[0]))
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


ASKING = (
    "document.querySelector('ac-app')"
    ".call['LLMService.chat_streaming']('1700000000000-abcdef', 'Hello, model')\n"
)


async def logged(
    process: asyncio.subprocess.Process, is_it: Callable[[list[object]], bool]
) -> None:
    """Wait until the page has logged this."""
    assert process.stdout is not None
    while line := await process.stdout.readline():
        if is_it(json.loads(line)):
            return
    raise EOFError


@asynccontextmanager
async def socket(url: str) -> AsyncIterator[WebSocketClientConnection]:
    connection = await websocket_connect(url, connect_timeout=WAIT_S)
    try:
        yield connection
    finally:
        connection.close()
        async with asyncio.timeout(WAIT_S):
            while await connection.read_message() is not None:
                pass


async def frame(connection: WebSocketClientConnection) -> dict[str, object]:
    async with asyncio.timeout(WAIT_S):
        text = await connection.read_message()
    assert text is not None, connection.close_reason
    value: dict[str, object] = json.loads(text)
    return value


KINDS: dict[str, Callable[[Example, Servers], Awaitable[None]]] = {
    "jupyter": usage,
    "jupyter-ac": announcement,
    "{base_url}jupyter-ac/rpc": socket_address,
    "id:": state_frame,
    "sh": shell,
    "json": json_frames,
    "python": python,
    "javascript": page_program,
}


def in_shell(text: str, servers: Servers, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end, as a reader would; it gets no input, and has to succeed."""
    modules = node_modules().resolve()
    path = [str(Path(sys.executable).parent), os.environ["PATH"], str(modules / ".bin")]
    done = subprocess.run(
        ["sh", "-c", text],
        cwd=folder,
        env={
            **servers.alone.environment,
            "PATH": os.pathsep.join(path),
            "NODE_PATH": str(modules),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert done.returncode == 0, f"{text}: {done.stderr}"
    return done


def plain(command: Example, servers: Servers) -> None:
    in_shell(command.text, servers, servers.folder.root)


def of_jupyter(command: Example, servers: Servers) -> None:
    """The input of a host ends at once, so it ends; a server is started on any port, and ended."""
    if command.text != "jupyter ac serve":
        plain(command, servers)
        return
    with serving(servers.folder.root, servers.alone.environment) as server:
        assert server.end(signal.SIGINT) == 130


def target_of_make(command: Example, servers: Servers) -> None:
    """The target is there; what it makes has tests of its own."""
    make, target = command.text.split()
    in_shell(f"{make} --dry-run {target}", servers, ROOT)


def bundling(command: Example, servers: Servers) -> None:
    """It bundles the program that stands above it; `page_program` runs the bundle."""
    del servers
    assert [each.kind for each in documented() if each.page == command.page].count("javascript")


def system_value(command: Example, servers: Servers) -> None:
    """Linux has the value; other systems have others."""
    del servers
    _, name = command.text.split()
    assert Path("/proc/sys", *name.split(".")).exists() or sys.platform != "linux"


COMMANDS: dict[str, Callable[[Example, Servers], None]] = {
    "esbuild": bundling,
    "git": plain,
    "jupyter": of_jupyter,
    "make": target_of_make,
    "sysctl": system_value,
    "ulimit": plain,
}


def name(example: Example) -> str:
    return f"{example.page}:{example.line}"


@pytest.mark.parametrize("example", documented(), ids=name)
async def test_an_example_does_what_its_page_says(example: Example, servers: Servers) -> None:
    assert example.kind in KINDS, f"{name(example)}: nothing here executes {example.kind!r}"
    await KINDS[example.kind](example, servers)


@pytest.mark.parametrize("command", documented_commands(), ids=name)
def test_a_command_in_a_sentence_can_be_given(command: Example, servers: Servers) -> None:
    assert command.kind in COMMANDS, f"{name(command)}: nothing here executes {command.text}"
    COMMANDS[command.kind](command, servers)


def test_commands_are_found_in_sentences_also_across_lines() -> None:
    markdown = """Give `git
status`, then `ssh -L 1:h:1 HOST`, or `jupyter ac serve` and ``git`` `git` `not a program`.

```sh
curl `git log`
```
Then `npm ci`.
"""
    found = commands("page.md", markdown)
    assert [(each.text, each.line) for each in found] == [
        ("git status", 1),
        ("jupyter ac serve", 2),
        ("npm ci", 7),
    ]
    assert {each.kind for each in documented_commands()} == set(COMMANDS)


def test_each_fence_belongs_to_an_example() -> None:
    for page in PAGES:
        text = text_of(page)
        assert len(list(blocks(page, text))) * 2 == text.count("```") + text.count("~~~")
    assert {example.kind for example in documented()} == set(KINDS)


def test_blocks_are_found_wherever_they_stand_and_answers_belong_to_what_asks() -> None:
    markdown = """# One
> ~~~sh
> curl
> ~~~
## Two
- ```json
  {"method": "m", "id": 1}
  ```
  ```json
  {"id": 1}
  ```

````ruby
```
````
```
word?x=1 more
```
"""
    found = examples("page.md", markdown)
    kinds = [(each.section, each.kind, each.line) for each in found]
    assert kinds == [
        ("One", "sh", 3),
        ("Two", "json", 7),
        ("Two", "ruby", 14),
        ("Two", "word", 17),
    ]
    assert [bool(each.answer) for each in found] == [False, True, False, False]
    assert "ruby" not in KINDS


WRONG = {
    "jupyter": "jupyter ac serve [--no-such-option]",
    "jupyter-ac": "jupyter-ac ready ws://127.0.0.1:18080/",
    "id:": 'id: 3129305648000017\ndata: {"epoch":0,…,"no_such_field":{…},…}',
    "sh": "wget 'http://127.0.0.1:18080/rpc?token=3f…'",
    "json": '{"jsonrpc": "2.0", "id": 1, "method": "Repo.is_clean"}\n{"id": 1, "result": "no"}',
    "python": "assert not __name__",
}


@pytest.mark.parametrize("kind", WRONG)
async def test_a_wrong_example_fails(kind: str, servers: Servers) -> None:
    wrong = Example("page.md", 1, "Section", kind, WRONG[kind])
    with pytest.raises(AssertionError):
        await KINDS[kind](wrong, servers)


WRONG_COMMANDS = {
    "git": "git no-such-command",
    "jupyter": "jupyter ac stdio --no-such-option",
    "make": "make no-such-target",
}


@pytest.mark.parametrize("kind", WRONG_COMMANDS)
def test_a_wrong_command_fails(kind: str, servers: Servers) -> None:
    with pytest.raises(AssertionError):
        COMMANDS[kind](Example("page.md", 1, "", kind, WRONG_COMMANDS[kind]), servers)


async def test_a_refused_request_fails(servers: Servers) -> None:
    for more in ("", "-N "):
        text = f"curl {more}'http://127.0.0.1:18080/events?token=wrong'"
        answer = '{"state": "any"}'
        with pytest.raises(AssertionError):
            await shell(Example("page.md", 1, "Section", "sh", text, answer), servers)
